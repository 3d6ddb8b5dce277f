// @ts-check
// KaTeX for a page with formulas, once for all pages of a document.

import { defineFormulas } from "../formulas.js";

const LOADS = Symbol.for("workbench.formulas");

/**
 * Defines the element of a formula; those that stand already are set then.
 * @param {import("./host.js").Host} host
 * @returns {Promise<void>}
 */
export function loadFormulas(host) {
  const root = /** @type {any} */ (globalThis);
  root[LOADS] ??= load(host);
  return root[LOADS];
}

/** @param {import("./host.js").Host} host */
async function load(host) {
  const { script, sheet, faces } = await host.ask({ type: "formulas" });
  // As a module of its own, whatever loader the host has.
  const module = { exports: {} };
  new Function("module", "exports", script)(module, module.exports);
  window.katex ??= /** @type {any} */ (module.exports);
  // A shadow root takes no fonts.
  document.head.append(Object.assign(document.createElement("style"), { textContent: faces }));
  defineFormulas(sheet);
}
