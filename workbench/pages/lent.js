// The browser's end of a served page that lends its runs: the engine solves here what the server hands over, and its
// frames are drawn into the page's own figures. Of a run the server hears once, when it rests.
//
// A page's script calls its class ServedRun. It has `hold(data)`, which takes data that stay for many problems,
// `start(begun)`, which takes a problem, `press(order)`, which does what a button says, `halt()`, which leaves all as it
// stands, and `paint(asked)`, which goes to the place `sought` where one is, draws, and reports what rests.

// Who drags the scrub bar asks for the next place at once: the server hears of the one where it comes to rest.
const DRAG_MS = 300;

class LentRun extends Painter {
  constructor({ ids, texts, send }) {
    super();
    Object.assign(this, { send, ids, texts, held: null, asked: Infinity, ahead: null });
  }

  // Text for the worker, where a page has messages of its own.
  get messages() { return ""; }

  // The engine, once its kernels are here; a browser that cannot have one says nothing.
  async open(address) {
    const needed = [globalThis.WebAssembly, globalThis.Worker, globalThis.DecompressionStream];
    if (!address || needed.some((each) => each === undefined)) return;
    const { source: text, kernels, functions } = await (await fetch(address)).json(), source = text + this.messages;
    Object.assign(this, { packed: { source, kernels, functions }, kernels: await inflated(kernels), functions });
    this.engine = new WorkbenchEngine(source, (answer) => this.hear(answer));
    this.send({ ready: true });
  }

  close() { this.engine?.close(); }

  take(message) {
    const told = plain(message);
    this[told.do](told);
  }

  // Other data; the run of those before has ended.
  async data({ key, ...data }) {
    Object.assign(this, { held: { key, ...data }, asked: Infinity, ahead: null });
    try {
      await this.hold(data);
      this.send({ has: key });
    } catch (error) {
      this.send({ failed: error.message });
    }
  }

  // A problem at zero or where the server has left it, with its certificates so far; it may have been begun here already.
  begin({ turn, key, panes, slider, rows, ...problem }) {
    if (key !== this.held.key) return;
    const { ahead } = this;
    Object.assign(this, { slider: by_id(slider), problem });
    if (ahead === null || JSON.stringify(ahead) !== JSON.stringify(problem)) this.set_out(problem, { turn, panes, rows });
    else {
      Object.assign(this, { turn, panes });
      this.followed();
    }
  }

  set_out({ order, slow, tolerance, ...begun }, { turn, panes, rows }) {
    Object.assign(this, { turn, tolerance, panes, told: null, spoken: -Infinity });
    this.start({ ...begun, rows });
    this.order({ turn, order, slow });
  }

  // Lambda is but a number: a run at another one begins here at once, and the server says its turn when it follows.
  moved({ model, attr, sync }) {
    if (!sync || attr !== "value" || model !== this.slider?.data || this.asked === Infinity || this.still) return;
    const { tolerance, slow, panes } = this, lam = Number(model.options[model.value]);
    const problem = { ...this.problem, lam, tolerance, at: 0, order: "run", slow };
    this.set_out(problem, { turn: null, panes, rows: [] });
    this.ahead = problem;
  }

  // The server has followed a run that was begun here.
  followed() {}

  // What the buttons say; nothing, where the present state is to be shown. "halt" leaves all as it stands.
  order({ turn, order, slow, place, tolerance = this.tolerance, panes = this.panes }) {
    Object.assign(this, { turn, slow, tolerance, panes, ended: null, still: order === "halt" });
    Object.assign(this, { sought: null, is_sought: order === "seek", ahead: null });
    clearTimeout(this.telling);
    if (this.still) this.halt();
    else if (this.is_sought) {
      this.sought = place;
      this.soon();
    } else this.press(order);
  }

  // To a place of the run, where it is here; the server hears of it as of a run that rests.
  seek(place) {
    const { turn, slow } = this, is_here = this.asked !== Infinity && !this.still;
    this.told = null;
    if (is_here) this.order({ turn, slow, order: "seek", place });
    return is_here;
  }

  // The server draws again.
  leave() {
    Object.assign(this, { asked: Infinity, ahead: null });
    document.body.dataset.engine = "server";
    this.halt();
  }

  ask(type, contents = {}) {
    const { turn } = this;
    this.engine.ask(type, contents).catch((error) => this.refuse(error, turn));
  }

  // What the server has not heard of yet fails again when it begins it.
  refuse(error, turn = this.turn) {
    if (turn === null) this.ahead = null;
    else this.send({ turn, failed: error.message });
  }

  // What the engine answers, where a page does not wait for it.
  hear() {}

  // Sentences by the names of their panes, numbers and the status, each where it is another one.
  write(captions, numbers, status) {
    this.spoken = performance.now();
    for (const [name, text] of Object.entries(captions)) {
      this.put(name, `<div class='wb-line'>${escaped(numerals(text))}</div>`);
    }
    this.put("numbers", numerals(numbers));
    this.put("status", `<div class='wb-status' role='status'>${escaped(numerals(status))}</div>`);
  }

  // The text of one of the page's panes, whose model holds it escaped.
  put(name, html) {
    const pane = by_id(this.panes[name]), text = escaped(html);
    if (pane && pane.text !== text) pane.setv({ text }, HERE);
  }

  // What the server makes a certificate of its own of, once for each of its orders.
  report(turn, { event, ...contents }) {
    if (turn !== this.turn || this.told === turn) return;
    this.told = turn;
    const told = { turn, ...contents, event: Float64Array.from(event ? Object.values(event) : []) };
    this.telling = setTimeout(() => this.send(told), this.is_sought ? DRAG_MS : 0);
  }

  // A line in the figures over time at a place of their axis; none where it is null.
  mark(location) {
    for (const line of this.panes.here.map(by_id)) line?.setv({ location: location ?? 0, visible: location !== null }, HERE);
  }

  // Where the run stands among its rows, for the scrub bar: the present row and the last, in a unit of theirs.
  stand(rows, step, unit) {
    const at = rows.findIndex((row) => row.step === step), places = rows.length;
    const detail = { at, places, unit, now: rows[at][unit], last: rows.at(-1)[unit] };
    document.dispatchEvent(new CustomEvent("wb-stands", { detail }));
  }
}

// Numbers, row by row, under these names.
function read_rows(flat, names) {
  return Array.from({ length: flat.length / names.length }, (_, i) => (
    Object.fromEntries(names.map((name, k) => [name, flat[i * names.length + k]]))));
}

function flat_rows(rows, names) { return Float64Array.from(rows.flatMap((row) => names.map((name) => row[name]))); }

export function render({ model, el }) {
  el.style.display = "none";
  const run = new ServedRun({ ids: model.ids, texts: model.texts, send: (message) => model.send_msg(message) });
  model.on("msg:custom", (message) => run.take(message));
  const sought = (event) => { if (run.seek(event.detail)) event.preventDefault(); };
  document.addEventListener("wb-seek", sought);
  model.on("remove", () => {
    document.removeEventListener("wb-seek", sought);
    run.close();
  });
  const open = () => { run.open(model.engine).catch(() => {}); };
  // The page goes first, then what it can do without.
  const ready = globalThis.requestIdleCallback ?? setTimeout;
  for (const document of Bokeh.documents) {
    document.on_change((event) => run.moved(event));
    if (document.is_idle) ready(open);
    else document.idle.connect(() => ready(open));
  }
}
