// @ts-check
// The page Your data as pure functions: what the settings ask of Python, and what is shown of its answer.

import { around } from "../runtime/drawings.js";
import { numerals } from "../runtime/numerals.js";
import { escaped, formatText, quoted } from "../runtime/wording.js";

/**
 * @typedef {Record<string, any>} Settings
 * @typedef {Record<string, any>} Facts - what `declaration.py` gives
 * @typedef {Record<string, any>} Model - the answer of Python to the settings
 */

/** How far from its label a row is drawn, so that rows of one margin are told apart. */
const SPREAD = 0.3;
const GOLDEN = 0.618034;
const LONGEST = 28;
/** A gap that is smaller is drawn there. */
const LEAST_GAP = 1e-16;

/** @param {Facts} facts @param {string} name @param {Record<string, any>} [values] */
const say = (facts, name, values = {}) => formatText(facts.texts[name], values);

/**
 * Returns the message whose answer the frame takes.
 * @param {Settings} settings
 */
export function needs(settings) {
  return { model: { type: "model", ...settings } };
}

/** Returns the name of the question. */
export const asked = () => "A smaller λ";

/** Returns the place of the true option of the question. */
export const outcome = () => ({ rises: 1 });

/**
 * Returns the figures, the sentences, the numbers and the tables of the answer.
 * @param {Settings} settings
 * @param {{ model: Model }} answers
 * @param {Facts} facts
 */
export function frame(settings, { model }, facts) {
  const file = fileTable(model, settings, facts);
  const isOther = model.loss !== settings.loss;
  const other = isOther ? say(facts, "other_loss", { loss: model.loss, chosen: settings.loss }) : "";
  const status = { name: model.refusal ? "refused" : model.status, text: model.refusal || other };
  if (model.refusal) {
    const names = ["tests", "weights", "gap", "path"];
    const sentences = Object.fromEntries(names.map((name) => [name, ""]));
    const names_ = ["diagonal", "right", "wrong", "label_names", "weights", "feature_names", "gap", "path", "chosen"];
    const sources = Object.fromEntries(names_.map((name) => [name, null]));
    return { sources, ranges: [], axes: {}, sentences: { ...sentences, file, report: "" }, numbers: "", status };
  }
  const parts = [tests(model, facts), weights(model, facts), gap(model, facts), path(model, facts)];
  return {
    sources: Object.assign({}, ...parts.map(({ sources }) => sources)),
    ranges: parts.flatMap(({ ranges }) => ranges),
    axes: parts[0].axes,
    sentences: Object.assign({ file, report: model.report }, ...parts.map(({ sentences }) => sentences)),
    numbers: numbers(model, facts),
    status,
  };
}

/**
 * Returns the row of numbers, the score on held-out rows first, and the sentence of the certificate.
 * @param {Model} model
 * @param {Facts} facts
 */
function numbers({ score, fold_count, within, certificate, nonzeros, lam, path, status, tests: rows }, facts) {
  const name = score?.name === "accuracy" ? "score_accuracy" : "score_r2";
  const first = !score
    ? [say(facts, "score_none"), "–", say(facts, "none_held_out")]
    : score.rows
      ? [say(facts, name), score.text, say(facts, "rows_count", score)]
      : [say(facts, "score_folds", score), score.text, say(facts, "folds", { count: fold_count })];
  const [used, count] = nonzeros;
  const entries = [
    first,
    ...(rows.is_held_out && "below" in rows
      ? [[say(facts, "below"), formatText("{share:.0f} %", { share: 100 * rows.below }), say(facts, "of_held_out")]]
      : []),
    [say(facts, "within"), within, status === "converged" ? "" : say(facts, "unconverged")],
    [say(facts, "nonzero"), String(used), say(facts, "of_weights", { count })],
    [say(facts, "lam"), formatText("{lam:.3g}", { lam }), say(facts, path.length ? "lam_chosen" : "lam_set")],
  ];
  const cards = entries.map((entry) => {
    const [title, value, note] = entry.map((text) => escaped(numerals(text)));
    return `<div class="wb-stat"><span>${title}</span><b>${value}</b><em>${note}</em></div>`;
  });
  const sentence = escaped(numerals(say(facts, "certificate", { certificate })));
  const compared = score ? escaped(numerals(say(facts, "score_line", score))) : "";
  const quality = compared && `<p class="wb-note scored${score.is_clear ? "" : " bad"}">${compared}</p>`;
  return `<div class="wb-stats">${cards.join("")}</div>${quality}<p class="wb-note certified">${sentence}</p>`;
}

