"""Every loss of one prediction is derived with a proof; numbers of all terms are the battery's to check."""

import pytest
import sympy as sp

from tests.helpers.derived_terms import DERIVED_LOSSES
from workbench import terms
from workbench.terms.losses import V


@pytest.mark.parametrize("term", terms.LOSSES, ids=lambda term: term.name)
def test_the_derivation_of_every_loss_is_proved(term):
    assert DERIVED_LOSSES[term.name].pair.verify().status == "proved"


@pytest.mark.parametrize(("name", "sides"), [("hinge-p", [-1]), ("epsilon-insensitive-p", [-1, 1])])
def test_the_coordinate_step_of_an_exponent_rests_on_the_slope_of_the_conjugate(name, sides):
    derived, given = DERIVED_LOSSES[name], {"p": 1.7, "epsilon": 0.2}
    assert [power.side for power in derived.powers] == sides
    for side, at, factor, exponent in derived.powers:
        slope = sp.diff(derived.conjugate, V) - (at + side * factor * sp.Abs(V) ** exponent)
        values = {symbol: given[symbol.name] for symbol in slope.free_symbols - {V}}
        assert abs(slope.subs({**values, V: 0.3 * side}).evalf()) < 1e-12
