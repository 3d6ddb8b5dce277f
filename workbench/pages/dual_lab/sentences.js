// What the Dual lab says below its figures, and in words beside them.

import { LiveFigures, WORTH_A_TICK } from "../runtime/live_figures.js";
import { numerals } from "../runtime/numerals.js";
import { escaped, written } from "../runtime/wording.js";
import { boundText, decimals } from "./gauge.js";
import { scoreOf } from "./state.js";

// A term of the gap below this share of it is not worth a word, and often rounding alone.
const NEGLIGIBLE = 1e-6;
export const ALMOST = 1e-12;

/**
 * A number in LaTeX, with a power of ten where it is very small or large.
 * @param {number} value
 */
function latex(value) {
  if (!Number.isFinite(value)) return value > 0 ? "\\infty" : "-\\infty";
  if (value !== 0 && !(Math.abs(value) >= 1e-4 && Math.abs(value) < 1e5)) {
    const [mantissa, exponent] = written(value, ".3e").split("e");
    return `${mantissa}\\cdot 10^{${Number(exponent)}}`;
  }
  return written(value, ".4f").replace(/0+$/, "").replace(/\.$/, "");
}

/** @typedef {import("./lab_track.js").State} State */
/** @typedef {import("./lab_track.js").Step} Step */

export class Sentences extends LiveFigures {
  /** @type {any} */ rules;

  /**
   * Returns the captions of the figures without areas; `areaLines` has the others.
   * @param {State} A
   * @param {State | null} B
   * @param {any} saddle
   * @param {any} visited
   */
  captions({ row, duals, terms, n, d, problem, certificate }, B, saddle, visited) {
    /** @param {string} mark @param {any} of */
    const gap = (mark, of) => this.say("gap", { mark, gap: of.gap, elapsed: this.elapsed(of) });
    const nonzeros = this.say("nonzeros", { nonzeros: row.nonzeros, d });
    const score = scoreOf(problem, certificate);
    const zeros = this.say("hollow", { zeros: d - row.nonzeros, d });
    const count = visited?.runs.size ?? 0;
    /** @type {Record<string, string>} */
    const lines = {
      gap: B ? `${gap("A: ", row)} ${gap("B: ", B.row)}` : gap("The gap is ", row),
      objective: this.say(Number.isFinite(row.gap) ? "objective" : "infinite", row),
      weights: (B ? this.say("both", { nonzeros, other: B.row.nonzeros }) : zeros) + this.scored(score),
      path: this.say("visited", { count }),
      held_out: this.say(score === null ? "no_held_out" : "visited_score", { count }),
      duals:
        this.say("support", { support: row.support, n, bound: duals.bound, free: duals.free }) +
        (B ? this.say("second", B.row) : ""),
      terms: this.termsSaid(terms, row.gap),
    };
    if (saddle) lines.saddle = this.say("saddle", saddle);
    return lines;
  }

  /**
   * Returns the captions of both curves.
   * @param {State} A
   * @param {any} numbers - of the areas
   */
  areaLines({ row: { support }, duals: { bound, free }, n, problem: { curves } }, numbers) {
    return {
      margins: this.say("hold", { support, n, bound, free }) + this.areaSaid(numbers, curves.loss),
      transfer: this.transferSaid(numbers, curves.regularizer),
    };
  }

  /** @param {number | null} score */
  scored(score) {
    return score === null ? "" : this.say("score", { score: 100 * score });
  }

  /**
   * The term of the sample whose area is shaded, beside the mean of all.
   * @param {Record<string, any>} fields @param {any} loss
   */
  areaSaid({ left }, loss) {
    if (!left) return "";
    if (left.isInfinite) return this.say("area_infinite", left);
    return this.say(loss ? "area" : "area_number", left) + (left.isCut ? this.say("area_cut") : "");
  }

  /** @param {Record<string, any>} fields @param {any} regularizer */
  transferSaid({ zeros, d, right, isLeftAlone }, regularizer) {
    const curve = this.say(!regularizer ? "no_curve" : regularizer.flats.length ? "on_curve" : "no_flat", { zeros, d });
    return (
      curve +
      (right && !isLeftAlone ? this.say("right_area", right) : this.say(isLeftAlone ? "left_alone" : "right_too"))
    );
  }

  /** @param {any} terms @param {number} gap */
  termsSaid(terms, gap) {
    if (!terms.share.length) return this.say(gap < 1 ? "no_terms" : "infinite");
    const half = terms.half > 1 ? this.say("many", terms) : this.say("one");
    const rest = terms.rest > NEGLIGIBLE * gap ? this.say("rest", terms) : "";
    return this.say("terms", { sample: terms.sample[0], share: (100 * terms.share[0]) / gap, half, rest });
  }

