"""Served pages whose pictures are the engine's answers: what was recorded while Python drew them."""

import itertools

import pytest
from golden_frames import SETTINGS, differences, recorded
from staged_frames import frames, ranges

from workbench.pages.roads.figures import PATH, RoadsDrawing
from workbench.pages.roads.model import PARTS
from workbench.pages.screening.figures import ScreeningDrawing
from workbench.pages.theme import LIGHT

pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.browser

PAGES = ("screening", "roads")
PAGE = {"screening": (ScreeningDrawing, "ratio"), "roads": (RoadsDrawing, "lam")}
TEXTS = {"screening": {"code": "code"}, "roads": {"code": "code", "table": "table"}}
BACK = "sought back"
GONE = {
    "points": ("colour", "marker"),
    "before in gaps": ("step",),
    "valley": ("colour", "least"),
    "ridge": ("colour", "most"),
}
CASES = [
    pytest.param(name, setting, marks=pytest.mark.long if place else ())
    for name in PAGE
    for place, setting in enumerate(SETTINGS[name])
]


def _comparable(moment, frame):
    """A frame without what is in it no more, or only now, and what was known before."""
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
    # A model test has what is left in the solver.
    figures.pop("left", None)
    for columns in figures.get("epochs", {"sources": {}})["sources"].values():
        columns.pop("left", None)
    # Parts are compared since, elsewhere than in the record.
    for figure, kind in itertools.product(figures.values(), ("", PATH)):
        for part in PARTS:
            assert not any((figure["sources"].pop(f"{kind}{part}", None) or {}).values())
    # The page has gone to the end before.
    if moment in ("zero", "one step", "three epochs", "another weight"):
        figures.pop("path", None)
    # The browser sets the minus signs of all panes.
    frame["texts"] = {pane: str(text).replace("-", "−") for pane, text in frame["texts"].items()}
    # Who guesses is answered in a test of its own.
    for name in ("predict.text", "predict.answer"):
        frame["texts"].pop(name, None)
    return frame


@pytest.mark.parametrize(("name", "setting"), CASES)
def test_the_page_shows_what_was_recorded(name, setting, browser, address):
    kind, weight = PAGE[name]
    own = address.rsplit("/", 1)[0] + f"/{name}"
    found = frames(browser, own, name, setting, weight, ranges(kind(LIGHT)), TEXTS[name])
    # Each run went back to a half of its own in the record; a visitor goes back with all of them.
    found = {moment: _comparable(moment, frame) for moment, frame in found if moment != BACK}
    expected = {moment: _comparable(moment, frame) for moment, frame in recorded(name)[setting].items()}
    expected.pop(BACK)
    wrong = list(differences(found, expected, f"{name}, {setting}"))
    assert not wrong, "\n".join(wrong[:30])
