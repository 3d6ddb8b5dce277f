"""One visit of each hosted page, as a table: a control, how it is moved, and what must follow.

Each visit is made once in a file and once on the server of all pages.
"""

import re
from typing import NamedTuple

import pytest

from tests.helpers.page_browser import becomes, visit
from tests.pages.hosts import carriers
from workbench.pages import registry
from workbench.pages.bias import model as bias

pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.browser

PAGES = ("bias",)
READY = "() => globalThis.workbenchPages?.length > 0"
KEYS = ("ArrowLeft", "ArrowRight", "Home", "End", " ")


class Move(NamedTuple):
    """A control by its label; a key, an option, a text after "=", or None for a button.

    What follows: a setting and its value, a status, words of the code, or the place of computing.
    """

    label: str
    how: str | None
    setting: str = ""
    value: object = None  # a value, or a function that says whether it is right
    status: str = ""
    code: str = ""
    script: str = ""  # an expression in `page` that becomes true
    in_file: bool = True


def above(least, most):
    return lambda value: least < value < most


HALVED = "page.frame.sources.bracket.low.length === 7"
CROSSED = "page.frame.sources.marks.kind.includes('discarded')"
BALL = "page.frame.sources.optima.x.length === 2"
MARKS = "page.frame.sources.marks.x.length === 120"
VISITS = {
    "svm-gaps": (
        Move("C weight", "ArrowRight", "cost", above(1.0, 1.5), "converged", r"C = 1\.[0-9]"),
        Move("Kernel", "Gaussian", "kernel", "Gaussian", "converged", r"RBF\(gamma=1\)"),
        Move("γ of the Gaussian", "ArrowRight", "gamma", above(1.0, 1.5), code=r"RBF\(gamma=1\.[0-9]"),
        Move("Kernel", "Polynomial", "kernel", "Polynomial", code=r"Polynomial\(\s+3,"),
        Move("Degree", "ArrowRight", "degree", 4, code=r"Polynomial\(\s+4,"),
        Move("Kernel", "Linear", "kernel", "Linear", code=r"Linear\(\)"),
        Move("Selection", "second-order", "selection", "second-order", code="'second-order'"),
        Move("Stop at a violation", "10⁻⁶", "tolerance", 1e-6, "converged", "tol=1e-06"),
        Move("Preset", "Few against many", "source", "Imbalanced", "converged", "'Imbalanced'"),
        Move("Data", "Separable", "source", "Separable", "converged", "'Separable'"),
        Move("no", None, "cost", 1.0, script="page.predict.answer.textContent.startsWith('Right')"),
        Move("Preset", "The cheapest bound far above the truth", "cost", 100.0, "converged"),
        Move("reset", None, "tolerance", 1.0, "paused", script="page.tracks.rows.length === 1"),
    ),
    "norms": (
        Move("λ / λ_max", "ArrowLeft", "ratio", above(0.09, 0.1), "converged", r"lam=0\.[56]"),
        Move("Regularizer", "Tree", "norm", "Tree", "converged", r"tree_groups\(d, 0\.5\)", HALVED),
        Move("Regularizer", "Elastic net", "norm", "Elastic net", "converged", r"epsilon=0\.5"),
        Move("Regularizer", "Sparse group", "norm", "Sparse group", "converged", r"share=0\.5"),
        Move("free intercept", " ", "intercept", False, "converged", r"lam=[0-9.]+\)"),
        Move("Preset", "Which groups count", "norm", "Group ℓ1/ℓ2", "converged", script=CROSSED),
        Move("Loss", "Huber", "loss", "Huber", "converged", "'huber'"),
        Move("Loss", "Logistic", "loss", "Logistic", script="page.refusal.includes('label')"),
        Move("Loss", "Squared", "loss", "Squared", "converged", script="page.refusal === ''"),
        Move("Preset", "Refused: groups that cross", "norm", "Crossing groups", script="page.refusal !== ''"),
        Move("Preset", "All weights are zero: λ above λ_max", "ratio", 1.1, "converged"),
        Move("a rectangle", None, "second", 4, script="page.predict.answer.textContent.startsWith('Right')"),
        Move("Ball of the dual optimum", None, script=BALL, in_file=False),
        Move("Along the path of λ", None, script="page.frame.sources.lambdas.ratio[0] === 1", in_file=False),
        Move("Data", "Correlated features (made)", "source", code="correlated", in_file=False),
        Move("Regularizer", "ℓ1", "norm", "ℓ1", "converged", r"wb\.screening\(p", MARKS, in_file=False),
        Move("Loss", "Hinge", "loss", "Hinge", script="page.refusal.includes('kinks')", in_file=False),
        Move("Loss", "Squared hinge", "loss", "Squared hinge", "converged", "labels=True", in_file=False),
        Move("reset", None, "tolerance", 1e-6, "paused", script="page.tracks.rows.length === 1"),
        Move("10 steps", None, "tolerance", 1e-6, script="page.tracks.rows.length === 11"),
    ),
    "bias": (
        Move("Stop at a relative gap of", "0.01", "tolerance", 0.01, "converged", "gap=0.01"),
        Move(
            "Not regularized",
            bias.SUM,
            "constraint",
            bias.SUM,
            code=r"constraints=\(",
            script="page.tracks.shown.every(({ engine }) => engine.constructor.name === 'PythonEngine')",
            in_file=False,
        ),
        Move(
            "Not regularized",
            bias.BIAS,
            "constraint",
            bias.BIAS,
            code="bias=True",
            script="page.tracks.shown.every(({ engine }) => engine.constructor.name !== 'PythonEngine')",
        ),
        Move("λ weight", "ArrowRight", "lam", above(0.01, 0.013), code=r"lam=0\.01[1-9]"),
        Move("μ softness", "ArrowRight", "mu", above(1.0, 1.3), code=r"mu=1\.[1-9]"),
        Move("η step", "ArrowRight", "eta", above(0.1, 0.13), code=r"eta=0\.1[1-9]"),
        Move("Epochs per step", "ArrowRight", "passes", 2, code="passes=2"),
        Move("t scale", "ArrowRight", "scale", above(1.0, 1.2), code=r"scale=1\.0"),
        Move("Order", "cyclic", "order", "cyclic", code="order='cyclic'"),
        Move("Update", "gradient", "update", "gradient", code="update='gradient'"),
        Move("gradient update", "ArrowLeft", "rate", above(0.008, 0.01), code=r"rate=0\.00"),
        Move("Loss", "ε-insensitive", "loss", "ε-insensitive", code="epsilon-insensitive:epsilon=0.1"),
        Move("Regularizer", "q-norm", "regularizer", "q-norm", code="q-norm:q=1.5"),
        Move("Regularizer", "Elastic net", code="elastic-net:epsilon=0.1"),
        Move("Data", "Digits · even or odd", "source", code="'digits'", in_file=False),
        Move(
            "Algorithms",
            bias.FULL,
            "algorithms",
            bias.FULL,
            script="!page.figures.of('sources', 'small_curves').data.time.length",
        ),
        Move("Algorithms", "both", "algorithms", "both", script="page.tracks.shown.length === 2"),
        Move("Preset", "η too large: the multiplier oscillates", "eta", 3.0, "diverged"),
        Move("Preset", "η too small: a slow multiplier", "eta", 0.003, "max_epochs"),
        Move("Seed", "=70000", "seed", 9999),
        Move("Seed", "=7", "seed", 7, code="seed=7"),
    ),
}
STATE = "async () => { const page = await workbenchPages[0]; await page.settled(); return %s; }"

