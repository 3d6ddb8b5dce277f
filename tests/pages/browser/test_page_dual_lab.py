"""The Dual lab in a real Chromium, by the worker of its browser and by the server's engine."""

import re
from pathlib import Path
from urllib.parse import urlencode

import numpy as np
import pytest

from tests.helpers.page_browser import (
    STANDS_OUT,
    Gone,
    becomes,
    choose,
    goes,
    lights,
    line,
    read_number,
    says,
    shows,
    visit,
    walk,
)
from tests.helpers.page_checks import wrong
from tests.helpers.served_run import (
    ENGINE,
    GHOST,
    MARK,
    MODELS,
    SETTLED,
    at,
    back_and_on,
    bar,
    hold,
    key,
    on_the_wire,
    places,
    press,
    runs_alone,
    stands,
)
from tests.helpers.staged_frames import DEEP
from workbench._support.errors import InputError
from workbench.pages.dual_lab import model
from workbench.pages.dual_lab.model import DualLab
from workbench.pages.dual_lab.page import DualLabPage

pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.browser

PAGES = ("dual-lab",)
# Small data, so that a visit is about the page.
QUICK = {"source": "Breast cancer", "lam": 0.1}
# So many epochs that a browser is busy for seconds.
LONG = {"source": "Digits · even or odd", "lam": 1e-6, "tolerance": 1e-6, "scale": 0.01}
PLANE = {"source": model.PLANE, "lam": 0.01, "regularizer": "Squared ℓ2"}
ENDED = re.compile("Reached|Stopped|Stalled")


# The numbers of the formula, by the colour of their terms, and those of the state that is drawn.
NUMBERS = """() => {
    const all = deep("[data-number]").map((each) => [each.dataset.number, each.innerText]);
    const { support, nonzeros } = wb_page.drawnState.row;
    return { ...Object.fromEntries(all), support: String(support), nonzeros: String(nonzeros) };
}"""


def statistics(page):
    page.locator(".wb-formula").first.wait_for()
    page.evaluate("wb_page.settled()")
    page.evaluate(DEEP)
    return {name: read_number(text) for name, text in page.evaluate(NUMBERS).items()}


def test_controls_and_presets(page, browser, address):
    page.get_by_role("combobox", name="Speed").wait_for()
    start, status = page.locator(".wb-code").inner_text(), page.locator(".wb-status").first.inner_text
    for text in ("-5", "1e9", "abc", "9" * 5000):
        before = status()
        page.get_by_role("textbox", name="Seed").fill(text)
        page.keyboard.press("Enter")
        assert becomes(lambda before=before: status() != before, True)
        says(page, "is refused; choose a value from 0 to 9999")
        assert becomes(page.get_by_role("textbox", name="Seed").input_value, "0") == "0"
    assert page.locator(".wb-code").inner_text() == start
    walk(
        page,
        ("Seed", "=7", "seed=7"),
        ("λ weight of the regularizer", "ArrowRight", "?lam=0.13"),
        ("t scale of the step", "ArrowLeft", "?scale=0.79"),
        ("Loss", "Logistic", "?loss=Logistic"),
    )
    says(page, SETTLED)
    # Its address gives a fresh browser the same state.
    with visit(browser, page.url, SETTLED) as fresh:
        for part in (".wb-code", ".wb-formula"):
            # The status before the last change says the same words, so the page may still be at it.
            shown = fresh.locator(part).all_inner_texts()
            assert becomes(page.locator(part).all_inner_texts, shown) == shown
        assert fresh.url == page.url
    walk(
        page,
        ("bounded", None, "update='bounded'"),
        ("Regularizer", "Entropy", "needs a bound of the curvature"),
        ("exact", None, Gone("needs a bound of the curvature")),
        ("bounded", None, "needs a bound of the curvature"),
        ("exact", None, Gone("needs a bound of the curvature")),
        ("Regularizer", "Squared ℓ2", "squared-l2"),
        ("Preset", "Multiplicative: an entropy", "entropy:mu"),
        ("Preset", "Too long a step diverges", "Diverged"),
    )
    goes(page, f"{address}?{urlencode(QUICK)}")
    shows(page, "breast-cancer")
    walk(
        page,
        ("Question", "No sparsity", "how many weights are not zero?"),
        ("more", None, re.compile("You were right: .* non-zero weights before")),
        ("fewer", None, re.compile("You said .fewer.: more, ")),
    )


