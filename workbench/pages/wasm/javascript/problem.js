// A problem as kernels read it: the data, laid out once, and the facts of a loss and a regularizer.

import { Block, upTo } from "./kernels.js";

/**
 * An object with these names, each with what a function says of it.
 * @param {Record<string, any>} names
 * @param {(name: string) => any} value
 * @returns {Record<string, any>}
 */
function named(names, value) {
  return Object.fromEntries(Object.keys(names).map((name) => [name, value(name)]));
}

export class Data {
  /** @type {any} */ kernels;
  /** @type {any} */ n;
  /** @type {any} */ d;
  /** @type {any} */ free_bias;
  /** @type {any} */ spectrum;
  /** @type {any} */ y;
  /** @type {any} */ dense;
  /** @type {any} */ given;
  /** @type {any[]} */ blocks = [];
  /** @type {any} */ offsets;
  /** @type {any} */ indices;
  /** @type {any[]} */ values;
  /** @type {any} */ weight;
  /** @type {any} */ matrix;
  /** @type {any} */ steps;
  /** @type {Record<string, any>} */ scratch = {};
  /** @type {any} */ kernel;
  /** @type {any} */ linear;
  /** @type {any} */ made;

  /**
   * `matrix` holds rows: offsets, indices and values, the values empty where all are 1; or, where the matrix
   * is dense, the values alone.
   * @param {any} kernels @param {Record<string, any>} fields
   */
  constructor(kernels, { n, d, offsets, indices, values, y, weight, free_bias, kernel, spectrum = null }) {
    this.kernels = kernels;
    this.n = n;
    this.d = d;
    this.free_bias = free_bias;
    this.spectrum = spectrum;
    this.y = Float64Array.from(y);
    this.dense = offsets.length === 0;
    this.given = { offsets, indices, values };

    this.offsets = this.array("u64", offsets);
    this.indices = this.array("u32", indices);
    this.values = this.array("f64", values);
    this.weight = this.array("f64", weight);
    this.steps = { offsets: this.offsets, indices: this.indices, values: this.values };
    this.matrix = { ...this.steps, rows: n, columns: d, layout: this.dense ? 1 : 0 };

    this.kernel = kernel ? new KernelMatrix(this, kernel) : null;
  }

  // The matrix of the kernel, of x.x' where there is none.
  get kernelMatrix() {
    return this.kernel ?? (this.linear ??= new KernelMatrix(this, { code: 1, parameters: [] }));
  }

  // Offsets, indices and all values of the rows, without zeros; made when first asked for.
  get rows() {
    if (this.made) return this.made;
    const { indices, values } = this.given;
    const { n, d } = this;
    if (!this.dense) {
      const all = values.length ? this.values : this.array("f64", new Float64Array(indices.length).fill(1));
      return (this.made = { ...this.steps, values: all });
    }
    const ends = [0];
    const columns = [];
    const kept = [];
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < d; j++) {
        if (values[i * d + j] !== 0) {
          columns.push(j);
          kept.push(values[i * d + j]);
        }
      }
      ends.push(columns.length);
    }
    this.made = {
      offsets: this.array("u64", ends),
      indices: this.array("u32", columns),
      values: this.array("f64", kept),
    };
    return this.made;
  }

  /**
   * An array that lives as long as the data.
   * @param {string} kind @param {any} contents
   */
  array(kind, contents) {
    this.blocks.push(this.kernels.array(kind, contents));
    return this.blocks.at(-1);
  }

  /**
   * Space to work in, by name.
   * @param {string} name @param {number} size @param {string} [kind]
   */
  space(name, size, kind = "f64") {
    return (this.scratch[name] ??= this.array(kind, size));
  }

  release() {
    for (const block of this.blocks) block.release();
  }
}

class KernelMatrix {
  /** @type {any} */ diagonal;
  /** @type {any} */ arguments;
  /** @type {any} */ kernels;
  /** @type {any} */ n;

  /**
   * K on the samples; rows are kept where the matrix fits into MOST_BYTES. A page that moves points leaves out
   * the squares and the diagonal, as well as a given matrix where the kernel is a formula.
   * @param {any} data @param {Record<string, any>} fields
   */
  constructor(data, { code, parameters, diagonal, squares, given = null }) {
    const { kernels, n, d, rows } = data;
    const whole = given !== null || 8 * n * n <= KernelMatrix.MOST_BYTES;
    const offsets = rows.offsets.view;
    const values = rows.values.view;
    squares ??= Float64Array.from({ length: n }, (_, i) => {
      let sum = 0;
      for (let k = Number(offsets[i]); k < Number(offsets[i + 1]); k++) sum += values[k] * values[k];
      return sum;
    });
    diagonal ??= squares.map(/** @type {any} */ (KernelMatrix.DIAGONALS)[code](kernels.exports, parameters));
    /** @param {any} contents */
    const floats = (contents) => data.array("f64", contents);
    this.diagonal = floats(diagonal);
    const store = floats(given === null ? (whole ? n * n : 0) : given);
    this.arguments = {
      kind: code,
      parameters: floats(parameters),
      ...rows,
      squares: floats(squares),
      dense: floats(d),
      source: store,
      store,
      known: data.array("u8", n),
      everyone: data.array("u32", upTo(n)),
      is_whole: whole,
    };
    this.kernels = kernels;
    this.n = n;
  }

  /** @param {any} factors @param {any} out */
  product(factors, out) {
    out.view.fill(0);
    this.kernels.call("kernel_rows_product", this.arguments, factors, out);
  }
}
KernelMatrix.MOST_BYTES = 2 ** 27;
// K(x, x) from x.x by the code of the kernel: linear, rbf, polynomial.
KernelMatrix.DIAGONALS = {
  1: () => (/** @type {any} */ square) => square,
  2: () => () => 1,
  3:
    (/** @type {{ pow: any }} */ { pow }, /** @type {any[]} */ [gamma, constant, degree]) =>
    (/** @type {any} */ square) =>
      pow(gamma * square + constant, degree),
};

