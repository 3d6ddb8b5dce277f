// @ts-check
// Messages of the Dual lab's pictures beside certificates: the curves of the terms, the saddle, the sum behind the gap.

import { lossPair, mirrored, regularizerPair } from "../runtime/duality/pair.js";
import { READ_MS } from "../runtime/painter.js";
import { escaped } from "../runtime/wording.js";
import { largestTerms, termsTable } from "./gauge.js";
import { saddleOf, sectionOf, watched } from "./saddle.js";
import { Pictured } from "./state.js";

/** @typedef {import("./lab_track.js").State} State */

/**
 * Returns what pictures need of a run's problem.
 * @param {{ request: any, known: any }} track
 * @param {any} page - with its `scalars` and the `pairs` made before
 */
export function picturedOf({ request: { settings, problem }, known: { data, terms } }, page) {
  const embedded = page.facts.terms.regularizer[settings.regularizer].is_signed;
  const pairs = pairsOf(terms, embedded, page);
  return new Pictured({ data, ...terms, lam: problem.lam, embedded, settings, pairs });
}

/**
 * Returns the pairs of a loss and a regularizer, null without a curve; a pair is made once.
 * @param {any} terms
 * @param {boolean} embedded
 * @param {any} page
 */
function pairsOf({ loss, regularizer }, embedded, { scalars, pairs }) {
  if (!scalars) return { loss: null, regularizer: null };
  /** @param {any} make @param {any} term */
  const once = (make, term) => {
    const key = `${term.functions} ${Array.from(term.theta)} ${term.weights?.length}`;
    if (!pairs.has(key)) pairs.set(key, make(scalars, term));
    return pairs.get(key);
  };
  const one = once(regularizerPair, regularizer);
  // A typed loss has functions in Python alone.
  return {
    loss: loss.functions === null ? null : once(lossPair, loss),
    regularizer: one && embedded ? mirrored(one) : one,
  };
}

/**
 * Returns the saddle around the watched sample where its figure is in view, in a run as seldom as texts are written;
 * else null.
 * @param {any} page
 * @param {State} state
 * @param {boolean} isRunning
 */
export async function saddleAt(page, { problem, certificate, event, row: { epoch } }, isRunning) {
  const now = performance.now();
  if (page.view.cards.saddle.hidden || (isRunning && now - page.looked.at < READ_MS)) return null;
  // Kept for the rest of a run: a picture that jumps between samples shows no closing gap.
  const sample = page.looked.sample ?? watched(problem, certificate, event, epoch);
  page.looked = { at: now, sample: epoch >= 1 ? sample : null };
  const entries = problem.data.is_large ? await entriesOf(page, problem, sample) : problem.row(sample);
  const section = sectionOf(problem, certificate, sample, entries);
  if (section === null) return null;
  const { x, ...message } = section;
  const answer = await page.tracks.shown[0].engine.ask("section", { ...message, step: certificate.step });
  return answer.step === certificate.step ? saddleOf(problem, certificate, section, answer) : null;
}

/**
 * Asks Python for a row of large data.
 * @param {any} page
 * @param {Pictured} problem
 * @param {number} sample
 */
async function entriesOf({ host }, { settings: { source }, embedded }, sample) {
  const { indices, values } = await host.ask({ type: "row", source, signed: embedded, sample });
  return Array.from(indices, (j, k) => [j, values[k]]);
}

/**
 * Returns the sum behind the gap as HTML, where it is open; null where there is nothing new.
 * @param {any} page
 * @param {State} state
 */
export async function sumBehindGap({ words, facts, certainty, tracks, scalars }, { certificate, problem }) {
  if (!certainty.fold.open) return null;
  if (!Number.isFinite(certificate.gap)) return `<p>${words.say("infinite")}</p>`;
  const samples = largestTerms(certificate);
  const parts = await tracks.shown[0].engine.ask("terms", { samples, step: certificate.step });
  if (parts.step !== certificate.step) return null;
  const [loss, regularizer] = [problem.loss, problem.regularizer].map(({ rests }) => rests);
  const isElsewhere = problem.data.is_large || !scalars || problem.loss.functions === null;
  const where = words.say(isElsewhere ? "on_the_server" : "in_the_browser");
  const rests = words.say("proof_status", { loss, regularizer, where });
  return `${termsTable(certificate, samples, parts, facts.rules, facts.texts)}<p>${escaped(rests)}</p>`;
}