def test_a_run_is_stepped_and_what_is_moved_has_its_sense(page, address):
    shown = statistics(page)
    assert 0.0 <= shown["gap"] <= 1e-4 * shown["primal"]
    assert shown["dual"] <= shown["primal"]
    assert page.locator("canvas").count() >= 4
    walk(page, (None, "r", "Paused after 0 steps"))
    zero = statistics(page)
    assert zero["support"] == 0
    walk(page, (None, "ArrowRight", "Step 1 visited sample"), ("step", None, "Step 2 visited sample"))
    assert 1 <= statistics(page)["support"] <= 2
    assert page.locator("math").count() >= 3
    assert page.get_by_text(re.compile("the dual bound rises by [0-9]")).count() == 1
    walk(page, ("reset", None, "Paused after 0 steps"), ("epoch", None, "Paused after 1 epoch"))
    after_one = statistics(page)
    walk(page, (None, " ", ENDED))
    assert statistics(page)["gap"] < after_one["gap"] < zero["gap"]
    before = page.evaluate("wb_page.runs.shown[0].rows.map((row) => row.gap)")
    page.get_by_role("button", name="log gap", exact=True).click()
    page.get_by_role("button", name="Pin the curves of Duality gap").click()
    page.get_by_role("slider", name="λ weight of the regularizer").press("ArrowRight")
    # A pinned run is named by what differs.
    page.locator(".wb-pins", has_text="pinned: λ = 0.1").wait_for()
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Save Duality gap as CSV").click()
    assert "pinned: λ = 0.1," in Path(waiting.value.path()).read_text("utf-8")
    page.get_by_role("button", name="Unpin").click()
    page.get_by_role("button", name="values", exact=True).click()
    # The curve before stays as a ghost.
    page.locator(".wb-key", has_text="before, to epoch").first.wait_for(state="attached")
    assert becomes(lambda: len(page.evaluate(GHOST, "gap")[1]), len(before)) == len(before)
    assert page.evaluate(GHOST, "gap")[1] == pytest.approx(before, rel=1e-12)
    says(page, SETTLED)
    # A larger lambda can only raise the minimum.
    assert becomes(lambda: statistics(page)["primal"] > shown["primal"], True)
    slider = page.get_by_role("slider", name="ε sparsity")
    for _ in range(20):
        slider.press("ArrowRight")
    shows(page, "epsilon=0.8")
    assert becomes(lambda: statistics(page)["nonzeros"] < shown["nonzeros"], True)
    # Else the run could end before it is paused.
    goes(page, f"{address}?{urlencode(LONG)}")
    shows(page, "1e-06")
    page.get_by_role("combobox", name="Speed").select_option("slow")
    # Else what was said before would be taken for what is said of this run.
    walk(page, ("reset", None, "Paused after 0 steps"), ("run", None, "Running"))
    walk(page, ("pause", None, "Paused after"))
    page.evaluate("wb_page.settled()")
    assert page.evaluate("wb_page.runs.playing") is False
    page.get_by_role("combobox", name="Speed").select_option("normal")


