"""The Dual lab, the shell of all pages and Home in a real Chromium, served as a user serves them."""

import re
import time
from pathlib import Path
from urllib.parse import urlencode

import pytest
from page_browser import becomes, choose, read_number, says, shows, unfold, visit
from page_checks import wrong

from workbench.pages import theme
from workbench.pages.parts import numbers

sync_api = pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.browser

PAGES = ("dual-lab", "home")
SETTLED = re.compile(r"Reached|Stopped|Stalled")
# Small data, so that a visit is about the page.
QUICK = {"source": "Breast cancer", "lam": 0.1}


def wait_for_address(page, pattern):
    page.wait_for_function(f"() => /{pattern}/.test(location.search)")


def press(page, name):
    page.get_by_role("button", name=name, exact=True).click()


def test_home_moves_scrolls_and_leads_to_every_page(browser, address):
    moving = "path => getComputedStyle(path).animationName"
    with visit(browser, address.rsplit("/", 1)[0] + "/") as page:
        page.wait_for_url("**/home")
        page.wait_for_function("document.body.classList.contains('wb-stands')")
        # The keys of the browser scroll a page that was just opened.
        page.keyboard.press("End")
        assert becomes(lambda: page.locator(".main-content").evaluate("(e) => e.scrollTop") > 0, True)
        page.keyboard.press("Home")
        # Pictures move under the pointer unless motion is unwelcome.
        picture = page.locator("svg[role=img] path").first
        picture.wait_for()
        assert becomes(lambda: picture.evaluate(moving), "draw") == "draw"
        page.locator("svg[role=img]").first.hover()
        assert becomes(lambda: picture.evaluate(moving), "redraw") == "redraw"
        page.emulate_media(reduced_motion="reduce")
        assert becomes(lambda: picture.evaluate(moving), "none") == "none"
        card = page.locator("a h2", has_text="Dual lab")
        card.wait_for()
        # Its picture is drawn from a run of the page's own.
        page.locator("svg[aria-label='Curves of the page Dual lab'] path").nth(1).wait_for(state="attached")
        assert page.get_by_role("link", name="Lesson 5. Gauss-Seidel").count() == 1
        card.click()
        says(page, SETTLED)
        assert page.title() == "Dual lab · Duality Workbench"
        page.get_by_role("navigation").get_by_role("link", name="Home").click()
        page.locator("h1", has_text="Duality Workbench").wait_for()


def test_the_address_restores_the_exact_state(page, browser):
    choose(page, "Loss", "Logistic")
    page.get_by_role("slider", name="t scale of the step").focus()
    page.keyboard.press("ArrowLeft")
    wait_for_address(page, "scale=0.79")
    wait_for_address(page, "loss=Logistic")
    says(page, SETTLED)
    with visit(browser, page.url, SETTLED) as fresh:
        for part in (".wb-code", ".wb-stat"):
            # The status before the last change says the same words, so the page may still be at it.
            shown = fresh.locator(part).all_inner_texts()
            assert becomes(page.locator(part).all_inner_texts, shown) == shown
        assert fresh.url == page.url


def test_a_bad_address_is_refused_visibly(browser, address):
    query = "lam=7&loss=%3Cimg+src=x+onerror=alert(1)%3E&nothing=1&eta=-1&eta=2"
    sentences = (
        "lam = '7' is refused",
        "is refused: loss takes one of",
        "'nothing' is not a setting of this page",
        "eta = '-1' is refused",
    )
    with visit(browser, f"{address}?source=Breast+cancer&{query}", SETTLED) as page:
        said = page.get_by_role("alert").inner_text()
        assert [sentence for sentence in sentences if sentence not in said] == []
        assert "lam=0.001" in page.locator(".wb-code").inner_text()


def test_the_keyboard_runs_a_demonstration(page):
    page.keyboard.press("r")
    says(page, "Paused after 0 steps")
    for said in ("1 step", "2 steps"):
        page.keyboard.press("ArrowRight")
        says(page, f"Paused after {said}")
    page.keyboard.press(" ")
    says(page, SETTLED)
    # A key that belongs to a control stays with it.
    page.get_by_role("slider", name="λ weight of the regularizer").focus()
    page.keyboard.press("ArrowRight")
    wait_for_address(page, "lam=0.13")
    says(page, SETTLED)


