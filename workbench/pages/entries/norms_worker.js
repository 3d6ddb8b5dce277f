import "../norms/worker.js";
import "../wasm/javascript/worker.js";
