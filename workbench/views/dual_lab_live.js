// The Dual lab in one file: controls make a problem, the engine in the worker solves it, frames are drawn as they come.

// Nobody reads faster than this, and the saddle takes longer than the other figures: in a run both wait so long.
const READ_MS = 300;

class DualLab {
  constructor(page, model, engine) {
    Object.assign(this, { page, model, engine, rows: [], event: null, playing: false, ended: null, asked: 0 });
    this.figures = new Figures(model, page.ids, page.texts);
    this.boxes = Object.fromEntries(Object.keys(page.controls).map((name) => [name, box(`x-${name}`)]));
    this.frame = box("x-frame");
    this.looked = { at: -Infinity, sample: null };
  }

  // The value of each setting.
  get settings() {
    const place = (each) => (each === null ? 0 : each.tagName === "SELECT" ? each.selectedIndex : Number(each.value));
    return Object.fromEntries(Object.entries(this.page.controls).map(([name, { values }]) => (
      [name, values[place(this.boxes[name])]])));
  }

  term(kind, settings) {
    const { control, rows } = this.page.terms[kind][settings[kind]];
    return rows[control === null ? 0 : this.page.controls[control].values.indexOf(settings[control])];
  }

  // What is chosen, in words beside each slider.
  told(settings) {
    for (const [name, each] of Object.entries(this.boxes)) {
      if (each === null) continue;
      const { control: loss } = this.page.terms.loss[settings.loss];
      const { control: regularizer } = this.page.terms.regularizer[settings.regularizer];
      const is_parameter = ["tube", "epsilon", "mu", "q"].includes(name);
      each.closest(".x-control").hidden = is_parameter && name !== loss && name !== regularizer;
      each.disabled = name === "eta" && settings.update !== "gradient";
      if (each.dataset.said === undefined) continue;
      const text = JSON.parse(each.dataset.said)[each.value];
      box(`${each.id}-said`).textContent = text;
      each.setAttribute("aria-valuetext", text);
    }
  }

  // What is chosen as an address and as code, once the picture of it stands: browsers take their time for these.
  keep() {
    const { settings } = this, given = Object.entries(this.boxes).filter(([, each]) => each !== null);
    const address = `#${new URLSearchParams(given.map(([name]) => [name, settings[name]]))}`;
    if (address !== location.hash) history.replaceState(null, "", address);
    put_html("x-text-code", code_box(this.code(settings)));
  }

