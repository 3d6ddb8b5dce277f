"""Pages for those who use keys alone, hear a page, touch it or want no motion; its links and frames."""

import html
import re

import pytest
from amounts import few
from page_browser import becomes, visit
from test_pictures import PHONE, rests

from workbench.pages import registry

pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.browser

PAGES = tuple(registry.pages())
MOST_TABS = 15
# The page has the focus, as when it has just been opened.
TOP = """() => {
  const main = (root) => [...root.querySelectorAll("*")].map(
    (e) => (e.matches(".main-content") ? e : e.shadowRoot && main(e.shadowRoot))).find(Boolean);
  document.activeElement?.blur();
  main(document).focus();
}"""
# A number for each element that ever has the focus, whether it is one that leads to a part, and its name.
FOCUS = """() => {
  let at = document.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  if (!at || at === document.body) return null;
  window.focused ??= [];
  if (!focused.includes(at)) focused.push(at);
  return [focused.indexOf(at), at.matches(".wb-skip"), at.ariaLabel || at.textContent.trim().slice(0, 30)];
}"""
# The pictures of figures with a name, and the tables of their numbers with so many rows.
READ = """() => {
  const all = (root, what) => [...root.querySelectorAll(what)].concat(
    ...[...root.querySelectorAll("*")].map((e) => (e.shadowRoot ? all(e.shadowRoot, what) : [])));
  const shown = Bokeh.documents.flatMap((each) => [...each._all_models.values()])
    .filter(({ type }) => type === "Figure").map((each) => Bokeh.index.find_one(each))
    .filter((view) => view?.el.checkVisibility());
  const seen = (what) => all(document, what).filter((each) => each.checkVisibility());
  const pictures = seen("canvas[role=img]").map((each) => each.ariaLabel);
  const rows = seen("caption").filter(({ textContent }) => /^Numbers of/.test(textContent))
    .map((each) => each.parentElement.tBodies[0].rows.length);
  return { figures: [shown.length, pictures.filter(Boolean).length, rows.length], least: Math.min(...rows) };
}"""
# What moves by itself, or would when it changes.
MOVING = """() => {
  const inside = (e) => (e.shadowRoot ? all(e.shadowRoot) : []);
  const all = (root) => [...root.querySelectorAll("*")].flatMap((e) => [e, ...inside(e)]);
  const moves = ({ animationName, transitionDuration }) => (
    animationName !== "none" || transitionDuration.split(", ").some((each) => each !== "0s"));
  return all(document).filter((e) => moves(getComputedStyle(e)) || moves(getComputedStyle(e, "::before")))
    .map((e) => e.outerHTML.slice(0, 80));
}"""


def opened(browser, address, name, query="", **size):
    return visit(browser, address.rsplit("/", 1)[0] + f"/{name}{query}", **size)


def tab(page, count=1):
    """What has the focus after each of so many presses."""
    found = []
    for _ in range(count):
        page.keyboard.press("Tab")
        found.append(page.evaluate(FOCUS))
    return found


def far(page):
    """The controls that more than 15 tabs lead to, with what leads to parts of the page."""
    page.evaluate(TOP)
    whole = {}
    while not (at := tab(page)[0]) or at[0] not in whole:
        if at:
            whole[at[0]] = at[2]
    page.evaluate(TOP)
    found = tab(page, MOST_TABS)
    # What is drawn anew meanwhile keeps its name.
    near = {part for at in found if at for part in (at[0], at[2])}
    for k, at in enumerate(found, 1):
        if at and at[1]:
            page.evaluate(TOP)
            tab(page, k)
            page.keyboard.press("Enter")
            assert becomes(lambda: (page.evaluate(FOCUS) or [0, True])[1], False) is False, at[2]
            reached = [page.evaluate(FOCUS), *tab(page, MOST_TABS - k)]
            near |= {part for at in reached if at for part in (at[0], at[2])}
    return {name for k, name in whole.items() if not {k, name} & near}, len(whole)


@pytest.mark.parametrize("name", few(PAGES, 4))
def test_few_tabs_lead_to_each_control_and_figures_have_their_numbers(browser, address, name):
    with opened(browser, address, name, width=1366, height=768) as page:
        page.emulate_media(reduced_motion="reduce")
        rests(page, name)
        assert becomes(lambda: page.evaluate(MOVING), []) == []
        unreached, count = far(page)
        assert unreached == set()
        assert count > 5
        if name != "home":
            assert becomes(lambda: len({*page.evaluate(READ)["figures"]}), 1) == 1, page.evaluate(READ)
            assert becomes(lambda: page.evaluate(READ)["least"] > 0, True) is True


def test_few_tabs_lead_to_each_control_of_a_second_configuration(browser, address):
    with opened(browser, address, "dual-lab", "?source=Breast+cancer&compare=on") as page:
        page.emulate_media(reduced_motion="reduce")
        rests(page, "dual-lab")
        unreached, count = far(page)
        assert unreached == set()
        assert page.get_by_role("combobox", name="B: loss").count() == 1
        assert count > 30


def hand(page, title):
    return page.get_by_role("slider", name=f"{title}: arrow keys move the point")


