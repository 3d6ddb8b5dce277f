export { numerals, set_numerals } from "../numerals.js";
