"""The served page of norms in the browser: what was recorded, by its worker and by the server's engine."""


import pytest
from golden_frames import SETTINGS, differences, recorded
from staged_frames import WITHOUT, frames

from workbench.pages.norms.figures import NormsFigures

pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.browser

PAGES = ("norms",)
# So many steps that a browser is busy for seconds.
LONG = {
    "source": "Digits · even or odd", "norm": "Sparse group", "ratio": 0.001, "tolerance": 1e-9,
    "restart": "off",
}  # fmt: skip
RANGES = {
    name: (bounds.start, bounds.end) for name, bounds in NormsFigures().shared.models["ranges"].items()
}
CASES = [(setting, by) for setting in SETTINGS["norms"] for by in ("worker", "socket")]


@pytest.mark.parametrize(("setting", "by"), CASES)
def test_the_page_shows_what_was_recorded(setting, by, browser, address):
    without = WITHOUT if by == "socket" else ""
    expected = recorded("norms")[setting]
    found = dict(frames(browser, address, "norms", setting, "ratio", RANGES, {"code": "code"}, without))
    wrong = list(differences(found, expected, f"norms, {setting}, {by}"))
    assert not wrong, "\n".join(wrong[:20])
