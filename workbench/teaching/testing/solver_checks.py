"""Checks of a solver, each of a solver and a callable that makes its problem; see `check_solver`."""

import typing

import numpy as np

from workbench._support.errors import InputError
from workbench.certificates.certifying import certify
from workbench.solvers.run import Run
from workbench.solvers.solution import Solution
from workbench.teaching.testing.term_checks import ROUNDING, make_problem

STEPS, TAKEN_UP_AT, EPOCHS = 60, 23, 12
# The growth of a difference in the last place over some dozens of steps.
AMPLIFIED = 1e-8

# Whatever a solver needs, one of these has it.
TRIED = (
    {"loss": "squared"},
    {"loss": "logistic"},
    {"loss": "hinge", "bias": True},
    {"loss": "hinge"},
    {"loss": "hinge", "regularizer": "entropy:mu=0.3", "embed": "balanced"},
    {"loss": "hinge", "regularizer": "q-norm:q=1.5"},
)


def first_problem(solver, sparse=False):
    """Return the first problem that the solver does not refuse."""
    refused = []
    for choice in TRIED:
        problem = make_problem(**choice, sparse=sparse)
        try:
            Run(problem, solver)
        except InputError as error:
            refused.append(str(error))
        else:
            return problem
    raise AssertionError(f"{solver.name} refuses all problems here; give one: {refused}")


def _same(one, other):
    for name, a, b in zip(one.state._fields, one.state, other.state, strict=True):
        np.testing.assert_array_equal(a, b, err_msg=name)


def _steps_of(run):
    """As many steps as tell something: whole passes count for more than single coordinates."""
    return STEPS if run.epoch_steps > 1 else STEPS // 4


def single_steps_are_one_run_and_so_is_a_state_taken_up(solver, problem):
    """Bit for bit; another run goes on in a copy of the state."""
    one, many, first, second = (Run(problem(), solver, seed=3) for _ in range(4))
    n = _steps_of(one)
    steps = sum(one.step() for _ in range(n))
    assert many.step(n) == steps
    _same(one, many)
    done = first.step(min(TAKEN_UP_AT, n // 2))
    for into, array in zip(second.state, first.state, strict=True):
        np.copyto(into, array)
    assert done + second.step(n - done) == steps
    _same(one, second)
    assert one.steps == second.steps == steps


def a_state_tells_its_steps_and_its_seed_and_an_event_its_fields(solver, problem):
    """Check the numbers of a state that pages read."""
    run = Run(problem(), solver, seed=3)
    assert (run.state.steps, run.state.seed, run.last_event) == (0, 3, None)
    steps = run.step(5)
    assert (run.state.steps, run.state.seed) == (steps, 3)
    kinds = typing.get_type_hints(run.solver.event_type)
    assert [type(value) for value in run.last_event] == list(kinds.values())
    np.testing.assert_array_equal([float(value) for value in run.last_event], run.state.event)


def dense_equals_sparse(solver, problem):
    """Short of the optimum, where rounding decides what a pass still finds to do."""
    dense, sparse = Run(problem(), solver, seed=3), Run(problem(sparse=True), solver, seed=3)
    n = STEPS // 2 if dense.epoch_steps > 1 else STEPS // 10
    assert dense.step(n) == sparse.step(n)
    # Products with a dense matrix sum in another order, which an iteration may amplify.
    for name, a, b in zip(dense.state._fields, dense.state, sparse.state, strict=True):
        np.testing.assert_allclose(a, b, rtol=AMPLIFIED, atol=AMPLIFIED, err_msg=name)
    gaps, scale = (dense.certificate().gap, sparse.certificate().gap), dense.problem.zero_value
    assert np.isclose(*gaps, rtol=AMPLIFIED, atol=AMPLIFIED * scale), gaps


def a_certificate_owns_its_numbers(solver, problem):
    """Later steps change no array of it, nobody can write one, and its arrays give its value again."""
    run = Run(problem(), solver, seed=3)
    run.step(1)
    certificate = run.record()
    arrays = {name: part for name, part in vars(certificate).items() if isinstance(part, np.ndarray)}
    before = {name: array.copy() for name, array in arrays.items()}
    run.epoch(2)
    for name, array in arrays.items():
        np.testing.assert_array_equal(array, before[name], err_msg=name)
        assert not array.flags.writeable, name
    assert run.best is certificate
    solution = Solution.of(run)
    for name, part in vars(solution).items():
        assert not isinstance(part, np.ndarray) or not part.flags.writeable, name
    again = certify(run.problem, certificate.w, certificate.alpha, certificate.b, certificate.multipliers)
    scale = run.problem.zero_value + abs(certificate.primal)
    assert abs(again.primal - certificate.primal) <= ROUNDING * scale, (again.primal, certificate.primal)


def no_lower_bound_lies_above_a_value(solver, problem):
    """Weak duality, at every check of a run."""
    run = Run(problem(), solver, seed=3)
    run.record()
    for _ in range(EPOCHS):
        # Fewer where the optimum is reached to the last digit.
        if run.epoch() == 0:
            break
        run.record()
    history, scale = run.history, run.problem.zero_value + abs(run.present().primal)
    assert (history["gap"] >= 0.0).all(), history["gap"]
    assert history["dual"].max() <= history["primal"].min() + ROUNDING * scale


SOLVER_CHECKS = (
    single_steps_are_one_run_and_so_is_a_state_taken_up,
    dense_equals_sparse,
    no_lower_bound_lies_above_a_value,
    a_certificate_owns_its_numbers,
    a_state_tells_its_steps_and_its_seed_and_an_event_its_fields,
)
