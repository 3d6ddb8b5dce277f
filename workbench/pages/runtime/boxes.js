// The elements of a file that its script writes into and reads.

/**
 * @param {string} id
 * @returns {any} the element, or null
 */
export function box(id) {
  return document.getElementById(id);
}

/**
 * Which of its values a control has; a setting without a control has one.
 * @param {any} each
 */
export function placeOf(each) {
  return each === null ? 0 : each.tagName === "SELECT" ? each.selectedIndex : Number(each.value);
}
