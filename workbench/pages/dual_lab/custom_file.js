// A visitor's own file, read in the browser: plain numbers in CSV or TSV by Papa Parse, or LIBSVM, within caps. What may
// be read in two ways is refused, since the served page reads it. Nothing of the file leaves the page.

import { formatText, quoted } from "../runtime/wording.js";
import { Papa } from "../vendor/papaparse.js";

const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;
const WHOLE = /^[+-]?\d+$/;
// A mark that may stand between thousands; digits and marks without a number; how much of a cell is shown.
const UNCLEAR = /^[+-]?[1-9]\d{0,2}\.\d{3}$/;
const NUMBER_LIKE = /^\W*\d[\d\W]*$/;
const SHOWN = 40;

/** @param {string} text */
function isNumber(text) {
  return NUMBER.test(text) && Number.isFinite(Number(text));
}

/**
 * The last part of a name with what prints of it.
 * @param {string} name
 */
export function plainName(name) {
  return (name.split(/[/\\]/).at(-1) ?? "").replace(/\p{C}/gu, "").trim() || "upload";
}

export class CustomFile {
  /** @type {any} */ rules;
  /** @type {any} */ where;

  /**
   * `rules` is what the export packs: sentences, caps and the reader's tables.
   * @param {any} rules @param {string} name
   */
  constructor(rules, name) {
    this.rules = rules;
    this.where = plainName(name);
  }

