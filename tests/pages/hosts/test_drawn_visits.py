"""Every page without runs in a file and in Panel: the rows of its visit, one after another."""

import contextlib
import functools

import pytest

from tests.helpers.page_browser import becomes
from tests.pages.hosts import carriers, drawn_visits

pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.browser

READY = "() => globalThis.workbenchPages?.length > 0"
OPEN = "async (given) => { const page = await workbenchPages[0]; await page.settled(); %s }"
HOSTS = ("file", "panel")
CLOSE = 1e-9
# The place of a figure's frame in the window.
FRAME = """const plot = page.figures.of("figures", given), view = Bokeh.index.find_one(plot);
    plot; view.el.scrollIntoView({ block: "center" });
    const { left, top } = view.canvas_view.el.getBoundingClientRect(), { bbox } = view.frame;
    return [left + bbox.left, top + bbox.top, bbox.width, bbox.height];"""
# The first words of a text, up to what is filled in.
SAYS = """const line = page.frame.sentences[given.figure], text = page.facts.texts[given.key];
    const parts = text.split(/\\{[^}]*\\}/).filter((part) => part.trim().length > 3);
    return parts.every((part) => line.includes(part.trim())) ? given.key : line;"""


@contextlib.contextmanager
def opened(host, browser, folder, name):
    if host == "file":
        with carriers.file(browser, folder, drawn_visits.PAGES[name]().html(), READY) as view:
            yield view
    else:
        with carriers.panel(browser, folder, "tests.pages.hosts.drawn_server", name, READY) as view:
            yield view


def on_page(view, script, given=None):
    return view.evaluate(OPEN % script, given)


def at_once(view, script, given=None):
    """Run a script while a run may go on, which never settles."""
    return view.evaluate(OPEN.replace("await page.settled();", "") % script, given)


def act(view, action, *values):
    if action == "choose":
        view.get_by_label(values[0], exact=True).select_option(values[1])
    elif action == "keys":
        slider = view.get_by_role("slider", name=values[0], exact=True)
        for _ in range(values[2]):
            slider.press(values[1])
    elif action == "press":
        view.get_by_role("button", name=values[0], exact=True).click()
    elif action == "type":
        field = view.get_by_label(values[0], exact=True)
        field.fill(values[1])
        field.press("Enter")
    elif action == "key":
        # Keys are the page's while the focus is in it.
        at_once(view, "page.view.box.tabIndex = -1; page.view.box.focus();")
        view.keyboard.press(values[0])
    elif action == "hand":
        title = on_page(view, "return page.facts.figures.titles[given];", values[0])
        hand = view.get_by_role("slider", name=f"{title}: arrow keys move the point")
        hand.focus()
        for _ in range(values[2]):
            view.keyboard.press(values[1])
    elif action == "drag":
        left, top, width, height = on_page(view, FRAME, values[0])
        (x, y), (u, v) = values[1:]
        view.mouse.move(left + x * width, top + y * height)
        view.mouse.down()
        view.mouse.move(left + u * width, top + v * height, steps=6)
        view.mouse.up()
    elif action == "go":
        on_page(view, "await page.change(given);", values[0])
    else:
        view.go_back()


def place(view, name, expected):
    """Return what stands at a place of the page."""
    kind, _, rest = name.partition(".")
    if kind == "says":
        return on_page(view, SAYS, {"figure": rest, "key": expected})
    if kind == "code":
        return on_page(
            view, "return page.view.parts.code.textContent.includes(given) ? given : '';", expected
        )
    if kind == "answer":
        text = on_page(view, "return page.predict.answer.textContent;")
        return text[: len(expected)]
    if kind == "refusal":
        return on_page(view, "return page.refusal.includes(given) ? given : page.refusal;", expected)
    if kind == "status":
        text = on_page(view, "return page.view.parts.status.textContent;")
        return expected if expected in text else text
    if kind == "numbers":
        return on_page(
            view, "return page.view.parts.numbers.textContent.includes(given) ? given : '';", expected
        )
    if kind == "page":
        return at_once(view, "return given.reduce((value, key) => value?.[key], page);", rest.split("."))
    path = ["settings", rest] if kind == "settings" else ["frame", *name.split(".")]
    return on_page(view, "return given.reduce((value, key) => value?.[key], page);", path)


def comes(view, key, expected, before):
    """Return True once what is expected stands at a place, else what stands there."""
    now = place(view, key, expected)
    if expected in ("more", "less"):
        return now > before if expected == "more" else now < before
    is_same = (
        now == expected
        if isinstance(expected, str | None)
        else now == pytest.approx(expected, rel=CLOSE, abs=CLOSE)
    )
    return bool(is_same) or now


@pytest.mark.parametrize("host", HOSTS)
@pytest.mark.parametrize("name", drawn_visits.VISITS)
def test_rows_of_a_visit(host, name, browser, tmp_path):
    with opened(host, browser, tmp_path, name) as view:
        on_page(view, "")
        for action, expected in drawn_visits.VISITS[name]:
            is_live = host != "file"
            if (action == ("back",) and is_live) or (action[0] == "live" and not is_live):
                continue
            action = action[1:] if action[0] == "live" else action
            before = {key: place(view, key, value) for key, value in expected.items()}
            act(view, *action)
            for key, value in expected.items():
                look = functools.partial(comes, view, key, value, before[key])
                assert becomes(look, True) is True, (action, key, value)
