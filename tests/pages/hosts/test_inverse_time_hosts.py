"""Inverse time in every host: what was recorded, and the recorded curve beside a live run."""

import copy

import numpy as np
import pytest

from tests.corpora.golden_frames import SETTINGS, differences, recorded
from tests.helpers.hosted_frames import WITHOUT, frames, ranges, settings_of
from tests.helpers.page_browser import PATIENCE_MS
from tests.pages.hosts import carriers
from workbench.pages.inverse_time import curves
from workbench.pages.inverse_time import model as inverse_time
from workbench.pages.inverse_time.declaration import InverseTime
from workbench.pages.inverse_time.figures import InverseTimeFigures

pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.browser

PAGES = ("inverse-time",)
READY = "() => globalThis.workbenchPages?.length > 0"
STATE = "async (given) => { const page = await workbenchPages[0]; await page.settled(); %s }"
# Those of recorded settings that a file carries when it is written for them.
FILES = {"source": list(inverse_time.SOURCES), "p": [2.0, 1.5], "samples": [120, 200, 400], "seed": [0]}
# A curve of few sizes in place of that of the settings.
GIVEN = """
    page.askCurve = () => {};
    page.curve = { message: { ...given.message }, record: { ...given.record } };
"""
# New, and what a clock or a sweep that goes on said.
NEW_FIGURES, NEW_SOURCES, GONE = ("course", "sweep_work"), ("here",), ("sweep_time",)


def opened_without_webassembly(browser, address):
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    context.add_init_script(WITHOUT)
    view = context.new_page()
    view.set_default_timeout(PATIENCE_MS)
    view.goto(address)
    return view


@pytest.fixture(scope="module", params=["file", "python"])
def host(request, browser, address, tmp_path_factory):
    if request.param == "python":
        view = opened_without_webassembly(browser, address)
        view.wait_for_function(READY)
        yield view
        view.context.close()
        return
    page = InverseTime()
    page.carry(FILES)
    with carriers.file(browser, tmp_path_factory.mktemp("inverse"), page.html(), READY) as view:
        view.set_viewport_size({"width": 1440, "height": 900})
        yield view


def on_page(view, script, argument=None):
    return view.evaluate(STATE % script, argument)


def few_cells(setting):
    """Return curves of the recorded cells: of the first training set, and of two sets of three sizes."""
    page = InverseTime()
    page.change(settings_of(page, "inverse_time", setting))
    settings = page.settings()
    sizes = inverse_time.sizes(settings["source"])[:3]
    cells = [[curves.cell(settings, m, seed)[0].tolist() for seed in (0, 1)] for m in sizes]
    largest = inverse_time.make_problem(settings, sizes[-1], 0)
    message = {name: settings[name] for name in curves.NAMES} | {"seeds": 2}
    same = {
        "looks": curves.LOOKS.tolist(),
        "reference": [],
        "length": inverse_time.length(largest),
        "G": inverse_time.regularized_reference(settings),
    }
    for m, distances in (([sizes[0]], cells[0][0]), (list(sizes), np.ravel(cells).tolist())):
        yield {"message": message, "record": same | {"m": m, "distances": distances}}


def comparable(moment, frame):
    """Keep what was recorded: all numbers of steps and of the run; titles and captions were written anew."""
    figures = frame["figures"]
    for name in (*NEW_FIGURES, *GONE):
        figures.pop(name, None)
    for figure in figures.values():
        figure.pop("head")
    for name in NEW_SOURCES:
        figures["sweep_steps"]["sources"].pop(name, None)
    if moment == "zero":
        figures["sweep_steps"].pop("sentence")  # which said that the sweep went on
    figures["sweep_steps"].pop("axes")  # whose label is short enough for a low figure
    figures["pgs_gap"]["sources"].get("before in pgs_gap", {}).pop("epoch", None)
    frame["texts"] = {"code": frame["texts"]["code"]}
    frame["cards"] = [card[:2] for card in frame["cards"]]


SHORT, *REST = SETTINGS["inverse_time"]


@pytest.mark.parametrize("setting", [SHORT, *(pytest.param(name, marks=pytest.mark.long) for name in REST)])
def test_page_draws_what_was_recorded(host, setting):
    first, whole = few_cells(setting)
    expected, shown = copy.deepcopy(recorded("inverse_time")[setting]), {}
    on_page(host, GIVEN, first)
    moments = frames(host, InverseTime(), "inverse_time", setting, "lam", ranges(InverseTimeFigures()))
    for moment, frame in moments:
        comparable(moment, frame), comparable(moment, expected[moment])
        shown[moment] = frame
        on_page(host, GIVEN, whole)
    on_page(host, "delete page.askCurve; page.key = ''; await page.change(page.facts.defaults);")
    wrong = list(differences(shown, expected, f"inverse time, {setting}"))
    assert not wrong, "\n".join(wrong[:30])
