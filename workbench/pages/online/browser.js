// The page of online rules: what has come after so many points, and the clock that lets them come.

import { around, clamp, code_box, name_controls, put, sentence, set_range, shown, sides, soon, spaced, state, write } from "../runtime/drawings.js";
import { COUNT, VISITS, bounds, certified, dot, make_stream, potential, rule_of, twin, walk, wrong } from "./rule.js";

const TICK_MS = 50;
const [STEP, MISTAKE, RUN, START] = [0, 1, 2, 3];
const WHOLE = ["seen", "speed", "dimension", "relevant", "seed"];
// Lines of the points' picture reach so far, beyond any window.
const FAR = 1e3;
// A shortfall below this is rounding.
const MISSING = 1e-9;
// So many times as far as the rule goes the twin may go to be seen whole.
const FARTHEST = 3;

const columns = (points) => ({ x: points.map((each) => each[0]), y: points.map((each) => each[1]) });
const size_of = (x) => Math.sqrt(dot(x, x));

function current(args) {
  const now = {};
  for (const [name, control] of Object.entries(args.controls)) {
    if (name !== "go") now[name] = control.value ?? control.active;
  }
  for (const name of WHOLE) now[name] = Math.round(now[name]);
  now.lam = 10 ** now.power;
  now.orthonormal = args.shapes[now.shape] === "orthonormal";
  return now;
}

// All that does not depend on how many points have come.
function played(args, now) {
  const stream = make_stream(now);
  const rules = args.rules.map((spec) => rule_of(spec, now, now.dimension));
  const ways = rules.map((rule) => walk(rule, stream));
  const [rule, way] = [rules[now.rule], ways[now.rule]];
  const bound = bounds(rule, stream, now.gamma, way);
  const twin_way = twin(rule, stream, now.lam);
  const marks = spaced(0, VISITS, 61).map(Math.round);
  return {
    stream, rule, way, bound, twin: twin_way, marks,
    others: args.rules.map(({ name }, k) => ({ name, count: ways[k].count })).filter((_, k) => k !== now.rule),
    potential: potential(rule, stream, now.gamma, way, bound),
    values: marks.map((t) => certified(rule, stream, now.lam, twin_way, t)),
  };
}

// Two directions of length 1: along u, and across it towards w.
function plane({ u }, w) {
  const along = u.map((each) => each / size_of(u));
  if (u.length === 2) return [along, [-along[1], along[0]]];
  const share = dot(along, w);
  let rest = along.map((each, j) => w[j] - share * each);
  // Without a part of w across u, any direction will do.
  if (!(size_of(rest) > 1e-9 * size_of(w))) {
    const last = dot(along, along.map((_, j) => (j === u.length - 1 ? 1 : 0)));
    rest = along.map((each, j) => (j === u.length - 1 ? 1 : 0) - last * each);
  }
  return [along, rest.map((each) => each / size_of(rest))];
}

// The line w.x = 0 in that plane.
function edge([along, across], w) {
  const [a, b] = [dot(along, w), dot(across, w)];
  const length = Math.hypot(a, b);
  return length > 0 ? columns([[(-b / length) * FAR, (a / length) * FAR], [(b / length) * FAR, (-a / length) * FAR]]) : columns([]);
}

function points(args, now, lab) {
  const { stream, way } = lab;
  const { X, y, u } = stream;
  const t = now.seen;
  const w = predicting(args, now, lab);
  const frame = plane(stream, w);
  const place = (i) => [dot(frame[0], X[i]), dot(frame[1], X[i])];
  const last = (t - 1) % COUNT;
  const there = Array.from({ length: Math.min(t, COUNT) }, (_, k) => k);
  put(args.sources.plus, columns(there.filter((i) => y[i] > 0).map(place)));
  put(args.sources.minus, columns(there.filter((i) => y[i] < 0).map(place)));
  // Where a point missed when it came last.
  const visit = (i) => t - 1 - ((((t - 1 - i) % COUNT) + COUNT) % COUNT);
  put(args.sources.missed, columns(there.filter((i) => way.reached[visit(i) + 1] <= 0).map(place)));
  put(args.sources.newest, columns([place(last)]));
  const at = now.gamma / size_of(u);
  put(args.sources.strip, columns([[-at, -FAR], [-at, FAR], [NaN, NaN], [at, -FAR], [at, FAR]]));
  put(args.sources.edge, edge(frame, w));
  put(args.sources.twin_edge, u.length === 2 ? edge(frame, lab.twin.w[t]) : columns([]));
  const high = u.length === 2 ? 1.5 : 2.4;
  const window = sides(args.figures.points, [-high, high]);
  set_range(args.figures.points.x_range, ...window.x);
  set_range(args.figures.points.y_range, ...window.y);
  const reached = way.reached[t];
  const what =
    reached <= 0
      ? `<b class="bad">y w·x = ${shown(reached)} ≤ 0, a mistake</b>: v moves by η y x (the thick step).`
      : `y w·x = ${shown(reached)} > 0, correct: nothing changes.`;
  const pass = t > COUNT ? ` for the ${["", "", "second", "third"][Math.ceil(t / COUNT)]} time` : "";
  const whose = args.outputs[now.output] === "average" ? " The line drawn is that of the average." : "";
  sentence(args.lines.points, `Point ${last + 1} of ${COUNT}${pass}: ${what} Small rings: mistakes.${whose}`);
}