@pytest.mark.parametrize(
    ("name", "title", "key"),
    [
        ("conjugates", "p and its tangent", "ArrowRight"),
        ("conjugates", "The conjugate q", "ArrowRight"),
        ("conjugates", "Fenchel-Young gap", "ArrowUp"),
        ("transfer", "v: level sets of h", "ArrowUp"),
        ("simplex", "The prediction p = ∇Ω*(θ)", "ArrowLeft"),
        ("svm-gaps", "The plane and its boundary", "ArrowUp"),
    ],
)
def test_arrow_keys_move_what_a_pointer_drags(browser, address, name, title, key):
    with opened(browser, address, name) as page:
        rests(page, name)
        moved = hand(page, title)
        moved.focus()
        before, said = moved.get_attribute("aria-valuetext"), page.locator(".wb-code").inner_text()
        for _ in range(3):
            page.keyboard.press(key)
        assert becomes(lambda: moved.get_attribute("aria-valuetext") != before, True)
        assert becomes(lambda: page.locator(".wb-code").inner_text() != said, True)
        # The page's own arrows are for what the page moves.
        assert page.evaluate(FOCUS)[2].startswith(title)


def on_a_telephone(browser, address, name, query=""):
    context = browser.new_context(
        viewport=dict(zip(("width", "height"), PHONE, strict=True)), has_touch=True, is_mobile=True
    )
    page = context.new_page()
    page.goto(address.rsplit("/", 1)[0] + f"/{name}{query}")
    return page


def drag(page, x, y, across, down):
    """A finger goes from one place to another."""
    session = page.context.new_cdp_session(page)
    for k in range(9):
        points = [{"x": x + across * k / 8, "y": y + down * k / 8}]
        session.send(
            "Input.dispatchTouchEvent", {"type": "touchMove" if k else "touchStart", "touchPoints": points}
        )
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


@pytest.mark.parametrize(
    ("name", "title", "slider"),
    [
        ("conjugates", "p and its tangent", "v, slope of the tangent"),
        ("svm-gaps", "The plane and its boundary", "C weight of a slack"),
    ],
)
def test_a_telephone_shows_a_figure_with_its_slider_and_a_finger_drags(browser, address, name, title, slider):
    page = on_a_telephone(browser, address, name)
    rests(page, name)
    moved = hand(page, title)
    moved.scroll_into_view_if_needed()
    scrolled = page.locator(".main-content").evaluate("(e) => e.scrollTop")
    code, at = page.locator(".wb-code").inner_text(), moved.bounding_box()
    drag(page, at["x"] + 12, at["y"] + 12, -40, 50)
    assert becomes(lambda: page.locator(".wb-code").inner_text() != code, True)
    assert page.locator(".main-content").evaluate("(e) => e.scrollTop") == scrolled
    page.get_by_role("button", name="Open drawer").tap()

    def fit():
        boxes = [
            page.locator(f"canvas[aria-label='{title}']").bounding_box(),
            page.get_by_role("slider", name=slider).bounding_box(),
        ]
        picture, control = boxes
        return (
            picture["y"] >= 0
            and picture["y"] + picture["height"] <= control["y"]
            and control["y"] <= PHONE[1]
        )

    assert becomes(fit, True)


def test_a_link_and_a_frame_show_the_page(browser, address):
    """What others read of a page's address, and the frame that its button copies."""
    with opened(browser, address, "conjugates", "?v=0.5") as page:
        rests(page, "conjugates")
        told = {
            each.get_attribute("property"): each.get_attribute("content")
            for each in page.locator("meta[property]").all()
        }
        assert told["og:title"] == "Conjugates"
        answer = page.request.get(told["og:image"])
        assert answer.headers["content-type"] == "image/png"
        assert answer.body()[:4] == b"\x89PNG"
        page.evaluate("navigator.clipboard.writeText = async (text) => { window.copied = text; }")
        page.get_by_role("button", name="Copy an <iframe>").click()
        frame = page.evaluate("copied")
        shown = html.unescape(re.search(r'src="([^"]*)"', frame)[1])
        assert {"v=0.5", "hide=nav"} <= {*shown.split("?")[1].split("&")}
        # In a page of the same server; one of another site is let in by --allow-embed.
        outer = shown.split("/conjugates")[0] + "/outer"
        page.route(outer, lambda route: route.fulfill(body=frame, content_type="text/html; charset=utf-8"))
        page.goto(outer)
        inside = page.frame_locator("iframe")
        inside.locator(".wb-code", has_text=", 0.5").wait_for()
        assert inside.locator("nav a").count() == 1


# The values that a slider takes from now on.
PASSED = """(title) => {
  const models = Bokeh.documents.flatMap((each) => [...each._all_models.values()]);
  const slider = models.find((each) => each.type === "Slider" && each.title === title);
  window.passed = [];
  slider.properties.value.change.connect(() => passed.push(slider.value));
}"""


def test_a_story_does_not_move_where_motion_is_unwelcome(browser, address):
    """A step's number is there at once; else it goes there through others."""
    for motion in ("reduce", "no-preference"):
        with opened(
            browser, address, "simplex", "?projector=on&story=1&alpha=1", width=1280, height=720
        ) as page:
            page.emulate_media(reduced_motion=motion)
            page.locator("#wb-wall .wb-story span", has_text="1 / 5").wait_for()
            page.locator("#wb-wall .name").first.wait_for(state="attached")
            page.evaluate(PASSED, "α, exponent of φ")
            page.keyboard.press("ArrowRight")
            page.locator("#wb-wall .wb-story span", has_text="2 / 5").wait_for()
            assert becomes(lambda: page.evaluate("passed.at(-1)"), 2) == 2
            assert (page.evaluate("passed") == [2]) is (motion == "reduce")
