export { render } from "../your_data/upload.js";
