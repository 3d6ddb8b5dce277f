"""Statements of the lessons about papers, rates and rivals hold when they are computed."""

import html
import re

import holoviews as hv
import nbformat
import numpy as np
import pytest

import workbench as wb
from tests.helpers.amounts import few
from tests.helpers.made_lessons import LESSONS
from tests.lessons.test_lesson_answers import answer_of

NUMBERS = sorted(int(path.name[:2]) for path in LESSONS)


def cells(number, kind):
    (path,) = [path for path in LESSONS if path.name.startswith(f"{number:02d}_")]
    return [cell.source for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == kind]


def text(number):
    return "\n".join(cells(number, "markdown"))


def run(number, *needles):
    """The names that a lesson's cells leave behind: the first one without `begin`, and those with a needle.

    No prediction is recorded.
    `shown` collects what `display` was given, and `live` keeps the function that draws.
    """
    names = {"shown": [], "predicted": ...}
    first, *rest = cells(number, "code")
    hv.extension("bokeh", logo=False)
    exec(re.sub(r"^begin\(.*$", "", first, flags=re.MULTILINE), names)
    names["display"] = lambda *args: names["shown"].extend(args)
    names["live"] = lambda draw, **controls: names.update(drawn=draw, controls=controls)
    for needle in needles:
        (source,) = [source for source in rest if needle in source]
        exec(source, names)
    return names


# --- misprints and slips of the transcription


def test_the_misprint_that_lesson_1_works_out_is_one(capsys):
    names = run(1, "(rule,) = ")
    rule = names["rule"]
    assert rule in wb.errata("misprint")
    printed, corrected, truth = rule.check()
    assert printed != pytest.approx(truth)
    assert corrected == pytest.approx(truth)
    assert rule.printed in names["shown"][0].data
    assert rule.counterexample in capsys.readouterr().out


def test_lesson_1_draws_the_point_on_the_axis():
    """The diamond is the point (0, -q(v)), for slopes of the domain, on the line and on the axis."""
    draw = run(1, "def draw(p, v)")["drawn"]
    for name, v, q in (("hinge", -0.5, -0.5), ("square", 1.0, 0.5), ("huber", 0.75, 0.28125)):
        (point,) = [part for part in draw(name, v).traverse() if part.label == "-q(v)" and len(part) == 1]
        assert point.array()[0] == pytest.approx([0.0, -q], abs=1e-4)


@pytest.mark.parametrize("number", NUMBERS)
def test_a_place_that_a_lesson_calls_misprinted_is_no_slip(number):
    """Places that a sentence with "print" names by number are among the misprints."""
    misprints = " ".join(entry.where for entry in wb.errata("misprint"))
    sentences = re.split(r"(?<=[.:?!])\s", text(number))
    for sentence in (text for text in sentences if re.search(r"\b(mis)?print(s|ed)?\b", text)):
        for place in re.findall(r"(?:Corollary|Lemma|Theorem|pair) \d+|A\.0\.\d|\(\d\d\)", sentence):
            assert place in misprints


@pytest.fixture(scope="module")
def lesson_11():
    return run(11, "def draw(entry)")


@pytest.mark.parametrize("index", few(range(len(wb.errata())), 12))
def test_lesson_11_shows_both_formulas_and_whose_mistake_it_is(index, lesson_11):
    entry = lesson_11["ERRATA"][index]
    assert index in lesson_11["controls"]["entry"]
    sides, says, bars = lesson_11["drawn"](index)
    (label, read), (_, corrected) = sides
    words = label.object + str(bars.object.data)
    assert ("as printed" in words, "as transcribed" in words) == (
        entry.cause == "misprint",
        entry.cause == "transcription",
    )
    assert (read.alt_text, corrected.alt_text) == (entry.printed, entry.corrected)
    assert read.object.startswith(b"\x89PNG")
    assert read.object != corrected.object
    assert html.unescape(says.object) == entry.counterexample


# --- the gap near a corner


def test_with_one_slope_at_a_corner_the_gap_does_not_vanish(capsys):
    """The rates that lesson 2 tells, at steps a thousand times smaller than those that it shows."""
    names = run(2, "problem = wb.Problem(X, y", "wb.certificate(problem, w=off)", "one_side")
    capsys.readouterr()
    hinge, best, away, X, labels = (names[name] for name in ("hinge", "best", "away", "X", "labels"))
    plain, chosen, distances = [], [], []
    for size in (1e-3, 1e-5, 1e-7):
        w = best.w + size * away
        one_side = np.where(labels * (X @ w) < 1, labels, 0.0)
        plain.append(wb.certificate(hinge, w=w, alpha=one_side).gap)
        point = wb.certificate(hinge, w=w)
        chosen.append(point.gap)
        distances.append(point.primal - best.primal)
        margins = labels * (X @ w)
        beta = point.alpha * labels
        assert np.all((beta == (margins < 1)) | (np.abs(margins - 1) <= 0.01))
    assert min(plain) > 0.9 * plain[-1] > 1e-3
    assert chosen[0] / chosen[1] == pytest.approx(100, rel=0.1)
    assert chosen[1] / chosen[2] == pytest.approx(100, rel=0.1)
    assert distances[0] / distances[1] == pytest.approx(100, rel=0.1)
    assert np.any((best.alpha * labels > 1e-6) & (best.alpha * labels < 1 - 1e-6))


