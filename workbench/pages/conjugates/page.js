// @ts-check
// The page of conjugates, as every host opens it.

import { extend } from "./desk.js";
import * as module from "./frame.js";

export const page = { ...module, extend };
