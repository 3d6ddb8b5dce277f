// Made of workbench/pages/entries/shared.js and what it imports: change those, and run: python -m workbench.pages.bundling
// runtime/repaint.js
try {
  const { InlineStyleSheet } = Bokeh.require("core/dom"), { PlotView } = Bokeh.require("models/plots/plot_canvas");
  const { _update: write_sheet } = InlineStyleSheet.prototype, { _invalidate_layout_if_needed: lay_out } = PlotView.prototype;
  InlineStyleSheet.prototype._update = function write_if_changed(css) {
    if (this.css !== css) write_sheet.call(this, css);
  };
  Bokeh.require("core/visuals/visual").VisualProperties.prototype._get_css_value = () => "";
  PlotView.prototype._invalidate_layout_if_needed = function lay_out_if_shown() {
    if (this.is_displayed) lay_out.call(this);
  };
} catch {
}

// runtime/slow_drags.js
try {
  Bokeh.require("core/ui_gestures").UIGestures.press_threshold = 2 ** 31 - 1;
} catch {
}

// runtime/figure_looks.js
try {
  const { prototype } = Bokeh.require("models/glyphs/image_base").ImageBaseView, { _paint: paint } = prototype;
  prototype._paint = function paint_smooth(context, ...rest) {
    const name = "imageSmoothingEnabled";
    Object.defineProperty(context, name, { get: () => true, set: () => {
    }, configurable: true });
    try {
      return paint.call(this, context, ...rest);
    } finally {
      delete context[name];
    }
  };
} catch {
}
try {
  const { prototype } = Bokeh.require("models/canvas/canvas").CanvasView, { initialize } = prototype;
  prototype.initialize = function initialize_without_stop() {
    initialize.call(this);
    this.events_el.tabIndex = -1;
  };
} catch {
}

// runtime/deep.js
function deep(selector, root = document, found = []) {
  found.push(...root.querySelectorAll(selector));
  for (const element of root.querySelectorAll("*")) if (element.shadowRoot) deep(selector, element.shadowRoot, found);
  return found;
}

// runtime/motion.js
var STILL = new CSSStyleSheet();
STILL.replaceSync("@media (prefers-reduced-motion: reduce) { *, ::before, ::after { animation: none !important; transition: none !important; } }");
function hold_still(root) {
  if (!root.adoptedStyleSheets.includes(STILL)) root.adoptedStyleSheets.push(STILL);
}
function hold_all_still() {
  for (const root of [document, ...deep("*").flatMap(({ shadowRoot }) => shadowRoot ?? [])]) hold_still(root);
}
var { attachShadow: attach } = Element.prototype;
Element.prototype.attachShadow = function attach_still(...options) {
  const root = attach.apply(this, options);
  hold_still(root);
  return root;
};
hold_all_still();

