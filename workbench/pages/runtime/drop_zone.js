// A place to drop a file or to choose one, of `drop_zone.py`: `take` gets the `File`, `back` is called to leave it.

import { box } from "./boxes.js";

export class DropZone {
  constructor(name, take, back) {
    const place = box(`x-${name}`), input = place.querySelector("input");
    Object.assign(this, { line: box(`x-${name}-line`), button: box(`x-${name}-back`) });
    place.hidden = false;
    input.addEventListener("change", () => {
      if (input.files.length) take(input.files[0]);
      input.value = "";  // the same file may be chosen again once it is mended
    });
    // Beside the place, too: the browser would leave the page for the file.
    for (const kind of ["dragover", "dragleave", "drop"]) {
      document.addEventListener(kind, (event) => {
        event.preventDefault();
        place.querySelector(".drop").classList.toggle("over", kind === "dragover");
        if (kind === "drop" && event.dataTransfer.files.length) take(event.dataTransfer.files[0]);
      });
    }
    this.button.addEventListener("click", back);
  }

  // What is said of the data in use, or of a file that is refused.
  say(text, is_error = false) {
    this.line.textContent = text;
    this.line.classList.toggle("bad", is_error);
  }

  // Whether there is something to go back to.
  offer(is_own) { this.button.hidden = !is_own; }
}
