// Curves that stay while settings change: a few of each figure, in grey, named by the settings that differ.

import { bokehFor } from "./own_bokeh.js";

const MOST = 3;
const MOST_NAMED = 2;
const LEAST_POINTS = 3;
const SHOWN_MS = 100;
const LOOKS = [
  { dash: "dashed", marker: "circle" },
  { dash: "dotted", marker: "square" },
  { dash: "solid", marker: "triangle" },
];
/**
 * Where the points of a glyph are: of curves and, for figures that have none, of what stands in their place.
 * @type {Record<string, string[]>[]}
 */
const KINDS = [
  { Line: ["x", "y"], Step: ["x", "y"], MultiLine: ["xs", "ys"] },
  { Scatter: ["x", "y"], VBar: ["x", "top"] },
];

/** @typedef {Map<string, { text: string, said: string }>} Settings by their labels; `said` has the setting and its value */
/** @typedef {{ type: string, x: any, y: any, more: Record<string, any> }} Curve */
/** @typedef {{ look: number, axes: string, settings: Settings, curves: Curve[] }} Pin */

/** @typedef {object} Place
 * @property {(name: string) => any} plotOf the figure of a name
 * @property {(name: string) => Element | undefined} headOf what stands above it, with its key
 * @property {() => Settings} settings the present ones
 * @property {() => void} changed called when pins came or went
 */

export class Pins {
  /** @type {any} */ page;
  isDue = false;

  /** @param {Place} page */
  constructor(page) {
    this.page = page;
    /** @type {Map<string, Pin[]>} of each figure by its name */
    this.kept = new Map();
    /** @type {WeakMap<any, Map<Pin, any[]>>} the renderers of those that a figure shows */
    this.drawn = new WeakMap();
  }

  /**
   * Keep what a figure shows; the oldest of three goes. Whether there was anything to keep.
   * @param {any} name
   */
  pin(name) {
    const plot = this.page.plotOf(name);
    const curves = plot ? curvesOf(plot) : [];
    if (!curves.length) return false;
    const kept = (this.kept.get(name) ?? []).slice(1 - MOST);
    const look = LOOKS.findIndex((_, k) => kept.every((each) => each.look !== k));
    this.kept.set(name, [...kept, { look, axes: axesOf(plot), settings: this.page.settings(), curves }]);
    this.painted(plot);
    return true;
  }

  /** @param {any} name */
  unpin(name) {
    this.kept.set(name, []);
    this.painted(this.page.plotOf(name));
  }

  /**
   * A figure was painted, perhaps one that took the place of another: what is pinned on these axes is in it.
   * @param {any} plot
   */
  painted(plot) {
    const kept = this.kept.get(plot.name);
    if (!kept) return;
    const axes = axesOf(plot);
    const pins = kept.filter((each) => each.axes === axes);
    const before = this.drawn.get(plot) ?? new Map();
    if (before.size !== pins.length || pins.some((pin) => !before.has(pin))) {
      const gone = [...before.values()].flat();
      const drawn = new Map(
        pins.map((pin) => [pin, pin.curves.map((curve) => rendererOf(plot, curve, LOOKS[pin.look], this.page))]),
      );
      this.drawn.set(plot, drawn);
      plot.setv(
        {
          renderers: [
            ...[...drawn.values()].flat(),
            ...plot.renderers.filter((/** @type {any} */ each) => !gone.includes(each)),
          ],
        },
        HERE,
      );
      this.page.changed();
    }
    if (this.isDue) return;
    this.isDue = true;
    setTimeout(() => this.nameAll(), SHOWN_MS);
  }

  /** Beside the key of each figure stand the names of its pins. */
  nameAll() {
    this.isDue = false;
    const now = this.page.settings();
    for (const [name, kept] of this.kept) {
      const head = this.page.headOf(name);
      const drawn = this.drawn.get(this.page.plotOf(name));
      if (!head || !drawn) continue;
      const differ = differing([now, ...kept.map(({ settings }) => settings)]);
      const entries = [];
      for (const [pin, renderers] of drawn) {
        const text = ["pinned", saidOf(pin, differ)].filter(Boolean).join(": ");
        for (const each of renderers) each.setv({ name: text }, HERE);
        entries.push(entryOf(LOOKS[pin.look].dash, text));
      }
      putEntries(head, entries, name);
    }
  }
}

