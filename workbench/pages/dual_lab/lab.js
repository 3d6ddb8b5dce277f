// @ts-check
// The open page of the Dual lab: what is pointed at, the saddle, the sum behind the gap, the values of lambda that were
// visited, points that a hand moves, and a visitor's own file. What a picture shows is `frame.js`.

import { frame as bothCurves, remembered } from "../runtime/duality/frame.js";
import { element } from "../runtime/elements.js";
import { carried } from "../runtime/live_plane.js";
import { download } from "../runtime/save.js";
import { writePoints } from "../runtime/plane_hand.js";
import { Kernels } from "../wasm/javascript/kernels.js";
import { picturedOf, saddleAt, sumBehindGap } from "./asked.js";
import { Certainty } from "./certainty.js";
import { statesOf } from "./frame.js";
import { LeaveOut } from "./leave_out.js";
import { OwnFile } from "./own_file.js";
import { PlanePicture } from "./plane.js";
import { PlanePoints } from "../runtime/hosts/plane_points.js";
import { Pointing, rings } from "./pointing.js";
import { isPlane, placed } from "./runs.js";
import { Sentences } from "./sentences.js";
import { lossOf, weightsTable } from "./state.js";
import { fillSurface } from "./surface.js";

/** @typedef {import("./lab_track.js").State} State */

/** Settings that change no problem. */
const HANDS = ["adds", "brush", "question"];

/**
 * Returns the class of the open page.
 * @param {any} RunPage
 */
