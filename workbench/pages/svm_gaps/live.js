// The page on SVM gaps in one file: points that one drags, pair steps in the worker, and the bounds that hold.

// Steps that a press of "10 steps" makes, that a run makes until one presses again, and those of a solve at once.
const AT_ONCE = 10, MOST_STEPS = 20000, SOLVE_STEPS = 200000;
// The reference ends at this violation, 1e-3 of the least tolerance that the page offers.
const REFERENCE = 1e-9;

class SvmGaps extends LivePage {
  constructor(page, model, engine) {
    super(page, model, engine);
    this.figures = new SvmFigures(model, page.ids, page.texts, page.looks);
    this.axis = Array.from({ length: page.grid }, (_, k) => -page.looks.half_width + (2 * page.looks.half_width * k) / (page.grid - 1));
    this.points = new PlanePoints(this, {
      text: page.points, most: page.most, half_width: page.looks.half_width, source: model(page.ids.sources.points),
      plot: model(page.plane),
    });
    Object.assign(this, { rows: [], at: 0, optimum: null });
  }

  static beginning({ problem }) { return problem; }

  // --- what is chosen

  is_hidden(name, { kernel }) {
    return (name === "gamma" && kernel !== "Gaussian") || (name === "degree" && kernel !== "Polynomial");
  }

  more_of_the_address() { return this.points.entries; }

  follow_more(name, text) {
    if (name === "points") this.points.follow(text);
  }

  picked() { this.points.forget(); }

  chosen(name) {
    if (name === "adds") return this.keep();
    if (name === "tolerance") return this.run();
    if (name === "source") this.points.forget();
    return this.restart();
  }

  kernel({ kernel, gamma, degree }) {
    const { Linear, Gaussian, Polynomial } = this.page.kernels, [coefficient, constant] = Polynomial.parameters;
    if (kernel === "Gaussian") return { ...Gaussian, parameters: [gamma] };
    return kernel === "Linear" ? Linear : { ...Polynomial, parameters: [coefficient, constant, degree] };
  }

  // --- the problem

  // A new problem at zero, of the points as they are; a run of it where `play` says so. The last one asked for counts.
  async restart(play = true, dragged = null) {
    const turn = ++this.asked, settings = this.settings;
    this.told(settings);
    Object.assign(this, { playing: false, ended: null });
    const { X, y } = this.points.placed(this.page.sources[settings.source]);
    const kernel = kernel_of(this.kernel(settings)), grid = this.axis.flatMap((v) => this.axis.map((u) => [u, v]));
    const key = JSON.stringify([X, settings.kernel, settings.gamma, settings.degree]);
    const of_points = this.lab?.key === key ? this.lab : {
      key, K: kernel_matrix(kernel, X, X), surface: kernel_matrix(kernel, grid, X),
    };
    const lab = { ...of_points, X, y, C: settings.cost, settings, dragged };
    try {
      // A dragged point has one picture for each of its places: the solution.
      const solved = await this.solved(this.engine, lab, dragged ? settings.tolerance : 0, dragged ? SOLVE_STEPS : 0);
      if (turn !== this.asked) return;
      Object.assign(this, { lab, rows: [this.row(lab, solved)], at: 0, optimum: null, status_of_drag: dragged !== null });
    } catch (error) {
      if (turn === this.asked) this.refuse(error);
      return;
    }
    this.soon();
    if (dragged) return;
    this.refer(lab, turn);
    if (play) this.run();
  }

  // The certificate and the event after so many steps from zero.
  async solved(engine, { X, y, C, settings }, tol, steps) {
    const n = y.length, { losses, regularizers } = (this.held ??= await opened(this.page.problem));
    const [[loss], [regularizer]] = [losses, regularizers].map((table) => Object.keys(table));
    const data = {
      n, d: 2, offsets: [], indices: [], values: X.flat(), y, weight: new Float64Array(n).fill(1), free_bias: true,
      kernel: this.kernel(settings),
    };
    const solver = { ...this.page.solver, tol, selection: settings.selection };
    // Sent together, so that those of another problem cannot come between them.
    const asked = [
      engine.ask("data", { data, losses, regularizers }),
      engine.ask("problem", { loss, regularizer, lam: 1 / (C * n), solver, seed: 0 }), this.stepped(engine, steps),
    ];
    return (await Promise.all(asked)).at(-1);
  }

  // Steps, with the certificate after them and what the last one did.
  async stepped(engine, count) {
    const asked = count > 0 ? engine.ask("step", { count }) : engine.ask("frame");
    const [frame, { alpha }] = await Promise.all([asked, engine.ask("certificate")]);
    return { step: frame.step, event: frame.event, alpha };
  }

  row({ K, y, C }, { step, event, alpha }) {
    const a = dual_variables(alpha, y, C), { slacks, f, breakpoints, values, ...found } = svm_gap(K, y, C, a);
    return { step, event, a, ...found };
  }

