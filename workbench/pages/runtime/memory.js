// @ts-check
// Values of a page that are computed anew only when what they depend on has changed.

/** @typedef {Map<string, { key: string, value: any }>} Memory - what an open page keeps between its frames */

/**
 * Returns the last value of a name where it has the same key, else a new one.
 * @template T
 * @param {Memory} memory
 * @param {string} name
 * @param {unknown[]} inputs - what the value depends on, as JSON can write it
 * @param {() => T} make
 * @returns {T}
 */
export function recall(memory, name, inputs, make) {
  const key = JSON.stringify(inputs);
  const last = memory.get(name);
  if (last?.key === key) return last.value;
  const value = make();
  memory.set(name, { key, value });
  return value;
}
