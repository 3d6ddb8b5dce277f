"""Appendix E: what is derived from every left side, and whether the print has it right."""

import io
import sys

import cvxpy as cp
import numpy as np
import pytest
from scipy.optimize import minimize_scalar

import workbench as wb
from workbench.conjugates.convex import rules, vector
from workbench.conjugates.convex.appendix_e import AppendixCase, appendix_e
from workbench.conjugates.convex.conjugate import conjugate

ENTRIES = {entry.number: entry for entry in appendix_e()}
SMOOTH = 1e-6  # a grid and a bounded search, where the functions are flat
CONE = 2e-5  # a cone solver on powers and exponentials

# number -> for every case: the parameters, p itself, places inside the domain, places outside
ON_THE_LINE = {
    5: (({}, lambda u: np.logaddexp(0, u), (0.0, 0.2, 0.9, 1.0), (-0.1, 1.1)),),
    6: (({}, lambda u: -np.log(u) if u > 0 else np.inf, (-3.0, -0.5), (0.0, 0.5)),),
    7: (({}, lambda u: u**2 / 2 if abs(u) <= 1 else abs(u) - 0.5, (-1.0, -0.3, 0.8), (-1.2, 1.1)),),
    8: (
        ({"epsilon": 0.3, "p": 2.5}, lambda u: max(abs(u) - 0.3, 0) ** 2.5 / 2.5, (-2.0, -0.4, 0.0, 1.5), ()),
        ({"epsilon": 0.3}, lambda u: max(abs(u) - 0.3, 0), (-1.0, -0.4, 0.0, 0.7), (-1.1, 1.3)),
    ),
    9: (({}, lambda u: 0 if u < 0 else (u**2 / 2 if u <= 1 else u - 0.5), (0.0, 0.3, 1.0), (-0.1, 1.1)),),
    10: (
        ({"p": 1.5}, lambda u: max(u, 0) ** 1.5 / 1.5, (0.0, 0.3, 2.0), (-0.1,)),
        ({}, lambda u: max(u, 0), (0.0, 0.3, 1.0), (-0.1, 1.1)),
    ),
}


def supremum(p, v):
    """The best of a wide grid, refined around its best point."""
    grid = np.unique(np.concatenate([np.linspace(-60, 60, 6001), np.geomspace(1e-8, 60, 600)]))
    values = np.array([u * v - p(u) for u in grid])
    best = int(np.argmax(values))
    low, high = grid[max(best - 1, 0)], grid[min(best + 1, len(grid) - 1)]
    fine = {"xatol": 1e-10}
    refined = minimize_scalar(lambda u: p(u) - u * v, bounds=(low, high), method="bounded", options=fine)
    return max(values[best], -refined.fun)


def test_eleven_entries_in_order():
    assert [entry.number for entry in appendix_e()] == [*range(1, 11), "rule"]
    assert all(entry.title for entry in ENTRIES.values())


@pytest.mark.parametrize("number", ON_THE_LINE)
def test_pair_on_the_line_is_the_supremum(number):
    cases = zip(ENTRIES[number].cases, ON_THE_LINE[number], strict=True)
    for case, (parameters, p, inside, outside) in cases:
        for v in inside:
            assert case.pair.q(v, **parameters) == pytest.approx(supremum(p, v), abs=SMOOTH)
        assert all(case.pair.q(v, **parameters) == np.inf for v in outside)
        for u in (-2.0, -0.5, 0.25, 3.0):
            assert case.pair.p(u, **parameters) == pytest.approx(p(u))


K = np.array([[2.0, 0.5, 0.0], [0.5, 1.0, -0.25], [0.0, -0.25, 1.5]])
MU = np.array([0.5, 2.0, 1.25])
CHANGE = np.array([[1.0, 0.5, 0.0], [-0.25, 2.0, 1.0], [0.0, 0.0, 0.5]])


def entropy(u, prior):
    return -cp.sum(cp.entr(u)) - u @ np.log(prior)


def changed(u):
    return 0.5 * cp.sum(cp.power(cp.abs(CHANGE.T @ u + np.array([0.5, -1.0, 0.25])), 4)) / 4


# (number, case) -> the parameters, p in CVXPY, constraints
IN_SPACE = {
    (1, 0): ({"K": K}, lambda u: cp.quad_form(u, K) / 2, None),
    (2, 0): ({"r": 3.0, "p": 1.25}, lambda u: cp.power(cp.pnorm(u, 1.25), 3) / 3, None),
    (3, 0): ({"mu": MU}, lambda u: entropy(u, np.e * MU), None),
    (4, 0): ({"mu": MU}, lambda u: entropy(u, MU), lambda u: [cp.sum(u) == MU.sum()]),
    ("rule", 0): ({}, changed, None),
}


@pytest.mark.parametrize(("number", "k"), IN_SPACE)
def test_pair_of_vectors_is_the_supremum(number, k):
    parameters, p, constraints = IN_SPACE[number, k]
    pair = ENTRIES[number].cases[k].pair
    for v in np.random.default_rng(3).normal(size=(4, 3)):
        u = cp.Variable(3)
        problem = cp.Problem(cp.Maximize(u @ v - p(u)), constraints(u) if constraints else [])
        problem.solve(solver=cp.CLARABEL)
        assert abs(pair.q(v, **parameters) - problem.value) <= CONE * (1 + abs(problem.value))


@pytest.mark.long
def test_the_second_case_of_the_rule_is_the_printed_one():
    # S^-T should be S^-1.
    assert [case.agrees for case in ENTRIES["rule"].cases] == [False, True]


def test_a_wrong_print_is_seen():
    pair = conjugate("log(1 + exp(u))")
    right = ENTRIES[5].cases[0].printed
    assert AppendixCase("", pair, ({},), right).agrees
    assert not AppendixCase("", pair, ({},), lambda v: right(v) + 1e-6).agrees
    assert not AppendixCase("", pair, ({},), lambda v: np.where(np.isinf(right(v)), 0.0, right(v))).agrees
    assert not AppendixCase("", pair, ({},), lambda v: np.where((v == 0) | (v == 1), np.inf, right(v))).agrees


def test_a_wrong_formula_is_not_proved():
    # The multiplier's identity with the prior forgotten, and Hoelder's with the wrong exponent.
    q = vector.sp.Symbol("q", positive=True)
    assert rules.identity("Hoelder", 1 / q + q / (q + 1) - 1, "").status == "failed"
    pair = ENTRIES[10].pair
    wrong = rules.scaled(conjugate("max(u, 0)**p/p", parameters={"p": "p > 1"}), 2)
    assert rules.numbers(pair.p, wrong.q, pair.p.setting).status == "failed"


class Terminal(io.StringIO):
    def __init__(self, seen):
        super().__init__()
        self.seen = seen

    def isatty(self):
        return self.seen


@pytest.mark.parametrize("seen", [True, False])
def test_a_terminal_shows_the_current_derivation_and_clears_it(seen, monkeypatch):
    terminal, line = Terminal(seen), next(entry for entry in wb.appendix_e() if entry.number == 9)
    monkeypatch.setattr(sys, "stderr", terminal)
    object.__setattr__(line, "derive", tuple)
    assert line.cases == ()
    assert terminal.getvalue() == ("\rAppendix E, 9: deriving One-sided Huber ...\r\x1b[K" if seen else "")
