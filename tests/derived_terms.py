"""The terms with what is derived of them, in one flat record each that a test can change and replace."""

import dataclasses

import sympy as sp

from workbench import terms
from workbench.terms.derived import derive_loss, derive_regularizer


@dataclasses.dataclass(frozen=True)
class Loss:
    name: str
    kind: str
    value: sp.Expr
    parameters: tuple
    source: str
    conjugate: sp.Expr
    lower: sp.Expr
    upper: sp.Expr
    coordinate: sp.Expr | None
    kink: sp.Expr | None
    steep: bool
    start: sp.Expr


@dataclasses.dataclass(frozen=True)
class Regularizer:
    name: str
    primal: sp.Expr
    primal_outer: sp.Expr
    parameters: tuple
    structure: str
    scaling: str | None
    lower: sp.Expr
    source: str
    inner: sp.Expr
    outer: sp.Expr


def flat(cls, term, derived):
    names = [field.name for field in dataclasses.fields(cls)]
    values = {
        name: getattr(derived, name, None) if hasattr(derived, name) else getattr(term, name)
        for name in names
    }
    return cls(**{**values, **({"kink": None} if values.get("kink") == 0 else {})})


LOSSES = tuple(flat(Loss, term, derive_loss(term)) for term in terms.LOSSES)
REGULARIZERS = tuple(flat(Regularizer, term, derive_regularizer(term)) for term in terms.REGULARIZERS)
# The prover of these tests knows no symbolic exponents; `Pair.verify` and numbers speak for these two.
FIXED_POWER = tuple(term for term in LOSSES if not term.name.endswith("-p"))
