export { start } from "../runtime/export_live.js";
