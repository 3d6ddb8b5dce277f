// The page on SVM gaps in one file: points that one drags, pair steps in the worker, and the bounds that hold.

class SvmGaps extends LivePage {
  constructor(page, model, engine) {
    super(page, model, engine);
    this.figures = new SvmFigures(model, page.ids, page.texts, page.looks);
    this.points = new PlanePoints(this, {
      text: page.points, most: page.most, half_width: page.looks.half_width,
      plot: model(page.plane),
    });
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
    if (name === "tolerance") {
      this.told(this.settings);
      return this.run?.run(this.settings.tolerance);
    }
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
  async restart(play = true, is_dragged = false) {
    const turn = ++this.asked, { settings } = this, { cost: C, selection, tolerance } = settings;
    this.told(settings);
    this.refusal = null;
    try {
      this.run = await (this.making ??= this.made());
      const posed = { ...this.points.placed(this.page.sources[settings.source]), C, selection, kernel: this.kernel(settings) };
      // A dragged point has one picture for each of its places: the solution.
      const stands = await this.run.begin(posed, is_dragged ? { tolerance } : {});
      if (!stands || turn !== this.asked) return;
    } catch (error) {
      if (turn === this.asked) this.refuse(error);
      return;
    }
    this.soon();
    if (play) this.run.run(tolerance);
  }

  async made() {
    const { problem, solver, grid, looks: { half_width }, engine } = this.page;
    return new PairRun({
      engine: this.engine, second: () => WorkbenchEngine.start({ ...engine, problem }), facts: await opened(problem), solver,
      grid, half_width, changed: () => this.soon(), failed: (error) => this.refuse(error),
    });
  }

  // --- the run

  get status() { return this.run?.status ?? "paused"; }

  refuse(error) {
    this.run?.pressed();
    super.refuse(error);
  }

  ask(type) {
    this.refusal = null;
    return this.run?.step(type === "step" ? 1 : AT_ONCE);
  }

  toggle() {
    this.refusal = null;
    return this.run?.playing ? this.run.pause() : this.run?.run(this.settings.tolerance);
  }

  seek(place) {
    this.refusal = null;
    this.run?.seek(place);
  }

  hear() {}

  // --- points by hand

  // What `PlanePoints` asks of a page.
  get present() { return this.run?.lab; }

  drag() { return this.restart(false, true); }

  edited() { return this.restart(); }

  // --- the picture

  paint(turn) {
    if (turn !== this.asked || !this.present) return;
    const { run, status } = this, { frame } = run, { step, found } = frame;
    this.figures.show(frame);
    for (const [name, text] of Object.entries(this.figures.captions(frame))) put_html(`x-line-${name}`, escaped(text));
    put_html("x-text-numbers", this.figures.statistics(frame));
    put_html("x-text-why", this.figures.why(frame));
    this.scrub(run.rows.length - 1, run.at, this.figures.say("steps", { steps: step }));
    const said_of = run.is_solved ? "dragging" : status;
    this.report(this.figures.say(said_of, { steps: step, violation: found.violation, gap: found.gap }), status);
    Object.assign(document.body.dataset, { shown: "svm-gaps", step });
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
