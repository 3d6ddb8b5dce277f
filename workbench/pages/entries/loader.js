export { load } from "../runtime/loader.js";
