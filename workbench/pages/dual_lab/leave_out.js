// @ts-check
// The card "Leave a sample out": what a solve bounds without a refit, and what a refit by Python gives.

import { element } from "../runtime/elements.js";
import { numerals } from "../runtime/numerals.js";
import { escaped, written } from "../runtime/wording.js";

/** Above this the run's own gap is a part of the bound that can be seen. */
const OPEN = 1e-5;

/**
 * @typedef {object} Effect - what leaving one sample out changes, as `leave_out.leave` gives it
 * @property {number} sample
 * @property {number} alpha
 * @property {number} gap
 * @property {number} reduced_gap
 * @property {string} measure
 * @property {number} bound
 * @property {number} truth
 * @property {number} z
 * @property {number} low
 * @property {number} high
 * @property {number} again
 * @property {number} refit_gap
 */

export class LeaveOut {
  #turn = 0;

  /** @param {any} page */
  constructor(page) {
    this.page = page;
    const { view, facts, host } = page;
    this.field = /** @type {HTMLInputElement} */ (
      element("input", { type: "text", inputMode: "numeric", ariaLabel: "Sample" })
    );
    this.field.addEventListener("change", () => this.choose(this.field.value.trim()));
    this.answer = element("div", { className: "wb-note", role: "status" });
    const row = element(
      "label",
      { className: "control" },
      element("span", { textContent: "Sample" }),
      element("span"),
      this.field,
    );
    const about = element(
      "details",
      { className: "wb-source" },
      element("summary", { textContent: "λn is kept" }),
      facts.texts.leave_note,
    );
    view.parts.leave.append(this.answer, row, about);
    if (host.kind === "file") {
      this.field.disabled = true;
      this.field.title = facts.texts.leave_python;
    }
    this.forget();
  }

  /** Forgets what was said of another problem. */
  forget() {
    this.#turn++;
    const { texts } = this.page.facts;
    this.answer.textContent = this.page.host.kind === "file" ? texts.leave_python : texts.leave_hint;
  }

  /**
   * Leaves a sample out of the present point; the last one that is asked for counts.
   * @param {number | string} sample - as it is chosen or typed
   */
  async choose(sample) {
    const { page } = this;
    if (page.host.kind === "file" || !page.state) return;
    if (sample === "") {
      this.forget();
      return;
    }
    const turn = ++this.#turn;
    const { certificate, n, problem } = page.state;
    const { file, ...settings } = problem.settings;
    const number = Number(sample);
    try {
      if (file) throw new Error(page.words.say("leave_file"));
      if (!/^\d{1,9}$/.test(String(sample)) || number >= n)
        throw new Error(page.words.say("leave_refused", { sample: String(sample).slice(0, 60), last: n - 1 }));
      this.field.value = String(number);
      this.answer.textContent = page.words.say("leave_wait", { sample: number });
      const message = { type: "leave_out", settings, alpha: certificate.alpha, sample: number };
      const effect = await page.host.ask(message);
      if (turn === this.#turn) this.answer.innerHTML = effectHtml(effect, page.words);
    } catch (error) {
      if (turn === this.#turn)
        this.answer.innerHTML = `<div class='wb-status bad'>${escaped(/** @type {Error} */ (error).message)}</div>`;
    }
  }
}

/**
 * Returns the answer as HTML: a table of bound and truth, and what the dual variable has to do with it.
 * @param {Effect} effect
 * @param {any} words
 */
export function effectHtml(effect, words) {
  const { sample, alpha, gap, measure, bound, truth, z, low, high, again, refit_gap } = effect;
  const number = (/** @type {number} */ value) => numerals(written(value, ".3g"));
  const rows = [
    [measure, `≤ ${number(bound)}`, number(truth)],
    [`w·x (${number(z)} now)`, `${number(low)} to ${number(high)}`, number(again)],
  ];
  const body = rows.map(
    ([name, ...cells]) => `<tr><th scope='row'>${name}</th>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`,
  );
  const head = ["quantity", "bound", "refit"].map((name) => `<th scope='col'>${name}</th>`).join("");
  let first = words.say("leave_alpha", { alpha });
  if (alpha === 0) first += words.say("leave_nothing", effect);
  else if (bound > 0) first += words.say("leave_share", { share: (100 * truth) / bound });
  const last = words.say("leave_refit", { refit_gap }) + (gap > OPEN ? words.say("leave_gap", { gap }) : "");
  return (
    `<p><b>Sample ${sample}</b>, ${numerals(first)}</p>` +
    `<table class='wb-table'><thead><tr>${head}</tr></thead><tbody>${body.join("")}</tbody></table><p>${numerals(last)}</p>`
  );
}
