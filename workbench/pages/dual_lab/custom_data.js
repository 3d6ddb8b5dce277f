// @ts-nocheck
// From a visitor's file to what the engine takes: labels and scaled columns as `tables/uploads.py` and `data/split.py`
// make them, and those facts of a regularizer that depend on the data, as `wasm/bundle.py` packs them.

import { formatText, quoted, written } from "../runtime/wording.js";
import { CustomFile } from "./custom_file.js";

// Samples in rows without zeros: n, d, y and rows.
class Samples {
  // The samples with a feature that is always 1, then mirrored where asked for.
  data(signed) {
    const { n, rows } = this, own = this.d + 1, factor = signed ? 2 : 1, size = factor * (rows.values.length + n);
    const offsets = new Uint32Array(n + 1), indices = new Uint32Array(size), values = new Float64Array(size);
    let at = 0;
    const put = (column, value) => {
      indices[at] = column;
      values[at++] = value;
    };
    for (let i = 0; i < n; i++) {
      for (let half = 0; half < factor; half++) {
        const sign = half ? -1 : 1;
        for (let k = rows.offsets[i]; k < rows.offsets[i + 1]; k++) put(half * own + rows.indices[k], sign * rows.values[k]);
        put(half * own + this.d, sign);
      }
      offsets[i + 1] = at;
    }
    return {
      n, d: factor * own, offsets, indices, values: values.every((value) => value === 1) ? new Float64Array(0) : values,
      y: this.y, weight: new Float64Array(n).fill(1), free_bias: false, kernel: null, spectrum: null,
    };
  }

  // The message "data" out of that of other data; `bounds` has the curvature of each regularizer's summands.
  held({ losses, regularizers }, bounds, signed) {
    const data = this.data(signed), at = ([name, facts]) => [name, factsAt(facts, bounds[name], data)];
    return { data, losses, regularizers: Object.fromEntries(Object.entries(regularizers).map(at)) };
  }
}

export class CustomData extends Samples {
  // `read` is what `CustomFile.read` found.
  constructor(rules, read) {
    super();
    Object.assign(this, read, { rules });
    const values = Array.from(new Set(read.labels)).sort(typeof read.labels[0] === "string" ? undefined : (a, b) => a - b);
    const refuse = (name, values_) => new CustomFile(rules, read.name).refuse(name, values_);
    if (read.n < 2) refuse("one_sample");
    this.classes = this.areClasses(values) ? values : null;
    if (this.classes) {
      const { most_classes } = rules, shown = `'${this.written(values[0])}'`;
      if (values.length < 2) refuse("one_class", { label: shown });
      if (values.length > most_classes) refuse("many_classes", { count: values.length, most: most_classes });
    }
    this.positive = values.at(-1);
    this.y = Float64Array.from(read.labels, (label) => (this.classes ? (label === this.positive ? 1 : -1) : label));
    this.rows = read.dense ? scaledTable(read) : scaledPairs(read);
    if (!this.rows.values.every(Number.isFinite)) refuse("unscalable");
  }

  // Texts are classes, and so are a few whole numbers.
  areClasses(values) {
    return typeof values[0] === "string" || (values.length <= this.rules.few && values.every(Number.isInteger));
  }

  written(label) { return typeof label === "string" ? label : written(label, ".15g"); }

  // What was read and how it is used, in words.
  summary(texts) {
    const { name: where, n, d, classes, positive } = this;
    const values = {
      where, n, d, label: this.label === null ? texts.custom_first : formatText(texts.custom_column, { label: this.label }),
      scaled: this.dense ? texts.custom_dense : texts.custom_sparse,
    };
    if (!classes) return formatText(texts.custom_numbers, values);
    const negative = classes.length > 2 ? texts.custom_rest : formatText(texts.custom_class, { label: this.written(classes[0]) });
    return formatText(texts.custom_classes, { ...values, positive: this.written(positive), negative });
  }

  // What `wb.data.load` takes to make the same data of the file, as Python writes it.
  get options() {
    const positive = typeof this.positive === "string" ? quoted(this.positive) : String(this.positive);
    return [
      ...(this.target === null ? [] : [["target", String(this.target)]]),
      ...(this.classes ? [["positive", positive]] : []), ["standardize", "True"],
    ];
  }
}

