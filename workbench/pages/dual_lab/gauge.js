// @ts-check
// The gauge and the sum behind it, in numbers and words.

import { numerals } from "../runtime/numerals.js";
import { escaped, formatText, written } from "../runtime/wording.js";

// The gap fills no more of the lens than this; the lens stands still while the interval moves by less than a notch.
const MOST_FILLED = 0.9;
const NOTCH = 0.1;
// Beyond this the ends are told apart by rounding alone; what lies beyond the axis by less than SLACK does so by rounding.
const MOST_POWER = 12;
const SLACK = 1e-9;
const LARGEST_TERMS = 10;

export class Gauge {
  /** @type {any} */ say;
  /** @type {any} */ dual;
  /** @type {any} */ primal;
  /** @type {any} */ gap;
  /** @type {any} */ low;
  /** @type {any} */ width;
  /** @type {any} */ power;
  /** @type {any} */ left;

  /**
   * `curves` are the certificates so far, that of the start first; `texts` the sentences.
   * @param {any[]} curves @param {Record<string, any>} texts
   */
  constructor(curves, texts) {
    this.say = (/** @type {string} */ name, values = {}) => formatText(texts[name], values);
    const start = curves.find(({ primal, dual }) => Number.isFinite(primal) && Number.isFinite(dual));
    let [low, high] = start ? [start.dual, start.primal] : [0, 1];
    let width = high - low;
    if (!(width > 0)) {
      width = Math.abs(high) || 1;
      low -= 0.5 * width;
    }
    const { dual, primal, gap } = curves.at(-1);
    const power = powerOf(gap, width);
    this.dual = dual;
    this.primal = primal;
    this.gap = gap;
    this.low = low;
    this.width = width;
    this.power = power;
    this.left = low;
    if (power) {
      const notch = NOTCH * width * 10 ** -power;
      const middle = (dual - low + 0.5 * gap) / notch;
      this.left = low + notch * (Math.round(middle) - 0.5 / NOTCH);
    }
  }

  /**
   * The places of dual bound and primal on a track, 0 at its beginning and 1 at its end.
   * @param {number} low @param {number} width
   */
  places(low, width) {
    const { dual, primal, gap } = this;
    const start = (dual - low) / width;
    // The gap is a sum that does not cancel, unlike the difference of its ends.
    return [start, Number.isFinite(gap) ? start + gap / width : (primal - low) / width];
  }

  get axis() {
    return this.places(this.low, this.width);
  }

  get lens() {
    return this.places(this.left, this.width * 10 ** -this.power);
  }

  get window() {
    const start = (this.left - this.low) / this.width;
    return [start, start + 10 ** -this.power];
  }

  // Whether the interval goes on to the left of the axis, and to its right.
  get beyond() {
    const [dual, primal] = this.axis;
    return [dual < -SLACK, primal > 1 + SLACK];
  }

  // What `Certainty.draw` takes.
  get shown() {
    const { gap, low, width, power } = this;
    const digits = decimals(gap);
    /** @param {string} name @param {number} value */
    const end = (name, value) => this.say(name, { bound: boundText(value, digits) });
    return {
      axis: percent(this.axis),
      lens: percent(this.lens),
      window: percent(this.window),
      open: this.beyond,
      low: numerals(written(low, ".4g")),
      high: numerals(written(low + width, ".4g")),
      dual: end("dual_end", this.dual),
      primal: end("primal_end", this.primal),
      axis_label: numerals(this.axis_label),
      lens_label: numerals(this.say(power ? "lens" : "no_lens", { times: 10 ** power })),
      sentence: this.sentence,
      why: this.say("why_certain"),
    };
  }

  get sentence() {
    const [dual, primal] = [this.dual, this.primal].map(Number.isFinite);
    if (!dual || !primal) return this.say(primal ? "no_floor" : dual ? "no_ceiling" : "no_ends");
    return this.say("between") + (this.beyond.some(Boolean) ? this.say("beyond") : "");
  }

  get axis_label() {
    if (!Number.isFinite(this.gap) || this.beyond.some(Boolean)) return this.say("no_axis");
    return this.say("axis", { share: (100 * this.gap) / this.width });
  }
}

