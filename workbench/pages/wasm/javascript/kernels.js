// The printed kernels: arrays that lie in their memory, and calls as the table of functions describes them.

/** @type {Record<string, any>} */
const ITEMS = { f64: Float64Array, i64: BigInt64Array, u64: BigUint64Array, u32: Uint32Array, u8: Uint8Array };

/** @param {number} count */
export const upTo = (count) => Uint32Array.from({ length: count }, (_, i) => i);

export class Block {
  /** @type {any} */ kernels;
  /** @type {any} */ kind;
  /** @type {any} */ place;
  /** @type {any} */ shape;
  /** @type {any} */ size;
  /** @type {any} */ item;
  /** @type {any} */ buffer;
  /** @type {any} */ shown;

  /**
   * An array in the memory of the kernels; `view` is made afresh where that memory has grown.
   * @param {any} kernels @param {string} kind @param {any} place @param {any} shape
   */
  constructor(kernels, kind, place, shape) {
    this.kernels = kernels;
    this.kind = kind;
    this.place = place;
    this.shape = shape;
    this.size = shape.reduce((/** @type {any} */ a, /** @type {any} */ b) => a * b, 1);
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
}

export class Kernels {
  /** @type {any} */ exports;
  /** @type {any} */ functions;
  /** @type {any} */ memory;
  /** @type {Record<string, any>} */ places = {};
  /** @type {any} */ result;

  /** @param {any} bytes @param {any} functions */
  static async load(bytes, functions) {
    const { instance } = await WebAssembly.instantiate(bytes, {});
    return new Kernels(instance.exports, functions);
  }

  /** @param {any} exports @param {any} functions */
  constructor(exports, functions) {
    this.exports = exports;
    this.functions = functions;
    this.memory = exports.memory;

    this.result = exports.allocate(64) >>> 0;
  }

  /**
   * Returns an array with these contents, or of this number of zeros.
   * @param {string} kind @param {any} contents @param {any} [shape]
   */
  array(kind, contents, shape) {
    const size = typeof contents === "number" ? contents : contents.length;
    const place = this.exports.allocate(Math.max(8, size * ITEMS[kind].BYTES_PER_ELEMENT)) >>> 0;
    if (!place) throw new Error("the browser gives no more memory; use a smaller data set");
    const block = new Block(this, kind, place, shape ?? [size]);
    if (typeof contents === "number") block.view.fill(kind.includes("64") && kind !== "f64" ? 0n : 0);
    else block.view.set(kind.includes("64") && kind !== "f64" ? Array.from(contents, BigInt) : contents);
    return block;
  }

  /** @param {any} contents */
  floats(contents) {
    return this.array("f64", contents);
  }

  /**
   * The place of a function in the table of those that kernels call.
   * @param {any} name
   */
  place(name) {
    if (!(name in this.places)) {
      const table = this.exports.__indirect_function_table;
      this.places[name] = table.grow(1);
      table.set(this.places[name], this.exports[name]);
    }
    return this.places[name];
  }

  /** @param {string} name @param {...any} given */
  call(name, ...given) {
    const { arguments: kinds, result } = this.functions[name];
    const parameters = Object.entries(kinds);
    if (given.length !== parameters.length) throw new Error(`${name} takes ${parameters.length} arguments`);
    const flat = [this.result, this.result + 32];
    parameters.forEach(([parameter, kind], k) => this.flatten(kind, given[k], flat, parameter));
    const status = this.exports[name](...flat);
    if (status) throw new Error(`${name} ended with status ${status}`);
    const view = new DataView(this.memory.buffer, this.result);
    if (result === null) return undefined;
    if (result === "i64") return Number(view.getBigInt64(0, true));
    return Array.isArray(result) ? result.map((_, k) => view.getFloat64(8 * k, true)) : view.getFloat64(0, true);
  }

  /**
   * The words of one argument: a record has its fields by name, a tuple its parts in turn.
   * @param {any} kind
   * @param {any} value
   * @param {any} flat
   * @param {string} name
   */
  flatten(kind, value, flat, name) {
    if (value === undefined) throw new Error(`${name} is missing`);
    if (Array.isArray(kind)) kind.forEach((part, k) => this.flatten(part, value[k], flat, name));
    else if (typeof kind === "object") {
      for (const [field, part] of Object.entries(kind)) this.flatten(part, value[field], flat, field);
    } else if (kind === "function") flat.push(0, 0, value === null ? 0 : this.place(value));
    else if (kind === "f64") flat.push(value);
    else if (kind === "bool") flat.push(value ? 1 : 0);
    else if (kind === "i64" || kind === "u64") flat.push(BigInt(value));
    else {
      const { size, item, place, shape } = value;
      const strides = shape.map((/** @type {any} */ _, /** @type {number} */ k) =>
        shape.slice(k + 1).reduce((/** @type {any} */ a, /** @type {any} */ b) => a * b, item),
      );
      flat.push(0, 0, BigInt(size), BigInt(item), place, ...shape.map(BigInt), ...strides.map(BigInt));
    }
  }
}