/**
 * Returns the held-out rows: margins by label, or predictions by value.
 * @param {Model} model
 * @param {Facts} facts
 */
function tests({ tests: rows, labels, file }, facts) {
  const [truth, value] = [rows.true, rows.value].map((column) => Array.from(column, Number));
  const suffix = rows.is_held_out ? "" : "_train";
  const [low, high] = around([...value, 0], 0.1);
  if (!labels.length) {
    const [left, right] = around([...value, ...truth], 0.06);
    const target = file.columns.find((/** @type {any} */ { use }) => use === "target");
    return {
      sources: {
        diagonal: { x: [left, right], y: [left, right] },
        right: { x: truth, y: value },
        wrong: null,
        label_names: null,
      },
      ranges: [
        ["range", "tests_x", ...around(truth, 0.06)],
        ["range", "tests_y", ...around(value, 0.1)],
      ],
      axes: {
        tests_x: say(facts, "axis_value", { name: target?.name ?? "label" }),
        tests_y: say(facts, "axis_prediction"),
      },
      sentences: { tests: say(facts, `tests_numbers${suffix}`, { below: 100 * rows.below }) },
    };
  }
  const places = truth.map((label, i) => label + SPREAD * (2 * ((i * GOLDEN) % 1) - 1));
  const picked = (/** @type {(value: number) => boolean} */ has) => {
    const all = value.flatMap((margin, i) => (has(margin) ? [i] : []));
    return { x: all.map((i) => places[i]), y: all.map((i) => value[i]) };
  };
  const top = high + 0.16 * (high - low);
  return {
    sources: {
      diagonal: null,
      right: picked((margin) => margin >= 0),
      wrong: picked((margin) => margin < 0),
      label_names: {
        x: labels.map((/** @type {string} */ _, /** @type {number} */ k) => k),
        y: labels.map(() => high + 0.03 * (high - low)),
        text: labels.map(shortened),
      },
    },
    ranges: [
      ["range", "tests_x", -0.6, labels.length - 0.4],
      ["range", "tests_y", low, top],
    ],
    axes: { tests_x: say(facts, "axis_label"), tests_y: say(facts, "axis_margin") },
    sentences: {
      tests: say(facts, `tests_labels${suffix}`, { ...rows, most: 100 * rows.most_frequent }),
    },
  };
}

