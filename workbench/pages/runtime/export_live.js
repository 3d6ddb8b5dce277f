// A page that is fully alive: a list of entries, each with a drawing that moves itself.

import { is_written } from "./focus.js";

// A hand that moves something on within this time goes on with one change.
const MOVES_MS = 1000;

export async function start(text, file) {
  const { documents, entries } = await file.unpacked(text);
  const taken_back = new Undo();
  const select = document.getElementById("x-entry");
  let shown = Promise.resolve();

  async function draw() {
    const entry = entries[select.selectedIndex];
    const drawn = documents[entry.document];
    file.clear();
    for (const [id, html] of Object.entries(drawn.html)) if (document.getElementById(id)) file.putHtml(id, html);
    for (const id of Object.values(drawn.roots)) document.getElementById(id).replaceChildren();
    const model = await file.embed(drawn);
    for (const [id, values] of Object.entries(entry.values)) model(id).setv(values);
    tell(entry);
    taken_back.follow(model(Object.keys(drawn.roots).find((id) => drawn.roots[id] === "x-controls")).children);
    document.body.dataset.shown = entry.name;
  }

  // A step of the story has a caption, and its figures fill the page.
  function tell({ caption, figures: shown, step }) {
    const box = document.getElementById("x-story");
    box.hidden = !caption;
    box.textContent = caption ?? "";
    file.showOnProjector(caption, shown);
    if (caption) location.hash = `story=${step}`;
    else if (location.hash) history.replaceState(null, "", location.pathname + location.search);
  }

  function go(index) {
    select.selectedIndex = index;
    show();
  }

  // The story ends with its last step; what else there is goes round.
  function walk(by) {
    const [now, next] = [select.selectedIndex, select.selectedIndex + by];
    if (entries[now].caption) {
      if (entries[next]?.caption) go(next);
    } else go((next + entries.length) % entries.length);
  }

  // One after the other, since a drawing that is cleared half made would stay.
  function show() {
    shown = shown.then(draw);
    return shown;
  }

  function hide_or_reveal() {
    const { toggle } = documents[entries[select.selectedIndex].document];
    const details = document.querySelector(".wb-note details");
    if (toggle) {
      const button = Bokeh.documents.at(-1).get_model_by_id(toggle);
      button.active = !button.active;
    } else if (details) details.open = !details.open;
  }

  select.addEventListener("change", show);
  document.addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.key !== "z" || is_written(event)) return;
    event.preventDefault();
    taken_back.undo();
  });
  file.onKeys({
    " ": hide_or_reveal,
    ArrowRight: () => walk(1),
    ArrowLeft: () => walk(-1),
    PageDown: () => walk(1),
    PageUp: () => walk(-1),
    Escape: () => entries[select.selectedIndex].caption && go(0),
    r: show,
  });
  const asked = /^#story=(\d)$/.exec(location.hash)?.[1];
  select.selectedIndex = Math.max(0, entries.findIndex(({ step }) => asked && step === Number(asked)));
  await show();
}

// What the controls of a drawing said before each change by hand, for Ctrl Z.
class Undo {
  constructor() {
    for (const name of ["pointerdown", "keydown"]) addEventListener(name, () => { this.by_hand = true; }, true);
  }

  // The controls of a drawing that has just come; what its script sets at first is nobody's change.
  follow(controls) {
    Object.assign(this, { controls, before: [], stood: this.values(controls), moved: -Infinity, by_hand: false });
    Bokeh.documents.at(-1).on_change(({ model, attr }) => {
      if ((attr === "value" || attr === "active") && controls.includes(model)) this.note();
    });
  }

  values(controls) { return controls.map((each) => ("active" in each ? { active: each.active } : { value: each.value })); }

  note() {
    const now = performance.now();
    if (this.by_hand && now - this.moved > MOVES_MS) this.before.push(this.stood);
    Object.assign(this, { moved: this.by_hand ? now : this.moved, stood: this.values(this.controls) });
  }

  undo() {
    const values = this.before.pop();
    if (!values) return;
    this.by_hand = false;
    this.controls.forEach((each, k) => each.setv(values[k]));
    this.moved = -Infinity;
  }
}
