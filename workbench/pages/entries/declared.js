import { draw } from "../runtime/declared.js";
import { drawn_by } from "../runtime/printed.js";

export const drawing = drawn_by(draw);
