// A page that runs in a file: its controls are elements, its address is the part after #.

import { Kernels } from "../wasm/javascript/kernels.js";
import { WorkbenchEngine, inflated, opened } from "../wasm/javascript/page.js";
import { box, placeOf } from "./boxes.js";
import { isWritten } from "./focus.js";
import { isAble } from "./live_page.js";
import { neededDigits } from "./page_code.js";
import { Picks } from "./live_story.js";
import { numerals } from "./numerals.js";
import { RecordedEngine } from "./transports.js";
import { escaped } from "./wording.js";

const NOT_ABLE = "This browser has no WebAssembly or no workers, so the page shows a picture instead.";

// A page in a file: its controls, sentences and numbers are elements, its address the part after #.
export class FileHost {
  /** @type {any} */ page;
  /** @type {any} */ file;
  /** @type {any} */ boxes;
  /** @type {any} */ frame;
  /** @type {Record<string, any>} */ changes = {};
  /** @type {any} */ packed;

  isFile = true;

  /** @param {any} page @param {any} file */
  constructor(page, file) {
    this.page = page;
    this.file = file;
    this.boxes = Object.fromEntries(Object.keys(page.controls).map((name) => [name, box(`x-${name}`)]));
    this.frame = box("x-frame");
  }

  get settings() {
    const chosen = Object.entries(this.page.controls).map(([name, { values }]) => [
      name,
      values[placeOf(this.boxes[name])],
    ]);
    return { ...Object.fromEntries(chosen), ...this.changes };
  }

  /**
   * A setting that has no control, as points by hand.
   * @param {string} name @param {number} value
   */
  change(name, value) {
    this.changes[name] = value;
  }

  /**
   * Sets a control to the value that an address gives; whether it has one.
   * @param {string} name @param {any} text
   */
  set(name, text) {
    const each = Object.hasOwn(this.boxes, name) ? this.boxes[name] : null;
    const place = each
      ? this.page.controls[name].values.findIndex((/** @type {number} */ value) => String(value) === text)
      : -1;
    if (place < 0) return false;
    if (each.tagName === "SELECT") each.selectedIndex = place;
    else each.value = place;
    return true;
  }

  /** @param {any} live @param {Settings} settings */
  onSettings(live, settings) {
    for (const [name, each] of Object.entries(this.boxes)) {
      if (each === null) continue;
      each.closest(".x-control").hidden = live.isHidden(name, settings);
      each.disabled = live.isDisabled(name, settings);
      if (each.dataset.said === undefined) continue;
      const text = JSON.parse(each.dataset.said)[each.value];
      box(`${each.id}-said`).textContent = text;
      each.setAttribute("aria-valuetext", text);
    }
  }

  /** @param {any} live */
  keep(live) {
    const { settings } = this;
    const given = Object.entries(this.boxes).filter(([, each]) => each !== null);
    const entries = given.map(([name]) => [name, neededDigits(settings[name])]);
    const step = live.picks?.step;
    const told = step ? [["story", step]] : entries;
    const address = `#${new URLSearchParams(told)}`;
    if (address !== location.hash) history.replaceState(null, "", address);
  }

  /**
   * Where a part of the page stands that draws itself.
   * @param {any} name
   */
  place(name) {
    return box(`x-${name}`);
  }

  /** @param {string} name @param {string} html */
  put(name, html) {
    this.file.putHtml(`x-text-${name}`, html);
  }

  /** @param {string} name @param {string} text */
  line(name, text) {
    this.file.putHtml(`x-line-${name}`, escaped(text));
  }

  /** @param {string} text @param {boolean} isError @param {string} status */
  say(text, isError, status) {
    const line = box("x-status");
    line.textContent = isError ? text : numerals(text);
    line.classList.toggle("bad", isError);
    document.body.dataset.status = status;
    box("x-do-run").textContent = status === "running" ? "pause" : "run";
  }

  /** @param {Row[]} rows @param {Row} row @param {any} _unit @param {string} text */
  stand(rows, row, _unit, text) {
    this.frame.max = rows.length - 1;
    this.frame.value = rows.findIndex(({ step }) => step === row.step);
    box("x-at").textContent = text;
    this.frame.setAttribute("aria-valuetext", text);
  }

