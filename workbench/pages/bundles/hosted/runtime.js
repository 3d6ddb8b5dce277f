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
  function bytes_of(text) {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  }
  async function inflated(text) {
    const stream = new Blob([bytes_of(text)]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
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
  function opened(block) {
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
    #name = Math.random().toString(36).slice(2);
    /** @type {(envelope: Envelope, block?: ArrayBuffer) => void} */
    #send;
    /** @type {(isWaiting: boolean) => void} */
    onWaiting = () => {
    };
    /** @type {(text: string) => void} */
    onRefusal = () => {
    };
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
      const id = `${this.#name}-${++this.#count}`;
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
      const question = this.#waiting.get(id);
      if (!question) return;
      if (type === "error") question.reject(new Error(text));
      else if (type === "answer" && block) question.resolve(opened(block));
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
    let element = el;
    while (element) {
      const colour = getComputedStyle(element).backgroundColor;
      if (channels(colour).opacity >= OPAQUE) return isDarkColour(colour);
      const parent = element.parentNode;
      element = parent instanceof ShadowRoot ? parent.host : parent instanceof Element ? parent : null;
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
    for (const element of [document.documentElement, document.body])
      observer.observe(element, { attributes: true });
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
  function fileHost({ model, el, answers = {} }) {
    return hosted("file", el, model, async (message, { signal } = {}) => {
      signal?.throwIfAborted();
      const answer = answers[keyOf(message)];
      if (answer === void 0) throw new Error(NO_PYTHON);
      const value = opened(await inflated(answer));
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
    const element = document.createElement("script");
    element.textContent = script;
    document.head.append(element);
    element.remove();
    const { Bokeh: first } = (
      /** @type {any} */
      globalThis
    );
    return first.version === version ? first : first[version];
  }

  // entry.js
  function render(context, page) {
    const host = hostOf(context);
    page.open(host);
    return host.kind === "notebook" ? host.remove : void 0;
  }
  function renderFile({ settings, answers }, page) {
    const el = document.getElementById("page");
    if (el) render({ model: fileModel(settings), el, answers }, page);
  }
  return __toCommonJS(entry_exports);
})();
