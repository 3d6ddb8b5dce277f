// A symbol of a formula that names what is drawn lights it: all else in the same figures fades. A renderer is
// named by its `name` or its glyph's `tags`; what names it has them in `data-curve`, separated by spaces. Beside the
// formula a row or a column of a table is named by its `data-part`.

import { modelsAround } from "./own_bokeh.js";

/** @type {any[]} */
let faded = [];

/** @param {string[]} names @param {any[]} models */
function lightCurves(names, models) {
  // The server does not learn what the pointer is over.
  for (const each of faded) each.setv({ muted: false }, { sync: false });
  faded = [];
  if (!names.length) return;
  /** @param {{ name: string, glyph: any }} fields */
  const named = ({ name, glyph }) => names.some((each) => each === name || glyph?.tags.includes(each));
  for (const { renderers } of models.filter(({ type }) => type === "Figure")) {
    if (!renderers.some(named)) continue;
    faded.push(
      ...renderers.filter((/** @type {any} */ each) => each.type === "GlyphRenderer" && !each.muted && !named(each)),
    );
  }
  for (const each of faded) each.setv({ muted: true }, { sync: false });
}

/** @param {HTMLElement} element */
const curvesOf = (element) => (element?.dataset.curve ?? "").split(" ").filter(Boolean);

/**
 * A formula listens itself: what moves within one shadow root is not heard outside of it.
 * @param {any} formula
 */
export function followLight(formula) {
  /** @param {string[]} names */
  const light = (names) => {
    lightCurves(names, modelsAround(formula));
    for (const part of formula.getRootNode().querySelectorAll("[data-part]")) {
      part.classList.toggle("lit", names.includes(part.dataset.part));
    }
  };
  formula.shadowRoot.addEventListener("mouseover", (/** @type {{ target: any }} */ { target }) =>
    light(curvesOf(target.closest("[data-curve]"))),
  );
  formula.addEventListener("mouseleave", () => light([]));
  formula.addEventListener("focus", () => light(curvesOf(formula)));
  formula.addEventListener("blur", () => light([]));
}
