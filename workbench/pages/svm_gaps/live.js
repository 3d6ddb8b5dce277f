// The page on SVM gaps: points that one drags, pair steps of an engine, each of them certified and kept, and beside them
// the end of a long run of a second engine; in a file and on a server.

import { pythonNumber } from "../runtime/page_code.js";
import { PlanePoints } from "../runtime/live_plane.js";
import { writePoints } from "../runtime/plane_hand.js";
import { written } from "../runtime/wording.js";
import { SvmFigures } from "./figures.js";
import { contours, kernelMatrix, kernelOf, kindsOf, svmGap, times } from "./gap.js";
import { MET, SOLVE_STEPS, SvmSolving } from "./solving.js";

// Steps that a press of "10 steps" makes, that a run makes until one presses again, and those of a solve in a drag.
const AT_ONCE = 10;
const MOST_STEPS = 20000;

export class SvmGaps extends SvmSolving {
  /** @type {any} */ figures;

  /** @type {any} */ axis;
  /** @type {any[]} */ places;

  isDragged = false;

  /** @param {any} page @param {any} model @param {any} host */
  constructor(page, model, host) {
    super(page, model, host, MOST_STEPS);
    const {
      most,
      grid,
      looks: { half_width },
    } = page;
    const axis = Array.from({ length: grid }, (_, k) => -half_width + (2 * half_width * k) / (grid - 1));
    this.figures = new SvmFigures(model, page.ids, page.texts, page.looks);
    this.points = new PlanePoints(this, { most, half_width, plot: this.figures.of("figures", "plane") });
    this.axis = axis;
    this.places = axis.flatMap((v) => axis.map((u) => [u, v]));
  }

  // --- what is chosen

  moreOfTheAddress() {
    return this.points.entries;
  }

  /** @param {any} name @param {string} text */
  followMore(name, text) {
    if (name === "points") this.points.follow(text);
  }

  picked() {
    this.points.forget();
  }

  /**
   * Another problem begins anew; a tolerance goes on with the run, and what a hand does changes nothing.
   * @param {string} name
   */
  chosen(name) {
    if (name === "source") this.points.forget();
    const { settings, wanted = {} } = this;
    /** @param {any} each */
    const isNew = (each) => settings[each] !== wanted[each];
    if (this.page.inputs.some(isNew)) return this.restart();
    this.onSettings(settings);
    if (!isNew("tolerance")) return this.keep();
    this.wanted = settings;
    return this.run();
  }

  // --- points by hand

  // What `PlanePoints` asks of a page.
  get present() {
    return this.known;
  }

  drag() {
    return this.restart(false, true);
  }

  edited() {
    return this.restart();
  }

  undo() {
    this.points.undo();
  }

  /**
   * What is asked for next takes a refusal away.
   * @param {string} name
   */
  press(name) {
    this.refusal = null;
    return super.press(name);
  }

  /** @param {string} type */
  ask(type) {
    this.refusal = null;
    return super.ask(type);
  }

  /** @param {any} place */
  seek(place) {
    this.refusal = null;
    super.seek(place);
  }

  // --- the run

  // A new problem of the points as they are: at its solution, whose steps follow, or at zero, and a slow run from there.
  // A dragged point has one picture for each of its places.
  async restart(play = true, isDragged = false) {
    const turn = this.asked + 1;
    const isSolved = isDragged || (play && !this.slow);
    this.mostSolved = isDragged ? SOLVE_STEPS : isSolved ? MOST_STEPS : 0;
    this.isDragged = isDragged;
    await super.restart(play && !isSolved);
    if (turn !== this.asked || !this.lab || isDragged) return;
    if (this.rows[0].step > 0) this.fetched = this.beside(turn, () => this.fetch(turn));
    this.referring = this.beside(turn, () => this.refer(turn), this.referring);
  }

  // A ghost has all its steps; a point in hand leaves none behind.
  remember() {
    const { rows } = this;
    if (!this.isDragged && rows.length > 1 && rows.length > rows.at(-1).step) super.remember();
  }