/**
 * The largest power of ten that leaves the gap within the lens.
 * @param {number} gap @param {number} width
 */
function powerOf(gap, width) {
  if (!(Number.isFinite(gap) && gap > 0)) return 0;
  return Math.min(Math.max(Math.floor(Math.log10((MOST_FILLED * width) / gap)), 0), MOST_POWER);
}

/** @param {any[]} places */
function percent(places) {
  return places.map((place) => 100 * Math.min(Math.max(place, 0), 1));
}

/**
 * Returns the number of decimals such that the ends of the gap differ in two of them.
 * @param {number} gap
 */
export function decimals(gap) {
  return gap > 0 && gap < Infinity ? Math.min(Math.max(1 - Math.floor(Math.log10(gap)), 3), MOST_POWER) : 4;
}

/** @param {number} value @param {number} digits */
export function boundText(value, digits) {
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  return numerals(written(value, Math.abs(value) < 1e6 ? `.${digits}f` : ".4g"));
}

/**
 * The samples with the largest terms, the largest first, none without one.
 * @param {{ sample_terms: any }} fields
 */
export function largestTerms({ sample_terms }) {
  const order = Array.from(sample_terms.keys()).sort((a, b) => sample_terms[b] - sample_terms[a] || a - b);
  return order.slice(0, LARGEST_TERMS).filter((i) => sample_terms[i] !== 0);
}

/**
 * The sum as HTML; `parts` has f and k of the `samples`, in their order.
 * @param {any} certificate
 * @param {any} samples
 * @param {any} fields
 * @param {{ sum: any, columns: any }} others
 * @param {Record<string, any>} texts
 */
export function termsTable(certificate, samples, { value, conjugate }, { sum: formula, columns }, texts) {
  /** @param {any} name @param {any} [values] */
  const say = (name, values = {}) => formatText(texts[name], values);
  const { sample_terms, alpha, z, gap, regularizer_term, primal, dual } = certificate;
  /** @param {any} term */
  const amount = (term) =>
    `<td>${term ? numerals(written(term, ".3e")) : "0"}</td>` +
    `<td>${written(gap > 0 ? (100 * term) / gap : 0, ".1f")} %</td>`;
  const lines = samples.map((/** @type {number} */ i, /** @type {number} */ k) => {
    const cells = [value[k], conjugate[k], alpha[i] * z[i]].map((part) => `<td>${numerals(written(part, ".5g"))}</td>`);
    return `<tr data-sample='${i}'><th scope='row'>${written(i, ",")}</th>${amount(sample_terms[i])}${cells.join("")}</tr>`;
  });
  /** @param {string} name @param {any} term @param {string} [style] @param {string} [part] */
  const summed = (name, term, style = "", part = "") =>
    `<tr class='${style}' data-part='${part}'><th scope='row'>${name}</th>${amount(term)}<td colspan='${texts.heads.length - 3}'></td></tr>`;
  const others = sample_terms.length - samples.length;
  const taken = new Set(samples);
  if (others) {
    const rest = sample_terms.reduce(
      (/** @type {any} */ sum, /** @type {any} */ term, /** @type {number} */ i) => (taken.has(i) ? sum : sum + term),
      0,
    );
    lines.push(summed(say("others", { others }), rest));
  }
  lines.push(summed(say("regularizer"), regularizer_term, "", "regularizer"), summed(say("sum"), gap, "wb-sum"));
  const heads = texts.heads.map((/** @type {HTMLElement} */ head) => `<th scope='col'>${head}</th>`).join("");
  const closing = say("adds_up", { gap, difference: Math.abs(primal - dual - gap) });
  return (
    `<wb-tex>${escaped(formula)}</wb-tex><p>${say("certain")}</p>` +
    `<div class='wb-scroll' tabindex='0' role='region' aria-label='${say("lines")}'>` +
    `<table class='wb-table'><colgroup>${columns}</colgroup><thead><tr>${heads}</tr></thead><tbody>${lines.join("")}</tbody></table></div>` +
    `<p>${numerals(closing)}</p>`
  );
}
