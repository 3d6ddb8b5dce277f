// Made of workbench/pages/entries/declared.js and what it imports: change those, and run: python -m workbench.pages.bundling
// wasm/javascript/page.js
var WorkbenchEngine = class _WorkbenchEngine {
  /**
   * @param {Packed} packed - what `workbench.pages.wasm.bundle.packed` made: the engine's text, kernels and data
   * @param {(answer: Answer) => void} [heard]
   */
  static async start(packed, heard) {
    if (typeof WebAssembly === "undefined" || typeof Worker === "undefined") {
      throw new Error("This browser has no WebAssembly or no workers, so the page shows a picture instead.");
    }
    const engine = new _WorkbenchEngine(packed.source, heard);
    const kernels = await inflated(packed.kernels);
    await engine.ask("data", { kernels, functions: packed.functions, ...await opened(packed.problem) });
    return engine;
  }
  /**
   * @param {string} source
   * @param {(answer: Answer) => void} heard
   * @param {Pick<Worker, "postMessage" | "terminate" | "onmessage" | "onerror">} worker - what runs the source
   */
  constructor(source, heard = () => {
  }, worker = worker_of(source)) {
    this.heard = heard;
    this.waiting = /* @__PURE__ */ new Map();
    this.count = 0;
    this.broken = null;
    this.worker = worker;
    this.worker.onmessage = ({ data }) => this.take(data);
    this.worker.onerror = () => this.fail(ENDED_BY_ITSELF);
  }
  /**
   * Sends a message; its answers go to `heard`, and the first one settles the promise that is returned.
   * @param {string} type
   * @param {object} contents
   * @returns {Promise<Answer>}
   */
  ask(type, contents = {}) {
    const id = ++this.count;
    if (this.broken) return Promise.reject(this.broken);
    this.worker.postMessage({ version: 1, id, type, ...contents });
    return new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
  }
  /** @param {Answer} answer */
  take(answer) {
    const asked = this.waiting.get(answer.id);
    this.waiting.delete(answer.id);
    if (answer.type === "error") asked ? asked.reject(new Error(answer.text)) : this.heard(answer);
    else {
      asked?.resolve(answer);
      this.heard(answer);
    }
  }
  /**
   * Nobody answers any more: what waits fails, and so does what is asked from now on.
   * @param {string} text
   */
  fail(text) {
    if (this.broken) return;
    const broken = Object.assign(new Error(text), { is_broken: true });
    this.broken = broken;
    for (const { reject } of this.waiting.values()) reject(broken);
    this.waiting.clear();
  }
  close() {
    this.worker.terminate();
  }
};
var ENDED_BY_ITSELF = "The computation in this browser ended by itself; the picture stays. Change a setting or press reset to begin anew.";
function worker_of(source) {
  const address = URL.createObjectURL(new Blob(['"use strict";\n', source], { type: "text/javascript" }));
  const worker = new Worker(address);
  URL.revokeObjectURL(address);
  return worker;
}
function bytes_of(text) {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}
async function inflated(text) {
  const stream = new Blob([bytes_of(text)]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
async function opened(text) {
  return JSON.parse(new TextDecoder().decode(await inflated(text)), revived);
}
function revived(_, value) {
  const kinds = { f64: Float64Array, u32: Uint32Array };
  const [kind] = value && typeof value === "object" ? Object.keys(value) : [];
  if (kind === "number") return Number(value.number);
  return kinds[kind] && typeof value[kind] === "string" ? new kinds[kind](bytes_of(value[kind]).buffer) : value;
}

// runtime/numerals.js
var RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹";
var NOISE_EXPONENT = -17;
function numerals(text) {
  return text.replace(/(?<![\w.'"])([-−]?)(\d+(?:\.\d+)?)e([-+−]?)0*(\d+)(?![\w.]*\w)/g, (_, sign, mantissa, below, digits) => {
    const minus = sign && "−", exponent = (below && below !== "+" ? -1 : 1) * Number(digits);
    if (Number(mantissa) === 0) return "0";
    if (exponent <= NOISE_EXPONENT) return "0 to rounding";
    if (exponent >= -1 && exponent <= 2) return minus + shifted(mantissa, exponent);
    const power = `10${exponent < 0 ? "⁻" : ""}${Array.from(digits, (digit) => RAISED[digit]).join("")}`;
    return minus + (Number(mantissa) === 1 ? "" : `${mantissa}·`) + power;
  }).replace(/(?<![\w.)\]'"])-(?=\.?\d|∞|inf\b)/g, "−").replace(/(?<![\w.,·])1 (outer )?(step|epoch|pass(?=es))(?:e?s)\b/g, "1 $1$2");
}
function shifted(mantissa, places) {
  const [whole, part = ""] = mantissa.split(".");
  const at2 = whole.length + places, point = Math.max(at2, 1);
  const digits = at2 < 1 ? "0".repeat(1 - at2) + whole + part : (whole + part).padEnd(at2, "0");
  return digits.length > point ? `${digits.slice(0, point)}.${digits.slice(point)}` : digits;
}

// runtime/drawings.js
var state = { pending: false, theta: "" };
function shown(x, digits = 4) {
  if (Number.isNaN(x)) return "not defined";
  if (!Number.isFinite(x)) return x > 0 ? "+∞" : "−∞";
  if (Math.abs(x) < 1e-9) return "0";
  const size = Math.abs(x);
  const text = size < 1e-3 || size >= 1e5 ? x.toExponential(2) : String(Number(x.toPrecision(digits)));
  return numerals(text);
}
var HERE = { sync: false };
function put(source, data) {
  source.setv({ data }, HERE);
}
function write(line, text) {
  const box = state.index?.find_one(line)?.shadow_el?.querySelector(".bk-clearfix");
  if (!box) line.setv({ text }, HERE);
  else if (box.innerHTML !== text) box.innerHTML = text;
}
function sentence(line, text) {
  write(line, `<div class="wb-line">${numerals(text)}</div>`);
}
function escaped(text) {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
}
function code_box(text) {
  const button = '<button type="button" data-do="copy">Copy</button>';
  return `<div class="wb-copy">${button}<pre class="wb-code" tabindex="0">${escaped(text)}</pre></div>`;
}
function set_range(range, low, high) {
  if (range.start !== low || range.end !== high) range.setv({ start: low, end: high }, HERE);
}
function around(values, margin = 0.08, cut = 0) {
  const finite = Float64Array.from(values.filter(Number.isFinite)).sort();
  if (!finite.length) return [-1, 1];
  const skip = Math.floor(cut * finite.length);
  const low = finite[0];
  const high = finite[finite.length - 1 - skip];
  const spread = high - low || Math.max(Math.abs(high), 1);
  return [low - margin * spread, high + margin * spread];
}
function soon(paint2, args, context) {
  if (state.pending) return;
  state.pending = true;
  queueMicrotask(() => {
    state.pending = false;
    const started = performance.now();
    paint2(args, context);
    window.wb_last_paint = performance.now() - started;
  });
}
function drawable(values) {
  return values.map((y) => Number.isFinite(y) ? y : NaN);
}
function name_controls(args, context) {
  for (const control of Object.values(args.controls)) {
    const view = context.index.find_one(control);
    const handle = view?.shadow_el?.querySelector(".noUi-handle");
    if (handle) {
      handle.setAttribute("aria-label", control.title);
      handle.setAttribute("aria-valuetext", String(control.value));
    }
  }
}

// runtime/printed.js
var printed = {};
function drawn_by(draw2) {
  return (functions) => {
    Object.assign(printed, functions);
    return draw2;
  };
}

// runtime/declared.js
var run = { engine: null, settings: "", first: Infinity, rows: [], failed: "" };
function settings_of({ controls }) {
  return Object.fromEntries(Object.entries(controls).map(([name, each]) => [name, "active" in each ? each.active : each.value]));
}
async function solve(args, settings, context) {
  const { packed, problem, run: wanted } = JSON.parse(args.solves), text = JSON.stringify(settings);
  const is_left = () => run.settings !== text;
  run.settings = text;
  try {
    run.engine ??= WorkbenchEngine.start(packed, (answer) => {
      if (hear(answer)) soon(paint, args, context);
    });
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
function at(values, path) {
  return path.split(".").reduce((part, name) => part?.[name], values);
}
function paint(args, context) {
  const settings = settings_of(args);
  if (state.index === void 0) name_controls(args, context);
  state.index = context.index;
  if (args.solves && run.settings !== JSON.stringify(settings)) solve(args, settings, context);
  const [first] = Object.values(args.lines);
  if (run.failed) return sentence(first, escaped(run.failed));
  if (args.solves && !run.rows.length) return;
  const values = { ...settings, ...printed.frame(settings, { rows: run.rows, last: run.rows.at(-1) }) };
  for (const [curve, columns] of Object.entries(args.bindings)) {
    const missing = Object.entries(columns).find(([, path]) => at(values, path) === void 0);
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
function number(x) {
  return x !== 0 && Math.abs(x) < 1e-3 ? numerals(x.toExponential(1)) : shown(x);
}
function filled(text, values, as) {
  return text.replace(/\{([\w.]+)\}/g, (_, path) => as(at(values, path)));
}
function draw(args, _origin, _data, context) {
  soon(paint, args, context);
}

// entries/declared.js
var drawing = drawn_by(draw);
export {
  drawing
};
