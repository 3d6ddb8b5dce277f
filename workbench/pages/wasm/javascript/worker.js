// The worker's end: messages in, answers out.

import { Engine } from "./engine.js";

const engine = new Engine((/** @type {any} */ answer) => self.postMessage(answer));
self.onmessage = ({ data }) => engine.take(data);
