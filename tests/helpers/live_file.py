"""An exported file that solves in the browser: opening it, and what its sources hold."""

import base64
import contextlib
import gzip
import itertools
import json
import re

import numpy as np

from tests.helpers.page_browser import PATIENCE_MS, becomes
from workbench.data.examples.plane import read_points

# Of what is drawn.
DRAWN = 1e-9


def record(file):
    """The data that the file is given."""
    packed = re.search(r'\nload\("[^"]*", "([^"]*)"\);', file.read_text(encoding="utf-8")).group(1)
    return json.loads(gzip.decompress(base64.b64decode(packed)))


def address(settings):
    """The settings as the address has them, every number as JavaScript writes it."""
    return "#" + "&".join(f"{name}={str(value).removesuffix('.0')}" for name, value in settings.items())


def press(page, name, step):
    """Press a button that ends a run, or that does some steps, and wait for the picture of that step."""
    page.get_by_role("button", name=name, exact=True).click()
    page.locator(f"body[data-status=paused][data-step='{step}']").wait_for()


def converged(page):
    page.locator("body[data-status=converged]").wait_for()


@contextlib.contextmanager
def opened(browser, file, address="", script=None):
    """The file with the network off; it asks for nothing and says nothing on the console."""
    context = browser.new_context(offline=True, viewport={"width": 1366, "height": 768})
    if script:
        context.add_init_script(script)
    page, requests, said = context.new_page(), [], []
    page.set_default_timeout(PATIENCE_MS)
    page.on("request", lambda r: r.url.startswith("blob:") or requests.append(r.url))
    page.on("console", lambda m: m.type in ("error", "warning") and said.append(m.text))
    page.on("pageerror", lambda error: said.append(str(error.stack)))
    page.goto(file.as_uri() + address)
    page.locator("body[data-shown]").wait_for()
    yield page
    context.close()
    assert {url.partition("#")[0] for url in requests} == {file.as_uri()}
    assert said == [], said


def columns(page, record, sources):
    """The data of the sources on the page."""
    ids = {name: record["ids"]["sources"][name] for name in sources}
    return page.evaluate(
        """ids => Object.fromEntries(Object.entries(ids).map(([name, id]) => {
            const { data } = Bokeh.documents.at(-1).get_model_by_id(id);
            const plain = (x) => typeof x === "string" || x === null ? x : typeof x === "number"
              ? (Number.isFinite(x) ? x : String(x)) : Array.from(x, plain);
            return [name, Object.fromEntries(Object.entries(data).map(([key, x]) => [key, plain(x)]))];
        }))""",
        ids,
    )


# Keeps where the texts of each canvas stand; `opened` takes it as its script.
NOTES_TEXTS = """
const texts = new Map(), { prototype } = CanvasRenderingContext2D, { clearRect, fillText } = prototype;
prototype.clearRect = function (...sides) {
    texts.delete(this.canvas);
    return clearRect.apply(this, sides);
};
prototype.fillText = function (text, x, y) {
    const size = this.measureText(text), at = this.getTransform();
    const corners = [
        new DOMPoint(x - size.actualBoundingBoxLeft, y - size.actualBoundingBoxAscent),
        new DOMPoint(x + size.actualBoundingBoxRight, y + size.actualBoundingBoxDescent),
    ].map((corner) => corner.matrixTransform(at));
    const ends = (end) => ["x", "y"].map((k) => end(...corners.map((corner) => corner[k])));
    const [low, high] = [ends(Math.min), ends(Math.max)];
    texts.set(this.canvas, [...texts.get(this.canvas) ?? [], { text, low, high }]);
    return fillText.call(this, text, x, y);
};
window.texts_drawn = () => [...texts.values()];
"""
TOUCHES = 1.0  # pixels, since boxes are larger than ink


def clashes(page):
    """Pairs of texts that lie upon each other in a figure; the page was opened with `NOTES_TEXTS`."""

    def shared(one, other, k):
        return min(one["high"][k], other["high"][k]) - max(one["low"][k], other["low"][k])

    return [
        (one["text"], other["text"])
        for drawn in page.evaluate("texts_drawn()")
        for one, other in itertools.combinations(drawn, 2)
        if min(shared(one, other, k) for k in (0, 1)) > TOUCHES
    ]


# The place of a point of the plane on the screen.
PLACE = """([x, y]) => {
    const { roots } = Bokeh.index, view = roots.find((root) => root.model.name === "plane");
    const canvas = view.canvas_view.el.getBoundingClientRect();
    return [canvas.x + view.frame.x_scale.compute(x), canvas.y + view.frame.y_scale.compute(y)];
}"""


def at(page, place):
    """A place of the plane on the screen, once the layout has come to rest."""

    def moved():
        before = page.evaluate(PLACE, list(place))
        page.wait_for_timeout(200)
        return before != page.evaluate(PLACE, list(place))

    assert becomes(moved, False) is False
    return page.evaluate(PLACE, list(place))


def points_of(page):
    """The edited points that the address has."""
    return read_points(re.search(r"points=(\w+)", page.evaluate("location.hash")).group(1))


def drag(page, before, place, said):
    """Drag a point of the plane to another place; the page shows this sentence until then."""
    page.mouse.move(*at(page, before))
    page.mouse.down()
    # A slow drag still holds it.
    page.wait_for_timeout(400)
    page.mouse.move(*at(page, place), steps=5)
    page.locator("#x-status", has_text=said).wait_for()
    page.mouse.up()
    assert becomes(lambda: "points=" in page.evaluate("location.hash"), True)
    converged(page)


def alone(X):
    """The sample that is farthest from all others, since what lies upon each other moves together."""
    away = np.linalg.norm(X[:, None] - X, axis=2)
    return int(np.partition(away, 1, axis=1)[:, 1].argmax())


def agree(values, expected, name):
    if len(expected) and isinstance(expected[0], str):
        assert values == list(expected), name
        return
    ours, theirs = (np.array(np.ravel(np.array(x, dtype=object)), dtype=float) for x in (values, expected))
    size = np.abs(theirs[np.isfinite(theirs)]).max(initial=1.0)
    np.testing.assert_allclose(ours, theirs, rtol=DRAWN, atol=DRAWN * size, err_msg=name)
