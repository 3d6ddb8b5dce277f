// An engine that answers the messages of docs/browser.md with a run in this thread, a worker's.

import { certify, regularizerTerms } from "./certificate.js";
import { GaussSeidel } from "./gauss_seidel.js";
import { Kernels } from "./kernels.js";
import { AugmentedLagrangian, ModifiedAugmentedLagrangian } from "./lagrangian.js";
import { beginAt, checkFields, whole } from "./messages.js";
import { MaximalViolatingPair } from "./pairs.js";
import { PrimalGradient } from "./primal.js";
import { Data, Problem } from "./problem.js";
import { ProximalGradient } from "./proximal.js";

const VERSION = 1;

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

// How long a run goes on before it looks for messages, in milliseconds, and how many epochs it may have.
const SLICE = 12;
const MOST_EPOCHS = 1000;

export class Engine {
  /** @type {any} */ post;
  /** @type {any} */ later;
  /** @type {any} */ running = null;
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
  /** @type {any} */ told;
  /** @type {any} */ passed;
  /** @type {any} */ spacing;
  /** @type {any} */ first;
  /** @type {any} */ multipliers;

  /**
   * `post` takes each answer; `later` calls a function after messages that have come meanwhile.
   * @param {any} post
   * @param {any} [later]
   */
  constructor(post, later = (/** @type {any} */ next) => setTimeout(next, 0)) {
    this.post = post;
    this.later = later;
  }

  /** @param {any} message */
  async take(message) {
    const { version, id, type } = message;
    try {
      if (version !== VERSION) throw new Error(`message: version ${version} is not known; use ${VERSION}`);
      if (!Object.hasOwn(Engine.TYPES, type)) {
        throw new Error(`message: type = '${type}' is not known; use ${Object.keys(Engine.TYPES).join(", ")}`);
      }
      if (type !== "data" && !this.held) throw new Error(`${type}: there are no data yet; send 'data' first`);
      // A message of a page's own says itself whether it may come before a run.
      const [ends, fields, begins = ["data", "problem"].includes(type)] = /** @type {any} */ (Engine.TYPES)[type];
      if (!begins && !this.solver) throw new Error(`${type}: there is no run yet; send 'problem' first`);
      checkFields(message, ["version", "id", "type", ...fields]);
      if (ends) this.stop("paused");
      await /** @type {any} */ (this)[type](message);
    } catch (error) {
      this.answer(id, "error", { text: /** @type {Error} */ (error).message });
    }
  }

  /**
   * @param {any} id
   * @param {string} type
   * @param {any} contents
   */
  answer(id, type, contents) {
    this.post({ version: VERSION, id, type, ...contents });
  }

  /** @param {{ id: any, [name: string]: any }} fields */
  async data({ id, ...contents }) {
    await this.load(contents);
    this.answer(id, "ready", { n: this.held.n, d: this.held.d });
  }

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

