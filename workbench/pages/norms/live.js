// The page of norms: FISTA with the gaps of each step, with and without repairs; in a file and on a server.

import { box } from "../runtime/boxes.js";
import { python_number } from "../runtime/live_page.js";
import { SingleRun } from "../runtime/single_run.js";
import { quoted } from "../runtime/wording.js";
import { NormsFigures } from "./figures.js";

const LOOKED_AT = ["first", "second", "halving"];
// Steps of a press of "10 steps", and those that a run makes until one presses again.
const AT_ONCE = 10, MOST_STEPS = 2000;

export class Norms extends SingleRun {
  constructor(page, model, host) {
    super(page, model, host, MOST_STEPS);
    this.figures = new NormsFigures(model, page.ids, page.texts, page.colours);
  }

  // --- what is chosen

  on_settings(settings) {
    const { names } = this.samples(settings);
    super.on_settings(settings);
    this.plane(settings).forEach((feature, k) => {
      const name = LOOKED_AT[k], each = this.boxes[name];
      if (!each) return;
      // As many places as there are features, each called by its name.
      each.max = Math.max(0, this.page.controls[name].values.filter((value) => value < names.length).length - 1);
      box(`x-${name}-said`).textContent = names[feature];
      each.setAttribute("aria-valuetext", names[feature]);
    });
    const bisection = box("x-figure-bisection")?.closest("section");
    if (bisection) bisection.hidden = settings.norm !== this.page.nested;
    if (this.page.questions) this.host.put("predict", this.page.questions[settings.norm]);
  }

  samples({ source }) { return this.page.sources.find(({ name }) => name === source); }

  // What of a step is looked at: whether kappa is taken at the best intercept, and two different features.
  looks({ intercept, best, ...settings }) { return { best: intercept && best, plane: this.plane(settings) }; }

  plane({ first, second, ...settings }) {
    const size = this.samples(settings).names.length, one = Math.min(first, size - 1), other = Math.min(second, size - 1);
    return [one, one === other ? (one + 1) % size : other];
  }

  // A term in a file: what its facts are packed under, and how a notebook names it.
  term(kind, settings) {
    const { refused, spelled } = this.samples(settings), chosen = settings[kind === "loss" ? "loss" : "norm"];
    if (refused[kind][chosen]) throw new Error(refused[kind][chosen]);
    if (kind === "loss") return { name: chosen, text: this.page.losses[chosen] };
    const parameter = this.page.parameters[chosen];
    const name = parameter ? `${chosen}|${this.page.controls[parameter].values.indexOf(settings[parameter])}` : chosen;
    return { name, text: spelled[name] };
  }

  // --- the run

  async begin(settings, is_left) {
    const { is_here, key, data, terms } = await this.host.held(this, settings), engine = await this.engine_of("norms", is_here);
    if (is_left()) return null;
    const { intercept: free, ratio, step, restart } = settings, solver = { ...this.page.solver, step, restart };
    // The same samples, whether an intercept is free or not; to the server the terms are a part of the problem.
    const held = is_here ? { ...data, data: { ...data.data, free_bias: free } } : { ...data, intercept: free, ...terms.chosen };
    await this.hold(engine, `${key} ${is_here ? free : JSON.stringify(held)}`, held);
    if (is_left()) return null;
    const asked = { ...(is_here ? terms : {}), solver, ratio, ...this.looks(settings) };
    const { largest, lam, is_norm, picture } = await engine.ask("norm_problem", asked);
    if (is_left()) return null;
    if (picture === null) throw new Error(this.figures.say("no_lam"));
    Object.assign(this, { engine, picture });
    return { row: picture.row, largest, lam, is_norm, free };
  }

  count_of(type) { return type === "step" ? 1 : AT_ONCE; }

  // Single steps first, later ever more for each picture.
  passes({ count }) { return count ?? (this.slow ? 1 : 1 + this.at); }

  further({ after, limit, tolerance, count }) {
    const most = Math.min(this.passes({ count }), limit === null ? Infinity : limit - after);
    return this.engine.ask("norm_steps", { after, tolerance, count: most, hurries: count === null, ...this.looks(this.settings) });
  }

  // --- the picture

  async seen(lab) {
    const { asked, at, settings } = this, samples = this.samples(settings), looks = this.looks(settings), { step } = this.rows[at];
    if (this.picture?.row.step !== step || String(this.picture.plane) !== String(looks.plane)) {
      const { picture } = await this.engine.ask("norm_picture", { step, ...looks });
      if (asked !== this.asked) return null;
      this.picture = picture;
    }
    const { picture } = this;
    return {
      ...lab, rows: this.rows.slice(0, at + 1), curves: this.rows, last: this.rows.at(-1).step, picture,
      weights: grouped(samples, picture.w), names: looks.plane.map((j) => samples.names[j]), halving: settings.halving,
    };
  }

  // The gap that stays is the repaired one.
  ghosts(rows) { return { norm_gaps: this.figures.ghost(rows.map((row) => ({ ...row, gap: row.repaired }))) }; }

  // The Python that gives the same run in a notebook.
  code({ tolerance }) {
    if (!this.lab) return null;
    const { settings, lam } = this.lab, { loss, regularizer } = this.host.texts(this, settings);
    return this.figures.say("code", {
      source: quoted(settings.source), loss: quoted(loss), regularizer, lam: python_number(lam), step: quoted(settings.step),
      bias: settings.intercept ? ",\n  bias=True" : "", restart: settings.restart ? "True" : "False", tolerance, most: MOST_STEPS,
    });
  }
}

// The weights in the order of their groups, with the group of each.
function grouped({ groups, group_names, names }, w) {
  const order = groups.flat(), of = groups.flatMap((members, g) => members.map(() => g));
  return {
    place: order.map((_, k) => k), weight: order.map((j) => w[j]), name: order.map((j) => names[j]),
    group: of.map((g) => group_names[g]), odd: of.map((g) => g % 2),
    alive: groups.filter((members) => members.some((j) => w[j] !== 0)).length, groups: groups.length,
  };
}
