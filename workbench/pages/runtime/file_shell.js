// What every exported file does: it takes the look that its address asks for, unpacks its data, stands Bokeh's roots in their
// places, and takes keys.

import { defineFormulas } from "./formulas.js";
import { is_taken } from "./keys.js";
import { set_numerals } from "./numerals.js";
import { Projector, figure_names, open_projector, pin_curves, unfold, unpin_curves } from "./projector.js";
import { copy, embed_code, notebook, obey, save, toggle } from "./save.js";

const PROJECTOR_MS = 400;

export class FileShell {
  // `look` is how the file was written: `dark`, `large`, `colours`, those of the other theme, and `pair`, the projector's figures.
  constructor(look) {
    const asked = new URLSearchParams(location.search);
    this.look = look;
    this.isDark = asked.has("theme") ? asked.get("theme") === "dark" : look.dark;
    this.isLarge = asked.has("projector") ? asked.get("projector") === "on" : look.large;
    this.restylePage();
    const toggled = (button) => this.switchLook(button);
    obey({ save, pin: pin_curves, unpin: unpin_curves, copy, embed: embed_code, unfold, notebook, toggle: toggled });
    addEventListener("keydown", (event) => this.onProjector(event));
    if (this.isLarge) setTimeout(() => this.showOnProjector(), PROJECTOR_MS);
  }

  // Styles or JSON with the colours of the look that is asked for.
  restyled(text) {
    const { dark, colours } = this.look;
    return this.isDark === dark ? text : text.replace(/#[0-9a-f]{6}\b/gi, (colour) => colours[colour.toLowerCase()] ?? colour);
  }

  restylePage() {
    const switches = { theme: this.isDark ? "Light" : "Dark", projector: this.isLarge ? "Desk" : "Projector" };
    if (this.isDark !== this.look.dark) {
      for (const style of document.querySelectorAll("style")) style.textContent = this.restyled(style.textContent);
      for (const part of document.querySelectorAll("main, .x-sidebar")) part.innerHTML = this.restyled(part.innerHTML);
    }
    for (const [key, label] of Object.entries(switches)) document.querySelector(`[data-key=${key}]`).textContent = label;
    // The other pages of the site are shown in the same look.
    for (const link of document.querySelectorAll("header a")) link.search = location.search;
  }

  async unpacked(text) {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return JSON.parse(this.restyled(await new Response(stream).text()));
  }

  // `roots` says which model of the document stands in which element.
  async embed({ json, roots }) {
    await Bokeh.embed.embed_items({ page: json }, [{ docid: "page", roots, root_ids: Object.keys(roots) }]);
    return (id) => Bokeh.documents.at(-1).get_model_by_id(id);
  }

  // Only one document lives at a time.
  clear() {
    Bokeh.documents.length = 0;
    for (const view of Bokeh.index.roots) view.remove();
  }

  putHtml(id, text) {
    const box = document.getElementById(id);
    if (box.wb_text === text) return;
    box.wb_text = text;
    box.innerHTML = text;
    set_numerals(box);
  }

  onKeys(actions) {
    document.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || !(event.key in actions) || is_taken(event)) return;
      event.preventDefault();
      actions[event.key]();
    });
  }

  // What the page is not yet.
  switchLook({ dataset: { key } }) {
    const on = { theme: this.isDark ? "light" : "dark", projector: this.isLarge ? "off" : "on" };
    toggle({ dataset: { key, on: on[key] } });
  }

  // The projector stands where the address asks for it, and while a story is told.
  showOnProjector(caption, shown) {
    if (!caption && !this.isLarge) return open_projector?.close();
    const projector = open_projector ?? new Projector({
      pair: this.look.pair, said: document.querySelector(".wb-thesis p")?.textContent,
      keys: [["Escape", caption ? "Leave the story" : "Desk", "leave the projector"]], press: () => this.leaveProjector(),
    });
    if (caption) projector.say(caption);
    if (!shown) return undefined;
    projector.names = shown;
    return projector.compose();
  }

  // Escape leaves a story, and after it the projector that the address asks for.
  leaveProjector() {
    if (this.isLarge) this.switchLook({ dataset: { key: "projector" } });
    else document.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape" }));
  }

  // The digits choose figures.
  onProjector(event) {
    const name = open_projector && figure_names()[Number(/^Digit([1-9])$/.exec(event.code)?.[1]) - 1];
    if (name && !is_taken(event)) open_projector.choose(event.shiftKey ? 1 : 0, name);
    else if (open_projector && this.isLarge && event.key === "Escape") this.leaveProjector();
  }
}

// A file in the look of `look`, with its formulas in KaTeX's style sheet.
export function openFile(look, sheet) {
  defineFormulas(sheet);
  return new FileShell(look);
}
