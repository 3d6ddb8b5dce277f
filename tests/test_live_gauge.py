"""The gauge and "Why is this certain?" in the exported Dual lab: drawn as Python draws them."""

import html
import re

import numpy as np
import pytest
from amounts import few
from live_file import address, columns, opened, press
from page_browser import becomes

from workbench.pages.dual_lab import breakdown, gauge
from workbench.pages.dual_lab import model as dual_lab
from workbench.pages.dual_lab.snapshot import snapshot

pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.browser

PAGE = "dual-lab"
SETTINGS = {
    "margin": {"loss": "Hinge", "regularizer": "Elastic net", "epsilon": 0.1, "lam": 0.001},
    "signed": {"loss": "Logistic", "regularizer": "Entropy", "mu": 0.1, "lam": 0.01},
    "residual": {"loss": "Huber", "regularizer": "q-norm", "q": 1.5, "lam": 0.01},
}
# What the gauge shows: texts, places in percent, ends that are out of sight.
READ = """() => {
    const root = document.querySelector("#x-certainty"), percent = (text) => Number(text.replace("%", ""));
    const track = (name) => {
        const [fog, , primal] = root.querySelector(`[data-track=${name}]`).children;
        return [percent(fog.style.left), percent(primal.style.left)];
    };
    return {
        texts: Object.fromEntries(Array.from(root.querySelectorAll("[data-text]"), (each) => (
            [each.dataset.text, each.textContent]))),
        axis: track("axis"), lens: track("lens"),
        window: root.querySelector("polygon").getAttribute("points").split(",")[0],
        open: Array.from(root.querySelectorAll("[data-track=axis] .end"), ({ hidden }) => hidden),
    };
}"""
# Where a row of a figure's source stands in the window.
PLACE = """([figure, id, x, y, row]) => {
    const { data } = Bokeh.documents.at(-1).get_model_by_id(id);
    const view = Bokeh.index.roots.find((root) => root.model.name === figure);
    const canvas = view.canvas_view.el.getBoundingClientRect();
    const { x_scale, y_scale } = view.frame;
    return [canvas.x + x_scale.compute(data[x][row]), canvas.y + y_scale.compute(data[y][row])];
}"""


def texts_of(table):
    """The words of a piece of HTML, without the sentence on rounding, which is each machine's own."""
    cells = re.split(r"<[^>]*>", re.sub(r"<wb-tex.*?</wb-tex>", "", table))
    return [html.unescape(cell) for cell in cells if cell.strip() and "differs from it by" not in cell]


def fold(page):
    page.locator("summary", has_text="Why is this certain?").click()
    page.locator("#x-certainty table").wait_for()


@pytest.mark.parametrize("name", few(SETTINGS, 1))
def test_the_gauge_and_the_sum_are_those_of_python(name, browser, file):
    settings = SETTINGS[name]
    lab = dual_lab.build(dual_lab.DualLab(source="Breast cancer", **settings).settings())
    run = lab.run
    with opened(browser, file, address(settings)) as page:
        page.locator("body[data-status=converged]").wait_for()
        press(page, "reset", 0)
        fold(page)
        table = page.locator("#x-certainty [data-html]")
        for button, moved in ((None, 0), ("step", 1), ("epoch", run.epoch_steps), ("epoch", run.epoch_steps)):
            if button:
                run.step(moved)
                run.record()
                press(page, button, run.steps)
            frame = snapshot(lab)
            expected, found = gauge.shown(gauge.measure(frame["curves"])), page.evaluate(READ)
            for track in ("axis", "lens"):
                np.testing.assert_allclose(found[track], expected[track], rtol=0.0, atol=1e-3)
            assert float(found["window"]) == pytest.approx(expected["window"][0], abs=1e-9)
            assert found["open"] == expected["open"]
            assert found["texts"] == {part: expected[part] for part in found["texts"]}
            wanted = texts_of(breakdown.table(frame["breakdown"]))
            assert becomes(lambda: texts_of(table.inner_html()), wanted) == wanted
            assert "differs from it by" in table.inner_text()
        assert page.locator("#x-certainty wb-tex").count() == 1


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
        assert rows == breakdown.LARGEST + 3
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
        drawn = columns(page, held, ["duals", "terms"])

        def lit():
            found = columns(page, held, ["lit"])["lit"]
            # These data have no place in the plane.
            assert set(found.pop("x") + found.pop("y")) <= {"NaN"}
            return found

        def expected(sample):
            place = drawn["terms"]["sample"].index(sample)
            row = {name: drawn["terms"][name][place] for name in ("dual_place", "dual", "place", "share")}
            names = ("place", "value", "term_place", "share")
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
