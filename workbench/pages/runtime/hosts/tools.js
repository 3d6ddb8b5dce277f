// @ts-check
// The buttons of a page and the list of its keys.

import { painted } from "../painter.js";
import { copy, download, downloadNotebook, frameText, savePlot } from "../save.js";
import { escaped } from "../wording.js";
import { PROJECTOR_HELP } from "./lecture.js";
import { commandButton } from "./view.js";

/** @typedef {import("./open_page.js").OpenPage} OpenPage */

/** @type {Record<string, string>} */
const KEY_NAMES = { " ": "space", ArrowLeft: "←", ArrowRight: "→" };
const OTHER_KEYS = [
  ["w", "the projector"],
  ["Ctrl-Z", "back to the settings before"],
  ["?", "show these keys"],
  ["Tab", "to the next control, or group of them, in which ← → move"],
];
/** @type {Record<string, string>} */
const TAKES = { notebook: "Notebook", file: "This page as a file", embed: "Frame for a web page" };

/**
 * Returns what the buttons of a page do, by the names in `data-do`.
 * @param {OpenPage} page
 * @returns {Record<string, (button: HTMLButtonElement) => any>}
 */
export function actionsOf(page) {
  const { view, facts } = page;
  const figureOf = (/** @type {HTMLButtonElement} */ { dataset }) => dataset.figure ?? "";
  return {
    save: (button) => savePlot(page.figures.of("figures", figureOf(button)), button, page.link),
    pin: (button) => page.pins.pin(figureOf(button)),
    unpin: (button) => page.pins.unpin(figureOf(button)),
    copy: (button) => copy(button),
    back: () => page.visits.back(),
    share: (button) => copy(button, page.link),
    theme: () => page.turnTheme(),
    projector: () => page.lecture.turn(),
    story: () => page.lecture.tell(),
    sheet: (button) => view.turnSheet(button),
    skip: (button) => view.skip(button),
    swap: (button) => page.swap(button),
    notebook: async () => {
      while (!page.code && !page.refusal) await painted();
      downloadNotebook(page.code, facts.title, page.link);
    },
    embed: (button) => copy(button, frameText(page.link, facts.title)),
    file: (button) => saveFile(page, button),
  };
}

/**
 * Puts the buttons that need a link or Python where there is one, and the list of keys.
 * @param {OpenPage} page
 */
export function putTools({ view, host, facts, keys }) {
  const hasLink = host.ownsAddress || facts.published !== "";
  view.parts.share.hidden = !hasLink;
  view.parts.back.hidden = host.ownsAddress;
  /** @type {Record<string, boolean>} */
  const isOffered = { notebook: true, file: host.kind !== "file", embed: hasLink };
  const names = Object.keys(TAKES).filter((name) => isOffered[name]);
  view.parts.take?.replaceChildren(...names.map((name) => commandButton(name, TAKES[name])));
  const own = Object.entries(keys).map(([key, { does }]) => [KEY_NAMES[key] ?? key, does]);
  const list = (/** @type {string[][]} */ rows) =>
    rows.map(([key, text]) => `<p><kbd>${escaped(key)}</kbd> ${escaped(text)}</p>`).join("");
  view.put("keys", `${list([...own, ...OTHER_KEYS])}<p><b>On the projector</b></p>${list(PROJECTOR_HELP)}`);
}

/**
 * Downloads the page in its present state, as Python writes it.
 * @param {OpenPage} page
 * @param {HTMLButtonElement} button
 */
async function saveFile(page, button) {
  button.disabled = true;
  try {
    const { text } = await page.host.ask({ type: "file" });
    download(new Blob([text], { type: "text/html" }), `${page.facts.name}.html`);
  } catch (error) {
    page.notice(/** @type {Error} */ (error).message);
  } finally {
    button.disabled = false;
  }
}
