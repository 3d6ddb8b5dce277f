// A page that is fully alive: a list of entries, each with a drawing that moves itself.

async function start(text) {
  const { documents, entries } = await unpacked(text);
  const select = document.getElementById("x-entry");
  let shown = Promise.resolve();

  async function draw() {
    const entry = entries[select.selectedIndex];
    const drawn = documents[entry.document];
    clear();
    for (const [id, html] of Object.entries(drawn.html)) put_html(id, html);
    for (const id of Object.values(drawn.roots)) document.getElementById(id).replaceChildren();
    const model = await embed(drawn);
    for (const [id, values] of Object.entries(entry.values)) model(id).setv(values);
    document.body.dataset.shown = entry.name;
  }

  // One after the other, since a drawing that is cleared half made would stay.
  function show() {
    shown = shown.then(draw);
    return shown;
  }

  function hide_or_reveal() {
    const { toggle } = documents[entries[select.selectedIndex].document];
    const details = document.querySelector("details");
    if (toggle) {
      const button = Bokeh.documents.at(-1).get_model_by_id(toggle);
      button.active = !button.active;
    } else if (details) details.open = !details.open;
  }

  select.addEventListener("change", show);
  keys({
    " ": hide_or_reveal,
    ArrowRight: () => {
      select.selectedIndex = (select.selectedIndex + 1) % entries.length;
      show();
    },
    r: show,
  });
  await show();
}
