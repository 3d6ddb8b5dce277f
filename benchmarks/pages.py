"""The Dual lab against a bare page of four Bokeh figures, in headless Chromium: python benchmarks/pages.py.

Prints the time from a key on a slider to all four figures painted, frames a second of a run, the first paint
on a warm server, both for the other pages with a run, and the server's memory before and after fifty visits.
All six figures are unfolded for the time of a key; a run is measured as the page opens, and unfolded.
`scrubbing` moves the scrub bar of runs of 300 epochs and more, and waits for the figures.
Names of parts (compare, frames, playing, file, scrubbing, first_paint, others, memory) choose among these.
"""

import contextlib
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from urllib.parse import urlencode, urlsplit

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from page_browser import chromium, served, unfold

from workbench.pages import export

PRESSES, WARM = 25, 5
VISITS = 50
SIZE = {"width": 1440, "height": 1600}
# Closed pages have been taken down and cleared away after this many seconds at the latest.
REST = 75
# A slider of each of the other pages with a run.
SLIDERS = {
    "bias": "λ weight", "svm-gaps": "C weight", "inverse-time": "λ, Zhu", "norms": "λ / λ_max",
    "screening": "λ / λ_max", "roads": "λ weight",
}  # fmt: skip
FOUR = ("gap", "objective", "weights", "duals")
QUERY = "?source=Breast+cancer&lam=0.1"
# Runs that take seconds wherever they are done.
RUNS = {
    "digits": "?source=Digits+·+even+or+odd&lam=1e-06&tolerance=1e-06&scale=0.01",
    "Reuters": "?source=Reuters-21578+·+acq&lam=1e-06&tolerance=1e-06&scale=0.01",
}
# The same in an exported file, whose address has numbers as JavaScript writes them.
FILE_RUN = {"source": "Digits · even or odd", "lam": "0.000001", "tolerance": "0.000001", "scale": "0.01"}
# Who plays, the page, its query, and the figures that a place changes: runs of 300 epochs and more.
SCRUBBED = (
    ("browser", "dual-lab", "?source=Breast+cancer&lam=0.002&tolerance=1e-06", FOUR),
    ("server", "roads", "", ("gaps", "saddle")),
)
MOVE = """(bar, place) => {
  Object.assign(window, { first: {}, pressed: performance.now() });
  bar.value = place;
  bar.dispatchEvent(new Event("input", { bubbles: true }));
}"""
# The same problem, the same certificate, the same numbers, through four sources and nothing else.
BARE = """
import numpy as np
import panel as pn
from bokeh.models import ColumnDataSource
from bokeh.plotting import figure
from workbench.pages import parts
from workbench.pages.dual_lab import model as dual_lab
from workbench.run import Run

pn.extension()
model = dual_lab.DualLab(source="Breast cancer", lam=0.1)
slider = pn.widgets.DiscreteSlider(name="lam", options=parts.log_options(0.1, 1e-6, 1.0), value=0.1)
names = ("gap", "objective", "weights", "duals")
sources = [ColumnDataSource({"x": [], "y": []}) for _ in names]
figures = [figure(name=name, height=230, sizing_mode="stretch_width") for name in names]
for plot, source in zip(figures, sources):
    plot.line("x", "y", source=source)

def changed(event):
    model.lam = event.new
    run = Run(dual_lab.problem(model.settings()), "gauss-seidel")
    found = run.record()
    at, many = [row["epoch"] for row in run.rows], np.arange(found.alpha.size)
    columns = (
        (at, [row["gap"] for row in run.rows]), (at, [row["primal"] for row in run.rows]),
        (np.arange(found.w.size), found.w), (many, np.sort(found.alpha)[::-1]),
    )
    with pn.io.hold():
        for source, (x, y) in zip(sources, columns):
            source.data = {"x": x, "y": y}

slider.param.watch(changed, "value")
pn.Column(slider, *[pn.pane.Bokeh(each, sizing_mode="stretch_width") for each in figures]).servable()
"""
WATCH = """
(names) => {
  window.first = {};
  window.paints = 0;
  for (const document of Bokeh.documents) {
    for (const model of document._all_models.values()) {
      if (model.type !== "Figure" || (names.length && !names.includes(model.name))) continue;
      const view = Bokeh.index.find_one(model), paint = view.paint.bind(view);
      view.paint = (...all) => {
        paint(...all);
        window.paints += 1;
        window.first[model.name] ??= performance.now();
      };
    }
  }
  addEventListener("keydown", () => { window.pressed = performance.now(); window.first = {}; }, true);
}
"""
PAINTED = "(count) => Object.keys(window.first).length >= count"
SPENT = "() => Math.max(...Object.values(window.first)) - window.pressed"


