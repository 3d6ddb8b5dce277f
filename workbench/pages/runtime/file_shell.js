// What every exported file does: it takes the look that its address asks for, unpacks its data, stands Bokeh's roots in their
// places, and takes keys.

import { openProjector, pinCurves, putProjector, unpinCurves } from "./document_stage.js";
import { defineFormulas } from "./formulas.js";
import { isTaken } from "./keys.js";
import { setNumerals } from "./numerals.js";
import { figureNames, swap, unfold } from "./figures.js";
import { recoloured } from "./recolouring.js";
import { copy, embedCode, notebook, obey, save, toggle } from "./save.js";

const PROJECTOR_MS = 400;

export class FileShell {
  /** @type {any} */ look;
  /** @type {any} */ isDark;
  /** @type {any} */ isLarge;

  /**
   * `look` is how the file was written: `dark`, `large`, `colours`, those of the other theme, and `pair`, the projector's figures.
   * @param {any} look
   */
  constructor(look) {
    const asked = new URLSearchParams(location.search);
    this.look = look;
    this.isDark = asked.has("theme") ? asked.get("theme") === "dark" : look.dark;
    this.isLarge = asked.has("projector") ? asked.get("projector") === "on" : look.large;
    this.restylePage();
    /** @param {HTMLButtonElement} button */
    const toggled = (button) => this.switchLook(button);
    obey({ save, pin: pinCurves, unpin: unpinCurves, copy, embed: embedCode, unfold, swap, notebook, toggle: toggled });
    addEventListener("keydown", (event) => this.onProjector(event));
    if (this.isLarge) setTimeout(() => this.showOnProjector(), PROJECTOR_MS);
  }

  /**
   * Styles or JSON with the colours of the look that is asked for.
   * @param {string} text
   */
  restyled(text) {
    const { dark, colours } = this.look;
    return this.isDark === dark ? text : recoloured(text, colours);
  }

  restylePage() {
    const switches = { theme: this.isDark ? "Light" : "Dark", projector: this.isLarge ? "Desk" : "Projector" };
    if (this.isDark !== this.look.dark) {
      for (const style of document.querySelectorAll("style")) style.textContent = this.restyled(style.textContent);
      for (const part of document.querySelectorAll("main, .x-sidebar")) part.innerHTML = this.restyled(part.innerHTML);
    }
    for (const [key, label] of Object.entries(switches)) {
      const button = document.querySelector(`[data-key=${key}]`);
      if (button) button.textContent = label;
    }
    // The other pages of the site are shown in the same look.
    for (const link of /** @type {any} */ (document.querySelectorAll("header a"))) link.search = location.search;
  }

  /** @param {string} text */
  async unpacked(text) {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return JSON.parse(this.restyled(await new Response(stream).text()));
  }

  /**
   * `roots` says which model of the document stands in which element.
   * @param {{ json: any, roots: any }} fields
   */
  async embed({ json, roots }) {
    await Bokeh.embed.embed_items({ page: json }, [{ docid: "page", roots, root_ids: Object.keys(roots) }]);
    return (/** @type {any} */ id) => /** @type {any} */ (Bokeh.documents.at(-1)).get_model_by_id(id);
  }

  // Only one document lives at a time.
  clear() {
    Bokeh.documents.length = 0;
    for (const view of Bokeh.index.roots) view.remove();
  }

  /** @param {any} id @param {any} text */
  putHtml(id, text) {
    /** @type {any} */
    const box = document.getElementById(id);
    if (box.wb_text === text) return;
    box.wb_text = text;
    box.innerHTML = text;
    setNumerals(box);
  }

  /** @param {any} actions */
  onKeys(actions) {
    document.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || !(event.key in actions) || isTaken(event)) return;
      event.preventDefault();
      actions[event.key]();
    });
  }

  /**
   * What the page is not yet.
   * @param {Record<string, any>} fields
   */
  switchLook({ dataset: { key } }) {
    /** @type {Record<string, any>} */
    const on = { theme: this.isDark ? "light" : "dark", projector: this.isLarge ? "off" : "on" };
    toggle({ dataset: { key, on: on[key] } });
  }

  /**
   * The projector stands where the address asks for it, and while a story is told.
   * @param {string} [caption] @param {string[]} [shown]
   */
  showOnProjector(caption, shown) {
    if (!caption && !this.isLarge) return openProjector?.close();
    const projector =
      openProjector ??
      putProjector({
        pair: this.look.pair,
        said: document.querySelector(".wb-thesis p")?.textContent,
        keys: [["Escape", caption ? "Leave the story" : "Desk", "leave the projector"]],
        press: () => this.leaveProjector(),
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

  /**
   * The digits choose figures.
   * @param {any} event
   */
  onProjector(event) {
    const name = openProjector && figureNames()[Number(/^Digit([1-9])$/.exec(event.code)?.[1]) - 1];
    if (name && !isTaken(event)) openProjector.choose(event.shiftKey ? 1 : 0, name);
    else if (openProjector && this.isLarge && event.key === "Escape") this.leaveProjector();
  }
}

/**
 * A file in the look of `look`, with its formulas in KaTeX's style sheet.
 * @param {any} look @param {any} sheet
 */
export function openFile(look, sheet) {
  defineFormulas(sheet);
  return new FileShell(look);
}
