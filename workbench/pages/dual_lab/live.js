// The Dual lab in one file: controls make a problem, the engine in the worker solves it, frames are drawn as they come.

// While a point is dragged the figures beside the plane are drawn so often.
const REST_MS = 250;
// A curve that has been seen for so long, or to its end, stays as a ghost when the settings change.
const GHOST_MS = 1000;

class DualLab extends LivePage {
  constructor(page, model, engine) {
    super(page, model, engine);
    this.rows = [];
    this.figures = new Figures(model, page.ids, page.texts);
    Object.assign(this, { own: null, files: 0, texts: new Map(), present: null });
    const { plane } = page;
    this.picture_of_points = plane && new PlanePicture(model, plane, page.texts);
    this.points = plane && new PlanePoints(this, {
      ...plane, half_width: plane.looks.half_width, plot: model(plane.plot),
    });
    this.certainty = new Certainty(box("x-certainty"));
    this.certainty.fold.addEventListener("toggle", () => this.soon());
    this.zone = new DropZone("own", (file) => this.take(file), () => this.leave());
  }

  // The data that the engine begins with.
  static beginning({ sources: [{ facts }] }) { return facts.plain ?? facts.signed; }

  is_hidden(name, settings) {
    if (["cloud", "adds"].includes(name)) return !this.in_plane(settings);
    return ["tube", "epsilon", "mu", "q"].includes(name) && !this.used(settings).includes(name);
  }

  is_disabled(name, settings) {
    return name === "source" ? this.own !== null : name === "eta" && settings.update !== "gradient";
  }

  in_plane(settings) { return this.own === null && this.page.plane !== null && settings.source === this.page.plane.name; }

  more_of_the_address() { return this.in_plane(this.settings) ? this.points.entries : []; }

  follow_more(name, text) {
    if (name === "points") this.points?.follow(text);
  }

  picked() {
    this.files++;
    this.own = null;
    this.points?.forget();
  }

  chosen(name) {
    if (name === "adds") return this.keep();
    if (["source", "cloud"].includes(name)) this.points?.forget();
    return this.restart();
  }

  told(settings) {
    super.told(settings);
    this.zone.say(this.own ? this.own.said(this.page.texts) : this.figures.say("own_data", settings));
    this.zone.offer(this.own !== null);
    if (this.points) box("x-figure-plane").closest(".x-card").hidden = !this.in_plane(settings);
  }

  // A new problem, at zero or, where points were `edited`, at the dual variables that there were; a run of it where
  // `play` says so. The last one asked for counts. While points are `dragged` there is one picture for each place.
  async restart(play = true, { edited = false, dragged = false } = {}) {
    const turn = ++this.asked, settings = this.settings, left = this.left(settings);
    if (!dragged) this.told(settings);
    Object.assign(this, { playing: false, ended: null, refusal: null, begins: play, dragged, is_made: false });
    try {
      const placed = await this.prepare(settings, turn);
      if (turn !== this.asked) return;
      const loss = this.term("loss", settings), regularizer = this.term("regularizer", settings);
      const { update, order, scale, eta, seed, lam } = settings;
      const solver = { ...this.page.solver, update, order, scale, eta };
      if (left) this.haunt(left);
      Object.assign(this, { choices: { settings, solver, loss, regularizer }, begun: performance.now() });
      const known = this.held;
      this.pictured = new Pictured({
        data: known.data, names: this.source.names, constant: this.source.constant, lam,
        loss: known.losses[loss.name], regularizer: known.regularizers[regularizer.name], embedded: regularizer.signed,
      });
      this.rows = [];
      Object.assign(this, { looked: { at: -Infinity, sample: null }, spoken: -Infinity });
      const before = this.present, goes_on = edited && placed && before?.alpha;
      const alpha = goes_on ? carried(before, placed, before.alpha) : null;
      this.present = placed && { ...placed, alpha };
      const made = this.engine.ask("problem", { loss: loss.name, regularizer: regularizer.name, lam, solver, seed, alpha });
      // Frames of the problem before, which are still on their way, have lower numbers.
      this.first = this.engine.count;
      await made;
      if (turn !== this.asked) return;
      this.is_made = true;
      if (!play && !dragged) this.soon();
      if (dragged) {
        await this.engine.ask("run", { gap: settings.tolerance, max_epochs: this.page.epochs });
        const then = await this.paint(turn);
        await painted();
        then?.();
      }
    } catch (error) {
      if (turn !== this.asked) return;
      Object.assign(this, { begins: false, is_made: this.rows.length > 0 });
      this.refuse(error);
      this.keep();
      return;
    }
    if (turn !== this.asked) return;
    this.begins = false;
    if (play) this.run();
  }

