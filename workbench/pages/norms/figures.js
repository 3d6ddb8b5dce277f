// Fills the figures of the page of norms and says its sentences.

import { LiveFigures, MOST_POINTS, spread } from "../runtime/live_figures.js";
import { written } from "../runtime/wording.js";

const CURVES = ["raw", "repaired", "better"];
const POINTS = ["raw_point", "centred_point", "scaled_point"];
// A gap of zero stands so far above the lower end of its axis, which has so many decades at least.
const EDGE = 1.5;
const LEAST_DECADES = 2;
// A number so close to one is told by its distance from it.
const CLOSE = 1e-3;

export class NormsFigures extends LiveFigures {
  /** @type {any} */ colours;
  /** @type {any} */ markers;

  /** @param {any} model @param {any} ids @param {Record<string, any>} texts @param {any} colours */
  constructor(model, ids, texts, colours) {
    super(model, ids, texts);
    this.colours = colours;
    this.markers = ["circle", "diamond", "square"];
  }

  /** @param {any} frame */
  show(frame) {
    this.curves(frame);
    this.weights(frame);
    this.ball(frame);
    this.bisection(frame);
  }

  /** @param {{ curves: any[], last: any }} fields */
  curves({ curves, last }) {
    const kept = spread(curves.length, MOST_POINTS).map((k) => curves[k]);
    const step = kept.map((row) => row.step);
    const gaps = kept.flatMap((row) => [row.repaired, row.better]).filter((gap) => Number.isFinite(gap) && gap > 0);
    this.decades("norm_gaps_y", gaps, 12, LEAST_DECADES);
    const { start, end } = this.of("ranges", "norm_gaps_y");
    const edge = EDGE * start;
    /** @param {number} value */
    const above = (value) => (Number.isFinite(value) ? (value > 0 ? value : edge) : NaN);
    const drawn = Object.fromEntries(CURVES.map((name) => [name, kept.map((row) => above(row[name]))]));
    const primal = kept.map((row) => row.primal);
    const dual = kept.map((row) => row.primal - row.repaired);
    this.fill("curves", { ...drawn, dual, lower: kept.map((row) => row.primal - row.better), step, primal });
    // As wide as the whole run, wherever one looks into it.
    this.range("norm_gaps_x", 0, 1.01 * last || 1);
    /** @param {any} rowsOf @param {number} height */
    const marks = (rowsOf, height) => ({
      step: rowsOf.map((/** @type {Row} */ row) => row.step),
      height: rowsOf.map(() => height),
    });
    this.fill(
      "infinite",
      marks(
        kept.filter((row) => row.raw === Infinity),
        0.7 * end,
      ),
    );
    this.fill(
      "vanished",
      marks(
        kept.filter((row) => row.repaired <= 0),
        edge,
      ),
    );
    this.objective("norm_bounds_y", primal, dual);
  }

  /** @param {{ weights: any }} fields */
  weights({ weights }) {
    const { place, weight, name, group, odd } = weights;
    const { green, blue } = this.colours;
    const colour = odd.map((/** @type {any} */ each) => (each ? green : blue));
    const hatch = odd.map((/** @type {any} */ each) => (each ? "/" : " "));
    this.fill("weights", { place, weight, name, group, colour, hatch });
    this.range("norm_weights_x", -1, name.length);
    this.around("norm_weights_y", weight, 0.08, true);
  }

  /** @param {{ picture: { points: any[], edge: any }, names: string[] }} fields */
  ball({ picture: { points, edge }, names }) {
    const { vermillion, purple, blue } = this.colours;
    const [x, y] = [0, 1].map((k) => points.map((point) => point[k]));
    const says = POINTS.map((name) => this.say(name));
    this.fill("points", { x, y, colour: [vermillion, purple, blue], marker: this.markers, says });
    this.fill("path", { x, y });
    for (const [name, corners] of Object.entries(edge)) this.fill(name, columnsOf(corners));
    const seen = columnsOf([...points, ...edge.through, [-1.05, -1.05], [1.05, 1.05]]);
    /** @param {number[]} values */
    const around = (values) => {
      const low = Math.min(...values);
      const high = Math.max(...values);
      const margin = 0.06 * (high - low);
      return [low - margin, high + margin];
    };
    // The corners of the window decide what is seen.
    this.fill("window", { x: around(seen.x), y: around(seen.y) });
    ["x", "y"].forEach((side, k) =>
      this.of("axes", `ball_${side}`).setv({ axis_label: this.say("axis", { feature: names[k] }) }),
    );
  }

