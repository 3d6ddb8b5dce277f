// Elements of a page: new ones, and all that match, those in shadows of others among them.

/** @param {string} selector @param {any} [root] @param {any[]} [found] @returns {any[]} */
export function deep(selector, root = document, found = []) {
  found.push(...root.querySelectorAll(selector));
  for (const element of root.querySelectorAll("*")) if (element.shadowRoot) deep(selector, element.shadowRoot, found);
  return found;
}

/**
 * Returns a new element.
 * @param {string} tag
 * @param {Record<string, any>} [properties]
 * @param {...(Node | string)} content
 */
export function element(tag, properties = {}, ...content) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...content);
  return made;
}
