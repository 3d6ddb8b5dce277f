// A declared page: bindings say where the entries of its frame go.

import { WorkbenchEngine } from "../wasm/javascript/page.js";
import {
  around,
  codeBox,
  drawable,
  escaped,
  nameControls,
  put,
  sentence,
  setRange,
  shown,
  soon,
  state,
  write,
} from "./drawings.js";
import { numerals } from "./numerals.js";
import { printed } from "./printed.js";

/** @type {Record<string, any>} */
const run = { engine: null, settings: "", first: Infinity, rows: [], failed: "" };

/** @param {Record<string, any>} fields */
function settingsOf({ controls }) {
  return Object.fromEntries(
    Object.entries(controls).map(([name, each]) => [name, "active" in each ? each.active : each.value]),
  );
}

/**
 * A problem at zero and a run of it; what engines answer of problems before is no news.
 * @param {Record<string, any>} args @param {Settings} settings @param {any} context
 */
async function solve(args, settings, context) {
  const { packed, problem, run: wanted } = JSON.parse(args.solves);
  const text = JSON.stringify(settings);
  const isLeft = () => run.settings !== text;
  run.settings = text;
  try {
    run.engine ??= WorkbenchEngine.start(packed, (answer) => {
      if (hear(answer)) soon(paint, args, context);
    });
    const engine = await run.engine;
    if (isLeft()) return;
    run.first = engine.count + 1;
    await engine.ask("problem", { ...problem, lam: settings.lam ?? problem.lam });
    if (!isLeft()) await engine.ask("run", wanted);
  } catch (error) {
    run.failed = /** @type {Error} */ (error).message;
    soon(paint, args, context);
  }
}

/** @param {any} answer */
function hear(answer) {
  if (answer.type !== "frame" || answer.id < run.first) return false;
  /** @type {Row[]} */
  const kept = run.rows.filter((/** @type {{ step: any }} */ { step }) => step < answer.step && answer.step > 0);
  run.rows = [
    ...kept,
    ...answer.passed.filter(
      (/** @type {{ step: any }} */ { step }) => step > (kept.at(-1)?.step ?? -1) && step < answer.step,
    ),
    answer,
  ];
  return true;
}

/** @param {number[]} values @param {any} path */
function at(values, path) {
  return path.split(".").reduce((/** @type {any} */ part, /** @type {string} */ name) => part?.[name], values);
}

/** @param {Record<string, any>} args @param {any} context */
function paint(args, context) {
  const settings = settingsOf(args);
  if (state.index === undefined) nameControls(args, context);
  state.index = context.index;
  if (args.solves && run.settings !== JSON.stringify(settings)) solve(args, settings, context);
  const [first] = Object.values(args.lines);
  if (run.failed) return sentence(first, escaped(run.failed));
  if (args.solves && !run.rows.length) return;
  const values = { ...settings, ...printed.frame(settings, { rows: run.rows, last: run.rows.at(-1) }) };
  for (const [curve, columns] of Object.entries(args.bindings)) {
    const missing = Object.entries(columns).find(([, path]) => at(values, path) === undefined);
    if (missing)
      return sentence(first, escaped(`The frame has no ${missing[1]}, to which ${missing[0]} of ${curve} is bound.`));
    put(
      args.sources[curve],
      Object.fromEntries(Object.entries(columns).map(([name, path]) => [name, drawable(Array.from(at(values, path)))])),
    );
  }
  for (const [name, curves] of Object.entries(args.curves)) {
    /** @param {any} column */
    const all = (column) => curves.flatMap((/** @type {any} */ curve) => args.sources[curve].data[column]);
    setRange(args.figures[name].x_range, ...around(all("x"), 0.02));
    const heights = all("y").filter((/** @type {number} */ y) => y > 0);
    if (!args.logarithmic.includes(name)) setRange(args.figures[name].y_range, ...around(all("y")));
    else if (heights.length) setRange(args.figures[name].y_range, 0.5 * Math.min(...heights), 2 * Math.max(...heights));
    sentence(args.lines[name], filled(args.sentences[name], values, number));
  }
  write(args.code, codeBox(filled(args.python, values, String)));
}

/**
 * A gap that is small is not zero.
 * @param {number} x
 */
function number(x) {
  return x !== 0 && Math.abs(x) < 1e-3 ? numerals(x.toExponential(1)) : shown(x);
}

/** @param {string} text @param {number[]} values @param {any} as */
function filled(text, values, as) {
  return text.replace(/\{([\w.]+)\}/g, (_, path) => as(at(values, path)));
}

/** @param {Record<string, any>} args @param {any} _origin @param {any} _data @param {any} context */
export function draw(args, _origin, _data, context) {
  soon(paint, args, context);
}
