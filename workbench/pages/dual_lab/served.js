// The browser's end of a served Dual lab: the engine solves here what the server hands over, and its frames are
// drawn into the page's own figures. Of a run the server hears once, when it rests.

// Nobody reads faster than this, and the saddle takes longer than the other figures: in a run both wait so long.
const READ_MS = 300;
const ROW = ["step", "epoch", "primal", "dual", "gap", "relative_gap"];
const HERE = { sync: false };

class ServedRun {
  constructor({ ids, texts, send }) {
    Object.assign(this, { send, figures: new Figures(by_id, ids, texts), held: null, rows: [], first: Infinity, running: null });
  }

  // The engine, once its kernels are here; a browser that cannot have one says nothing.
  async open(address) {
    const needed = [globalThis.WebAssembly, globalThis.Worker, globalThis.DecompressionStream];
    if (!address || needed.some((each) => each === undefined)) return;
    const { source, kernels, functions } = await (await fetch(address)).json();
    Object.assign(this, { kernels: await inflated(kernels), functions });
    this.engine = new WorkbenchEngine(source, (answer) => this.hear(answer));
    this.send({ ready: true });
  }

  close() { this.engine?.close(); }

  take(message) {
    const told = plain(message);
    this[told.do](told);
  }

  // Other data; the run of those before has ended.
  async data({ key, data, ...more }) {
    const { kernels, functions } = this;
    Object.assign(this, { held: { key, data, ...more }, first: Infinity });
    try {
      await this.engine.ask("data", { kernels, functions, data, losses: {}, regularizers: {} });
      this.send({ has: key });
    } catch (error) {
      this.send({ failed: error.message });
    }
  }

  // A problem at zero or, by the same steps, where the server has left it; `rows` are its certificates so far.
  begin({ turn, key, loss, regularizer, lam, solver, seed, tolerance, at, rows, order, panes }) {
    if (key !== this.held.key) return;
    const { data, names, constant, embedded } = this.held;
    Object.assign(this, { turn, tolerance, panes, told: null, at: null, rows: read_rows(rows) });
    Object.assign(this, { looked: { at: -Infinity, sample: null }, spoken: -Infinity });
    this.pictured = new Pictured({ data, names, constant, embedded, loss, regularizer, lam });
    this.ask("problem", { loss, regularizer, lam, solver, seed });
    this.running = null;
    // Frames of the problem before, which are still on their way, have lower numbers.
    this.first = this.engine.count;
    if (at) this.ask("seek", { step: at });
    this.order({ turn, order });
  }

  // What the buttons say; nothing, where the present state is to be shown. "halt" leaves all as it stands.
  order({ turn, order }) {
    Object.assign(this, { turn, ended: null, still: order === "halt" });
    if (this.still) this.engine.ask("cancel").catch(() => {});
    else if (order === "run") {
      // A further press goes on for as many epochs again.
      const most = MOST_EPOCHS * (Math.floor(this.rows.at(-1).epoch / MOST_EPOCHS) + 1);
      this.ask("run", { gap: this.tolerance, max_epochs: most });
      this.running = this.engine.count;
    } else if (order) this.ask(order);
    // What a run shows after its first moments need not be drawn at zero before.
    this.from = this.engine.count;
  }

  // The server draws again.
  leave() {
    this.first = Infinity;
    document.body.dataset.engine = "server";
    this.engine.ask("cancel").catch(() => {});
  }

  ask(type, contents = {}) {
    const { turn } = this;
    this.engine.ask(type, contents).catch((error) => this.send({ turn, failed: error.message }));
  }

  // Every answer of the engine.
  hear(answer) {
    if (!(answer.id >= this.first)) return;
    // A run that was asked to pause goes on until the engine has read that.
    if (answer.type === "ended" && answer.id === this.running) {
      Object.assign(this, { running: null, ended: answer.status === "paused" ? null : answer.status });
      this.soon();
    }
    if (answer.type !== "frame") return;
    for (const row of [...answer.passed, answer]) this.add(row);
    Object.assign(this, { event: answer.event, at: answer.step });
    if (answer.id >= this.from) this.soon();
  }

  // Certificates in the order of their steps, each once.
  add(answer) {
    const after = this.rows.findLastIndex((row) => row.step <= answer.step);
    if (this.rows[after]?.step === answer.step) return;
    this.rows.splice(after + 1, 0, Object.fromEntries(ROW.map((name) => [name, answer[name]])));
  }

