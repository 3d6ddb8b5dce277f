// An engine that answers the messages of docs/browser.md with a run in this thread, a worker's.

import { regularizerTerms } from "./certificate.js";
import { checkFields, whole } from "./messages.js";
import { Solving } from "./solving.js";

const VERSION = 1;

// How long a run goes on before it looks for messages, in milliseconds, and how many epochs it may have.
const SLICE = 12;
const MOST_EPOCHS = 1000;

export class Engine extends Solving {
  /** @type {any} */ post;
  /** @type {any} */ later;
  /** @type {any} */ running = null;
  /** @type {(() => object) | null} what a message of a page's own adds to each place of its run */ more = null;

  /**
   * `post` takes each answer; `later` calls a function after the messages that are waiting.
   * @param {any} post @param {any} [later]
   */
  constructor(post, later = (/** @type {any} */ next) => setTimeout(next, 0)) {
    super();
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

  /** @param {any} id @param {string} type @param {any} contents */
  answer(id, type, contents) {
    this.post({ version: VERSION, id, type, ...contents });
  }

  /** @param {{ id: any, [name: string]: any }} fields */
  async data({ id, ...contents }) {
    await this.load(contents);
    this.answer(id, "ready", { n: this.held.n, d: this.held.d });
  }

  /** @param {{ id: any, [name: string]: any }} fields */
  problem({ id, ...choices }) {
    this.more = null;
    this.begin(choices);
    this.frame({ id });
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
   * Frames until the relative gap is met, the epochs are done or another message asks to stop; a certificate every few
   * epochs, or as the steps grow by 1/`growth`.
   * @param {any} fields
   */
  run({ id, gap = 1e-6, max_epochs = MOST_EPOCHS, every = 1, growth = null }) {
    whole(every, "run", "every", 1);
    if (growth !== null) whole(growth, "run", "growth", 1);
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
        const count = growth ? Math.max(1, Math.floor(this.steps / growth)) : every * this.solver.epoch_steps;
        const asked = Math.min(count, most - this.steps);
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
    this.lastCertificate = { step: this.steps, ...this.certified() };
    this.answer(id, "certificate", this.lastCertificate);
  }

  /**
   * The present certificate, or that of `step` where it was the last one that was sent: a run may have gone on since.
   * @param {any} step
   */
  certifiedAt(step) {
    return this.lastCertificate && this.lastCertificate.step === step
      ? this.lastCertificate
      : { step: this.steps, ...this.certified() };
  }

  /** @param {{ id: any }} fields */
  event({ id }) {
    this.answer(id, "event", { step: this.steps, event: this.lastEvent() });
  }

  /** @param {any} fields */
  frame({ id }) {
    const { sample_terms, regularizer_term, z, w, v: _, b, alpha, ...numbers } = this.certified();
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
    const numbers = { primal, dual, gap, relative_gap, b, multipliers, ...this.lastIterate };
    return { step, epoch: step / this.solver.epoch_steps, ...numbers, ...this.more?.() };
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
  run: [true, ["gap", "max_epochs", "every", "growth"]],
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
