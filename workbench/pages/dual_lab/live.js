// @ts-nocheck
// The Dual lab: its settings, one run or two side by side, points by hand and a visitor's own file; in a file and served.

import { deep } from "../runtime/deep.js";
import { remembered } from "../runtime/duality/frame.js";
import { lossPair, mirrored, regularizerPair } from "../runtime/duality/pair.js";
import { showInPlace } from "../runtime/figures.js";
import { DropZone } from "../runtime/drop_zone.js";
import { pythonNumber } from "../runtime/page_code.js";
import { PlanePoints, carried } from "../runtime/live_plane.js";
import { READ_MS, painted } from "../runtime/painter.js";
import { writePoints } from "../runtime/plane_hand.js";
import { TrackedPage } from "../runtime/tracked_page.js";
import { Track } from "../runtime/tracks.js";
import { RecordedEngine } from "../runtime/transports.js";
import { escaped, quoted, written } from "../runtime/wording.js";
import { opened } from "../wasm/javascript/page.js";
import { Certainty } from "./certainty.js";
import { CustomData, PlaneSamples, factsAt } from "./custom_data.js";
import { CustomFile, plainName } from "./custom_file.js";
import { Figures } from "./figures.js";
import { Pictured, saddleOf, lossOf, scoreOf, sectionOf, stateOf, watched } from "./frame.js";
import { Gauge, largestTerms, termsTable } from "./gauge.js";
import { PlanePicture } from "./plane.js";

// While a point is dragged the figures beside the plane are drawn so often.
const REST_MS = 250;
// What the second configuration has of its own, and what does not change the problem.
const OWN = ["loss", "regularizer", "lam", "update", "scale", "texts", "signed"], HANDS = ["adds", "brush"];

// The number of first steps among which one that moves something is looked for.
const OPENING = 8;

// A run that remembers its last step that moved something.
class LabTrack extends Track {
  begin(...given) {
    Object.assign(this, { moved: null, opening: null, aside: new Set() });
    return super.begin(...given);
  }

  // Return the first step that moves something; the run comes back to where it is.
  firstMove() { return (this.opening ??= this.lookBack()); }

  async lookBack() {
    const { engine, at } = this, early = Array.from({ length: Math.min(at, OPENING) }, (_, k) => k + 1);
    // All at once, so that no other message comes between.
    const answers = [...early, at].map((step) => {
      const answer = engine.ask("seek", { step });
      this.aside.add(engine.count);
      return answer;
    });
    const frames = (await Promise.all(answers)).slice(0, -1);
    return frames.find(({ event }) => event.alpha_after !== event.alpha_before) ?? frames[0];
  }

  hear(answer) {
    if (this.aside?.has(answer.id)) return false;
    const isNews = super.hear(answer), { event, step } = answer;
    if (isNews && event && event.alpha_after !== event.alpha_before) this.moved = { event, step };
    return isNews;
  }
}

export class DualLab extends TrackedPage {
  constructor(page, model, host) {
    super(page, model, host, LabTrack);
    this.figures = new Figures(model, page.ids, page.texts, page);
    Object.assign(this, { own: null, files: 0, texts: new Map(), present: null, alphas: {}, pictured: {}, askedFor: "" });
    Object.assign(this, { edits: false, dragged: false, looked: { at: -Infinity, sample: null } });
    const { plane } = page;
    this.pictureOfPoints = plane && new PlanePicture(model, plane, page.texts);
    this.points = plane && new PlanePoints(this, {
      ...plane, half_width: plane.looks.half_width, plot: model(plane.plot),
    });
    this.certainty = new Certainty(this.host.place("certainty"));
    this.certainty.fold.addEventListener("toggle", () => this.soon());
    for (const name of ["lit", "pointed"]) this.figures.of("sources", name).change.connect(() => this.showPointed());
    document.addEventListener("wb-lam", ({ detail }) => this.goTo(detail));
    document.addEventListener("wb-swapped", () => this.soon());
    Object.assign(this, { pairs: new Map(), scalars: null, visited: null });
    this.zone = page.own && new DropZone("own", (file) => this.take(file), () => this.leave());
  }

