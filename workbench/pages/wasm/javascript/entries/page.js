export { inflated, opened, revived, WorkbenchEngine } from "../page.js";
