// The page on biases: its settings, the runs of run.js, and the Python that gives the same; in a file and on a server.

// A curve that has been seen for so long, or to its end, stays as a ghost when the settings change.
const GHOST_MS = 1000;

class Bias extends LivePage {
  constructor(page, model, engine, host) {
    super(page, model, engine, host);
    this.figures = new BiasFigures(model, page.ids, page.texts, page.parts);
    this.runs = new Tracks({
      epochs: page.epochs, profile: page.profile, failed: (error) => this.refuse(error),
      changed: () => { if (!this.begins) this.soon(); },
    });
    Object.assign(this, { tracks: {}, statuses: [], slow: false, spoken: -Infinity });
  }

  // It starts engines of its own.
  static beginning() { return null; }

  close() {
    for (const each of Object.values(this.tracks)) each.then(({ engine }) => engine.close(), () => {});
  }

  // The run of an algorithm by an engine of its own, here or on the server.
  track(algorithm, is_here) {
    return (this.tracks[`${algorithm} ${is_here}`] ??= this.host.engine(algorithm, is_here)
      .then((engine) => this.runs.track(algorithm, engine)));
  }

  // --- what is chosen

  is_hidden(name, settings) {
    const { algorithms, update, order } = settings;
    if (["tube", "epsilon", "q"].includes(name)) return !this.used(settings).includes(name);
    if (["eta", "passes"].includes(name)) return !this.page.shown[algorithms].includes(this.page.own_step);
    return (name === "rate" && update !== "gradient") || (name === "seed" && order !== "shuffled");
  }

  chosen() { return this.restart(); }

  // --- the run

  // New problems at zero, and runs of them where `play` says so. The last one asked for counts.
  async restart(play = true) {
    const turn = ++this.asked, { settings } = this;
    this.told(settings);
    this.remember();
    this.runs.leave();
    Object.assign(this, { begins: play, is_busy: true, refusal: null, statuses: [] });
    const is_left = () => turn !== this.asked;
    try {
      const { algorithms, lam, seed } = settings;
      const { is_here, key, data, terms } = await this.host.held(this, settings);
      const shown = await Promise.all(this.page.shown[algorithms].map((each) => this.track(each, is_here)));
      if (is_left()) return;
      await Promise.all(shown.map((each) => this.hold(each, key, data)));
      if (is_left()) return;
      await Promise.all(shown.map((each) => (
        each.begin({ ...terms, lam, seed, solver: this.solver(each.algorithm, settings) }))));
      if (is_left()) return;
      Object.assign(this, { shown_settings: settings, begun: performance.now(), has_ended: false });
      this.runs.shown = shown;
    } catch (error) {
      if (is_left()) return;
      this.begins = this.is_busy = false;
      this.refuse(error);
      this.keep();
      return;
    }
    this.begins = this.is_busy = false;
    this.figures.dim(false);
    if (play) this.run();
    else this.soon();
  }

  // The data, where the engine of a track has others.
  async hold(track, key, data) {
    if (track.key === key) return;
    track.key = null;
    await track.engine.ask("data", { ...track.engine.facts, ...data });
    track.key = key;
  }

  // What is left stays as a ghost where it was seen and other settings follow.
  remember() {
    const { shown } = this.runs, was_seen = this.has_ended || performance.now() - this.begun > GHOST_MS;
    if (shown.length && was_seen) this.before = { settings: JSON.stringify(this.shown_settings), curves: this.runs.curves() };
  }

  haunt() {
    const { before } = this, { parts } = this.page;
    this.before = null;
    if (!before || before.settings === JSON.stringify(this.shown_settings)) return;
    this.figures.haunt(Object.fromEntries(before.curves.map(([algorithm, rows]) => [parts[algorithm], this.figures.ghost(rows)])));
  }

  solver(algorithm, settings) {
    const facts = this.page.solvers[algorithm];
    const names = ["mu", "update", "order", "scale", "rate", "eta", "passes"].filter((name) => name in facts);
    return { ...facts, ...Object.fromEntries(names.map((name) => [name, settings[name]])) };
  }

  refuse(error) {
    if (error.is_broken) {
      // What is asked for next has engines of its own.
      this.close();
      this.tracks = {};
    }
    super.refuse(error);
    this.figures.dim(!error.is_broken);
  }

