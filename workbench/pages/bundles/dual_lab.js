// Made of workbench/pages/entries/dual_lab.js and what it imports: change those, and run: python -m workbench.pages.bundling
// runtime/boxes.js
function box(id) {
  return document.getElementById(id);
}
function place_of(each) {
  return each === null ? 0 : each.tagName === "SELECT" ? each.selectedIndex : Number(each.value);
}

// runtime/drop_zone.js
var DropZone = class {
  constructor(name, take, back) {
    const place = box(`x-${name}`), input = place.querySelector("input");
    Object.assign(this, { line: box(`x-${name}-line`), button: box(`x-${name}-back`) });
    place.hidden = false;
    input.addEventListener("change", () => {
      if (input.files.length) take(input.files[0]);
      input.value = "";
    });
    for (const kind of ["dragover", "dragleave", "drop"]) {
      document.addEventListener(kind, (event) => {
        event.preventDefault();
        place.querySelector(".drop").classList.toggle("over", kind === "dragover");
        if (kind === "drop" && event.dataTransfer.files.length) take(event.dataTransfer.files[0]);
      });
    }
    this.button.addEventListener("click", back);
  }
  // What is said of the data in use, or of a file that is refused.
  say(text, is_error = false) {
    this.line.textContent = text;
    this.line.classList.toggle("bad", is_error);
  }
  // Whether there is something to go back to.
  offer(is_own) {
    this.button.hidden = !is_own;
  }
};

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
function quoted(text) {
  const mark = text.includes("'") && !text.includes('"') ? '"' : "'";
  return mark + text.replace(/\\/g, "\\\\").replace(/\n/g, "\\n").replace(/\t/g, "\\t").replaceAll(mark, `\\${mark}`) + mark;
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
    const drawn2 = async () => {
      do
        await painted();
      while (!this.is_settled);
    };
    await Promise.race([drawn2(), late]);
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
  const away = X.map(([u, v]) => Math.hypot(u - x, v - y)), least2 = Math.min(...away);
  return least2 <= NEAR ? away.indexOf(least2) : null;
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
  const points = text.match(/.{5}/g), largest2 = Math.round(2 * half_width / UNIT);
  const places = points.flatMap((point) => [point.slice(1, 3), point.slice(3)].map((digits) => parseInt(digits, 36)));
  return new Set(points.map(([label]) => label)).size === 2 && places.every((place) => place <= largest2);
}
function carried(old, { X, y }, values) {
  if (String(old.y) === String(y)) return Float64Array.from(values);
  const kept = /* @__PURE__ */ new Map(), key = ({ X: places, y: labels }, i) => `${places[i]} ${labels[i]}`;
  values.forEach((value, i) => kept.set(key(old, i), [...kept.get(key(old, i)) ?? [], value]));
  return Float64Array.from(y, (_, i) => kept.get(key({ X, y }, i))?.shift() ?? 0);
}

// runtime/tracks.js
var Track = class {
  constructor(name, engine, heard) {
    Object.assign(this, { name, engine, first: Infinity });
    this.clear();
    engine.heard = (answer) => {
      if (this.hear(answer)) heard();
    };
  }
  clear() {
    Object.assign(this, { rows: [], at: 0, playing: false, end: null, reason: null, event: null });
    Object.assign(this, { asked: 0, answered: 0, running: null, limit: 0, is_due: false });
  }
  begin(problem) {
    this.clear();
    const answer = this.ask("problem", problem);
    this.first = this.asked;
    return answer;
  }
  ask(type, contents) {
    this.playing = type === "run";
    const answer = this.engine.ask(type, contents);
    this.asked = this.engine.count;
    if (this.playing) this.running = this.asked;
    return answer;
  }
  // The state stays.
  halt() {
    if (this.running !== null) this.engine.ask("cancel");
    Object.assign(this, { playing: false, running: null });
  }
  // What it still has to say is of no interest.
  leave() {
    this.first = Infinity;
    this.halt();
  }
  hear(answer) {
    if (!(answer.id >= this.first)) return false;
    if (answer.type === "ended") {
      if (answer.id !== this.running) return false;
      const { step, status } = answer, reason = this.reason?.replace(/^.*?: /, "") ?? "";
      Object.assign(this, { running: null, playing: false });
      if (status === "max_epochs" && this.epoch < this.limit) this.is_due = true;
      else if (status !== "paused") this.end = { step, status, reason };
      return true;
    }
    if (answer.type !== "frame") return false;
    for (const row of [...answer.passed, answer]) this.add(row);
    Object.assign(this, { at: answer.step, event: answer.event, reason: answer.reason, answered: answer.id });
    return true;
  }
  // Certificates in the order of their steps, each once; those that others have made may differ by a last place.
  add(answer) {
    const after = this.rows.findLastIndex((row) => row.step <= answer.step), before = this.rows[after];
    const [from, count] = before?.step === answer.step ? [after, 1] : [after + 1, 0];
    this.rows.splice(from, count, this.row(answer, count ? before : null));
  }
  // What is kept of a certificate; `before` is the one at the same step, where there is one.
  row({ step, epoch, primal, dual, gap, relative_gap }) {
    return { step, epoch, primal, dual, gap, relative_gap };
  }
  // The run at a step, the present one where none is given, with all of its rows; `shown` is what else was asked for.
  upto({ step = this.at, ...shown }) {
    const { rows, event } = this, row = this.last(step);
    const { status = null, reason = "" } = this.end?.step === step ? this.end : {};
    return { rows, row, event, shown, status, reason };
  }
  // The last certificate at a step or before.
  last(step) {
    return this.rows.findLast((row) => row.step <= step);
  }
  get epoch() {
    return this.last(this.at).epoch;
  }
  get is_open() {
    return this.end?.step !== this.at;
  }
  get is_answered() {
    return this.answered >= this.asked;
  }
};
var Tracks = class {
  // `Kind` is the class of a run; `epochs` that it makes until one presses again; `changed` is called with news once all
  // that was asked is answered, and `failed` with an error.
  constructor({ Kind = Track, epochs, changed, failed }) {
    Object.assign(this, { Kind, epochs, changed, failed, shown: [], waits: null });
  }
  track(name, engine) {
    return new this.Kind(name, engine, () => this.hear());
  }
  hear() {
    const due = this.shown.filter(({ is_due }) => is_due), is_over = this.shown.every(({ running }) => running === null);
    if (due.length && is_over && this.waits === null) this.waits = setTimeout(() => this.go(due), SLOW_MS);
    if (this.is_answered) this.changed();
  }
  get is_answered() {
    return this.shown.every(({ is_answered }) => is_answered);
  }
  get playing() {
    return this.waits !== null || this.shown.some(({ playing }) => playing);
  }
  // Whether nothing happens any more, and a frame is of what stands then.
  rests({ runs }) {
    const is_last = ({ name, at, running }) => running === null && runs[name].row.step === at;
    return this.waits === null && this.is_answered && this.shown.every(is_last);
  }
  // Those go on that have not ended, or all where all have; a further press goes on for as many epochs again.
  run(gap, is_slow = false) {
    this.wake();
    const open = this.shown.filter(({ is_open }) => is_open), going = open.length ? open : this.shown;
    Object.assign(this, { gap, is_slow });
    for (const each of going) {
      each.end = null;
      each.limit = this.epochs * (Math.floor(each.epoch / this.epochs) + 1);
    }
    this.go(going);
  }
  // On with a run; slowly, it is a run of one epoch, and then another.
  go(going) {
    this.wake();
    for (const each of going) {
      const max_epochs = this.is_slow ? Math.min(Math.floor(each.epoch) + 1, each.limit) : each.limit;
      this.tell(each, "run", { gap: this.gap, max_epochs });
    }
  }
  // A slow run that waits is none any more.
  wake() {
    clearTimeout(this.waits);
    this.waits = null;
    for (const each of this.shown) each.is_due = false;
  }
  ask(type, contents = () => ({})) {
    this.wake();
    for (const each of this.shown) this.tell(each, type, contents(each));
  }
  // What fails once other problems are shown is theirs no more.
  tell(each, type, contents) {
    const { shown } = this;
    each.ask(type, contents).catch((error) => {
      if (shown !== this.shown) return;
      each.halt();
      this.failed(error);
    });
  }
  halt() {
    this.wake();
    for (const each of this.shown) each.halt();
  }
  leave() {
    this.wake();
    for (const each of this.shown) each.leave();
    this.shown = [];
  }
  // All certificates, one at each step.
  get rows() {
    const rows = this.shown.flatMap((each) => each.rows);
    return [...new Map(rows.map((row) => [row.step, row])).values()].sort((a, b) => a.step - b.step);
  }
  // The certificates of each run.
  curves() {
    return this.shown.map((each) => [each.name, each.rows]);
  }
  seek(place) {
    const row = this.rows[place];
    if (row) this.ask("seek", (each) => ({ step: each.last(row.step).step }));
  }
  // What one picture shows, of the curves all there is, and what `ask` gives of each run, perhaps of a step of its own;
  // null where other problems have come meanwhile.
  async frame(ask) {
    const { shown } = this, answers = await Promise.all(shown.map(ask));
    if (shown !== this.shown) return null;
    const found = shown.map((each, k) => [each.name, each.upto(answers[k])]);
    const latest = (rows) => rows.reduce((a, b) => b.step > a.step ? b : a), [[, { rows: first }]] = found;
    return {
      runs: Object.fromEntries(found),
      unit: first.at(-1).epoch < 1 ? "step" : "epoch",
      row: latest(found.map(([, { row }]) => row)),
      last: latest(shown.map((each) => each.rows.at(-1)))
    };
  }
};

