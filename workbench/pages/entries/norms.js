import { Norms } from "../norms/live.js";
import { hosted } from "../runtime/hosted.js";

export const { render, start } = hosted(Norms);