  /**
   * How the runs stand: two that have not come to the same end are not to be compared without a word. A status is null,
   * and `open` in its place, where a run has not ended.
   * @param {Row[]} rows @param {{ status: any, reason: string }[]} runs @param {any} open @param {number} tolerance
   */
  standing(rows, runs, open, tolerance) {
    const ends = runs.map(({ status }) => status ?? open);
    const sentences = rows.map((row, k) =>
      this.say(ends[k], { elapsed: this.elapsed(row), tolerance, reason: runs[k].reason, ...row }),
    );
    return new Set(ends).size === 1 ? sentences[0] : `A: ${sentences[0]} B: ${sentences[1]}`;
  }

  /**
   * The formula with the numbers of each configuration, which are those of its curves.
   * @param {State} A @param {State | null} B
   */
  formula(A, B) {
    /** @param {State} fields @param {string} name */
    const line = ({ row: { primal, dual, gap, relative_gap } }, name) => {
      const digits = decimals(gap);
      /** @param {string} kind @param {string} text */
      const number = (kind, text) => `<b class='${kind}' data-number='${kind}'>${text}</b>`;
      const isClose = relative_gap <= WORTH_A_TICK;
      return (
        `<div class='wb-formula'>${name ? `<b>${name}</b>` : ""}${this.say("primal_formula")} ` +
        `${number("primal", boundText(primal, digits))} <span>${this.say("at_least")}</span> ${number("dual", boundText(dual, digits))} ` +
        `${this.say("dual_formula")} ${this.say("gap_name")} ${number("gap", Number.isFinite(gap) ? numerals(written(gap, ".2e")) : "∞")} ` +
        `<em class='${isClose ? "" : "open"}'>${numerals(this.promise(relative_gap))}</em></div>`
      );
    };
    return B ? line(A, "A") + line(B, "B") : line(A, "");
  }

  /**
   * The last step: its rule with its numbers put in.
   * @param {Record<string, any>} fields
   */
  why({ event, step, y, solver, lam_n, quadratic, closed }) {
    if (!event) return `<div class='wb-note'>${this.say("nothing_yet")}</div>`;
    const { rules } = this;
    const { update } = solver;
    const isBounded = update === "bounded";
    const own = isBounded || (update === "exact" && quadratic);
    const [formula, source] =
      /** @type {Record<string, any>} */ ({ gradient: rules.gradient, newton: rules.newton })[update] ??
      (own ? closed : rules.search);
    const title = this.say("step", { step, index: event.index, y });
    const clipped = event.alpha_free !== event.alpha_after;
    const badge = clipped
      ? this.say("clipped", { value: event.alpha_after })
      : this.say(event.alpha_after === event.alpha_before ? "optimal" : "inside");
    const lines = [formula, ...this.numbers(event, solver, lam_n, isBounded, quadratic)];
    return (
      `<div class='wb-note'>${escaped(title)}</div>` +
      lines.map((line) => `<wb-tex>${escaped(line)}</wb-tex>`).join("") +
      `<span class='wb-badge ${clipped ? "clip" : "free"}'>${escaped(badge)}</span> ` +
      `<span class='wb-source'>${escaped(this.boundSaid(event))}</span>` +
      `<div class='wb-source'>${escaped(source + (isBounded ? this.say("bounded") : ""))}</div>`
    );
  }

  /**
   * The dual objective is minimized, so that the bound, its negative, rises by as much as it falls.
   * @param {Step} event
   */
  boundSaid({ dual_change: change }) {
    return this.say(change < 0 ? "rises" : change > 0 ? "falls" : "stays", { change: Math.abs(change) });
  }

  /**
   * @param {Step} event
   * @param {{ update: any, scale: number, eta: any }} fields
   * @param {any} lamN
   * @param {boolean} isBounded
   * @param {any} quadratic
   */
  numbers(event, { update, scale, eta }, lamN, isBounded, quadratic) {
    const lines = [`c_2 = w\\cdot x_i = ${latex(event.prediction)}`];
    if (update === "gradient") {
      const step = scale * eta * lamN;
      lines.push(`t\\,\\eta\\,\\lambda n = ${latex(step)}`);
      lines.push(`-k' + c_2 = ${latex((event.alpha_before - event.alpha_free) / step)}`);
    } else {
      const [bounded, parabola, bent] = this.rules.curvatures;
      lines.push(`c_1 = ${isBounded ? bounded : quadratic ? parabola : bent} = ${latex(event.curvature)}`);
    }
    lines.push(`\\alpha_i: ${latex(event.alpha_before)} \\to ${latex(event.alpha_free)}`);
    if (event.alpha_free !== event.alpha_after) lines.push(`\\text{clipped to } ${latex(event.alpha_after)}`);
    return lines;
  }
}