  // The end of a long run, which true distances are measured from; solved beside the run that one sees.
  async refer(lab, turn) {
    const busy = this.referring;
    let done;
    this.referring = new Promise((resolve) => { done = resolve; });
    await busy;
    try {
      if (turn !== this.asked) return;
      this.other ??= await WorkbenchEngine.start({ ...this.page.engine, problem: this.page.problem });
      const { a } = this.row(lab, await this.solved(this.other, { ...lab, settings: { ...lab.settings, selection: "first-order" } }, REFERENCE, SOLVE_STEPS));
      if (turn !== this.asked) return;
      this.optimum = svm_gap(lab.K, lab.y, lab.C, a);
      this.soon();
    } catch (error) {
      this.refuse(error);
    } finally {
      done();
    }
  }

  // --- the run

  // Steps until the tolerance is met; each is certified and kept, so that one may look back.
  async run() {
    if (!this.rows.length) return;
    const turn = this.asked, limit = MOST_STEPS * (Math.floor(this.rows[this.at].step / MOST_STEPS) + 1);
    Object.assign(this, { playing: true, ended: null, status_of_drag: false });
    try {
      while (this.playing && turn === this.asked) {
        const { violation, step } = this.rows[this.at];
        if (violation <= this.settings.tolerance) this.end("converged");
        else if (step >= limit) this.end("max_epochs");
        // Single steps first, later ever more for each picture.
        else if (!(await this.forward(turn, 1 + Math.floor(this.at / AT_ONCE), this.settings.tolerance))) this.end("stalled");
        this.soon();
      }
    } catch (error) {
      this.refuse(error);
    }
  }

  end(status) { Object.assign(this, { playing: false, ended: status }); }

  // So many steps on, from what is kept or anew, those of a run until the tolerance is met; whether there was one.
  async forward(turn, count, tolerance = -1) {
    if (this.at + 1 < this.rows.length) {
      this.at = Math.min(this.at + count, this.rows.length - 1);
      return true;
    }
    if (this.rows.at(-1).violation <= 0) return false;
    const all = await Promise.all(Array.from({ length: count }, () => this.stepped(this.engine, 1)));
    if (turn !== this.asked) return true;
    const before = this.rows.length;
    for (const solved of all) {
      if (solved.step !== this.rows.at(-1).step) this.rows.push(this.row(this.lab, solved));
    }
    const met = this.rows.findIndex(({ violation }, k) => k >= before && violation <= tolerance);
    if (met >= 0 && met + 1 < this.rows.length) {
      this.rows.length = met + 1;
      await this.engine.ask("seek", { step: this.rows[met].step });
    }
    this.at = this.rows.length - 1;
    return this.at >= before;
  }

  async ask(type) {
    const turn = this.asked;
    if (!this.rows.length) return;
    Object.assign(this, { playing: false, ended: null });
    try {
      if (!(await this.forward(turn, type === "step" ? 1 : AT_ONCE))) this.ended = "stalled";
    } catch (error) {
      this.refuse(error);
    }
    this.soon();
  }

  toggle() {
    if (!this.playing) return this.run();
    this.playing = false;
    return this.soon();
  }

  seek(place) {
    Object.assign(this, { playing: false, ended: null, at: Math.min(place, this.rows.length - 1) });
    this.soon();
  }

  hear() {}

  // --- points by hand

  // What `PlanePoints` asks of a page.
  get present() { return this.lab; }

  drag(columns) { return this.restart(false, columns); }

  edited() { return this.restart(); }

  too_few(values) {
    this.refuse(new Error(this.figures.say("too_few", values)));
    this.refused = true;
    return this.soon();
  }

  // --- the picture

  paint(turn) {
    if (turn !== this.asked || !this.rows.length) return;
    const { lab, optimum } = this, { a, step, event } = this.rows[this.at], { status } = this;
    const found = svm_gap(lab.K, lab.y, lab.C, a), rows = this.rows.slice(0, this.at + 1).map((row) => this.distances(row));
    const factors = a.map((value, i) => lab.y[i] * value), surface = times(lab.surface, factors).map((value) => value + found.bias);
    const frame = {
      ...lab, a, event, found, optimum, rows, surface, kinds: kinds_of(a, lab.C), last: this.rows.at(-1).step,
      lines: [-1, 0, 1].map((level) => contours(this.axis, surface, level)),
    };
    this.points.fill(() => this.figures.show({ ...frame, columns: this.points.columns(lab) }));
    for (const [name, text] of Object.entries(this.figures.captions(frame))) put_html(`x-line-${name}`, escaped(text));
    put_html("x-text-numbers", this.figures.statistics(frame));
    put_html("x-text-why", this.figures.why(frame));
    this.scrub(this.rows.length - 1, this.at, this.figures.say("steps", { steps: step }));
    const said_of = this.status_of_drag ? "dragging" : status;
    if (!this.refused) this.say(this.figures.say(said_of, { steps: step, violation: found.violation, gap: found.gap }), false, status);
    this.refused = false;
    Object.assign(document.body.dataset, { shown: "svm-gaps", step });
  }

  // Against the far end of the reference's bracket: upper bounds of the distances themselves.
  distances(row) {
    const { optimum } = this, away = (distance) => (optimum ? Math.max(0, distance) : NaN);
    return { ...row, primal: away(row.primal - optimum?.dual), dual: away(optimum?.primal - row.dual) };
  }

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

const start = (text) => begin(text, SvmGaps);
