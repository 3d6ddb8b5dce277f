"""The terms with what is derived of them, in one flat record each that a test can change and replace."""

import dataclasses
import pickle
import sys

import sympy as sp

from workbench._support.system import sources, storage
from workbench.conjugates import terms
from workbench.conjugates.terms import derived
from workbench.conjugates.terms.parameters import Parametrized


@dataclasses.dataclass(frozen=True)
class Loss(Parametrized):
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
class Regularizer(Parametrized):
    name: str
    primal: sp.Expr
    primal_outer: sp.Expr
    parameters: tuple
    structure: str
    scaling: str | None
    domain: sp.Set
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


def derivations():
    """Derive every loss and regularizer, by name; cached under a digest of the deriving code."""
    digest = sources.digest("conjugates/convex", "conjugates/terms", state=f"{sp.__version__} {sys.version}")
    path = storage.cache("tests") / f"derived-{digest}.pickle"
    if not path.exists():
        terms_by_name = (
            {term.name: derived.derive_loss(term) for term in terms.LOSSES},
            {term.name: derived.derive_regularizer(term) for term in terms.REGULARIZERS},
        )
        storage.write(path, pickle.dumps(terms_by_name), sync=False)
    return pickle.loads(path.read_bytes())


DERIVED_LOSSES, DERIVED_REGULARIZERS = derivations()
LOSSES = tuple(flat(Loss, term, DERIVED_LOSSES[term.name]) for term in terms.LOSSES)
REGULARIZERS = tuple(flat(Regularizer, term, DERIVED_REGULARIZERS[term.name]) for term in terms.REGULARIZERS)
