// @ts-check
// The page of inverse time, as every host opens it: the live run beside a curve that Python has recorded.

import { keyOf } from "../runtime/hosts/host.js";
import * as module from "./frame.js";

/** A run is certified when its steps have grown by 1 in this number. */
const GROWTH = 16;
/** The settings rest for this time before Python computes a curve that is not recorded. */
const REST_MS = 400;

/** @param {any} Kind */
const extend = (Kind) =>
  class InverseTimePage extends Kind {
    /** @type {{ message: Record<string, any>, record: any } | null} */ curve = null;
    isComing = false;
    /** Why there is no curve of the present settings. */
    reason = "";
    key = "";

    /**
     * @param {Record<string, any>} settings
     * @param {() => boolean} isLeft
     */
    async prepare(settings, isLeft) {
      const message = module.curveMessage(settings, this.facts);
      const key = keyOf(message);
      if (key !== this.key) {
        this.key = key;
        const asked = this.askCurve(message, key);
        if (this.facts.recorded.includes(key)) await asked;
      }
      await super.prepare(settings, isLeft);
    }

    /**
     * Gets a curve; the newest settings count, and what is not recorded is asked for once they rest.
     * @param {Record<string, any>} message
     * @param {string} key
     */
    async askCurve(message, key) {
      this.isComing = true;
      this.reason = "";
      try {
        if (!this.facts.recorded.includes(key)) await new Promise((done) => setTimeout(done, REST_MS));
        if (key !== this.key) return;
        const record = await this.supplies.answerOf(message);
        if (key === this.key) this.curve = { message, record };
      } catch (error) {
        if (key === this.key) this.reason = /** @type {Error} */ (error).message;
      } finally {
        if (key === this.key) {
          this.isComing = false;
          if (this.isDrawable) this.soon();
        }
      }
    }

    async more() {
      const { curve, isComing, reason } = this;
      return { curve, isComing, reason };
    }
  };

/** @param {any} Track */
const extendTrack = (Track) =>
  class GrowingTrack extends Track {
    /**
     * A run goes on to the next multiple of `most` steps; slowly, from one certificate to the next.
     * @param {string} type
     * @param {any} [contents]
     */
    ask(type, contents = {}) {
      if (type !== "run") return super.ask(type, contents);
      const self = /** @type {any} */ (this);
      const { most, epochSteps } = self.request;
      // Rows count no epochs, so that one is asked for where it is slow.
      const isSlow = contents.max_epochs < 2;
      const end = most * (Math.floor(self.at / most) + 1);
      const next = isSlow ? Math.min(end, self.at + Math.max(1, Math.floor(self.at / GROWTH))) : end;
      self.limit = isSlow && next < end ? 1 : 0;
      return super.ask(type, { gap: contents.gap, growth: GROWTH, max_epochs: (next - 0.5) / epochSteps });
    }
  };

export const page = { ...module, extend, extendTrack };