  // The settings of an address, where they are among those of the page.
  follow(address) {
    for (const [name, text] of new URLSearchParams(address.replace(/^#/, ""))) {
      const each = this.boxes[name], place = this.page.controls[name]?.values.findIndex((value) => String(value) === text);
      if (!each || !(place >= 0)) continue;
      if (each.tagName === "SELECT") each.selectedIndex = place;
      else each.value = place;
    }
  }

  // A new problem, at zero; a run of it where `play` says so. The last one asked for counts.
  async restart(play = true) {
    const turn = ++this.asked, settings = this.settings;
    this.told(settings);
    Object.assign(this, { playing: false, ended: null, begins: play });
    try {
      await this.prepare(settings, turn);
      if (turn !== this.asked) return;
      const loss = this.term("loss", settings), regularizer = this.term("regularizer", settings);
      const { update, order, scale, eta, seed, lam } = settings;
      const solver = { ...this.page.solver, update, order, scale, eta };
      this.choices = { settings, solver, loss, regularizer };
      const known = this.held;
      this.pictured = new Pictured({
        data: known.data, names: this.source.names, constant: this.source.constant, lam,
        loss: known.losses[loss.name], regularizer: known.regularizers[regularizer.name], embedded: regularizer.signed,
      });
      this.rows = [];
      this.looked = { at: -Infinity, sample: null };
      const made = this.engine.ask("problem", { loss: loss.name, regularizer: regularizer.name, lam, solver, seed });
      // Frames of the problem before, which are still on their way, have lower numbers.
      this.first = this.engine.count;
      await made;
    } catch (error) {
      if (turn !== this.asked) return;
      this.begins = false;
      this.refuse(error);
      this.keep();
      return;
    }
    if (turn !== this.asked) return;
    this.begins = false;
    if (play) this.run();
  }

  // The data that the settings ask for, where the engine has others.
  async prepare(settings, turn) {
    const place = this.page.controls.source.values.indexOf(settings.source), source = this.page.sources[place];
    const sides = this.term("regularizer", settings).signed ? "signed" : "plain", key = `${place} ${sides}`;
    if (this.key === key) return;
    this.say(this.figures.say("loading", settings), false, "loading");
    const [held, test] = await Promise.all([opened(source.facts[sides]), opened(source.test)]);
    if (turn !== this.asked) return;
    Object.assign(this, { source, held, test, key });
    await this.engine.ask("data", held);
  }

  refuse(error) {
    this.playing = false;
    this.say(error.message, true);
  }

  say(text, is_error = false, status = this.status) {
    const line = box("x-status");
    line.textContent = text;
    line.classList.toggle("bad", is_error);
    document.body.dataset.status = status;
    box("x-run").textContent = status === "running" ? "pause" : "run";
  }

  get status() { return this.ended ?? (this.playing ? "running" : "paused"); }

  run() {
    if (this.rows.length === 0) return;
    Object.assign(this, { playing: true, ended: null });
    // A further press goes on for as many epochs again.
    const most = this.page.epochs * (Math.floor(this.rows.at(-1).epoch / this.page.epochs) + 1);
    this.engine.ask("run", { gap: this.choices.settings.tolerance, max_epochs: most }).catch((error) => this.refuse(error));
  }

  ask(type, contents = {}) {
    if (this.rows.length === 0) return;
    Object.assign(this, { playing: false, ended: null });
    this.engine.ask(type, contents).catch((error) => this.refuse(error));
  }

  toggle() {
    if (this.playing) this.ask("pause");
    else this.run();
  }

  // Every answer of the engine.
  hear(answer) {
    if (!(answer.id >= this.first)) return;
    if (answer.type === "ended") {
      if (answer.status !== "paused") Object.assign(this, { playing: false, ended: answer.status });
      this.soon();
    }
    if (answer.type !== "frame") return;
    for (const row of [...answer.passed, answer]) this.add(row);
    this.event = answer.event;
    // What a run shows after its first moments need not be drawn at zero before.
    if (!this.begins) this.soon();
  }

  // Certificates in the order of their steps, each once.
  add({ step, epoch, primal, dual, gap, relative_gap }) {
    const after = this.rows.findLastIndex((row) => row.step <= step);
    if (this.rows[after]?.step !== step) this.rows.splice(after + 1, 0, { step, epoch, primal, dual, gap, relative_gap });
  }

  // Draws once the browser has time; what comes meanwhile is drawn next.
  async soon() {
    this.due = true;
    if (this.drawing) return;
    this.drawing = true;
    while (this.due) {
      this.due = false;
      const turn = this.asked;
      try {
        const certificate = await this.engine.ask("certificate");
        if (turn === this.asked && this.rows.length) await this.draw(certificate, this.event, turn);
      } catch (error) {
        this.refuse(error);
      }
      await painted();
    }
    this.drawing = false;
    this.keep();
  }

  async draw(certificate, event, turn) {
    // What is said at the end is of the picture as it was begun: the run may end meanwhile.
    const { status } = this;
    const frame = frame_of(this.pictured, certificate, this.rows), { row } = frame;
    this.figures.show(frame);
    put_html("x-text-numbers", this.figures.statistics(frame, this.score(certificate)));
    const picture = await this.picture(certificate, event, row);
    await painted();
    if (turn !== this.asked) return;
    this.figures.parts(frame, picture);
    for (const [name, text] of Object.entries(this.figures.captions(frame, picture))) put_html(`x-line-${name}`, escaped(text));
    if (picture !== null || status !== "running") put_html("x-text-why", this.why(event, row));
    this.frame.max = this.rows.length - 1;
    this.frame.value = this.rows.findIndex(({ step }) => step === row.step);
    const elapsed = this.figures.elapsed(row);
    box("x-at").textContent = elapsed;
    this.frame.setAttribute("aria-valuetext", elapsed);
    const { tolerance } = this.choices.settings;
    this.say(this.figures.say(status, { elapsed, tolerance }), false, status);
    Object.assign(document.body.dataset, { shown: "dual-lab", step: row.step });
  }

  async picture(certificate, event, row) {
    const now = performance.now();
    if (this.playing && now - this.looked.at < READ_MS) return null;
    // Kept for the rest of a run: a picture that jumps between samples shows no closing gap.
    const sample = this.looked.sample ?? watched(this.pictured, certificate, event, row.epoch);
    this.looked = { at: now, sample: row.epoch >= 1 ? sample : null };
    const asked = section_of(this.pictured, certificate, sample);
    if (asked === null) return null;
    const { x, ...message } = asked, answer = await this.engine.ask("section", message);
    return answer.step === certificate.step ? saddle_of(this.pictured, certificate, asked, answer) : null;
  }

  why(event, row) {
    const { solver, loss, regularizer } = this.choices, { data, lam, n } = this.pictured;
    const { closed } = loss, { quadratic } = regularizer;
    const y = event ? data.y[event.index] : 0;
    return this.figures.why({ event, step: row.step, y, solver, lam_n: lam * n, quadratic, closed });
  }

  // Accuracy on the held-out samples, or R squared where the targets are no labels.
  score({ w, b }) {
    const { offsets, indices, values, y } = this.test, features = this.pictured.split(w), { constant, d } = this.pictured;
    const z = Array.from(y, (_, i) => {
      let sum = constant ? features[d] : b;
      for (let k = offsets[i]; k < offsets[i + 1]; k++) sum += values[k] * features[indices[k]];
      return sum;
    });
    const total = (terms) => terms.reduce((sum, term) => sum + term, 0);
    if (y.every((value) => Math.abs(value) === 1)) return total(z.map((value, i) => Number((value >= 0 ? 1 : -1) === y[i]))) / y.length;
    const mean = total(y) / y.length;
    return 1 - total(z.map((value, i) => (y[i] - value) ** 2)) / (total(y.map((value) => (value - mean) ** 2)) || 1);
  }

  // The Python that gives the same run in a notebook.
  code(settings) {
    const { data, load, bias } = this.page.sources[this.page.controls.source.values.indexOf(settings.source)];
    const quoted = (value) => (typeof value === "string" ? `'${value}'` : python_number(value));
    const pairs = (entries) => entries.map(([name, value]) => `,\n  ${name}=${quoted(value)}`).join("");
    const loss = this.term("loss", settings), regularizer = this.term("regularizer", settings);
    const options = [["bias", bias], ...(regularizer.signed ? [["embed", "balanced"]] : [])].filter(([, value]) => value);
    const own = ["update", "order", "scale", "eta"].filter((name) => settings[name] !== this.page.solver[name]);
    return (
      `import workbench as wb\n\nd = wb.data.load(${quoted(data)}${pairs(Object.entries(load))})\n` +
      `p = wb.Problem(\n  d.X, d.y,\n  loss=${quoted(loss.text)},\n  regularizer=${quoted(regularizer.text)},\n` +
      `  lam=${python_number(settings.lam)}${pairs(options)})\n` +
      `gs = wb.solvers.GaussSeidel(${own.map((name) => `\n  ${name}=${quoted(settings[name])}`).join(",")})\n` +
      `s = wb.solve(\n  p, gs, tol=${written(settings.tolerance, "g")},\n  seed=${settings.seed},\n` +
      "  test=(d.X_test, d.y_test))\nprint(s.primal, s.dual, s.gap)"
    );
  }
}

function python_number(value) {
  if (value === true) return "True";
  if (Number.isInteger(value)) return Math.abs(value) < 1e16 ? `${value}.0` : String(value);
  return Math.abs(value) < 1e-4 ? value.toExponential().replace(/e-(\d)$/, "e-0$1") : String(value);
}

function code_box(text) {
  return `<div class='wb-copy'><button type='button' data-do='copy'>Copy</button><pre class='wb-code' tabindex='0'>${escaped(text)}</pre></div>`;
}

function painted() { return new Promise((done) => requestAnimationFrame(() => setTimeout(done))); }

function box(id) { return document.getElementById(id); }

async function start(text) {
  const page = await unpacked(text), model = await embed(page.document);
  let lab, engine;
  try {
    const first = page.sources[0].facts, problem = first.plain ?? first.signed;
    engine = await WorkbenchEngine.start({ ...page.engine, problem }, (answer) => lab?.hear(answer));
  } catch (error) {
    box("x-status").textContent = error.message;
    Object.assign(document.body.dataset, { shown: "picture" });
    return;
  }
  lab = new DualLab(page, model, engine);
  lab.follow(location.hash);
  for (const each of Object.values(lab.boxes)) each?.addEventListener("input", () => lab.restart());
  lab.frame.addEventListener("input", () => {
    const row = lab.rows[Number(lab.frame.value)];
    if (row) lab.ask("seek", { step: row.step });
  });
  const actions = {
    "x-reset": () => lab.restart(false), "x-step": () => lab.ask("step"), "x-epoch": () => lab.ask("epoch"),
    "x-run": () => lab.toggle(),
  };
  for (const [id, action] of Object.entries(actions)) box(id).addEventListener("click", action);
  keys({ " ": actions["x-run"], ArrowRight: actions["x-step"], r: actions["x-reset"] });
  await lab.restart();
}
