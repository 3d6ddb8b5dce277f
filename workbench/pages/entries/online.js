import { draw } from "../online/browser.js";
import { drawnBy } from "../runtime/printed.js";

export const drawing = drawnBy(draw);