def test_a_second_configuration_begins_as_the_first_and_a_guess_is_answered(page):
    assert page.locator(".wb-formula").count() == 1
    walk(page, ("Compare", None, "?b_lam=0.1"))
    page.locator(".wb-formula").nth(1).wait_for()
    line(page, re.compile("A: .* B: ")).wait_for(state="attached")
    says(page, SETTLED)
    # A legend has B where a curve of B is drawn.
    assert [text for text in page.locator(".wb-key").all_inner_texts() if "B" in text.split()] != []
    assert becomes(lambda: wrong(page).get("legends"), None) is None
    # B begins as A is, whatever the model's own default.
    settings = page.evaluate("wb_page.settings")
    assert [settings[f"b_{name}"] for name in ("lam", "loss", "scale")] == [0.1, "Hinge", 1.0]
    walk(page, ("B: t", "ArrowRight", "?b_scale=1.3"))
    page.get_by_role("button", name="fewer", exact=True).click()
    verdict = re.compile("(right|You said).*epochs before the change and .* after it")
    page.locator("[role=status]", has_text=verdict).wait_for()
    walk(page, ("Compare", None, Gone(" B: ")))
    page.locator(".wb-formula").nth(1).wait_for(state="detached")
    assert becomes(lambda: wrong(page).get("legends"), None) is None


def test_a_run_goes_back_and_on_and_slowly(page, address):
    goes(page, f"{address}?source=Breast+cancer&lam=0.003&epsilon=0.1")
    shows(page, "lam=0.003")
    page.evaluate("wb_page.settled()")
    last, said = places(page), page.locator(".wb-status").inner_text()
    bar(page).fill("12")
    stands(page, f"epoch 12 of {last}")
    assert page.evaluate(MARK, "gap") == 12.0
    # The curves stay, the gauge is of that epoch.
    assert page.evaluate("wb_page.figures.of('sources', 'curves').data.time.at(-1)") == last
    said_of_it, dual = page.evaluate("[wb_page.gauge.dual, wb_page.drawnState.row.dual]")
    assert f"{dual:.3f}" in said_of_it
    back_and_on(page, 12, last)
    press(page, "run")
    says(page, said)
    stands(page, f"epoch {last} of {last}")
    assert becomes(lambda: page.evaluate(MARK, "gap"), None) is None
    page.get_by_role("combobox", name="Speed").select_option("slow")
    bar(page).fill("3")
    press(page, "run")
    stands(page, f"epoch 5 of {last}")
    press(page, "pause")
    says(page, re.compile("Paused after [5-9]"))
    page.get_by_role("combobox", name="Speed").select_option("normal")
    # Dual variables against margins are the slope of the hinge.
    goes(page, f"{address}?{urlencode(QUICK | {'tolerance': 1e-6})}")
    shows(page, "1e-06")
    page.evaluate("wb_page.settled()")
    columns = "({ margin, value }) => [Array.from(margin), Array.from(value)]"
    margin, value = np.array(page.evaluate(f"({columns})(wb_page.figures.of('sources', 'margins').data)"))
    outside, inside = margin > 1.01, margin < 0.99
    assert outside.any()
    assert inside.any()
    assert (value[outside] == 0.0).all()
    assert (value[inside] == 1.0).all()


# The boxes of the four figures; the area of the polygon that is shaded, beside the sample's term.
BOXES = """() => ["objective", "margins", "transfer", "weights"].map((name) => {
    const figure = Bokeh.documents.at(-1).get_model_by_name(name);
    const { bottom, width, height } = Bokeh.index.find_one(figure).el.getBoundingClientRect();
    return { bottom, width, height };
})"""
LARGEST = """() => {
    const { data } = wb_page.figures.of("sources", "margins"), k = data.area.indexOf(Math.max(...data.area));
    const lit = wb_page.figures.of("sources", "lit");
    lit.setv({ data: { ...lit.data, sample: [data.sample[k]] } });
    const { x, y } = wb_page.figures.of("sources", "left_area").data, next = (j) => (j + 1) % x.length;
    const doubled = x.reduce((sum, at, j) => sum + at * y[next(j)] - x[next(j)] * y[j], 0);
    return [Math.abs(doubled) / 2, data.area[k]];
}"""
VISITED = "() => [...wb_page.visited.runs.keys()].sort()"


