// The page of online rules: what has come after so many points, and the clock that lets them come.

import {
  around,
  codeBox,
  nameControls,
  put,
  sentence,
  setRange,
  shown,
  sides,
  soon,
  spaced,
  state,
  write,
} from "../runtime/drawings.js";
import { COUNT, VISITS, bounds, certified, dot, makeStream, potential, ruleOf, twin, walk } from "./rule.js";
import { FAR, MISSING, columns, edge, plane, sidesOfMirror, sizeOf, towards } from "./sides.js";

const TICK_MS = 50;
const [STEP, MISTAKE, RUN, START] = [0, 1, 2, 3];
const WHOLE = ["seen", "speed", "dimension", "relevant", "seed"];

/** @param {Record<string, any>} args */
function current(args) {
  /** @type {Record<string, any>} */
  const now = {};
  for (const [name, control] of Object.entries(args.controls)) {
    if (name !== "go") now[name] = control.value ?? control.active;
  }
  for (const name of WHOLE) now[name] = Math.round(now[name]);
  now.lam = 10 ** now.power;
  now.orthonormal = args.shapes[now.shape] === "orthonormal";
  return now;
}

/**
 * All that does not depend on how many points have come.
 * @param {Record<string, any>} args @param {any} now
 */
function played(args, now) {
  const stream = makeStream(now);
  const rules = args.rules.map((/** @type {any} */ spec) => ruleOf(spec, now, now.dimension));
  const ways = rules.map((/** @type {any} */ rule) => walk(rule, stream));
  const [rule, way] = [rules[now.rule], ways[now.rule]];
  const bound = bounds(rule, stream, now.gamma, way);
  const twinWay = twin(rule, stream, now.lam);
  const marks = spaced(0, VISITS, 61).map(Math.round);
  return {
    stream,
    rule,
    way,
    bound,
    twin: twinWay,
    marks,
    others: args.rules
      .map((/** @type {{ name: string }} */ { name }, /** @type {number} */ k) => ({ name, count: ways[k].count }))
      .filter((/** @type {any} */ _, /** @type {number} */ k) => k !== now.rule),
    potential: potential(rule, stream, now.gamma, way, bound),
    values: marks.map((t) => certified(rule, stream, now.lam, twinWay, t)),
  };
}

/** @param {Record<string, any>} args @param {any} now @param {any} lab */
function points(args, now, lab) {
  const { stream, way } = lab;
  const { X, y, u } = stream;
  const t = now.seen;
  const w = predicting(args, now, lab);
  const frame = plane(stream, w);
  /** @param {any} i */
  const place = (i) => [dot(frame[0], X[i]), dot(frame[1], X[i])];
  const last = (t - 1) % COUNT;
  const there = Array.from({ length: Math.min(t, COUNT) }, (_, k) => k);
  put(args.sources.plus, columns(there.filter((i) => y[i] > 0).map(place)));
  put(args.sources.minus, columns(there.filter((i) => y[i] < 0).map(place)));
  /**
   * Where a point missed when it came last.
   * @param {number} i
   */
  const visit = (i) => t - 1 - ((((t - 1 - i) % COUNT) + COUNT) % COUNT);
  put(args.sources.missed, columns(there.filter((i) => way.reached[visit(i) + 1] <= 0).map(place)));
  put(args.sources.newest, columns([place(last)]));
  const at = now.gamma / sizeOf(u);
  put(
    args.sources.strip,
    columns([
      [-at, -FAR],
      [-at, FAR],
      [NaN, NaN],
      [at, -FAR],
      [at, FAR],
    ]),
  );
  put(args.sources.edge, edge(frame, w));
  put(args.sources.twin_edge, u.length === 2 ? edge(frame, lab.twin.w[t]) : columns([]));
  const high = u.length === 2 ? 1.5 : 2.4;
  const window = sides(args.figures.points, [-high, high]);
  setRange(args.figures.points.x_range, window.x[0], window.x[1]);
  setRange(args.figures.points.y_range, window.y[0], window.y[1]);
  const reached = way.reached[t];
  const what =
    reached <= 0
      ? `<b class="bad">y w·x = ${shown(reached)} ≤ 0, a mistake</b>: v moves by η y x (the thick step).`
      : `y w·x = ${shown(reached)} > 0, correct: nothing changes.`;
  const pass = t > COUNT ? ` for the ${["", "", "second", "third"][Math.ceil(t / COUNT)]} time` : "";
  const whose = args.outputs[now.output] === "average" ? " The line drawn is that of the average." : "";
  sentence(args.lines.points, `Point ${last + 1} of ${COUNT}${pass}: ${what} Small rings: mistakes.${whose}`);
}

/** @param {Record<string, any>} args @param {any} now @param {{ way: any }} fields */
const predicting = (args, now, { way }) => (args.outputs[now.output] === "average" ? way.average : way.w)[now.seen];

/** @param {number[]} values */
const positive = (values) => values.map((each) => (each > 0 && Number.isFinite(each) ? each : NaN));

