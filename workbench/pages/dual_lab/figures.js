// Fills the Dual lab's Bokeh figures from a frame and says its sentences: as `figures.py` and `cards.py` do.

// A term of the gap below this share of it is not worth a word, and often rounding alone.
const NEGLIGIBLE = 1e-6;

class Figures extends LiveFigures {
  // The run and its state; what tells of the gap's parts follows with `parts`, once these are painted. While a run
  // goes on, figures that are folded away stand still.
  show(frame, runs = false) {
    this.curves(frame);
    if (!runs || this.is_shown("weights_y")) this.weights(frame);
    if (!runs || this.is_shown("duals_y")) this.duals(frame);
  }

  parts(frame, saddle, runs = false) {
    if (!runs || this.is_shown("terms_y")) this.terms(frame);
    if (saddle) this.saddle(saddle);
  }

  terms({ terms: { place, sample, kind, share, dual_place, dual } }) {
    this.fill("terms", { place, sample, kind, share, dual_place, dual });
    if (share.length) {
      this.range("terms_x", -0.02 * share.length, 1.02 * share.length + 1);
      this.decades("terms_y", share, 6, 3);
    }
  }

  curves({ curves, last }) {
    const unit = curves.at(-1).epoch < 1 ? "step" : "epoch";
    const kept = spread(curves.length, MOST_POINTS).map((k) => curves[k]);
    const finite = (value) => (Number.isFinite(value) ? value : NaN);
    const columns = {
      time: kept.map((row) => row[unit]), primal: kept.map((row) => finite(row.primal)),
      dual: kept.map((row) => finite(row.dual)),
      gap: kept.map(({ gap }) => (gap > 0 && Number.isFinite(gap) ? gap : NaN)),
    };
    this.fill("curves", columns);
    // As wide as the whole run, wherever one looks into it.
    this.range("time", 0, 1.01 * last[unit] || 1);
    for (const name of ["gap", "objective"]) this.of("axes", `${name}_x`).setv({ axis_label: unit });
    this.decades("gap_y", columns.gap.filter(Number.isFinite), 12, 5);
    this.objective("objective_y", columns.primal, columns.dual);
  }

  // Keeps the gap of a run that is left, as time_marks.py does; what the key says of it.
  haunt(rows) {
    const kept = spread(rows.length, MOST_POINTS).map((k) => rows[k]), column = (name) => kept.map((row) => row[name]);
    const gap = column("gap").map((value) => (value > 0 && Number.isFinite(value) ? value : NaN));
    this.fill("before", { step: column("step"), epoch: column("epoch"), gap });
    const last = rows.at(-1), unit = last.epoch < 1 ? "step" : "epoch";
    return this.say(`before_${unit}`, { last: last[unit] });
  }

  weights({ weights }) {
    this.fill("weights", weights);
    this.around("weights_y", weights.weight, 0.08, true);
    this.range("weights_x", -1, weights.name.length);
  }

  duals({ duals, n }) {
    const { place, sample, kind, value } = duals;
    this.fill("duals", { place, sample, kind, value });
    this.around("duals_y", duals.value, 0.1, true);
    this.range("duals_x", -0.02 * n - 1, 1.02 * n);
    this.of("axes", "duals_y").setv({ axis_label: duals.margin ? "α·y" : "α" });
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

  // `mark` begins the sentence on the gap.
  captions({ row, weights, duals, terms, n, d }, saddle, mark = "The gap is ") {
    const nonzeros = this.say("nonzeros", { nonzeros: row.nonzeros, d });
    const found = {
      gap: this.say("gap", { mark, gap: row.gap, elapsed: this.elapsed(row) }),
      objective: this.say("objective", row),
      weights: this.say("drawn", { nonzeros, drawn: weights.name.length }),
      duals: this.say("support", { support: row.support, n, bound: duals.bound, free: duals.free }),
      terms: this.terms_said(terms, row.gap),
    };
    if (saddle) found.saddle = this.say("saddle", saddle);
    return found;
  }

  terms_said(terms, gap) {
    if (!terms.share.length) return this.say(gap < 1 ? "no_terms" : "infinite");
    const half = terms.half > 1 ? this.say("many", terms) : this.say("one");
    const rest = terms.rest > NEGLIGIBLE * gap ? this.say("rest", terms) : "";
    return this.say("terms", { sample: terms.sample[0], share: (100 * terms.share[0]) / gap, half, rest });
  }

  // The row of numbers above the figures; `score` is null or a word where no samples are held out.
  statistics({ row, n, d }, score) {
    return this.cards([
      ["primal", written(row.primal, ".5g"), ""], ["dual bound", written(row.dual, ".5g"), ""],
      ["duality gap", written(row.gap, ".2e"), `<em>${this.promise(row.relative_gap)}</em>`],
      ["non-zeros", written(row.nonzeros, ","), `<span>of ${written(d, ",")}</span>`],
      ["support", written(row.support, ","), `<span>of ${written(n, ",")}</span>`],
      ...(score === null ? [] : [["test accuracy", score > -Infinity ? `${written(100 * score, ".2f")} %` : score, ""]]),
    ]);
  }

  // The last step: its rule with its numbers put in, as `explain.py` does.
  why({ event, step, y, solver, lam_n, quadratic, closed }) {
    if (!event) return `<div class='wb-note'>${this.say("nothing_yet")}</div>`;
    const { rules } = this.ids, { update } = solver, is_bounded = update === "bounded";
    const own = is_bounded || (update === "exact" && quadratic);
    const [formula, source] = { gradient: rules.gradient, newton: rules.newton }[update] ?? (own ? closed : rules.search);
    const title = this.say("step", { step, index: event.index, y });
    const clipped = event.alpha_free !== event.alpha_after;
    const badge = clipped ? this.say("clipped", { value: event.alpha_after })
      : this.say(event.alpha_after === event.alpha_before ? "optimal" : "inside");
    const lines = [formula, ...this.numbers(event, solver, lam_n, is_bounded, quadratic)];
    return `<div class='wb-note'>${escaped(title)}</div>` +
      lines.map((line) => `<wb-tex>${escaped(line)}</wb-tex>`).join("") +
      `<span class='wb-badge ${clipped ? "clip" : "free"}'>${escaped(badge)}</span> ` +
      `<span class='wb-source'>${escaped(this.say("dual", { change: event.dual_change }))}</span>` +
      `<div class='wb-source'>${escaped(source + (is_bounded ? this.say("bounded") : ""))}</div>`;
  }

  numbers(event, { update, scale, eta }, lam_n, is_bounded, quadratic) {
    const lines = [`c_2 = w\\cdot x_i = ${latex(event.prediction)}`];
    if (update === "gradient") {
      const step = scale * eta * lam_n;
      lines.push(`t\\,\\eta\\,\\lambda n = ${latex(step)}`);
      lines.push(`-k' + c_2 = ${latex((event.alpha_before - event.alpha_free) / step)}`);
    } else {
      const [bounded, parabola, bent] = this.ids.rules.curvatures;
      lines.push(`c_1 = ${is_bounded ? bounded : quadratic ? parabola : bent} = ${latex(event.curvature)}`);
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