def sizes_of(page, name):
    """Top, bottom and font size of an element."""
    return page.locator(name).first.evaluate(
        """(element) => {
            const { top, bottom } = element.getBoundingClientRect();
            return [top, bottom, parseFloat(getComputedStyle(element).fontSize)];
        }"""
    )


def test_a_small_window_has_the_formula_in_one_line_and_the_row_of_names(browser, address):
    with visit(browser, f"{address}?source=Breast+cancer", SETTLED) as page:

        def is_in_view():
            top, bottom, size = sizes_of(page, ".wb-certainty summary")
            return bottom - top < 2 * size and sizes_of(page, ".wb-names")[1] <= page.viewport_size["height"]

        for width, height in ((1280, 720), (1440, 900)):
            page.set_viewport_size({"width": width, "height": height})
            page.evaluate("wb_page.settled()")
            assert becomes(is_in_view, True) is True
        assert sizes_of(page, ".wb-thesis p")[2] == 20.0


def test_four_figures_in_the_first_view_show_areas_and_remember_each_lambda(browser, address):
    with visit(browser, f"{address}?source=Breast+cancer", SETTLED) as page:
        page.set_viewport_size({"width": 1440, "height": 900})
        page.evaluate("wb_page.settled()")

        def overhang():
            boxes = page.evaluate(BOXES)
            sizes = [round(box[side]) for side in ("width", "height") for box in boxes]
            low = max(box["bottom"] for box in boxes) > 900 or min(box["height"] for box in boxes) < 150
            return low or len(set(sizes[:4])) > 1 or len(set(sizes[4:])) > 1

        assert becomes(overhang, False) is False
        # The default problem: a third to a half of the weights are zero, and samples at the bound and inside.
        zeros = page.evaluate("wb_page.drawnState.d - wb_page.drawnState.row.nonzeros")
        assert 10 <= zeros <= 15
        assert page.evaluate("wb_page.drawnState.row.epoch") <= 100
        assert page.evaluate("wb_page.drawnState.duals.free") >= 5
        assert page.evaluate("wb_page.figures.of('sources', 'zero_weights').data.weight.length") == zeros
        # What is explained first moved something, and the bound rose.
        page.get_by_text(re.compile("the dual bound rises by [0-9]")).wait_for()
        walk(page, ("reset", None, "Paused after 0 steps"), ("epoch", None, "Paused after 1 epoch"))
        page.evaluate("wb_page.settled()")
        polygon, term = page.evaluate(LARGEST)
        assert polygon == pytest.approx(term, rel=1e-9)
        assert term > 1.0
        weights = page.get_by_role("heading", name="Weights w")
        page.get_by_role("button", name="Path of w").click()
        assert becomes(weights.is_visible, False) is False
        assert page.get_by_role("heading", name="Weights at each λ visited").is_visible()
        page.get_by_role("slider", name="λ weight of the regularizer").press("ArrowRight")
        assert becomes(lambda: page.evaluate(VISITED), [0.05, 0.063]) == [0.05, 0.063]
        page.evaluate("wb_page.settled()")
        assert len(page.evaluate("wb_page.figures.of('sources', 'path').data.lam")) == 2 * 30
        page.evaluate("wb_page.goTo(0.051)")
        assert becomes(lambda: page.evaluate("wb_page.settings.lam"), 0.05) == 0.05
        page.get_by_role("button", name="Path of w").click()
        assert becomes(weights.is_visible, True) is True


