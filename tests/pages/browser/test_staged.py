"""Served pages that are drawn in the browser: what was recorded, by its worker and by the server's engine."""

import copy
import itertools

import pytest

from tests.corpora.golden_frames import SECONDS_A_STEP, SETTINGS, TIES, differences, recorded
from tests.helpers.staged_frames import WITHOUT, frames, ranges
from workbench.pages.inverse_time import model as inverse_time
from workbench.pages.inverse_time.figures import InverseTimeFigures
from workbench.pages.inverse_time.sweep import cell
from workbench.pages.roads.figures import PATH, RoadsDrawing
from workbench.pages.roads.model import PARTS
from workbench.pages.shell import Visit

pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.browser

PAGES = ("inverse-time", "roads")
GONE = {
    "before in gaps": ("step",),
    "valley": ("colour", "least"),
    "ridge": ("colour", "most"),
}
BACK = "sought back"
# A sweep that nobody waits for: its cells so far, in place of those of the page's own.
SWEPT = """async (swept) => {
    await wb_page.settled();
    wb_page.sweep = () => {};
    wb_page.sweeps++;
    wb_page.swept = { settings: wb_page.settings, ...swept };
}"""


def comparable(moment, frame):
    """A frame of roads without what is in it no more, or only now, and what was known before."""
    figures = frame["figures"]
    for figure in figures.values():
        for name, columns in figure["sources"].items():
            # Colours and markers are those of a name now, and steps of a ghost are not drawn.
            gone = GONE.get(name, ("colour",))
            for column in gone:
                columns.pop(column, None)
    # A test of the hand has these.
    for name in ("hand", "best"):
        figures.get("saddle", {"sources": {}})["sources"].pop(name, None)
    # Parts are compared since, elsewhere than in the record.
    for figure, kind in itertools.product(figures.values(), ("", PATH)):
        for part in PARTS:
            assert not any((figure["sources"].pop(f"{kind}{part}", None) or {}).values())
    # The page has gone to the end before.
    if moment in ("zero", "one step", "three epochs", "another weight"):
        figures.pop("path", None)
    # The browser sets the minus signs of all panes.
    frame["texts"] = {pane: str(text).replace("-", "−") for pane, text in frame["texts"].items()}


def of_played(moment, setting, ours, expected):
    comparable(moment, ours), comparable(moment, expected)


def nothing(moment, setting, ours, expected):
    """All of a frame is compared as it is."""


def sweep(setting):
    """Return the cells of a sweep over few sizes, after its first training set and in the end."""
    model = inverse_time.InverseTime()
    assert (
        Visit(
            model,
            (*inverse_time.INPUTS, *inverse_time.SWEPT, "c", "tolerance"),
            SETTINGS["inverse_time"][setting],
        ).refusals
        == []
    )
    settings = model.settings()
    sizes = inverse_time.sizes(settings["source"])[:3]
    cells = [
        row._replace(seconds=SECONDS_A_STEP * row.steps, reference_seconds=1e-3 * row.reference_steps)
        for row in (cell(settings, m, seed) for seed in (0, 1) for m in sizes)
    ]
    problem = inverse_time.make_problem(settings, sizes[-1], 0)
    constants = inverse_time.constants(problem, inverse_time.population(settings["source"]).reference)
    whole = {"constants": constants._asdict(), "whole": len(cells)}
    rows = [row._asdict() for row in cells]
    return whole | {"cells": rows[:1], "running": True}, whole | {"cells": rows, "running": False}


# Of each page: its figures, the setting that is halved in the end, its texts, and what is not compared.
LOOKED_AT = {
    "inverse_time": (InverseTimeFigures, "lam", {"sweep_status": "sweep", "code": "code"}, nothing),
    "roads": (RoadsDrawing, "lam", {"code": "code", "table": "table"}, of_played),
}
# Moments that no visitor sees as they were recorded: half the way is at another place, or of each run alone.
LEFT_OUT = {(name, setting): (BACK,) for name in ("roads",) for setting in SETTINGS[name]}


# Which of its recorded settings, by those who draw them, a page shows in the short run.
SHORT = {"inverse_time": 0, "roads": 0}


def cases():
    """The recorded settings of every page, by those who draw them."""
    for name, short in SHORT.items():
        ways = ("worker",) if name == "roads" else ("worker", "socket")
        for k, (setting, by) in enumerate(itertools.product(SETTINGS[name], ways)):
            yield pytest.param(name, setting, by, marks=() if k == short else pytest.mark.long)


@pytest.mark.parametrize(("name", "setting", "by"), list(cases()))
def test_a_page_shows_what_was_recorded(browser, address, name, setting, by):
    figures, weight, texts, prepare = LOOKED_AT[name]
    own = address.replace(PAGES[0], name.replace("_", "-"))
    cells = dict(zip(("zero", "one step"), sweep(setting), strict=True)) if name == "inverse_time" else {}
    expected, shown = copy.deepcopy(recorded(name)[setting]), {}
    left_out = {*TIES.get((name, setting), ()), *LEFT_OUT.get((name, setting), ())}
    for moment in left_out:
        expected.pop(moment, None)

    def before(page, moment):
        if moment in cells:
            page.evaluate(SWEPT, cells[moment])

    without, limits = WITHOUT if by == "socket" else "", ranges(figures())
    for moment, frame in frames(browser, own, name, setting, weight, limits, texts, without, before):
        if moment not in left_out:
            prepare(moment, setting, frame, expected[moment])
            shown[moment] = frame
    wrong = list(differences(shown, expected, f"{name}, {setting}, {by}"))
    assert not wrong, "\n".join(wrong[:30])
