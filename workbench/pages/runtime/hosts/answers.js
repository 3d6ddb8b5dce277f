// @ts-check
// Answers of the host to a page, asked for once for each message.

import { keyOf } from "./host.js";

/** Answers to settings that a slider passes would pile up. */
const MOST = 200;

export class Answers {
  /** @type {Map<string, Promise<any>>} */
  #answers = new Map();

  /** @param {import("./host.js").Host} host */
  constructor(host) {
    this.host = host;
  }

  /**
   * Asks the host, once for each message.
   * @param {Record<string, any>} message
   * @param {import("./channel.js").AskOptions} [options]
   */
  answerOf(message, options) {
    const key = keyOf(message);
    const known = this.#answers.get(key);
    if (known) return known;
    const answer = this.host.ask(message, options);
    answer.catch(() => this.#answers.delete(key));
    this.#answers.set(key, answer);
    const [oldest] = this.#answers.keys();
    if (this.#answers.size > MOST) this.#answers.delete(oldest);
    return answer;
  }

  /**
   * Asks the host for several messages.
   * @param {Record<string, Record<string, any>>} messages
   * @param {import("./channel.js").AskOptions} [options]
   * @returns {Promise<Record<string, any>>} the answers by the names of the messages
   */
  async all(messages, options) {
    const names = Object.keys(messages);
    const answers = await Promise.all(names.map((name) => this.answerOf(messages[name], options)));
    return Object.fromEntries(names.map((name, k) => [name, answers[k]]));
  }

  /**
   * Asks for what the first picture of a page needs.
   * @param {Record<string, any>} module
   * @param {Record<string, any>} settings
   * @param {Record<string, any>} facts
   */
  async foresee(module, settings, facts) {
    await this.all(module.needs?.(settings, facts) ?? {});
  }

  close() {
    this.#answers.clear();
  }
}
