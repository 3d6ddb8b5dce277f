// The page's end: a worker made of the engine's own text, so that a file needs no other and a page no server.

class WorkbenchEngine {
  // `packed` is what `workbench.browser.bundle.packed` made: the engine's text, the kernels and the data.
  static async start(packed, heard) {
    if (typeof WebAssembly === "undefined" || typeof Worker === "undefined") {
      throw new Error("This browser has no WebAssembly or no workers, so the page shows a picture instead.");
    }
    const engine = new WorkbenchEngine(packed.source, heard);
    const kernels = await inflated(packed.kernels);
    await engine.ask("data", { kernels, functions: packed.functions, ...(await opened(packed.problem)) });
    return engine;
  }

  constructor(source, heard = () => {}) {
    const address = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
    Object.assign(this, { heard, waiting: new Map(), count: 0, worker: new Worker(address) });
    URL.revokeObjectURL(address);
    this.worker.onmessage = ({ data }) => this.take(data);
    this.worker.onerror = () => this.fail(ENDED_BY_ITSELF);
  }

  // Sends a message; its answers go to `heard`, and the first one settles the promise that is returned.
  ask(type, contents = {}) {
    const id = ++this.count;
    if (this.broken) return Promise.reject(this.broken);
    this.worker.postMessage({ version: 1, id, type, ...contents });
    return new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
  }

  take(answer) {
    const asked = this.waiting.get(answer.id);
    this.waiting.delete(answer.id);
    if (answer.type === "error") asked ? asked.reject(new Error(answer.text)) : this.heard(answer);
    else {
      asked?.resolve(answer);
      this.heard(answer);
    }
  }

  // Nobody answers any more: what waits fails, and so does what is asked from now on.
  fail(text) {
    this.broken = Object.assign(new Error(text), { is_broken: true });
    for (const { reject } of this.waiting.values()) reject(this.broken);
    this.waiting.clear();
  }

  close() { this.worker.terminate(); }
}

const ENDED_BY_ITSELF = "The computation in this browser ended by itself; the picture stays. Change a setting or press reset to begin anew.";

function bytes_of(text) { return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)); }

// What gzip and base64 have made small.
async function inflated(text) {
  const stream = new Blob([bytes_of(text)]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

async function opened(text) { return JSON.parse(new TextDecoder().decode(await inflated(text)), revived); }

// Of JSON in which an array of numbers is {"f64": text} or {"u32": text} and infinity {"number": "Infinity"}.
function revived(_, value) {
  const kinds = { f64: Float64Array, u32: Uint32Array };
  const [kind] = value && typeof value === "object" ? Object.keys(value) : [];
  if (kind === "number") return Number(value.number);
  return kinds[kind] && typeof value[kind] === "string" ? new kinds[kind](bytes_of(value[kind]).buffer) : value;
}
