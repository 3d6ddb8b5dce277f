// @ts-check
// What runs need: engines, in this browser or in Python, and the data and terms that they take.

import { Answers } from "./answers.js";
import { isAble, PythonEngine, startEngine } from "./engine.js";
import { keyOf } from "./host.js";
import { NEEDS_PYTHON } from "./open_page.js";

/** @typedef {{ isHere: boolean, key: string, data: object, terms: Record<string, any> }} Supply */

export class Supplies extends Answers {
  /** @type {Map<string, Promise<any>>} */
  #engines = new Map();

  /**
   * @param {import("./host.js").Host} host
   * @param {Record<string, any>} module
   * @param {Record<string, any>} facts
   */
  constructor(host, module, facts) {
    super(host);
    this.module = module;
    this.facts = facts;
  }

  /**
   * Returns the engine of a run, in this browser or in Python.
   * @param {string} name
   * @param {boolean} isHere
   */
  engineOf(name, isHere) {
    const key = `${name} ${isHere}`;
    const known = this.#engines.get(key);
    if (known) return known;
    const engine = isHere
      ? this.answerOf({ type: "engine" }).then((facts) => startEngine(facts))
      : Promise.resolve(new PythonEngine(this.host, name));
    this.#engines.set(key, engine);
    return engine;
  }

  /**
   * Returns what the engines take: data and terms for this browser, or their names for Python.
   * @param {Record<string, any>} settings
   * @returns {Promise<Supply>}
   */
  async of(settings) {
    const { data: message, terms: messages, python } = this.module.needs(settings, this.facts);
    const key = keyOf({ ...message, ...python.data });
    const names = Object.keys(messages);
    const isElsewhere = Object.entries(this.facts.elsewhere).some(([name, values]) => values.includes(settings[name]));
    if (!isElsewhere && isAble()) {
      const [data, { kernels, functions }, ...answers] = await Promise.all([
        this.answerOf(message),
        this.answerOf({ type: "engine" }),
        ...names.map((name) => this.answerOf(messages[name])),
      ]);
      const terms = Object.fromEntries(names.map((name, k) => [name, answers[k]]));
      const contents = { kernels, functions, data, losses: {}, regularizers: {} };
      if (!data.is_large) return { isHere: true, key, data: contents, terms };
    }
    if (this.host.kind === "file") throw new Error(NEEDS_PYTHON);
    return { isHere: false, key, ...python };
  }

  /** Ends all engines. */
  close() {
    for (const engine of this.#engines.values()) engine.then((each) => each.close());
    this.#engines.clear();
    super.close();
  }
}

/**
 * Gives an engine its data, where it has others.
 * @param {any} engine
 * @param {Supply} supply
 */
export async function hold(engine, { key, data }) {
  if (engine.key === key) return;
  engine.key = null;
  await engine.ask("data", data);
  engine.key = key;
}