  // --- what is chosen

  isHidden(name, settings) {
    return super.isHidden(name, settings) || (["cloud", "adds"].includes(name) && !this.inPlane(settings));
  }

  isDisabled(name, settings) {
    return name === "source" ? this.own !== null : name === "eta" && settings.update !== "gradient";
  }

  inPlane(settings) { return this.own === null && this.page.plane !== null && settings.source === this.page.plane.name; }

  moreOfTheAddress() { return this.inPlane(this.settings) ? this.points.entries : []; }

  followMore(name, text) {
    if (name === "points") this.points?.follow(text);
  }

  picked() {
    this.files++;
    this.own = null;
    this.points?.forget();
  }

  // Other settings; what a hand does in the plane is none of a problem's.
  chosen() {
    const { settings } = this, { source, cloud } = settings;
    // No file is in use yet.
    if (!source) return this.keep();
    if (this.points && this.stood !== JSON.stringify([source, cloud])) this.points.forget();
    return problemOf(this.settings) !== this.askedFor ? this.restart() : this.keep();
  }

  onSettings(settings) {
    super.onSettings(settings);
    Object.assign(this, { stood: JSON.stringify([settings.source, settings.cloud]), askedFor: problemOf(settings) });
    const isPlane = this.inPlane(settings);
    for (const each of deep("[data-do=swap][data-figure=plane]")) each.hidden = !isPlane;
    if (this.wasPlane !== isPlane && (isPlane || this.wasPlane)) showInPlace("weights", isPlane ? "plane" : "weights");
    this.wasPlane = isPlane;
    if (!this.zone) return;
    this.zone.say(this.own ? this.own.summary(this.page.texts) : this.figures.say("custom_data", settings));
    this.zone.offer(this.own !== null);
  }

  press(name) {
    if (name === "undo") this.points?.undo();
    else if (name === "weights") this.saveWeights();
    else if (this.settings.source) super.press(name);
  }

  // --- the problems

  // A problem begins at zero or, where points were edited, at the dual variables that there were.
  wanted(settings) {
    const pair = settings.compare ? { A: settings, B: { ...settings, ...owned(settings) } } : { A: settings };
    const spots = this.inPlane(settings) ? this.points.placed(this.page.plane.clouds[settings.cloud]) : null;
    this.spots = spots;
    return Object.entries(pair).map(([name, each]) => {
      const { lam, seed } = each, goesOn = this.edits && this.present && this.alphas[name];
      const alpha = goesOn ? carried(this.present, spots, this.alphas[name]) : null;
      const points = spots ? writePoints(spots, this.points.half_width) : "";
      return { name, settings: { ...each, points }, problem: { lam, seed, solver: this.solver(each), alpha } };
    });
  }

  solver({ update, order, scale, eta }) { return { ...this.page.solver, update, order, scale, eta }; }

  signed(settings) { return settings.signed ?? this.term("regularizer", settings).signed; }

  // Pictures take the data and the facts of the terms also where the server computes.
  get drawsData() { return true; }

  // What a file has packed, and what is made here: the data of a visitor's file and of points. Else the server gives it.
  given(settings) {
    if (this.page.terms) return this.packed(settings);
    return this.inPlane(settings) ? this.placed(settings) : null;
  }

  async packed(settings) {
    const { own } = this, loss = this.term("loss", settings), regularizer = this.term("regularizer", settings);
    if (own && !this.fits(own, settings.loss)) throw new Error(this.unfit(own, settings.loss));
    const { sources } = this.page, place = this.page.controls.source.values.indexOf(settings.source);
    // An own file borrows the facts of the terms, which the first data have as well as the others.
    const source = sources[own ? 0 : place], sides = regularizer.signed ? "signed" : "plain";
    const text = source.facts[sides], key = `${own ? `file ${own.turn}` : place} ${sides} ${settings.points}`;
    if (!this.texts.has(text)) this.say(this.figures.say("loading", { source: own ? own.name : settings.source }), false, "loading");
    const [{ data, losses, regularizers }, test] = await Promise.all(
      [this.unpacked(text), source.test && !own ? this.unpacked(source.test) : null]);
    const facts = {
      loss: { ...losses[loss.name], closed: loss.closed, rests: loss.rests },
      regularizer: { ...regularizers[regularizer.name], rests: regularizer.rests },
    };
    const { names, constant } = own ? { names: own.names, constant: true } : source, samples = own ?? this.samples(settings);
    if (!samples) return heldOf(key, { ...data, names, constant, test }, facts);
    return made(key, samples, facts, regularizer.bound, { signed: regularizer.signed, names });
  }