  // The certificates of a run that other settings leave; null where there is nothing to be kept of it.
  left(settings) {
    const { choices, rows, ended, begun } = this, is_seen = ended !== null || performance.now() - begun > GHOST_MS;
    return is_seen && rows.length > 1 && JSON.stringify(choices.settings) !== JSON.stringify(settings) ? rows : null;
  }

  haunt(rows) {
    const said = escaped(this.figures.haunt(rows)), [now, before] = this.page.strokes;
    box("x-figure-gap").closest(".x-card").querySelector(".wb-key").innerHTML = now + before.replace("{}", said);
  }

  // The data that the settings ask for, where the engine has others; gives the points in the plane, null elsewhere.
  async prepare(settings, turn) {
    const place = this.page.controls.source.values.indexOf(settings.source), { own } = this;
    const loss = this.term("loss", settings), { name, signed } = this.term("regularizer", settings);
    const placed = this.in_plane(settings) ? this.points.placed(this.page.plane.clouds[settings.cloud]) : null;
    const sides = signed ? "signed" : "plain";
    const key = placed ? JSON.stringify([placed, loss.name, name]) : `${own ? `file ${own.turn}` : place} ${sides}`;
    if (own && !this.fits(own, settings.loss)) throw new Error(this.unfit(own, settings.loss));
    if (this.key === key) return placed;
    const source = own ? { names: own.names, constant: true } : this.page.sources[place];
    if (!placed) this.say(this.figures.say("loading", { source: own ? own.name : settings.source }), false, "loading");
    // An own file borrows the facts of the terms, which the first data have as well as the others.
    const { facts, test: packed } = own ? this.page.sources[0] : source;
    const [packed_held, test] = await Promise.all([this.unpacked(facts[sides]), own || !packed ? null : this.unpacked(packed)]);
    if (turn !== this.asked) return placed;
    const held = own ? own.held(packed_held, this.bounds(), signed)
      : placed ? new PlaneSamples(placed).held(only(packed_held, loss.name, name), this.bounds(), signed) : packed_held;
    Object.assign(this, { source, held, test, key });
    await this.engine.ask("data", held);
    return placed;
  }

  // What a text holds; a point that is dragged asks for it twenty times a second.
  async unpacked(text) {
    if (!this.texts.has(text)) this.texts.set(text, opened(text));
    return this.texts.get(text);
  }

  // --- points by hand

  // What `PlanePoints` asks of a page.
  drag() { return this.restart(false, { edited: true, dragged: true }); }

  edited() { return this.restart(true, { edited: true }); }

  // --- a visitor's own file

  // A file in place of the data; one that is refused leaves everything as it was. The last one counts.
  async take(file) {
    const turn = ++this.files;
    this.zone.say(this.figures.say("own_reading", { where: plain_name(file.name) }));
    await painted();
    try {
      const own = new OwnData(this.page.own, await OwnFile.read(this.page.own, file));
      if (turn !== this.files) return;
      this.choose_loss(own);
      this.own = Object.assign(own, { turn });
    } catch (error) {
      if (turn === this.files) this.zone.say(error.message, true);
      return;
    }
    await this.restart();
  }

  // Back to the data of the page, also from a file that is being read.
  leave() {
    this.files++;
    this.own = null;
    return this.restart();
  }

  // The chosen loss, or the first one that the labels suit.
  choose_loss(own) {
    const { values } = this.page.controls.loss, { loss } = this.settings;
    if (this.fits(own, loss)) return;
    const place = values.findIndex((each) => this.fits(own, each));
    if (place < 0) throw new Error(this.unfit(own, loss));
    this.boxes.loss.selectedIndex = place;
  }

