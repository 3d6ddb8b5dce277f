// What scripts of served pages share: the models of the session, and what its messages hold.

// The server does not learn what the browser changes.
export const HERE = { sync: false };

/** @param {any} id */
export function byId(id) {
  return Bokeh.documents.map((document) => document.get_model_by_id(id)).find((model) => model);
}

/**
 * Objects for Bokeh's maps, and arrays for its arrays, which know their shape and ask for that of each part.
 * @param {any} value @returns {any}
 */
export function plain(value) {
  if (ArrayBuffer.isView(value))
    return new (value instanceof Float64Array ? Float64Array : Uint32Array)(/** @type {any} */ (value));
  if (Array.isArray(value)) return value.map(plain);
  if (value === null || typeof value !== "object") return value;
  const entries = value instanceof Map ? [...value] : Object.entries(value);
  return Object.fromEntries(entries.map(([name, part]) => [name, plain(part)]));
}
