// @ts-check
// BokehJS: that of the host where its version is the page's, else the page's own, once for all pages of a document.

const LOADS = Symbol.for("workbench.bokeh");

/**
 * Returns BokehJS of a version.
 * @param {import("./host.js").Host} host
 * @param {string} version
 * @returns {Promise<typeof Bokeh>}
 */
export async function bokehOf(host, version) {
  const root = /** @type {any} */ (globalThis);
  if (root.Bokeh?.version === version) return root.Bokeh;
  root[LOADS] ??= new Map();
  if (!root[LOADS].has(version)) root[LOADS].set(version, load(host, version));
  return root[LOADS].get(version);
}

/**
 * @param {import("./host.js").Host} host
 * @param {string} version
 */
async function load(host, version) {
  const { script } = await host.ask({ type: "bokeh" });
  const element = document.createElement("script");
  element.textContent = script;
  document.head.append(element);
  element.remove();
  // Where another version was first, Bokeh's script leaves that in place and adds itself by its version.
  const { Bokeh: first } = /** @type {any} */ (globalThis);
  return first.version === version ? first : first[version];
}
