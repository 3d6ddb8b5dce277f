"""The gauge and "Why is this certain?" in the exported Dual lab."""

import math
from pathlib import Path

import pytest
from live_file import columns, opened
from page_browser import becomes, unfold

from workbench import pages
from workbench.pages.dual_lab.model import TEXTS

pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.browser

PAGE = "dual-lab"
# The scripts of a page are its own, so the gauge is made of its files; what it shows of bounds.
SCRIPT = "\n".join(
    Path(pages.__file__).parent.joinpath(name).read_text("utf-8")
    for name in ("bundles/numerals.js", "bundles/wording.js", "painter.js", "dual_lab/gauge.js")
)
GAUGE = """([script, points, texts]) => {
    const Gauge = new Function(script + "; return Gauge")();
    const ends = { inf: Infinity, "-inf": -Infinity };
    const rows = points.map((each) => each.map((value) => ends[value] ?? value));
    const curves = rows.map(([dual, primal]) => ({ primal, dual, gap: primal - dual }));
    return new Gauge(curves, texts).shown;
}"""
INF = "inf"
# Bounds (dual, primal), the first of them at the start; places on the axis, which of its ends is open, words.
ENDS = (
    ([(0, 1), (0.2, 0.6)], [20, 60], [False, False], "is all that is not known"),
    ([(0, 1), ("-inf", 0.6)], [0, 60], [True, False], "nothing bounds the optimum from below"),
    ([(0, 1), (0.2, INF)], [20, 100], [False, True], "nothing bounds the optimum from above"),
    ([(0, 1), ("-inf", INF)], [0, 100], [True, True], "nothing is known about the optimum"),
    ([("-inf", INF)], [0, 100], [True, True], "nothing is known about the optimum"),
    ([("-inf", 9), (0, 2), (0.5, 1)], [25, 50], [False, False], "is all that is not known"),
    ([(0, 1), (-0.5, 3)], [0, 100], [True, True], "It reaches beyond the axis"),
    ([(2, 2)], [50, 50], [False, False], "is all that is not known"),
    ([(0, 0)], [50, 50], [False, False], "is all that is not known"),
)
# Where a row of a figure's source stands in the window.
PLACE = """([figure, id, x, y, row]) => {
    const { data } = Bokeh.documents.at(-1).get_model_by_id(id);
    const view = Bokeh.index.roots.find((root) => root.model.name === figure);
    const canvas = view.canvas_view.el.getBoundingClientRect();
    const { x_scale, y_scale } = view.frame;
    return [canvas.x + x_scale.compute(data[x][row]), canvas.y + y_scale.compute(data[y][row])];
}"""


def fold(page):
    page.locator("summary", has_text="Why is this certain?").click()
    page.locator("#x-certainty table").wait_for()


def test_what_has_no_end_or_lies_beyond_the_axis_is_shown_as_such(browser, file):
    with opened(browser, file, "#tolerance=0.01") as page:
        for points, axis, open_ends, words in ENDS:
            shown = page.evaluate(GAUGE, [SCRIPT, points, TEXTS])
            assert shown["axis"] == pytest.approx(axis)
            assert shown["open"] == open_ends
            assert words in shown["sentence"]
            endless = ["inf" in str(bound) for bound in points[-1]]
            assert ["∞" in shown[name] for name in ("dual", "primal")] == endless
            assert all(math.isfinite(x) for name in ("axis", "lens", "window") for x in shown[name])
        shown = page.evaluate(GAUGE, [SCRIPT, [(0, 1), (0.1234561, 0.1234568)], TEXTS])
        assert (shown["dual"], shown["primal"]) == ("−D(α) = 0.12345610", "P(w) = 0.12345680")
        assert shown["lens_label"] == "magnified 1,000,000 times"
        assert 9.0 <= shown["lens"][1] - shown["lens"][0] <= 90.0