  // Points, whose terms are those of the points to begin with but for what depends on the data.
  async placed(settings) {
    const { source, signed, texts } = settings, { cloud, names } = this.page.plane;
    const facts = await this.host.ask("terms", { source, signed, cloud, points: "", ...texts });
    return made(settings.points + signed, this.samples(settings), facts, facts.regularizer.bound, { signed, names });
  }

  samples(settings) { return this.inPlane(settings) ? new PlaneSamples(this.spots) : null; }

  // What a text holds; a point that is dragged asks for it twenty times a second.
  unpacked(text) {
    if (!this.texts.has(text)) this.texts.set(text, opened(text));
    return this.texts.get(text);
  }

  // The compiled scalars of the terms, by which the two curves are drawn, are here as well as in the workers.
  async begin(settings, isLeft) {
    const begun = await super.begin(settings, isLeft);
    if (begun && this.isAble) this.scalars ??= await this.host.kernels();
    return begun;
  }

  // The pairs of a loss and a regularizer, null where there is no curve; made once for each.
  pairsOf({ loss, regularizer }, embedded) {
    const { scalars } = this;
    if (!scalars) return { loss: null, regularizer: null };
    const once = (make, facts) => {
      const key = `${facts.functions} ${Array.from(facts.theta)} ${facts.weights?.length}`;
      if (!this.pairs.has(key)) this.pairs.set(key, make(scalars, facts));
      return this.pairs.get(key);
    };
    const one = once(regularizerPair, regularizer);
    return { loss: once(lossPair, loss), regularizer: one && embedded ? mirrored(one) : one };
  }

  began(wanted, held) {
    wanted.forEach(({ name, settings, problem: { lam } }, k) => {
      const { data: { data }, terms } = held[k].known ?? held[k], embedded = this.signed(settings);
      this.pictured[name] = new Pictured({ data, ...terms, lam, embedded, settings, pairs: this.pairsOf(terms, embedded) });
    });
    // Also before the first picture of it a drag goes on from where this one began.
    const alphas = Object.fromEntries(wanted.map(({ name, problem: { alpha } }) => [name, alpha]));
    Object.assign(this, { present: this.spots, alphas, edits: false, looked: { at: -Infinity, sample: null } });
  }

  // While a point is dragged there is one picture for each of its places.
  async goes(play) {
    if (!this.dragged) return super.goes(play);
    const { asked, settings: { tolerance: gap } } = this;
    this.begins = true;
    await Promise.all(this.runs.shown.map((each) => each.ask("run", { gap, max_epochs: this.page.epochs })));
    await this.paint(asked);
    return painted();
  }

  // --- points by hand

  // What `PlanePoints` asks of a page.
  drag() {
    Object.assign(this, { edits: true, dragged: true });
    return this.restart(false);
  }

  edited() {
    Object.assign(this, { edits: true, dragged: false });
    return this.restart();
  }

  // --- a visitor's own file

