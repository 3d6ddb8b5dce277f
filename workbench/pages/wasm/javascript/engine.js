// An engine that answers the messages of docs/browser.md with a run in this thread, a worker's.

import { certify, regularizer_terms } from "./certificate.js";
import { GaussSeidel } from "./gauss_seidel.js";
import { Kernels } from "./kernels.js";
import { AugmentedLagrangian, ModifiedAugmentedLagrangian } from "./lagrangian.js";
import { MaximalViolatingPair } from "./pairs.js";
import { PrimalGradient } from "./primal.js";
import { Data, Problem } from "./problem.js";
import { ProximalGradient } from "./proximal.js";

const VERSION = 1;
const SOLVERS = {
  "gauss-seidel": GaussSeidel, "maximal-violating-pair": MaximalViolatingPair,
  "augmented-lagrangian": AugmentedLagrangian, "modified-augmented-lagrangian": ModifiedAugmentedLagrangian,
  "proximal-gradient": ProximalGradient, "primal-gradient": PrimalGradient,
};
// How many states are kept for seeking, and the most memory for them.
const KEYFRAMES = 64, KEYFRAME_BYTES = 2 ** 26;
// How long a run goes on before it looks for messages, in milliseconds, and how many epochs it may have.
const SLICE = 12, MOST_EPOCHS = 1000;

export class Engine {
  // `post` takes each answer; `later` calls a function after messages that have come meanwhile.
  constructor(post, later = (next) => setTimeout(next, 0)) {
    Object.assign(this, { post, later, running: null, choices: {} });
  }

  async take(message) {
    const { version, id, type } = message;
    try {
      if (version !== VERSION) throw new Error(`message: version ${version} is not known; use ${VERSION}`);
      if (!Object.hasOwn(Engine.TYPES, type)) {
        throw new Error(`message: type = '${type}' is not known; use ${Object.keys(Engine.TYPES).join(", ")}`);
      }
      if (type !== "data" && !this.held) throw new Error(`${type}: there are no data yet; send 'data' first`);
      // A message of a page's own says itself whether it may come before a run.
      const [ends, fields, begins = ["data", "problem"].includes(type)] = Engine.TYPES[type];
      if (!begins && !this.solver) throw new Error(`${type}: there is no run yet; send 'problem' first`);
      check_fields(message, ["version", "id", "type", ...fields]);
      if (ends) this.stop("paused");
      await this[type](message);
    } catch (error) {
      this.answer(id, "error", { text: error.message });
    }
  }

  answer(id, type, contents) { this.post({ version: VERSION, id, type, ...contents }); }

  async data({ id, ...contents }) {
    await this.load(contents);
    this.answer(id, "ready", { n: this.held.n, d: this.held.d });
  }

  async load({ kernels, functions, data, losses, regularizers }) {
    if (!this.kernels) this.kernels = await Kernels.load(kernels, functions);
    const held = new Data(this.kernels, data);
    this.clear();
    this.held?.release();
    Object.assign(this, { held, losses, regularizers, solver: null });
  }

  problem({ id, ...choices }) {
    this.begin(choices);
    this.frame({ id });
  }

