import "../worker.js";