  // A file in place of the data; one that is refused leaves everything as it was. The last one counts.
  async take(file) {
    const turn = ++this.files;
    this.zone.say(this.figures.say("custom_reading", { where: plainName(file.name) }));
    await painted();
    try {
      const own = new CustomData(this.page.own, await CustomFile.read(this.page.own, file));
      if (turn !== this.files) return;
      this.chooseLoss(own);
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
  chooseLoss(own) {
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
    const fix = this.figures.say(suits ? "custom_choose" : "custom_export", { loss: suits ?? own.regression });
    return this.figures.say("custom_margin", { where, loss, fix });
  }

  // --- the picture

  // A ghost is of other numbers alone, on whose axes the new run is drawn; other data and terms have axes of their own.
  remember() {
    super.remember();
    const { shownSettings: before, settings: now } = this, isMoved = before && differs(before, now, true);
    if (!isMoved) this.before = null;
    this.figures.hold(Boolean(isMoved));
  }

  // Both curves as one, with a break between them.
  traces(curves) {
    const both = curves.map(([, rows]) => this.figures.ghost(rows));
    return { gap: Object.fromEntries(Object.keys(both[0]).map((name) => [name, both.flatMap((each) => each[name])])) };
  }

  async askedOf({ engine }) {
    const certificate = await engine.ask("certificate");
    return { step: certificate.step, certificate };
  }

  // Fills the figures; of a drag the plane each time, the others now and then. Null where these were left out.
  async show({ runs, row: { epoch } }) {
    const [A, B = null] = Object.entries(runs).map(([name, run]) => this.state(name, run)), now = performance.now();
    for (const [name, { shown }] of Object.entries(runs)) this.alphas[name] = shown.certificate.alpha;
    this.saidOfPoints = this.present && this.pictureOfPoints.show(this.present, A, B);
    clearTimeout(this.later);
    if (this.dragged && now - this.drawn < REST_MS) {
      this.host.line("plane", this.saidOfPoints);
      this.later = setTimeout(() => this.soon(), REST_MS);
      return null;
    }
    this.drawn = now;
    const isRunning = this.runs.playing;
    this.drawnState = A;
    this.figures.show(A, B, isRunning);
    this.keepVisited(A);
    const [saddle, terms] = await Promise.all([this.saddle(A, epoch, isRunning), this.terms(A)]);
    if (saddle) this.figures.saddle(saddle);
    return { A, B, saddle, terms };
  }

  // What is pointed at is shaded and ringed in all figures.
  showPointed() {
    const { drawnState: A } = this;
    if (!A) return;
    const numbers = this.figures.areas(A), { row, duals, n, problem: { curves } } = A;
    const said = this.figures.say("hold", { support: row.support, n, bound: duals.bound, free: duals.free });
    this.host.line("margins", said + this.figures.areaSaid(numbers, curves.loss));
    this.host.line("transfer", this.figures.transferSaid(numbers, curves.regularizer));
  }

  // Each lambda that was visited leaves its weights and its score.
  keepVisited({ w, problem, certificate }) {
    const { lam, settings, n } = problem, { lam: _, tolerance, adds, brush, compare, about, ...others } = settings;
    const key = JSON.stringify([others, n]);
    this.visited = remembered(this.visited, key, lam, w, lossOf(problem, certificate));
    this.figures.visited(this.visited, lam, (j) => problem.name(j));
  }

  // Back to the visited lambda that is nearest to a place of the axis.
  goTo(place) {
    const far = (lam) => Math.abs(Math.log(lam / place)), all = [...(this.visited?.runs.keys() ?? [])];
    if (!all.length || !(place > 0)) return;
    this.host.move("lam", all.reduce((best, lam) => (far(lam) < far(best) ? lam : best)));
  }

  state(name, { rows, row, event, shown: { certificate } }) {
    const problem = this.pictured[name];
    return Object.assign(stateOf(problem, certificate, row), { name, problem, certificate, event, rows });
  }

  // In a run the saddle is drawn as seldom as texts are.
  async saddle({ problem, certificate, event }, epoch, isRunning) {
    const now = performance.now(), { data } = problem, { engine } = this.runs.shown[0];
    // A file that cannot compute has kept none.
    if (engine instanceof RecordedEngine) return null;
    if (isRunning && (now - this.looked.at < READ_MS || !this.figures.isShown("saddle_x"))) return null;
    // Kept for the rest of a run: a picture that jumps between samples shows no closing gap.
    const sample = this.looked.sample ?? watched(problem, certificate, event, epoch);
    this.looked = { at: now, sample: epoch >= 1 ? sample : null };
    const row = data.large ? await this.row(problem, sample) : problem.row(sample);
    const asked = sectionOf(problem, certificate, sample, row);
    if (asked === null) return null;
    const { x, ...message } = asked, answer = await engine.ask("section", { ...message, step: certificate.step });
    return answer.step === certificate.step ? saddleOf(problem, certificate, asked, answer) : null;
  }

  async row({ settings: { source, signed, cloud, points } }, sample) {
    const { indices, values } = await this.host.ask("row", { source, signed, cloud, points, sample });
    return Array.from(indices, (j, k) => [j, values[k]]);
  }

  // The sum behind the gap, where it is open; null where there is nothing new.
  async terms({ certificate, problem }) {
    if (!this.certainty.fold.open) return null;
    if (!Number.isFinite(certificate.gap)) return `<p>${this.figures.say("infinite")}</p>`;
    const { step } = certificate, samples = largestTerms(certificate);
    const parts = await this.runs.shown[0].engine.ask("terms", { samples, step });
    if (parts.step !== step) return null;
    const [loss, regularizer] = [problem.loss, problem.regularizer].map(({ rests }) => rests);
    const where = this.page.texts[document.body.dataset.engine === "server" ? "on_the_server" : "in_the_browser"];
    const rests = this.figures.say("proof_status", { loss, regularizer, where });
    return `${termsTable(certificate, samples, parts, this.page.rules, this.page.texts)}<p>${escaped(rests)}</p>`;
  }

  // Numbers and sentences, seldom in a run: a changed text has the browser lay the page out.
  speak({ runs }, { A, B, saddle, terms }) {
    const { certificate } = A, { tolerance } = this.settings, { playing } = this.runs;
    const scores = [A, B].filter(Boolean).map((each) => scoreOf(each.problem, each.certificate));
    this.certainty.state(this.figures.formula(A, B));
    this.gauge = new Gauge(A.rows.filter(({ step }) => step <= certificate.step), this.page.texts).shown;
    if (B) this.gauge.sentence = `A: ${this.gauge.sentence}`;
    this.certainty.draw(this.gauge);
    if (terms !== null) this.certainty.write(terms);
    const said = this.figures.captions(A, B, saddle, this.figures.areas(A), scores, this.visited);
    for (const [name, text] of Object.entries(said)) this.host.line(name, text);
    if (this.saidOfPoints) this.host.line("plane", this.saidOfPoints);
    if (!playing || A.event) this.explain(A, playing);
    const open = this.dragged ? "moving" : playing ? "running" : "paused";
    const statuses = Object.values(runs).map(({ status }) => (this.dragged ? null : status));
    this.report(this.figures.standing([A, B].filter(Boolean).map(({ row }) => row), statuses, open, tolerance));
  }

  // Of the step before; after a run, where that moved nothing, of the last one seen that did, else of the first.
  explain(A, playing) {
    const { event, row } = A, [track] = this.runs.shown, { moved } = track;
    const isIdle = event !== null && event.alpha_after === event.alpha_before && Number.isInteger(row.epoch);
    if (!isIdle) this.host.put("why", this.why(A, { event, step: row.step }));
    else if (moved !== null && moved.step <= row.step) this.host.put("why", this.why(A, moved));
    else if (!playing && this.isAble) {
      track.firstMove().then((first) => {
        if (this.runs.shown[0] === track && this.drawnState === A) this.host.put("why", this.why(A, first));
      }, () => {});
    }
  }

  why({ problem: { data, loss: { closed }, regularizer: { quadratic }, lam, n, settings } }, { event, step }) {
    const y = event ? data.y[event.index] : 0;
    return this.figures.why({ event, step, y, solver: this.solver(settings), lam_n: lam * n, quadratic, closed });
  }

  // What the question's two runs came to, once both have ended.
  outcome({ runs }) {
    const { A, B } = runs;
    if (!A?.status || !B?.status) return null;
    const [a, b] = [A, B].map(({ row, status, shown: { certificate } }, k) => ({
      epochs: status === "converged" ? row.epoch : null, support: nonzeros(certificate.alpha),
      nonzeros: nonzeros(this.pictured["AB"[k]].weights(certificate.w)),
    }));
    return Object.fromEntries(Object.keys(a).map((name) => [name, [a[name], b[name]]]));
  }

  // The point that the picture is of, for what only the server can do.
  get point() { return this.alphas.A ?? null; }

  // Every weight of the picture with its certificate, as CSV.
  saveWeights() {
    if (!this.drawnState) return;
    const { problem, certificate: { w, primal, dual, gap } } = this.drawnState, { names, constant, d } = problem;
    const cell = (text) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text), all = problem.split(w);
    const rows = Array.from(all, (value, j) => `${cell(j < d ? String(names[j]) : "(constant)")},${value}`);
    const numbers = Object.entries({ primal, dual, gap }).map(([name, value]) => `# ${name} = ${value}`);
    const text = [...numbers, "feature,weight", ...(constant ? rows : rows.slice(0, d)), ""].join("\n");
    const href = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
    Object.assign(document.createElement("a"), { href, download: "weights.csv" }).click();
    URL.revokeObjectURL(href);
  }

  // The Python that gives the same run in a notebook.
  code(settings) {
    if (!settings.source) return "";
    const { own } = this, inPlane = this.inPlane(settings);
    const python = (value) => (typeof value === "string" ? quoted(value) : pythonNumber(value));
    const { data, load, bias } = own ? { data: own.name, load: {}, bias: "constant" } : settings.about
      ?? this.page.sources[this.page.controls.source.values.indexOf(settings.source)];
    const listed = (entries) => entries.map(([name, value]) => `,\n  ${name}=${value}`).join("");
    const pairs = (entries) => listed(entries.map(([name, value]) => [name, python(value)]));
    const { loss, regularizer } = this.host.texts(this, settings);
    const options = [["bias", bias], ...(this.signed(settings) ? [["embed", "balanced"]] : [])].filter(([, value]) => value);
    const changed = ["update", "order", "scale", "eta"].filter((name) => settings[name] !== this.page.solver[name]);
    const given = inPlane ? `X, y = ${this.points.code(settings.cloud)}`
      : `d = wb.data.load(${quoted(data)}${pairs(Object.entries(load))}${listed(own?.options ?? [])})`;
    return (
      `import workbench as wb\n\n${given}\np = wb.Problem(\n  ${inPlane ? "X, y" : "d.X, d.y"},\n  loss=${quoted(loss)},\n  regularizer=${quoted(regularizer)},\n` +
      `  lam=${pythonNumber(settings.lam)}${pairs(options)})\n` +
      `gs = wb.solvers.GaussSeidel(${changed.map((name) => `\n  ${name}=${python(settings[name])}`).join(",")})\n` +
      `s = wb.solve(\n  p, gs, tol=${written(settings.tolerance, "g")},\n  seed=${settings.seed}` +
      `${own || inPlane ? "" : ",\n  test=(d.X_test, d.y_test)"})\nprint(s.primal, s.dual, s.gap)`
    );
  }
}

// What tells problems apart.
function problemOf(settings) { return JSON.stringify(settings, (name, value) => (HANDS.includes(name) ? undefined : value)); }

// Whether settings differ, and where it is asked for in nothing but numbers.
function differs(before, now, inNumbers) {
  const names = Object.keys(now).filter((name) => !["texts", "b_texts", "about", "tolerance", ...HANDS].includes(name));
  const changed = names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(now[name]));
  return changed.length > 0 && (!inNumbers || changed.every((name) => typeof now[name] === "number"));
}

// The second configuration's own settings.
function owned(settings) { return Object.fromEntries(OWN.map((name) => [name, settings[`b_${name}`]])); }

function heldOf(key, data, terms) { return { key, data: { data, losses: {}, regularizers: {} }, terms }; }

// What is held of samples that are made here; those facts of a regularizer that depend on the data are found anew.
function made(key, samples, { loss, regularizer }, bound, { signed, names }) {
  const data = { ...samples.data(signed), names, constant: true, test: null };
  return heldOf(key, data, { loss, regularizer: factsAt(regularizer, bound, data) });
}

function nonzeros(values) { return values.reduce((sum, value) => sum + (value !== 0), 0); }
