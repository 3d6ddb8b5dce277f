// Made of workbench/pages/runtime/hosts/entry.js and what it imports: change those, and run: python -m workbench.pages.bundling
"use strict";
var workbenchRuntime = (() => {
  var __defProp = Object.defineProperty;
  var __getOwnPropDesc = Object.getOwnPropertyDescriptor;
  var __getOwnPropNames = Object.getOwnPropertyNames;
  var __hasOwnProp = Object.prototype.hasOwnProperty;
  var __export = (target, all) => {
    for (var name in all)
      __defProp(target, name, { get: all[name], enumerable: true });
  };
  var __copyProps = (to, from, except, desc) => {
    if (from && typeof from === "object" || typeof from === "function") {
      for (let key of __getOwnPropNames(from))
        if (!__hasOwnProp.call(to, key) && key !== except)
          __defProp(to, key, { get: () => from[key], enumerable: !(desc = __getOwnPropDesc(from, key)) || desc.enumerable });
    }
    return to;
  };
  var __toCommonJS = (mod) => __copyProps(__defProp({}, "__esModule", { value: true }), mod);

  // entry.js
  var entry_exports = {};
  __export(entry_exports, {
    bokehOf: () => bokehOf,
    fileModel: () => fileModel,
    render: () => render,
    renderFile: () => renderFile
  });

  // ../../wasm/javascript/page.js
  var WorkbenchEngine = class _WorkbenchEngine {
    /**
     * @param {Packed} packed - what `workbench.pages.wasm.bundle.packed` made: the engine's text, kernels and data
     * @param {(answer: Answer) => void} [heard]
     */
    static async start(packed2, heard) {
      if (typeof WebAssembly === "undefined" || typeof Worker === "undefined") {
        throw new Error("This browser has no WebAssembly or no workers, so the page shows a picture instead.");
      }
      const engine = new _WorkbenchEngine(packed2.source, heard);
      const kernels = await inflated(packed2.kernels);
      await engine.ask("data", { kernels, functions: packed2.functions, ...await opened(packed2.problem) });
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

  // blocks.js
  var ALIGNMENT = 8;
  var KINDS = {
    "<f8": Float64Array,
    "<f4": Float32Array,
    "<i4": Int32Array,
    "<u4": Uint32Array,
    "<i8": BigInt64Array,
    "<u8": BigUint64Array,
    "<i2": Int16Array,
    "<u2": Uint16Array,
    "|i1": Int8Array,
    "|u1": Uint8Array
  };
  var NAMES = new Map(Object.entries(KINDS).map(([name, kind]) => [kind, name]));
  var rounded = (length) => Math.ceil(length / ALIGNMENT) * ALIGNMENT;
  function packed(value) {
    const arrays = [];
    let length = 0;
    const plain2 = (part) => {
      if (part instanceof ArrayBuffer) return plain2(new Uint8Array(part));
      if (ArrayBuffer.isView(part)) {
        const array = (
          /** @type {any} */
          part
        );
        const dtype = NAMES.get(array.constructor);
        if (!dtype) throw new Error(`block: ${array.constructor.name} cannot be sent; use Float64Array`);
        const entry = { $array: [dtype, [array.length], length] };
        arrays.push({ array, offset: length });
        length += rounded(array.byteLength);
        return entry;
      }
      if (Array.isArray(part)) return part.map(plain2);
      if (typeof part === "number" && !Number.isFinite(part)) return { $number: String(part) };
      if (part === null || typeof part !== "object") return part;
      return Object.fromEntries(Object.entries(part).map(([name, inner]) => [name, plain2(inner)]));
    };
    const header = new TextEncoder().encode(JSON.stringify(plain2(value)));
    const start = rounded(header.length + 4);
    const bytes = new Uint8Array(start + length);
    new DataView(bytes.buffer).setUint32(0, start - 4, true);
    bytes.fill(32, 4, start);
    bytes.set(header, 4);
    for (const { array, offset } of arrays) {
      bytes.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), start + offset);
    }
    return bytes.buffer;
  }
  function opened2(block) {
    const whole = ArrayBuffer.isView(block) ? new Uint8Array(block.buffer, block.byteOffset, block.byteLength) : new Uint8Array(block);
    const start = 4 + new DataView(whole.buffer, whole.byteOffset).getUint32(0, true);
    const header = new TextDecoder().decode(whole.subarray(4, start));
    return JSON.parse(header, (_, entry) => {
      if (entry === null || typeof entry !== "object") return entry;
      if ("$number" in entry) return Number(entry.$number);
      if (!("$array" in entry)) return entry;
      const [dtype, shape, offset] = entry.$array;
      const kind = KINDS[dtype];
      if (!kind)
        throw new Error(`block: an array of ${dtype} is not known; use ${Object.keys(KINDS).join(", ")}`);
      const count = shape.reduce(
        (product, side) => product * side,
        1
      );
      const from = start + offset;
      return new kind(whole.slice(from, from + count * kind.BYTES_PER_ELEMENT).buffer);
    });
  }

  // channel.js
  var PATIENCE_MS = 2e3;
  var LIMIT_SECONDS = 60;
  var Channel = class {
    /** @type {Map<string, { resolve: (value: any) => void, reject: (error: Error) => void }>} */
    #waiting = /* @__PURE__ */ new Map();
    #count = 0;
    // Several views may show the same widget, and each hears the answers to all.
    name = Math.random().toString(36).slice(2);
    /** @type {(envelope: Envelope, block?: ArrayBuffer) => void} */
    #send;
    /** @type {(isWaiting: boolean) => void} */
    onWaiting = () => {
    };
    /** @type {(text: string) => void} */
    onRefusal = () => {
    };
    /** @type {((value: any) => void)[]} */
    onEvent = [];
    #late = 0;
    /** @param {(envelope: Envelope, block?: ArrayBuffer) => void} send */
    constructor(send) {
      this.#send = send;
    }
    /**
     * Asks Python; the promise fails with its sentence, when it is cancelled, or at the time limit.
     * @param {any} message
     * @param {AskOptions} [options]
     * @returns {Promise<any>}
     */
    ask(message, { signal, seconds = LIMIT_SECONDS } = {}) {
      if (signal?.aborted) return Promise.reject(signal.reason);
      const id = `${this.name}-${++this.#count}`;
      return new Promise((resolve, reject) => {
        let isLate = false;
        const patience = setTimeout(() => {
          isLate = true;
          this.#waits(1);
        }, PATIENCE_MS);
        const limit = setTimeout(
          () => cancel(new Error(`Python did not answer within ${seconds} seconds; try again`)),
          1e3 * seconds
        );
        const end = (then) => {
          clearTimeout(patience);
          clearTimeout(limit);
          signal?.removeEventListener("abort", abort);
          this.#waiting.delete(id);
          if (isLate) this.#waits(-1);
          then();
        };
        const cancel = (reason) => {
          this.#send({ id, type: "cancel" });
          end(() => reject(reason));
        };
        const abort = () => cancel(signal?.reason);
        signal?.addEventListener("abort", abort);
        this.#waiting.set(id, {
          resolve: (value) => end(() => resolve(value)),
          reject: (error) => end(() => reject(error))
        });
        this.#send({ id, type: "ask" }, packed(message));
      });
    }
    /** @param {number} change */
    #waits(change) {
      this.#late += change;
      this.onWaiting(this.#late > 0);
    }
    /**
     * @param {Envelope} envelope
     * @param {ArrayBuffer | ArrayBufferView} [block]
     */
    receive({ id, type, text = "" }, block) {
      if (type === "refusal") this.onRefusal(text);
      if (type === "event" && block) {
        const value = opened2(block);
        for (const then of this.onEvent) then(value);
      }
      const question = this.#waiting.get(id);
      if (!question) return;
      if (type === "error") question.reject(new Error(text));
      else if (type === "answer" && block) question.resolve(opened2(block));
    }
    /** @param {string} text */
    fail(text) {
      for (const question of [...this.#waiting.values()]) question.reject(new Error(text));
    }
  };

  // theme.js
  var OPAQUE = 0.5;
  function channels(colour) {
    const numbers = (colour.match(/[\d.]+/g) ?? []).map(Number);
    if (numbers.length < 3) return { red: 0, green: 0, blue: 0, opacity: 0 };
    const [red, green, blue, opacity = 1] = numbers;
    const scale = colour.startsWith("color(") ? 1 : 255;
    return { red: red / scale, green: green / scale, blue: blue / scale, opacity };
  }
  function isDarkColour(colour) {
    const { red, green, blue } = channels(colour);
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue < 0.4;
  }
  function isOnDark(el) {
    let element2 = el;
    while (element2) {
      const colour = getComputedStyle(element2).backgroundColor;
      if (channels(colour).opacity >= OPAQUE) return isDarkColour(colour);
      const parent = element2.parentNode;
      element2 = parent instanceof ShadowRoot ? parent.host : parent instanceof Element ? parent : null;
    }
    const { backgroundColor } = getComputedStyle(document.body);
    return channels(backgroundColor).opacity >= OPAQUE && isDarkColour(backgroundColor);
  }
  function watchTheme(el, then) {
    let last = null;
    const look = () => {
      const isDark = isOnDark(el);
      if (isDark !== last) then(isDark);
      last = isDark;
    };
    const observer = new MutationObserver(() => requestAnimationFrame(look));
    for (const element2 of [document.documentElement, document.body])
      observer.observe(element2, { attributes: true });
    look();
    requestAnimationFrame(look);
    return () => observer.disconnect();
  }

  // host.js
  function hostOf(context) {
    if (typeof context.model.send_msg === "function") return panelHost(context);
    if (typeof context.model.send === "function") return notebookHost(context);
    return fileHost(context);
  }
  function hosted(kind, el, model, ask, channel) {
    const cleanups = [];
    return {
      kind,
      el,
      model,
      ask,
      onWaiting: (then) => {
        if (channel) channel.onWaiting = then;
      },
      name: channel?.name ?? "file",
      onEvent: (then) => channel?.onEvent.push(then),
      onRefusal: (then) => {
        if (channel) channel.onRefusal = then;
      },
      onTheme: (then) => cleanups.push(watchTheme(el, then)),
      onRemove: (then) => cleanups.push(then),
      remove() {
        for (const cleanup of cleanups.splice(0)) cleanup();
      }
    };
  }
  function panelHost({ model: properties, el }) {
    let draft = {};
    const model = {
      get: (name) => name in draft ? draft[name] : plain(properties[name]),
      set: (name, value) => {
        draft[name] = value;
      },
      on: (event, then) => properties.on(event, then),
      save_changes: () => {
        const changes = draft;
        draft = {};
        for (const [name, value] of Object.entries(changes)) properties[name] = value;
      }
    };
    const channel = new Channel(
      (envelope, block) => properties.send_msg(block ? { ...envelope, block } : envelope)
    );
    properties.on("msg:custom", (message) => {
      const { block, ...envelope } = plain(message);
      channel.receive(envelope, block);
    });
    const host = hosted("panel", el, model, channel.ask.bind(channel), channel);
    properties.on("remove", host.remove);
    return host;
  }
  function notebookHost({ model, el }) {
    const channel = new Channel((envelope, block) => model.send(envelope, void 0, block ? [block] : []));
    const receive = (envelope, buffers) => channel.receive(envelope, buffers[0]);
    model.on("msg:custom", receive);
    const host = hosted("notebook", el, model, channel.ask.bind(channel), channel);
    host.onRemove(() => {
      model.off("msg:custom", receive);
      channel.fail("The page was closed");
    });
    return host;
  }
  var NO_PYTHON = "This needs Python, which a file has not; open the page with 'workbench serve'";
  function fileHost({ model, el, answers: answers2 = {} }) {
    return hosted("file", el, model, async (message, { signal } = {}) => {
      signal?.throwIfAborted();
      const answer = answers2[keyOf(message)];
      if (answer === void 0) throw new Error(NO_PYTHON);
      const value = opened2(await inflated(answer));
      signal?.throwIfAborted();
      return value;
    });
  }
  function keyOf(message) {
    return JSON.stringify(Object.fromEntries(Object.entries(message).sort(([a], [b]) => a < b ? -1 : 1)));
  }
  function fileModel(settings) {
    const values = { settings };
    const changed = /* @__PURE__ */ new Set();
    const listeners = {};
    return {
      get: (name) => values[name],
      set(name, value) {
        values[name] = value;
        changed.add(name);
      },
      on(event, then) {
        listeners[event] = [...listeners[event] ?? [], then];
      },
      save_changes() {
        const names = [...changed];
        changed.clear();
        for (const name of names) for (const then of listeners[`change:${name}`] ?? []) then();
      }
    };
  }
  function plain(value) {
    if (value === null || typeof value !== "object" || ArrayBuffer.isView(value) || value instanceof ArrayBuffer)
      return value;
    if (Array.isArray(value)) return value.map(plain);
    const entries = value instanceof Map ? [...value] : Object.entries(value);
    return Object.fromEntries(entries.map(([name, part]) => [name, plain(part)]));
  }

  // ../focus.js
  var WRITES = "input:not([type=range], [type=checkbox], [type=radio]), textarea, [contenteditable]";
  function has_focus(event, selector) {
    const target = event.composedPath()[0];
    return target instanceof Element && target.matches(selector);
  }
  function is_written(event) {
    return has_focus(event, WRITES);
  }

  // ../keys.js
  var OPEN_MENU = "[role=option], [role=menuitem]";
  var by_pointer = false;
  addEventListener("pointerdown", () => {
    by_pointer = true;
  }, true);
  addEventListener("keydown", (event) => {
    if (event.key === "Tab" || has_focus(event, OPEN_MENU)) by_pointer = false;
  }, true);
  addEventListener("input", (event) => {
    if (by_pointer && has_focus(event, "select")) event.composedPath()[0].blur();
  }, true);
  function is_taken(event) {
    if (event.defaultPrevented || is_written(event) || has_focus(event, `select, ${OPEN_MENU}`)) return true;
    if (has_focus(event, "[type=range], [role=slider]")) return /^(Arrow|Page|Home|End)/.test(event.key);
    if (by_pointer) return false;
    if (has_focus(event, "[role=combobox], [type=radio]")) return true;
    return event.key === " " && has_focus(event, "button, summary, [role=button], [type=checkbox]");
  }

  // ../painter.js
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

  // ../tracks.js
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
      const open2 = this.shown.filter(({ is_open }) => is_open), going = open2.length ? open2 : this.shown;
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
      const { shown } = this, answers2 = await Promise.all(shown.map(ask));
      if (shown !== this.shown) return null;
      const found = shown.map((each, k) => [each.name, each.upto(answers2[k])]);
      const latest = (rows) => rows.reduce((a, b) => b.step > a.step ? b : a), [[, { rows: first }]] = found;
      return {
        runs: Object.fromEntries(found),
        unit: first.at(-1).epoch < 1 ? "step" : "epoch",
        row: latest(found.map(([, { row }]) => row)),
        last: latest(shown.map((each) => each.rows.at(-1)))
      };
    }
  };

  // ../wording.js
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
  function even_of_ties(rounded2, exact, digits) {
    const end = exact.indexOf(".") + (digits && 1 + digits), cut = exact.slice(0, end);
    return /^\.?50*$/.test(exact.slice(end)) && "02468".includes(cut[cut.length - 1]) ? cut : rounded2;
  }
  function exponential(value, digits) {
    const [rounded2, exponent] = value.toExponential(digits).split("e");
    const [exact, same] = value.toExponential(Math.min(100, digits + 60)).split("e");
    const mantissa = same === exponent ? even_of_ties(rounded2, exact, digits) : rounded2;
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

  // bokeh.js
  var LOADS = /* @__PURE__ */ Symbol.for("workbench.bokeh");
  async function bokehOf(host, version) {
    const root = (
      /** @type {any} */
      globalThis
    );
    if (root.Bokeh?.version === version) return root.Bokeh;
    root[LOADS] ??= /* @__PURE__ */ new Map();
    if (!root[LOADS].has(version)) root[LOADS].set(version, load(host, version));
    return root[LOADS].get(version);
  }
  async function load(host, version) {
    const { script } = await host.ask({ type: "bokeh" });
    const element2 = document.createElement("script");
    element2.textContent = script;
    document.head.append(element2);
    element2.remove();
    const { Bokeh: first } = (
      /** @type {any} */
      globalThis
    );
    return first.version === version ? first : first[version];
  }

  // ../numerals.js
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
  function set_numerals(box) {
    const walker = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const node = (
        /** @type {Text} */
        walker.currentNode
      );
      if (node.parentElement?.closest("pre, code, kbd, wb-tex, svg")) continue;
      const text = numerals(node.data);
      if (text !== node.data) node.data = text;
    }
  }

  // settings.js
  var PLACES = 400;
  var DIGITS = 3;
  function placeOf({ kind, low = 0, high = 1 }, value) {
    const share = kind === "logarithmic" ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
    return PLACES * Math.min(Math.max(share, 0), 1);
  }
  function valueAt({ kind, low = 0, high = 1, integer = false }, place) {
    const share = place / PLACES;
    const value = kind === "logarithmic" ? low * (high / low) ** share : low + share * (high - low);
    const rounded2 = integer ? Math.round(value) : Number(value.toPrecision(DIGITS));
    return Math.min(Math.max(rounded2, low), high);
  }
  function spoken(value) {
    if (typeof value === "boolean") return value ? "on" : "off";
    return typeof value === "number" ? format_text("{value:g}", { value }) : String(value);
  }
  function isUsed(conditions, settings) {
    if (!conditions) return true;
    return conditions.some(
      (each) => Object.entries(each).every(([name, values]) => values.includes(settings[name]))
    );
  }
  function addressOf(settings, defaults) {
    const changed = Object.entries(settings).filter(([name, value]) => value !== defaults[name]);
    return new URLSearchParams(changed.map(([name, value]) => [name, String(value)])).toString();
  }
  function settingsOf(address, rows) {
    const settings = {};
    const refusals = [];
    for (const [name, text] of new URLSearchParams(address.replace(/^[#?]/, ""))) {
      const row = rows.find((each) => each.name === name);
      const value = row ? readValue(row, text) : void 0;
      if (row === void 0) refusals.push(`unknown setting ${JSON.stringify(name.slice(0, 60))}`);
      else if (value === void 0)
        refusals.push(`${name} = ${JSON.stringify(text.slice(0, 60))} is refused; ${allowed(row)}`);
      else settings[name] = value;
    }
    return { settings, refusals };
  }
  function readValue({ options, low = 0, high = 0, integer, grid }, text) {
    if (options) return options.find((each) => String(each) === text);
    const value = Number(text);
    if (text.trim() === "" || !(value >= low && value <= high)) return void 0;
    if (integer && !Number.isInteger(value)) return void 0;
    return grid && !grid.includes(value) ? void 0 : value;
  }
  function allowed({ options, grid, low, high, integer }) {
    if (options ?? grid) return `expected one of ${(options ?? grid ?? []).join(", ")}`;
    return `expected a${integer ? " whole" : ""} number from ${low} to ${high}`;
  }

  // controls.js
  var Controls = class {
    /** @type {Map<string, { row: Row, box: HTMLElement, input: any, output: HTMLOutputElement | null }>} */
    #entries = /* @__PURE__ */ new Map();
    /**
     * @param {HTMLElement} place
     * @param {{ heading: string, rows: Row[] }[]} groups
     * @param {Record<string, Record<string, any[]>[]>} used
     * @param {(changes: Record<string, any>) => void} change
     */
    constructor(place, groups, used, change) {
      this.used = used;
      for (const { heading, rows } of groups) {
        place.append(element("div", { className: "wb-heading", textContent: heading }));
        for (const row of rows) place.append(this.#made(row, change));
      }
    }
    /**
     * @param {Row} row
     * @param {(changes: Record<string, any>) => void} change
     */
    #made(row, change) {
      const { name, label, kind, integer } = row;
      const options = row.options ?? row.grid;
      const output = options || kind === "whole" ? null : (
        /** @type {HTMLOutputElement} */
        element("output")
      );
      const input = (
        /** @type {any} */
        options ? select(options) : element("input", numberLook(row))
      );
      input.ariaLabel = label;
      const read = () => {
        if (options) return options[input.selectedIndex];
        if (kind === "whole") return Number(input.value);
        return valueAt(row, Number(input.value));
      };
      input.addEventListener(kind === "whole" ? "change" : "input", () => change({ [name]: read() }));
      const text = element("span", { textContent: label });
      const box = element(
        "label",
        { className: "control" },
        text,
        ...output ? [output] : [element("span")],
        input
      );
      box.dataset.name = name;
      this.#entries.set(name, { row, box, input, output });
      if (integer && input.type === "range") input.step = String(PLACES / ((row.high ?? 1) - (row.low ?? 0)));
      return box;
    }
    /**
     * Shows what is chosen, and hides what the other choices do not use.
     * @param {Record<string, any>} settings
     */
    show(settings) {
      for (const [name, { row, box, input, output }] of this.#entries) {
        const value = settings[name];
        const options = row.options ?? row.grid;
        if (options) input.selectedIndex = options.indexOf(value);
        else if (row.kind === "whole") input.value = String(value);
        else if (valueAt(row, Number(input.value)) !== value) input.value = String(placeOf(row, value));
        box.hidden = !isUsed(this.used[name], settings);
        if (!output) continue;
        output.textContent = numerals(spoken(value));
        input.setAttribute("aria-valuetext", output.textContent);
      }
    }
    /**
     * Disables options that the host cannot give, and says why.
     * @param {string} name
     * @param {any[]} values
     * @param {string} reason
     */
    disable(name, values, reason) {
      const entry = this.#entries.get(name);
      for (const option of entry?.input.options ?? []) {
        if (!values.some((value) => spoken(value) === option.textContent)) continue;
        option.disabled = true;
        option.title = reason;
      }
    }
  };
  function numberLook({ kind, low, high, integer }) {
    if (kind === "whole") return { type: "number", min: low, max: high, step: 1 };
    return { type: "range", min: 0, max: PLACES, step: integer ? 1 : "any" };
  }
  function select(options) {
    return element(
      "select",
      {},
      ...options.map((value) => element("option", { textContent: numerals(spoken(value)) }))
    );
  }
  function element(tag, properties = {}, ...content) {
    const made = Object.assign(document.createElement(tag), properties);
    made.append(...content);
    return made;
  }

  // engine.js
  var START_MS = 2e3;
  var isAble = () => typeof WebAssembly !== "undefined";
  async function startEngine({ source }, makeWorker) {
    let worker = null;
    try {
      worker = makeWorker ? makeWorker() : worker_of(source);
      await answers(worker);
    } catch {
      worker?.terminate();
      worker = onPage(source);
    }
    return new WorkbenchEngine(source, () => {
    }, worker);
  }
  function answers(worker) {
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(new Error("no worker started")), START_MS);
      worker.onmessage = () => {
        clearTimeout(late);
        resolve(worker);
      };
      worker.onerror = reject;
      worker.postMessage({ version: 1, id: 0, type: "frame" });
    });
  }
  function onPage(source) {
    const scope = { postMessage: (data) => setTimeout(() => page.onmessage?.({ data })) };
    const page = {
      onmessage: null,
      onerror: null,
      postMessage: (data) => setTimeout(() => scope.onmessage({ data })),
      terminate() {
        page.onmessage = null;
      }
    };
    new Function("self", `"use strict";
${source}`)(scope);
    return page;
  }
  var PythonEngine = class extends WorkbenchEngine {
    /**
     * @param {import("./host.js").Host} host
     * @param {string} name
     */
    constructor(host, name) {
      const own = `${host.name} ${name}`;
      const worker = {
        onmessage: (
          /** @type {any} */
          null
        ),
        onerror: null,
        postMessage(message) {
          host.ask({ type: "compute", name: own, message }).catch((error) => {
            worker.onmessage?.({ data: { id: message.id, type: "error", text: error.message } });
          });
        },
        terminate() {
          worker.onmessage = null;
        }
      };
      super("", () => {
      }, worker);
      host.onEvent(({ engine, answer }) => {
        if (engine === own) worker.onmessage?.({ data: answer });
      });
    }
  };

  // ../deep.js
  function deep(selector, root = document, found = []) {
    found.push(...root.querySelectorAll(selector));
    for (const element2 of root.querySelectorAll("*")) if (element2.shadowRoot) deep(selector, element2.shadowRoot, found);
    return found;
  }

  // ../live_figures.js
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
    range(name, start, end) {
      const bounds = this.of("ranges", name);
      if (bounds.start !== start || bounds.end !== end) bounds.setv({ start, end });
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
      const { start, end } = this.of("ranges", name);
      if (start <= low && high <= end && high - low >= LEAST_FILLED * (end - start)) return;
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

  // figures.js
  function recoloured(text, colours) {
    return text.replace(/#[0-9a-f]{6}(?![0-9a-f])/gi, (colour) => colours[colour.toLowerCase()] ?? colour);
  }
  var Figures = class _Figures extends LiveFigures {
    /**
     * @param {any} document
     * @param {Record<string, any>} facts
     * @param {View} view
     */
    constructor(document2, facts, view) {
      const texts = { ...facts.texts, ghost: facts.figures.ghost };
      super((id) => document2.get_model_by_id(id), facts.figures.ids, texts);
      this.document = document2;
      this.view = view;
    }
    /**
     * Draws the figures in their places.
     * @param {any} Bokeh
     * @param {Record<string, any>} facts
     * @param {View} view
     * @param {boolean} isDark
     */
    static async stand(Bokeh, facts, view, isDark) {
      const { json, roots } = facts.figures;
      const text = isDark ? recoloured(json, facts.colours) : json;
      const document2 = Bokeh.require("document").Document.from_json(JSON.parse(text));
      const names = new Map(Object.entries(roots).map(([name, id]) => [id, name]));
      const boxes = document2.roots().map(({ id }) => view.figures[names.get(id) ?? ""]);
      for (const box of boxes) box.replaceChildren();
      await Bokeh.require("embed").add_document_standalone(document2, view.page, boxes);
      return new _Figures(document2, facts, view);
    }
    /** @param {string} name */
    key_of(name) {
      return this.view.heads[name].querySelector(".wb-key");
    }
    /**
     * Fills sources, ranges and labels; a source that a frame leaves out is empty.
     * @param {{ sources: Record<string, any>, ranges: any[][], axes: Record<string, string> }} frame
     */
    show({ sources, ranges, axes }) {
      for (const [name, columns] of Object.entries(sources)) {
        const empty = () => Object.fromEntries(Object.keys(this.of("sources", name).data).map((key) => [key, []]));
        this.fill(name, columns ?? empty());
      }
      for (const [method, name, ...values] of ranges) this[method](name, ...values);
      for (const [name, label] of Object.entries(axes)) this.of("axes", name).setv({ axis_label: label });
    }
    clear() {
      this.document.clear();
    }
  };

  // view.js
  var BUTTONS = ["reset", "step", "epoch", "run"];
  var View = class {
    /** @type {Record<string, any>} */
    parts = {};
    /** @type {Record<string, HTMLElement>} */
    figures = {};
    /** @type {Record<string, HTMLElement>} */
    lines = {};
    /** @type {Record<string, HTMLElement>} */
    heads = {};
    /**
     * @param {HTMLElement} el
     * @param {Record<string, any>} facts
     * @param {{ press: (name: string) => void, seek: (place: number) => void, preset: (name: string) => void }} actions
     */
    constructor(el, facts, actions) {
      this.box = element("div", { className: "wb-hosted" });
      this.root = this.box.attachShadow({ mode: "open" });
      el.append(this.box);
      this.facts = facts;
      this.style = element("style");
      const main = element(
        "main",
        {},
        ...this.#opening(),
        this.#part("numbers"),
        this.#transport(actions),
        this.#cards()
      );
      const sidebar = element(
        "section",
        { className: "sidebar", ariaLabel: "Controls" },
        this.#presets(actions)
      );
      this.controls = sidebar.appendChild(element("div"));
      this.page = element("div", { className: "page" }, sidebar, main);
      this.root.append(this.style, this.page);
    }
    /** @param {string} name @param {Record<string, any>} [properties] */
    #part(name, properties = {}) {
      this.parts[name] = element("div", properties);
      return this.parts[name];
    }
    #opening() {
      const { thesis, tries } = this.facts;
      const list = element(
        "ol",
        {},
        ...tries.map((textContent) => element("li", { textContent }))
      );
      const summary = element("summary", { textContent: "Try this" });
      return [
        element("p", { className: "thesis", textContent: thesis }),
        element("details", { className: "wb-note" }, summary, list)
      ];
    }
    /** @param {{ preset: (name: string) => void }} actions */
    #presets(actions) {
      const names = ["Choose one", ...Object.keys(this.facts.presets)];
      const list = (
        /** @type {HTMLSelectElement} */
        element(
          "select",
          { ariaLabel: "Preset" },
          ...names.map((textContent) => element("option", { textContent }))
        )
      );
      list.addEventListener("input", () => list.selectedIndex && actions.preset(names[list.selectedIndex]));
      this.parts.preset = list;
      return element(
        "label",
        { className: "control" },
        element("span", { textContent: "Preset" }),
        element("span"),
        list
      );
    }
    /** @param {{ press: (name: string) => void, seek: (place: number) => void }} actions */
    #transport(actions) {
      const buttons = BUTTONS.map((name) => {
        const button = element("button", {
          type: "button",
          textContent: name,
          className: name === "run" ? "main" : ""
        });
        button.addEventListener("click", () => actions.press(name));
        this.parts[name] = button;
        return button;
      });
      const bar = (
        /** @type {HTMLInputElement} */
        element("input", { type: "range", min: 0, max: 0, step: 1, ariaLabel: "Progress of the run" })
      );
      bar.addEventListener("input", () => actions.seek(Number(bar.value)));
      Object.assign(this.parts, { bar, at: element("output") });
      const progress = element(
        "label",
        { className: "control" },
        element("span", { textContent: "Progress" }),
        this.parts.at,
        bar
      );
      const status = this.#part("status", { className: "wb-status", role: "status" });
      return element("div", {}, element("div", { className: "transport" }, ...buttons, status), progress);
    }
    #cards() {
      const { figures, first } = this.facts;
      const names = Object.keys(figures.titles);
      const rest = names.filter((name) => first.length && !first.includes(name));
      const cards = Object.fromEntries(names.map((name) => [name, this.#card(name)]));
      const more = element(
        "div",
        { className: "cards more", hidden: true },
        ...rest.map((name) => cards[name])
      );
      const button = element("button", {
        type: "button",
        textContent: `${rest.length} more figures`,
        className: "wb-more"
      });
      button.setAttribute("aria-expanded", "false");
      button.addEventListener("click", () => {
        more.hidden = !more.hidden;
        button.setAttribute("aria-expanded", String(!more.hidden));
      });
      const shown = names.filter((name) => !rest.includes(name)).map((name) => cards[name]);
      const beside = [this.#words("Why does s move?", "why"), this.#words("Show me the code", "code")];
      const fold = rest.length ? [button, more] : [];
      return element("div", { className: "cards" }, ...shown, ...fold, ...beside);
    }
    /** @param {string} name */
    #card(name) {
      const { heads, titles } = this.facts.figures;
      this.heads[name] = element("div", { innerHTML: heads[name] });
      this.figures[name] = element("div", { role: "group", ariaLabel: titles[name] });
      this.lines[name] = element("div", { className: "wb-line" });
      return element("section", { className: "card" }, this.heads[name], this.figures[name], this.lines[name]);
    }
    /** @param {string} title @param {string} name */
    #words(title, name) {
      const head = element("h2", { className: "wb-card-title", textContent: title });
      const inside = this.#part(name, { className: "inside" });
      return element("section", { className: "card" }, element("div", { className: "wb-head" }, head), inside);
    }
    /** @param {boolean} isDark */
    setTheme(isDark) {
      this.style.textContent = this.facts.styles[isDark ? "dark" : "light"];
    }
    /** @param {string} name @param {string} html */
    put(name, html) {
      const box = this.parts[name];
      if (box.dataset.html === html) return;
      box.dataset.html = html;
      box.innerHTML = html;
      set_numerals(box);
    }
    /** @param {string} name @param {string} text */
    line(name, text) {
      this.lines[name].textContent = numerals(text);
    }
    /** @param {string} text @param {string} status @param {boolean} [isError] */
    say(text, status, isError = false) {
      const { status: line, run } = this.parts;
      line.textContent = isError ? text : numerals(text);
      line.classList.toggle("bad", isError);
      run.textContent = status === "running" ? "pause" : "run";
      this.box.dataset.status = status;
    }
    /**
     * Shows where the run stands among its places.
     * @param {number} at
     * @param {number} places
     * @param {string} text
     */
    stand(at, places, text) {
      const { bar, at: output } = this.parts;
      bar.max = String(places - 1);
      bar.value = String(at);
      output.textContent = numerals(text);
      bar.setAttribute("aria-valuetext", output.textContent);
    }
  };

  // open.js
  var GHOST_MS = 1e3;
  var NEEDS_PYTHON = "This needs Python, which a file has not; open the page with 'workbench serve'.";
  var WAITING = "Waiting for Python, which is busy.";
  async function open(host, module) {
    const facts = await host.ask({ type: "page" });
    const Bokeh = await bokehOf(host, facts.bokeh);
    const page = new OpenPage(host, module, facts, Bokeh);
    await page.begin();
    return page;
  }
  var OpenPage = class extends Painter {
    /** @type {Map<string, Promise<any>>} */
    answers = /* @__PURE__ */ new Map();
    /** @type {Map<string, Promise<any>>} */
    engines = /* @__PURE__ */ new Map();
    /** @type {any} */
    figures = null;
    /** @type {any} */
    tracks;
    asked = 0;
    isBusy = false;
    begins = false;
    refusal = "";
    spoken = -Infinity;
    since = 0;
    hasEnded = false;
    /** @type {any} */
    before = null;
    shownSettings = "";
    chosen = "";
    status = "paused";
    /**
     * @param {Host} host
     * @param {PageModule} module
     * @param {Record<string, any>} facts
     * @param {any} Bokeh
     */
    constructor(host, module, facts, Bokeh) {
      super();
      this.host = host;
      this.module = module;
      this.facts = facts;
      this.Bokeh = Bokeh;
      this.rows = facts.controls.flatMap((group) => group.rows);
      this.view = new View(host.el, facts, {
        press: (name) => this.press(name),
        seek: (place) => this.tracks.seek(place),
        preset: (name) => this.change({ ...facts.defaults, ...facts.presets[name] })
      });
      const groups = host.kind === "file" ? facts.controls : freed(facts.controls);
      this.controls = new Controls(this.view.controls, groups, facts.used, (changes) => {
        this.view.parts.preset.selectedIndex = 0;
        this.change(changes);
      });
      this.tracks = new Tracks({
        Kind: trackOf(module),
        epochs: facts.epochs,
        failed: (error) => this.refuse(error),
        changed: () => {
          if (!this.begins) this.soon();
        }
      });
    }
    async begin() {
      const { host, facts } = this;
      if (host.kind === "file") {
        for (const [name, values] of Object.entries(facts.elsewhere))
          this.controls.disable(name, values, NEEDS_PYTHON);
      }
      this.themed = new Promise(
        (resolve) => host.onTheme((isDark) => {
          this.view.setTheme(isDark);
          resolve(this.draw(isDark));
        })
      );
      await this.themed;
      host.onWaiting((isWaiting) => this.report(isWaiting ? WAITING : ""));
      host.onRefusal((text) => this.refuse(new Error(text)));
      host.onRemove(() => this.close());
      host.model.on("change:settings", () => this.onSettings());
      this.follow();
      this.listen();
      await this.onSettings();
    }
    /** @param {boolean} isDark */
    async draw(isDark) {
      this.figures?.clear();
      this.figures = await Figures.stand(this.Bokeh, this.facts, this.view, isDark);
      if (this.tracks.shown.length) this.soon();
    }
    /** A file's address is the page's; a notebook and a server's page keep theirs. */
    follow() {
      if (this.host.kind !== "file") return;
      const { settings, refusals } = settingsOf(location.hash, this.rows);
      if (refusals.length) this.refusal = refusals.join("; ");
      this.host.model.set("settings", { ...this.settings, ...settings });
      this.host.model.save_changes();
      addEventListener("popstate", () => {
        this.change({ ...this.facts.defaults, ...settingsOf(location.hash, this.rows).settings }, false);
      });
    }
    /** Keys are the page's where it stands alone; in a notebook while the focus is in it. */
    listen() {
      const target = this.host.kind === "notebook" ? this.view.box : document;
      const actions = {
        " ": () => this.press("run"),
        r: () => this.press("reset"),
        ArrowRight: () => this.press("step")
      };
      const listener = (event) => {
        if (event.ctrlKey || event.metaKey || event.altKey || !(event.key in actions) || is_taken(event))
          return;
        event.preventDefault();
        actions[event.key]();
      };
      target.addEventListener("keydown", listener);
      this.host.onRemove(() => target.removeEventListener("keydown", listener));
    }
    /** @returns {Record<string, any>} */
    get settings() {
      return this.host.model.get("settings");
    }
    /**
     * Sets several settings at once.
     * @param {Record<string, any>} changes
     * @param {boolean} [isVisit] - whether Back leads to the settings before
     */
    change(changes, isVisit = true) {
      this.host.model.set("settings", { ...this.settings, ...changes });
      this.host.model.save_changes();
      if (isVisit && this.host.kind === "file") {
        const address = `#${addressOf(this.settings, this.facts.defaults)}`;
        if (address !== location.hash) history.pushState(null, "", address);
      }
      return this.onSettings();
    }
    onSettings() {
      const { settings } = this;
      const text = JSON.stringify(settings);
      if (text === this.chosen) return void 0;
      this.chosen = text;
      this.controls.show(settings);
      return this.restart();
    }
    /** @param {Record<string, any>} message */
    answerOf(message) {
      const key = keyOf(message);
      const known = this.answers.get(key);
      if (known) return known;
      const answer = this.host.ask(message);
      answer.catch(() => this.answers.delete(key));
      this.answers.set(key, answer);
      return answer;
    }
    /**
     * Returns the run of a name by an engine of its own, in this browser or in Python.
     * @param {string} name
     * @param {boolean} isHere
     */
    async trackOf(name, isHere) {
      const key = `${name} ${isHere}`;
      if (!this.engines.has(key)) {
        const engine2 = isHere ? this.answerOf({ type: "engine" }).then((facts) => startEngine(facts)) : Promise.resolve(new PythonEngine(this.host, name));
        this.engines.set(key, engine2);
      }
      const engine = await this.engines.get(key);
      engine.track ??= this.tracks.track(name, engine);
      return engine.track;
    }
    /**
     * Returns what the engines take: data and terms for this browser, or their names for Python.
     * @param {Record<string, any>} settings
     */
    async suppliesOf(settings) {
      const { data: message, terms: messages, python } = this.module.needs(settings, this.facts);
      const key = keyOf({ ...message, ...python.data });
      const inPython = { isHere: false, key, data: python.data, terms: python.terms };
      const isElsewhere = Object.entries(this.facts.elsewhere).some(
        ([name, values]) => values.includes(settings[name])
      );
      if (isElsewhere || !isAble()) return this.inPython(inPython);
      const names = Object.keys(messages);
      const [data, { kernels, functions }, ...answers2] = await Promise.all([
        this.answerOf(message),
        this.answerOf({ type: "engine" }),
        ...names.map((name) => this.answerOf(messages[name]))
      ]);
      if (data.is_large) return this.inPython(inPython);
      const terms = Object.fromEntries(names.map((name, k) => [name, answers2[k]]));
      return { isHere: true, key, data: { kernels, functions, data, losses: {}, regularizers: {} }, terms };
    }
    /** @param {any} supplies */
    inPython(supplies) {
      if (this.host.kind === "file") throw new Error(NEEDS_PYTHON);
      return supplies;
    }
    /**
     * Begins the runs of the settings, and goes on with them where `play` says so; the last call counts.
     * @param {boolean} [play]
     */
    async restart(play = true) {
      const turn = ++this.asked;
      const isLeft = () => turn !== this.asked;
      const { settings, facts, module, tracks } = this;
      this.remember();
      tracks.leave();
      this.isBusy = this.begins = true;
      try {
        const shown = await this.begun(settings, isLeft);
        if (isLeft()) return;
        tracks.shown = shown;
        this.refusal = "";
        this.shownSettings = JSON.stringify(settings);
        this.since = performance.now();
        this.hasEnded = false;
        this.figures.dim(false);
      } catch (error) {
        if (!isLeft()) this.refuse(
          /** @type {Error} */
          error
        );
        return;
      } finally {
        if (!isLeft()) this.isBusy = this.begins = false;
      }
      this.view.put("code", `<pre class='wb-code' tabindex='0'>${escaped(module.code(settings, facts))}</pre>`);
      if (play) this.run();
      else this.soon();
    }
    /**
     * @param {Record<string, any>} settings
     * @param {() => boolean} isLeft
     */
    async begun(settings, isLeft) {
      const wanted = this.module.runs(settings, this.facts);
      const { isHere, key, data, terms } = await this.suppliesOf(settings);
      const names = wanted.map(({ name }) => name);
      const tracks = await Promise.all(names.map((name) => this.trackOf(name, isHere)));
      if (isLeft()) return [];
      await Promise.all(
        tracks.map(async ({ engine }) => {
          if (engine.key === key) return;
          engine.key = null;
          await engine.ask("data", data);
          engine.key = key;
        })
      );
      if (isLeft()) return [];
      await Promise.all(
        tracks.map(
          (track, k) => track.begin({ ...terms, ...wanted[k].problem })
        )
      );
      return tracks;
    }
    /** What was seen stays as a ghost once other settings are drawn. */
    remember() {
      const { tracks, shownSettings: key } = this;
      if (!tracks.shown.length || !(this.hasEnded || performance.now() - this.since > GHOST_MS)) return;
      this.before = { key, curves: tracks.curves() };
    }
    leaveGhost() {
      const { before, figures } = this;
      this.before = null;
      if (!before || before.key === this.shownSettings) return;
      const rows = Object.entries(this.module.ghosts(before.curves, this.facts));
      figures.leave_ghost(Object.fromEntries(rows.map(([name, each]) => [name, figures.ghost(each)])));
    }
    run() {
      this.tracks.run(this.settings.tolerance);
    }
    /** @param {string} name */
    press(name) {
      if (name === "reset") this.restart(false);
      else if (name !== "run") this.tracks.ask(name);
      else if (this.tracks.playing) this.tracks.ask("pause");
      else this.run();
    }
    /** @param {number} turn */
    async paint(turn) {
      const { tracks, module, facts, figures } = this;
      if (!tracks.shown.length || !tracks.is_answered) return null;
      const { type, contents, figure } = module.question(facts);
      const isFolded = tracks.playing && !figures.is_shown(`${figure}_x`);
      const shown = await tracks.frame(async (track) => {
        if (isFolded) return module.nothing;
        return plainColumns(await track.engine.ask(type, contents));
      });
      if (shown === null || turn !== this.asked) return null;
      const frame = module.frame(JSON.parse(this.shownSettings), shown, facts);
      const rests = tracks.rests(shown);
      this.leaveGhost();
      figures.show(frame);
      figures.mark(shown.row.step < shown.last.step ? shown.row[shown.unit] : null);
      this.frame = frame;
      this.view.box.dataset.step = String(shown.row.step);
      if (rests || performance.now() - this.spoken > READ_MS) this.speak(frame, shown);
      this.hasEnded ||= rests;
      return null;
    }
    /**
     * @param {any} frame
     * @param {any} shown
     */
    speak(frame, shown) {
      const { view, tracks, figures } = this;
      this.spoken = performance.now();
      const { why, ...sentences } = frame.sentences;
      for (const [name, text2] of Object.entries(sentences)) view.line(name, text2);
      view.put("numbers", frame.numbers);
      view.put("why", why);
      const { rows } = tracks;
      const at = rows.findIndex(({ step }) => step === shown.row.step);
      view.stand(at, rows.length, figures.elapsed(shown.row));
      this.status = tracks.playing ? "running" : frame.status.name;
      const text = tracks.playing ? figures.say("running", { elapsed: figures.elapsed(shown.row) }) : frame.status.text;
      this.report(text);
    }
    /** @param {string} text */
    report(text) {
      this.view.say(this.refusal || text, this.status, this.refusal !== "");
    }
    /** @param {Error & { is_broken?: boolean }} error */
    refuse(error) {
      this.isBusy = this.begins = false;
      this.refusal = error.message;
      if (error.is_broken) this.close();
      this.figures.dim(!error.is_broken);
      this.report("");
    }
    between() {
      return painted();
    }
    /** Resolves when all that was asked for is drawn. */
    async settled() {
      do
        await painted();
      while (this.drawing || this.isBusy || this.tracks.playing || !this.tracks.is_answered);
    }
    close() {
      this.tracks.leave();
      for (const engine of this.engines.values()) engine.then((each) => each.close());
      this.engines.clear();
    }
  };
  function trackOf(module) {
    return class extends Track {
      /** @param {any} answer @param {any} [before] */
      row(answer, before) {
        return module.row(answer, before ?? null);
      }
      /** @param {any} shown */
      upto(shown) {
        module.complete(
          /** @type {any} */
          this.rows
        );
        return super.upto(shown);
      }
    };
  }
  function plainColumns(answer) {
    return Object.fromEntries(
      Object.entries(answer).map(([name, value]) => [
        name,
        ArrayBuffer.isView(value) ? Array.from(
          /** @type {any} */
          value
        ) : value
      ])
    );
  }
  function freed(groups) {
    return groups.map((group) => ({
      ...group,
      rows: group.rows.map(({ grid, ...row }) => row)
    }));
  }

  // entry.js
  var PAGES = "workbenchPages";
  function render(context, page) {
    const host = hostOf(context);
    const opened3 = page.open ? page.open(host) : open(host, page);
    const root = (
      /** @type {Record<string, any>} */
      globalThis
    );
    root[PAGES] ??= [];
    const pages = root[PAGES];
    pages.push(opened3);
    host.onRemove(() => pages.splice(pages.indexOf(opened3), 1));
    return host.kind === "notebook" ? host.remove : void 0;
  }
  function renderFile({ settings, answers: answers2 }, page) {
    const el = document.getElementById("page");
    if (el) render({ model: fileModel(settings), el, answers: answers2 }, page);
  }
  return __toCommonJS(entry_exports);
})();
