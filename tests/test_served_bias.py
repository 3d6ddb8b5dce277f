"""The served page on biases that the browser solves: its numbers are Python's, where it goes back as well."""

import html
import re
from urllib.parse import urlencode

import numpy as np
import pytest
from amounts import few
from live_file import agree, columns
from page_browser import becomes, choose, line, says, shows, unfold, visit
from served_run import (
    ENGINE,
    GHOST,
    MARK,
    SETTLED,
    back_and_on,
    bar,
    begin,
    goes_on_alone,
    ids,
    in_a_run,
    key,
    on_the_wire,
    pauses,
    places,
    played_by,
    press,
    stands,
)

from workbench.pages import theme
from workbench.pages.bias import model as bias
from workbench.pages.bias.captions import ending, statistics, steps
from workbench.pages.bias.figures import BiasFigures
from workbench.pages.numerals import numerals
from workbench.pages.ranges import thinned

pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.browser

PAGES = ("bias",)
SAME = 1e-10
# So many epochs that a browser is busy for seconds.
LONG = {"source": "Digits · even or odd", "lam": 1e-6, "tolerance": 1e-6, "scale": 0.01}
SETTINGS = {
    "both": {"loss": "Hinge", "lam": 0.01, "tolerance": 0.001},
    "gradient": {
        "loss": "Logistic", "regularizer": "Elastic net", "lam": 0.1, "update": "gradient", "rate": 0.001,
        "eta": 0.3, "mu": 3.0, "tolerance": 0.01,
    },
    "one": {
        "loss": "Smoothed hinge", "regularizer": "q-norm", "q": 2.0, "lam": 0.1, "update": "bounded",
        "passes": 2, "algorithms": bias.SMALL, "tolerance": 0.001,
    },
    "divergence": {"loss": "Hinge", "lam": 0.01, "eta": 10.0},
}  # fmt: skip


def drawn(page, *sources):
    return columns(page, ids(page), sources or ids(page)["ids"]["sources"])


def words(text):
    """What is between the tags."""
    parts = re.sub(r"<[^>]*>", "|", text).split("|")
    return [numerals(html.unescape(part)).strip() for part in parts if part]


def solved(page):
    """Press run, and wait until the server has certified what the browser says of it."""
    press(page, "run")
    says(page, SETTLED)


def check_the_page(page, lab, tolerance):
    """What is drawn, what is said and what stands on the cards are Python's of the same lab."""
    frame, figures = bias.snapshot(lab), BiasFigures(theme.LIGHT)
    sentences = figures.show(frame)
    said = numerals(" ".join(ending(each, tolerance) for each in lab.pair))
    says(page, said)
    shown = drawn(page)
    for (algorithm, source), expected in figures.sources.items():
        place = f"{bias.PARTS[algorithm]}_{source}"
        for column, values in expected.data.items():
            agree(shown[place][column], values, f"{place}.{column}")
    for text in sentences.values():
        assert becomes(lambda t=text: line(page, numerals(t)).count(), 1) == 1
    numbers = page.locator(".wb-stats").inner_text()
    assert all(text in numbers for text in words(statistics(frame)))
    note = page.locator(".wb-note").first
    for text in words(steps(lab, frame)):
        assert becomes(lambda t=text: t in note.inner_text(), True)


@pytest.mark.parametrize("name", few(SETTINGS, 1))
def test_the_browser_solves_and_what_it_draws_is_pythons(name, browser, address):
    settings = SETTINGS[name]
    model = bias.BiasLab(source="Breast cancer", **settings)
    lab = bias.build(model.settings())
    with visit(browser, f"{address}?{urlencode(settings)}", SETTLED) as page:
        unfold(page)
        begin(page)
        for button, count in (("step", 1), ("epoch", None), ("epoch", None)):
            for each in lab.pair:
                each.run.step(each.run.epoch_steps if count is None else count)
                each.run.record()
            press(page, button)
            says(page, re.compile(f"after {'1 step:' if count else f'{lab.run.epochs:.4g} epochs: paused'}"))
        check_the_page(page, lab, model.tolerance)
        assert page.evaluate(ENGINE) == "browser"
        begin(page)
        lab = bias.build(model.settings())
        while not bias.play(lab, 1.0, model.tolerance):
            pass
        solved(page)
        check_the_page(page, lab, model.tolerance)
        shown = drawn(page)
    for each in lab.pair:
        found, rows = shown[f"{bias.PARTS[each.algorithm]}_curves"], each.run.rows
        rows = [rows[k] for k in thinned(len(rows))]
        for column, source in (("certified", "gap"), ("fixed", "fixed"), ("multiplier", "multiplier")):
            size = max(each.run.problem.zero_value, *(abs(row[source]) for row in rows))
            apart = np.array(found[column], dtype=float) - [row[source] for row in rows]
            assert np.abs(apart).max() <= SAME * size, column


def test_nothing_travels_while_the_browser_runs(browser, address):
    with on_the_wire(browser, f"{address}?{urlencode(LONG)}") as (page, travelled):
        says(page, re.compile(f"Running|{SETTLED.pattern}"))

        def last_epoch():
            return drawn(page, "small_curves")["small_curves"]["time"][-1]

        in_a_run(page, lambda: goes_on_alone(page, travelled, last_epoch) and pauses(page))
        # The server has certified both, wherever they stand.
        page.locator(".wb-note", has_text="Algorithm 3: s =").wait_for()
        assert page.evaluate(ENGINE) == "browser"


