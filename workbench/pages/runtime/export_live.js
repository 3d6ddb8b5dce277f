// A page that is fully alive: a list of entries, each with a drawing that moves itself.

import { isWritten } from "./focus.js";

// A hand that moves something on within this time goes on with one change.
const MOVES_MS = 1000;

/** @param {string} text @param {any} file */
export async function start(text, file) {
  const { documents, entries } = await file.unpacked(text);
  const takenBack = new Undo();
  /** @type {any} */
  const select = document.getElementById("x-entry");
  let shown = Promise.resolve();

  async function draw() {
    const entry = entries[select.selectedIndex];
    const drawn = documents[entry.document];
    file.clear();
    for (const [id, html] of Object.entries(drawn.html)) if (document.getElementById(id)) file.putHtml(id, html);
    for (const id of Object.values(drawn.roots)) /** @type {any} */ (document.getElementById(id)).replaceChildren();
    const model = await file.embed(drawn);
    for (const [id, values] of Object.entries(entry.values)) model(id).setv(values);
    tell(entry);
    takenBack.follow(model(Object.keys(drawn.roots).find((id) => drawn.roots[id] === "x-controls")).children);
    document.body.dataset.shown = entry.name;
  }

  /**
   * A step of the story has a caption, and its figures fill the page.
   * @param {{ caption: string, figures: any, step: any }} fields
   */
  function tell({ caption, figures: shown, step }) {
    /** @type {any} */
    const box = document.getElementById("x-story");
    box.hidden = !caption;
    box.textContent = caption ?? "";
    file.showOnProjector(caption, shown);
    if (caption) location.hash = `story=${step}`;
    else if (location.hash) history.replaceState(null, "", location.pathname + location.search);
  }

  /** @param {any} index */
  function go(index) {
    select.selectedIndex = index;
    show();
  }

  /**
   * The story ends with its last step; what else there is goes round.
   * @param {any} by
   */
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

  function hideOrReveal() {
    const { toggle } = documents[entries[select.selectedIndex].document];
    /** @type {any} */
    const details = document.querySelector(".wb-note details");
    if (toggle) {
      const button = /** @type {any} */ (Bokeh.documents.at(-1)).get_model_by_id(toggle);
      button.active = !button.active;
    } else if (details) details.open = !details.open;
  }

  select.addEventListener("change", show);
  document.addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.key !== "z" || isWritten(event)) return;
    event.preventDefault();
    takenBack.undo();
  });
  file.onKeys({
    " ": hideOrReveal,
    ArrowRight: () => walk(1),
    ArrowLeft: () => walk(-1),
    PageDown: () => walk(1),
    PageUp: () => walk(-1),
    Escape: () => entries[select.selectedIndex].caption && go(0),
    r: show,
  });
  const asked = /^#story=(\d)$/.exec(location.hash)?.[1];
  select.selectedIndex = Math.max(
    0,
    entries.findIndex((/** @type {{ step: any }} */ { step }) => asked && step === Number(asked)),
  );
  await show();
}

// What the controls of a drawing said before each change by hand, for Ctrl Z.
class Undo {
  /** @type {any} */ byHand;
  /** @type {any} */ controls;
  /** @type {any} */ before;
  /** @type {any} */ stood;
  /** @type {any} */ moved;

  constructor() {
    for (const name of ["pointerdown", "keydown"])
      addEventListener(
        name,
        () => {
          this.byHand = true;
        },
        true,
      );
  }

  /**
   * The controls of a drawing that has just come; what its script sets at first is nobody's change.
   * @param {any} controls
   */
  follow(controls) {
    this.controls = controls;
    this.before = [];
    this.stood = this.values(controls);
    this.moved = -Infinity;
    this.byHand = false;
    /** @type {any} */ (Bokeh.documents.at(-1)).on_change(
      (/** @type {{ model: any, attr: any }} */ { model, attr }) => {
        if ((attr === "value" || attr === "active") && controls.includes(model)) this.note();
      },
    );
  }

  /** @param {any} controls */
  values(controls) {
    return controls.map((/** @type {any} */ each) =>
      "active" in each ? { active: each.active } : { value: each.value },
    );
  }

  note() {
    const now = performance.now();
    if (this.byHand && now - this.moved > MOVES_MS) this.before.push(this.stood);
    this.moved = this.byHand ? now : this.moved;
    this.stood = this.values(this.controls);
  }

  undo() {
    const values = this.before.pop();
    if (!values) return;
    this.byHand = false;
    this.controls.forEach((/** @type {any} */ each, /** @type {number} */ k) => each.setv(values[k]));
    this.moved = -Infinity;
  }
}
