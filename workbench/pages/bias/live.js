// The page on biases in one file: both augmented Lagrangians side by side, each in a worker of its own.

// The run of one algorithm: what its engine has answered, in the order of the steps.
class Track {
  constructor(algorithm, engine, source, heard) {
    Object.assign(this, { algorithm, engine, source, first: Infinity });
    this.clear();
    engine.heard = (answer) => { if (this.hear(answer)) heard(); };
  }

  clear() { Object.assign(this, { rows: [], at: 0, playing: false, end: null, reason: null }); }

  // The data, where the engine has others.
  async prepare({ source, facts }) {
    if (this.source === source) return;
    this.source = source;
    await this.engine.ask("data", facts);
  }

  // A problem at zero.
  async begin(problem) {
    this.clear();
    const made = this.engine.ask("problem", problem);
    // Frames of the problem before, which are still on their way, have lower numbers.
    this.first = this.engine.count;
    await made;
  }

  ask(type, contents) {
    this.playing = type === "run";
    return this.engine.ask(type, contents);
  }

  // What it still has to say is of no interest.
  leave() {
    this.first = Infinity;
    if (this.playing) this.ask("cancel");
  }

  hear(answer) {
    if (!(answer.id >= this.first)) return false;
    if (answer.type === "ended") {
      if (answer.status === "paused") return false;
      const reason = this.reason?.replace(/^.*?: /, "") ?? "";
      Object.assign(this, { playing: false, end: { step: answer.step, status: answer.status, reason } });
      return true;
    }
    if (answer.type !== "frame") return false;
    for (const row of [...answer.passed, answer]) this.add(row);
    Object.assign(this, { at: answer.step, reason: answer.reason });
    return true;
  }

  // Certificates in the order of their steps, each once.
  add({ step, epoch, primal, gap, relative_gap, b, multipliers }) {
    const after = this.rows.findLastIndex((row) => row.step <= step);
    if (this.rows[after]?.step === step) return;
    const [multiplier, seen, residual, moved] = ["s", "pull", "residual", "moved"].map((name) => multipliers[name][0]);
    this.rows.splice(after + 1, 0, {
      step, epoch, primal, gap, relative_gap, best: b, multiplier, seen, residual, moved, mu: multipliers.mu,
      fixed: multipliers.gap, feasibility: Math.abs(residual),
    });
  }

  // The run up to a step with the profile there. Certificates are an epoch apart or less, and so are the steps of s.
  upto(step, profile, eta) {
    const rows = this.rows.filter((row) => row.step <= step);
    let outer = 0, before = rows[0];
    for (const row of rows) {
      outer += row.multiplier !== before.multiplier || row.mu !== before.mu ? 1 : 0;
      row.outer = outer;
      before = row;
    }
    const { status = null, reason = "" } = this.end?.step === step ? this.end : {};
    return { rows, row: rows.at(-1), profile, eta, status, reason };
  }

  // The last certificate at a step or before.
  last(step) { return this.rows.findLast((row) => row.step <= step); }

  get is_open() { return this.end?.step !== this.at; }
}

class Bias extends LivePage {
  constructor(page, model, engine) {
    super(page, model, engine);
    this.figures = new BiasFigures(model, page.ids, page.texts, page.parts);
    const [first] = Object.keys(page.parts);
    Object.assign(this, { tracks: { [first]: this.track(first, engine) }, shown: [], facts: {}, statuses: [] });
  }

  // The data that the engines begin with.
  static beginning({ sources: [{ facts }] }) { return facts; }

  async track(algorithm, started) {
    const engine = await started;
    return new Track(algorithm, engine, 0, () => {
      this.playing = this.shown.some(({ playing }) => playing);
      if (!this.begins) this.soon();
    });
  }

  // --- what is chosen

  is_hidden(name, settings) {
    const { algorithms, update, order } = settings;
    if (["tube", "epsilon", "q"].includes(name)) return !this.used(settings).includes(name);
    if (["eta", "passes"].includes(name)) return !this.page.shown[algorithms].includes(this.page.own_step);
    return (name === "rate" && update !== "gradient") || (name === "seed" && order !== "shuffled");
  }

  chosen() { return this.restart(); }

  // The data of a source, unpacked when first asked for.
  async data(settings) {
    const source = this.page.controls.source.values.indexOf(settings.source);
    if (!this.facts[source]) this.say(this.figures.say("loading", settings), false, "loading");
    return { source, facts: await (this.facts[source] ??= opened(this.page.sources[source].facts)) };
  }

  // --- the run

  // New problems at zero, and runs of them where `play` says so. The last one asked for counts.
  async restart(play = true) {
    const turn = ++this.asked, settings = this.settings;
    this.told(settings);
    for (const each of this.shown) each.leave();
    Object.assign(this, { playing: false, begins: play, shown: [], statuses: [] });
    try {
      const { algorithms, lam, seed } = settings, loss = this.term("loss", settings).name;
      const problem = { loss, regularizer: this.term("regularizer", settings).name, lam, seed };
      const data = await this.data(settings);
      const shown = await Promise.all(this.page.shown[algorithms].map((algorithm) => (
        this.tracks[algorithm] ??= this.track(
          algorithm, WorkbenchEngine.start({ ...this.page.engine, problem: this.page.sources[0].facts })))));
      if (turn !== this.asked) return;
      await Promise.all(shown.map((each) => each.prepare(data)));
      if (turn !== this.asked) return;
      await Promise.all(shown.map((each) => each.begin({ ...problem, solver: this.solver(each.algorithm, settings) })));
      if (turn !== this.asked) return;
      Object.assign(this, { shown, settled: settings });
    } catch (error) {
      if (turn !== this.asked) return;
      this.begins = false;
      this.refuse(error);
      this.keep();
      return;
    }
    this.begins = false;
    if (play) this.run();
    else this.soon();
  }

