"""A story, a vote or an address that a page cannot take: it says why in a sentence, and goes on."""

import base64
import json

import pytest
from page_browser import visit

from workbench.pages import lectures, votes

pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.browser

PAGES = ("simplex",)
TOLD, REFUSED = "#wb-wall .wb-story", ".wb-refused p"
STEP = {"search": "?theta1=0.5", "caption": "My own sentence.", "figures": ["triangle"]}
STORY = {"version": 1, "page": "simplex", "steps": [STEP]}
WRONG = (
    (STORY | {"version": 2}, "This story is of version 2, and this page tells version 1"),
    (STORY | {"page": "bias"}, "This story is one of the page “bias”"),
    (STORY | {"steps": [STEP | {"figures": 7}]}, "This story has no steps that this page can show"),
    ("<b>no story", "This story is damaged"),
)


def text_of(story):
    return story if isinstance(story, str) else json.dumps(story)


def hash_of(story):
    return "#own=" + base64.urlsafe_b64encode(text_of(story).encode()).decode().rstrip("=")


def goes_on(page):
    """The page's own story is told."""
    page.keyboard.press("ArrowRight")
    page.locator(TOLD, has_text=lectures.steps("simplex")[0]["caption"]).wait_for()
    page.locator(".wb-line >> visible=true").first.wait_for()


def test_a_link_to_a_damaged_story(browser, address):
    """What else may be wrong with a story is read by the same code as from a file."""
    story, said = WRONG[-1]
    with visit(browser, f"{address}?projector=on{hash_of(story)}") as page:
        page.locator(TOLD, has_text=said).wait_for()
        goes_on(page)


def test_a_file_with_a_story(browser, address):
    files = []
    with visit(browser, f"{address}?projector=on") as page:
        page.on("filechooser", lambda chooser: chooser.set_files(files[-1]))
        page.locator(".wb-line >> visible=true").first.wait_for()
        for story, said in (*WRONG, (STORY, STEP["caption"])):
            files.append({"name": "a.story.json", "mimeType": "", "buffer": text_of(story).encode()})
            page.keyboard.press("o")
            page.locator(TOLD, has_text=said).wait_for()
        page.wait_for_url("**#own=*")


def test_a_step_whose_settings_are_refused(browser, address):
    steps = [STEP, STEP | {"search": "?theta1=1e9&phi=nothing", "caption": "Never said."}]
    with visit(browser, f"{address}?projector=on{hash_of(STORY | {'steps': steps})}") as page:
        page.locator(TOLD, has_text=STEP["caption"]).wait_for()
        page.locator(".wb-line >> visible=true").first.wait_for()
        page.keyboard.press("ArrowRight")
        page.locator(TOLD, has_text="theta1 = ").wait_for()
        page.keyboard.press("ArrowLeft")
        page.locator(TOLD, has_text=STEP["caption"]).wait_for()


def test_a_vote_that_has_ended(browser, address):
    with visit(browser, address) as lecturer:
        lecturer.get_by_role("button", name=votes.OPEN).click()
        token = lecturer.locator("[data-vote]").get_attribute("data-vote")
        with visit(browser, f"{address}?vote={token}") as student:
            student.locator(".wb-answer").first.wait_for()
            lecturer.get_by_role("button", name=votes.END).click()
            student.get_by_text(votes.OVER).wait_for()
            student.get_by_role("link", name="Open the page itself").click()
            student.locator(".wb-line").first.wait_for()
    with visit(browser, f"{address}?vote={token}&theta1=0.5") as page:
        page.locator(REFUSED, has_text=votes.OVER).wait_for()
        page.locator(".wb-line", has_text="p = ∇Ω*(θ)").wait_for()


def test_an_address_that_was_edited_by_hand(browser, address):
    query = "?theta1=much&phi=none&hide=nothing&story=77&figure=<b>&vote=x&projector=perhaps&unknown=1"
    with visit(browser, address + query) as page:
        page.locator(".wb-line", has_text="p = ∇Ω*(θ)").wait_for()
        said = page.locator(".wb-refused").inner_text()
        assert all(f"{name} = " in said for name in ("theta1", "story", "figure")), said
        page.get_by_role("slider", name="θ₂").press("ArrowRight")
        page.wait_for_url("**theta2=*")
