import "../inverse_time/worker.js";
import "../wasm/javascript/worker.js";
