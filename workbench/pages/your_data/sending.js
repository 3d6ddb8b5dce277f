// @ts-check
// A place to drop a file, and its way to Python in pieces, so that no message is too large.

import { element } from "../runtime/elements.js";
import { formatText } from "../runtime/wording.js";

const PIECE = 192 * 1024;
const MEGABYTE = 2 ** 20;
/** The last piece is answered when the file has been read. */
const SECONDS = 60;

/**
 * Returns a place on which a file is dropped, or for which one is chosen.
 * @param {string} text
 * @param {(file: File) => void} take
 * @returns {any}
 */
export function dropZone(text, take) {
  const input = /** @type {any} */ (element("input", { type: "file", ariaLabel: text }));
  const zone = element("label", { className: "drop" }, element("span", { textContent: text }), input);
  input.addEventListener("change", () => {
    if (input.files.length) take(input.files[0]);
    input.value = ""; // the same file may be sent again once it is mended
  });
  for (const kind of ["dragover", "dragleave", "drop"]) {
    zone.addEventListener(kind, (/** @type {any} */ event) => {
      event.preventDefault();
      zone.classList.toggle("over", kind === "dragover" && !input.disabled);
      const [file] = kind === "drop" && !input.disabled ? event.dataTransfer.files : [];
      if (file) take(file);
    });
  }
  return zone;
}

/**
 * Sends a file; returns Python's answer to its last piece.
 * @param {{ ask: (message: Record<string, any>, options?: any) => Promise<any> }} host
 * @param {string} purpose - what it is for
 * @param {File} file
 * @param {Record<string, any>} facts
 * @param {(text: string) => void} tell - how far it is
 */
export async function send(host, purpose, file, { texts, megabytes }, tell) {
  const { name, size } = file;
  if (size > megabytes * MEGABYTE) throw new Error(formatText(texts.too_large, { name, megabytes }));
  let start = 0;
  for (;;) {
    tell(formatText(texts.sending, { name, percent: (100 * start) / Math.max(size, 1) }));
    // A folder cannot be read, and a file may be gone.
    const bytes = await file
      .slice(start, start + PIECE)
      .arrayBuffer()
      .catch(() => {
        throw new Error(formatText(texts.unreadable, { name }));
      });
    const isLast = start + bytes.byteLength >= size;
    if (isLast) tell(formatText(texts.reading, { name }));
    const piece = new Uint8Array(bytes);
    const answer = await host.ask({ type: "piece", purpose, name, size, start, piece }, { seconds: SECONDS });
    if (isLast) return answer;
    start += bytes.byteLength;
  }
}