SEEN = """{{
    value: page.settings["{setting}"], status: page.status, code: page.code, script: {script},
}}"""


def move(view, label, how):
    """Move a control by its label, of which the beginning may be left out."""
    control = view.get_by_label(re.compile(re.escape(label))).and_(view.locator("input, select")).first
    if how is None:
        view.get_by_role("button", name=label, exact=True).click()
    elif how in KEYS:
        control.press(how)
    elif how.startswith("="):
        control.fill(how[1:])
        control.press("Enter")
    else:
        control.select_option(how)


def walk(view, moves):
    """Move one control after another; what must follow does."""
    wrong = []
    for step in moves:
        move(view, step.label, step.how)
        state = view.evaluate(STATE % SEEN.format(setting=step.setting, script=step.script or "true"))
        value = state["value"]
        is_right = step.value(value) if callable(step.value) else step.value in (value, None)
        is_right &= step.status in (state["status"], "") and bool(re.search(step.code, state["code"]))
        if not is_right or not state["script"]:
            wrong.append((step.label, step.how, state))
    assert not wrong


@pytest.mark.parametrize("name", VISITS)
def test_visit_of_a_file(browser, tmp_path, name):
    text = registry.of(name).page_type().html()
    with carriers.file(browser, tmp_path, text, READY) as view:
        walk(view, [step for step in VISITS[name] if step.in_file])


