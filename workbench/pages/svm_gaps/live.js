// The page on SVM gaps: points that one drags, pair steps of run.js, and the bounds that hold; in a file and on a server.

class SvmGaps extends RunPage {
  constructor(page, model, engine, host) {
    super(page, model, engine, host);
    this.figures = new SvmFigures(model, page.ids, page.texts, page.looks);
    this.points = new PlanePoints(this, { most: page.most, half_width: page.looks.half_width, plot: this.figures.of("figures", "plane") });
    this.runs = new PairRun({
      start: (name, is_here) => this.host.engine(name, is_here), solver: page.solver, grid: page.grid,
      half_width: page.looks.half_width, failed: (error) => this.refuse(error),
      changed: () => { if (!this.begins) this.soon(); },
    });
    Object.assign(this, { chosen_last: {}, spoken: -Infinity });
  }

  close() { this.runs.close(); }

  // --- what is chosen

  more_of_the_address() { return this.points.entries; }

  follow_more(name, text) {
    if (name === "points") this.points.follow(text);
  }

  picked() { this.points.forget(); }

  // Another problem begins anew; a tolerance goes on with the run, and what a hand does changes nothing.
  chosen(name) {
    if (name === "source") this.points.forget();
    const { settings, chosen_last } = this, is_new = (each) => settings[each] !== chosen_last[each];
    if (this.page.inputs.some(is_new)) return this.restart();
    this.told(settings);
    if (!is_new("tolerance")) return this.keep();
    this.chosen_last = settings;
    return this.runs.run(settings.tolerance);
  }

  kernel({ kernel, gamma, degree }) {
    const { Linear, Gaussian, Polynomial } = this.page.kernels, [coefficient, constant] = Polynomial.parameters;
    if (kernel === "Gaussian") return { ...Gaussian, parameters: [gamma] };
    return kernel === "Linear" ? Linear : { ...Polynomial, parameters: [coefficient, constant, degree] };
  }

  // The data and the terms of the points and the kernel, for an engine in this browser.
  async given(settings) {
    const { losses, regularizers } = await (this.terms ??= opened(this.page.problem));
    const { X, y } = read_points(settings.points, this.points.half_width), n = y.length;
    const [[loss], [regularizer]] = [losses, regularizers].map((table) => Object.keys(table));
    const data = {
      n, d: 2, offsets: [], indices: [], values: X.flat(), y, weight: new Float64Array(n).fill(1), free_bias: true,
      kernel: this.kernel(settings),
    };
    return { data: { data, losses, regularizers }, terms: { loss, regularizer } };
  }

  // --- the run

  // A new problem of the points as they are: at its solution, whose steps follow, or at zero, and a slow run from there.
  // A dragged point has one picture for each of its places. The last one asked for counts.
  async restart(play = true, is_dragged = false) {
    const turn = ++this.asked, { settings } = this, { cost: C, selection, tolerance } = settings;
    this.told(settings);
    if (!is_dragged) this.remember();
    Object.assign(this, { refusal: null, is_busy: true, chosen_last: settings });
    const is_left = () => turn !== this.asked, is_solved = is_dragged || (play && !this.runs.is_slow);
    try {
      const placed = this.points.placed(this.page.sources[settings.source]);
      const points = write_points(placed, this.points.half_width);
      const held = await this.host.held(this, { ...settings, points });
      if (is_left()) return;
      const posed = { ...placed, C, selection, kernel: this.kernel(settings), held };
      const stands = await this.runs.begin(posed, { tolerance: is_solved ? tolerance : null, is_dragged });
      if (!stands || is_left()) return;
    } catch (error) {
      if (!is_left()) this.missed(error);
      return;
    }
    if (!is_dragged) Object.assign(this, { shown_settings: settings, begun: performance.now() });
    this.is_busy = false;
    this.figures.dim(false);
    if (play && !is_solved) this.runs.run(tolerance);
    else await this.soon();
  }

  // What is left stays as a ghost where it was seen and other settings follow.
  remember() {
    const { rows, playing } = this.runs;
    if (rows.length <= 1 || rows.length <= rows.at(-1).step || (playing && !this.was_seen)) return;
    this.before = { key: this.ghost_key, curves: () => ({ bounds: this.figures.ghost(rows) }) };
  }

  get ghost_key() { return JSON.stringify(this.page.inputs.map((name) => this.shown_settings[name])); }

  get counted() { return "step"; }

  pressed() { this.runs.pressed(); }

  run() { this.runs.run(this.settings.tolerance); }

  ask(type) {
    this.refusal = null;
    return type === "pause" ? this.runs.pause() : this.runs.step(type === "step" ? 1 : AT_ONCE);
  }

  toggle() {
    if (this.runs.playing) this.ask("pause");
    else this.press("run");
  }

  press(name) {
    this.refusal = null;
    return super.press(name);
  }

  undo() { this.points.undo(); }

  pace(is_slow) {
    this.runs.is_slow = is_slow;
    if (this.runs.playing) this.run();
  }

  seek(place) {
    this.refusal = null;
    this.runs.seek(place);
  }

  get status() { return this.runs.status; }

  // --- points by hand

  // What `PlanePoints` asks of a page.
  get present() { return this.runs.lab; }

  drag() { return this.restart(false, true); }

  edited() { return this.restart(); }

  // --- the picture

  paint() {
    if (!this.runs.lab || this.is_busy) return;
    const { runs, status } = this, { frame } = runs, rests = status !== "running";
    if (!runs.is_dragged) this.haunt();
    this.figures.show(frame);
    this.figures.mark(frame.step < frame.rows.at(-1).step ? frame.step : null);
    Object.assign(document.body.dataset, { shown: "svm-gaps", step: frame.step });
    if (rests || performance.now() - this.spoken > READ_MS) this.speak(frame, status);
  }

  speak(frame, status) {
    const { runs, figures, host } = this, { step: steps, found: { violation, gap }, row } = frame;
    this.spoken = performance.now();
    for (const [name, text] of Object.entries(figures.captions(frame))) host.line(name, text);
    host.put("numbers", figures.statistics(frame));
    host.put("why", figures.why(frame));
    host.stand(runs.rows, row, "step", figures.say("steps", { steps }));
    this.report(figures.say(runs.is_dragged ? "dragging" : status, { steps, violation, gap }), status);
  }

  // Whether all that was asked for is drawn and said.
  get is_settled() { return !this.drawing && !this.is_busy && !this.runs.playing && this.runs.is_answered; }

  // The Python that gives the same run in a notebook.
  code(settings) {
    const { source, cost, selection, tolerance, gamma, degree } = settings;
    const kernel = {
      Linear: "wb.kernels.Linear()", Gaussian: `wb.kernels.RBF(gamma=${written(gamma, "g")})`,
      Polynomial: `wb.kernels.Polynomial(\n    ${degree}, gamma=1.0, coef0=1.0)`,
    }[settings.kernel];
    return (
      `import numpy as np\nimport workbench as wb\n\nX, y = ${this.points.code(source)}\nC = ${python_number(cost)}\n` +
      'p = wb.Problem(\n  X, y, "hinge", "squared-l2",\n  lam=1 / (C * y.size), bias=True,\n' +
      `  kernel=${kernel})\nm = wb.solvers.MaximalViolatingPair(\n  tol=${written(tolerance, "g")}, shrinking=False,\n` +
      `  selection='${selection}')\ns = wb.solve(p, m, tol=1e-12)\nprint(s.steps, s.gap / p.lam, s.b)`
    );
  }
}

const Page = SvmGaps, start = (text) => begin(text, SvmGaps);
