export { default } from "../roads/weak_duality.js";
