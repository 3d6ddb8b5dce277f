// What the readers and the projector of figures share.

import { deep } from "./elements.js";

// Type is never smaller than on a desk, and two figures need the room for two.
export const UNSEEN =
  "position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); font-size: 0.75rem";

/**
 * Whether an element is or holds one of these.
 * @param {any} element @param {string} selector
 */
export function has(element, selector) {
  return (
    element.matches(selector) ||
    deep(selector, element).length > 0 ||
    Boolean(element.shadowRoot && deep(selector, element.shadowRoot).length)
  );
}

/** @param {number} value */
export function numeralsOf(value) {
  return String(Number(Number(value).toPrecision(4))).replace("-", "−");
}

/**
 * What scrolls is a stop of the Tab key.
 * @param {HTMLElement} card
 */
export function reachedByKeys(card) {
  if (card.scrollHeight > card.clientHeight) card.tabIndex = 0;
  else card.removeAttribute("tabindex");
}

/**
 * Whether anything but guides is in a figure yet.
 * @param {any} plot
 */
export function hasCurves(plot) {
  return plot.renderers.some(
    (/** @type {{ visible: any, data_source: any }} */ { visible, data_source }) =>
      visible && Object.values(data_source?.data ?? {}).some((column) => column?.length > 2 || column?.[0]?.length > 2),
  );
}