export class Problem {
  /** @type {any} */ kernels;
  /** @type {any} */ data;
  /** @type {any} */ loss;
  /** @type {any} */ regularizer;
  /** @type {any} */ lam;
  /** @type {any} */ n;
  /** @type {any} */ d;
  /** @type {any} */ lam_n;
  /** @type {any} */ weight;
  /** @type {any} */ sign;
  /** @type {any} */ shift;
  /** @type {any} */ theta;
  /** @type {any} */ samples;
  /** @type {any} */ functions;
  /** @type {any} */ weights;
  /** @type {any} */ transfer;
  /** @type {any} */ penalty;
  /** @type {any} */ zero_value;

  /** @param {any} data @param {any} loss @param {any} regularizer @param {number} lam */
  constructor(data, loss, regularizer, lam) {
    const { kernels, n, d, y } = data;
    this.kernels = kernels;
    this.data = data;
    this.loss = loss;
    this.regularizer = regularizer;
    this.lam = lam;
    this.n = n;
    this.d = d;
    this.lam_n = lam * n;
    this.weight = data.weight;
    const ones = new Float64Array(n).fill(1);
    const zeros = new Float64Array(n);
    // u is y z, z - y or z.
    const [sign, shift] = /** @type {Record<string, any>} */ ({
      margin: [y, zeros],
      residual: [ones, y.map((/** @type {number} */ t) => -t)],
      prediction: [ones, zeros],
    })[loss.kind];
    this.sign = data.space(`sign ${loss.kind}`, n);
    this.shift = data.space(`shift ${loss.kind}`, n);
    this.sign.view.set(sign);
    this.shift.view.set(shift);
    this.theta = kernels.floats(loss.theta);
    this.samples = {
      sign: this.sign,
      shift: this.shift,
      weight: this.weight,
      theta: this.theta,
      lower: loss.lower,
      upper: loss.upper,
    };
    const { loss: parts, regularizer: others } = kernels.functions.general_steps.arguments;
    this.functions = { loss: named(parts, (part) => this.p(part)), regularizer: named(others, (part) => this.h(part)) };
    this.weights = kernels.floats(regularizer.weights);
    this.transfer = kernels.floats(regularizer.theta);
    this.penalty = this.penaltyOf(regularizer.penalty);
    this.zero_value = this.lossAtZero();
  }

  /**
   * What a proximal point takes; null where there is none.
   * @param {Facts} facts
   */
  penaltyOf(facts) {
    if (!facts) return null;
    const { weights, theta, order, starts, group_weights } = facts;
    const { kernels } = this;
    return {
      ...facts,
      weights: kernels.floats(weights),
      theta: kernels.floats(theta),
      order: kernels.array("i64", order),
      starts: kernels.array("i64", starts),
      group_weights: kernels.floats(group_weights),
    };
  }

  release() {
    const penalty = Object.values(this.penalty ?? {}).filter((part) => part instanceof Block);
    for (const block of [this.theta, this.weights, this.transfer, ...penalty]) block.release();
  }

  /** @param {any} part */
  p(part) {
    return `${this.loss.functions}_${part}`;
  }

  /**
   * Of h = Phi(S), S = sum_j c_j phi(v_j): what is outside of the sum may be another regularizer's.
   * @param {any} part
   */
  h(part) {
    return `${part.startsWith("outer") ? this.regularizer.outer : this.regularizer.functions}_${part}`;
  }

  /**
   * X w into z, and X'alpha / (lam n) into v.
   * @param {any} w @param {number[]} z
   */
  predict(w, z) {
    this.kernels.call("products_predictions", this.data.matrix, w, 0, this.n, z);
  }

  /** @param {any} alpha @param {any} v */
  dualVector(alpha, v) {
    v.view.fill(0);
    this.kernels.call("products_transposed", this.data.matrix, alpha, 0, this.n, v);
    const values = v.view;
    for (let j = 0; j < this.d; j++) values[j] /= this.lam_n;
  }

  /**
   * h(v), and w = grad h(v) into w.
   * @param {any} v @param {any} w
   */
  map(v, w) {
    const theta = this.kernels.floats(this.transfer.view);
    const total = this.kernels.call(this.h("refresh"), this.weights, v, w, theta);
    const h = this.kernels.call(this.h("outer"), total, theta);
    if (total <= 0 && !this.regularizer.linear) w.view.fill(0);
    else {
      const factor = this.kernels.call(this.h("outer_slope"), total, theta);
      const values = w.view;
      for (let j = 0; j < this.d; j++) values[j] = factor * values[j];
    }
    theta.release();
    return h;
  }

  /** @param {any} nu @param {number} i */
  alphaOf(nu, i) {
    return 0 - this.weight.view[i] * this.sign.view[i] * nu;
  }

  // The mean loss at z = 0, the scale against which a gap is small.
  lossAtZero() {
    const { kernels, n } = this;
    const z = this.data.space("z", n);
    z.view.fill(0);
    const total = kernels.call("sample_loops_value_sum", this.p("value"), this.samples, z, 0, 0, n) / n;
    return Number.isFinite(total)
      ? total
      : this.weight.view.reduce((/** @type {any} */ a, /** @type {any} */ b) => a + b, 0) / n;
  }

  // Bounds of each x_i' h'' x_i / (lam n); null where there are none.
  curvatureBound() {
    const { curvature } = this.regularizer;
    return curvature && Float64Array.from(curvature, (each) => each / this.lam_n);
  }
}
