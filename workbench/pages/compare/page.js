// @ts-check
// The page Compare, as every host opens it.

import * as module from "./frame.js";
import { extend } from "./player.js";

export const page = { ...module, extend };
