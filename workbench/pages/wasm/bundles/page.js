// Made of workbench/pages/wasm/javascript/entries/page.js and what it imports: change those, and run: python -m workbench.pages.bundling
const { Kernels, WorkbenchEngine, inflated, opened, revived } = (() => {
"use strict";
// kernels.js
var ITEMS = { f64: Float64Array, i64: BigInt64Array, u64: BigUint64Array, u32: Uint32Array, u8: Uint8Array };
var Block = class {
  // An array in the memory of the kernels; `view` is made afresh where that memory has grown.
  constructor(kernels, kind, place, shape) {
    Object.assign(this, { kernels, kind, place, shape, size: shape.reduce((a, b) => a * b, 1) });
    this.item = ITEMS[kind].BYTES_PER_ELEMENT;
  }
  get view() {
    const { buffer } = this.kernels.memory;
    if (this.buffer !== buffer) {
      this.buffer = buffer;
      this.shown = new ITEMS[this.kind](buffer, this.place, this.size);
    }
    return this.shown;
  }
  copy() {
    return this.view.slice();
  }
  release() {
    this.kernels.exports.release(this.place);
  }
};
var Kernels = class _Kernels {
  static async load(bytes, functions) {
    const { instance } = await WebAssembly.instantiate(bytes, {});
    return new _Kernels(instance.exports, functions);
  }
  constructor(exports, functions) {
    Object.assign(this, { exports, functions, memory: exports.memory, places: {} });
    this.result = exports.allocate(64) >>> 0;
  }
  // An array with these contents, or of so many zeros.
  array(kind, contents, shape) {
    const size = typeof contents === "number" ? contents : contents.length;
    const place = this.exports.allocate(Math.max(8, size * ITEMS[kind].BYTES_PER_ELEMENT)) >>> 0;
    if (!place) throw new Error("the browser gives no more memory; use a smaller data set");
    const block = new Block(this, kind, place, shape ?? [size]);
    if (typeof contents === "number") block.view.fill(kind.includes("64") && kind !== "f64" ? 0n : 0);
    else block.view.set(kind.includes("64") && kind !== "f64" ? Array.from(contents, BigInt) : contents);
    return block;
  }
  floats(contents) {
    return this.array("f64", contents);
  }
  // The place of a function in the table of those that kernels call.
  place(name) {
    if (!(name in this.places)) {
      const table = this.exports.__indirect_function_table;
      this.places[name] = table.grow(1);
      table.set(this.places[name], this.exports[name]);
    }
    return this.places[name];
  }
  call(name, ...given) {
    const { arguments: kinds, result } = this.functions[name];
    if (given.length !== kinds.length) throw new Error(`${name} takes ${kinds.length} arguments`);
    const flat = [this.result, this.result + 32];
    kinds.forEach((kind, k) => this.flatten(kind, given[k], flat));
    const status = this.exports[name](...flat);
    if (status) throw new Error(`${name} ended with status ${status}`);
    const view = new DataView(this.memory.buffer, this.result);
    if (result === null) return void 0;
    if (result === "i64") return Number(view.getBigInt64(0, true));
    return Array.isArray(result) ? result.map((_, k) => view.getFloat64(8 * k, true)) : view.getFloat64(0, true);
  }
  flatten(kind, value, flat) {
    if (Array.isArray(kind)) kind.forEach((part, k) => this.flatten(part, value[k], flat));
    else if (kind === "function") flat.push(0, 0, value === null ? 0 : this.place(value));
    else if (kind === "f64") flat.push(value);
    else if (kind === "bool") flat.push(value ? 1 : 0);
    else if (kind === "i64" || kind === "u64") flat.push(BigInt(value));
    else {
      const { size, item, place, shape } = value;
      const strides = shape.map((_, k) => shape.slice(k + 1).reduce((a, b) => a * b, item));
      flat.push(0, 0, BigInt(size), BigInt(item), place, ...shape.map(BigInt), ...strides.map(BigInt));
    }
  }
};

// page.js
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
   */
  constructor(source, heard = () => {
  }) {
    const address = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
    this.heard = heard;
    this.waiting = /* @__PURE__ */ new Map();
    this.count = 0;
    this.broken = null;
    this.worker = new Worker(address);
    URL.revokeObjectURL(address);
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
return { Kernels, WorkbenchEngine, inflated, opened, revived };
})();
