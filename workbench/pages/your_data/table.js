// @ts-check
// The open page: a visitor's file goes up in pieces, new rows are predicted, and what is taken of the model.

import { addressOf } from "../runtime/hosts/settings.js";
import { element } from "../runtime/elements.js";
import { codeBox, commandButton } from "../runtime/hosts/view.js";
import { download } from "../runtime/save.js";
import { escaped, formatText } from "../runtime/wording.js";
import { dropZone, send } from "./sending.js";

/** Reading, fitting and the way there and back. */
const SECONDS = 120;
/** A model that comes sooner needs no word that it is being fitted. */
const PATIENCE_MS = 300;
const TAKES = ["model", "predictions", "report"];

/** @param {any} Own - the class of a page without runs */
export const extend = (Own) =>
  class YourData extends Own {
    /** @type {AbortController | null} */
    asking = null;
    /** The settings whose model was asked for last. */
    lastSent = "";
    /** @type {any} the places where files go, and what is said of them */ zone;
    /** @type {any} */ said;
    /** @type {any} */ rowsZone;
    /** @type {any} */ rowsSaid;
    /** @type {any} */ rowsButton;
    /** @type {any} */ unknown;
    /** @type {any} */ unknownBox;
    /** @type {any} the number of the row that is explained */ row;
    /** The rows with predictions, as CSV. */
    predicted = "";
    /** The file of new rows that came last. */
    newRows = "";
    turns = { rows: 0, explain: 0 };
    hasPath = false;

    /** @param {any[]} options */
    constructor(...options) {
      super(...options);
      const { view, facts, host } = this;
      this.isLive = host.kind !== "file";
      const say = (/** @type {string} */ name, values = {}) => formatText(facts.texts[name], values);
      this.words = say;
      view.page.classList.toggle("in-file", !this.isLive);
      this.said = element("div", { className: "wb-status said", role: "status" });
      this.zone = dropZone(say("drop", facts), (file) => this.take(file));
      this.said.textContent = this.isLive ? "" : say("no_python");
      this.zone.querySelector("input").disabled = !this.isLive;
      view.controls.prepend(this.zone, this.said);
      this.#card(view.main.querySelector(".cards"), "file", say("file"));
      const below = element("section", { className: "below", ariaLabel: say("ask_title") });
      view.frame.append(below);
      if (this.isLive) {
        this.#card(below, "rows", say("rows_title"));
        this.#rowsCard();
        this.#card(below, "explain", say("explain_title"));
        this.#explainCard();
      }
      this.#card(below, "report", say("report_title")).classList.add("whole");
      Object.assign(this.actions, {
        target: (/** @type {HTMLElement} */ { dataset }) =>
          this.choose({ target: Number(dataset.value), positive: "", task: "guess" }),
        leave: (/** @type {HTMLElement} */ { dataset }) => {
          const names = [this.settings.leave_out, dataset.value].filter(Boolean);
          this.choose({ leave_out: names.join(", ") });
        },
        positive: (/** @type {HTMLElement} */ { dataset }) => this.choose({ positive: dataset.value }),
        taken: (/** @type {HTMLButtonElement} */ button) =>
          this.#guarded(button, () => this.download(button.dataset.value ?? "")),
        lab: (/** @type {HTMLButtonElement} */ button) => this.#guarded(button, () => this.openLab()),
        rows: () => download(new Blob([this.predicted], { type: "text/csv" }), "predicted-rows.csv"),
      });
    }

    /**
     * @param {HTMLElement} place
     * @param {string} name
     * @param {string} title
     */
    #card(place, name, title) {
      const { parts } = this.view;
      parts[name] = element("div", { className: `inside ${name}`, tabIndex: 0, role: "region", ariaLabel: title });
      const head = element("div", { className: "wb-head" });
      head.append(element("h2", { className: "wb-card-title", textContent: title }));
      const card = element("section", { className: "card" }, head, parts[name]);
      place.append(card);
      return card;
    }

    #rowsCard() {
      this.rowsZone = dropZone(this.words("drop_rows"), (file) => this.takeRows(file));
      this.rowsSaid = element("div", { className: "wb-status said", role: "status" });
      this.unknown = element("input", { type: "checkbox", ariaLabel: this.words("unknown") });
      this.unknown.addEventListener("input", () => this.predictRows());
      this.unknownBox = element("label", { className: "control" }, this.words("unknown"), this.unknown);
      const button = commandButton("rows", this.words("rows_csv"));
      this.rowsButton = button;
      button.hidden = this.unknownBox.hidden = true;
      const box = element("div", { className: "inside" }, this.rowsZone, this.rowsSaid, this.unknownBox, button);
      this.view.parts.rows.before(box);
    }

    #explainCard() {
      this.row = element("input", { type: "number", min: 0, step: 1, value: 0, ariaLabel: this.words("explain_row") });
      this.row.addEventListener("change", () => this.explain());
      const label = element("label", { className: "wb-note" }, `${this.words("explain_row")} `, this.row);
      this.view.parts.explain.before(element("div", { className: "inside" }, label));
    }

    async begin() {
      await super.begin();
      const { parts } = this.view;
      if (!this.isLive || !parts.take) return;
      const takes = TAKES.map((name) => {
        const button = commandButton("taken", this.words(name));
        button.dataset.value = name;
        return button;
      });
      if (this.host.ownsAddress && this.facts.has_lab) takes.unshift(commandButton("lab", this.words("lab")));
      parts.take.prepend(...takes);
    }

    /**
     * Fits the model of the settings; an older fit that goes on is called off.
     * @param {Record<string, any>} settings
     * @param {() => boolean} isLeft
     */
    async prepare(settings, isLeft) {
      const message = JSON.stringify(settings);
      if (message !== this.lastSent) {
        this.lastSent = message;
        this.asking?.abort(new Error(this.words("fitting")));
        this.asking = new AbortController();
      }
      const late = setTimeout(() => {
        if (isLeft()) return;
        this.refusal = "";
        this.figures.dim(true);
        this.report(this.words("fitting"));
      }, PATIENCE_MS);
      try {
        const { model: question } = this.module.needs(settings);
        const options = { signal: this.asking?.signal, seconds: SECONDS };
        const model = await this.supplies.answerOf(question, options);
        if (isLeft()) return;
        this.answers = { model };
        this.shownSettings = message;
      } finally {
        clearTimeout(late);
      }
    }

    /** @param {any} frame */
    put(frame) {
      super.put(frame);
      const { model } = /** @type {any} */ (this).answers;
      const hasPath = model.path?.length > 0;
      // A class has a name in place of a number.
      this.figures.of("axes", "tests_x").major_label_text_font_size = model.labels?.length ? "0px" : "12px";
      if (hasPath !== this.hasPath) {
        this.hasPath = hasPath;
        this.view.showInPlace("gap", hasPath ? "path" : "gap");
        this.figures.layOut();
      }
      this.view.root.querySelector(".names").hidden = !hasPath;
    }

    /** @param {boolean} play */
    show(play) {
      super.show(play);
      if (!this.isLive) return;
      const { refusal, last_row, has_categories } = /** @type {any} */ (this).answers.model;
      this.unknownBox.hidden = !has_categories;
      this.row.max = last_row ?? 0;
      if (refusal) return;
      if (Number(this.row.value) > last_row) this.row.value = 0;
      this.explain();
      this.predictRows();
    }

    /** @param {string} text */
    report(text) {
      const refusal = this.answers?.model.refusal;
      if (refusal && text === refusal && !this.refusal) this.view.say(refusal, "refused", true);
      else super.report(text);
    }

    /**
     * Sends a table and fits a model to it; one that is refused leaves everything as it was.
     * @param {File} file
     */
    async take(file) {
      const answer = await this.#sent("table", file, this.said);
      if (!answer) return;
      const { name, data, loss } = answer;
      this.said.textContent = name;
      this.newRows = "";
      this.choose({ ...this.facts.of_file, data, loss, chooses_lam: true });
    }

    /** @param {File} file */
    async takeRows(file) {
      const answer = await this.#sent("rows", file, this.rowsSaid);
      if (!answer) return;
      this.newRows = answer.name;
      await this.predictRows();
    }

    /**
     * Sends a file and says how far it is; returns nothing where it is refused.
     * @param {string} purpose
     * @param {File} file
     * @param {HTMLElement} line
     */
    async #sent(purpose, file, line) {
      const tell = (/** @type {string} */ text, isBad = false) => {
        line.textContent = text;
        line.classList.toggle("bad", isBad);
      };
      try {
        return await send(this.host, purpose, file, this.facts, tell);
      } catch (error) {
        tell(/** @type {Error} */ (error).message, true);
        return null;
      }
    }

    /**
     * Asks about the model that is shown.
     * @param {Record<string, any>} message
     */
    #ask(message) {
      return this.host.ask(
        { ...JSON.parse(/** @type {any} */ (this).shownSettings), ...message },
        { seconds: SECONDS },
      );
    }

    async predictRows() {
      if (!this.answers || this.answers.model.refusal) return;
      const turn = ++this.turns.rows;
      const [line, view] = [this.rowsSaid, this.view];
      if (this.newRows) line.textContent = this.words("reading", { name: this.newRows });
      try {
        const answer = await this.#ask({ type: "rows", unknown: this.unknown.checked });
        if (turn !== this.turns.rows) return;
        this.predicted = answer.csv;
        line.textContent = answer.text;
        line.classList.remove("bad");
        view.put("rows", answer.table && `${answer.table}${codeBox(answer.code)}`);
        view.parts.rows.style.opacity = "";
      } catch (error) {
        if (turn !== this.turns.rows) return;
        this.predicted = "";
        line.textContent = /** @type {Error} */ (error).message;
        line.classList.add("bad");
        view.parts.rows.style.opacity = "0.35";
      }
      this.rowsButton.hidden = !this.predicted;
    }

    async explain() {
      const turn = ++this.turns.explain;
      let html = "";
      try {
        ({ html } = await this.#ask({ type: "explain", row: Number(this.row.value) }));
      } catch (error) {
        html = `<p class="wb-status bad">${escaped(/** @type {Error} */ (error).message)}</p>`;
      }
      if (turn === this.turns.explain) this.view.put("explain", html);
    }

    /** @param {string} what */
    async download(what) {
      const { name, content } = await this.#ask({ type: "take", what });
      download(new Blob([content]), name);
    }

    /** Opens the Dual lab on the problem of the model, in place of this page, to which Back returns. */
    async openLab() {
      const { page, settings } = await this.#ask({ type: "lab" });
      const { theme } = this.visits.look;
      const address = new URL(page, location.href);
      address.search = addressOf({ ...settings, ...(theme && { theme }) }, {});
      location.assign(address);
    }

    /**
     * Does what a button asks for, and says why where that is not possible.
     * @param {HTMLButtonElement} button
     * @param {() => Promise<void>} act
     */
    async #guarded(button, act) {
      button.disabled = true;
      try {
        await act();
        this.notice("");
      } catch (error) {
        this.notice(/** @type {Error} */ (error).message);
      } finally {
        button.disabled = false;
      }
    }

    close() {
      this.asking?.abort();
      super.close();
    }
  };
