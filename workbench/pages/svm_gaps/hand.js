// @ts-check
// The open page on SVM gaps: points that a hand moves, adds, deletes and flips, and the reference run beside the run.

import { element } from "../runtime/elements.js";
import { PlanePoints } from "../runtime/hosts/plane_points.js";
import { hold } from "../runtime/hosts/supplies.js";
import { codeBox, commandButton } from "../runtime/hosts/view.js";
import { LiveFigures } from "../runtime/live_figures.js";
import { nearest, writePoints } from "../runtime/plane_hand.js";
import { gapOf, ghosts, placed } from "./frame.js";
import { MOST_STEPS, SOLVE_STEPS, stepped } from "./track.js";

/** The reference ends at this violation, 1e-3 of the smallest tolerance that the page offers. */
const REFERENCE = 1e-9;

/**
 * Returns the class of the open page.
 * @param {any} RunPage
 */
export function extend(RunPage) {
  return class SvmPage extends RunPage {
    /** @type {any} */ dragging = null;
    /** @type {any} the points that are drawn */ present = null;
    /** @type {any} */ before = null;
    /** @type {any} */ points;
    /** @type {any} */ words;
    /** @type {any} */ flipButton;
    /** @type {number | null} the sample that a hand touched last */ touched = null;
    /** @type {any} what distances are measured from */ optimum = null;
    referring = 0;
    /** @type {any} */ tolerance = null;

    async begin() {
      const { view, facts } = this;
      this.words = new LiveFigures(() => null, {}, facts.texts);
      const { texts } = facts;
      this.flipButton = commandButton("flip", texts.flip_none);
      const more = element("details", {}, element("summary", { textContent: texts.plane_more }), texts.plane_rest);
      const row = element("div", { className: "wb-hand-row" }, this.flipButton, commandButton("undo", "Undo"));
      view.lines.plane.after(row, element("div", { className: "wb-source" }, texts.plane_hint, more));
      this.transport.buttons.epoch.textContent = texts.leap;
      this.keys.x = { does: "flip the class of the point that was touched last", act: () => this.flip() };
      await super.begin();
    }

    async draw() {
      await super.draw();
      this.points = new PlanePoints(this, this.points);
      const plot = this.figures.of("figures", "plane");
      for (const name of ["tap", "panstart"])
        plot.on_event(name, (/** @type {{ x: number, y: number }} */ { x, y }) => this.touch([x, y]));
      plot.on_event("doubletap", () => this.touch(null));
    }

    // --- what is chosen

    get problemSettings() {
      const { settings, facts, dragging } = this;
      return dragging ? { ...settings, points: writePoints(dragging, facts.plane.looks.half_width) } : settings;
    }

    /** @param {Record<string, any>} changes */
    choose(changes) {
      if (!("source" in changes)) return super.choose(changes);
      this.points?.forget();
      return super.choose({ points: "", ...changes });
    }

    /** Another tolerance goes on with the run. */
    onSettings() {
      const { tolerance } = this.settings;
      const isOther = this.tolerance !== null && tolerance !== this.tolerance;
      this.tolerance = tolerance;
      const work = super.onSettings();
      if (!isOther || work !== undefined) return work;
      this.controls.show(this.settings);
      this.shownSettings = JSON.stringify(this.problemSettings);
      this.code = this.module.code(this.problemSettings, this.facts);
      this.view.put("code", codeBox(this.code));
      return this.run();
    }

    /** @param {boolean} [play] */
    restart(play = true) {
      const { facts, transport, dragging } = this;
      facts.most = dragging ? SOLVE_STEPS : play && !transport.isSlow ? MOST_STEPS : 0;
      facts.isDragged = dragging !== null;
      return super.restart(play);
    }

    /**
     * @param {Record<string, any>} settings
     * @param {() => boolean} isLeft
     */
    async begun(settings, isLeft) {
      const tracks = await super.begun(settings, isLeft);
      if (isLeft()) return tracks;
      const [track] = tracks;
      track.isSlow = () => this.transport.isSlow;
      this.present = placed(settings, this.facts);
      this.points.initialText = this.facts.plane.clouds[settings.source];
      if (this.touched !== null && this.touched >= this.present.y.length) this.touched = null;
      this.optimum = null;
      if (!this.dragging) this.refer(settings, track, isLeft).catch((error) => isLeft() || this.refuse(error));
      return tracks;
    }

    /**
     * Solves on to the reference by an engine of its own, beside the run that one sees.
     * @param {Record<string, any>} settings
     * @param {any} track
     * @param {() => boolean} isLeft
     */
    async refer(settings, { known, problem, request, fetched }, isLeft) {
      this.referring++;
      try {
        await fetched;
        const supply = await this.supplies.of(settings);
        const engine = await this.supplies.engineOf("reference", supply.isHere);
        if (isLeft()) return;
        await hold(engine, supply);
        const solver = { ...problem.solver, tol: REFERENCE, selection: "first-order" };
        const answers = [engine.ask("problem", { ...problem, solver }), stepped(engine, SOLVE_STEPS)];
        const [, { alpha }] = await Promise.all(answers);
        if (isLeft()) return;
        this.optimum = gapOf(alpha, known, request.C);
      } finally {
        this.referring--;
      }
      this.soon();
    }

    /**
     * A dragged point has one picture for each of its places; a run that was solved at once goes on by a press.
     * @param {boolean} play
     */
    show(play) {
      if (this.dragging) return this.paint(this.asked);
      return super.show(play && this.facts.most === 0);
    }

    /** A ghost has all its steps, which a point in hand or a slider in motion does not leave the time for. */
    leaveShown() {
      const { before } = this;
      super.leaveShown();
      if (this.before !== before && !ghosts(this.before.curves).bounds) this.before = before;
    }

    leaveGhost() {
      if (this.facts.isDragged) this.figures.leaveGhost({});
      else super.leaveGhost();
    }

    /** @param {string} name - of a press, which takes a refusal away */
    press(name) {
      this.refusal = "";
      return super.press(name);
    }

    // --- the picture

    async more() {
      const { optimum, touched, facts, view } = this;
      const { looks } = facts.plane;
      return { optimum, touched, looks: view.isDark ? JSON.parse(view.tinted(JSON.stringify(looks))) : looks };
    }

    /**
     * The image keeps its array, which knows its two sides.
     * @param {any} frame
     */
    drawn({ surface, isDragged }) {
      const source = this.figures.of("sources", "surface");
      const { image } = source.data;
      const { half_width: h } = this.facts.plane.looks;
      image[0].set(surface);
      source.setv({ data: { image, x: [-h], y: [-h], dw: [2 * h], dh: [2 * h] } });
      source.change.emit();
      // Bars have no step.
      const alpha = isDragged ? 0 : 1;
      this.figures.of("axes", "bounds_x").setv({ major_label_text_alpha: alpha, major_tick_line_alpha: alpha });
      this.sayTouched();
    }

    get isUnderWay() {
      return (
        super.isUnderWay || this.referring > 0 || this.tracks.shown.some((/** @type {any} */ run) => run.isFetching)
      );
    }

    // --- points by hand

    /** @param {any} spots */
    drag(spots) {
      this.dragging = spots;
      return this.restart();
    }

    /** @param {string} points */
    edited(points) {
      this.dragging = null;
      return points === this.settings.points ? this.restart() : this.change({ points });
    }

    /** @param {number[] | null} place */
    touch(place) {
      const { present } = this.points;
      this.touched = place && present ? nearest(present.X, place) : null;
      this.soon();
    }

    sayTouched() {
      const { touched, words, present } = this;
      const to = touched === null ? "" : present.y[touched] > 0 ? "−1" : "+1";
      this.flipButton.disabled = touched === null;
      this.flipButton.textContent = touched === null ? words.say("flip_none") : words.say("flip", { touched, to });
    }

    undo() {
      if (this.points?.past.length) this.points.undo();
      else super.undo();
    }

    flip() {
      if (this.touched !== null) this.points.flip(this.touched);
    }

    /** @param {HTMLButtonElement} button */
    obey(button) {
      if (button.dataset.do === "undo") this.undo();
      else if (button.dataset.do === "flip") this.flip();
      else super.obey(button);
    }

    close() {
      this.dragging = null;
      super.close();
    }
  };
}
