import { draw } from "../simplex/browser.js";
import { drawnBy } from "../runtime/printed.js";

export const drawing = drawnBy(draw);
