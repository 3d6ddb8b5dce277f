"""The page of norms in a real Chromium, by the worker of its browser and by the server's engine."""

import re
from urllib.parse import urlencode

import pytest

from tests.helpers.page_browser import Gone, cards, goes, line, says, unfold, walk
from tests.helpers.served_run import GHOST, MARK, SETTLED, bar, places, played_by, press, stands

pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.browser

PAGES = ("norms",)
TREE = {"source": "Breast cancer", "norm": "Tree", "loss": "Logistic", "tolerance": 0.01, "halving": 2}


def test_controls_presets_and_refusals(page):
    assert cards(page)["raw gap"] == "∞"
    # A figure from which a question takes the answer says so.
    page.get_by_text("the section is hidden until the answer is shown").wait_for()
    unfold(page)
    walk(
        page,
        ("λ / λ_max", "ArrowRight", "?ratio=0.12"),
        ("κ at the best intercept", None, Gone("Σκ =")),
        ("free intercept", None, Gone("bias=True")),
        ("Regularizer", "Elastic net", "has no ball"),
        ("ε sparsity", "ArrowRight", "epsilon=0.51"),
        ("Regularizer", "Sparse group", "?norm=Sparse group"),
        ("share of the ℓ1 part", "ArrowRight", "?share=0.6"),
        ("backtracking", None, "'backtracking'"),
        ("restart the momentum", None, "restart=False"),
        ("Stop at a relative gap of", "0.01", "Reached a relative gap of 0.01"),
        ("Section across", "feature 5", "feature 1 and feature 5"),
        ("Reveal", None, "sets single weights to zero"),
    )
    says(page, SETTLED)
    before = cards(page)
    crossing = "overlap and neither holds the other"
    walk(page, ("Preset", "Refused: groups that cross", crossing))
    assert cards(page) == before
    for name in ("step", "run"):
        press(page, name)
    says(page, crossing)
    walk(page, ("Preset", "All weights are zero: λ above λ_max", Gone(crossing)))
    played_by(page, "browser")
    line(page, "All 24 weights are zero").wait_for()
    walk(
        page,
        ("Loss", "Logistic", re.compile("two classes|label")),
        ("Loss", "Huber", re.compile("Reached|Stopped|Stalled")),
        (None, "r", "Paused after 0 steps"),
        (None, "ArrowRight", "Paused after 1 step."),
        ("10 steps", None, "Paused after 11 steps"),
        (None, " ", re.compile("Reached|Stopped|Stalled")),
    )


def test_what_is_looked_at_changes_no_step(page, address):
    goes(page, f"{address}?{urlencode(TREE)}")
    line(page, "Halving 2: [").wait_for()
    says(page, SETTLED)
    walk(
        page,
        ("weight of a level", "ArrowRight", "tree_groups(d, 0.63"),
        (None, "r", "Paused after 0 steps"),
        ("10 steps", None, "Paused after 10 steps"),
        ("Section along", "mean concavity", "In the section mean concavity and"),
        ("Halving of the bisection", "ArrowRight", "Halving 3: ["),
    )
    page.wait_for_url(re.compile("first=.*halving=3"))
    # The number stands in the label, which a second one at the handle would cover.
    assert page.locator(".MuiSlider-valueLabel").count() == 0
    says(page, "Paused after 10 steps")
    assert page.evaluate("wb_page.rows.length") == 11
    # A press waits for the step of the one before.
    page.evaluate("() => { wb_page.press('step'); wb_page.press('step'); }")
    says(page, "Paused after 12 steps")


def test_a_run_goes_back_and_on_and_slowly_and_stays_as_a_ghost(page):
    last = places(page)
    # As one drags: only the last place counts.
    for place in (20, 11, 9, 8, 7):
        bar(page).fill(str(place))
    stands(page, f"step 7 of {last}")
    says(page, "Paused after 7 steps")
    assert page.evaluate(MARK, "norm_gaps") == 7.0
    bar(page).press("ArrowLeft")
    stands(page, f"step 6 of {last}")
    page.get_by_role("button", name="Forward one place").click()
    press(page, "step")
    stands(page, f"step 8 of {last}")
    page.get_by_role("combobox", name="Speed").select_option("slow")
    press(page, "run")
    stands(page, f"step 10 of {last}")
    press(page, "pause")
    says(page, re.compile(r"Paused after 1\d steps"))
    page.get_by_role("combobox", name="Speed").select_option("normal")
    press(page, "run")
    says(page, SETTLED)
    stands(page, f"step {last} of {last}")
    repaired = page.evaluate("wb_page.rows.map((row) => row.repaired)")
    page.get_by_role("slider", name="λ / λ_max").press("ArrowRight")
    page.locator(".wb-key", has_text=f"before, to step {last}").wait_for()
    says(page, SETTLED)
    assert page.evaluate(GHOST, "norm_gaps")[1] == pytest.approx(repaired, rel=1e-12)
