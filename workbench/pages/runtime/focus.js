// @ts-nocheck
// What has the focus where an event happens, and whether one writes in it.

const WRITES = "input:not([type=range], [type=checkbox], [type=radio]), textarea, [contenteditable]";

export function has_focus(event, selector) {
  const target = event.composedPath()[0];
  return target instanceof Element && target.matches(selector);
}

export function is_written(event) { return has_focus(event, WRITES); }
