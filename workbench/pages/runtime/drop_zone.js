// A place to drop a file or to choose one, of `drop_zone.py`: `take` gets the `File`, `back` is called to leave it.

import { box } from "./boxes.js";

export class DropZone {
  /** @type {any} */ line;
  /** @type {any} */ button;

  /** @param {string} name @param {any} take @param {any} back */
  constructor(name, take, back) {
    const place = box(`x-${name}`);
    const input = place.querySelector("input");
    this.line = box(`x-${name}-line`);
    this.button = box(`x-${name}-back`);
    place.hidden = false;
    input.addEventListener("change", () => {
      if (input.files.length) take(input.files[0]);
      input.value = ""; // the same file may be chosen again once it is mended
    });
    // Beside the place, too: the browser would leave the page for the file.
    for (const kind of ["dragover", "dragleave", "drop"]) {
      document.addEventListener(kind, (event) => {
        event.preventDefault();
        place.querySelector(".drop").classList.toggle("over", kind === "dragover");
        if (kind === "drop" && /** @type {any} */ (event).dataTransfer.files.length)
          take(/** @type {any} */ (event).dataTransfer.files[0]);
      });
    }
    this.button.addEventListener("click", back);
  }

  /**
   * What is said of the data in use, or of a file that is refused.
   * @param {string} text @param {boolean} [isError]
   */
  say(text, isError = false) {
    this.line.textContent = text;
    this.line.classList.toggle("bad", isError);
  }

  /**
   * Whether there is something to go back to.
   * @param {boolean} isOwn
   */
  offer(isOwn) {
    this.button.hidden = !isOwn;
  }
}
