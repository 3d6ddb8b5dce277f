// @ts-check
// A run of pair steps, each of them certified and kept: solved at once, or step by step from zero.

import { painted, SLOW_MS } from "../runtime/painter.js";
import { rowOf } from "./frame.js";

/** The pair steps of a press of "10 steps". */
export const AT_ONCE = 10;
/** The steps that a run makes until one presses again, and those of a solve while a point is dragged. */
export const MOST_STEPS = 20000;
export const SOLVE_STEPS = 200000;
/** The steps before a solution are fetched in batches of this number, and shown at these intervals. */
const FETCHED = 50;
const FETCH_MS = 1000;
/** The violation that the page computes may differ from the solver's by rounding. */
const MET = 1 + 1e-9;
/** @type {Record<string, number>} */
const COUNTS = { step: 1, epoch: AT_ONCE };

/**
 * Steps an engine; returns the dual variables after it and what the last step did.
 * @param {any} engine
 * @param {number} count
 */
export async function stepped(engine, count) {
  const answer = count > 0 ? engine.ask("step", { count }) : engine.ask("frame");
  const [{ step, event }, { alpha }] = await Promise.all([answer, engine.ask("certificate")]);
  return { step, event, alpha };
}

/**
 * Returns the class of a run of pair steps.
 * @param {any} Track
 */
