// Made of workbench/pages/entries/played.js and what it imports: change those, and run: python -m workbench.pages.bundling
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

// runtime/deep.js
function deep(selector, root = document, found = []) {
  found.push(...root.querySelectorAll(selector));
  for (const element of root.querySelectorAll("*")) if (element.shadowRoot) deep(selector, element.shadowRoot, found);
  return found;
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
  const at = whole.length + places, point = Math.max(at, 1);
  const digits = at < 1 ? "0".repeat(1 - at) + whole + part : (whole + part).padEnd(at, "0");
  return digits.length > point ? `${digits.slice(0, point)}.${digits.slice(point)}` : digits;
}

// runtime/wording.js
function format_text(template, values) {
  return template.replace(/\{\{|\}\}|\{(\w+)(?::([^}]*))?\}/g, (found, name, form) => name === void 0 ? found[0] : written(values[name], form));
}
function written(value, form = "") {
  const found = /^(\+?)(,?)(?:\.(\d+))?([efg]?)$/.exec(form);
  if (!found) throw new Error(`'${form}' is no format that sentences use: [+][,][.digits][efg]`);
  const [, sign, grouped, digits, kind] = found;
  if (typeof value !== "number") return String(value);
  const plus = sign && value >= 0 ? "+" : "";
  if (!Number.isFinite(value)) return plus + (Number.isNaN(value) ? "nan" : value > 0 ? "inf" : "-inf");
  if (grouped) return plus + grouped_thousands(kind === "f" ? fixed(value, Number(digits)) : String(value));
  if (kind === "f") return plus + fixed(value, Number(digits));
  if (kind === "e") return plus + exponential(value, Number(digits));
  if (kind === "g") return plus + general(value, Number(digits ?? 6) || 1);
  return plus + String(value);
}
function fixed(value, digits) {
  return even_of_ties(value.toFixed(digits), value.toFixed(Math.min(100, digits + 60)), digits);
}
function even_of_ties(rounded, exact, digits) {
  const end = exact.indexOf(".") + (digits && 1 + digits), cut = exact.slice(0, end);
  return /^\.?50*$/.test(exact.slice(end)) && "02468".includes(cut[cut.length - 1]) ? cut : rounded;
}
function exponential(value, digits) {
  const [rounded, exponent] = value.toExponential(digits).split("e");
  const [exact, same] = value.toExponential(Math.min(100, digits + 60)).split("e");
  const mantissa = same === exponent ? even_of_ties(rounded, exact, digits) : rounded;
  return `${mantissa}e${exponent[0]}${exponent.slice(1).padStart(2, "0")}`;
}
function general(value, digits) {
  if (value === 0) return "0";
  const text = exponential(value, digits - 1), [mantissa, power] = text.split("e"), exponent = Number(power);
  if (exponent >= -4 && exponent < digits) return trimmed(fixed(value, Math.max(0, digits - 1 - exponent)));
  return `${trimmed(mantissa)}e${power}`;
}
function trimmed(text) {
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}
function grouped_thousands(text) {
  return text.replace(/\B(?=(\d{3})+$)/g, ",");
}
function escaped(text) {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;").replace(/'/g, "&#x27;");
}