  solver(algorithm, settings) {
    const facts = this.page.solvers[algorithm];
    const names = ["mu", "update", "order", "scale", "rate", "eta", "passes"].filter((name) => name in facts);
    return { ...facts, ...Object.fromEntries(names.map((name) => [name, settings[name]])) };
  }

  // Those go on that have not ended, or all where all have; a further press goes on for as many epochs again.
  run() {
    const { tolerance: gap } = this.settings, { epochs } = this.page;
    const open = this.shown.filter(({ is_open }) => is_open);
    for (const each of open.length ? open : this.shown) {
      const max_epochs = epochs * (Math.floor(each.last(each.at).epoch / epochs) + 1);
      this.playing = true;
      each.end = null;
      each.ask("run", { gap, max_epochs }).catch((error) => this.refuse(error));
    }
  }

  ask(type, contents = () => ({})) {
    for (const each of this.shown) each.ask(type, contents(each)).catch((error) => this.refuse(error));
    this.playing = false;
  }

  toggle() {
    if (!this.playing) return this.run();
    for (const each of this.shown) if (each.playing) each.ask("pause").catch((error) => this.refuse(error));
    this.playing = false;
  }

  // The steps of all certificates.
  get places() { return [...new Set(this.shown.flatMap(({ rows }) => rows.map(({ step }) => step)))].sort((a, b) => a - b); }

  seek(place) {
    const step = this.places[place];
    if (step !== undefined) this.ask("seek", (each) => ({ step: each.last(step).step }));
  }

  hear() {}

  get status() {
    if (this.playing) return "running";
    const all = this.statuses;
    return all.includes(null) || !all.length ? "paused" : this.page.statuses.find((status) => all.includes(status));
  }

  // --- the picture

  async paint(turn) {
    const { shown, settled } = this;
    if (!shown.length) return;
    const profiles = await Promise.all(shown.map(({ engine }) => engine.ask("profile", this.page.profile)));
    if (turn !== this.asked) return;
    const found = shown.map((each, k) => {
      const { step, place, value, at, height } = profiles[k];
      const eta = each.algorithm === this.page.own_step ? settled.eta : 1;
      return [each.algorithm, each.upto(step, { place, value, at, height }, eta)];
    });
    const runs = Object.fromEntries(found), rows = found.map(([, { row }]) => row);
    const latest = (all) => all.reduce((a, b) => (b.step > a.step ? b : a)), row = latest(rows), { tolerance } = this.settings;
    const frame = { runs, unit: rows[0].epoch < 1 ? "step" : "epoch", last: latest(shown.map((each) => each.rows.at(-1))) };
    this.figures.show(frame);
    for (const [name, text] of Object.entries(this.figures.captions(frame))) put_html(`x-line-${name}`, escaped(text));
    put_html("x-text-numbers", this.figures.statistics(frame));
    put_html("x-text-why", this.figures.why(frame));
    const { places } = this, elapsed = this.figures.elapsed(row);
    this.scrub(places.length - 1, places.indexOf(row.step), elapsed);
    this.statuses = found.map(([, { status }]) => status);
    const sentences = found.map(([algorithm, run]) => this.figures.ending(algorithm, run, tolerance));
    this.say(this.playing ? this.figures.say("running", { elapsed }) : sentences.join(" "));
    Object.assign(document.body.dataset, { shown: "bias", step: row.step });
  }

  // The Python that gives the same runs in a notebook.
  code(settings) {
    const { data, load } = this.page.sources[this.page.controls.source.values.indexOf(settings.source)];
    const python = (name, value) => (
      typeof value === "string" ? quoted(value) : name === "passes" ? String(value) : python_number(value));
    const given = (facts, solver) => Object.keys(solver)
      .filter((name) => typeof facts[name] !== "object" && !["name", "advice"].includes(name))
      .filter((name) => ["mu", "eta"].includes(name) || solver[name] !== facts[name])
      .map((name) => `${name}=${python(name, solver[name])}`).join(", ");
    const solvers = this.page.shown[settings.algorithms].map((algorithm) => this.figures.say("code_solver", {
      solver: this.page.classes[algorithm], given: given(this.page.solvers[algorithm], this.solver(algorithm, settings)),
    }));
    return this.figures.say("code", {
      data: quoted(data), load: Object.entries(load).map(([name, value]) => `, ${name}=${python(name, value)}`).join(""),
      loss: quoted(this.term("loss", settings).text), regularizer: quoted(this.term("regularizer", settings).text),
      lam: python_number(settings.lam), extra: "bias=True", seed: settings.seed, tolerance: settings.tolerance,
      epochs: this.page.epochs, solvers: solvers.join("\n"),
    });
  }
}

const start = (text) => begin(text, Bias);
