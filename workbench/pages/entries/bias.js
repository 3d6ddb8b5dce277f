import { Bias } from "../bias/live.js";
import { hosted } from "../runtime/hosted.js";

export const { render, start } = hosted(Bias);
