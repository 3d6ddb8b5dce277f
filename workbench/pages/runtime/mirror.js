// h = outer(sum_j c_j inner(v_j)), grad h and g in the d coordinates of c, of formulas that were printed.
/** @param {any} formulas @param {any} c @param {Record<string, any>} theta @param {Record<string, any>} fields */
export function mirror(formulas, c, theta, { linear, lower }) {
  const d = c.length;
  /** @param {any} v */
  const sum = (v) => {
    let total = 0;
    for (let j = 0; j < d; j += 1) total += c[j] * formulas.inner(v[j], theta);
    return total;
  };
  /** @param {any} w */
  const size = (w) => {
    let total = 0;
    for (let j = 0; j < d; j += 1) {
      if (w[j] < lower) return Infinity;
      total += formulas.primal(w[j], c[j], theta);
    }
    return total;
  };
  /** @param {any} v */
  const map = (v) => {
    const total = sum(v);
    if (!linear && !(total > 0)) return Array.from(v, () => 0);
    const factor = formulas.outer_slope(total, theta);
    return Array.from(v, (x, j) => factor * c[j] * formulas.slope(x, theta));
  };
  /** @param {any} total */
  const outer = (total) => formulas.outer(total, theta);
  /** @param {any} total */
  const primalOuter = (total) => formulas.primal_outer(total, theta);
  return {
    sum,
    size,
    map,
    outer,
    primal_outer: primalOuter,
    h: (/** @type {any} */ v) => outer(sum(v)),
    g: (/** @type {any} */ w) => primalOuter(size(w)),
  };
}
