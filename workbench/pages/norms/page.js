// @ts-check
// The page of norms and screening, as every host opens it.

import * as module from "./frame.js";
import { extend, extendTrack } from "./open.js";

export const page = { ...module, extend, extendTrack };