  run() { this.runs.run(this.settings.tolerance, this.slow); }

  ask(type) { this.runs.ask(type); }

  toggle() {
    if (this.runs.playing) this.runs.ask("pause");
    else this.run();
  }

  // What a button or a key says.
  press(name) {
    if (name === "reset") {
      this.host.tell({ reset: true });
      this.restart(false);
    } else if (name === "toggle") this.toggle();
    else if (name === "run") this.run();
    else this.ask(name);
  }

  pace(is_slow) {
    this.slow = is_slow;
    if (this.runs.playing) this.run();
  }

  seek(place) { this.runs.seek(place); }

  get status() {
    if (this.runs.playing) return "running";
    const all = this.statuses;
    return all.includes(null) || !all.length ? "paused" : this.page.statuses.find((status) => all.includes(status));
  }

  // --- the picture

  async paint(turn) {
    if (!this.runs.shown.length || !this.runs.is_answered) return;
    const is_profiled = !this.runs.playing || this.figures.is_shown("profile_x");
    const frame = await this.runs.frame(is_profiled);
    if (frame === null || turn !== this.asked) return;
    const { runs, row, last, unit } = frame, rests = this.runs.rests(frame);
    for (const [algorithm, run] of Object.entries(runs)) run.eta = algorithm === this.page.own_step ? this.shown_settings.eta : 1;
    this.haunt();
    this.figures.show(frame);
    this.figures.mark(row.step < last.step ? row[unit] : null);
    Object.assign(document.body.dataset, { shown: "bias", step: row.step });
    if (rests || performance.now() - this.spoken > READ_MS) this.speak(frame);
    this.has_ended ||= rests;
    if (rests) this.host.tell({ came: this.outcome(runs) });
  }

  speak(frame) {
    const { runs, row, unit } = frame, { tolerance } = this.settings;
    this.spoken = performance.now();
    for (const [name, text] of Object.entries(this.figures.captions(frame))) this.host.line(name, text);
    this.host.put("numbers", this.figures.statistics(frame));
    this.host.put("why", this.figures.why(frame));
    const elapsed = this.figures.elapsed(row);
    this.host.stand(this.runs.rows, row, unit, elapsed);
    this.statuses = Object.values(runs).map(({ status }) => status);
    const sentences = Object.entries(runs).map(([algorithm, run]) => this.figures.ending(algorithm, run, tolerance));
    this.report(this.runs.playing ? this.figures.say("running", { elapsed }) : sentences.join(" "));
  }

  // Whether all that was asked for is drawn and said.
  get is_settled() {
    return !this.drawing && !this.is_busy && !this.runs.playing && (this.runs.is_answered || !this.runs.shown.length);
  }

  // Which answers ended runs make true, by question; null while one runs, or where an algorithm is missing.
  outcome(runs) {
    const all = Object.keys(this.page.parts).map((algorithm) => runs[algorithm]);
    if (all.some((run) => !run?.status)) return null;
    return Object.fromEntries(Object.entries(MEASURES).map(([name, measure]) => [name, measure(...all)]));
  }

  // The Python that gives the same runs in a notebook.
  code(settings) {
    const { data, load } = this.page.sources.find(({ name }) => name === settings.source), { loss, regularizer } = this.host.texts(this, settings);
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
      loss: quoted(loss), regularizer: quoted(regularizer),
      lam: python_number(settings.lam), extra: this.page.extras[settings.constraint], seed: settings.seed,
      tolerance: settings.tolerance, epochs: this.page.epochs, solvers: solvers.join("\n"),
    });
  }
}

// What the questions ask of the runs of Algorithms 2 and 3 that have ended: the place of the option that is true.
const MEASURES = {
  arrival(full, small) {
    if (small.status === "diverged") return 2;
    const reached = (run) => (run.status === "converged" ? run.row.epoch : Infinity);
    return reached(small) < reached(full) ? 0 : 1;
  },

  // Whether the gap at the fixed bias is below the certified one in most rows.
  smaller(...runs) {
    const rows = runs.flatMap((run) => run.rows.slice(1));
    return 2 * rows.filter(({ fixed, gap }) => fixed < gap).length > rows.length ? 0 : 1;
  },
};

const Page = Bias, start = (text) => begin(text, Bias);
