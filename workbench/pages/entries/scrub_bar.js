export { render } from "../runtime/scrub_bar.js";
