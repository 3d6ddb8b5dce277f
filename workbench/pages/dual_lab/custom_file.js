// A visitor's own file, read in the browser as `tables/uploads.py` reads it on the server: CSV, TSV or LIBSVM, within
// caps, refused in the same sentences. Nothing of it leaves the page.

const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i, NOT_FINITE = /^[+-]?(?:inf|infinity|nan)$/i;
// Of a file that has no suffix to go by: how much of it is looked at, and how many lines.
const LOOKED_AT = 65536, LOOKED_AT_LINES = 20;
// How much of a faulty cell is shown.
const SHOWN = 40;
// Refusals of what the workbench itself reads.
const READ_ELSEWHERE = ["too_large", "packed", "count", "cell_empty", "cell_label", "cell_text", "many_classes"];

// What Python's float() makes of a text; null where it refuses.
function float_of(text) {
  const plain = text.trim();
  if (NUMBER.test(plain)) return Number(plain);
  return NOT_FINITE.test(plain) ? NaN : null;
}

// The last part of a name with what prints of it.
function plain_name(name) { return name.split(/[/\\]/).at(-1).replace(/\p{C}/gu, "").trim() || "upload"; }

class CustomFile {
  // `rules` is what the export packs: sentences, caps and the reader's tables.
  constructor(rules, name) { Object.assign(this, { rules, where: plain_name(name) }); }

  // Samples and labels of a `File`: the numbers of each row, dense or as pairs, and a label each.
  static async read(rules, file) {
    const own = new CustomFile(rules, file.name), { caps, packings } = rules;
    if (file.size > caps.megabytes * 2 ** 20) own.refuse("too_large", caps);
    if (packings.some((suffix) => own.where.toLowerCase().endsWith(suffix))) own.refuse("packed");
    // A folder is no file, and a file may be gone.
    const bytes = new Uint8Array(await file.arrayBuffer().catch(() => own.refuse("unreadable"))), text = new TextDecoder().decode(bytes);
    if (!text.trim()) own.refuse("empty");
    const found = own.is_table(text) ? own.table(own.decoded(bytes)) : own.libsvm(text);
    own.check_size_of_numbers(found);
    return { name: own.where, ...found };
  }

  sentence(name, values = {}) { return format_text(this.rules.sentences[name], { where: this.where, ...values }); }

  refuse(name, values = {}, reason = null) {
    const told = reason === null ? this.sentence(name, values) : this.sentence(reason, { ...values, reason: this.sentence(name, values) });
    throw new Error(READ_ELSEWHERE.includes(name) ? `${told} ${this.sentence("elsewhere")}` : told);
  }

  suffix() { return /\.[^.]*$/.exec(this.where.toLowerCase())?.[0] ?? ""; }

  is_table(text) {
    const { tables, libsvm } = this.rules.suffixes, suffix = this.suffix();
    if (tables.includes(suffix) || libsvm.includes(suffix)) return tables.includes(suffix);
    const lines = text.slice(0, LOOKED_AT).split(/\r\n|\r|\n/).filter((line) => line.trim() && !line.startsWith("#"));
    if (lines.slice(0, LOOKED_AT_LINES).some((line) => /\s[+-]?\d+:\S/.test(line))) return false;
    return lines.length > 0 && this.rules.separators.some((mark) => lines[0].includes(mark));
  }

  check_size(rows, columns, numbers) {
    const { caps } = this.rules;
    for (const [count, most, what, part] of [
      [rows, caps.rows, "lines", "rows"], [columns, caps.columns, "columns", "columns"],
      [numbers, caps.numbers, "numbers", "rows or columns"],
    ]) {
      if (count > most) this.refuse("count", { place: what === "columns" ? ", line 1" : "", count, most, what, part });
    }
  }

  // Squares of larger numbers, summed over a row, are no longer finite.
  check_size_of_numbers({ n, row_values, labels }) {
    const { largest } = this.rules, beyond = (value) => Math.abs(value) > largest;
    for (let i = 0; i < n; i++) {
      if ((Number.isFinite(labels[i]) && beyond(labels[i])) || row_values(i).some(beyond)) this.refuse("large_number", { row: i + 1, largest });
    }
  }

  // --- tables