  // What is not given stays as it was; the run begins at the dual variables `alpha`, else at zero.
  begin({ loss, regularizer, lam, solver, seed, alpha = null }) {
    const given = Object.entries({ loss, regularizer, lam, solver, seed }).filter(([, value]) => value !== undefined);
    const choices = { seed: 0, ...this.choices, ...Object.fromEntries(given) };
    whole(choices.seed, "problem", "seed", 0);
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
        `solver = '${choices.solver?.name}' does not run in the browser; use ${Object.keys(SOLVERS).join(", ")}`);
    }
    const terms = [facts(this.losses, choices.loss, "loss"), facts(this.regularizers, choices.regularizer, "regularizer")];
    const made = new Problem(this.held, ...terms, choices.lam);
    let run;
    try {
      run = new SOLVERS[choices.solver.name](made, choices.solver, choices.seed);
      if (alpha !== null) begin_at(run, alpha, made.n);
    } catch (error) {
      run?.release();
      made.release();
      throw error;
    }
    this.clear();
    Object.assign(this, { choices, made, solver: run, steps: 0, status: null, reason: null, keyframes: [], last: null, told: null, passed: [] });
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

  step({ id, type = "step", count = 1 }) {
    this.advance(whole(count, type, "count", 1) * (type === "epoch" ? this.solver.epoch_steps : 1));
    this.frame({ id });
  }

  epoch(message) { this.step(message); }

  // Frames until the relative gap is met, the epochs are done or another message asks to stop.
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
        this.answer(id, "error", { text: error.message });
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
        else if (this.solver.trouble?.()) Object.assign(this, { status: "diverged", reason: this.solver.trouble() });
        else if (this.is_growing(certificate)) Object.assign(this, { status: "diverged", reason: this.growing });
        else if (this.steps >= most) this.status = "max_epochs";
        else if (done < asked) this.status = "stalled";
        this.passed.push(this.place(certificate));
      } while (this.status === null && performance.now() < until);
      this.frame({ id });
      if (this.status === null) this.later(go);
      else this.stop(this.status);
    };
    this.later(go);
  }

  pause({ id }) { this.frame({ id }); }

  // A run that is cancelled says nothing more; the state stays.
  cancel() {}

  seek({ id, step }) {
    whole(step, "seek", "step", 0);
    const from = this.keyframes.findLast((frame) => frame.step <= step);
    if (this.steps > step || this.steps < from.step) this.restore(from);
    this.advance(step - this.steps);
    this.frame({ id });
  }

  certificate({ id }) {
    this.told = { step: this.steps, ...this.certified() };
    this.answer(id, "certificate", this.told);
  }

  // The present certificate, or that of `step` where it was the last one told: a run may have gone on since.
  certified_at(step) { return this.told && this.told.step === step ? this.told : { step: this.steps, ...this.certified() }; }

  event({ id }) { this.answer(id, "event", { step: this.steps, event: this.last_event() }); }

  frame({ id }) {
    const { sample_terms, regularizer_term, z, w, v: _, b, alpha, ...numbers } = this.certified();
    const { lower, upper } = this.made.loss;
    const found = { support: 0, at_lower: 0, at_upper: 0, inside: 0 };
    const weight = this.made.weight.view, sign = this.made.sign.view;
    alpha.forEach((value, i) => {
      const nu = -value / (weight[i] * sign[i]);
      if (value !== 0) found.support++;
      found[nu <= lower ? "at_lower" : nu >= upper ? "at_upper" : "inside"]++;
    });
    const nonzeros = w === null ? 0 : w.reduce((count, value) => count + (value !== 0), 0);
    this.answer(id, "frame", {
      ...this.place({ ...numbers, b }), nonzeros, w, alpha: found, event: this.last_event(), status: this.status,
      reason: this.reason, passed: this.passed.splice(0),
    });
  }

  // How far the run has come, and the numbers of its certificate.
  place({ primal, dual, gap, relative_gap, b }) {
    const { multipliers, steps: step } = this;
    return { step, epoch: step / this.solver.epoch_steps, primal, dual, gap, relative_gap, b, multipliers };
  }

  // f(z_i) and k(-alpha_i) of some samples.
  terms({ id, samples, step: at }) {
    const { made } = this, { kernels, loss, theta, n } = made, { z, alpha, step } = this.certified_at(at);
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

  // What changes where one weight and one dual variable move and all else is held.
  section({ id, feature, mirror = null, sample, weights, duals, predictions, step: at }) {
    const { made } = this, { kernels, loss, d, n } = made, { w, alpha, step } = this.certified_at(at);
    whole(feature, "section", "feature", 0, d - 1);
    whole(sample, "section", "sample", 0, n - 1);
    if (mirror !== null) whole(mirror, "section", "mirror", 0, d - 1);
    if (w === null) throw new Error("section: the weights of a kernel are not available; use a problem without one");
    const { data } = made, v = data.space("v", d), moved = data.space("moved", d), duals_at = data.space("duals", n);
    duals_at.view.set(alpha);
    made.dual_vector(duals_at, v);
    const mapped = data.space("mapped", d), h = made.regularizer.norm ? 0 : made.map(v, mapped);
    moved.view.set(w);
    const g = Array.from(weights, (value) => {
      moved.view[feature] = value;
      if (mirror !== null) moved.view[mirror] = Math.max(0, w[feature] + w[mirror] - value);
      return regularizer_terms(made, moved, v, mapped, h).value;
    });
    const [weight, sign, shift] = [made.weight, made.sign, made.shift].map((block) => block.view[sample]);
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
      step, v: [feature, mirror ?? feature].map((j) => v.view[j]), g, conjugate, best,
    });
  }

  // The primal over the multiplier, at the weights of the run's own state.
  profile({ id, count = 41, beyond = 0.6 }) {
    const { name } = this.choices.solver;
    whole(count, "profile", "count", 2);
    if (!(beyond >= 0)) throw new Error(`profile: beyond = ${beyond} is below 0; use 0.6, say`);
    if (!this.solver.profile) {
      throw new Error(
        `profile: the run of ${name} has 0 multipliers, and a profile is over one; use augmented-lagrangian or ` +
        "modified-augmented-lagrangian for an unregularized bias");
    }
    this.answer(id, "profile", { step: this.steps, ...this.solver.profile(count, beyond) });
  }

  // Steps, with a state kept after each `spacing`; those that are done already are not kept again.
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

  // Whether the iterate grows without end, as `stopping.py` has it.
  is_growing({ dual }) {
    const { divergence = null } = this.choices.solver, fallen = divergence === null ? 0 : this.first - dual;
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
      this.keyframes = this.keyframes.filter((frame) => frame.step % this.spacing === 0);
    }
  }

  restore({ step, state }) {
    for (const [name, block] of Object.entries(this.solver.state)) block.view.set(state[name]);
    Object.assign(this, { steps: step, last: null, status: null, reason: null });
    this.solver.restored?.();
  }

  certified() {
    if (this.last) return this.last;
    this.last = certify(this.made, this.solver.point());
    this.multipliers = this.solver.multipliers?.() ?? null;
    return this.last;
  }

  last_event() {
    const numbers = [...this.solver.state.event.view], { fields } = this.choices.solver;
    if (Number.isNaN(numbers[0])) return null;
    const read = ([name, kind], k) => [name, kind === "bool" ? numbers[k] !== 0 : numbers[k]];
    return Object.fromEntries(Object.entries(fields).map(read));
  }

  stop(status) {
    if (this.running) this.answer(this.running.id, "ended", { step: this.steps, status });
    this.running = null;
  }
}

