"""Presets and stories in files that solve in the browser: each sets the controls at once."""

import pytest

from tests.helpers.amounts import few
from tests.helpers.live_file import opened
from tests.helpers.page_browser import becomes
from workbench.pages import export_solved, lectures

pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.browser

PAGES_AND_STEPS = {
    # The last step's setting, a preset with one of its settings, and the number of figures outside a story.
    "svm-gaps": (("cost", "100"), "Few against many", ("source", "Imbalanced"), 4),
}


def settings(page):
    """Return the address's value of each setting."""
    return page.evaluate("Object.fromEntries(new URLSearchParams(location.hash.slice(1)))")


def ended(page):
    page.wait_for_function("['converged', 'diverged'].includes(document.body.dataset.status)")


def filling(page):
    """The figures that are seen: both of the projector, or all that are not folded."""
    return page.evaluate(
        """() => document.getElementById("wb-projector")
            ? Array.from(document.querySelectorAll("#wb-projector .half select"), (each) => each.value)
            : Array.from(document.querySelectorAll("#x-cards .wb-save [data-figure]"))
                .filter((each) => each.checkVisibility()).map((each) => each.dataset.figure)"""
    )


@pytest.mark.parametrize("name", few(PAGES_AND_STEPS, 1))
def test_a_story_is_walked_and_a_preset_chosen(name, browser, exported):
    story = lectures.of(name)["story"]
    (setting, value), preset, (preset_sets, value_set), seen = PAGES_AND_STEPS[name]
    with opened(browser, exported(name), "#story=1") as page:
        for k, step in enumerate(story, 1):
            assert becomes(lambda: page.evaluate("location.hash"), f"#story={k}") == f"#story={k}"
            assert step["caption"] in page.locator("#wb-projector .wb-story").inner_text()
            figures = lectures.figures(name, step)
            assert becomes(lambda: filling(page), figures) == figures
            assert page.locator(f"#x-figure-{step['figure']} canvas").first.bounding_box()["height"] > 200
            ended(page)
            page.keyboard.press("ArrowRight")
        # The last step stays; leaving it, the page is as it was, with the setting of that step.
        assert page.evaluate("location.hash") == f"#story={len(story)}"
        page.keyboard.press("Escape")
        assert becomes(lambda: settings(page).get(setting), value) == value
        assert page.locator("#x-story").is_hidden()
        assert len(set(filling(page))) == seen
        assert page.get_by_label("Presets and story").evaluate("({ selectedIndex }) => selectedIndex") == 0
        # A preset sets the controls until one is moved; what it does not name is as it was in the beginning.
        picks, began = page.get_by_label("Presets and story"), settings(page)["tolerance"]
        page.locator("#x-tolerance").fill("0")
        assert becomes(lambda: settings(page)["tolerance"] != began, True)
        picks.select_option(preset)
        assert becomes(lambda: settings(page).get(preset_sets), value_set) == value_set
        ended(page)
        assert picks.input_value() == preset
        assert settings(page)["tolerance"] == began
        page.locator("#x-tolerance").fill("0")
        assert becomes(lambda: settings(page)["tolerance"] != began, True)
        assert settings(page)[preset_sets] == value_set
        assert picks.input_value() == "Choose one"
        # A step of the story has a button for those without a keyboard.
        picks.select_option(index=picks.locator("option").count() - 1)
        page.get_by_role("button", name="Leave the story").click()
        assert page.locator("#x-story").is_hidden()


def test_only_what_the_file_can_show_is_offered():
    picks = [
        {"group": "Presets", "name": "one", "state": {"lam": 0.1, "loss": "Hinge"}},
        {"group": "Story", "name": "1. two", "state": {}, "step": 1, "caption": "two", "figure": "gap"},
    ]
    options = {"lam": [0.01, 0.1], "loss": ["Logistic"]}
    offered = export_solved.offered(picks, options)
    assert offered == [
        {"group": "Story", "name": "1. two", "step": 1, "caption": "two", "figure": "gap", "places": {}}
    ]
    options["loss"].append("Hinge")
    assert export_solved.offered(picks, options)[0]["places"] == {"lam": 1, "loss": 1}
