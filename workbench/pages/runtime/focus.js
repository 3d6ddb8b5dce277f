// What has the focus where an event happens, and whether one writes in it.

const WRITES = "input:not([type=range], [type=checkbox], [type=radio]), textarea, [contenteditable]";

/** @param {any} event @param {string} selector */
export function hasFocus(event, selector) {
  const target = event.composedPath()[0];
  return target instanceof Element && target.matches(selector);
}

/** @param {any} event */
export function isWritten(event) {
  return hasFocus(event, WRITES);
}