// The messages: whether one of them ends a run that is going on, and what it takes.
Engine.TYPES = {
  data: [true, ["kernels", "functions", "data", "losses", "regularizers"]],
  problem: [true, ["loss", "regularizer", "lam", "solver", "seed", "alpha"]],
  step: [true, ["count"]], epoch: [true, ["count"]], run: [true, ["gap", "max_epochs", "every"]],
  pause: [true, []], cancel: [true, []], seek: [true, ["step"]],
  frame: [false, []], certificate: [false, []], event: [false, []],
  terms: [false, ["samples", "step"]],
  section: [false, ["feature", "mirror", "sample", "weights", "duals", "predictions", "step"]],
  profile: [false, ["count", "beyond"]],
};

// A run that begins at given dual variables, each moved into the domain of its conjugate.
function begin_at(run, alpha, n) {
  if (!run.begin) throw new Error("problem: alpha is taken by gauss-seidel alone; leave it out");
  if (alpha.length !== n) throw new Error(`problem: alpha has ${alpha.length} entries; give ${n}, one a sample`);
  if (!alpha.every(Number.isFinite)) throw new Error("problem: alpha has an entry that is no finite number; give numbers");
  run.begin(alpha);
}

function whole(value, type, name, least, most = Infinity) {
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  const end = most < Infinity ? ` and at most ${most}` : "";
  throw new Error(`${type}: ${name} = ${value} is no whole number of at least ${least}${end}`);
}

function check_fields(message, known) {
  const unknown = Object.keys(message).find((name) => !known.includes(name));
  if (unknown) throw new Error(`${message.type}: ${unknown} is not known; use ${known.slice(3).join(", ") || "no fields"}`);
}
