"""A few problems of `tests/long/drawn_solutions.py`: solutions state the objective of their weights."""

import dataclasses

import pytest

import workbench as wb
from tests.helpers.amounts import amount
from tests.long.drawn_solutions import draw, fault, outcome


def test_solutions_state_the_objective_of_their_own_weights():
    outcomes = [outcome(seed) for seed in range(amount(20, 300))]
    assert [text for status, text in outcomes if status == "fault"] == []
    assert sum(status == "converged" for status, _ in outcomes) >= 5


@pytest.mark.parametrize("part", ["w", "b"])
def test_weights_of_another_point_are_a_fault(part):
    drawn = next(drawn for drawn in map(draw, range(100)) if drawn.options["bias"] is True)
    problem = wb.Problem(drawn.X, drawn.y, drawn.loss, drawn.regularizer, **drawn.options)
    solution = wb.solve(problem, tol=1e-6)
    assert fault(drawn, solution, problem.zero_value) == ""
    moved = {part: getattr(solution, part) * (1.0 + 1e-3) + 1e-3}
    assert "stated" in fault(drawn, dataclasses.replace(solution, **moved), problem.zero_value)
