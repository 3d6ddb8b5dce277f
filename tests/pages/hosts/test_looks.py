"""Each page as a file: nothing wider than the window, no violation of axe, a story that is told."""

import pytest

from tests.helpers import page_checks
from tests.pages.hosts import carriers
from workbench.pages import registry
from workbench.pages.lectures import of as lectures_of

pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.browser

READY = "() => globalThis.workbenchPages?.length > 0"
SETTLED = "async () => { const page = await workbenchPages[0]; await page.settled(); %s }"
HOSTED = [name for name, page in registry.pages().items() if page.hosted and page.lecture["story"]]
# The others belong to the long run.
QUICK = ("transfer",)
LOOKS = ((390, 844, ""), (1440, 900, "theme=dark"))
each_page = pytest.mark.parametrize(
    "name", [name if name in QUICK else pytest.param(name, marks=pytest.mark.long) for name in HOSTED]
)


@each_page
def test_page_fits_each_look_and_tells_its_story(name, browser, tmp_path):
    text = registry.of(name).page_type().html()
    with carriers.file(browser, tmp_path, text, READY) as view:
        for width, height, look in LOOKS:
            view.set_viewport_size({"width": width, "height": height})
            view.goto("about:blank")
            view.goto(f"{(tmp_path / 'page.html').as_uri()}#{look}")
            view.wait_for_function(READY)
            view.evaluate(SETTLED % "")
            assert page_checks.axe(view) == []
            assert view.evaluate("document.documentElement.scrollWidth - innerWidth") == 0
        view.keyboard.press("w")
        captions = [step["caption"] for step in lectures_of(name)["story"]]
        for k, caption in enumerate(captions, 1):
            view.evaluate(SETTLED % "await page.lecture.walk(1);")
            shown = view.evaluate(SETTLED % "return [page.lecture.projector.text.textContent, page.refusal];")
            assert shown == [f"{caption} {k} / {len(captions)}", ""]
        assert page_checks.axe(view) == []
