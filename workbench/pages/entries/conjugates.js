import { draw } from "../conjugates/browser.js";
import { drawnBy } from "../runtime/printed.js";

export const drawing = drawnBy(draw);
