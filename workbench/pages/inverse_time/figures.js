// Fills the figures of the page of inverse time and says its sentences: as `figures.py` and `captions.py` do.

// The bound may lie far above what is measured: it is drawn this far and no farther.
const ABOVE = 1e3, MILLI = 1e3;

class InverseTimeFigures extends LiveFigures {
  // The curves of the run, and the sentences of where it stands in them.
  run({ rows, at = rows.length - 1, last, L, lam }) {
    const column = (name) => rows.map((row) => row[name]), step = column("step").map((value) => Math.max(value, 1));
    // Each dual bound holds for good, so the best one does.
    let best = -Infinity;
    const lower = column("dual").map((value) => (best = Math.max(best, value)));
    const average = column("primal"), gap = column("gap"), last_gap = column("last_gap");
    const theorem = step.map((steps) => theorem_1(L, lam, steps));
    this.fill("run", { average, last: column("last"), lower, gap, last_gap, step, theorem });
    this.range("time", 1, Math.max(10, 1.1 * Math.max(last, 1)));
    this.objective("pgs_objective_y", average.slice(Math.min(1, step.length - 1)), lower);
    this.decades("pgs_gap_y", [...gap, ...last_gap].filter((value) => Number.isFinite(value) && value > 0), 8, 0);
    const row = rows[at], told = { step: row.step, average: row.primal, last: row.last, lower: lower[at] };
    return {
      pgs_objective: this.say("pgs_objective", told),
      pgs_gap: this.say("pgs_gap", { gap: row.gap, last_gap: row.last_gap, theorem: theorem[at] }),
    };
  }

  statistics({ rows, at = rows.length - 1 }) {
    const { primal, gap, relative_gap, last, last_gap, step, epoch, score } = rows[at];
    return this.cards([
      [this.say("number_average"), written(primal, ".5g"), ""],
      [this.say("number_gap"), written(gap, ".2e"), this.note("at_most", { percent: 100 * relative_gap })],
      [this.say("number_last"), written(last, ".5g"), ""], [this.say("number_last_gap"), written(last_gap, ".2e"), ""],
      [this.say("number_steps"), written(step, ","), this.note("passes", { epoch })],
      [this.say("number_score"), this.say("percent", { percent: 100 * score }), ""],
    ]);
  }

  // The sources of the sweep from its cells so far, and the sentences under them.
  sweep({ cells, settings, constants, c, running }) {
    const reached = cells.filter(({ steps }) => steps < Infinity), steps = summary(cells, "steps");
    const seconds = summary(cells, "seconds");
    this.fill("cells", Object.fromEntries(["m", "steps", "seed"].map((name) => [name, reached.map((cell) => cell[name])])));
    this.fill("steps", drawn(steps, 1));
    this.fill("seconds", drawn(seconds, MILLI));
    if (steps.m.length) this.range("sizes", 0.7 * steps.m[0], 1.4 * Math.max(steps.m.at(-1), 2 * steps.m[0]));
    const { start, end } = this.of("ranges", "sizes"), most = reached.reduce((a, cell) => Math.max(a, cell.steps), 0) || 100;
    const m = Array.from({ length: 80 }, (_, k) => (k === 79 ? end : start * (end / start) ** (k / 79)));
    const bound = m.map((size) => [size, bound_of(settings, constants, c, size)]).filter(([, value]) => value <= ABOVE * most);
    this.fill("bound", { m: bound.map(([size]) => size), steps: bound.map(([, value]) => value) });
    this.decades("sweep_steps_y", [...reached.map((cell) => cell.steps), ...bound.map(([, value]) => value)], 9, 0);
    this.decades("sweep_time_y", reached.map((cell) => MILLI * cell.seconds).filter((value) => value > 0), 6, 0);
    const missed = cells.filter((cell) => cell.steps === Infinity), { end: top } = this.of("ranges", "sweep_steps_y");
    this.fill("missed", { m: missed.map((cell) => cell.m), height: missed.map(() => 0.75 * top) });
    return this.sweep_said({ cells, settings, constants, c, running, steps, seconds });
  }

  sweep_said({ cells, settings, constants, c, running, steps, seconds }) {
    if (!steps.m.length) return { sweep_steps: this.say("first_set"), sweep_time: this.say("no_time") };
    const count = (value) => (value < Infinity ? this.say("count", { count: value }) : this.say("too_many"));
    const last = steps.m.at(-1), median = seconds.median.at(-1);
    const time = median < Infinity ? this.say("milliseconds", { value: MILLI * median }) : this.say("too_long");
    return {
      sweep_steps: this.say("sweep_steps", {
        so_far: running ? this.say("so_far") : "", first_count: count(steps.median[0]), first: steps.m[0],
        last_count: count(steps.median.at(-1)), last,
        missed: steps.missed ? this.say("missed", { missed: steps.missed, count: cells.length }) : "",
        theorem: this.theorem(settings, constants, c, last),
      }),
      sweep_time: this.say("sweep_time_alone", { m: last, time }),
    };
  }

  theorem(settings, constants, c, m) {
    if (settings.measure !== this.bounded) return this.say("silent");
    const value = bound_of(settings, constants, c, m);
    return this.say(value < Infinity ? "theorem_2" : "no_bound", { ...constants, c, value });
  }
}

function theorem_1(L, lam, steps) { return (L ** 2 * (1 + Math.log(steps))) / (2 * lam * steps); }

// The steps that Theorem 2 asks for at a size; infinite where it gives no bound, or does not speak of the measure.
function bound_of({ lam, target, is_bounded }, { L, G }, c, m) {
  const left = lam * target - lam ** 2 * G - (c * L ** 2) / m;
  return is_bounded && left > 0 ? L ** 2 / (2 * left) : Infinity;
}

// Medians and quartiles over the seeds for each size, as `sweep.summary`.
function summary(cells, field) {
  const m = [...new Set(cells.map((cell) => cell.m))].sort((a, b) => a - b);
  const values = m.map((size) => cells.filter((cell) => cell.m === size).map((cell) => cell[field]).sort((a, b) => a - b));
  const at = (share) => values.map((part) => part[nearest(share * (part.length - 1))]);
  const missed = values.flat().filter((value) => value === Infinity).length;
  return { m, low: at(0.25), median: at(0.5), high: at(0.75), missed };
}

// The nearest whole number, the even one of two.
function nearest(x) {
  const below = Math.floor(x), rest = x - below;
  return rest < 0.5 || (rest === 0.5 && below % 2 === 0) ? below : below + 1;
}

// Sizes whose median is no number are left out, a missing quartile is cut.
function drawn({ m, low, median, high }, factor) {
  const kept = m.map((_, k) => k).filter((k) => median[k] < Infinity), of = (values) => kept.map((k) => factor * values[k]);
  const cut = high.map((value, k) => (value < Infinity ? value : median[k]));
  return { m: kept.map((k) => m[k]), low: of(low), median: of(median), high: of(cut) };
}
