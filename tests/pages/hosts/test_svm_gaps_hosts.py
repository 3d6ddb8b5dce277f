"""SVM gaps in every host: what was recorded while Python drew it, and points that a hand moves."""

import contextlib
import copy
import re

import numpy as np
import pytest

from tests.corpora.golden_frames import SETTINGS, _words, differences, recorded
from tests.helpers.hosted_frames import WITHOUT, frames, ranges
from tests.helpers.page_browser import PATIENCE_MS, becomes, visit
from tests.pages.hosts import carriers
from workbench import gaps
from workbench.data.examples.plane import MAX_POINTS, SOURCES, read_points, write_points
from workbench.pages.svm_gaps.declaration import SvmGaps
from workbench.pages.svm_gaps.figures import SvmDrawing

pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.browser

PAGES = ("svm-gaps",)
READY = "() => globalThis.workbenchPages?.length > 0"
STATE = "async (given) => { const page = await workbenchPages[0]; await page.settled(); %s }"
# The reason of a step was recorded in three panes, and is in one.
REASON = ("step", "formula", "badge")
TEX = re.compile(r"<wb-tex>(.*?)</wb-tex>", re.DOTALL)
# A distance is measured from the end of a run of its own, which is certified to within less than this.
CERTIFIED = 1e-8
# Parts that are not recorded.
NEW = ("bars", "touched")
WHY = "return [page.frame.sentences.why, page.code];"


