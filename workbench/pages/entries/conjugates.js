import { draw } from "../conjugates/browser.js";
import { drawn_by } from "../runtime/printed.js";

export const drawing = drawn_by(draw);