def latencies(page, slider, figures, names=FOUR, presses=PRESSES):
    """Milliseconds from each key press until so many of the figures have been painted anew."""
    page.evaluate(WATCH, list(names))
    page.get_by_role("slider", **({} if slider is None else {"name": slider})).first.focus()
    found = []
    for count in range(presses):
        page.keyboard.press("ArrowLeft" if count % 10 < 5 else "ArrowRight")
        page.wait_for_function(PAINTED, arg=figures, timeout=20_000)
        found.append(page.evaluate(SPENT))
        page.wait_for_timeout(600)
    return sorted(found[WARM:])


def report(what, found):
    p95 = found[int(0.95 * len(found))]
    print(f"{what:<46}median {statistics.median(found):6.1f} ms   p95 {p95:6.1f} ms", flush=True)
    return statistics.median(found), p95


@contextlib.contextmanager
def bare_page():
    """The address of the bare page on a server of its own."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "bare.py"
        path.write_text(BARE, encoding="utf-8")
        command = (sys.executable, "-m", "panel", "serve", str(path), "--port", "5399")
        server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            time.sleep(8.0)
            yield "http://localhost:5399/bare"
        finally:
            server.terminate()
            server.wait(20)


def opened(browser, url, said=None):
    page = browser.new_page(viewport=SIZE)
    page.goto(url)
    page.locator("canvas").first.wait_for()
    if said:
        page.locator(".wb-status", has_text=said).first.wait_for()
    return page


def compare(browser, lab):
    """Key press to picture, the Dual lab and the bare page by turns."""
    with bare_page() as bare, contextlib.closing(opened(browser, bare)) as plain:
        plain.wait_for_timeout(2000)
        with contextlib.closing(opened(browser, lab + QUERY, re.compile("Reached"))) as page:
            unfold(page)
            full = report("Dual lab, key to four figures", latencies(page, "λ weight", len(FOUR)))
        least = report("bare page of four figures", latencies(plain, None, len(FOUR)))
    print(f"{'ratio':<46}median {full[0] / least[0]:6.2f}      p95 {full[1] / least[1]:6.2f}", flush=True)


def frames(browser, lab):
    """Paints of the gap a second while a run goes on."""
    with contextlib.closing(
        opened(browser, lab + "?lam=1e-6&tolerance=1e-06", re.compile("Running"))
    ) as page:
        page.evaluate(WATCH, ["gap"])
        page.wait_for_timeout(4000)
        print(
            f"{'Dual lab, a run':<46}{page.evaluate('window.paints') / 4.0:6.1f} frames a second", flush=True
        )


def playing(browser, lab):
    """Key to four figures with the engine loaded, then of runs: paints of the gap and the server's time."""
    with contextlib.closing(opened(browser, lab + QUERY, re.compile("Reached"))) as page:
        page.wait_for_timeout(4000)  # the kernels and the data come after the first picture
        unfold(page)
        report("Dual lab, loaded, key to four figures", latencies(page, "λ weight", len(FOUR), presses=45))
    for name, query in RUNS.items():
        with contextlib.closing(opened(browser, lab + query, re.compile("Running|Reached|Stopped"))) as page:
            page.wait_for_timeout(4000)
            page.evaluate(WATCH, ["gap"])
            for what in ("", ", all figures"):
                press(page, "reset")
                page.locator(".wb-status", has_text="Paused after 0 steps").wait_for(timeout=60_000)
                if what:
                    unfold(page)
                started = server_seconds(lab)
                rate, seconds = run_rate(page)
                spent, said = server_seconds(lab) - started, page.locator(".wb-status").inner_text()
                print(
                    f"{f'Dual lab, a run, {name}{what}':<46}{rate:6.1f} frames a second, "
                    f"server {1e3 * spent / seconds:6.1f} ms a second ({said})", flush=True,
                )  # fmt: skip


def run_rate(page):
    """Paints of the gap a second of a run that is pressed here, and the seconds since."""
    pressed = time.perf_counter()
    press(page, "run")
    page.wait_for_timeout(500)
    begun = page.evaluate("[window.paints, performance.now()]")
    page.wait_for_timeout(1500)
    ended = page.evaluate("[window.paints, performance.now()]")
    return 1e3 * (ended[0] - begun[0]) / (ended[1] - begun[1]), time.perf_counter() - pressed


