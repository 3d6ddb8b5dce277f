"""The shell, Home and the Dual lab's later parts in a real Chromium."""

import re
from pathlib import Path

import pytest
from page_browser import becomes, begins_anew, visit
from page_checks import wrong

from workbench.pages import theme
from workbench.pages.parts import numbers

sync_api = pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.browser

PAGES = ("home", "dual-lab")
SETTLED = re.compile(r"Reached|Stopped|Stalled")
# Small data, so that a visit is about the page.
SMALL = "?source=Breast+cancer&lam=0.1"


@pytest.fixture(scope="module")
def home(address):
    return address


@pytest.fixture(scope="module")
def lab(address):
    return address.rsplit("/", 1)[0] + "/dual-lab"


@pytest.fixture(scope="module")
def opened(browser, lab):
    """One visit for the tests that change settings; its address and its code."""
    with visit(browser, lab + SMALL, SETTLED) as view:
        yield view, lab + SMALL, view.locator(".wb-code").inner_text()


@pytest.fixture
def page(opened):
    """The page as that visit begins."""
    begins_anew(*opened, SETTLED)
    return opened[0]


def wait_for_status(page, pattern):
    page.locator(".wb-status", has_text=pattern).wait_for()


def wait_for_address(page, pattern):
    page.wait_for_function(f"() => /{pattern}/.test(location.search)")


def press(page, name):
    page.get_by_role("button", name=name, exact=True).click()


def choose(page, label, option):
    page.get_by_role("combobox", name=label, exact=True).click()
    page.get_by_role("menuitem", name=option, exact=True).click()


def test_home_moves_scrolls_and_leads_to_every_page(browser, home):
    moving = "path => getComputedStyle(path).animationName"
    with visit(browser, home.rsplit("/", 1)[0] + "/") as page:
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
        wait_for_status(page, SETTLED)
        assert page.title() == "Dual lab · Duality Workbench"
        page.get_by_role("navigation").get_by_role("link", name="Home").click()
        page.locator("h1", has_text="Duality Workbench").wait_for()


def test_the_address_restores_the_exact_state(page, browser, lab):
    choose(page, "Loss", "Logistic")
    page.get_by_role("slider", name="t scale of the step").focus()
    page.keyboard.press("ArrowLeft")
    wait_for_address(page, "scale=0.79")
    wait_for_address(page, "loss=Logistic")
    wait_for_status(page, SETTLED)
    with visit(browser, page.url, SETTLED) as fresh:
        for part in (".wb-code", ".wb-stat"):
            # The status before the last change says the same words, so the page may still be at it.
            shown = fresh.locator(part).all_inner_texts()
            assert becomes(page.locator(part).all_inner_texts, shown) == shown
        assert fresh.url == page.url


def test_a_bad_address_is_refused_visibly(browser, lab):
    query = "lam=7&loss=%3Cimg+src=x+onerror=alert(1)%3E&nothing=1&eta=-1&eta=2"
    sentences = (
        "lam = '7' is refused", "is refused: loss takes one of", "'nothing' is not a setting of this page",
        "eta = '-1' is refused",
    )  # fmt: skip
    with visit(browser, f"{lab}?source=Breast+cancer&{query}", SETTLED) as page:
        said = page.get_by_role("alert").inner_text()
        assert [sentence for sentence in sentences if sentence not in said] == []
        assert "lam=0.001" in page.locator(".wb-code").inner_text()


def test_the_keyboard_runs_a_demonstration(page):
    page.keyboard.press("r")
    wait_for_status(page, "Paused after 0 steps")
    for said in ("1 step", "2 steps"):
        page.keyboard.press("ArrowRight")
        wait_for_status(page, f"Paused after {said}")
    page.keyboard.press(" ")
    wait_for_status(page, SETTLED)
    # A key that belongs to a control stays with it.
    page.get_by_role("slider", name="λ weight of the regularizer").focus()
    page.keyboard.press("ArrowRight")
    wait_for_address(page, "lam=0.13")
    wait_for_status(page, SETTLED)


def test_a_second_configuration_and_its_removal(page):
    assert page.locator(".wb-stat .b").count() == 0
    page.get_by_role("switch", name="Compare").click()
    page.locator(".wb-stat .b").first.wait_for()
    wait_for_status(page, SETTLED)
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
        page.locator(".wb-code", has_text=part).wait_for()
    choose(page, "Preset", "Too long a step diverges")
    wait_for_status(page, "Diverged")


def test_text_fields_refuse_in_sentences(page):
    field = page.get_by_role("textbox", name="Seed")
    before = page.locator(".wb-code").inner_text()
    for text in ("-5", "1e9", "abc", "9" * 5000):
        field.fill(text)
        field.press("Enter")
        wait_for_status(page, "is refused; choose a value from 0 to 9999")
        sync_api.expect(field).to_have_value("0")
    shown = page.locator(".wb-code").inner_text()
    assert shown == before
    field.fill("7")
    field.press("Enter")
    page.locator(".wb-code", has_text="seed=7").wait_for()


def test_downloads(page):
    for kind, start in (("csv", b"curve,x,y,"), ("png", b"\x89PNG"), ("svg", b"<svg")):
        with page.expect_download() as waiting:
            page.get_by_role("button", name=f"Save Primal and dual as {kind.upper()}").click()
        assert waiting.value.suggested_filename == f"objective.{kind}"
        assert start in Path(waiting.value.path()).read_bytes()[:200]


def test_teacher_switches_hide_controls_and_the_looks_are_switches(browser, lab):
    with visit(browser, lab + SMALL + "&hide=lam,loss,aside,nav", SETTLED) as page:
        assert page.get_by_role("slider", name="λ weight of the regularizer").count() == 0
        assert page.get_by_role("combobox", name="Loss").count() == 0
        assert page.locator(".wb-code").count() == 0
        assert page.get_by_role("link").count() == 0
        assert page.get_by_role("combobox", name="Regularizer").count() == 1
        press(page, "Dark")
        page.wait_for_url("**theme=dark**")
        wait_for_status(page, SETTLED)
        assert "source=Breast" in page.url
        press(page, "Projector")
        page.wait_for_url("**projector=on**")


# The numbers of pages as they are at 1280 pixels, where each card has 101.
LONG = [
    ("certified gap", "5.27e-10", "≤ 3·10⁻⁹ %"), ("multiplier s", "-0.18509", "✓ ≤ 0.009 %"),
    ("t̂ − b̂", "4.48e-04", "3 lie between"), ("steps", "131,072", "0.0906 passes"),
    ("before the solve", "0", ""), ("gap G(a)", "2.57e-04", "rel. 7·10⁻⁶"),
]  # fmt: skip
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
