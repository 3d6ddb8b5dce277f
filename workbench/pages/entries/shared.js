// What a served page and a file have alike, and besides the shell of each.

import "../runtime/repaint.js";
import "../runtime/slow_drags.js";
import "../runtime/figure_looks.js";
import "../runtime/motion.js";
import "../runtime/figure_reading.js";
import "../runtime/keys.js";
import "../runtime/stops.js";

export { openFile } from "../runtime/file_shell.js";
export { defineFormulas } from "../runtime/formulas.js";
export { render } from "../runtime/shell.js";
