"""Latency of the pages in headless Chromium: python benchmarks/pages.py [PART or PAGE] ...

keys    from a key on a slider to the first picture of every figure that changes, by the browser, by the
        server and from a file, and to the last one, where the run that follows has ended
runs    pictures a second of a run that goes on all the time, with four figures in sight at most
first   with nothing compiled or kept, from the first request to the first picture, and a key to its answer
visits  the first picture on a warm server, its processor time, and its memory before and after fifty visits

Without a part all are measured, and without a page all pages. A run has ended once `settled` says so; pages
without runs are read off the paints of their figures. The median and the 95th percentile of forty keys are
printed beside those of a bare page of Bokeh's.
"""

import contextlib
import os
import statistics
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest import mock
from urllib.parse import parse_qsl, urlsplit

import psutil

from tests.helpers.page_browser import chromium, served
from workbench.pages import export

PRESSES, WARM, VISITS = 45, 5, 50
# Pages show all their figures in it.
SIZE = {"width": 1440, "height": 900}
# A slider of each page that solves, and settings of a size that a lesson has.
SOLVING = {
    "dual-lab": ("λ weight of the regularizer", "source=Breast+cancer&lam=0.1"),
    "bias": ("λ weight", ""),
    "svm-gaps": ("C weight", ""),
    "inverse-time": ("λ, Zhu", ""),
    "norms": ("λ / λ_max", ""),
}
# Settings whose runs take longer than the time for which they are watched: those of the default problems end
# within a few pictures, of which the last one waits for the end.
LONG = {"dual-lab": "lam=0.0001", "bias": "lam=0.0001", "svm-gaps": "C=100"}
DRAWN = (
    ("conjugates", "", "v, slope"),
    ("conjugates", "preset=8+%C2%B7+Insensitive+zone", "epsilon"),
    ("transfer", "", "v₁"),
    ("transfer", "", "ε, sparsity"),
    ("transfer", "regularizer=q-norm", "q, exponent"),
    ("simplex", "", "θ₁"),
    ("simplex", "", "α, exponent"),
    ("online", "", "points seen"),
)
WITHOUT = "delete window.WebAssembly;"
# The open page, also of the pages that are not modules yet; a bare page of Bokeh's has neither.
PAGE = "const page = globalThis.wb_page ?? (await globalThis.workbenchPages?.[0]);"
READY = "() => Boolean(globalThis.wb_page) && document.body.dataset.status !== undefined"
SETTLED = f"async () => {{ {PAGE} await page?.settled(); }}"
PRESS = f"async (name) => {{ {PAGE} page.press(name); }}"
# Waits until a frame fills the figures and has been painted.
SHOWN = """async () => {
  const painted = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  const isFilled = async () =>
    (globalThis.wb_page && document.body.dataset.status !== undefined) ||
    (await globalThis.workbenchPages?.[0])?.frame;
  while (!(await isFilled())) await painted();
  do await painted();
  while (!Bokeh.documents.every((each) => each.is_idle));
  await painted();
}"""
# Notes the first paint since the last key of each figure that is shown, and the last of all.
WATCH = """() => {
  window.paints = 0;
  window.moments = [];
  window.firsts = new Map();
  for (const document of Bokeh.documents) {
    for (const model of document._all_models.values()) {
      const view = model.type === "Figure" && Bokeh.index.find_one(model);
      if (!view) continue;
      const paint = view.paint.bind(view);
      view.paint = (...all) => {
        paint(...all);
        if (!view.el.checkVisibility()) return;
        window.paints += 1;
        window.moments.push([model.id, performance.now()]);
        window.last = performance.now();
        if (!window.firsts.has(model.id)) window.firsts.set(model.id, window.last);
      };
    }
  }
  addEventListener("keydown", () => {
    window.pressed = performance.now();
    window.paints = 0;
    window.firsts.clear();
  }, true);
}"""
# Two frames without a paint after the first one: nothing more is drawn.
SPENT = """async () => {
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  await frame();
  %s
  await page?.settled();
  let seen = -1;
  while (!window.paints || window.paints !== seen) {
    seen = window.paints;
    await frame();
    await frame();
  }
  return [Math.max(...window.firsts.values()) - window.pressed, window.last - window.pressed];
}""".replace("%s", PAGE)
BARE = """
for (const source of sources) {
  const { x } = source.data;
  source.setv({ data: { x, y: x.map((u) => Math.sin(u + cb_obj.value)) } }, { sync: false });
}
"""


def bare(count, folder):
    """Return a file with a slider and as many bare figures of one line: what Bokeh and the machine take."""
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


@contextlib.contextmanager
def opened(browser, url, script=None):
    """Yield a page at rest."""
    page = browser.new_page(viewport=SIZE)
    if script:
        page.add_init_script(script)
    page.goto(url)
    page.locator("canvas").first.wait_for(state="attached")
    page.wait_for_timeout(1500)
    if page.evaluate("Boolean(globalThis.wb_page)"):
        page.wait_for_function(READY)
    page.evaluate(SETTLED)
    with contextlib.closing(page):
        yield page


