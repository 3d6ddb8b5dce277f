// Made of workbench/pages/entries/loader.js and what it imports: change those, and run: python -m workbench.pages.bundling
// runtime/loader.js
async function opened(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).json();
}
function imported(text) {
  return import(URL.createObjectURL(new Blob([text], { type: "text/javascript" })));
}
async function load(program, data) {
  const { scripts, modules, look, sheet } = await opened(program);
  for (const text of scripts) {
    const script = document.createElement("script");
    script.textContent = text;
    document.body.append(script);
  }
  const [shared, page] = await Promise.all(modules.map(imported));
  await page.start(data, shared.openFile(look, sheet));
}
export {
  load
};
