// @ts-check
// The theme of a host: dark where the ground behind the page is.

const OPAQUE = 0.5;

/**
 * Returns red, green, blue and opacity of a colour as browsers compute it, from 0 to 1.
 * @param {string} colour
 */
export function channels(colour) {
  const numbers = (colour.match(/[\d.]+/g) ?? []).map(Number);
  // Elements outside of the document have no colour.
  if (numbers.length < 3) return { red: 0, green: 0, blue: 0, opacity: 0 };
  const [red, green, blue, opacity = 1] = numbers;
  const scale = colour.startsWith("color(") ? 1 : 255;
  return { red: red / scale, green: green / scale, blue: blue / scale, opacity };
}

/**
 * Returns true if a colour is nearer to black than to white for the eye.
 * @param {string} colour
 */
export function isDarkColour(colour) {
  const { red, green, blue } = channels(colour);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue < 0.4;
}

/**
 * Returns true if the first opaque ground behind an element is dark.
 * @param {Element} el
 */
export function isOnDark(el) {
  /** @type {Element | null} */
  let element = el;
  while (element) {
    const colour = getComputedStyle(element).backgroundColor;
    if (channels(colour).opacity >= OPAQUE) return isDarkColour(colour);
    /** @type {Node | null} */
    const parent = element.parentNode;
    element = parent instanceof ShadowRoot ? parent.host : parent instanceof Element ? parent : null;
  }
  const { backgroundColor } = getComputedStyle(document.body);
  return channels(backgroundColor).opacity >= OPAQUE && isDarkColour(backgroundColor);
}

/**
 * Tells of the theme at once and after each change; returns a function that ends it.
 * @param {Element} el
 * @param {(isDark: boolean) => void} then
 */
export function watchTheme(el, then) {
  /** @type {boolean | null} */
  let last = null;
  const look = () => {
    const isDark = isOnDark(el);
    if (isDark !== last) then(isDark);
    last = isDark;
  };
  const observer = new MutationObserver(() => requestAnimationFrame(look));
  for (const element of [document.documentElement, document.body]) observer.observe(element, { attributes: true });
  look();
  // Some hosts put the element into the document after the page was opened.
  requestAnimationFrame(look);
  return () => observer.disconnect();
}