/** @param {Record<string, any>} args @param {any} now @param {any} lab */
function mistakes(args, now, lab) {
  const { way, bound, others } = lab;
  const t = now.seen;
  const ts = Array.from(way.count, (_, k) => k);
  const seen = ts.slice(0, t + 1);
  put(args.sources.counted, { x: seen, y: positive(way.count.slice(0, t + 1)) });
  put(args.sources.bound, { x: ts, y: positive(bound.bound) });
  put(args.sources.fact, { x: seen, y: positive(bound.fact.slice(0, t + 1)) });
  const lines = others.flatMap((/** @type {{ count: number[] }} */ { count }) => [
    ...seen.map((k) => [k, count[k] || NaN]),
    [NaN, NaN],
  ]);
  put(args.sources.others, columns(lines));
  const [count, limit] = [way.count[t], bound.bound[t]];
  const low = Math.max(count, 0.75);
  put(args.sources.now, { x: [t], low: [low], high: [Number.isFinite(limit) ? Math.max(limit, low) : low] });
  const [end, fact] = [bound.bound[VISITS], bound.fact[t]];
  const most = Math.max(
    10,
    ...[end, fact, ...others.map((/** @type {any} */ each) => each.count[t]), count].filter(Number.isFinite),
  );
  put(
    args.sources.passes,
    columns(
      [1, 2].flatMap((k) => [
        [k * COUNT, 0.1],
        [k * COUNT, 100 * most],
        [NaN, NaN],
      ]),
    ),
  );
  setRange(args.figures.mistakes.x_range, 0, VISITS);
  setRange(args.figures.mistakes.y_range, 0.7, 1.6 * most);
  const beside = others.map((/** @type {any} */ each) => `${each.name} ${each.count[t]}`).join(", ");
  sentence(
    args.lines.mistakes,
    `<b>${count}</b> mistake${count === 1 ? "" : "s"}. ${limits(now, lab)} On the same stream: ${beside}.`,
  );
}

/**
 * What holds of the number of mistakes, and why, where it is less than one would like.
 * @param {any} now @param {{ way: any, bound: any }} fields
 */
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

/** @param {Record<string, any>} args @param {any} now @param {any} lab */
function largeMargin(args, now, lab) {
  const { marks, values, stream, rule } = lab;
  const t = now.seen;
  const seen = marks.filter((/** @type {any} */ mark) => mark <= t);
  const here = certified(rule, stream, now.lam, lab.twin, t);
  put(args.sources.primal, {
    x: [...seen, t],
    y: [...seen.map((/** @type {any} */ _, /** @type {number} */ k) => values[k].primal), here.primal],
  });
  put(args.sources.dual, {
    x: [...seen, t],
    y: [...seen.map((/** @type {any} */ _, /** @type {number} */ k) => values[k].dual), here.dual],
  });
  put(args.sources.twin_now, { x: [t, t], y: [here.primal, here.dual] });
  setRange(args.figures.twin.x_range, 0, VISITS);
  setRange(
    args.figures.twin.y_range,
    ...around(
      values.flatMap((/** @type {any} */ each) => [each.primal, each.dual]),
      0.08,
      0.02,
    ),
  );
  sentence(
    args.lines.twin,
    `The hinge loss with this regularizer, λ = ${shown(now.lam)}, solved one dual variable at a time: after ${t} visits P = ${shown(here.primal)}, with the certified gap <b>${shown(here.gap)}</b>: P exceeds ` +
      `its minimum by at most that much. ${lab.twin.support[t]} of ${COUNT} dual variables are not 0; v is a sum over these points, as that of the rule is over its mistakes.`,
  );
}

/** @param {Record<string, any>} args @param {any} now @param {{ bound: any }} fields */
function showCode(args, now, { bound }) {
  const more = {
    shape: args.shapes[now.shape],
    output: args.outputs[now.output],
    q: now.p / (now.p - 1),
    mu: 1 / now.dimension,
  };
  const values = { ...now, ...more };
  const text = args.python[now.rule][Number.isNaN(bound.bound[now.seen]) ? 0 : 1];
  write(
    args.code,
    codeBox(text.replace(/\{(\w+)\}/g, (/** @type {any} */ _, /** @type {string} */ name) => String(values[name]))),
  );
}

/**
 * The clock: points come until the last, or until somebody says otherwise.
 * @param {Record<string, any>} args
 */
function halt(args) {
  clearInterval(state.clock);
  state.clock = undefined;
  args.controls.go.labels = args.controls.go.labels.map((/** @type {string} */ label, /** @type {number} */ k) =>
    k === RUN ? "Run" : label,
  );
}

/** @param {Record<string, any>} args @param {any} asked */
function go(args, asked) {
  const { seen, speed } = args.controls;
  const running = state.clock !== undefined;
  if (running) halt(args);
  if (asked === STEP) seen.value = Math.min(seen.value + 1, VISITS);
  else if (asked === START) seen.value = seen.start;
  else if (asked === MISTAKE) {
    const { reached } = state.lab.way;
    const next = reached.findIndex((/** @type {any} */ each, /** @type {number} */ t) => t > seen.value && each <= 0);
    seen.value = next < 0 ? VISITS : next;
  } else if (asked === RUN && !running) {
    if (seen.value >= VISITS) seen.value = seen.start;
    const began = { at: performance.now(), seen: seen.value };
    args.controls.go.labels = args.controls.go.labels.map((/** @type {string} */ label, /** @type {number} */ k) =>
      k === RUN ? "Pause" : label,
    );
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

/** @param {any} args @param {any} context */
function paint(args, context) {
  /** @type {any} */
  const now = current(args);
  if (state.theta === "") nameControls(args, context);
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
  sidesOfMirror(args, now, state.lab);
  towards(args, now, state.lab);
  largeMargin(args, now, state.lab);
  showCode(args, now, state.lab);
}

/** @param {Record<string, any>} args @param {any} origin @param {any} _data @param {any} context */
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
