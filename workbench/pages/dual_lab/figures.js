// @ts-nocheck
// Fills the Dual lab's figures from the states of its runs, and says its sentences.

import { deep } from "../runtime/deep.js";
import { LiveFigures, MOST_POINTS, spread } from "../runtime/live_figures.js";
import { escaped, written } from "../runtime/wording.js";

// A term of the gap below this share of it is not worth a word, and often rounding alone.
const NEGLIGIBLE = 1e-6, ALMOST = 1e-12;

export class Figures extends LiveFigures {
  // `keys` has what the key of each figure says, of "one" configuration and of "both"; `rules` the formulas of a step.
  constructor(model, ids, texts, { keys, rules }) {
    super(model, ids, texts);
    Object.assign(this, { keys, rules, ghosts: {}, many: "one" });
  }

  // The first configuration and the second, null where there is none. While a run goes on, figures that are folded away
  // stand still.
  show(A, B, isRunning) {
    this.legend(B ? "both" : "one");
    this.curves(A, B);
    const isDue = (name) => !isRunning || this.isShown(name);
    if (isDue("weights_y")) this.weights(A, B);
    if (isDue("duals_y")) this.duals(A, B);
    if (isDue("margins_y")) this.margins(A);
    if (isDue("terms_y")) this.terms(A);
  }

  // The keys of the figures, where other configurations are drawn than before.
  legend(many) {
    if (this.many === many) return;
    this.many = many;
    for (const name of Object.keys(this.keys.one)) this.key(name, this.ghosts[name] ?? "");
  }

  key(name, ghost) {
    this.ghosts[name] = ghost;
    const [button] = deep(`[data-figure="${name}"]`), key = button?.closest(".wb-head").querySelector(".wb-key");
    const own = this.keys[this.many][name] ?? "";
    if (key) key.innerHTML = (ghost && !own ? this.keys.now : own) + ghost;
  }

  terms({ terms: { place, sample, kind, share, dual_place, dual } }) {
    this.fill("terms", { place, sample, kind, share, dual_place, dual });
    if (share.length) {
      this.range("terms_x", -0.02 * share.length, 1.02 * share.length + 1);
      this.decades("terms_y", share, 6, 3);
    }
  }

  // The whole of a run, wherever one looks into it.
  curves(A, B) {
    // The first epoch is looked at step by step.
    const unit = A.rows.at(-1).epoch < 1 ? "step" : "epoch", [first, second] = [A, B].map((each) => each && drawn(each.rows, unit));
    this.fill("curves", first);
    this.fill("other", second ? { time: second.time, gap: second.gap } : { time: [], gap: [] });
    this.range("gap_x", 0, 1.01 * Math.max(first.time.at(-1), second?.time.at(-1) ?? 0) || 1);
    for (const name of ["gap", "objective"]) this.of("axes", `${name}_x`).setv({ axis_label: unit });
    // Five decades from the start, so that the axis stands still while the gap closes; that of the start is 1 but for rounding.
    const gaps = [...first.gap, ...(second?.gap ?? [])].filter(Number.isFinite);
    this.decades("gap_y", gaps.map((gap) => gap * (1 + ALMOST)), 12, 5);
    this.objective("objective_y", first.primal, first.dual);
  }

  weights({ weights }, B) {
    const other = B ? weights.place.map((_, k) => B.w[weights.features[k]]) : [], { place, weight, name } = weights;
    this.fill("weights", { place, weight, name });
    this.fill("other_weights", { place: B ? place : [], weight: other });
    this.around("weights_y", [...weight, ...other], 0.08, true);
    this.range("weights_x", -1, name.length);
  }

  duals({ duals, n }, B) {
    const { place, sample, kind, value } = duals;
    this.fill("duals", { place, sample, kind, value });
    this.fill("other_duals", B ? { place: B.duals.place, value: B.duals.value } : { place: [], value: [] });
    this.around("duals_y", [...value, ...(B?.duals.value ?? [])], 0.1, true);
    this.range("duals_x", -0.02 * n - 1, 1.02 * n);
    this.of("axes", "duals_y").setv({ axis_label: duals.margin ? "α·y" : "α" });
  }

  margins({ duals: { at, value, sample, kind, margin } }) {
    this.fill("margins", { margin: at, value, sample, kind });
    this.around("margins_x", at, 0.08, true);
    this.around("margins_y", value, 0.1, true);
    this.of("axes", "margins_x").setv({ axis_label: margin ? "margin y·f(x)" : "residual f(x) − y" });
    this.of("axes", "margins_y").setv({ axis_label: margin ? "α·y" : "α" });
  }

  saddle({ weight, dual, surface, valley, ridge, point, name, sample }) {
    const source = this.of("sources", "surface"), { image } = source.data;
    // The picture keeps its array, which knows its two sides.
    image[0].set(surface.flat());
    source.setv({ data: {
      image, x: [weight[0]], y: [dual[0]], dw: [weight.at(-1) - weight[0]], dh: [dual.at(-1) - dual[0]],
    } });
    source.change.emit();
    const heights = surface.flat().filter(Number.isFinite).map(Math.abs).sort((a, b) => a - b);
    const place = 0.8 * (heights.length - 1), under = Math.floor(place);
    const above = heights[Math.min(under + 1, heights.length - 1)];
    const height = heights.length ? heights[under] + (place - under) * (above - heights[under]) : 1;
    this.of("mappers", "heights").setv({ low: -height || -1, high: height || 1 });
    this.fill("valley", { weight: valley, dual });
    this.fill("ridge", { weight, dual: ridge });
    this.fill("point", { weight: [point[0]], dual: [point[1]] });
    this.range("saddle_x", weight[0], weight.at(-1));
    this.range("saddle_y", dual[0], dual.at(-1));
    this.of("axes", "saddle_x").setv({ axis_label: `weight of “${name}”` });
    this.of("axes", "saddle_y").setv({ axis_label: `α of sample ${written(sample, ",")}` });
  }

