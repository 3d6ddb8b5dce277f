// What the Dual lab shows of its runs: the state of each, the saddle, the terms, and the sentences.

import { remembered } from "../runtime/duality/frame.js";
import { READ_MS } from "../runtime/painter.js";
import { RecordedEngine } from "../runtime/transports.js";
import { escaped } from "../runtime/wording.js";
import { lossOf, saddleOf, scoreOf, sectionOf, stateOf, watched } from "./frame.js";
import { Gauge, largestTerms, termsTable } from "./gauge.js";
import { HANDS, LabData } from "./lab_data.js";

// The least time between two drawings of the figures beside the plane, while a point is dragged.
const REST_MS = 250;

/** @param {Float64Array} values */
function nonzeros(values) {
  return values.reduce((sum, value) => sum + Number(value !== 0), 0);
}

/** @typedef {import("./frame.js").Pictured} Pictured */
/** @typedef {import("./lab_track.js").Shown} Shown */
/** @typedef {import("./lab_track.js").State} State */
/** @typedef {import("./lab_track.js").Step} Step */

export class LabPicture extends LabData {
  // A ghost is of other numbers alone, on whose axes the new run is drawn; other data and terms have axes of their own.
  remember() {
    super.remember();
    const { shownSettings: before, settings: now } = this;
    const isMoved = before && differs(before, now, true);
    if (!isMoved) this.before = null;
    this.figures.hold(Boolean(isMoved));
  }

  /**
   * Both curves as one, with a break between them.
   * @param {any[]} curves
   */
  traces(curves) {
    const both = curves.map(([, rows]) => this.figures.ghost(rows));
    return {
      gap: Object.fromEntries(
        Object.keys(both[0]).map((name) => [name, both.flatMap((each) => /** @type {any} */ (each)[name])]),
      ),
    };
  }

  /** @param {{ engine: any }} fields */
  async askedOf({ engine }) {
    const certificate = await engine.ask("certificate");
    return { step: certificate.step, certificate };
  }

  /**
   * Fills the figures; of a drag the plane each time, the others now and then. Null where these were left out.
   * @param {{ runs: Record<string, Shown>, row: Row }} fields
   */
  async show({ runs, row: { epoch } }) {
    const [A, B = null] = Object.entries(runs).map(([name, run]) => this.state(name, run));
    const now = performance.now();
    for (const [name, { shown }] of Object.entries(runs)) this.alphas[name] = shown.certificate.alpha;
    this.saidOfPoints = this.present && this.pictureOfPoints.show(this.present, A, B);
    clearTimeout(this.later);
    if (this.dragged && now - this.drawn < REST_MS) {
      this.host.line("plane", this.saidOfPoints);
      this.later = setTimeout(() => this.soon(), REST_MS);
      return null;
    }
    this.drawn = now;
    const isRunning = this.runs.playing;
    this.drawnState = A;
    this.figures.show(A, B, isRunning);
    this.keepVisited(A);
    const [saddle, terms] = await Promise.all([this.saddle(A, epoch, isRunning), this.terms(A)]);
    if (saddle) this.figures.saddle(saddle);
    return { A, B, saddle, terms };
  }

  // What is pointed at is shaded and ringed in all figures.
  showPointed() {
    const { drawnState: A } = this;
    if (!A) return;
    const numbers = this.figures.areas(A);
    const {
      row,
      duals,
      n,
      problem: { curves },
    } = A;
    const said = this.figures.say("hold", { support: row.support, n, bound: duals.bound, free: duals.free });
    this.host.line("margins", said + this.figures.areaSaid(numbers, curves.loss));
    this.host.line("transfer", this.figures.transferSaid(numbers, curves.regularizer));
  }

  /**
   * Each lambda that was visited leaves its weights and its score.
   * @param {State} fields
   */
  keepVisited({ w, problem, certificate }) {
    const { lam, settings, n } = problem;
    const { lam: _, tolerance, adds, brush, compare, about, ...others } = settings;
    const key = JSON.stringify([others, n]);
    this.visited = remembered(this.visited, key, lam, w, lossOf(problem, certificate));
    this.figures.visited(this.visited, lam, (/** @type {number} */ j) => problem.name(j));
  }

