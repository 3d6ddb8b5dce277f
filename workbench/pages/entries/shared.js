// What a served page and a file have alike, and besides the shell of each.

import "../runtime/motion.js";
import "../runtime/document_reading.js";
import "../runtime/keys.js";
import "../runtime/stops.js";
import { smoothMaps } from "../runtime/figure_looks.js";
import { paintLess } from "../runtime/repaint.js";
import { takeSlowDrags } from "../runtime/slow_drags.js";

export { openFile } from "../runtime/file_shell.js";
export { defineFormulas } from "../runtime/formulas.js";
export { render } from "../runtime/shell.js";

paintLess();
takeSlowDrags();
smoothMaps();
