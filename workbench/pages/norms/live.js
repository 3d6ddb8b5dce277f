// The page of norms: FISTA with the gaps of each step, with and without repairs; in a file and on a server.

import { box } from "../runtime/boxes.js";
import { pythonNumber } from "../runtime/page_code.js";
import { SingleRun } from "../runtime/single_run.js";
import { quoted } from "../runtime/wording.js";
import { NormsFigures } from "./figures.js";

const LOOKED_AT = ["first", "second", "halving"];
// Steps of a press of "10 steps", and those that a run makes until one presses again.
const AT_ONCE = 10;
const MOST_STEPS = 2000;

export class Norms extends SingleRun {
  /** @type {any} */ figures;
  /** @type {any} */ engine;

  /** @param {any} page @param {any} model @param {any} host */
  constructor(page, model, host) {
    super(page, model, host, MOST_STEPS);
    this.figures = new NormsFigures(model, page.ids, page.texts, page.colours);
  }

  // --- what is chosen

  /** @param {Settings} settings */
  onSettings(settings) {
    const { names } = this.samples(settings);
    super.onSettings(settings);
    this.plane(settings).forEach((feature, k) => {
      const name = LOOKED_AT[k];
      const each = this.boxes[name];
      if (!each) return;
      // As many places as there are features, each called by its name.
      each.max = Math.max(
        0,
        this.page.controls[name].values.filter((/** @type {number} */ value) => value < names.length).length - 1,
      );
      box(`x-${name}-said`).textContent = names[feature];
      each.setAttribute("aria-valuetext", names[feature]);
    });
    const bisection = box("x-figure-bisection")?.closest("section");
    if (bisection) bisection.hidden = settings.norm !== this.page.nested;
    if (this.page.questions) this.host.put("predict", this.page.questions[settings.norm]);
  }

  /** @param {Record<string, any>} fields */
  samples({ source }) {
    return this.page.sources.find((/** @type {{ name: string }} */ { name }) => name === source);
  }

  /**
   * What of a step is looked at: whether kappa is taken at the best intercept, and two different features.
   * @param {Record<string, any>} fields
   */
  looks({ intercept, best, ...settings }) {
    return { best: intercept && best, plane: this.plane(settings) };
  }

  /** @param {Record<string, any>} fields */
  plane({ first, second, ...settings }) {
    const size = this.samples(settings).names.length;
    const one = Math.min(first, size - 1);
    const other = Math.min(second, size - 1);
    return [one, one === other ? (one + 1) % size : other];
  }

  /**
   * A term in a file: what its facts are packed under, and how a notebook names it.
   * @param {string} kind @param {Settings} settings
   */
  term(kind, settings) {
    const { refused, spelled } = this.samples(settings);
    const chosen = settings[kind === "loss" ? "loss" : "norm"];
    if (refused[kind][chosen]) throw new Error(refused[kind][chosen]);
    if (kind === "loss") return { name: chosen, text: this.page.losses[chosen] };
    const parameter = this.page.parameters[chosen];
    const name = parameter ? `${chosen}|${this.page.controls[parameter].values.indexOf(settings[parameter])}` : chosen;
    return { name, text: spelled[name] };
  }

  // --- the run

  /** @param {any} settings @param {() => boolean} isLeft */
  async begin(settings, isLeft) {
    const { isHere, key, data, terms } = await this.host.held(this, settings);
    const engine = await this.engineOf("norms", isHere);
    if (isLeft()) return null;
    const { intercept: free, ratio, step, restart } = settings;
    const solver = { ...this.page.solver, step, restart };
    // The same samples, whether an intercept is free or not; to the server the terms are a part of the problem.
    const held = isHere
      ? { ...data, data: { ...data.data, free_bias: free } }
      : { ...data, intercept: free, ...terms.chosen };
    await this.hold(engine, `${key} ${isHere ? free : JSON.stringify(held)}`, held);
    if (isLeft()) return null;
    const asked = { ...(isHere ? terms : {}), solver, ratio, ...this.looks(settings) };
    const { largest, lam, is_norm, picture } = await engine.ask("norm_problem", asked);
    if (isLeft()) return null;
    if (picture === null) throw new Error(this.figures.say("no_lam"));
    this.engine = engine;
    this.picture = picture;
    return { row: picture.row, largest, lam, is_norm, free };
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
    return count ?? (this.slow ? 1 : 1 + this.at);
  }

  /** @param {{ after: any, limit: any, tolerance: number, count: number }} fields */
  further({ after, limit, tolerance, count }) {
    const most = Math.min(this.passes({ count }), limit === null ? Infinity : limit - after);
    return this.engine.ask("norm_steps", {
      after,
      tolerance,
      count: most,
      hurries: count === null,
      ...this.looks(this.settings),
    });
  }

  // --- the picture

  /** @param {any} lab */
  async seen(lab) {
    const { asked, at, settings } = this;
    const samples = this.samples(settings);
    const looks = this.looks(settings);
    const { step } = this.rows[at];
    if (this.picture?.row.step !== step || String(this.picture.plane) !== String(looks.plane)) {
      const { picture } = await this.engine.ask("norm_picture", { step, ...looks });
      if (asked !== this.asked) return null;
      this.picture = picture;
    }
    const { picture } = this;
    return {
      ...lab,
      rows: this.rows.slice(0, at + 1),
      curves: this.rows,
      last: this.rows.at(-1).step,
      picture,
      weights: grouped(samples, picture.w),
      names: looks.plane.map((j) => samples.names[j]),
      halving: settings.halving,
    };
  }

  /**
   * The gap that stays is the repaired one.
   * @param {Row[]} rows
   */
  ghosts(rows) {
    return { norm_gaps: this.figures.ghost(rows.map((row) => ({ ...row, gap: row.repaired }))) };
  }

  /**
   * The Python that gives the same run in a notebook.
   * @param {{ tolerance: number }} fields
   */
  code({ tolerance }) {
    if (!this.lab) return null;
    const { settings, lam } = this.lab;
    const { loss, regularizer } = this.host.texts(this, settings);
    return this.figures.say("code", {
      source: quoted(settings.source),
      loss: quoted(loss),
      regularizer,
      lam: pythonNumber(lam),
      step: quoted(settings.step),
      bias: settings.intercept ? ",\n  bias=True" : "",
      restart: settings.restart ? "True" : "False",
      tolerance,
      most: MOST_STEPS,
    });
  }
}

/**
 * The weights in the order of their groups, with the group of each.
 * @param {{ groups: any, group_names: any, names: string[] }} fields @param {any} w
 */
function grouped({ groups, group_names, names }, w) {
  const order = groups.flat();
  const of = groups.flatMap((/** @type {any} */ members, /** @type {any} */ g) => members.map(() => g));
  return {
    place: order.map((/** @type {any} */ _, /** @type {number} */ k) => k),
    weight: order.map((/** @type {number} */ j) => w[j]),
    name: order.map((/** @type {number} */ j) => names[j]),
    group: of.map((/** @type {any} */ g) => group_names[g]),
    odd: of.map((/** @type {any} */ g) => g % 2),
    alive: groups.filter((/** @type {any} */ members) => members.some((/** @type {number} */ j) => w[j] !== 0)).length,
    groups: groups.length,
  };
}
