// A place to drop a file: it is measured here and sent in pieces, so that no message is too large.

const PIECE = 192 * 1024;

/** @param {any} blob */
function base64(blob) {
  return new Promise((done, failed) => {
    const reader = new FileReader();
    reader.onload = () =>
      done(/** @type {any} */ (reader.result).slice(/** @type {any} */ (reader.result).indexOf(",") + 1));
    reader.onerror = () => failed(reader.error);
    reader.readAsDataURL(blob);
  });
}

/** @param {any} file @param {any} model */
async function send(file, model) {
  model.send_msg({ begin: file.name, size: file.size });
  if (file.size > model.most) return;
  for (let start = 0; start < file.size; start += PIECE) {
    model.send_msg({ piece: await base64(file.slice(start, start + PIECE)) });
  }
  model.send_msg({ end: true });
}

/** @param {{ model: any }} fields */
export function render({ model }) {
  const box = document.createElement("label");
  box.className = "drop";
  const text = document.createElement("span");
  text.textContent = model.text;
  const input = document.createElement("input");
  input.type = "file";
  input.setAttribute("aria-label", model.text);
  input.addEventListener("change", () => {
    if (/** @type {any} */ (input.files).length)
      send(/** @type {any} */ (input.files)[0], model).catch((error) => model.send_msg({ failed: String(error) }));
    input.value = ""; // the same file may be sent again once it is fixed
  });
  for (const kind of ["dragover", "dragleave", "drop"]) {
    box.addEventListener(kind, (event) => {
      event.preventDefault();
      box.classList.toggle("over", kind === "dragover");
    });
  }
  box.addEventListener("drop", (event) => {
    const [file] = /** @type {any} */ (event.dataTransfer).files;
    if (file) send(file, model).catch((error) => model.send_msg({ failed: String(error) }));
  });
  box.append(text, input);
  return box;
}