// The server does not learn what is pinned in a browser.
const HERE = { sync: false };

/** @param {any} plot */
function axesOf(plot) {
  return [...plot.below, ...plot.left].map(({ axis_label }) => axis_label ?? "").join("\n");
}

/**
 * What a figure shows, as it is now: its curves, else its points. Guides of two points and what lies below all else stay out.
 * @param {any} plot @returns {Curve[]}
 */
function curvesOf(plot) {
  for (const kind of KINDS) {
    const found = [];
    for (const { visible, level, glyph, data_source, x_range_name, y_range_name } of plot.renderers) {
      if (!visible || level === "underlay" || !(glyph?.type in kind)) continue;
      const [x, y] = kind[glyph.type].map((place) => copied(data_source.data[glyph[place]?.field]));
      if (x && y && count(y) >= LEAST_POINTS)
        found.push({ type: glyph.type, x, y, more: { x_range_name, y_range_name } });
    }
    if (found.length) return found;
  }
  return [];
}

/** @param {any} column */
function copied(column) {
  return column && Array.from(column, (each) => (typeof each === "object" && each !== null ? Array.from(each) : each));
}

/** @param {any[]} column */
function count(column) {
  return column.flat().filter(Number.isFinite).length;
}

/** @param {any} plot @param {Curve} curve @param {typeof LOOKS[0]} look @param {Place} place */
function rendererOf(plot, { type, x, y, more }, { dash, marker }, { headOf }) {
  const { Models } = bokehFor(plot);
  const make = (/** @type {string} */ name, /** @type {object} */ values) => new (Models.get(name))(values);
  const lineColor = getComputedStyle(headOf(plot.name) ?? document.body)
    .getPropertyValue("--wb-pin")
    .trim();
  const line = { line_color: lineColor, line_dash: dash, line_width: 2 };
  const kind = type === "VBar" ? "Scatter" : type;
  const many = type === "MultiLine";
  const places = many ? { xs: { field: "x" }, ys: { field: "y" } } : { x: { field: "x" }, y: { field: "y" } };
  const looks =
    kind === "Scatter" ? { marker, size: 9, fill_color: null, line_color: lineColor, line_width: 1.5 } : line;
  const dataSource = make("ColumnDataSource", { data: { x, y } });
  const glyph = make(kind, { ...places, ...looks });
  return make("GlyphRenderer", { ...more, data_source: dataSource, glyph, level: "underlay", muted: false });
}

/**
 * The labels of the settings that are not the same in all of these that have them.
 * @param {Settings[]} all
 */
function differing(all) {
  const labels = new Set(all.flatMap((each) => [...each.keys()]));
  return [...labels].filter((label) => new Set(all.flatMap((each) => each.get(label)?.text ?? [])).size > 1);
}

/** @param {Pin} pin @param {string[]} differ */
function saidOf({ settings }, differ) {
  const said = differ.flatMap((label) => settings.get(label)?.said ?? []);
  return said.slice(0, MOST_NAMED).join(", ") + (said.length > MOST_NAMED ? " …" : "");
}

/** @param {string} dash @param {string} text */
function entryOf(dash, text) {
  const entry = document.createElement("span");
  const stroke = document.createElement("i");
  stroke.style.borderTop = `3px ${dash} var(--wb-pin)`;
  entry.append(stroke, text);
  return entry;
}

/** @param {Element} head @param {Element[]} entries @param {string} name */
function putEntries(head, entries, name) {
  const html = entries.map((each) => each.outerHTML).join("");
  let box = /** @type {HTMLElement | null} */ (head.querySelector(".wb-pins"));
  if (!box) {
    box = document.createElement("span");
    box.className = "wb-key wb-pins";
    head.append(box);
  }
  if (box.dataset.said === html) return;
  box.dataset.said = html;
  const button = document.createElement("button");
  Object.assign(button, { type: "button", textContent: "Unpin" });
  Object.assign(button.dataset, { do: "unpin", figure: name });
  box.replaceChildren(...entries, ...(entries.length ? [button] : []));
}
