"""A served page whose runs the browser does: who has drawn, what it draws into, and what travels."""

import contextlib
import re

from tests.helpers.page_browser import PATIENCE_MS, becomes, says

SETTLED = re.compile(r"[Rr]eached|[Ss]topped|[Ss]talled|diverged")
ENGINE = "() => document.body.dataset.engine"


def played_by(page, name):
    """Wait until the browser, or the server again, has drawn."""
    assert becomes(lambda: page.evaluate(ENGINE), name) == name


def press(page, name):
    page.get_by_role("button", name=name, exact=True).click()


def runs_alone(page, travelled):
    """Check of a run of the browser that it goes on while nothing travels, and pause it."""
    says(page, "Running")
    page.wait_for_timeout(500)
    travelled.clear()
    said = page.locator("output").first.inner_text()
    assert becomes(lambda: page.locator("output").first.inner_text() != said, True)
    seen = list(travelled)
    assert page.evaluate("(wb_page.runs ?? wb_page).playing")
    assert seen == []
    assert page.evaluate(ENGINE) == "browser"
    press(page, "pause")


# Where a place of the plane stands in the window.
MODELS = "const models = Bokeh.documents.flatMap((each) => [...each._all_models.values()]);"
AT = f"""([x, y]) => {{
    {MODELS}
    const {{frame, el}} = Bokeh.index.find_one(models.find((each) => each.name === "plane"));
    const {{left, top}} = el.getBoundingClientRect();
    return [left + frame.x_scale.compute(x), top + frame.y_scale.compute(y)];
}}"""


def at(page, x, y):
    """A place of the plane in the window, once the layout has come to rest."""

    def moved():
        before = page.evaluate(AT, [x, y])
        page.wait_for_timeout(200)
        return before != page.evaluate(AT, [x, y])

    assert becomes(moved, False) is False
    return page.evaluate(AT, [x, y])


def hold(page, x, y):
    """Press a point of the plane long enough that a slow drag still holds it."""
    page.mouse.move(*at(page, x, y))
    page.mouse.down()
    page.wait_for_timeout(500)


@contextlib.contextmanager
def on_the_wire(browser, address):
    """A visit, and the list of all that has travelled, in either direction."""
    travelled = []
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)

    def watch(socket):
        for way in ("framesent", "framereceived"):
            socket.on(way, lambda frame: travelled.append(frame))

    page.on("websocket", watch)
    page.goto(address)
    yield page, travelled
    context.close()


# Where the dotted line stands in a figure, None where there is none.
MARK = """(name) => {
    const plots = Bokeh.documents.flatMap((each) => [...each._all_models.values()]);
    const plot = plots.find((each) => each.type === "Figure" && each.name === name);
    const line = plot.center.find((each) => each.type === "Span" && each.line_dash.length);
    return line.visible ? line.location : null;
}"""
GHOST = """(name) => {
    const plots = Bokeh.documents.flatMap((each) => [...each._all_models.values()]);
    const plot = plots.find((each) => each.type === "Figure" && each.name === name);
    const { glyph, data_source } = plot.renderers.find((each) => each.name === "before");
    return [glyph.x.field, Array.from(data_source.data.gap).filter(Number.isFinite)];
}"""
# Takes the focus from what has it, in whatever shadow.
BLUR = """() => {
    let focused = document.activeElement;
    while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
    focused?.blur();
}"""


def bar(page):
    return page.get_by_role("slider", name="Progress of the run")


def places(page):
    return int(bar(page).get_attribute("max"))


def stands(page, text):
    """Wait until the bar says this; a run has rested then, and its numbers are there."""
    page.locator("output", has_text=re.compile(f"^{text}$")).wait_for()


def key(page, name):
    """A key of the page, wherever the focus was."""
    page.evaluate(BLUR)
    page.keyboard.press(name)


def back_and_on(page, place, last):
    """From a place of a run of epochs one back by a key, one on, and one on by its button."""
    key(page, "ArrowLeft")
    stands(page, f"epoch {place - 1} of {last}")
    key(page, "ArrowRight")
    stands(page, f"epoch {place} of {last}")
    press(page, "epoch")
    stands(page, f"epoch {place + 1} of {last}")