def latencies(browser, url, slider, script=None):
    with opened(browser, url, script) as page:
        page.evaluate(WATCH)
        page.get_by_role("slider", **({"name": slider} if slider else {})).first.focus()
        rows = []
        for count in range(PRESSES):
            page.keyboard.press("ArrowLeft" if count % 10 < 5 else "ArrowRight")
            rows.append(page.evaluate(SPENT))
            page.wait_for_timeout(150)
    return [sorted(times) for times in zip(*rows[WARM:], strict=True)]


def report(what, *columns):
    for until, times in zip(("", "  to the end"), columns, strict=False):
        p95 = times[int(0.95 * len(times))]
        print(f"{what + until:<72}median {statistics.median(times):7.1f} ms   p95 {p95:7.1f} ms", flush=True)


def keys(browser, base, folder, pages):
    for count in (2, 4, 6):
        report(f"a bare page of {count} figures", latencies(browser, bare(count, folder), None)[0])
    for name, query, slider in (row for row in DRAWN if row[0] in pages):
        report(f"{name}: {slider}", *latencies(browser, f"{base}/{name}?{query}", slider))
    for name in filter(pages.__contains__, SOLVING):
        slider, query = SOLVING[name]
        url = f"{base}/{name}?{query}"
        report(f"{name}: {slider}, by the browser", *latencies(browser, url, slider))
        report(f"{name}: {slider}, by the server", *latencies(browser, url, slider, WITHOUT))
        path = Path(folder) / f"{name}.html"
        export.export(name, path, choices=parse_qsl(query))
        report(f"{name}: {slider}, from a file", *latencies(browser, path.as_uri(), slider))


def runs(browser, base, _folder, pages):
    for name in filter(pages.__contains__, SOLVING):
        with opened(browser, f"{base}/{name}?tolerance=1e-06&{LONG.get(name, '')}") as page:
            page.evaluate(WATCH)
            page.evaluate(PRESS, "reset")
            page.evaluate(SETTLED)
            page.evaluate("() => { window.moments.length = 0; }")
            page.evaluate(PRESS, "run")
            page.wait_for_timeout(1500)
            moments = page.evaluate("() => window.moments")
            times = {figure: [time for other, time in moments if other == figure] for figure, _ in moments}
            most = max(times.values(), key=len)
            rate = 1e3 * (len(most) - 1) / max(most[-1] - most[0], 1.0)
            what = f"{name}, a run with {len(times)} figures, {len(most)} pictures"
            print(f"{what:<60}{rate:6.1f} pictures a second", flush=True)


def first_picture(page, url):
    """Milliseconds from the request of a page until it shows a picture."""
    began = time.perf_counter()
    page.goto(url, wait_until="commit")
    page.evaluate(SHOWN)
    return 1e3 * (time.perf_counter() - began)


def first(browser, _base, _folder, pages):
    for name in filter(pages.__contains__, SOLVING):
        shown, answered = [], []
        for _ in range(3):
            with (
                TemporaryDirectory() as cache,
                mock.patch.dict(os.environ, WORKBENCH_CACHE=cache),
                served() as home,
                contextlib.closing(browser.new_page(viewport=SIZE)) as page,
            ):
                shown.append(first_picture(page, home.replace("home", name)))
                page.get_by_role("slider", name=SOLVING[name][0]).first.focus()
                began = time.perf_counter()
                page.keyboard.press("ArrowLeft")
                page.evaluate(SETTLED)
                answered.append(1e3 * (time.perf_counter() - began))
        report(f"{name}, nothing compiled: to its first picture", sorted(shown))
        report(f"{name}, nothing compiled: λ to its answer", sorted(answered))


def visits(browser, base, _folder, pages):
    server = next(child for child in psutil.Process().children() if "serve" in child.cmdline())
    for name in filter(pages.__contains__, SOLVING):
        waits, used = [], sum(server.cpu_times()[:2])
        for _ in range(6):
            with contextlib.closing(browser.new_page(viewport=SIZE)) as page:
                waits.append(first_picture(page, f"{base}/{name}"))
        used = (sum(server.cpu_times()[:2]) - used) / 6
        report(f"{name}, to its first picture ({used:.2f} s of the server)", sorted(waits[1:]))
    sizes = []
    for count in (10, VISITS):
        for _ in range(count):
            with contextlib.closing(browser.new_page(viewport=SIZE)) as page:
                first_picture(page, f"{base}/dual-lab")
        time.sleep(75)  # closed pages have been cleared away by then
        sizes.append(server.memory_info().rss / 2**20)
    print(f"memory after 10 and 60 visits: {sizes[0]:.0f} and {sizes[1]:.0f} MB")


def main(names):
    parts = {part.__name__: part for part in (keys, runs, first, visits)}
    pages = {*names} - {*parts} or {*SOLVING, *(name for name, *_ in DRAWN)}
    with served() as home, chromium() as browser, TemporaryDirectory() as folder:
        base = f"{urlsplit(home).scheme}://{urlsplit(home).netloc}"
        for name in [name for name in names if name in parts] or parts:
            parts[name](browser, base, folder, pages)
    print(f"load {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main(sys.argv[1:])
