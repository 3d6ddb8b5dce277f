// @ts-check
// The open page Compare: one row that moves all runs, the point that a hand drags, and the race.

import { element } from "../runtime/elements.js";
import { followHands } from "../runtime/hosts/handles.js";
import { NEEDS_PYTHON } from "../runtime/hosts/open_page.js";
import { Transport } from "../runtime/hosts/transport.js";
import { codeBox } from "../runtime/hosts/view.js";
import { formatText } from "../runtime/wording.js";
import { courseOf, ghostOf, placesOf } from "./frame.js";
import { spelledSeconds } from "./race.js";

const TICK_MS = 40;
const SLOW_MS = 400;
/** A run from the start takes at most this many ticks. */
const TICKS = 60;
const LEAP = 10;
/** A race waits for that of another visitor, and a long one takes its time. */
const RACE_SECONDS = 900;
/** The first runs after an installation wait for kernels that are compiled. */
const RUN_SECONDS = 300;

/**
 * Returns the class of the open page.
 * @param {any} DrawnPage
 */
export function extend(DrawnPage) {
  return class ComparePage extends DrawnPage {
    /** @type {ReturnType<typeof setInterval> | undefined} */ clock = undefined;
    /** @type {AbortController | null} the question about runs that is under way */ asking = null;
    /** @type {AbortController | null} the race that is under way */ racing = null;
    /** @type {[number, number] | null} */ hand = null;
    /** @type {any[] | null} events of the last race on this page */ events = null;
    said = "";
    course = "";
    /** @type {any} the runs before the present ones */ before = null;
    place = Infinity;
    reached = Infinity;

    /** @param {any[]} parts */
    constructor(...parts) {
      super(...parts);
      const { facts, view, host } = this;
      this.transport = new Transport(view.parts.transport, facts.texts, {
        press: (name) => this.press(name),
        seek: (place) => this.goTo(place),
      });
      this.transport.buttons.epoch.textContent = facts.texts.leap;
      this.raceButton = element("button", { type: "button", textContent: facts.texts.race });
      this.raceButton.addEventListener("click", () => this.pressRace());
      view.parts.transport.lastElementChild.before(this.raceButton);
      if (host.kind === "file") Object.assign(this.raceButton, { disabled: true, title: NEEDS_PYTHON });
      host.onEvent((/** @type {any} */ { race }) => race && this.racing && this.onRaceEvent(race));
      this.keys = {
        " ": { does: "run, or pause", act: () => this.press("run") },
        ArrowRight: { does: "on by one pass", act: () => this.press("step") },
        ArrowLeft: { does: "back by one pass", act: () => this.press("back") },
        r: { does: "back to the first pass", act: () => this.press("reset") },
      };
      if (this.predict) this.predict.actions.guess = (/** @type {any} */ question) => this.guessed(question);
    }

    // --- the runs

    /**
     * Asks for the runs of the settings; what is asked for settings that are left is cancelled.
     * @param {Record<string, any>} settings
     * @param {() => boolean} isLeft
     */
    async prepare(settings, isLeft) {
      const { module, facts, host, supplies } = this;
      this.asking?.abort(new Error("left"));
      this.asking = new AbortController();
      const messages = module.needs(settings, facts);
      const [runs, recorded] = await Promise.all([
        host.ask(messages.runs, { signal: this.asking.signal, seconds: RUN_SECONDS }),
        supplies.answerOf(messages.recorded),
      ]);
      if (isLeft()) return;
      if (this.answers && this.shownSettings !== JSON.stringify(settings)) this.before = this.answers.runs;
      const course = courseOf(settings, facts);
      if (course !== this.course) this.leaveRace();
      this.course = course;
      this.answers = { runs, recorded };
      this.shownSettings = JSON.stringify(settings);
      this.place = this.reached = this.last;
    }

    /** @param {boolean} play */
    show(play) {
      if (!play) this.place = this.reached = 0;
      super.show(play);
    }

    leaveShown() {
      this.halt();
    }

    get last() {
      return this.answers ? placesOf(this.answers.runs) - 1 : 0;
    }

    onSettings() {
      const work = super.onSettings();
      // What is looked at begins no run; the picture and the code follow.
      if (work === undefined && this.isDrawable && !this.isBusy) {
        this.controls.show(this.settings);
        this.shownSettings = JSON.stringify(this.settings);
        this.code = this.module.code(this.settings, this.facts, this.answers);
        this.view.put("code", codeBox(this.code));
        this.soon();
      }
      return work;
    }

    /** @param {string} name */
    press(name) {
      const isRunning = this.clock !== undefined;
      this.halt();
      if (name === "reset") this.rewind();
      else if (name === "step") this.goTo(this.place + 1);
      else if (name === "epoch") this.goTo(this.place + LEAP);
      else if (name === "back") this.goTo(this.place - 1);
      else if (!isRunning) this.run();
      this.soon();
    }

    /** Shows the start alone, so that the paths are drawn pass by pass. */
    rewind() {
      this.place = this.reached = 0;
    }

    /** @param {number} place */
    goTo(place) {
      this.place = Math.min(Math.max(place, 0), this.last);
      this.reached = Math.max(this.reached, this.place);
      this.soon();
    }

    run() {
      if (this.place >= this.last) this.rewind();
      const passes = this.transport.isSlow ? 1 : Math.ceil(this.last / TICKS);
      const tick = () => {
        if (this.place + passes >= this.last) this.halt();
        this.goTo(this.place + passes);
      };
      this.clock = setInterval(tick, this.transport.isSlow ? SLOW_MS : TICK_MS);
    }

    halt() {
      clearInterval(this.clock);
      this.clock = undefined;
    }

    /** @param {import("../runtime/hosts/lecture.js").Step} step */
    async play({ run, seek }) {
      await this.settled();
      if (run) {
        this.rewind();
        this.run();
      } else if (seek !== undefined) {
        this.rewind();
        this.goTo(seek);
      }
    }

    /** @param {number} turn */
    async paint(turn) {
      if (this.answers) {
        const { place, reached, hand, events, said } = this;
        Object.assign(this.answers, { place, reached, hand, events, said, playing: this.clock !== undefined });
      }
      return super.paint(turn);
    }

    /** @param {any} frame */
    put(frame) {
      const { figures, view, facts } = this;
      const { unit, units } = facts.words[this.settings.compare];
      super.put(frame);
      for (const [name, key] of Object.entries(frame.keys)) figures.mainKey(name, view.tinted(key));
      figures.of("mappers", "bands").setv({ low: -frame.height, high: frame.height });
      const isCompared = this.before && this.before.runs[0].name === this.answers?.runs.runs[0].name;
      figures.leaveGhost(isCompared ? { gaps: ghostOf(this.before) } : {}, unit);
      figures.mark(this.place < this.reached ? Math.max(frame.passes, facts.start) : null);
      this.transport.stand(
        Math.min(this.place, this.last),
        this.reached + 1,
        formatText(facts.texts.passes, { passes: frame.passes, units }),
      );
    }

    /** @param {string} text */
    report(text) {
      super.report(text);
      this.transport?.says(this.status);
    }

    // --- the point on the saddle

    /**
     * @param {string} _figure
     * @param {[number, number]} place
     */
    move(_figure, place) {
      this.hand = place;
      this.soon();
    }

    async draw() {
      await super.draw();
      followHands(this.figures, (figure, place) => this.move(figure, place));
    }

    // --- the race

    /** @param {{ measure: string }} question */
    guessed(question) {
      if (question.measure === "race") {
        this.startRace();
        this.soon();
        return;
      }
      this.change(this.module.guess(this.settings, question));
      this.restart();
    }

    get isRacing() {
      return this.racing !== null;
    }

    pressRace() {
      if (this.racing) this.racing.abort(new Error("cancelled"));
      else this.startRace();
    }

    async startRace() {
      const { host, facts, settings } = this;
      const { texts } = facts;
      if (this.isRacing || !this.answers || host.kind === "file") return;
      const race = new AbortController();
      this.racing = race;
      this.events = [];
      this.said = texts.preparing;
      this.raceButton.textContent = texts.cancel;
      this.soon();
      const names = [...facts.course, "intercept", "seconds"];
      const message = Object.fromEntries(names.map((name) => [name, settings[name]]));
      try {
        const { events } = await host.ask({ type: "race", ...message }, { signal: race.signal, seconds: RACE_SECONDS });
        if (this.racing !== race) return;
        this.events = events;
        this.said = "";
        this.report(texts[events.at(-1).why]);
      } catch (error) {
        if (this.racing !== race) return;
        const { message: reason } = /** @type {Error} */ (error);
        if (!this.events?.length) this.events = null;
        this.said = race.signal.aborted ? (this.events ? "" : texts.cancelled) : reason;
      } finally {
        if (this.racing === race) this.endRace();
      }
    }

    /** @param {any} event */
    onRaceEvent(event) {
      const { texts } = this.facts;
      if (event.kind === "wait") this.said = texts.wait;
      else if (event.kind !== "end") this.events = [...(this.events ?? []), event];
      if (event.kind === "fit")
        this.said = formatText(texts.fitted, { name: event.name, seconds: spelledSeconds(event.seconds) });
      this.soon();
    }

    endRace() {
      this.racing = null;
      this.raceButton.textContent = this.facts.texts.race;
      this.soon();
    }

    /** A race of another problem ends, and its events go. */
    leaveRace() {
      const { racing } = this;
      this.events = null;
      this.said = "";
      if (!racing) return;
      this.endRace();
      racing.abort(new Error("left"));
    }

    close() {
      this.halt();
      this.asking?.abort(new Error("closed"));
      this.racing?.abort(new Error("closed"));
      super.close();
    }
  };
}
