// @ts-check
// What runs need: engines, in this browser or in Python, and the data and terms that they take.

import { Answers } from "./answers.js";
import { isAble, PythonEngine, startEngine } from "./engine.js";
import { keyOf } from "./host.js";
import { NEEDS_PYTHON } from "./open_page.js";

const NEEDS_WEBASSEMBLY =
  "This browser has no WebAssembly, which the runs of this file need; open it in another browser.";

/**
 * @typedef {object} Known - the answers about data and terms, for pictures
 * @property {any} data
 * @property {Record<string, any>} terms
 *
 * @typedef {{ isHere: boolean, key: string, data: object, terms: Record<string, any>, known: Known | null }} Supply
 */

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
    const { python, data: message, terms: messages } = this.module.needs(settings, this.facts);
    const key = keyOf({ ...message, ...python.data });
    const isElsewhere = Object.entries(this.facts.elsewhere).some(([name, values]) => values.includes(settings[name]));
    const isFile = this.host.kind === "file";
    // A page that makes something of data and terms draws them, too, where only Python solves.
    if (!isElsewhere || (this.module.supplied && !isFile)) {
      const [data, terms, { kernels, functions }] = await Promise.all([
        message && this.answerOf(message),
        this.all(messages),
        isAble() ? this.answerOf({ type: "engine" }) : { kernels: null, functions: null },
      ]);
      const known = this.module.supplied?.(settings, { data, terms }, this.facts) ?? { data, terms };
      const contents = { kernels, functions, data: known.data, losses: {}, regularizers: {} };
      if (!isElsewhere && isAble() && !known.data.is_large)
        return { isHere: true, key, data: contents, terms: known.terms, known };
      if (!isFile) return { isHere: false, key, ...python, known };
    }
    if (isFile) throw new Error(isAble() ? NEEDS_PYTHON : NEEDS_WEBASSEMBLY);
    return { isHere: false, key, ...python, known: null };
  }

  /**
   * Asks for what the first runs of a page need, and starts their engines.
   * @param {Record<string, any>} module
   * @param {Record<string, any>} settings
   * @param {Record<string, any>} facts
   */
  async foresee(module, settings, facts) {
    const start = async (/** @type {any} */ { name, settings: own = settings }) =>
      this.engineOf(name, (await this.of(own)).isHere);
    await Promise.all(module.runs(settings, facts).map(start));
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