export function extend(RunPage) {
  return class LabPage extends RunPage {
    /** @type {any} */ words;
    /** @type {any} */ certainty;
    /** @type {any} */ leaveOut;
    /** @type {any} */ ownFile;
    /** @type {any} */ pointing;
    /** @type {any} */ planePicture;
    /** @type {any} */ points;
    /** @type {any} */ areas;
    /** @type {any} */ alphas;
    /** @type {any} */ before = null;
    showsPlane = false;
    dropsGhost = false;
    isEdited = false;
    /** @type {any} */ scalars = null;
    /** @type {Map<string, any>} */ pairs = new Map();
    /** @type {Record<string, import("./state.js").Pictured>} */ pictured = {};
    /** @type {any} */ visited = null;
    /** @type {State | null} */ state = null;
    looked = { at: -Infinity, sample: /** @type {number | null} */ (null) };
    /** @type {any} */ spots = null;
    /** @type {any} */ present = null;
    /** @type {any} */ dragging = null;

    async begin() {
      const { view, facts } = this;
      this.words = new Sentences(() => null, {}, facts.texts);
      this.words.rules = facts.rules;
      this.certainty = new Certainty(view.parts.numbers, (sample) => this.pointing?.light(sample));
      view.parts.numbers = this.certainty.formula;
      const take = { type: "button", className: "wb-take", textContent: facts.texts.all_weights };
      view.parts.code.after(element("button", take));
      view.parts.code.nextElementSibling.dataset.do = "weights";
      this.certainty.fold.addEventListener("toggle", () => this.soon());
      this.leaveOut = new LeaveOut(this);
      this.ownFile = new OwnFile(this);
      facts.files = this.ownFile.files;
      await super.begin();
    }

    /** @param {boolean} isDark */
    async draw(isDark) {
      await super.draw(isDark);
      // The keys are those of one configuration again.
      for (const name of Object.keys(this.facts.keys.one)) this.figures.keyOf(name).wb_html = null;
      this.pointing = new Pointing(this);
      this.planePicture = new PlanePicture(this.figures, this.facts, isDark);
      this.points = new PlanePoints(this, this.points);
    }

    // --- what is chosen

    get problemSettings() {
      const { settings, facts, dragging } = this;
      const points = dragging ? writePoints(dragging, facts.plane.looks.half_width) : settings.points;
      return { ...settings, points, file: this.ownFile.turn };
    }

    /** @param {Record<string, any>} changes */
    choose(changes) {
      const { settings } = this;
      if ("source" in changes) this.ownFile.forget();
      if ("source" in changes || "cloud" in changes) {
        this.points?.forget();
        return super.choose({ points: "", ...changes });
      }
      // The second configuration begins as the first, so that what differs is what one changes.
      const own = changes.compare ? this.module.guess(settings, { change: {} }) : {};
      return super.choose({ ...own, ...changes });
    }

    /** @param {boolean} [play] */
    async restart(play = true) {
      this.leaveOut.forget();
      const { problemSettings: settings, facts } = this;
      if (this.points) this.points.initialText = facts.plane.clouds[settings.cloud];
      this.spots = isPlane(settings, facts) ? safely(() => placed(settings, facts)) : null;
      facts.warm = this.warm();
      await super.restart(play);
    }

    /** After an edit of points a run goes on from the dual variables before it. */
    warm() {
      const { present, spots, state } = this;
      if (!present || !spots || !this.isEdited) return null;
      this.isEdited = false;
      const alphas = this.alphas ?? { A: state?.certificate.alpha };
      return Object.fromEntries(
        Object.entries(alphas)
          .filter(([, alpha]) => alpha)
          .map(([name, alpha]) => [name, carried(present, spots, alpha)]),
      );
    }

    /** A ghost is of other numbers alone, on whose axes the new run is drawn; other data and terms have axes of their own. */
    leaveShown() {
      super.leaveShown();
      const before = this.shownSettings ? JSON.parse(this.shownSettings) : null;
      const isMoved = before !== null && differsInNumbers(before, this.problemSettings);
      if (!isMoved) this.before = null;
      this.dropsGhost = before !== null && !isMoved && JSON.stringify(this.problemSettings) !== this.shownSettings;
      this.figures.hold(isMoved);
    }

    leaveGhost() {
      if (this.dropsGhost) this.figures.leaveGhost({});
      this.dropsGhost = false;
      super.leaveGhost();
    }

    /**
     * @param {Record<string, any>} settings
     * @param {() => boolean} isLeft
     */
    async begun(settings, isLeft) {
      const tracks = await super.begun(settings, isLeft);
      if (isLeft()) return tracks;
      this.scalars ??= await this.kernels();
      this.pictured = Object.fromEntries(
        tracks.map((/** @type {any} */ track) => [track.name, picturedOf(track, this)]),
      );
      this.present = this.spots;
      this.alphas = this.facts.warm;
      this.looked = { at: -Infinity, sample: null };
      const showsPlane = isPlane(settings, this.facts);
      for (const button of this.view.root.querySelectorAll("[data-do=swap][data-figure=plane]"))
        button.hidden = !showsPlane;
      if (this.showsPlane !== showsPlane) {
        this.view.showInPlace("weights", showsPlane ? "plane" : "weights");
        this.figures.layOut();
      }
      this.showsPlane = showsPlane;
      this.ownFile.report(settings);
      return tracks;
    }

    /** The compiled scalars of the terms, by which the two curves are drawn. */
    async kernels() {
      if (typeof WebAssembly === "undefined") return null;
      const { kernels, functions } = await this.supplies.answerOf({ type: "engine" });
      return Kernels.load(kernels, functions);
    }

    // --- what is shown

    /** @param {any} shown */
    async more(shown) {
      for (const [name, run] of Object.entries(shown.runs)) /** @type {any} */ (run).problem = this.pictured[name];
      const states = statesOf(shown);
      const [A] = states;
      const isRunning = this.tracks.playing;
      const { lam, settings } = A.problem;
      const others = Object.entries(settings).filter(
        ([name]) => !["lam", "tolerance", "compare", ...HANDS].includes(name),
      );
      const key = JSON.stringify([others, A.n]);
      this.visited = remembered(this.visited, key, lam, A.w, lossOf(A.problem, A.certificate));
      const [saddle, terms] = await Promise.all([saddleAt(this, A, isRunning), sumBehindGap(this, A)]);
      const names = ["weights", "duals", "margins", "transfer", "terms"];
      const isFolded = (/** @type {string} */ name) => isRunning && !this.figures.isShown(`${name}_y`);
      return {
        states,
        saddle,
        terms,
        visited: this.visited,
        folded: new Set(names.filter(isFolded)),
        isDragged: this.dragging !== null,
      };
    }

    /**
     * Called once a frame fills the figures; the areas take their axes.
     * @param {any} frame
     * @param {any} shown
     */
    drawn(frame, shown) {
      const [A, B = null] = shown.states;
      this.state = A;
      for (const [name, key] of Object.entries(this.facts.keys[B ? "both" : "one"]))
        this.figures.mainKey(name, this.view.tinted(key));
      this.alphas = Object.fromEntries(
        shown.states.map((/** @type {State} */ each) => [each.name, each.certificate.alpha]),
      );
      if (shown.saddle) fillSurface(this.figures, shown.saddle);
      if (this.present) frame.sentences.plane = this.planePicture.show(this.present, A, B);
      this.drawAreas();
      Object.assign(frame.sentences, this.words.areaLines(A, this.areas));
      this.certainty.draw(frame.gauge);
      if (shown.terms !== null) this.certainty.write(shown.terms);
    }

    /** Both curves, the dots of the features, and the areas of what is pointed at or was visited last. */
    drawAreas() {
      const { figures, state: A, pointing } = this;
      if (!A) return;
      const { certificate, w, problem, event } = A;
      const sample = pointing.sample ?? event?.index ?? null;
      const ends = (/** @type {string} */ name) => {
        const { start, end } = figures.of("ranges", name);
        return /** @type {[number, number]} */ ([start, end]);
      };
      const axes = { left: ends("margins_x"), right: ends("transfer_x") };
      const { columns, numbers } = bothCurves(
        problem.curves,
        { certificate: { ...certificate, w }, sample, feature: pointing.feature },
        axes,
      );
      const other =
        this.pictured.B &&
        bothCurves(this.pictured.B.curves, { certificate: { ...certificate, w }, sample: null, feature: null }, axes);
      for (const [name, data] of Object.entries(columns)) figures.fill(name, data);
      const empty = { x: [], y: [] };
      figures.fill("other_loss_graph", other?.columns.loss_graph ?? empty);
      figures.fill("other_transfer_graph", other?.columns.transfer_graph ?? empty);
      rings(figures, event?.index ?? null, pointing.feature);
      this.areas = numbers;
    }

    /** Shades and rings the sample or feature under the pointer in all figures. */
    showPointed() {
      if (!this.state || !this.areas) return;
      this.drawAreas();
      for (const [name, text] of Object.entries(this.words.areaLines(this.state, this.areas)))
        this.view.line(name, text);
      this.certainty.mark(this.pointing.sample);
    }

    /**
     * @param {any} frame
     * @param {any} shown
     */
    say(frame, shown) {
      super.say(frame, shown);
      // Nobody can read what is explained of a step while others follow at full speed.
      const { playing, isSlow } = this.tracks;
      if (!playing || (isSlow && this.state?.event)) this.explain(playing);
    }

    /**
     * Explains the step before; after a run, where that moved nothing, the last one seen that did, else the first.
     * @param {boolean} isPlaying
     */
    explain(isPlaying) {
      const { state: A } = this;
      const [track] = this.tracks.shown;
      if (!A || !track) return;
      const { event, row } = A;
      const { moved } = track;
      const isIdle = event !== null && event.alpha_after === event.alpha_before && Number.isInteger(row.epoch);
      if (!isIdle) this.view.put("why", this.why(A, event, row.step));
      else if (moved !== null && moved.step <= row.step) this.view.put("why", this.why(A, moved.event, moved.step));
      else if (!isPlaying) {
        track.firstMove().then(
          (/** @type {any} */ first) => {
            if (this.tracks.shown[0] === track && this.state === A)
              this.view.put("why", this.why(A, first.event, first.step));
          },
          () => {},
        );
      }
    }

    /** @param {State} state @param {any} event @param {number} step */
    why({ problem: { data, loss, regularizer, lam, n, settings } }, event, step) {
      const y = event ? data.y[event.index] : 0;
      const { closed } = loss;
      const { quadratic } = regularizer;
      return this.words.why({ event, step, y, solver: settings, lam_n: lam * n, quadratic, closed });
    }

    /**
     * Does what a button of a card says.
     * @param {HTMLButtonElement} button
     */
    obey(button) {
      if (button.dataset.do === "undo") this.points?.undo();
      else if (button.dataset.do === "weights") this.saveWeights();
      else super.obey(button);
    }

    /**
     * Goes back to the visited lambda that is nearest to a place of its axis.
     * @param {number} place
     */
    goTo(place) {
      const far = (/** @type {number} */ lam) => Math.abs(Math.log(lam / place));
      const all = [...(this.visited?.runs.keys() ?? [])];
      if (!all.length || !(place > 0)) return undefined;
      return this.choose({ lam: all.reduce((best, lam) => (far(lam) < far(best) ? lam : best)) });
    }

    /** Gives every weight of the picture with its certificate, as CSV. */
    saveWeights() {
      if (this.state) download(new Blob([weightsTable(this.state)], { type: "text/csv" }), "weights.csv");
    }

    // --- points that a hand moves

    undo() {
      if (this.points?.past.length) this.points.undo();
      else super.undo();
    }

    /** @param {any} spots */
    drag(spots) {
      this.dragging = spots;
      this.isEdited = true;
      return this.restart(false);
    }

    /** @param {string} points */
    edited(points) {
      this.dragging = null;
      this.isEdited = true;
      return points === this.settings.points ? this.restart() : this.change({ points });
    }

    /**
     * While a point is dragged there is one picture for each of its places.
     * @param {boolean} play
     */
    async show(play) {
      if (!this.dragging) return super.show(play);
      const { asked, settings, facts } = this;
      this.begins = true;
      const message = { gap: settings.tolerance, max_epochs: facts.epochs };
      await Promise.all(this.tracks.shown.map((/** @type {any} */ track) => track.ask("run", message)));
      await this.paint(asked);
      this.begins = false;
      return undefined;
    }
  };
}

/** @param {() => any} make */
function safely(make) {
  try {
    return make();
  } catch {
    return null;
  }
}

/**
 * True if settings differ, and in nothing but numbers.
 * @param {Record<string, any>} before
 * @param {Record<string, any>} now
 */
function differsInNumbers(before, now) {
  const names = Object.keys(now).filter((name) => !["tolerance", "file", ...HANDS].includes(name));
  const changed = names.filter((name) => before[name] !== now[name]);
  return before.file === now.file && changed.length > 0 && changed.every((name) => typeof now[name] === "number");
}