  /** @param {{ picture: { bisection: any }, halving: any }} fields */
  bisection({ picture: { bisection: steps }, halving }) {
    const at = Math.min(halving, Math.max(steps.length - 1, 0));
    const seen = steps.slice(0, at + 1);
    const now = seen.slice(-1);
    /** @param {any} some */
    const ends = (some) => ({
      low: some.map((/** @type {{ low: number }} */ { low }) => low),
      high: some.map((/** @type {{ high: number }} */ { high }) => high),
    });
    this.fill("bracket", { halving: seen.map((/** @type {any} */ _, /** @type {number} */ k) => k), ...ends(seen) });
    this.fill("now", { halving: now.map(() => at), ...ends(now) });
    this.range("bisection_x", -0.7, Math.max(at, 6) + 0.7);
    // The first brackets would press the later ones into a line.
    this.around(
      "bisection_y",
      seen
        .slice(Math.max(0, at - 6))
        .flatMap((/** @type {{ low: number, high: number }} */ { low, high }) => [low, high]),
      0.1,
    );
  }

  /** @param {any} frame */
  captions(frame) {
    const row = frame.rows.at(-1);
    const { primal } = row;
    const { weight, name, alive, groups } = frame.weights;
    const nonzeros = weight.filter((/** @type {number} */ value) => value !== 0).length;
    return {
      norm_gaps: this.gapsSaid(frame, row),
      norm_bounds: this.say("norm_bounds", { lower: primal - row.better, primal, repaired: primal - row.repaired }),
      norm_weights: this.say(nonzeros ? "norm_weights" : "norm_no_weights", {
        nonzeros,
        count: name.length,
        alive,
        groups,
      }),
      ball: this.ballSaid(frame, row),
      bisection: this.halvingSaid(frame),
    };
  }

  /** @param {{ rows: Row[], curves: any[] }} fields @param {Row} row */
  gapsSaid({ rows, curves }, row) {
    const { raw, repaired, better, total, reasons } = row;
    const found = {};
    if (reasons.sum) found.sum = this.say("sum_not_zero", { total });
    if (reasons.outside) found.ball = this.say("outside_the_ball");
    const [first, second] = Object.values(found);
    const reason = second ? this.say("both", found) : first;
    const saidOfRaw = raw === Infinity ? this.say("raw_infinite", { reason }) : this.say("raw_valid", { raw });
    const count = rows.filter((each) => each.raw === Infinity).length;
    const vanished = curves.some((each) => each.repaired <= 0) ? this.say("vanished") : "";
    return this.say("norm_gaps", { said: saidOfRaw, repaired, better, count, size: rows.length, vanished });
  }

  /**
   * How far a number close to one is from it; nothing of others.
   * @param {any} number
   */
  besideOne(number) {
    const distance = Math.abs(number - 1);
    return distance > 0 && distance < CLOSE ? this.say("away", { sign: number > 1 ? "+" : "−", distance }) : "";
  }

  /**
   * So many digits, or the distance from one where they would say 1.
   * @param {any} number @param {number} count
   */
  digits(number, count) {
    return this.besideOne(number) || written(number, `.${count}g`);
  }

  /**
   * @param {{ free: any, is_norm: any, names: string[] }} fields
   * @param {{ total: any, dual_norm: any, scaling: any }} others
   */
  ballSaid({ free, is_norm, names }, { total, dual_norm: size, scaling }) {
    const centred = free ? this.say("centred", { total }) : "";
    if (!is_norm) return this.say("box", { centred });
    const place = this.say(size > 1 ? "outside" : "inside");
    const [first, second] = names;
    const multiple = scaling < 1 ? this.say("multiplied", { scaling: this.digits(scaling, 5) }) : this.say("unchanged");
    return this.say("ball", { centred, size: this.digits(size, 6), place, multiple, first, second });
  }

  /** @param {{ picture: { bisection: any }, halving: any }} fields */
  halvingSaid({ picture: { bisection: steps }, halving }) {
    if (!steps.length) return this.say("no_bisection");
    const at = Math.min(halving, steps.length - 1);
    const step = steps[at];
    if (at === steps.length - 1) return this.say("bisected", { at, high: step.high });
    return this.say("halving", { at, ...step, side: this.say(step.left ? "above" : "below") });
  }

  /** @param {{ rows: Row[], is_norm: any, lam: number, largest: any }} fields */
  statistics({ rows, is_norm, lam, largest }) {
    const { primal, raw, repaired, better, dual_norm: size } = /** @type {any} */ (rows.at(-1));
    const away = is_norm ? this.besideOne(size) : "";
    return this.cards([
      [this.say("number_primal"), written(primal, ".6g"), ""],
      [this.say("number_lower"), written(primal - better, ".6g"), ""],
      [this.say("number_raw"), raw === Infinity ? "∞" : written(raw, ".2e"), ""],
      [this.say("number_repaired"), written(repaired, ".2e"), ""],
      [this.say("number_norm"), is_norm ? written(size, ".5g") : this.say("no_norm"), away && `<em>${away}</em>`],
      [this.say("number_lam"), written(lam, ".4g"), this.note("largest", { largest })],
    ]);
  }
}

/** @param {any[]} points */
function columnsOf(points) {
  return { x: points.map(([x]) => x), y: points.map(([, y]) => y) };
}
