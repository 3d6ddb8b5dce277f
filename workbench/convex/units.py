"""The unit in which a formula counts its variable: pieces and roots are found where numbers are near 1."""

import math

import sympy as sp

# Formulas within so many decades are derived as they stand; the unit is one where all terms have the same.
DECADES, APART = 6, 3


def unit_of(expression, u):
    """A power of ten: 1e20 for log(1 + exp(1e20 u)), and 1 where the terms have no unit in common."""
    sizes = list(_sizes(expression, u))
    middle = round(sum(sizes) / len(sizes)) if sizes else 0
    shared = sizes and max(sizes) - min(sizes) <= APART and abs(middle) > DECADES
    return sp.Integer(10) ** middle if shared else sp.S.One


def _sizes(expression, u):
    """log10 of c^(1/n) for every term c u^n in a formula and in the arguments of its functions."""
    for term in sp.Add.make_args(expression):
        factor, rest = term.as_independent(u, as_Add=False) if isinstance(term, sp.Expr) else (1, term)
        base, power = rest.as_base_exp() if isinstance(rest, sp.Expr) else (rest, 1)
        if base == u:
            if factor.is_Rational and power.is_Rational and power > 0:
                yield (math.log10(abs(factor.p)) - math.log10(factor.q)) / float(power)
            continue
        for part in rest.args:
            if part.has(u):
                yield from _sizes(part, u)


def recounted(shape, spans, v, unit):
    """(shape, spans) of p(u), from those of p(u / unit)."""
    if unit == 1:
        return shape, spans
    u = shape.u
    pieces = tuple(
        piece._replace(low=piece.low / unit, high=piece.high / unit, expr=piece.expr.xreplace({u: unit * u}))
        for piece in shape.pieces
    )
    slopes = tuple((low * unit, high * unit) for low, high in shape.slopes)

    def back(form):
        return None if form is None else form.xreplace({v: v / unit})

    spans = tuple(
        span._replace(low=span.low * unit, high=span.high * unit, expr=back(span.expr),
                      root=None if span.root is None else back(span.root) / unit)
        for span in spans
    )  # fmt: skip
    return shape._replace(pieces=pieces, slopes=slopes), spans
