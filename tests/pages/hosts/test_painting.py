"""A picture asks Bokeh and the browser for no more than it shows."""

import pytest

from tests.pages.hosts import carriers
from workbench.pages.dual_lab.declaration import DualLab

pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.browser

READY = "() => globalThis.workbenchPages?.length > 0"
# Counts calls while a script runs: of the views of glyphs, of their renderers, and for styles.
COUNTED = """async () => {
  const page = await workbenchPages[0];
  await page.settled();
  const { GlyphView } = page.Bokeh.require("models/glyphs/glyph");
  const { GlyphRendererView } = page.Bokeh.require("models/renderers/glyph_renderer");
  const counts = { glyphs: 0, renderers: 0, styles: 0 };
  const undo = [];
  const count = (owner, name, key) => {
    const before = owner[name];
    owner[name] = function (...all) { counts[key] += 1; return before.apply(this, all); };
    undo.push(() => { owner[name] = before; });
  };
  count(GlyphView.prototype, "set_data", "glyphs");
  count(GlyphRendererView.prototype, "set_data", "renderers");
  count(window, "getComputedStyle", "styles");
  %s
  for (const each of undo) each();
  return counts;
}"""
REPAINT = """
  const views = page.document ?? page.figures.document;
  for (const root of views.roots()) page.Bokeh.index.find_one(root).request_paint();
  await page.settled();
"""
MUTED = """async () => {
  const page = await workbenchPages[0];
  await page.settled();
  const plot = page.figures.of("figures", "objective");
  const view = page.Bokeh.index.find_one(plot);
  const renderer = plot.renderers.find(({ glyph }) => glyph.type === "Line");
  const of = () => view.views.find_one(renderer);
  const painted = [];
  const { paint } = Object.getPrototypeOf(of().glyph);
  const alphas = [of().glyph, of().muted_glyph].map((each) => {
    each.paint = function (...all) {
      painted.push([this === of().muted_glyph, this.sx.length, this.visuals.line.line_alpha.value]);
      return paint.apply(this, all);
    };
    return each.model.line_alpha.value ?? each.model.line_alpha;
  });
  renderer.muted = true;
  await page.settled();
  view.request_paint();
  await page.settled();
  return [painted.at(-1), of().glyph.sx.length, alphas];
}"""
SECTIONS = """async () => {
  const page = await workbenchPages[0];
  await page.settled();
  const { engine } = page.tracks.shown[0];
  const ask = engine.ask.bind(engine);
  let count = 0;
  engine.ask = (type, ...rest) => { count += Number(type === "section"); return ask(type, ...rest); };
  await page.change({ lam: 0.04 });
  await page.settled();
  const before = count;
  page.view.root.querySelector("[data-do=swap][data-figure=saddle]").click();
  await page.settled();
  return [before, count > before, page.figures.of("sources", "valley").data.dual.length > 0];
}"""


@pytest.fixture(scope="module")
def lab(browser, tmp_path_factory):
    with carriers.file(browser, tmp_path_factory.mktemp("lab"), DualLab().html(), READY) as view:
        yield view


def test_data_fill_one_view_of_each_glyph(lab):
    counts = lab.evaluate(COUNTED % "await page.change({ lam: 0.03 }); await page.settled();")
    assert counts["glyphs"] == counts["renderers"] > 0


def test_paint_without_a_new_size_asks_for_no_styles(lab):
    assert lab.evaluate(COUNTED % REPAINT)["styles"] == 0


def test_faded_curve_is_filled_when_it_fades(lab):
    faded, size, (_, alpha) = lab.evaluate(MUTED)
    assert faded == [True, size, alpha]
    assert size > 1


def test_saddle_is_computed_while_it_is_in_view_alone(lab):
    assert lab.evaluate(SECTIONS) == [0, True, True]
