// @ts-check
// The engine of a page: in a worker, and where none starts, on the page itself, in slices.

import { WorkbenchEngine, workerOf } from "../../wasm/javascript/page.js";

/** @typedef {{ source: string, kernels: Uint8Array, functions: object }} EngineFacts */

/** How long a worker may take to answer for the first time. */
export const START_MS = 2000;

/** Returns true if this browser can run kernels. */
export const isAble = () => typeof WebAssembly !== "undefined";

/**
 * Returns an engine that answers.
 * @param {EngineFacts} facts
 * @param {() => Worker} [makeWorker]
 */
export async function startEngine({ source }, makeWorker) {
  let worker = null;
  try {
    worker = makeWorker ? makeWorker() : workerOf(source);
    await answers(worker);
  } catch {
    worker?.terminate();
    worker = onPage(source);
  }
  return new WorkbenchEngine(source, () => {}, worker);
}

/**
 * Resolves when a worker answers; an engine without data refuses a question, and so says that it is there.
 * @param {Worker} worker
 */
function answers(worker) {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error("no worker started")), START_MS);
    worker.onmessage = () => {
      clearTimeout(late);
      resolve(worker);
    };
    worker.onerror = reject;
    worker.postMessage({ version: 1, id: 0, type: "frame" });
  });
}

/**
 * Returns the engine of a worker's script on the page; it works in slices of some milliseconds.
 * @param {string} source
 * @returns {Pick<Worker, "postMessage" | "terminate" | "onmessage" | "onerror">}
 */
function onPage(source) {
  /** @type {any} */
  const scope = { postMessage: (/** @type {any} */ data) => setTimeout(() => page.onmessage?.({ data })) };
  /** @type {any} */
  const page = {
    onmessage: null,
    onerror: null,
    postMessage: (/** @type {any} */ data) => setTimeout(() => scope.onmessage({ data })),
    terminate() {
      page.onmessage = null;
    },
  };
  new Function("self", `"use strict";\n${source}`)(scope);
  return page;
}

/** The engine in Python, over the channel of the host; of its answers those with its name. */
export class PythonEngine extends WorkbenchEngine {
  /**
   * @param {import("./host.js").Host} host
   * @param {string} name
   */
  constructor(host, name) {
    const own = `${host.name} ${name}`;
    const worker = {
      onmessage: /** @type {any} */ (null),
      onerror: null,
      postMessage(/** @type {any} */ message) {
        host.ask({ type: "compute", name: own, message }).catch((error) => {
          worker.onmessage?.({ data: { id: message.id, type: "error", text: error.message } });
        });
      },
      terminate() {
        worker.onmessage = null;
      },
    };
    super("", () => {}, worker);
    host.onEvent(({ engine, answer }) => {
      if (engine === own) worker.onmessage?.({ data: answer });
    });
  }
}