POINT = """
([name, k]) => {
  const figure = Bokeh.documents.at(-1).get_model_by_name(name);
  const view = Bokeh.index.find_one(figure);
  view.el.scrollIntoView({ block: "center" });
  const { glyph, data_source } = figure.renderers[0];
  const at = (axis) => data_source.data[glyph[axis].field][k];
  const { x, y } = view.el.getBoundingClientRect();
  return [x + view.frame.x_scale.compute(at("x")), y + view.frame.y_scale.compute(at("y"))];
}
"""
# The sample that is lit, and where the figures draw it.
LIT = "() => Bokeh.documents.at(-1).get_model_by_name('lit').data"
ALIKE = """
(sample) => {
  const { lit, duals, terms } = Bokeh.documents.at(-1).get_model_by_name("light").args;
  const row = ({ data }, name) => data[name][Array.from(data.sample).indexOf(sample)];
  return [lit.data.value[0], lit.data.share[0], row(duals, "value"), row(terms, "share")];
}
"""
# What a symbol of the sum lights in the table below it: a column's head, or a row's.
PARTS = {"loss": "f(zᵢ)", "conjugate": "k(−αᵢ)", "product": "αᵢ zᵢ", "regularizer": "the regularizer"}
LIT_HEADS = """root => [...root.getRootNode().querySelectorAll(".wb-table .lit")].map((part) => {
  const column = [...part.parentElement.children].indexOf(part) + 2; // the first one spans three
  return (part.matches("col") ? part.closest("table").rows[0].cells[column] : part.cells[0]).textContent;
})"""
# A point at the right end of the figure of the dual variables.
RIGHT_END = """
() => {
  const figure = Bokeh.documents.at(-1).get_model_by_name("duals");
  const view = Bokeh.index.find_one(figure);
  view.el.scrollIntoView({ block: "center" });
  const [around, box] = [view.el.getBoundingClientRect(), view.frame.bbox];
  return [around.x + box.left + 0.9 * box.width, around.y + box.top + 0.5 * box.height];
}
"""


def test_a_sample_is_lit_in_every_figure_and_left_out(page):
    """From a figure and from a row of the table; nothing of it is asked of the server."""
    page.get_by_role("button", name="Gap by sample").click()
    table = page.locator(".wb-scroll")
    assert not table.is_visible()
    page.get_by_text("Why is this certain?").click()
    rows = table.locator("tr[data-sample]")
    sample = int(rows.nth(1).get_attribute("data-sample"))
    assert table.locator("tr.lit").count() == 0
    for name, shown in (("terms", None), ("duals", "Sorted α")):
        if shown:
            page.get_by_role("button", name=shown).click()
            page.evaluate("wb_page.settled()")
        index = page.evaluate(
            "([name, sample]) => Array.from(Bokeh.documents.at(-1).get_model_by_name(name)"
            ".renderers[0].data_source.data.sample).indexOf(sample)",
            [name, sample],
        )
        x, y = page.evaluate(POINT, [name, index])
        page.mouse.move(x - 2, y - 2)
        page.mouse.move(x, y)
        assert becomes(lambda: page.evaluate(LIT)["sample"], [sample]) == [sample]
        alpha, share, dual, term = page.evaluate(ALIKE, sample)
        assert (alpha, share) == (dual, term)
        assert int(table.locator("tr.lit").get_attribute("data-sample")) == sample
        page.mouse.move(5, 5)
        assert becomes(lambda: page.evaluate(LIT)["sample"], []) == []
    rows.nth(0).hover()
    first = int(rows.nth(0).get_attribute("data-sample"))
    assert becomes(lambda: page.evaluate(LIT)["sample"], [first]) == [first]
    lights(page, "primal", "objective")
    # A symbol of the sum lights its numbers in the table.
    root = page.locator("wb-tex", has=page.locator("[data-curve=primal]"))
    for name, head in PARTS.items():
        mark = page.locator(f".katex-html [data-curve={name}]")
        assert becomes(lambda mark=mark: (mark.hover(), root.evaluate(LIT_HEADS))[1], [head]) == [head]
        assert page.evaluate(STANDS_OUT) == {}
    page.mouse.move(2, 2)
    assert becomes(lambda: root.evaluate(LIT_HEADS), []) == []
    root.focus()
    assert becomes(lambda: root.evaluate(LIT_HEADS), list(PARTS.values())) == list(PARTS.values())
    # At the right end of the sorted dual variables of the hinge stands a sample with alpha = 0.
    contributes = page.get_by_text("It contributes nothing to v")

    def clicked():
        """Click there; a layout that still moves takes the figure from under the pointer."""
        page.mouse.click(*page.evaluate(RIGHT_END))
        page.wait_for_timeout(500)
        return contributes.count()

    assert becomes(clicked, 1) == 1
    walk(page, ("Sample", "=0", "Sample 0, α ="))
    page.locator(".wb-table", has_text="|w − w′|").wait_for()
    walk(page, ("Sample", "=9999", "type a whole number from 0 to 454"))
    # A run leaves the fold open, and its lines follow.
    walk(page, ("reset", None, "not magnified"))
    assert table.is_visible()
    assert table.locator(".wb-sum", has_text="1.000").count() == 1
    page.get_by_text("Why is this certain?").click()
    walk(page, ("Loss", "Squared", "Click a dot of the dual variables"))