// runtime/live_figures.js
var MOST_POINTS = 400;
var LEAST_FILLED = 0.5;
var DIMMED = "0.35";
var WORTH_A_TICK = 0.01;
var MOST_PERCENT = 9999;
var LiveFigures = class {
  // `model` gives a Bokeh model by its id; `ids` names those of sources, ranges and axes.
  constructor(model, ids, texts) {
    Object.assign(this, { texts, ids });
    this.of = (kind, name) => model(ids[kind][name]);
  }
  say(name, values = {}) {
    return format_text(this.texts[name], values);
  }
  // How far a run has come.
  elapsed(row) {
    return this.say(row.epoch < 1 ? "steps" : "epochs", row);
  }
  // What a certificate guarantees.
  promise(relative_gap) {
    if (!Number.isFinite(relative_gap)) return this.say("no_bound");
    const percent = Math.min(100 * relative_gap, MOST_PERCENT);
    return this.say(relative_gap > WORTH_A_TICK ? "wide" : "tick", { percent });
  }
  // The row of numbers above the figures: each with a name, a number and HTML below it.
  cards(entries) {
    const cards = entries.map(([name, value, below]) => `<div class='wb-stat'><span>${name}</span><b>${value}</b>${below}</div>`);
    return `<div class='wb-stats'>${cards.join("")}</div>`;
  }
  // A sentence as `cards` takes it.
  note(name, values) {
    return `<em>${this.say(name, values)}</em>`;
  }
  // Whether the figure of a range is not folded away.
  is_shown(name) {
    return [...this.of("ranges", name).linked_plots].some((view) => view.is_displayed);
  }
  // The dotted line in the figures over time at a place of their axis; none where it is null.
  mark(location2) {
    for (const name of Object.keys(this.ids.here)) {
      this.of("here", name).setv({ location: location2 ?? 0, visible: location2 !== null }, { sync: false });
    }
  }
  // The gaps of rows as a curve that stays in grey, with a break at its end.
  ghost(rows) {
    const kept = spread(rows.length, MOST_POINTS).map((k) => rows[k]);
    const gap = kept.map((row) => row.gap > 0 && Number.isFinite(row.gap) ? row.gap : NaN);
    return { step: [...kept.map((row) => row.step), NaN], epoch: [...kept.map((row) => row.epoch), NaN], gap: [...gap, NaN] };
  }
  // Ghosts by figure, and the key of each figure, which says how far its ghost went, in epochs where there was one.
  leave_ghost(curves, counted = "epoch") {
    for (const name of Object.keys(this.ids.ghosts)) {
      const { step = [], epoch = [], gap = [] } = curves[name] ?? {};
      const last = { step: farthest(step), epoch: farthest(epoch) }, far = last.step > 0;
      last.round = last.pass = last.epoch;
      this.of("ghosts", name).setv({ data: far ? { step, epoch, gap } : { step: [], epoch: [], gap: [] } }, { sync: false });
      const unit = last.epoch < 1 ? "step" : counted;
      this.key(name, far ? this.texts.ghost.replace("{}", escaped(numerals(this.say(`before_${unit}`, { last: last[unit] })))) : "");
    }
  }
  key_of(name) {
    return deep(`.wb-save [data-figure="${name}"]`)[0]?.closest(".wb-head").querySelector(".wb-key");
  }
  // The key of a figure that draws other things now.
  main_key(name, html) {
    const key = this.key_of(name), more = key?.querySelector(".wb-more-key");
    if (!key || key.wb_html === html) return;
    key.innerHTML = html;
    key.wb_html = html;
    if (more) key.append(more);
  }
  // What the key of a figure says beside what it always says.
  key(name, html) {
    const key = this.key_of(name);
    if (!key) return;
    key.querySelector(".wb-more-key")?.remove();
    if (html) key.insertAdjacentHTML("beforeend", html.replace("<span", "<span class='wb-more-key'"));
  }
  // Figures that show what is not chosen any more are pale.
  dim(is_dimmed) {
    for (const name of Object.keys(this.ids.figures)) {
      const plot = this.of("figures", name), { opacity, ...styles } = plot.styles;
      const wanted = is_dimmed ? DIMMED : void 0;
      if (opacity !== wanted) plot.setv({ styles: wanted === void 0 ? styles : { ...styles, opacity: wanted } }, { sync: false });
    }
  }
  fill(name, data) {
    this.of("sources", name).setv({ data });
  }
  range(name, start2, end) {
    const bounds = this.of("ranges", name);
    if (bounds.start !== start2 || bounds.end !== end) bounds.setv({ start: start2, end });
  }
  // A logarithmic range around positive values, between so many decades below the largest.
  decades(name, values, most, least_many) {
    if (!values.length) return;
    const highest = Math.max(...values), lowest = Math.min(...values);
    const low = Math.min(Math.max(lowest, highest * 10 ** -most), highest * 10 ** -least_many);
    this.range(name, 10 ** Math.floor(Math.log10(low)), 2 * highest);
  }
  // A range around the values, with zero in it where wanted; one that still fits stands still.
  around(name, all, margin, zero = false) {
    const values = Array.from(all).filter(Number.isFinite);
    if (!values.length || zero && values.every((value) => value === 0)) return;
    let low = Math.min(...values), high = Math.max(...values);
    if (zero) [low, high] = [Math.min(low, 0), Math.max(high, 0)];
    const { start: start2, end } = this.of("ranges", name);
    if (start2 <= low && high <= end && high - low >= LEAST_FILLED * (end - start2)) return;
    const spread_of = high - low || Math.max(Math.abs(high), 1);
    this.range(name, low - margin * spread_of, high + margin * spread_of);
  }
  // A range of objective values: a first primal far above the rest would press both curves flat against the axis.
  objective(name, all, duals) {
    const [primal, dual] = [all, duals].map((values) => values.filter(Number.isFinite));
    if (!primal.length || !dual.length) return;
    const tail = all.slice(Math.floor(all.length / 3)).filter(Number.isFinite);
    const highest = Math.max(...primal), best = Math.max(...dual), settled = Math.max(...tail.length ? tail : primal);
    const top = Math.min(highest, settled + 2 * Math.max(settled - best, 0.5 * Math.abs(settled)));
    const bottom = Math.max(Math.min(...dual), top - 3 * Math.max(top - best, Math.abs(top)));
    this.around(name, [bottom, top], 0.06);
  }
};
function farthest(places) {
  return Math.max(...places.filter(Number.isFinite));
}
function spread(count, most) {
  const size = Math.min(most, count);
  const places = Array.from({ length: size }, (_, k) => size === 1 ? 0 : k === size - 1 ? count - 1 : Math.floor(k * ((count - 1) / (size - 1))));
  return [...new Set(places)];
}

// runtime/painter.js
var READ_MS = 300;
var SLOW_MS = 600;
var Painter = class {
  // Draws once the browser has time; what comes meanwhile is drawn next.
  async soon() {
    this.due = true;
    if (this.drawing) return;
    this.drawing = true;
    while (this.due || this.next) {
      if (!this.next) this.due = false;
      const { turn } = this;
      try {
        const then = await this.paint(this.asked);
        await this.between();
        then?.();
      } catch (error) {
        this.refuse(error, turn);
      }
    }
    this.drawing = false;
    this.keep();
  }
  // What is waited for after each picture, and what is done once there is none left to draw.
  between() {
  }
  keep() {
  }
};
function painted() {
  return new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
}

