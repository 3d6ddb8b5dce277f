// Made of workbench/pages/entries/your_data.js and what it imports: change those, and run: python -m workbench.pages.bundling
// your_data/upload.js
var PIECE = 192 * 1024;
function base64(blob) {
  return new Promise((done, failed) => {
    const reader = new FileReader();
    reader.onload = () => done(reader.result.slice(reader.result.indexOf(",") + 1));
    reader.onerror = () => failed(reader.error);
    reader.readAsDataURL(blob);
  });
}
async function send(file, model) {
  model.send_msg({ begin: file.name, size: file.size });
  if (file.size > model.most) return;
  for (let start = 0; start < file.size; start += PIECE) {
    model.send_msg({ piece: await base64(file.slice(start, start + PIECE)) });
  }
  model.send_msg({ end: true });
}
function render({ model }) {
  const box = document.createElement("label");
  box.className = "drop";
  const text = document.createElement("span");
  text.textContent = model.text;
  const input = document.createElement("input");
  input.type = "file";
  input.setAttribute("aria-label", model.text);
  input.addEventListener("change", () => {
    if (input.files.length) send(input.files[0], model).catch((error) => model.send_msg({ failed: String(error) }));
    input.value = "";
  });
  for (const kind of ["dragover", "dragleave", "drop"]) {
    box.addEventListener(kind, (event) => {
      event.preventDefault();
      box.classList.toggle("over", kind === "dragover");
    });
  }
  box.addEventListener("drop", (event) => {
    const [file] = event.dataTransfer.files;
    if (file) send(file, model).catch((error) => model.send_msg({ failed: String(error) }));
  });
  box.append(text, input);
  return box;
}
export {
  render
};