# What a column of a figure's source holds.
LINES = f"""() => {{
    {MODELS}
    const plot = models.find((each) => each.name === "plane");
    const source = plot.renderers.map((each) => each.data_source).find((each) => each?.data.dash);
    const plain = (column) => Array.from(column, (part) => Array.from(part));
    return JSON.stringify([plain(source.data.xs), plain(source.data.ys)]);
}}"""


def counts(page, number):
    line(page, f"of {number} points").wait_for()
    says(page, SETTLED)
    page.evaluate("wb_page.settled()")


def test_points_of_the_plane_are_edited_by_hand(page, address):
    plane = page.get_by_role("heading", name="The plane")
    assert plane.count() == 0
    # So high that the whole plane is in the window.
    page.set_viewport_size({"width": 1366, "height": 1000})
    choose(page, "Data", model.PLANE)
    counts(page, 50)
    assert becomes(lambda: wrong(page), {}) == {}
    goes(page, f"{address}?{urlencode(PLANE)}")
    shows(page, "squared-l2")
    counts(page, 50)
    page.mouse.click(*at(page, -2.0, 2.0))
    counts(page, 51)
    # What stood before is where the run went on.
    assert page.evaluate("wb_page.runs.shown[0].rows[0].relative_gap") < 0.5
    added = page.evaluate(LINES)
    hold(page, -2.0, 2.0)
    page.mouse.move(*at(page, -2.2, -0.5), steps=3)
    page.wait_for_function(f"(before) => ({LINES})() !== before", arg=added)  # it is still held
    page.mouse.move(*at(page, -2.0, -2.0), steps=3)
    page.mouse.up()
    page.wait_for_url(re.compile("points=p"))
    page.mouse.dblclick(*at(page, -2.0, -2.0))
    counts(page, 50)
    for count in (51, 51, 50):
        key(page, "Control+z")
        counts(page, count)
    page.wait_for_url(re.compile(r"^(?!.*points=)"))
    assert page.get_by_text("a drag between points paints a cloud").is_visible()
    page.get_by_role("switch", name="Brush").click()
    page.wait_for_url(re.compile("brush="))
    hold(page, -2.5, 2.5)
    page.mouse.move(*at(page, -1.2, 2.5), steps=12)
    page.mouse.up()
    line(page, re.compile("of 5[6-9] points")).wait_for()
    page.get_by_role("button", name="Undo").click()
    counts(page, 50)
    page.locator(".wb-hand").first.focus()
    for pressed, count in (("+", 51), ("ArrowUp", 51), ("Delete", 50), ("+", 51)):
        page.keyboard.press(pressed)
        counts(page, count)
    # Another loss is the server's news, and forgets nothing.
    choose(page, "Loss", "Logistic")
    shows(page, "read_points")
    line(page, "of 51 points").wait_for()
    choose(page, "Points to begin with", "Imbalanced")
    line(page, "of 46 points").wait_for()
    page.wait_for_url(re.compile(r"^(?!.*points=)"))
    choose(page, "Data", "Breast cancer")
    plane.wait_for(state="hidden")
    says(page, SETTLED)
    assert page.get_by_role("heading", name="Two bounds").is_visible()
    page.set_viewport_size({"width": 1280, "height": 800})


