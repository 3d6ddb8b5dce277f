// @ts-check
// The pair in words and formulas: the bar above the figures, the cards beside them, and the code.

import { listed, shown } from "../runtime/drawings.js";
import { formulaLines } from "../runtime/hosts/formula_lines.js";
import { numerals } from "../runtime/numerals.js";
import { escaped, formatText } from "../runtime/wording.js";
import { bend, risen } from "./refusals.js";

/**
 * Returns the bar with p and q, of which the case of the present parameters is shown, and the cards; what would give q
 * away is left out while it is hidden.
 * @param {any} scene
 * @param {Record<string, any>} facts
 */
export function cards(scene, facts) {
  const { pair, region, hidden, f } = scene;
  const q = f && !hidden ? (pair.latex.q[Math.max(region, 0)] ?? []) : [];
  const said = numerals(notice(scene, facts));
  const note = said && `<div class='wb-note wb-banner${f ? "" : " bad"}'>${escaped(said)}</div>`;
  const hides = `<div class='wb-note'>${escaped(facts.texts.hidden)}</div>`;
  return {
    bar: formulaLines([...pair.latex.p, ...q]) + note,
    cards: {
      pair: hidden ? hides : formulaLines(facts.latex) + pair.html.pair,
      verification: hidden ? hides : pair.html.verification,
      derivation: hidden ? hides : pair.html.derivation,
    },
  };
}

/**
 * Returns the sentence on the case of the parameters, or on why p** is not p; "" where there is one case.
 * @param {any} scene
 * @param {Record<string, any>} facts
 */
function notice({ f, pair, printed, theta, region }, facts) {
  const say = (/** @type {string} */ name, /** @type {Record<string, any>} */ values = {}) =>
    formatText(facts.texts[name], values);
  const numbers = listed(theta);
  const findChord = () => printed.given && bend((u) => printed.given(u, theta));
  if (!f && !pair.convex) return say("unbounded");
  if (!f) {
    const chord = findChord();
    const { condition_text: where, reason } = pair.excluded[printed.excluded?.(0, theta) ?? -1] ?? {};
    const why = chord ? risen(chord, facts) : where ? say("excluded", { where, reason }) : "";
    return [say("outside", { numbers, conditions: pair.conditions_text }), why, say("move_back")]
      .filter(Boolean)
      .join(" ");
  }
  if (!pair.convex) {
    const chord = findChord();
    return chord ? risen(chord, facts) : say("no_chord");
  }
  const [jump] = pair.jumps;
  if (jump) {
    const [u, height, closed] = jump;
    return say("jump", { u: shown(u), height: shown(height), closed: shown(closed), gap: shown(height - closed) });
  }
  const { length: count } = pair.cases;
  const where = pair.cases[region]?.condition_text;
  if (!where) return numbers && `${numbers}.`;
  return say(count > 1 ? "case" : "within", { numbers, k: region + 1, count, where });
}

/**
 * Returns the Python of the same gap.
 * @param {any} scene
 */
export function codeOf({ f, pair, u, v, theta }) {
  if (!pair.convex) return `${pair.python}  # refused: p is not convex`;
  if (!f) return `${pair.python}\nprint(pair.conditions, pair.witness)`;
  const values = Object.entries(theta).map(([name, value]) => `, ${name}=${value}`);
  return `${pair.python}
u, v = ${u}, ${v}
gap = pair.p(u${values.join("")}) + pair.q(v${values.join("")}) - u * v
print(gap, pair.verify().status)`;
}