  /** @param {any} settings @param {() => boolean} isLeft */
  async begin(settings, isLeft) {
    const { cost: C, selection, tolerance } = settings;
    const most = this.mostSolved;
    const { half_width } = this.points;
    const placed = this.points.placed(this.page.sources[settings.source]);
    const held = await this.host.held(this, { ...settings, points: writePoints(placed, half_width) });
    if (isLeft()) return null;
    const kernel = this.kernel(settings);
    const key = JSON.stringify([placed.X, kernel]);
    const known =
      this.known?.key === key
        ? this.known
        : {
            key,
            K: kernelMatrix(kernelOf(kernel), placed.X, placed.X),
            surface: kernelMatrix(kernelOf(kernel), this.places, placed.X),
          };
    const lab = { ...known, ...placed, C, selection, held };
    const row = this.row(lab, await this.solved("run", lab, most ? tolerance : 0, most));
    if (isLeft()) return null;
    const met = row.violation <= tolerance * MET ? "converged" : row.step < most ? "stalled" : "max_epochs";
    this.known = lab;
    this.optimum = null;
    this.ended = most && !this.isDragged ? met : null;
    return { row, ...lab, engine: this.engineOf("run", held.isHere) };
  }

  run() {
    this.isDragged = false;
    return super.run();
  }

  /** @param {string} type */
  countOf(type) {
    return type === "step" ? 1 : AT_ONCE;
  }

  /**
   * Single steps first, later ever more for each picture.
   * @param {{ count: number }} fields
   */
  passes({ count }) {
    return count ?? (this.slow ? 1 : 1 + Math.floor(this.at / AT_ONCE));
  }

  /** @param {Record<string, any>} fields */
  left({ violation }) {
    return violation;
  }

  /**
   * Steps on, those of a run until the tolerance is met.
   * @param {{ tolerance: number, count: number }} fields
   */
  async further({ tolerance, count }) {
    await this.fetched;
    const before = this.rows.at(-1);
    const { violation } = before;
    if (violation <= Math.max(tolerance, 0))
      return { rows: [], status: violation <= tolerance ? "converged" : "stalled" };
    const all = await this.advanced(this.passes({ count }));
    const rows = all.filter(({ step }, k) => step !== (all[k - 1] ?? before).step);
    const met = 1 + rows.findIndex((row) => row.violation <= tolerance);
    if (met && met < rows.length) {
      rows.length = met;
      await (await this.lab.engine).ask("seek", { step: /** @type {any} */ (rows.at(-1)).step });
    }
    return { rows, status: rows.length ? null : "stalled" };
  }

  // --- the picture

  /**
   * Everything that one picture shows.
   * @param {any} lab
   */
  seen(lab) {
    const { rows, at, optimum, axis } = this;
    const row = rows[at];
    const { a, step, event } = row;
    const found = svmGap(lab.K, lab.y, lab.C, a);
    const factors = a.map((/** @type {number} */ value, /** @type {number} */ i) => lab.y[i] * value);
    const surface = times(lab.surface, factors).map((value) => value + found.bias);
    return {
      ...lab,
      row,
      a,
      step,
      event,
      found,
      optimum,
      surface,
      rows,
      kinds: kindsOf(a, lab.C),
      lines: [-1, 0, 1].map((level) => contours(axis, surface, level)),
    };
  }

  /** @param {Row[]} rows */
  ghosts(rows) {
    return { bounds: this.figures.ghost(rows) };
  }

  /** @param {any} frame @param {any} row */
  speak(frame, row) {
    super.speak(frame, row);
    this.host.put("why", this.figures.why(frame));
    if (this.isDragged) this.report(this.figures.say("dragging", row));
  }

  // Whether the steps before the picture and the reference are there, too.
  get isSettled() {
    return super.isSettled && this.waiting === 0;
  }

  /**
   * The Python that gives the same run in a notebook.
   * @param {Settings} settings
   */
  code(settings) {
    const { source, cost, selection, tolerance, gamma, degree } = settings;
    const kernel = /** @type {Record<string, any>} */ ({
      Linear: "wb.kernels.Linear()",
      Gaussian: `wb.kernels.RBF(gamma=${written(gamma, "g")})`,
      Polynomial: `wb.kernels.Polynomial(\n    ${degree}, gamma=1.0, coef0=1.0)`,
    })[settings.kernel];
    return (
      `import numpy as np\nimport workbench as wb\n\nX, y = ${this.points.code(source)}\nC = ${pythonNumber(cost)}\n` +
      'p = wb.Problem(\n  X, y, "hinge", "squared-l2",\n  lam=1 / (C * y.size), bias=True,\n' +
      `  kernel=${kernel})\nm = wb.solvers.MaximalViolatingPair(\n  tol=${written(tolerance, "g")}, shrinking=False,\n` +
      `  selection='${selection}')\ns = wb.solve(p, m, tol=1e-12)\nprint(s.steps, s.gap / p.lam, s.b)`
    );
  }
}
