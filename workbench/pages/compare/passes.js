// @ts-check
// How soon each run certifies a gap, by passes: a table of the marks.

import { escaped, written } from "../runtime/wording.js";

/** @typedef {import("./frame.js").Run} Run */
/** @typedef {import("./frame.js").State} State */

/**
 * Returns the passes after which a certified relative gap was at most this; null where it is not yet.
 * @param {Run} run
 * @param {number} mark
 * @param {number} [upto]
 */
export function firstAt(run, mark, upto = run.at) {
  const place = run.relative_gap.findIndex(
    (/** @type {number} */ gap, /** @type {number} */ k) => k <= upto && gap <= mark,
  );
  return place < 0 ? null : run.epoch[place];
}

/**
 * Returns the table of passes to each mark, and of the solvers that do not take the problem.
 * @param {State} state
 */
export function passesTable({ runs, facts, answer, say }) {
  const { marks, texts, strokes } = facts;
  const rows = runs.map((run) => {
    const swatch = strokes.runs[run.name].match(/<i[^>]*><\/i>/)[0];
    const cells = marks.map((/** @type {number} */ mark) => {
      const first = firstAt(run, mark);
      return `<td>${first === null ? texts.unreached : written(first, "g")}</td>`;
    });
    return (
      `<tr><th scope='row'>${swatch}${escaped(run.name)} <em title='${escaped(texts.holds_says)}'>` +
      `${texts[`holds_${run.holds.join("_")}`]}</em></th>${cells.join("")}</tr>`
    );
  });
  const refused = Object.entries(answer.refused).map(
    ([name, reason]) => `<p>${escaped(name)}: ${escaped(whyOf(reason))}</p>`,
  );
  const fold =
    `<details class='wb-source'><summary>${say("refused", { count: refused.length, all: runs.length + refused.length })}` +
    `</summary>${refused.join("")}</details>`;
  const head = marks.map(
    (/** @type {number} */ mark) => `<th scope='col'>10<sup>${Math.round(Math.log10(mark))}</sup></th>`,
  );
  return (
    `<div class='wb-source' style='overflow-x: auto' tabindex='0' role='region' aria-label='${say("units_to")}'>` +
    `<table class='wb-table'><thead><tr><th scope='col'>${say("units_to")}</th>${head.join("")}</tr></thead>` +
    `<tbody>${rows.join("")}</tbody></table></div>${refused.length ? fold : ""}`
  );
}

/**
 * Returns the reason of a refusal, without the solver's name before it and the advice behind.
 * @param {string} refusal
 */
const whyOf = (refusal) => refusal.replace(/^[^:]*: /, "").split("; ")[0];
