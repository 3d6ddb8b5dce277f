"""Printed and derived facts of each term, against the checker's own evaluator and numeric slopes."""

import math

import numpy as np
import pytest
import sympy as sp

from tests.helpers.derived_terms import DERIVED_LOSSES
from workbench.conjugates import terms
from workbench.conjugates.codegen.table import parameter_table
from workbench.conjugates.convex.checker import balls, grammar
from workbench.conjugates.convex.checker.forms import Undecided, Undefined
from workbench.conjugates.convex.primitives import elementary, formula
from workbench.conjugates.terms.derived import derive_loss
from workbench.conjugates.terms.losses import LossTerm, U, V
from workbench.conjugates.terms.parameters import Parameter
from workbench.kernels import formulas

TAU = sp.Symbol("tau", positive=True)
PINBALL = sp.Piecewise((-TAU * U, U < 0), ((1 - TAU) * U, True))
CONDITIONS = ("", "tau < 1", "0 < tau < 1")
PINBALLS = [
    LossTerm(f"pinball {k}", "residual", PINBALL, "", (Parameter(TAU, condition),))
    for k, condition in enumerate(CONDITIONS)
]
# Of the largest number that the value is a difference of.
CLOSE = 1e-13


def chosen(term, count=3):
    """Numbers for the parameters of a term, inside their ranges; exponents stay moderate."""
    chance = np.random.default_rng(len(term.name))
    for _ in range(count):
        ends = ((name, low, high) for name, (low, _, high, *_) in parameter_table(term).items())
        yield {name: low + min(high - low, 2.0) * float(chance.uniform(0.5, 0.9)) for name, low, high in ends}


@pytest.mark.parametrize("term", terms.LOSSES, ids=lambda term: term.name)
@pytest.mark.parametrize("part", ["value", "conjugate"])
def test_a_printed_scalar_is_its_formula_in_every_binade(term, part):
    printed = getattr(formulas, f"{term.name.replace('-', '_')}_{part}")
    expression, variable = (term.value, U) if part == "value" else (DERIVED_LOSSES[term.name].conjugate, V)
    tree, compared = grammar.parse(formula(expression)), 0
    for values in chosen(term):
        known = {name: balls.interval(value) for name, value in values.items()}
        theta = np.array(list(values.values()))
        for place in [sign * 1.5 * 2.0**k for k in range(-1000, 1000, 9) for sign in (1, -1)]:
            with np.errstate(all="ignore"):
                value = _called(printed, place, theta)
            try:
                low, high = balls.precisely(balls.evaluate)(
                    tree, known | {str(variable): balls.interval(place)}
                )
            except (Undecided, Undefined):
                continue
            if not math.isfinite(value):
                # Off its domain, or beyond the largest float.
                continue
            compared += 1
            size = max(float(abs(low)), abs(place), 1.0)
            assert float(low) - CLOSE * size <= value <= float(high) + CLOSE * size, (values, place)
    assert compared > 50


def _called(function, place, theta):
    try:
        return function(place, theta)
    except (OverflowError, ZeroDivisionError, ValueError):
        return math.inf


@pytest.mark.parametrize("term", [*terms.LOSSES, *PINBALLS], ids=lambda term: term.name)
def test_kinks_are_the_jumps_of_the_slope(term):
    """In the symbols of the term, whatever regions the derivation went through."""
    slope = sp.lambdify((U, *term.symbols), sp.diff(elementary(term.value), U), "mpmath")
    derived = DERIVED_LOSSES.get(term.name) or derive_loss(term)
    for values in chosen(term):
        numbers = {symbol: values[str(symbol)] for symbol in term.symbols}
        kinks = [tuple(float(sp.sympify(number).subs(numbers)) for number in kink) for kink in derived.kinks]
        for place, before, after in kinks:
            step = 1e-7 * max(1.0, abs(place))
            around = [float(slope(place + side * step, *numbers.values())) for side in (-1, 1)]
            assert around == pytest.approx([before, after], abs=1e-5)
        places = {round(place, 6) for place, *_ in kinks}
        for place in np.linspace(-4.0, 4.0, 33):
            for near in (place, *(values.values()), *(-number for number in values.values()), 1.0):
                if (term.domain is not None and near <= 0.0) or round(near, 6) in places:
                    continue
                left, right = (float(slope(near + side * 1e-7, *numbers.values())) for side in (-1, 1))
                assert abs(left - right) < 1e-3
