// The page on biases in one file: controls, the runs of run.js, and the Python that gives the same.

class Bias extends LivePage {
  constructor(page, model, engine) {
    super(page, model, engine);
    this.figures = new BiasFigures(model, page.ids, page.texts, page.parts);
    this.runs = new Tracks({
      epochs: page.epochs, profile: page.profile, failed: (error) => this.refuse(error),
      changed: () => { if (!this.begins) this.soon(); },
    });
    const [first] = Object.keys(page.parts);
    Object.assign(this, { tracks: { [first]: this.track(first, engine) }, facts: {}, statuses: [] });
  }

  // The data that the engines begin with.
  static beginning({ sources: [{ facts }] }) { return facts; }

  async track(algorithm, started) {
    return Object.assign(this.runs.track(algorithm, await started), { source: 0 });
  }

  // --- what is chosen

  is_hidden(name, settings) {
    const { algorithms, update, order } = settings;
    if (["tube", "epsilon", "q"].includes(name)) return !this.used(settings).includes(name);
    if (["eta", "passes"].includes(name)) return !this.page.shown[algorithms].includes(this.page.own_step);
    return (name === "rate" && update !== "gradient") || (name === "seed" && order !== "shuffled");
  }

  chosen() { return this.restart(); }

  // The data, where the engine of a track has others.
  async prepare(track, { source, facts }) {
    if (track.source === source) return;
    track.source = source;
    await track.engine.ask("data", facts);
  }

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
    this.runs.leave();
    Object.assign(this, { begins: play, statuses: [] });
    try {
      const { algorithms, lam, seed } = settings, loss = this.term("loss", settings).name;
      const problem = { loss, regularizer: this.term("regularizer", settings).name, lam, seed };
      const data = await this.data(settings);
      const shown = await Promise.all(this.page.shown[algorithms].map((algorithm) => (
        this.tracks[algorithm] ??= this.track(
          algorithm, WorkbenchEngine.start({ ...this.page.engine, problem: this.page.sources[0].facts })))));
      if (turn !== this.asked) return;
      await Promise.all(shown.map((each) => this.prepare(each, data)));
      if (turn !== this.asked) return;
      await Promise.all(shown.map((each) => each.begin({ ...problem, solver: this.solver(each.algorithm, settings) })));
      if (turn !== this.asked) return;
      this.runs.shown = shown;
      this.settled = settings;
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

  run() { this.runs.run(this.settings.tolerance); }

  ask(type) { this.runs.ask(type); }

  toggle() {
    if (this.runs.playing) this.runs.ask("pause");
    else this.run();
  }

  seek(place) { this.runs.seek(place); }

  hear() {}

  get status() {
    if (this.runs.playing) return "running";
    const all = this.statuses;
    return all.includes(null) || !all.length ? "paused" : this.page.statuses.find((status) => all.includes(status));
  }

  // --- the picture

  async paint(turn) {
    if (!this.runs.shown.length) return;
    const frame = await this.runs.frame();
    if (frame === null || turn !== this.asked) return;
    const { runs, row } = frame, { tolerance } = this.settings;
    for (const [algorithm, run] of Object.entries(runs)) run.eta = algorithm === this.page.own_step ? this.settled.eta : 1;
    this.figures.show(frame);
    for (const [name, text] of Object.entries(this.figures.captions(frame))) put_html(`x-line-${name}`, escaped(text));
    put_html("x-text-numbers", this.figures.statistics(frame));
    put_html("x-text-why", this.figures.why(frame));
    const { rows } = this.runs, elapsed = this.figures.elapsed(row);
    this.scrub(rows.length - 1, rows.findIndex(({ step }) => step === row.step), elapsed);
    this.statuses = Object.values(runs).map(({ status }) => status);
    const sentences = Object.entries(runs).map(([algorithm, run]) => this.figures.ending(algorithm, run, tolerance));
    this.say(this.runs.playing ? this.figures.say("running", { elapsed }) : sentences.join(" "));
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
