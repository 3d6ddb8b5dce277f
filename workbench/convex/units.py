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


def recounted(shape, parts, knots, v, unit):
    """(shape, parts and knots of q) of p(u), from those of p(u / unit)."""
    if unit == 1:
        return shape, parts, knots
    u = shape.u
    pieces = tuple(
        _counted(piece, u, unit)._replace(slopes=tuple(slope * unit for slope in piece.slopes))
        for piece in shape.pieces
    )
    parts = [
        _counted(part, v, 1 / unit)._replace(
            root=part.root and part.root.xreplace({v: v / unit}) / unit,
            inverse=part.inverse and _counted(part.inverse, u, unit),
        )
        for part in parts
    ]
    knots = [knot._replace(place=knot.place * unit) for knot in knots]
    return shape._replace(pieces=pieces), parts, knots


def _counted(part, x, unit):
    """The part, or the `Inverse`, in x instead of unit x."""
    return part._replace(low=part.low / unit, high=part.high / unit, expr=part.expr.xreplace({x: unit * x}))
