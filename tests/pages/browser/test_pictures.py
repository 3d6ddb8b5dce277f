"""Every page on a laptop, a projector, a tablet and a telephone: pictures for a person, checks beside them.

The pictures go to the folder that WORKBENCH_PICTURES names. Without it each page has all sizes in light or in
dark, and in the other of the two the laptop's alone, so that the checks stay cheap.
"""

import os
from pathlib import Path
from urllib.parse import parse_qs

import pytest

from tests.helpers.amounts import few
from tests.helpers.page_browser import becomes, fits, visit
from tests.helpers.page_checks import ON_PROJECTOR, axe, wrong
from workbench.pages import lectures, registry

pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.browser

PAGES = tuple(registry.pages())
LAPTOP, PROJECTOR, TABLET, PHONE = (1366, 768), (1920, 1080), (820, 1180), (390, 844)
FOLDER = os.environ.get("WORKBENCH_PICTURES")
THEMES = ("light", "dark")
# The themes in turn; both of every page in the long run.
VIEWS = [
    pytest.param(name, theme, marks=() if k % 2 == 0 and theme == THEMES[k // 2 % 2] else pytest.mark.long)
    for k, name in enumerate(PAGES)
    for theme in THEMES
]
# A page at rest has numbers in its sentences.
AT_REST = "document.body.classList.contains('wb-stands') && Bokeh.documents.every((each) => each.is_idle)"


# Those that the shell tells; of hosted pages tests/pages/hosts tells them.
TELL_STORIES = [name for name in PAGES if lectures.of(name)["story"] and not registry.of(name).hosted]


def rests(page, name):
    if registry.of(name).hosted:
        page.wait_for_function("() => globalThis.workbenchPages?.length > 0")
        page.evaluate("async () => (await workbenchPages[0]).settled()")
        return
    page.wait_for_function(AT_REST)
    if name != "home":
        # The first sentence under a figure is written when the figure has its width.
        page.locator(".wb-line >> visible=true").first.wait_for()
        page.wait_for_function(AT_REST)


def in_sight(page):
    """Return True if the caption of the first figure ends above the window's lower edge."""
    box = page.locator(".wb-line >> visible=true").first.bounding_box()
    return box is not None and box["height"] > 0 and box["y"] + box["height"] <= LAPTOP[1]


def keep(page, name, size, look):
    if FOLDER:
        Path(FOLDER).mkdir(parents=True, exist_ok=True)
        page.screenshot(path=Path(FOLDER) / f"{name}-{'x'.join(map(str, size))}-{look}.png")


@pytest.mark.parametrize(("name", "theme"), VIEWS)
def test_a_page_at_every_size(browser, address, name, theme):
    url = address.rsplit("/", 1)[0] + f"/{name}?theme={theme}"
    is_whole = FOLDER or theme == THEMES[PAGES.index(name) % 2]
    with visit(browser, url, width=LAPTOP[0], height=LAPTOP[1]) as page:
        rests(page, name)
        for size in (LAPTOP, TABLET, PHONE) if is_whole else (LAPTOP,):
            page.set_viewport_size({"width": size[0], "height": size[1]})
            fits(page, size[0])
            assert becomes(lambda: wrong(page), {}) == {}, size
            if size == LAPTOP and name != "home":
                # The thesis, the first figure and its caption are seen without scrolling.
                assert becomes(lambda: in_sight(page), True)
            keep(page, name, size, theme)
        assert becomes(lambda: axe(page), []) == []


@pytest.mark.parametrize("name", few(TELL_STORIES, 2))
def test_a_story_on_the_projector(browser, address, name):
    """Two figures in type for the last row at every size; a key tells the next step without a reload."""
    place, steps = address.rsplit("/", 1)[0] + f"/{name}", lectures.steps(name)
    assert len(steps) == 5
    first = len(name) % 4
    # The figure of an address comes first.
    (figure,) = parse_qs(steps[first]["search"][1:])["figure"]
    opened = list(dict.fromkeys([figure, *steps[first]["figures"]]))
    with visit(browser, place + steps[first]["search"], width=PROJECTOR[0], height=PROJECTOR[1]) as page:
        page.locator("#wb-projector .wb-story", has_text=steps[first]["caption"]).wait_for()
        page.locator("#wb-projector .name, #wb-projector .wb-key span").first.wait_for(state="attached")
        for width, height in (PROJECTOR, (1280, 720), (3840, 2160)) if FOLDER else (PROJECTOR, (1280, 720)):
            page.set_viewport_size({"width": width, "height": height})
            limits = [28 * width / PROJECTOR[0], 4 * width / PROJECTOR[0], opened]
            assert becomes(lambda limits=limits: on_projector(page, limits), []) == []
            keep(page, name, (width, height), "projector")
        assert becomes(lambda: axe(page), []) == []
        page.evaluate("window.stays = true")
        page.keyboard.press("ArrowRight")
        page.locator("#wb-projector .wb-story", has_text=steps[first + 1]["caption"]).wait_for()
        assert page.evaluate("window.stays")
        assert f"story={first + 2}" in page.url
        assert page.locator(".wb-refused").count() == 0


def on_projector(page, limits):
    """Return what is too small on the projector, or not what it should show."""
    picture, (least_type, least_line, figures) = page.evaluate(ON_PROJECTOR), limits
    small = [picture["type"]] if picture["type"][0] < least_type - 0.1 else []
    thin = [picture["line"]] if picture["line"][0] < least_line - 0.01 else []
    return small + thin + ([picture["halves"]] if picture["halves"] != figures else [])