// runtime/tracked_page.js
var TrackedPage = class extends RunPage {
  constructor(page, model, host, Kind) {
    super(page, model, host);
    this.runs = new Tracks({
      Kind,
      epochs: page.epochs,
      failed: (error) => this.refuse(error),
      changed: () => {
        if (!this.begins) this.soon();
      }
    });
    Object.assign(this, { statuses: [], slow: false, spoken: -Infinity });
  }
  // The run of a name by an engine of its own, here or on the server.
  async track(name, is_here) {
    const engine = await this.engine_of(name, is_here);
    return engine.track ??= this.runs.track(name, engine);
  }
  chosen() {
    return this.restart();
  }
  cleared() {
    this.runs.leave();
    this.statuses = [];
  }
  async begin(settings, is_left) {
    const wanted = this.wanted(settings);
    const held = await Promise.all(wanted.map((each) => this.host.held(this, each.settings)));
    const shown = await Promise.all(wanted.map(({ name }, k) => this.track(name, held[k].is_here)));
    if (is_left()) return null;
    await Promise.all(shown.map(({ engine }, k) => this.hold(engine, held[k].key, held[k].data)));
    if (is_left()) return null;
    await Promise.all(shown.map((each, k) => each.begin({ ...held[k].terms, ...wanted[k].problem })));
    return { wanted, held, shown };
  }
  put_up({ wanted, held, shown }, settings) {
    this.shown_settings = settings;
    this.runs.shown = shown;
    this.began(wanted, held);
  }
  // The problems have begun.
  began() {
  }
  // What is left stays as a ghost where it was seen and other settings follow.
  remember() {
    if (!this.runs.shown.length || !(this.has_ended || this.was_seen)) return;
    const curves = this.runs.curves();
    this.before = { key: this.ghost_key, curves: () => this.traces(curves) };
  }
  get ghost_key() {
    return JSON.stringify(this.shown_settings);
  }
  run() {
    this.runs.run(this.settings.tolerance, this.slow);
  }
  ask(type) {
    this.runs.ask(type);
  }
  toggle() {
    if (this.runs.playing) this.runs.ask("pause");
    else this.run();
  }
  pace(is_slow) {
    this.slow = is_slow;
    if (this.runs.playing) this.run();
  }
  seek(place) {
    this.runs.seek(place);
  }
  get status() {
    if (this.runs.playing) return "running";
    const all = this.statuses;
    return all.includes(null) || !all.length ? "paused" : this.page.statuses.find((status) => all.includes(status));
  }
  async paint(turn) {
    if (!this.runs.shown.length || !this.runs.is_answered) return null;
    const frame = await this.runs.frame((track) => this.asked_of(track));
    if (frame === null || turn !== this.asked) return null;
    const { row, last, unit } = frame, rests = this.runs.rests(frame);
    this.leave_ghost();
    const shown = await this.show(frame);
    if (turn !== this.asked || shown === null) return null;
    this.figures.mark(row.step < last.step ? row[unit] : null);
    Object.assign(document.body.dataset, { shown: this.page.name, step: row.step });
    if (rests || performance.now() - this.spoken > READ_MS) this.say_all(frame, shown);
    this.has_ended ||= rests;
    if (rests) this.host.tell({ came: this.outcome(frame) });
    return null;
  }
  say_all(frame, shown) {
    this.spoken = performance.now();
    this.statuses = Object.values(frame.runs).map(({ status }) => status);
    this.speak(frame, shown);
    this.host.stand(this.runs.rows, frame.row, frame.unit, this.figures.elapsed(frame.row));
  }
  // Whether all that was asked for is drawn and said.
  get is_settled() {
    return !this.drawing && !this.is_busy && !this.runs.playing && (this.runs.is_answered || !this.runs.shown.length);
  }
  // What the server is told of runs that rest.
  outcome() {
    return null;
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

// dual_lab/certainty.js
var GAUGE_MARKUP = `
<div class="wb-certainty">
  <p data-text="sentence"></p>
  <div class="ends"><span data-text="low"></span><span data-text="axis_label"></span><span data-text="high"></span></div>
  <div class="track" data-track="axis"><i class="fog"></i><i class="end dual"></i><i class="end primal"></i></div>
  <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true"><polygon></polygon></svg>
  <div class="track" data-track="lens"><i class="fog"></i><i class="end dual"></i><i class="end primal"></i></div>
  <div class="ends"><b data-text="dual"></b><span data-text="lens_label"></span><b data-text="primal"></b></div>
  <details><summary data-text="why"></summary><div data-html="terms"></div></details>
</div>`;
var Certainty = class {
  constructor(element) {
    this.root = document.createElement("div");
    this.root.innerHTML = GAUGE_MARKUP;
    element.append(this.root);
    [this.fold, this.terms] = ["details", "[data-html]"].map((name) => this.root.querySelector(name));
    this.terms.addEventListener("mouseover", ({ target }) => {
      const sample = target.closest("[data-sample]")?.dataset.sample;
      light(sample === void 0 ? null : Number(sample));
    });
    this.terms.addEventListener("mouseleave", () => light(null));
    this.marked = () => this.mark();
    if (!this.follow()) for (const each of Bokeh.documents) each.idle.connect(() => this.follow());
  }
  follow() {
    return named("lit")?.change.connect(this.marked);
  }
  // Straight into the elements, so that they glide and the fold stays as it was.
  draw(gauge) {
    for (const element of this.root.querySelectorAll("[data-text]")) {
      const text = gauge[element.dataset.text] ?? "…";
      if (element.textContent !== text) element.textContent = text;
    }
    if (!gauge.axis) return;
    for (const track of this.root.querySelectorAll("[data-track]")) {
      const [dual, primal] = gauge[track.dataset.track], [fog, below, above] = track.children;
      Object.assign(fog.style, { left: `${dual}%`, width: `${primal - dual}%` });
      below.style.left = `${dual}%`;
      above.style.left = `${primal}%`;
      [below.hidden, above.hidden] = gauge.open;
    }
    const [start2, end] = gauge.window;
    this.root.querySelector("polygon").setAttribute("points", `${start2},0 ${end},0 100,10 0,10`);
  }
  write(html) {
    if (this.written === html) return;
    this.terms.innerHTML = this.written = html;
    this.mark();
  }
  // The row of the sample that is lit.
  mark() {
    const sample = String(named("lit")?.data.sample[0]);
    for (const row of this.terms.querySelectorAll("[data-sample]")) row.classList.toggle("lit", row.dataset.sample === sample);
  }
};
function named(name) {
  return Bokeh.documents.map((document2) => document2.get_model_by_name(name)).find((model) => model);
}
function light(sample) {
  named("light")?.execute(null, { sample });
}

// vendor/papaparse.js
var Papa = (() => {
  const module = { exports: {} }, exports = module.exports, define = void 0;
  ((e, t) => {
    "function" == typeof define && define.amd ? define([], t) : "object" == typeof module && "undefined" != typeof exports ? module.exports = t() : e.Papa = t();
  })(void 0, function r() {
    var n = "undefined" != typeof self ? self : "undefined" != typeof window ? window : void 0 !== n ? n : {};
    var s = !n.document && !!n.postMessage, a = n.IS_PAPA_WORKER || false, o = {}, h = 0, w = {};
    function q(e) {
      return 65279 === e.charCodeAt(0) ? e.slice(1) : e;
    }
    function u(e) {
      this._handle = null, this._finished = false, this._completed = false, this._halted = false, this._input = null, this._baseIndex = 0, this._partialLine = "", this._rowCount = 0, this._start = 0, this._nextChunk = null, this.isFirstChunk = true, this._completeResults = { data: [], errors: [], meta: {} }, function(e2) {
        var t = E(e2);
        t.chunkSize = parseInt(t.chunkSize), e2.step || e2.chunk || (t.chunkSize = null);
        this._handle = new i(t), (this._handle.streamer = this)._config = t;
      }.call(this, e), this.parseChunk = function(t, e2) {
        var i2 = parseInt(this._config.skipFirstNLines) || 0;
        if (this.isFirstChunk && 0 < i2) {
          let e3 = this._config.newline;
          e3 || (r2 = this._config.quoteChar || '"', e3 = this._handle.guessLineEndings(t, r2)), t = [...t.split(e3).slice(i2)].join(e3);
        }
        this.isFirstChunk && U(this._config.beforeFirstChunk) && void 0 !== (r2 = this._config.beforeFirstChunk(t)) && (t = r2), this.isFirstChunk = false, this._halted = false;
        var i2 = this._partialLine + t, r2 = (this._partialLine = "", this._handle.parse(i2, this._baseIndex, !this._finished));
        if (!this._handle.paused() && !this._handle.aborted()) {
          t = r2.meta.cursor, i2 = (this._finished || (this._partialLine = i2.substring(t - this._baseIndex), this._baseIndex = t), r2 && r2.data && (this._rowCount += r2.data.length), this._finished || this._config.preview && this._rowCount >= this._config.preview);
          if (a) n.postMessage({ results: r2, workerId: w.WORKER_ID, finished: i2 });
          else if (U(this._config.chunk) && !e2) {
            if (this._config.chunk(r2, this._handle), this._handle.paused() || this._handle.aborted()) return void (this._halted = true);
            this._completeResults = r2 = void 0;
          }
          return this._config.step || this._config.chunk || (this._completeResults.data = this._completeResults.data.concat(r2.data), this._completeResults.errors = this._completeResults.errors.concat(r2.errors), this._completeResults.meta = r2.meta), this._completed || !i2 || !U(this._config.complete) || r2 && r2.meta.aborted || (this._config.complete(this._completeResults, this._input), this._completed = true), i2 || r2 && r2.meta.paused || this._nextChunk(), r2;
        }
        this._halted = true;
      }, this._sendError = function(e2) {
        U(this._config.error) ? this._config.error(e2) : a && this._config.error && n.postMessage({ workerId: w.WORKER_ID, error: e2, finished: false });
      };
    }
    function d(e) {
      var r2;
      (e = e || {}).chunkSize || (e.chunkSize = w.RemoteChunkSize), u.call(this, e), this._nextChunk = s ? function() {
        this._readChunk(), this._chunkLoaded();
      } : function() {
        this._readChunk();
      }, this.stream = function(e2) {
        this._input = e2, this._nextChunk();
      }, this._readChunk = function() {
        if (this._finished) this._chunkLoaded();
        else {
          if (r2 = new XMLHttpRequest(), this._config.withCredentials && (r2.withCredentials = this._config.withCredentials), s || (r2.onload = m(this._chunkLoaded, this), r2.onerror = m(this._chunkError, this)), r2.ontimeout = m(this._chunkTimeout, this), r2.open(this._config.downloadRequestBody ? "POST" : "GET", this._input, !s), this._config.downloadTimeout && !s && (r2.timeout = this._config.downloadTimeout), this._config.downloadRequestHeaders) {
            var e2, t = this._config.downloadRequestHeaders;
            for (e2 in t) r2.setRequestHeader(e2, t[e2]);
          }
          var i2;
          this._config.chunkSize && (i2 = this._start + this._config.chunkSize - 1, r2.setRequestHeader("Range", "bytes=" + this._start + "-" + i2));
          try {
            r2.send(this._config.downloadRequestBody);
          } catch (e3) {
            this._chunkError(e3.message);
          }
          s && 0 === r2.status && this._chunkError();
        }
      }, this._chunkLoaded = function() {
        4 === r2.readyState && (r2.status < 200 || 400 <= r2.status ? this._chunkError() : (this._start += this._config.chunkSize || r2.responseText.length, this._finished = !this._config.chunkSize || this._start >= ((e2) => null !== (e2 = e2.getResponseHeader("Content-Range")) ? parseInt(e2.substring(e2.lastIndexOf("/") + 1)) : -1)(r2), this.parseChunk(r2.responseText)));
      }, this._chunkError = function(e2) {
        e2 = r2.statusText || e2;
        this._sendError(new Error(e2));
      }, this._chunkTimeout = function() {
        this._chunkError("Request timed out after " + this._config.downloadTimeout + "ms");
      };
    }
    function l(e) {
      (e = e || {}).chunkSize || (e.chunkSize = w.LocalChunkSize), u.call(this, e);
      var i2, r2, n2 = "undefined" != typeof FileReader;
      this.stream = function(e2) {
        this._input = e2, r2 = e2.slice || e2.webkitSlice || e2.mozSlice, n2 ? ((i2 = new FileReader()).onload = m(this._chunkLoaded, this), i2.onerror = m(this._chunkError, this)) : i2 = new FileReaderSync(), this._nextChunk();
      }, this._nextChunk = function() {
        this._finished || this._config.preview && !(this._rowCount < this._config.preview) || this._readChunk();
      }, this._readChunk = function() {
        var e2 = this._input, t = (this._config.chunkSize && (t = Math.min(this._start + this._config.chunkSize, this._input.size), e2 = r2.call(e2, this._start, t)), i2.readAsText(e2, this._config.encoding));
        n2 || this._chunkLoaded({ target: { result: t } });
      }, this._chunkLoaded = function(e2) {
        this._start += this._config.chunkSize, this._finished = !this._config.chunkSize || this._start >= this._input.size, this.parseChunk(e2.target.result);
      }, this._chunkError = function() {
        this._sendError(i2.error);
      };
    }
    function f(e) {
      var i2;
      u.call(this, e = e || {}), this.stream = function(e2) {
        return i2 = e2, this._nextChunk();
      }, this._nextChunk = function() {
        var e2, t;
        if (!this._finished) return e2 = this._config.chunkSize, i2 = e2 ? (t = i2.substring(0, e2), i2.substring(e2)) : (t = i2, ""), this._finished = !i2, this.parseChunk(t);
      };
    }
    function c(e) {
      u.call(this, e = e || {});
      var t = [], i2 = true, r2 = false;
      this.pause = function() {
        u.prototype.pause.apply(this, arguments), this._input.pause();
      }, this.resume = function() {
        u.prototype.resume.apply(this, arguments), this._input.resume();
      }, this.stream = function(e2) {
        this._input = e2, this._input.on("data", this._streamData), this._input.on("end", this._streamEnd), this._input.on("error", this._streamError);
      }, this._checkIsFinished = function() {
        r2 && 1 === t.length && (this._finished = true);
      }, this._nextChunk = function() {
        this._checkIsFinished(), t.length ? this.parseChunk(t.shift()) : i2 = true;
      }, this._streamData = m(function(e2) {
        try {
          t.push("string" == typeof e2 ? e2 : e2.toString(this._config.encoding)), i2 && (i2 = false, this._checkIsFinished(), this.parseChunk(t.shift()));
        } catch (e3) {
          this._streamError(e3);
        }
      }, this), this._streamError = m(function(e2) {
        this._streamCleanUp(), this._sendError(e2);
      }, this), this._streamEnd = m(function() {
        this._streamCleanUp(), r2 = true, this._streamData("");
      }, this), this._streamCleanUp = m(function() {
        this._input.removeListener("data", this._streamData), this._input.removeListener("end", this._streamEnd), this._input.removeListener("error", this._streamError);
      }, this);
    }
    function i(m2) {
      var n2, s2, a2, t, o2 = Math.pow(2, 53), h2 = -o2, u2 = /^\s*-?(\d+\.?|\.\d+|\d+\.\d+)([eE][-+]?\d+)?\s*$/, d2 = /^((\d{4}-[01]\d-[0-3]\dT[0-2]\d:[0-5]\d:[0-5]\d\.\d+([+-][0-2]\d:[0-5]\d|Z))|(\d{4}-[01]\d-[0-3]\dT[0-2]\d:[0-5]\d:[0-5]\d([+-][0-2]\d:[0-5]\d|Z))|(\d{4}-[01]\d-[0-3]\dT[0-2]\d:[0-5]\d([+-][0-2]\d:[0-5]\d|Z)))$/, i2 = this, r2 = 0, l2 = 0, f2 = false, e = false, c2 = [], p2 = { data: [], errors: [], meta: {} };
      function y(e2) {
        return "greedy" === m2.skipEmptyLines ? "" === e2.join("").trim() : 1 === e2.length && 0 === e2[0].length;
      }
      function _2() {
        if (p2 && a2 && (k("Delimiter", "UndetectableDelimiter", "Unable to auto-detect delimiting character; defaulted to '" + w.DefaultDelimiter + "'"), a2 = false), m2.skipEmptyLines && (p2.data = p2.data.filter(function(e3) {
          return !y(e3);
        })), g2()) {
          let t3 = function(e3) {
            c2.push(e3);
          };
          var t2 = t3;
          if (p2) if (Array.isArray(p2.data[0])) {
            for (var e2 = 0; g2() && e2 < p2.data.length; e2++) p2.data[e2].forEach(t3);
            p2.data.splice(0, 1);
          } else p2.data.forEach(t3);
        }
        function i3(e3, t3) {
          for (var i4 = m2.header ? {} : [], r4 = 0; r4 < e3.length; r4++) {
            var n3 = r4, s3 = e3[r4], s3 = ((e4, t4) => ((e5) => (m2.dynamicTypingFunction && void 0 === m2.dynamicTyping[e5] && (m2.dynamicTyping[e5] = m2.dynamicTypingFunction(e5)), true === (m2.dynamicTyping[e5] || m2.dynamicTyping)))(e4) ? "true" === t4 || "TRUE" === t4 || "false" !== t4 && "FALSE" !== t4 && (((e5) => {
              if (u2.test(e5)) {
                e5 = parseFloat(e5);
                if (h2 < e5 && e5 < o2) return 1;
              }
            })(t4) ? parseFloat(t4) : d2.test(t4) ? new Date(t4) : "" === t4 ? null : t4) : t4)(n3 = m2.header ? r4 >= c2.length ? "__parsed_extra" : c2[r4] : n3, s3 = m2.transform ? m2.transform(s3, n3) : s3);
            "__parsed_extra" === n3 ? (i4[n3] = i4[n3] || [], i4[n3].push(s3)) : i4[n3] = s3;
          }
          return m2.header && (r4 > c2.length ? k("FieldMismatch", "TooManyFields", "Too many fields: expected " + c2.length + " fields but parsed " + r4, l2 + t3) : r4 < c2.length && k("FieldMismatch", "TooFewFields", "Too few fields: expected " + c2.length + " fields but parsed " + r4, l2 + t3)), i4;
        }
        var r3;
        p2 && (m2.header || m2.dynamicTyping || m2.transform) && (r3 = 1, !p2.data.length || Array.isArray(p2.data[0]) ? (p2.data = p2.data.map(i3), r3 = p2.data.length) : p2.data = i3(p2.data, 0), m2.header && p2.meta && (p2.meta.fields = c2), l2 += r3);
      }
      function g2() {
        return m2.header && 0 === c2.length;
      }
      function k(e2, t2, i3, r3) {
        e2 = { type: e2, code: t2, message: i3 };
        void 0 !== r3 && (e2.row = r3), p2.errors.push(e2);
      }
      U(m2.step) && (t = m2.step, m2.step = function(e2) {
        p2 = e2, g2() ? _2() : (_2(), 0 !== p2.data.length && (r2 += e2.data.length, m2.preview && r2 > m2.preview ? s2.abort() : (p2.data = p2.data[0], t(p2, i2))));
      }), this.parse = function(e2, t2, i3) {
        var r3 = m2.quoteChar || '"', r3 = (m2.newline || (m2.newline = this.guessLineEndings(e2, r3)), a2 = false, m2.delimiter ? U(m2.delimiter) && (m2.delimiter = m2.delimiter(e2), p2.meta.delimiter = m2.delimiter) : ((r3 = ((e3, t3, i4, r4, n3) => {
          var s3, a3, o3, h3;
          n3 = n3 || [",", "	", "|", ";", w.RECORD_SEP, w.UNIT_SEP];
          for (var u3 = 0; u3 < n3.length; u3++) {
            for (var d3, l3 = n3[u3], f3 = 0, c3 = 0, p3 = 0, _3 = (o3 = void 0, new b({ comments: r4, delimiter: l3, newline: t3, preview: 10 }).parse(e3)), g3 = 0; g3 < _3.data.length; g3++) i4 && y(_3.data[g3]) ? p3++ : (d3 = _3.data[g3].length, c3 += d3, void 0 === o3 ? o3 = d3 : 0 < d3 && (f3 += Math.abs(d3 - o3), o3 = d3));
            0 < _3.data.length && (c3 /= _3.data.length - p3), 1.99 < c3 && (void 0 === a3 || f3 < a3 || f3 === a3 && h3 < c3) && (a3 = f3, s3 = l3, h3 = c3);
          }
          return { successful: !!(m2.delimiter = s3), bestDelimiter: s3 };
        })(e2, m2.newline, m2.skipEmptyLines, m2.comments, m2.delimitersToGuess)).successful ? m2.delimiter = r3.bestDelimiter : (a2 = true, m2.delimiter = w.DefaultDelimiter), p2.meta.delimiter = m2.delimiter), E(m2));
        return r3.header = g2(), m2.preview && m2.header && r3.preview++, n2 = e2, s2 = new b(r3), p2 = s2.parse(n2, t2, i3), _2(), f2 ? { meta: { paused: true } } : p2 || { meta: { paused: false } };
      }, this.paused = function() {
        return f2;
      }, this.pause = function() {
        f2 = true, s2.abort(), n2 = U(m2.chunk) ? "" : n2.substring(s2.getCharIndex());
      }, this.resume = function() {
        i2.streamer._halted ? (f2 = false, i2.streamer.parseChunk(n2, true)) : setTimeout(i2.resume, 3);
      }, this.aborted = function() {
        return e;
      }, this.abort = function() {
        e = true, s2.abort(), p2.meta.aborted = true, U(m2.complete) && m2.complete(p2), n2 = "";
      }, this.guessLineEndings = function(e2, t2) {
        e2 = e2.substring(0, 1048576);
        var t2 = new RegExp(P(t2) + "([^]*?)" + P(t2), "gm"), i3 = (e2 = e2.replace(t2, "")).split("\r"), t2 = e2.split("\n"), e2 = 1 < t2.length && t2[0].length < i3[0].length;
        if (1 === i3.length || e2) return "\n";
        for (var r3 = 0, n3 = 0; n3 < i3.length; n3++) "\n" === i3[n3][0] && r3++;
        return r3 >= i3.length / 2 ? "\r\n" : "\r";
      };
    }
    function P(e) {
      return e.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    }
    function b(C) {
      var S = (C = C || {}).delimiter, O = C.newline, x = C.comments, T = C.step, I = C.preview, A = C.fastMode, D = null, L = false, F = null == C.quoteChar ? '"' : C.quoteChar, z = F;
      if (void 0 !== C.escapeChar && (z = C.escapeChar), ("string" != typeof S || -1 < w.BAD_DELIMITERS.indexOf(S)) && (S = ","), x === S) throw new Error("Comment character same as delimiter");
      true === x ? x = "#" : ("string" != typeof x || -1 < w.BAD_DELIMITERS.indexOf(x)) && (x = false), "\n" !== O && "\r" !== O && "\r\n" !== O && (O = "\n");
      var M = 0, j = false;
      this.parse = function(i2, t, r2) {
        if ("string" != typeof i2) throw new Error("Input must be a string");
        var n2 = i2.length, e = S.length, s2 = O.length, a2 = x.length, o2 = U(T), h2 = [], u2 = [], d2 = [], l2 = M = 0;
        if (!i2) return v();
        if (A || false !== A && -1 === i2.indexOf(F)) {
          for (var f2 = i2.split(O), c2 = 0; c2 < f2.length; c2++) {
            if (d2 = f2[c2], M += d2.length, c2 !== f2.length - 1) M += O.length;
            else if (r2) return v();
            if (!x || d2.substring(0, a2) !== x) {
              if (o2) {
                if (h2 = [], k(d2.split(S)), R(), j) return v();
              } else k(d2.split(S));
              if (I && I <= c2) return h2 = h2.slice(0, I), v(true);
            }
          }
          return v();
        }
        for (var p2 = i2.indexOf(S, M), _2 = i2.indexOf(O, M), g2 = new RegExp(P(z) + P(F), "g"), m2 = i2.indexOf(F, M); ; ) if (i2[M] === F) for (m2 = M, M++; ; ) {
          if (-1 === (m2 = i2.indexOf(F, m2 + 1))) return r2 || u2.push({ type: "Quotes", code: "MissingQuotes", message: "Quoted field unterminated", row: h2.length, index: M }), b2();
          if (m2 === n2 - 1) return b2(i2.substring(M, m2).replace(g2, F));
          if (F === z && i2[m2 + 1] === z) m2++;
          else if (F === z || 0 === m2 || i2[m2 - 1] !== z) {
            -1 !== p2 && p2 < m2 + 1 && (p2 = i2.indexOf(S, m2 + 1));
            var y = w2(-1 === (_2 = -1 !== _2 && _2 < m2 + 1 ? i2.indexOf(O, m2 + 1) : _2) ? p2 : Math.min(p2, _2));
            if (i2.substr(m2 + 1 + y, e) === S) {
              d2.push(i2.substring(M, m2).replace(g2, F)), i2[M = m2 + 1 + y + e] !== F && (m2 = i2.indexOf(F, M)), -1 !== p2 && p2 < M && (p2 = i2.indexOf(S, M)), -1 !== _2 && _2 < M && (_2 = i2.indexOf(O, M));
              break;
            }
            y = w2(_2);
            if (i2.substring(m2 + 1 + y, m2 + 1 + y + s2) === O) {
              if (d2.push(i2.substring(M, m2).replace(g2, F)), E2(m2 + 1 + y + s2), -1 !== p2 && p2 < M && (p2 = i2.indexOf(S, M)), m2 = i2.indexOf(F, M), o2 && (R(), j)) return v();
              if (I && h2.length >= I) return v(true);
              break;
            }
            u2.push({ type: "Quotes", code: "InvalidQuotes", message: "Trailing quote on quoted field is malformed", row: h2.length, index: M }), m2++;
          }
        }
        else if (x && 0 === d2.length && i2.substring(M, M + a2) === x) {
          if (-1 === _2) return v();
          M = _2 + s2, _2 = i2.indexOf(O, M), -1 !== p2 && p2 < M && (p2 = i2.indexOf(S, M));
        } else if (-1 !== p2 && (p2 < _2 || -1 === _2)) d2.push(i2.substring(M, p2)), M = p2 + e, p2 = i2.indexOf(S, M);
        else {
          if (-1 === _2) break;
          if (d2.push(i2.substring(M, _2)), E2(_2 + s2), o2 && (R(), j)) return v();
          if (I && h2.length >= I) return v(true);
        }
        return b2();
        function k(e2) {
          h2.push(e2), l2 = M;
        }
        function w2(e2) {
          var t2 = 0;
          return t2 = -1 !== e2 && (e2 = i2.substring(m2 + 1, e2)) && "" === e2.trim() ? e2.length : t2;
        }
        function b2(e2) {
          return r2 || (void 0 === e2 && (e2 = i2.substring(M)), d2.push(e2), M = n2, k(d2), o2 && R()), v();
        }
        function E2(e2) {
          M = e2, k(d2), d2 = [], _2 = i2.indexOf(O, M);
        }
        function v(e2) {
          if (C.header && !t && h2.length && !L) {
            var s3 = h2[0], a3 = /* @__PURE__ */ Object.create(null), o3 = new Set(s3);
            let n3 = false;
            for (let r3 = 0; r3 < s3.length; r3++) {
              let i3 = q(s3[r3]);
              if (a3[i3 = U(C.transformHeader) ? C.transformHeader(i3, r3) : i3]) {
                let e3, t2 = a3[i3];
                for (; e3 = i3 + "_" + t2, t2++, o3.has(e3); ) ;
                o3.add(e3), s3[r3] = e3, a3[i3]++, n3 = true, (D = null === D ? {} : D)[e3] = i3;
              } else a3[i3] = 1, s3[r3] = i3;
              o3.add(i3);
            }
            n3 && console.warn("Duplicate headers found and renamed."), L = true;
          }
          return { data: h2, errors: u2, meta: { delimiter: S, linebreak: O, aborted: j, truncated: !!e2, cursor: l2 + (t || 0), renamedHeaders: D } };
        }
        function R() {
          T(v()), h2 = [], u2 = [];
        }
      }, this.abort = function() {
        j = true;
      }, this.getCharIndex = function() {
        return M;
      };
    }
    function p(e) {
      var t = e.data, i2 = o[t.workerId], r2 = false;
      if (t.error) i2.userError(t.error, t.file);
      else if (t.results && t.results.data) {
        var n2 = { abort: function() {
          r2 = true, _(t.workerId, { data: [], errors: [], meta: { aborted: true } });
        }, pause: g, resume: g };
        if (U(i2.userStep)) {
          for (var s2 = 0; s2 < t.results.data.length && (i2.userStep({ data: t.results.data[s2], errors: t.results.errors, meta: t.results.meta }, n2), !r2); s2++) ;
          delete t.results;
        } else U(i2.userChunk) && (i2.userChunk(t.results, n2, t.file), delete t.results);
      }
      t.finished && !r2 && _(t.workerId, t.results);
    }
    function _(e, t) {
      var i2 = o[e];
      U(i2.userComplete) && i2.userComplete(t), i2.terminate(), delete o[e];
    }
    function g() {
      throw new Error("Not implemented.");
    }
    function E(e) {
      if ("object" != typeof e || null === e) return e;
      var t, i2 = Array.isArray(e) ? [] : {};
      for (t in e) i2[t] = E(e[t]);
      return i2;
    }
    function m(e, t) {
      return function() {
        e.apply(t, arguments);
      };
    }
    function U(e) {
      return "function" == typeof e;
    }
    return w.parse = function(e, t) {
      var i2 = (t = t || {}).dynamicTyping || false;
      U(i2) && (t.dynamicTypingFunction = i2, i2 = {});
      if (t.dynamicTyping = i2, t.transform = !!U(t.transform) && t.transform, void 0 !== t.downloadTimeout) {
        var i2 = parseInt(t.downloadTimeout);
        if (isNaN(i2)) throw new Error("Config downloadTimeout value (" + t.downloadTimeout + ") not parsable by parseInt(val).");
        t.downloadTimeout = i2;
      }
      if (!t.worker || !w.WORKERS_SUPPORTED) return i2 = null, w.NODE_STREAM_INPUT, "string" == typeof e ? (e = q(e), i2 = new (t.download ? d : f)(t)) : true === e.readable && U(e.read) && U(e.on) ? i2 = new c(t) : (n.File && e instanceof File || e instanceof Object) && (i2 = new l(t)), i2.stream(e);
      (i2 = (() => {
        var e2;
        return !!w.WORKERS_SUPPORTED && (e2 = (() => {
          var e3 = n.URL || n.webkitURL || null, t2 = r.toString();
          return w.BLOB_URL || (w.BLOB_URL = e3.createObjectURL(new Blob(["var global = (function() { if (typeof self !== 'undefined') { return self; } if (typeof window !== 'undefined') { return window; } if (typeof global !== 'undefined') { return global; } return {}; })(); global.IS_PAPA_WORKER=true; ", "(", t2, ")();"], { type: "text/javascript" })));
        })(), (e2 = new n.Worker(e2)).onmessage = p, e2.id = h++, o[e2.id] = e2);
      })()).userStep = t.step, i2.userChunk = t.chunk, i2.userComplete = t.complete, i2.userError = t.error, t.step = U(t.step), t.chunk = U(t.chunk), t.complete = U(t.complete), t.error = U(t.error), delete t.worker, i2.postMessage({ input: e, config: t, workerId: i2.id });
    }, w.unparse = function(e, t) {
      var s2 = false, g2 = true, m2 = ",", y = "\r\n", a2 = '"', o2 = a2 + a2, i2 = false, r2 = null, h2 = false, u2 = ((() => {
        if ("object" == typeof t) {
          if ("string" != typeof t.delimiter || w.BAD_DELIMITERS.filter(function(e2) {
            return -1 !== t.delimiter.indexOf(e2);
          }).length || (m2 = t.delimiter), "boolean" != typeof t.quotes && "function" != typeof t.quotes && !Array.isArray(t.quotes) || (s2 = t.quotes), "boolean" != typeof t.skipEmptyLines && "string" != typeof t.skipEmptyLines || (i2 = t.skipEmptyLines), "string" == typeof t.newline && (y = t.newline), "string" == typeof t.quoteChar && (a2 = t.quoteChar, o2 = a2 + a2), "boolean" == typeof t.header && (g2 = t.header), Array.isArray(t.columns)) {
            if (0 === t.columns.length) throw new Error("Option columns is empty");
            r2 = t.columns;
          }
          void 0 !== t.escapeChar && (o2 = t.escapeChar + a2), t.escapeFormulae instanceof RegExp ? h2 = t.escapeFormulae : "boolean" == typeof t.escapeFormulae && t.escapeFormulae && (h2 = /^[=+\-@\t\r].*$/);
        }
      })(), new RegExp(P(a2), "g"));
      "string" == typeof e && (e = JSON.parse(e));
      if (Array.isArray(e)) {
        if (!e.length) return n2(r2, e, i2);
        if (Array.isArray(e[0])) return n2(null, e, i2);
        if ("object" == typeof e[0]) return n2(r2 || Object.keys(e[0]), e, i2);
      } else if ("object" == typeof e) return "string" == typeof e.data && (e.data = JSON.parse(e.data)), Array.isArray(e.data) && (e.fields || (e.fields = e.meta && e.meta.fields || r2), e.fields || (e.fields = Array.isArray(e.data[0]) ? e.fields : "object" == typeof e.data[0] ? Object.keys(e.data[0]) : []), Array.isArray(e.data[0]) || "object" == typeof e.data[0] || (e.data = [e.data])), n2(e.fields || [], e.data || [], i2);
      throw new Error("Unable to serialize unrecognized input");
      function n2(e2, t2, i3) {
        var r3 = "", n3 = ("string" == typeof e2 && (e2 = JSON.parse(e2)), "string" == typeof t2 && (t2 = JSON.parse(t2)), Array.isArray(e2) && 0 < e2.length), s3 = !Array.isArray(t2[0]);
        if (n3 && g2) {
          for (var a3 = 0; a3 < e2.length; a3++) 0 < a3 && (r3 += m2), r3 += k(e2[a3], a3);
          0 < t2.length && (r3 += y);
        }
        for (var o3 = 0; o3 < t2.length; o3++) {
          var h3 = (n3 ? e2 : t2[o3]).length, u3 = false, d2 = n3 ? 0 === Object.keys(t2[o3]).length : 0 === t2[o3].length;
          if (i3 && !n3 && (u3 = "greedy" === i3 ? "" === t2[o3].join("").trim() : 1 === t2[o3].length && (null == t2[o3][0] || 0 === t2[o3][0].length)), "greedy" === i3 && n3) {
            for (var l2 = [], f2 = 0; f2 < h3; f2++) {
              var c2 = s3 ? e2[f2] : f2;
              l2.push(t2[o3][c2]);
            }
            u3 = "" === l2.join("").trim();
          }
          if (!u3) {
            for (var p2 = 0; p2 < h3; p2++) {
              0 < p2 && !d2 && (r3 += m2);
              var _2 = n3 && s3 ? e2[p2] : p2;
              r3 += k(t2[o3][_2], p2);
            }
            o3 < t2.length - 1 && (!i3 || 0 < h3 && !d2) && (r3 += y);
          }
        }
        return r3;
      }
      function k(e2, t2) {
        var i3, r3, n3;
        return null == e2 ? "" : e2.constructor === Date ? isNaN(e2.getTime()) ? "" : e2.toISOString() : (n3 = false, i3 = e2.toString(), h2 && "number" != typeof e2 && "bigint" != typeof e2 && "boolean" != typeof e2 && h2.test(i3) && (e2 = i3 = "'" + i3, n3 = true), r3 = i3.replace(u2, o2), (n3 = n3 || true === s2 || "function" == typeof s2 && s2(e2, t2) || Array.isArray(s2) && s2[t2] || ((e3, t3) => {
          for (var i4 = 0; i4 < t3.length; i4++) if (-1 < e3.indexOf(t3[i4])) return true;
          return false;
        })(r3, w.BAD_DELIMITERS) || -1 < r3.indexOf(m2) || -1 < i3.indexOf(a2) || " " === r3.charAt(0) || " " === r3.charAt(r3.length - 1)) ? a2 + r3 + a2 : r3);
      }
    }, w.RECORD_SEP = String.fromCharCode(30), w.UNIT_SEP = String.fromCharCode(31), w.BYTE_ORDER_MARK = "\uFEFF", w.BAD_DELIMITERS = ["\r", "\n", '"', w.BYTE_ORDER_MARK], w.WORKERS_SUPPORTED = !s && !!n.Worker, w.NODE_STREAM_INPUT = 1, w.LocalChunkSize = 10485760, w.RemoteChunkSize = 5242880, w.DefaultDelimiter = ",", w.Parser = b, w.ParserHandle = i, w.NetworkStreamer = d, w.FileStreamer = l, w.StringStreamer = f, w.ReadableStreamStreamer = c, a && (n.onmessage = function(e) {
      e = e.data;
      void 0 === w.WORKER_ID && e && (w.WORKER_ID = e.workerId);
      "string" == typeof e.input ? n.postMessage({ workerId: w.WORKER_ID, results: w.parse(e.input, e.config), finished: true }) : (n.File && e.input instanceof File || e.input instanceof Object) && (e = w.parse(e.input, e.config)) && n.postMessage({ workerId: w.WORKER_ID, results: e, finished: true });
    }), (d.prototype = Object.create(u.prototype)).constructor = d, (l.prototype = Object.create(u.prototype)).constructor = l, (f.prototype = Object.create(f.prototype)).constructor = f, (c.prototype = Object.create(u.prototype)).constructor = c, w;
  });
  return module.exports;
})();

// dual_lab/custom_file.js
var NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;
var WHOLE = /^[+-]?\d+$/;
var UNCLEAR = /^[+-]?[1-9]\d{0,2}\.\d{3}$/;
var NUMBER_LIKE = /^\W*\d[\d\W]*$/;
var SHOWN = 40;
function is_number(text) {
  return NUMBER.test(text) && Number.isFinite(Number(text));
}
function plain_name(name) {
  return name.split(/[/\\]/).at(-1).replace(/\p{C}/gu, "").trim() || "upload";
}
var CustomFile = class _CustomFile {
  // `rules` is what the export packs: sentences, caps and the reader's tables.
  constructor(rules, name) {
    Object.assign(this, { rules, where: plain_name(name) });
  }
  // Samples and labels of a `File`: the numbers of each row, dense or as pairs, and a label each.
  static async read(rules, file) {
    const own = new _CustomFile(rules, file.name), { caps, packings, suffixes } = rules;
    const ends = (group) => group.some((suffix) => own.where.toLowerCase().endsWith(suffix));
    if (file.size > caps.megabytes * 2 ** 20) own.refuse("too_large", caps);
    if (ends(packings)) own.refuse("packed");
    const bytes = await file.arrayBuffer().catch(() => own.refuse("unreadable"));
    let text = "";
    try {
      text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    } catch {
      own.refuse("encoding");
    }
    if (!text.trim()) own.refuse("empty");
    if (text.includes("\0")) own.refuse("encoding");
    const pairs = () => text.slice(0, 65536).split("\n", 20).some((line2) => /^[^#]*\s[+-]?\d+:\S/.test(line2));
    const is_table = ends(suffixes.tables) || !(ends(suffixes.libsvm) || pairs());
    return { name: own.where, ...is_table ? own.table(text, ends([".tsv"])) : own.libsvm(text) };
  }
  sentence(name, values = {}) {
    return format_text(this.rules.sentences[name], { where: this.where, ...values });
  }
  refuse(name, values = {}) {
    const advice = this.rules.final.includes(name) ? "" : ` ${this.sentence("elsewhere")}`;
    throw new Error(this.sentence(name, values) + advice);
  }
  check_size(rows, columns, numbers) {
    const { caps } = this.rules;
    if (rows > caps.rows || columns > caps.columns || numbers > caps.numbers) this.refuse("count_here", caps);
  }
  number(text, place) {
    const shown = quoted(text.slice(0, SHOWN)), value = Number(text);
    if (!is_number(text) || Math.abs(value) > this.rules.largest) this.refuse("cell_here", { ...place, shown });
    if (WHOLE.test(text) && (/^[+-]?0\d/.test(text) || !Number.isSafeInteger(value))) this.refuse("unclear", { ...place, shown });
    return value;
  }
  table(text, is_tsv) {
    const { separators, label_names, missing } = this.rules;
    this.check_size(text.split("\n").length - 1, 0, 0);
    const read = (delimiter2) => {
      const { data, errors } = Papa.parse(text.replace(/\r\n?/g, "\n"), { delimiter: delimiter2 });
      const rows2 = data.map((row) => row.map((cell) => cell.trim())).filter((row) => row.length > 1 || row[0]);
      return { delimiter: delimiter2, rows: rows2, fits: !errors.length && rows2.every((row) => row.length > 1 && row.length === rows2[0].length) };
    };
    const { rows, delimiter } = (is_tsv ? ["	"] : separators).map(read).find(({ fits }) => fits) ?? this.refuse("uneven");
    const width = rows[0].length;
    this.check_size(rows.length, width, rows.length * width);
    if (rows.some((row) => row[0].startsWith("#") || row.some((cell) => cell.includes('"')))) this.refuse("uneven");
    const called = rows[0].flatMap((name, j) => label_names.includes(name.toLowerCase()) ? [j] : []);
    const target = called.length === 1 ? called[0] : width - 1;
    const has_texts = rows.slice(1).some((row) => !is_number(row[target]));
    const has_names = rows[0].some((cell, j) => !(has_texts && j === target) && !is_number(cell));
    const body = rows.slice(has_names ? 1 : 0), n = body.length, d = width - 1;
    if (!n) this.refuse("header_only");
    const names = has_names ? rows[0] : rows[0].map((_, j) => `column ${j}`);
    if (new Set(names).size < width || names.includes("")) this.refuse("names_here");
    const dense = new Float64Array(n * d), at = (i, j) => ({ row: i + 1, column: quoted(names[j]) });
    for (let j = 0; j < (delimiter === "," ? 0 : width); j++) {
      const points = body.map((row) => row[j]).filter((cell) => is_number(cell) && cell.includes("."));
      if (points.length && points.every((cell) => UNCLEAR.test(cell))) {
        const i = body.findIndex((row) => row[j] === points[0]);
        this.refuse("unclear", { ...at(i, j), shown: quoted(points[0]) });
      }
    }
    const labels = has_texts ? body.map((row) => row[target]) : new Float64Array(n);
    body.forEach((row, i) => row.forEach((cell, j) => {
      if (j !== target) dense[i * d + (j < target ? j : j - 1)] = this.number(cell, at(i, j));
      else if (!has_texts) labels[i] = this.number(cell, at(i, j));
      else if (missing.includes(cell) || NUMBER_LIKE.test(cell) && !is_number(cell)) this.refuse("unclear", { ...at(i, j), shown: quoted(cell) });
    }));
    return { n, d, labels, names: names.filter((_, j) => j !== target), dense, label: names[target], target: target === d ? null : target };
  }
  libsvm(text) {
    const labels = [], offsets = [0], indices = [], values = [], { caps, largest: largest2 } = this.rules;
    text.split("\n").forEach((line2, k) => {
      const [label, ...pairs] = line2.split("#", 1)[0].split(/\s+/).filter(Boolean);
      if (label === void 0) return;
      const refuse = (token) => this.refuse("svm_token", { line: k + 1, shown: quoted(token.slice(0, SHOWN)), first: 0, limit: caps.sparse_columns });
      labels.push(is_number(label) ? Number(label) : refuse(label));
      let previous = -1;
      for (const pair of /^qid:/.test(pairs[0] ?? "") ? pairs.slice(1) : pairs) {
        const [index, value] = /^\d+:[^:]+$/.test(pair) ? pair.split(":") : refuse(pair);
        if (Number(index) <= previous || Number(index) > caps.sparse_columns || !is_number(value) || Math.abs(Number(value)) > largest2) refuse(pair);
        previous = Number(index);
        indices.push(previous);
        values.push(Number(value));
      }
      offsets.push(indices.length);
    });
    this.check_size(labels.length, 0, indices.length);
    if (!indices.length) this.refuse(labels.length ? "svm_no_pair" : "svm_no_sample");
    const [lowest, highest] = indices.reduce(([low, high], j) => [Math.min(low, j), Math.max(high, j)], [Infinity, 0]);
    const first = lowest === 0 ? 0 : 1, d = highest - first + 1;
    return {
      n: labels.length,
      d,
      labels: Float64Array.from(labels),
      label: null,
      target: null,
      sparse: { offsets, indices: indices.map((j) => j - first), values },
      names: Array.from({ length: d }, (_, j) => `feature ${j + first}`)
    };
  }
};

// dual_lab/custom_data.js
var Samples = class {
  // The samples with a feature that is always 1, then mirrored where asked for.
  data(signed) {
    const { n, rows } = this, own = this.d + 1, factor = signed ? 2 : 1, size = factor * (rows.values.length + n);
    const offsets = new Uint32Array(n + 1), indices = new Uint32Array(size), values = new Float64Array(size);
    let at = 0;
    const put = (column, value) => {
      indices[at] = column;
      values[at++] = value;
    };
    for (let i = 0; i < n; i++) {
      for (let half = 0; half < factor; half++) {
        const sign = half ? -1 : 1;
        for (let k = rows.offsets[i]; k < rows.offsets[i + 1]; k++) put(half * own + rows.indices[k], sign * rows.values[k]);
        put(half * own + this.d, sign);
      }
      offsets[i + 1] = at;
    }
    return {
      n,
      d: factor * own,
      offsets,
      indices,
      values: values.every((value) => value === 1) ? new Float64Array(0) : values,
      y: this.y,
      weight: new Float64Array(n).fill(1),
      free_bias: false,
      kernel: null,
      spectrum: null
    };
  }
  // The message "data" out of that of other data; `bounds` has the curvature of each regularizer's summands.
  held({ losses, regularizers }, bounds, signed) {
    const data = this.data(signed), at = ([name, facts]) => [name, facts_at(facts, bounds[name], data)];
    return { data, losses, regularizers: Object.fromEntries(Object.entries(regularizers).map(at)) };
  }
};
var CustomData = class extends Samples {
  // `read` is what `CustomFile.read` found.
  constructor(rules, read) {
    super();
    Object.assign(this, read, { rules });
    const values = Array.from(new Set(read.labels)).sort(typeof read.labels[0] === "string" ? void 0 : (a, b) => a - b);
    const refuse = (name, values_) => new CustomFile(rules, read.name).refuse(name, values_);
    if (read.n < 2) refuse("one_sample");
    this.classes = this.are_classes(values) ? values : null;
    if (this.classes) {
      const { most_classes } = rules, shown = `'${this.written(values[0])}'`;
      if (values.length < 2) refuse("one_class", { label: shown });
      if (values.length > most_classes) refuse("many_classes", { count: values.length, most: most_classes });
    }
    this.positive = values.at(-1);
    this.y = Float64Array.from(read.labels, (label) => this.classes ? label === this.positive ? 1 : -1 : label);
    this.rows = read.dense ? scaled_table(read) : scaled_pairs(read);
    if (!this.rows.values.every(Number.isFinite)) refuse("unscalable");
  }
  // Texts are classes, and so are a few whole numbers.
  are_classes(values) {
    return typeof values[0] === "string" || values.length <= this.rules.few && values.every(Number.isInteger);
  }
  written(label) {
    return typeof label === "string" ? label : written(label, ".15g");
  }
  // What was read and how it is used, in words.
  summary(texts) {
    const { name: where, n, d, classes, positive } = this;
    const values = {
      where,
      n,
      d,
      label: this.label === null ? texts.custom_first : format_text(texts.custom_column, { label: this.label }),
      scaled: this.dense ? texts.custom_dense : texts.custom_sparse
    };
    if (!classes) return format_text(texts.custom_numbers, values);
    const negative = classes.length > 2 ? texts.custom_rest : format_text(texts.custom_class, { label: this.written(classes[0]) });
    return format_text(texts.custom_classes, { ...values, positive: this.written(positive), negative });
  }
  // What `wb.data.load` takes to make the same data of the file, as Python writes it.
  get options() {
    const positive = typeof this.positive === "string" ? quoted(this.positive) : String(this.positive);
    return [
      ...this.target === null ? [] : [["target", String(this.target)]],
      ...this.classes ? [["positive", positive]] : [],
      ["standardize", "True"]
    ];
  }
};
var PlaneSamples = class extends Samples {
  constructor({ X, y }) {
    super();
    const rows = sparse_of(X.length, (i, put) => X[i].forEach((value, j) => put(j, value)));
    Object.assign(this, { n: X.length, d: 2, y, rows });
  }
};
function scaled_table({ n, d, dense }) {
  const scaled = Float64Array.from(dense);
  for (let j = 0; j < d; j++) {
    const shifted2 = (i) => dense[i * d + j] - dense[j], mean = sum_of(n, shifted2) / n;
    const deviation = Math.sqrt(sum_of(n, (i) => (shifted2(i) - mean) ** 2) / n);
    for (let i = 0; i < n; i++) scaled[i * d + j] = (shifted2(i) - mean) / (deviation || 1);
  }
  return sparse_of(n, (i, put) => {
    for (let j = 0; j < d; j++) put(j, scaled[i * d + j]);
  });
}
function scaled_pairs({ n, d, sparse: { offsets, indices, values } }) {
  const largest2 = new Float64Array(d);
  indices.forEach((j, k) => {
    largest2[j] = Math.max(largest2[j], Math.abs(values[k]));
  });
  const factor = largest2.map((size) => 1 / (size > 0 ? size : 1));
  return sparse_of(n, (i, put) => {
    for (let k = offsets[i]; k < offsets[i + 1]; k++) put(indices[k], values[k] * factor[indices[k]]);
  });
}
function sum_of(count, term) {
  let sum = 0;
  for (let i = 0; i < count; i++) sum += term(i);
  return sum;
}
function sparse_of(n, fill) {
  const offsets = [0], indices = [], values = [];
  for (let i = 0; i < n; i++) {
    fill(i, (column, value) => {
      if (value === 0) return;
      indices.push(column);
      values.push(value);
    });
    offsets.push(indices.length);
  }
  return { offsets, indices, values };
}
function facts_at(facts, bound, data) {
  const is_simplex = facts.structure === "simplex", theta = Float64Array.from(facts.theta);
  const weights = new Float64Array(data.d).fill(is_simplex ? 1 / data.d : facts.weights[0]);
  if (is_simplex) theta[1] *= data.d / facts.weights.length;
  return {
    ...facts,
    theta,
    weights,
    curvature: curvature_of(facts.structure, bound, theta, weights, data),
    penalty: facts.penalty && { ...facts.penalty, theta, weights }
  };
}
function curvature_of(structure, bound, theta, weights, { n, offsets, indices, values }) {
  const value = values.length ? (k) => values[k] : () => 1;
  const each = (of_row) => Float64Array.from({ length: n }, (_, i) => of_row(offsets[i], offsets[i + 1]));
  const largest2 = (start2, end) => {
    let most = 0;
    for (let k = start2; k < end; k++) most = Math.max(most, Math.abs(value(k)));
    return most;
  };
  if (structure === "separable") {
    return bound === null ? null : each((start2, end) => bound * sum_of(end - start2, (k) => weights[indices[start2 + k]] * value(start2 + k) ** 2));
  }
  if (structure === "simplex") return each((start2, end) => theta[1] * largest2(start2, end) ** 2);
  const [, q, power] = theta, p = q / (q - 1);
  if (power !== 2 || q > 2) return null;
  return each((start2, end) => {
    const size = largest2(start2, end), sum = sum_of(end - start2, (k) => Math.abs(value(start2 + k) / size) ** p);
    return (p - 1) * (size * sum ** (1 / p)) ** 2;
  });
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
    const percent2 = Math.min(100 * relative_gap, MOST_PERCENT);
    return this.say(relative_gap > WORTH_A_TICK ? "wide" : "tick", { percent: percent2 });
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

// dual_lab/figures.js
var NEGLIGIBLE = 1e-6;
var ALMOST = 1e-12;
var Figures = class extends LiveFigures {
  // `keys` has what the key of each figure says, of "one" configuration and of "both"; `rules` the formulas of a step.
  constructor(model, ids, texts, { keys, rules }) {
    super(model, ids, texts);
    Object.assign(this, { keys, rules, ghosts: {}, many: "one" });
  }
  // The first configuration and the second, null where there is none. While a run goes on, figures that are folded away
  // stand still.
  show(A, B, is_running) {
    this.legend(B ? "both" : "one");
    this.curves(A, B);
    const is_due = (name) => !is_running || this.is_shown(name);
    if (is_due("weights_y")) this.weights(A, B);
    if (is_due("duals_y")) this.duals(A, B);
    if (is_due("margins_y")) this.margins(A);
    if (is_due("terms_y")) this.terms(A);
  }
  // The keys of the figures, where other configurations are drawn than before.
  legend(many) {
    if (this.many === many) return;
    this.many = many;
    for (const name of Object.keys(this.keys.one)) this.key(name, this.ghosts[name] ?? "");
  }
  key(name, ghost) {
    this.ghosts[name] = ghost;
    const [button] = deep(`[data-figure="${name}"]`), key = button?.closest(".wb-head").querySelector(".wb-key");
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
    const unit = A.rows.at(-1).epoch < 1 ? "step" : "epoch", [first, second] = [A, B].map((each) => each && drawn(each.rows, unit));
    this.fill("curves", first);
    this.fill("other", second ? { time: second.time, gap: second.gap } : { time: [], gap: [] });
    this.range("gap_x", 0, 1.01 * Math.max(first.time.at(-1), second?.time.at(-1) ?? 0) || 1);
    for (const name of ["gap", "objective"]) this.of("axes", `${name}_x`).setv({ axis_label: unit });
    const gaps = [...first.gap, ...second?.gap ?? []].filter(Number.isFinite);
    this.decades("gap_y", gaps.map((gap) => gap * (1 + ALMOST)), 12, 5);
    this.objective("objective_y", first.primal, first.dual);
  }
  weights({ weights }, B) {
    const other = B ? weights.place.map((_, k) => B.w[weights.features[k]]) : [], { place, weight, name } = weights;
    this.fill("weights", { place, weight, name });
    this.fill("other_weights", { place: B ? place : [], weight: other });
    this.around("weights_y", [...weight, ...other], 0.08, true);
    this.range("weights_x", -1, name.length);
  }
  duals({ duals, n }, B) {
    const { place, sample, kind, value } = duals;
    this.fill("duals", { place, sample, kind, value });
    this.fill("other_duals", B ? { place: B.duals.place, value: B.duals.value } : { place: [], value: [] });
    this.around("duals_y", [...value, ...B?.duals.value ?? []], 0.1, true);
    this.range("duals_x", -0.02 * n - 1, 1.02 * n);
    this.of("axes", "duals_y").setv({ axis_label: duals.margin ? "α·y" : "α" });
  }
  margins({ duals: { at, value, sample, kind, margin } }) {
    this.fill("margins", { margin: at, value, sample, kind });
    this.around("margins_x", at, 0.08, true);
    this.around("margins_y", value, 0.1, true);
    this.of("axes", "margins_x").setv({ axis_label: margin ? "margin y·f(x)" : "residual f(x) − y" });
    this.of("axes", "margins_y").setv({ axis_label: margin ? "α·y" : "α" });
  }
  saddle({ weight, dual, surface, valley, ridge, point, name, sample }) {
    const source = this.of("sources", "surface"), { image } = source.data;
    image[0].set(surface.flat());
    source.setv({ data: {
      image,
      x: [weight[0]],
      y: [dual[0]],
      dw: [weight.at(-1) - weight[0]],
      dh: [dual.at(-1) - dual[0]]
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
  captions({ row, weights, duals, terms, n, d }, B, saddle) {
    const gap = (mark, of) => this.say("gap", { mark, gap: of.gap, elapsed: this.elapsed(of) });
    const nonzeros2 = this.say("nonzeros", { nonzeros: row.nonzeros, d });
    const found = {
      gap: B ? `${gap("A: ", row)} ${gap("B: ", B.row)}` : gap("The gap is ", row),
      objective: this.say("objective", row),
      weights: B ? this.say("both", { nonzeros: nonzeros2, other: B.row.nonzeros }) : this.say("drawn", { nonzeros: nonzeros2, drawn: weights.name.length }),
      duals: this.say("support", { support: row.support, n, bound: duals.bound, free: duals.free }) + (B ? this.say("second", B.row) : ""),
      margins: this.say("margins"),
      terms: this.terms_said(terms, row.gap)
    };
    if (saddle) found.saddle = this.say("saddle", saddle);
    return found;
  }
  terms_said(terms, gap) {
    if (!terms.share.length) return this.say(gap < 1 ? "no_terms" : "infinite");
    const half = terms.half > 1 ? this.say("many", terms) : this.say("one");
    const rest = terms.rest > NEGLIGIBLE * gap ? this.say("rest", terms) : "";
    return this.say("terms", { sample: terms.sample[0], share: 100 * terms.share[0] / gap, half, rest });
  }
  // How the runs stand: two that have not come to the same end are not to be compared without a word. A status is null,
  // and `open` in its place, where a run has not ended.
  standing(rows, statuses, open, tolerance) {
    const found = statuses.map((status) => status ?? open);
    const told = rows.map((row, k) => this.say(found[k], { elapsed: this.elapsed(row), tolerance, ...row }));
    return new Set(found).size === 1 ? told[0] : `A: ${told[0]} B: ${told[1]}`;
  }
  // The row of numbers above the figures, the second configuration's below; a score is null without held-out samples.
  statistics({ row, n, d }, B, [score, other]) {
    const of = (total) => `<span>of ${written(total, ",")}</span>`, tested = (value) => value === null ? "none" : `${written(100 * value, ".2f")} %`;
    const entries = [
      ["primal", ({ primal }) => written(primal, ".5g"), ""],
      ["dual bound", ({ dual }) => written(dual, ".5g"), ""],
      ["duality gap", ({ gap }) => written(gap, ".2e"), `<em>${this.promise(row.relative_gap)}</em>`],
      ["non-zeros", ({ nonzeros: nonzeros2 }) => written(nonzeros2, ","), of(d)],
      ["support", ({ support }) => written(support, ","), of(n)],
      ["test accuracy", (_, value) => tested(value), ""]
    ];
    return this.cards(entries.map(([name, value, note]) => [name, value(row, score), note + (B ? `<span class=b>B ${value(B.row, other)}</span>` : "")]));
  }
  // The last step: its rule with its numbers put in.
  why({ event, step, y, solver, lam_n, quadratic, closed }) {
    if (!event) return `<div class='wb-note'>${this.say("nothing_yet")}</div>`;
    const { rules } = this, { update } = solver, is_bounded = update === "bounded";
    const own = is_bounded || update === "exact" && quadratic;
    const [formula, source] = { gradient: rules.gradient, newton: rules.newton }[update] ?? (own ? closed : rules.search);
    const title = this.say("step", { step, index: event.index, y });
    const clipped = event.alpha_free !== event.alpha_after;
    const badge = clipped ? this.say("clipped", { value: event.alpha_after }) : this.say(event.alpha_after === event.alpha_before ? "optimal" : "inside");
    const lines = [formula, ...this.numbers(event, solver, lam_n, is_bounded, quadratic)];
    return `<div class='wb-note'>${escaped(title)}</div>` + lines.map((line2) => `<wb-tex>${escaped(line2)}</wb-tex>`).join("") + `<span class='wb-badge ${clipped ? "clip" : "free"}'>${escaped(badge)}</span> <span class='wb-source'>${escaped(this.say("dual", { change: event.dual_change }))}</span><div class='wb-source'>${escaped(source + (is_bounded ? this.say("bounded") : ""))}</div>`;
  }
  numbers(event, { update, scale, eta }, lam_n, is_bounded, quadratic) {
    const lines = [`c_2 = w\\cdot x_i = ${latex(event.prediction)}`];
    if (update === "gradient") {
      const step = scale * eta * lam_n;
      lines.push(`t\\,\\eta\\,\\lambda n = ${latex(step)}`);
      lines.push(`-k' + c_2 = ${latex((event.alpha_before - event.alpha_free) / step)}`);
    } else {
      const [bounded, parabola, bent] = this.rules.curvatures;
      lines.push(`c_1 = ${is_bounded ? bounded : quadratic ? parabola : bent} = ${latex(event.curvature)}`);
    }
    lines.push(`\\alpha_i: ${latex(event.alpha_before)} \\to ${latex(event.alpha_free)}`);
    if (event.alpha_free !== event.alpha_after) lines.push(`\\text{clipped to } ${latex(event.alpha_after)}`);
    return lines;
  }
};
function latex(value) {
  if (!Number.isFinite(value)) return value > 0 ? "\\infty" : "-\\infty";
  if (value !== 0 && !(Math.abs(value) >= 1e-4 && Math.abs(value) < 1e5)) {
    const [mantissa, exponent] = written(value, ".3e").split("e");
    return `${mantissa}\\cdot 10^{${Number(exponent)}}`;
  }
  return written(value, ".4f").replace(/0+$/, "").replace(/\.$/, "");
}
function drawn(rows, unit) {
  const kept = spread(rows.length, MOST_POINTS).map((k) => rows[k]), finite = (value) => Number.isFinite(value) ? value : NaN;
  return {
    time: kept.map((row) => row[unit]),
    primal: kept.map((row) => finite(row.primal)),
    dual: kept.map((row) => finite(row.dual)),
    gap: kept.map(({ gap }) => gap > 0 && Number.isFinite(gap) ? gap : NaN)
  };
}

// dual_lab/frame.js
var LARGEST_WEIGHTS = 160;
var MOST_SAMPLES = 400;
var BOUND_TOLERANCE = 1e-9;
var ROUNDING = 1e-12;
var SIDE = 61;
var REACH = 1.5;
var Pictured = class {
  constructor({ data, loss, regularizer, lam, embedded, settings }) {
    const { names, constant, test } = data;
    Object.assign(this, { data, loss, regularizer, lam, embedded, settings, names, constant, test, n: data.n, width: data.d });
    const half = embedded ? data.d / 2 : data.d;
    this.d = constant ? half - 1 : half;
    this.sign = loss.kind === "margin" ? data.y : new Float64Array(data.n).fill(1);
  }
  // Weights of the engine's columns as weights of the features, the bias last where it is a feature.
  split(w) {
    if (!this.embedded) return w;
    const half = w.length / 2;
    return w.slice(0, half).map((value, j) => value - w[half + j]);
  }
  // Weights of the features alone.
  weights(w) {
    return this.split(w).subarray(0, this.d);
  }
  name(j) {
    return j < this.names.length ? this.names[j] : "(constant)";
  }
  // The entries of a row, [column, value].
  row(i) {
    const { offsets, indices, values, d } = this.data;
    if (!offsets.length) {
      return Array.from({ length: d }, (_, j) => [j, values[i * d + j]]).filter(([, value]) => value !== 0);
    }
    const range = Array.from({ length: offsets[i + 1] - offsets[i] }, (_, k) => Number(offsets[i]) + k);
    return range.map((k) => [indices[k], values.length ? values[k] : 1]);
  }
  nu(alpha, i) {
    return -alpha / (this.data.weight[i] * this.sign[i]);
  }
};
function once(make) {
  let made2;
  return () => made2 ??= make();
}
function state_of(problem, { w, alpha, ...certificate }, { step, epoch }) {
  const features = problem.split(w), own = features.subarray(0, problem.d), b = problem.constant ? features[problem.d] : 0;
  const weights = once(() => weights_of(problem, own)), duals = once(() => duals_of(problem, alpha, certificate.z));
  const terms = once(() => terms_of(certificate, duals()));
  const { primal, dual, gap, relative_gap } = certificate;
  const count = (values) => values.reduce((sum, value) => sum + (value !== 0), 0);
  return {
    row: { step, epoch, primal, dual, gap, relative_gap, nonzeros: count(own), support: count(alpha) },
    w: own,
    b,
    get weights() {
      return weights();
    },
    get duals() {
      return duals();
    },
    get terms() {
      return terms();
    },
    n: problem.n,
    d: problem.d
  };
}
function weights_of(problem, w) {
  const chosen = largest(w);
  return {
    place: chosen.map((_, k) => k),
    weight: chosen.map((j) => w[j]),
    name: chosen.map((j) => problem.name(j)),
    features: chosen
  };
}
function largest(w) {
  const order = Array.from(w.keys()).sort((a, b) => Math.abs(w[b]) - Math.abs(w[a]) || a - b);
  const count = Math.max(1, Math.min(LARGEST_WEIGHTS, w.reduce((sum, value) => sum + (value !== 0), 0)));
  return order.slice(0, count).sort((a, b) => a - b);
}
function duals_of(problem, alpha, z) {
  const { loss, data } = problem, margin = loss.kind === "margin";
  const at_end = (nu) => [loss.lower, loss.upper].some((end) => Math.abs(nu - end) <= BOUND_TOLERANCE);
  const kinds = Array.from(alpha, (value, i) => value === 0 ? "zero" : at_end(problem.nu(value, i)) ? "bound" : "free");
  const values = alpha.map((value, i) => margin ? value * data.y[i] : value);
  const order = Array.from(alpha.keys()).sort((a, b) => values[b] - values[a] || a - b);
  const place = spread(order.length, MOST_SAMPLES), kept = place.map((k) => order[k]);
  const rank = [];
  order.forEach((i, k) => {
    rank[i] = k;
  });
  const count = (kind) => kinds.reduce((sum, each) => sum + (each === kind), 0);
  return {
    place,
    value: kept.map((i) => values[i]),
    kind: kept.map((i) => kinds[i]),
    kinds,
    values,
    rank,
    sample: kept,
    margin,
    at: kept.map((i) => margin ? data.y[i] * z[i] : z[i] - data.y[i]),
    zero: count("zero"),
    free: count("free"),
    bound: count("bound")
  };
}
function terms_of({ sample_terms, gap, regularizer_term }, { kinds, values, rank }) {
  if (!Number.isFinite(gap)) return { place: [], share: [], sample: [], kind: [], dual_place: [], dual: [], half: 0, rest: 0 };
  const order = Array.from(sample_terms.keys()).sort((a, b) => sample_terms[b] - sample_terms[a] || a - b);
  const positive = sample_terms.reduce((sum2, value) => sum2 + (value !== 0), 0);
  const kept = order.slice(0, Math.min(MOST_SAMPLES, positive));
  const total = sample_terms.reduce((a, b) => a + b, 0);
  let half = 0, sum = 0;
  if (total > 0) while (sum < (0.5 - ROUNDING) * total && half < order.length) sum += sample_terms[order[half++]];
  return {
    place: kept.map((_, k) => k + 1),
    share: kept.map((i) => sample_terms[i]),
    sample: kept,
    kind: kept.map((i) => kinds[i]),
    dual_place: kept.map((i) => rank[i]),
    dual: kept.map((i) => values[i]),
    half,
    rest: regularizer_term
  };
}
function score_of(problem, { w, b }) {
  const { constant, d, test } = problem;
  if (!test) return null;
  const { offsets, indices, values, y } = test, features = problem.split(w);
  const z = Array.from(y, (_, i) => {
    let sum = constant ? features[d] : b;
    for (let k = offsets[i]; k < offsets[i + 1]; k++) sum += values[k] * features[indices[k]];
    return sum;
  });
  const total = (terms) => terms.reduce((sum, term) => sum + term, 0);
  if (y.every((value) => Math.abs(value) === 1)) return total(z.map((value, i) => Number((value >= 0 ? 1 : -1) === y[i]))) / y.length;
  const mean = total(y) / y.length;
  return 1 - total(z.map((value, i) => (y[i] - value) ** 2)) / (total(y.map((value) => (value - mean) ** 2)) || 1);
}
function watched(problem, certificate, event, epoch) {
  if (epoch < 1 && event) return event.index;
  const { lower, upper } = problem.loss;
  const worth = certificate.sample_terms.map((term, i) => {
    const nu = problem.nu(certificate.alpha[i], i);
    return nu > lower && nu < upper && nu !== 0 ? 1 + term : term;
  });
  return worth.reduce((best, value, i) => value > worth[best] ? i : best, 0);
}
function section_of(problem, { w, alpha, z, gap }, sample, row) {
  if (!row.length || !Number.isFinite(gap) || !w.every(Number.isFinite)) return null;
  const reach = ([j, x2]) => Math.abs(x2 * (1e-12 + Math.abs(w[j])));
  const feature = row.reduce((best, entry2) => reach(entry2) > reach(best) ? entry2 : best)[0];
  const entry = (column) => row.find(([j]) => j === column)?.[1] ?? 0;
  const trades = problem.regularizer.structure === "simplex";
  const mirror = trades ? (feature + problem.width / 2) % problem.width : null;
  const x = entry(feature) - (trades ? entry(mirror) : 0), here = w[feature];
  const most = w.reduce((a, value) => Math.max(a, Math.abs(value)), 0);
  const size = Math.max(REACH * Math.abs(here), 0.05 * most, 1e-3);
  let low = Math.min(0, here) - 0.5 * size, high = Math.max(0, here) + 0.5 * size;
  if (problem.embedded && problem.regularizer.structure === "separable") low = 0;
  if (trades) [low, high] = [0, here + w[mirror]];
  const weights = line(low, high), moves = weights.map((value) => x * (value - here));
  return {
    feature,
    mirror,
    sample,
    weights: [...weights, here],
    duals: [...dual_range(problem, sample, alpha[sample]), alpha[sample]],
    predictions: moves.map((move) => z[sample] + move),
    x
  };
}
function line(low, high) {
  return Array.from({ length: SIDE }, (_, k) => low + (high - low) * k / (SIDE - 1));
}
function dual_range(problem, sample, alpha) {
  const scale = problem.data.weight[sample] * problem.sign[sample], nu = -alpha / scale;
  const size = Math.max(REACH * Math.abs(nu), 1), { lower, upper } = problem.loss;
  const low = lower > -Infinity ? lower : Math.min(0, nu) - size, high = upper < Infinity ? upper : Math.max(0, nu) + size;
  return line(low, high).map((each) => 0 - scale * each).sort((a, b) => a - b);
}
function saddle_of(problem, { w, alpha, z, sample_terms }, asked, { g, v, conjugate, best }) {
  const { feature, mirror, sample, x } = asked, { lam, n } = problem, here = w[feature], a = alpha[sample];
  const weight = asked.weights.slice(0, -1), dual = asked.duals.slice(0, -1);
  const slope = lam * (v[0] - (mirror === null ? 0 : v[1]));
  const own = weight.map((value, k) => lam * g[k] - slope * (value - here) - lam * g.at(-1));
  const alone = dual.map((value, k) => (conjugate.at(-1) + a * z[sample] - conjugate[k] - value * z[sample]) / n);
  const surface = dual.map((value, r) => weight.map((at, k) => alone[r] + own[k] - (value - a) * (at - here) * x / n));
  const feature_name = problem.name(feature % (problem.embedded ? problem.width / 2 : problem.width));
  return {
    weight,
    dual,
    surface,
    ridge: best,
    point: [here, a],
    valley: surface.map((row) => vertex(weight, row)),
    up: sample_terms[sample],
    down: Math.max(0, -least(own)),
    sample,
    feature,
    name: feature_name
  };
}
function least(values) {
  const at = values.indexOf(Math.min(...values));
  if (at <= 0 || at === values.length - 1) return values[Math.max(at, 0)];
  const [left, middle, right] = values.slice(at - 1, at + 2), bend = left - 2 * middle + right;
  return bend <= 0 || !Number.isFinite(bend) ? middle : middle - (left - right) ** 2 / (8 * bend);
}
function vertex(weight, row) {
  const at = Math.min(Math.max(row.indexOf(Math.min(...row)), 1), row.length - 2);
  const [left, middle, right] = row.slice(at - 1, at + 2), bend = left - 2 * middle + right;
  const offset = bend > 0 ? 0.5 * (left - right) / bend : 0;
  return weight[at] + Math.min(Math.max(Number.isFinite(offset) ? offset : 0, -1), 1) * (weight[1] - weight[0]);
}

// dual_lab/gauge.js
var MOST_FILLED = 0.9;
var NOTCH = 0.1;
var MOST_POWER = 12;
var SLACK = 1e-9;
var LARGEST_TERMS = 10;
var Gauge = class {
  // `curves` are the certificates so far, that of the start first; `texts` the sentences.
  constructor(curves, texts) {
    this.say = (name, values = {}) => format_text(texts[name], values);
    const start2 = curves.find(({ primal: primal2, dual: dual2 }) => Number.isFinite(primal2) && Number.isFinite(dual2));
    let [low, high] = start2 ? [start2.dual, start2.primal] : [0, 1], width = high - low;
    if (!(width > 0)) {
      width = Math.abs(high) || 1;
      low -= 0.5 * width;
    }
    const { dual, primal, gap } = curves.at(-1), power = power_of(gap, width);
    Object.assign(this, { dual, primal, gap, low, width, power, left: low });
    if (power) {
      const notch = NOTCH * width * 10 ** -power, middle = (dual - low + 0.5 * gap) / notch;
      this.left = low + notch * (Math.round(middle) - 0.5 / NOTCH);
    }
  }
  // The places of dual bound and primal on a track, 0 at its beginning and 1 at its end.
  places(low, width) {
    const { dual, primal, gap } = this, start2 = (dual - low) / width;
    return [start2, Number.isFinite(gap) ? start2 + gap / width : (primal - low) / width];
  }
  get axis() {
    return this.places(this.low, this.width);
  }
  get lens() {
    return this.places(this.left, this.width * 10 ** -this.power);
  }
  get window() {
    const start2 = (this.left - this.low) / this.width;
    return [start2, start2 + 10 ** -this.power];
  }
  // Whether the interval goes on to the left of the axis, and to its right.
  get beyond() {
    const [dual, primal] = this.axis;
    return [dual < -SLACK, primal > 1 + SLACK];
  }
  // What `Certainty.draw` takes.
  get shown() {
    const { gap, low, width, power } = this, digits = decimals(gap);
    const end = (name, value) => this.say(name, { bound: bound_text(value, digits) });
    return {
      axis: percent(this.axis),
      lens: percent(this.lens),
      window: percent(this.window),
      open: this.beyond,
      low: numerals(written(low, ".4g")),
      high: numerals(written(low + width, ".4g")),
      dual: end("dual_end", this.dual),
      primal: end("primal_end", this.primal),
      axis_label: numerals(this.axis_label),
      lens_label: numerals(this.say(power ? "lens" : "no_lens", { times: 10 ** power })),
      sentence: this.sentence,
      why: this.say("why_certain")
    };
  }
  get sentence() {
    const [dual, primal] = [this.dual, this.primal].map(Number.isFinite);
    if (!dual || !primal) return this.say(primal ? "no_floor" : dual ? "no_ceiling" : "no_ends");
    return this.say("between") + (this.beyond.some(Boolean) ? this.say("beyond") : "");
  }
  get axis_label() {
    if (!Number.isFinite(this.gap) || this.beyond.some(Boolean)) return this.say("no_axis");
    return this.say("axis", { share: 100 * this.gap / this.width });
  }
};
function power_of(gap, width) {
  if (!(Number.isFinite(gap) && gap > 0)) return 0;
  return Math.min(Math.max(Math.floor(Math.log10(MOST_FILLED * width / gap)), 0), MOST_POWER);
}
function percent(places) {
  return places.map((place) => 100 * Math.min(Math.max(place, 0), 1));
}
function decimals(gap) {
  return gap > 0 && gap < Infinity ? Math.min(Math.max(1 - Math.floor(Math.log10(gap)), 3), MOST_POWER) : 4;
}
function bound_text(value, digits) {
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  return numerals(written(value, Math.abs(value) < 1e6 ? `.${digits}f` : ".4g"));
}
function largest_terms({ sample_terms }) {
  const order = Array.from(sample_terms.keys()).sort((a, b) => sample_terms[b] - sample_terms[a] || a - b);
  return order.slice(0, LARGEST_TERMS).filter((i) => sample_terms[i] !== 0);
}
function terms_table(certificate, samples, { value, conjugate }, { sum: formula, columns }, texts) {
  const say = (name, values = {}) => format_text(texts[name], values);
  const { sample_terms, alpha, z, gap, regularizer_term, primal, dual } = certificate;
  const amount = (term) => `<td>${term ? numerals(written(term, ".3e")) : "0"}</td><td>${written(gap > 0 ? 100 * term / gap : 0, ".1f")} %</td>`;
  const lines = samples.map((i, k) => {
    const cells = [value[k], conjugate[k], alpha[i] * z[i]].map((part) => `<td>${numerals(written(part, ".5g"))}</td>`);
    return `<tr data-sample='${i}'><th scope='row'>${written(i, ",")}</th>${amount(sample_terms[i])}${cells.join("")}</tr>`;
  });
  const summed = (name, term, style = "", part = "") => `<tr class='${style}' data-part='${part}'><th scope='row'>${name}</th>${amount(term)}<td colspan='${texts.heads.length - 3}'></td></tr>`;
  const others = sample_terms.length - samples.length, taken = new Set(samples);
  if (others) {
    const rest = sample_terms.reduce((sum, term, i) => taken.has(i) ? sum : sum + term, 0);
    lines.push(summed(say("others", { others }), rest));
  }
  lines.push(summed(say("regularizer"), regularizer_term, "", "regularizer"), summed(say("sum"), gap, "wb-sum"));
  const heads = texts.heads.map((head) => `<th scope='col'>${head}</th>`).join("");
  const closing = say("adds_up", { gap, difference: Math.abs(primal - dual - gap) });
  return `<wb-tex>${escaped(formula)}</wb-tex><p>${say("certain")}</p><div class='wb-scroll' tabindex='0' role='region' aria-label='${say("lines")}'><table class='wb-table'><colgroup>${columns}</colgroup><thead><tr>${heads}</tr></thead><tbody>${lines.join("")}</tbody></table></div><p>${numerals(closing)}</p>`;
}

// dual_lab/plane.js
var PlanePicture = class extends LiveFigures {
  constructor(model, { ids, looks }, texts) {
    super(model, ids, texts);
    Object.assign(this, looks);
    const { half_width: h } = looks;
    this.corners = [[-h, -h], [h, -h], [h, h], [-h, h]];
  }
  // Fills the sources from points and the states of the configurations, and gives the sentence below the figure.
  show({ X, y }, A, B) {
    const { b, event, certificate: { alpha }, problem: { loss } } = A, w = Array.from(A.w), sample = event?.index ?? null;
    const value = X.map(([u, v]) => u * w[0] + v * w[1] + b), moves = w[0] !== 0 || w[1] !== 0 || b !== 0;
    const sides = moves ? [
      [this.cut(w, b)[0], { fill: this.up }],
      [this.cut(w.map((each) => -each), -b)[0], { fill: this.down }]
    ] : [];
    this.paths("sides", sides.filter(([corners]) => corners.length > 2));
    const ink = this.ink, levels = [[-1, 1.2, "dashed"], [1, 1.2, "dashed"], [0, 2.8, "solid"]];
    const lines = levels.map(([level, width, dash]) => [this.cut(w, b - level)[1], { width, dash, colour: ink }]);
    if (B) lines.push([this.cut(B.w, B.b)[1], { width: 2.4, dash: "dashed", colour: this.second }]);
    this.paths("lines", lines.filter(([ends]) => ends.length === 2), ["width", "dash", "colour"]);
    this.fill("arrow", this.arrow(w, b));
    const visited = sample === null || sample >= X.length ? [] : [X[sample]];
    this.fill("visited", { x: visited.map(([u]) => u), y: visited.map(([, v]) => v) });
    const size = alpha.map(Math.abs), largest2 = Math.max(...size, Number.MIN_VALUE);
    const edge = Array.from(y, (label) => label > 0 ? this.up : this.down);
    this.fill("points", {
      x: X.map(([u]) => u),
      y: X.map(([, v]) => v),
      label: Array.from(y),
      alpha: Array.from(alpha),
      value,
      sample: Array.from(y.keys()),
      size: Array.from(size, (each) => this.least + this.largest * each / largest2),
      fill: edge.map((colour, i) => size[i] > 0 ? colour : this.paper),
      edge,
      marker: Array.from(y, (label) => this.markers[label > 0 ? "up" : "down"])
    });
    return this.sentence(w, b, value.filter((each, i) => y[i] * each <= 0).length, y.length, loss.kind === "margin");
  }
  // The corners of the part of the square with w.x + b >= 0, and where w.x + b = 0 meets its edges.
  cut(w, b) {
    const values = this.corners.map(([u, v]) => u * w[0] + v * w[1] + b), corners = [], crossings = [];
    values.forEach((value, k) => {
      const here = this.corners[k], next = this.corners[(k + 1) % 4], after = values[(k + 1) % 4];
      if (value >= 0) corners.push(here);
      if (value >= 0 === after >= 0) return;
      const share = value / (value - after), crossing = here.map((from, j) => from + share * (next[j] - from));
      corners.push(crossing);
      crossings.push(crossing);
    });
    return [corners, crossings];
  }
  // Paths, each with what it looks like.
  paths(name, pieces, names = ["fill"]) {
    const columns = names.map((each) => [each, pieces.map(([, style]) => style[each])]);
    const along = (k) => pieces.map(([path]) => path.map((place) => place[k]));
    this.fill(name, { xs: along(0), ys: along(1), ...Object.fromEntries(columns) });
  }
  // w from the place of the boundary nearest to the origin, or the origin where that is out of sight.
  arrow(w, b) {
    const length = Math.hypot(...w);
    if (length === 0) return { x0: [], y0: [], x1: [], y1: [] };
    let start2 = w.map((each) => -b * each / length ** 2);
    if (start2.some((each) => Math.abs(each) > this.half_width)) start2 = [0, 0];
    const [u, v] = w.map((each, j) => start2[j] + each * Math.min(1, this.longest / length));
    return { x0: [start2[0]], y0: [start2[1]], x1: [u], y1: [v] };
  }
  sentence(w, b, wrong, n, margin) {
    const norm = Math.hypot(...w), seen = norm === 0 || this.cut(w, b)[1].length > 0;
    const lines = this.say(seen ? margin ? "plane_margin" : "plane_target" : "plane_outside");
    return this.say("plane", { norm, b: Math.abs(b) > this.rounding * norm ? b : 0, wrong, n, lines });
  }
};

// dual_lab/live.js
var REST_MS = 250;
var OWN = ["loss", "regularizer", "lam", "update", "scale", "texts", "signed"];
var HANDS = ["adds", "brush"];
var DualLab = class extends TrackedPage {
  constructor(page, model, host) {
    super(page, model, host);
    this.figures = new Figures(model, page.ids, page.texts, page);
    Object.assign(this, { own: null, files: 0, texts: /* @__PURE__ */ new Map(), present: null, alphas: {}, pictured: {}, asked_for: "" });
    Object.assign(this, { edits: false, dragged: false, looked: { at: -Infinity, sample: null } });
    const { plane } = page;
    this.picture_of_points = plane && new PlanePicture(model, plane, page.texts);
    this.points = plane && new PlanePoints(this, {
      ...plane,
      half_width: plane.looks.half_width,
      plot: model(plane.plot)
    });
    this.certainty = new Certainty(this.host.place("certainty"));
    this.certainty.fold.addEventListener("toggle", () => this.soon());
    this.zone = page.own && new DropZone("own", (file) => this.take(file), () => this.leave());
  }
  // --- what is chosen
  is_hidden(name, settings) {
    return super.is_hidden(name, settings) || ["cloud", "adds"].includes(name) && !this.in_plane(settings);
  }
  is_disabled(name, settings) {
    return name === "source" ? this.own !== null : name === "eta" && settings.update !== "gradient";
  }
  in_plane(settings) {
    return this.own === null && this.page.plane !== null && settings.source === this.page.plane.name;
  }
  more_of_the_address() {
    return this.in_plane(this.settings) ? this.points.entries : [];
  }
  follow_more(name, text) {
    if (name === "points") this.points?.follow(text);
  }
  picked() {
    this.files++;
    this.own = null;
    this.points?.forget();
  }
  // Other settings; what a hand does in the plane is none of a problem's.
  chosen() {
    const { settings } = this, { source, cloud } = settings;
    if (!source) return this.keep();
    if (this.points && this.stood !== JSON.stringify([source, cloud])) this.points.forget();
    return problem_of(this.settings) !== this.asked_for ? this.restart() : this.keep();
  }
  on_settings(settings) {
    super.on_settings(settings);
    Object.assign(this, { stood: JSON.stringify([settings.source, settings.cloud]), asked_for: problem_of(settings) });
    if (!this.zone) return;
    this.zone.say(this.own ? this.own.summary(this.page.texts) : this.figures.say("custom_data", settings));
    this.zone.offer(this.own !== null);
    if (this.points) box("x-figure-plane").closest(".x-card").hidden = !this.in_plane(settings);
  }
  press(name) {
    if (name === "undo") this.points?.undo();
    else if (name === "weights") this.save_weights();
    else if (this.settings.source) super.press(name);
  }
  // --- the problems
  // A problem begins at zero or, where points were edited, at the dual variables that there were.
  wanted(settings) {
    const pair = settings.compare ? { A: settings, B: { ...settings, ...owned(settings) } } : { A: settings };
    const spots = this.in_plane(settings) ? this.points.placed(this.page.plane.clouds[settings.cloud]) : null;
    this.spots = spots;
    return Object.entries(pair).map(([name, each]) => {
      const { lam, seed } = each, goes_on = this.edits && this.present && this.alphas[name];
      const alpha = goes_on ? carried(this.present, spots, this.alphas[name]) : null;
      const points = spots ? write_points(spots, this.points.half_width) : "";
      return { name, settings: { ...each, points }, problem: { lam, seed, solver: this.solver(each), alpha } };
    });
  }
  solver({ update, order, scale, eta }) {
    return { ...this.page.solver, update, order, scale, eta };
  }
  signed(settings) {
    return settings.signed ?? this.term("regularizer", settings).signed;
  }
  // Pictures take the data and the facts of the terms also where the server computes.
  get draws_data() {
    return true;
  }
  // What a file has packed, and what is made here: the data of a visitor's file and of points. Else the server gives it.
  given(settings) {
    if (this.page.terms) return this.packed(settings);
    return this.in_plane(settings) ? this.placed(settings) : null;
  }
  async packed(settings) {
    const { own } = this, loss = this.term("loss", settings), regularizer = this.term("regularizer", settings);
    if (own && !this.fits(own, settings.loss)) throw new Error(this.unfit(own, settings.loss));
    const { sources } = this.page, place = this.page.controls.source.values.indexOf(settings.source);
    const source = sources[own ? 0 : place], sides = regularizer.signed ? "signed" : "plain";
    const text = source.facts[sides], key = `${own ? `file ${own.turn}` : place} ${sides} ${settings.points}`;
    if (!this.texts.has(text)) this.say(this.figures.say("loading", { source: own ? own.name : settings.source }), false, "loading");
    const [{ data, losses, regularizers }, test] = await Promise.all(
      [this.unpacked(text), source.test && !own ? this.unpacked(source.test) : null]
    );
    const facts = {
      loss: { ...losses[loss.name], closed: loss.closed, rests: loss.rests },
      regularizer: { ...regularizers[regularizer.name], rests: regularizer.rests }
    };
    const { names, constant } = own ? { names: own.names, constant: true } : source, samples = own ?? this.samples(settings);
    if (!samples) return held_of(key, { ...data, names, constant, test }, facts);
    return made(key, samples, facts, regularizer.bound, { signed: regularizer.signed, names });
  }
  // Points, whose terms are those of the points to begin with but for what depends on the data.
  async placed(settings) {
    const { source, signed, texts } = settings, { cloud, names } = this.page.plane;
    const facts = await this.host.ask("terms", { source, signed, cloud, points: "", ...texts });
    return made(settings.points + signed, this.samples(settings), facts, facts.regularizer.bound, { signed, names });
  }
  samples(settings) {
    return this.in_plane(settings) ? new PlaneSamples(this.spots) : null;
  }
  // What a text holds; a point that is dragged asks for it twenty times a second.
  unpacked(text) {
    if (!this.texts.has(text)) this.texts.set(text, opened(text));
    return this.texts.get(text);
  }
  began(wanted, held) {
    wanted.forEach(({ name, settings, problem: { lam } }, k) => {
      const { data: { data }, terms } = held[k].known ?? held[k], embedded = this.signed(settings);
      this.pictured[name] = new Pictured({ data, ...terms, lam, embedded, settings });
    });
    const alphas = Object.fromEntries(wanted.map(({ name, problem: { alpha } }) => [name, alpha]));
    Object.assign(this, { present: this.spots, alphas, edits: false, looked: { at: -Infinity, sample: null } });
  }
  // While a point is dragged there is one picture for each of its places.
  async goes(play) {
    if (!this.dragged) return super.goes(play);
    const { asked, settings: { tolerance: gap } } = this;
    this.begins = true;
    await Promise.all(this.runs.shown.map((each) => each.ask("run", { gap, max_epochs: this.page.epochs })));
    await this.paint(asked);
    return painted();
  }
  // --- points by hand
  // What `PlanePoints` asks of a page.
  drag() {
    Object.assign(this, { edits: true, dragged: true });
    return this.restart(false);
  }
  edited() {
    Object.assign(this, { edits: true, dragged: false });
    return this.restart();
  }
  // --- a visitor's own file
  // A file in place of the data; one that is refused leaves everything as it was. The last one counts.
  async take(file) {
    const turn = ++this.files;
    this.zone.say(this.figures.say("custom_reading", { where: plain_name(file.name) }));
    await painted();
    try {
      const own = new CustomData(this.page.own, await CustomFile.read(this.page.own, file));
      if (turn !== this.files) return;
      this.choose_loss(own);
      this.own = Object.assign(own, { turn });
    } catch (error) {
      if (turn === this.files) this.zone.say(error.message, true);
      return;
    }
    await this.restart();
  }
  // Back to the data of the page, also from a file that is being read.
  leave() {
    this.files++;
    this.own = null;
    return this.restart();
  }
  // The chosen loss, or the first one that the labels suit.
  choose_loss(own) {
    const { values } = this.page.controls.loss, { loss } = this.settings;
    if (this.fits(own, loss)) return;
    const place = values.findIndex((each) => this.fits(own, each));
    if (place < 0) throw new Error(this.unfit(own, loss));
    this.boxes.loss.selectedIndex = place;
  }
  // A loss of margins takes two classes only.
  fits(own, loss) {
    return own.classes !== null || !this.page.terms.loss[loss].margin;
  }
  unfit({ name: where }, loss) {
    const { terms, own } = this.page, suits = Object.keys(terms.loss).find((each) => !terms.loss[each].margin);
    const fix = this.figures.say(suits ? "custom_choose" : "custom_export", { loss: suits ?? own.regression });
    return this.figures.say("custom_margin", { where, loss, fix });
  }
  // --- the picture
  // Both curves as one, with a break between them.
  traces(curves) {
    const both = curves.map(([, rows]) => this.figures.ghost(rows));
    return { gap: Object.fromEntries(Object.keys(both[0]).map((name) => [name, both.flatMap((each) => each[name])])) };
  }
  async asked_of({ engine }) {
    const certificate = await engine.ask("certificate");
    return { step: certificate.step, certificate };
  }
  // Fills the figures; of a drag the plane each time, the others now and then. Null where these were left out.
  async show({ runs, row: { epoch } }) {
    const [A, B = null] = Object.entries(runs).map(([name, run]) => this.state(name, run)), now = performance.now();
    for (const [name, { shown }] of Object.entries(runs)) this.alphas[name] = shown.certificate.alpha;
    this.said_of_points = this.present && this.picture_of_points.show(this.present, A, B);
    clearTimeout(this.later);
    if (this.dragged && now - this.drawn < REST_MS) {
      this.host.line("plane", this.said_of_points);
      this.later = setTimeout(() => this.soon(), REST_MS);
      return null;
    }
    this.drawn = now;
    const is_running = this.runs.playing;
    this.drawn_state = A;
    this.figures.show(A, B, is_running);
    const [saddle, terms] = await Promise.all([this.saddle(A, epoch, is_running), this.terms(A)]);
    if (saddle) this.figures.saddle(saddle);
    return { A, B, saddle, terms };
  }
  state(name, { rows, row, event, shown: { certificate } }) {
    const problem = this.pictured[name];
    return Object.assign(state_of(problem, certificate, row), { name, problem, certificate, event, rows });
  }
  // In a run the saddle is drawn as seldom as texts are.
  async saddle({ problem, certificate, event }, epoch, is_running) {
    const now = performance.now(), { data } = problem, { engine } = this.runs.shown[0];
    if (engine instanceof RecordedEngine) return null;
    if (is_running && (now - this.looked.at < READ_MS || !this.figures.is_shown("saddle_x"))) return null;
    const sample = this.looked.sample ?? watched(problem, certificate, event, epoch);
    this.looked = { at: now, sample: epoch >= 1 ? sample : null };
    const row = data.large ? await this.row(problem, sample) : problem.row(sample);
    const asked = section_of(problem, certificate, sample, row);
    if (asked === null) return null;
    const { x, ...message } = asked, answer = await engine.ask("section", { ...message, step: certificate.step });
    return answer.step === certificate.step ? saddle_of(problem, certificate, asked, answer) : null;
  }
  async row({ settings: { source, signed, cloud, points } }, sample) {
    const { indices, values } = await this.host.ask("row", { source, signed, cloud, points, sample });
    return Array.from(indices, (j, k) => [j, values[k]]);
  }
  // The sum behind the gap, where it is open; null where there is nothing new.
  async terms({ certificate, problem }) {
    if (!this.certainty.fold.open) return null;
    if (!Number.isFinite(certificate.gap)) return `<p>${this.figures.say("infinite")}</p>`;
    const { step } = certificate, samples = largest_terms(certificate);
    const parts = await this.runs.shown[0].engine.ask("terms", { samples, step });
    if (parts.step !== step) return null;
    const [loss, regularizer] = [problem.loss, problem.regularizer].map(({ rests: rests2 }) => rests2);
    const where = this.page.texts[document.body.dataset.engine === "server" ? "on_the_server" : "in_the_browser"];
    const rests = this.figures.say("proof_status", { loss, regularizer, where });
    return `${terms_table(certificate, samples, parts, this.page.rules, this.page.texts)}<p>${escaped(rests)}</p>`;
  }
  // Numbers and sentences, seldom in a run: a changed text has the browser lay the page out.
  speak({ runs }, { A, B, saddle, terms }) {
    const { certificate } = A, { tolerance } = this.settings, { playing } = this.runs;
    const scores = [A, B].filter(Boolean).map((each) => score_of(each.problem, each.certificate));
    this.host.put("numbers", this.figures.statistics(A, B, scores));
    this.gauge = new Gauge(A.rows.filter(({ step }) => step <= certificate.step), this.page.texts).shown;
    if (B) this.gauge.sentence = `A: ${this.gauge.sentence}`;
    this.certainty.draw(this.gauge);
    if (terms !== null) this.certainty.write(terms);
    for (const [name, text] of Object.entries(this.figures.captions(A, B, saddle))) this.host.line(name, text);
    if (this.said_of_points) this.host.line("plane", this.said_of_points);
    if (!playing || A.event) this.host.put("why", this.why(A));
    const open = this.dragged ? "moving" : playing ? "running" : "paused";
    const statuses = Object.values(runs).map(({ status }) => this.dragged ? null : status);
    this.report(this.figures.standing([A, B].filter(Boolean).map(({ row }) => row), statuses, open, tolerance));
  }
  why({ event, row, problem: { data, loss: { closed }, regularizer: { quadratic }, lam, n, settings } }) {
    const y = event ? data.y[event.index] : 0;
    return this.figures.why({ event, step: row.step, y, solver: this.solver(settings), lam_n: lam * n, quadratic, closed });
  }
  // What the question's two runs came to, once both have ended.
  outcome({ runs }) {
    const { A, B } = runs;
    if (!A?.status || !B?.status) return null;
    const [a, b] = [A, B].map(({ row, status, shown: { certificate } }, k) => ({
      epochs: status === "converged" ? row.epoch : null,
      support: nonzeros(certificate.alpha),
      nonzeros: nonzeros(this.pictured["AB"[k]].weights(certificate.w))
    }));
    return Object.fromEntries(Object.keys(a).map((name) => [name, [a[name], b[name]]]));
  }
  // The point that the picture is of, for what only the server can do.
  get point() {
    return this.alphas.A ?? null;
  }
  // Every weight of the picture with its certificate, as CSV.
  save_weights() {
    if (!this.drawn_state) return;
    const { problem, certificate: { w, primal, dual, gap } } = this.drawn_state, { names, constant, d } = problem;
    const cell = (text2) => /[",\n]/.test(text2) ? `"${text2.replaceAll('"', '""')}"` : text2, all = problem.split(w);
    const rows = Array.from(all, (value, j) => `${cell(j < d ? String(names[j]) : "(constant)")},${value}`);
    const numbers = Object.entries({ primal, dual, gap }).map(([name, value]) => `# ${name} = ${value}`);
    const text = [...numbers, "feature,weight", ...constant ? rows : rows.slice(0, d), ""].join("\n");
    const href = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
    Object.assign(document.createElement("a"), { href, download: "weights.csv" }).click();
    URL.revokeObjectURL(href);
  }
  // The Python that gives the same run in a notebook.
  code(settings) {
    if (!settings.source) return "";
    const { own } = this, in_plane = this.in_plane(settings);
    const python = (value) => typeof value === "string" ? quoted(value) : python_number(value);
    const { data, load, bias } = own ? { data: own.name, load: {}, bias: "constant" } : settings.about ?? this.page.sources[this.page.controls.source.values.indexOf(settings.source)];
    const listed = (entries) => entries.map(([name, value]) => `,
  ${name}=${value}`).join("");
    const pairs = (entries) => listed(entries.map(([name, value]) => [name, python(value)]));
    const { loss, regularizer } = this.host.texts(this, settings);
    const options = [["bias", bias], ...this.signed(settings) ? [["embed", "balanced"]] : []].filter(([, value]) => value);
    const changed = ["update", "order", "scale", "eta"].filter((name) => settings[name] !== this.page.solver[name]);
    const given = in_plane ? `X, y = ${this.points.code(settings.cloud)}` : `d = wb.data.load(${quoted(data)}${pairs(Object.entries(load))}${listed(own?.options ?? [])})`;
    return `import workbench as wb

${given}
p = wb.Problem(
  ${in_plane ? "X, y" : "d.X, d.y"},
  loss=${quoted(loss)},
  regularizer=${quoted(regularizer)},
  lam=${python_number(settings.lam)}${pairs(options)})
gs = wb.solvers.GaussSeidel(${changed.map((name) => `
  ${name}=${python(settings[name])}`).join(",")})
s = wb.solve(
  p, gs, tol=${written(settings.tolerance, "g")},
  seed=${settings.seed}${own || in_plane ? "" : ",\n  test=(d.X_test, d.y_test)"})
print(s.primal, s.dual, s.gap)`;
  }
};
function problem_of(settings) {
  return JSON.stringify(settings, (name, value) => HANDS.includes(name) ? void 0 : value);
}
function owned(settings) {
  return Object.fromEntries(OWN.map((name) => [name, settings[`b_${name}`]]));
}
function held_of(key, data, terms) {
  return { key, data: { data, losses: {}, regularizers: {} }, terms };
}
function made(key, samples, { loss, regularizer }, bound, { signed, names }) {
  const data = { ...samples.data(signed), names, constant: true, test: null };
  return held_of(key, data, { loss, regularizer: facts_at(regularizer, bound, data) });
}
function nonzeros(values) {
  return values.reduce((sum, value) => sum + (value !== 0), 0);
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
    const line2 = box("x-status");
    line2.textContent = is_error ? text : numerals(text);
    line2.classList.toggle("bad", is_error);
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
    const named2 = Object.fromEntries(this.model.data_names.map((name) => [name, settings[name]]));
    const is_able_here = is_able() && this.model.engine !== "" && !settings.elsewhere;
    const known = is_able_here || live.draws_data ? await (live.given(settings) ?? this.asked_for(named2, settings)) : null;
    const is_here = is_able_here && known !== null && !known.is_large, key = JSON.stringify(named2);
    const found = is_here ? known : { data: named2, terms: settings.texts };
    return this.computed({ key, ...found, is_here, known }, live);
  }
  // The data and the terms that the server gives; null where it keeps one of them.
  async asked_for(named2, { texts }) {
    const [data, terms] = await Promise.all([this.ask("data", named2), this.ask("terms", { ...named2, ...texts })]);
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
async function stand(drawn2, places) {
  const boxes = drawn2.roots().map(({ id }) => {
    const box2 = Object.assign(document.createElement("div"), { className: "wb-figure" });
    Bokeh.index.find_one(by_id(places[id])).shadow_el.append(box2);
    return box2;
  });
  await Bokeh.embed.add_document_standalone(drawn2, document.body, boxes);
}
var served = (Page) => function render2({ model, el }) {
  el.style.display = "none";
  const [session] = Bokeh.documents, drawn2 = session.constructor.from_json(JSON.parse(model.figures));
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
    await stand(drawn2, model.places);
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

// entries/dual_lab.js
var { render, start } = hosted(DualLab);
export {
  render,
  start
};
/*!
 * Papa Parse 5.7.1, https://github.com/mholt/PapaParse, as the package papaparse of npm has it (papaparse.min.js), in a
 * scope of its own.
 *
 * The MIT License (MIT)
 *
 * Copyright (c) 2015 Matthew Holt
 *
 * Permission is hereby granted, free of charge, to any person obtaining a copy of
 * this software and associated documentation files (the "Software"), to deal in
 * the Software without restriction, including without limitation the rights to
 * use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of
 * the Software, and to permit persons to whom the Software is furnished to do so,
 * subject to the following conditions:
 *
 * The above copyright notice and this permission notice shall be included in all
 * copies or substantial portions of the Software.
 *
 * THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
 * IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS
 * FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
 * COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER
 * IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN
 * CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
 */
