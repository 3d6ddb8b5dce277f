// The page of inverse time: a run of PGS by one engine and a sweep over training sets by another; in a file and on a server.

import { pythonNumber } from "../runtime/page_code.js";
import { numerals } from "../runtime/numerals.js";
import { SingleRun } from "../runtime/single_run.js";
import { escaped, quoted, written } from "../runtime/wording.js";
import { InverseTimeFigures } from "./figures.js";

// Steps that a run makes until one presses again.
const MOST_STEPS = 2 ** 17;

export class InverseTime extends SingleRun {
  /** @type {any} */ figures;
  sweeps = 0;
  /** @type {any} */ swept = null;
  /** @type {any} */ sweeping = null;
  /** @type {any} */ engine;

  /** @param {any} page @param {any} model @param {any} host */
  constructor(page, model, host) {
    super(page, model, host, MOST_STEPS);
    this.figures = new InverseTimeFigures(model, page.ids, { ...page.texts, notReached: page.missed_key });
  }

  // --- what is chosen

  /**
   * The address of a file names the data first, whose sizes are those of the run.
   * @param {any} address
   */
  follow(address) {
    super.follow(address);
    this.fit();
    super.follow(address);
  }

  // The sizes of the present data as those of the run; the page's own where the present one is not among them.
  fit() {
    const each = this.boxes.samples;
    const control = this.page.controls?.samples;
    if (!each) return;
    const { sizes, otherwise } = this.source(this.settings);
    const now = control.values[each.value];
    control.values = sizes;
    each.max = sizes.length - 1;
    each.value = sizes.indexOf(sizes.includes(now) ? now : otherwise);
    each.dataset.said = JSON.stringify(sizes.map((/** @type {number} */ m) => written(m, ",")));
  }

  /** @param {Record<string, any>} fields */
  source({ source }) {
    return this.page.sources.find((/** @type {{ name: string }} */ { name }) => name === source);
  }

  /**
   * A term in a file, as its facts are named there.
   * @param {string} kind @param {{ p: any }} fields
   */
  term(kind, { p }) {
    return { name: kind === "loss" ? "loss" : String(this.page.controls.p.values.indexOf(p)) };
  }

  /** @param {string} name */
  chosen(name) {
    if (name === "source") this.fit();
    const { settings, wanted = {} } = this;
    if (this.page.swept.some((/** @type {any} */ each) => settings[each] !== wanted[each])) this.sweep();
    return super.chosen();
  }

  /** @param {Record<string, any>} fields */
  solver({ batch, order }) {
    return { ...this.page.solver, batch, order };
  }

  /**
   * The engine that draws training sets of the present data, with what it asks of a problem: in the browser the terms, on the
   * server their parameter.
   * @param {string} name
   * @param {Settings} settings
   * @param {boolean} isHere
   * @param {{ key: string, data: any, terms: any }} fields
   */
  async drawnBy(name, settings, isHere, { key, data, terms }) {
    const engine = await this.engineOf(name, isHere);
    const { source } = settings;
    // That of the server has no kernels to be told of.
    if (!engine.facts) {
      await this.hold(engine, source, { source }, () => engine.ask("people", { people: { source } }));
      return { engine, terms: {} };
    }
    const {
      data: { small, people },
      losses,
      regularizers,
    } = data;
    /** @param {{ loss: any, regularizer: any }} fields */
    const named = ({ loss, regularizer }) =>
      typeof loss === "object" ? { loss, regularizer } : { loss: losses[loss], regularizer: regularizers[regularizer] };
    await this.hold(engine, key, { data: small, losses: {}, regularizers: {} }, () => engine.ask("people", { people }));
    return { engine, terms: named(terms) };
  }

  // --- the run

  /** @param {any} settings @param {() => boolean} isLeft */
  async begin(settings, isLeft) {
    if (this.sweeps === 0) this.sweep();
    const held = await this.host.held(this, settings);
    const { isHere } = held;
    const { engine, terms } = await this.drawnBy("run", settings, isHere, held);
    if (isLeft()) return null;
    const { samples: m, seed, p, lam, batch } = settings;
    const solver = this.solver(settings);
    const { n, row, L } = await engine.ask("paced_problem", { m, seed, p, lam, solver, ...terms });
    this.engine = engine;
    return { row, L, lam, epoch: Math.floor(n / batch) };
  }

