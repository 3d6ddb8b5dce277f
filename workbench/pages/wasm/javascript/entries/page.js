export { Kernels } from "../kernels.js";
export { inflated, opened, revived, WorkbenchEngine } from "../page.js";
