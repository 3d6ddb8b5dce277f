// Lights one sample in every figure that has it, and in the plane where samples are `points`: the one under the pointer, or the one that a table's row names.
// Runs when a point is hovered, when a row is (with `sample` in `cb_data`), and when the figures are filled anew.

const { renderer, index, sample: named } = cb_data ?? {};
const hit = renderer && index.indices.length ? renderer.data_source.data.sample[index.indices[0]] : null;
const old = lit.data.sample[0] ?? null;
const sample = renderer ? hit : named === undefined ? old : named;

// A row of a source with these columns at the sample; where it is not drawn, a place that is none.
function found(source, ...columns) {
  const at = Array.from(source.data.sample).indexOf(sample);
  return columns.map((name) => (at < 0 ? NaN : source.data[name][at]));
}

if (sample !== null || old !== null) {
  const [dual_place, dual] = found(terms, "dual_place", "dual");
  const [margin, here, height] = found(margins, "margin", "place", "value");
  const [place, value] = Number.isNaN(dual_place) ? found(duals, "place", "value") : [dual_place, dual];
  const [term_place, share] = found(terms, "place", "share");
  const [x, y] = typeof points === "undefined" ? [NaN, NaN] : found(points, "x", "y");
  const row = {
    sample, place: Number.isNaN(place) ? here : place, value: Number.isNaN(value) ? height : value, term_place, share, margin, x, y,
  };
  const data = Object.fromEntries(Object.entries(row).map(([name, x]) => [name, sample === null ? [] : [x]]));
  // What the pointer is over is no news to the server.
  lit.setv({ data }, { sync: false });
}