def test_a_second_configuration_and_its_removal(page):
    assert page.locator(".wb-stat .b").count() == 0
    page.get_by_role("switch", name="Compare").click()
    page.locator(".wb-stat .b").first.wait_for()
    says(page, SETTLED)
    assert page.locator(".wb-stat .b").count() == 6
    assert re.search(r"A: .* B: ", page.locator(".wb-line").first.inner_text())
    # A legend has B where a curve of B is drawn.
    assert [text for text in page.locator(".wb-key").all_inner_texts() if "B" in text.split()] != []
    assert becomes(lambda: wrong(page).get("legends"), None) is None
    # B begins as A is, whatever the model's own default.
    assert "b_lam=0.1" in page.url
    page.get_by_role("slider", name="B: t").focus()
    page.keyboard.press("ArrowRight")
    wait_for_address(page, "b_scale=1.3")
    page.get_by_role("switch", name="Compare").click()
    page.locator(".wb-stat .b").first.wait_for(state="detached")
    assert becomes(lambda: wrong(page).get("legends"), None) is None


def test_predict_then_reveal(page):
    choose(page, "Question", "No sparsity")
    page.get_by_text("how many weights are not zero?").wait_for()
    press(page, "more")
    page.get_by_text(re.compile("You were right: .* non-zero weights before")).wait_for()
    press(page, "fewer")
    page.get_by_text(re.compile("You said .fewer.: more, ")).wait_for()


def test_presets_load(page):
    for preset, part in (
        ("Multiplicative: an entropy", "entropy:mu"),
        ("Sparsity from a kink: ε = 0.5", "epsilon=0.5"),
    ):
        choose(page, "Preset", preset)
        shows(page, part)
    choose(page, "Preset", "Too long a step diverges")
    says(page, "Diverged")


def test_text_fields_refuse_in_sentences(page):
    field = page.get_by_role("textbox", name="Seed")
    before = page.locator(".wb-code").inner_text()
    for text in ("-5", "1e9", "abc", "9" * 5000):
        field.fill(text)
        field.press("Enter")
        says(page, "is refused; choose a value from 0 to 9999")
        sync_api.expect(field).to_have_value("0")
    shown = page.locator(".wb-code").inner_text()
    assert shown == before
    field.fill("7")
    field.press("Enter")
    shows(page, "seed=7")


def test_downloads(page):
    for kind, start in (("csv", b"curve,x,y,"), ("png", b"\x89PNG"), ("svg", b"<svg")):
        with page.expect_download() as waiting:
            page.get_by_role("button", name=f"Save Primal and dual as {kind.upper()}").click()
        assert waiting.value.suggested_filename == f"objective.{kind}"
        assert start in Path(waiting.value.path()).read_bytes()[:200]


def test_teacher_switches_hide_controls_and_the_looks_are_switches(browser, address):
    with visit(browser, f"{address}?{urlencode(QUICK)}&hide=lam,loss,aside,nav", SETTLED) as page:
        assert page.get_by_role("slider", name="λ weight of the regularizer").count() == 0
        assert page.get_by_role("combobox", name="Loss").count() == 0
        assert page.locator(".wb-code").count() == 0
        assert page.get_by_role("link").count() == 0
        assert page.get_by_role("combobox", name="Regularizer").count() == 1
        press(page, "Dark")
        page.wait_for_url("**theme=dark**")
        says(page, SETTLED)
        assert "source=Breast" in page.url
        press(page, "Projector")
        page.wait_for_url("**projector=on**")
        page.locator("#wb-wall .half select").first.wait_for()
        page.evaluate("() => wb_page.settled()")
        assert page.locator("#wb-wall").count() == 1


# The numbers of pages as they are at 1280 pixels, where each card has 101.
LONG = [
    ("certified gap", "5.27e-10", "≤ 3·10⁻⁹ %"),
    ("multiplier s", "-0.18509", "✓ ≤ 0.009 %"),
    ("t̂ − b̂", "4.48e-04", "3 lie between"),
    ("steps", "131,072", "0.0906 passes"),
    ("before the solve", "0", ""),
    ("gap G(a)", "2.57e-04", "rel. 7·10⁻⁶"),
]
OVER = """() => [...document.querySelectorAll(".wb-stat")].flatMap((card) => {
  const { right } = card.getBoundingClientRect(), range = document.createRange();
  const inner = right - parseFloat(getComputedStyle(card).paddingRight);
  return [...card.children].filter((part) => {
    range.selectNodeContents(part);
    return range.getBoundingClientRect().right > inner;
  }).map((part) => part.textContent);
})"""


def test_long_numbers_stay_within_their_cards(browser):
    cards = numbers(LONG)
    view = browser.new_page()
    view.set_content(f"<style>{theme.LIGHT.css}</style><div style='width: 644px'>{cards}</div>")
    assert view.evaluate(OVER) == []
    tops = view.evaluate("[...document.querySelectorAll('.wb-stat')].map((card) => card.offsetTop)")
    assert len(set(tops)) == 1
    view.close()