# --- rivals and rates


def test_lesson_5_compares_averages(capsys):
    """The averaged rule is as good as its twin where the lesson says so, and no last weights stand alone."""
    names = run(5, "def online(")
    said = capsys.readouterr().out.splitlines()
    assert said[-4].split() == ["last,", "1", "last,", "20", "average,", "5", "batch", "twin"]
    table = names["table"]
    assert set(table) == {"Perceptron", "Winnow", "p-norm"}
    for _, last, average, twin in table.values():
        assert average > last
        assert twin > average
    for name in ("Winnow", "p-norm"):
        assert table[name][2] > table[name][3] - 0.02
        assert table[name][1] < table[name][0]
    assert table["Perceptron"][3] - table["Perceptron"][2] == pytest.approx(0.05, abs=0.01)
    X, y = np.eye(2), np.array([1.0, -1.0])
    # Both mistakes, since the prediction is 0: v = (1, 0), then (1, -1), which makes no more.
    last, average = names["online"](lambda v: v, X, y, 1.0, 2)
    assert last.tolist() == [1.0, -1.0]
    assert average == pytest.approx([1.0, -0.75])


def test_lesson_5_answers_its_prediction_about_steps():
    """Twice the way is the limit of the rules that compute a step; the gradient rule has another one."""
    names = run(5, "cancer = ")
    gaps, X = names["gaps"], names["cancer"].X
    for rule in ("exact", "newton"):
        assert max(gaps[rule, 1.0], gaps[rule, 1.9]) < 1e-9
        assert gaps[rule, 2.5] > 0.1
    sizes = np.sum(X**2, axis=1)
    assert [int(np.sum(t * 0.01 * sizes > 2)) for t in (1.0, 2.5)] == [5, 30]
    assert gaps["gradient", 2.5] < gaps["exact", 2.5]
    small = 1.9 / sizes.max() / 2.5
    rule = wb.solvers.GaussSeidel(update="gradient", scale=2.5, eta=small)
    run_on = wb.Run(names["problem"], rule, seed=0)
    run_on.epoch(3000)
    assert run_on.certificate().relative_gap < 1e-4


def test_lesson_8_says_what_the_mean_of_the_two_lines_costs(capsys):
    names = run(8, "def after(steps, selection)", "def draw(steps, selection)")
    assert 'after(steps, "second-order")' in "".join(cells(8, "code"))
    assert names["controls"]["selection"][0] == "second-order"
    ratios = {}
    for steps in names["controls"]["steps"]:
        g = names["after"](steps, "second-order")
        ratios[steps] = float(g.at(-(g.t_hat + g.b_hat) / 2)) / g.gap
        assert ratios[steps] >= 1
    assert ratios[50] > 3
    assert ratios[400] < 1.3
    title = names["drawn"](400, "second-order").opts.get().kwargs["title"]
    assert f"at mean {ratios[400] * g.gap:.3g}" in title


def test_lesson_19_reads_its_multipliers_off_pictures(capsys):
    names = run(19, "at rest at", "sizes = []", "def solved(lam)")
    assert names["nu"] == pytest.approx([0.5, 0.5, 0.0, 0.0])
    for extra, size in zip((1e-2, 1e-4), names["sizes"], strict=True):
        assert size == pytest.approx([1 / (4 * np.sqrt(extra))] * 2)
    widths, full = [], []
    for lam in names["controls"]["lam"]:
        best = names["solved"](lam)
        beta = best.alpha * names["y"]
        widths.append(2 / np.linalg.norm(best.w))
        full.append(np.sum(beta == 1))
        assert np.sum((beta > 1e-9) & (beta < 1 - 1e-9)) in (1, 2)
    assert widths == sorted(widths)
    assert full == sorted(full)


