// @ts-check
// The settings in the address and the way back: by the browser's history where the address is the page's, else by a
// list of the page's own.

import { fromHash, STORY_KEY, toHash } from "../custom_story.js";
import { addressOf, LOOKS, settingsOf } from "./settings.js";

/** @typedef {import("./settings.js").Row} Row */

/** Changes of the same settings are one while they go on; the address is written once the hand rests. */
const WRITE_MS = 250;
const MOVES_MS = 1000;
const OWN = new RegExp(`^(.*?)[#&]${STORY_KEY}(.*)$`);

/** The look of a page whose address names none; without a theme it follows its host. */
export const LOOK = { theme: "", projector: false, hide: "", story: 0, figure: "" };

/**
 * Returns true if a change goes on with the one before: the same settings, none of them from a list, soon after.
 * @param {string[]} names
 * @param {{ names: string[], at: number }} before
 * @param {number} now
 * @param {Row[]} rows
 */
export function goesOn(names, before, now, rows) {
  const isListed = rows.some(({ name, options }) => options && names.includes(name));
  return names.join() === before.names.join() && !isListed && now - before.at < MOVES_MS;
}

/**
 * Returns the entries of an address that are settings, and those of the look.
 * @param {Record<string, any>} entries
 */
function sorted(entries) {
  const names = LOOKS.map(({ name }) => name);
  const part = (/** @type {boolean} */ isLook) =>
    Object.fromEntries(Object.entries(entries).filter(([name]) => names.includes(name) === isLook));
  return { look: part(true), settings: part(false) };
}

export class Visits {
  /** @type {Record<string, any>} */
  look = { ...LOOK };
  /** @type {Record<string, any>} */
  usualLook = { ...LOOK };
  /** The text of a story of the lecturer's own. */
  own = "";
  /** @type {Record<string, any>[]} settings to go back to, where the history is not the page's */
  #stack = [];
  #count = 0;
  #before = { names: /** @type {string[]} */ ([]), at: -Infinity };
  #later = 0;

  /**
   * @param {object} fields
   * @param {boolean} fields.ownsAddress
   * @param {boolean} fields.isFile - its address is what follows #
   * @param {Row[]} fields.rows
   * @param {Record<string, any>} fields.usual - the settings of an address that says nothing
   * @param {(settings: Record<string, any>) => void} fields.restore
   */
  constructor({ ownsAddress, isFile, rows, usual, restore }) {
    this.ownsAddress = ownsAddress;
    this.isFile = isFile;
    this.rows = rows;
    this.usual = usual;
    this.last = usual;
    this.restore = restore;
  }

  /** Returns the settings of the address, and sentences on what in it is refused. */
  read() {
    const [, hash, own] = OWN.exec(location.hash) ?? ["", location.hash, ""];
    this.own = own && fromHash(`#${STORY_KEY}${own}`);
    const rows = [...LOOKS, ...this.rows];
    const query = settingsOf(location.search, rows);
    const rest = settingsOf(this.isFile ? hash : "", rows);
    const [first, last] = [query, rest].map(({ settings }) => sorted(settings));
    // The query of a file's address stays; settings after # are added to it.
    if (this.isFile) {
      this.usual = { ...this.usual, ...first.settings };
      this.usualLook = { ...LOOK, ...first.look };
    }
    this.look = { ...LOOK, ...first.look, ...last.look };
    this.last = { ...this.usual, ...first.settings, ...last.settings };
    return { settings: this.last, refusals: [...query.refusals, ...rest.refusals] };
  }

  /** Follows the browser's Back and Forward; returns a function that ends it. */
  listen() {
    const back = () => {
      clearTimeout(this.#later);
      this.#count = history.state?.changes ?? 0;
      const { look } = this;
      const { settings } = this.read();
      this.look = look;
      this.restore(settings);
    };
    addEventListener("popstate", back);
    return () => removeEventListener("popstate", back);
  }

  /**
   * Takes the settings after a change by anybody.
   * @param {Record<string, any>} settings
   */
  follow(settings) {
    const names = Object.keys(settings).filter((name) => settings[name] !== this.last[name]);
    if (!names.length) return;
    const now = performance.now();
    const isOne = goesOn(names, this.#before, now, this.rows);
    if (!isOne && !this.ownsAddress) this.#stack.push(this.last);
    if (!isOne && this.#later) this.write();
    this.#before = { names, at: now };
    this.last = { ...settings };
    if (isOne) {
      clearTimeout(this.#later);
      this.#later = setTimeout(() => this.write(), WRITE_MS);
    } else if (this.ownsAddress) {
      this.#count += 1;
      history.pushState({ changes: this.#count }, "", this.address);
    }
  }

  get canGoBack() {
    return (this.ownsAddress ? this.#count : this.#stack.length) > 0;
  }

  back() {
    if (this.ownsAddress && this.canGoBack) history.back();
    if (this.ownsAddress || !this.canGoBack) return;
    this.last = this.#stack.pop() ?? this.usual;
    this.#before = { names: [], at: -Infinity };
    this.restore(this.last);
  }

  /** Settings and look as an address has them. */
  get query() {
    const settings = addressOf(this.last, this.usual);
    return [addressOf(this.look, this.usualLook), settings].filter(Boolean).join("&");
  }

  get address() {
    const own = this.own && toHash(this.own);
    const { pathname, search } = location;
    if (!this.isFile) return pathname + (this.query && `?${this.query}`) + own;
    const hash = [this.query, own.slice(1)].filter(Boolean).join("&");
    return pathname + search + (hash && `#${hash}`);
  }

  /** Writes settings and look into the address, where it is the page's. */
  write() {
    clearTimeout(this.#later);
    this.#later = 0;
    if (this.ownsAddress) history.replaceState({ changes: this.#count }, "", this.address);
  }
}