  /**
   * The engine that a run is played by: in a worker, or what the file has kept of it.
   * @param {string} name
   */
  async engine(name) {
    if (isAble()) {
      return Object.assign(new WorkbenchEngine(this.page.worker ?? this.page.engine.source), {
        facts: await (this.packed ??= this.opened()),
      });
    }
    return new RecordedEngine((await opened(this.page.recorded))[name], NOT_ABLE);
  }

  /** The compiled scalars, for this thread. */
  async kernels() {
    const { kernels, functions } = await (this.packed ??= this.opened());
    return Kernels.load(kernels, functions);
  }

  /**
   * Moves a slider to one of its values.
   * @param {string} name
   * @param {number} value
   */
  move(name, value) {
    const each = this.boxes[name];
    const place = this.page.controls[name].values.indexOf(value);
    if (!each || place < 0) return;
    each.value = place;
    each.dispatchEvent(new Event("input", { bubbles: true }));
  }

  async opened() {
    return { kernels: await inflated(this.page.engine.kernels), functions: this.page.engine.functions };
  }

  /**
   * Who computes, the data, which are unpacked when first asked for, and the terms of a problem.
   * @param {any} live @param {Settings} settings
   */
  async held(live, settings) {
    const given = await live.given(settings);
    if (given) return { isHere: true, key: null, ...given };
    const source = this.page.sources.find((/** @type {{ name: string }} */ { name }) => name === settings.source);
    if (!source.opened) live.say(live.figures.say("loading", settings), false, "loading");
    const [loss, regularizer] = ["loss", "regularizer"].map((kind) => live.term(kind, settings).name);
    const data = await (source.opened ??= isAble() ? opened(source.facts) : {});
    return { isHere: true, key: settings.source, data, terms: { loss, regularizer } };
  }

  /**
   * The terms as a notebook names them.
   * @param {any} live @param {Settings} settings
   */
  texts(live, settings) {
    return Object.fromEntries(["loss", "regularizer"].map((kind) => [kind, live.term(kind, settings).text]));
  }

  // There is nobody to hear of it.
  tell() {}
}

/**
 * A page of class `Page` with its engine; where there can be none, the picture of the file stays.
 * @param {any} text @param {any} file @param {any} Page
 */
export async function begin(text, file, Page) {
  const page = await file.unpacked(text);
  const live = new Page(page, await file.embed(page.document), new FileHost(page, file));
  if (page.picks?.entries.length) live.picks = new Picks(live, page.picks);
  live.follow(location.hash);
  live.picks?.follow(location.hash);
  for (const [name, each] of Object.entries(live.boxes)) {
    each?.addEventListener("input", () => {
      live.picks?.leave();
      live.chosen(name);
    });
  }
  live.frame.addEventListener("input", () => live.seek(Number(live.frame.value)));
  const actions = {
    "x-do-reset": () => live.restart(false),
    "x-do-step": () => live.ask("step"),
    "x-do-epoch": () => live.ask("epoch"),
    "x-do-run": () => live.toggle(),
  };
  for (const [id, action] of Object.entries(actions)) box(id).addEventListener("click", action);
  /**
   * In a story the arrows walk it.
   * @param {number} by @param {any} [otherwise]
   */
  const walk =
    (by, otherwise = () => {}) =>
    () => {
      if (!live.picks?.walk(by)) otherwise();
    };
  file.onKeys({
    " ": actions["x-do-run"],
    r: actions["x-do-reset"],
    ArrowRight: walk(1, actions["x-do-step"]),
    ArrowLeft: walk(-1),
    PageDown: walk(1),
    PageUp: walk(-1),
    Escape: () => live.picks?.end(),
  });
  document.addEventListener("keydown", (event) => {
    if (!live.points || !(event.ctrlKey || event.metaKey) || event.key !== "z" || isWritten(event)) return;
    event.preventDefault();
    live.points.undo();
  });
  await live.restart(live.isAble);
  if (live.isAble) return;
  live.refusal = NOT_ABLE;
  live.report("");
}
