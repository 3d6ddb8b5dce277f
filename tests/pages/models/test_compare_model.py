"""The runs of the page Compare: certificates, marks, the saddle and the code, against the library."""

import asyncio
import functools
import time

import numpy as np
import pytest

import workbench as wb
from tests.helpers import coroutines
from workbench.pages.compare import model as compare
from workbench.pages.compare.declaration import Compare
from workbench.pages.compare.figures import STROKES
from workbench.pages.server import turns

CASES = (
    {},
    {"source": compare.APART, "lam": 0.01, "loss": "Smoothed hinge"},
    {"source": "Overlapping", "loss": "Logistic", "intercept": True},
    {"loss": "Logistic", "regularizer": "ℓ1"},
    {"loss": "Squared", "regularizer": "Elastic net", "source": "Overlapping"},
    {"loss": "Logistic", "source": "Overlapping", "compare": "parts", "passes": 2},
)


def built(**values):
    return compare.build(Compare(**values).settings())


@functools.cache
def played(tolerance=1e-4, **values):
    comparison = built(tolerance=tolerance, **values)
    while not comparison.play(10.0):
        pass
    return comparison


@pytest.mark.parametrize("case", CASES)
def test_each_run_is_one_of_the_library_within_the_bracket(case):
    comparison = played(**case)
    low, high = comparison.optimum.dual, comparison.optimum.primal
    assert high - low <= 1e-9 * comparison.problem.zero_value
    solvers = compare.solvers(comparison.settings)
    assert set(comparison.runs) | set(comparison.refused) == set(solvers)
    assert not set(comparison.runs) & set(comparison.refused)
    columns = {run["name"]: run for run in compare.answer(comparison)["runs"]}
    for name, run in comparison.runs.items():
        own = wb.Run(run.problem, solvers[name], seed=comparison.settings["seed"])
        own.record()
        for row in run.rows[1:]:
            own.epoch(case.get("passes", 1))
            own.record()
            assert {key: row[key] for key in ("primal", "dual")} == {
                key: own.rows[-1][key] for key in ("primal", "dual")
            }
            assert row["primal"] >= low - 1e-12
            assert row["dual"] <= high + 1e-12
        assert columns[name]["epoch"].tolist() == list(range(len(run.rows)))
        assert columns[name]["relative_gap"].tolist() == [row["relative_gap"] for row in run.rows]


def test_a_refused_solver_says_why_and_the_others_go_on():
    comparison = built(regularizer="ℓ1", loss="Logistic")
    assert "no differentiable conjugate" in comparison.refused["Frank-Wolfe"]
    assert {"PDHG", "Proximal gradient"} <= set(comparison.runs)
    assert "Augmented Lagrangian" in built(source="Overlapping", intercept=True).runs


@pytest.mark.parametrize("passes", [1, 5])
def test_one_part_has_the_gaps_of_gauss_seidel_round_by_round(passes):
    comparison = played(source="Overlapping", compare="parts", passes=passes)
    own = wb.Run(comparison.problem, wb.solvers.GaussSeidel(), seed=1)
    for row in comparison.runs["1 part"].rows:
        assert row["gap"] == pytest.approx(own.certificate().gap, rel=1e-9, abs=1e-15)
        own.epoch(passes)


def test_rounds_of_parts_reach_the_gap_of_the_objective_and_the_rest_is_refused():
    settings = {"source": "Overlapping", "loss": "Logistic", "compare": "parts", "lam": 0.1}
    comparison = played(tolerance=1e-6, **settings)
    rounds = [len(run.rows) for run in comparison.runs.values()]
    assert rounds == sorted(rounds)
    X, y, _ = compare.load("Overlapping")
    for run in comparison.runs.values():
        # The logistic loss and the squared norm, with a = alpha y between 0 and 1.
        a = run.last.alpha * y
        w = X.T @ (a * y) / (0.1 * y.size)
        primal = np.mean(np.logaddexp(0.0, -y * (X @ w))) + 0.05 * w @ w
        entropy = -np.where(a > 0.0, a * np.log(np.where(a > 0.0, a, 1.0)), 0.0) - (1.0 - a) * np.log1p(-a)
        assert run.rows[-1]["gap"] == pytest.approx(
            primal - np.mean(entropy) + 0.05 * w @ w, rel=1e-6, abs=1e-12
        )
    few = built(compare="parts")
    assert list(few.runs) == ["1 part", "2 parts"]
    assert "parts = 4" in few.refused["4 parts"]
    with pytest.raises(wb.InputError, match="cocoa: bias = True asks"):
        built(source="Overlapping", compare="parts", intercept=True)
    with pytest.raises(wb.InputError, match="cocoa: the norm l1 has no smooth"):
        built(source="Overlapping", compare="parts", loss="Logistic", regularizer="ℓ1")


