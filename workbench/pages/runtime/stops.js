// Where the Tab key stops: once in a group of buttons or links, within which the arrow keys move.

import { deep } from "./deep.js";
import { byPointer } from "./keys.js";

// Members of a group, and what holds them; where nothing does, all of a page are one.
/** @type {[string, string | null][]} */
const GROUPS = [
  ["a", "nav"],
  ["button", ".switches, .x-switches"],
  ["button", ".MuiToggleButtonGroup-root"],
  ["button", ".bk-btn-group"],
  ["button", ".wb-options"],
  [".wb-save button", null],
  ["wb-tex[tabindex]", null],
  ["ol a", null],
  ["a:has(h2)", null],
  [".lesson a", null],
];
export const STOPS = "input, button, a, summary, select, [role=combobox], [tabindex='0']";
/** @type {Record<string, any>} */
const ALONG = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
const CHOSEN = "[aria-current], [aria-pressed=true], .bk-active";

function tabGroups() {
  const all = GROUPS.flatMap(([member, holder]) =>
    holder ? deep(holder).map((each) => deep(member, each.shadowRoot ?? each)) : [deep(member)],
  );
  return all
    .map((group) => group.filter((each) => each.checkVisibility({ visibilityProperty: true })))
    .filter(({ length }) => length > 1);
}

// One stop a group: where one was last, else what is chosen, else its first.
export function setStops() {
  for (const group of tabGroups()) {
    const stops = group.filter(({ tabIndex }) => tabIndex === 0);
    if (stops.length !== 1) moveStop(group, group.find((each) => each.matches(CHOSEN)) ?? group[0]);
  }
}

/** @param {any} group @param {any} to */
function moveStop(group, to) {
  for (const each of group) each.tabIndex = each === to ? 0 : -1;
}

addEventListener(
  "keydown",
  (event) => {
    if (event.key === "Tab") setStops();
  },
  true,
);
addEventListener("focusin", (event) => {
  const [at] = event.composedPath();
  const group =
    at instanceof Element && /** @type {any} */ (at).tabIndex === -1 && tabGroups().find((each) => each.includes(at));
  if (group) moveStop(group, at);
});
document.addEventListener("keydown", (event) => {
  const by = ALONG[event.key];
  if (!by || byPointer || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  const [at] = event.composedPath();
  const group = tabGroups().find((each) => each.includes(at));
  if (!group) return;
  event.preventDefault();
  const next = group[(group.indexOf(at) + by + group.length) % group.length];
  moveStop(group, next);
  next.focus();
});
