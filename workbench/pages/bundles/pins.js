// Made of workbench/pages/runtime/entries/pins.js and what it imports: change those, and run: python -m workbench.pages.bundling
const { Pins } = (() => {
"use strict";
// pins.js
var MOST = 3;
var MOST_NAMED = 2;
var LEAST_POINTS = 3;
var SHOWN_MS = 100;
var LOOKS = [
  { dash: "dashed", marker: "circle" },
  { dash: "dotted", marker: "square" },
  { dash: "solid", marker: "triangle" }
];
var KINDS = [
  { Line: ["x", "y"], Step: ["x", "y"], MultiLine: ["xs", "ys"] },
  { Scatter: ["x", "y"], VBar: ["x", "top"] }
];
var Pins = class {
  /** @param {Place} page */
  constructor(page) {
    this.page = page;
    this.kept = /* @__PURE__ */ new Map();
    this.drawn = /* @__PURE__ */ new WeakMap();
    this.is_due = false;
  }
  /**
   * Keep what a figure shows; the oldest of three goes. Whether there was anything to keep.
   * @param {string} name
   */
  pin(name) {
    const plot = this.page.plot_of(name), curves = plot ? curves_of(plot) : [];
    if (!curves.length) return false;
    const kept = (this.kept.get(name) ?? []).slice(1 - MOST);
    const look = LOOKS.findIndex((_, k) => kept.every((each) => each.look !== k));
    this.kept.set(name, [...kept, { look, axes: axes_of(plot), settings: this.page.settings(), curves }]);
    this.painted(plot);
    return true;
  }
  /** @param {string} name */
  unpin(name) {
    this.kept.set(name, []);
    this.painted(this.page.plot_of(name));
  }
  /**
   * A figure was painted, perhaps one that took the place of another: what is pinned on these axes is in it.
   * @param {any} plot
   */
  painted(plot) {
    const kept = this.kept.get(plot.name);
    if (!kept) return;
    const axes = axes_of(plot), pins = kept.filter((each) => each.axes === axes), before = this.drawn.get(plot) ?? /* @__PURE__ */ new Map();
    if (before.size !== pins.length || pins.some((pin) => !before.has(pin))) {
      const gone = [...before.values()].flat(), drawn = new Map(pins.map((pin) => [pin, pin.curves.map((curve) => renderer_of(curve, LOOKS[pin.look]))]));
      this.drawn.set(plot, drawn);
      plot.setv({ renderers: [...[...drawn.values()].flat(), ...plot.renderers.filter((each) => !gone.includes(each))] }, HERE);
      this.page.changed();
    }
    if (this.is_due) return;
    this.is_due = true;
    setTimeout(() => this.name_all(), SHOWN_MS);
  }
  /** Beside the key of each figure stand the names of its pins. */
  name_all() {
    this.is_due = false;
    const now = this.page.settings();
    for (const [name, kept] of this.kept) {
      const head = this.page.head_of(name), drawn = this.drawn.get(this.page.plot_of(name));
      if (!head || !drawn) continue;
      const differ = differing([now, ...kept.map(({ settings }) => settings)]), entries = [];
      for (const [pin, renderers] of drawn) {
        const text = ["pinned", said_of(pin, differ)].filter(Boolean).join(": ");
        for (const each of renderers) each.setv({ name: text }, HERE);
        entries.push(entry_of(LOOKS[pin.look].dash, text));
      }
      put_entries(head, entries, name);
    }
  }
};
var HERE = { sync: false };
function axes_of(plot) {
  return [...plot.below, ...plot.left].map(({ axis_label }) => axis_label ?? "").join("\n");
}
function curves_of(plot) {
  for (const kind of KINDS) {
    const found = [];
    for (const { visible, level, glyph, data_source, x_range_name, y_range_name } of plot.renderers) {
      if (!visible || level === "underlay" || !(glyph?.type in kind)) continue;
      const [x, y] = kind[glyph.type].map((place) => copied(data_source.data[glyph[place]?.field]));
      if (x && y && count(y) >= LEAST_POINTS) found.push({ type: glyph.type, x, y, more: { x_range_name, y_range_name } });
    }
    if (found.length) return found;
  }
  return [];
}
function copied(column) {
  return column && Array.from(column, (each) => typeof each === "object" && each !== null ? Array.from(each) : each);
}
function count(column) {
  return column.flat().filter(Number.isFinite).length;
}
function renderer_of({ type, x, y, more }, { dash, marker }) {
  const make = (name, values) => new (Bokeh.Models.get(name))(values);
  const line_color = getComputedStyle(document.body).getPropertyValue("--wb-pin").trim(), line = { line_color, line_dash: dash, line_width: 2 };
  const kind = type === "VBar" ? "Scatter" : type, many = type === "MultiLine";
  const places = many ? { xs: { field: "x" }, ys: { field: "y" } } : { x: { field: "x" }, y: { field: "y" } };
  const looks = kind === "Scatter" ? { marker, size: 9, fill_color: null, line_color, line_width: 1.5 } : line;
  const data_source = make("ColumnDataSource", { data: { x, y } }), glyph = make(kind, { ...places, ...looks });
  return make("GlyphRenderer", { ...more, data_source, glyph, level: "underlay", muted: false });
}
function differing(all) {
  const labels = new Set(all.flatMap((each) => [...each.keys()]));
  return [...labels].filter((label) => new Set(all.flatMap((each) => each.get(label)?.text ?? [])).size > 1);
}
function said_of({ settings }, differ) {
  const said = differ.flatMap((label) => settings.get(label)?.said ?? []);
  return said.slice(0, MOST_NAMED).join(", ") + (said.length > MOST_NAMED ? " …" : "");
}
function entry_of(dash, text) {
  const entry = document.createElement("span"), stroke = document.createElement("i");
  stroke.style.borderTop = `3px ${dash} var(--wb-pin)`;
  entry.append(stroke, text);
  return entry;
}
function put_entries(head, entries, name) {
  const html = entries.map((each) => each.outerHTML).join("");
  let box = (
    /** @type {HTMLElement | null} */
    head.querySelector(".wb-pins")
  );
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
  box.replaceChildren(...entries, ...entries.length ? [button] : []);
}
return { Pins };
})();