def test_the_sections_make_up_the_saddle_and_its_lines_cross_at_the_star():
    X, y, _ = compare.load(compare.TOGETHER)
    comparison = built()
    seen, star = compare.answer(comparison)["saddles"][1], comparison.optimum
    (left, bottom), (right, top) = seen["ends"]
    side = seen["of_weight"].size
    weight, dual = np.linspace(left, right, side), np.linspace(bottom, top, side)
    assert comparison.plane == (1, 0)

    def value(w, a):
        alpha = [star.alpha[0], a]
        fit = sum(alpha[i] * y[i] - alpha[i] * w * X[i, 0] for i in range(2)) / 2.0
        return fit + 0.1 * 0.5 * w**2

    here = value(star.w[0], star.alpha[1])
    cross = np.outer(dual - star.alpha[1], weight - star.w[0]) * seen["slope"]
    surface = seen["of_dual"][:, None] + seen["of_weight"][None, :] - cross
    for i, a in list(enumerate(dual))[::10]:
        for j, w in list(enumerate(weight))[::10]:
            expected = value(w, a) - here if 0.0 <= a <= 1.0 else np.nan
            assert surface[i, j] == pytest.approx(expected, abs=1e-12, nan_ok=True)
    # Weak duality: the best values along both ways hold R between them, everywhere.
    is_inside = np.isfinite(surface).any(axis=1)
    R, least = surface[is_inside], seen["least"][is_inside]
    assert np.all(seen["most"] + 1e-12 >= R)
    assert np.all((least[:, None] - 1e-12 <= R) | np.isnan(least)[:, None])
    for j, w in list(enumerate(weight))[::10]:
        assert seen["most"][j] == pytest.approx(max(value(w, 0.0), value(w, 1.0)) - here, abs=1e-12)
    for i, a in list(enumerate(dual))[::10]:
        best = (star.alpha[0] * X[0, 0] + a * X[1, 0]) / 0.2
        if np.isfinite(seen["least"][i]):
            assert seen["least"][i] == pytest.approx(value(best, a) - here, abs=1e-12)
    assert np.isfinite(seen["least"]).sum() > 30
    assert np.interp(star.alpha[1], dual, seen["valley"]) == pytest.approx(star.w[0], abs=1e-3)


def test_with_one_sample_the_dual_walks_in_the_valley_and_the_primal_on_the_ridge():
    comparison = played(source=compare.ONE, loss="Logistic", lam=0.01)
    for run in comparison.runs.values():
        w, a = np.array(run.path).T
        if run.holds == ["alpha"]:
            np.testing.assert_allclose(w, a / 0.01, atol=1e-9)
        elif run.holds == ["w"]:
            np.testing.assert_allclose(a, 1.0 / (1.0 + np.exp(w)), atol=1e-9)
    # PDHG starts on neither line and ends where they cross.
    off = [abs(w - a / 0.01) for w, a in comparison.runs["PDHG"].path]
    assert max(off) > 10.0 * off[-1] > 0.0


@pytest.mark.parametrize("case", CASES)
def test_the_code_gives_the_same_numbers(case, capsys):
    comparison = played(**case)
    exec(compare.answer(comparison)["code"], {})
    printed = [line.split() for line in capsys.readouterr().out.splitlines()]
    for (name, passes, gap), run in zip(printed, comparison.runs.values(), strict=True):
        assert name in (run.solver.name, str(getattr(run.solver, "parts", None)))
        assert float(passes) == run.epochs * case.get("passes", 1)
        assert float(gap) == pytest.approx(run.rows[-1]["gap"], rel=1e-6, abs=1e-12)


def test_large_data_make_fewer_passes(monkeypatch):
    monkeypatch.setattr(compare, "MAX_VISITS", 2000.0)
    comparison = built(source="Overlapping", loss="Logistic")
    assert comparison.limit == compare.LEAST_PASSES
    while not comparison.play(10.0):
        pass
    assert max(len(run.rows) for run in comparison.runs.values()) == 1 + compare.LEAST_PASSES


def test_an_answer_refuses_what_a_page_does_not_offer():
    page = Compare()
    for settings, text in (
        ({"lam": 0.0}, "lam = 0.0 is refused"),
        ({"source": "elsewhere"}, "source = 'elsewhere' is refused"),
        ({"steps": 1}, "unknown setting 'steps'"),
        ({"source": "upload-0000"}, "upload"),
    ):
        with pytest.raises(wb.InputError, match=text):
            coroutines.run(page.answer_runs(**settings))
        with pytest.raises(wb.InputError, match=text):
            coroutines.run(page.answer_race(**settings))


def test_a_question_that_is_left_ends_within_a_slice(monkeypatch):
    made = []

    class Slow:
        def play(self, seconds):
            made.append(seconds)
            time.sleep(seconds)
            return False

    monkeypatch.setattr(compare, "build", lambda settings: Slow())

    async def session():
        task = asyncio.ensure_future(Compare().answer_runs())
        while len(made) < 3:
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait({task})
        count = len(made)
        await asyncio.sleep(4.0 * turns.PIECE_SECONDS)
        assert task.cancelled()
        # The piece under way is the last one.
        assert len(made) <= count + 1 + turns.PIECE_SECONDS / made[0]

    coroutines.run(session())


def test_each_run_has_a_stroke():
    assert set(STROKES) == set(compare.NAMES)
