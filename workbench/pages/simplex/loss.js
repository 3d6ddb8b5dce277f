// The Fenchel-Young loss of a few classes. `printed` holds phi and its conjugate on [0, 1] with their slopes.

import { printed } from "../runtime/printed.js";

const STEPS = 200;
// For a picture. Omega* is least at the multiplier: off by this, m changes it by about the square of this.
export const ROUGH = 1e-6;

/**
 * Where a base rounds to below 0 its power is NaN: phi* has come to the end where the share is 0.
 * @param {number} x @param {Record<string, any>} theta
 */
function share(x, theta) {
  const found = printed.slope(x, theta);
  return Number.isNaN(found) ? 0 : found;
}

/** @param {number} x @param {Record<string, any>} theta */
function conjugate(x, theta) {
  const found = printed.value(x, theta);
  return Number.isNaN(found) ? -printed.phi(0, theta) : found;
}

/**
 * The m at which the shares add up to 1: between the ends false positions, every third time the middle.
 * @param {number[]} z @param {Record<string, any>} theta @param {number} [tolerance]
 */
function multiplier(z, theta, tolerance = 0) {
  /** @param {number} m */
  const excess = (m) => z.reduce((sum, each) => sum + share(each - m, theta), -1);
  const even = printed.phi_slope(1 / z.length, theta);
  let low = Math.max(Math.max(...z) - printed.phi_slope(1, theta), Math.min(...z) - even);
  let high = Math.max(...z) - even;
  let [above, below] = [excess(low), excess(high)];
  if (!(above > 0)) return low;
  if (!(below < 0)) return high;
  for (let k = 0; k < STEPS && high - low > tolerance; k += 1) {
    const middle = 0.5 * (low + high);
    let m = k % 3 === 2 ? middle : low + ((high - low) * above) / (above - below);
    if (!(low < m && m < high)) m = middle;
    if (!(low < m && m < high)) break;
    const found = excess(m);
    if (found === 0) return m;
    if (found > 0) [low, above] = [m, found];
    else [high, below] = [m, found];
  }
  return above < -below ? low : high;
}

/**
 * grad Omega*(z).
 * @param {number[]} z @param {Record<string, any>} theta @param {number} [tolerance]
 */
export function predict(z, theta, tolerance = 0) {
  const m = multiplier(z, theta, tolerance);
  const shares = z.map((each) => share(each - m, theta));
  const total = shares.reduce((sum, each) => sum + each, 0);
  return shares.map((each) => each / total);
}

/**
 * Omega*(z) = min over m of m + sum_j phi*(z_j - m).
 * @param {number[]} z @param {Record<string, any>} theta @param {number} [tolerance]
 */
export function omegaStar(z, theta, tolerance = 0) {
  const m = multiplier(z, theta, tolerance);
  return z.reduce((sum, each) => sum + conjugate(each - m, theta), m);
}

/**
 * Omega(e_y), of every corner the same.
 * @param {number} count @param {Record<string, any>} theta
 */
export function omegaCorner(count, theta) {
  return printed.phi(1, theta) + (count - 1) * printed.phi(0, theta);
}

/**
 * The loss with the three numbers that it is made of.
 * @param {any} z @param {string} label @param {Record<string, any>} theta @param {number} [tolerance]
 */
export function gap(z, label, theta, tolerance = 0) {
  const [star, corner] = [omegaStar(z, theta, tolerance), omegaCorner(z.length, theta)];
  return { star, corner, score: z[label], loss: star + corner - z[label] };
}

/**
 * How far the score of the true class must lead for a loss of 0: what phi' rises by from 0 to 1.
 * @param {Record<string, any>} theta
 */
export function margin(theta) {
  return printed.phi_slope(1, theta) - printed.phi_slope(0, theta);
}
