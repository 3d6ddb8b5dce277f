import { InverseTime } from "../inverse_time/live.js";
import { hosted } from "../runtime/hosted.js";

export const { render, start } = hosted(InverseTime);
