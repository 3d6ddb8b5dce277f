"""Served pages that are drawn in the browser: what was recorded, by its worker and by the server's engine."""

import copy
import itertools

import pytest

from tests.corpora.golden_frames import SETTINGS, TIES, differences, recorded
from tests.helpers.staged_frames import WITHOUT, frames, ranges
from workbench.pages.norms.figures import NormsFigures
from workbench.pages.screening.figures import ScreeningDrawing

pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.browser

PAGES = ("norms", "screening")
GONE = {
    "points": ("colour", "marker"),
    "before in gaps": ("step",),
}
BACK = "sought back"


def comparable(moment, frame):
    """A frame of screening without what is in it no more, or only now, and what was known before."""
    figures = frame["figures"]
    for figure in figures.values():
        for name, columns in figure["sources"].items():
            # Colours and markers are those of a name now, and steps of a ghost are not drawn.
            gone = GONE.get(name, ("colour",))
            for column in gone:
                columns.pop(column, None)
    # A model test has what is left in the solver.
    figures.pop("left", None)
    for columns in figures.get("epochs", {"sources": {}})["sources"].values():
        columns.pop("left", None)
    # The page has gone to the end before.
    if moment in ("zero", "one step", "three epochs", "another weight"):
        figures.pop("path", None)
    # The browser sets the minus signs of all panes.
    frame["texts"] = {pane: str(text).replace("-", "−") for pane, text in frame["texts"].items()}
    # Who guesses is answered in a test of its own.
    for name in ("predict.text", "predict.answer"):
        frame["texts"].pop(name, None)


def of_played(moment, setting, ours, expected):
    comparable(moment, ours), comparable(moment, expected)


def nothing(moment, setting, ours, expected):
    """All of a frame is compared as it is."""


# Of each page: its figures, the setting that is halved in the end, its texts, and what is not compared.
LOOKED_AT = {
    "norms": (NormsFigures, "ratio", {"code": "code"}, nothing),
    "screening": (ScreeningDrawing, "ratio", {"code": "code"}, of_played),
}
# Moments that no visitor sees as they were recorded: half the way is at another place, or of each run alone.
LEFT_OUT = {("screening", setting): (BACK,) for setting in SETTINGS["screening"]}


# Which of its recorded settings, by those who draw them, a page shows in the short run.
SHORT = {"norms": 1, "screening": 0}


def cases():
    """The recorded settings of every page, by those who draw them."""
    for name, short in SHORT.items():
        ways = ("worker",) if name == "screening" else ("worker", "socket")
        for k, (setting, by) in enumerate(itertools.product(SETTINGS[name], ways)):
            yield pytest.param(name, setting, by, marks=() if k == short else pytest.mark.long)


@pytest.mark.parametrize(("name", "setting", "by"), list(cases()))
def test_a_page_shows_what_was_recorded(browser, address, name, setting, by):
    figures, weight, texts, prepare = LOOKED_AT[name]
    own = address.replace(PAGES[0], name.replace("_", "-"))
    expected, shown = copy.deepcopy(recorded(name)[setting]), {}
    left_out = {*TIES.get((name, setting), ()), *LEFT_OUT.get((name, setting), ())}
    for moment in left_out:
        expected.pop(moment, None)

    without, limits = WITHOUT if by == "socket" else "", ranges(figures())
    for moment, frame in frames(browser, own, name, setting, weight, limits, texts, without):
        if moment not in left_out:
            prepare(moment, setting, frame, expected[moment])
            shown[moment] = frame
    wrong = list(differences(shown, expected, f"{name}, {setting}, {by}"))
    assert not wrong, "\n".join(wrong[:30])
