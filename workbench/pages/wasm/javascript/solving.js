// The problem of an engine and the run that solves it: its states, kept for seeking, and its certificates.

import { certify } from "./certificate.js";
import { GaussSeidel } from "./gauss_seidel.js";
import { Kernels } from "./kernels.js";
import { AugmentedLagrangian, ModifiedAugmentedLagrangian } from "./lagrangian.js";
import { beginAt, whole } from "./messages.js";
import { MaximalViolatingPair } from "./pairs.js";
import { PrimalGradient } from "./primal.js";
import { Data, Problem } from "./problem.js";
import { ProximalGradient } from "./proximal.js";

/** @type {Record<string, any>} */
const SOLVERS = {
  "gauss-seidel": GaussSeidel,
  "maximal-violating-pair": MaximalViolatingPair,
  "augmented-lagrangian": AugmentedLagrangian,
  "modified-augmented-lagrangian": ModifiedAugmentedLagrangian,
  "proximal-gradient": ProximalGradient,
  "primal-gradient": PrimalGradient,
};
// How many states are kept for seeking, and the most memory for them.
const KEYFRAMES = 64;
const KEYFRAME_BYTES = 2 ** 26;

export class Solving {
  /** @type {Record<string, any>} */ choices = {};
  /** @type {any} */ kernels;
  /** @type {any} */ held;
  /** @type {any} */ losses;
  /** @type {any} */ regularizers;
  /** @type {any} */ solver;
  /** @type {any} */ made;
  /** @type {any} */ steps;
  /** @type {any} */ status;
  /** @type {any} */ reason;
  /** @type {any} */ keyframes;
  /** @type {any} */ last;
  /** @type {any} */ lastCertificate;
  /** @type {any} */ passed;
  /** @type {any} */ spacing;
  /** @type {any} */ first;
  /** @type {any} */ multipliers;
  /** @type {{ last: number, last_gap: number } | null} */ lastIterate = null;

  /** @param {Record<string, any>} fields */
  async load({ kernels, functions, data, losses, regularizers }) {
    if (!this.kernels) this.kernels = await Kernels.load(kernels, functions);
    const held = new Data(this.kernels, data);
    this.clear();
    this.held?.release();
    this.held = held;
    this.losses = losses;
    this.regularizers = regularizers;
    this.solver = null;
  }

  /**
   * What is not given stays as it was; the run begins at the dual variables `alpha`, else at zero.
   * @param {any} fields
   */
  begin({ loss, regularizer, lam, solver, seed, alpha = null }) {
    const given = Object.entries({ loss, regularizer, lam, solver, seed }).filter(([, value]) => value !== undefined);
    /** @type {Record<string, any>} */
    const choices = { seed: 0, ...this.choices, ...Object.fromEntries(given) };
    whole(choices.seed, "problem", "seed", 0);
    /** @param {any} table @param {string} name @param {any} what */
    const facts = (table, name, what) => {
      if (typeof name === "object") return name;
      if (!Object.hasOwn(table, name)) throw new Error(`${what} = '${name}' is not among the facts of this page`);
      return table[name];
    };
    if (!(choices.lam > 0 && choices.lam < Infinity)) {
      throw new Error(`problem: lam = ${choices.lam} is not above 0; use 0.001, say`);
    }
    if (!Object.hasOwn(SOLVERS, choices.solver?.name)) {
      throw new Error(
        `solver = '${choices.solver?.name}' does not run in the browser; use ${Object.keys(SOLVERS).join(", ")}`,
      );
    }
    const terms = [
      facts(this.losses, choices.loss, "loss"),
      facts(this.regularizers, choices.regularizer, "regularizer"),
    ];
    const made = new Problem(this.held, terms[0], terms[1], choices.lam);
    let run;
    try {
      run = new SOLVERS[choices.solver.name](made, choices.solver, choices.seed);
      if (alpha !== null) beginAt(run, alpha, made.n);
    } catch (error) {
      run?.release();
      made.release();
      throw error;
    }
    this.clear();
    this.choices = choices;
    this.made = made;
    this.solver = run;
    this.steps = 0;
    this.status = null;
    this.reason = null;
    this.keyframes = [];
    this.last = null;
    this.lastCertificate = null;
    this.passed = [];
    this.spacing = run.epoch_steps;
    this.keep();
    this.first = this.certified().dual;
  }

  // The memory of the run that there was.
  clear() {
    this.solver?.release();
    this.made?.release();
    this.solver = this.made = null;
  }

  /**
   * Steps, with a state kept after each `spacing`; those that are done already are not kept again.
   * @param {any} count
   */
  advance(count) {
    const start = this.steps;
    while (this.steps < start + count) {
      const next = (Math.floor(this.steps / this.spacing) + 1) * this.spacing;
      const asked = Math.min(start + count, next) - this.steps;
      const done = this.solver.advance(asked, this.steps);
      this.steps += done;
      this.last = null;
      if (done < asked) break;
      if (this.steps === next && this.steps > this.keyframes.at(-1).step) this.keep();
    }
    return this.steps - start;
  }

  /**
   * Whether the iterate grows without end, as `stopping.py` has it.
   * @param {{ dual: any }} fields
   */
  isGrowing({ dual }) {
    const { divergence = null } = this.choices.solver;
    const fallen = divergence === null ? 0 : this.first - dual;
    return fallen > divergence * this.made.zero_value || !this.solver.iterate().view.every(Number.isFinite);
  }

  get growing() {
    const { name, advice } = this.choices.solver;
    return `${name}: the iterate grows without end; ${this.solver.advice ?? advice}`;
  }

  keep() {
    const state = Object.fromEntries(Object.entries(this.solver.state).map(([name, block]) => [name, block.copy()]));
    this.keyframes.push({ step: this.steps, state });
    const bytes = Object.values(state).reduce((sum, array) => sum + array.byteLength, 0);
    if (this.keyframes.length > Math.max(2, Math.min(KEYFRAMES, KEYFRAME_BYTES / bytes))) {
      this.spacing *= 2;
      this.keyframes = this.keyframes.filter((/** @type {any} */ frame) => frame.step % this.spacing === 0);
    }
  }

  /** @param {{ step: any, state: any }} fields */
  restore({ step, state }) {
    for (const [name, block] of Object.entries(this.solver.state)) block.view.set(state[name]);
    this.steps = step;
    this.last = null;
    this.status = null;
    this.reason = null;
    this.solver.restored?.();
  }

  certified() {
    if (this.last) return this.last;
    const point = this.solver.lastPoint?.() ?? null;
    this.lastIterate = point && lastOf(certify(this.made, point));
    this.last = certify(this.made, this.solver.point());
    this.multipliers = this.solver.multipliers?.() ?? null;
    return this.last;
  }

  lastEvent() {
    const numbers = [...this.solver.state.event.view];
    const { fields } = this.choices.solver;
    if (Number.isNaN(numbers[0])) return null;
    /** @param {any[]} place @param {number} k */
    const read = ([name, kind], k) => [name, kind === "bool" ? numbers[k] !== 0 : numbers[k]];
    return Object.fromEntries(Object.entries(fields).map(read));
  }
}

/** @param {any} certificate - of the last iterate */
const lastOf = ({ primal, gap }) => ({ last: primal, last_gap: gap });
