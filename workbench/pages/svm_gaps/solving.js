// The solution of a problem, the steps before it, and the reference that distances are measured from.

import { readPoints } from "../runtime/live_plane.js";
import { SingleRun } from "../runtime/single_run.js";
import { opened } from "../wasm/javascript/page.js";
import { dualVariables, svmGap } from "./gap.js";

export const SOLVE_STEPS = 200000;
// The steps before a solution are fetched so many at once, and are seen every so many milliseconds.
const FETCHED = 50;
const FETCH_MS = 1000;
// The reference ends at this violation, 1e-3 of the least tolerance that the page offers.
const REFERENCE = 1e-9;
// The violation that the page finds may be another than the solver's by rounding.
export const MET = 1 + 1e-9;

export class SvmSolving extends SingleRun {
  /** @type {any} */ points;
  /** @type {any} */ known = null;
  /** @type {any} */ optimum = null;
  waiting = 0;
  /** @type {any} */ fetched = null;
  /** @type {any} */ referring = null;
  /** @type {any} */ terms;
  /** @type {any} */ mostSolved;

  /** @param {Record<string, any>} fields */
  kernel({ kernel, gamma, degree }) {
    const { Linear, Gaussian, Polynomial } = this.page.kernels;
    const [coefficient, constant] = Polynomial.parameters;
    if (kernel === "Gaussian") return { ...Gaussian, parameters: [gamma] };
    return kernel === "Linear" ? Linear : { ...Polynomial, parameters: [coefficient, constant, degree] };
  }

  /**
   * The data and the terms of the points and the kernel, for an engine in this browser.
   * @param {Settings} settings
   */
  async given(settings) {
    const { losses, regularizers } = await (this.terms ??= opened(this.page.problem));
    const { X, y } = readPoints(settings.points, this.points.half_width);
    const n = y.length;
    const [[loss], [regularizer]] = [losses, regularizers].map((table) => Object.keys(table));
    const data = {
      n,
      d: 2,
      offsets: [],
      indices: [],
      values: X.flat(),
      y,
      weight: new Float64Array(n).fill(1),
      free_bias: true,
      kernel: this.kernel(settings),
    };
    return { data: { data, losses, regularizers }, terms: { loss, regularizer } };
  }

  /**
   * What is done behind a picture that stands, once something else is done.
   * @param {any} turn @param {any} act @param {any} [before]
   */
  async beside(turn, act, before = null) {
    this.waiting++;
    try {
      await before;
      if (turn === this.asked) await act();
    } catch (error) {
      if (turn === this.asked) this.refuse(error);
    } finally {
      this.waiting--;
    }
  }

  /**
   * The certificate and the event after so many steps from zero, at most.
   * @param {string} name @param {any} lab @param {any} tol @param {any} steps
   */
  async solved(name, lab, tol, steps) {
    const {
      key,
      y,
      C,
      selection,
      held: { isHere, data, terms },
    } = lab;
    const engine = await this.engineOf(name, isHere);
    const asked = [];
    // A worker loads its kernels with the first data, and must have done so before anything else comes.
    engine.begun ??= engine.ask("data", { ...engine.facts, ...data });
    await engine.begun;
    // Sent together, so that those of another problem cannot come between them.
    if (engine.key !== key) asked.push(engine.ask("data", data));
    engine.key = key;
    const solver = { ...this.page.solver, tol, selection };
    asked.push(
      engine.ask("problem", { ...terms, lam: 1 / (C * y.length), solver, seed: 0 }),
      this.stepped(engine, steps),
    );
    return (await Promise.all(asked)).at(-1);
  }

  /**
   * Steps, with the certificate after them and what the last one did.
   * @param {any} engine @param {any} count
   */
  async stepped(engine, count) {
    const asked = count > 0 ? engine.ask("step", { count }) : engine.ask("frame");
    const [{ step, epoch, event }, { alpha }] = await Promise.all([asked, engine.ask("certificate")]);
    return { step, epoch, event, alpha };
  }

  /** @param {{ K: any, y: number, C: any }} fields @param {any} others */
  row({ K, y, C }, { step, epoch, event, alpha }) {
    const a = dualVariables(alpha, y, C);
    const { slacks, f, breakpoints, values, ...found } = svmGap(K, y, C, a);
    return { step, epoch, event, a, ...found };
  }

  /**
   * So many single steps on, each with its row.
   * @param {number} count
   */
  async advanced(count) {
    const { lab } = this;
    const engine = await lab.engine;
    const all = await Promise.all(Array.from({ length: count }, () => this.stepped(engine, 1)));
    return all.map((solved) => this.row(lab, solved));
  }

  /**
   * The steps before a solution, from zero; the engine stands at the solution again then.
   * @param {number} turn
   */
  async fetch(turn) {
    const {
      lab,
      rows: [last],
    } = this;
    const before = [];
    let told = performance.now();
    before.push(this.row(lab, await this.solved("run", lab, 0, 0)));
    while (turn === this.asked && before.length <= last.step) {
      const found = await this.advanced(Math.min(FETCHED, last.step + 1 - before.length));
      if (turn !== this.asked) return;
      before.push(...found);
      if (before.length <= last.step && performance.now() - told < FETCH_MS) continue;
      told = performance.now();
      const { at, rows } = this;
      const isLast = at === rows.length - 1;
      this.rows = before.length > last.step ? before : [...before, last];
      if (isLast) this.at = this.rows.length - 1;
      this.soon();
    }
  }

  /**
   * The end of a long run, which true distances are measured from; solved beside the run that one sees.
   * @param {number} turn
   */
  async refer(turn) {
    const { lab } = this;
    const { K, y, C } = lab;
    const { a } = this.row(
      lab,
      await this.solved("reference", { ...lab, selection: "first-order" }, REFERENCE, SOLVE_STEPS),
    );
    if (turn !== this.asked) return;
    this.optimum = svmGap(K, y, C, a);
    this.soon();
  }
}
