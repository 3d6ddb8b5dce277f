// From a visitor's file to what the engine takes: labels and scaled columns as `tables/uploads.py` and `data/split.py`
// make them, and those facts of a regularizer that depend on the data, as `wasm/bundle.py` packs them.

import { formatText, quoted, written } from "../runtime/wording.js";
import { CustomFile } from "./custom_file.js";

// Samples in rows without zeros: n, d, y and rows.
class Samples {
  n = 0;
  d = 0;
  /** @type {any} */ y;
  /** @type {any} */ rows;

  /**
   * The samples with a feature that is always 1, then mirrored where asked for.
   * @param {any} signed
   */
  data(signed) {
    const { n, rows } = this;
    const own = this.d + 1;
    const factor = signed ? 2 : 1;
    const size = factor * (rows.values.length + n);
    const offsets = new Uint32Array(n + 1);
    const indices = new Uint32Array(size);
    const values = new Float64Array(size);
    let at = 0;
    /** @param {any} column @param {number} value */
    const put = (column, value) => {
      indices[at] = column;
      values[at++] = value;
    };
    for (let i = 0; i < n; i++) {
      for (let half = 0; half < factor; half++) {
        const sign = half ? -1 : 1;
        for (let k = rows.offsets[i]; k < rows.offsets[i + 1]; k++)
          put(half * own + rows.indices[k], sign * rows.values[k]);
        put(half * own + this.d, sign);
      }
      offsets[i + 1] = at;
    }
    return {
      n,
      d: factor * own,
      offsets,
      indices,
      values: values.every((value) => value === 1) ? new Float64Array(0) : values,
      y: this.y,
      weight: new Float64Array(n).fill(1),
      free_bias: false,
      kernel: null,
      spectrum: null,
    };
  }
}

export class CustomData extends Samples {
  /** @type {any} */ rules;
  /** @type {any} */ label;
  /** @type {any} */ target;
  /** @type {any} */ dense;
  /** @type {string[]} */ names = [];
  name = "";
  /** @type {any} */ classes;
  /** @type {any} */ positive;
  /** @type {any} */ y;
  /** @type {any} */ rows;

  /**
   * `read` is what `CustomFile.read` found.
   * @param {any} rules @param {any} read
   */
  constructor(rules, read) {
    super();
    this.rules = rules;
    this.name = read.name;
    this.n = read.n;
    this.d = read.d;
    this.names = read.names;
    this.label = read.label;
    this.target = read.target;
    this.dense = read.dense;
    const values = Array.from(new Set(read.labels)).sort(
      typeof read.labels[0] === "string" ? undefined : (a, b) => a - b,
    );
    /** @param {string} name @param {any} [values_] */
    const refuse = (name, values_) => new CustomFile(rules, read.name).refuse(name, values_);
    if (read.n < 2) refuse("one_sample");
    this.classes = this.areClasses(values) ? values : null;
    if (this.classes) {
      const { most_classes } = rules;
      const shown = `'${this.written(values[0])}'`;
      if (values.length < 2) refuse("one_class", { label: shown });
      if (values.length > most_classes) refuse("many_classes", { count: values.length, most: most_classes });
    }
    this.positive = values.at(-1);
    this.y = Float64Array.from(read.labels, (label) => (this.classes ? (label === this.positive ? 1 : -1) : label));
    this.rows = read.dense ? scaledTable(read) : scaledPairs(read);
    if (!this.rows.values.every(Number.isFinite)) refuse("unscalable");
  }

  /**
   * Texts are classes, and so are a few whole numbers.
   * @param {number[]} values
   */
  areClasses(values) {
    return typeof values[0] === "string" || (values.length <= this.rules.few && values.every(Number.isInteger));
  }

  /** @param {string} label */
  written(label) {
    return typeof label === "string" ? label : written(label, ".15g");
  }

  /**
   * What was read and how it is used, in words.
   * @param {Record<string, any>} texts
   */
  summary(texts) {
    const { name: where, n, d, classes, positive } = this;
    const values = {
      where,
      n,
      d,
      label: this.label === null ? texts.custom_first : formatText(texts.custom_column, { label: this.label }),
      scaled: this.dense ? texts.custom_dense : texts.custom_sparse,
    };
    if (!classes) return formatText(texts.custom_numbers, values);
    const negative =
      classes.length > 2 ? texts.custom_rest : formatText(texts.custom_class, { label: this.written(classes[0]) });
    return formatText(texts.custom_classes, { ...values, positive: this.written(positive), negative });
  }

  // What `wb.data.load` takes to make the same data of the file, as Python writes it.
  get options() {
    const positive = typeof this.positive === "string" ? quoted(this.positive) : String(this.positive);
    return [
      ...(this.target === null ? [] : [["target", String(this.target)]]),
      ...(this.classes ? [["positive", positive]] : []),
      ["standardize", "True"],
    ];
  }
}

// Points in the plane, {X, y}.
export class PlaneSamples extends Samples {
  /** @type {any} */ n;
  d = 2;
  /** @type {any} */ y;
  /** @type {any} */ rows;

