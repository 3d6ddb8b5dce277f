"""Every page at the sizes of screens, light, dark and projected: pictures for a person, checks beside them.

The pictures go to the folder that WORKBENCH_PICTURES names. Without it each page has some sizes in light or
in dark, and in the other of the two the laptop's alone, so that the checks stay cheap.
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
LAPTOP, DESK, SMALL, LARGE, TABLET, PHONE = (
    *((1366, 768), (1440, 900), (1280, 720), (1920, 1080)),
    *((820, 1180), (390, 844)),
)
# Pages whose first view has all their figures also in a small window.
SHORT = ("dual-lab",)
MOST_FIGURES, MOST_CONTROLS = 4, 20
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


# Where figures end, the number of controls in view, and by how much the page is higher than the window.
FIRST = """async () => {
  const { view } = await workbenchPages[0];
  const isIn = (e) => e.checkVisibility() && e.getBoundingClientRect().top < innerHeight;
  const figures = Object.values(view.figures ?? {}).filter((e) => e.checkVisibility());
  return {
    ends: figures.map((e) => e.getBoundingClientRect().bottom),
    controls: [...view.controls.querySelectorAll("select, input, button, summary")].filter(isIn).length,
    over: document.documentElement.scrollHeight - innerHeight,
  };
}"""


def shows_its_figures_at_once(page, name, size):
    """Figures end in the window, which the page fills but for a report below it; controls are few."""
    shown = page.evaluate(FIRST)
    assert 1 <= len(shown["ends"]) <= MOST_FIGURES
    assert max(shown["ends"]) <= size[1]
    assert shown["controls"] <= MOST_CONTROLS
    if size == DESK and name != "your-data":
        assert shown["over"] <= 0


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
        sizes = (LAPTOP, DESK, SMALL, LARGE, TABLET, PHONE) if FOLDER else (LAPTOP, DESK, SMALL, PHONE)
        for size in sizes if is_whole else (LAPTOP,):
            page.set_viewport_size({"width": size[0], "height": size[1]})
            fits(page, size[0])
            assert becomes(lambda: wrong(page), {}) == {}, size
            if size == LAPTOP and name != "home":
                # The thesis, the first figure and its caption are seen without scrolling.
                assert becomes(lambda: in_sight(page), True)
            if name != "home" and (size in (DESK, LARGE) or (size == SMALL and name in SHORT)):
                shows_its_figures_at_once(page, name, size)
            keep(page, name, size, theme)
        folds = page.locator("details >> visible=true")
        folds.evaluate_all("(all) => all.forEach((fold) => { fold.open = true; })")
        fits(page, page.viewport_size["width"])
        assert becomes(lambda: axe(page), []) == []


# That of Compare, whose figures are filled with markers, in the short run.
@pytest.mark.parametrize(
    "name", [n if n == "compare" else pytest.param(n, marks=pytest.mark.long) for n in PAGES if n != "home"]
)
def test_address_opens_a_page_on_the_projector(browser, address, name):
    url = address.rsplit("/", 1)[0] + f"/{name}?projector=on"
    with visit(browser, url, width=DESK[0], height=DESK[1]) as page:
        rests(page, name)
        for size in (DESK, PHONE):
            page.set_viewport_size({"width": size[0], "height": size[1]})
            fits(page, size[0])
            ends = page.locator("#wb-projector :is(select, button) >> visible=true").evaluate_all(
                "(all) => all.map((e) => e.getBoundingClientRect().right)"
            )
            assert max(ends) <= size[0]
            keep(page, name, size, "projector")
        assert axe(page) == []
