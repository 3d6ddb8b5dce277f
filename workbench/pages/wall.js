// The projector, where one figure fills the page and the arrow keys walk its story, and cards that are folded. After
// save.js, of a page or of a file.

const WALL_EDGE = 12;

// The figures of the page by the buttons that save them, in their order.
function figure_names() {
  return [...new Set(deep(".wb-save [data-figure]").map((button) => button.dataset.figure))];
}

// The card of a figure: what stands beside others in a grid.
function card_of(name) {
  let element = deep(`.wb-save [data-figure="${name}"]`)[0];
  while (element) {
    const above = element.parentElement ?? element.getRootNode().host;
    if (above && getComputedStyle(above).display === "grid" && others(element).length) return element;
    element = above;
  }
}

function others(card) {
  return [...card.parentNode.children].filter((each) => each !== card && !each.matches("style, link"));
}

// Whether a figure stands alone: a page may draw others later.
function is_alone(name) {
  const card = card_of(name);
  return !card || others(card).every((each) => each.style.display === "none");
}

// Show this figure alone, as high as the window has room below what stands above it.
function fill_wall(name) {
  const card = card_of(name);
  // Before the first figure is drawn there is no name, and Bokeh takes that for all models without one.
  const plot = card && figures(name);
  if (!plot) return;
  for (const each of others(card)) each.style.setProperty("display", "none", "important");
  card.style.removeProperty("display");
  card.style.setProperty("grid-column", "1 / -1");
  for (const each of deep(".wb-stats")) each.getRootNode().host?.style.setProperty("display", "none", "important");
  const view = Bokeh.index.find_one(plot);
  const top = view.el.getBoundingClientRect().top + scrollY;
  const sentence = 64;
  const height = Math.max(240, Math.round(innerHeight - top - sentence - WALL_EDGE));
  plot.setv({ height, styles: { ...plot.styles, height: `${height}px` } }, { sync: false });
}

// Where the story goes from here: none before the first step and after the last.
function step_of(key, step, count) {
  const moved = { ArrowRight: 1, PageDown: 1, ArrowLeft: -1, PageUp: -1 }[key];
  const next = moved ? step + moved : 0;
  return next >= 1 && next <= count ? next : 0;
}

// Show the cards that follow a button in their grid, or fold them again.
function unfold(button) {
  const fold = button.getRootNode().host ?? button.parentElement;
  button.setAttribute("aria-expanded", fold.classList.toggle("open"));
  // A figure that was not shown had no size when it was laid out.
  requestAnimationFrame(() => figure_names().forEach((name) => Bokeh.index.find_one(figures(name))?.invalidate_layout()));
}