def test_a_run_goes_back_and_on_and_slowly(browser, address):
    settings = {"lam": 0.01, "tolerance": 1e-4}
    with visit(browser, f"{address}?{urlencode(settings)}", SETTLED) as page:
        unfold(page)
        begin(page)
        solved(page)
        whole = bias.build(bias.BiasLab(**settings).settings())
        while not bias.play(whole, 1.0, 1e-4):
            pass
        last, said = places(page), page.locator(".wb-status").inner_text()
        assert last == max(len(each.run.rows) for each in whole.pair) - 1
        bar(page).fill("12")
        stands(page, f"epoch 12 of {last}")
        for each in whole.pair:
            each.run.seek(12)
        check_the_page(page, whole, 1e-4)
        assert page.evaluate(MARK, "multiplier") == 12.0
        assert drawn(page, "small_here")["small_here"]["multiplier"] == [
            drawn(page, "small_curves")["small_curves"]["multiplier"][12]
        ]
        back_and_on(page, 12, last)
        for each in whole.pair:
            each.run.seek(13)
        check_the_page(page, whole, 1e-4)
        press(page, "run")
        says(page, said)
        stands(page, f"epoch {last} of {last}")
        assert becomes(lambda: page.evaluate(MARK, "multiplier"), None) is None
        assert drawn(page, "small_here")["small_here"]["multiplier"] == []
        page.get_by_role("combobox", name="Speed").select_option("slow")
        bar(page).fill("3")
        stands(page, f"epoch 3 of {last}")
        press(page, "run")
        stands(page, f"epoch 5 of {last}")
        press(page, "pause")
        says(page, re.compile("after [5-9] epochs: paused.*after [5-9] epochs: paused"))
        key(page, "ArrowRight")
        stands(page, f"epoch [6-9] of {last}")


def test_the_curve_before_stays_as_a_ghost(browser, address):
    with visit(browser, address, SETTLED) as page:
        unfold(page)
        begin(page)
        solved(page)
        # The server has heard of the run, which it certifies.
        page.locator(".wb-note", has_text="its last step").wait_for()
        page.wait_for_timeout(1000)
        before = drawn(page, "small_curves")["small_curves"]["certified"]
        page.get_by_role("slider", name="η step of s").press("ArrowRight")
        assert becomes(lambda: len(page.evaluate(GHOST, "small")[1]), len(before)) == len(before)
        assert page.evaluate(GHOST, "small")[1] == pytest.approx(before, rel=1e-6)
        page.locator(".wb-key", has_text="before").first.wait_for()
        says(page, SETTLED)


def test_a_run_of_the_server_goes_on_in_the_browser(browser, address):
    """Its steps are done again there; its curve, its steps of s and an end that it has had stay."""
    settings = {"eta": 3.0, "tolerance": 1e-4}
    lab = bias.build(bias.BiasLab(**settings).settings())
    while not bias.play(lab, 1.0, 1e-4):
        pass
    full, small = lab.pair
    with visit(browser, f"{address}?{urlencode(settings)}", SETTLED) as page:
        says(page, "lower eta = 3")
        before = drawn(page, "full_curves")["full_curves"]

        def stepped():
            press(page, "epoch")
            page.wait_for_timeout(500)
            return page.evaluate(ENGINE)

        assert becomes(stepped, "browser") == "browser"
        after = drawn(page, "full_curves", "small_curves")
        assert after["full_curves"]["time"][: len(before["time"])] == before["time"]
        agree(after["full_curves"]["certified"][: len(before["time"])], before["certified"], "certified")
        for each in (full, small):
            found = after[f"{bias.PARTS[each.algorithm]}_curves"]
            while len(each.run.rows) < len(found["time"]):
                each.run.epoch()
                each.run.record()
            assert found["outer"] == [row["outer"] for row in each.run.rows]
            assert abs(found["certified"][-1] - each.run.last.gap) <= SAME * each.run.problem.zero_value


def test_weights_that_sum_to_zero_are_the_servers(browser, address):
    with visit(browser, f"{address}?lam=0.1&loss=Smoothed+hinge", SETTLED) as page:
        begin(page)
        choose(page, "Source of the constraint", bias.SUM)
        played_by(page, "server")
        says(page, SETTLED)
        choose(page, "Source of the constraint", bias.BIAS)
        played_by(page, "browser")
        says(page, SETTLED)
        shows(page, "bias=True")


def test_a_refusal_stands_and_the_browser_goes_on_after_it(browser, address):
    with visit(browser, f"{address}?lam=0.1&regularizer=q-norm&q=3", SETTLED) as page:
        begin(page)
        for _ in range(2):
            page.get_by_role("button", name="bounded", exact=True).click()
            says(page, "needs a bound of the curvature")
            page.get_by_role("button", name="exact", exact=True).click()
            says(page, SETTLED)
        assert page.evaluate(ENGINE) == "browser"


def test_one_algorithm_leaves_the_figures_of_the_other_empty(browser, address):
    with visit(browser, f"{address}?lam=0.1&loss=Smoothed+hinge", SETTLED) as page:
        unfold(page)
        begin(page)
        page.get_by_role("button", name=bias.FULL, exact=True).click()
        line(page, "Algorithm 3 is not running").wait_for()
        says(page, SETTLED)
        assert drawn(page, "small_curves")["small_curves"]["time"] == []
        page.get_by_role("button", name="both", exact=True).click()
        says(page, re.compile("Algorithm 2 after.*Algorithm 3 after"))
        assert page.evaluate(ENGINE) == "browser"


def test_a_browser_without_webassembly_is_served(browser, address):
    context = browser.new_context()
    context.add_init_script("delete window.WebAssembly")
    page = context.new_page()
    page.goto(f"{address}?lam=0.1&loss=Smoothed+hinge")
    says(page, SETTLED)
    page.get_by_role("slider", name="λ weight").press("ArrowLeft")
    page.wait_for_url(re.compile("lam=0.0"))
    says(page, SETTLED)
    assert page.evaluate(ENGINE) is None
    context.close()
