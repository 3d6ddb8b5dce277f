// A problem as kernels read it: the data, laid out once, and the facts of a loss and a regularizer.

import { Block } from "./kernels.js";

export class Data {
  // `matrix` holds rows: offsets, indices and values, the values empty where all are 1; or, where the matrix
  // is dense, the values alone.
  constructor(kernels, { n, d, offsets, indices, values, y, weight, free_bias, kernel, spectrum = null }) {
    Object.assign(this, { kernels, n, d, free_bias, spectrum, y: Float64Array.from(y), dense: offsets.length === 0 });
    this.given = { offsets, indices, values };
    this.blocks = [];
    this.offsets = this.array("u64", offsets);
    this.indices = this.array("u32", indices);
    this.values = this.array("f64", values);
    this.weight = this.array("f64", weight);
    this.steps = { offsets: this.offsets, indices: this.indices, values: this.values };
    this.matrix = { ...this.steps, rows: n, columns: d, layout: this.dense ? 1 : 0 };
    this.scratch = {};
    this.kernel = kernel ? new KernelMatrix(this, kernel) : null;
  }

  // The matrix of the kernel, of x.x' where there is none.
  get kernel_matrix() {
    return this.kernel ?? (this.linear ??= new KernelMatrix(this, { code: 1, parameters: [] }));
  }

  // Offsets, indices and all values of the rows, without zeros; made when first asked for.
  get rows() {
    if (this.made) return this.made;
    const { indices, values } = this.given, { n, d } = this;
    if (!this.dense) {
      const all = values.length ? this.values : this.array("f64", new Float64Array(indices.length).fill(1));
      return (this.made = { ...this.steps, values: all });
    }
    const ends = [0], columns = [], kept = [];
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < d; j++) {
        if (values[i * d + j] !== 0) { columns.push(j); kept.push(values[i * d + j]); }
      }
      ends.push(columns.length);
    }
    const offsets = this.array("u64", ends), columns_of = this.array("u32", columns);
    return (this.made = { offsets, indices: columns_of, values: this.array("f64", kept) });
  }

  // An array that lives as long as the data.
  array(kind, contents) {
    this.blocks.push(this.kernels.array(kind, contents));
    return this.blocks.at(-1);
  }

  // Space to work in, by name.
  space(name, size, kind = "f64") {
    return (this.scratch[name] ??= this.array(kind, size));
  }

  release() { for (const block of this.blocks) block.release(); }
}

class KernelMatrix {
  // K on the samples; rows are kept where the matrix fits into MOST_BYTES. A page that moves points leaves out
  // the squares and the diagonal, as well as a given matrix where the kernel is a formula.
  constructor(data, { code, parameters, diagonal, squares, given = null }) {
    const { kernels, n, d, rows } = data;
    const whole = given !== null || 8 * n * n <= KernelMatrix.MOST_BYTES;
    const offsets = rows.offsets.view, values = rows.values.view;
    squares ??= Float64Array.from({ length: n }, (_, i) => {
      let sum = 0;
      for (let k = Number(offsets[i]); k < Number(offsets[i + 1]); k++) sum += values[k] * values[k];
      return sum;
    });
    diagonal ??= squares.map(KernelMatrix.DIAGONALS[code](kernels.exports, parameters));
    const floats = (contents) => data.array("f64", contents);
    this.diagonal = floats(diagonal);
    const store = floats(given === null ? (whole ? n * n : 0) : given);
    this.arguments = [
      code, floats(parameters), rows.offsets, rows.indices, rows.values, floats(squares), floats(d), store, store, data.array("u8", n),
      data.array("u32", Uint32Array.from({ length: n }, (_, i) => i)), whole,
    ];
    Object.assign(this, { kernels, n });
  }

  product(factors, out) {
    out.view.fill(0);
    this.kernels.call("kernel_rows_product", this.arguments, factors, out);
  }
}
KernelMatrix.MOST_BYTES = 2 ** 27;
// K(x, x) from x.x by the code of the kernel: linear, rbf, polynomial.
KernelMatrix.DIAGONALS = {
  1: () => (square) => square,
  2: () => () => 1,
  3: ({ pow }, [gamma, constant, degree]) => (square) => pow(gamma * square + constant, degree),
};