def test_lesson_19_writes_the_gap_as_what_the_conditions_lack():
    rng = np.random.default_rng(0)
    A, c, nu = rng.normal(size=(4, 2)), rng.normal(size=2), rng.uniform(size=4)
    w = rng.normal(size=2)
    b = A @ w + rng.uniform(size=4)
    terms = answer_of("19.2")(A, b, c, w, nu)
    below = nu @ (A @ c - b) - np.sum((nu @ A) ** 2) / 2
    assert terms.sum() == pytest.approx(np.sum((w - c) ** 2) / 2 - below)
    problem = wb.Problem(A, [1, -1, 1, -1], "hinge", lam=0.3)
    point = wb.certificate(problem, w=w, alpha=nu * problem.y)
    slacks = answer_of("19.3")(problem.y * (A @ w), nu)
    assert slacks / 4 == pytest.approx(point.sample_terms)


def test_lesson_20_finds_alpha_in_dual_values_and_gaps_beyond_tolerances(capsys):
    names = run(20, "link = z", "for sign in", "primal.solve", "for tolerance, beta", "budget = ", "lasso = ")
    assert 40 * names["nu"] == pytest.approx(names["point"].alpha, abs=1e-4)
    assert wb.solve(names["ridge"], tol=1e-13).alpha == pytest.approx(names["best"].alpha)
    said = capsys.readouterr().out
    assert said.count("optimal") == 1 + 3 + 3
    assert names["gaps"][1e-2] > 10 * 1e-2
    assert names["gaps"][1e-2] > names["gaps"][1e-4] > names["gaps"][1e-6]
    for beta in names["betas"].values():
        assert np.any((beta < 0) | (beta > 1))
    at_one, at_more = (names["price"](amount) for amount in (1.0, 1.1))
    assert at_one[1] > (at_one[0] - at_more[0]) / 0.1 > at_more[1]
    free = np.abs(np.linalg.lstsq(names["X"], names["y"])[0]).sum()
    assert names["price"](free + 0.01)[1] == pytest.approx(0.0, abs=1e-6)
    assert names["price"](free - 0.1)[1] > 1e-3
    lasso = wb.Problem(names["X"], names["y"], "squared", "l1", lam=at_one[1])
    assert np.abs(wb.solve(lasso, tol=1e-10, max_epochs=10_000).w).sum() == pytest.approx(1.0, abs=1e-4)


def test_lesson_20_certifies_the_lasso_as_the_workbench_does():
    rng = np.random.default_rng(0)
    X, y, w, nu = rng.normal(size=(6, 3)), rng.normal(size=6), rng.normal(size=3), 0.02 * rng.normal(size=6)
    for scale in (1.0, 30.0):
        problem = wb.Problem(X, y, "squared", "l1", lam=0.3)
        repaired = 6 * scale * nu / max(1, np.abs(X.T @ (scale * nu)).max() / 0.3)
        point = wb.certificate(problem, w=w, alpha=repaired)
        assert answer_of("20.3")(X, y, 0.3, w, scale * nu) == pytest.approx(point.gap)


def test_lesson_21_says_what_a_last_layers_gap_bounds(capsys):
    names = run(21, "def train(seed)", "best = wb.solve(problem", "def whole(")
    stopped, best, lam = names["stopped"], names["best"], names["lam"]
    assert stopped.gap > 20 * 1e-4
    assert stopped.dual <= best.primal <= stopped.primal
    assert stopped.primal - best.primal < stopped.gap / 2
    assert 2 * np.linalg.norm(names["w"] - best.w) < np.sqrt(2 * stopped.gap / lam)
    own_bias = stopped.primal - wb.certificate(names["problem"], w=names["w"]).primal
    assert 0 <= own_bias < 0.1 * stopped.gap
    assert max(names["certified"]) > 1.1 * min(names["certified"])
    V, c, w, b = (names[name] for name in "Vcwb")
    mirror = (V[:, ::-1], c[::-1], w[::-1], b)
    mean = [(one + other) / 2 for one, other in zip((V, c, w, b), mirror, strict=True)]
    network = names["whole"](V, c, w, b)
    assert names["whole"](*mirror) == pytest.approx(network)
    assert names["whole"](*mean) > 1.5 * network


def test_lesson_21_draws_a_bound_that_rises_and_falls(capsys):
    rows_of = run(21, "PASSES = ")["rows_of"]
    for primal, lower, best in rows_of.values():
        assert np.all(lower <= best)
        assert np.all(best <= primal)
        assert best[-1] < best[0] / 2
        assert set(np.sign(np.diff(primal - lower))) == {-1.0, 1.0}
    gaps = [primal[-1] - lower[-1] for primal, lower, _ in rows_of.values()]
    assert gaps == sorted(gaps, reverse=True)


# --- predictions


@pytest.mark.parametrize("number", NUMBERS)
def test_a_prediction_is_written_down_before_the_answer(number):
    (path,) = [path for path in LESSONS if path.name.startswith(f"{number:02d}_")]
    notebook = nbformat.read(path, as_version=4).cells
    asked = [k for k, cell in enumerate(notebook) if "**Predict" in cell.source]
    assert asked
    for k in asked:
        assert notebook[k + 1].source.startswith("**My prediction**")
        below = "".join(cell.source for cell in notebook[k + 2 :] if cell.cell_type == "markdown")
        assert "**Explain.**" in below