const predicting = (args, now, { way }) => (args.outputs[now.output] === "average" ? way.average : way.w)[now.seen];

const positive = (values) => values.map((each) => (each > 0 && Number.isFinite(each) ? each : NaN));

function mistakes(args, now, lab) {
  const { way, bound, others } = lab;
  const t = now.seen;
  const ts = Array.from(way.count, (_, k) => k);
  const seen = ts.slice(0, t + 1);
  put(args.sources.counted, { x: seen, y: positive(way.count.slice(0, t + 1)) });
  put(args.sources.bound, { x: ts, y: positive(bound.bound) });
  put(args.sources.fact, { x: seen, y: positive(bound.fact.slice(0, t + 1)) });
  const lines = others.flatMap(({ count }) => [...seen.map((k) => [k, count[k] || NaN]), [NaN, NaN]]);
  put(args.sources.others, columns(lines));
  const [count, limit] = [way.count[t], bound.bound[t]];
  const low = Math.max(count, 0.75);
  put(args.sources.now, { x: [t], low: [low], high: [Number.isFinite(limit) ? Math.max(limit, low) : low] });
  const [end, fact] = [bound.bound[VISITS], bound.fact[t]];
  const most = Math.max(10, ...[end, fact, ...others.map((each) => each.count[t]), count].filter(Number.isFinite));
  put(args.sources.passes, columns([1, 2].flatMap((k) => [[k * COUNT, 0.1], [k * COUNT, 100 * most], [NaN, NaN]])));
  set_range(args.figures.mistakes.x_range, 0, VISITS);
  set_range(args.figures.mistakes.y_range, 0.7, 1.6 * most);
  const beside = others.map((each) => `${each.name} ${each.count[t]}`).join(", ");
  sentence(args.lines.mistakes, `<b>${count}</b> mistake${count === 1 ? "" : "s"}. ${limits(now, lab)} On the same stream: ${beside}.`);
}

// What holds of the number of mistakes, and why, where it is less than one would like.
function limits(now, { way, bound }) {
  const t = now.seen;
  const [limit, fact, missing, least] = [bound.bound, bound.fact, bound.missing, bound.least].map((each) => each[t]);
  const reached = `In hindsight the Fenchel-Young inequality for this v gives ${shown(fact)}.`;
  const lack =
    missing > MISSING
      ? `<span class="bad">${least > 0 ? `The margin is only ${shown(least)}` : `No margin: the least y u·x is ${shown(least)}`}</span>, ` +
        `so the bound includes the shortfall below γ, L = ${shown(missing)}. `
      : "";
  if (Number.isNaN(limit)) {
    return (
      `${lack}<span class="bad">No bound: ηγ − ln cosh η = ${shown(bound.gain)} is not positive.</span> ` +
      `With η = artanh γ = ${shown(Math.atanh(now.gamma))} there is one. What holds here: ${reached.replace("In", "in")}`
    );
  }
  const share = limit > 0 ? ` (${shown((100 * way.count[t]) / limit, 2)} % of it)` : "";
  return `${lack}Bound: <b>${shown(limit)}</b>${share}. ${reached}`;
}

