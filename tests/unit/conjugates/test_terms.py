"""Every loss of one prediction is derived with a proof; numbers of all terms are the battery's to check."""

import pytest

from tests.helpers.derived_terms import DERIVED_LOSSES
from workbench.conjugates import terms


@pytest.mark.parametrize("term", terms.LOSSES, ids=lambda term: term.name)
def test_the_derivation_of_every_loss_is_proved(term):
    assert DERIVED_LOSSES[term.name].pair.verify().status == "proved"
