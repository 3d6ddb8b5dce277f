// The page of norms in one file: FISTA in the worker, and the gaps of each step with and without the repair.

// Steps of a press of "10 steps", and those that a run makes until one presses again.
const AT_ONCE = 10, MOST_STEPS = 2000;
const LOOKED_AT = ["first", "second", "halving"];

class Norms extends KeptRun {
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

  // Two different features of those that there are.
  plane({ source, first, second }) {
    const size = this.page.sources[source].names.length, one = Math.min(first, size - 1), other = Math.min(second, size - 1);
    return [one, one === other ? (one + 1) % size : other];
  }

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
      const lab = { settings, source, largest, lam: settings.ratio * largest, key };
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

  looks(settings) { return { best: settings.intercept && settings.best, plane: this.plane(settings) }; }

  // What stands on the page is not of what is chosen.
  refuse_choice(error) {
    this.dim(true);
    this.refuse(error);
    this.keep();
  }

  dim(dimmed) {
    for (const each of document.querySelectorAll("[id^=x-figure-]")) each.style.opacity = dimmed ? this.page.dimmed : "";
  }

  // --- the run

  count_of(type) { return type === "step" ? 1 : AT_ONCE; }

  // Single steps first, later ever more for each picture.
  pace({ count }) { return count ?? 1 + Math.floor(this.at / AT_ONCE); }

  further({ from, limit, tolerance, count }) {
    const most = Math.min(this.pace({ count }), limit === null ? Infinity : limit - from);
    const asked = { from, tolerance, count: most, hurries: count === null };
    return this.engine.ask("norm_steps", { ...asked, ...this.looks(this.settings) });
  }

  // --- the picture

  async paint(turn) {
    if (turn !== this.asked || !this.lab) return;
    const { lab, at, status } = this, { settings: now } = this, { step } = this.rows[at], looks = this.looks(now);
    if (this.picture.row.step !== step || String(this.picture.plane) !== String(looks.plane)) {
      const { picture } = await this.engine.ask("norm_picture", { step, ...looks });
      if (turn !== this.asked) return;
      this.picture = picture;
    }
    const { names } = lab.source, rows = this.rows.slice(0, at + 1);
    const frame = {
      ...lab, rows, last: this.rows.at(-1).step, picture: this.picture, weights: this.weights(lab, this.picture.w),
      names: looks.plane.map((j) => names[j]), free: lab.settings.intercept, halving: now.halving,
      is_norm: lab.source.held.regularizers[lab.key].norm,
    };
    this.figures.show(frame);
    for (const [name, text] of Object.entries(this.figures.captions(frame))) put_html(`x-line-${name}`, escaped(text));
    put_html("x-text-numbers", this.figures.statistics(frame));
    this.scrub(this.rows.length - 1, at, this.figures.say("steps", { steps: step }));
    this.say(this.figures.say(status, { steps: step, tolerance: now.tolerance }), false, status);
    Object.assign(document.body.dataset, { shown: "norms", step });
  }

  // The weights in the order of their groups, with the group of each.
  weights({ source: { groups, group_names, names } }, w) {
    const order = groups.flat(), of = groups.flatMap((members, g) => members.map(() => g));
    return {
      place: order.map((_, k) => k), weight: order.map((j) => w[j]), name: order.map((j) => names[j]),
      group: of.map((g) => group_names[g]), odd: of.map((g) => g % 2),
      alive: groups.filter((members) => members.some((j) => w[j] !== 0)).length, groups: groups.length,
    };
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
