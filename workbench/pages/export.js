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

obey({ save, pin: pin_curves, unpin: unpin_curves, copy, embed: embed_code, unfold, swap, notebook, toggle: switch_look });

// What the page is not yet.
function switch_look({ dataset: { key } }) {
  const on = { theme: is_dark ? "light" : "dark", projector: is_large ? "off" : "on" };
  toggle({ dataset: { key, on: on[key] } });
}

// The projector stands where the address asks for it, and while a story is told.
function show_on_projector(caption, shown) {
  if (!caption && !is_large) return open_projector?.close();
  const projector = open_projector ?? new Projector({
    pair: LOOK.pair, said: document.querySelector(".wb-thesis p")?.textContent,
    keys: [["Escape", caption ? "Leave the story" : "Desk", "leave the projector"]], press: () => leave_projector(),
  });
  if (caption) projector.say(caption);
  if (!shown) return undefined;
  projector.names = shown;
  return projector.compose();
}

// Escape leaves a story, and after it the projector that the address asks for.
function leave_projector() {
  if (is_large) switch_look({ dataset: { key: "projector" } });
  else document.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape" }));
}

addEventListener("keydown", (event) => {
  const name = open_projector && figure_names()[Number(/^Digit([1-9])$/.exec(event.code)?.[1]) - 1];
  if (name && !is_taken(event)) open_projector.choose(event.shiftKey ? 1 : 0, name);
  else if (open_projector && is_large && event.key === "Escape") leave_projector();
});
if (is_large) addEventListener("load", () => setTimeout(show_on_projector, 400));