  captions({ row, weights, duals, terms, n, d }, B, saddle) {
    const gap = (mark, of) => this.say("gap", { mark, gap: of.gap, elapsed: this.elapsed(of) });
    const nonzeros = this.say("nonzeros", { nonzeros: row.nonzeros, d });
    const found = {
      gap: B ? `${gap("A: ", row)} ${gap("B: ", B.row)}` : gap("The gap is ", row),
      objective: this.say("objective", row),
      weights: B ? this.say("both", { nonzeros, other: B.row.nonzeros }) : this.say("drawn", { nonzeros, drawn: weights.name.length }),
      duals: this.say("support", { support: row.support, n, bound: duals.bound, free: duals.free }) + (B ? this.say("second", B.row) : ""),
      margins: this.say("margins"), terms: this.termsSaid(terms, row.gap),
    };
    if (saddle) found.saddle = this.say("saddle", saddle);
    return found;
  }

  termsSaid(terms, gap) {
    if (!terms.share.length) return this.say(gap < 1 ? "no_terms" : "infinite");
    const half = terms.half > 1 ? this.say("many", terms) : this.say("one");
    const rest = terms.rest > NEGLIGIBLE * gap ? this.say("rest", terms) : "";
    return this.say("terms", { sample: terms.sample[0], share: (100 * terms.share[0]) / gap, half, rest });
  }

  // How the runs stand: two that have not come to the same end are not to be compared without a word. A status is null,
  // and `open` in its place, where a run has not ended.
  standing(rows, statuses, open, tolerance) {
    const found = statuses.map((status) => status ?? open);
    const told = rows.map((row, k) => this.say(found[k], { elapsed: this.elapsed(row), tolerance, ...row }));
    return new Set(found).size === 1 ? told[0] : `A: ${told[0]} B: ${told[1]}`;
  }

  // The row of numbers above the figures, the second configuration's below; a score is null without held-out samples.
  statistics({ row, n, d }, B, [score, other]) {
    const of = (total) => `<span>of ${written(total, ",")}</span>`, tested = (value) => (value === null ? "none" : `${written(100 * value, ".2f")} %`);
    const entries = [
      ["primal", ({ primal }) => written(primal, ".5g"), ""], ["dual bound", ({ dual }) => written(dual, ".5g"), ""],
      ["duality gap", ({ gap }) => written(gap, ".2e"), `<em>${this.promise(row.relative_gap)}</em>`],
      ["non-zeros", ({ nonzeros }) => written(nonzeros, ","), of(d)], ["support", ({ support }) => written(support, ","), of(n)],
      ["test accuracy", (_, value) => tested(value), ""],
    ];
    return this.cards(entries.map(([name, value, note]) => (
      [name, value(row, score), note + (B ? `<span class=b>B ${value(B.row, other)}</span>` : "")])));
  }

  // The last step: its rule with its numbers put in.
  why({ event, step, y, solver, lam_n, quadratic, closed }) {
    if (!event) return `<div class='wb-note'>${this.say("nothing_yet")}</div>`;
    const { rules } = this, { update } = solver, isBounded = update === "bounded";
    const own = isBounded || (update === "exact" && quadratic);
    const [formula, source] = { gradient: rules.gradient, newton: rules.newton }[update] ?? (own ? closed : rules.search);
    const title = this.say("step", { step, index: event.index, y });
    const clipped = event.alpha_free !== event.alpha_after;
    const badge = clipped ? this.say("clipped", { value: event.alpha_after })
      : this.say(event.alpha_after === event.alpha_before ? "optimal" : "inside");
    const lines = [formula, ...this.numbers(event, solver, lam_n, isBounded, quadratic)];
    return `<div class='wb-note'>${escaped(title)}</div>` +
      lines.map((line) => `<wb-tex>${escaped(line)}</wb-tex>`).join("") +
      `<span class='wb-badge ${clipped ? "clip" : "free"}'>${escaped(badge)}</span> ` +
      `<span class='wb-source'>${escaped(this.say("dual", { change: event.dual_change }))}</span>` +
      `<div class='wb-source'>${escaped(source + (isBounded ? this.say("bounded") : ""))}</div>`;
  }

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

// A number in LaTeX, with a power of ten where it is very small or large.
function latex(value) {
  if (!Number.isFinite(value)) return value > 0 ? "\\infty" : "-\\infty";
  if (value !== 0 && !(Math.abs(value) >= 1e-4 && Math.abs(value) < 1e5)) {
    const [mantissa, exponent] = written(value, ".3e").split("e");
    return `${mantissa}\\cdot 10^{${Number(exponent)}}`;
  }
  return written(value, ".4f").replace(/0+$/, "").replace(/\.$/, "");
}

// Curves as they are drawn: at most so many points, what is not finite or not positive left out.
function drawn(rows, unit) {
  const kept = spread(rows.length, MOST_POINTS).map((k) => rows[k]), finite = (value) => (Number.isFinite(value) ? value : NaN);
  return {
    time: kept.map((row) => row[unit]), primal: kept.map((row) => finite(row.primal)), dual: kept.map((row) => finite(row.dual)),
    gap: kept.map(({ gap }) => (gap > 0 && Number.isFinite(gap) ? gap : NaN)),
  };
}
