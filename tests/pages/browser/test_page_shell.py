"""The shell that all pages share: Home, the history, pins, links, frames and the projector's stories."""

import contextlib
import functools
import http.server
import threading

import pytest

from tests.helpers.page_browser import (
    PATIENCE_MS,
    chromium,
    free_port,
    served,
)
from workbench.pages import theme
from workbench.pages.formulas import lit
from workbench.pages.parts import numbers

pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.browser

PAGES = ("conjugates",)


# The numbers of pages as they are at 1280 pixels, where each card has 101.
LONG = [
    ("certified gap", "5.27e-10", "≤ 3·10⁻⁹ %"),
    ("multiplier s", "-0.18509", "✓ ≤ 0.009 %"),
    ("t̂ − b̂", "4.48e-04", "3 lie between"),
    ("steps", "131,072", "0.0906 passes"),
    ("before the solve", "0", ""),
    ("gap G(a)", "2.57e-04", "rel. 7·10⁻⁶"),
]
OVER = """() => [...document.querySelectorAll(".wb-stat")].flatMap((card) => {
  const { right } = card.getBoundingClientRect(), range = document.createRange();
  const inner = right - parseFloat(getComputedStyle(card).paddingRight);
  return [...card.children].filter((part) => {
    range.selectNodeContents(part);
    return range.getBoundingClientRect().right > inner;
  }).map((part) => part.textContent);
})"""


def test_long_numbers_stay_within_their_cards(browser):
    cards = numbers(LONG)
    view = browser.new_page()
    view.set_content(f"<style>{theme.LIGHT.css}</style><div style='width: 644px'>{cards}</div>")
    assert view.evaluate(OVER) == []
    tops = view.evaluate("[...document.querySelectorAll('.wb-stat')].map((card) => card.offsetTop)")
    assert len(set(tops)) == 1
    view.close()


def test_symbols_are_marked_where_they_stand_alone():
    curves = {"p(u)": "p", r"\hat t": "top"}
    assert lit("p(u) = up(u)", curves) == r"\htmlData{curve=p}{p(u)} = up(u)"
    assert lit(r"\hat t - \hat tau", curves) == r"\htmlData{curve=top}{\hat t} - \hat tau"
    assert lit("x", {}) == "x"


FRAME = "<!DOCTYPE html><title>course</title><iframe src='{url}' width=1000 height=700></iframe>"
# As `bokeh.embed.server_document` writes it.
SCRIPT = """<!DOCTYPE html><title>course</title><body><script id="place">
const given = "bokeh-autoload-element=place&bokeh-app-path=/home&bokeh-absolute-url={url}";
const asked = new XMLHttpRequest();
asked.responseType = "blob";
asked.open("GET", "{url}/autoload.js?" + given);
asked.onload = () => {{
  const script = document.createElement("script");
  script.src = URL.createObjectURL(asked.response);
  document.body.append(script);
}};
asked.send();
</script>
"""


@contextlib.contextmanager
def course(folder, port):
    """A site that holds the files of a folder, under a name that is another origin's."""
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=folder)
    handler.log_message = lambda *_: None
    server = http.server.ThreadingHTTPServer(("127.0.0.1", port), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.shutdown()
        server.server_close()


def test_a_page_in_a_frame_and_one_that_is_not_there(tmp_path):
    port = free_port()
    site = f"127.0.0.1:{port}"
    # One place is taken by who asked whether the server is up, the other one by the frame.
    options = ("--allow-embed", f"http://{site}", "--allow-origin", site, "--max-sessions", "2")
    with served("home", options=options) as url, course(tmp_path, port) as own, chromium() as browser:
        for name, text in (("frame", FRAME), ("script", SCRIPT)):
            (tmp_path / f"{name}.html").write_text(text.format(url=url), encoding="utf-8")
        page = browser.new_page()
        page.goto(f"{own}/frame.html")
        stands = page.frame_locator("iframe").locator("body.wb-stands")
        stands.wait_for(state="attached", timeout=PATIENCE_MS)
        other = browser.new_page()
        other.goto(f"{own}/script.html")
        other.locator("[role=alert]", has_text="This server holds 2 visits").wait_for(timeout=PATIENCE_MS)


@pytest.mark.long
def test_a_page_is_in_no_frame_that_was_not_allowed(tmp_path):
    with served("home") as url, course(tmp_path, free_port()) as own, chromium() as browser:
        (tmp_path / "frame.html").write_text(FRAME.format(url=url), encoding="utf-8")
        page = browser.new_page()
        page.goto(f"{own}/frame.html")
        page.wait_for_load_state("networkidle")
        assert page.frame_locator("iframe").locator("body.wb-stands").count() == 0
