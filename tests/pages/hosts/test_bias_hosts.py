"""Bias draws the same picture in every host: what was recorded while Python drew it."""

import copy

import pytest

from tests.corpora.golden_frames import SETTINGS, differences, recorded
from tests.helpers.hosted_frames import frames
from tests.helpers.staged_frames import ranges
from tests.pages.hosts import carriers
from workbench.pages.bias.declaration import Bias
from workbench.pages.bias.figures import BiasFigures

pytest.importorskip("playwright.sync_api")
pytest.importorskip("anywidget")
pytestmark = pytest.mark.browser

READY = "() => globalThis.workbenchPages?.length > 0"
CELL = "from workbench.pages.bias.declaration import Bias\npage = Bias(tolerance=1e-2)\npage"
OPENS = {
    "panel": lambda browser, folder: carriers.panel(
        browser, folder, "tests.pages.hosts.bias_server", "bias", READY
    ),
    "notebook": lambda browser, folder: carriers.notebook(browser, folder, CELL, READY),
    "file": lambda browser, folder: carriers.file(browser, folder, Bias(tolerance=1e-2).html(), READY),
}
# A file has no Python, which constraints C v = b need, and no data beside its own.
NOT_IN_A_FILE = ("sum", "bounded")


@pytest.fixture(scope="module", params=list(OPENS))
def host(request, browser, tmp_path_factory):
    with OPENS[request.param](browser, tmp_path_factory.mktemp(request.param)) as view:
        yield request.param, view


def test_page_draws_what_was_recorded(host):
    name, view = host
    wrong = []
    for setting in SETTINGS["bias"]:
        page = Bias()
        if name == "file" and setting in NOT_IN_A_FILE:
            continue
        expected = copy.deepcopy(recorded("bias")[setting])
        found = dict(frames(view, page, "bias", setting, "lam", ranges(BiasFigures())))
        for frame in expected.values():
            frame["texts"].pop("guess.answer", None)
        wrong += differences(found, expected, f"bias, {setting}, {name}")
    assert not wrong, "\n".join(wrong[:30])
