"""The shell that all pages share: Home, the history, pins, links, frames and the projector's stories."""

import contextlib
import functools
import html
import http.server
import re
import threading

import pytest

from tests.helpers.page_browser import (
    PATIENCE_MS,
    becomes,
    choose,
    chromium,
    free_port,
    served,
    settle,
    visit,
)
from workbench.pages import theme
from workbench.pages.formulas import lit
from workbench.pages.parts import numbers
from workbench.pages.shell import ADDRESS_MILLISECONDS, MOVES_SECONDS

pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.browser

PAGES = ("conjugates",)
DERIVED = re.compile(r"Derived in")
# The curves of a figure by their names, what is pinned among them.
CURVES = """(name) => {
  const models = Bokeh.documents.flatMap((document) => [...document._all_models.values()]);
  const named = models.filter((each) => each.type === "Figure" && each.name === name);
  const plot = named.find((each) => Bokeh.index.find_one(each));
  return plot.renderers.filter(({ glyph }) => glyph.type === "Line").map((each) => {
    const { name, glyph, data_source: { data } } = each;
    return [name, Array.from(data[glyph.y.field]).filter(Number.isFinite)];
  });
}"""


def pinned(page, figure):
    """Return the pinned curves of a figure: name -> their heights."""
    heights_by_name = {}
    for name, heights in page.evaluate(CURVES, figure):
        if (name or "").startswith("pinned"):
            heights_by_name.setdefault(name, []).append(heights)
    return heights_by_name


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


def test_the_history_the_pins_and_the_frame_of_a_page(browser, address):
    """Every change is an entry of the history: Back and Ctrl Z restore the settings in place."""
    with visit(browser, address, DERIVED, height=1000) as page:
        page.wait_for_function("document.body.classList.contains('wb-stands')")
        page.evaluate("window.mine = true")
        pair, field = page.get_by_role("combobox", name="Pair"), page.get_by_role("textbox", name="p(u)")
        first, formula = pair.inner_text(), field.input_value()
        # What moves within a second of the page's own moves is one change with them.
        page.wait_for_timeout(1000 * MOVES_SECONDS + ADDRESS_MILLISECONDS)
        entries, before = page.evaluate("history.length"), page.url
        page.get_by_role("slider", name="v, slope").focus()
        for _ in range(10):  # a slider that moves on is one change
            page.keyboard.press("ArrowRight")
        page.wait_for_url(lambda url: url != before)
        choose(page, "Pair", "Hinge")
        page.wait_for_url(re.compile("preset=Hinge"))
        assert becomes(lambda: page.evaluate("history.length"), entries + 2) == entries + 2
        assert becomes(lambda: field.input_value() != formula, True)
        other = field.input_value()
        page.go_back()
        assert becomes(pair.inner_text, first) == first
        assert becomes(field.input_value, formula) == formula
        page.go_forward()
        assert becomes(pair.inner_text, "Hinge") == "Hinge"
        assert becomes(field.input_value, other) == other
        page.locator(".wb-head").first.click()
        page.keyboard.press("Control+z")
        assert becomes(pair.inner_text, first) == first
        choose(page, "Pair", "Hinge")
        # The browser undoes what was typed; beyond that the page goes back to the pair before.
        assert becomes(lambda: field.input_value() != formula, True)
        field.click()
        page.keyboard.press("Control+z")
        assert becomes(field.input_value, formula) == formula
        assert page.evaluate("window.mine") is True
        settle(page, DERIVED)
        # A pinned pair stays beside the next ones.
        pin = page.get_by_role("button", name="Pin the curves of p and its tangent")
        before = dict(page.evaluate(CURVES, "primal"))["p"]
        pin.click()
        assert becomes(lambda: list(pinned(page, "primal")), ["pinned"]) == ["pinned"]
        choose(page, "Pair", "Hinge")
        name = "pinned: Logistic, log(1 + exp(u)) …"
        assert becomes(lambda: list(pinned(page, "primal")), [name]) == [name]
        assert before in pinned(page, "primal")[name]
        # The fourth takes the place of the first; another figure has none of them.
        for option in ("Huber", "Quadratic", "One-sided Huber"):
            pin.click()
            page.locator(".wb-pins span", has_text=re.compile("pinned: ")).last.wait_for()
            choose(page, "Pair", option)
            page.wait_for_url(re.compile(option.replace(" ", r"\+")))
            settle(page, DERIVED)
        assert becomes(lambda: len(pinned(page, "primal")), 3) == 3
        assert name not in pinned(page, "primal")
        assert pinned(page, "dual") == {}
        page.get_by_role("button", name="Unpin").click()
        assert becomes(lambda: pinned(page, "primal"), {}) == {}
        # What others read of its address, and the frame that its button copies.
        properties = {
            meta.get_attribute("property"): meta.get_attribute("content")
            for meta in page.locator("meta[property]").all()
        }
        assert properties["og:title"] == "Conjugates"
        answer = page.request.get(properties["og:image"])
        assert answer.headers["content-type"] == "image/png"
        assert answer.body()[:4] == b"\x89PNG"
        page.evaluate("navigator.clipboard.writeText = async (text) => { window.copied = text; }")
        page.get_by_role("button", name="Copy an <iframe>").click()
        frame = page.evaluate("copied")
        shown = html.unescape(re.search(r'src="([^"]*)"', frame)[1])
        assert "One-sided+Huber" in shown
        assert "hide=nav" in shown.split("&")
        # In a page of the same server; one of another site is let in by --allow-embed.
        outer = shown.split("/conjugates")[0] + "/outer"
        page.route(outer, lambda route: route.fulfill(body=frame, content_type="text/html; charset=utf-8"))
        page.goto(outer)
        inside = page.frame_locator("iframe")
        inside.get_by_role("combobox", name="Pair").filter(has_text="One-sided Huber").wait_for()
        assert inside.locator("nav a").count() == 1


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
