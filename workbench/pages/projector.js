// The projector, for a lecture hall: two linked figures side by side, names at their curves, one slider, what is said; all else
// is a key away. Its type and lines grow with the window. And cards that are folded. After save.js, of a page or of a file.

// In pixels where the window has 1920 x 1080 of them; that of a desk is the smallest type of the pages.
const PROJECTOR = { width: 1920, height: 1080, type: 28, line: 4, desk: 12, mark: 1.8 };
// Type is never smaller than on a desk, and two figures need the room for two.
const LEAST_SCALE = PROJECTOR.desk / PROJECTOR.type, NARROW = 800;

// The figures of the page by the buttons that save them, in their order.
function figure_names() {
  return [...new Set(deep(".wb-save [data-figure]").map((button) => button.dataset.figure))];
}

function head_of(name) { return deep(`.wb-save [data-figure="${name}"]`)[0]?.closest(".wb-head"); }

// The card of a figure: what stands beside others in a grid.
function card_of(name) { return card_around(head_of(name)); }

function card_around(element) {
  while (element) {
    const above = element.parentElement ?? element.getRootNode().host;
    const others = above && [...element.parentNode.children].some((each) => each !== element && !each.matches("style, link"));
    if (others && getComputedStyle(above).display === "grid") return element;
    element = above;
  }
}

// Show the cards that follow a button in their grid, or fold them again.
function unfold(button) {
  const fold = button.getRootNode().host ?? button.parentElement;
  button.setAttribute("aria-expanded", fold.classList.toggle("open"));
  // A figure that was not shown had no size when it was laid out.
  requestAnimationFrame(() => figure_names().forEach((name) => Bokeh.index.find_one(figures(name))?.invalidate_layout()));
}

// Show a figure in the place of another, or that one again where its name is pressed once more.
function swap(button) {
  const { figure, home } = button.dataset;
  show_in_place(home, figure !== home && button.ariaPressed !== "true" ? figure : home);
}

function show_in_place(home, shown) {
  const buttons = deep(`[data-do=swap][data-home="${home}"]`);
  for (const name of new Set([home, ...buttons.map(({ dataset }) => dataset.figure)])) {
    card_of(name)?.classList.toggle("wb-away", name !== shown);
  }
  for (const each of buttons) if (each.ariaPressed !== null) each.ariaPressed = String(each.dataset.figure === shown);
  requestAnimationFrame(() => Bokeh.index.find_one(figures(shown))?.invalidate_layout());
  document.dispatchEvent(new CustomEvent("wb-swapped"));
}

// Whether an element is or holds one of these.
function has(element, selector) {
  return element.matches(selector) || deep(selector, element).length > 0 || Boolean(element.shadowRoot && deep(selector, element.shadowRoot).length);
}

// What a model looked like before the projector, and what the projector made of it.
const desk_looks = new WeakMap();

// Type, lines and markers of a figure for the projector; as on the desk where no scale is given.
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

// How a property grows; nothing where it is no size.
function grown_by(model, name, scale = 1) {
  if (/font_size$/.test(name)) return (size) => (size && Math.max(PROJECTOR.type * scale, size * (PROJECTOR.type / PROJECTOR.desk) * scale));
  if (name === "min_border_right") return (size) => 3 * size * scale;
  if (name === "size" && model.type === "Scatter") return (size) => size * PROJECTOR.mark * scale;
  if (!/line_width$/.test(name)) return null;
  const least = /Line|Step|Segment|Ray/.test(model.type) ? PROJECTOR.line * scale : 0;
  return (width) => (width && Math.max(least, width * PROJECTOR.mark * scale));
}

// Sizes that a column has are what they were; what makes them larger is a model.
function same(a, b) { return a === b || (typeof a === "object" && a && b && a.field === b.field && a.value === b.value && a.transform === b.transform); }

