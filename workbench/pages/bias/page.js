// @ts-check
// The page on biases, as every host opens it.

import * as module from "./frame.js";

export const page = module;
