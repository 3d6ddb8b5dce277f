// @ts-check
// What every bundle of a page is joined with: `render`, which a host calls, and `renderFile` of a file.

import { fileModel, hostOf } from "./host.js";

export { bokehOf } from "./bokeh.js";
export { fileModel };

/** @typedef {{ open: (host: import("./host.js").Host) => void }} PageModule */

/**
 * Opens a page in its host; returns the function that closes it, as anywidget wants it.
 * @param {import("./host.js").Context} context
 * @param {PageModule} page
 */
export function render(context, page) {
  const host = hostOf(context);
  page.open(host);
  // Panel takes what `render` returns for an element; it has an event of its own.
  return host.kind === "notebook" ? host.remove : undefined;
}

/**
 * Opens a page in a file, in the element "page".
 * @param {{ settings: Record<string, any>, answers: Record<string, string> }} facts
 * @param {PageModule} page
 */
export function renderFile({ settings, answers }, page) {
  const el = document.getElementById("page");
  if (el) render({ model: fileModel(settings), el, answers }, page);
}
