// @ts-nocheck
// Fills the Dual lab's figures from the states of its runs, and says its sentences.

import { frame, visitedColumns, weightColumns } from "../runtime/duality/frame.js";
import { LiveFigures, MOST_POINTS, WORTH_A_TICK, spread } from "../runtime/live_figures.js";
import { numerals } from "../runtime/numerals.js";
import { escaped, written } from "../runtime/wording.js";
import { boundText, decimals } from "./gauge.js";

// A term of the gap below this share of it is not worth a word, and often rounding alone.
const NEGLIGIBLE = 1e-6, ALMOST = 1e-12;
// A drag ends when a slider has rested for this time. The axes that stay during a drag.
const DRAG_MS = 2000;
const STEADY = new Set(["gap_x", "gap_y", "objective_y", "margins_x", "margins_y", "transfer_x", "transfer_y", "weights_y", "duals_y"]);

export class Figures extends LiveFigures {
  // `keys` has what the key of each figure says, of "one" configuration and of "both"; `rules` the formulas of a step.
  constructor(model, ids, texts, { keys, rules }) {
    super(model, ids, texts);
    Object.assign(this, { keys, rules, ghosts: {}, many: "one", fitted: new Map(), held: null, heldAt: -Infinity });
  }

  // While a number is dragged the axes stay as they were before, and grow where a new run needs it.
  hold(isHeld) {
    const now = performance.now();
    if (!isHeld || now - this.heldAt > DRAG_MS) this.held = null;
    if (isHeld) Object.assign(this, { held: this.held ?? new Map(this.fitted), heldAt: now });
  }

  range(name, start, end) {
    const held = STEADY.has(name) ? this.held?.get(name) : null;
    this.fitted.set(name, [start, end]);
    if (held) [start, end] = [Math.min(start, held[0]), Math.max(end, held[1])];
    this.held?.set(name, [start, end]);
    super.range(name, start, end);
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
    if (isDue("transfer_y")) this.transfer(A);
    this.areas(A);
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
    const key = this.keyOf(name);
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
    const unit = A.rows.at(-1).epoch < 1 ? "step" : "epoch";
    // Steps have another axis than epochs.
    if (unit === "step") this.held?.delete("gap_x");
    const [first, second] = [A, B].map((each) => each && drawn(each.rows, unit));
    this.fill("curves", first);
    this.fill("other", second ? { time: second.time, gap: second.gap } : { time: [], gap: [] });
    this.range("gap_x", 0, 1.01 * Math.max(first.time.at(-1), second?.time.at(-1) ?? 0) || 1);
    for (const name of ["gap", "objective"]) this.of("axes", `${name}_x`).setv({ axis_label: unit });
    // Five decades from the start, so that the axis stands still while the gap closes; that of the start is 1 but for rounding.
    const gaps = [...first.gap, ...(second?.gap ?? [])].filter(Number.isFinite);
    this.decades("gap_y", gaps.map((gap) => gap * (1 + ALMOST)), 12, 5);
    this.objective("objective_y", first.primal, first.dual);
  }

  // In the order of the features, those that are zero in view.
  weights({ w, certificate: { v }, problem }, B) {
    const columns = weightColumns(problem.curves, { w, v }), { place, weight, feature } = columns.weights;
    const other = B ? feature.map((j) => B.w[j]) : [];
    for (const [name, data] of Object.entries(columns)) this.fill(name, data);
    this.fill("other_weights", { place: B ? place : [], weight: other });
    this.around("weights_y", [...weight, ...other], 0.08, true);
    this.range("weights_x", -1, place.length);
  }

  // The axes of the figure of the transfer function, whose dots and curve `areas` fills.
  transfer({ w, certificate: { v }, problem: { d } }) {
    if (v === null) return;
    this.around("transfer_x", v.subarray(0, d), 0.08, true);
    this.around("transfer_y", w, 0.1, true);
  }

  // Both curves, the dots of the features, and the areas of what is pointed at or was visited last.
  areas({ w, problem: { curves }, certificate, event }) {
    const [sample = event?.index ?? null] = this.of("sources", "lit").data.sample;
    const [feature = null] = this.of("sources", "pointed").data.feature;
    const ends = (name) => [this.of("ranges", name).start, this.of("ranges", name).end];
    const axes = { left: ends("margins_x"), right: ends("transfer_x") };
    const { columns, numbers } = frame(curves, { certificate: { ...certificate, w }, sample, feature }, axes);
    for (const [name, data] of Object.entries(columns)) this.fill(name, data);
    this.rings(event?.index ?? null, feature);
    return numbers;
  }

  // The sample that was visited last, and the feature that is pointed at, in every figure that draws them.
  rings(sample, feature) {
    const row = (source, key, wanted, names) => {
      const { data } = this.of("sources", source), at = Array.from(data[key]).indexOf(wanted);
      return names.map((name) => (at < 0 ? NaN : data[name][at]));
    };
    const [margin, height] = row("margins", "sample", sample, ["margin", "value"]);
    const [place, value] = row("duals", "sample", sample, ["place", "value"]);
    const [term_place, share] = row("terms", "sample", sample, ["place", "share"]);
    const visited = { margin, value: Number.isNaN(margin) ? value : height, place, term_place, share };
    const [v, weight] = row("transfer", "feature", feature, ["v", "weight"]), [bar] = row("weights", "feature", feature, ["place"]);
    const lit = { feature, v, weight, place: bar };
    const one = (columns, isThere) => Object.fromEntries(Object.entries(columns).map(([name, each]) => [name, isThere ? [each] : []]));
    this.fill("visited", one(visited, sample !== null));
    this.fill("lit_feature", one(lit, feature !== null));
  }

