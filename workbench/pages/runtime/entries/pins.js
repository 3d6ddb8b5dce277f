export { Pins } from "../pins.js";
