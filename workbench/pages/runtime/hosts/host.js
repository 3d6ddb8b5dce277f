// @ts-check
// Where a page stands. Whatever carries it, the page sees `model` with its settings, `ask`, and `el`.

import { inflated } from "../../wasm/javascript/page.js";
import { opened } from "./blocks.js";
import { Channel } from "./channel.js";
import { syncedModel } from "./synced.js";
import { watchTheme } from "./theme.js";

/**
 * @typedef {import("./channel.js").AskOptions} AskOptions
 * @typedef {object} Model
 * @property {(name: string) => any} get
 * @property {(name: string, value: any) => void} set
 * @property {(event: string, then: (...values: any[]) => void) => void} on
 * @property {() => void} save_changes
 *
 * @typedef {object} Host
 * @property {"panel" | "notebook" | "file"} kind
 * @property {boolean} ownsAddress - the page fills the document: address, history, keys and theme are its own
 * @property {Model} model - its one trait is `settings`, a plain object; `change:settings` tells of changes by others
 * @property {HTMLElement} el - perhaps in a shadow root
 * @property {(message: Record<string, any>, options?: AskOptions) => Promise<any>} ask
 * @property {(then: (isWaiting: boolean) => void) => void} onWaiting - told when Python is late, and when it is not
 * @property {(then: (text: string) => void) => void} onRefusal - told why Python did not take a setting
 * @property {string} name - of this view, among all that show the page
 * @property {(then: (value: any) => void) => void} onEvent - told what Python sends without a question
 * @property {(then: (isDark: boolean) => void) => void} onTheme - told at once, and when the host changes its theme
 * @property {(then: () => void) => void} onRemove
 *
 * @typedef {{ model: any, el: HTMLElement, answers?: Record<string, string>, ownsAddress?: boolean }} Context - what a host calls `render` with
 */

/**
 * Returns the host of a context, told apart by what its model can do.
 * @param {Context} context
 * @returns {Host & { remove: () => void }}
 */
export function hostOf(context) {
  if (typeof context.model.send_msg === "function") return panelHost(context);
  if (typeof context.model.send === "function") return notebookHost(context);
  return fileHost(context);
}

/**
 * @param {Host["kind"]} kind
 * @param {HTMLElement} el
 * @param {Model} model
 * @param {Host["ask"]} ask
 * @param {Channel} [channel]
 */
function hosted(kind, el, model, ask, channel) {
  /** @type {(() => void)[]} */
  const cleanups = [];
  return {
    kind,
    ownsAddress: false,
    el,
    model,
    ask,
    onWaiting: (/** @type {(isWaiting: boolean) => void} */ then) => {
      if (channel) channel.onWaiting = then;
    },
    name: channel?.name ?? "file",
    onEvent: (/** @type {(value: any) => void} */ then) => channel?.onEvent.push(then),
    onRefusal: (/** @type {(text: string) => void} */ then) => {
      if (channel) channel.onRefusal = then;
    },
    onTheme: (/** @type {(isDark: boolean) => void} */ then) => cleanups.push(watchTheme(el, then)),
    onRemove: (/** @type {() => void} */ then) => cleanups.push(then),
    remove() {
      for (const cleanup of cleanups.splice(0)) cleanup();
    },
  };
}

/**
 * A component of Panel, whose property has the settings with which a view begins.
 * @param {Context} context
 */
function panelHost({ model: properties, el }) {
  const channel = new Channel((envelope, block) => properties.send_msg(block ? { ...envelope, block } : envelope));
  properties.on("msg:custom", (/** @type {any} */ message) => {
    const { block, ...envelope } = plain(message);
    channel.receive(envelope, block);
  });
  const model = syncedModel(plain(properties.settings), channel);
  const host = hosted("panel", el, model, channel.ask.bind(channel), channel);
  properties.on("remove", host.remove);
  return Object.assign(host, { ownsAddress: properties.owns_address === true });
}

/**
 * A widget of anywidget, with the kernel's comm behind its model, whose trait has the settings with which a view begins.
 * @param {Context} context
 */
function notebookHost({ model: widget, el }) {
  const channel = new Channel((envelope, block) => widget.send(envelope, undefined, block ? [block] : []));
  const receive = (/** @type {any} */ envelope, /** @type {DataView[]} */ buffers) =>
    channel.receive(envelope, buffers[0]);
  widget.on("msg:custom", receive);
  const model = syncedModel(widget.get("settings"), channel);
  const host = hosted("notebook", el, model, channel.ask.bind(channel), channel);
  host.onRemove(() => {
    widget.off("msg:custom", receive);
    channel.fail("The page was closed");
  });
  return host;
}

const NO_PYTHON = "This needs Python, which a file has not; open the page with 'workbench serve'";

/**
 * A file: a model around an object, and answers that were packed when the file was written.
 * @param {Context} context
 */
function fileHost({ model, el, answers = {}, ownsAddress = false }) {
  const host = hosted("file", el, model, async (message, { signal } = {}) => {
    signal?.throwIfAborted();
    const answer = answers[keyOf(message)];
    if (answer === undefined) throw new Error(NO_PYTHON);
    const value = opened(await inflated(answer));
    signal?.throwIfAborted();
    return value;
  });
  return Object.assign(host, { ownsAddress });
}

/**
 * Returns the key of a message among the answers of a file; as `hosts.file.key_of`.
 * @param {Record<string, any>} message
 */
export function keyOf(message) {
  return JSON.stringify(Object.fromEntries(Object.entries(message).sort(([a], [b]) => (a < b ? -1 : 1))));
}

/**
 * Returns objects for Bokeh's maps.
 * @param {any} value
 * @returns {any}
 */
function plain(value) {
  if (value === null || typeof value !== "object" || ArrayBuffer.isView(value) || value instanceof ArrayBuffer)
    return value;
  if (Array.isArray(value)) return value.map(plain);
  const entries = value instanceof Map ? [...value] : Object.entries(value);
  return Object.fromEntries(entries.map(([name, part]) => [name, plain(part)]));
}
