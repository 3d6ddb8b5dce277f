"""From a key on a slider to the painted figures, in headless Chromium: python benchmarks/browser.py."""

import contextlib
import statistics
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from page_browser import chromium, served

PRESSES = 80
WARM = 12
# Figures off the screen are painted as well, so the window holds all of them.
SIZE = {"width": 1920, "height": 1500}

# Every paint of a figure is noted; a press counts until a frame has passed after the last of them.
WATCH = """
(kept) => {
  window.paints = 0;
  const figures = new Set();
  for (const document of Bokeh.documents) {
    for (const model of document._all_models.values()) {
      const view = model.type === "Figure" && Bokeh.index.find_one(model);
      if (view) figures.add(view);
    }
  }
  const rest = kept ? [...figures].slice(kept) : [];
  for (const view of rest) {
    figures.delete(view);
    view.paint = () => {};
  }
  for (const view of figures) {
    const paint = view.paint.bind(view);
    view.paint = (...all) => { paint(...all); window.paints += 1; };
  }
  addEventListener("keydown", () => { window.pressed = performance.now(); window.paints = 0; }, true);
  return figures.size;
}
"""
LATENCY = """
() => new Promise((done) => {
  let seen = 0;
  const look = () => {
    if (window.paints > 0 && window.paints === seen) done(window.last - window.pressed);
    else {
      if (window.paints !== seen) {
        seen = window.paints;
        const channel = new MessageChannel();
        channel.port1.onmessage = () => { window.last = performance.now(); };
        channel.port2.postMessage(0);
      }
      requestAnimationFrame(look);
    }
  };
  requestAnimationFrame(look);
})
"""


def latencies(page, slider):
    """Milliseconds from each key press to the end of the frame that shows it."""
    page.get_by_role("slider", **({} if slider is None else {"name": slider})).first.focus()
    found = []
    for count in range(PRESSES):
        waiting = page.evaluate_handle(f"() => ({{ promise: ({LATENCY})() }})")
        page.keyboard.press("ArrowLeft" if count % 20 < 10 else "ArrowRight")
        found.append(page.evaluate("(held) => held.promise", waiting))
    return found[WARM:]


CASES = (
    ("conjugates", "", "v, slope", "tangent"),
    ("conjugates", "?preset=8+%C2%B7+Insensitive+zone", "epsilon", "parameter, all curves anew"),
    ("transfer", "", "v₁", "point"),
    ("transfer", "", "ε, sparsity", "parameter, all level sets anew"),
    ("transfer", "?regularizer=q-norm", "q, exponent", "parameter of the q-norm"),
    ("simplex", "", "θ₁", "point"),
    ("simplex", "", "α, exponent", "parameter, the loss surface anew"),
    ("online", "", "points seen", "one point more"),
    ("online", "?dimension=100&relevant=3", "seed", "another stream of 100 features"),
)


BARE = """
for (const source of sources) {
  const { x } = source.data;
  source.setv({ data: { x, y: x.map((u) => Math.sin(u + cb_obj.value)) } }, { sync: false });
}
"""


def bare(count, folder):
    """A file with a slider and as many bare figures of one line: what Bokeh and the machine take."""
    from bokeh.embed import file_html
    from bokeh.models import Column, ColumnDataSource, CustomJS, Slider
    from bokeh.plotting import figure
    from bokeh.resources import INLINE

    sources = [ColumnDataSource({"x": [k / 40 for k in range(400)], "y": [0.0] * 400}) for _ in range(count)]
    figures = [figure(width=600, height=300, tools="", toolbar_location=None) for _ in range(count)]
    for source, plot in zip(sources, figures, strict=True):
        plot.line("x", "y", source=source)
    slider = Slider(title="shift", start=0, end=10, value=5, step=0.1)
    slider.js_on_change("value", CustomJS(args={"sources": sources}, code=BARE))
    path = Path(folder) / f"bare{count}.html"
    path.write_text(file_html(Column(slider, *figures), INLINE), encoding="utf-8")
    return path.as_uri()


def measure(browser, url, slider, kept):
    with contextlib.closing(browser.new_page(viewport=SIZE)) as page:
        page.goto(url)
        page.locator("canvas").first.wait_for()
        page.wait_for_timeout(2500)
        count = page.evaluate(WATCH, kept)
        found = sorted(latencies(page, slider))
    return kept or count, statistics.median(found), found[int(0.95 * len(found))]


def main():
    pages = served("conjugates", "transfer", "simplex", "online")
    with pages as address, chromium() as browser, TemporaryDirectory() as folder:
        base = address.rsplit("/", 1)[0]
        for kept in (2, 0):
            cases = [(f"bare page of {n} figures", bare(n, folder), None) for n in ((2,) if kept else (4, 5))]
            cases += [
                (f"{name}: {what}", f"{base}/{name}{query}", slider) for name, query, slider, what in CASES
            ]
            for what, url, slider in cases:
                count, median, p95 = measure(browser, url, slider, kept)
                print(f"{what:<46}{count} figures   median {median:6.1f} ms   p95 {p95:6.1f} ms", flush=True)


if __name__ == "__main__":
    main()