def file(browser, lab):
    """The same from an exported file, which shows all figures."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "dual-lab.html"
        sources = ("Breast cancer", FILE_RUN["source"])
        export.export("dual-lab", path, given=[("source", source) for source in sources])
        with contextlib.closing(opened(browser, f"{path.as_uri()}#lam=0.1", re.compile("Reached"))) as page:
            report("file, key to four figures", latencies(page, "λ, weight", len(FOUR), presses=45))
        run = f"{path.as_uri()}#{urlencode(FILE_RUN)}"
        with contextlib.closing(opened(browser, run, re.compile("Running|Stopped"))) as page:
            press(page, "reset")
            page.locator("body[data-status=paused][data-step='0']").wait_for()
            page.evaluate(WATCH, ["gap"])
            rate, _ = run_rate(page)
            said = page.locator("#x-status").inner_text()
            print(f"{'file, a run, digits':<46}{rate:6.1f} frames a second ({said})", flush=True)


def scrubbing(browser, lab):
    """The scrub bar to another place, to all figures over and of the state that was there."""
    for what, page, query, names in SCRUBBED:
        url = f"{lab.rpartition('/')[0]}/{page}{query}"
        with contextlib.closing(opened(browser, url, re.compile("Reached|Stopped"))) as view:
            if what == "browser":
                view.wait_for_timeout(4000)
                press(view, "reset")
                view.locator(".wb-status", has_text="Paused after 0 steps").wait_for(timeout=60_000)
                press(view, "run")
                view.locator(".wb-status", has_text=re.compile("Reached|Stopped")).wait_for(timeout=60_000)
                view.wait_for_timeout(1500)
            view.evaluate(WATCH, list(names))
            bar, found = view.get_by_role("slider", name="Progress of the run"), []
            most = int(bar.get_attribute("max"))
            for count in range(WARM + PRESSES):
                # Far back and far on in turn, as a hand does that looks for a place.
                bar.evaluate(MOVE, int((0.37 * count) % 1.0 * most))
                view.wait_for_function(PAINTED, arg=len(names), timeout=20_000)
                found.append(view.evaluate(SPENT))
                view.wait_for_timeout(500)
            report(f"{page} by the {what}, {most + 1} places", sorted(found[WARM:]))


def press(page, name):
    page.get_by_role("button", name=name, exact=True).click()


def server_pid(lab):
    """The process that serves this address."""
    port = urlsplit(lab).port
    return int(subprocess.check_output(("pgrep", "-n", "-f", f"workbench serve home.*{port}"), text=True))


def server_seconds(lab):
    """The processor time that the server has taken."""
    fields = Path(f"/proc/{server_pid(lab)}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK")


def first_paint(browser, lab):
    report("Dual lab, first paint on a warm server", first_paints(browser, lab + QUERY))


def first_paints(browser, url):
    """Milliseconds until a visit shows its first picture and says what it is doing."""
    found = []
    for _ in range(6):
        started = time.perf_counter()
        opened(browser, url, re.compile(r"\w")).close()
        found.append(1e3 * (time.perf_counter() - started))
    return sorted(found[1:])


def others(browser, lab):
    """The first paint of the other pages with a run, and a key on a slider to the first figure."""
    for name, slider in SLIDERS.items():
        url = f"{lab.rpartition('/')[0]}/{name}"
        report(f"{name}, first paint", first_paints(browser, url))
        with contextlib.closing(opened(browser, url, re.compile("Reached|Running|Converged|after"))) as page:
            report(f"{name}, key to the first figure", latencies(page, slider, 1, ()))


def memory(browser, lab):
    """The server's memory after a few visits, and after fifty more."""
    pid = server_pid(lab)
    sizes = []
    for count in (10, VISITS):
        for _ in range(count):
            opened(browser, lab + QUERY, re.compile("Reached|Running")).close()
        time.sleep(REST)
        sizes.append(
            int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20
        )
    grown = 100.0 * (sizes[1] / sizes[0] - 1.0)
    print(
        f"{'memory after 10 and 60 visits':<46}{sizes[0]:.0f} and {sizes[1]:.0f} MB, {grown:+.1f} %",
        flush=True,
    )


def main(names):
    all_parts = (compare, frames, playing, file, scrubbing, first_paint, others, memory)
    parts = {part.__name__: part for part in all_parts}
    with served("home", "dual-lab", *SLIDERS) as home, chromium() as browser:
        for name in names or parts:
            parts[name](browser, home.rsplit("/", 1)[0] + "/dual-lab")


if __name__ == "__main__":
    main(sys.argv[1:])
