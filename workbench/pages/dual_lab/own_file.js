// @ts-check
// A visitor's own file in place of the data: read in the browser, in every host; nothing of it leaves the page.

import { element } from "../runtime/elements.js";
import { painted } from "../runtime/painter.js";
import { CustomData } from "./custom_data.js";
import { CustomFile, plainName } from "./custom_file.js";
import { unfit } from "./runs.js";

export class OwnFile {
  /** @type {Record<number, CustomData>} by their number */
  files = {};
  /** The number of the file in use, 0 for the data of the page. */
  turn = 0;
  #asked = 0;

  /** @param {any} page */
  constructor(page) {
    this.page = page;
    const { texts, own } = page.facts;
    this.words = page.words;
    const label = page.words.say("custom_drop", own.caps);
    const input = /** @type {any} */ (element("input", { type: "file", ariaLabel: label }));
    this.zone = element("label", { className: "drop" }, element("span", { textContent: label }), input);
    this.line = element("div", { className: "wb-status said", role: "status" });
    this.back = element("button", { type: "button", textContent: texts.custom_back, hidden: true });
    const summary = element("summary", { className: "wb-heading", textContent: texts.custom_own });
    // A page around this one may take the files.
    const isOffered = page.facts.takes_files;
    const zone = isOffered ? [this.zone] : [];
    this.fold = element("details", { hidden: !isOffered }, summary, ...zone, this.line, this.back);
    page.view.controls.append(this.fold);
    input.addEventListener("change", () => {
      if (input.files.length) this.take(input.files[0]);
      input.value = ""; // the same file may be chosen again once it is mended
    });
    for (const kind of ["dragover", "dragleave", "drop"]) {
      page.view.box.addEventListener(kind, (/** @type {any} */ event) => {
        event.preventDefault();
        this.zone.classList.toggle("over", kind === "dragover");
        if (kind === "drop" && page.facts.takes_files && event.dataTransfer.files.length)
          this.take(event.dataTransfer.files[0]);
      });
    }
    this.back.addEventListener("click", () => this.leave());
  }

  /**
   * Takes a file; one that is refused leaves everything as it was. The last one counts.
   * @param {any} file
   */
  async take(file) {
    const { page } = this;
    const { facts, settings } = page;
    const asked = ++this.#asked;
    this.fold.setAttribute("open", "");
    this.say(this.words.say("custom_reading", { where: plainName(file.name) }));
    await painted();
    try {
      const own = new CustomData(facts.own, await CustomFile.read(facts.own, file));
      if (asked !== this.#asked) return;
      const loss = this.#lossOf(own, settings.loss);
      this.turn = asked;
      this.files[asked] = own;
      page.view.parts.preset.selectedIndex = 0;
      page.present = null;
      if (loss !== settings.loss) await page.change({ loss });
      else await page.restart();
    } catch (error) {
      if (asked === this.#asked) this.say(/** @type {Error} */ (error).message, true);
    }
  }

  /** Goes back to the data of the page, also from a file that is being read. */
  leave() {
    this.forget();
    return this.page.restart();
  }

  forget() {
    this.#asked++;
    this.turn = 0;
  }

  /**
   * The chosen loss, or the first one that the labels suit: a loss of margins takes two classes only.
   * @param {CustomData} own
   * @param {string} chosen
   */
  #lossOf(own, chosen) {
    const { loss } = this.page.facts.terms;
    const suits = (/** @type {string} */ label) => own.classes !== null || !loss[label].is_margin;
    const label = [chosen, ...Object.keys(loss)].find(suits);
    if (label === undefined) throw new Error(unfit(own, chosen, this.page.facts));
    return label;
  }

  /**
   * Says which data are in use.
   * @param {Record<string, any>} settings
   */
  report(settings) {
    const own = this.files[this.turn];
    this.say(own ? own.summary(this.page.facts.texts) : this.words.say("custom_data", settings));
    this.back.hidden = !own;
  }

  /** @param {string} text @param {boolean} [isError] */
  say(text, isError = false) {
    this.line.textContent = text;
    this.line.classList.toggle("bad", isError);
  }
}