// The first feature, which matters, and the last, which does so least.
function sides_of_mirror(args, now, lab) {
  const { way, stream, rule } = lab;
  const [t, d] = [now.seen, now.dimension];
  const pair = (x) => [x[0], x[d - 1]];
  const distinct = (list) => list.filter((each, k) => k === 0 || each !== list[k - 1]).map(pair);
  const [us, norm] = [pair(stream.u), size_of(pair(stream.u))];
  for (const name of ["v", "w"]) {
    const [mine, other] = [way[name], lab.twin[name]];
    put(args.sources[`${name}_path`], columns(distinct(mine.slice(0, t + 1))));
    put(args.sources[`${name}_twin`], columns(distinct(other.slice(0, t + 1))));
    put(args.sources[`${name}_now`], columns([pair(mine[t])]));
    put(args.sources[`${name}_twin_now`], columns([pair(other[t])]));
    // The window is that of the whole run, so that it stays while points come.
    const marked = rule.norm === null && name === "w" ? [[0, 0], [1, d === 2 ? 1 : 0]] : [[0, 0]];
    const [own, theirs] = [[...distinct(mine), ...marked], distinct(other)];
    const figure = args.figures[name];
    [figure.x_range, figure.y_range].forEach((range, k) => {
      const [low, high] = around(own.map((each) => each[k]));
      const [least, most] = around(theirs.map((each) => each[k]));
      // A twin that goes far would leave its neighbour too small to be seen.
      const kept = most - least <= FARTHEST * (high - low);
      set_range(range, kept ? Math.min(low, least) : low, kept ? Math.max(high, most) : high);
    });
  }
  const stepped = way.v[t] !== way.v[t - 1];
  put(args.sources.v_step, columns(stepped ? [pair(way.v[t - 1]), pair(way.v[t])] : []));
  put(args.sources.w_average, columns([pair(way.average[t])]));
  put(args.sources.u, columns([[0, 0], us.map((each) => (FAR * each) / norm)]));
  put(args.sources.simplex, columns(rule.norm === null && d === 2 ? [[1, 0], [0, 1]] : []));
  put(args.sources.axes, columns([[-FAR, 0], [FAR, 0], [NaN, NaN], [0, -FAR], [0, FAR]]));
  const which = d === 2 ? "" : ` Drawn are feature 1, which is relevant, and feature ${d}, which ${now.orthonormal || now.relevant >= d ? "is too" : "is not"}.`;
  sentence(
    args.lines.v,
    `v = (${shown(way.v[t][0], 3)}, ${d > 2 ? "…, " : ""}${shown(way.v[t][d - 1], 3)}) after ${way.count[t]} steps of length η|x|. ` +
      `The twin takes steps of any length and undoes some of them.${which}`,
  );
  const [w, mean, other] = [way.w[t], way.average[t], lab.twin.w[t]];
  sentence(
    args.lines.w,
    `w = (${shown(w[0], 3)}, ${d > 2 ? "…, " : ""}${shown(w[d - 1], 3)}), ${angle(w, stream.u)}. Of all ${COUNT} points w gets ` +
      `<b>${wrong(stream, w)}</b> wrong, its average (triangle) <b>${wrong(stream, mean)}</b>, the twin <b>${wrong(stream, other)}</b>.`,
  );
}

function angle(w, u) {
  const length = size_of(w);
  if (!(length > 0)) return "no direction yet";
  const cosine = clamp(dot(w, u) / (length * size_of(u)), -1, 1);
  return `${shown((180 / Math.PI) * Math.acos(cosine), 3)}° from u`;
}

function towards(args, now, lab) {
  const { potential: { scale, step, values }, way, bound } = lab;
  const t = now.seen;
  // A shortfall may take back what a mistake has gained.
  const promised = (k) => values[0] - step * way.count[k] + scale * lab.rule.eta * bound.missing[k];
  const ts = Array.from(values, (_, k) => k);
  put(args.sources.potential, { x: ts.slice(0, t + 1), y: values.slice(0, t + 1) });
  put(args.sources.promise, { x: ts.slice(0, t + 1), y: step > 0 ? ts.slice(0, t + 1).map(promised) : ts.slice(0, t + 1).map(() => NaN) });
  put(args.sources.potential_now, { x: [t], y: [values[t]] });
  set_range(args.figures.potential.x_range, 0, VISITS);
  set_range(args.figures.potential.y_range, ...around([0, ...values], 0.08));
  const times = lab.rule.norm === null ? "u" : `${shown(scale)} u`;
  const off = `A mistake on a point with the margin γ lowers it by at least ${shown(step)}`;
  const most = `and it cannot fall below 0: at most ${shown(values[0])} / ${shown(step)} = ${shown(values[0] / step)} mistakes.`;
  let falls = "Here a mistake need not lower it, so the number of mistakes is not bounded.";
  if (step > 0) falls = bound.missing[t] > MISSING ? `${off}; a mistake on a point without it may raise it.` : `${off}, ${most}`;
  sentence(args.lines.potential, `D(${times}, w) = <b>${shown(values[t])}</b>, ${shown(values[0])} at the start. ${falls}`);
}

