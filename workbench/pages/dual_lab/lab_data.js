// The data and the problems of the Dual lab: a source, points by hand or a visitor's own file.

import { lossPair, mirrored, regularizerPair } from "../runtime/duality/pair.js";
import { carried } from "../runtime/live_plane.js";
import { painted } from "../runtime/painter.js";
import { writePoints } from "../runtime/plane_hand.js";
import { TrackedPage } from "../runtime/tracked_page.js";
import { opened } from "../wasm/javascript/page.js";
import { CustomData, PlaneSamples, factsAt } from "./custom_data.js";
import { CustomFile, plainName } from "./custom_file.js";

// What the second configuration has of its own, and what does not change the problem.
const OWN = ["loss", "regularizer", "lam", "update", "scale", "texts", "signed"];
export const HANDS = ["adds", "brush"];

/**
 * @typedef {object} Begun - a run that is to begin
 * @property {string} name - "A" or "B"
 * @property {Settings} settings - with the points that are placed by hand
 * @property {{ lam: number, seed: number, solver: Facts, alpha: Float64Array | null }} problem
 */

/**
 * What tells problems apart.
 * @param {Settings} settings
 */
export function problemOf(settings) {
  return JSON.stringify(settings, (name, value) => (HANDS.includes(name) ? undefined : value));
}

/**
 * The second configuration's own settings.
 * @param {Settings} settings
 */
function owned(settings) {
  return Object.fromEntries(OWN.map((name) => [name, settings[`b_${name}`]]));
}

/** @param {string} key @param {any} data @param {any} terms */
function heldOf(key, data, terms) {
  return { key, data: { data, losses: {}, regularizers: {} }, terms };
}

/**
 * What is held of samples that are made here; those facts of a regularizer that depend on the data are found anew.
 * @param {string} key
 * @param {any} samples
 * @param {{ loss: any, regularizer: any }} fields
 * @param {any} bound
 * @param {{ signed: any, names: string[] }} others
 */
function made(key, samples, { loss, regularizer }, bound, { signed, names }) {
  const data = { ...samples.data(signed), names, constant: true, test: null };
  return heldOf(key, data, { loss, regularizer: factsAt(regularizer, bound, data) });
}

export class LabData extends TrackedPage {
  /** @type {any} */ own = null;
  files = 0;
  /** @type {Map<any, any>} */ texts = new Map();
  /** @type {any} */ present = null;
  /** @type {Record<string, Float64Array | null>} */ alphas = {};
  /** @type {Record<string, import("./frame.js").Pictured>} */ pictured = {};
  askedFor = "";
  edits = false;
  dragged = false;
  /** @type {any} */ looked;
  /** @type {any} */ pictureOfPoints;
  /** @type {any} */ points;
  /** @type {any} */ certainty;
  /** @type {Map<any, any>} */ pairs = new Map();
  /** @type {any} */ scalars = null;
  /** @type {any} */ visited = null;
  /** @type {any} */ zone;
  /** @type {any} */ stood;
  /** @type {any} */ wasPlane;
  /** @type {any} */ spots;
  /** @type {any} */ saidOfPoints;
  /** @type {any} */ later;
  /** @type {any} */ drawn;
  /** @type {import("./lab_track.js").State | undefined} */ drawnState;
  /** @type {any} */ gauge;

  /** @param {Settings} settings */
  inPlane(settings) {
    return this.own === null && this.page.plane !== null && settings.source === this.page.plane.name;
  }

  /**
   * A problem begins at zero or, where points were edited, at the dual variables that there were.
   * @param {Settings} settings
   */
  wanted(settings) {
    const pair = settings.compare ? { A: settings, B: { ...settings, ...owned(settings) } } : { A: settings };
    const spots = this.inPlane(settings) ? this.points.placed(this.page.plane.clouds[settings.cloud]) : null;
    this.spots = spots;
    return Object.entries(pair).map(([name, each]) => {
      const { lam, seed } = each;
      const before = this.edits && this.present && this.alphas[name];
      const alpha = before ? carried(this.present, spots, before) : null;
      const points = spots ? writePoints(spots, this.points.half_width) : "";
      return { name, settings: { ...each, points }, problem: { lam, seed, solver: this.solver(each), alpha } };
    });
  }

  /** @param {{ update: any, order: any, scale: number, eta: any }} fields */
  solver({ update, order, scale, eta }) {
    return { ...this.page.solver, update, order, scale, eta };
  }

  /** @param {Settings} settings */
  signed(settings) {
    return settings.signed ?? this.term("regularizer", settings).signed;
  }

  // Pictures take the data and the facts of the terms also where the server computes.
  get drawsData() {
    return true;
  }