def test_hidden_controls_bad_settings_and_downloads(browser, address):
    bad = "lam=7&loss=%3Cimg+src=x+onerror=alert(1)%3E&nothing=1&eta=-1&eta=2&story=77"
    sentences = (
        "lam = '7' is refused",
        "is refused: loss takes one of",
        "'nothing' is not a setting of this page",
        "eta = '-1' is refused",
        "story = ",
    )
    with visit(browser, f"{address}?source=Breast+cancer&{bad}&hide=lam,loss,aside,nav", SETTLED) as page:
        said = page.get_by_role("alert").inner_text()
        assert [sentence for sentence in sentences if sentence not in said] == []
        assert page.evaluate("wb_page.settings.lam") == 0.05
        assert page.get_by_role("slider", name="λ weight of the regularizer").count() == 0
        assert page.get_by_role("combobox", name="Loss").count() == 0
        assert page.locator(".wb-code").count() == 0
        assert page.get_by_role("link").count() == 0
        assert page.get_by_role("combobox", name="Regularizer").count() == 1
        for kind, start in (("csv", b"curve,x,y,"), ("png", b"\x89PNG"), ("svg", b"<svg")):
            with page.expect_download() as waiting:
                page.get_by_role("button", name=f"Save Two bounds as {kind.upper()}").click()
            assert waiting.value.suggested_filename == f"objective.{kind}"
            assert start in Path(waiting.value.path()).read_bytes()[:200]


# The server answers as of data above its bound: it keeps the entries, and gives one row of them at a time.
LARGE = """async () => {
    const { host } = wb_page, ask = host.ask.bind(host), asked = [];
    host.ask = async (need, key) => {
        asked.push(need);
        const given = await ask(need, key);
        if (need !== "data") return given;
        const { offsets, indices, values, ...rest } = given;
        return { ...rest, large: true };
    };
    wb_page.press("reset");
    await wb_page.settled();
    wb_page.press("run");
    await wb_page.settled();
    return asked;
}"""


def test_nothing_travels_while_the_browser_runs_and_large_data_are_the_servers(browser, address):
    with on_the_wire(browser, f"{address}?{urlencode(LONG)}") as (page, travelled):
        runs_alone(page, travelled)
        says(page, re.compile("(Paused|Stopped) after [1-9]"))  # beside other work all epochs may be over
        goes(page, f"{address}?{urlencode(QUICK)}")
        shows(page, "breast-cancer")
        page.evaluate("wb_page.settled()")
        asked = page.evaluate(LARGE)
        assert asked.count("row") >= 1
        assert page.evaluate(ENGINE) == "server"
        page.get_by_text("Computed by the server.").wait_for()
        says(page, SETTLED)
        assert page.evaluate("wb_page.figures.of('sources', 'valley').data.dual.length") == 61


@pytest.mark.filterwarnings("ignore::PendingDeprecationWarning")
def test_of_large_data_the_browser_gets_what_pictures_take(monkeypatch):
    page = DualLabPage(DualLab(source="Breast cancer"))
    key = {"source": "Breast cancer", "signed": False, "cloud": "", "points": ""}
    whole, problem = page.data(key), page.problem(key)
    monkeypatch.setattr(model, "MAX_BYTES", 10_000)
    data = page.data(key)
    assert set(whole) - set(data) == {"offsets", "indices", "values", "free_bias", "kernel", "spectrum"}
    assert (data["large"], data["test"]) == (True, None)
    row = page.row(key | {"sample": 3})
    np.testing.assert_array_equal(row["values"], problem.rows[[3]].tocsr().data)
    with pytest.raises(InputError, match="there are 455"):
        page.row(key | {"sample": 455})
