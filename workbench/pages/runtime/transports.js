// Who else answers the messages of docs/browser.md than a worker: the server's engine, and answers that a file has kept.

import { WorkbenchEngine } from "../wasm/javascript/page.js";

// The engine in Python, over the connection of the page. `send` takes a message with the name of the engine.
export class SocketEngine {
  constructor(name, send) {
    Object.assign(this, { name, send, heard: () => {}, waiting: new Map(), count: 0 });
  }

  ask(type, contents = {}) {
    const id = ++this.count;
    if (this.broken) return Promise.reject(this.broken);
    this.send({ engine: this.name, message: { version: 1, id, type, ...contents } });
    return new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
  }

  take(answer) { WorkbenchEngine.prototype.take.call(this, answer); }

  fail(text) { WorkbenchEngine.prototype.fail.call(this, text); }

  close() {}
}

// The answers to the first problem of a file, each by its message; whatever else is asked is refused by `why`. The first
// of them is that to the message which begins a run, and is given once.
export class RecordedEngine {
  constructor(answers, why) {
    Object.assign(this, { answers, why, heard: () => {}, count: 0 });
  }

  ask(type) {
    const id = ++this.count, kept = type === "data" ? { type: "ready" } : this.answers[type];
    const is_first = type === Object.keys(this.answers)[0];
    if (!kept || (is_first && this.is_used)) return Promise.reject(new Error(this.why));
    this.is_used ||= is_first;
    const answer = { ...kept, id };
    // As from a worker: who asks has noted the number first.
    return Promise.resolve().then(() => {
      this.heard(answer);
      return answer;
    });
  }

  close() {}
}
