"""Checks that a browser makes of any page: text that is cut, cards without content, formulas, axe."""

# Text that its own box cuts off, and boxes that leave the window; an edge that scrolls cuts nothing off.
CUT = """
() => {
  const found = [];
  const scrolls = (e) => {
    for (let at = e; at; at = at.parentElement ?? at.getRootNode().host) {
      const over = at.scrollWidth > at.clientWidth + 1;
      if (over && /auto|scroll/.test(getComputedStyle(at).overflowX)) return true;
    }
    return false;
  };
  const texts = "p, b, span, em, a, h1, h2, button, summary, li, .wb-line, .wb-stat, .wb-story";
  const walk = (root) => {
    for (const e of root.querySelectorAll("*")) {
      if (e.shadowRoot) walk(e.shadowRoot);
      if (!e.matches(texts)) continue;
      // A closed drawer waits outside of the window.
      if (e.closest("[aria-hidden=true], nav") || !e.checkVisibility({ visibilityProperty: true })) continue;
      const box = e.getBoundingClientRect();
      if (!box.width || !box.height || !e.textContent.trim() || e.closest(".katex-mathml")) continue;
      const parent = e.parentElement?.closest(".wb-stat");
      const over = parent && box.right > parent.getBoundingClientRect().right + 1;
      const out = box.right > innerWidth + 1 || box.left < -1 || over;
      if (out && !scrolls(e)) found.push(e.textContent.slice(0, 60));
    }
  };
  walk(document);
  return found;
}
"""
# Cards whose title stands over nothing.
EMPTY = """
() => {
  const found = [];
  const walk = (root) => {
    for (const head of root.querySelectorAll(".wb-head")) {
      const card = head.closest(".x-card, .card") ?? head.getRootNode().host.getRootNode().host;
      const [inner, title] = [card.getBoundingClientRect(), head.getBoundingClientRect()];
      if (title.height && inner.height - title.height < 20) found.push(head.textContent.slice(0, 40));
    }
    for (const e of root.querySelectorAll("*")) if (e.shadowRoot) walk(e.shadowRoot);
  };
  walk(document);
  return found;
}
"""
# Formulas that stick out of their page or were not understood, and lines of one that lie over each other.
FORMULAS = """
() => {
  const found = [];
  const inside = (e) => (e.shadowRoot && !e.matches("wb-tex") ? deep(e.shadowRoot) : []);
  const all = (root, what) => [...root.querySelectorAll(what)];
  const deep = (root) => [...all(root, "wb-tex"), ...all(root, "*").flatMap(inside)];
  for (const each of deep(document)) {
    const line = each.shadowRoot?.firstChild;
    const text = each.getAttribute("tex") ?? each.textContent;
    if (!line?.querySelector(".katex")) { found.push(["not set", text]); continue; }
    if (line.querySelector(".katex-error")) found.push(["not understood", text]);
    if (each.matches(".inline") || !each.clientWidth) continue;
    const scrolls = each.matches(".long") && line.tabIndex === 0;
    const bases = [...line.querySelectorAll(".base")].map((base) => base.getBoundingClientRect());
    const over = Math.max(...bases.map((box) => box.right)) - each.getBoundingClientRect().right;
    if (!scrolls && over > 1) found.push(["clipped", text, over]);
    const next = each.nextElementSibling?.shadowRoot?.querySelector(".katex-html")?.getBoundingClientRect();
    const box = line.getBoundingClientRect();
    const isBeside = next && (next.left >= box.right - 1 || next.right <= box.left + 1);
    if (next && !isBeside && box.bottom > next.top + 1) found.push(["overlapping", text]);
    bases.forEach((box, k) => {
      const other = bases[k + 1];
      const before = other && other.left < box.right - 1;
      const below = other && other.top < box.bottom - 1 && other.bottom > box.bottom + 1;
      if (before && below) found.push(["lines overlap", text]);
    });
  }
  return found;
}
"""
# Cards of one page that lie over each other; what is pinned may.
OVERLAPS = """
() => {
  const cards = [];
  // What a column that scrolls shows of a card.
  const seen = (card) => {
    const { left, right, top, bottom } = card.getBoundingClientRect();
    const column = card.closest(".aside, .sidebar")?.getBoundingClientRect() ?? { top, bottom };
    const [from, to] = [Math.max(top, column.top), Math.min(bottom, column.bottom)];
    return { left, right, top: from, bottom: to, width: from < to };
  };
  const walk = (root) => {
    for (const head of root.querySelectorAll(".wb-head")) {
      const card = head.closest(".x-card, .card") ?? head.getRootNode().host.getRootNode().host;
      const pinned = getComputedStyle(card).position === "sticky";
      if (!pinned) cards.push([head.textContent, seen(card)]);
    }
    for (const e of root.querySelectorAll("*")) if (e.shadowRoot) walk(e.shadowRoot);
  };
  walk(document);
  const meet = (one, other) => one.width && other.width && one.left < other.right - 1
    && other.left < one.right - 1 && one.top < other.bottom - 1 && other.top < one.bottom - 1;
  return cards.flatMap(([a, one], k) => cards.slice(k + 1)
    .filter(([, other]) => meet(one, other)).map(([b]) => [a.slice(0, 30), b.slice(0, 30)]));
}
"""

