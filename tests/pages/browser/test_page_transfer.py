"""The page of transfer functions in a real Chromium, served as a user serves it."""

import math
import re
from urllib.parse import urlencode

import pytest

from tests.helpers.amounts import some
from tests.helpers.page_browser import arrows_move, becomes, choose, goes, lights, line, visit, walk

pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.browser

PAGES = ("transfer",)
# v = (1.6, 0.6) and what the formulas of the sources make of it.
LENGTH = math.hypot(1.6, 0.6)
IMAGES = {
    "Elastic net": ({"epsilon": 0.5}, (1.1, 0.1)),
    "q-norm": ({"q": 2.0, "power": 2.0}, (1.6, 0.6)),
    "Normalized entropy": (
        {"mu_1": 0.5, "mu_2": 0.5},
        (math.exp(1.0) / (1.0 + math.exp(1.0)), 1.0 / (1.0 + math.exp(1.0))),
    ),
    "Squared ℓ2": ({"K": 2.0}, (0.8, 0.6)),
    "Entropy": ({"mu_1": 0.5, "mu_2": 1.0}, (0.5 * math.exp(1.6), math.exp(0.6))),
    "Half squared p-norm on a ball": ({"p": 2.0, "B": 1.0}, (1.6 / LENGTH, 0.6 / LENGTH)),
}


def image(page):
    """w as the sentence under its plane gives it; empty for a norm without a map."""
    text = " ".join(line(page, "∇h(v) = (").all_inner_texts()) or "∇h(v) = (nan, nan)"
    return [float(x.replace("−", "-")) for x in re.search(r"∇h\(v\) = \(([^,]+), ([^)]+)\)", text).groups()]


def test_maps_are_those_of_the_sources_and_controls_move_v(browser, address):
    with visit(browser, address) as page:
        line(page, "has h =").wait_for()

        def at(**state):
            goes(page, f"{address}?{urlencode(state)}")

        def maps(name):
            state, expected = IMAGES[name]
            at(regularizer=name, v1=1.6, v2=0.6, **state)
            # The sentence has four digits.
            assert becomes(lambda: image(page) == pytest.approx(expected, rel=1e-3), True), name

        maps("Elastic net")
        for epsilon, said in (
            (0.0, "Of 30 weights 30 are not zero"),
            (2.0, re.compile(r"Of 30 weights [12]?\d are not zero")),
        ):
            at(regularizer="Elastic net", epsilon=epsilon)
            line(page, said).wait_for()
        at(regularizer="ℓ1 norm", v1=1.6, v2=0.6)
        line(page, "No single w belongs").wait_for()
        line(page, "outside the dual ball").wait_for()
        maps("q-norm")
        for _ in range(10):
            page.get_by_role("slider", name="v₁").press("ArrowRight")
        page.wait_for_url(re.compile("v1=1.7"))
        assert image(page)[0] == pytest.approx(1.7, abs=1e-3)
        box = page.locator("canvas").nth(2).bounding_box()
        page.mouse.move(box["x"] + 0.6 * box["width"], box["y"] + 0.4 * box["height"])
        page.mouse.down()
        page.wait_for_timeout(400)  # a slow drag still holds it
        page.mouse.move(box["x"] + 0.3 * box["width"], box["y"] + 0.3 * box["height"], steps=6)
        page.mouse.up()
        page.wait_for_url(re.compile("v1=-"))
        arrows_move(page, "v: level sets of h", "ArrowUp")
        lights(page, "map", "slope")
        for name in some(list(IMAGES)[2:], 1):
            maps(name)
        at(regularizer="Normalized entropy")
        line(page, "none is negative").wait_for()
        choose(page, "Preset", "A softmax is bounded")
        line(page, "segment").wait_for()
        walk(
            page,
            (None, "ArrowRight", "which w never leaves"),
            (None, " ", "beyond, |w|_p stays B"),
        )
