"""The scalar functions of one loss."""

import sympy as sp

from workbench.codegen.printer import derivative, python_text
from workbench.codegen.text import end_text, function, identifier, unpack
from workbench.terms.derived import derive_loss
from workbench.terms.losses import LossTerm, U, V

# Where p has no closed coordinate step, the optimality condition nu = p'(y), with the new argument
# y = linear - quadratic (nu - start), is solved for y: its residual has slope at least 1, so one
# evaluation brackets the root, and p'(y) keeps full relative precision at the ends of the domain.
NEWTON = """\
    low = high = y = linear
    nu = {slope}
    residual = quadratic * (nu - start)
    if residual > 0.0:
        low = max(y - residual, -1e300)
    else:
        high = min(y - residual, 1e300)
    for _ in range(200):
        curvature = {curvature}
        move = -residual / (1.0 + quadratic * curvature)
        small = 4e-16 * max(1.0, abs(y))
        if not (abs(move) <= small or low < y + move < high):
            # Halved on the scale of asinh, which takes a bracket of 1e300 to 1 in ten steps.
            move = math.sinh(0.5 * (math.asinh(low) + math.asinh(high))) - y
        y += move
        nu = {slope}
        residual = y - linear + quadratic * (nu - start)
        if residual > 0.0:
            high = y
        else:
            low = y
        if abs(move) <= small or residual == 0.0:
            break
{ending}"""

SMOOTH = """\
    return nu
"""

# At a kink of p the slope jumps over the root; nu is then between the slopes at the ends of the bracket.
KINKED = """\
    nu = start + (linear - y) / quadratic
    y = low
    nu = max(nu, {slope})
    y = high
    return min(nu, {slope})
"""


def loss_functions(term: LossTerm, dual=None):
    """Yield the source text of each scalar function of the loss; `dual` is what was derived of it."""
    name = identifier(term.name)
    head = unpack(term.parameters)
    value, slope = python_text(term.value), python_text(derivative(term.value, U))
    if term.domain is not None and term.domain.inf == 0:
        value, slope = f"({value}) if u > 0.0 else math.inf", f"({slope}) if u > 0.0 else -math.inf"
    dual = dual or derive_loss(term)
    conjugate = python_text(dual.conjugate)
    inside = _inside(dual)
    if inside:
        conjugate = f"({conjugate}) if {inside} else math.inf"
    yield function(f"{name}_value", "u, theta", head, value)
    yield function(f"{name}_slope", "u, theta", head, slope)
    yield function(f"{name}_conjugate", "v, theta", head, conjugate)
    yield function(f"{name}_conjugate_slope", "v, theta", head, python_text(derivative(dual.conjugate, V)))
    arguments = "start, linear, quadratic, theta"
    if dual.coordinate is not None:
        yield function(f"{name}_coordinate", arguments, head, python_text(dual.coordinate))
        return
    u_to_y = {U: sp.Symbol("y", real=True)}
    slope, curvature = (python_text(derivative(term.value, U, order).xreplace(u_to_y)) for order in (1, 2))
    ending = KINKED.format(slope=slope) if dual.kinked else SMOOTH
    newton = NEWTON.format(slope=slope, curvature=curvature, ending=ending)
    yield function(f"{name}_coordinate", arguments, head, body=newton)


def loss_entry(term: LossTerm, dual=None):
    """The loss's line in the table of the generated module."""
    dual = dual or derive_loss(term)
    fields = {
        "kind": term.kind,
        "parameters": tuple(str(parameter) for parameter in term.parameters),
        "lower": float(dual.lower),
        "upper": float(dual.upper),
        "steep": dual.steep,
        "start": float(dual.start),
        "kink": _kink(dual.kink),
        "source": term.source,
    }
    return f'    "{term.name}": {_literal(fields)},\n'


def _kink(kink):
    """None, the name of the parameter that the kink is, or its number."""
    if kink == 0:
        return None
    return str(kink) if kink.free_symbols else float(kink)


def _inside(dual):
    """The condition that v lies in the domain of the conjugate, as text; empty where it always does."""
    domain = dual.pair.q.domain
    below, above = ("<" if is_open else "<=" for is_open in (domain.left_open, domain.right_open))
    lower = f"{end_text(dual.lower)} {below} " if dual.lower.is_finite else ""
    upper = f" {above} {end_text(dual.upper)}" if dual.upper.is_finite else ""
    return f"{lower}v{upper}" if lower or upper else ""


def _literal(fields):
    lines = "".join(
        f'        "{key}": {end_text(value) if isinstance(value, float) else repr(value)},\n'
        for key, value in fields.items()
    )
    return f"{{\n{lines}    }}".replace("'", '"')