  /** @param {string} type */
  countOf(type) {
    return type === "step" ? 1 : this.lab.epoch;
  }

  /**
   * A slow run shows each of its certificates.
   * @param {any} request
   */
  further(request) {
    return this.engine.ask("paced_steps", { ...request, ...(this.slow ? { budget: 0 } : {}) });
  }

  /** @param {Row[]} rows */
  ghosts(rows) {
    return { pgs_gap: this.figures.ghost(rows) };
  }

  /** @param {string} name */
  press(name) {
    if (name === "sweep") this.sweep();
    else if (name === "cancel") this.cancel();
    else super.press(name);
  }

  // --- the sweep

  // All sizes of one seed before the next, so that every size fills in; the newest sweep counts. Where there is a server it
  // computes the sweep: L-BFGS, which is not printed, takes part, and times compare on one machine alone.
  async sweep() {
    const turn = ++this.sweeps;
    const { settings } = this;
    const { swept: sizes } = this.source(settings);
    const isLeft = () => turn !== this.sweeps;
    const whole = settings.seeds * sizes.length;
    const busy = this.sweeping;
    /** @type {(value?: any) => void} */
    let done = () => {};
    this.sweeping = new Promise((resolve) => {
      done = resolve;
    });
    await busy;
    try {
      if (isLeft()) return;
      const held = this.host.isFile ? await this.host.held(this, settings) : {};
      const { engine, terms } = await this.drawnBy("sweep", settings, false, held);
      const { measure, target, p, lam } = settings;
      const { L, G } = await engine.ask("constants", { m: sizes.at(-1), seed: 0, p });
      const choices = { ...terms, p, lam, solver: this.solver(settings) };
      const goal = { measure, target };
      const cells = [];
      /** @param {number} m @param {number} seed */
      const ask = async (m, seed) =>
        (await engine.ask("cell", { m, seed, choices, looks: this.page.looks, goal })).cell;
      // The first solve of a worker takes the time of its compiler as well.
      if (engine.facts && !this.swept) await ask(sizes[0], 0);
      for (let seed = 0; seed < settings.seeds; seed++) {
        for (const m of sizes) {
          const cell = await ask(m, seed);
          if (isLeft()) return;
          cells.push(cell);
          this.swept = { cells, constants: { L, G }, running: cells.length < whole, whole, settings };
          this.soon();
        }
      }
    } catch (error) {
      if (!isLeft()) this.saySweep(/** @type {Error} */ (error).message, true);
    } finally {
      done();
    }
  }

  // The sweep that goes on is given up; what it has found stays.
  cancel() {
    this.sweeps++;
    this.saySweep(this.figures.say("cancelled", { count: this.swept?.cells.length ?? 0 }));
    if (this.swept) this.swept.isSaid = true;
  }

  /** @param {any} text @param {boolean} [isError] */
  saySweep(text, isError = false) {
    const said = escaped(isError ? text : numerals(text));
    this.host.put("sweep", `<div class='wb-status${isError ? " bad" : ""}' role='status'>${said}</div>`);
  }

  showSweep() {
    const { swept } = this;
    if (!swept) return;
    const { cells, running, whole } = swept;
    const { c } = this.settings;
    for (const [name, text] of Object.entries(this.figures.sweep({ ...swept, c }))) this.host.line(name, text);
    if (!swept.isSaid) this.saySweep(this.figures.say(running ? "sweeping" : "swept", { count: cells.length, whole }));
    document.body.dataset.cells = running ? "some" : cells.length;
  }

  // --- the picture

  /** @param {number} turn */
  async paint(turn) {
    this.showSweep();
    await super.paint(turn);
  }

  /** @param {any} lab */
  seen(lab) {
    return { ...lab, rows: this.rows, at: this.at, last: this.rows.at(-1).step };
  }

  /**
   * The Python that gives the same run in a notebook.
   * @param {Settings} settings
   */
  code(settings) {
    const { source, p, lam, order } = settings;
    return this.figures.say("code", {
      ...settings,
      source: quoted(source),
      p: pythonNumber(p),
      lam: pythonNumber(lam),
      order: quoted(order),
      bias: this.source(settings).bias,
    });
  }
}
