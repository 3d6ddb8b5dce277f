// The page's end: a worker made of the engine's own text, so that a file needs no other and a page no server.

/** @typedef {{ id?: number, type: string, text?: string, [name: string]: any }} Answer */
/** @typedef {{ source: string, kernels: string, functions: object, problem: string }} Packed */

export class WorkbenchEngine {
  /** @type {any} */ heard;
  count = 0;
  /** @type {any} */ worker;

  /**
   * @param {Packed} packed - what `workbench.pages.wasm.bundle.packed` made: the engine's text, kernels and data
   * @param {(answer: Answer) => void} [heard]
   */
  static async start(packed, heard) {
    if (typeof WebAssembly === "undefined" || typeof Worker === "undefined") {
      throw new Error("This browser has no WebAssembly or no workers, so the page shows a picture instead.");
    }
    const engine = new WorkbenchEngine(packed.source, heard);
    const kernels = await inflated(packed.kernels);
    await engine.ask("data", { kernels, functions: packed.functions, ...(await opened(packed.problem)) });
    return engine;
  }

  /**
   * @param {string} source
   * @param {(answer: Answer) => void} heard
   * @param {Pick<Worker, "postMessage" | "terminate" | "onmessage" | "onerror">} worker - what runs the source
   */
  constructor(source, heard = () => {}, worker = workerOf(source)) {
    this.heard = heard;
    /** @type {Map<number | undefined, { resolve: (answer: Answer) => void, reject: (error: Error) => void }>} */
    this.waiting = new Map();

    /** @type {Error & { isBroken?: boolean } | null} */
    this.broken = null;
    this.worker = worker;
    this.worker.onmessage = (/** @type {{ data: any }} */ { data }) => this.take(data);
    this.worker.onerror = () => this.fail(ENDED_BY_ITSELF);
  }

  /**
   * Sends a message; its answers go to `heard`, and the first one settles the promise that is returned.
   * @param {string} type @param {object} contents @returns {Promise<Answer>}
   */
  ask(type, contents = {}) {
    const id = ++this.count;
    if (this.broken) return Promise.reject(this.broken);
    this.worker.postMessage({ version: 1, id, type, ...contents });
    return new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
  }

  /** @param {Answer} answer */
  take(answer) {
    const asked = this.waiting.get(answer.id);
    this.waiting.delete(answer.id);
    if (answer.type === "error") asked ? asked.reject(new Error(answer.text)) : this.heard(answer);
    else {
      asked?.resolve(answer);
      this.heard(answer);
    }
  }

  /**
   * Nobody answers any more: what waits fails, and so does what is asked from now on.
   * @param {string} text
   */
  fail(text) {
    if (this.broken) return;
    const broken = Object.assign(new Error(text), { isBroken: true });
    this.broken = broken;
    for (const { reject } of this.waiting.values()) reject(broken);
    this.waiting.clear();
  }

  close() {
    this.worker.terminate();
  }
}

const ENDED_BY_ITSELF =
  "The computation in this browser ended by itself; the picture stays. Change a setting or press reset to begin anew.";

/**
 * Returns a worker of the engine's own text.
 * @param {string} source
 */
export function workerOf(source) {
  const address = URL.createObjectURL(new Blob(['"use strict";\n', source], { type: "text/javascript" }));
  const worker = new Worker(address);
  URL.revokeObjectURL(address);
  return worker;
}

/** @param {string} text */
function bytesOf(text) {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}

/**
 * What gzip and base64 have made small.
 * @param {string} text
 */
export async function inflated(text) {
  const stream = new Blob([bytesOf(text)]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** @param {string} text */
export async function opened(text) {
  return JSON.parse(new TextDecoder().decode(await inflated(text)), revived);
}

/**
 * Of JSON in which an array of numbers is {"f64": text} or {"u32": text} and infinity {"number": "Infinity"}.
 * @param {string} _ @param {any} value
 */
export function revived(_, value) {
  /** @type {Record<string, Float64ArrayConstructor | Uint32ArrayConstructor>} */
  const kinds = { f64: Float64Array, u32: Uint32Array };
  const [kind] = value && typeof value === "object" ? Object.keys(value) : [];
  if (kind === "number") return Number(value.number);
  return kinds[kind] && typeof value[kind] === "string" ? new kinds[kind](bytesOf(value[kind]).buffer) : value;
}