  /**
   * Samples and labels of a `File`: the numbers of each row, dense or as pairs, and a label each.
   * @param {any} rules @param {any} file
   */
  static async read(rules, file) {
    const own = new CustomFile(rules, file.name);
    const { caps, packings, suffixes } = rules;
    /** @param {any} group */
    const ends = (group) => group.some((/** @type {any} */ suffix) => own.where.toLowerCase().endsWith(suffix));
    if (file.size > caps.megabytes * 2 ** 20) own.refuse("too_large", caps);
    if (ends(packings)) own.refuse("packed");
    // A folder cannot be read, and a file may be gone.
    const bytes = await file.arrayBuffer().catch(() => own.refuse("unreadable"));
    let text = "";
    try {
      text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    } catch {
      own.refuse("encoding");
    }
    if (!text.trim()) own.refuse("empty");
    if (text.includes("\0")) own.refuse("encoding");
    const pairs = () =>
      text
        .slice(0, 65536)
        .split("\n", 20)
        .some((line) => /^[^#]*\s[+-]?\d+:\S/.test(line));
    const isTable = ends(suffixes.tables) || !(ends(suffixes.libsvm) || pairs());
    return { name: own.where, ...(isTable ? own.table(text, ends([".tsv"])) : own.libsvm(text)) };
  }

  /** @param {any} name @param {any} [values] */
  sentence(name, values = {}) {
    return formatText(this.rules.sentences[name], { where: this.where, ...values });
  }

  /** @param {any} name @param {any} [values] */
  refuse(name, values = {}) {
    const advice = this.rules.final.includes(name) ? "" : ` ${this.sentence("elsewhere")}`;
    throw new Error(this.sentence(name, values) + advice);
  }

  /** @param {any} rows @param {any} columns @param {any} numbers */
  checkSize(rows, columns, numbers) {
    const { caps } = this.rules;
    if (rows > caps.rows || columns > caps.columns || numbers > caps.numbers) this.refuse("count_here", caps);
  }

  /** @param {string} text @param {any} place */
  number(text, place) {
    const shown = quoted(text.slice(0, SHOWN));
    const value = Number(text);
    if (!isNumber(text) || Math.abs(value) > this.rules.largest) this.refuse("cell_here", { ...place, shown });
    if (WHOLE.test(text) && (/^[+-]?0\d/.test(text) || !Number.isSafeInteger(value)))
      this.refuse("unclear", { ...place, shown });
    return value;
  }

  /** @param {any} text @param {boolean} isTsv */
  table(text, isTsv) {
    const { separators, label_names, missing } = this.rules;
    this.checkSize(text.split("\n").length - 1, 0, 0);
    /** @param {any} delimiter */
    const read = (delimiter) => {
      const { data, errors } = /** @type {any} */ (Papa).parse(text.replace(/\r\n?/g, "\n"), { delimiter });
      const rows = data
        .map((/** @type {Row} */ row) => row.map((/** @type {any} */ cell) => cell.trim()))
        .filter((/** @type {Row} */ row) => row.length > 1 || row[0]);
      return {
        delimiter,
        rows,
        fits: !errors.length && rows.every((/** @type {Row} */ row) => row.length > 1 && row.length === rows[0].length),
      };
    };
    const { rows, delimiter } =
      (isTsv ? ["\t"] : separators).map(read).find((/** @type {{ fits: any }} */ { fits }) => fits) ??
      this.refuse("uneven");
    const width = rows[0].length;
    this.checkSize(rows.length, width, rows.length * width);
    if (
      rows.some(
        (/** @type {Row} */ row) => row[0].startsWith("#") || row.some((/** @type {any} */ cell) => cell.includes('"')),
      )
    )
      this.refuse("uneven");
    const called = rows[0].flatMap((/** @type {string} */ name, /** @type {number} */ j) =>
      label_names.includes(name.toLowerCase()) ? [j] : [],
    );
    const target = called.length === 1 ? called[0] : width - 1;
    const hasTexts = rows.slice(1).some((/** @type {Row} */ row) => !isNumber(row[target]));
    const hasNames = rows[0].some(
      (/** @type {any} */ cell, /** @type {number} */ j) => !(hasTexts && j === target) && !isNumber(cell),
    );
    const body = rows.slice(hasNames ? 1 : 0);
    // Years may be names: the row is data where its label stands below again.
    if (!hasNames && hasTexts && !body.slice(1).some((/** @type {Row} */ row) => row[target] === body[0][target]))
      this.refuse("names_here");
    const n = body.length;
    const d = width - 1;
    if (!n) this.refuse("header_only");
    const names = hasNames ? rows[0] : rows[0].map((/** @type {any} */ _, /** @type {number} */ j) => `column ${j}`);
    if (new Set(names).size < width || names.includes("")) this.refuse("names_here");
    const dense = new Float64Array(n * d);
    /** @param {number} i @param {number} j */
    const at = (i, j) => ({ row: i + 1, column: quoted(names[j]) });
    // Where commas separate, a point is decimal.
    for (let j = 0; j < (delimiter === "," ? 0 : width); j++) {
      const points = body
        .map((/** @type {Row} */ row) => row[j])
        .filter((/** @type {any} */ cell) => isNumber(cell) && cell.includes("."));
      if (points.length && points.every((/** @type {any} */ cell) => UNCLEAR.test(cell))) {
        const i = body.findIndex((/** @type {Row} */ row) => row[j] === points[0]);
        this.refuse("unclear", { ...at(i, j), shown: quoted(points[0]) });
      }
    }
    const labels = hasTexts ? body.map((/** @type {Row} */ row) => row[target]) : new Float64Array(n);
    body.forEach((/** @type {Row} */ row, /** @type {number} */ i) =>
      row.forEach((/** @type {any} */ cell, /** @type {number} */ j) => {
        if (j !== target) dense[i * d + (j < target ? j : j - 1)] = this.number(cell, at(i, j));
        else if (!hasTexts) labels[i] = this.number(cell, at(i, j));
        else if (missing.includes(cell) || (NUMBER_LIKE.test(cell) && !isNumber(cell)))
          this.refuse("unclear", { ...at(i, j), shown: quoted(cell) });
      }),
    );
    return {
      n,
      d,
      labels,
      names: names.filter((/** @type {any} */ _, /** @type {number} */ j) => j !== target),
      dense,
      label: names[target],
      target: target === d ? null : target,
    };
  }

  /** @param {string} text */
  libsvm(text) {
    /** @type {any[]} */
    const labels = [];
    const offsets = [0];
    /** @type {any[]} */
    const indices = [];
    /** @type {any[]} */
    const values = [];
    const { caps, largest } = this.rules;
    text.split("\n").forEach((line, k) => {
      const [label, ...pairs] = line.split("#", 1)[0].split(/\s+/).filter(Boolean);
      if (label === undefined) return;
      /** @param {string} token @returns {any} */
      const refuse = (token) =>
        this.refuse("svm_token", {
          line: k + 1,
          shown: quoted(token.slice(0, SHOWN)),
          first: 0,
          limit: caps.sparse_columns,
        });
      labels.push(isNumber(label) ? Number(label) : refuse(label));
      let previous = -1;
      for (const pair of /^qid:/.test(pairs[0] ?? "") ? pairs.slice(1) : pairs) {
        const [index, value] = /^\d+:[^:]+$/.test(pair) ? pair.split(":") : refuse(pair);
        if (
          Number(index) <= previous ||
          Number(index) > caps.sparse_columns ||
          !isNumber(value) ||
          Math.abs(Number(value)) > largest
        )
          refuse(pair);
        previous = Number(index);
        indices.push(previous);
        values.push(Number(value));
      }
      offsets.push(indices.length);
    });
    this.checkSize(labels.length, 0, indices.length);
    if (!indices.length) this.refuse(labels.length ? "svm_no_pair" : "svm_no_sample");
    // Indices count from 0 where one of them is 0.
    const [lowest, highest] = indices.reduce(([low, high], j) => [Math.min(low, j), Math.max(high, j)], [Infinity, 0]);
    const first = lowest === 0 ? 0 : 1;
    const d = highest - first + 1;
    return {
      n: labels.length,
      d,
      labels: Float64Array.from(labels),
      label: null,
      target: null,
      sparse: { offsets, indices: indices.map((j) => j - first), values },
      names: Array.from({ length: d }, (_, j) => `feature ${j + first}`),
    };
  }
}
