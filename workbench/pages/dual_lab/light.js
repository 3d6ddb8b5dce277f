// Lights one sample in every figure that has it, and in the plane where samples are `points`: the one under the pointer, or the one that a table's row names.
// Runs when a point is hovered, when a row is (with `sample` in `cb_data`), and when the figures are filled anew.

/**
 * A row of a source with these columns at the sample; NaN where it is not drawn.
 * @param {any} source @param {any} sample @param {any} columns
 */
function found(source, sample, columns) {
  const at = Array.from(source.data.sample).indexOf(sample);
  return columns.map((/** @type {string} */ name) => (at < 0 ? NaN : source.data[name][at]));
}

/**
 * @param {{ lit: any, duals: any, margins: any, terms: any, points: any[] }} fields
 * @param {any} _origin
 * @param {any} data
 */
export default function light({ lit, duals, margins, terms, points }, _origin, data) {
  const { renderer, index, sample: named } = data ?? {};
  const hit = renderer && index.indices.length ? renderer.data_source.data.sample[index.indices[0]] : null;
  const old = lit.data.sample[0] ?? null;
  const sample = renderer ? hit : named === undefined ? old : named;
  if (sample === null && old === null) return;
  const [dualPlace, dual] = found(terms, sample, ["dual_place", "dual"]);
  const [margin, here, height] = found(margins, sample, ["margin", "place", "value"]);
  const [place, value] = Number.isNaN(dualPlace) ? found(duals, sample, ["place", "value"]) : [dualPlace, dual];
  const [termPlace, share] = found(terms, sample, ["place", "share"]);
  const [x, y] = points === undefined ? [NaN, NaN] : found(points, sample, ["x", "y"]);
  const row = {
    sample,
    place: Number.isNaN(place) ? here : place,
    value: Number.isNaN(value) ? height : value,
    term_place: termPlace,
    share,
    margin,
    x,
    y,
  };
  const columns = Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, sample === null ? [] : [value]]),
  );
  // The server does not need to hear what the pointer is over.
  lit.setv({ data: columns }, { sync: false });
}