// An object with these names, each with what a function says of it.
function named(names, value) { return Object.fromEntries(Object.keys(names).map((name) => [name, value(name)])); }

export class Problem {
  constructor(data, loss, regularizer, lam) {
    const { kernels, n, d, y } = data;
    Object.assign(this, { kernels, data, loss, regularizer, lam, n, d, lam_n: lam * n, weight: data.weight });
    const ones = new Float64Array(n).fill(1), zeros = new Float64Array(n);
    // u is y z, z - y or z.
    const [sign, shift] = { margin: [y, zeros], residual: [ones, y.map((t) => -t)], prediction: [ones, zeros] }[loss.kind];
    this.sign = data.space(`sign ${loss.kind}`, n);
    this.shift = data.space(`shift ${loss.kind}`, n);
    this.sign.view.set(sign);
    this.shift.view.set(shift);
    this.theta = kernels.floats(loss.theta);
    const { sign: s, shift: t, weight, theta } = this, { lower, upper } = loss;
    this.samples = { sign: s, shift: t, weight, theta, lower, upper };
    const { loss: parts, regularizer: others } = kernels.functions.general_steps.arguments;
    this.functions = { loss: named(parts, (part) => this.p(part)), regularizer: named(others, (part) => this.h(part)) };
    this.weights = kernels.floats(regularizer.weights);
    this.transfer = kernels.floats(regularizer.theta);
    this.penalty = this.penalty_of(regularizer.penalty);
    this.zero_value = this.loss_at_zero();
  }

  // What a proximal point takes; null where there is none.
  penalty_of(facts) {
    if (!facts) return null;
    const { weights, theta, order, starts, group_weights } = facts, { kernels } = this;
    const groups = { order: kernels.array("i64", order), starts: kernels.array("i64", starts) };
    const floats = { weights, theta, group_weights };
    return { ...facts, ...groups, ...named(floats, (name) => kernels.floats(floats[name])) };
  }

  release() {
    const penalty = Object.values(this.penalty ?? {}).filter((part) => part instanceof Block);
    for (const block of [this.theta, this.weights, this.transfer, ...penalty]) block.release();
  }

  p(part) { return `${this.loss.functions}_${part}`; }

  // Of h = Phi(S), S = sum_j c_j phi(v_j): what is outside of the sum may be another regularizer's.
  h(part) { return `${part.startsWith("outer") ? this.regularizer.outer : this.regularizer.functions}_${part}`; }

  // X w into z, and X'alpha / (lam n) into v.
  predict(w, z) { this.kernels.call("products_predictions", this.data.matrix, w, 0, this.n, z); }

  dual_vector(alpha, v) {
    v.view.fill(0);
    this.kernels.call("products_transposed", this.data.matrix, alpha, 0, this.n, v);
    const values = v.view;
    for (let j = 0; j < this.d; j++) values[j] /= this.lam_n;
  }

  // h(v), and w = grad h(v) into w.
  map(v, w) {
    const theta = this.kernels.floats(this.transfer.view);
    const total = this.kernels.call(this.h("refresh"), this.weights, v, w, theta);
    const h = this.kernels.call(this.h("outer"), total, theta);
    if (total <= 0 && !this.regularizer.linear) w.view.fill(0);
    else {
      const factor = this.kernels.call(this.h("outer_slope"), total, theta), values = w.view;
      for (let j = 0; j < this.d; j++) values[j] = factor * values[j];
    }
    theta.release();
    return h;
  }

  alpha_of(nu, i) { return 0 - this.weight.view[i] * this.sign.view[i] * nu; }

  // The mean loss at z = 0, the scale against which a gap is small.
  loss_at_zero() {
    const { kernels, n } = this, z = this.data.space("z", n);
    z.view.fill(0);
    const total = kernels.call("sample_loops_value_sum", this.p("value"), this.samples, z, 0, 0, n) / n;
    return Number.isFinite(total) ? total : this.weight.view.reduce((a, b) => a + b, 0) / n;
  }

  // Bounds of each x_i' h'' x_i / (lam n); null where there are none.
  curvature_bound() {
    const { curvature } = this.regularizer;
    return curvature && Float64Array.from(curvature, (each) => each / this.lam_n);
  }
}
