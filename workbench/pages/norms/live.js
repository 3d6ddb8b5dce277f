// The page of norms in one file: FISTA in the worker, and the gaps of each step with and without the repair.

const LOOKED_AT = ["first", "second", "halving"];

class Norms extends norm_run(KeptRun) {
  constructor(page, model, engine) {
    super(page, model, engine, MOST_STEPS);
    this.figures = new NormsFigures(model, page.ids, page.texts, page.colours);
    this.told_code = "";
  }

  static beginning({ sources }) { return Object.values(sources)[0].facts; }

  // --- what is chosen

  is_hidden(name, { norm, intercept }) {
    const tree = this.page.nested;
    if (name === "best") return !intercept;
    if (name === "halving") return norm !== tree;
    return ["epsilon", "share", "decay"].includes(name) && this.page.parameters[norm] !== name;
  }

  told(settings) {
    const { names } = this.page.sources[settings.source], [first, second] = this.plane(settings);
    super.told(settings);
    for (const [name, feature] of [["first", first], ["second", second]]) {
      const each = this.boxes[name];
      if (!each) continue;
      // As many places as there are features, each called by its name.
      each.max = Math.max(0, this.page.controls[name].values.filter((value) => value < names.length).length - 1);
      box(`x-${name}-said`).textContent = names[feature];
      each.setAttribute("aria-valuetext", names[feature]);
    }
    box("x-figure-bisection").closest("section").hidden = settings.norm !== this.page.nested;
    put_html("x-text-predict", this.page.questions[settings.norm]);
  }

  samples({ source }) { return this.page.sources[source]; }

  // What the facts of a regularizer are packed under.
  key(settings) {
    const parameter = this.page.parameters[settings.norm];
    return parameter ? `${settings.norm}|${this.page.controls[parameter].values.indexOf(settings[parameter])}` : settings.norm;
  }

  chosen(name) {
    if (name === "tolerance") return this.run();
    if (!LOOKED_AT.includes(name)) return this.restart();
    this.told(this.settings);
    return this.soon();
  }

  // --- the problem

  // A new problem at zero; a run of it where `play` says so. The last one asked for counts.
  async restart(play = true) {
    const turn = ++this.asked, settings = this.settings, source = this.page.sources[settings.source];
    this.told(settings);
    Object.assign(this, { playing: false, ended: null, rows: [], at: 0, lab: null });
    try {
      const refused = source.refused.loss[settings.loss] ?? source.refused.norm[settings.norm];
      if (refused) throw new Error(refused);
      const held = (source.held ??= await opened(source.facts)), key = this.key(settings);
      if (turn !== this.asked) return;
      const data_key = `${settings.source}|${settings.intercept}`;
      if (this.data_key !== data_key) {
        this.data_key = data_key;
        await this.engine.ask("data", { ...held, data: { ...held.data, free_bias: settings.intercept } });
        if (turn !== this.asked) return;
      }
      const solver = { ...this.page.solver, step: settings.step, restart: settings.restart };
      const made = this.engine.ask("problem", { loss: settings.loss, regularizer: key, lam: 1, solver, seed: 0 });
      const [, { largest }] = await Promise.all([made, this.engine.ask("norm_largest", { sparsity: settings.epsilon })]);
      if (turn !== this.asked) return;
      if (!(largest > 0)) throw new Error(this.figures.say("no_lam"));
      const lam = settings.ratio * largest, is_norm = held.regularizers[key].norm;
      const lab = { settings, source, largest, lam, key, is_norm, free: settings.intercept };
      const asked = [this.engine.ask("problem", { lam: lab.lam }), this.engine.ask("norm_picture", { step: 0, ...this.looks(settings) })];
      const [, { picture }] = await Promise.all(asked);
      if (turn !== this.asked) return;
      Object.assign(this, { lab, rows: [picture.row], picture });
    } catch (error) {
      if (turn === this.asked) this.refuse_choice(error);
      return;
    }
    this.dim(false);
    this.soon();
    if (play) this.run();
  }

  // What stands on the page is not of what is chosen.
  refuse_choice(error) {
    this.dim(true);
    this.refuse(error);
    this.keep();
  }

  dim(dimmed) {
    for (const each of document.querySelectorAll("[id^=x-figure-]")) each.style.opacity = dimmed ? this.page.dimmed : "";
  }

  // --- the picture

  async paint(turn) {
    if (turn !== this.asked || !this.lab) return;
    const { lab, at, status } = this, { tolerance } = this.settings, seen = await this.seen(lab);
    if (seen === null) return;
    const frame = { ...seen, curves: seen.rows }, { step } = frame.picture.row;
    this.figures.show(frame);
    for (const [name, text] of Object.entries(this.figures.captions(frame))) put_html(`x-line-${name}`, escaped(text));
    put_html("x-text-numbers", this.figures.statistics(frame));
    this.scrub(this.rows.length - 1, at, this.figures.say("steps", { steps: step }));
    this.say(this.figures.say(status, { steps: step, tolerance }), false, status);
    Object.assign(document.body.dataset, { shown: "norms", step });
  }

  // The Python that gives the same run in a notebook.
  code(now) {
    if (!this.lab) return this.told_code;
    const { settings, lam, source, key } = this.lab, bias = settings.intercept ? ",\n  bias=True" : "";
    this.told_code =
      `import workbench as wb\n\nd = wb.data.examples.grouped(\n  '${settings.source}')\ng = ${source.spelled[key]}\n` +
      `p = wb.Problem(\n  d.X, d.y,\n  loss='${this.page.losses[settings.loss]}',\n  regularizer=g,\n` +
      `  lam=${python_number(lam)}${bias})\nfista = wb.solvers.ProximalGradient(\n  step='${settings.step}',\n` +
      `  restart=${settings.restart ? "True" : "False"})\ns = wb.solve(p, fista, tol=${written(now.tolerance, "g")},\n` +
      `  max_epochs=${MOST_STEPS})\nprint(s.primal, s.dual, s.gap)\nprint(wb.gaps.norm_gap(p, s.w, b=s.b))`;
    return this.told_code;
  }
}

const start = (text) => begin(text, Norms);
