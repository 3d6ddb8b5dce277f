// @ts-check
// h, its gradient and g of a regularizer in any number of coordinates.

import { compiled } from "../runtime/hosts/printed.js";
import { mirror } from "../runtime/mirror.js";

/**
 * Returns the parameters of a regularizer as its formulas take them.
 * @param {Record<string, any>} settings
 * @param {any} shape
 */
export function parametersOf(settings, shape) {
  const theta = Object.fromEntries(Object.keys(shape.parameters).map((name) => [name, settings[name]]));
  // The total A of the normalized entropy is the sum of its priors.
  return shape.kind === "simplex" ? { ...theta, total: theta.mu_1 + theta.mu_2 } : theta;
}

/**
 * Returns the weight c_j of each of d coordinates.
 * @param {any} shape
 * @param {Record<string, number>} theta
 * @param {number} d
 */
function weights({ kind, weights: rule }, theta, d) {
  const indices = Array.from({ length: d }, (_, j) => j);
  if (rule === "K") return indices.map((j) => (j === 0 || d > 2 ? 1 / theta.K : 1));
  if (rule === "1") return indices.map(() => 1);
  const priors = indices.map((j) => (j % 2 === 0 ? theta.mu_1 : theta.mu_2));
  const total = kind === "simplex" ? priors.reduce((sum, each) => sum + each, 0) : 1;
  return priors.map((each) => each / total);
}

/**
 * Returns the norm with an exponent from 1 to infinity.
 * @param {number} exponent
 * @returns {(x: number[]) => number}
 */
function norm(exponent) {
  if (exponent === Infinity) return (x) => x.reduce((most, e) => Math.max(most, Math.abs(e)), 0);
  if (exponent === 1) return (x) => x.reduce((sum, e) => sum + Math.abs(e), 0);
  if (exponent === 2) return (x) => Math.hypot(...x);
  return (x) => x.reduce((sum, e) => sum + Math.abs(e) ** exponent, 0) ** (1 / exponent);
}

/**
 * Returns h, its gradient and g in d coordinates.
 * @param {any} shape
 * @param {Record<string, number>} theta
 * @param {Record<string, any>} answers - the formulas that Python printed
 * @param {number} d
 */
export function regularizer(shape, theta, { formulas }, d) {
  if (shape.kind !== "norm") return mirror(compiled(formulas), weights(shape, theta, d), theta, formulas);
  const { exponent } = shape;
  const [size, dual] = [norm(exponent), norm(exponent === 1 ? Infinity : exponent / (exponent - 1) || 1)];
  return {
    sum: dual,
    size,
    g: size,
    h: (/** @type {number[]} */ v) => (dual(v) <= 1 ? 0 : Infinity),
    map: (/** @type {number[]} */ v) => (dual(v) < 1 ? v.map(() => 0) : v.map(() => NaN)),
  };
}
