import { SvmGaps } from "../svm_gaps/live.js";
import { hosted } from "../runtime/hosted.js";

export const { render, start } = hosted(SvmGaps);
