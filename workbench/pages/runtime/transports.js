// Who else answers the messages of docs/browser.md than a worker: the server's engine, and answers that a file has kept.

import { WorkbenchEngine } from "../wasm/javascript/page.js";

// The engine in Python, over the connection of the page. `send` takes a message with the name of the engine.
export class SocketEngine {
  /** @type {any} */ name;
  /** @type {any} */ send;
  /** @type {any} */ heard = () => {};
  /** @type {Map<any, any>} */ waiting = new Map();
  count = 0;
  /** @type {Error | null} */ broken = null;

  /** @param {string} name @param {(message: any) => void} send */
  constructor(name, send) {
    this.name = name;
    this.send = send;
  }

  /** @param {string} type @param {any} [contents] */
  ask(type, contents = {}) {
    const id = ++this.count;
    if (this.broken) return Promise.reject(this.broken);
    this.send({ engine: this.name, message: { version: 1, id, type, ...contents } });
    return new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
  }

  /** @param {any} answer */
  take(answer) {
    WorkbenchEngine.prototype.take.call(this, answer);
  }

  /** @param {string} text */
  fail(text) {
    WorkbenchEngine.prototype.fail.call(this, text);
  }

  close() {}
}

// The answers to the first problem of a file, each by its message; whatever else is asked is refused by `why`. The first
// of them is that to the message which begins a run, and is given once.
export class RecordedEngine {
  /** @type {any} */ answers;
  /** @type {any} */ why;
  /** @type {any} */ heard = () => {};
  count = 0;
  /** @type {any} */ isUsed;

  /** @param {any} answers @param {string} why */
  constructor(answers, why) {
    this.answers = answers;
    this.why = why;
  }

  /** @param {string} type */
  ask(type) {
    const id = ++this.count;
    const kept = type === "data" ? { type: "ready" } : this.answers[type];
    const isFirst = type === Object.keys(this.answers)[0];
    if (!kept || (isFirst && this.isUsed)) return Promise.reject(new Error(this.why));
    this.isUsed ||= isFirst;
    const answer = { ...kept, id };
    // As from a worker: who asks has noted the number first.
    return Promise.resolve().then(() => {
      this.heard(answer);
      return answer;
    });
  }

  close() {}
}
