// Augmented Lagrangians for an unregularized bias: what `workbench/solvers/augmented_lagrangian.py` does around
// the steps of Gauss-Seidel, whose pull is s + (lam n / mu) sum alpha / (lam n).

import { best_bias, regularizer_terms, sample_terms } from "./certificate.js";
import { GaussSeidel } from "./gauss_seidel.js";

// The places of the numbers that go with a state.
const MU = 0, LAST = 1, TOLERANCE = 2, TOLD = 3, COUNT = 4, TURNED = 5, PATH = 6, PATH_BEFORE = 7;
const INNER_SHARE = 0.1, INNER_FACTOR = 0.3, HALF = 0.5, QUARTER = 0.25, LEAST_MU = 1e-12;
const WINDOW = 20, TURNS = 0.4, SHRUNK = 0.9, LARGE = 1e-3, LEAST_SPREAD = 0.5;

class Lagrangian {
  constructor(problem, { name, advice, mu, update, order, scale, rate }, seed) {
    const { kernels, data, n } = problem;
    if (!data.free_bias || data.kernel) {
      throw new Error("augmented-lagrangian: it needs bias = true and no kernel; or use gauss-seidel");
    }
    const pull = kernels.floats(1), ties = kernels.array("f64", new Float64Array(n).fill(1), [n, 1]);
    this.inner = new GaussSeidel(problem, { update, order, scale, eta: rate, shrinking: false }, seed, { ties, pull });
    const { queue, queue_counters, progress, ...state } = this.inner.state;
    this.state = { ...state, s: kernels.floats(1), pull, moved: kernels.floats(1), numbers: kernels.floats(9) };
    Object.assign(this, { problem, name, advice, epoch_steps: n });
    const numbers = this.state.numbers.view;
    [numbers[MU], numbers[LAST], numbers[TOLERANCE]] = [mu, Infinity, INNER_SHARE * problem.zero_value];
    this.renew(this.residual());
  }

  advance(count, steps) {
    const { n } = this.problem;
    let done = 0;
    while (done < count) {
      const asked = Math.min(count - done, n - ((steps + done) % n));
      this.inner.settings.view[8] = 1 / this.state.numbers.view[MU];
      const found = this.inner.advance(asked, steps + done);
      done += found;
      if (found < asked) break;
      if ((steps + done) % n === 0) this.end_pass(this.residual(), (steps + done) / n);
    }
    return done;
  }

  // C v - b, here sum alpha / (lam n).
  residual() { return this.state.alpha.view.reduce((sum, each) => sum + each, 0) / this.problem.lam_n; }

  // The pull afresh, without the rounding of its steps.
  renew(residual) {
    const { pull, s, numbers } = this.state;
    pull.view[0] = s.view[0] + (this.problem.lam_n / numbers.view[MU]) * residual;
  }

  // A step of the multiplier, and a look at whether such steps die out.
  move(residual, eta) {
    const numbers = this.state.numbers.view, s = this.state.s.view, before = this.state.moved.view;
    const moved = ((eta * this.problem.lam_n) / numbers[MU]) * residual;
    numbers[TURNED] += moved * before[0] < 0 ? 1 : 0;
    numbers[PATH] += Math.abs(moved);
    numbers[COUNT] += 1;
    before[0] = moved;
    s[0] += moved;
    if (numbers[COUNT] < WINDOW) return;
    const large = numbers[PATH] > LARGE * WINDOW * Math.max(1, Math.abs(s[0]));
    const lasting = numbers[PATH] > SHRUNK * numbers[PATH_BEFORE] && SHRUNK * numbers[PATH_BEFORE] > 0;
    numbers[TOLD] = large && lasting && numbers[TURNED] > TURNS * WINDOW ? 1 : 0;
    numbers[PATH_BEFORE] = numbers[PATH];
    numbers[COUNT] = numbers[TURNED] = numbers[PATH] = 0;
  }

  // h(v), and the weights and the predictions that the state stands for.
  mapped() {
    const { problem } = this, { data, n, d } = problem, w = data.space("mapped", d), z = data.space("z", n);
    const h = problem.map(this.state.v, w);
    problem.predict(w, z);
    return { h, w, z };
  }

  // The gap of the dual at this multiplier, without a penalty; the map between v and w holds by itself.
  gap_at(multiplier) {
    const { problem } = this, { z } = this.mapped();
    return sample_terms(problem, z, this.state.alpha, multiplier).terms.reduce((sum, term) => sum + term, 0) / problem.n;
  }

  // Where the multiplier stands.
  multipliers() {
    const [s, pull, moved] = ["s", "pull", "moved"].map((name) => [this.state[name].view[0]]);
    const mu = this.state.numbers.view[MU], residual = [this.problem.lam * this.residual()];
    return { s, pull, residual, moved, mu, gap: this.gap_at(s[0]) };
  }

  // The primal over the multiplier, at the weights that the state stands for.
  profile(count, beyond) {
    const { problem } = this, { kernels, lam, n } = problem, { h, w, z } = this.mapped();
    const level = lam * regularizer_terms(problem, w, this.state.v, w, h).value;
    const value = (s) => kernels.call("sample_loops_value_sum", problem.p("value"), problem.samples, z, s, 0, n) / n + level;
    const s = this.state.s.view[0], best = best_bias(problem, z), at = Number.isFinite(best) ? [s, best] : [s];
    const margin = beyond * Math.max(Math.max(...at) - Math.min(...at), LEAST_SPREAD);
    const low = Math.min(...at) - margin, high = Math.max(...at) + margin, step = (high - low) / (count - 1);
    const place = Array.from({ length: count }, (_, k) => (k === count - 1 ? high : low + k * step));
    return { place, value: place.map(value), at, height: at.map(value) };
  }

  // That the multiplier swings without coming to rest.
  trouble() {
    if (!this.state.numbers.view[TOLD]) return null;
    return `${this.name}: the multipliers swing and do not come to rest; ${this.advice}`;
  }

  point() { return { alpha: this.state.alpha }; }

  iterate() { return this.state.alpha; }

  release() {
    this.inner.release();
    for (const name of ["s", "moved", "numbers"]) this.state[name].release();
  }
}

export class AugmentedLagrangian extends Lagrangian {
  // Where the inner problem is solved, a step of s, or of mu.
  end_pass(residual) {
    const numbers = this.state.numbers.view, { lam, lam_n } = this.problem;
    this.renew(residual);
    const promise = ((0.5 * lam * lam_n) / numbers[MU]) * residual * residual;
    const gap = this.gap_at(this.state.pull.view[0]), solved = gap <= INNER_SHARE * promise;
    if (!solved && gap > numbers[TOLERANCE]) return;
    numbers[TOLERANCE] = Math.min(numbers[TOLERANCE], INNER_FACTOR * gap);
    const size = Math.abs(residual);
    // Only an inner problem that is solved well says that mu is too large.
    if (solved && size > HALF * numbers[LAST] && numbers[MU] > LEAST_MU) numbers[MU] *= QUARTER;
    else this.move(residual, 1);
    numbers[LAST] = size;
    this.renew(residual);
  }
}

export class ModifiedAugmentedLagrangian extends Lagrangian {
  constructor(problem, facts, seed) {
    super(problem, facts, seed);
    const { eta, passes } = facts;
    Object.assign(this, { eta, passes, advice: `lower eta = ${Number(eta.toPrecision(6))}` });
  }

  // s moves by eta (lam n / mu) (C v - b).
  end_pass(residual, pass) {
    if (pass % this.passes === 0) this.move(residual, this.eta);
    this.renew(residual);
  }
}
