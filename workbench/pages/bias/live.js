// The page on biases: its settings, both augmented Lagrangians, and the Python that gives the same; in a file and on a server.

import { pythonNumber } from "../runtime/page_code.js";
import { TrackedPage } from "../runtime/tracked_page.js";
import { Track } from "../runtime/tracks.js";
import { quoted } from "../runtime/wording.js";
import { BiasFigures } from "./figures.js";

const NO_PROFILE = { place: [], value: [], at: [], height: [] };

class BiasTrack extends Track {
  /**
   * A run's bias, multiplier and constraint beside the numbers of its certificate.
   * @param {any} answer @param {any} before
   */
  row(answer, before) {
    const { b, multipliers } = answer;
    const [multiplier, seen, residual, moved] = ["s", "pull", "residual", "moved"].map((name) => multipliers[name][0]);
    return {
      ...super.row(answer),
      best: ArrayBuffer.isView(b) ? /** @type {any} */ (b)[0] : b,
      multiplier,
      seen,
      residual,
      moved,
      mu: multipliers.mu,
      fixed: multipliers.gap,
      feasibility: Math.abs(residual),
      outer: before?.outer,
    };
  }

  /** @param {any} shown */
  upto(shown) {
    this.count();
    return super.upto(shown);
  }

  // The steps of s or of mu. Certificates of the engine are an epoch apart or less, and so are these.
  count() {
    this.rows.forEach((row, k) => {
      const before = this.rows[k - 1] ?? { ...row, outer: 0 };
      row.outer ??= before.outer + (row.multiplier !== before.multiplier || row.mu !== before.mu ? 1 : 0);
    });
  }
}

export class Bias extends TrackedPage {
  /** @type {any} */ figures;

  /** @param {any} page @param {any} model @param {any} host */
  constructor(page, model, host) {
    super(page, model, host, BiasTrack);
    this.figures = new BiasFigures(model, page.ids, page.texts, page.parts);
  }

  /** @param {Settings} settings */
  wanted(settings) {
    const { algorithms, lam, seed } = settings;
    return this.page.shown[algorithms].map((/** @type {string} */ name) => ({
      name,
      settings,
      problem: { lam, seed, solver: this.solver(name, settings) },
    }));
  }

  /** @param {any} algorithm @param {Settings} settings */
  solver(algorithm, settings) {
    const facts = this.page.solvers[algorithm];
    const names = ["mu", "update", "order", "scale", "rate", "eta", "passes"].filter((name) => name in facts);
    return { ...facts, ...Object.fromEntries(names.map((name) => [name, settings[name]])) };
  }

  /** @param {any[]} curves */
  traces(curves) {
    return Object.fromEntries(
      curves.map(([algorithm, rows]) => [this.page.parts[algorithm], this.figures.ghost(rows)]),
    );
  }

  /**
   * A run need not wait for profiles that nobody sees.
   * @param {{ engine: any }} fields
   */
  async askedOf({ engine }) {
    if (this.runs.playing && !this.figures.isShown("profile_x")) return NO_PROFILE;
    const { step, ...columns } = await engine.ask("profile", this.page.profile);
    return { step, ...Object.fromEntries(Object.keys(NO_PROFILE).map((name) => [name, Array.from(columns[name])])) };
  }

  /** @param {any} frame */
  show(frame) {
    for (const [algorithm, run] of Object.entries(frame.runs))
      run.eta = algorithm === this.page.own_step ? this.shownSettings.eta : 1;
    this.figures.show(frame);
  }

  /** @param {any} frame */
  speak(frame) {
    const { runs, row } = frame;
    const { tolerance } = this.settings;
    for (const [name, text] of Object.entries(this.figures.captions(frame))) this.host.line(name, text);
    this.host.put("numbers", this.figures.statistics(frame));
    this.host.put("why", this.figures.why(frame));
    const sentences = Object.entries(runs).map(([algorithm, run]) => this.figures.ending(algorithm, run, tolerance));
    this.report(
      this.runs.playing ? this.figures.say("running", { elapsed: this.figures.elapsed(row) }) : sentences.join(" "),
    );
  }

  /**
   * Which answers ended runs make true, by question; null while one runs, or where an algorithm is missing.
   * @param {any} fields
   */
  outcome({ runs }) {
    const all = Object.keys(this.page.parts).map((algorithm) => runs[algorithm]);
    if (all.some((run) => !run?.status)) return null;
    return Object.fromEntries(Object.entries(MEASURES).map(([name, measure]) => [name, measure(all[0], all[1])]));
  }

  /**
   * The Python that gives the same runs in a notebook.
   * @param {Settings} settings
   */
  code(settings) {
    const { data, load } = this.page.sources.find(
      (/** @type {{ name: string }} */ { name }) => name === settings.source,
    );
    const { loss, regularizer } = this.host.texts(this, settings);
    /** @param {string} name @param {number} value */
    const python = (name, value) =>
      typeof value === "string" ? quoted(value) : name === "passes" ? String(value) : pythonNumber(value);
    /** @param {Facts} facts @param {any} solver */
    const given = (facts, solver) =>
      Object.keys(solver)
        .filter((name) => typeof facts[name] !== "object" && !["name", "advice"].includes(name))
        .filter((name) => ["mu", "eta"].includes(name) || solver[name] !== facts[name])
        .map((name) => `${name}=${python(name, solver[name])}`)
        .join(", ");
    const solvers = this.page.shown[settings.algorithms].map((/** @type {string} */ algorithm) =>
      this.figures.say("code_solver", {
        solver: this.page.classes[algorithm],
        given: given(this.page.solvers[algorithm], this.solver(algorithm, settings)),
      }),
    );
    return this.figures.say("code", {
      data: quoted(data),
      load: Object.entries(load)
        .map(([name, value]) => `, ${name}=${python(name, value)}`)
        .join(""),
      loss: quoted(loss),
      regularizer: quoted(regularizer),
      lam: pythonNumber(settings.lam),
      extra: this.page.extras[settings.constraint],
      seed: settings.seed,
      tolerance: settings.tolerance,
      epochs: this.page.epochs,
      solvers: solvers.join("\n"),
    });
  }
}

// What the questions ask of the runs of Algorithms 2 and 3 that have ended: the place of the option that is true.
const MEASURES = {
  /** @param {any} full @param {any} small */
  arrival(full, small) {
    if (small.status === "diverged") return 2;
    /** @param {any} run */
    const reached = (run) => (run.status === "converged" ? run.row.epoch : Infinity);
    return reached(small) < reached(full) ? 0 : 1;
  },

  /**
   * Whether the gap at the fixed bias is below the certified one in most rows.
   * @param {...any} runs
   */
  smaller(...runs) {
    const rows = runs.flatMap((run) => run.rows.slice(1));
    return 2 * rows.filter(({ fixed, gap }) => fixed < gap).length > rows.length ? 0 : 1;
  },
};
