// Which keys the page may take, and which belong to what has the focus; of a page or of a file.

import { hasFocus, isWritten } from "./focus.js";

const OPEN_MENU = "[role=option], [role=menuitem]";
// Whether the focus is where a pointer has put it. What was pressed has done its work then: its keys are the page's again,
// while those of what one tabbed to stay with it.
export let byPointer = false;

addEventListener(
  "pointerdown",
  () => {
    byPointer = true;
  },
  true,
);
addEventListener(
  "keydown",
  (event) => {
    if (event.key === "Tab" || hasFocus(event, OPEN_MENU)) byPointer = false;
  },
  true,
);
// While its menu is open a list needs every key, so it is left once something is chosen.
addEventListener(
  "input",
  (event) => {
    if (byPointer && hasFocus(event, "select")) /** @type {any} */ (event.composedPath()[0]).blur();
  },
  true,
);

/** @param {any} event */
export function isTaken(event) {
  if (event.defaultPrevented || isWritten(event) || hasFocus(event, `select, ${OPEN_MENU}`)) return true;
  if (hasFocus(event, "[type=range], [role=slider]")) return /^(Arrow|Page|Home|End)/.test(event.key);
  if (byPointer) return false;
  if (hasFocus(event, "[role=combobox], [type=radio]")) return true;
  return event.key === " " && hasFocus(event, "button, summary, [role=button], [type=checkbox]");
}