export function extendTrack(Track) {
  return class PairTrack extends Track {
    /** @type {any[]} */ rows = [];
    turn = 0;
    move = 0;
    isAsked = false;
    isFetching = false;
    /** @type {Promise<any> | null} */ fetched = null;
    /** @type {Promise<any> | null} */ coming = null;
    isSlow = () => false;

    /** @param {string} name @param {any} engine @param {() => void} news */
    constructor(name, engine, news) {
      super(name, engine, news);
      this.news = news;
    }

    /** Rows come from the answers to steps alone. */
    onMessage() {
      return false;
    }

    get isAnswered() {
      return !this.isAsked;
    }

    get index() {
      return this.rows.findIndex((/** @type {any} */ { step }) => step === this.at);
    }

    /**
     * Begins at zero, or at the solution where the run solves at once; the steps before it are fetched then.
     * @param {any} problem
     */
    async begin(problem) {
      this.detach();
      this.clear();
      const { turn } = this;
      const { most, tolerance, isDragged } = this.request;
      this.problem = problem;
      this.fetched = null;
      const solved = await this.solved(problem, most);
      if (turn !== this.turn) return;
      /** @type {any} */
      const row = this.certified(solved);
      this.rows = [row];
      this.at = row.step;
      if (most === 0 || isDragged) return;
      const met = row.violation <= tolerance * MET;
      this.finish(met ? "converged" : row.step < most ? "stalled" : "max_epochs");
      if (row.step > 0) this.fetched = this.fetch(turn);
    }

    /** @param {any} problem @param {number} count - sent together, so that nothing comes between */
    async solved(problem, count) {
      const [, answer] = await Promise.all([this.engine.ask("problem", problem), stepped(this.engine, count)]);
      return answer;
    }

    /** @param {any} solved */
    certified(solved) {
      return rowOf(solved, this.known, this.request.C);
    }

    /** @param {number} count */
    async advance(count) {
      const all = await Promise.all(Array.from({ length: count }, () => stepped(this.engine, 1)));
      return all.map((solved) => this.certified(solved));
    }

    /**
     * Fetches the steps before a solution; the engine stands at the solution again then.
     * @param {number} turn
     */
    async fetch(turn) {
      const last = /** @type {any} */ (this.rows[0]);
      const { solver } = this.problem;
      this.isFetching = true;
      try {
        /** @type {any[]} */
        const rows = [this.certified(await this.solved({ ...this.problem, solver: { ...solver, tol: 0 } }, 0))];
        let shown = performance.now();
        while (turn === this.turn && rows.length <= last.step) {
          rows.push(...(await this.advance(Math.min(FETCHED, last.step + 1 - rows.length))));
          if (turn !== this.turn) return;
          if (rows.length <= last.step && performance.now() - shown < FETCH_MS) continue;
          shown = performance.now();
          this.rows = rows.length > last.step ? rows : [...rows, last];
          this.news();
        }
      } finally {
        if (turn === this.turn) {
          this.isFetching = false;
          this.news();
        }
      }
    }

    /** @param {string} status */
    finish(status) {
      this.end = { step: this.at, status, reason: "" };
    }

    /**
     * @param {string} type
     * @param {any} [contents]
     */
    ask(type, contents = {}) {
      const move = ++this.move;
      const stands = () => move === this.move;
      this.playing = type === "run";
      this.running = this.playing ? move : null;
      this.isAsked = type in COUNTS || type === "pause";
      if (this.playing) return this.play(contents.gap, stands);
      if (this.isAsked) return this.press(COUNTS[type] ?? 0, stands);
      this.at = contents.step;
      this.news();
      return Promise.resolve();
    }

    /**
     * @param {number} tolerance
     * @param {() => boolean} stands
     */
    async play(tolerance, stands) {
      const limit = MOST_STEPS * (Math.floor(this.at / MOST_STEPS) + 1);
      while (stands()) {
        const status = await this.forward(stands, { limit, tolerance, count: 0 });
        if (!stands()) return;
        if (status) {
          this.playing = false;
          this.running = null;
          this.finish(status);
        }
        this.news();
        if (status) return;
        await (this.isSlow() ? new Promise((done) => setTimeout(done, SLOW_MS)) : painted());
      }
    }

    /**
     * Makes the steps of a press, after those that are on their way; none where it pauses.
     * @param {number} count
     * @param {() => boolean} stands
     */
    async press(count, stands) {
      const isLast = this.index === this.rows.length - 1;
      await this.coming?.catch(() => {});
      if (!stands()) return;
      if (isLast) this.at = this.rows.at(-1).step;
      const status = count ? await this.forward(stands, { limit: Infinity, tolerance: -1, count }) : null;
      if (!stands()) return;
      if (status) this.finish(status);
      this.isAsked = false;
      this.news();
    }

    /**
     * Goes on through the rows that there are, or by new steps; returns the status that ends the run, or null.
     * @param {() => boolean} stands
     * @param {{ limit: number, tolerance: number, count: number }} request
     */
    async forward(stands, request) {
      if (this.index === this.rows.length - 1 || this.isFetching) await this.fetched;
      if (!stands()) return null;
      const { index, turn } = this;
      const passes = request.count || (this.isSlow() ? 1 : 1 + Math.floor(index / AT_ONCE));
      const passed = this.rows.slice(index + 1, index + 1 + passes);
      if (passed.length) {
        const row = passed.find((/** @type {any} */ each) => ends(each, request)) ?? passed.at(-1);
        this.at = row.step;
        return ends(row, request);
      }
      this.coming = this.further(passes, request.tolerance);
      const { rows, status } = await this.coming;
      this.coming = null;
      if (turn !== this.turn) return null;
      this.rows = [...this.rows, ...rows];
      if (!stands()) return null;
      this.at = this.rows.at(-1).step;
      return status ?? ends(this.rows.at(-1), request);
    }

    /**
     * @param {number} count
     * @param {number} tolerance
     */
    async further(count, tolerance) {
      const before = this.rows.at(-1);
      if (before.violation <= Math.max(tolerance, 0))
        return { rows: [], status: before.violation <= tolerance ? "converged" : "stalled" };
      const all = await this.advance(count);
      const rows = all.filter(({ step }, k) => step !== (all[k - 1] ?? before).step);
      const met = 1 + rows.findIndex(({ violation }) => violation <= tolerance);
      if (met && met < rows.length) {
        rows.length = met;
        await this.engine.ask("seek", { step: rows[met - 1].step });
      }
      return { rows, status: rows.length ? null : "stalled" };
    }

    halt() {
      this.move++;
      this.playing = false;
      this.running = null;
      this.isAsked = false;
    }

    detach() {
      this.turn++;
      this.isFetching = false;
      this.halt();
    }
  };
}

/**
 * Returns what a run ends as at a row; null where it goes on.
 * @param {{ violation: number, step: number }} row
 * @param {{ limit: number, tolerance: number }} request
 */
function ends({ violation, step }, { limit, tolerance }) {
  if (violation <= tolerance) return "converged";
  return step >= limit ? "max_epochs" : null;
}