// runtime/live_page.js
function needed_digits(value) {
  if (typeof value !== "number") return value;
  const short = Number(value.toPrecision(12));
  return Math.abs(short - value) <= 1e-15 * Math.abs(value) ? short : value;
}
var GHOST_MS = 1e3;
var RunPage = class extends Painter {
  // `host` is where the page stands: in a file or on a server's page.
  constructor(page, model, host) {
    super();
    Object.assign(this, { page, model, host, playing: false, ended: null, asked: 0, refusal: null, engines: {} });
    Object.assign(this, { boxes: host.boxes, frame: host.frame });
  }
  // The value of each setting.
  get settings() {
    return this.host.settings;
  }
  // The facts of the chosen loss or regularizer.
  term(kind, settings) {
    const { control, rows } = this.page.terms[kind][settings[kind]];
    return rows[control === null ? 0 : this.page.controls[control].values.indexOf(settings[control])];
  }
  // What is chosen, in words beside each slider; only what the other choices use is shown.
  on_settings(settings) {
    this.host.on_settings(this, settings);
  }
  // What is chosen as an address and as code, once the picture of it stands: browsers take their time for these.
  keep() {
    const code = this.code(this.settings);
    this.host.keep(this);
    if (code !== null) this.host.put("code", code_box(code));
  }
  // The settings of an address, where they are among those of the page.
  follow(address) {
    for (const [name, text] of new URLSearchParams(address.replace(/^#/, ""))) {
      if (!this.host.set(name, text)) this.follow_more(name, text);
    }
  }
  say(text, is_error = false, status = this.status) {
    this.host.say(text, is_error, status);
  }
  // How far a run has come, unless a refusal stands; something else that is asked for takes that away.
  report(text, status) {
    this.say(this.refusal ?? text, this.refusal !== null, status);
  }
  refuse_points(name, values) {
    this.refusal = this.figures.say(name, values);
    this.report("", this.status);
  }
  get status() {
    return this.ended ?? (this.playing ? "running" : "paused");
  }
  between() {
    return painted();
  }
  // Resolves when what was asked for is drawn; fails after so many milliseconds with what it waits for.
  async settled(patience = 6e4) {
    const late = new Promise((_, fail) => setTimeout(() => fail(new Error(`not settled: ${this.awaited}`)), patience));
    const drawn = async () => {
      do
        await painted();
      while (!this.is_settled);
    };
    await Promise.race([drawn(), late]);
  }
  // What is not done yet, in the words of the code.
  get awaited() {
    const runs = (this.runs?.shown ?? []).map(({ name, asked: asked2, answered, running }) => ({ name, asked: asked2, answered, running }));
    const { drawing = false, is_busy = false, playing, stepping = false, asked } = this;
    return JSON.stringify({ drawing, is_busy, playing, stepping, asked, visible: document.visibilityState, runs });
  }
  // What a page does its own way.
  // A control is hidden where its parameter has no use, as in `controls.is_used`.
  is_hidden(name, settings) {
    const meets = (each) => Object.entries(each).every(([other, values]) => values.includes(settings[other]));
    return !(this.page.used[name] ?? [{}]).some(meets);
  }
  is_disabled() {
    return false;
  }
  more_of_the_address() {
    return [];
  }
  // The data and the terms of a problem, {data, terms}, where the page makes them of its settings without a host.
  given() {
    return null;
  }
  // Whether this browser can run what the page asks for.
  get is_able() {
    return is_able();
  }
  // Whether its pictures take the data and the facts of the terms also where the server computes.
  get draws_data() {
    return false;
  }
  // A preset or a step of the story set the controls.
  picked() {
  }
  follow_more() {
  }
  // The engine of a name, here or on the server.
  engine_of(name, is_here) {
    return this.engines[`${name} ${is_here}`] ??= this.host.engine(name, is_here);
  }
  // Ends all engines.
  close() {
    for (const each of Object.values(this.engines)) each.then((engine) => engine.close(), () => {
    });
    this.engines = {};
  }
  // The data, where an engine has others; `then` asks for what goes with them.
  async hold(engine, key, data, then = () => {
  }) {
    if (engine.key === key) return;
    engine.key = null;
    await engine.ask("data", { ...engine.facts, ...data });
    await then();
    engine.key = key;
  }
  // New problems, and runs of them where `play` says so; the last one asked for counts.
  async restart(play = true) {
    const turn = ++this.asked, { settings } = this, is_left = () => turn !== this.asked;
    this.on_settings(settings);
    this.remember();
    this.cleared(settings);
    Object.assign(this, { begins: play, is_busy: true, refusal: null });
    try {
      const begun = await this.begin(settings, is_left);
      if (is_left()) return;
      Object.assign(this, { begun: performance.now(), has_ended: false });
      this.put_up(begun, settings);
    } catch (error) {
      if (!is_left()) this.missed(error);
      return;
    }
    this.begins = this.is_busy = false;
    this.figures.dim(false);
    await this.goes(play);
  }
  // What follows once problems have begun.
  async goes(play) {
    if (play) this.run();
    else this.soon();
  }
  // What a press changes.
  pressed() {
  }
  // A problem that was asked for cannot be had.
  missed(error) {
    this.begins = this.is_busy = false;
    this.refuse(error);
    this.keep();
  }
  // What stands on the page is not of what is chosen; after an engine has ended, what is asked for next has another one.
  refuse(error) {
    this.pressed();
    if (error.is_broken) this.close();
    this.say(error.message, true);
    this.figures.dim(!error.is_broken);
  }
  // Whether the picture was there long enough to stay as a ghost.
  get was_seen() {
    return performance.now() - this.begun > GHOST_MS;
  }
  // What is left, {key, curves}, stays as a ghost where other settings follow; `curves` gives those of each figure.
  leave_ghost() {
    const { before } = this;
    this.before = null;
    if (before && before.key !== this.ghost_key) this.figures.leave_ghost(before.curves(), this.counted);
  }
  // What a button or a key says; false for what is not this page's.
  press(name) {
    if (name === "undo") return this.undo();
    if (name === "reset") {
      this.host.tell({ reset: true });
      this.restart(false);
    } else if (name === "toggle") this.toggle();
    else if (name === "run") this.run();
    else this.ask(name);
    return void 0;
  }
  undo() {
    return false;
  }
};
function is_able() {
  return [globalThis.WebAssembly, globalThis.Worker, globalThis.DecompressionStream].every((each) => each !== void 0);
}
function code_box(text) {
  return `<div class='wb-copy'><button type='button' data-do='copy'>Copy</button><pre class='wb-code' tabindex='0'>${escaped(text)}</pre></div>`;
}

// runtime/single_run.js
var SingleRun = class extends RunPage {
  // A run makes `most` steps until one presses again.
  constructor(page, model, host, most) {
    super(page, model, host);
    Object.assign(this, { most, rows: [], at: 0, moves: 0, lab: null, slow: false, spoken: -Infinity });
  }
  // --- the problem
  // What is looked at needs no other run.
  chosen() {
    const { settings, wanted = {} } = this;
    if ([...this.page.inputs, "tolerance"].some((name) => settings[name] !== wanted[name])) return this.restart();
    this.wanted = settings;
    this.on_settings(settings);
    return this.soon();
  }
  cleared(settings) {
    this.pressed({ wanted: settings, rows: [], at: 0, lab: null });
  }
  put_up({ row, ...lab }, settings) {
    const inputs = JSON.stringify(this.page.inputs.map((name) => settings[name]));
    Object.assign(this, { lab: { settings, inputs, ...lab }, rows: [row] });
  }
  // What is left stays as a ghost where it was seen and other settings follow.
  remember() {
    const { lab, rows } = this;
    if (lab && (this.has_ended || this.was_seen)) this.before = { key: lab.inputs, curves: () => this.ghosts(rows) };
  }
  get ghost_key() {
    return this.lab.inputs;
  }
  get counted() {
    return this.page.unit ?? "step";
  }
  // --- the run
  // What a press changes; the function that is returned says whether nothing was pressed or chosen since.
  pressed(changes = {}) {
    const turn = this.asked, move = ++this.moves;
    Object.assign(this, { playing: false, stepping: false, ended: null, ...changes });
    return () => turn === this.asked && move === this.moves;
  }
  async run() {
    if (!this.rows.length || this.playing) return;
    const { most } = this, limit = most * (Math.floor(this.rows[this.at].step / most) + 1);
    const stands = this.pressed({ playing: true });
    try {
      while (stands()) {
        const status = await this.forward(stands, { limit, tolerance: this.settings.tolerance, count: null });
        if (status && stands()) this.pressed({ ended: status });
        this.soon();
        await (this.slow ? new Promise((done) => {
          setTimeout(done, SLOW_MS);
        }) : painted());
      }
    } catch (error) {
      if (stands()) this.refuse(error);
    }
  }
  // On through what is kept, or anew; the status that ends the run, or null.
  async forward(stands, request) {
    const turn = this.asked, after = this.rows.at(-1).step;
    if (this.at + 1 < this.rows.length) {
      const passed = this.rows.slice(this.at + 1, this.at + 1 + this.passes(request));
      const met = passed.findIndex((row) => this.ends(row, request));
      this.at += met < 0 ? passed.length : met + 1;
      return this.ends(this.rows[this.at], request);
    }
    this.coming = this.further({ after, ...request }).finally(() => {
      this.coming = null;
    });
    const { rows, status, picture = null } = await this.coming;
    if (turn !== this.asked || this.rows.at(-1)?.step !== after) return null;
    this.rows.push(...rows);
    if (!stands()) return null;
    Object.assign(this, { at: this.rows.length - 1, picture });
    return status ?? this.ends(this.rows.at(-1), request);
  }
  // What a run ends as at a certificate; null where it goes on.
  ends(row, { limit, tolerance }) {
    if (this.left(row) <= tolerance) return "converged";
    return limit !== null && row.step >= limit ? "max_epochs" : null;
  }
  // What is left at a certificate, which the tolerance is for.
  left({ relative_gap }) {
    return relative_gap;
  }
  // How many kept rows a request passes.
  passes({ count }) {
    return count ?? 1;
  }
  // The steps of a press.
  async ask(type) {
    if (type === "pause") return this.rest();
    if (!this.rows.length) return void 0;
    const stands = this.pressed({ stepping: true });
    if (this.coming) await this.arrival(stands);
    if (!stands()) return void 0;
    try {
      const status = await this.forward(stands, { limit: null, tolerance: -1, count: this.count_of(type) });
      if (stands()) this.pressed({ ended: status });
      this.soon();
    } catch (error) {
      if (stands()) this.refuse(error);
    }
    return void 0;
  }
  // A run that is paused stands after the steps that were on their way.
  async rest() {
    const stands = this.pressed({ stepping: true });
    await this.arrival(stands);
    if (!stands()) return;
    this.pressed();
    this.soon();
  }
  // The steps that are on their way, to which a press takes the run.
  async arrival(stands) {
    const is_last = this.at === this.rows.length - 1;
    await this.coming?.catch(() => {
    });
    if (is_last && stands()) this.at = Math.max(0, this.rows.length - 1);
  }
  toggle() {
    return this.playing ? this.rest() : this.run();
  }
  pace(is_slow) {
    this.slow = is_slow;
  }
  seek(place) {
    if (!this.rows.length) return;
    this.pressed({ at: Math.min(place, this.rows.length - 1) });
    this.soon();
  }
  // The run has come to rest.
  came() {
  }
  // --- the picture
  get unit() {
    return "step";
  }
  place_of({ step }) {
    return step;
  }
  async paint(turn) {
    if (turn !== this.asked || !this.lab) return;
    const { at, lab } = this, frame = await this.seen(lab);
    if (frame === null || turn !== this.asked) return;
    const { rows } = this, { step } = rows[at], rests = !this.playing && !this.stepping && at === this.at;
    this.leave_ghost();
    this.figures.show(frame);
    this.figures.mark(at < rows.length - 1 ? this.place_of(rows[at]) : null);
    Object.assign(document.body.dataset, { shown: this.page.name, step });
    if (rests || performance.now() - this.spoken > READ_MS) this.speak(frame, rows[at]);
    this.has_ended ||= rests;
    if (rests) this.came();
  }
  speak(frame, row) {
    const { step: steps } = row, { status } = this, { tolerance } = this.settings;
    this.spoken = performance.now();
    for (const [name, text] of Object.entries(this.figures.captions(frame))) this.host.line(name, text);
    this.host.put("numbers", this.figures.statistics(frame));
    this.host.stand(this.rows, row, this.unit, this.figures.say("steps", { ...row, steps }));
    this.report(this.figures.say(status, { ...row, steps, tolerance }));
  }
  // Whether all that was asked for is drawn and said.
  get is_settled() {
    return !this.drawing && !this.is_busy && !this.playing && !this.stepping;
  }
};

// runtime/played.js
var PlayedFigures = class extends LiveFigures {
  show({ picture: { models, keys } }) {
    for (const [kind, named] of Object.entries(models)) {
      for (const [name, values] of Object.entries(named)) this.set(this.of(kind, name), values);
    }
    for (const [name, html] of Object.entries(keys)) this.main_key(name, html);
  }
  set(model, { data, ...values }) {
    if (data?.image) {
      model.data.image[0].set(data.image);
      data = { ...data, image: model.data.image };
    }
    model.setv(data ? { data, ...values } : values, { sync: false });
    if (data?.image) model.change.emit();
  }
  captions({ picture }) {
    return picture.captions;
  }
  statistics({ picture }) {
    return picture.texts.numbers;
  }
};
var Played = class extends SingleRun {
  constructor(page, model, host) {
    super(page, model, host, Infinity);
    this.figures = new PlayedFigures(model, page.ids, page.texts);
    Object.assign(this, { over: null, last_summary: null });
  }
  // Its answers are those of a server or a file.
  get is_able() {
    return true;
  }
  asked_of(settings) {
    return Object.fromEntries(this.page.names.map((name) => [name, settings[name]]));
  }
  looks(settings) {
    return JSON.stringify(this.page.views.map((name) => settings[name]));
  }
  // --- the run
  async begin(settings, is_left) {
    const { page, host } = this, { is_here } = page.runs ? { is_here: true } : await host.held(this, settings);
    const engine = await (page.runs ? this.kept ??= KeptRuns.of(page) : this.engine_of(page.name, is_here));
    if (is_left()) return null;
    this.say(this.figures.say("loading", settings), false, "loading");
    await this.hold(engine, page.name, {});
    if (is_left()) return null;
    const { rows: [row], code, summary, picture } = await engine.ask("play_problem", { settings: this.asked_of(settings) });
    if (is_left()) return null;
    Object.assign(this, { engine, over: null, picture: { ...picture, place: 0, looks: this.looks(settings) } });
    host.tell({ began: summary });
    return { row, code };
  }
  count_of(type) {
    return type;
  }
  passes({ count }) {
    return count === "epoch" ? this.page.leap : 1;
  }
  async further({ count }) {
    const { settings } = this, request = count ?? (this.slow ? "slow" : "run");
    const { rows, over, summary, picture } = await this.engine.ask("play_steps", { settings: this.asked_of(settings), request });
    Object.assign(this, { over, last_summary: summary });
    return { rows, status: over, picture: { ...picture, place: this.rows.length + rows.length - 1, looks: this.looks(settings) } };
  }
  // The engine says what has ended.
  ends(row) {
    return row === this.rows.at(-1) ? this.over : null;
  }
  came() {
    if (this.over) this.host.tell({ came: this.last_summary });
  }
  // --- the picture
  // A row says in what its run is counted where runs of a page differ in that.
  get counted() {
    return this.rows[0]?.unit ?? this.page.unit;
  }
  get unit() {
    return this.page.unit === "epoch" && this.rows.at(-1).epoch < 1 ? "step" : this.counted;
  }
  place_of({ time }) {
    return time;
  }
  async seen(lab) {
    const { asked, at, settings } = this, looks = this.looks(settings);
    if (this.picture?.place !== at || this.picture.looks !== looks) {
      const { picture } = await this.engine.ask("play_picture", { settings: this.asked_of(settings), place: at });
      if (asked !== this.asked) return null;
      this.picture = { ...picture, place: at, looks };
    }
    return { ...lab, picture: this.picture };
  }
  speak(frame, row) {
    super.speak(frame, row);
    for (const [name, html] of Object.entries(frame.picture.texts)) this.host.put(name, html);
  }
  // The curves that are drawn, one after another with a break between.
  ghosts(rows) {
    const { step, epoch, unit } = rows.at(-1), columns = (name) => this.figures.of("sources", name).data;
    if (unit !== this.rows[0].unit) return {};
    return Object.fromEntries(Object.entries(this.page.ghosts).map(([figure, { sources, x, gap }]) => {
      const joined = (column) => sources.flatMap((name) => columns(name)[x].length ? [...columns(name)[column], NaN] : []);
      const place = joined(x);
      return [figure, { step: place.map((each) => Math.round(each * step / epoch)), epoch: place, gap: joined(gap) }];
    }));
  }
  code() {
    return this.lab?.code ?? null;
  }
};
var KeptRuns = class _KeptRuns {
  static async of({ runs, controls }) {
    return Object.assign(new _KeptRuns(), await opened(runs), { controls });
  }
  run({ settings }) {
    return this.runs[Object.entries(this.controls).reduce((at, [name, { values }]) => at * values.length + values.indexOf(settings[name]), 0)];
  }
  // Values occur again and again and are kept once.
  picture({ pictures }, place) {
    const picture = pictures[place], { sources } = picture.models;
    const named = (group) => Object.fromEntries(Object.entries(group).map(([name, k]) => [name, this.pool[k]]));
    const filled = Object.entries(sources).map(([name, columns]) => [name, { data: drawable(named(columns)) }]);
    return {
      ...picture,
      models: { ...picture.models, sources: Object.fromEntries(filled) },
      texts: named(picture.texts),
      keys: named(picture.keys)
    };
  }
  async ask(type, contents) {
    if (type === "data") return {};
    const run = this.run(contents), { rows, code, over } = run;
    if (type === "play_problem") {
      this.done = 1;
      return { rows: rows.slice(0, 1), code, picture: this.picture(run, 0) };
    }
    if (type === "play_picture") return { picture: this.picture(run, contents.place) };
    const first = this.done;
    this.done = Math.min(rows.length, first + (contents.request === "epoch" ? LEAP : 1));
    const is_over = this.done === rows.length;
    return { rows: rows.slice(first, this.done), over: is_over ? over : null, picture: this.picture(run, this.done - 1) };
  }
  close() {
  }
};
function drawable(columns) {
  return Object.fromEntries(Object.entries(columns).map(([name, values]) => [name, values.map((each) => each ?? NaN)]));
}
var LEAP = 10;

// runtime/boxes.js
function box(id) {
  return document.getElementById(id);
}
function place_of(each) {
  return each === null ? 0 : each.tagName === "SELECT" ? each.selectedIndex : Number(each.value);
}

// runtime/focus.js
var WRITES = "input:not([type=range], [type=checkbox], [type=radio]), textarea, [contenteditable]";
function has_focus(event, selector) {
  const target = event.composedPath()[0];
  return target instanceof Element && target.matches(selector);
}
function is_written(event) {
  return has_focus(event, WRITES);
}

// runtime/live_story.js
var Picks = class {
  // `entries` have the places of controls, those of a story also a caption and the figure that fills the page.
  constructor(live, { entries, leave }) {
    Object.assign(this, { live, entries, entry: null, select: box("x-pick"), story: box("x-story") });
    this.begun = Object.entries(live.boxes).filter(([, each]) => each !== null).map(([name, each]) => [name, place_of(each)]);
    this.button = Object.assign(document.createElement("button"), { type: "button", textContent: leave });
    this.button.addEventListener("click", () => this.end());
    this.select.addEventListener("input", () => {
      if (this.pick(this.select.selectedIndex - 1)) live.restart();
    });
  }
  // The step of the story that is told, or undefined.
  get step() {
    return this.entry?.step;
  }
  // Sets the controls as an entry has them, the others as they began; whether there is such an entry.
  pick(at) {
    const entry = this.entries[at];
    if (!entry) {
      this.leave();
      return false;
    }
    for (const [name, place] of [...this.begun, ...Object.entries(entry.places)]) {
      const each = this.live.boxes[name];
      if (each === null) continue;
      if (each.tagName === "SELECT") each.selectedIndex = place;
      else each.value = place;
    }
    this.select.selectedIndex = at + 1;
    this.entry = entry;
    this.live.picked();
    this.tell();
    return true;
  }
  // The step of an address.
  follow(address) {
    const step = /^#story=(\d+)$/.exec(address)?.[1];
    if (step) this.pick(this.entries.findIndex((entry) => entry.step === Number(step)));
  }
  // A control was moved, or the story is over.
  leave() {
    if (!this.entry) return;
    this.entry = null;
    this.select.selectedIndex = 0;
    this.tell();
  }
  end() {
    if (!this.step) return;
    this.leave();
    this.live.keep();
  }
  // The step before or after; whether a story is told at all.
  walk(by) {
    if (!this.step) return false;
    const next = this.entries.indexOf(this.entry) + by;
    if (this.entries[next]?.step && this.pick(next)) this.live.restart();
    return true;
  }
  // A step of the story has a caption, and its figures fill the page.
  tell() {
    const { caption, figures: shown } = this.entry ?? {};
    this.story.hidden = !caption;
    this.story.replaceChildren(...caption ? [`${caption} `, this.button] : []);
    this.live.host.file.showOnProjector(caption, shown);
  }
};

// runtime/transports.js
var SocketEngine = class {
  constructor(name, send) {
    Object.assign(this, { name, send, heard: () => {
    }, waiting: /* @__PURE__ */ new Map(), count: 0 });
  }
  ask(type, contents = {}) {
    const id = ++this.count;
    if (this.broken) return Promise.reject(this.broken);
    this.send({ engine: this.name, message: { version: 1, id, type, ...contents } });
    return new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
  }
  take(answer) {
    WorkbenchEngine.prototype.take.call(this, answer);
  }
  fail(text) {
    WorkbenchEngine.prototype.fail.call(this, text);
  }
  close() {
  }
};
var RecordedEngine = class {
  constructor(answers, why) {
    Object.assign(this, { answers, why, heard: () => {
    }, count: 0 });
  }
  ask(type) {
    const id = ++this.count, kept = type === "data" ? { type: "ready" } : this.answers[type];
    const is_first = type === Object.keys(this.answers)[0];
    if (!kept || is_first && this.is_used) return Promise.reject(new Error(this.why));
    this.is_used ||= is_first;
    const answer = { ...kept, id };
    return Promise.resolve().then(() => {
      this.heard(answer);
      return answer;
    });
  }
  close() {
  }
};

// runtime/file_host.js
var NOT_ABLE = "This browser has no WebAssembly or no workers, so the page shows a picture instead.";
var FileHost = class {
  is_file = true;
  constructor(page, file) {
    this.page = page;
    this.file = file;
    this.boxes = Object.fromEntries(Object.keys(page.controls).map((name) => [name, box(`x-${name}`)]));
    this.frame = box("x-frame");
    this.changes = {};
  }
  get settings() {
    const chosen = Object.entries(this.page.controls).map(([name, { values }]) => [name, values[place_of(this.boxes[name])]]);
    return { ...Object.fromEntries(chosen), ...this.changes };
  }
  // A setting that has no control, as points by hand.
  change(name, value) {
    this.changes[name] = value;
  }
  // Sets a control to the value that an address gives; whether it has one.
  set(name, text) {
    const each = Object.hasOwn(this.boxes, name) ? this.boxes[name] : null;
    const place = each ? this.page.controls[name].values.findIndex((value) => String(value) === text) : -1;
    if (place < 0) return false;
    if (each.tagName === "SELECT") each.selectedIndex = place;
    else each.value = place;
    return true;
  }
  on_settings(live, settings) {
    for (const [name, each] of Object.entries(this.boxes)) {
      if (each === null) continue;
      each.closest(".x-control").hidden = live.is_hidden(name, settings);
      each.disabled = live.is_disabled(name, settings);
      if (each.dataset.said === void 0) continue;
      const text = JSON.parse(each.dataset.said)[each.value];
      box(`${each.id}-said`).textContent = text;
      each.setAttribute("aria-valuetext", text);
    }
  }
  keep(live) {
    const { settings } = this, given = Object.entries(this.boxes).filter(([, each]) => each !== null);
    const entries = given.map(([name]) => [name, needed_digits(settings[name])]);
    const step = live.picks?.step, told = step ? [["story", step]] : [...entries, ...live.more_of_the_address()];
    const address = `#${new URLSearchParams(told)}`;
    if (address !== location.hash) history.replaceState(null, "", address);
  }
  // Where a part of the page stands that draws itself.
  place(name) {
    return box(`x-${name}`);
  }
  put(name, html) {
    this.file.putHtml(`x-text-${name}`, html);
  }
  line(name, text) {
    this.file.putHtml(`x-line-${name}`, escaped(text));
  }
  say(text, is_error, status) {
    const line = box("x-status");
    line.textContent = is_error ? text : numerals(text);
    line.classList.toggle("bad", is_error);
    document.body.dataset.status = status;
    box("x-do-run").textContent = status === "running" ? "pause" : "run";
  }
  stand(rows, row, _unit, text) {
    this.frame.max = rows.length - 1;
    this.frame.value = rows.findIndex(({ step }) => step === row.step);
    box("x-at").textContent = text;
    this.frame.setAttribute("aria-valuetext", text);
  }
  // The engine that a run is played by: in a worker, or what the file has kept of it.
  async engine(name) {
    if (is_able()) {
      return Object.assign(new WorkbenchEngine(this.page.worker ?? this.page.engine.source), { facts: await (this.kernels ??= this.opened()) });
    }
    return new RecordedEngine((await opened(this.page.recorded))[name], NOT_ABLE);
  }
  async opened() {
    return { kernels: await inflated(this.page.engine.kernels), functions: this.page.engine.functions };
  }
  // Who computes, the data, which are unpacked when first asked for, and the terms of a problem.
  async held(live, settings) {
    const given = await live.given(settings);
    if (given) return { is_here: true, key: null, ...given };
    const source = this.page.sources.find(({ name }) => name === settings.source);
    if (!source.opened) live.say(live.figures.say("loading", settings), false, "loading");
    const [loss, regularizer] = ["loss", "regularizer"].map((kind) => live.term(kind, settings).name);
    const data = await (source.opened ??= is_able() ? opened(source.facts) : {});
    return { is_here: true, key: settings.source, data, terms: { loss, regularizer } };
  }
  // The terms as a notebook names them.
  texts(live, settings) {
    return Object.fromEntries(["loss", "regularizer"].map((kind) => [kind, live.term(kind, settings).text]));
  }
  // There is nobody to hear of it.
  tell() {
  }
};
async function begin(text, file, Page) {
  const page = await file.unpacked(text), live = new Page(page, await file.embed(page.document), new FileHost(page, file));
  if (page.picks?.entries.length) live.picks = new Picks(live, page.picks);
  live.follow(location.hash);
  live.picks?.follow(location.hash);
  for (const [name, each] of Object.entries(live.boxes)) {
    each?.addEventListener("input", () => {
      live.picks?.leave();
      live.chosen(name);
    });
  }
  live.frame.addEventListener("input", () => live.seek(Number(live.frame.value)));
  const actions = {
    "x-do-reset": () => live.restart(false),
    "x-do-step": () => live.ask("step"),
    "x-do-epoch": () => live.ask("epoch"),
    "x-do-run": () => live.toggle()
  };
  for (const [id, action] of Object.entries(actions)) box(id).addEventListener("click", action);
  const walk = (by, otherwise = () => {
  }) => () => {
    if (!live.picks?.walk(by)) otherwise();
  };
  file.onKeys({
    " ": actions["x-do-run"],
    r: actions["x-do-reset"],
    ArrowRight: walk(1, actions["x-do-step"]),
    ArrowLeft: walk(-1),
    PageDown: walk(1),
    PageUp: walk(-1),
    Escape: () => live.picks?.end()
  });
  document.addEventListener("keydown", (event) => {
    if (!live.points || !(event.ctrlKey || event.metaKey) || event.key !== "z" || is_written(event)) return;
    event.preventDefault();
    live.points.undo();
  });
  await live.restart(live.is_able);
  if (live.is_able) return;
  live.refusal = NOT_ABLE;
  live.report("");
}

// runtime/session.js
var HERE = { sync: false };
function by_id(id) {
  return Bokeh.documents.map((document2) => document2.get_model_by_id(id)).find((model) => model);
}
function plain(value) {
  if (ArrayBuffer.isView(value)) return new (value instanceof Float64Array ? Float64Array : Uint32Array)(value);
  if (Array.isArray(value)) return value.map(plain);
  if (value === null || typeof value !== "object") return value;
  const entries = value instanceof Map ? [...value] : Object.entries(value);
  return Object.fromEntries(entries.map(([name, part]) => [name, plain(part)]));
}

// runtime/served_host.js
var LOST = "The server does not answer; the picture stays as it is.";
var ServedHost = class {
  constructor(model, el) {
    Object.assign(this, { model, el, page: model.page, boxes: {}, frame: null, asked: 0, waiting: /* @__PURE__ */ new Map(), kept: /* @__PURE__ */ new Map() });
    Object.assign(this, { sockets: /* @__PURE__ */ new Map(), changes: /* @__PURE__ */ new Map() });
  }
  send(message) {
    this.model.send_msg(message);
  }
  // What is asked of the server once for each key: data, and the facts of terms.
  ask(need, key) {
    const name = JSON.stringify([need, key]);
    if (!this.kept.has(name)) {
      const id = ++this.asked;
      const answer = new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
      answer.catch(() => this.kept.delete(name));
      this.kept.set(name, answer);
      this.send({ need, id, key });
    }
    return this.kept.get(name);
  }
  take(told, live) {
    const { id, engine, answer, failed, want, compiling } = plain(told);
    if (want !== void 0) return this.send({ given: id, value: live[want] });
    if (compiling !== void 0) live.say(compiling, false, "loading");
    else if (engine !== void 0) this.sockets.get(engine)?.take(answer);
    else if (failed !== void 0) this.waiting.get(id)?.reject(new Error(failed));
    else this.waiting.get(id)?.resolve(answer);
    this.waiting.delete(id);
    return void 0;
  }
  // A slider that is a number and nothing else says so before the server has heard of it.
  get settings() {
    const settings = plain(this.model.settings);
    for (const [name, { id, values }] of Object.entries(plain(this.model.sliders))) {
      const data = by_id(id)?.data;
      if (data?.options.length === values.length && data.value in values) settings[name] = values[data.value];
    }
    for (const [name, value] of this.changes) {
      if (settings[name] === value) this.changes.delete(name);
      else settings[name] = value;
    }
    return settings;
  }
  // A setting that has no control, as points by hand: it holds at once, and from the server's answer on it is the model's.
  change(name, value) {
    if (this.settings[name] === value) return;
    this.changes.set(name, value);
    this.send({ change: { [name]: value } });
  }
  is_slider(model) {
    return Object.values(plain(this.model.sliders)).some(({ id }) => by_id(id)?.data === model);
  }
  // Where a part of the page stands that draws itself: the component's own place.
  place() {
    this.el.style.display = "";
    return this.el;
  }
  on_settings() {
  }
  keep() {
  }
  // The text of one of the page's panes, whose model holds it escaped.
  put(name, html) {
    const pane = by_id(this.model.panes[name]), text = escaped(name === "code" ? html : typeset(html));
    if (pane && pane.text !== text) pane.setv({ text }, HERE);
  }
  line(name, text) {
    this.put(`line-${name}`, `<div class='wb-line'>${escaped(numerals(text))}</div>`);
  }
  say(text, is_error, status) {
    const said = escaped(is_error ? text : numerals(text)), style = is_error ? "wb-status bad" : "wb-status";
    this.put("status", `<div class='${style}' role='status'>${said}</div>`);
    document.body.dataset.status = status;
  }
  // Where the run stands among its rows, for the scrub bar: the present row and the last, in a unit of theirs.
  stand(rows, row, unit) {
    const at = rows.findIndex(({ step }) => step === row.step), places = rows.length;
    const detail = { at, places, unit, now: rows[at][unit], last: rows.at(-1)[unit] };
    document.dispatchEvent(new CustomEvent("wb-stands", { detail }));
  }
  // Who computes, the data and the terms: this browser, where it can and has what it needs, else the server.
  async held(live, settings) {
    const named = Object.fromEntries(this.model.data_names.map((name) => [name, settings[name]]));
    const is_able_here = is_able() && this.model.engine !== "" && !settings.elsewhere;
    const known = is_able_here || live.draws_data ? await (live.given(settings) ?? this.asked_for(named, settings)) : null;
    const is_here = is_able_here && known !== null && !known.is_large, key = JSON.stringify(named);
    const found = is_here ? known : { data: named, terms: settings.texts };
    return this.computed({ key, ...found, is_here, known }, live);
  }
  // The data and the terms that the server gives; null where it keeps one of them.
  async asked_for(named, { texts }) {
    const [data, terms] = await Promise.all([this.ask("data", named), this.ask("terms", { ...named, ...texts })]);
    return data && terms ? { data: { data, losses: {}, regularizers: {} }, terms, is_large: data.large ?? false } : null;
  }
  // Says who computes.
  computed(held, live) {
    document.body.dataset.engine = held.is_here ? "browser" : "server";
    this.put("engine", `<div class='wb-note'>${escaped(live.figures.say(held.is_here ? "here" : "there"))}</div>`);
    return held;
  }
  texts(_live, settings) {
    return settings.texts;
  }
  // What the server goes by once a run rests.
  tell(contents) {
    this.send({ rests: contents });
  }
  // The engine of a name: in a worker with its kernels, or the server's.
  async engine(name, is_here) {
    if (is_here) {
      const { source, kernels, functions } = await (this.packed ??= this.fetched());
      return Object.assign(new WorkbenchEngine(this.page.worker ?? source), { facts: { kernels, functions } });
    }
    const engine = new SocketEngine(name, (message) => this.send(message));
    this.sockets.set(name, engine);
    return engine;
  }
  async fetched() {
    const { source, kernels, functions } = await (await fetch(this.model.engine)).json();
    return { source, kernels: await inflated(kernels), functions };
  }
  lost() {
    for (const { reject } of this.waiting.values()) reject(new Error(LOST));
    for (const each of this.sockets.values()) each.fail(LOST);
  }
};
function typeset(html) {
  return html.split(/(<wb-tex.*?<\/wb-tex>)/s).map((part, k) => k % 2 ? part : numerals(part)).join("");
}
async function stand(drawn, places) {
  const boxes = drawn.roots().map(({ id }) => {
    const box2 = Object.assign(document.createElement("div"), { className: "wb-figure" });
    Bokeh.index.find_one(by_id(places[id])).shadow_el.append(box2);
    return box2;
  });
  await Bokeh.embed.add_document_standalone(drawn, document.body, boxes);
}
var served = (Page) => function render2({ model, el }) {
  el.style.display = "none";
  const [session] = Bokeh.documents, drawn = session.constructor.from_json(JSON.parse(model.figures));
  const host = new ServedHost(model, el), live = new Page(model.page, by_id, host), listeners = [];
  const hear = (name, act) => {
    const listener = (event) => {
      if (act(event.detail) !== false) event.preventDefault();
    };
    document.addEventListener(name, listener);
    listeners.push(() => document.removeEventListener(name, listener));
  };
  hear("wb-seek", (place) => live.seek(place));
  hear("wb-press", (name) => live.press(name));
  hear("wb-pace", (is_slow) => live.pace(is_slow));
  hear("wb-tap", (tap) => Number.isFinite(tap) && host.send({ tap }));
  let hidden = [];
  const hide = () => {
    for (const id of hidden) by_id(id).setv({ visible: true }, HERE);
    hidden = [...model.hidden];
    for (const id of hidden) by_id(id).setv({ visible: false }, HERE);
  };
  hide();
  model.on("hidden", hide);
  model.on("msg:custom", (message) => host.take(message, live));
  let chosen = "";
  const follow = () => {
    const settings = JSON.stringify(live.settings);
    if (settings === chosen) return;
    chosen = settings;
    live.chosen();
  };
  model.on("settings", follow);
  model.on("refusal", () => {
    live.refusal = model.refusal || null;
    if (model.refusal) live.report("");
  });
  const moved = ({ model: slider, attr, sync }) => {
    if (sync && attr === "value" && host.is_slider(slider)) follow();
  };
  globalThis.wb_page = live;
  const open = async () => {
    await stand(drawn, model.places);
    document.body.dataset.drawn = "";
    document.dispatchEvent(new CustomEvent("wb-drawn"));
    session.on_change(moved);
    follow();
  };
  model.on("remove", () => {
    for (const leave of listeners) leave();
    session.remove_on_change(moved);
    live.close();
  });
  session.on_event("connection_lost", () => host.lost());
  if (session.is_idle) open();
  else session.idle.connect(open);
};

// runtime/hosted.js
function hosted(Page) {
  return { render: served(Page), start: (text, file) => begin(text, file, Page) };
}

// entries/played.js
var { render, start } = hosted(Played);
export {
  render,
  start
};
