"""Pictures of the lessons are drawn from formulas: level lines, steps, gaps and verdicts hold."""

import holoviews as hv
import numpy as np
import pytest

import workbench as wb
from tests.lessons.test_lesson_answers import answer_of
from workbench.teaching import step_figures

X, Y, LAM = np.array([[2.0, 0.2], [1.0, 1.0]]), np.array([1.0, -1.0]), 1.2


@pytest.fixture(scope="module", autouse=True)
def bokeh():
    hv.extension("bokeh", logo=False)


def curves(shown):
    return [element for element in shown.traverse() if isinstance(element, hv.Curve)]


def D(beta):
    return -wb.certificate(wb.Problem(X, Y, "hinge", lam=LAM), alpha=beta * Y).dual


def test_level_lines_are_level_and_steps_are_exact():
    *levels, path = curves(step_figures.axis_steps(X, Y, LAM, steps=5))
    assert path.label == "steps"
    assert len(levels) > 5
    for level in levels:
        points = level.array()[np.isfinite(level.array()).all(axis=1)][::60]
        values = [D(point) for point in points]
        assert values == pytest.approx([values[0]] * len(values), abs=1e-12) if values else True
    places = path.array()
    assert places.shape == (6, 2)
    for k, place in enumerate(places[1:]):
        moved = np.eye(2)[k % 2]
        assert np.count_nonzero(places[k + 1] - places[k]) <= 1
        for away in (-1e-3, 1e-3):
            other = place + away * moved
            if np.all((other >= 0) & (other <= 1)):
                assert D(other) > D(place)


def test_the_optimum_stays_in_the_fog():
    problem = wb.Problem(X, Y, "hinge", lam=LAM)
    run = wb.Run(problem, wb.solvers.GaussSeidel(), seed=0)
    for _ in range(6):
        run.epoch()
        run.record()
    shown = step_figures.gap_gauge(run.history)
    fog = shown.renderers[0].data_source.data
    best = wb.solve(problem, tol=1e-12).primal
    assert np.all(np.diff(fog["y1"]) >= 0)
    assert np.all(np.diff(fog["y2"]) <= 0)
    assert np.all((fog["y1"] <= best + 1e-12) & (best - 1e-12 <= fog["y2"]))


def test_a_solver_of_ones_own_beside_the_workbench():
    problem = wb.Problem(X, Y, "hinge", lam=LAM)
    descend, counts = answer_of("5.4"), (1, 2, 4)
    alone = step_figures.own_gaps(problem, lambda passes: ..., wb.solvers.GaussSeidel(), counts)
    assert [curve.label for curve in curves(alone)] == ["the workbench"]
    both = step_figures.own_gaps(
        problem, lambda passes: descend(X, Y, LAM, passes), wb.solvers.GaussSeidel(), counts
    )
    theirs, mine = curves(both)
    assert mine.label == "yours"
    due = [wb.certificate(problem, alpha=descend(X, Y, LAM, count)[0]).relative_gap for count in counts]
    assert mine.array()[:, 1] == pytest.approx(np.maximum(due, 1e-16))
    assert theirs.array()[:, 0].tolist() == list(counts)


def test_the_referee_of_lesson_11_refutes_two_of_the_three_wrong_claims():
    verdicts = step_figures.own_verdicts(answer_of("11.5"))
    points = [element for element in verdicts.traverse() if isinstance(element, hv.Points)]
    (refuted,) = [element for element in points if element.label == "refuted"]
    assert set(refuted["claim"]) == {"e", "g"}


def test_what_a_student_reads_off_alpha():
    problem = wb.Problem(X, Y, "smoothed-hinge", lam=LAM)
    read = answer_of("3.5")
    shown = step_figures.own_bounds(problem, lambda alpha: read(alpha, X, Y, LAM), range(1, 5))
    upper, lower = curves(shown)
    (yours,) = [element for element in shown.traverse() if isinstance(element, hv.Points)]
    drawn = yours.array().astype(float)
    assert drawn[::2, 1] == pytest.approx(lower.array()[:, 1])
    assert drawn[1::2, 1] == pytest.approx(upper.array()[:, 1])