  decoded(bytes) {
    if ((bytes[0] === 255 && bytes[1] === 254) || (bytes[0] === 254 && bytes[1] === 255)) this.refuse("utf16");
    const strict = new TextDecoder("utf-8", { fatal: true });
    let text;
    try {
      text = strict.decode(bytes);
    } catch {
      this.refuse("not_utf8", { line: this.first_strange_line(bytes) });
    }
    this.check_zero_byte(text, "table_zero_byte");
    return text.replace(/\r\n?/g, "\n");
  }

  check_zero_byte(text, name) {
    const place = text.indexOf("\0");
    if (place >= 0) this.refuse(name, { line: text.slice(0, place).split("\n").length });
  }

  // No part of a letter of several bytes is a line's end.
  first_strange_line(bytes) {
    for (let start = 0, line = 1; ; line++) {
      const end = bytes.indexOf(10, start);
      try {
        new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(start, end < 0 ? bytes.length : end));
      } catch {
        return line;
      }
      if (end < 0) return line;
      start = end + 1;
    }
  }

  table(text) {
    const { separators, label_names } = this.rules, first_line = text.replace(/^\n+/, "").split("\n", 1)[0];
    const mark = this.suffix() === ".tsv" ? "\t" : separators.find((each) => first_line.includes(each)) ?? ",";
    const many = (sign, where) => where.split(sign).length - 1;
    this.check_size(many("\n", text), many(mark, first_line) + 1, many(mark, text) + many("\n", text));
    const rows = rows_of(text, mark);
    const named = this.header(rows, null).names.flatMap((name, j) => (label_names.includes(name.trim().toLowerCase()) ? [j] : []));
    const target = named.length === 1 ? named[0] : rows[0].cells.length - 1;
    try {
      return this.columns(rows, target, false);
    } catch {
      // Labels may be texts; what else is wrong is found again.
      return this.columns(rows, target, true);
    }
  }

  // The columns' names, and the rows below them: a first row with a cell that is no number, `exempt` apart, has names.
  header(rows, exempt) {
    if (!rows.length) this.refuse("no_rows");
    const { cells } = rows[0];
    const is_header = cells.some((cell, j) => j !== exempt && cell.trim() && float_of(cell) === null);
    if (!is_header) return { names: cells.map((_, j) => `column ${j}`), body: rows };
    if (rows.length === 1) this.refuse("header_only");
    return { names: cells.map((cell, j) => cell.trim() || `column ${j}`), body: rows.slice(1) };
  }

  columns(rows, target, text_labels) {
    const { names, body } = this.header(rows, text_labels ? target : null), width = names.length;
    if (width < 2) this.refuse("one_column");
    const n = body.length, d = width - 1, values = new Float64Array(n * d);
    const labels = text_labels ? [] : new Float64Array(n);
    body.forEach(({ line, cells }, i) => {
      if (cells.length !== width) {
        const count = cells.length;
        this.refuse("ragged", { line, cells: this.sentence(count === 1 ? "cell" : "cells", { count }), width });
      }
      cells.forEach((cell, j) => {
        if (j === target && text_labels && cell.trim()) labels.push(cell.trim());
        else {
          const value = this.number(cell, j === target, { line, column: quoted(names[j]) });
          if (j === target) labels[i] = value;
          else values[i * d + (j < target ? j : j - 1)] = value;
        }
      });
    });
    return {
      n, d, labels, names: names.filter((_, j) => j !== target), dense: values, label: names[target],
      target: target === width - 1 ? null : target, row_values: (i) => values.subarray(i * d, (i + 1) * d),
    };
  }

  number(cell, is_label, place) {
    const value = float_of(cell), shown = quoted(cell.trim().slice(0, SHOWN));
    if (!cell.trim()) this.refuse("cell_empty", place, "in_cell");
    if (value === null) this.refuse(is_label ? "cell_label" : "cell_text", { ...place, shown }, "in_cell");
    if (!Number.isFinite(value)) this.refuse("cell_infinite", { ...place, shown }, "in_cell");
    return value;
  }

  // --- LIBSVM

  libsvm(text) {
    this.check_zero_byte(text, "svm_zero_byte");
    const lines = text.split("\n"), { caps } = this.rules;
    this.check_size(lines.length - 1, 0, text.split(":").length - 1);
    const labels = [], offsets = [0], indices = [], values = [], places = [];
    lines.forEach((line, k) => {
      const [label, ...pairs] = line.split("#", 1)[0].split(/\s+/).filter(Boolean);
      if (label === undefined) return;
      const at = { line: k + 1 };
      labels.push(this.svm_label(label, at));
      places.push({ at, pairs: pairs[0]?.startsWith("qid") && pairs[0].includes(":") ? pairs.slice(1) : pairs });
      let previous = null;
      for (const pair of places.at(-1).pairs) {
        const [index, value] = this.pair(pair, previous, at);
        indices.push(index);
        values.push(value);
        previous = index;
      }
      offsets.push(indices.length);
    });
    if (!labels.length) this.refuse("svm_no_sample");
    if (!indices.length) this.refuse("svm_no_pair");
    let [lowest, highest] = [Infinity, 0];
    for (const index of indices) [lowest, highest] = [Math.min(lowest, index), Math.max(highest, index)];
    // Indices count from 0 where one of them is 0.
    const first = lowest === 0 ? 0 : 1, limit = caps.sparse_columns - 1 + first;
    if (highest > limit) this.refuse_above(places, limit);
    const d = highest - first + 1, own = { offsets, indices: indices.map((j) => j - first), values };
    return {
      n: labels.length, d, labels: Float64Array.from(labels), sparse: own, label: null, target: null,
      names: Array.from({ length: d }, (_, j) => `feature ${j + first}`),
      row_values: (i) => values.slice(offsets[i], offsets[i + 1]),
    };
  }

  refuse_above(places, limit) {
    for (const { at, pairs } of places) {
      const pair = pairs.find((each) => Number(each.split(":")[0]) > limit);
      if (pair) this.refuse("svm_above", { ...at, shown: this.token(pair), limit }, "in_line");
    }
  }

  token(text) { return `'${text.slice(0, SHOWN)}${text.length > SHOWN ? "..." : ""}'`; }

  svm_label(label, at) {
    const value = float_of(label), shown = this.token(label);
    const refuse = (name) => this.refuse(name, { ...at, shown }, "in_line");
    if (label.includes(":")) refuse("svm_no_label");
    if (value === null) refuse("svm_label");
    if (!Number.isFinite(value)) refuse("svm_label_infinite");
    return value;
  }

  pair(pair, previous, at) {
    const colon = pair.indexOf(":"), shown = this.token(pair);
    const refuse = (name) => this.refuse(name, { ...at, shown, previous, index }, "in_line");
    const index = /^[+-]?\d+$/.test(pair.slice(0, Math.max(colon, 0))) ? Number(pair.slice(0, colon)) : null;
    if (colon < 0) refuse("svm_not_pair");
    if (index === null) refuse("svm_no_index");
    const value = float_of(pair.slice(colon + 1));
    if (value === null) refuse("svm_no_value");
    if (!Number.isFinite(value)) refuse("svm_infinite");
    if (index < 0) refuse("svm_negative");
    if (index === previous) refuse("svm_repeats");
    if (previous !== null && index < previous) refuse("svm_order");
    return [index, value];
  }
}

// The rows that are not blank, each with the number of its last line: as Python's `csv.reader` reads them.
function rows_of(text, mark) {
  const rows = [];
  for (let at = 0, line = 1; at < text.length; line++) {
    const cells = [];
    let end;
    do {
      const [cell, begin] = text[at] === '"' ? within_quotes(text, at) : ["", at];
      for (end = begin; end < text.length && text[end] !== mark && text[end] !== "\n"; end++);
      cells.push(cell + text.slice(begin, end));
      line += cell.split("\n").length - 1;
      at = end + 1;
    } while (text[end] === mark);
    if (cells.length > 1 || cells[0].trim()) rows.push({ line, cells });
  }
  return rows;
}

// What stands between quotation marks, two of which stand for one, and the place after it.
function within_quotes(text, start) {
  let cell = "";
  for (let at = start + 1; ;) {
    const end = text.indexOf('"', at);
    if (end < 0) return [cell + text.slice(at), text.length];
    cell += text.slice(at, end);
    if (text[end + 1] !== '"') return [cell, end + 1];
    cell += '"';
    at = end + 2;
  }
}
