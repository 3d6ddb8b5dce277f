// @ts-check
// The Dual lab, as every host opens it.

import * as module from "./frame.js";
import { extend } from "./lab.js";
import { extendTrack } from "./lab_track.js";

export const page = { ...module, extend, extendTrack };
