// A symbol of a formula that names what is drawn lights it: all else in the same figures fades. A renderer is
// named by its `name` or its glyph's `tags`; what names it has them in `data-curve`, separated by spaces. Beside the
// formula a row or a column of a table is named by its `data-part`.

let faded = [];

const all_models = () => Bokeh.documents.flatMap((each) => [...each._all_models.values()]);

function light_curves(names) {
  // What the pointer is over is no news to the server.
  for (const each of faded) each.setv({ muted: false }, { sync: false });
  faded = [];
  if (!names.length) return;
  const named = ({ name, glyph }) => names.some((each) => each === name || glyph?.tags.includes(each));
  for (const { renderers } of all_models().filter(({ type }) => type === "Figure")) {
    if (!renderers.some(named)) continue;
    faded.push(...renderers.filter((each) => each.type === "GlyphRenderer" && !each.muted && !named(each)));
  }
  for (const each of faded) each.setv({ muted: true }, { sync: false });
}

const curves_of = (element) => (element?.dataset.curve ?? "").split(" ").filter(Boolean);

// A formula listens itself: what moves within one shadow root is not heard outside of it.
export function follow_light(formula) {
  const light = (names) => {
    light_curves(names);
    for (const part of formula.getRootNode().querySelectorAll("[data-part]")) {
      part.classList.toggle("lit", names.includes(part.dataset.part));
    }
  };
  formula.shadowRoot.addEventListener("mouseover", ({ target }) => light(curves_of(target.closest("[data-curve]"))));
  formula.addEventListener("mouseleave", () => light([]));
  formula.addEventListener("focus", () => light(curves_of(formula)));
  formula.addEventListener("blur", () => light([]));
}
