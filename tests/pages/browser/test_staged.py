"""Served pages that are drawn in the browser: what was recorded, by its worker and by the server's engine."""

import copy
import html
import itertools
import re

import pytest

from tests.corpora.golden_frames import SECONDS_A_STEP, SETTINGS, TIES, differences, recorded
from tests.helpers.staged_frames import WITHOUT, frames, ranges
from workbench.pages.dual_lab.figures import DualLabFigures
from workbench.pages.inverse_time import model as inverse_time
from workbench.pages.inverse_time.figures import InverseTimeFigures
from workbench.pages.inverse_time.sweep import cell
from workbench.pages.norms.figures import NormsFigures
from workbench.pages.roads.figures import PATH, RoadsDrawing
from workbench.pages.roads.model import PARTS
from workbench.pages.screening.figures import ScreeningDrawing
from workbench.pages.shell import Visit
from workbench.pages.svm_gaps.figures import SvmDrawing

pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.browser

PAGES = ("dual-lab", "inverse-time", "norms", "roads", "screening", "svm-gaps")
# The reason of a step was recorded in three panes, and is in one.
REASON = ("step", "formula", "badge")
# A distance is measured from the end of a run of its own, which is certified to within less than this.
CERTIFIED = 1e-8
RESTS = re.compile(r"That no bracket is negative rests on .* in double precision\.")
# Of the card that explains a step.
TEX = re.compile(r"<wb-tex>(.*?)</wb-tex>", re.DOTALL)


def words(text):
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", text)).split())


def formulas(said):
    return [html.unescape(formula) for formula in TEX.findall(said["why"])]