@pytest.mark.parametrize("name", VISITS)
def test_visit_of_a_served_page(browser, address, name):
    with visit(browser, address.replace(PAGES[0], name)) as view:
        view.wait_for_function(READY)
        walk(view, VISITS[name])


# After a worker has gone.
GONE = """async () => {
    const page = await workbenchPages[0];
    await page.settled();
    const [{ engine }] = page.tracks.shown;
    engine.worker.terminate();
    page.press("epoch");
    engine.worker.onerror(new Event("error"));
}"""
POINTS = "page.figures.of('sources', 'full_curves').data.time.length"
SAID = "page.view.parts.status.textContent"


def test_page_says_that_its_engine_has_ended_and_begins_anew(browser, tmp_path):
    text = registry.of("bias").page_type(tolerance=1e-2).html()
    with carriers.file(browser, tmp_path, text, READY) as view:
        points = view.evaluate(STATE % POINTS)
        view.evaluate(GONE)
        assert "ended by itself; the picture stays" in view.evaluate(STATE % SAID)
        assert view.evaluate(STATE % POINTS) == points
        view.get_by_role("button", name="reset", exact=True).click()
        assert view.evaluate(STATE % "page.tracks.rows.length") == 1
        view.get_by_role("button", name="run", exact=True).click()
        assert view.evaluate(STATE % "page.status") == "converged"


def test_address_unfolds_the_figure_that_it_names(browser, address):
    with visit(browser, f"{address}?figure=profile&tolerance=0.01") as view:
        view.wait_for_function(READY)
        shown = "page.view.figures.profile.checkVisibility()"
        assert becomes(lambda: view.evaluate(STATE % shown), True)
        view.get_by_role("button", name="more figures").click()
        assert becomes(lambda: view.evaluate(STATE % shown), False) is False


def test_served_page_has_links_in_its_theme(browser, address):
    with visit(browser, f"{address}?lam=0.03") as view:
        view.wait_for_function(READY)
        links = view.get_by_role("navigation", name="Pages").get_by_role("link")
        names = [name for name in registry.pages() if name != "home"]
        assert set(names) <= {link.evaluate("(e) => e.pathname.slice(1)") for link in links.all()}
        assert view.locator("nav [aria-current=page]").inner_text() == registry.of("bias").title
        view.get_by_role("button", name="Dark", exact=True).click()
        link = view.get_by_role("link", name="Dual lab")
        assert becomes(lambda: link.evaluate("({ search }) => search"), "?theme=dark") == "?theme=dark"
        ground = "getComputedStyle(document.querySelector('.bar')).backgroundColor"
        assert becomes(lambda: view.evaluate(ground), "rgb(28, 35, 44)") == "rgb(28, 35, 44)"
        assert "lam=0.03" in view.url
        assert "theme=dark" in view.url


def test_links_are_hidden_where_a_teachers_address_says_so(browser, address):
    with visit(browser, f"{address}?hide=nav") as view:
        view.wait_for_function(READY)
        assert view.get_by_role("navigation", name="Pages").is_hidden()


def test_file_of_two_data_sets_goes_from_one_to_the_other(browser, tmp_path):
    page = registry.of("bias").page_type(tolerance=1e-2)
    page.carry({"source": ["Breast cancer", "Digits · even or odd"]})
    with carriers.file(browser, tmp_path, page.html(), READY) as view:
        view.evaluate(STATE % "page.change({ source: 'Digits · even or odd' })")
        assert view.evaluate(STATE % "[page.status, page.refusal]") == ["converged", ""]
        assert "'digits'" in view.evaluate(STATE % "page.code")
        disabled = "[...page.view.root.querySelectorAll('option')].filter((each) => each.disabled)"
        names = view.evaluate(STATE % f"{disabled}.map((each) => each.textContent)")
        assert {bias.SUM} <= set(names)
        assert not {"Breast cancer", "Digits · even or odd"} & set(names)
        assert view.evaluate(STATE % f"{disabled}.every((each) => each.title.includes('needs Python'))")


def test_file_without_webassembly_says_so(browser, tmp_path):
    script = "<script>delete globalThis.WebAssembly;</script><script>"
    text = registry.of("bias").page_type().html().replace("<script>", script, 1)
    with carriers.file(browser, tmp_path, text, READY) as view:
        assert "no WebAssembly" in view.evaluate(STATE % SAID)