function large_margin(args, now, lab) {
  const { marks, values, stream, rule } = lab;
  const t = now.seen;
  const seen = marks.filter((mark) => mark <= t);
  const here = certified(rule, stream, now.lam, lab.twin, t);
  put(args.sources.primal, { x: [...seen, t], y: [...seen.map((_, k) => values[k].primal), here.primal] });
  put(args.sources.dual, { x: [...seen, t], y: [...seen.map((_, k) => values[k].dual), here.dual] });
  put(args.sources.twin_now, { x: [t, t], y: [here.primal, here.dual] });
  set_range(args.figures.twin.x_range, 0, VISITS);
  set_range(args.figures.twin.y_range, ...around(values.flatMap((each) => [each.primal, each.dual]), 0.08, 0.02));
  sentence(
    args.lines.twin,
    `The hinge loss with this regularizer, λ = ${shown(now.lam)}, solved one dual variable at a time: after ${t} visits P = ${shown(here.primal)}, with the certified gap <b>${shown(here.gap)}</b>: P exceeds ` +
      `its minimum by at most that much. ${lab.twin.support[t]} of ${COUNT} dual variables are not 0; v is a sum over these points, as that of the rule is over its mistakes.`,
  );
}

function show_code(args, now, { bound }) {
  const more = {
    shape: args.shapes[now.shape], output: args.outputs[now.output], q: now.p / (now.p - 1), mu: 1 / now.dimension,
  };
  const values = { ...now, ...more };
  const text = args.python[now.rule][Number.isNaN(bound.bound[now.seen]) ? 0 : 1];
  write(args.code, code_box(text.replace(/\{(\w+)\}/g, (_, name) => String(values[name]))));
}

// The clock: points come until the last, or until somebody says otherwise.
function halt(args) {
  clearInterval(state.clock);
  state.clock = undefined;
  args.controls.go.labels = args.controls.go.labels.map((label, k) => (k === RUN ? "Run" : label));
}

function go(args, asked) {
  const { seen, speed } = args.controls;
  const running = state.clock !== undefined;
  if (running) halt(args);
  if (asked === STEP) seen.value = Math.min(seen.value + 1, VISITS);
  else if (asked === START) seen.value = seen.start;
  else if (asked === MISTAKE) {
    const { reached } = state.lab.way;
    const next = reached.findIndex((each, t) => t > seen.value && each <= 0);
    seen.value = next < 0 ? VISITS : next;
  } else if (asked === RUN && !running) {
    if (seen.value >= VISITS) seen.value = seen.start;
    const began = { at: performance.now(), seen: seen.value };
    args.controls.go.labels = args.controls.go.labels.map((label, k) => (k === RUN ? "Pause" : label));
    state.clock = setInterval(() => {
      if (seen.document === null) {
        clearInterval(state.clock);
        return;
      }
      const passed = (performance.now() - began.at) / 1000;
      const next = Math.min(began.seen + Math.floor(passed * speed.value), VISITS);
      if (next > seen.value) seen.value = next;
      if (next >= VISITS) halt(args);
    }, TICK_MS);
  }
}

function paint(args, context) {
  const now = current(args);
  if (state.theta === "") name_controls(args, context);
  state.index = context.index;
  const text = JSON.stringify({ ...now, seen: 0, speed: 0, output: 0 });
  if (state.theta !== text) {
    state.lab = played(args, now);
    args.controls.p.visible = args.rules[now.rule].norm === null && !args.rules[now.rule].entropic;
    args.controls.eta.visible = args.rules[now.rule].entropic;
    for (const name of ["margin", "relevant"]) args.controls[name].visible = !now.orthonormal;
  }
  state.theta = text;
  points(args, now, state.lab);
  mistakes(args, now, state.lab);
  sides_of_mirror(args, now, state.lab);
  towards(args, now, state.lab);
  large_margin(args, now, state.lab);
  show_code(args, now, state.lab);
}

export function draw(args, origin, _data, context) {
  const { go: buttons } = args.controls;
  if (origin === buttons) {
    if (buttons.active === null) return;
    const asked = buttons.active;
    // A button that was pressed is up again at once.
    buttons.active = null;
    go(args, asked);
  }
  soon(paint, args, context);
}
