// A page on a server: its settings are those of Panel's controls, its sentences stand in Panel's panes, its figures are
// a document of their own, as in a file. `Page` computes and draws here, where the browser can, and has the server answer else.

import { Kernels } from "../wasm/javascript/kernels.js";
import { WorkbenchEngine, inflated } from "../wasm/javascript/page.js";
import { isAble } from "./live_page.js";
import { numerals } from "./numerals.js";
import { HERE, byId, plain } from "./session.js";
import { SocketEngine } from "./transports.js";
import { escaped } from "./wording.js";

const LOST = "The server does not answer; the picture stays as it is.";

class ServedHost {
  /** @type {any} */ model;
  /** @type {any} */ el;
  /** @type {any} */ page;
  /** @type {Record<string, any>} */ boxes = {};
  /** @type {any} */ frame = null;
  asked = 0;
  /** @type {Map<any, any>} */ waiting = new Map();
  /** @type {Map<any, any>} */ kept = new Map();
  /** @type {Map<any, any>} */ sockets = new Map();
  /** @type {Map<any, any>} */ changes = new Map();
  /** @type {any} */ packed;

  /** @param {any} model @param {any} el */
  constructor(model, el) {
    this.model = model;
    this.el = el;
    this.page = model.page;
  }

  /** @param {any} message */
  send(message) {
    this.model.send_msg(message);
  }

  /**
   * What is asked of the server once for each key: data, and the facts of terms.
   * @param {any} need @param {string} key
   */
  ask(need, key) {
    const name = JSON.stringify([need, key]);
    if (!this.kept.has(name)) {
      const id = ++this.asked;
      const answer = new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
      answer.catch(() => this.kept.delete(name));
      this.kept.set(name, answer);
      this.send({ need, id, key });
    }
    return this.kept.get(name);
  }

  /** @param {any} told @param {any} live */
  take(told, live) {
    const { id, engine, answer, failed, want, compiling } = plain(told);
    // What the server needs of the picture, as the point that it is of.
    if (want !== undefined) return this.send({ given: id, value: live[want] });
    if (compiling !== undefined) live.say(compiling, false, "loading");
    else if (engine !== undefined) this.sockets.get(engine)?.take(answer);
    else if (failed !== undefined) this.waiting.get(id)?.reject(new Error(failed));
    else this.waiting.get(id)?.resolve(answer);
    this.waiting.delete(id);
    return undefined;
  }

  // A slider that is a number and nothing else says so before the server has heard of it.
  get settings() {
    const settings = plain(this.model.settings);
    for (const [name, { id, values }] of Object.entries(plain(this.model.sliders))) {
      const data = byId(id)?.data;
      // While a slider gets other places the server's value stands.
      if (data?.options.length === values.length && data.value in values) settings[name] = values[data.value];
    }
    for (const [name, value] of this.changes) {
      if (settings[name] === value) this.changes.delete(name);
      else settings[name] = value;
    }
    return settings;
  }

  /**
   * A setting that has no control, as points by hand: it holds at once, and from the server's answer on it is the model's.
   * @param {string} name @param {number} value
   */
  change(name, value) {
    if (this.settings[name] === value) return;
    this.changes.set(name, value);
    this.send({ change: { [name]: value } });
  }

  /** @param {any} model */
  isSlider(model) {
    return Object.values(plain(this.model.sliders)).some(({ id }) => byId(id)?.data === model);
  }

  // Where a part of the page stands that draws itself: the component's own place.
  place() {
    this.el.style.display = "";
    return this.el;
  }

  onSettings() {}

  keep() {}

  /**
   * The text of one of the page's panes, whose model holds it escaped.
   * @param {string} name @param {string} html
   */
  put(name, html) {
    const pane = byId(this.model.panes[name]);
    const text = escaped(name === "code" ? html : typeset(html));
    if (pane && pane.text !== text) pane.setv({ text }, HERE);
  }

  /** @param {string} name @param {string} text */
  line(name, text) {
    this.put(`line-${name}`, `<div class='wb-line'>${escaped(numerals(text))}</div>`);
  }

  /** @param {string} text @param {boolean} isError @param {string} status */
  say(text, isError, status) {
    const said = escaped(isError ? text : numerals(text));
    const style = isError ? "wb-status bad" : "wb-status";
    this.put("status", `<div class='${style}' role='status'>${said}</div>`);
    document.body.dataset.status = status;
  }

  /**
   * Where the run stands among its rows, for the scrub bar: the present row and the last, in a unit of theirs.
   * @param {Row[]} rows @param {Row} row @param {string} unit
   */
  stand(rows, row, unit) {
    const at = rows.findIndex(({ step }) => step === row.step);
    const places = rows.length;
    const detail = { at, places, unit, now: rows[at][unit], last: /** @type {any} */ (rows.at(-1))[unit] };
    document.dispatchEvent(new CustomEvent("wb-stands", { detail }));
  }

  /**
   * Who computes, the data and the terms: this browser, where it can and has what it needs, else the server.
   * @param {any} live @param {Settings} settings
   */
  async held(live, settings) {
    const named = Object.fromEntries(this.model.data_names.map((/** @type {string} */ name) => [name, settings[name]]));
    const isAbleHere = isAble() && this.model.engine !== "" && !settings.elsewhere;
    const known = isAbleHere || live.drawsData ? await (live.given(settings) ?? this.askedFor(named, settings)) : null;
    const isHere = isAbleHere && known !== null && !known.isLarge;
    const key = JSON.stringify(named);
    const found = isHere ? known : { data: named, terms: settings.texts };
    return this.computed({ key, ...found, isHere, known }, live);
  }