// runtime/pins.js
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
    const axes = axes_of(plot), pins2 = kept.filter((each) => each.axes === axes), before = this.drawn.get(plot) ?? /* @__PURE__ */ new Map();
    if (before.size !== pins2.length || pins2.some((pin2) => !before.has(pin2))) {
      const gone = [...before.values()].flat(), drawn = new Map(pins2.map((pin2) => [pin2, pin2.curves.map((curve) => renderer_of(curve, LOOKS[pin2.look]))]));
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
      for (const [pin2, renderers] of drawn) {
        const text = ["pinned", said_of(pin2, differ)].filter(Boolean).join(": ");
        for (const each of renderers) each.setv({ name: text }, HERE);
        entries.push(entry_of(LOOKS[pin2.look].dash, text));
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
function copied(column2) {
  return column2 && Array.from(column2, (each) => typeof each === "object" && each !== null ? Array.from(each) : each);
}
function count(column2) {
  return column2.flat().filter(Number.isFinite).length;
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
  const button2 = document.createElement("button");
  Object.assign(button2, { type: "button", textContent: "Unpin" });
  Object.assign(button2.dataset, { do: "unpin", figure: name });
  box.replaceChildren(...entries, ...entries.length ? [button2] : []);
}

// runtime/save.js
function figures(name) {
  const models = Bokeh.documents.flatMap((document2) => [...document2._all_models.values()]);
  const found = models.filter((model) => model.type === "Figure" && model.name === name);
  return found.find((model) => Bokeh.index.find_one(model)) ?? found[0];
}
var LOOKS2 = /^(colou?rs?|fill|edge|marker|hatch|width|dash|alpha|size|image|d[wh])$/;
function column(glyph, names, data) {
  for (const name of names) {
    const field = glyph[name]?.field ?? glyph[name];
    if (typeof field === "string" && field in data) return field;
  }
}
function points({ glyph, data_source: { data } }, name) {
  const x = column(glyph, ["x", "xs", "x0"], data);
  const y = column(glyph, ["y", "ys", "y0", "top", "y1"], data);
  const curve = name ?? y;
  if (glyph.type === "Image" || data.image) return image_points(curve, data);
  if (!x || !y) return [];
  const ends = { x: column(glyph, ["x1"], data), y: column(glyph, ["y1"], data) };
  const used = /* @__PURE__ */ new Set([x, y, ends.x, ends.y]);
  const more = Object.keys(data).filter((key) => !used.has(key) && !LOOKS2.test(key) && !is_list(data[key][0]));
  return Array.from(data[x], (_, row) => {
    const rest = Object.fromEntries(more.map((key) => [key, data[key][row]]));
    const at = (a, b, part = row) => ({ curve, part, x: a, y: b, ...rest });
    if (is_list(data[x][row])) return Array.from(data[x][row], (value, k) => at(value, data[y][row][k]));
    const end = ends.x && ends.y ? [at(data[ends.x][row], data[ends.y][row])] : [];
    return [at(data[x][row], data[y][row]), ...end];
  }).flat().map(({ part, ...row }) => is_list(data[x][0]) || ends.x ? { ...row, part } : row);
}
var is_list = (value) => Array.isArray(value) || ArrayBuffer.isView(value);
function image_points(curve, { image, x, y, dw, dh }) {
  const values = Array.from(image[0] ?? []);
  const rows = is_list(values[0]) ? values.map((row) => Array.from(row)) : in_rows(values, image[0]);
  return rows.flatMap((row, j) => row.map((value, i) => ({
    curve: curve ?? "value",
    x: x[0] + dw[0] * (i + 0.5) / row.length,
    y: y[0] + dh[0] * (j + 0.5) / rows.length,
    value
  })));
}
function in_rows(values, { shape }) {
  const wide = shape?.[1] ?? Math.round(Math.sqrt(values.length));
  return Array.from({ length: values.length / wide }, (_, j) => values.slice(j * wide, (j + 1) * wide));
}
function figure_rows(renderers, named = ({ name }) => name) {
  const seen = /* @__PURE__ */ new Set();
  return renderers.filter(({ visible, data_source }) => visible !== false && data_source?.data).flatMap((renderer) => {
    const found = points(renderer, named(renderer));
    const key = JSON.stringify(found.map(({ curve, ...row }) => row));
    if (seen.has(key)) return [];
    seen.add(key);
    return found;
  });
}
function table(renderers) {
  const rows = figure_rows(renderers), names = [.../* @__PURE__ */ new Set(["curve", "x", "y", ...rows.flatMap(Object.keys)])];
  const cell = (value) => /[",\n]/.test(String(value)) ? `"${String(value).replaceAll('"', '""')}"` : String(value ?? "");
  return `${[names, ...rows.map((row) => names.map((name) => row[name]))].map((row) => row.map(cell).join(",")).join("\n")}
`;
}
var xml = (text) => String(text).replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");
var HEAD = 52;
var FOOT = 26;
var DASHES = { solid: "", dashed: "7 4", dotted: "2 3" };
function framed(inside, { width, height }, { title, key, address, ink, paper }) {
  let left = 12;
  const entries = key.map(({ text, dash, colour }) => {
    const entry = `<path d="M${left} 38h22" stroke="${xml(colour)}" stroke-width="3" stroke-dasharray="${DASHES[dash] ?? ""}"/><text x="${left + 27}" y="42" font-size="12">${xml(text)}</text>`;
    left += 45 + 7 * text.length;
    return entry;
  });
  const [wide, tall] = [Math.max(width, left), height + HEAD + FOOT];
  const picture2 = inside.replace(/^<\?xml[^>]*>/, "").replace("<svg", `<svg y="${HEAD}"`);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${wide}" height="${tall}" viewBox="0 0 ${wide} ${tall}" font-family="Inter, system-ui, sans-serif" fill="${xml(ink)}"><rect width="100%" height="100%" fill="${xml(paper)}"/><text x="12" y="21" font-size="15" font-weight="600">${xml(title)}</text>${entries.join("")}${picture2}<text x="12" y="${tall - 9}" font-size="10">${xml(address)}</text></svg>`;
}
function key_of(head) {
  return [...head.querySelectorAll(".wb-key > span")].map((entry) => {
    const { borderTopStyle, borderTopColor } = getComputedStyle(entry.querySelector("i") ?? entry);
    return { text: entry.textContent, dash: borderTopStyle, colour: borderTopColor };
  });
}
async function picture(plot, button2) {
  const view = Bokeh.index.find_one(plot);
  const inside = await (await view.export("svg").to_blob()).text();
  const size = { width: view.bbox.width, height: view.bbox.height }, head = button2.closest(".wb-head");
  const colours = { paper: plot.background_fill_color ?? "white", ink: getComputedStyle(head).color };
  const told = { title: head.querySelector("h2").textContent, key: key_of(head), address: location.href };
  const text = framed(inside, size, { ...told, ...colours });
  return new Blob([text], { type: "image/svg+xml" });
}
var SCALE = 2;
async function raster(svg) {
  const image = new Image();
  image.src = URL.createObjectURL(svg);
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [SCALE * image.naturalWidth, SCALE * image.naturalHeight];
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(image.src);
  return new Promise((done) => {
    canvas.toBlob(done, "image/png");
  });
}
async function save(button2) {
  const { figure: name, kind } = button2.dataset;
  const plot = figures(name);
  if (!plot) return;
  let blob;
  if (kind === "csv") blob = new Blob([table(plot.renderers)], { type: "text/csv" });
  else {
    const svg = await picture(plot, button2);
    blob = kind === "png" ? await raster(svg) : svg;
  }
  download(blob, `${name}.${kind}`);
}
function download(blob, name) {
  const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1e3);
}
function notebook(button2, tries = 100) {
  const source = deep(".wb-code")[0]?.textContent, [title] = document.title.split(" · ");
  if (!source) {
    if (tries) setTimeout(notebook, 100, button2, tries - 1);
    return;
  }
  const cells = [
    { id: "state", cell_type: "markdown", metadata: {}, source: `# ${title}

The state of ${location.href}` },
    { id: "code", cell_type: "code", metadata: {}, source, execution_count: null, outputs: [] }
  ];
  const kernelspec = { name: "python3", display_name: "Python 3", language: "python" };
  const text = JSON.stringify({ cells, metadata: { kernelspec }, nbformat: 4, nbformat_minor: 5 }, null, 1);
  download(new Blob([text], { type: "application/x-ipynb+json" }), `${title.toLowerCase().replace(/\W+/g, "-")}.ipynb`);
}
function toggle({ dataset: { key, on } }) {
  const address = new URL(location);
  if (address.searchParams.get(key) === on) address.searchParams.delete(key);
  else address.searchParams.set(key, on);
  location.assign(address);
}
function obey(actions) {
  const listener = (event) => {
    const button2 = event.composedPath().find((element) => element.dataset?.do);
    actions[button2?.dataset.do]?.(button2);
  };
  document.addEventListener("click", listener);
  return () => document.removeEventListener("click", listener);
}
async function copy(button2, code = button2.parentElement.querySelector("pre").textContent) {
  await navigator.clipboard.writeText(code).catch(() => copyByHand(code));
  const text = button2.textContent;
  button2.textContent = "Copied";
  setTimeout(() => {
    button2.textContent = text;
  }, 1600);
}
function embed_code(button2) {
  const address = new URL(location), hidden = address.searchParams.get("hide");
  address.searchParams.set("hide", [.../* @__PURE__ */ new Set([...hidden?.split(",") ?? [], "nav"])].join(","));
  return copy(button2, `<iframe src="${xml(address.href)}" title="${xml(document.title)}" width="100%" height="720" style="border: 0" loading="lazy" allow="clipboard-write; fullscreen"></iframe>`);
}
function copyByHand(text) {
  const box = document.createElement("textarea");
  box.value = text;
  document.body.append(box);
  box.select();
  document.execCommand("copy");
  box.remove();
}

// runtime/projector.js
var PROJECTOR = { width: 1920, height: 1080, type: 28, line: 4, desk: 12, mark: 1.8 };
var UNSEEN = "position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); font-size: 0.75rem";
var LEAST_SCALE = PROJECTOR.desk / PROJECTOR.type;
var NARROW = 800;
function figure_names() {
  return [...new Set(deep(".wb-save [data-figure]").map((button2) => button2.dataset.figure))];
}
function head_of(name) {
  return deep(`.wb-save [data-figure="${name}"]`)[0]?.closest(".wb-head");
}
function card_of(name) {
  return card_around(head_of(name));
}
function card_around(element) {
  while (element) {
    const above = element.parentElement ?? element.getRootNode().host;
    const others = above && [...element.parentNode.children].some((each) => each !== element && !each.matches("style, link"));
    if (others && getComputedStyle(above).display === "grid") return element;
    element = above;
  }
}
function unfold(button2) {
  const fold = button2.getRootNode().host ?? button2.parentElement;
  button2.setAttribute("aria-expanded", fold.classList.toggle("open"));
  requestAnimationFrame(() => figure_names().forEach((name) => Bokeh.index.find_one(figures(name))?.invalidate_layout()));
}
function has(element, selector) {
  return element.matches(selector) || deep(selector, element).length > 0 || Boolean(element.shadowRoot && deep(selector, element.shadowRoot).length);
}
var desk_looks = /* @__PURE__ */ new WeakMap();
function grow(plot, scale) {
  const sides = ["left", "below", "right", "above", "center"].flatMap((side) => plot[side]);
  const glyphs = plot.renderers.flatMap((each) => [each.glyph, each.selection_glyph, each.nonselection_glyph, each.muted_glyph, each.hover_glyph, each]);
  for (const model of [plot, plot.title, ...sides, ...glyphs]) {
    if (typeof model !== "object" || model === null || model === "auto") continue;
    const kept = desk_looks.get(model) ?? {}, next = {};
    for (const { attr: name } of model) {
      const factor = grown_by(model, name, scale);
      if (!factor) continue;
      const now = model[name], was = kept[name];
      if (was && same(was.set, now) && was.scale === scale) continue;
      const desk = was && same(was.set, now) ? was.desk : now, set = scale ? resized(desk, factor) : desk;
      kept[name] = { desk, set, scale };
      if (!same(set, now)) next[name] = set;
    }
    desk_looks.set(model, kept);
    if (Object.keys(next).length) model.setv(next, { sync: false });
  }
}
function grown_by(model, name, scale = 1) {
  if (/font_size$/.test(name)) return (size) => size && Math.max(PROJECTOR.type * scale, size * (PROJECTOR.type / PROJECTOR.desk) * scale);
  if (name === "min_border_right") return (size) => 3 * size * scale;
  if (name === "size" && model.type === "Scatter") return (size) => size * PROJECTOR.mark * scale;
  if (!/line_width$/.test(name)) return null;
  const least = /Line|Step|Segment|Ray/.test(model.type) ? PROJECTOR.line * scale : 0;
  return (width) => width && Math.max(least, width * PROJECTOR.mark * scale);
}
function same(a, b) {
  return a === b || typeof a === "object" && a && b && a.field === b.field && a.value === b.value && a.transform === b.transform;
}
function resized(value, factor) {
  if (typeof value === "number") return factor(value);
  const [, size, unit] = /^([\d.]+)(px|em)$/.exec(value) ?? [];
  if (unit) return `${factor(size * (unit === "em" ? PROJECTOR.desk : 1)).toFixed(1)}px`;
  if (value?.field && !value.transform) {
    const x = [0, 0.01, 1, 2, 4, 8, 100];
    return { ...value, transform: new (Bokeh.Models.get("LinearInterpolator"))({ x, y: x.map(factor) }) };
  }
  if (value && value.value !== void 0) return { ...value, value: resized(value.value, factor) };
  return value;
}
function element_of(tag, properties = {}, ...content) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...content);
  return element;
}
function button(text, label, pressed) {
  const element = element_of("button", { type: "button", textContent: text, title: label });
  element.addEventListener("click", pressed);
  return element;
}
function all_sliders() {
  const models = Bokeh.documents.flatMap((each) => [...each._all_models.values()]), found = [];
  for (const model of models) {
    if (model.type === "Slider" && !Bokeh.index.find_one(model)) continue;
    if (model.type === "Slider") {
      const { title: label, start, end, step: step2, value } = model;
      found.push({ label, start, end, step: step2, value, text: numerals_of(value), set: (to) => {
        model.value = to;
      } });
    } else if (/Slider/.test(model.esm_constants?.[0] ?? model.class_name ?? "") || is_panel_slider(model)) {
      const { data } = model, listed = Array.isArray(data.options) && data.options.length ? data.options : null;
      if (data.visible === false || data.disabled) continue;
      const [start, end, step2] = listed ? [0, listed.length - 1, 1] : [data.start, data.end, data.step ?? (data.end - data.start) / 100];
      found.push({
        label: data.label ?? data.name,
        start,
        end,
        step: step2,
        value: data.value,
        text: listed ? String(listed[data.value]) : numerals_of(data.value),
        set: (to) => data.setv({ value: to, value_throttled: to })
      });
    }
  }
  for (const input of document.querySelectorAll(".x-control input[type=range]")) {
    const label = input.labels?.[0]?.textContent.trim() ?? input.getAttribute("aria-label") ?? input.name;
    found.push({
      label,
      start: Number(input.min),
      end: Number(input.max),
      step: Number(input.step) || 1,
      value: Number(input.value),
      text: input.getAttribute("aria-valuetext") ?? input.value,
      set: (to) => {
        input.value = to;
        input.dispatchEvent(new Event("input", { bubbles: true }));
      }
    });
  }
  return found;
}
function all_settings() {
  const found = /* @__PURE__ */ new Map(), add = (label, text, said = text) => found.set(label, { text, said });
  const put = (label, value) => label && add(label, String(value), typeof value === "boolean" ? `${label} ${value ? "on" : "off"}` : String(value));
  for (const model of Bokeh.documents.flatMap((each) => [...each._all_models.values()])) {
    const { data } = model;
    if (data && !("clicks" in data) && ["string", "boolean"].includes(typeof data.value) && data.visible !== false && !data.disabled) put(data.label || data.name, data.value);
    if (model.type === "Toggle" && Bokeh.index.find_one(model)) put(model.label, model.active);
  }
  for (const list of document.querySelectorAll(".x-control select, #x-entry")) put(list.labels?.[0]?.textContent.trim() ?? list.name, list.selectedOptions[0].textContent);
  for (const { label, text } of all_sliders()) add(label, text, `${/^\S{1,2}(?=[ ,:]|$)/.exec(label)?.[0].replace(/[,:]$/, "") ?? label} = ${text}`);
  return found;
}
function is_panel_slider({ data }) {
  return Boolean(data && "value_throttled" in data && "start" in data && typeof data.value === "number" && "tooltips" in data);
}
function numerals_of(value) {
  return String(Number(Number(value).toPrecision(4))).replace("-", "−");
}
var DRAWN_AS = { "": "solid", solid: "solid", 6: "dashed", dashed: "dashed", "2,4": "dotted", dotted: "dotted" };
var LABEL_MS = 100;
var TRIED = 40;
var Projector = class {
  // `page` is what the projector stands in front of: `pair`, the figures shown first; `said`, its thesis; `changed`, called when
  // other figures are chosen; `leave`, where it can be left.
  constructor(page) {
    this.page = page;
    this.names = page.pair ?? [];
    this.kept = /* @__PURE__ */ new Map();
    this.hidden = [];
    this.slider = "";
    const half = (k) => {
      const choice = element_of("select", { ariaLabel: k ? "Right figure" : "Left figure" });
      choice.addEventListener("input", () => {
        this.choose(k, choice.value);
        choice.blur();
      });
      return { choice, key: element_of("span", { className: "wb-key" }), place: element_of("div", { className: "place" }), labels: [] };
    };
    this.halves = [half(0), half(1)];
    this.text = element_of("div", { className: "wb-story", role: "status" });
    this.picked = element_of("select", { ariaLabel: "Slider" });
    this.picked.addEventListener("input", () => {
      this.slider = this.picked.value;
      this.picked.blur();
      this.show_slider();
    });
    this.range = element_of("input", { type: "range" });
    this.range.addEventListener("input", () => {
      this.current?.set(Number(this.range.value));
      this.show_slider();
    });
    this.value = element_of("output");
    this.switches = element_of("span", { className: "switches" });
    for (const [key, text, label] of (page.keys ?? []).filter(([, each]) => each)) this.switches.append(button(text, `${label} (key ${key})`, () => page.press(key)));
    const strip = element_of("div", { className: "strip" }, this.picked, this.range, this.value, this.switches);
    const halves = this.halves.map(({ choice, key, place }) => element_of("div", { className: "half" }, element_of("div", { className: "title" }, choice, key), place));
    const title = element_of("h1", { style: UNSEEN, textContent: document.title.split(" · ")[0] });
    this.box = element_of("main", { id: "wb-projector", ariaLabel: "Projector" }, title, this.text, ...halves, strip);
    this.sizes = new ResizeObserver(() => this.compose_soon());
    this.halves.forEach(({ place }) => this.sizes.observe(place));
    this.resize = () => this.compose();
    open_projector = this;
    document.body.append(this.box);
    document.body.classList.add("wb-projector");
    addEventListener("resize", this.resize);
    this.watch = setInterval(() => {
      this.show_slider();
      if (!this.stands) this.compose();
    }, 2 * LABEL_MS);
    this.say(page.said ?? "");
    this.compose();
    this.cover();
  }
  get scale() {
    return Math.max(LEAST_SCALE, Math.min(innerWidth / PROJECTOR.width, innerHeight / PROJECTOR.height));
  }
  // The names of the figures that are shown, two of those that there are.
  get shown() {
    const all = figure_names(), wanted = [...this.names.filter((each) => all.includes(each)), ...all];
    return [...new Set(wanted)].slice(0, innerWidth < NARROW ? 1 : 2);
  }
  say(text, place = "") {
    this.text.replaceChildren(text, place ? element_of("span", { textContent: ` ${place}` }) : "");
  }
  // Whether the figures in both halves are those of the page, which may have been drawn anew before their titles stood.
  get stands() {
    const names = this.shown;
    return names.every((name, k) => this.halves[k].name === name && this.kept.get(name)?.card.isConnected && this.kept.get(name).plot === figures(name));
  }
  // Another figure in one half; where it stands in the other half, the two change places.
  choose(k, name) {
    const next = [...this.shown];
    if (next[1 - k] === name) next[1 - k] = next[k];
    next[k] = name;
    this.names = next;
    this.compose();
    this.page.changed?.(next);
  }
  compose() {
    const names = this.shown, { scale } = this;
    document.documentElement.style.fontSize = `${16 * PROJECTOR.type * scale / PROJECTOR.desk}px`;
    this.box.classList.toggle("one", names.length < 2);
    for (const each of deep("[style*='visibility: visible']")) if (!each.style.position) each.style.visibility = "inherit";
    for (const [name, { card, style, plot, height, styles }] of this.kept) {
      if (names.includes(name) && card === card_of(name) && plot === figures(name)) continue;
      card.style.cssText = style;
      plot.setv({ height, styles }, { sync: false });
      this.kept.delete(name);
    }
    this.show_slider();
    this.halves.forEach((half, k) => this.place(half, names[k], scale));
    this.show_panel();
  }
  compose_soon() {
    this.due ??= requestAnimationFrame(() => {
      this.due = null;
      if (open_projector === this) this.compose();
    });
  }
  place(half, name, scale) {
    const card = name && card_of(name), plot = card && figures(name), view = plot && Bokeh.index.find_one(plot);
    const titles = figure_names().map((each) => [each, head_of(each).querySelector("h2").textContent]);
    if (JSON.stringify(titles) !== half.titles) {
      half.titles = JSON.stringify(titles);
      half.choice.replaceChildren(...titles.map(([value, textContent]) => element_of("option", { value, textContent })));
    }
    half.choice.value = name ?? "";
    if (half.name !== name) this.unlabel(half);
    half.name = name;
    if (!view) return;
    if (!this.kept.has(name)) {
      this.kept.set(name, { card, style: card.style.cssText, plot, view, height: plot.height, styles: plot.styles });
      for (const each of (card.shadowRoot ?? card).children) if (!has(each, ".bk-Figure")) this.sizes.observe(each);
    }
    for (const each of (card.shadowRoot ?? card).children) {
      const says = !has(each, ".wb-line, .bk-Figure") && has(each, "p, b, button, summary, label, .wb-note");
      if (each.matches("style, link") || each.style.display === "none" || !says) continue;
      this.hidden.push([each, each.style.display]);
      each.style.display = "none";
    }
    grow(plot, scale);
    const { left, top, width, height } = half.place.getBoundingClientRect(), { display } = getComputedStyle(card);
    const set = (styles) => Object.entries(styles).forEach(([key, value]) => card.style.setProperty(key, value, "important"));
    set({
      position: "fixed",
      visibility: "visible",
      display: display === "none" ? "block" : display,
      left: "0px",
      top: "0px",
      width: `${width}px`,
      height: "auto",
      margin: "0",
      overflow: "hidden auto",
      "z-index": "2",
      "box-sizing": "border-box"
    });
    const from = card.getBoundingClientRect(), rest = from.height - view.el.getBoundingClientRect().height;
    set({ left: `${left - from.left}px`, top: `${top - from.top}px`, height: `${height}px` });
    const room = Math.max(120, Math.floor(height - rest));
    if (plot.height !== room) plot.setv({ height: room, styles: { ...plot.styles, height: `${room}px`, "min-height": "0" } }, { sync: false });
    reached_by_keys(card);
    this.label_soon(half);
  }
  // A figure was painted: another one than before is put in its place, and names follow their curves.
  painted(plot) {
    const half = this.halves.find(({ name }) => name === plot.name) ?? (this.halves.some(({ name }) => !name) && this.halves[0]);
    if (!half) return;
    if (this.kept.get(plot.name)?.plot !== plot) {
      this.compose_soon();
      return;
    }
    this.label_soon(half);
  }
  label_soon(half) {
    half.waiting ??= setTimeout(() => {
      half.waiting = null;
      if (open_projector === this) this.label(half);
    }, LABEL_MS);
  }
  unlabel(half) {
    half.labels.splice(0).forEach(({ element }) => element.remove());
    half.key.replaceChildren();
  }
  // Names of curves stand where no curve runs; what names no curve that is seen stays above the figure.
  label(half) {
    const plot = figures(half.name), view = plot && Bokeh.index.find_one(plot), head = head_of(half.name);
    if (!view?.frame || !head) return;
    if (half.of !== plot) this.capture(half);
    const entries = [...head.querySelectorAll(".wb-key > span")], origin = view.el.getBoundingClientRect(), { bbox } = view.frame;
    const curves = plot.renderers.filter((each) => each.visible && each.glyph).map((each) => curve_seen(view, each, bbox)).filter(({ points: points2 }) => points2.length);
    const taken2 = curves.flatMap(({ points: points2 }) => points2), boxes = [], rest = [];
    if (half.labels.length !== entries.length || half.labels.some(({ text }, k) => text !== entries[k].textContent)) {
      this.unlabel(half);
      half.labels = entries.map((entry) => {
        const element = element_of("span", { className: "name", innerHTML: entry.innerHTML });
        this.box.append(element);
        return { element, text: entry.textContent, at: null };
      });
    }
    half.labels.forEach((label, k) => {
      const { borderTopColor, borderTopStyle } = getComputedStyle(entries[k].querySelector("i") ?? entries[k]);
      const same2 = curves.filter(({ colour }) => colour === borderTopColor);
      const curve = same2.find(({ dash }) => dash === borderTopStyle) ?? same2.find(({ dash }) => dash === null);
      const box = curve && placed(curve.points, label, bbox, taken2, boxes);
      label.element.hidden = !box;
      if (!box) return rest.push(entries[k]);
      boxes.push(box);
      Object.assign(label.element.style, { left: `${origin.left + box.x}px`, top: `${origin.top + box.y}px` });
      return null;
    });
    const html = rest.map((entry) => entry.outerHTML).join("");
    if (half.rest !== html) half.key.innerHTML = half.rest = html;
  }
  // The slider of the lecturer's choice, which moves that of the page.
  show_slider() {
    const sliders = all_sliders(), labels = sliders.map(({ label: label2 }) => label2);
    if (JSON.stringify(labels) !== this.labels) {
      this.labels = JSON.stringify(labels);
      this.picked.replaceChildren(...labels.map((text2) => element_of("option", { value: text2, textContent: text2 })));
    }
    this.current = sliders.find(({ label: label2 }) => label2 === this.slider) ?? sliders[0];
    for (const each of [this.picked, this.range, this.value]) each.hidden = !this.current;
    if (!this.current) return;
    const { label, start, end, step: step2, value, text } = this.current;
    this.picked.value = label;
    Object.assign(this.range, { min: start, max: end, step: step2, ariaLabel: label });
    if (Number(this.range.value) !== value) this.range.value = value;
    this.range.setAttribute("aria-valuetext", text);
    this.value.textContent = text;
  }
  // The card with this title over the figures, or away again; whether there is one.
  turn_panel(title) {
    const head = deep(".wb-card-title").find((each) => each.textContent === title), card = card_around(head);
    if (!card) return false;
    if (this.panel) {
      this.panel.card.style.cssText = this.panel.style;
      this.panel = null;
    } else {
      this.panel = { card, style: card.style.cssText };
      this.show_panel();
    }
    return true;
  }
  show_panel() {
    if (!this.panel) return;
    const { bottom } = this.halves[0].place.getBoundingClientRect();
    const styles = {
      position: "fixed",
      visibility: "visible",
      left: "8vw",
      right: "8vw",
      top: "auto",
      width: "auto",
      height: "auto",
      bottom: `${innerHeight - bottom}px`,
      "max-height": "76vh",
      overflow: "auto",
      "z-index": "4",
      "box-shadow": "0 0 0 3px currentColor"
    };
    for (const [key, value] of Object.entries(styles)) this.panel.card.style.setProperty(key, value, "important");
    reached_by_keys(this.panel.card);
  }
  // A half whose figure is drawn anew keeps the picture before until the other one has its curves, at each frame.
  cover() {
    if (open_projector !== this) return;
    for (const { name, still } of this.halves) {
      const { plot, view } = this.kept.get(name) ?? {};
      if (still) still.hidden = Boolean(view?.el.isConnected && has_curves(plot));
    }
    requestAnimationFrame(() => this.cover());
  }
  // The present picture of a half, to cover it with.
  capture(half) {
    const { plot, view } = this.kept.get(half.name) ?? {};
    if (!view?.el.isConnected || !has_curves(plot)) return;
    const { canvas } = view.export("auto", false), place = half.place.getBoundingClientRect(), { left, top, width } = view.el.getBoundingClientRect();
    const scale = canvas.width / width, still = element_of("canvas", { className: "still", width: scale * place.width, height: scale * place.height, hidden: true });
    still.getContext("2d").drawImage(canvas, scale * (left - place.left), scale * (top - place.top));
    Object.assign(still.style, { left: `${place.left}px`, top: `${place.top}px`, width: `${place.width}px`, height: `${place.height}px` });
    half.still?.remove();
    Object.assign(half, { still, of: plot });
    this.box.prepend(still);
  }
  // The page as it was.
  close() {
    open_projector = null;
    clearInterval(this.watch);
    this.sizes.disconnect();
    removeEventListener("resize", this.resize);
    if (this.panel) this.panel.card.style.cssText = this.panel.style;
    for (const { card, style, plot, height, styles } of this.kept.values()) {
      card.style.cssText = style;
      grow(plot, null);
      plot.setv({ height, styles }, { sync: false });
    }
    for (const [each, display] of this.hidden) each.style.display = display;
    this.box.remove();
    document.body.classList.remove("wb-projector");
    document.documentElement.style.fontSize = "";
  }
};
function reached_by_keys(card) {
  if (card.scrollHeight > card.clientHeight) card.tabIndex = 0;
  else card.removeAttribute("tabindex");
}
var open_projector = null;
function has_curves(plot) {
  return plot.renderers.some(({ visible, data_source }) => visible && Object.values(data_source?.data ?? {}).some((column2) => column2?.length > 2 || column2?.[0]?.length > 2));
}
function curve_seen(view, renderer, { left, right, top, bottom }) {
  const { glyph } = renderer, { sx, sy } = view.views.find_one(renderer)?.glyph ?? {}, { colour, dash } = looks_of(glyph), is_line = dash !== null;
  const points2 = [], count2 = sy ? sx.length : 0, parts = is_line && count2 > 1 ? Math.max(1, Math.ceil(TRIED / count2)) : 1;
  const stride = Math.max(1, Math.floor(count2 / 400));
  for (let k = 0; k < count2; k += stride) {
    for (let part = 0; part < parts; part += 1) {
      const next = Math.min(k + stride, count2 - 1), share2 = part / parts;
      const x = sx[k] + share2 * (sx[next] - sx[k]), y = sy[k] + share2 * (sy[next] - sy[k]);
      if (x >= left && x <= right && y >= top && y <= bottom) points2.push({ x, y });
    }
  }
  return { colour, dash, points: points2 };
}
function looks_of(glyph) {
  const is_line = /Line|Step/.test(glyph.type), dash = String(glyph.line_dash?.value ?? glyph.line_dash ?? "");
  return {
    colour: colour_of((is_line ? glyph.line_color : glyph.fill_color)?.value ?? glyph.line_color?.value),
    dash: is_line ? DRAWN_AS[dash] ?? "solid" : null
  };
}
var probe = /* @__PURE__ */ new Map();
function colour_of(text) {
  if (typeof text !== "string") return null;
  if (!probe.has(text)) {
    const element = element_of("i");
    element.style.color = text.slice(0, 7);
    document.body.append(element);
    probe.set(text, getComputedStyle(element).color);
    element.remove();
  }
  return probe.get(text);
}
function placed(points2, label, { left, right, top, bottom }, taken2, boxes) {
  const { offsetWidth: wide, offsetHeight: tall } = label.element, gap = tall / 4;
  if (!wide) label.element.hidden = false;
  const width = label.element.offsetWidth || wide, height = label.element.offsetHeight || tall;
  let best = null;
  for (let try_ = 0; try_ <= TRIED; try_ += 1) {
    const { x, y } = points2[Math.round((1 - try_ / TRIED) * (points2.length - 1))];
    for (const side of [0, 1, 2, 3]) {
      const box = { x: side % 2 ? x + gap : x - width - gap, y: side < 2 ? y - height - gap : y + gap, width, height };
      if (box.x < left || box.x + width > right || box.y < top || box.y + height > bottom) continue;
      if (boxes.some((other) => meet(box, other))) continue;
      const at = 4 * try_ + side, hit = taken2.filter((point) => point.x > box.x && point.x < box.x + width && point.y > box.y && point.y < box.y + height).length;
      const cost = hit + try_ / 8 - (label.at === at ? 4 : 0);
      if (!best || cost < best.cost) best = { ...box, at, cost };
    }
  }
  label.at = best?.at ?? null;
  return best;
}
function meet(a, b) {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}
var pins = new Pins({ plot_of: figures, head_of, settings: all_settings, changed: () => open_projector?.compose_soon() });
var NOTHING_TO_PIN = "There is nothing to pin yet.";
function pin_curves(button2) {
  const text = button2.textContent;
  if (pins.pin(button2.dataset.figure)) return;
  button2.textContent = NOTHING_TO_PIN;
  setTimeout(() => {
    button2.textContent = text;
  }, 1600);
}
function unpin_curves(button2) {
  pins.unpin(button2.dataset.figure);
}
try {
  const { prototype } = Bokeh.require("models/plots/plot_canvas").PlotView, { _actual_paint: paint } = prototype;
  prototype._actual_paint = function paint_and_tell() {
    paint.call(this);
    open_projector?.painted(this.model);
    pins.painted(this.model);
  };
} catch {
}

