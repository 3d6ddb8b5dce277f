import "../norm_gap.js";
import "../worker.js";
