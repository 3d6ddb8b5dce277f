import { Played } from "../runtime/played.js";
import { hosted } from "../runtime/hosted.js";

export const { render, start } = hosted(Played);
