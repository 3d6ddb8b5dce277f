"""Norms and screening in every host: what was recorded of both pages, and a visit of what they share."""

import copy
import os
import subprocess
from pathlib import Path

import pytest

from tests.corpora.golden_frames import LEAPS, SETTINGS, differences, recorded
from tests.helpers.hosted_frames import frames, ranges
from tests.helpers.node_engine import missing
from tests.helpers.page_browser import visit
from tests.pages.hosts import carriers
from workbench.pages import bundling, registry
from workbench.pages.address import keys_of, read
from workbench.pages.hosts import blocks
from workbench.pages.norms import dual_plane, screened
from workbench.pages.norms import model as norms
from workbench.pages.norms.declaration import SCREENED, Norms
from workbench.pages.norms.figures import NORMS, NormsFigures
from workbench.pages.server.turns import result_of
from workbench.pages.wasm import bundle

pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.browser

PAGES = ("norms",)
READY = "() => globalThis.workbenchPages?.length > 0"
STATE = "async (given) => { const page = await workbenchPages[0]; await page.settled(); %s }"


@pytest.fixture(scope="module", params=["file", "served"])
def host(request, browser, address, tmp_path_factory):
    page = Norms()
    page.carry({"source": list(norms.GROUPED)})
    opens = {
        "file": lambda: carriers.file(browser, tmp_path_factory.mktemp("norms"), page.html(), READY),
        "served": lambda: visit(browser, address, width=1440, height=900),
    }
    with opens[request.param]() as view:
        view.set_viewport_size({"width": 1440, "height": 900})
        view.wait_for_function(READY)
        yield request.param, view


def on_page(view, script, argument=None):
    return view.evaluate(STATE % script, argument)


def comparable(frame):
    """Keep the figures that were recorded; captions are new, and code is run by a test of its own."""
    frame["figures"] = {name: figure for name, figure in frame["figures"].items() if name in NORMS}
    for figure in frame["figures"].values():
        for part in ("head", "sentence"):
            figure.pop(part)
    frame["figures"]["norm_gaps"]["sources"]["before in norm_gaps"].pop("epoch")
    frame.pop("texts")
    frame["bar"].pop("unit")
    return frame


SHORT, *REST = ("tree", *(name for name in SETTINGS["norms"] if name != "tree"))


@pytest.mark.parametrize("setting", [SHORT, *(pytest.param(name, marks=pytest.mark.long) for name in REST)])
def test_page_draws_what_was_recorded(host, setting):
    name, view = host
    expected, shown = copy.deepcopy(recorded("norms")[setting]), {}
    for moment, frame in frames(view, Norms(), "norms", setting, "ratio", ranges(NormsFigures())):
        shown[moment] = comparable(frame)
        comparable(expected[moment])
    wrong = list(differences(shown, expected, f"norms, {setting}, {name}"))
    assert not wrong, "\n".join(wrong[:30])


# Screening, under Node


def moments(setting):
    """Yield the recorded moments of a setting of screening: settings, and answers."""
    page = Norms()
    query = registry.of("norms").query_of("screening", SETTINGS["screening"][setting])
    values, refusals = read(query, keys_of(page, page.names()).values())
    assert not refusals
    page.change(values)
    chosen = {name: getattr(page, name) for name in (*SCREENED, "share", "decay")}
    lab = screened.build(chosen)

    def moment(name, optimum=None, path=None):
        plane = dual_plane.views(lab, page.first, page.second, page.window, optimum)
        answers = {"screening": bundle.binary(screened.record(lab)), "plane": plane, "path": path}
        return {"name": name, "settings": page.settings(), "answers": answers}

    yield moment("zero")
    screened.move(lab, 1)
    yield moment("one step")
    for _ in range(LEAPS):
        screened.move(lab, lab.run.epoch_steps)
    yield moment("three epochs")
    result_of(screened.finish(lab, page.tolerance))
    yield moment("end", result_of(screened.optimum(**chosen)), result_of(screened.path(**chosen)))


@pytest.mark.parametrize("setting", SETTINGS["screening"])
def test_screening_draws_what_was_recorded(setting, tmp_path):
    if bundling.node() is None:
        missing("there is no Node")
    facts = Norms().answer({"type": "page"})
    value = {
        "facts": {name: facts[name] for name in ("texts", "kinds", "points", "questions")},
        "moments": list(moments(setting)),
        "recorded": recorded("screening")[setting],
    }
    (tmp_path / "norms.block").write_bytes(blocks.packed(value))
    command = [bundling.node(), "--test", Path(__file__).with_name("norms.test.mjs")]
    run = subprocess.run(command, env=os.environ | {"DRAWN": str(tmp_path)}, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout
