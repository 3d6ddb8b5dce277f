// Made of workbench/pages/entries/dual_lab_light.js and what it imports: change those, and run: python -m workbench.pages.bundling
// dual_lab/light.js
function found(source, sample, columns) {
  const at = Array.from(source.data.sample).indexOf(sample);
  return columns.map((name) => at < 0 ? NaN : source.data[name][at]);
}
function light({ lit, duals, margins, terms, points }, _origin, data) {
  const { renderer, index, sample: named } = data ?? {};
  const hit = renderer && index.indices.length ? renderer.data_source.data.sample[index.indices[0]] : null;
  const old = lit.data.sample[0] ?? null;
  const sample = renderer ? hit : named === void 0 ? old : named;
  if (sample === null && old === null) return;
  const [dual_place, dual] = found(terms, sample, ["dual_place", "dual"]);
  const [place, value] = Number.isNaN(dual_place) ? found(duals, sample, ["place", "value"]) : [dual_place, dual];
  const [term_place, share] = found(terms, sample, ["place", "share"]);
  const [margin] = found(margins, sample, ["margin"]), [x, y] = points === void 0 ? [NaN, NaN] : found(points, sample, ["x", "y"]);
  const row = { sample, place, value, term_place, share, margin, x, y };
  const columns = Object.fromEntries(Object.entries(row).map(([name, value2]) => [name, sample === null ? [] : [value2]]));
  lit.setv({ data: columns }, { sync: false });
}
export {
  light as default
};
