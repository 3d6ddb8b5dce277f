// A declared page: bindings say where the entries of its frame go. After browser.js, and after the page's `frame`.

import { WorkbenchEngine } from "../wasm/javascript/page.js";
import { around, code_box, drawable, escaped, name_controls, put, sentence, set_range, shown, soon, state, write } from "./drawings.js";
import { numerals } from "./numerals.js";
import { printed } from "./printed.js";

const run = { engine: null, settings: "", first: Infinity, rows: [], failed: "" };

function settings_of({ controls }) {
  return Object.fromEntries(Object.entries(controls).map(([name, each]) => [name, "active" in each ? each.active : each.value]));
}

// A problem at zero and a run of it; what engines answer of problems before is no news.
async function solve(args, settings, context) {
  const { packed, problem, run: wanted } = JSON.parse(args.solves), text = JSON.stringify(settings);
  const is_left = () => run.settings !== text;
  run.settings = text;
  try {
    run.engine ??= WorkbenchEngine.start(packed, (answer) => { if (hear(answer)) soon(paint, args, context); });
    const engine = await run.engine;
    if (is_left()) return;
    run.first = engine.count + 1;
    await engine.ask("problem", { ...problem, lam: settings.lam ?? problem.lam });
    if (!is_left()) await engine.ask("run", wanted);
  } catch (error) {
    run.failed = error.message;
    soon(paint, args, context);
  }
}

function hear(answer) {
  if (answer.type !== "frame" || answer.id < run.first) return false;
  const kept = run.rows.filter(({ step }) => step < answer.step && answer.step > 0);
  run.rows = [...kept, ...answer.passed.filter(({ step }) => step > (kept.at(-1)?.step ?? -1) && step < answer.step), answer];
  return true;
}

function at(values, path) { return path.split(".").reduce((part, name) => part?.[name], values); }

function paint(args, context) {
  const settings = settings_of(args);
  if (state.index === undefined) name_controls(args, context);
  state.index = context.index;
  if (args.solves && run.settings !== JSON.stringify(settings)) solve(args, settings, context);
  const [first] = Object.values(args.lines);
  if (run.failed) return sentence(first, escaped(run.failed));
  if (args.solves && !run.rows.length) return;
  const values = { ...settings, ...printed.frame(settings, { rows: run.rows, last: run.rows.at(-1) }) };
  for (const [curve, columns] of Object.entries(args.bindings)) {
    const missing = Object.entries(columns).find(([, path]) => at(values, path) === undefined);
    if (missing) return sentence(first, escaped(`The frame has no ${missing[1]}, to which ${missing[0]} of ${curve} is bound.`));
    put(args.sources[curve], Object.fromEntries(Object.entries(columns).map(([name, path]) => [name, drawable(Array.from(at(values, path)))])));
  }
  for (const [name, curves] of Object.entries(args.curves)) {
    const all = (column) => curves.flatMap((curve) => args.sources[curve].data[column]);
    set_range(args.figures[name].x_range, ...around(all("x"), 0.02));
    const heights = all("y").filter((y) => y > 0);
    if (!args.logarithmic.includes(name)) set_range(args.figures[name].y_range, ...around(all("y")));
    else if (heights.length) set_range(args.figures[name].y_range, 0.5 * Math.min(...heights), 2 * Math.max(...heights));
    sentence(args.lines[name], filled(args.sentences[name], values, number));
  }
  write(args.code, code_box(filled(args.python, values, String)));
}

// A gap that is small is not zero.
function number(x) { return x !== 0 && Math.abs(x) < 1e-3 ? numerals(x.toExponential(1)) : shown(x); }

function filled(text, values, as) {
  return text.replace(/\{([\w.]+)\}/g, (_, path) => as(at(values, path)));
}

export function draw(args, _origin, _data, context) { soon(paint, args, context); }
