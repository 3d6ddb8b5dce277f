// @ts-check
// The page Your data, as every host opens it.

import * as module from "./frame.js";
import { extend } from "./table.js";

export const page = { ...module, extend };