  /**
   * What a file has packed, and what is made here: the data of a visitor's file and of points. Else the server gives it.
   * @param {Settings} settings
   */
  given(settings) {
    if (this.page.terms) return this.packed(settings);
    return this.inPlane(settings) ? this.placed(settings) : null;
  }

  /** @param {Settings} settings */
  async packed(settings) {
    const { own } = this;
    const loss = this.term("loss", settings);
    const regularizer = this.term("regularizer", settings);
    if (own && !this.fits(own, settings.loss)) throw new Error(this.unfit(own, settings.loss));
    const { sources } = this.page;
    const place = this.page.controls.source.values.indexOf(settings.source);
    // An own file borrows the facts of the terms, which the first data have as well as the others.
    const source = sources[own ? 0 : place];
    const sides = regularizer.signed ? "signed" : "plain";
    const text = source.facts[sides];
    const key = `${own ? `file ${own.turn}` : place} ${sides} ${settings.points}`;
    if (!this.texts.has(text))
      this.say(this.figures.say("loading", { source: own ? own.name : settings.source }), false, "loading");
    const [{ data, losses, regularizers }, test] = await Promise.all([
      this.unpacked(text),
      source.test && !own ? this.unpacked(source.test) : null,
    ]);
    const facts = {
      loss: { ...losses[loss.name], closed: loss.closed, rests: loss.rests },
      regularizer: { ...regularizers[regularizer.name], rests: regularizer.rests },
    };
    const { names, constant } = own ? { names: own.names, constant: true } : source;
    const samples = own ?? this.samples(settings);
    if (!samples) return heldOf(key, { ...data, names, constant, test }, facts);
    return made(key, samples, facts, regularizer.bound, { signed: regularizer.signed, names });
  }

  /**
   * Points, whose terms are those of the points to begin with but for what depends on the data.
   * @param {Settings} settings
   */
  async placed(settings) {
    const { source, signed, texts } = settings;
    const { cloud, names } = this.page.plane;
    const facts = await this.host.ask("terms", { source, signed, cloud, points: "", ...texts });
    return made(settings.points + signed, this.samples(settings), facts, facts.regularizer.bound, { signed, names });
  }

  /** @param {Settings} settings */
  samples(settings) {
    return this.inPlane(settings) ? new PlaneSamples(this.spots) : null;
  }

  /**
   * What a text holds; a point that is dragged asks for it twenty times a second.
   * @param {string} text
   */
  unpacked(text) {
    if (!this.texts.has(text)) this.texts.set(text, opened(text));
    return this.texts.get(text);
  }

  /**
   * Return the pairs of a loss and a regularizer, null without a curve; a pair is made once.
   * @param {{ loss: any, regularizer: any }} fields @param {any} embedded
   */
  pairsOf({ loss, regularizer }, embedded) {
    const { scalars } = this;
    if (!scalars) return { loss: null, regularizer: null };
    /** @param {any} make @param {Facts} facts */
    const once = (make, facts) => {
      const key = `${facts.functions} ${Array.from(facts.theta)} ${facts.weights?.length}`;
      if (!this.pairs.has(key)) this.pairs.set(key, make(scalars, facts));
      return this.pairs.get(key);
    };
    const one = once(regularizerPair, regularizer);
    return { loss: once(lossPair, loss), regularizer: one && embedded ? mirrored(one) : one };
  }

  // What `PlanePoints` asks of a page.
  drag() {
    this.edits = true;
    this.dragged = true;
    return this.restart(false);
  }

  edited() {
    this.edits = true;
    this.dragged = false;
    return this.restart();
  }

  /**
   * A file in place of the data; one that is refused leaves everything as it was. The last one counts.
   * @param {any} file
   */
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
      if (turn === this.files) this.zone.say(/** @type {Error} */ (error).message, true);
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

  /**
   * The chosen loss, or the first one that the labels suit.
   * @param {any} own
   */
  chooseLoss(own) {
    const { values } = this.page.controls.loss;
    const { loss } = this.settings;
    if (this.fits(own, loss)) return;
    const place = values.findIndex((/** @type {any} */ each) => this.fits(own, each));
    if (place < 0) throw new Error(this.unfit(own, loss));
    this.boxes.loss.selectedIndex = place;
  }

  /**
   * A loss of margins takes two classes only.
   * @param {any} own @param {any} loss
   */
  fits(own, loss) {
    return own.classes !== null || !this.page.terms.loss[loss].margin;
  }

  /** @param {{ name: string }} fields @param {any} loss */
  unfit({ name: where }, loss) {
    const { terms, own } = this.page;
    const suits = Object.keys(terms.loss).find((each) => !terms.loss[each].margin);
    const fix = this.figures.say(suits ? "custom_choose" : "custom_export", { loss: suits ?? own.regression });
    return this.figures.say("custom_margin", { where, loss, fix });
  }
}