  // The values of lambda that were visited, and the present one.
  visited(visited, lam, name) {
    for (const [source, data] of Object.entries(visitedColumns(visited, name))) this.fill(source, data);
    this.fill("now", { lam: [lam] });
    const all = [...visited.runs.keys()], { loss } = this.of("sources", "held_out").data;
    this.range("path_x", Math.min(...all) / 3, 3 * Math.max(...all));
    this.around("path_y", this.of("sources", "path").data.weight, 0.08, true);
    this.around("held_out_y", loss, 0.1);
  }

  duals({ duals, n }, B) {
    const { place, sample, kind, value } = duals;
    this.fill("duals", { place, sample, kind, value });
    this.fill("other_duals", B ? { place: B.duals.place, value: B.duals.value } : { place: [], value: [] });
    this.around("duals_y", [...value, ...(B?.duals.value ?? [])], 0.1, true);
    this.range("duals_x", -0.02 * n - 1, 1.02 * n);
    this.of("axes", "duals_y").setv({ axis_label: duals.margin ? "α·y" : "α" });
  }

  margins({ duals: { at, value, sample, kind, margin, place }, certificate: { sample_terms }, problem: { data: { y }, n } }) {
    const label = sample.map((i) => (margin && y[i] < 0 ? "−1" : "+1")), area = sample.map((i) => n * sample_terms[i]);
    this.fill("margins", { margin: at, value, sample, kind, label, place, area });
    this.around("margins_x", at, 0.08, true);
    this.around("margins_y", value, 0.1, true);
    this.of("axes", "margins_x").setv({ axis_label: margin ? "margin y·f(x); ● y = +1, ▲ y = −1" : "residual f(x) − y" });
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

  captions({ row, duals, terms, n, d, problem }, B, saddle, numbers, [score], visited) {
    const gap = (mark, of) => this.say("gap", { mark, gap: of.gap, elapsed: this.elapsed(of) });
    const nonzeros = this.say("nonzeros", { nonzeros: row.nonzeros, d });
    const found = {
      gap: B ? `${gap("A: ", row)} ${gap("B: ", B.row)}` : gap("The gap is ", row),
      objective: this.say("objective", row),
      weights: (B ? this.say("both", { nonzeros, other: B.row.nonzeros }) : this.say("hollow", numbers)) + this.scored(score),
      transfer: this.transferSaid(numbers, problem.curves.regularizer),
      path: this.say("visited", { count: visited.runs.size }), held_out: this.say(score === null ? "no_held_out" : "visited_score", { count: visited.runs.size }),
      duals: this.say("support", { support: row.support, n, bound: duals.bound, free: duals.free }) + (B ? this.say("second", B.row) : ""),
      margins: this.say("hold", { support: row.support, n, bound: duals.bound, free: duals.free }) + this.areaSaid(numbers, problem.curves.loss),
      terms: this.termsSaid(terms, row.gap),
    };
    if (saddle) found.saddle = this.say("saddle", saddle);
    return found;
  }

  scored(score) { return score === null ? "" : this.say("score", { score: 100 * score }); }

  // The term of the sample whose area is shaded, beside the mean of all.
  areaSaid({ left }, loss) {
    if (!left) return "";
    if (left.isInfinite) return this.say("area_infinite", left);
    return this.say(loss ? "area" : "area_number", left) + (left.isCut ? this.say("area_cut") : "");
  }

  transferSaid({ zeros, d, right, isLeftAlone }, regularizer) {
    const curve = this.say(!regularizer ? "no_curve" : regularizer.flats.length ? "on_curve" : "no_flat", { zeros, d });
    return curve + (right && !isLeftAlone ? this.say("right_area", right) : this.say(isLeftAlone ? "left_alone" : "right_too"));
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

  // The formula with the numbers of each configuration, which are those of its curves.
  formula(A, B) {
    const line = ({ row: { primal, dual, gap, relative_gap } }, name) => {
      const digits = decimals(gap), number = (kind, text) => `<b class='${kind}' data-number='${kind}'>${text}</b>`;
      const isClose = relative_gap <= WORTH_A_TICK;
      return `<div class='wb-formula'>${name ? `<b>${name}</b>` : ""}${this.say("primal_formula")} ` +
        `${number("primal", boundText(primal, digits))} <span>${this.say("at_least")}</span> ${number("dual", boundText(dual, digits))} ` +
        `${this.say("dual_formula")} ${this.say("gap_name")} ${number("gap", Number.isFinite(gap) ? numerals(written(gap, ".2e")) : "∞")} ` +
        `<em class='${isClose ? "" : "open"}'>${numerals(this.promise(relative_gap))}</em></div>`;
    };
    return B ? line(A, "A") + line(B, "B") : line(A, "");
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
      `<span class='wb-source'>${escaped(this.boundSaid(event))}</span>` +
      `<div class='wb-source'>${escaped(source + (isBounded ? this.say("bounded") : ""))}</div>`;
  }

  // The dual objective is minimized, so that the bound, its negative, rises by as much as it falls.
  boundSaid({ dual_change: change }) {
    return this.say(change < 0 ? "rises" : change > 0 ? "falls" : "stays", { change: Math.abs(change) });
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
