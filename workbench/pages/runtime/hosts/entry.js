// @ts-check
// What every bundle of a page is joined with: `render`, which a host calls, and `renderFile` of a file.

import { hostOf } from "./host.js";
import { open } from "./open.js";
import { settingsModel } from "./synced.js";

export { bokehOf } from "./bokeh.js";
export { settingsModel };

/** @typedef {Record<string, any>} PageModule - the functions of a page's `frame.js`, or an `open` of its own */

/** Where the open pages of a document are found, for tests and for the console. */
const PAGES = "workbenchPages";

/**
 * Opens a page in its host; returns the function that closes it, as anywidget wants it.
 * @param {import("./host.js").Context} context
 * @param {PageModule} page
 */
export function render(context, page) {
  const host = hostOf(context);
  const opened = page.open ? page.open(host) : open(host, page);
  const root = /** @type {Record<string, any>} */ (globalThis);
  root[PAGES] ??= [];
  const pages = root[PAGES];
  pages.push(opened);
  host.onRemove(() => pages.splice(pages.indexOf(opened), 1));
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
  if (el) render({ model: settingsModel(settings), el, answers, ownsAddress: true }, page);
}
