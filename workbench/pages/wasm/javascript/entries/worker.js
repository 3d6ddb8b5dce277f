// The worker's end: messages in, answers out. What it exports is for the messages of a page's own.

import { Engine } from "../engine.js";

export {
  balance, best_bias, best_multiple, certify, dual_norm, dual_points, FARTHEST, INSIDE, norm_space, PRECISION,
  sample_terms, TREE,
} from "../certificate.js";
export { PrimalGradient } from "../primal.js";
export { Data, Problem } from "../problem.js";
export { Engine };

const engine = new Engine((answer) => self.postMessage(answer));
self.onmessage = ({ data }) => engine.take(data);
