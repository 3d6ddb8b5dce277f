// @ts-check
// The elements of a page: a shadow root with a head, controls, numbers and cards; it knows no runs.

import { numerals, setNumerals } from "../numerals.js";
import { recoloured } from "../recolouring.js";
import { escaped } from "../wording.js";
import { element } from "../elements.js";
import { unfoldUnderMouse } from "./unfolding.js";

// Of more controls, half have a way of their own.
const MANY_CONTROLS = 12;

export class View {
  /** @type {Record<string, any>} */
  parts = {};
  /** @type {Record<string, HTMLElement>} */
  figures = {};
  /** @type {Record<string, HTMLElement>} */
  lines = {};
  /** @type {Record<string, HTMLElement>} */
  heads = {};
  /** @type {Record<string, HTMLElement>} */
  cards = {};
  /** @type {Record<string, string>} what was put into the parts, in the colours of the light theme */
  html = {};
  isDark = false;
  /** @type {any} where the controls stand */
  controls = null;
  /** @type {HTMLElement[]} the cards beside the figures */
  aside = [];

  /**
   * @param {HTMLElement} el
   * @param {Record<string, any>} facts
   * @param {{ ownsAddress: boolean, preset: (name: string) => void, obey: (button: HTMLButtonElement) => void }} actions
   */
  constructor(el, facts, actions) {
    this.box = element("div", { className: "wb-hosted" });
    // JupyterLab's shortcuts, arrow keys among them, would take the keys of sliders.
    this.box.dataset.lmSuppressShortcuts = "true";
    this.root = this.box.attachShadow({ mode: "open", delegatesFocus: true });
    el.append(this.box);
    this.facts = facts;
    this.isWhole = actions.ownsAddress;
    this.style = element("style");
    const main = element(
      this.isWhole ? "main" : "section",
      { className: "centre", ...(this.isWhole ? {} : { ariaLabel: facts.title }) },
      this.#part("notice", { role: "alert" }),
      this.#part("numbers"),
      this.#transport(),
      ...this.#cards(),
    );
    this.main = main;
    const className = this.isWhole ? "page whole" : "page";
    this.page = element("div", { className }, this.#head(), this.#sidebar(actions), main, this.#beside());
    // A click anywhere in it gives it the focus, and so its keys. The box itself must not have a negative index, which
    // would take all that is in it out of the order of tabs.
    this.frame = element("div", { className: "frame", tabIndex: -1 }, this.page);
    this.root.append(this.style, this.frame);
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

  /** Title, buttons, and the list of keys. */
  #head() {
    const { title, thesis, story, controls, cards } = this.facts;
    const count = controls.flatMap((/** @type {any} */ { rows }) => rows).length;
    const later = count > MANY_CONTROLS ? ["later controls"] : [];
    const explanations = Object.keys(cards).length ? ["explanations"] : [];
    const skips = ["controls", ...later, "figures", ...explanations].map((place) => {
      const button = commandButton("skip", `To the ${place}`);
      button.className = "wb-skip";
      button.dataset.to = place;
      return button;
    });
    const names = [
      "back",
      "share",
      ...(this.isWhole ? ["theme"] : []),
      "projector",
      ...(story.length ? ["story"] : []),
    ];
    const labels = { back: "Back", share: "Share link", theme: "Dark", projector: "Projector", story: "Story" };
    const buttons = names.map((name) => {
      this.parts[name] = commandButton(name, /** @type {Record<string, string>} */ (labels)[name]);
      return this.parts[name];
    });
    const keys = element("summary", { textContent: "?", ariaLabel: "Keys of this page" });
    this.parts.help = element("details", { className: "help" }, keys, this.#part("keys"));
    const tools = element("span", { className: "tools" }, ...buttons, this.parts.help);
    const heading = element(this.isWhole ? "h1" : "h2", { textContent: title });
    const says = element("p", { className: "thesis", textContent: thesis });
    const look = { className: "top", ariaLabel: "Title and tools" };
    return element("section", look, ...skips, heading, says, tools);
  }

  /** @param {{ preset: (name: string) => void }} actions */
  #sidebar(actions) {
    const button = commandButton("sheet", "Controls");
    button.className = "sheet";
    button.setAttribute("aria-expanded", "false");
    this.parts.sheet = button;
    this.controls = element("div", { className: "controls" }, this.#presets(actions));
    this.parts.sidebar = element("section", { className: "sidebar", ariaLabel: "Controls" }, button, this.controls);
    return this.parts.sidebar;
  }

  /** What explains stands beside the figures. */
  #beside() {
    const { cards, tries } = this.facts;
    this.aside = Object.entries(cards).map(([name, title]) => this.#words(/** @type {string} */ (title), name));
    const list = element("ol", {}, ...tries.map((/** @type {string} */ textContent) => element("li", { textContent })));
    const summary = element("summary", { textContent: "Try this" });
    const fold = tries.length ? [element("details", { className: "wb-note", open: true }, summary, list)] : [];
    return element("section", { className: "aside", ariaLabel: "Explanations" }, ...this.aside, ...fold);
  }

  /** Figures of one size in the first view, each with those that take its place, and the row of their names. */
  #cards() {
    const { figures, first, homes, names } = this.facts;
    const homeOf = (/** @type {string} */ name) => homes[name] ?? name;
    const order = Object.keys(figures.titles).sort((a, b) => first.indexOf(homeOf(a)) - first.indexOf(homeOf(b)));
    this.cards = Object.fromEntries(order.map((name) => [name, this.#card(name)]));
    for (const name of order) this.cards[name].hidden = name in homes;
    return [
      element("div", { className: "cards" }, ...Object.values(this.cards)),
      element("div", { className: "names", innerHTML: names }),
    ];
  }

  /**
   * Shows one of the figures that share a place.
   * @param {string} home
   * @param {string} shown
   */
  showInPlace(home, shown) {
    for (const [name, card] of Object.entries(this.cards)) {
      if ((this.facts.homes[name] ?? name) !== home) continue;
      card.hidden = name !== shown;
      for (const button of this.root.querySelectorAll(`[data-do=swap][data-figure="${name}"][aria-pressed]`))
        button.setAttribute("aria-pressed", String(name === shown));
    }
  }

  /** Shows all figures, for a projector; returns what shows those alone that were shown before. */
  showAll() {
    const away = Object.values(this.cards).filter(({ hidden }) => hidden);
    for (const element of away) element.hidden = false;
    return () => {
      for (const element of away) element.hidden = true;
    };
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

  /** @param {string} name */
  #card(name) {
    const { heads, titles } = this.facts.figures;
    const head = element("div", { innerHTML: heads[name] });
    const save = head.querySelector(".wb-save");
    if (save) {
      const list = element("span", { className: "wb-list" }, ...save.childNodes);
      const dots = element("summary", { textContent: "⋯", ariaLabel: `Save or pin ${titles[name]}` });
      const fold = /** @type {HTMLDetailsElement} */ (element("details", {}, dots, list));
      unfoldUnderMouse(fold);
      save.append(fold);
    }
    this.heads[name] = head;
    this.figures[name] = element("div", { className: "figure", role: "group", ariaLabel: titles[name] });
    this.lines[name] = element("div", { className: "wb-line" });
    const className = this.facts.tall.includes(name) ? "card tall" : "card";
    return element("section", { className }, head, this.figures[name], this.lines[name]);
  }

  /**
   * Shows the thesis and the titles of figures that the settings have.
   * @param {string} thesis
   * @param {Record<string, string>} titles - by figure
   */
  entitle(thesis, titles) {
    const line = this.root.querySelector(".thesis");
    if (line && line.textContent !== thesis) line.textContent = thesis;
    for (const [name, title] of Object.entries(titles)) {
      const shown = this.heads[name].querySelector(".wb-card-title");
      if (!shown || shown.textContent === title) continue;
      for (const button of this.heads[name].querySelectorAll("[aria-label]"))
        for (const attribute of ["aria-label", "title"])
          if (button.hasAttribute(attribute))
            button.setAttribute(attribute, String(button.getAttribute(attribute)).replace(shown.textContent, title));
      shown.textContent = title;
      this.figures[name].ariaLabel = title;
    }
  }

  /** @param {string} title @param {string} name */
  #words(title, name) {
    const head = element("h2", { className: "wb-card-title", textContent: title });
    const inside = this.#part(name, { className: "inside" });
    const take = name === "code" ? [this.#part("take", { className: "inside" })] : [];
    return element("section", { className: "card" }, element("div", { className: "wb-head" }, head), ...take, inside);
  }

  /** @param {boolean} isDark */
  setTheme(isDark) {
    this.isDark = isDark;
    this.style.textContent = this.facts.styles[isDark ? "dark" : "light"];
    for (const [name, html] of Object.entries(this.html)) this.#fill(name, html);
    for (const [name, head] of Object.entries(this.heads)) {
      const key = head.querySelector(".wb-key");
      const html = new DOMParser()
        .parseFromString(this.facts.figures.heads[name], "text/html")
        .querySelector(".wb-key");
      if (key && html) key.innerHTML = this.tinted(html.innerHTML);
    }
    if (!this.isWhole) return;
    this.parts.theme.textContent = isDark ? "Light" : "Dark";
    // The document around the page has its ground.
    const { ground } = this.facts.grounds[isDark ? "dark" : "light"];
    Object.assign(document.body.style, { background: ground, margin: "0" });
  }

  /**
   * Shows each of the figures with these names in the place that it shares.
   * @param {string[]} names
   */
  reveal(names) {
    for (const name of names) if (name in this.facts.homes) this.showInPlace(this.facts.homes[name], name);
  }

  /** @param {HTMLButtonElement} button - which opens the controls on a telephone */
  turnSheet(button) {
    const isOpen = this.parts.sidebar.classList.toggle("open");
    button.setAttribute("aria-expanded", String(isOpen));
  }

  /**
   * Gives the focus to the first stop of a part of the page.
   * @param {HTMLButtonElement} button
   */
  skip({ dataset }) {
    const isLater = dataset.to === "later controls";
    const isSidebar = isLater || dataset.to === "controls";
    if (isSidebar && !this.controls.checkVisibility()) this.turnSheet(this.parts.sheet);
    const places = isSidebar ? [this.controls] : dataset.to === "figures" ? [this.main] : this.aside;
    const all = places.flatMap((place) => [...place.querySelectorAll("select, input, button, summary")]);
    const stops = all.filter((stop) => stop.checkVisibility());
    stops[isLater ? stops.length >> 1 : 0]?.focus();
  }

  /**
   * Leaves parts out that a teacher's address hides; links to other pages, "nav", are the host's.
   * @param {string[]} names
   */
  hide(names) {
    const parts = { sidebar: [this.parts.sidebar], aside: this.aside };
    for (const [name, boxes] of Object.entries(parts)) {
      for (const box of boxes) box.hidden = names.includes(name);
    }
    this.page.classList.toggle("wide", names.includes("sidebar"));
  }

  /**
   * Returns HTML with the colours of the theme.
   * @param {string} html
   */
  tinted(html) {
    return this.isDark ? recoloured(html, this.facts.colours) : html;
  }

  /** @param {string} name @param {string} html */
  put(name, html) {
    if (this.html[name] === html) return;
    this.html[name] = html;
    this.#fill(name, html);
  }

  /** @param {string} name @param {string} html */
  #fill(name, html) {
    const box = this.parts[name];
    box.innerHTML = this.tinted(html);
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
 * Returns a button that asks for something by its name.
 * @param {string} name
 * @param {string} textContent
 */
export function commandButton(name, textContent) {
  const button = /** @type {HTMLButtonElement} */ (element("button", { type: "button", textContent }));
  button.dataset.do = name;
  return button;
}

/**
 * Returns some Python with the button that copies it.
 * @param {string} text
 */
export function codeBox(text) {
  const button = "<button type='button' data-do='copy'>Copy</button>";
  return `<div class='wb-copy'>${button}<pre class='wb-code' tabindex='0'>${escaped(text)}</pre></div>`;
}