// runtime/figure_reading.js
var KEY_STEP = 12;
var SMALL_STEP = 1;
var RESTS_MS = 600;
var MOST_ROWS = 20;
var ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
var HAND = "position: absolute; width: 24px; height: 24px; margin: -12px 0 0 -12px; border-radius: 50%; pointer-events: none";
var ReadFigure = class {
  constructor(view) {
    Object.assign(this, { view, plot: view.model, numbers: element_of("div", { style: UNSEEN }), hand: null, chosen: 0 });
    view.canvas_view.events_el.tabIndex = -1;
  }
  // The figure was painted, perhaps into elements that are new.
  painted() {
    const { canvas_view, shadow_el } = this.view;
    if (!this.hand && this.handle) this.take_keys();
    if (this.hand && !this.hand.isConnected) canvas_view.shadow_el.append(this.hand);
    if (!this.numbers.isConnected) shadow_el.append(this.numbers);
    if (this.hand) this.show_hand();
  }
  // Its name, and its numbers; `head` stands above it on its card.
  tell(head) {
    const { plot, view } = this, [below, left] = [plot.below[0], plot.left[0]];
    const title = head?.querySelector("h2").textContent ?? plot.title?.text ?? plot.name ?? "";
    Object.assign(view.canvas_view.primary.el, { role: "img", ariaLabel: title });
    this.labels = /^(\S+) →\s+(\S+) ↑$/.exec(below?.axis_label)?.slice(1) ?? [below?.axis_label || "x", left?.axis_label || "y"];
    if (this.hand) {
      const many = this.points.length > 1 ? ", Page Up and Page Down choose another, + adds one beside it, Delete takes it away" : "";
      this.hand.ariaLabel = `${title}: arrow keys move the point${many}`;
      this.show_hand();
    }
    const html = numbers_html(title, this.labels, figure_rows(plot.renderers, curve_namer(head)));
    if (this.html !== html) this.numbers.innerHTML = this.html = html;
  }
  // --- what a pointer drags, by keys
  take_keys() {
    this.hand = element_of("div", { style: HAND, className: "wb-hand", tabIndex: 0, role: "slider", ariaRoleDescription: "movable point" });
    this.view.canvas_view.events_el.style.touchAction = "pinch-zoom";
    this.hand.addEventListener("keydown", (event) => this.key(event));
    for (const end of ["keyup", "blur"]) this.hand.addEventListener(end, () => this.let_go());
    this.hand.addEventListener("focus", () => {
      this.place = null;
      this.show_hand();
    });
  }
  // What can be dragged, where something can, and its places, where it is shown.
  get handle() {
    return this.plot.renderers.find(({ glyph }) => glyph?.tags.includes("handle"));
  }
  get points() {
    const { glyph, data_source } = this.handle;
    const [xs, ys] = ["x", "y"].map((name) => data_source.data[column(glyph, [name], data_source.data)] ?? []);
    return Array.from(xs, (x, k) => [x, ys[k]]).filter((place) => place.every(Number.isFinite));
  }
  // Where the chosen one is, in pixels of the figure and within its frame.
  get pixels() {
    const { frame } = this.view, { left, right, top, bottom } = frame.bbox;
    const [x, y] = this.points[Math.min(this.chosen, this.points.length - 1)] ?? [NaN, NaN];
    const at = [frame.x_scale.compute(x), frame.y_scale.compute(y)];
    const [u, v] = at.every(Number.isFinite) ? at : [(left + right) / 2, (top + bottom) / 2];
    return [Math.min(Math.max(u, left), right), Math.min(Math.max(v, top), bottom)];
  }
  key(event) {
    const by = ARROWS[event.key], next = { PageDown: 1, PageUp: -1 }[event.key], count2 = this.points.length;
    const edits = count2 > 1 && { "+": "Tap", Delete: "DoubleTap", Backspace: "DoubleTap" }[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey || !(by || next || edits)) return;
    event.preventDefault();
    if (edits) {
      this.let_go();
      this.emit(edits, edits === "Tap" ? this.free_place : this.pixels);
      Object.assign(this, { chosen: edits === "Tap" ? count2 : this.chosen, place: null });
      return;
    }
    if (next) {
      this.let_go();
      Object.assign(this, { chosen: (this.chosen + next + count2) % (count2 || 1), place: null });
      this.show_hand();
      return;
    }
    this.place ??= this.pixels;
    const { bbox } = this.view.frame, [size, from] = [event.shiftKey ? SMALL_STEP : KEY_STEP, this.place];
    if (!this.is_held) this.emit("PanStart", from);
    this.is_held = true;
    const ends = [[bbox.left, bbox.right], [bbox.top, bbox.bottom]];
    this.place = from.map((each, k) => Math.min(Math.max(each + by[k] * size, ends[k][0]), ends[k][1]));
    this.emit("Pan", this.place);
  }
  // Beside the chosen point, where no other is.
  get free_place() {
    const { bbox, x_scale, y_scale } = this.view.frame, [sx, sy] = this.pixels, far = 4 * KEY_STEP;
    const taken2 = this.points.map(([x, y]) => [x_scale.compute(x), y_scale.compute(y)]);
    const tried = Array.from({ length: 32 }, (_, k) => [Math.cos, Math.sin].map((wave) => far * (1 + (k >> 3)) * wave(k * Math.PI / 4)));
    return tried.map(([u, v]) => [sx + u, sy + v]).find(([u, v]) => bbox.contains(u, v) && taken2.every(([x, y]) => Math.hypot(x - u, y - v) > far / 2)) ?? [sx, sy];
  }
  let_go() {
    if (this.is_held) this.emit("PanEnd", this.place);
    this.is_held = false;
  }
  emit(type, [sx, sy]) {
    const { x_scale, y_scale } = this.view.frame, event = new (Bokeh.require("core/bokeh_events"))[type]();
    const place = { sx, sy, x: x_scale.invert(sx), y: y_scale.invert(sy), delta_x: 0, delta_y: 0 };
    this.plot.trigger_event(Object.assign(event, place, { modifiers: { shift: false, ctrl: false, alt: false } }));
  }
  show_hand() {
    const [sx, sy] = this.pixels, { frame: { x_scale, y_scale }, model: { x_range } } = this.view;
    Object.assign(this.hand.style, { left: `${sx}px`, top: `${sy}px` });
    if (!this.labels || this.hand !== this.hand.getRootNode().activeElement && this.said) return;
    const place = [x_scale.invert(sx), y_scale.invert(sy)];
    if (!place.every(Number.isFinite)) return;
    this.said = [...this.labels.map((label, k) => `${label} ${numerals_of(place[k])}`), this.plot.title?.text].filter(Boolean).join(", ");
    const [ariaValueMin, ariaValueMax] = [x_range.start, x_range.end].sort((a, b) => a - b).map((each) => each.toFixed(6));
    Object.assign(this.hand, { ariaValueMin, ariaValueMax, ariaValueNow: place[0].toFixed(6), ariaValueText: this.said });
  }
};
function curve_namer(head) {
  const key = head ? key_of(head) : [];
  return ({ name, glyph }) => {
    const { colour, dash } = looks_of(glyph), same2 = key.filter((each) => each.colour === colour && each.text);
    return name ?? (same2.find((each) => each.dash === dash) ?? same2[0])?.text ?? (glyph.type === "Scatter" ? "points" : void 0);
  };
}
function numbers_html(title, labels, rows) {
  const curves = Map.groupBy(rows.filter(({ x, y }) => !Number.isNaN(x) && !Number.isNaN(y)), ({ curve }) => curve);
  const kept = [...curves.values()].flatMap((each) => {
    const many = Math.min(each.length, MOST_ROWS);
    return Array.from({ length: many }, (_, k) => each[Math.round(k * (each.length - 1) / Math.max(many - 1, 1))]);
  });
  const names = [.../* @__PURE__ */ new Set(["curve", "x", "y", ...kept.flatMap(Object.keys)])];
  const heads = names.map((name) => ({ x: labels[0], y: labels[1] })[name] ?? name);
  const cell = (value) => xml(typeof value === "number" ? numerals_of(value) : value ?? "");
  const body = kept.map((row) => `<tr><th scope="row">${cell(row.curve)}</th>${names.slice(1).map((name) => `<td>${cell(row[name])}</td>`).join("")}</tr>`);
  const said = kept.length < rows.length ? `, ${MOST_ROWS} of each curve; its CSV has all` : "";
  const top = heads.map((each) => `<th scope="col">${xml(each)}</th>`).join("");
  return `<table><caption>${xml(`Numbers of ${title}${said}`)}</caption><thead><tr>${top}</tr></thead><tbody>${body.join("")}</tbody></table>`;
}
var readings = /* @__PURE__ */ new WeakMap();
var unread = /* @__PURE__ */ new Set();
var resting = null;
function read_figure(view) {
  if (!view?.canvas_view) return;
  if (!readings.has(view)) readings.set(view, new ReadFigure(view));
  const reading = readings.get(view);
  reading.painted();
  unread.add(reading);
  clearTimeout(resting);
  resting = setTimeout(tell_figures, [...unread].every(({ labels }) => labels) ? RESTS_MS : 0);
}
function tell_figures() {
  const heads = new Map(deep(".wb-save [data-figure]").map((button2) => [button2.dataset.figure, button2.closest(".wb-head")]));
  for (const reading of unread) if (reading.numbers.isConnected) reading.tell(heads.get(reading.plot.name));
  unread.clear();
}
function read_figures() {
  const models = Bokeh.documents.flatMap((each) => [...each._all_models.values()]);
  models.filter(({ type }) => type === "Figure").forEach((plot) => read_figure(Bokeh.index.find_one(plot)));
}
try {
  const { prototype } = Bokeh.require("models/plots/plot_canvas").PlotView, { _actual_paint: paint } = prototype;
  prototype._actual_paint = function paint_and_read() {
    paint.call(this);
    read_figure(this);
  };
} catch {
}

