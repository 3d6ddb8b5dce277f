"""From a key on a slider to the painted figures, in headless Chromium: python tests/bench_browser.py."""

import contextlib
import statistics
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

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
    page.get_by_role("slider", name=slider).first.focus()
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
)


def main():
    with served("conjugates", "transfer") as address, chromium() as browser:
        base = address.rsplit("/", 1)[0]
        for kept in (2, 0):
            for page_name, query, slider, what in CASES:
                with contextlib.closing(browser.new_page(viewport=SIZE)) as page:
                    page.goto(f"{base}/{page_name}{query}")
                    page.locator(".wb-line").first.wait_for()
                    page.wait_for_timeout(2500)
                    count = page.evaluate(WATCH, kept)
                    found = sorted(latencies(page, slider))
                    p95 = found[int(0.95 * len(found))]
                    shown = f"{kept or count} figures"
                    print(
                        f"{page_name}: {what:<34}{shown:<12}median {statistics.median(found):6.1f} ms"
                        f"   p95 {p95:6.1f} ms",
                        flush=True,
                    )


if __name__ == "__main__":
    main()
