export { default } from "../dual_lab/light.js";
