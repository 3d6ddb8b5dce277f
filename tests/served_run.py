"""A served page whose runs the browser does: who has drawn, what it draws into, and what travels."""

import contextlib

from page_browser import PATIENCE_MS, becomes

ENGINE = "() => document.body.dataset.engine"
IDS = """() => Bokeh.documents.flatMap((each) => [...each._all_models.values()])
    .find((model) => model.class_name?.startsWith("Served")).data.ids"""


def ids(page):
    """The ids of the models that the browser fills, as `live_file.columns` takes them."""
    return {"ids": page.evaluate(IDS)}


def played_by(page, name):
    """Wait until the browser, or the server again, has drawn."""
    assert becomes(lambda: page.evaluate(ENGINE), name) == name


def press(page, name):
    page.get_by_role("button", name=name, exact=True).click()


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
