// Points in the plane that one adds, drags and deletes by hand and takes back with Ctrl-Z: of pages that have them.

// Points stand on a grid of hundredths, so that an address holds them exactly: four digits a point.
const UNIT = 0.01, DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz";
// A double click takes the nearest point within this distance, in the plane's units.
const NEAR = 0.15, MOST_UNDONE = 200;
// The longest time that browsers wait.
const LONGEST_MS = 2 ** 31 - 1;

class PlanePoints {
  // `text` is that of edited points, empty for those of the source; `source` and `plot` are Bokeh's. The page
  // answers `drag`, which draws one place of a point, `edited`, and `too_few`; `present` has the points it draws.
  constructor(page, { text, most, half_width, source, plot }) {
    Object.assign(this, { page, text, most, half_width, plot, past: [], dragging: null, waiting: null });
    // A tool that drags redraws with every move and gives the data when it lets go, which redraws once more.
    source.properties.data.change.connect(() => {
      this.given = true;
      queueMicrotask(() => { this.given = false; });
      this.moved(source.data, false);
    });
    source.change.connect(() => { if (!this.given) this.moved(source.data, true); });
    allow_slow_drags(plot);
    plot.on_event("doubletap", ({ x, y }) => this.remove(x, y));
    document.addEventListener("keydown", (event) => {
      if (!(event.ctrlKey || event.metaKey) || event.key !== "z" || event.composedPath()[0].matches?.("input, textarea")) return;
      event.preventDefault();
      this.undo();
    });
  }

  // What the address has of them.
  get entries() { return this.text ? [["points", this.text]] : []; }

  // The Python that makes the points.
  code(source) {
    const examples = "wb.data.examples.";
    return this.text ? `${examples}read_points(\n  '${this.text}')` : `${examples}plane(\n  '${source}')`;
  }

  follow(text) { if (text === "" || is_points(text, this)) this.text = text; }

  forget() { Object.assign(this, { text: "", past: [] }); }

  // The points as they are, {X, y}: in hand, edited, or those of a text to begin with.
  placed(begun) { return this.dragging ?? read_points(this.text || begun, this.half_width); }

  // The columns of points; while one is dragged its tool moves it in these arrays.
  columns({ X, dragged }) { return dragged ?? { x: X.map(([first]) => first), y: X.map(([, second]) => second) }; }

  // Fills Bokeh's sources: that is no edit.
  fill(draw) {
    this.filling = true;
    try {
      draw();
    } finally {
      this.filling = false;
    }
  }

  // Points were moved, or one was added: while one moves, its pictures follow; then it is taken.
  moved({ x, y, label }, is_moving) {
    if (this.filling || !this.page.present) return;
    const adds = this.page.settings.adds === "+1" ? 1 : -1;
    const edited = {
      X: Array.from(x, (value, i) => [snapped(value, this.half_width), snapped(y[i], this.half_width)]),
      y: Float64Array.from(x, (_, i) => (Math.abs(label[i]) === 1 ? label[i] : adds)),
    };
    if (!is_moving) return this.take(edited);
    this.dragging = edited;
    this.drag({ x, y });
  }

  // Every place that there is time for: the newest one when the one before is drawn.
  async drag(columns) {
    this.waiting = columns;
    if (this.is_dragged) return;
    this.is_dragged = true;
    this.hide_tips(true);
    while (this.waiting && this.dragging) {
      const now = this.waiting;
      this.waiting = null;
      await this.page.drag(now);
      await painted();
    }
    this.hide_tips(false);
    this.is_dragged = false;
  }

  // A tooltip would cover what is to be seen, and a sample that is lit would draw other figures with every move.
  hide_tips(hidden) {
    for (const tool of this.plot.toolbar.tools.filter(({ type }) => type === "HoverTool")) {
      if (hidden) tool.callback?.execute(tool, { sample: null });
      if (hidden) (this.tips ??= new Map()).set(tool, tool.renderers);
      tool.renderers = hidden ? [] : this.tips.get(tool);
    }
  }

  take(edited) {
    const { most, page } = this, { present } = page;
    Object.assign(this, { dragging: null, waiting: null });
    if (JSON.stringify(edited.X) === JSON.stringify(present.X) && !present.dragged) return;
    const { X, y } = edited, classes = new Set(y).size;
    if (X.length < 2 || X.length > most || classes < 2) return page.too_few({ n: y.length, classes, most });
    this.past = [...this.past, this.text].slice(-MOST_UNDONE);
    this.text = write_points(edited, this.half_width);
    return page.edited();
  }

  remove(x, y) {
    const { X, y: labels } = this.page.present, away = X.map(([u, v]) => Math.hypot(u - x, v - y)), least = Math.min(...away);
    if (!(least <= NEAR)) return;
    const keep = (_, i) => i !== away.indexOf(least);
    this.take({ X: X.filter(keep), y: labels.filter(keep) });
  }

  undo() {
    if (!this.past.length) return;
    this.text = this.past.pop();
    this.page.edited();
  }
}

// Bokeh takes a point that is held still for 0.3 seconds for something else than the beginning of a drag.
function allow_slow_drags(plot) {
  const gestures = Bokeh.index.find_one(plot)?.canvas_view.ui_event_bus.ui_gestures;
  if (gestures) gestures.constructor.press_threshold = LONGEST_MS;
}

function snapped(value, half_width) { return Math.round(Math.min(Math.max(value, -half_width), half_width) / UNIT) * UNIT; }

function read_points(text, half_width) {
  const points = Array.from({ length: text.length / 5 }, (_, k) => text.slice(5 * k, 5 * k + 5));
  const at = (digits) => snapped(parseInt(digits, 36) * UNIT - half_width, half_width);
  return {
    X: points.map((point) => [at(point.slice(1, 3)), at(point.slice(3))]),
    y: Float64Array.from(points, (point) => (point[0] === "p" ? 1 : -1)),
  };
}

function write_points({ X, y }, half_width) {
  const digits = (value) => {
    const whole = Math.round((value + half_width) / UNIT);
    return DIGITS[Math.floor(whole / 36)] + DIGITS[whole % 36];
  };
  return X.map(([u, v], i) => (y[i] > 0 ? "p" : "m") + digits(u) + digits(v)).join("");
}

// Whether an address holds points: not too many, of both classes, and within the plane.
function is_points(text, { most, half_width }) {
  if (!/^(?:[pm][0-9a-z]{4})+$/.test(text) || text.length > 5 * most) return false;
  const points = text.match(/.{5}/g), largest = Math.round((2 * half_width) / UNIT);
  const places = points.flatMap((point) => [point.slice(1, 3), point.slice(3)].map((digits) => parseInt(digits, 36)));
  return new Set(points.map(([label]) => label)).size === 2 && places.every((place) => place <= largest);
}

// Values of old points for new ones: a moved point keeps its own, one that was added gets zero.
function carried(old, { X, y }, values) {
  if (String(old.y) === String(y)) return Float64Array.from(values);
  const kept = new Map(), key = ({ X: places, y: labels }, i) => `${places[i]} ${labels[i]}`;
  values.forEach((value, i) => kept.set(key(old, i), [...(kept.get(key(old, i)) ?? []), value]));
  return Float64Array.from(y, (_, i) => kept.get(key({ X, y }, i))?.shift() ?? 0);
}
