"""The Dual lab in a real Chromium, served as a user serves it."""

import re
import time

import pytest
from page_browser import becomes, begins_anew, choose, read_number, unfold, visit

pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.browser

PAGES = ("dual-lab",)
SETTLED = re.compile(r"Reached|Stopped|Stalled")


@pytest.fixture(scope="module")
def opened(browser, address):
    """One visit for all tests, to a problem that is solved at once; its address and its code."""
    small = f"{address}?source=Breast+cancer&lam=0.1"
    with visit(browser, small, SETTLED, width=1440, height=900) as view:
        yield view, small, code(view)


@pytest.fixture
def page(opened):
    """The page as that visit begins."""
    begins_anew(*opened, SETTLED)
    return opened[0]


def status(page):
    return page.locator(".wb-status").inner_text()


def wait_for_status(page, pattern):
    page.locator(".wb-status", has_text=pattern).wait_for()


def statistics(page):
    """The numbers of the cards, by name."""
    names = [re.split(r"\n", text)[0] for text in page.locator(".wb-stat").all_inner_texts()]
    return dict(zip(names, page.locator(".wb-stat b").all_inner_texts(), strict=True))


def number(text):
    return read_number(text.replace("%", ""))


def press(page, name):
    page.get_by_role("button", name=name, exact=True).click()


def code(page):
    return page.locator(".wb-code").inner_text()


def test_a_first_visit_is_solved_and_pause_holds_a_run(browser, address):
    with visit(browser, address, "Reached a relative gap", width=1440, height=900) as page:
        shown = statistics(page)
        primal, dual, gap = (number(shown[name]) for name in ("primal", "dual bound", "duality gap"))
        assert 0.0 <= gap <= 1e-4 * primal
        assert dual <= primal
        assert number(shown["test accuracy"]) > 90.0
        assert page.locator("canvas").count() >= 4
        choose(page, "Data", "Zhang's artificial data")
        page.get_by_role("button", name="gradient", exact=True).click()
        page.locator(".wb-code", has_text="gradient").wait_for()
        # Else the run could end before it is paused.
        page.get_by_role("combobox", name="Speed").select_option("slow")
        press(page, "reset")
        # Else what was said before would be taken for what is said of this run.
        wait_for_status(page, "Paused after 0 steps")
        press(page, "run")
        wait_for_status(page, "Running")
        press(page, "pause")
        wait_for_status(page, "Paused after")
        held = status(page)
        time.sleep(1.0)
        assert status(page) == held


def test_single_steps_explain_themselves(page):
    press(page, "reset")
    wait_for_status(page, "Paused after 0 steps")
    assert statistics(page)["support"] == "0"
    for count in (1, 2, 3):
        press(page, "step")
        page.get_by_text(f"Step {count} visited sample").wait_for()
    assert 1 <= number(statistics(page)["support"]) <= 3
    assert page.locator("math").count() >= 3
    assert page.get_by_text(re.compile("dual objective −[0-9]")).count() == 1


def test_an_epoch_and_a_run_narrow_the_gap(page):
    press(page, "reset")
    wait_for_status(page, "Paused after 0 steps")
    start = number(statistics(page)["duality gap"])
    press(page, "epoch")
    wait_for_status(page, "Paused after 1 epoch")
    after_one = number(statistics(page)["duality gap"])
    press(page, "run")
    wait_for_status(page, "Reached a relative gap")
    assert number(statistics(page)["duality gap"]) < after_one < start


def test_lambda_moves_the_solution(page):
    before = statistics(page)
    slider = page.get_by_role("slider", name="λ weight of the regularizer")
    slider.focus()
    for _ in range(5):
        slider.press("ArrowRight")
    page.locator(".wb-code", has_text="lam=0.32").wait_for()
    wait_for_status(page, "Reached a relative gap")
    # A larger lambda can only raise the minimum.
    assert becomes(lambda: number(statistics(page)["primal"]) > number(before["primal"]), True)


def test_epsilon_thins_the_weights(page):
    before = number(statistics(page)["non-zeros"])
    slider = page.get_by_role("slider", name="ε sparsity")
    slider.focus()
    for _ in range(20):
        slider.press("ArrowRight")
    page.locator(".wb-code", has_text="epsilon=0.3").wait_for()
    wait_for_status(page, "Reached a relative gap")
    assert becomes(lambda: number(statistics(page)["non-zeros"]) < before, True)


def test_regularizer_loss_and_data_can_be_picked(page):
    choose(page, "Regularizer", "Squared ℓ2")
    page.locator(".wb-code", has_text="squared-l2").wait_for()
    choose(page, "Loss", "Logistic")
    page.locator(".wb-code", has_text="logistic").wait_for()
    choose(page, "Data", "Digits · even or odd")
    page.locator(".wb-code", has_text="digits").wait_for()
    wait_for_status(page, SETTLED)
    assert number(statistics(page)["test accuracy"]) > 80.0


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


def test_a_sample_is_lit_in_every_figure_and_in_the_sum_that_is_folded_away(page):
    """From a figure and from a row of the table; nothing of it is asked of the server."""
    unfold(page)
    table = page.locator(".wb-scroll")
    assert not table.is_visible()
    page.get_by_text("Why is this certain?").click()
    rows = table.locator("tr[data-sample]")
    sample = int(rows.nth(1).get_attribute("data-sample"))
    assert table.locator("tr.lit").count() == 0
    for name in ("terms", "duals"):
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
    # A run leaves the fold open, and its lines follow.
    press(page, "reset")
    wait_for_status(page, "Paused after 0 steps")
    page.get_by_text("not magnified").wait_for()
    assert table.is_visible()
    assert table.locator(".wb-sum", has_text="1.000").count() == 1
    page.get_by_text("Why is this certain?").click()


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


def test_a_sample_that_is_clicked_away_has_its_bound_and_its_refit(page):
    """At the right end of the sorted dual variables of the hinge stands a sample with alpha = 0."""
    unfold(page)
    contributes = page.get_by_text("It contributes nothing to v")

    def clicked():
        """Click there; a layout that still moves takes the figure from under the pointer."""
        page.mouse.click(*page.evaluate(RIGHT_END))
        page.wait_for_timeout(500)
        return contributes.count()

    assert becomes(clicked, 1) == 1
    page.get_by_label("Sample").fill("0")
    page.get_by_label("Sample").press("Enter")
    page.locator(".wb-note", has_text="Sample 0, α =").wait_for()
    page.locator(".wb-table", has_text="|w − w′|").wait_for()
    choose(page, "Loss", "Squared")
    page.get_by_text("figure of the dual variables, under “more figures”").wait_for()


def test_a_refused_choice_keeps_the_old_state(page):
    page.get_by_role("button", name="bounded", exact=True).click()
    page.locator(".wb-code", has_text="bounded").wait_for()
    wait_for_status(page, SETTLED)
    before = statistics(page)
    choose(page, "Regularizer", "Entropy")
    wait_for_status(page, "needs a bound of the curvature")
    assert statistics(page) == before
    page.get_by_role("button", name="exact", exact=True).click()
    page.locator(".wb-code", has_text="entropy").wait_for()
    wait_for_status(page, SETTLED)


def test_two_visitors_do_not_share_a_state(page, browser, address):
    other = browser.new_page()
    other.goto(f"{address}?source=Breast+cancer&lam=0.1")
    wait_for_status(other, SETTLED)
    press(page, "reset")
    wait_for_status(page, "Paused after 0 steps")
    assert SETTLED.search(status(other))
    other.close()
