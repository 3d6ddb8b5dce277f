// @ts-check
// The page of transfer functions, as every host opens it.

import * as module from "./frame.js";

export const page = module;