  /** @param {{ X: any, y: any }} fields */
  constructor({ X, y }) {
    super();
    const rows = sparseOf(X.length, (/** @type {number} */ i, /** @type {any} */ put) =>
      X[i].forEach((/** @type {number} */ value, /** @type {number} */ j) => put(j, value)),
    );
    this.n = X.length;

    this.y = y;
    this.rows = rows;
  }
}

/**
 * Of a table: to mean 0 and deviation 1, a column that does not vary is centred only; zeros are left out.
 * @param {{ n: number, d: number, dense: any }} fields
 */
function scaledTable({ n, d, dense }) {
  const scaled = Float64Array.from(dense);
  for (let j = 0; j < d; j++) {
    /**
     * Less their first entry, numbers far from zero keep their differences.
     * @param {number} i
     */
    const shifted = (i) => dense[i * d + j] - dense[j];
    const mean = sumOf(n, shifted) / n;
    const deviation = Math.sqrt(sumOf(n, (/** @type {number} */ i) => (shifted(i) - mean) ** 2) / n);
    for (let i = 0; i < n; i++) scaled[i * d + j] = (shifted(i) - mean) / (deviation || 1);
  }
  return sparseOf(n, (/** @type {number} */ i, /** @type {any} */ put) => {
    for (let j = 0; j < d; j++) put(j, scaled[i * d + j]);
  });
}

/**
 * Of LIBSVM: to a largest magnitude of 1, which leaves zeros alone.
 * @param {{ n: number, d: number, sparse: { offsets: any, indices: any, values: number[] } }} fields
 */
function scaledPairs({ n, d, sparse: { offsets, indices, values } }) {
  const largest = new Float64Array(d);
  indices.forEach((/** @type {number} */ j, /** @type {number} */ k) => {
    largest[j] = Math.max(largest[j], Math.abs(values[k]));
  });
  const factor = largest.map((size) => 1 / (size > 0 ? size : 1));
  return sparseOf(n, (/** @type {number} */ i, /** @type {any} */ put) => {
    for (let k = offsets[i]; k < offsets[i + 1]; k++) put(indices[k], values[k] * factor[indices[k]]);
  });
}

/** @param {number} count @param {any} term */
function sumOf(count, term) {
  let sum = 0;
  for (let i = 0; i < count; i++) sum += term(i);
  return sum;
}

/**
 * Rows without zeros; `fill` puts the entries of each.
 * @param {number} n @param {any} fill
 */
function sparseOf(n, fill) {
  const offsets = [0];
  /** @type {any[]} */
  const indices = [];
  /** @type {any[]} */
  const values = [];
  for (let i = 0; i < n; i++) {
    fill(i, (/** @type {any} */ column, /** @type {number} */ value) => {
      if (value === 0) return;
      indices.push(column);
      values.push(value);
    });
    offsets.push(indices.length);
  }
  return { offsets, indices, values };
}

/**
 * A regularizer's facts on other data: its prior is the same for each column, and of a simplex adds up to 1.
 * @param {Facts} facts @param {any} bound @param {any} data
 */
export function factsAt(facts, bound, data) {
  const isSimplex = facts.structure === "simplex";
  const theta = Float64Array.from(facts.theta);
  const weights = new Float64Array(data.d).fill(isSimplex ? 1 / data.d : facts.weights[0]);
  if (isSimplex) theta[1] *= data.d / facts.weights.length;
  return {
    ...facts,
    theta,
    weights,
    curvature: curvatureOf(facts.structure, bound, theta, weights, data),
    penalty: facts.penalty && { ...facts.penalty, theta, weights },
  };
}

/**
 * Bounds of x_i' h'' x_i for each row, as `curvatureBound` of `regularizers`; null where there are none.
 * @param {any} structure
 * @param {any} bound
 * @param {any} theta
 * @param {any} weights
 * @param {{ n: number, offsets: any, indices: any, values: number[] }} fields
 */
function curvatureOf(structure, bound, theta, weights, { n, offsets, indices, values }) {
  const value = values.length ? (/** @type {number} */ k) => values[k] : () => 1;
  /** @param {any} ofRow */
  const each = (ofRow) => Float64Array.from({ length: n }, (_, i) => ofRow(offsets[i], offsets[i + 1]));
  /** @param {number} start @param {number} end */
  const largest = (start, end) => {
    let most = 0;
    for (let k = start; k < end; k++) most = Math.max(most, Math.abs(value(k)));
    return most;
  };
  if (structure === "separable") {
    return bound === null
      ? null
      : each(
          (/** @type {number} */ start, /** @type {number} */ end) =>
            bound *
            sumOf(end - start, (/** @type {number} */ k) => weights[indices[start + k]] * value(start + k) ** 2),
        );
  }
  if (structure === "simplex")
    return each((/** @type {number} */ start, /** @type {number} */ end) => theta[1] * largest(start, end) ** 2);
  const [, q, power] = theta;
  const p = q / (q - 1);
  if (power !== 2 || q > 2) return null;
  // Each row over its largest entry, the constant one at least, since small numbers to a high power underflow.
  return each((/** @type {number} */ start, /** @type {number} */ end) => {
    const size = largest(start, end);
    const sum = sumOf(end - start, (/** @type {number} */ k) => Math.abs(value(start + k) / size) ** p);
    return (p - 1) * (size * sum ** (1 / p)) ** 2;
  });
}
