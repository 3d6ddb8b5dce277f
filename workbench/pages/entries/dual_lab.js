import { DualLab } from "../dual_lab/live.js";
import { hosted } from "../runtime/hosted.js";

export const { render, start } = hosted(DualLab);