@contextlib.contextmanager
def without_webassembly(browser, address):
    """A visit of the served page by a browser that has no WebAssembly: Python computes."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    context.add_init_script(WITHOUT)
    view = context.new_page()
    view.set_default_timeout(PATIENCE_MS)
    view.goto(address)
    yield view
    context.close()


@pytest.fixture(scope="module", params=["file", "served", "python"])
def host(request, browser, address, tmp_path_factory):
    opens = {
        "file": lambda: carriers.file(browser, tmp_path_factory.mktemp("svm"), SvmGaps().html(), READY),
        "served": lambda: visit(browser, address, width=1440, height=900),
        "python": lambda: without_webassembly(browser, address),
    }
    with opens[request.param]() as view:
        view.set_viewport_size({"width": 1440, "height": 900})
        view.wait_for_function(READY)
        yield request.param, view


def alone(X):
    """The sample that is farthest from all others, since what lies upon each other moves together."""
    away = np.linalg.norm(X[:, None] - X, axis=2)
    return int(np.partition(away, 1, axis=1)[:, 1].argmax())


def on_page(view, script, argument=None):
    return view.evaluate(STATE % script, argument)


# Recorded frames


def comparable(ours, expected):
    """Keep what was recorded: numbers, texts of cards and code; captions were written anew."""
    lined(ours), lined(expected)
    expected["texts"] = together(expected["texts"])
    measure(ours, expected)
    for frame in (ours, expected):
        for figure in frame["figures"].values():
            for part in ("head", "sentence", "axes"):
                figure.pop(part)
            for name in NEW:
                figure["sources"].pop(name, None)
        # The ghost is drawn over steps.
        frame["figures"]["bounds"]["sources"]["before in bounds"].pop("epoch")
        frame["cards"] = [[part for part in card if "between" not in part] for card in frame["cards"]]


def together(texts):
    said = " ".join(texts.pop(name).replace("$", " ") for name in REASON)
    return texts | {"why": " ".join(said.split())}


def lined(frame):
    """A frame whose lines begin where anybody would: who joins the pieces of a line begins it somewhere."""
    lines = frame["figures"]["plane"]["sources"]["lines"]
    pieces = [
        (width, dash, turned(list(zip(xs, ys, strict=True))))
        for xs, ys, width, dash in zip(*(lines[name] for name in ("xs", "ys", "width", "dash")), strict=True)
    ]
    pieces.sort(key=lambda piece: (piece[0], piece[1], rounded(piece[2][0])))
    lines |= {
        "xs": [[x for x, _ in places] for _, _, places in pieces],
        "ys": [[y for _, y in places] for _, _, places in pieces],
        "width": [width for width, _, _ in pieces],
        "dash": [dash for _, dash, _ in pieces],
    }
    return frame


def measure(measured, expected):
    """Distances that agree within what the references are certified to are the same."""
    ours, theirs = (frame["figures"]["bounds"]["sources"]["bounds"] for frame in (measured, expected))
    for name in ("primal", "dual"):
        if len(ours[name]) != len(theirs[name]):
            continue  # which is told of as it is
        pairs = zip(ours[name], theirs[name], strict=True)
        ours[name] = [other if is_near(one, other) else one for one, other in pairs]


def is_near(one, other):
    return "nan" not in (one, other) and abs(one - other) <= CERTIFIED


def turned(places):
    """The places of a line from its least end on, of a closed one from its least place."""
    if rounded(places[0]) == rounded(places[-1]):
        least = min(range(len(places) - 1), key=lambda k: rounded(places[k]))
        places = [*places[least:-1], *places[: least + 1]]
        return min(places, places[::-1], key=lambda pair: rounded(pair[1]))
    return min(places, places[::-1], key=lambda pair: rounded(pair[0]))


def rounded(place):
    return tuple(round(number, 6) for number in place)


SHORT, *REST = SETTINGS["svm_gaps"]


@pytest.mark.parametrize("setting", [SHORT, *(pytest.param(name, marks=pytest.mark.long) for name in REST)])
def test_page_draws_what_was_recorded(host, setting):
    name, view = host
    expected, shown = copy.deepcopy(recorded("svm_gaps")[setting]), {}
    for moment, frame in frames(view, SvmGaps(), "svm_gaps", setting, "cost", ranges(SvmDrawing())):
        why, code = on_page(view, WHY)
        frame["texts"] = {"why": " ".join(_words(TEX.sub(r" \1 ", why)).split()), "code": code}
        comparable(frame, expected[moment])
        shown[moment] = frame
    wrong = list(differences(shown, expected, f"svm gaps, {setting}, {name}"))
    assert not wrong, "\n".join(wrong[:30])


# Points by hand

FRAME = """const plot = page.figures.of("figures", "plane"), view = page.Bokeh.index.find_one(plot);
    const { left, top } = view.canvas_view.el.getBoundingClientRect(), { x_scale, y_scale } = view.frame;
    return [left + x_scale.compute(given[0]), top + y_scale.compute(given[1])];"""
DRAWN = "return { ...page.frame.sources.points, ...page.settings, text: page.settings.points };"
BARS = """const { bars, bounds } = page.frame.sources, { rows } = page.tracks, [row] = rows;
    const heights = [row.gap, row.remark_1, row.lemma_8];
    return { bars, isEmpty: bounds === null, heights, rows: rows.length };"""
SAID = "return page.view.parts.status.textContent;"


def begin(view, **settings):
    on_page(view, "page.points.forget(); await page.change({ ...page.facts.defaults, ...given });", settings)


def at(view, place):
    return on_page(view, FRAME, [float(number) for number in place])


def drawn(view):
    return on_page(view, DRAWN)


def places(view):
    points = drawn(view)
    return np.column_stack([points["x"], points["y"]])


def hold(view, place):
    view.mouse.move(*at(view, place))
    view.mouse.down()


def test_dragged_point_is_solved_at_each_place_with_three_bars(host):
    view = host[1]
    begin(view)
    X, y = SOURCES["Overlapping"]()
    sample = alone(X)
    np.testing.assert_allclose(places(view), X, atol=1e-9)
    hold(view, X[sample])
    bars = {}
    for place in ((0.0, -1.5), (0.5, -2.0)):
        view.mouse.move(*at(view, place), steps=3)
        shown = on_page(view, BARS)
        assert shown["isEmpty"]
        assert shown["rows"] == 1
        low = shown["bars"]["bottom"][0]
        assert shown["bars"]["top"] == [max(height, low) for height in shown["heights"]]
        assert shown["heights"] == sorted(shown["heights"])
        bars[place] = shown["heights"]
    assert bars[0.0, -1.5] != bars[0.5, -2.0]
    assert on_page(view, "return page.settings.points;") == ""
    view.mouse.up()
    points = drawn(view)
    moved, labels = read_points(points["text"])
    np.testing.assert_allclose(moved[sample], [0.5, -2.0], atol=0.03)
    np.testing.assert_array_equal(np.delete(moved, sample, axis=0), np.delete(X, sample, axis=0))
    np.testing.assert_array_equal(labels, y)
    certificate = gaps.svm(moved @ moved.T, labels, 1.0, np.array(points["a"]))
    assert certificate.t_hat - certificate.b_hat <= 1e-3 + 1e-10
    # All steps from zero are there once the point is dropped, and no bar.
    steps, bars = on_page(view, "return [page.tracks.rows.map(({ step }) => step), page.frame.sources.bars];")
    assert steps == list(range(len(steps)))
    assert bars is None
    assert f"points={points['text']}" in view.url
    view.keyboard.press("Control+z")
    assert becomes(lambda: drawn(view)["text"], "") == ""


def left_by_double_click(view, place):
    """Click twice on a point, and return how many are left: a busy browser may see two single clicks."""
    view.mouse.dblclick(*at(view, place))
    return len(drawn(view)["label"])


# What the page itself does is the same where Python computes.
BY_BROWSER = pytest.mark.parametrize("host", ["file", "served"], indirect=True)


@BY_BROWSER
def test_points_are_flipped_added_and_deleted(host):
    view = host[1]
    begin(view, tolerance=1.0)
    X, y = SOURCES["Overlapping"]()
    sample = alone(X)
    button = view.locator("[data-do=flip]")
    on_page(view, "page.touch(null);")
    assert becomes(button.is_disabled, True)
    view.mouse.click(*at(view, X[sample]))
    assert becomes(button.is_enabled, True)
    assert on_page(view, "return page.frame.sources.touched.x;") == [pytest.approx(X[sample, 0])]
    button.click()
    labels = drawn(view)["label"]
    assert [i for i in range(y.size) if labels[i] != y[i]] == [sample]
    assert read_points(drawn(view)["text"])[1][sample] == -y[sample]
    view.locator("[data-do=undo]").click()
    assert becomes(lambda: drawn(view)["label"], y.tolist()) == y.tolist()
    # A click adds one of the chosen class, which is the one to flip then.
    view.get_by_label("A click adds a point of class").select_option(index=1)
    view.mouse.click(*at(view, (-2.0, 2.0)))
    assert becomes(lambda: len(drawn(view)["label"]), y.size + 1) == y.size + 1
    assert drawn(view)["label"][-1] == -1.0
    on_page(view, "page.view.box.focus();")
    view.keyboard.press("x")
    assert becomes(lambda: drawn(view)["label"][-1], 1.0) == 1.0
    assert becomes(lambda: left_by_double_click(view, (-2.0, 2.0)), y.size) == y.size
    # Keys move a point as well.
    hand = view.get_by_role("slider", name="The plane and its boundary: arrow keys move the point")
    hand.focus()
    before = places(view)
    for _ in range(2):
        view.keyboard.press("ArrowUp")
    view.keyboard.press("Tab")
    assert becomes(lambda: bool((places(view)[:, 1] > before[:, 1]).any()), True)


@BY_BROWSER
def test_brush_stops_at_a_full_plane_and_both_classes_stay(host):
    name, view = host
    loose = {"tolerance": 1.0}  # the runs end soon
    X, y = SOURCES["Overlapping"]()
    near = np.linspace([-1.5, -1.0], [-1.0, -1.5], MAX_POINTS - 4 - y.size)
    full = write_points(np.vstack([X, near]), np.append(y, -np.ones(len(near))))
    begin(view, points=full, adds="-1", **loose)
    hold(view, (-2.5, 2.5))
    view.mouse.move(*at(view, (-1.2, 2.5)), steps=6)
    view.mouse.up()  # neither Shift nor the brush
    assert len(drawn(view)["label"]) == MAX_POINTS - 4
    view.keyboard.down("Shift")
    hold(view, (-2.5, 2.7))
    for place in ((-1.2, 2.7), (-2.5, 2.5)):
        view.mouse.move(*at(view, place), steps=6)
    view.mouse.up()
    view.keyboard.up("Shift")
    assert becomes(lambda: len(drawn(view)["label"]), MAX_POINTS) == MAX_POINTS
    assert str(MAX_POINTS) in on_page(view, SAID)
    assert set(drawn(view)["label"][-4:]) == {-1.0}
    view.get_by_label("Data").select_option("Imbalanced")
    assert becomes(lambda: len(drawn(view)["label"]), 46) == 46
    assert drawn(view)["text"] == ""
    two = write_points(np.array([[-1.0, 0.0], [1.0, 0.0]]), np.array([-1.0, 1.0]))
    begin(view, points=two, **loose)
    view.mouse.dblclick(*at(view, (1.0, 0.0)))
    assert becomes(lambda: str(MAX_POINTS) in on_page(view, SAID), True)
    assert drawn(view)["x"] == [-1.0, 1.0]
    on_page(view, "await page.change({ points: 'nonsense' });")
    if name == "file":
        assert "points" in on_page(view, "return page.refusal;")
    else:  # Python refuses the setting, and the one before comes back
        assert becomes(lambda: drawn(view)["text"], two) == two
    begin(view)
    assert on_page(view, "return page.refusal;") == ""


def test_tolerance_and_c_go_on_with_the_run(host, capsys):
    view = host[1]
    begin(view)
    on_page(
        view,
        "page.seen = []; const { put } = page; page.put = (f) => { put.call(page, f); "
        "page.seen.push([page.tracks.shown[0].at, page.tracks.shown[0].request.C]); };",
    )
    slider = view.get_by_role("slider", name="C weight")
    slider.press("ArrowRight", no_wait_after=True)
    count = "async () => (await workbenchPages[0]).seen.length"  # while runs go on
    assert becomes(lambda: view.evaluate(count) > 0, True)
    for _ in range(3):
        slider.press("ArrowRight", no_wait_after=True)
    seen = on_page(view, "delete page.put; return page.seen;")
    assert len({C for _, C in seen}) > 1
    assert min(step for step, _ in seen) > 0
    before = on_page(view, "return page.tracks.rows.at(-1).step;")
    assert on_page(view, "return page.figures.of('ghosts', 'bounds').data.gap.length;") > 1
    view.get_by_label("Stop at a violation t̂ − b̂ of").select_option("10⁻⁶")
    last = "return [page.tracks.rows.at(-1).step, page.tracks.rows.at(-1).violation, page.status];"
    step, violation, status = on_page(view, last)
    assert step > before
    assert violation <= 1e-6
    assert status == "converged"
    # The code that is shown takes as many steps.
    begin(view, cost=0.0123456789, kernel="Gaussian")
    exec(on_page(view, "return page.code;"), {})
    assert int(capsys.readouterr().out.split()[0]) == on_page(view, last)[0]


def test_transport_goes_through_the_steps(host):
    view = host[1]
    begin(view, tolerance=0.1)
    solved = on_page(view, "return page.tracks.rows.length - 1;")
    step = "return page.tracks.shown[0].at;"
    for name, expected in (("reset", 0), ("step", 1), ("step", 2), ("10 steps", 12), ("run", solved)):
        view.get_by_role("button", name=name, exact=True).click()
        assert on_page(view, step) == expected
    on_page(view, "page.view.box.focus();")
    for key, expected in (("ArrowLeft", solved - 1), ("ArrowRight", solved), ("r", 0), (" ", solved)):
        view.keyboard.press(key)
        assert on_page(view, step) == expected


@BY_BROWSER
def test_first_view_holds_what_the_thesis_names(host):
    view = host[1]
    begin(view)
    view.evaluate("() => scrollTo(0, 0)")
    cards = (
        "return ['plane', 'bias', 'bounds'].map((n) => page.view.cards[n].getBoundingClientRect().bottom);"
    )
    assert max(on_page(view, cards)) <= 900
    view.get_by_role("button", name="Dual variables", exact=True).click()
    assert on_page(view, "return page.view.cards.pair_duals.checkVisibility();")
    view.get_by_role("button", name="Dual variables", exact=True).click()
    controls = "[...page.view.controls.querySelectorAll('input, select, button')]"
    assert on_page(view, f"return {controls}.filter((e) => e.checkVisibility()).length;") <= 20


def test_finger_drags_a_point_without_scrolling(browser, address):
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    view = context.new_page()
    view.set_default_timeout(PATIENCE_MS)
    view.goto(address)
    view.wait_for_function(READY)
    is_open = "page.view.parts.sidebar.classList.contains('open')"
    assert on_page(view, f"return [scrollY, {is_open}];") == [0, False]
    X, _ = SOURCES["Overlapping"]()
    on_page(view, "page.view.figures.plane.scrollIntoView({ block: 'center' });")
    (x, y), scrolled = at(view, X[alone(X)]), view.evaluate("() => scrollY")
    session = context.new_cdp_session(view)
    for k in range(9):
        points = [{"x": x - 5 * k, "y": y + 6 * k}]
        kind = "touchMove" if k else "touchStart"
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    assert becomes(lambda: drawn(view)["text"] != "", True)
    assert view.evaluate("() => scrollY") == scrolled
    context.close()