  /**
   * Back to the visited lambda that is nearest to a place of the axis.
   * @param {any} place
   */
  goTo(place) {
    /** @param {number} lam */
    const far = (lam) => Math.abs(Math.log(lam / place));
    const all = [...(this.visited?.runs.keys() ?? [])];
    if (!all.length || !(place > 0)) return;
    this.host.move(
      "lam",
      all.reduce((best, lam) => (far(lam) < far(best) ? lam : best)),
    );
  }

  /** @param {string} name @param {Shown} fields */
  state(name, { rows, row, event, shown: { certificate } }) {
    const problem = this.pictured[name];
    return Object.assign(stateOf(problem, certificate, row), { name, problem, certificate, event, rows });
  }

  /**
   * In a run the saddle is drawn as seldom as texts are.
   * @param {State} fields @param {number} epoch @param {boolean} isRunning
   */
  async saddle({ problem, certificate, event }, epoch, isRunning) {
    const now = performance.now();
    const { data } = problem;
    const { engine } = this.runs.shown[0];
    // A file that cannot compute does not have it.
    if (engine instanceof RecordedEngine) return null;
    if (isRunning && (now - this.looked.at < READ_MS || !this.figures.isShown("saddle_x"))) return null;
    // Kept for the rest of a run: a picture that jumps between samples shows no closing gap.
    const sample = this.looked.sample ?? watched(problem, certificate, event, epoch);
    this.looked = { at: now, sample: epoch >= 1 ? sample : null };
    const row = data.large ? await this.row(problem, sample) : problem.row(sample);
    const asked = sectionOf(problem, certificate, sample, row);
    if (asked === null) return null;
    const { x, ...message } = asked;
    const answer = await engine.ask("section", { ...message, step: certificate.step });
    return answer.step === certificate.step ? saddleOf(problem, certificate, asked, answer) : null;
  }

  /** @param {Pictured} problem @param {number} sample */
  async row({ settings: { source, signed, cloud, points } }, sample) {
    const { indices, values } = await this.host.ask("row", { source, signed, cloud, points, sample });
    return Array.from(indices, (j, k) => [j, values[k]]);
  }

  /**
   * The sum behind the gap, where it is open; null where there is nothing new.
   * @param {State} fields
   */
  async terms({ certificate, problem }) {
    if (!this.certainty.fold.open) return null;
    if (!Number.isFinite(certificate.gap)) return `<p>${this.figures.say("infinite")}</p>`;
    const { step } = certificate;
    const samples = largestTerms(certificate);
    const parts = await this.runs.shown[0].engine.ask("terms", { samples, step });
    if (parts.step !== step) return null;
    const [loss, regularizer] = [problem.loss, problem.regularizer].map(({ rests }) => rests);
    const where = this.page.texts[document.body.dataset.engine === "server" ? "on_the_server" : "in_the_browser"];
    const rests = this.figures.say("proof_status", { loss, regularizer, where });
    return `${termsTable(certificate, samples, parts, this.page.rules, this.page.texts)}<p>${escaped(rests)}</p>`;
  }

  /**
   * Numbers and sentences, seldom in a run: a changed text has the browser lay the page out.
   * @param {{ runs: Record<string, Shown> }} fields @param {{ A: State, B: State | null, saddle: any, terms: string | null }} others
   */
  speak({ runs }, { A, B, saddle, terms }) {
    const { certificate } = A;
    const { tolerance } = this.settings;
    const { playing } = this.runs;
    const states = B ? [A, B] : [A];
    const scores = states.map((each) => scoreOf(each.problem, each.certificate));
    this.certainty.state(this.figures.formula(A, B));
    const until = A.rows.filter(({ step }) => step <= certificate.step);
    this.gauge = new Gauge(until, this.page.texts).shown;
    if (B) this.gauge.sentence = `A: ${this.gauge.sentence}`;
    this.certainty.draw(this.gauge);
    if (terms !== null) this.certainty.write(terms);
    const said = this.figures.captions(A, B, saddle, this.figures.areas(A), scores, this.visited);
    for (const [name, text] of Object.entries(said)) this.host.line(name, text);
    if (this.saidOfPoints) this.host.line("plane", this.saidOfPoints);
    if (!playing || A.event) this.explain(A, playing);
    const open = this.dragged ? "moving" : playing ? "running" : "paused";
    const statuses = Object.values(runs).map(({ status }) => (this.dragged ? null : status));
    const rows = states.map(({ row }) => row);
    this.report(this.figures.standing(rows, statuses, open, tolerance));
  }