// runtime/focus.js
var WRITES = "input:not([type=range], [type=checkbox], [type=radio]), textarea, [contenteditable]";
function has_focus(event, selector) {
  const target = event.composedPath()[0];
  return target instanceof Element && target.matches(selector);
}
function is_written(event) {
  return has_focus(event, WRITES);
}

// runtime/keys.js
var OPEN_MENU = "[role=option], [role=menuitem]";
var by_pointer = false;
addEventListener("pointerdown", () => {
  by_pointer = true;
}, true);
addEventListener("keydown", (event) => {
  if (event.key === "Tab" || has_focus(event, OPEN_MENU)) by_pointer = false;
}, true);
addEventListener("input", (event) => {
  if (by_pointer && has_focus(event, "select")) event.composedPath()[0].blur();
}, true);
function is_taken(event) {
  if (event.defaultPrevented || is_written(event) || has_focus(event, `select, ${OPEN_MENU}`)) return true;
  if (has_focus(event, "[type=range], [role=slider]")) return /^(Arrow|Page|Home|End)/.test(event.key);
  if (by_pointer) return false;
  if (has_focus(event, "[role=combobox], [type=radio]")) return true;
  return event.key === " " && has_focus(event, "button, summary, [role=button], [type=checkbox]");
}

// runtime/stops.js
var GROUPS = [
  ["a", "nav"],
  ["button", ".switches, .x-switches"],
  ["button", ".MuiToggleButtonGroup-root"],
  ["button", ".bk-btn-group"],
  ["button", ".wb-options"],
  [".wb-save button", null],
  ["wb-tex[tabindex]", null],
  ["ol a", null],
  ["a:has(h2)", null],
  [".lesson a", null]
];
var STOPS = "input, button, a, summary, select, [role=combobox], [tabindex='0']";
var ALONG = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
var CHOSEN = "[aria-current], [aria-pressed=true], .bk-active";
function tab_groups() {
  const all = GROUPS.flatMap(([member, holder]) => holder ? deep(holder).map((each) => deep(member, each.shadowRoot ?? each)) : [deep(member)]);
  return all.map((group) => group.filter((each) => each.checkVisibility({ visibilityProperty: true }))).filter(({ length }) => length > 1);
}
function set_stops() {
  for (const group of tab_groups()) {
    const stops = group.filter(({ tabIndex }) => tabIndex === 0);
    if (stops.length !== 1) move_stop(group, group.find((each) => each.matches(CHOSEN)) ?? group[0]);
  }
}
function move_stop(group, to) {
  for (const each of group) each.tabIndex = each === to ? 0 : -1;
}
addEventListener("keydown", (event) => {
  if (event.key === "Tab") set_stops();
}, true);
addEventListener("focusin", (event) => {
  const [at] = event.composedPath(), group = at instanceof Element && at.tabIndex === -1 && tab_groups().find((each) => each.includes(at));
  if (group) move_stop(group, at);
});
document.addEventListener("keydown", (event) => {
  const by = ALONG[event.key];
  if (!by || by_pointer || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  const [at] = event.composedPath(), group = tab_groups().find((each) => each.includes(at));
  if (!group) return;
  event.preventDefault();
  const next = group[(group.indexOf(at) + by + group.length) % group.length];
  move_stop(group, next);
  next.focus();
});

// runtime/light.js
var faded = [];
var all_models = () => Bokeh.documents.flatMap((each) => [...each._all_models.values()]);
function light_curves(names) {
  for (const each of faded) each.setv({ muted: false }, { sync: false });
  faded = [];
  if (!names.length) return;
  const named = ({ name, glyph }) => names.some((each) => each === name || glyph?.tags.includes(each));
  for (const { renderers } of all_models().filter(({ type }) => type === "Figure")) {
    if (!renderers.some(named)) continue;
    faded.push(...renderers.filter((each) => each.type === "GlyphRenderer" && !each.muted && !named(each)));
  }
  for (const each of faded) each.setv({ muted: true }, { sync: false });
}
var curves_of2 = (element) => (element?.dataset.curve ?? "").split(" ").filter(Boolean);
function follow_light(formula) {
  const light = (names) => {
    light_curves(names);
    for (const part of formula.getRootNode().querySelectorAll("[data-part]")) {
      part.classList.toggle("lit", names.includes(part.dataset.part));
    }
  };
  formula.shadowRoot.addEventListener("mouseover", ({ target }) => light(curves_of2(target.closest("[data-curve]"))));
  formula.addEventListener("mouseleave", () => light([]));
  formula.addEventListener("focus", () => light(curves_of2(formula)));
  formula.addEventListener("blur", () => light([]));
}

// runtime/formulas.js
var SMALLEST = 0.72;
var OPTIONS = {
  throwOnError: false,
  trust: ({ command, attributes }) => command === "\\htmlData" && Object.keys(attributes).join() === "data-curve",
  strict: (code) => code === "htmlExtension" ? "ignore" : "warn"
};
var FORMULA_SHEET = `
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
function gather(bases, marks) {
  const runs = [];
  let run = null;
  for (const base of bases) {
    if (!base.matches(".base, .run")) {
      run = null;
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
function break_well(html) {
  for (const clause of gather([...html.children], ".allowbreak")) gather([...clause.children], ".mrel");
}
var Formula = class _Formula extends HTMLElement {
  connectedCallback() {
    if (!this.shadowRoot) {
      this.attachShadow({ mode: "open" });
      follow_light(this);
    }
    const root = this.shadowRoot;
    root.adoptedStyleSheets = _Formula.sheets ??= [katexSheet, FORMULA_SHEET].map((text) => {
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
  set(latex) {
    const line = document.createElement("div");
    line.className = "line";
    const inline = this.classList.contains("inline");
    const text = latex.replace(/\\q?quad(?![a-zA-Z])/g, "$&\\allowbreak ");
    if (window.katex) katex.render((inline ? "" : "\\displaystyle ") + text, line, OPTIONS);
    else line.textContent = latex;
    for (const html of line.querySelectorAll(".katex-html")) break_well(html);
    const curves = [...line.querySelectorAll(".katex-html [data-curve]")].map(({ dataset }) => dataset.curve);
    if (curves.length) {
      this.tabIndex = 0;
      this.dataset.curve = [...new Set(curves)].join(" ");
    }
    this.shadowRoot.replaceChildren(line);
    this.fitted = 0;
  }
  // At one width once; a formula that is not shown has none.
  fit() {
    const line = this.shadowRoot.firstChild;
    const width = this.clientWidth;
    if (!line || !width || width === this.fitted) return;
    this.fitted = width;
    this.classList.remove("long");
    line.removeAttribute("tabindex");
    line.style.fontSize = "";
    const share2 = width / line.scrollWidth;
    if (share2 >= 1) return;
    line.style.fontSize = `${Math.max(SMALLEST, 0.99 * share2)}em`;
    if (line.scrollWidth <= width) return;
    this.classList.add("long");
    line.tabIndex = 0;
  }
};
var katexSheet = "";
function defineFormulas(sheet) {
  katexSheet = sheet;
  if (!customElements.get("wb-tex")) customElements.define("wb-tex", Formula);
}

// runtime/numerals.js
var RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹";
var NOISE_EXPONENT = -17;
function numerals(text) {
  return text.replace(/(?<![\w.'"])([-−]?)(\d+(?:\.\d+)?)e([-+−]?)0*(\d+)(?![\w.]*\w)/g, (_, sign, mantissa, below, digits) => {
    const minus = sign && "−", exponent = (below && below !== "+" ? -1 : 1) * Number(digits);
    if (Number(mantissa) === 0) return "0";
    if (exponent <= NOISE_EXPONENT) return "0 to rounding";
    if (exponent >= -1 && exponent <= 2) return minus + shifted(mantissa, exponent);
    const power = `10${exponent < 0 ? "⁻" : ""}${Array.from(digits, (digit) => RAISED[digit]).join("")}`;
    return minus + (Number(mantissa) === 1 ? "" : `${mantissa}·`) + power;
  }).replace(/(?<![\w.)\]'"])-(?=\.?\d|∞|inf\b)/g, "−").replace(/(?<![\w.,·])1 (outer )?(step|epoch|pass(?=es))(?:e?s)\b/g, "1 $1$2");
}
function shifted(mantissa, places) {
  const [whole, part = ""] = mantissa.split(".");
  const at = whole.length + places, point = Math.max(at, 1);
  const digits = at < 1 ? "0".repeat(1 - at) + whole + part : (whole + part).padEnd(at, "0");
  return digits.length > point ? `${digits.slice(0, point)}.${digits.slice(point)}` : digits;
}
function set_numerals(box) {
  const walker = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = (
      /** @type {Text} */
      walker.currentNode
    );
    if (node.parentElement?.closest("pre, code, kbd, wb-tex, svg")) continue;
    const text = numerals(node.data);
    if (text !== node.data) node.data = text;
  }
}

// runtime/file_shell.js
var PROJECTOR_MS = 400;
var FileShell = class {
  // `look` is how the file was written: `dark`, `large`, `colours`, those of the other theme, and `pair`, the projector's figures.
  constructor(look) {
    const asked = new URLSearchParams(location.search);
    this.look = look;
    this.isDark = asked.has("theme") ? asked.get("theme") === "dark" : look.dark;
    this.isLarge = asked.has("projector") ? asked.get("projector") === "on" : look.large;
    this.restylePage();
    const toggled = (button2) => this.switchLook(button2);
    obey({ save, pin: pin_curves, unpin: unpin_curves, copy, embed: embed_code, unfold, notebook, toggle: toggled });
    addEventListener("keydown", (event) => this.onProjector(event));
    if (this.isLarge) setTimeout(() => this.showOnProjector(), PROJECTOR_MS);
  }
  // Styles or JSON with the colours of the look that is asked for.
  restyled(text) {
    const { dark, colours } = this.look;
    return this.isDark === dark ? text : text.replace(/#[0-9a-f]{6}\b/gi, (colour) => colours[colour.toLowerCase()] ?? colour);
  }
  restylePage() {
    const switches = { theme: this.isDark ? "Light" : "Dark", projector: this.isLarge ? "Desk" : "Projector" };
    if (this.isDark !== this.look.dark) {
      for (const style of document.querySelectorAll("style")) style.textContent = this.restyled(style.textContent);
      for (const part of document.querySelectorAll("main, .x-sidebar")) part.innerHTML = this.restyled(part.innerHTML);
    }
    for (const [key, label] of Object.entries(switches)) document.querySelector(`[data-key=${key}]`).textContent = label;
    for (const link of document.querySelectorAll("header a")) link.search = location.search;
  }
  async unpacked(text) {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return JSON.parse(this.restyled(await new Response(stream).text()));
  }
  // `roots` says which model of the document stands in which element.
  async embed({ json, roots }) {
    await Bokeh.embed.embed_items({ page: json }, [{ docid: "page", roots, root_ids: Object.keys(roots) }]);
    return (id) => Bokeh.documents.at(-1).get_model_by_id(id);
  }
  // Only one document lives at a time.
  clear() {
    Bokeh.documents.length = 0;
    for (const view of Bokeh.index.roots) view.remove();
  }
  putHtml(id, text) {
    const box = document.getElementById(id);
    if (box.wb_text === text) return;
    box.wb_text = text;
    box.innerHTML = text;
    set_numerals(box);
  }
  onKeys(actions) {
    document.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || !(event.key in actions) || is_taken(event)) return;
      event.preventDefault();
      actions[event.key]();
    });
  }
  // What the page is not yet.
  switchLook({ dataset: { key } }) {
    const on = { theme: this.isDark ? "light" : "dark", projector: this.isLarge ? "off" : "on" };
    toggle({ dataset: { key, on: on[key] } });
  }
  // The projector stands where the address asks for it, and while a story is told.
  showOnProjector(caption, shown) {
    if (!caption && !this.isLarge) return open_projector?.close();
    const projector = open_projector ?? new Projector({
      pair: this.look.pair,
      said: document.querySelector(".wb-thesis p")?.textContent,
      keys: [["Escape", caption ? "Leave the story" : "Desk", "leave the projector"]],
      press: () => this.leaveProjector()
    });
    if (caption) projector.say(caption);
    if (!shown) return void 0;
    projector.names = shown;
    return projector.compose();
  }
  // Escape leaves a story, and after it the projector that the address asks for.
  leaveProjector() {
    if (this.isLarge) this.switchLook({ dataset: { key: "projector" } });
    else document.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape" }));
  }
  // The digits choose figures.
  onProjector(event) {
    const name = open_projector && figure_names()[Number(/^Digit([1-9])$/.exec(event.code)?.[1]) - 1];
    if (name && !is_taken(event)) open_projector.choose(event.shiftKey ? 1 : 0, name);
    else if (open_projector && this.isLarge && event.key === "Escape") this.leaveProjector();
  }
};
function openFile(look, sheet) {
  defineFormulas(sheet);
  return new FileShell(look);
}

// runtime/custom_story.js
var STORY_VERSION = 1;
var MOST_STEPS = 50;
var LONGEST_STEP = 2e3;
var STORY_KEY = "own=";
function story_text(page, steps2) {
  return JSON.stringify({ version: STORY_VERSION, page, steps: steps2 });
}
function read_story(text, page) {
  const refused = (why) => ({ steps: null, why });
  let told = null;
  try {
    told = JSON.parse(text);
  } catch {
    return refused("This story is damaged; ask for its link or its file again.");
  }
  if (told?.version !== STORY_VERSION) return refused(`This story is of version ${String(told?.version).slice(0, 20)}, and this page tells version ${STORY_VERSION}; add its steps anew.`);
  if (told.page !== page) return refused(`This story is one of the page “${String(told.page).slice(0, 40)}”; open it there.`);
  const is_text = (each) => typeof each === "string" && each.length <= LONGEST_STEP;
  const is_step = (each) => is_text(each?.search) && is_text(each.caption) && Array.isArray(each.figures) && each.figures.length <= 2 && each.figures.every(is_text);
  if (!Array.isArray(told.steps) || !told.steps.length || told.steps.length > MOST_STEPS || !told.steps.every(is_step)) {
    return refused(`This story has no steps that this page can show, 1 to ${MOST_STEPS}; add them anew.`);
  }
  return { steps: told.steps.map(({ search, caption, figures: shown }) => ({ search, caption, figures: shown })), why: "" };
}
function to_hash(text) {
  const bytes = Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join("");
  return `#${STORY_KEY}${btoa(bytes).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")}`;
}
function from_hash(hash) {
  try {
    const bytes = atob(hash.slice(1 + STORY_KEY.length).replaceAll("-", "+").replaceAll("_", "/"));
    return new TextDecoder().decode(Uint8Array.from(bytes, (letter) => letter.charCodeAt(0)));
  } catch {
    return "";
  }
}
function has_custom_story() {
  return location.hash.startsWith(`#${STORY_KEY}`);
}
function chosen_text(act) {
  const input = Object.assign(document.createElement("input"), { type: "file", accept: ".json,application/json" });
  input.addEventListener("change", async () => act(await input.files[0].text()));
  input.click();
}

