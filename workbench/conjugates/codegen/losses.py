"""The scalar functions of one loss."""

import sympy as sp

from workbench.conjugates.codegen.coordinate import coordinate_body, domain_ends, innermost
from workbench.conjugates.codegen.printer import derivative, python_text
from workbench.conjugates.codegen.rounding import rounding_functions
from workbench.conjugates.codegen.table import parameter_table, spelled, table_function
from workbench.conjugates.codegen.text import end_text, function, identifier, unpack
from workbench.conjugates.terms.derived import derive_loss
from workbench.conjugates.terms.facts import is_likelihood
from workbench.conjugates.terms.losses import LossTerm, U, V

# A float is the only one near this number of digits.
DIGITS = 20


def loss_functions(term: LossTerm, dual=None):
    """Yield the source text of each scalar function of the loss; `dual` is what was derived of it."""
    name = identifier(term.name)
    head = unpack(term.symbols)
    dual = dual or derive_loss(term)
    value, slope, curvature = _within_domain(term, dual)
    conjugate = python_text(dual.conjugate)
    inside = _inside(dual)
    if inside:
        conjugate = f"({conjugate}) if {inside} else math.inf"
    yield function(f"{name}_value", "u, theta", head, value)
    yield function(f"{name}_slope", "u, theta", head, slope)
    yield function(f"{name}_curvature", "u, theta", head, curvature)
    yield function(f"{name}_conjugate", "v, theta", head, conjugate)
    yield function(f"{name}_conjugate_slope", "v, theta", head, python_text(derivative(dual.conjugate, V)))
    arguments = "start, linear, quadratic, theta"
    expression, body = coordinate_body(term, dual)
    yield function(f"{name}_coordinate", arguments, head, expression, body)
    yield facts_function(name, head, dual)
    yield from rounding_functions(name, head, ("value", term.value, "u"), ("conjugate", dual.conjugate, "v"))


def _within_domain(term, dual):
    """Return the texts of p, p' and p'': p infinite off its domain, slopes there those of the nearest end."""
    u, value, bounds, guards = U, term.value, [], []
    for place, slope, relation, nearest in domain_ends(term, dual):
        inside = f"u {relation} {end_text(place)}"
        bounds.append(inside)
        if slope.is_infinite and relation in "<>":
            guards.append((inside, end_text(slope)))
        else:
            u = nearest(u, sp.Float(innermost(place, slope, relation), DIGITS))
    slopes = [python_text(derivative(term.value, U, order).xreplace({U: u})) for order in (1, 2)]
    for inside, slope in guards:
        slopes = [
            f"({text}) if {inside} else {end}" for text, end in zip(slopes, (slope, "math.inf"), strict=True)
        ]
    text = python_text(sp.Piecewise(*((number, sp.Eq(U, at)) for at, number in term.ends), (value, True)))
    return f"({text}) if {' and '.join(bounds)} else math.inf" if bounds else text, *slopes


def facts_function(name, head, dual):
    """Return the source of a Python function that returns the facts of the loss for given parameters."""
    return table_function(
        name,
        head,
        {
            "lower": dual.lower,
            "upper": dual.upper,
            "curvature": dual.curvature,
            "smoothness": dual.smoothness,
            "kinks": dual.kinks,
            "conjugate_kinks": dual.conjugate_kinks,
            "conjugate_form": dual.form,
            "parabolas": dual.parabolas,
            "powers": tuple(map(tuple, dual.powers)),
        },
    )


def loss_entry(term: LossTerm, dual=None):
    """Return the loss's line in the table of the generated module."""
    dual = dual or derive_loss(term)
    fields = {
        "kind": term.kind,
        "parameters": parameter_table(term),
        "domain": (float(dual.pair.p.domain.inf), float(dual.pair.p.domain.sup)),
        "steep": dual.steep,
        "start": float(dual.start),
        "likelihood": is_likelihood(term),
        "source": term.source,
    }
    return f'    "{term.name}": {_literal(fields)},\n'


def _inside(dual):
    """Return the condition that v lies in the domain of the conjugate, as text; empty if it always does."""
    domain = dual.pair.q.domain
    below, above = ("<" if is_open else "<=" for is_open in (domain.left_open, domain.right_open))
    lower = f"{python_text(dual.lower)} {below} " if dual.lower.is_finite else ""
    upper = f" {above} {python_text(dual.upper)}" if dual.upper.is_finite else ""
    return f"{lower}v{upper}" if lower or upper else ""


def _literal(fields):
    lines = "".join(f'        "{key}": {spelled(value)},\n' for key, value in fields.items())
    return f"{{\n{lines}    }}".replace("'", '"')