# Labels of axes, and of their ticks, that the edge of their figure cuts off.
AXES = """
() => {
  const found = [];
  const canvas = document.createElement("canvas").getContext("2d");
  const long = (axis, part, text) => {
    const of = (name) => axis[`${part}_text_${name}`];
    canvas.font = `${of("font_style")} ${of("font_size")} ${of("font")}`;
    return canvas.measureText(text).width;
  };
  const models = Bokeh.documents.flatMap((each) => [...each._all_models.values()]);
  for (const plot of models.filter(({ type }) => type === "Figure")) {
    const view = Bokeh.index.find_one(plot);
    if (!view?.el.checkVisibility() || !view.el.clientHeight) continue;
    const { clientWidth: width, clientHeight: height } = view.el;
    const { left, top, width: wide, height: tall } = view.frame.bbox;
    const check = (axis, part, text, at, size) => {
      const over = long(axis, part, text) / 2 - Math.min(at, size - at);
      if (over > 1) found.push([plot.name, text, Math.round(over)]);
    };
    for (const axis of plot.left.filter(({ visible }) => visible)) {
      check(axis, "axis_label", axis.axis_label ?? "", top + tall / 2, height);
    }
    for (const axis of plot.below.filter(({ visible }) => visible)) {
      check(axis, "axis_label", axis.axis_label ?? "", left + wide / 2, width);
      const axisView = view.views.find_one(axis);
      const { major } = axisView.tick_coords;
      const texts = axisView.compute_labels(major[0]).items.map(({ text }) => text ?? "");
      axisView.scoords(major)[0].forEach((at, k) => check(axis, "major_label", texts[k], at, width));
    }
  }
  return found;
}
"""
# Choices whose text is wider than their list, whose arrow takes 18 pixels.
CHOICES = """
() => {
  const canvas = document.createElement("canvas").getContext("2d");
  const all = (root) => [...root.querySelectorAll("*")]
    .flatMap((e) => [...(e.matches("select") ? [e] : []), ...(e.shadowRoot ? all(e.shadowRoot) : [])]);
  return all(document).filter((list) => list.checkVisibility()).flatMap((list) => {
    const { font, paddingLeft, paddingRight } = getComputedStyle(list);
    canvas.font = font;
    const room = list.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight) - 18;
    const isCut = (text) => canvas.measureText(text).width > room + 1;
    return [...list.options].map(({ text }) => text).filter(isCut);
  });
}
"""

# Headings of level one where there is not one of them.
HEADINGS = """
() => {
  const heads = (root) => [...root.querySelectorAll("*")]
    .flatMap((e) => [...(e.matches("h1") ? [e] : []), ...(e.shadowRoot ? heads(e.shadowRoot) : [])]);
  const found = heads(document).map((e) => e.textContent);
  return found.length === 1 ? [] : [found.length, ...found];
}
"""

