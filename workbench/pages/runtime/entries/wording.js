export { escaped, format_text, quoted, written } from "../wording.js";