  /**
   * The data and the terms that the server gives; null where it keeps one of them.
   * @param {any} named @param {Record<string, any>} fields
   */
  async askedFor(named, { texts }) {
    const [data, terms] = await Promise.all([this.ask("data", named), this.ask("terms", { ...named, ...texts })]);
    return data && terms ? { data: { data, losses: {}, regularizers: {} }, terms, isLarge: data.large ?? false } : null;
  }

  /**
   * Says who computes.
   * @param {any} held @param {any} live
   */
  computed(held, live) {
    document.body.dataset.engine = held.isHere ? "browser" : "server";
    this.put("engine", `<div class='wb-note'>${escaped(live.figures.say(held.isHere ? "here" : "there"))}</div>`);
    return held;
  }

  /** @param {any} _live @param {Settings} settings */
  texts(_live, settings) {
    return settings.texts;
  }

  /**
   * What the server goes by once a run rests.
   * @param {any} contents
   */
  tell(contents) {
    this.send({ rests: contents });
  }

  /**
   * The engine of a name: in a worker with its kernels, or the server's.
   * @param {string} name @param {boolean} isHere
   */
  async engine(name, isHere) {
    if (isHere) {
      const { source, kernels, functions } = await (this.packed ??= this.fetched());
      return Object.assign(new WorkbenchEngine(this.page.worker ?? source), { facts: { kernels, functions } });
    }
    const engine = new SocketEngine(name, (message) => this.send(message));
    this.sockets.set(name, engine);
    return engine;
  }

  /** The compiled scalars, for this thread; null where the server computes alone. */
  async kernels() {
    if (this.model.engine === "") return null;
    const { kernels, functions } = await (this.packed ??= this.fetched());
    return Kernels.load(kernels, functions);
  }

  /**
   * Moves a slider to one of its values.
   * @param {string} name
   * @param {number} value
   */
  move(name, value) {
    const { id, values } = plain(this.model.sliders)[name];
    const place = values.indexOf(value);
    if (place >= 0) byId(id)?.data.setv({ value: place, value_throttled: place });
  }

  async fetched() {
    const { source, kernels, functions } = await (await fetch(this.model.engine)).json();
    return { source, kernels: await inflated(kernels), functions };
  }

  lost() {
    for (const { reject } of this.waiting.values()) reject(new Error(LOST));
    for (const each of this.sockets.values()) each.fail(LOST);
  }
}

/**
 * HTML with its numbers as a book prints them; formulas keep theirs.
 * @param {string} html
 */
function typeset(html) {
  return html
    .split(/(<wb-tex.*?<\/wb-tex>)/s)
    .map((part, k) => (k % 2 ? part : numerals(part)))
    .join("");
}

/**
 * Stands the page's figures, a document that no server follows, in the panes that are their places.
 * @param {any} drawn @param {any[]} places
 */
async function stand(drawn, places) {
  const boxes = drawn.roots().map((/** @type {{ id: any }} */ { id }) => {
    const box = Object.assign(document.createElement("div"), { className: "wb-figure" });
    Bokeh.index.find_one(byId(places[id])).shadow_el.append(box);
    return box;
  });
  await Bokeh.embed.add_document_standalone(drawn, document.body, boxes);
}

/**
 * Panel's `render` of a page of class `Page`.
 * @param {any} Page
 */
export const served = (Page) =>
  function render(/** @type {{ model: any, el: any }} */ { model, el }) {
    el.style.display = "none";
    const [session] = Bokeh.documents;
    const drawn = /** @type {any} */ (session.constructor).from_json(JSON.parse(model.figures));
    const host = new ServedHost(model, el);
    const live = new Page(model.page, byId, host);
    /** @type {any[]} */
    const listeners = [];
    /** @param {string} name @param {(argument: any) => any} act */
    const hear = (name, act) => {
      /** @param {any} event */
      const listener = (event) => {
        if (act(event.detail) !== false) event.preventDefault();
      };
      document.addEventListener(name, listener);
      listeners.push(() => document.removeEventListener(name, listener));
    };
    hear("wb-seek", (place) => live.seek(place));
    hear("wb-press", (name) => live.press(name));
    hear("wb-pace", (isSlow) => live.pace(isSlow));
    // A figure that has just been unfolded has no scale yet.
    hear("wb-tap", (tap) => Number.isFinite(tap) && host.send({ tap }));
    /** @type {any[]} */
    let hidden = [];
    const hide = () => {
      for (const id of hidden) byId(id).setv({ visible: true }, HERE);
      hidden = [...model.hidden];
      for (const id of hidden) byId(id).setv({ visible: false }, HERE);
    };
    hide();
    model.on("hidden", hide);
    model.on("msg:custom", (/** @type {any} */ message) => host.take(message, live));
    // Something else is chosen: the model's settings are news, or a slider is.
    let chosen = "";
    const follow = () => {
      const settings = JSON.stringify(live.settings);
      if (settings === chosen) return;
      chosen = settings;
      live.chosen();
    };
    model.on("settings", follow);
    model.on("refusal", () => {
      live.refusal = model.refusal || null;
      if (model.refusal) live.report("");
    });
    /** @param {{ model: any, attr: any, sync: any }} fields */
    const moved = ({ model: slider, attr, sync }) => {
      if (sync && attr === "value" && host.isSlider(slider)) follow();
    };
    window.wb_page = live;
    const open = async () => {
      await stand(drawn, model.places);
      document.body.dataset.drawn = "";
      document.dispatchEvent(new CustomEvent("wb-drawn"));
      session.on_change(moved);
      follow();
    };
    model.on("remove", () => {
      for (const leave of listeners) leave();
      session.remove_on_change(moved);
      live.close();
    });
    session.on_event("connection_lost", () => host.lost());
    if (session.is_idle) open();
    else session.idle.connect(open);
  };
