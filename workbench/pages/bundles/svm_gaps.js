// Made of workbench/pages/entries/svm_gaps.js and what it imports: change those, and run: python -m workbench.pages.bundling
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
function python_number(value) {
  if (value === true) return "True";
  if (Number.isInteger(value)) return Math.abs(value) < 1e16 ? `${value}.0` : String(value);
  return Math.abs(value) < 1e-4 ? value.toExponential().replace(/e-(\d)$/, "e-0$1") : String(value);
}
function code_box(text) {
  return `<div class='wb-copy'><button type='button' data-do='copy'>Copy</button><pre class='wb-code' tabindex='0'>${escaped(text)}</pre></div>`;
}

// runtime/plane_hand.js
var UNIT = 0.01;
var DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz";
var NEAR = 0.15;
var SPACING = 0.2;
var SPREAD = 0.25;
var SEED = 7;
var Hand = class {
  // The page has `present`, {X, y} or null where there is nothing to take hold of, and `hands`, {adds, brush}. It answers
  // `move(edited)` to each place that there is time for, and `let_go(edited, is_full)` in the end.
  constructor(page, plot, { half_width, most }) {
    Object.assign(this, { page, plot, half_width, most, held: null, stroke: null, edited: null, waiting: null });
    plot.on_event("panstart", ({ x, y, modifiers }) => this.take([x, y], modifiers?.shift));
    plot.on_event("pan", ({ x, y }) => this.drag([x, y]));
    plot.on_event("panend", () => this.let_go());
  }
  forget() {
    Object.assign(this, { held: null, stroke: null, edited: null, waiting: null });
  }
  take(place, shift) {
    const { present, hands } = this.page;
    if (!present) return;
    const { X, y } = present, sample = nearest(X, place);
    this.forget();
    if (sample !== null) this.held = { sample, offset: X[sample].map((value, k) => value - place[k]) };
    else if (Math.max(...place.map(Math.abs)) > this.half_width || !(hands.brush || shift)) return;
    this.edited = { X, y };
    if (sample === null) {
      this.stroke = { end: place, random: normals(SEED), is_full: false };
      this.add([place]);
    }
  }
  drag(place) {
    if (this.stroke) return this.paint(place);
    if (!this.held) return;
    const { sample, offset } = this.held, X = [...this.edited.X];
    X[sample] = this.snapped(place.map((value, k) => value + offset[k]));
    this.move({ X, y: this.edited.y });
  }
  // On with a stroke up to a place.
  paint(place) {
    const { end: from, random } = this.stroke, along = place.map((value, k) => value - from[k]);
    const length = Math.hypot(...along), count = Math.floor(length / SPACING);
    if (!count) return;
    const places = Array.from({ length: count }, (_, k) => from.map((value, j) => value + (k + 1) * SPACING * along[j] / length));
    this.stroke.end = places.at(-1);
    this.add(places.map((each) => each.map((value) => value + SPREAD * random())));
  }
  // Points of the chosen class, as many as there is room for.
  add(places) {
    const { X, y } = this.edited, fitting = places.slice(0, Math.max(this.most - X.length, 0));
    if (fitting.length < places.length) this.stroke.is_full = true;
    if (!fitting.length) return;
    const label = this.page.hands.adds === "+1" ? 1 : -1;
    this.move({
      X: [...X, ...fitting.map((place) => this.snapped(place))],
      y: Float64Array.from([...y, ...fitting.map(() => label)])
    });
  }
  snapped(place) {
    return place.map((value) => snapped(value, this.half_width));
  }
  // Every place that there is time for: the newest one when the one before is drawn.
  async move(edited) {
    Object.assign(this, { edited, waiting: edited });
    if (this.is_moving) return;
    this.is_moving = true;
    this.hide_tips(true);
    while (this.waiting) {
      const now = this.waiting;
      this.waiting = null;
      await this.page.move(now);
      await painted();
    }
    this.hide_tips(false);
    this.is_moving = false;
  }
  let_go() {
    const { edited, stroke } = this;
    this.forget();
    if (edited) this.page.let_go(edited, stroke?.is_full ?? false);
  }
  // A tooltip would cover what is to be seen, and a sample that is lit would draw other figures with every move.
  hide_tips(hidden) {
    for (const tool of this.plot.toolbar.tools.filter(({ type }) => type === "HoverTool")) {
      if (hidden) tool.callback?.execute(tool, { sample: null });
      if (hidden) (this.tips ??= /* @__PURE__ */ new Map()).set(tool, tool.renderers);
      tool.setv({ renderers: hidden ? [] : this.tips.get(tool) }, { sync: false });
    }
  }
};
function nearest(X, [x, y]) {
  const away = X.map(([u, v]) => Math.hypot(u - x, v - y)), least = Math.min(...away);
  return least <= NEAR ? away.indexOf(least) : null;
}
function normals(seed) {
  let state = seed;
  const uniform = () => {
    state = Math.imul(state, 1664525) + 1013904223 >>> 0;
    return (state + 0.5) / 2 ** 32;
  };
  return () => {
    const radius = Math.sqrt(-2 * Math.log(uniform()));
    return radius * Math.cos(2 * Math.PI * uniform());
  };
}
function snapped(value, half_width) {
  return Math.round(Math.min(Math.max(value, -half_width), half_width) / UNIT) * UNIT;
}
function write_points({ X, y }, half_width) {
  const digits = (value) => {
    const whole = Math.round((value + half_width) / UNIT);
    return DIGITS[Math.floor(whole / 36)] + DIGITS[whole % 36];
  };
  return X.map(([u, v], i) => (y[i] > 0 ? "p" : "m") + digits(u) + digits(v)).join("");
}

