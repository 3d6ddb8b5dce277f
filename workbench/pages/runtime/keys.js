// @ts-nocheck
// Which keys the page may take, and which belong to what has the focus; of a page or of a file.

import { has_focus, is_written } from "./focus.js";

const OPEN_MENU = "[role=option], [role=menuitem]";
// Whether the focus is where a pointer has put it. What was pressed has done its work then: its keys are the page's again,
// while those of what one tabbed to stay with it.
export let by_pointer = false;

addEventListener("pointerdown", () => { by_pointer = true; }, true);
addEventListener("keydown", (event) => { if (event.key === "Tab" || has_focus(event, OPEN_MENU)) by_pointer = false; }, true);
// While its menu is open a list needs every key, so it is left once something is chosen.
addEventListener("input", (event) => { if (by_pointer && has_focus(event, "select")) event.composedPath()[0].blur(); }, true);

export function is_taken(event) {
  if (event.defaultPrevented || is_written(event) || has_focus(event, `select, ${OPEN_MENU}`)) return true;
  if (has_focus(event, "[type=range], [role=slider]")) return /^(Arrow|Page|Home|End)/.test(event.key);
  if (by_pointer) return false;
  if (has_focus(event, "[role=combobox], [type=radio]")) return true;
  return event.key === " " && has_focus(event, "button, summary, [role=button], [type=checkbox]");
}
