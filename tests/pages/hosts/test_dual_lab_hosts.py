"""The Dual lab draws the same picture in every host: what was recorded while Python drew it."""

import copy
import html
import re

import pytest

from tests.corpora.golden_frames import SETTINGS, TIES, _words, differences, recorded
from tests.helpers.hosted_frames import frames
from tests.helpers.staged_frames import ranges
from tests.pages.hosts import carriers
from workbench.pages.dual_lab.declaration import DualLab
from workbench.pages.dual_lab.figures import DualLabFigures

pytest.importorskip("playwright.sync_api")
pytest.importorskip("anywidget")
pytestmark = pytest.mark.browser

READY = "() => globalThis.workbenchPages?.length > 0"
CELL = (
    "from workbench.pages.dual_lab.declaration import DualLab\npage = DualLab(source='Breast cancer')\npage"
)
OPENS = {
    "panel": lambda browser, folder: carriers.panel(
        browser, folder, "tests.pages.hosts.lab_server", "lab", READY
    ),
    "notebook": lambda browser, folder: carriers.notebook(browser, folder, CELL, READY),
    "file": lambda browser, folder: carriers.file(
        browser, folder, DualLab(source="Breast cancer").html(), READY
    ),
}
SHORT, *REST = ("compared", *(name for name in SETTINGS["dual_lab"] if name != "compared"))
# A file has no data beside its own and points.
NOT_IN_A_FILE = ("tube",)
# What the record has no certificate after some epochs of: the browser has one after each.
SPARSE, BACK = "tube", "sought back"
TEX = re.compile(r"<wb-tex>(.*?)</wb-tex>", re.DOTALL)
RESTS = re.compile(r"That no bracket is negative rests on .* in double precision\.")
TEXTS = """async () => {
    const { view: { parts }, frame, certainty } = await workbenchPages[0];
    return { why: parts.why.dataset.html, code: parts.code.textContent, gauge: frame.gauge, terms: certainty.written };
}"""


@pytest.fixture(scope="module", params=list(OPENS))
def host(request, browser, tmp_path_factory):
    with OPENS[request.param](browser, tmp_path_factory.mktemp(request.param)) as view:
        yield request.param, view


def texts(raw):
    """Return the texts as they were recorded: the reason of a step in parts, with a hyphen for a minus."""
    formulas = [html.unescape(formula) for formula in TEX.findall(raw["why"])]
    words = TEX.sub("", raw["why"])
    return {
        "step": _words(words.partition("<span")[0]).replace("y = −", "y = -"),
        "formula": "".join(f"$${formula}$$" for formula in formulas[:1]),
        "numbers": "\n".join(f"${formula}$" for formula in formulas[1:]),
        "code": raw["code"].removeprefix("Copy"),
        "certainty.gauge": raw["gauge"],
        # What it rests on was not said then.
        "certainty.terms": RESTS.sub("", _words(raw["terms"])).strip(),
    }


def comparable(moment, setting, ours, expected):
    """Keep the numbers of the figures that were recorded; what the page says of them has other tests."""
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
            for name in ("visited", "zero_weights", "lit_feature", "lit"):
                figure["sources"].pop(name, None)
        for name in ("terms", "path", "held_out"):  # what is rounding would move the axes
            frame["figures"].get(name, {}).update({"x": None, "y": None})
        # All weights are drawn, and those that are not zero were.
        figure = frame["figures"]["weights"]
        figure["x"] = None
        bars = figure["sources"]["weights"]
        kept = [k for k, weight in enumerate(bars["weight"]) if weight != 0.0]
        figure["sources"]["weights"] = {part: [bars[part][k] for k in kept] for part in ("weight", "name")}
        if moment not in ("zero", "one step"):
            # Of a step that moves something, where the last one does not.
            for part in ("step", "formula", "numbers"):
                frame["texts"].pop(part, None)
        figure["sources"].get("other_weights", {}).pop("place", None)
        others = figure["sources"].get("other_weights", {"weight": []})
        if others["weight"]:
            others["weight"] = [others["weight"][k] for k in kept]
        if moment == BACK:  # recorded at the end of the run, in place of where it stands
            frame["texts"].pop("certainty.gauge", None)
    if setting == SPARSE and moment in ("end", "another weight"):
        thinned(ours, expected)


def thinned(ours, expected):
    """Keep those certificates alone that the record has, without what more of them change."""
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


@pytest.mark.parametrize("setting", [SHORT, *(pytest.param(name, marks=pytest.mark.long) for name in REST)])
def test_page_draws_what_was_recorded(host, setting):
    name, view = host
    if name == "file" and setting in NOT_IN_A_FILE:
        pytest.skip("the file has other data")
    view.evaluate("async () => { (await workbenchPages[0]).certainty.fold.open = true; }")
    expected, shown = copy.deepcopy(recorded("dual_lab")[setting]), {}
    left_out = (*TIES.get(("dual_lab", setting), ()), *((BACK,) if setting == SPARSE else ()))
    for moment in left_out:
        expected.pop(moment, None)
    for moment, frame in frames(view, DualLab(), "dual_lab", setting, "lam", ranges(DualLabFigures())):
        if moment in left_out:
            continue
        frame["texts"] = texts(view.evaluate(TEXTS))
        comparable(moment, setting, frame, expected[moment])
        shown[moment] = frame
    wrong = list(differences(shown, expected, f"dual lab, {setting}, {name}"))
    view.evaluate("async () => { (await workbenchPages[0]).certainty.fold.open = false; }")
    assert not wrong, "\n".join(wrong[:30])
