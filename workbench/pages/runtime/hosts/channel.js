// @ts-check
// Questions of a page to Python: each has a number, may be cancelled, and ends at its time limit.

import { opened, packed } from "./blocks.js";

/**
 * @typedef {{ id: string, type: "ask" | "cancel" | "answer" | "error" | "event" | "settings", text?: string }} Envelope
 * @typedef {{ signal?: AbortSignal, seconds?: number, isQuiet?: boolean }} AskOptions - a quiet question is not waited for
 */

/** After this time the page says that it waits. */
const PATIENCE_MS = 2000;
const LIMIT_SECONDS = 60;

export class Channel {
  /** @type {Map<string, { resolve: (value: any) => void, reject: (error: Error) => void }>} */
  #waiting = new Map();
  #count = 0;
  // Several views may show the same widget, and each hears the answers to all.
  name = Math.random().toString(36).slice(2);
  /** @type {(envelope: Envelope, block?: ArrayBuffer) => void} */
  #send;
  /** @type {(isWaiting: boolean) => void} */
  onWaiting = () => {};
  /** @type {(text: string) => void} */
  onRefusal = () => {};
  /** @type {((value: any) => void)[]} */
  onEvent = [];
  /** @type {(changes: Record<string, any>) => void} */
  onSettings = () => {};
  #late = 0;

  /** @param {(envelope: Envelope, block?: ArrayBuffer) => void} send */
  constructor(send) {
    this.#send = send;
  }

  /**
   * Asks Python; the promise fails with its sentence, when it is cancelled, or at the time limit.
   * @param {any} message
   * @param {AskOptions} [options]
   * @returns {Promise<any>}
   */
  ask(message, { signal, seconds = LIMIT_SECONDS, isQuiet = false } = {}) {
    if (signal?.aborted) return Promise.reject(signal.reason);
    const id = `${this.name}-${++this.#count}`;
    return new Promise((resolve, reject) => {
      let isLate = false;
      const patience = setTimeout(() => {
        isLate = !isQuiet;
        if (isLate) this.#waits(1);
      }, PATIENCE_MS);
      const limit = setTimeout(
        () => cancel(new Error(`Python did not answer within ${seconds} seconds; try again`)),
        1000 * seconds,
      );
      /** @param {() => void} then */
      const end = (then) => {
        clearTimeout(patience);
        clearTimeout(limit);
        signal?.removeEventListener("abort", abort);
        this.#waiting.delete(id);
        if (isLate) this.#waits(-1);
        then();
      };
      /** @param {Error} reason */
      const cancel = (reason) => {
        this.#send({ id, type: "cancel" });
        end(() => reject(reason));
      };
      const abort = () => cancel(signal?.reason);
      signal?.addEventListener("abort", abort);
      this.#waiting.set(id, {
        resolve: (value) => end(() => resolve(value)),
        reject: (error) => end(() => reject(error)),
      });
      this.#send({ id, type: "ask" }, packed(message));
    });
  }

  /** @param {number} change */
  #waits(change) {
    this.#late += change;
    this.onWaiting(this.#late > 0);
  }

  /**
   * @param {Envelope} envelope
   * @param {ArrayBuffer | ArrayBufferView} [block]
   */
  receive({ id, type, text = "" }, block) {
    if (type === "settings" && block) this.onSettings(opened(block));
    if (type === "event" && block) {
      const value = opened(block);
      for (const then of this.onEvent) then(value);
    }
    const question = this.#waiting.get(id);
    if (!question) return;
    if (type === "error") question.reject(new Error(text));
    else if (type === "answer" && block) question.resolve(opened(block));
  }

  /** @param {string} text */
  fail(text) {
    for (const question of [...this.#waiting.values()]) question.reject(new Error(text));
  }
}
