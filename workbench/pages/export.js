// What every exported file does: unpack its data, stand Bokeh's roots in their places, take keys.

async function unpacked(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(restyled(await new Response(stream).text()));
}

// `roots` says which model of the document stands in which element.
async function embed({ json, roots }) {
  await Bokeh.embed.embed_items(
    { page: json },
    [{ docid: "page", roots, root_ids: Object.keys(roots) }],
  );
  return (id) => Bokeh.documents.at(-1).get_model_by_id(id);
}

// Only one document lives at a time.
function clear() {
  Bokeh.documents.length = 0;
  for (const view of Bokeh.index.roots) view.remove();
}

function put_html(id, text) {
  const box = document.getElementById(id);
  if (box.wb_text === text) return;
  box.wb_text = text;
  box.innerHTML = text;
  set_numerals(box);
}

function keys(actions) {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !(event.key in actions) || is_taken(event)) return;
    event.preventDefault();
    actions[event.key]();
  });
}

obey({ save, copy, unfold, notebook, toggle: switch_look });

// What the page is not yet.
function switch_look({ dataset: { key } }) {
  const on = { theme: is_dark ? "light" : "dark", projector: is_large ? "off" : "on" };
  toggle({ dataset: { key, on: on[key] } });
}
