// A symbol of a formula that names what is drawn lights it: all else in the same figures fades. A renderer is
// named by its `name` or its `tags`; what names it has them in `data-curve`, separated by spaces.

let faded = [];

const all_models = () => Bokeh.documents.flatMap((each) => [...each._all_models.values()]);

function light(names) {
  // What the pointer is over is no news to the server.
  for (const each of faded) each.setv({ muted: false }, { sync: false });
  faded = [];
  if (!names.length) return;
  const named = ({ name, tags }) => names.some((each) => each === name || tags.includes(each));
  for (const { renderers } of all_models().filter(({ type }) => type === "Figure")) {
    if (!renderers.some(named)) continue;
    faded.push(...renderers.filter((each) => each.type === "GlyphRenderer" && !each.muted && !named(each)));
  }
  for (const each of faded) each.setv({ muted: true }, { sync: false });
}

let lit = "";

function follow_light(event) {
  const all = event.type === "focusin"; // a whole formula, of which the pointer means one symbol
  const meant = (each) => each.dataset?.curve && (all || !each.matches("wb-tex"));
  const names = event.composedPath().find(meant)?.dataset.curve ?? "";
  if (names === lit) return;
  lit = names;
  light(names.split(" ").filter(Boolean));
}

for (const moved of ["mouseover", "focusin"]) document.addEventListener(moved, follow_light);
document.addEventListener("focusout", ({ relatedTarget }) => { if (!relatedTarget) follow_light({ composedPath: () => [] }); });