// Points in the plane, {X, y}.
export class PlaneSamples extends Samples {
  constructor({ X, y }) {
    super();
    const rows = sparseOf(X.length, (i, put) => X[i].forEach((value, j) => put(j, value)));
    Object.assign(this, { n: X.length, d: 2, y, rows });
  }
}

// Of a table: to mean 0 and deviation 1, a column that does not vary is centred only; zeros are left out.
function scaledTable({ n, d, dense }) {
  const scaled = Float64Array.from(dense);
  for (let j = 0; j < d; j++) {
    // Less their first entry, numbers far from zero keep their differences.
    const shifted = (i) => dense[i * d + j] - dense[j], mean = sumOf(n, shifted) / n;
    const deviation = Math.sqrt(sumOf(n, (i) => (shifted(i) - mean) ** 2) / n);
    for (let i = 0; i < n; i++) scaled[i * d + j] = (shifted(i) - mean) / (deviation || 1);
  }
  return sparseOf(n, (i, put) => {
    for (let j = 0; j < d; j++) put(j, scaled[i * d + j]);
  });
}

// Of LIBSVM: to a largest magnitude of 1, which leaves zeros alone.
function scaledPairs({ n, d, sparse: { offsets, indices, values } }) {
  const largest = new Float64Array(d);
  indices.forEach((j, k) => { largest[j] = Math.max(largest[j], Math.abs(values[k])); });
  const factor = largest.map((size) => 1 / (size > 0 ? size : 1));
  return sparseOf(n, (i, put) => {
    for (let k = offsets[i]; k < offsets[i + 1]; k++) put(indices[k], values[k] * factor[indices[k]]);
  });
}

function sumOf(count, term) {
  let sum = 0;
  for (let i = 0; i < count; i++) sum += term(i);
  return sum;
}

// Rows without zeros; `fill` puts the entries of each.
function sparseOf(n, fill) {
  const offsets = [0], indices = [], values = [];
  for (let i = 0; i < n; i++) {
    fill(i, (column, value) => {
      if (value === 0) return;
      indices.push(column);
      values.push(value);
    });
    offsets.push(indices.length);
  }
  return { offsets, indices, values };
}

// A regularizer's facts on other data: its prior is the same for each column, and of a simplex adds up to 1.
export function factsAt(facts, bound, data) {
  const isSimplex = facts.structure === "simplex", theta = Float64Array.from(facts.theta);
  const weights = new Float64Array(data.d).fill(isSimplex ? 1 / data.d : facts.weights[0]);
  if (isSimplex) theta[1] *= data.d / facts.weights.length;
  return {
    ...facts, theta, weights, curvature: curvatureOf(facts.structure, bound, theta, weights, data),
    penalty: facts.penalty && { ...facts.penalty, theta, weights },
  };
}

// Bounds of x_i' h'' x_i for each row, as `curvatureBound` of `regularizers`; null where there are none.
function curvatureOf(structure, bound, theta, weights, { n, offsets, indices, values }) {
  const value = values.length ? (k) => values[k] : () => 1;
  const each = (ofRow) => Float64Array.from({ length: n }, (_, i) => ofRow(offsets[i], offsets[i + 1]));
  const largest = (start, end) => {
    let most = 0;
    for (let k = start; k < end; k++) most = Math.max(most, Math.abs(value(k)));
    return most;
  };
  if (structure === "separable") {
    return bound === null ? null : each((start, end) => (
      bound * sumOf(end - start, (k) => weights[indices[start + k]] * value(start + k) ** 2)));
  }
  if (structure === "simplex") return each((start, end) => theta[1] * largest(start, end) ** 2);
  const [, q, power] = theta, p = q / (q - 1);
  if (power !== 2 || q > 2) return null;
  // Each row over its largest entry, the constant one at least, since small numbers to a high power underflow.
  return each((start, end) => {
    const size = largest(start, end), sum = sumOf(end - start, (k) => Math.abs(value(start + k) / size) ** p);
    return (p - 1) * (size * sum ** (1 / p)) ** 2;
  });
}
