// The element of a formula: set by KaTeX, broken after relations where it is too long, then smaller, and only
// then in a box that scrolls.

import { followLight } from "./light.js";

const SMALLEST = 0.72;
// Of KaTeX's extensions of HTML one is trusted, which names a curve.
const OPTIONS = {
  throwOnError: false,
  trust: (/** @type {{ command: any, attributes: any }} */ { command, attributes }) =>
    command === "\\htmlData" && Object.keys(attributes).join() === "data-curve",
  strict: (/** @type {any} */ code) => (code === "htmlExtension" ? "ignore" : "warn"),
};
const FORMULA_SHEET = `
:host { display: block; padding: 3px 0; min-width: 0; line-height: 1.5; }
:host(.inline) { display: inline; padding: 0; }
:host(.long) > .line { overflow: auto hidden; white-space: nowrap; }
.line { padding: 2px 0 2px 1.6em; text-indent: -1.6em; }
:host(.inline) > .line { display: inline; padding: 0; text-indent: 0; }
.katex { font-size: 1.12em; text-indent: 0; line-height: 1.6; }
.katex .run { display: inline-block; max-width: 100%; }
.katex .run, .katex .base { text-indent: 0; }
.katex [data-curve] { background: color-mix(in srgb, currentColor 9%, transparent); border-radius: 3px; cursor: help; }
.katex [data-curve]:hover { background: color-mix(in srgb, currentColor 22%, transparent); }
.katex-error { font-family: ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; }
`;

/**
 * What stands up to a mark stays together where the line is long enough; KaTeX breaks between its bases.
 * @param {any} bases @param {any} marks
 */
function gather(bases, marks) {
  const runs = [];
  let run = null;
  for (const base of bases) {
    if (!base.matches(".base, .run")) {
      run = null; // a new line
      continue;
    }
    if (!run) {
      run = document.createElement("span");
      run.className = "run";
      base.before(run);
      runs.push(run);
    }
    run.append(base);
    if ([...base.children].some((part) => part.matches(marks))) run = null;
  }
  return runs;
}

/**
 * Clauses, which a wide space ends, and in them what stands between relations.
 * @param {any} html
 */
function breakWell(html) {
  for (const clause of gather([...html.children], ".allowbreak")) gather([...clause.children], ".mrel");
}

class Formula extends HTMLElement {
  /** @type {any} */ watcher;
  /** @type {any} */ fitted;
  /** @type {any} */ tabIndex;

  connectedCallback() {
    if (!this.shadowRoot) {
      this.attachShadow({ mode: "open" });
      followLight(this);
    }
    /** @type {any} */
    const root = this.shadowRoot;
    root.adoptedStyleSheets = /** @type {any} */ (Formula).sheets ??= [katexSheet, FORMULA_SHEET].map((text) => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(text);
      return sheet;
    });
    this.set(this.getAttribute("tex") ?? this.textContent);
    this.watcher ??= new ResizeObserver(() => requestAnimationFrame(() => this.fit()));
    this.watcher.observe(this);
    document.fonts.ready.then(() => {
      this.fitted = 0;
      this.fit();
    });
  }

  disconnectedCallback() {
    this.watcher.disconnect();
  }

  /** @param {string} latex */
  set(latex) {
    const line = document.createElement("div");
    line.className = "line";
    const inline = this.classList.contains("inline");
    const text = latex.replace(/\\q?quad(?![a-zA-Z])/g, "$&\\allowbreak ");
    if (window.katex) katex.render((inline ? "" : "\\displaystyle ") + text, line, OPTIONS);
    else line.textContent = latex;
    for (const html of line.querySelectorAll(".katex-html")) breakWell(html);
    /** @type {HTMLElement[]} */
    const symbols = [...line.querySelectorAll(".katex-html [data-curve]")].map((symbol) => /** @type {any} */ (symbol));
    for (const { style, dataset } of symbols) style.color = `var(--curve-${dataset.curve}, inherit)`;
    const curves = symbols.map(({ dataset }) => dataset.curve);
    if (curves.length) {
      // By the keyboard a formula lights all that it names; its symbols stand in what is not heard.
      this.tabIndex = 0;
      this.dataset.curve = [...new Set(curves)].join(" ");
    }
    /** @type {any} */ (this.shadowRoot).replaceChildren(line);
    this.fitted = 0;
  }

  // At one width once; a formula that is not shown has none.
  fit() {
    /** @type {any} */
    const line = /** @type {any} */ (this.shadowRoot).firstChild;
    const width = this.clientWidth;
    if (!line || !width || width === this.fitted) return;
    this.fitted = width;
    this.classList.remove("long");
    line.removeAttribute("tabindex");
    line.style.fontSize = "";
    const share = width / line.scrollWidth;
    if (share >= 1) return;
    line.style.fontSize = `${Math.max(SMALLEST, 0.99 * share)}em`;
    if (line.scrollWidth <= width) return;
    this.classList.add("long");
    line.tabIndex = 0; // what scrolls must be reached by the keyboard
  }
}

// KaTeX's style sheet, without its fonts.
let katexSheet = "";

/** @param {any} sheet */
export function defineFormulas(sheet) {
  katexSheet = sheet;
  if (!customElements.get("wb-tex")) customElements.define("wb-tex", Formula);
}
