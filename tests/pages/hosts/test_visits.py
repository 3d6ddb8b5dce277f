"""One visit of each hosted page, as a table: a control, how it is moved, and what must follow.

Each visit is made once in a file and once on the server of all pages.
"""

import pytest

from tests.helpers.page_browser import becomes, visit
from tests.pages.hosts import carriers, drawn_visits
from tests.pages.hosts.moves import READY, STATE, Move, above, walk
from workbench.pages import registry
from workbench.pages.bias import model as bias
from workbench.pages.bias.declaration import LABELS

pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.browser

PAGES = ("bias",)

# What Norms draws: halvings of a tree's norm, features, two optima.
HALVED = "page.frame.sources.bracket.low.length === 7"
CROSSED = "page.frame.sources.marks.kind.includes('discarded')"
BALL = "page.frame.sources.optima.x.length === 2"
MARKS = "page.frame.sources.marks.x.length === 120"
# The line below the picture of Home.
NUMBERS = "page.view.numbers.textContent"
# Of Inverse time: what is drawn of a curve, and whether it is that of the present settings.
SOURCES = "page.figures.of('sources', '%s').data"
REFERENCES = f"{SOURCES % 'reference'}.m.length"
REACHED = f"{SOURCES % 'steps'}.median.at(-1)"
CELLS = f"{SOURCES % 'cells'}.m.length"
IS_SAME = "page.curve.message.measure === page.settings.measure && !page.reason && !page.isComing"
IS_OTHER = "page.isComing || page.reason !== ''"
# The rows of Your data: what is drawn of the model, and what a file has no Python for.
MODEL = "page.answers?.model"
# Of Norms and screening: halvings of the bisection, marks that are crossed out, the dual optimum in its ball.
VISITS = drawn_visits.VISITS | {
    "norms": (
        Move("λ / λ_max", "ArrowLeft", "ratio", above(0.09, 0.1), "converged", r"lam=0\.[56]"),
        Move("Regularizer", "Tree", "norm", "Tree", "converged", r"tree_groups\(d, 0\.5\)", HALVED),
        Move("Regularizer", "Elastic net", "norm", "Elastic net", "converged", r"epsilon=0\.5"),
        Move("Regularizer", "Sparse group", "norm", "Sparse group", "converged", r"share=0\.5"),
        Move("free intercept", "switch", "intercept", False, "converged", r"lam=[0-9.]+\)"),
        Move("Preset", "Which groups count", "norm", "Group ℓ1/ℓ2", "converged", script=CROSSED),
        Move("Loss", "Huber", "loss", "Huber", "converged", "'huber'"),
        Move("Loss", "Logistic", "loss", "Logistic", script="page.refusal.includes('label')"),
        Move("Loss", "Squared", "loss", "Squared", "converged", script="page.refusal === ''"),
        Move("Preset", "Refused: groups that cross", "norm", "Crossing groups", script="page.refusal !== ''"),
        Move("Preset", "All weights zero: λ above λ_max", "ratio", 1.1, "converged"),
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
    "inverse-time": (
        Move("Data", "Two Gaussians, 10 features", "source", status="max_epochs", code="1600, 0"),
        Move("Stop at a relative gap of", "0.1", "tolerance", 0.1, "converged", "tol=0.1"),
        Move("training samples m of the run", "200", "samples", 200, "converged", "200, 0"),
        Move("Loss", "Hinge", "loss", "Hinge", "converged", "loss='hinge'", f"{REFERENCES} === 0"),
        Move("Loss", "Squared", "loss", "Squared", "converged", "loss='squared'", f"{REFERENCES} > 0"),
        Move("Loss", "Logistic", "loss", "Logistic", "converged", "loss='logistic'", f"{REACHED} === 2435"),
        Move("target ε", "ArrowRight", "target", above(0.03, 0.04), script=f"{REACHED} < 2435"),
        Move("c of Theorem 2", "ArrowRight", "c", above(0.003, 0.004)),
        Move("training sets for each m", "ArrowLeft", "seeds", 6, script=f"{CELLS} <= 48"),
        Move("Order", "shuffled", "order", "shuffled", code="order='shuffled'", script=IS_OTHER),
        Move("λ, Zhu's σ", "ArrowRight", "lam", above(0.002, 0.003), code=r"lam=0\.002", script=IS_OTHER),
        Move("p of the regularizer", "ArrowLeft", "p", above(1.0, 2.0), code=r"p-norm:p=1\.[59]"),
        Move("samples per step", "ArrowRight", "batch", 2, code="batch=2", script=IS_OTHER),
        Move("Seed", "=7", "seed", 7, code="200, 7", in_file=False),
        Move("Preset", "Suboptimality does not profit", "measure", "Suboptimality", script=IS_SAME),
        Move("Question", "The training objective", "question", "The training objective"),
        Move("yes", None, "lam", 0.01, script="page.predict.answer.textContent.startsWith('Not so')"),
        Move("Quantity to be approximated", "Direction", "measure", "Direction"),
        Move("Preset", "Breast cancer", "samples", 455, code="'Breast cancer'", in_file=False),
        Move("reset", None, "lam", 0.01, "paused", script="page.tracks.rows.length === 1"),
    ),
    "home": (
        Move("The number cannot say", None, "screen", 1, script="page.view.root.querySelector('.correct')"),
        Move("Next →", None, "touch", 0.05, script="page.settings.screen === 2"),
        Move("where the tangent touches", "ArrowRight", "touch", above(0.05, 0.07)),
        Move("Those that touch both curves at one w", None, "touch", 0.32),
        Move("Next →", None, "screen", 3),
        Move("handle of sample 1", "ArrowRight", "alpha_1", above(0.02, 0.03)),
        Move("handle of sample 2", "ArrowRight", "alpha_2", above(0.08, 0.09)),
        Move("Next →", None, "screen", 4),
        Move("Up to the price", None, "alpha_2", 0.26, script=f"{NUMBERS}.includes('gap = 0.0620 − 0.0620')"),
        Move("Next →", None, "screen", 5),
        Move("They vanish", None, "alpha_1", 0.24, script=f"{NUMBERS}.includes('= 0.0000, the gap')"),
        Move("Next →", None, "point", 0),
        Move("Nothing", None, "point", 1, script=f"{NUMBERS}.startsWith('3 of 14')"),
        Move("Move a support vector", None, "point", 14, script=f"{NUMBERS}.startsWith('4 of 14')"),
        Move("Next →", None, "lam", 0.1, script=f"{NUMBERS}.includes('0 of 12')"),
        Move("charge for large weights", "ArrowRight", "lam", above(0.1, 0.14)),
        Move("More weights are exactly 0", None, "lam", 1.5, script=f"{NUMBERS}.includes('7 of 12')"),
        Move("Next →", None, "screen", 8, script="page.view.root.querySelectorAll('.door').length % 3 === 0"),
        Move("← Back", None, "screen", 7),
        Move("1: 0.0620. Is it good?", None, "screen", 1),
    ),
    "your-data": (
        Move(
            "λ weight",
            "ArrowRight",
            "lam",
            above(0.01, 0.2),
            "converged",
            r"lam=0\.[01]",
            f"{MODEL}.score.rows === 38",
        ),
        Move("no", None, "lam", 0.001, script="page.predict.answer.textContent.startsWith('Right')"),
        Move("Preset", "The upper tenth: a quantile", "tau", 0.9, code=r"quantile:tau=0\.9"),
        Move(
            "Preset",
            "A table for regression",
            "loss",
            "Squared",
            code="'diabetes.csv'",
            script=f"{MODEL}.score.rows === 111",
        ),
        Move(
            "Loss",
            "Logistic",
            script="page.view.parts.status.textContent.includes('“Squared”')",
            in_file=False,
        ),
        Move(
            "λ by cross-validation",
            "switch",
            "chooses_lam",
            True,
            script=f"{MODEL}.path.length > 3",
            in_file=False,
        ),
        Move("Preset", "A table with texts as labels", "loss", "Hinge", "converged", "'iris.csv'"),
        Move(
            "Weights of the classes",
            "balanced",
            "class_weight",
            "balanced",
            code="class_weight='balanced'",
            in_file=False,
        ),
        Move("setosa", None, "positive", "setosa", code="positive='setosa'", in_file=False),
        Move(
            "Loss", "Multinomial", "loss", "Multinomial", script=f"{MODEL}.labels.length === 3", in_file=False
        ),
        Move("Regularizer", "Squared ℓ2", "regularizer", "Squared ℓ2", "converged", in_file=False),
        Move("Preset", "LIBSVM, ten classes", script=f"{MODEL}.labels.length === 10", in_file=False),
        Move("Preset", "A table with a mistake", script="page.refusal.includes('line 7')", in_file=False),
    ),
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
        Move("Preset", "The cheapest bound, far too high", "cost", 100.0, "converged"),
        Move("reset", None, "tolerance", 1.0, "paused", script="page.tracks.rows.length === 1"),
    ),
    "bias": (
        Move("Stop at a relative gap of", "0.01", "tolerance", 0.01, "converged", "gap=0.01"),
        Move(
            "Multiplier of",
            LABELS[bias.SUM],
            "constraint",
            bias.SUM,
            code=r"constraints=\(",
            script="page.tracks.shown.every(({ engine }) => engine.constructor.name === 'PythonEngine')",
            in_file=False,
        ),
        Move(
            "Multiplier of",
            LABELS[bias.ZERO],
            "constraint",
            bias.ZERO,
            code=r"weight_constraints=\(",
            script="page.tracks.shown.every(({ engine }) => engine.constructor.name === 'PythonEngine')",
            in_file=False,
        ),
        Move(
            "Multiplier of",
            LABELS[bias.BIAS],
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
        Move(
            "Algorithms",
            bias.FULL,
            "algorithms",
            bias.FULL,
            script="!page.figures.of('sources', 'small_curves').data.time.length",
        ),
        Move("Algorithms", "both", "algorithms", "both", script="page.tracks.shown.length === 2"),
        Move("Preset", "η too large: s oscillates", "eta", 3.0, "diverged"),
        Move("Seed", "=70000", "seed", 9999),
        Move("Seed", "=7", "seed", 7, code="seed=7"),
        # Larger data come last: what follows would be computed on them.
        Move("Data", "Digits · even or odd", "source", code="'digits'", in_file=False),
    ),
}


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


def test_address_shows_the_figure_that_it_names(browser, address):
    with visit(browser, f"{address}?figure=small&tolerance=0.01") as view:
        view.wait_for_function(READY)
        shown = "page.view.figures.small.checkVisibility()"
        assert becomes(lambda: view.evaluate(STATE % shown), True)
        view.get_by_role("button", name="Gaps of Algorithm 3").click()
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


def test_former_address_opens_its_page_also_with_values_that_no_file_has(browser, address):
    with visit(browser, f"{address.replace(PAGES[0], 'race')}?source=Overlapping&lam=0.02") as view:
        view.wait_for_function(READY)
        assert "/compare?" in view.url
        names = ["source", "loss", "lam", "epsilon", "tolerance"]
        shown = view.evaluate(STATE % f"{names}.map((name) => page.settings[name])")
        assert shown == ["Overlapping", "Logistic", 0.02, 0.1, 1e-4]
        assert view.evaluate(STATE % "page.view.parts.notice.textContent") == ""


def test_file_of_two_data_sets_goes_from_one_to_the_other(browser, tmp_path):
    page = registry.of("bias").page_type(tolerance=1e-2)
    page.carry({"source": ["Breast cancer", "Digits · even or odd"]})
    with carriers.file(browser, tmp_path, page.html(), READY) as view:
        view.evaluate(STATE % "page.change({ source: 'Digits · even or odd' })")
        assert view.evaluate(STATE % "[page.status, page.refusal]") == ["converged", ""]
        assert "'digits'" in view.evaluate(STATE % "page.code")
        disabled = "[...page.view.root.querySelectorAll('option')].filter((each) => each.disabled)"
        names = view.evaluate(STATE % f"{disabled}.map((each) => each.textContent)")
        assert {LABELS[bias.SUM]} <= set(names)
        assert not {"Breast cancer", "Digits · even or odd"} & set(names)
        assert view.evaluate(STATE % f"{disabled}.every((each) => each.title.includes('needs Python'))")


def test_file_without_webassembly_says_so(browser, tmp_path):
    script = "<script>delete globalThis.WebAssembly;</script><script>"
    text = registry.of("bias").page_type().html().replace("<script>", script, 1)
    with carriers.file(browser, tmp_path, text, READY) as view:
        assert "no WebAssembly" in view.evaluate(STATE % SAID)