  // Draws once the browser has time; what comes meanwhile is drawn next.
  async soon() {
    this.due = true;
    if (this.drawing) return;
    this.drawing = true;
    while (this.due) {
      this.due = false;
      const { turn } = this;
      try {
        await this.paint(this.first);
      } catch (error) {
        this.send({ turn, failed: error.message });
      }
    }
    this.drawing = false;
  }

  async paint(first) {
    const certificate = await this.engine.ask("certificate");
    if (first !== this.first) return;
    this.due = false;  // the certificate is newer than all that was heard
    const { event, turn, ended } = this, runs = this.running !== null, frame = frame_of(this.pictured, certificate, this.rows);
    const rests = !runs && certificate.step === this.at;
    this.figures.show(frame);
    document.body.dataset.engine = "browser";
    const picture = await this.picture(certificate, event, frame.row);
    await painted();
    if (first !== this.first || this.still) return;
    this.figures.parts(frame, picture);
    if (rests || performance.now() - this.spoken > READ_MS) this.speak(frame, certificate, picture, ended, runs);
    if (rests && turn === this.turn && this.told !== turn) {
      this.told = turn;
      this.report(turn, certificate, event, ended);
    }
  }

  async picture(certificate, event, { epoch }) {
    const now = performance.now();
    if (this.running !== null && now - this.looked.at < READ_MS) return null;
    // Kept for the rest of a run: a picture that jumps between samples shows no closing gap.
    const sample = this.looked.sample ?? watched(this.pictured, certificate, event, epoch);
    this.looked = { at: now, sample: epoch >= 1 ? sample : null };
    const asked = section_of(this.pictured, certificate, sample);
    if (asked === null) return null;
    const { x, ...message } = asked, answer = await this.engine.ask("section", message);
    return answer.step === certificate.step ? saddle_of(this.pictured, certificate, asked, answer) : null;
  }

  // Numbers and sentences, seldom in a run: a changed text has the browser lay the page out.
  speak(frame, certificate, picture, ended, runs) {
    const { figures, tolerance } = this, elapsed = figures.elapsed(frame.row);
    this.spoken = performance.now();
    for (const [name, text] of Object.entries(figures.captions(frame, picture, "A: "))) {
      this.write(name, `<div class='wb-line'>${escaped(numerals(text))}</div>`);
    }
    const score = score_of(this.pictured, this.held.test, certificate) ?? "none";
    this.write("numbers", numerals(figures.statistics(frame, score)));
    const status = figures.say(runs ? "running" : ended ?? "paused", { elapsed, tolerance });
    this.write("status", `<div class='wb-status' role='status'>${escaped(numerals(status))}</div>`);
  }

  // The text of one of the page's panes, whose model holds it escaped.
  write(name, html) {
    const pane = by_id(this.panes[name]), text = escaped(html);
    if (pane && pane.text !== text) pane.setv({ text }, HERE);
  }

  // What the server makes a certificate of its own of.
  report(turn, { step, alpha }, event, ended) {
    const rows = Float64Array.from(this.rows.filter((row) => row.step <= step).flatMap((row) => ROW.map((name) => row[name])));
    this.send({ turn, step, status: ended, alpha, rows, event: Float64Array.from(event ? Object.values(event) : []) });
  }
}

function read_rows(flat) {
  return Array.from({ length: flat.length / ROW.length }, (_, i) => (
    Object.fromEntries(ROW.map((name, k) => [name, flat[i * ROW.length + k]]))));
}

function painted() { return new Promise((done) => requestAnimationFrame(() => setTimeout(done))); }

function by_id(id) { return Bokeh.documents.map((document) => document.get_model_by_id(id)).find((model) => model); }

// Objects for Bokeh's maps, and arrays for its arrays, which know their shape and ask for that of each part.
function plain(value) {
  if (ArrayBuffer.isView(value)) return new (value instanceof Float64Array ? Float64Array : Uint32Array)(value);
  if (Array.isArray(value)) return value.map(plain);
  if (value === null || typeof value !== "object") return value;
  const entries = value instanceof Map ? [...value] : Object.entries(value);
  return Object.fromEntries(entries.map(([name, part]) => [name, plain(part)]));
}

export function render({ model, el }) {
  el.style.display = "none";
  const run = new ServedRun({ ids: model.ids, texts: model.texts, send: (message) => model.send_msg(message) });
  model.on("msg:custom", (message) => run.take(message));
  model.on("remove", () => run.close());
  const open = () => { run.open(model.engine).catch(() => {}); };
  // The page goes first, then what it can do without.
  const ready = globalThis.requestIdleCallback ?? setTimeout;
  for (const document of Bokeh.documents) {
    if (document.is_idle) ready(open);
    else document.idle.connect(() => ready(open));
  }
}