# Cells of a grid that something takes which shows nothing.
HOLES = """
() => {
  const found = [];
  const bare = (e) => !e.shadowRoot && !e.textContent.trim() && !e.querySelector("canvas, svg, img, input");
  const walk = (root) => {
    for (const e of root.querySelectorAll("*")) {
      if (e.shadowRoot) walk(e.shadowRoot);
      const outer = e.parentElement ?? e.getRootNode().host;
      const box = e.getBoundingClientRect();
      const cell = outer && getComputedStyle(outer).display === "grid" && box.width && box.height;
      if (cell && bare(e) && !e.matches("svg, canvas, img, input")) found.push(e.outerHTML.slice(0, 80));
    }
  };
  walk(document);
  return found;
}
"""


# Entries of a legend that look alike, and those of which the figure draws nothing.
LEGENDS = """
() => {
  const dashes = { "": "solid", "6": "dashed", "2,4": "dotted" };
  const probe = document.createElement("i");
  document.body.append(probe);
  const seen = (colour) => { probe.style.color = colour.slice(0, 7); return getComputedStyle(probe).color; };
  // All values that a property of a glyph takes: one, or those of a column.
  const values = (glyph, name, data) => {
    const spec = glyph[name]?.value !== undefined ? glyph[name].value : glyph[name];
    const field = spec?.field ?? (typeof spec === "string" && spec in data ? spec : null);
    if (field === null) return spec == null ? [] : [spec];
    const { factors, palette } = spec.transform ?? {};
    return Array.from(data[field] ?? []).map((each) => (factors ? palette[factors.indexOf(each)] : each));
  };
  const drawn = (plot) => plot.renderers.filter((each) => each.visible).concat(plot.center)
    .flatMap(({ glyph, data_source, source, ...rest }, k, all) => {
      const [mark, data] = [glyph ?? all[k], (data_source ?? source)?.data ?? {}];
      const columns = Object.values(data);
      if (columns.length && columns.every((column) => !column.length)) return [];
      const colours = ["line_color", "fill_color"].flatMap((name) => values(mark, name, data));
      const line = glyph && /Line|Step|Ray|Segment/.test(glyph.type);
      const drawn_as = () => values(glyph, "line_dash", data).map((each) => dashes[String(each)] ?? each);
      const dash = line ? drawn_as() : ["any"];
      return colours.filter((each) => typeof each === "string" && each.startsWith("#"))
        .flatMap((colour) => dash.map((each) => [seen(colour), each]));
    });
  const found = [];
  const walk = (root) => {
    for (const head of root.querySelectorAll(".wb-head")) {
      const name = head.querySelector(".wb-save [data-figure]")?.dataset.figure;
      const plot = name && Bokeh.documents.flatMap((each) => [...each._all_models.values()])
        .find((each) => each.type === "Figure" && each.name === name);
      const marks = plot && Bokeh.index.find_one(plot)?.el.clientHeight ? drawn(plot) : null;
      const before = new Set();
      for (const entry of head.querySelectorAll(".wb-key i")) {
        const { borderTopColor: colour, borderTopStyle: dash } = getComputedStyle(entry);
        const text = `${name}: ${entry.parentElement.textContent}`;
        const look = `${colour} ${dash} ${/[●■▲◆▼]/.exec(text) ?? ""}`;
        if (before.has(look)) found.push(["looks like another", text]);
        before.add(look);
        if (marks && !marks.some(([one, other]) => one === colour && (other === dash || other === "any"))) {
          found.push(["not drawn", text, colour, dash, String(marks.map((m) => m.join(" ")))]);
        }
      }
    }
    for (const e of root.querySelectorAll("*")) if (e.shadowRoot) walk(e.shadowRoot);
  };
  walk(document);
  probe.remove();
  return found;
}
"""


def wrong(page):
    """All that these checks find on a page as it stands."""
    checks = {
        "cut": CUT,
        "empty": EMPTY,
        "formulas": FORMULAS,
        "overlaps": OVERLAPS,
        "holes": HOLES,
        "legends": LEGENDS,
        "headings": HEADINGS,
        "axes": AXES,
        "choices": CHOICES,
    }
    return {name: faults for name, script in checks.items() if (faults := page.evaluate(script))}


def axe(page):
    """Return axe's violations of every impact: rule, impact and first element."""
    from axe_playwright_python.sync_playwright import Axe

    violations = Axe().run(page).response["violations"]
    return [
        (violation["id"], violation["impact"], violation["nodes"][0]["html"][:200])
        for violation in violations
    ]
