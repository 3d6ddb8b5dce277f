"""The loop that draws in the browser: what comes while a picture is under way is drawn as well."""

from pathlib import Path

import pytest

from workbench import pages

pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.browser

# The second picture was asked for before the state changed, and is seen after.
LATE = """async (source) => {
  const Painter = new Function(source + "; return Painter;")();
  class Late extends Painter {
    state = 0;
    next = null;
    shown = [];
    async paint() {
      const asked = this.next ?? Promise.resolve(this.state);
      this.next = null;
      this.shown.push(await asked);
      if (this.shown.length > 1) return;
      this.next = Promise.resolve(this.state);
      this.state = 1;
      this.soon();
    }
    refuse(error) { throw error; }
  }
  const late = new Late();
  await late.soon();
  return late.shown;
}"""


def test_the_last_picture_is_of_the_last_state(browser):
    source = (Path(pages.__file__).parent / "painter.js").read_text(encoding="utf-8")
    page = browser.new_page()
    assert page.evaluate(LATE, source) == [0, 0, 1]
    page.close()
