// @ts-check
// BokehJS: that of the host where its version is the page's, else the page's own, once for all pages of a document.

import { smoothMaps } from "../figure_looks.js";
import { paintLess } from "../repaint.js";
import { takeSlowDrags } from "../slow_drags.js";

const TUNED = Symbol.for("workbench.tuned");
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

/**
 * Has Bokeh paint less, smooth maps and take slow drags; for a document that is the page's, since all of its figures do.
 * @param {any} library
 */
export function tune(library) {
  if (library[TUNED]) return;
  library[TUNED] = true;
  paintLess(library);
  takeSlowDrags(library);
  smoothMaps(library);
}
