// The figures of a page, by the buttons that save them, and the cards that they stand in.

import { deep } from "./deep.js";
import { figures } from "./save.js";

// Type is never smaller than on a desk, and two figures need the room for two.
export const UNSEEN =
  "position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); font-size: 0.75rem";

// The figures of the page by the buttons that save them, in their order.
export function figureNames() {
  return [...new Set(deep(".wb-save [data-figure]").map((button) => button.dataset.figure))];
}

/** @param {string} name */
export function headOf(name) {
  return deep(`.wb-save [data-figure="${name}"]`)[0]?.closest(".wb-head");
}

/**
 * The card of a figure: what stands beside others in a grid.
 * @param {string} name
 */
export function cardOf(name) {
  return cardAround(headOf(name));
}

/** @param {HTMLElement} element */
export function cardAround(element) {
  while (element) {
    const above = element.parentElement ?? /** @type {any} */ (element.getRootNode()).host;
    const others =
      above &&
      [.../** @type {any} */ (element.parentNode).children].some(
        (each) => each !== element && !each.matches("style, link"),
      );
    if (others && getComputedStyle(above).display === "grid") return element;
    element = above;
  }
}

/**
 * Show the cards that follow a button in their grid, or fold them again.
 * @param {HTMLButtonElement} button
 */
export function unfold(button) {
  const fold = /** @type {any} */ (button.getRootNode()).host ?? button.parentElement;
  button.setAttribute("aria-expanded", fold.classList.toggle("open"));
  // A figure that was not shown had no size when it was laid out.
  requestAnimationFrame(() =>
    figureNames().forEach((name) => Bokeh.index.find_one(figures(name))?.invalidate_layout()),
  );
}

/**
 * Show a figure in the place of another, or that one again where its name is pressed once more.
 * @param {HTMLButtonElement} button
 */
export function swap(button) {
  const { figure = "", home = "" } = button.dataset;
  showInPlace(home, figure !== home && button.ariaPressed !== "true" ? figure : home);
}

/**
 * @param {string} home
 * @param {string} shown
 */
export function showInPlace(home, shown) {
  const buttons = deep(`[data-do=swap][data-home="${home}"]`);
  for (const name of new Set([home, ...buttons.map(({ dataset }) => dataset.figure)])) {
    cardOf(name)?.classList.toggle("wb-away", name !== shown);
  }
  for (const each of buttons) if (each.ariaPressed !== null) each.ariaPressed = String(each.dataset.figure === shown);
  requestAnimationFrame(() => Bokeh.index.find_one(figures(shown))?.invalidate_layout());
  document.dispatchEvent(new CustomEvent("wb-swapped"));
}

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

/** @param {string} tag @param {any} [properties] @param {...any} content */
export function elementOf(tag, properties = {}, ...content) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...content);
  return element;
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