/** @param {string} text */
const shortened = (text) => (text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 1)}…`);

/**
 * Returns the largest weights, one below the other, with the names of their features at the left.
 * @param {Model} model
 * @param {Facts} facts
 */
function weights({ weights: { names, values }, labels, nonzeros }, facts) {
  const isSeveral = values.length > 1;
  const rows = values.flatMap((/** @type {number[]} */ row, /** @type {number} */ k) =>
    row.map((weight, j) => ({ weight, j, label: isSeveral ? labels[k] : (labels[1] ?? "") })),
  );
  const all = rows.map((/** @type {any} */ { weight }) => weight);
  const [least, most] = [Math.min(0, ...all), Math.max(0, ...all)];
  const span = most - least || 1;
  const left = least - 0.55 * span;
  const rank = (/** @type {number} */ j) => names.length - j;
  return {
    sources: {
      weights: {
        zero: rows.map(() => 0),
        weight: all,
        rank: rows.map((/** @type {any} */ { j }) => rank(j)),
        feature: rows.map((/** @type {any} */ { j }) => names[j]),
        label: rows.map((/** @type {any} */ { label }) => label),
      },
      feature_names: {
        x: names.map(() => left),
        rank: names.map((/** @type {string} */ _, /** @type {number} */ j) => rank(j)),
        text: names.map(shortened),
      },
    },
    ranges: [
      ["range", "weights_x", left, most + 0.08 * span],
      ["range", "weights_y", 0.3, names.length + 0.7],
    ],
    axes: {},
    sentences: {
      weights: say(facts, isSeveral ? "weights_several" : "weights", { shown: names.length, count: nonzeros[1] }),
    },
  };
}

/**
 * Returns the gap over the epochs.
 * @param {Model} model
 * @param {Facts} facts
 */
function gap({ gap: { epoch, gap: gaps }, within }, facts) {
  const drawn = gaps.map((/** @type {number} */ value) => (Number.isFinite(value) ? Math.max(value, LEAST_GAP) : NaN));
  const values = drawn.filter(Number.isFinite);
  const [low, high] = [Math.min(...values, 1), Math.max(...values, LEAST_GAP)];
  return {
    sources: { gap: { epoch, gap: drawn } },
    ranges: [
      ["range", "gap_x", 0, Math.max(1, ...epoch) * 1.04],
      ["range", "gap_y", low / 2, Math.max(high, 10 * low) * 2],
    ],
    axes: {},
    sentences: { gap: say(facts, "gap", { within }) },
  };
}

/**
 * Returns the held-out loss along λ; nothing where λ was set.
 * @param {Model} model
 * @param {Facts} facts
 */
function path({ path: points, lam }, facts) {
  if (!points.length) return { sources: { path: null, chosen: null }, ranges: [], axes: {}, sentences: { path: "" } };
  const column = (/** @type {(point: any) => number} */ value) => points.map(value);
  const ends = [column((p) => p.loss - p.loss_error), column((p) => p.loss + p.loss_error)];
  const lams = column((p) => p.lam);
  return {
    sources: {
      path: { lam: lams, loss: column((p) => p.loss), low: ends[0], high: ends[1] },
      chosen: { lam: [lam] },
    },
    ranges: [
      ["range", "path_x", Math.min(...lams) / 1.5, Math.max(...lams) * 1.5],
      ["range", "path_y", ...around(ends.flat(), 0.08)],
    ],
    axes: {},
    sentences: { path: say(facts, "path") },
  };
}

/**
 * Returns the columns of the file with what became of them, as HTML; every text of the file is escaped.
 * @param {Model} model
 * @param {Settings} settings
 * @param {Facts} facts
 */
function fileTable({ file, loss }, { positive }, facts) {
  const button = (
    /** @type {string} */ does,
    /** @type {string} */ value,
    /** @type {string} */ text,
    isPressed = false,
  ) =>
    `<button type="button" class="wb-name" data-do="${does}" data-value="${escaped(value)}" aria-pressed="${isPressed}">${escaped(text)}</button>`;
  const isOne = file.columns.length === 1;
  const rows = file.columns.map((/** @type {any} */ { name, place, cells, use, decision }) => {
    const buttons =
      use === "target"
        ? ""
        : button("target", String(place), say(facts, "predict_this")) +
          (use === "used" ? button("leave", name, say(facts, "leave")) : "");
    const text = use === "target" ? say(facts, "predicted_column") : numerals(decision);
    return (
      `<tr class="${use === "left out" ? "unused" : use}"><th scope="row">${escaped(name)}</th>` +
      `<td>${escaped(text)}<br><span>${escaped(cells.join(", "))}</span></td><td>${isOne ? "" : buttons}</td></tr>`
    );
  });
  const classes = Object.keys(file.classes);
  const last = positive || classes.at(-1);
  const sides =
    facts.kinds[loss] === "margin" && classes.length
      ? `<p class="wb-note">${say(facts, "positive")} ${classes.map((name) => button("positive", name, name, name === last)).join(" ")}</p>`
      : "";
  const more = file.more ? `<p class="wb-note">${say(facts, "more_columns", { count: file.more })}</p>` : "";
  return (
    `<p class="wb-note"><b>${escaped(file.summary)}</b></p>${sides}` +
    `<table><tbody>${rows.join("")}</tbody></table>${more}`
  );
}

/**
 * Returns the Python that gives the same model, once it is known.
 * @param {Settings} _settings
 * @param {Facts} _facts
 * @param {{ model: Model } | null} [answers]
 */
export function code(_settings, _facts, answers) {
  const listed = answers?.model.arguments;
  if (!listed) return "";
  const parts = listed.map((/** @type {string} */ argument) => `    ${argument},\n`).join("");
  return (
    `import workbench as wb\n\nmodel = wb.fit(\n${parts})\nprint(model.weights())\n` +
    `print(model.predict(${quoted(answers.model.file.name.replace(/^.*(?=\.)/, "new"))}))`
  );
}
