// What pages that solve in the browser share: controls, the address, the status; it draws after painter.js.

// A number by 12 digits where a slider's steps added up to it; as in Python's addresses.
function needed_digits(value) {
  if (typeof value !== "number") return value;
  const short = Number(value.toPrecision(12));
  return Math.abs(short - value) <= 1e-15 * Math.abs(value) ? short : value;
}

// A curve that has been seen for so long, or to its end, stays as a ghost when the settings change.
const GHOST_MS = 1000;

// A page whose runs are engines of its own, which it starts and may end. It gives `cleared(settings)`, which leaves what runs;
// `begin(settings, is_left)`, which asks engines for problems and may give null where `is_left()`; `put_up(begun, settings)`,
// which takes what that gave; `remember()`, `run()`, `ask(type)`, `toggle()`, and `ghost_key`, the settings whose change leaves
// a ghost.
class RunPage extends Painter {
  // `host` is where the page stands: in a file, where not given, or on a server's page.
  constructor(page, model, host = new FileHost(page)) {
    super();
    Object.assign(this, { page, model, host, playing: false, ended: null, asked: 0, refusal: null, engines: {} });
    Object.assign(this, { boxes: host.boxes, frame: host.frame });
  }

  // The value of each setting.
  get settings() { return this.host.settings; }

  // The facts of the chosen loss or regularizer.
  term(kind, settings) {
    const { control, rows } = this.page.terms[kind][settings[kind]];
    return rows[control === null ? 0 : this.page.controls[control].values.indexOf(settings[control])];
  }

  // What is chosen, in words beside each slider; only what the other choices use is shown.
  on_settings(settings) { this.host.on_settings(this, settings); }

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

  say(text, is_error = false, status = this.status) { this.host.say(text, is_error, status); }

  // How far a run has come, unless a refusal stands; something else that is asked for takes that away.
  report(text, status) { this.say(this.refusal ?? text, this.refusal !== null, status); }

  refuse_points(name, values) {
    this.refusal = this.figures.say(name, values);
    this.report("", this.status);
  }

  get status() { return this.ended ?? (this.playing ? "running" : "paused"); }

  between() { return painted(); }

  // Resolves when what was asked for is drawn; fails after so many milliseconds with what it waits for.
  async settled(patience = 60_000) {
    const late = new Promise((_, fail) => setTimeout(() => fail(new Error(`not settled: ${this.awaited}`)), patience));
    const drawn = async () => { do await painted(); while (!this.is_settled); };
    await Promise.race([drawn(), late]);
  }

  // What is not done yet, in the words of the code.
  get awaited() {
    const runs = (this.runs?.shown ?? []).map(({ name, asked, answered, running }) => ({ name, asked, answered, running }));
    const { drawing = false, is_busy = false, playing, stepping = false, asked } = this;
    return JSON.stringify({ drawing, is_busy, playing, stepping, asked, visible: document.visibilityState, runs });
  }

  // What a page does its own way.
  // A control is hidden where its parameter has no use, as in `controls.is_used`.
  is_hidden(name, settings) {
    const meets = (each) => Object.entries(each).every(([other, values]) => values.includes(settings[other]));
    return !(this.page.used[name] ?? [{}]).some(meets);
  }

  is_disabled() { return false; }

  more_of_the_address() { return []; }

  // The data and the terms of a problem, {data, terms}, where the page makes them of its settings without a host.
  given() { return null; }

  // Whether this browser can run what the page asks for.
  get is_able() { return is_able(); }

  // Whether its pictures take the data and the facts of the terms also where the server computes.
  get draws_data() { return false; }

  // A preset or a step of the story set the controls.
  picked() {}

  follow_more() {}

  // The engine of a name, here or on the server.
  engine_of(name, is_here) { return (this.engines[`${name} ${is_here}`] ??= this.host.engine(name, is_here)); }

  // Ends all engines.
  close() {
    for (const each of Object.values(this.engines)) each.then((engine) => engine.close(), () => {});
    this.engines = {};
  }

