export { escaped, quoted, said, written } from "../wording.js";
