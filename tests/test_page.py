"""The Dual lab in a real Chromium, served as a user serves it."""

import re
import time

import pytest
from page_browser import becomes, choose, read_number, unfold, visit

pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.browser

PAGES = ("dual-lab",)
SETTLED = re.compile(r"Reached|Stopped|Stalled")


@pytest.fixture
def page(browser, address):
    """A fresh visit; at its end no error was logged and nothing was fetched from elsewhere."""
    with visit(browser, address, SETTLED, width=1440, height=900) as view:
        yield view


@pytest.fixture
def small(browser, address):
    """A fresh visit to a problem that is solved at once."""
    with visit(browser, f"{address}?source=Breast+cancer&lam=0.1", SETTLED, width=1440, height=900) as view:
        yield view


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


def test_first_visit_shows_a_solved_problem(page):
    wait_for_status(page, "Reached a relative gap")
    shown = statistics(page)
    primal, dual, gap = (number(shown[name]) for name in ("primal", "dual bound", "duality gap"))
    assert 0.0 <= gap <= 1e-4 * primal
    assert dual <= primal
    assert number(shown["test accuracy"]) > 90.0
    assert page.locator("canvas").count() >= 4


def test_single_steps_explain_themselves(small):
    press(small, "reset")
    wait_for_status(small, "Paused after 0 steps")
    assert statistics(small)["support"] == "0"
    for count in (1, 2, 3):
        press(small, "step")
        small.get_by_text(f"Step {count} visited sample").wait_for()
    assert 1 <= number(statistics(small)["support"]) <= 3
    assert small.locator("math").count() >= 3
    assert small.get_by_text(re.compile("dual objective −[0-9]")).count() == 1


def test_an_epoch_and_a_run_narrow_the_gap(small):
    press(small, "reset")
    wait_for_status(small, "Paused after 0 steps")
    start = number(statistics(small)["duality gap"])
    press(small, "epoch")
    wait_for_status(small, "Paused after 1 epoch")
    after_one = number(statistics(small)["duality gap"])
    press(small, "run")
    wait_for_status(small, "Reached a relative gap")
    assert number(statistics(small)["duality gap"]) < after_one < start


def test_lambda_moves_the_solution(page):
    before = statistics(page)
    slider = page.get_by_role("slider", name="λ weight of the regularizer")
    slider.focus()
    for _ in range(5):
        slider.press("ArrowRight")
    page.locator(".wb-code", has_text="lam=0.0032").wait_for()
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


def test_regularizer_loss_and_data_can_be_picked(small):
    choose(small, "Regularizer", "Squared ℓ2")
    small.locator(".wb-code", has_text="squared-l2").wait_for()
    choose(small, "Loss", "Logistic")
    small.locator(".wb-code", has_text="logistic").wait_for()
    choose(small, "Data", "Digits · even or odd")
    small.locator(".wb-code", has_text="digits").wait_for()
    wait_for_status(small, SETTLED)
    assert number(statistics(small)["test accuracy"]) > 80.0


def test_pause_holds_a_run(page):
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


def test_a_sample_is_lit_in_every_figure_and_in_the_sum_that_is_folded_away(small):
    """From a figure and from a row of the table; nothing of it is asked of the server."""
    unfold(small)
    table = small.locator(".wb-scroll")
    assert not table.is_visible()
    small.get_by_text("Why is this certain?").click()
    rows = table.locator("tr[data-sample]")
    sample = int(rows.nth(1).get_attribute("data-sample"))
    assert table.locator("tr.lit").count() == 0
    for name in ("terms", "duals"):
        index = small.evaluate(
            "([name, sample]) => Array.from(Bokeh.documents.at(-1).get_model_by_name(name)"
            ".renderers[0].data_source.data.sample).indexOf(sample)",
            [name, sample],
        )
        x, y = small.evaluate(POINT, [name, index])
        small.mouse.move(x - 2, y - 2)
        small.mouse.move(x, y)
        assert becomes(lambda: small.evaluate(LIT)["sample"], [sample]) == [sample]
        alpha, share, dual, term = small.evaluate(ALIKE, sample)
        assert (alpha, share) == (dual, term)
        assert int(table.locator("tr.lit").get_attribute("data-sample")) == sample
        small.mouse.move(5, 5)
        assert becomes(lambda: small.evaluate(LIT)["sample"], []) == []
    rows.nth(0).hover()
    first = int(rows.nth(0).get_attribute("data-sample"))
    assert becomes(lambda: small.evaluate(LIT)["sample"], [first]) == [first]
    # A run leaves the fold open, and its lines follow.
    press(small, "reset")
    wait_for_status(small, "Paused after 0 steps")
    small.get_by_text("not magnified").wait_for()
    assert table.is_visible()
    assert table.locator(".wb-sum", has_text="1.000").count() == 1


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


def test_a_sample_that_is_clicked_away_has_its_bound_and_its_refit(small):
    """At the right end of the sorted dual variables of the hinge stands a sample with alpha = 0."""
    unfold(small)
    contributes = small.get_by_text("It contributes nothing to v")

    def clicked():
        """Click there; a layout that still moves takes the figure from under the pointer."""
        small.mouse.click(*small.evaluate(RIGHT_END))
        small.wait_for_timeout(500)
        return contributes.count()

    assert becomes(clicked, 1) == 1
    small.get_by_label("Sample").fill("0")
    small.get_by_label("Sample").press("Enter")
    small.locator(".wb-note", has_text="Sample 0, α =").wait_for()
    small.locator(".wb-table", has_text="|w − w′|").wait_for()
    choose(small, "Loss", "Squared")
    small.get_by_text("figure of the dual variables, under “more figures”").wait_for()


def test_a_refused_choice_keeps_the_old_state(small):
    small.get_by_role("button", name="bounded", exact=True).click()
    small.locator(".wb-code", has_text="bounded").wait_for()
    wait_for_status(small, SETTLED)
    before = statistics(small)
    choose(small, "Regularizer", "Entropy")
    wait_for_status(small, "needs a bound of the curvature")
    assert statistics(small) == before
    small.get_by_role("button", name="exact", exact=True).click()
    small.locator(".wb-code", has_text="entropy").wait_for()
    wait_for_status(small, SETTLED)


def test_two_visitors_do_not_share_a_state(small, browser, address):
    other = browser.new_page()
    other.goto(f"{address}?source=Breast+cancer&lam=0.1")
    wait_for_status(other, SETTLED)
    press(small, "reset")
    wait_for_status(small, "Paused after 0 steps")
    assert SETTLED.search(status(other))
    other.close()
