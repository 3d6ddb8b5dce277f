// @ts-check
// The Fenchel-Young loss of a few classes, of phi and its conjugate on [0, 1] with their slopes.

/**
 * @typedef {Record<string, number>} Theta - the parameters of phi
 * @typedef {number[]} Scores
 * @typedef {{ star: number, corner: number, score: number, loss: number }} Gap - the loss and its three numbers
 */

const STEPS = 200;
// For a picture. Omega* is least at the multiplier: off by this, m changes it by about the square of this.
export const ROUGH = 1e-6;

/**
 * Returns the loss of phi.
 * @param {Record<string, (...numbers: any[]) => number>} printed - phi, phi_slope, and value and slope of its conjugate
 * @param {Theta} theta
 */
export function lossOf(printed, theta) {
  const phi = (/** @type {number} */ u) => printed.phi(u, theta);
  const slope = (/** @type {number} */ u) => printed.phi_slope(u, theta);
  // Where a base rounds to below 0 its power is NaN: phi* has come to the end where the share is 0.
  const share = (/** @type {number} */ x) => printed.slope(x, theta) || 0;
  const conjugate = (/** @type {number} */ x) => {
    const value = printed.value(x, theta);
    return Number.isNaN(value) ? -phi(0) : value;
  };

  /**
   * Returns the m at which the shares add up to 1: between the ends false positions, every third time the middle.
   * @param {Scores} z
   * @param {number} tolerance
   */
  function multiplier(z, tolerance) {
    const excess = (/** @type {number} */ m) => z.reduce((sum, score) => sum + share(score - m), -1);
    const even = slope(1 / z.length);
    let low = Math.max(Math.max(...z) - slope(1), Math.min(...z) - even);
    let high = Math.max(...z) - even;
    let [above, below] = [excess(low), excess(high)];
    if (!(above > 0)) return low;
    if (!(below < 0)) return high;
    for (let k = 0; k < STEPS && high - low > tolerance; k += 1) {
      const middle = 0.5 * (low + high);
      let m = k % 3 === 2 ? middle : low + ((high - low) * above) / (above - below);
      if (!(low < m && m < high)) m = middle;
      if (!(low < m && m < high)) break;
      const value = excess(m);
      if (value === 0) return m;
      if (value > 0) [low, above] = [m, value];
      else [high, below] = [m, value];
    }
    return above < -below ? low : high;
  }

  /**
   * Returns grad Omega*(z).
   * @param {Scores} z
   * @param {number} [tolerance]
   */
  function predict(z, tolerance = 0) {
    const m = multiplier(z, tolerance);
    const shares = z.map((score) => share(score - m));
    const total = shares.reduce((sum, each) => sum + each, 0);
    return shares.map((each) => each / total);
  }

  /**
   * Returns Omega*(z), the least m + sum_j phi*(z_j - m) over m.
   * @param {Scores} z
   * @param {number} [tolerance]
   */
  function omegaStar(z, tolerance = 0) {
    const m = multiplier(z, tolerance);
    return z.reduce((sum, score) => sum + conjugate(score - m), m);
  }

  /**
   * Returns Omega(e_y), which is the same at every corner.
   * @param {number} count
   */
  const omegaCorner = (count) => phi(1) + (count - 1) * phi(0);

  /**
   * Returns the loss with the three numbers that it is made of.
   * @param {Scores} z
   * @param {number} label
   * @param {number} [tolerance]
   * @returns {Gap}
   */
  function gap(z, label, tolerance = 0) {
    const [star, corner] = [omegaStar(z, tolerance), omegaCorner(z.length)];
    return { star, corner, score: z[label], loss: star + corner - z[label] };
  }

  /** Returns the lead of the true class's score at which the loss becomes 0: the rise of phi' from 0 to 1. */
  const margin = () => slope(1) - slope(0);

  return { slope, predict, omegaStar, omegaCorner, gap, margin };
}