  /**
   * Of the step before; after a run, where that moved nothing, of the last one seen that did, else of the first.
   * @param {State} A @param {boolean} playing
   */
  explain(A, playing) {
    const { event, row } = A;
    const [track] = this.runs.shown;
    const { moved } = track;
    const isIdle = event !== null && event.alpha_after === event.alpha_before && Number.isInteger(row.epoch);
    if (!isIdle) this.host.put("why", this.why(A, { event, step: row.step }));
    else if (moved !== null && moved.step <= row.step) this.host.put("why", this.why(A, moved));
    else if (!playing && this.isAble) {
      track.firstMove().then(
        (/** @type {any} */ first) => {
          if (this.runs.shown[0] === track && this.drawnState === A) this.host.put("why", this.why(A, first));
        },
        () => {},
      );
    }
  }

  /**
   * What the question's two runs came to, once both have ended.
   * @param {{ runs: Record<string, Shown> }} fields
   */
  outcome({ runs }) {
    const { A, B } = runs;
    if (!A?.status || !B?.status) return null;
    const [a, b] = [A, B].map(({ row, status, shown: { certificate } }, k) => ({
      epochs: status === "converged" ? row.epoch : null,
      support: nonzeros(certificate.alpha),
      nonzeros: nonzeros(this.pictured["AB"[k]].weights(certificate.w)),
    }));
    return Object.fromEntries(
      Object.keys(a).map((name) => [name, [/** @type {any} */ (a)[name], /** @type {any} */ (b)[name]]]),
    );
  }

  // The point that the picture is of, for what only the server can do.
  get point() {
    return this.alphas.A ?? null;
  }

  // Every weight of the picture with its certificate, as CSV.
  saveWeights() {
    if (!this.drawnState) return;
    const {
      problem,
      certificate: { w, primal, dual, gap },
    } = this.drawnState;
    const { names, constant, d } = problem;
    /** @param {string} text */
    const cell = (text) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
    const all = problem.split(w);
    const rows = Array.from(all, (value, j) => `${cell(j < d ? String(names[j]) : "(constant)")},${value}`);
    const numbers = Object.entries({ primal, dual, gap }).map(([name, value]) => `# ${name} = ${value}`);
    const text = [...numbers, "feature,weight", ...(constant ? rows : rows.slice(0, d)), ""].join("\n");
    const href = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
    Object.assign(document.createElement("a"), { href, download: "weights.csv" }).click();
    URL.revokeObjectURL(href);
  }

  /** @param {State} fields @param {{ event: Step | null, step: number }} others */
  why(
    {
      problem: {
        data,
        loss: { closed },
        regularizer: { quadratic },
        lam,
        n,
        settings,
      },
    },
    { event, step },
  ) {
    const y = event ? data.y[event.index] : 0;
    return this.figures.why({ event, step, y, solver: this.solver(settings), lam_n: lam * n, quadratic, closed });
  }
}

/**
 * Whether settings differ, and where it is asked for in nothing but numbers.
 * @param {Settings} before @param {Settings} now @param {boolean} inNumbers
 */
function differs(before, now, inNumbers) {
  const names = Object.keys(now).filter((name) => !["texts", "b_texts", "about", "tolerance", ...HANDS].includes(name));
  const changed = names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(now[name]));
  return changed.length > 0 && (!inNumbers || changed.every((name) => typeof now[name] === "number"));
}