def test_a_symbol_of_the_sum_lights_its_curve_or_its_column(browser, file):
    with opened(browser, file, "#tolerance=0.01") as page:
        page.locator("body[data-status=converged]").wait_for()
        fold(page)
        lit = page.locator("#x-certainty .wb-table .lit")
        faded = "[...Bokeh.documents.at(-1)._all_models.values()].filter(({ muted }) => muted).length"
        for name, parts, fades in (("primal", 0, True), ("conjugate", 1, False), ("regularizer", 1, False)):
            mark = page.locator(f"#x-certainty .katex-html [data-curve={name}]")
            assert becomes(lambda mark=mark: (mark.hover(), lit.count())[1], parts) == parts
            assert becomes(lambda fades=fades: (page.evaluate(faded) > 0) == fades, True) is True


def test_a_closed_fold_is_filled_when_it_opens(browser, file):
    with opened(browser, file, "#tolerance=0.01") as page:
        page.locator("body[data-status=converged]").wait_for()
        assert page.locator("#x-certainty tr").count() == 0
        fold(page)
        rows = page.locator("#x-certainty tbody tr").count()
        assert rows == 10 + 3
        # Scrubbing back, the table follows.
        before = page.locator("#x-certainty tbody").inner_text()
        page.locator("#x-frame").fill("3")
        assert becomes(lambda: page.locator("#x-certainty tbody").inner_text() != before, True)


def test_the_sum_follows_a_run(browser, file):
    with opened(browser, file, "#tolerance=0.000001&lam=0.000001") as page:
        page.locator("body[data-status=max_epochs]").wait_for()
        fold(page)
        page.evaluate(
            """() => {
                const table = document.querySelector("#x-certainty [data-html]");
                const sums = () => table.querySelector("tbody").innerText;
                window.seen = [sums()];
                new MutationObserver(() => seen.push(sums())).observe(table, { childList: true });
            }"""
        )
        # The run is over sooner than the sum is written again, unless the machine is slow.
        page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": 20})
        page.get_by_role("button", name="run", exact=True).click()
        # That of the beginning, some on the way, and that of the end.
        assert becomes(lambda: len(set(page.evaluate("seen"))) >= 3, True) is True


def test_a_sample_under_the_pointer_is_lit_in_every_figure_and_the_table(browser, file, held):
    with opened(browser, file, "#tolerance=0.01") as page:
        page.locator("body[data-status=converged]").wait_for()
        fold(page)
        unfold(page)
        drawn = columns(page, held, ["duals", "terms", "margins"])

        def lit():
            found = columns(page, held, ["lit"])["lit"]
            # These data have no place in the plane.
            assert set(found.pop("x") + found.pop("y")) <= {"NaN"}
            return found

        def expected(sample):
            place = drawn["terms"]["sample"].index(sample)
            row = {name: drawn["terms"][name][place] for name in ("dual_place", "dual", "place", "share")}
            row["margin"] = drawn["margins"]["margin"][drawn["margins"]["sample"].index(sample)]
            names = ("place", "value", "term_place", "share", "margin")
            return {"sample": [sample]} | {
                name: [value] for name, value in zip(names, row.values(), strict=True)
            }

        # From the table into the figures.
        row = page.locator("#x-certainty tr[data-sample]").nth(1)
        sample = int(row.get_attribute("data-sample"))
        row.hover()
        assert becomes(lit, expected(sample)) == expected(sample)
        page.mouse.move(5, 5)
        assert becomes(lambda: lit()["sample"], []) == []
        # From a figure into the others and the table.
        first = drawn["terms"]["sample"][0]
        page.locator("#x-figure-terms").scroll_into_view_if_needed()
        source = held["ids"]["sources"]["terms"]
        page.mouse.move(*page.evaluate(PLACE, ["terms", source, "place", "share", 0]))
        assert becomes(lit, expected(first)) == expected(first)
        marked = page.locator("#x-certainty tr.lit")
        assert marked.get_attribute("data-sample") == str(first)
