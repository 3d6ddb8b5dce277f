import { draw } from "../runtime/declared.js";
import { drawnBy } from "../runtime/printed.js";

export const drawing = drawnBy(draw);