// runtime/live_plane.js
var MOST_UNDONE = 200;
var PlanePoints = class {
  // The setting `points` is the text of edited points, empty for those of the source; a file may begin with one. The page
  // answers `drag`, which draws what is in hand, `edited`, and `refuse_points`, which takes the name of a sentence and its
  // values; `present` has the points it draws.
  constructor(page, { text, most, half_width, plot }) {
    Object.assign(this, { page, most, half_width, past: [], dragging: null, begun: "" });
    if (text !== void 0) this.text = text;
    this.hand = new Hand(this, plot, { half_width, most });
    plot.on_event("tap", ({ x, y }) => this.add([x, y]));
    plot.on_event("doubletap", ({ x, y }) => this.remove([x, y]));
  }
  get text() {
    return this.page.host.settings.points;
  }
  set text(text) {
    this.page.host.change("points", text);
  }
  // What the address has of them.
  get entries() {
    return this.text ? [["points", this.text]] : [];
  }
  // What `Hand` asks of a page: the points as they are, whether or not they are drawn yet, and what a drag does.
  get present() {
    return this.page.present && this.placed(this.begun);
  }
  get hands() {
    return this.page.settings;
  }
  // The Python that makes the points.
  code(source) {
    const examples = "wb.data.examples.";
    return this.text ? `${examples}read_points(
  '${this.text}')` : `${examples}plane(
  '${source}')`;
  }
  follow(text) {
    if (text === "" || is_points(text, this)) this.text = text;
  }
  forget() {
    Object.assign(this, { text: "", past: [], dragging: null });
  }
  // The points as they are, {X, y}: in hand, edited, or those of a text to begin with.
  placed(begun) {
    this.begun = begun;
    return this.dragging ?? read_points(this.text || begun, this.half_width);
  }
  move(edited) {
    this.dragging = edited;
    return this.page.drag();
  }
  let_go(edited, is_full) {
    this.take(edited, this.dragging !== null);
    if (is_full) this.page.refuse_points("full", this);
  }
  add([x, y]) {
    const { present, half_width } = this;
    if (!present || Math.max(Math.abs(x), Math.abs(y)) > half_width || nearest(present.X, [x, y]) !== null) return;
    const label = this.hands.adds === "+1" ? 1 : -1;
    this.take({ X: [...present.X, this.hand.snapped([x, y])], y: Float64Array.from([...present.y, label]) });
  }
  remove(place) {
    const { present } = this, sample = present && nearest(present.X, place);
    if (sample === null) return;
    const keep = (_, i) => i !== sample;
    this.take({ X: present.X.filter(keep), y: present.y.filter(keep) });
  }
  // Edited points; those that were `moved` are drawn already, and are drawn anew even where nothing has changed.
  take(edited, moved = false) {
    const { most, page, half_width } = this, n = edited.y.length, classes = new Set(edited.y).size;
    this.dragging = null;
    if (n < 2 || n > most || classes < 2) return page.refuse_points("too_few", { n, classes, most });
    const before = this.text, text = write_points(edited, half_width), is_same = text === (before || this.begun);
    if (is_same && !moved) return void 0;
    if (!is_same) Object.assign(this, { text, past: [...this.past, before].slice(-MOST_UNDONE) });
    return page.edited();
  }
  undo() {
    if (!this.past.length) return;
    this.hand.forget();
    Object.assign(this, { dragging: null, text: this.past.pop() });
    this.page.edited();
  }
};
function read_points(text, half_width) {
  const points = Array.from({ length: text.length / 5 }, (_, k) => text.slice(5 * k, 5 * k + 5));
  const at = (digits) => snapped(parseInt(digits, 36) * UNIT - half_width, half_width);
  return {
    X: points.map((point) => [at(point.slice(1, 3)), at(point.slice(3))]),
    y: Float64Array.from(points, (point) => point[0] === "p" ? 1 : -1)
  };
}
function is_points(text, { most, half_width }) {
  if (!/^(?:[pm][0-9a-z]{4})+$/.test(text) || text.length > 5 * most) return false;
  const points = text.match(/.{5}/g), largest = Math.round(2 * half_width / UNIT);
  const places = points.flatMap((point) => [point.slice(1, 3), point.slice(3)].map((digits) => parseInt(digits, 36)));
  return new Set(points.map(([label]) => label)).size === 2 && places.every((place) => place <= largest);
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

// svm_gaps/gap.js
var BOUND_SHARE = 1e-9;
var CURVE_POINTS = 101;
function kernel_of({ code, parameters }) {
  const dot = (a, b) => a[0] * b[0] + a[1] * b[1];
  const [gamma, constant, degree] = parameters;
  if (code === 1) return dot;
  if (code === 2) return (a, b) => Math.exp(-gamma * ((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2));
  return (a, b) => (gamma * dot(a, b) + constant) ** degree;
}
function kernel_matrix(kernel, from, to) {
  return from.map((point) => Float64Array.from(to, (other) => kernel(point, other)));
}
function times(matrix, factors) {
  return Float64Array.from(matrix, (row) => row.reduce((sum, value, j) => sum + value * factors[j], 0));
}
var total = (values) => values.reduce((sum, value) => sum + value, 0);
function dual_variables(alpha, y, C) {
  return alpha.map((value, i) => Math.min(Math.max(C * y[i] * value, 0), C));
}
function svm_gap(K, y, C, a) {
  const signed = a.map((value, i) => y[i] * value), f = times(K, signed);
  const m = f.map((value, i) => value - y[i]), up = a.map((value, i) => y[i] > 0 ? value : C - value);
  const negatives = y.reduce((count, label) => count + (label < 0), 0);
  const order = Float64Array.from(m).sort(), best = 0.5 * (order[negatives - 1] + order[negatives]);
  const gap = total(m.map((value, i) => up[i] * Math.max(value - best, 0) + (C - up[i]) * Math.max(best - value, 0)));
  const slacks = m.map((value, i) => Math.max(y[i] * (best - value), 0));
  const half_norm = 0.5 * total(signed.map((value, i) => value * f[i]));
  return {
    gap,
    bias: -best,
    slacks,
    f,
    breakpoints: order.map((value) => -value).reverse(),
    values: values_of(order, gap, negatives, C).reverse(),
    outer: [C * (y.length - negatives), C * negatives],
    primal: half_norm + C * total(slacks),
    dual: total(a) - half_norm,
    ...bounds_of(m, up, C)
  };
}
function values_of(order, gap, negatives, C) {
  const n = order.length, values = new Float64Array(n).fill(gap);
  const rise = (k) => Math.abs(C * (k - negatives)) * (order[k] - order[k - 1]);
  for (let k = negatives + 1; k < n; k++) values[k] = values[k - 1] + rise(k);
  for (let k = negatives - 2; k >= 0; k--) values[k] = values[k + 1] + rise(k + 1);
  return values;
}
function bounds_of(m, up, C) {
  let i = -1, j = -1;
  m.forEach((value, k) => {
    if (up[k] > 0 && (i < 0 || value > m[i])) i = k;
    if (up[k] < C && (j < 0 || value < m[j])) j = k;
  });
  const t_hat = i < 0 ? -Infinity : m[i], b_hat = j < 0 ? Infinity : m[j], violation = Math.max(0, t_hat - b_hat);
  const count = m.reduce((sum, value, k) => sum + (up[k] > 0 && value > b_hat || up[k] < C && value < t_hat), 0);
  return {
    t_hat,
    b_hat,
    violation,
    count,
    lemma_8: C * m.length * violation,
    remark_1: C * count * violation,
    pair: t_hat > b_hat ? [i, j] : null
  };
}
function gap_at({ breakpoints, values, outer }, bias) {
  const last = breakpoints.length - 1;
  if (bias <= breakpoints[0]) return values[0] + outer[0] * (breakpoints[0] - bias);
  if (bias >= breakpoints[last]) return values[last] + outer[1] * (bias - breakpoints[last]);
  const k = breakpoints.findIndex((value) => value > bias), left = breakpoints[k - 1], width = breakpoints[k] - left;
  return values[k - 1] + (width > 0 ? (values[k] - values[k - 1]) * (bias - left) / width : 0);
}
function curve_of(found) {
  const ends = [-found.t_hat, -found.b_hat, found.bias].filter(Number.isFinite);
  const margin = 0.5 * Math.max(Math.max(...ends) - Math.min(...ends), 0.5);
  const low = Math.min(...ends) - margin, high = Math.max(...ends) + margin;
  const breaks = Array.from(found.breakpoints).filter((value) => value > low && value < high);
  const even = Array.from({ length: CURVE_POINTS }, (_, k) => low + (high - low) * k / (CURVE_POINTS - 1));
  const b = [.../* @__PURE__ */ new Set([...even, ...breaks])].sort((left, right) => left - right);
  const at = (places) => places.map((bias) => gap_at(found, bias));
  return { b, value: at(b), breaks, at_breaks: at(breaks) };
}
function distances(row, optimum) {
  const away = (distance) => optimum ? Math.max(0, distance) : NaN;
  return { ...row, primal: away(row.primal - optimum?.dual), dual: away(optimum?.primal - row.dual) };
}
function kinds_of(a, C) {
  return Array.from(a, (value) => value <= BOUND_SHARE * C ? "zero" : value >= C * (1 - BOUND_SHARE) ? "bound" : "free");
}
function contours(axis, values, level) {
  const size = axis.length, high = (r, c) => values[r * size + c] > level, next = /* @__PURE__ */ new Map(), left = /* @__PURE__ */ new Set();
  const join = (a, b) => {
    for (const [one, other] of [[a, b], [b, a]]) next.set(one, [...next.get(one) ?? [], other]);
    left.add(a).add(b);
  };
  for (let r = 0; r + 1 < size; r++) {
    for (let c = 0; c + 1 < size; c++) {
      const corners = [high(r, c), high(r, c + 1), high(r + 1, c + 1), high(r + 1, c)];
      const edges = [edge(r, c, 0), edge(r, c + 1, 1), edge(r + 1, c, 0), edge(r, c, 1)];
      const cut = edges.filter((_, k) => corners[k] !== corners[(k + 1) % 4]);
      if (cut.length === 2) join(...cut);
      if (cut.length < 4) continue;
      const middle = values[r * size + c] + values[r * size + c + 1] + values[(r + 1) * size + c] + values[(r + 1) * size + c + 1];
      const [a, b, d, e] = middle / 4 > level === corners[0] ? [0, 1, 2, 3] : [3, 0, 1, 2];
      join(edges[a], edges[b]);
      join(edges[d], edges[e]);
    }
  }
  function edge(r, c, down) {
    return 2 * (r * size + c) + down;
  }
  const place = (id) => {
    const down = id % 2, at = (id - down) / 2, c = at % size, r = (at - c) / size;
    const from = values[at], to = values[at + (down ? size : 1)], share = (level - from) / (to - from);
    const between = (k) => axis[k] + share * (axis[k + 1] - axis[k]);
    return down ? [axis[c], between(r)] : [between(c), axis[r]];
  };
  const lines = [], follow = (from) => {
    const line = [from];
    for (let at = from; at !== void 0; at = next.get(at).find((id) => left.has(id))) {
      left.delete(at);
      if (at !== from) line.push(at);
    }
    if (line.length > 2 && next.get(line.at(-1)).includes(from)) line.push(from);
    lines.push(line.map(place));
  };
  for (const id of [...left]) if (left.has(id) && next.get(id).length === 1) follow(id);
  for (const id of [...left]) if (left.has(id)) follow(id);
  return lines;
}

// svm_gaps/figures.js
var ROW = ["step", "gap", "remark_1", "lemma_8", "violation", "primal", "dual"];
var STROKES = [[1.2, "dashed"], [2.6, "solid"], [1.2, "dashed"]];
var SHOWN = 3;
var ROUNDING = 1e-10;
var SvmFigures = class extends LiveFigures {
  constructor(model, ids, texts, { half_width, colours, markers }) {
    super(model, ids, texts);
    Object.assign(this, { half_width, colours, markers });
  }
  show(frame) {
    const { X, y, a, C, kinds } = frame, samples = Array.from(a.keys());
    const looks = {
      fill: kinds.map((kind) => this.colours[kind]),
      edge: Array.from(y, (label) => this.colours[label > 0 ? "up" : "down"]),
      marker: Array.from(y, (label) => this.markers[label > 0 ? "up" : "down"])
    };
    this.fill("points", { x: X.map(([u]) => u), y: X.map(([, v]) => v), label: Array.from(y), a: Array.from(a), kind: kinds, ...looks, sample: samples });
    this.fill("duals", { place: samples, a: Array.from(a), ...looks, sample: samples });
    this.range("pair_duals_x", -1, samples.length);
    this.range("pair_duals_y", -0.06 * C, 1.06 * C);
    this.plane(frame);
    this.bias(frame);
    this.bounds(frame);
  }
  plane({ X, surface, lines, event, found }) {
    const source = this.of("sources", "surface"), { image } = source.data, width = 2 * this.half_width;
    image[0].set(surface.map((value) => Math.min(Math.max(value, -SHOWN), SHOWN)));
    source.setv({ data: { image, x: [-this.half_width], y: [-this.half_width], dw: [width], dh: [width] } });
    source.change.emit();
    const pieces = lines.flatMap((level, k) => level.map((line) => [line, STROKES[k]]));
    this.fill("lines", {
      xs: pieces.map(([line]) => line.map(([x]) => x)),
      ys: pieces.map(([line]) => line.map(([, y]) => y)),
      width: pieces.map(([, [wide]]) => wide),
      dash: pieces.map(([, [, dash]]) => dash)
    });
    const pairs = { pair: event ? [event.index, event.partner] : [], next: found.pair ?? [] };
    for (const [name, pair] of Object.entries(pairs)) {
      this.fill(name, { x: pair.map((i) => X[i][0]), y: pair.map((i) => X[i][1]) });
    }
  }
  bias({ found }) {
    const { b, value, breaks, at_breaks } = curve_of(found);
    this.fill("curve", { b, value });
    this.fill("breaks", { b: breaks, value: at_breaks });
    this.fill("least", { b: [found.bias], value: [found.gap] });
    const highest = Math.max(...value);
    for (const [name, end] of [["top", -found.t_hat], ["bottom", -found.b_hat]]) {
      this.fill(name, Number.isFinite(end) ? { b: [end, end], value: [0, highest] } : { b: [], value: [] });
    }
    this.range("bias_x", b[0], b.at(-1));
    this.around("bias_y", value, 0.06, true);
  }
  // The whole run, wherever one looks into it.
  bounds({ rows, optimum }) {
    const kept = spread(rows.length, MOST_POINTS).map((k) => distances(rows[k], optimum)), { step: last } = rows.at(-1);
    if (rows.length <= last) kept.splice(-1, 0, { step: last });
    const shown = (name) => kept.map((row) => row[name] > 0 && Number.isFinite(row[name]) ? row[name] : NaN);
    const columns = Object.fromEntries(ROW.slice(1).map((name) => [name, shown(name)]));
    this.fill("bounds", { step: kept.map(({ step }) => step), ...columns });
    this.range("bounds_x", 0, Math.max(1, 1.01 * last));
    this.decades("bounds_y", Object.values(columns).flat().filter(Number.isFinite), 9, 4);
  }
  sum(sum, size) {
    return Math.abs(sum) <= ROUNDING * size ? this.say("rounding") : this.say("sum", { sum });
  }
  captions({ kinds, found, row, optimum, y, a, C }) {
    const count = (kind) => kinds.filter((each) => each === kind).length;
    const free = count("free"), bound = count("bound");
    const wrong = found.slacks.reduce((sum, slack) => sum + (slack > 1), 0);
    return {
      plane: this.say("plane", { carry: free + bound, n: y.length, free, bound, wrong }),
      bias: this.say("bias", found),
      bounds: this.say(optimum ? "bounds" : "bounds_alone", { ...distances(row, optimum), known: optimum?.gap }),
      pair_duals: this.say("pair_duals", { sum: this.sum(total(a.map((value, i) => value * y[i])), Math.max(total(a), C)) })
    };
  }
  statistics({ found, kinds }) {
    const support = kinds.filter((kind) => kind !== "zero").length;
    return this.cards([
      ["primal", written(found.primal, ".6g"), ""],
      ["lower bound", written(found.dual, ".6g"), ""],
      ["gap G(a)", written(found.gap, ".2e"), this.note("relative", { relative: found.gap / Math.max(found.primal, 1e-300) })],
      ["t̂ − b̂", written(found.violation, ".2e"), this.note("between", found)],
      ["bias", written(found.bias, ".4g"), ""],
      ["support", String(support), this.note("of", { n: kinds.length })]
    ]);
  }
  // The last step: which pair, how far, and what stopped it.
  why({ event, y, C }) {
    if (!event) return `<div class='wb-note'>${this.say("nothing_yet")}</div>`;
    const { index: i, partner: j, violation, curvature } = event;
    const free = Math.abs(event.free), moved = Math.abs(event.alpha_after - event.alpha_before);
    const clipped = moved < free * (1 - BOUND_SHARE), scaled = (alpha, k) => C * y[k] * alpha;
    const lines = [
      this.say("difference", { violation }),
      this.say("curvature", { curvature }),
      this.say("free_step", { free: C * free }),
      this.say("moved", { sample: i, before: scaled(event.alpha_before, i), after: scaled(event.alpha_after, i) }),
      this.say("moved", { sample: j, before: scaled(event.partner_before, j), after: scaled(event.partner_after, j) })
    ];
    return `<div class='wb-note'><p>${escaped(this.say("pair", { i, j, violation }))}</p></div>` + lines.map((line) => `<wb-tex>${escaped(line)}</wb-tex>`).join("") + `<span class='wb-badge ${clipped ? "clip" : "free"}'>${escaped(this.say(clipped ? "clipped" : "reached"))}</span>`;
  }
};

// svm_gaps/live.js
var AT_ONCE = 10;
var MOST_STEPS = 2e4;
var SOLVE_STEPS = 2e5;
var FETCHED = 50;
var FETCH_MS = 1e3;
var REFERENCE = 1e-9;
var MET = 1 + 1e-9;
var SvmGaps = class extends SingleRun {
  constructor(page, model, host) {
    super(page, model, host, MOST_STEPS);
    const { most, grid, looks: { half_width } } = page;
    const axis = Array.from({ length: grid }, (_, k) => -half_width + 2 * half_width * k / (grid - 1));
    this.figures = new SvmFigures(model, page.ids, page.texts, page.looks);
    this.points = new PlanePoints(this, { most, half_width, plot: this.figures.of("figures", "plane") });
    Object.assign(this, { axis, places: axis.flatMap((v) => axis.map((u) => [u, v])) });
    Object.assign(this, { known: null, optimum: null, is_dragged: false, waiting: 0, fetched: null, referring: null });
  }
  // --- what is chosen
  more_of_the_address() {
    return this.points.entries;
  }
  follow_more(name, text) {
    if (name === "points") this.points.follow(text);
  }
  picked() {
    this.points.forget();
  }
  // Another problem begins anew; a tolerance goes on with the run, and what a hand does changes nothing.
  chosen(name) {
    if (name === "source") this.points.forget();
    const { settings, wanted = {} } = this, is_new = (each) => settings[each] !== wanted[each];
    if (this.page.inputs.some(is_new)) return this.restart();
    this.on_settings(settings);
    if (!is_new("tolerance")) return this.keep();
    this.wanted = settings;
    return this.run();
  }
  kernel({ kernel, gamma, degree }) {
    const { Linear, Gaussian, Polynomial } = this.page.kernels, [coefficient, constant] = Polynomial.parameters;
    if (kernel === "Gaussian") return { ...Gaussian, parameters: [gamma] };
    return kernel === "Linear" ? Linear : { ...Polynomial, parameters: [coefficient, constant, degree] };
  }
  // The data and the terms of the points and the kernel, for an engine in this browser.
  async given(settings) {
    const { losses, regularizers } = await (this.terms ??= opened(this.page.problem));
    const { X, y } = read_points(settings.points, this.points.half_width), n = y.length;
    const [[loss], [regularizer]] = [losses, regularizers].map((table) => Object.keys(table));
    const data = {
      n,
      d: 2,
      offsets: [],
      indices: [],
      values: X.flat(),
      y,
      weight: new Float64Array(n).fill(1),
      free_bias: true,
      kernel: this.kernel(settings)
    };
    return { data: { data, losses, regularizers }, terms: { loss, regularizer } };
  }
  // --- points by hand
  // What `PlanePoints` asks of a page.
  get present() {
    return this.known;
  }
  drag() {
    return this.restart(false, true);
  }
  edited() {
    return this.restart();
  }
  undo() {
    this.points.undo();
  }
  // What is asked for next takes a refusal away.
  press(name) {
    this.refusal = null;
    return super.press(name);
  }
  ask(type) {
    this.refusal = null;
    return super.ask(type);
  }
  seek(place) {
    this.refusal = null;
    super.seek(place);
  }
  // --- the run
  // A new problem of the points as they are: at its solution, whose steps follow, or at zero, and a slow run from there.
  // A dragged point has one picture for each of its places.
  async restart(play = true, is_dragged = false) {
    const turn = this.asked + 1, is_solved = is_dragged || play && !this.slow;
    this.most_solved = is_dragged ? SOLVE_STEPS : is_solved ? MOST_STEPS : 0;
    this.is_dragged = is_dragged;
    await super.restart(play && !is_solved);
    if (turn !== this.asked || !this.lab || is_dragged) return;
    if (this.rows[0].step > 0) this.fetched = this.beside(turn, () => this.fetch(turn));
    this.referring = this.beside(turn, () => this.refer(turn), this.referring);
  }
  // What is done behind a picture that stands, once something else is done.
  async beside(turn, act, before = null) {
    this.waiting++;
    try {
      await before;
      if (turn === this.asked) await act();
    } catch (error) {
      if (turn === this.asked) this.refuse(error);
    } finally {
      this.waiting--;
    }
  }
  // A ghost has all its steps; a point in hand leaves none behind.
  remember() {
    const { rows } = this;
    if (!this.is_dragged && rows.length > 1 && rows.length > rows.at(-1).step) super.remember();
  }
  async begin(settings, is_left) {
    const { cost: C, selection, tolerance } = settings, most = this.most_solved, { half_width } = this.points;
    const placed = this.points.placed(this.page.sources[settings.source]);
    const held = await this.host.held(this, { ...settings, points: write_points(placed, half_width) });
    if (is_left()) return null;
    const kernel = this.kernel(settings), key = JSON.stringify([placed.X, kernel]);
    const known = this.known?.key === key ? this.known : {
      key,
      K: kernel_matrix(kernel_of(kernel), placed.X, placed.X),
      surface: kernel_matrix(kernel_of(kernel), this.places, placed.X)
    };
    const lab = { ...known, ...placed, C, selection, held }, row = this.row(lab, await this.solved("run", lab, most ? tolerance : 0, most));
    if (is_left()) return null;
    const met = row.violation <= tolerance * MET ? "converged" : row.step < most ? "stalled" : "max_epochs";
    Object.assign(this, { known: lab, optimum: null, ended: most && !this.is_dragged ? met : null });
    return { row, ...lab, engine: this.engine_of("run", held.is_here) };
  }
  // The certificate and the event after so many steps from zero, at most.
  async solved(name, lab, tol, steps) {
    const { key, y, C, selection, held: { is_here, data, terms } } = lab, engine = await this.engine_of(name, is_here), asked = [];
    engine.begun ??= engine.ask("data", { ...engine.facts, ...data });
    await engine.begun;
    if (engine.key !== key) asked.push(engine.ask("data", data));
    engine.key = key;
    const solver = { ...this.page.solver, tol, selection };
    asked.push(engine.ask("problem", { ...terms, lam: 1 / (C * y.length), solver, seed: 0 }), this.stepped(engine, steps));
    return (await Promise.all(asked)).at(-1);
  }
  // Steps, with the certificate after them and what the last one did.
  async stepped(engine, count) {
    const asked = count > 0 ? engine.ask("step", { count }) : engine.ask("frame");
    const [{ step, epoch, event }, { alpha }] = await Promise.all([asked, engine.ask("certificate")]);
    return { step, epoch, event, alpha };
  }
  row({ K, y, C }, { step, epoch, event, alpha }) {
    const a = dual_variables(alpha, y, C), { slacks, f, breakpoints, values, ...found } = svm_gap(K, y, C, a);
    return { step, epoch, event, a, ...found };
  }
  // So many single steps on, each with its row.
  async advanced(count) {
    const { lab } = this, engine = await lab.engine;
    const all = await Promise.all(Array.from({ length: count }, () => this.stepped(engine, 1)));
    return all.map((solved) => this.row(lab, solved));
  }
  // The steps before a solution, from zero; the engine stands at the solution again then.
  async fetch(turn) {
    const { lab, rows: [last] } = this, before = [];
    let told = performance.now();
    before.push(this.row(lab, await this.solved("run", lab, 0, 0)));
    while (turn === this.asked && before.length <= last.step) {
      const found = await this.advanced(Math.min(FETCHED, last.step + 1 - before.length));
      if (turn !== this.asked) return;
      before.push(...found);
      if (before.length <= last.step && performance.now() - told < FETCH_MS) continue;
      told = performance.now();
      const is_last = this.at === this.rows.length - 1;
      this.rows = before.length > last.step ? before : [...before, last];
      if (is_last) this.at = this.rows.length - 1;
      this.soon();
    }
  }
  // The end of a long run, which true distances are measured from; solved beside the run that one sees.
  async refer(turn) {
    const { lab } = this, { K, y, C } = lab;
    const { a } = this.row(lab, await this.solved("reference", { ...lab, selection: "first-order" }, REFERENCE, SOLVE_STEPS));
    if (turn !== this.asked) return;
    this.optimum = svm_gap(K, y, C, a);
    this.soon();
  }
  run() {
    this.is_dragged = false;
    return super.run();
  }
  count_of(type) {
    return type === "step" ? 1 : AT_ONCE;
  }
  // Single steps first, later ever more for each picture.
  passes({ count }) {
    return count ?? (this.slow ? 1 : 1 + Math.floor(this.at / AT_ONCE));
  }
  left({ violation }) {
    return violation;
  }
  // Steps on, those of a run until the tolerance is met.
  async further({ tolerance, count }) {
    await this.fetched;
    const before = this.rows.at(-1), { violation } = before;
    if (violation <= Math.max(tolerance, 0)) return { rows: [], status: violation <= tolerance ? "converged" : "stalled" };
    const all = await this.advanced(this.passes({ count })), rows = all.filter(({ step }, k) => step !== (all[k - 1] ?? before).step);
    const met = 1 + rows.findIndex((row) => row.violation <= tolerance);
    if (met && met < rows.length) {
      rows.length = met;
      await (await this.lab.engine).ask("seek", { step: rows.at(-1).step });
    }
    return { rows, status: rows.length ? null : "stalled" };
  }
  // --- the picture
  // Everything that one picture shows.
  seen(lab) {
    const { rows, at, optimum, axis } = this, row = rows[at], { a, step, event } = row, found = svm_gap(lab.K, lab.y, lab.C, a);
    const factors = a.map((value, i) => lab.y[i] * value), surface = times(lab.surface, factors).map((value) => value + found.bias);
    return {
      ...lab,
      row,
      a,
      step,
      event,
      found,
      optimum,
      surface,
      rows,
      kinds: kinds_of(a, lab.C),
      lines: [-1, 0, 1].map((level) => contours(axis, surface, level))
    };
  }
  ghosts(rows) {
    return { bounds: this.figures.ghost(rows) };
  }
  speak(frame, row) {
    super.speak(frame, row);
    this.host.put("why", this.figures.why(frame));
    if (this.is_dragged) this.report(this.figures.say("dragging", row));
  }
  // Whether the steps before the picture and the reference are there, too.
  get is_settled() {
    return super.is_settled && this.waiting === 0;
  }
  // The Python that gives the same run in a notebook.
  code(settings) {
    const { source, cost, selection, tolerance, gamma, degree } = settings;
    const kernel = {
      Linear: "wb.kernels.Linear()",
      Gaussian: `wb.kernels.RBF(gamma=${written(gamma, "g")})`,
      Polynomial: `wb.kernels.Polynomial(
    ${degree}, gamma=1.0, coef0=1.0)`
    }[settings.kernel];
    return `import numpy as np
import workbench as wb

X, y = ${this.points.code(source)}
C = ${python_number(cost)}
p = wb.Problem(
  X, y, "hinge", "squared-l2",
  lam=1 / (C * y.size), bias=True,
  kernel=${kernel})
m = wb.solvers.MaximalViolatingPair(
  tol=${written(tolerance, "g")}, shrinking=False,
  selection='${selection}')
s = wb.solve(p, m, tol=1e-12)
print(s.steps, s.gap / p.lam, s.b)`;
  }
};

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

// entries/svm_gaps.js
var { render, start } = hosted(SvmGaps);
export {
  render,
  start
};
