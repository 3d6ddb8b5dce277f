"""The page of Fenchel-Young losses in a real Chromium, served as a user serves it."""

import math
import re
from urllib.parse import urlencode

import numpy as np
import pytest

from tests.helpers.page_browser import arrows_move, becomes, choose, goes, line, visit, walk

pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.browser

PAGES = ("simplex",)
Z = {"theta1": 0.9, "theta2": 0.1, "theta3": -0.6}
EXPONENTIALS = np.exp(list(Z.values()))
# Sparsemax of these scores by hand: the third is out, and (0.9 - 0.1 + 1) / 2 is left for the first.
SPARSE = (0.9, 0.1, 0.0)


def numbers(text):
    return [float(number.replace("−", "-")) for number in re.findall(r"−?\d+(?:\.\d+)?(?:e−?\d+)?", text)]


def prediction(page):
    """p as the sentence under the triangle gives it."""
    return numbers(re.search(r"= \(([^)]+)\)", line(page, "∇Ω*(θ) =").inner_text()).group(1))


def predicts(page, expected):
    """Wait for a prediction."""
    assert becomes(lambda: prediction(page) == pytest.approx(expected, abs=1e-3), True), prediction(page)


def loses(page, expected):
    """Wait for the loss of class 2."""

    def said():
        return numbers(line(page, "L(θ; 2) =").inner_text())[1]

    assert becomes(lambda: said() == pytest.approx(expected, abs=1e-3), True), said()


def test_predictions_losses_controls_and_a_phi_of_ones_own(browser, address):
    # An address with a bad φ still opens the page.
    query = urlencode({"phi": "A φ of your own", "formula": "-u**2"})
    with visit(browser, f"{address}?{query}") as page:
        page.locator(".wb-status.bad", has_text="What holds instead").wait_for()
        line(page, "∇Ω*(θ) =").wait_for()

        def at(**state):
            goes(page, f"{address}?{urlencode(state)}")

        at(alpha=1.0, **Z)
        predicts(page, EXPONENTIALS / EXPONENTIALS.sum())
        line(page, "Every share is positive").wait_for()
        loses(page, math.log(EXPONENTIALS.sum()) - 0.1)
        at(alpha=1.3, true_class=3, **Z)
        line(page, "L(θ; 3) =").wait_for()

        def parts():
            return [numbers(part)[0] for part in line(page, "Ω(ey)").locator("b").all_inner_texts()]

        assert becomes(lambda: abs(parts()[2]), 0.6) == 0.6
        star, corner, score, loss = parts()
        # The score of class 3 is negative, and the sentence adds what would be taken off twice.
        assert star + corner + abs(score) == pytest.approx(loss, abs=2e-3)
        line(page, "> 0, since p is not the corner").wait_for()
        at(alpha=2.0, **Z)
        predicts(page, SPARSE)
        line(page, "The share of class 3 is exactly 0. Dotted").wait_for()
        # Half of how much farther, in squares, theta is from the corner than from the nearest point.
        p, z, other = np.array(SPARSE), np.array(list(Z.values())), np.array([0.0, 1.0, 0.0])
        loses(page, 0.5 * (np.sum((other - z) ** 2) - np.sum((p - z) ** 2)))
        for _ in range(10):
            page.get_by_role("slider", name="θ₁").press("ArrowLeft")
        page.wait_for_url(re.compile("theta1=0.8"))
        predicts(page, (0.85, 0.15, 0.0))
        # Each figure has two canvases; to the right in the triangle and in the plane is to class 2.
        for canvas in (0, 2):
            box = page.locator("canvas").nth(canvas).bounding_box()
            page.mouse.move(box["x"] + 0.4 * box["width"], box["y"] + 0.5 * box["height"])
            page.mouse.down()
            page.mouse.move(box["x"] + 0.3 * box["width"], box["y"] + 0.7 * box["height"], steps=6)
            page.mouse.move(box["x"] + 0.75 * box["width"], box["y"] + 0.75 * box["height"], steps=6)
            page.mouse.up()
            assert becomes(lambda: prediction(page)[1] > 0.6, True)
        arrows_move(page, "The prediction p = ∇Ω*(θ)", "ArrowLeft")
        at(alpha=2.0, theta1=2.0, theta2=0.1, theta3=-0.6, true_class=2)
        predicts(page, (1.0, 0.0, 0.0))
        walk(page, ("y = 1", None, "= 0: p is the corner of the true class"))
        page.wait_for_url(re.compile("true_class=1"))
        at(**Z)
        typed = page.get_by_label("φ(u), typed")
        typed.fill("u**2/2")
        walk(page, ("Derive", None, "wb.losses.fenchel_young('u**2/2')"))
        predicts(page, SPARSE)
        page.wait_for_url(re.compile("formula=u"))
        for text, message in (("-log(u)", "infinite at u = 0"), ("u +", "formula"), ("", "φ(u) is empty")):
            typed.fill(text)
            typed.press("Enter")
            page.locator(".wb-status.bad", has_text=message).wait_for()
        # What was drawn stays.
        page.get_by_text("wb.losses.fenchel_young('u**2/2')").wait_for()
        assert page.get_by_role("combobox", name="φ, which defines Ω").inner_text() == "A φ of your own"
        choose(page, "Preset", "A prediction that sticks")
        line(page, "(0.333, 0.333, 0.333)").wait_for()
        page.get_by_text("How far may the scores differ").wait_for()
        walk(page, (None, " ", "A kink of φ makes the prediction constant"))
        page.keyboard.press("ArrowRight")
        page.get_by_role("slider", name="α").wait_for()
