"""Every page on a laptop, a projector, a tablet and a telephone: pictures for a person, checks beside them.

The pictures go to the folder that WORKBENCH_PICTURES names. Without it each page has all sizes in light or in
dark, and in the other of the two the laptop's alone, so that the checks stay cheap.
"""

import os
from pathlib import Path

import pytest

from tests.helpers.page_browser import becomes, fits, visit
from tests.helpers.page_checks import axe, wrong
from workbench.pages import registry

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


def rests(page, name):
    page.wait_for_function("() => globalThis.workbenchPages?.length > 0")
    page.evaluate("async () => (await workbenchPages[0]).settled()")


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