LAB_TEXTS = {
    # Recorded with a hyphen for a minus.
    "step": lambda said: words(TEX.sub("", said["why"]).partition("<span")[0]).replace("y = −", "y = -"),
    "formula": lambda said: "".join(f"$${formula}$$" for formula in formulas(said)[:1]),
    "numbers": lambda said: "\n".join(f"${formula}$" for formula in formulas(said)[1:]),
    "badge": lambda said: words("".join(TEX.sub("", said["why"]).partition("<span")[1:])),
    "code": "code",
    "certainty.gauge": lambda said: said["gauge"],
    # What it rests on was not said then.
    "certainty.terms": lambda said: RESTS.sub("", words(said["terms"])).strip(),
}
# Where the record of the Dual lab has no certificate after some epochs: the browser has one after each.
SPARSE = "tube"
GONE = {
    "points": ("colour", "marker"),
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


def together(texts):
    said = " ".join(texts.pop(name).replace("$", " ") for name in REASON)
    return texts | {"why": " ".join(said.split())}


def lined(frame):
    """A frame whose lines begin where anybody would: who joins the pieces of a line begins it somewhere."""
    lines = frame["figures"]["plane"]["sources"]["lines"]
    pieces = [
        (width, dash, turned(list(zip(xs, ys, strict=True))))
        for xs, ys, width, dash in zip(*(lines[name] for name in ("xs", "ys", "width", "dash")), strict=True)
    ]
    pieces.sort(key=lambda piece: (piece[0], piece[1], rounded(piece[2][0])))
    lines |= {
        "xs": [[x for x, _ in places] for _, _, places in pieces],
        "ys": [[y for _, y in places] for _, _, places in pieces],
        "width": [width for width, _, _ in pieces],
        "dash": [dash for _, dash, _ in pieces],
    }
    return frame


def measure(measured, expected):
    """Distances that agree within what the references are certified to are the same."""
    ours, theirs = (frame["figures"]["bounds"]["sources"]["bounds"] for frame in (measured, expected))
    for name in ("primal", "dual"):
        if len(ours[name]) != len(theirs[name]):
            continue  # which is told of as it is
        pairs = zip(ours[name], theirs[name], strict=True)
        ours[name] = [other if is_near(one, other) else one for one, other in pairs]


def is_near(one, other):
    return "nan" not in (one, other) and abs(one - other) <= CERTIFIED


def turned(places):
    """The places of a line from its least end on, of a closed one from its least place."""
    if rounded(places[0]) == rounded(places[-1]):
        least = min(range(len(places) - 1), key=lambda k: rounded(places[k]))
        places = [*places[least:-1], *places[: least + 1]]
        return min(places, places[::-1], key=lambda pair: rounded(pair[1]))
    return min(places, places[::-1], key=lambda pair: rounded(pair[0]))


def rounded(place):
    return tuple(round(number, 6) for number in place)


def thinned(ours, expected):
    """A frame with those certificates alone that the record has, and without what more of them change."""
    for frame in (ours, expected):
        frame.pop("bar")
        frame["figures"]["objective"].pop("y")
    for name, figure in expected["figures"].items():
        for source, columns in figure["sources"].items():
            times = columns.get("time", columns.get("step"))
            if times:
                drawn = ours["figures"][name]["sources"][source]
                at = drawn.get("time", drawn.get("step"))
                indices = [k for k, time in enumerate(at) if time in times]
                drawn.update({column: [values[k] for k in indices] for column, values in drawn.items()})


def comparable(moment, frame):
    """A frame of roads or screening without what is in it no more, or only now, and what was known before."""
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


def of_svm(moment, setting, ours, expected):
    lined(ours), lined(expected)
    expected["texts"] = together(expected["texts"])
    measure(ours, expected)


def of_dual_lab(moment, setting, ours, expected):
    """The numbers of the figures that were recorded; what the page says of them has other tests."""
    for name in set(ours["figures"]) - set(expected["figures"]):
        del ours["figures"][name]
    for frame in (ours, expected):
        frame.pop("cards")
        for part in ("predict.answer", "badge"):
            frame["texts"].pop(part, None)
        for figure in frame["figures"].values():
            for part in ("head", "sentence", "axes"):
                figure.pop(part)
            # While a weight is moved the axes stay.
            if moment == "another weight":
                figure["x"] = figure["y"] = None
            for name in ("visited", "zero_weights", "lit_feature"):
                figure["sources"].pop(name, None)
            figure["sources"].get("lit", {}).pop("margin", None)
        # All weights are drawn, and those that are not zero were.
        figure = frame["figures"]["weights"]
        figure["x"] = None
        bars = figure["sources"]["weights"]
        kept = [k for k, weight in enumerate(bars["weight"]) if weight != 0.0]
        figure["sources"]["weights"] = {part: [bars[part][k] for k in kept] for part in ("weight", "name")}
        if frame["texts"] and moment not in ("zero", "one step"):
            # Of a step that moves something, where the last one does not.
            for part in ("step", "formula", "numbers"):
                frame["texts"].pop(part, None)
        figure["sources"].get("other_weights", {}).pop("place", None)
        others = figure["sources"].get("other_weights", {"weight": []})
        if others["weight"]:
            others["weight"] = [others["weight"][k] for k in kept]
    if moment == BACK:  # recorded at the end of the run, in place of where it stands
        for texts in (ours["texts"], expected["texts"]):
            texts.pop("certainty.gauge", None)
    if setting == SPARSE and moment in ("end", "another weight"):
        thinned(ours, expected)


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
    "dual_lab": (DualLabFigures, "lam", LAB_TEXTS, of_dual_lab),
    "inverse_time": (InverseTimeFigures, "lam", {"sweep_status": "sweep", "code": "code"}, nothing),
    "norms": (NormsFigures, "ratio", {"code": "code"}, nothing),
    "roads": (RoadsDrawing, "lam", {"code": "code", "table": "table"}, of_played),
    "screening": (ScreeningDrawing, "ratio", {"code": "code"}, of_played),
    "svm_gaps": (SvmDrawing, "cost", {"why": "why", "code": "code"}, of_svm),
}
# Moments that no visitor sees as they were recorded: half the way is at another place, or of each run alone.
LEFT_OUT = {("dual_lab", SPARSE): (BACK,)} | {
    (name, setting): (BACK,) for name in ("roads", "screening") for setting in SETTINGS[name]
}


# Which of its recorded settings, by those who draw them, a page shows in the short run.
SHORT = {"dual_lab": 1, "inverse_time": 0, "norms": 1, "roads": 0, "screening": 0, "svm_gaps": 0}


def cases():
    """The recorded settings of every page, by those who draw them."""
    for name, short in SHORT.items():
        ways = ("worker",) if name in ("roads", "screening") else ("worker", "socket")
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