// runtime/shell.js
var SHORTCUTS = { " ": "space", "ArrowRight": "right", "r": "r" };
var PRESSES = { space: "toggle", right: "step", r: "reset" };
function shortcut(event, model) {
  if ((event.ctrlKey || event.metaKey) && event.key === "z") return undo(event, model);
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape") return closeHelp();
  if (event.key === "?") return is_written(event) || toggleHelp(event);
  if (is_taken(event)) return;
  if (open_projector && onProjector(event, model)) return;
  if (moved(event)) return event.preventDefault();
  if (!(event.key in SHORTCUTS)) return;
  event.preventDefault();
  const name = SHORTCUTS[event.key];
  if (press(PRESSES[name])) model.send_msg({ key: name });
}
function undo(event, model) {
  const back = () => {
    if (history.state?.changes) history.back();
  };
  if (is_written(event)) {
    const [field] = event.composedPath(), text = field.value;
    setTimeout(() => {
      if (field.value === text) back();
    }, TYPED_MS);
    return;
  }
  event.preventDefault();
  if (!press("undo")) return;
  if (model.undoes) model.send_msg({ key: "undo" });
  else back();
}
function press(detail) {
  return document.dispatchEvent(new CustomEvent("wb-press", { detail, cancelable: true }));
}
function moved({ key }) {
  const detail = { ArrowLeft: -1, ArrowRight: 1 }[key];
  return detail !== void 0 && !document.dispatchEvent(new CustomEvent("wb-move", { detail, cancelable: true }));
}
function closeHelp() {
  for (const help of deep("details.help[open]")) help.open = false;
}
function toggleHelp(event) {
  event.preventDefault();
  for (const help of deep("details.help")) help.open = !help.open;
}
var chosen = "";
function onProjector(event, model) {
  const by = { ArrowRight: 1, PageDown: 1, ArrowLeft: -1, PageUp: -1 }[event.key];
  const digit = /^Digit([1-9])$/.exec(event.code)?.[1], name = digit && figure_names()[digit - 1];
  if (by) walk(model, by);
  else if (name) open_projector.choose(event.shiftKey ? 1 : 0, name);
  else if (!PROJECTOR_KEYS.some(([key]) => key === event.key)) return false;
  else pressOnProjector(event.key, model);
  event.preventDefault();
  return true;
}
var PROJECTOR_KEYS = [
  ["q", "Question", "the question"],
  ["p", "Pin", "pin the curves of both figures"],
  ["u", "", "unpin them"],
  ["a", "Add step", "keep this state and a sentence as a step of your own story"],
  ["c", "Controls", "all controls"],
  ["w", "Desk", "leave the projector"],
  ["f", "", "save your story"],
  ["o", "", "open a story"]
];
var UNSAID = "What is said at this step?";
var RESTORED_MS = 3e3;
function pressOnProjector(key, model) {
  if (key === "q" && !open_projector.turn_panel("Predict first")) open_projector.say("This page has no question of its own.");
  if (key === "c") turnControls();
  if (key === "p" && !open_projector.shown.filter((name) => pins.pin(name)).length) open_projector.say(NOTHING_TO_PIN);
  if (key === "u") open_projector.shown.forEach((name) => pins.unpin(name));
  if (key === "a") addStep(model);
  if (key === "f" && has_custom_story()) download(new Blob([from_hash(location.hash)], { type: "application/json" }), `${page_name()}.story.json`);
  else if (key === "f") open_projector.say("There is no story of your own yet; “Add step” begins one.");
  if (key === "o") chosen_text((text) => takeStory(model, text, true));
  if (key === "w") toggle({ dataset: { key: "projector", on: model.projector ? "on" : "off" } });
}
function turnControls() {
  const drawers = deep(".MuiDrawer-root, .MuiDrawer-paper"), is_open = drawers.some((each) => each.style.visibility === "visible");
  turnDrawer(!is_open);
  for (const each of drawers) {
    if (is_open) each.style.removeProperty("visibility");
    else each.style.setProperty("visibility", "visible", "important");
    if (each.matches(".MuiDrawer-paper")) each.style.setProperty("width", is_open ? "" : "18rem", "important");
  }
}
function page_name() {
  return location.pathname.split("/").at(-1);
}
function addStep(model) {
  const caption = prompt(UNSAID)?.trim();
  if (!caption) return;
  const kept = has_custom_story() ? steps : [], search = new URL(location).search;
  const { shown } = open_projector, text = story_text(page_name(), [...kept, { search, caption: caption.slice(0, LONGEST_STEP), figures: shown }]);
  const { steps: next, why } = read_story(text, page_name());
  if (next) {
    steps = next;
    step = steps.length;
    history.replaceState(history.state, "", to_hash(text));
    showAddress(model);
  }
  open_projector.say(why || caption, `${step} / ${steps.length}`);
}
function takeStory(model, text, is_new) {
  const { steps: found, why } = read_story(text, page_name());
  if (!found) open_projector.say(why);
  else [steps, step] = [found, Math.min(Math.max(step, 1), found.length)];
  if (found && is_new) {
    history.replaceState(history.state, "", to_hash(text));
    step = 0;
    walk(model, 1);
  }
  return Boolean(found);
}
var steps = [];
var step = 0;
var restored = () => {
};
async function walk(model, by) {
  const next = step + by, entry = steps[next - 1];
  if (!entry) return;
  step = next;
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  open_projector.halves.forEach((half) => open_projector.capture(half));
  const tell = (words) => open_projector.say(words, `${next} / ${steps.length}`);
  const done = new Promise((resolve) => {
    restored = (words) => {
      resolve(words);
      if (words && step === next && open_projector) tell(words);
    };
    setTimeout(resolve, RESTORED_MS);
  });
  model.send_msg({ walk: entry.search, still });
  const refused = await done;
  if (step !== next || !open_projector) return;
  chosen = entry.figures.join(",");
  open_projector.names = entry.figures;
  open_projector.compose();
  tell(refused || entry.caption);
  showAddress(model);
}
function showAddress(model) {
  const address = new URL(model.search || location.pathname, location), changes = history.state?.changes ?? 0;
  if (chosen) address.searchParams.set("figure", chosen);
  if (step) address.searchParams.set("story", step);
  address.hash = location.hash;
  if (model.entry > entered && address.href !== location.href) history.pushState({ changes: changes + 1 }, "", address);
  else history.replaceState({ changes }, "", address);
  entered = model.entry;
}
var entered = 0;
function goBack(model) {
  if (model.restores) model.send_msg({ restore: location.search });
  else location.reload();
}
var WATCH_MS = 500;
var TYPED_MS = 50;
function putOnProjector(model) {
  ({ step, steps } = model);
  const pair = [...model.wanted.split(",").filter(Boolean), ...model.pair];
  const projector = new Projector({
    pair: [...new Set(pair)],
    said: model.said,
    keys: PROJECTOR_KEYS,
    press: (key) => pressOnProjector(key, model),
    changed: (names) => {
      chosen = names.join(",");
      showAddress(model);
    }
  });
  const is_told = !has_custom_story() || takeStory(model, from_hash(location.hash)), entry = steps[step - 1];
  if (entry && is_told) projector.say(entry.caption, `${step} / ${steps.length}`);
  model.on("remove", () => projector.close());
}
function pin() {
  if (innerWidth > 600) return;
  const card = card_of(figure_names()[0]);
  if (card) Object.assign(card.style, { position: "sticky", top: "0", zIndex: 3 });
  else setTimeout(pin, 2 * WATCH_MS);
}
var had_sheet = false;
function showPinned() {
  const has_sheet = innerWidth <= 600 && deep(".MuiModal-root .MuiDrawer-paper").some((each) => each.checkVisibility());
  if (has_sheet && !had_sheet) card_of(figure_names()[0])?.scrollIntoView({ block: "start" });
  had_sheet = has_sheet;
}
function turnDrawer(is_open) {
  for (const document2 of Bokeh.documents) {
    for (const { data } of document2._all_models.values()) {
      if (data && "sidebar_open" in data) data.sidebar_open = is_open;
    }
  }
}
function reach({ dataset: { control } }) {
  turnDrawer(true);
  setTimeout(() => {
    const label = deep("label").find((each) => each.textContent.trim() === control);
    label?.scrollIntoView({ block: "center" });
    label?.querySelector("input")?.focus({ preventScroll: true });
  }, NAMED_MS);
}
function askFile(model, button2) {
  button2.disabled = true;
  const said = button2.textContent;
  button2.textContent = "It is being made …";
  taken = ({ file, name, refused }) => {
    Object.assign(button2, { disabled: false, textContent: refused ?? said });
    if (file) download(new Blob([file], { type: "text/html" }), name);
  };
  model.send_msg({ file: true });
}
var taken = () => {
};
async function share(button2) {
  const text = button2.textContent;
  try {
    await navigator.clipboard.writeText(location.href);
    button2.textContent = "Copied";
  } catch {
    button2.textContent = "It is in the address bar";
  }
  setTimeout(() => {
    button2.textContent = text;
  }, 1600);
}
var NAMED_MS = 300;
function nameChrome(root = document) {
  for (const element of root.querySelectorAll("*")) {
    if (element.shadowRoot) nameChrome(element.shadowRoot);
    if (element.matches(".MuiDrawer-paper[role=dialog]:not([aria-label])")) element.setAttribute("aria-label", "Controls");
    if (element.matches("h5") && !element.textContent.trim()) element.hidden = true;
    if (element.matches("[role=progressbar]:not([aria-label])")) element.setAttribute("aria-label", "Busy");
    if (element.matches("[aria-label='Resize sidebar']:not([role])")) element.setAttribute("role", "separator");
  }
}
var PLACES = { controls: [".sidebar", STOPS], figures: [".main-content", ".wb-save button, .wb-hand"], explanations: [".wb-aside", STOPS], menu: ["header", STOPS] };
function skip({ dataset: { to } }) {
  const is_later = to === "later controls", is_drawn = is_later || to === "controls";
  const [place, stops] = PLACES[is_drawn ? "controls" : to];
  if (is_drawn) turnDrawer(true);
  setTimeout(() => {
    set_stops();
    const [root] = deep(place);
    const found = deep(stops, root.shadowRoot ?? root).filter((each) => each.tabIndex >= 0 && !each.disabled && each.checkVisibility({ visibilityProperty: true }));
    found[is_later ? found.length >> 1 : 0]?.focus();
  }, is_drawn ? NAMED_MS : 0);
}
var ASK_MS = 1e3;
var STAGGER_MS = 1500;
function sayLost() {
  const note = document.createElement("div");
  note.className = "wb-lost";
  note.setAttribute("role", "alert");
  note.textContent = "The server does not answer. This page will reconnect by itself and keep its state.";
  document.body.append(note);
}
async function answers() {
  try {
    return (await fetch("static/js/bokeh.min.js", { method: "HEAD", cache: "no-store" })).ok;
  } catch {
    return false;
  }
}
async function comeBack() {
  if (document.querySelector(".wb-lost")) return;
  sayLost();
  const wait = ASK_MS + STAGGER_MS * Math.random();
  while (!await answers()) await new Promise((done) => {
    setTimeout(done, wait);
  });
  location.reload();
}
function focusMain() {
  const [main] = deep(".main-content");
  if (!main || document.activeElement !== document.body) return;
  Object.assign(main, { tabIndex: -1 }).style.outline = "none";
  main.focus({ preventScroll: true });
}
function stands(model) {
  document.body.classList.add("wb-stands");
  hold_all_still();
  focusMain();
  const drawn = () => {
    read_figures();
    pin();
    if (model.projector) putOnProjector(model);
  };
  if (!model.staged || "drawn" in document.body.dataset) drawn();
  else document.addEventListener("wb-drawn", drawn, { once: true });
}
function render({ model, el }) {
  el.style.display = "none";
  const [session] = Bokeh.documents;
  session.on_event("connection_lost", comeBack);
  if (session.is_idle) stands(model);
  else session.idle.connect(() => stands(model));
  model.on("remove", obey({ save, pin: pin_curves, unpin: unpin_curves, copy, embed: embed_code, toggle, notebook, file: (button2) => askFile(model, button2), share, unfold, reach, skip }));
  document.documentElement.lang = "en";
  const listener = (event) => shortcut(event, model);
  document.addEventListener("keydown", listener);
  if (innerWidth < 900) requestAnimationFrame(() => turnDrawer(false));
  const name = () => requestAnimationFrame(() => setTimeout(() => {
    nameChrome();
    showPinned();
    read_figures();
  }, 0));
  name();
  for (const moved2 of ["resize", "click"]) window.addEventListener(moved2, () => setTimeout(name, NAMED_MS));
  model.on("search", () => setTimeout(() => showAddress(model), 0));
  model.on("msg:custom", (told) => "walked" in told ? restored(told.walked) : taken(told));
  entered = model.entry;
  const back = () => goBack(model);
  window.addEventListener("popstate", back);
  model.on("remove", () => window.removeEventListener("popstate", back));
  model.on("remove", () => document.removeEventListener("keydown", listener));
}
export {
  defineFormulas,
  openFile,
  render
};
