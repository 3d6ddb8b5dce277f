// @ts-check
// What a page looks like: a shadow root with controls, numbers and cards; it knows no runs.

import { numerals, setNumerals } from "../numerals.js";
import { escaped } from "../wording.js";
import { element } from "./controls.js";

export class View {
  /** @type {Record<string, any>} */
  parts = {};
  /** @type {Record<string, HTMLElement>} */
  figures = {};
  /** @type {Record<string, HTMLElement>} */
  lines = {};
  /** @type {Record<string, HTMLElement>} */
  heads = {};

  /**
   * @param {HTMLElement} el
   * @param {Record<string, any>} facts
   * @param {{ preset: (name: string) => void, obey: (button: HTMLButtonElement) => void }} actions
   */
  constructor(el, facts, actions) {
    this.box = element("div", { className: "wb-hosted" });
    // JupyterLab's shortcuts, arrow keys among them, would take the keys of sliders.
    this.box.dataset.lmSuppressShortcuts = "true";
    this.root = this.box.attachShadow({ mode: "open" });
    el.append(this.box);
    this.facts = facts;
    this.style = element("style");
    const main = element(
      "main",
      {},
      this.#part("notice", { role: "alert" }),
      ...this.#opening(),
      this.#part("numbers"),
      this.#transport(),
      this.#cards(),
    );
    const sidebar = element("section", { className: "sidebar", ariaLabel: "Controls" }, this.#presets(actions));
    this.controls = sidebar.appendChild(element("div"));
    this.page = element("div", { className: "page" }, sidebar, main);
    this.root.append(this.style, this.page);
    this.root.addEventListener("click", (event) => {
      const button = /** @type {Element} */ (event.target).closest("[data-do]");
      if (button) actions.obey(/** @type {HTMLButtonElement} */ (button));
    });
  }

  /** @param {string} name @param {Record<string, any>} [properties] */
  #part(name, properties = {}) {
    this.parts[name] = element("div", properties);
    return this.parts[name];
  }

  #opening() {
    const { thesis, tries } = this.facts;
    const list = element("ol", {}, ...tries.map((/** @type {string} */ textContent) => element("li", { textContent })));
    const summary = element("summary", { textContent: "Try this" });
    return [
      element("p", { className: "thesis", textContent: thesis }),
      element("details", { className: "wb-note" }, summary, list),
    ];
  }

  /** @param {{ preset: (name: string) => void }} actions */
  #presets(actions) {
    const names = ["Choose one", ...Object.keys(this.facts.presets)];
    const list = /** @type {HTMLSelectElement} */ (
      element("select", { ariaLabel: "Preset" }, ...names.map((textContent) => element("option", { textContent })))
    );
    list.addEventListener("input", () => list.selectedIndex && actions.preset(names[list.selectedIndex]));
    this.parts.preset = list;
    return element(
      "label",
      { className: "control" },
      element("span", { textContent: "Preset" }),
      element("span"),
      list,
    );
  }

  /** The row of a run, which is empty where a page has none, and the line that says how it goes. */
  #transport() {
    const status = this.#part("status", { className: "wb-status", role: "status" });
    this.parts.transport = element("div", { className: "transport" }, status);
    return this.parts.transport;
  }

  #cards() {
    const { figures, first } = this.facts;
    const names = Object.keys(figures.titles);
    const rest = names.filter((name) => first.length && !first.includes(name));
    const cards = Object.fromEntries(names.map((name) => [name, this.#card(name)]));
    const more = element("div", { className: "cards more", hidden: true }, ...rest.map((name) => cards[name]));
    const button = element("button", {
      type: "button",
      textContent: `${rest.length} more figures`,
      className: "wb-more",
    });
    button.setAttribute("aria-expanded", "false");
    button.addEventListener("click", () => {
      more.hidden = !more.hidden;
      button.setAttribute("aria-expanded", String(!more.hidden));
    });
    const shown = names.filter((name) => !rest.includes(name)).map((name) => cards[name]);
    const beside = Object.entries(this.facts.cards).map(([name, title]) => this.#words(title, name));
    const fold = rest.length ? [button, more] : [];
    return element("div", { className: "cards" }, ...shown, ...fold, ...beside);
  }

  /** @param {string} name */
  #card(name) {
    const { heads, titles } = this.facts.figures;
    this.heads[name] = element("div", { innerHTML: heads[name] });
    this.figures[name] = element("div", { role: "group", ariaLabel: titles[name] });
    this.lines[name] = element("div", { className: "wb-line" });
    return element("section", { className: "card" }, this.heads[name], this.figures[name], this.lines[name]);
  }

  /** @param {string} title @param {string} name */
  #words(title, name) {
    const head = element("h2", { className: "wb-card-title", textContent: title });
    const inside = this.#part(name, { className: "inside" });
    return element("section", { className: "card" }, element("div", { className: "wb-head" }, head), inside);
  }

  /** @param {boolean} isDark */
  setTheme(isDark) {
    this.style.textContent = this.facts.styles[isDark ? "dark" : "light"];
  }

  /** @param {string} name @param {string} html */
  put(name, html) {
    const box = this.parts[name];
    if (box.dataset.html === html) return;
    box.dataset.html = html;
    box.innerHTML = html;
    setNumerals(box);
  }

  /** @param {string} name @param {string} text */
  line(name, text) {
    this.lines[name].textContent = numerals(text);
  }

  /** @param {string} text @param {string} status @param {boolean} [isError] */
  say(text, status, isError = false) {
    const { status: line } = this.parts;
    line.textContent = isError ? text : numerals(text);
    line.classList.toggle("bad", isError);
    this.box.dataset.status = status;
  }
}

/**
 * Returns some Python with the button that copies it.
 * @param {string} text
 */
export function codeBox(text) {
  const button = "<button type='button' data-do='copy'>Copy</button>";
  return `<div class='wb-copy'>${button}<pre class='wb-code' tabindex='0'>${escaped(text)}</pre></div>`;
}
