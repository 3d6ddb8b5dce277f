// @ts-check
// Values with arrays as one block of bytes, as `workbench/pages/hosts/blocks.py` describes it.

const ALIGNMENT = 8;
/** @type {Record<string, any>} */
const KINDS = {
  "<f8": Float64Array,
  "<f4": Float32Array,
  "<i4": Int32Array,
  "<u4": Uint32Array,
  "<i8": BigInt64Array,
  "<u8": BigUint64Array,
  "<i2": Int16Array,
  "<u2": Uint16Array,
  "|i1": Int8Array,
  "|u1": Uint8Array,
};
const NAMES = new Map(Object.entries(KINDS).map(([name, kind]) => [kind, name]));

/** @param {number} length */
const rounded = (length) => Math.ceil(length / ALIGNMENT) * ALIGNMENT;

/**
 * Returns the bytes of a value that JSON and typed arrays can hold.
 * @param {any} value
 * @returns {ArrayBuffer}
 */
export function packed(value) {
  /** @type {{ array: any, offset: number }[]} */
  const arrays = [];
  let length = 0;
  /** @param {any} part @returns {any} */
  const plain = (part) => {
    if (part instanceof ArrayBuffer) return plain(new Uint8Array(part));
    if (ArrayBuffer.isView(part)) {
      const array = /** @type {any} */ (part);
      const dtype = NAMES.get(array.constructor);
      if (!dtype) throw new Error(`block: ${array.constructor.name} cannot be sent; use Float64Array`);
      const entry = { $array: [dtype, [array.length], length] };
      arrays.push({ array, offset: length });
      length += rounded(array.byteLength);
      return entry;
    }
    if (Array.isArray(part)) return part.map(plain);
    if (typeof part === "number" && !Number.isFinite(part)) return { $number: String(part) };
    if (part === null || typeof part !== "object") return part;
    return Object.fromEntries(Object.entries(part).map(([name, inner]) => [name, plain(inner)]));
  };
  const header = new TextEncoder().encode(JSON.stringify(plain(value)));
  const start = rounded(header.length + 4);
  const bytes = new Uint8Array(start + length);
  new DataView(bytes.buffer).setUint32(0, start - 4, true);
  bytes.fill(0x20, 4, start);
  bytes.set(header, 4);
  for (const { array, offset } of arrays) {
    bytes.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), start + offset);
  }
  return bytes.buffer;
}

/**
 * Returns the value of a block; its arrays are copies.
 * @param {ArrayBuffer | ArrayBufferView} block
 * @returns {any}
 */
export function opened(block) {
  const whole = ArrayBuffer.isView(block)
    ? new Uint8Array(block.buffer, block.byteOffset, block.byteLength)
    : new Uint8Array(block);
  const start = 4 + new DataView(whole.buffer, whole.byteOffset).getUint32(0, true);
  const header = new TextDecoder().decode(whole.subarray(4, start));
  return JSON.parse(header, (_, entry) => {
    if (entry === null || typeof entry !== "object") return entry;
    if ("$number" in entry) return Number(entry.$number);
    if (!("$array" in entry)) return entry;
    const [dtype, shape, offset] = entry.$array;
    const kind = KINDS[dtype];
    if (!kind) throw new Error(`block: an array of ${dtype} is not known; use ${Object.keys(KINDS).join(", ")}`);
    const count = shape.reduce((/** @type {number} */ product, /** @type {number} */ side) => product * side, 1);
    const from = start + offset;
    return new kind(whole.slice(from, from + count * kind.BYTES_PER_ELEMENT).buffer);
  });
}