function resized(value, factor) {
  if (typeof value === "number") return factor(value);
  // Panel's Material sets titles in em.
  const [, size, unit] = /^([\d.]+)(px|em)$/.exec(value) ?? [];
  if (unit) return `${factor(size * (unit === "em" ? PROJECTOR.desk : 1)).toFixed(1)}px`;
  if (value?.field && !value.transform) {
    const x = [0, 0.01, 1, 2, 4, 8, 100];
    return { ...value, transform: new (Bokeh.Models.get("LinearInterpolator"))({ x, y: x.map(factor) }) };
  }
  if (value && value.value !== undefined) return { ...value, value: resized(value.value, factor) };
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

// The sliders of the page: Bokeh's, Panel's, and those of a file. Each has ends, a value, its text, and can be set.
function all_sliders() {
  const models = Bokeh.documents.flatMap((each) => [...each._all_models.values()]), found = [];
  for (const model of models) {
    if (model.type === "Slider" && !Bokeh.index.find_one(model)) continue;
    if (model.type === "Slider") {
      const { title: label, start, end, step, value } = model;
      found.push({ label, start, end, step, value, text: numerals_of(value), set: (to) => { model.value = to; } });
    } else if (/Slider/.test(model.esm_constants?.[0] ?? model.class_name ?? "") || is_panel_slider(model)) {
      const { data } = model, listed = Array.isArray(data.options) && data.options.length ? data.options : null;
      if (data.visible === false || data.disabled) continue;
      const [start, end, step] = listed ? [0, listed.length - 1, 1] : [data.start, data.end, data.step ?? (data.end - data.start) / 100];
      found.push({
        label: data.label ?? data.name, start, end, step, value: data.value,
        text: listed ? String(listed[data.value]) : numerals_of(data.value), set: (to) => data.setv({ value: to, value_throttled: to }),
      });
    }
  }
  for (const input of document.querySelectorAll(".x-control input[type=range]")) {
    const label = input.labels?.[0]?.textContent.trim() ?? input.getAttribute("aria-label") ?? input.name;
    found.push({
      label, start: Number(input.min), end: Number(input.max), step: Number(input.step) || 1, value: Number(input.value),
      text: input.getAttribute("aria-valuetext") ?? input.value,
      set: (to) => { input.value = to; input.dispatchEvent(new Event("input", { bubbles: true })); },
    });
  }
  return found;
}

// The settings by their labels: sliders, and lists, fields and switches with what is chosen.
function all_settings() {
  const found = new Map(), add = (label, text, said = text) => found.set(label, { text, said });
  const put = (label, value) => label && add(label, String(value), typeof value === "boolean" ? `${label} ${value ? "on" : "off"}` : String(value));
  for (const model of Bokeh.documents.flatMap((each) => [...each._all_models.values()])) {
    const { data } = model;
    // A button has the value `true` for the moment of its press.
    if (data && !("clicks" in data) && ["string", "boolean"].includes(typeof data.value) && data.visible !== false && !data.disabled) put(data.label || data.name, data.value);
    if (model.type === "Toggle" && Bokeh.index.find_one(model)) put(model.label, model.active);
  }
  for (const list of document.querySelectorAll(".x-control select, #x-entry")) put(list.labels?.[0]?.textContent.trim() ?? list.name, list.selectedOptions[0].textContent);
  for (const { label, text } of all_sliders()) add(label, text, `${/^\S{1,2}(?=[ ,:]|$)/.exec(label)?.[0].replace(/[,:]$/, "") ?? label} = ${text}`);
  return found;
}

function is_panel_slider({ data }) { return Boolean(data && "value_throttled" in data && "start" in data && typeof data.value === "number" && "tooltips" in data); }

function numerals_of(value) { return String(Number(Number(value).toPrecision(4))).replace("-", "−"); }

const DRAWN_AS = { "": "solid", solid: "solid", 6: "dashed", dashed: "dashed", "2,4": "dotted", dotted: "dotted" };
const LABEL_MS = 100, TRIED = 40;

class Projector {
  // `page` is what the projector stands in front of: `pair`, the figures shown first; `said`, its thesis; `changed`, called when
  // other figures are chosen; `leave`, where it can be left.
  constructor(page) {
    this.page = page;
    this.names = page.pair ?? [];
    this.kept = new Map();
    this.hidden = [];
    this.slider = "";
    const half = (k) => {
      const choice = element_of("select", { ariaLabel: k ? "Right figure" : "Left figure" });
      choice.addEventListener("input", () => { this.choose(k, choice.value); choice.blur(); });
      return { choice, key: element_of("span", { className: "wb-key" }), place: element_of("div", { className: "place" }), labels: [] };
    };
    this.halves = [half(0), half(1)];
    this.text = element_of("div", { className: "wb-story", role: "status" });
    this.picked = element_of("select", { ariaLabel: "Slider" });
    this.picked.addEventListener("input", () => { this.slider = this.picked.value; this.picked.blur(); this.show_slider(); });
    this.range = element_of("input", { type: "range" });
    this.range.addEventListener("input", () => { this.current?.set(Number(this.range.value)); this.show_slider(); });
    this.value = element_of("output");
    this.switches = element_of("span", { className: "switches" });
    for (const [key, text, label] of (page.keys ?? []).filter(([, each]) => each)) this.switches.append(button(text, `${label} (key ${key})`, () => page.press(key)));
    const strip = element_of("div", { className: "strip" }, this.picked, this.range, this.value, this.switches);
    const halves = this.halves.map(({ choice, key, place }) => element_of("div", { className: "half" }, element_of("div", { className: "title" }, choice, key), place));
    const title = element_of("h1", { style: UNSEEN, textContent: document.title.split(" · ")[0] });
    this.box = element_of("main", { id: "wb-projector", ariaLabel: "Projector" }, title, this.text, ...halves, strip);
    // A sentence that takes another line, or names above a figure, leave it less room.
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

  get scale() { return Math.max(LEAST_SCALE, Math.min(innerWidth / PROJECTOR.width, innerHeight / PROJECTOR.height)); }

  // The names of the figures that are shown, two of those that there are.
  get shown() {
    const all = figure_names(), wanted = [...this.names.filter((each) => all.includes(each)), ...all];
    return [...new Set(wanted)].slice(0, innerWidth < NARROW ? 1 : 2);
  }

  say(text, place = "") { this.text.replaceChildren(text, place ? element_of("span", { textContent: ` ${place}` }) : ""); }

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
    document.documentElement.style.fontSize = `${(16 * PROJECTOR.type * scale) / PROJECTOR.desk}px`;
    this.box.classList.toggle("one", names.length < 2);
    // Panel makes boxes of its own visible, whatever those around them are.
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
    set({ position: "fixed", visibility: "visible", display: display === "none" ? "block" : display,
      left: "0px", top: "0px", width: `${width}px`, height: "auto", margin: "0", overflow: "hidden auto", "z-index": "2", "box-sizing": "border-box" });
    // Where something above it moves what is fixed, it is put right.
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

  label_soon(half) { half.waiting ??= setTimeout(() => { half.waiting = null; if (open_projector === this) this.label(half); }, LABEL_MS); }

  unlabel(half) { half.labels.splice(0).forEach(({ element }) => element.remove()); half.key.replaceChildren(); }

  // Names of curves stand where no curve runs; what names no curve that is seen stays above the figure.
  label(half) {
    const plot = figures(half.name), view = plot && Bokeh.index.find_one(plot), head = head_of(half.name);
    if (!view?.frame || !head) return;
    if (half.of !== plot) this.capture(half);
    const entries = [...head.querySelectorAll(".wb-key > span")], origin = view.el.getBoundingClientRect(), { bbox } = view.frame;
    const curves = plot.renderers.filter((each) => each.visible && each.glyph).map((each) => curve_seen(view, each, bbox)).filter(({ points }) => points.length);
    const taken = curves.flatMap(({ points }) => points), boxes = [], rest = [];
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
      const same = curves.filter(({ colour }) => colour === borderTopColor);
      const curve = same.find(({ dash }) => dash === borderTopStyle) ?? same.find(({ dash }) => dash === null);
      const box = curve && placed(curve.points, label, bbox, taken, boxes);
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
    const sliders = all_sliders(), labels = sliders.map(({ label }) => label);
    if (JSON.stringify(labels) !== this.labels) {
      this.labels = JSON.stringify(labels);
      this.picked.replaceChildren(...labels.map((text) => element_of("option", { value: text, textContent: text })));
    }
    this.current = sliders.find(({ label }) => label === this.slider) ?? sliders[0];
    for (const each of [this.picked, this.range, this.value]) each.hidden = !this.current;
    if (!this.current) return;
    const { label, start, end, step, value, text } = this.current;
    this.picked.value = label;
    Object.assign(this.range, { min: start, max: end, step, ariaLabel: label });
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
    const styles = { position: "fixed", visibility: "visible", left: "8vw", right: "8vw", top: "auto", width: "auto", height: "auto",
      bottom: `${innerHeight - bottom}px`, "max-height": "76vh", overflow: "auto", "z-index": "4", "box-shadow": "0 0 0 3px currentColor" };
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
}

// What scrolls is a stop of the Tab key.
function reached_by_keys(card) {
  if (card.scrollHeight > card.clientHeight) card.tabIndex = 0;
  else card.removeAttribute("tabindex");
}

// The projector that stands, if one does.
let open_projector = null;

// Whether anything but guides is in a figure yet.
function has_curves(plot) {
  return plot.renderers.some(({ visible, data_source }) => visible
    && Object.values(data_source?.data ?? {}).some((column) => column?.length > 2 || column?.[0]?.length > 2));
}

// Where a curve runs in its figure, in pixels of it: points that lie close to each other, none of them outside.
function curve_seen(view, renderer, { left, right, top, bottom }) {
  const { glyph } = renderer, { sx, sy } = view.views.find_one(renderer)?.glyph ?? {}, { colour, dash } = looks_of(glyph), is_line = dash !== null;
  const points = [], count = sy ? sx.length : 0, parts = is_line && count > 1 ? Math.max(1, Math.ceil(TRIED / count)) : 1;
  const stride = Math.max(1, Math.floor(count / 400));
  for (let k = 0; k < count; k += stride) {
    for (let part = 0; part < parts; part += 1) {
      const next = Math.min(k + stride, count - 1), share = part / parts;
      const x = sx[k] + share * (sx[next] - sx[k]), y = sy[k] + share * (sy[next] - sy[k]);
      if (x >= left && x <= right && y >= top && y <= bottom) points.push({ x, y });
    }
  }
  return { colour, dash, points };
}

// The colour of a glyph, and the dash of a line.
function looks_of(glyph) {
  const is_line = /Line|Step/.test(glyph.type), dash = String(glyph.line_dash?.value ?? glyph.line_dash ?? "");
  return {
    colour: colour_of((is_line ? glyph.line_color : glyph.fill_color)?.value ?? glyph.line_color?.value),
    dash: is_line ? DRAWN_AS[dash] ?? "solid" : null,
  };
}

const probe = new Map();

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

// The box of a name beside its curve that meets the fewest points of curves and no other name; where it was, if it may.
function placed(points, label, { left, right, top, bottom }, taken, boxes) {
  const { offsetWidth: wide, offsetHeight: tall } = label.element, gap = tall / 4;
  if (!wide) label.element.hidden = false;
  const width = label.element.offsetWidth || wide, height = label.element.offsetHeight || tall;
  let best = null;
  for (let try_ = 0; try_ <= TRIED; try_ += 1) {
    const { x, y } = points[Math.round((1 - try_ / TRIED) * (points.length - 1))];
    for (const side of [0, 1, 2, 3]) {
      const box = { x: side % 2 ? x + gap : x - width - gap, y: side < 2 ? y - height - gap : y + gap, width, height };
      if (box.x < left || box.x + width > right || box.y < top || box.y + height > bottom) continue;
      if (boxes.some((other) => meet(box, other))) continue;
      const at = 4 * try_ + side, hit = taken.filter((point) => point.x > box.x && point.x < box.x + width && point.y > box.y && point.y < box.y + height).length;
      const cost = hit + try_ / 8 - (label.at === at ? 4 : 0);
      if (!best || cost < best.cost) best = { ...box, at, cost };
    }
  }
  label.at = best?.at ?? null;
  return best;
}

function meet(a, b) { return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height; }

const pins = new Pins({ plot_of: figures, head_of, settings: all_settings, changed: () => open_projector?.compose_soon() });
const NOTHING_TO_PIN = "There is nothing to pin yet.";

function pin_curves(button) {
  const text = button.textContent;
  if (pins.pin(button.dataset.figure)) return;
  button.textContent = NOTHING_TO_PIN;
  setTimeout(() => { button.textContent = text; }, 1600);
}

function unpin_curves(button) { pins.unpin(button.dataset.figure); }

try {
  const { prototype } = Bokeh.require("models/plots/plot_canvas").PlotView, { _actual_paint: paint } = prototype;
  prototype._actual_paint = function paint_and_tell() {
    paint.call(this);
    open_projector?.painted(this.model);
    pins.painted(this.model);
  };
} catch {
  // Another version of Bokeh: names stay where they were first, and pins in the figure that has them.
}
