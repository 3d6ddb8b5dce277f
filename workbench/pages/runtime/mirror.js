// h = outer(sum_j c_j inner(v_j)), grad h and g in the d coordinates of c, of formulas that were printed.
export function mirror(formulas, c, theta, { linear, lower }) {
  const d = c.length;
  const sum = (v) => {
    let total = 0;
    for (let j = 0; j < d; j += 1) total += c[j] * formulas.inner(v[j], theta);
    return total;
  };
  const size = (w) => {
    let total = 0;
    for (let j = 0; j < d; j += 1) {
      if (w[j] < lower) return Infinity;
      total += formulas.primal(w[j], c[j], theta);
    }
    return total;
  };
  const map = (v) => {
    const total = sum(v);
    if (!linear && !(total > 0)) return Array.from(v, () => 0);
    const factor = formulas.outer_slope(total, theta);
    return Array.from(v, (x, j) => factor * c[j] * formulas.slope(x, theta));
  };
  const outer = (total) => formulas.outer(total, theta);
  const primal_outer = (total) => formulas.primal_outer(total, theta);
  return { sum, size, map, outer, primal_outer, h: (v) => outer(sum(v)), g: (w) => primal_outer(size(w)) };
}