  // A loss of margins takes two classes only.
  fits(own, loss) { return own.classes !== null || !this.page.terms.loss[loss].margin; }

  unfit({ name: where }, loss) {
    const { terms, own } = this.page, suits = Object.keys(terms.loss).find((each) => !terms.loss[each].margin);
    const fix = this.figures.say(suits ? "own_choose" : "own_export", { loss: suits ?? own.regression });
    return this.figures.say("own_margin", { where, loss, fix });
  }

  bounds() {
    const rows = Object.values(this.page.terms.regularizer).flatMap((each) => each.rows);
    return Object.fromEntries(rows.map(({ name, bound }) => [name, bound]));
  }

  run() {
    if (this.rows.length === 0) return;
    Object.assign(this, { playing: true, ended: null });
    // A further press goes on for as many epochs again.
    const most = this.page.epochs * (Math.floor(this.rows.at(-1).epoch / this.page.epochs) + 1);
    this.engine.ask("run", { gap: this.choices.settings.tolerance, max_epochs: most }).catch((error) => this.refuse(error));
  }

  ask(type, contents = {}) {
    if (this.rows.length === 0) return;
    Object.assign(this, { playing: false, ended: null, refusal: null });
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
      if (!this.dragged) this.soon();
    }
    if (answer.type !== "frame") return;
    for (const row of [...answer.passed, answer]) this.add(row);
    this.event = answer.event;
    // What a run shows after its first moments need not be drawn at zero before.
    if (!this.begins && !this.dragged) this.soon();
  }

  // Certificates in the order of their steps, each once.
  add({ step, epoch, primal, dual, gap, relative_gap }) {
    const after = this.rows.findLastIndex((row) => row.step <= step);
    if (this.rows[after]?.step !== step) this.rows.splice(after + 1, 0, { step, epoch, primal, dual, gap, relative_gap });
  }

  seek(place) {
    const row = this.rows[place];
    if (row) this.ask("seek", { step: row.step });
  }

  async paint(turn) {
    // Between new data and their problem there is no run.
    if (!this.is_made) return null;
    const certificate = await this.engine.ask("certificate");
    return turn === this.asked && this.rows.length ? this.draw(certificate, this.event, turn) : null;
  }

  // Fills the figures, and gives what is done once these are painted.
  async draw(certificate, event, turn) {
    // What is said at the end is of the picture as it was begun: the run may end meanwhile.
    const { status } = this;
    const frame = frame_of(this.pictured, certificate, this.rows), { row } = frame;
    if (this.present) this.draw_points(certificate, event);
    const now = performance.now();
    clearTimeout(this.later);
    if (this.dragged && now - this.drawn < REST_MS) {
      this.later = setTimeout(() => this.soon(), REST_MS);
      return null;
    }
    this.drawn = now;
    this.figures.show(frame);
    const [picture, terms] = await Promise.all([this.picture(certificate, event, row), this.terms(certificate)]);
    return () => {
      if (turn !== this.asked) return;
      this.figures.parts(frame, picture);
      Object.assign(document.body.dataset, { shown: "dual-lab", step: row.step });
      const waits = status === "running" && !this.dragged && performance.now() - this.spoken < READ_MS;
      if (!waits) this.speak({ frame, certificate, event, status, picture, terms });
    };
  }

  // Numbers and sentences, seldom in a run: a changed text has the browser lay the page out.
  speak({ frame, certificate, event, status, picture, terms }) {
    const { row } = frame;
    this.spoken = performance.now();
    put_html("x-text-numbers", this.figures.statistics(frame, this.score(certificate)));
    this.certainty.draw(new Gauge(frame.curves, this.page.texts).shown);
    if (terms !== null) this.certainty.write(terms);
    for (const [name, text] of Object.entries(this.figures.captions(frame, picture))) put_html(`x-line-${name}`, escaped(text));
    if (picture !== null || status !== "running") put_html("x-text-why", this.why(event, row));
    const elapsed = this.figures.elapsed(row);
    this.scrub(this.rows.length - 1, this.rows.findIndex(({ step }) => step === row.step), elapsed);
    const { tolerance } = this.choices.settings;
    this.report(this.figures.say(this.dragged ? "moving" : status, { elapsed, tolerance, ...row }), status);
  }

  // The plane: of a drag every picture, the other figures now and then.
  draw_points(certificate, event) {
    const { present, pictured } = this, [u, v, b] = pictured.split(certificate.w);
    present.alpha = certificate.alpha;
    const of_run = { alpha: certificate.alpha, sample: event?.index ?? null, margin: pictured.loss.kind === "margin" };
    put_html("x-line-plane", escaped(this.picture_of_points.show(present, { w: [u, v], b }, of_run)));
  }

  async picture(certificate, event, row) {
    const now = performance.now();
    if (this.playing && now - this.looked.at < READ_MS) return null;
    // Kept for the rest of a run: a picture that jumps between samples shows no closing gap.
    const sample = this.looked.sample ?? watched(this.pictured, certificate, event, row.epoch);
    this.looked = { at: now, sample: row.epoch >= 1 ? sample : null };
    const asked = section_of(this.pictured, certificate, sample);
    if (asked === null) return null;
    const { x, ...message } = asked, answer = await this.engine.ask("section", { ...message, step: certificate.step });
    return answer.step === certificate.step ? saddle_of(this.pictured, certificate, asked, answer) : null;
  }

  // The sum behind the gap, where it is open; null where there is nothing new.
  async terms(certificate) {
    if (!this.certainty.fold.open) return null;
    if (!Number.isFinite(certificate.gap)) return `<p>${this.figures.say("infinite")}</p>`;
    const { step } = certificate, samples = largest_terms(certificate), parts = await this.engine.ask("terms", { samples, step });
    return parts.step === step ? terms_table(certificate, samples, parts, this.page.ids.rules, this.page.texts) : null;
  }

  why(event, row) {
    const { solver, loss, regularizer } = this.choices, { data, lam, n } = this.pictured;
    const { closed } = loss, { quadratic } = regularizer;
    const y = event ? data.y[event.index] : 0;
    return this.figures.why({ event, step: row.step, y, solver, lam_n: lam * n, quadratic, closed });
  }

  score(certificate) { return score_of(this.pictured, this.test, certificate); }

  // The Python that gives the same run in a notebook.
  code(settings) {
    const { own } = this, in_plane = this.in_plane(settings);
    const python = (value) => (typeof value === "string" ? quoted(value) : python_number(value));
    const { data, load, bias } = own ? { data: own.name, load: {}, bias: "constant" }
      : this.page.sources[this.page.controls.source.values.indexOf(settings.source)];
    const listed = (entries) => entries.map(([name, value]) => `,\n  ${name}=${value}`).join("");
    const pairs = (entries) => listed(entries.map(([name, value]) => [name, python(value)]));
    const loss = this.term("loss", settings), regularizer = this.term("regularizer", settings);
    const options = [["bias", bias], ...(regularizer.signed ? [["embed", "balanced"]] : [])].filter(([, value]) => value);
    const changed = ["update", "order", "scale", "eta"].filter((name) => settings[name] !== this.page.solver[name]);
    const given = in_plane ? `X, y = ${this.points.code(settings.cloud)}`
      : `d = wb.data.load(${quoted(data)}${pairs(Object.entries(load))}${listed(own?.options ?? [])})`;
    return (
      `import workbench as wb\n\n${given}\np = wb.Problem(\n  ${in_plane ? "X, y" : "d.X, d.y"},\n  loss=${quoted(loss.text)},\n  regularizer=${quoted(regularizer.text)},\n` +
      `  lam=${python_number(settings.lam)}${pairs(options)})\n` +
      `gs = wb.solvers.GaussSeidel(${changed.map((name) => `\n  ${name}=${python(settings[name])}`).join(",")})\n` +
      `s = wb.solve(\n  p, gs, tol=${written(settings.tolerance, "g")},\n  seed=${settings.seed}` +
      `${own || in_plane ? "" : ",\n  test=(d.X_test, d.y_test)"})\nprint(s.primal, s.dual, s.gap)`
    );
  }
}

// The facts of one loss and one regularizer among those of many.
function only({ losses, regularizers }, loss, regularizer) {
  return { losses: { [loss]: losses[loss] }, regularizers: { [regularizer]: regularizers[regularizer] } };
}

const start = (text) => begin(text, DualLab);