def statistics(page):
    """The numbers of the cards, by name."""
    names = [re.split(r"\n", text)[0] for text in page.locator(".wb-stat").all_inner_texts()]
    return dict(zip(names, page.locator(".wb-stat b").all_inner_texts(), strict=True))


def number(text):
    return read_number(text.replace("%", ""))


def test_a_first_visit_is_solved_and_pause_holds_a_run(browser, address):
    with visit(browser, address, "Reached a relative gap") as page:
        shown = statistics(page)
        primal, dual, gap = (number(shown[name]) for name in ("primal", "dual bound", "duality gap"))
        assert 0.0 <= gap <= 1e-4 * primal
        assert dual <= primal
        assert number(shown["test accuracy"]) > 90.0
        assert page.locator("canvas").count() >= 4
        choose(page, "Data", "Zhang's artificial data")
        page.get_by_role("button", name="gradient", exact=True).click()
        shows(page, "gradient")
        # Else the run could end before it is paused.
        page.get_by_role("combobox", name="Speed").select_option("slow")
        press(page, "reset")
        # Else what was said before would be taken for what is said of this run.
        says(page, "Paused after 0 steps")
        press(page, "run")
        says(page, "Running")
        press(page, "pause")
        says(page, "Paused after")
        status = page.locator(".wb-status").inner_text
        held = status()
        time.sleep(1.0)
        assert status() == held


def test_single_steps_explain_themselves(page):
    press(page, "reset")
    says(page, "Paused after 0 steps")
    assert statistics(page)["support"] == "0"
    for count in (1, 2, 3):
        press(page, "step")
        page.get_by_text(f"Step {count} visited sample").wait_for()
    assert 1 <= number(statistics(page)["support"]) <= 3
    assert page.locator("math").count() >= 3
    assert page.get_by_text(re.compile("dual objective −[0-9]")).count() == 1


def test_an_epoch_and_a_run_narrow_the_gap(page):
    press(page, "reset")
    says(page, "Paused after 0 steps")
    start = number(statistics(page)["duality gap"])
    press(page, "epoch")
    says(page, "Paused after 1 epoch")
    after_one = number(statistics(page)["duality gap"])
    press(page, "run")
    says(page, "Reached a relative gap")
    assert number(statistics(page)["duality gap"]) < after_one < start


def test_lambda_moves_the_solution(page):
    before = statistics(page)
    slider = page.get_by_role("slider", name="λ weight of the regularizer")
    slider.focus()
    for _ in range(5):
        slider.press("ArrowRight")
    shows(page, "lam=0.32")
    says(page, "Reached a relative gap")
    # A larger lambda can only raise the minimum.
    assert becomes(lambda: number(statistics(page)["primal"]) > number(before["primal"]), True)


def test_epsilon_thins_the_weights(page):
    before = number(statistics(page)["non-zeros"])
    slider = page.get_by_role("slider", name="ε sparsity")
    slider.focus()
    for _ in range(20):
        slider.press("ArrowRight")
    shows(page, "epsilon=0.3")
    says(page, "Reached a relative gap")
    assert becomes(lambda: number(statistics(page)["non-zeros"]) < before, True)


def test_regularizer_loss_and_data_can_be_picked(page):
    choose(page, "Regularizer", "Squared ℓ2")
    shows(page, "squared-l2")
    choose(page, "Loss", "Logistic")
    shows(page, "logistic")
    choose(page, "Data", "Digits · even or odd")
    shows(page, "digits")
    says(page, SETTLED)
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
    says(page, "Paused after 0 steps")
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
    page.get_by_label("Sample").fill("9999")
    page.get_by_label("Sample").press("Enter")
    page.get_by_text("type a whole number from 0 to 454").wait_for()
    choose(page, "Loss", "Squared")
    page.get_by_text("figure of the dual variables, under “more figures”").wait_for()


def test_a_refused_choice_keeps_the_old_state(page):
    page.get_by_role("button", name="bounded", exact=True).click()
    shows(page, "bounded")
    says(page, SETTLED)
    before = statistics(page)
    choose(page, "Regularizer", "Entropy")
    says(page, "needs a bound of the curvature")
    assert statistics(page) == before
    page.get_by_role("button", name="exact", exact=True).click()
    shows(page, "entropy")
    says(page, SETTLED)
    page.get_by_role("button", name="bounded", exact=True).click()
    says(page, "needs a bound of the curvature")


def test_two_visitors_do_not_share_a_state(page, browser, address):
    other = browser.new_page()
    other.goto(f"{address}?source=Breast+cancer&lam=0.1")
    says(other, SETTLED)
    press(page, "reset")
    says(page, "Paused after 0 steps")
    assert SETTLED.search(other.locator(".wb-status").inner_text())
    other.close()
