// @ts-check
// The page of Fenchel-Young losses, as every host opens it.

import * as module from "./frame.js";

export const page = module;