  // The data, where an engine has others; `then` asks for what goes with them.
  async hold(engine, key, data, then = () => {}) {
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
  pressed() {}

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
  get was_seen() { return performance.now() - this.begun > GHOST_MS; }

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
    return undefined;
  }

  undo() { return false; }
}

// A page in a file: its controls, sentences and numbers are elements, its address the part after #.
class FileHost {
  is_file = true;

  constructor(page) {
    this.page = page;
    this.boxes = Object.fromEntries(Object.keys(page.controls).map((name) => [name, box(`x-${name}`)]));
    this.frame = box("x-frame");
    this.changes = {};
  }

  get settings() {
    const chosen = Object.entries(this.page.controls).map(([name, { values }]) => [name, values[place_of(this.boxes[name])]]);
    return { ...Object.fromEntries(chosen), ...this.changes };
  }

  // A setting that has no control, as points by hand.
  change(name, value) { this.changes[name] = value; }

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
      if (each.dataset.said === undefined) continue;
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
  place(name) { return box(`x-${name}`); }

  put(name, html) { put_html(`x-text-${name}`, html); }

  line(name, text) { put_html(`x-line-${name}`, escaped(text)); }

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
      const { engine: { source }, messages = "" } = this.page;
      return Object.assign(new WorkbenchEngine(source + messages), { facts: await (this.packed ??= this.opened()) });
    }
    return new RecordedEngine((await opened(this.page.recorded))[name], NOT_ABLE);
  }

  // The compiled scalars, for this thread.
  async kernels() {
    const { kernels, functions } = await (this.packed ??= this.opened());
    return Kernels.load(kernels, functions);
  }

  // Moves a slider to one of its values.
  move(name, value) {
    const each = this.boxes[name], place = this.page.controls[name].values.indexOf(value);
    if (!each || place < 0) return;
    each.value = place;
    each.dispatchEvent(new Event("input", { bubbles: true }));
  }

  async opened() { return { kernels: await inflated(this.page.engine.kernels), functions: this.page.engine.functions }; }

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
  tell() {}
}

const NOT_ABLE = "This browser has no WebAssembly or no workers, so the page shows a picture instead.";

function is_able() { return [globalThis.WebAssembly, globalThis.Worker, globalThis.DecompressionStream].every((each) => each !== undefined); }

// The code of a notebook: a number as Python writes it, and its box.
function python_number(value) {
  if (value === true) return "True";
  if (Number.isInteger(value)) return Math.abs(value) < 1e16 ? `${value}.0` : String(value);
  return Math.abs(value) < 1e-4 ? value.toExponential().replace(/e-(\d)$/, "e-0$1") : String(value);
}

function code_box(text) {
  return `<div class='wb-copy'><button type='button' data-do='copy'>Copy</button><pre class='wb-code' tabindex='0'>${escaped(text)}</pre></div>`;
}

function box(id) { return document.getElementById(id); }

// Which of its values a control has; a setting without a control has one.
function place_of(each) { return each === null ? 0 : each.tagName === "SELECT" ? each.selectedIndex : Number(each.value); }

// A page of class `Page` with its engine; where there can be none, the picture of the file stays.
async function begin(text, Page) {
  const page = await unpacked(text), live = new Page(page, await embed(page.document));
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
    "x-do-reset": () => live.restart(false), "x-do-step": () => live.ask("step"), "x-do-epoch": () => live.ask("epoch"),
    "x-do-run": () => live.toggle(),
  };
  for (const [id, action] of Object.entries(actions)) box(id).addEventListener("click", action);
  // In a story the arrows walk it.
  const walk = (by, otherwise = () => {}) => () => { if (!live.picks?.walk(by)) otherwise(); };
  keys({
    " ": actions["x-do-run"], r: actions["x-do-reset"], ArrowRight: walk(1, actions["x-do-step"]), ArrowLeft: walk(-1),
    PageDown: walk(1), PageUp: walk(-1), Escape: () => live.picks?.end(),
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
