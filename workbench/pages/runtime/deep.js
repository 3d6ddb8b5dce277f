// Elements of a page, those in shadows of others among them.

/** @param {string} selector @param {any} [root] @param {any[]} [found] @returns {any[]} */
export function deep(selector, root = document, found = []) {
  found.push(...root.querySelectorAll(selector));
  for (const element of root.querySelectorAll("*")) if (element.shadowRoot) deep(selector, element.shadowRoot, found);
  return found;
}