# --- solvers of one's own


def test_a_random_order_is_faster_than_that_of_the_file():
    """The statements of lesson 5 on the two orders hold with the solver that it asks for."""
    names, descend = run(5), answer_of("5.4")
    X, y = names["X"], names["y"]
    _, gaps = descend(X, y, 0.1, 30)
    assert gaps[-1] == pytest.approx(3e-2, rel=0.2)
    problem = wb.Problem(X, y, "hinge", lam=0.1)
    own = wb.certificate(problem, alpha=descend(X, y, 0.1, 5)[0])
    assert descend(X, y, 0.1, 5)[1][-1] == pytest.approx(own.gap, rel=1e-6)
    shuffled = wb.Run(problem, wb.solvers.GaussSeidel(order="shuffled"), seed=0)
    shuffled.epoch(30)
    assert 3e-4 < shuffled.certificate().gap < 3e-3


def test_conjugate_gradients_of_lesson_2_are_done_after_six_steps():
    names = run(2, "problem = wb.Problem(X, y")
    solver = wb.solvers.ConjugateGradient(preconditioner="none")
    gaps = []
    for steps in (5, 6):
        going = wb.Run(names["problem"], solver)
        going.step(steps)
        gaps.append(going.certificate().relative_gap)
    assert gaps[0] > 1e-6 > 1e-12 > gaps[1]


# --- the capstone: what it says in words of the docstrings of SciPy, whatever its version


@pytest.fixture(scope="module")
def capstone():
    return run(12, "TOPIC, ROWS", "LAMBDAS", "sure, signs = {}, {}")


def test_texts_of_the_capstone_are_neither_easy_nor_noise(capstone):
    X, y, y_test = capstone["X"], capstone["y"], capstone["y_test"]
    assert X.shape[0] == y.size == 2000 < X.shape[1]
    assert y_test.size > 1000
    assert 0.1 < np.mean(y > 0) < 0.2
    assert not {"scipy", *capstone["subpackages"]} & set(capstone["words"].get_feature_names_out())
    epochs = dict(zip(capstone["LAMBDAS"], capstone["epochs"], strict=True))
    accuracy = dict(zip(capstone["LAMBDAS"], capstone["accuracies"], strict=True))
    assert 0.92 < accuracy[1e-3] < 0.97
    assert accuracy[1e-3] > np.mean(y_test < 0) + 0.05
    assert accuracy[1e-1] < accuracy[1e-2] < accuracy[1e-3]
    assert max(accuracy[1e-4], accuracy[1e-5]) < accuracy[1e-3] + 0.005
    assert 1.5 < (epochs[1e-5] / epochs[1e-1]) ** (1 / 4) < 2.5


def test_a_gap_of_a_millionth_makes_99_percent_of_the_labels_of_the_capstone_certain(capstone):
    sure, signs, n = capstone["sure"], capstone["signs"], capstone["y_test"].size
    assert sure[1e-2] < 0.1 * n < 0.9 * n < sure[1e-4] < 0.99 * n < sure[1e-6]
    assert np.mean(signs[1e-2] == signs[1e-8]) > 0.98


@pytest.mark.long
def test_the_table_of_the_capstone_shows_what_is_explained():
    results = run(12, "TOPIC, ROWS", "ENTRIES = {", "own gap")["results"]
    logistic = results.loc[[name for name in results.index if name.startswith("logistic")]]
    assert (logistic["support"] == 2000).all()
    assert (results["support"].drop(logistic.index) < 1000).all()
    assert results["weights"].idxmin() == "SVM with elastic net"
    assert results["F1"].max() - results["F1"].min() < 0.08
    hinge = results.loc[["SVM, Gauss-Seidel exact", "SVM, Gauss-Seidel gradient"]]
    for same in (logistic, hinge):
        assert same["primal"].min() >= same["dual"].max()
    for name in ("logistic, FISTA", "logistic, scikit-learn"):
        row = logistic.loc[name]
        assert row["primal"] - logistic["dual"].max() < 0.8 * (row["primal"] - row["dual"])


@pytest.mark.long
def test_rounds_of_the_capstone_grow_with_the_number_of_parts():
    names = run(12, "TOPIC, ROWS", "def in_parts", "def rounds_to")
    one, many = names["rounds"][1], names["rounds"][32]
    assert one[1] == 1
    assert 10 * one[0] < many[0]
    assert 1.5 < 32 * one[0] / many[0] < 4
    assert many[1] > 0.8 * many[0]
    assert names["in_parts"](32, 20, 0.01).min() > 1e-2
