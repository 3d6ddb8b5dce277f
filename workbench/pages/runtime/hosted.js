// A page of a class in its hosts: on a server `render`, in a file `start`.

import { begin } from "./file_host.js";
import { served } from "./served_host.js";

/** @param {any} Page */
export function hosted(Page) {
  return {
    render: served(Page),
    start: (/** @type {string} */ text, /** @type {any} */ file) => begin(text, file, Page),
  };
}
