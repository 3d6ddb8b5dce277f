// The Dual lab: its settings, one run or two side by side, points by hand and a visitor's own file; in a file and served.

import { deep } from "../runtime/deep.js";
import { DropZone } from "../runtime/drop_zone.js";
import { showInPlace } from "../runtime/figures.js";
import { PlanePoints } from "../runtime/live_plane.js";
import { pythonNumber } from "../runtime/page_code.js";
import { painted } from "../runtime/painter.js";
import { quoted, written } from "../runtime/wording.js";
import { Certainty } from "./certainty.js";
import { Figures } from "./figures.js";
import { Pictured } from "./frame.js";
import { problemOf } from "./lab_data.js";
import { LabPicture } from "./lab_picture.js";
import { LabTrack } from "./lab_track.js";
import { PlanePicture } from "./plane.js";

/** @typedef {import("./lab_data.js").Begun} Begun */

export class DualLab extends LabPicture {
  /** @param {any} page @param {any} model @param {any} host */
  constructor(page, model, host) {
    super(page, model, host, LabTrack);
    this.figures = new Figures(model, page.ids, page.texts, page);
    this.looked = { at: -Infinity, sample: null };
    const { plane } = page;
    this.pictureOfPoints = plane && new PlanePicture(model, plane, page.texts);
    this.points =
      plane &&
      new PlanePoints(this, {
        ...plane,
        half_width: plane.looks.half_width,
        plot: model(plane.plot),
      });
    this.certainty = new Certainty(this.host.place("certainty"));
    this.certainty.fold.addEventListener("toggle", () => this.soon());
    for (const name of ["lit", "pointed"]) this.figures.of("sources", name).change.connect(() => this.showPointed());
    document.addEventListener("wb-lam", (event) => this.goTo(/** @type {CustomEvent} */ (event).detail));
    document.addEventListener("wb-swapped", () => this.soon());
    /** @param {any} file */
    const take = (file) => this.take(file);
    this.zone = page.own && new DropZone("own", take, () => this.leave());
  }

  // --- what is chosen

  /** @param {string} name @param {Settings} settings */
  isHidden(name, settings) {
    return super.isHidden(name, settings) || (["cloud", "adds"].includes(name) && !this.inPlane(settings));
  }

  /** @param {string} name @param {Settings} settings */
  isDisabled(name, settings) {
    return name === "source" ? this.own !== null : name === "eta" && settings.update !== "gradient";
  }

  moreOfTheAddress() {
    return this.inPlane(this.settings) ? this.points.entries : [];
  }

  /** @param {string} name @param {string} text */
  followMore(name, text) {
    if (name === "points") this.points?.follow(text);
  }

  picked() {
    this.files++;
    this.own = null;
    this.points?.forget();
  }

  // Other settings; what a hand does in the plane does not change the problem.
  chosen() {
    const { settings } = this;
    const { source, cloud } = settings;
    // No file is in use yet.
    if (!source) return this.keep();
    if (this.points && this.stood !== JSON.stringify([source, cloud])) this.points.forget();
    return problemOf(this.settings) !== this.askedFor ? this.restart() : this.keep();
  }

  /** @param {Settings} settings */
  onSettings(settings) {
    super.onSettings(settings);
    this.stood = JSON.stringify([settings.source, settings.cloud]);
    this.askedFor = problemOf(settings);
    const isPlane = this.inPlane(settings);
    for (const each of deep("[data-do=swap][data-figure=plane]")) each.hidden = !isPlane;
    if (this.wasPlane !== isPlane && (isPlane || this.wasPlane)) showInPlace("weights", isPlane ? "plane" : "weights");
    this.wasPlane = isPlane;
    if (!this.zone) return;
    this.zone.say(this.own ? this.own.summary(this.page.texts) : this.figures.say("custom_data", settings));
    this.zone.offer(this.own !== null);
  }

  /** @param {string} name */
  press(name) {
    if (name === "undo") this.points?.undo();
    else if (name === "weights") this.saveWeights();
    else if (this.settings.source) super.press(name);
  }

  // --- the problems

  /**
   * The compiled scalars of the terms, by which the two curves are drawn, are here as well as in the workers.
   * @param {Settings} settings @param {any} isLeft
   */
  async begin(settings, isLeft) {
    const begun = await super.begin(settings, isLeft);
    if (begun && this.isAble) this.scalars ??= await this.host.kernels();
    return begun;
  }

  /** @param {Begun[]} wanted @param {any[]} held */
  began(wanted, held) {
    wanted.forEach(({ name, settings, problem: { lam } }, k) => {
      const { data, terms } = held[k].known ?? held[k];
      const embedded = this.signed(settings);
      const pairs = this.pairsOf(terms, embedded);
      this.pictured[name] = new Pictured({ data: data.data, ...terms, lam, embedded, settings, pairs });
    });
    // Also before the first picture of it a drag goes on from where this one began.
    this.alphas = Object.fromEntries(wanted.map(({ name, problem: { alpha } }) => [name, alpha]));
    this.present = this.spots;
    this.edits = false;
    this.looked = { at: -Infinity, sample: null };
  }

  /**
   * While a point is dragged there is one picture for each of its places.
   * @param {boolean} play
   */
  async goes(play) {
    if (!this.dragged) return super.goes(play);
    const {
      asked,
      settings: { tolerance: gap },
    } = this;
    this.begins = true;
    await Promise.all(
      this.runs.shown.map((/** @type {any} */ each) => each.ask("run", { gap, max_epochs: this.page.epochs })),
    );
    await this.paint(asked);
    return painted();
  }

  /**
   * The Python that gives the same run in a notebook.
   * @param {Settings} settings
   */
  code(settings) {
    if (!settings.source) return "";
    const { own } = this;
    const inPlane = this.inPlane(settings);
    /** @param {number} value */
    const python = (value) => (typeof value === "string" ? quoted(value) : pythonNumber(value));
    const { data, load, bias } = own
      ? { data: own.name, load: {}, bias: "constant" }
      : (settings.about ?? this.page.sources[this.page.controls.source.values.indexOf(settings.source)]);
    /** @param {any[]} entries */
    const listed = (entries) => entries.map(([name, value]) => `,\n  ${name}=${value}`).join("");
    /** @param {any[]} entries */
    const pairs = (entries) => listed(entries.map(([name, value]) => [name, python(value)]));
    const { loss, regularizer } = this.host.texts(this, settings);
    const options = [["bias", bias], ...(this.signed(settings) ? [["embed", "balanced"]] : [])].filter(
      ([, value]) => value,
    );
    const changed = ["update", "order", "scale", "eta"].filter((name) => settings[name] !== this.page.solver[name]);
    const given = inPlane
      ? `X, y = ${this.points.code(settings.cloud)}`
      : `d = wb.data.load(${quoted(data)}${pairs(Object.entries(load))}${listed(own?.options ?? [])})`;
    return (
      `import workbench as wb\n\n${given}\np = wb.Problem(\n  ${inPlane ? "X, y" : "d.X, d.y"},\n  loss=${quoted(loss)},\n  regularizer=${quoted(regularizer)},\n` +
      `  lam=${pythonNumber(settings.lam)}${pairs(options)})\n` +
      `gs = wb.solvers.GaussSeidel(${changed.map((name) => `\n  ${name}=${python(settings[name])}`).join(",")})\n` +
      `s = wb.solve(\n  p, gs, tol=${written(settings.tolerance, "g")},\n  seed=${settings.seed}` +
      `${own || inPlane ? "" : ",\n  test=(d.X_test, d.y_test)"})\nprint(s.primal, s.dual, s.gap)`
    );
  }
}
