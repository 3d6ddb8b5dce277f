// @ts-check
// The keys of a page: on the document where it fills that, else while the focus is in the page.

import { isWritten } from "../focus.js";
import { isTaken } from "../keys.js";

/** @param {import("./open_page.js").OpenPage} page */
export function listenToKeys(page) {
  const target = page.host.ownsAddress ? document : page.view.box;
  const listener = (/** @type {any} */ event) => {
    if (press(page, event)) event.preventDefault();
  };
  target.addEventListener("keydown", listener);
  page.host.onRemove(() => target.removeEventListener("keydown", listener));
}

/**
 * Does what a key means; returns whether it means something.
 * @param {import("./open_page.js").OpenPage} page
 * @param {KeyboardEvent} event
 */
function press(page, event) {
  const { view, lecture, keys } = page;
  const { help } = view.parts;
  if (event.ctrlKey || event.metaKey || event.altKey) {
    const isUndo = !event.altKey && event.key === "z" && !isWritten(event);
    if (isUndo) page.undo();
    return isUndo;
  }
  if (event.key === "Escape" && help.open) help.open = false;
  else if (event.key === "?" && !isWritten(event)) help.open = !help.open;
  else if (isTaken(event)) return false;
  else if (!lecture.key(event)) {
    if (!(event.key in keys)) return false;
    keys[event.key].act();
  }
  return true;
}
