// How a file begins: its scripts and modules are unpacked, and its page starts.

/** @param {string} text */
async function opened(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).json();
}

/** @param {string} text */
function imported(text) {
  return import(URL.createObjectURL(new Blob([text], { type: "text/javascript" })));
}

/**
 * `program` has the scripts of libraries, the modules of what pages share and of the page, and what the former goes by; `data`
 * is what the page goes by.
 * @param {any} program @param {any} data
 */
export async function load(program, data) {
  const { scripts, modules, look, sheet } = await opened(program);
  for (const text of scripts) {
    const script = document.createElement("script");
    script.textContent = text;
    document.body.append(script);
  }
  const [shared, page] = await Promise.all(modules.map(imported));
  await page.start(data, shared.openFile(look, sheet));
}
