"""Going back and on in a run: its states bit for bit, and what engines in Python show of each place."""

import dataclasses

import numpy as np
import pytest

import workbench as wb
from workbench.solvers.keyframes import KEYFRAMES, Keyframes

SOLVERS = {
    "gauss-seidel": ({"loss": "logistic", "regularizer": "elastic-net"}, "gauss-seidel"),
    "proximal-gradient": ({"loss": "logistic", "regularizer": wb.norms.L1()}, "proximal-gradient"),
    "coordinate-descent": ({"loss": "logistic", "regularizer": wb.norms.L1()}, "coordinate-descent"),
    "maximal-violating-pair": ({"loss": "hinge", "bias": True}, wb.solvers.MaximalViolatingPair(tol=0.0)),
    "a kernel": (
        {"loss": "hinge", "bias": True, "kernel": "rbf:gamma=0.1"},
        wb.solvers.MaximalViolatingPair(tol=0.0),
    ),
    "augmented-lagrangian": ({"loss": "hinge", "bias": True}, "modified-augmented-lagrangian"),
    "primal-gradient": ({"loss": "logistic", "regularizer": "p-norm:p=1.5"}, "primal-gradient"),
    "sdca": ({"loss": "hinge"}, "sdca"),
    "pdhg": ({"loss": "hinge"}, "pdhg"),
    "frank-wolfe": ({"loss": "hinge"}, "frank-wolfe"),
}


def made(name):
    """A fresh run of one of `SOLVERS` on small data."""
    rng = np.random.default_rng(0)
    X, noise = rng.normal(size=(40, 6)), rng.normal(size=40)
    options, solver = SOLVERS[name]
    problem = wb.Problem(X, np.where(X[:, 0] + 0.3 * noise > 0.0, 1.0, -1.0), lam=0.05, **options)
    return wb.Run(problem, solver, seed=3)


def state_of(run):
    return {name: array.copy() for name, array in run.state._asdict().items()}


def same(one, other):
    """Return True if two values are the same, bit for bit."""
    if type(one) is not type(other):
        return False
    if dataclasses.is_dataclass(one):
        return same(vars(one), vars(other))
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[name], other[name]) for name in one)
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, np.ndarray) and one.dtype != object:
        return one.shape == other.shape and one.tobytes() == other.tobytes()
    if isinstance(one, float):
        return one == other or (one != one and other != other)
    if isinstance(one, str | int | np.ndarray | np.generic | type(None)):
        return np.array_equal(one, other)
    return one is other or repr(one) == repr(other)


@pytest.mark.parametrize("name", SOLVERS)
def test_a_sought_state_is_the_one_that_was_there(name):
    plain, seen = made(name), {}
    steps = [0, 1, 2, 7, 40, 41, 95, 230, 231, 700]
    for step in steps:
        plain.step(step - plain.steps)
        seen[step] = state_of(plain)
    run = made(name)
    keyframes = Keyframes(run)
    keyframes.advance(700)
    for step in (700, 95, 231, 0, 230, 41, 40, 700, 2, 7, 1):
        keyframes.seek(step)
        # A run that cannot go on stands where it ended.
        assert run.steps == min(step, plain.steps)
        assert same(state_of(run), seen[step])
    keyframes.seek(41)
    keyframes.advance(700 - 41)
    assert same(state_of(run), seen[700])


@pytest.mark.parametrize("most_bytes", [2**26, 3000])
def test_states_take_only_so_much_memory(most_bytes):
    run = made("gauss-seidel")
    keyframes = Keyframes(run, most_bytes=most_bytes)
    for _ in range(300):
        keyframes.advance(run.epoch_steps)
        size = sum(array.nbytes for _, state in keyframes.frames for array in state.values())
        assert len(keyframes.frames) <= KEYFRAMES
        assert size <= most_bytes or len(keyframes.frames) <= 2
    assert [step for step, _ in keyframes.frames][:2] == [0, keyframes.spacing]
