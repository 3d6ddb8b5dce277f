"""`fit_intercept` and `penalize_intercept` of estimators, `fit` and the command line, as a bias."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import numpy as np

from workbench._support.errors import InputError, shown

if TYPE_CHECKING:
    from workbench._support.annotations import BiasChoice

Usual = TypeVar("Usual", "BiasChoice", "BiasChoice | None")

# What sentences about a problem's bias say in these words.
ARGUMENTS = {
    "True": "fit_intercept=True",
    "False": "fit_intercept=False",
    "constant": "penalize_intercept=True",
}
# The kinds of bias in tables and on cards.
NAMES = {False: "none", True: "not penalized", "constant": "penalized"}


def bias_of(
    owner: str, fit_intercept: object, penalize_intercept: object, usual: Usual
) -> BiasChoice | Usual:
    """Return the bias of a `Problem`: False, True or "constant".

    Parameters
    ----------
    owner : str
        Whose arguments they are, for errors.
    fit_intercept, penalize_intercept : bool or None
        True if there is an intercept, and if its weight is regularized like the others.
    usual : False, True, "constant" or None
        The result where neither is given; with "constant" an intercept is regularized by default.

    Raises
    ------
    InputError
        An argument is not a truth value, or an intercept that is left out is to be penalized.
    """
    for name, value in (("fit_intercept", fit_intercept), ("penalize_intercept", penalize_intercept)):
        if value is not None and not isinstance(value, bool | np.bool_):
            raise InputError(f"{owner}: {name} = {shown(value)} is not known; use True, False or None")
    if fit_intercept is None and penalize_intercept is None:
        return usual
    if fit_intercept is not None and not fit_intercept:
        if penalize_intercept:
            raise InputError(
                f"{owner}: penalize_intercept = True needs an intercept, and fit_intercept = False leaves it "
                "out; give one of the two"
            )
        return False
    penalizes = usual == "constant" if penalize_intercept is None else penalize_intercept
    return "constant" if penalizes else True