  /** @param {{ id: any, [name: string]: any }} fields */
  problem({ id, ...choices }) {
    this.begin(choices);
    this.frame({ id });
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
    /**
     * @param {any} table
     * @param {string} name
     * @param {any} what
     */
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
    this.told = null;
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

  /** @param {{ id: any, type?: any, count?: number }} fields */
  step({ id, type = "step", count = 1 }) {
    this.advance(whole(count, type, "count", 1) * (type === "epoch" ? this.solver.epoch_steps : 1));
    this.frame({ id });
  }

  /** @param {any} message */
  epoch(message) {
    this.step(message);
  }

  /**
   * Frames until the relative gap is met, the epochs are done or another message asks to stop.
   * @param {any} fields
   */
  run({ id, gap = 1e-6, max_epochs = MOST_EPOCHS, every = 1 }) {
    whole(every, "run", "every", 1);
    if (!(gap >= 0)) throw new Error(`run: gap = ${gap} is below 0; use 1e-6, say`);
    if (!(max_epochs > 0)) throw new Error(`run: max_epochs = ${max_epochs} is not above 0; use ${MOST_EPOCHS}`);
    const turn = (this.running = { id });
    const most = Math.ceil(max_epochs * this.solver.epoch_steps);
    this.status = this.reason = null;
    this.passed = [];
    const go = () => {
      try {
        if (this.running === turn) slice();
      } catch (error) {
        this.running = null;
        this.answer(id, "error", { text: /** @type {Error} */ (error).message });
      }
    };
    const slice = () => {
      const until = performance.now() + SLICE;
      let certificate;
      do {
        const asked = Math.min(every * this.solver.epoch_steps, most - this.steps);
        const done = asked > 0 ? this.advance(asked) : 0;
        certificate = this.certified();
        if (certificate.relative_gap <= gap) this.status = "converged";
        else if (this.solver.trouble?.()) {
          this.status = "diverged";
          this.reason = this.solver.trouble();
        } else if (this.isGrowing(certificate)) {
          this.status = "diverged";
          this.reason = this.growing;
        } else if (this.steps >= most) this.status = "max_epochs";
        else if (done < asked) this.status = "stalled";
        this.passed.push(this.place(certificate));
      } while (this.status === null && performance.now() < until);
      this.frame({ id });
      if (this.status === null) this.later(go);
      else this.stop(this.status);
    };
    this.later(go);
  }

  /** @param {{ id: any }} fields */
  pause({ id }) {
    this.frame({ id });
  }

  // A run that is cancelled says nothing more; the state stays.
  cancel() {}

  /** @param {any} fields */
  seek({ id, step }) {
    whole(step, "seek", "step", 0);
    const from = this.keyframes.findLast((/** @type {any} */ frame) => frame.step <= step);
    if (this.steps > step || this.steps < from.step) this.restore(from);
    this.advance(step - this.steps);
    this.frame({ id });
  }

  /** @param {{ id: any }} fields */
  certificate({ id }) {
    this.told = { step: this.steps, ...this.certified() };
    this.answer(id, "certificate", this.told);
  }

  /**
   * The present certificate, or that of `step` where it was the last one told: a run may have gone on since.
   * @param {any} step
   */
  certifiedAt(step) {
    return this.told && this.told.step === step ? this.told : { step: this.steps, ...this.certified() };
  }

  /** @param {{ id: any }} fields */
  event({ id }) {
    this.answer(id, "event", { step: this.steps, event: this.lastEvent() });
  }

  /** @param {any} fields */
  frame({ id }) {
    const { sample_terms, regularizer_term, z, w, b, alpha, ...numbers } = this.certified();
    const { lower, upper } = this.made.loss;
    const found = { support: 0, at_lower: 0, at_upper: 0, inside: 0 };
    const weight = this.made.weight.view;
    const sign = this.made.sign.view;
    alpha.forEach((/** @type {number} */ value, /** @type {number} */ i) => {
      const nu = -value / (weight[i] * sign[i]);
      if (value !== 0) found.support++;
      found[nu <= lower ? "at_lower" : nu >= upper ? "at_upper" : "inside"]++;
    });
    const nonzeros =
      w === null
        ? 0
        : w.reduce((/** @type {number} */ count, /** @type {number} */ value) => count + Number(value !== 0), 0);
    this.answer(id, "frame", {
      ...this.place({ ...numbers, b }),
      nonzeros,
      w,
      alpha: found,
      event: this.lastEvent(),
      status: this.status,
      reason: this.reason,
      passed: this.passed.splice(0),
    });
  }

  /**
   * How far the run has come, and the numbers of its certificate.
   * @param {any} fields
   */
  place({ primal, dual, gap, relative_gap, b }) {
    const { multipliers, steps: step } = this;
    return { step, epoch: step / this.solver.epoch_steps, primal, dual, gap, relative_gap, b, multipliers };
  }

  /**
   * f(z_i) and k(-alpha_i) of some samples.
   * @param {{ id: any, samples: any, step: any }} fields
   */
  terms({ id, samples, step: at }) {
    const { made } = this;
    const { kernels, loss, theta, n } = made;
    const { z, alpha, step } = this.certifiedAt(at);
    const views = [made.weight, made.sign, made.shift].map(({ view }) => view);
    const found = Array.from(samples, (i) => {
      const [weight, sign, shift] = views.map((view) => view[whole(i, "terms", "sample", 0, n - 1)]);
      const nu = Math.min(Math.max(-alpha[i] / (weight * sign), loss.lower), loss.upper);
      return [
        weight * kernels.call(made.p("value"), sign * z[i] + shift, theta),
        weight * (kernels.call(made.p("conjugate"), nu, theta) - shift * nu),
      ];
    });
    const [value, conjugate] = [0, 1].map((part) => found.map((both) => both[part]));
    this.answer(id, "terms", { step, value, conjugate });
  }

  /**
   * What changes where one weight and one dual variable move and all else is held.
   * @param {Record<string, any>} fields
   */
  section({ id, feature, mirror = null, sample, weights, duals, predictions, step: at }) {
    const { made } = this;
    const { kernels, loss, d, n } = made;
    const { w, alpha, step } = this.certifiedAt(at);
    whole(feature, "section", "feature", 0, d - 1);
    whole(sample, "section", "sample", 0, n - 1);
    if (mirror !== null) whole(mirror, "section", "mirror", 0, d - 1);
    if (w === null) throw new Error("section: the weights of a kernel are not available; use a problem without one");
    const { data } = made;
    const v = data.space("v", d);
    const moved = data.space("moved", d);
    const dualsAt = data.space("duals", n);
    dualsAt.view.set(alpha);
    made.dualVector(dualsAt, v);
    const mapped = data.space("mapped", d);
    const h = made.regularizer.norm ? 0 : made.map(v, mapped);
    moved.view.set(w);
    const g = Array.from(weights, (value) => {
      moved.view[feature] = value;
      if (mirror !== null) moved.view[mirror] = Math.max(0, w[feature] + w[mirror] - value);
      return regularizerTerms(made, moved, v, mapped, h).value;
    });
    const [weight, sign, shift] = [made.weight, made.sign, made.shift].map((block) => block.view[sample]);
    /** @param {any} nu */
    const within = (nu) => Math.min(Math.max(nu, loss.lower), loss.upper);
    const conjugate = Array.from(duals, (value) => {
      const nu = within(-value / (weight * sign));
      return weight * (kernels.call(made.p("conjugate"), nu, made.theta) - shift * nu);
    });
    const best = Array.from(predictions, (z) => {
      const nu = within(kernels.call(made.p("slope"), sign * z + shift, made.theta));
      return 0 - weight * sign * nu;
    });
    this.answer(id, "section", {
      step,
      v: [feature, mirror ?? feature].map((j) => v.view[j]),
      g,
      conjugate,
      best,
    });
  }

  /**
   * The primal over the multiplier, at the weights of the run's own state.
   * @param {{ id: any, count?: number, beyond?: number }} fields
   */
  profile({ id, count = 41, beyond = 0.6 }) {
    const { name } = this.choices.solver;
    whole(count, "profile", "count", 2);
    if (!(beyond >= 0)) throw new Error(`profile: beyond = ${beyond} is below 0; use 0.6, say`);
    if (!this.solver.profile) {
      throw new Error(
        `profile: the run of ${name} has 0 multipliers, and a profile is over one; use augmented-lagrangian or ` +
          "modified-augmented-lagrangian for an unregularized bias",
      );
    }
    this.answer(id, "profile", { step: this.steps, ...this.solver.profile(count, beyond) });
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
    this.last = certify(this.made, this.solver.point());
    this.multipliers = this.solver.multipliers?.() ?? null;
    return this.last;
  }

  lastEvent() {
    const numbers = [...this.solver.state.event.view];
    const { fields } = this.choices.solver;
    if (Number.isNaN(numbers[0])) return null;
    /**
     * @param {any[]} place
     * @param {number} k
     */
    const read = ([name, kind], k) => [name, kind === "bool" ? numbers[k] !== 0 : numbers[k]];
    return Object.fromEntries(Object.entries(fields).map(read));
  }

  /** @param {string} status */
  stop(status) {
    if (this.running) this.answer(this.running.id, "ended", { step: this.steps, status });
    this.running = null;
  }
}

// The messages: whether one of them ends a run that is going on, and what it takes.
Engine.TYPES = {
  data: [true, ["kernels", "functions", "data", "losses", "regularizers"]],
  problem: [true, ["loss", "regularizer", "lam", "solver", "seed", "alpha"]],
  step: [true, ["count"]],
  epoch: [true, ["count"]],
  run: [true, ["gap", "max_epochs", "every"]],
  pause: [true, []],
  cancel: [true, []],
  seek: [true, ["step"]],
  frame: [false, []],
  certificate: [false, []],
  event: [false, []],
  terms: [false, ["samples", "step"]],
  section: [false, ["feature", "mirror", "sample", "weights", "duals", "predictions", "step"]],
  profile: [false, ["count", "beyond"]],
};
