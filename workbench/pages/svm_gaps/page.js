// @ts-check
// The page on SVM gaps, as every host opens it.

import * as module from "./frame.js";
import { extend } from "./hand.js";
import { extendTrack } from "./track.js";

export const page = { ...module, extend, extendTrack };
