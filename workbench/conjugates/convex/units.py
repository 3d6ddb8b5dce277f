"""The units in which a formula counts its variable and its values: it is derived where numbers are near 1."""

import math

import sympy as sp

# Formulas within this number of decades are derived as they stand; terms with one unit share it.
DECADES, APART = 6, 3


def units_of(expression, u):
    """Return (unit, scale), powers of ten such that p(u / unit) / scale has coefficients near 1."""
    unit = _unit_of(expression, u)
    return unit, _scale_of(expression.xreplace({u: u / unit}))


def _unit_of(expression, u):
    """Return a power of ten: 1e20 for log(1 + exp(1e20 u)), and 1 where the terms have no unit in common."""
    sizes = list(_sizes(expression, u))
    middle = round(sum(sizes) / len(sizes)) if sizes else 0
    shared = sizes and max(sizes) - min(sizes) <= APART and abs(middle) > DECADES
    return sp.Integer(10) ** middle if shared else sp.S.One


def _scale_of(expression):
    """Return a power of ten: 1e-12 for 1e-12 u log(u), and 1 for coefficients within some decades of 1."""
    sizes = list(_coefficients(expression))
    largest = round(max(sizes, default=0))
    return sp.Integer(10) ** largest if abs(largest) > DECADES else sp.S.One


def _coefficients(expression):
    """log10 of the coefficients of the terms of a formula."""
    for term in sp.Add.make_args(expression):
        factor, rest = term.as_coeff_Mul() if isinstance(term, sp.Expr) else (sp.S.Zero, term)
        if isinstance(rest, (sp.Max, sp.Min, sp.Piecewise)):
            parts = (part[0] if isinstance(rest, sp.Piecewise) else part for part in rest.args)
            inner = [size for part in parts for size in _coefficients(part)]
        else:
            inner = [0]
        if factor.is_Rational and factor:
            own = math.log10(abs(factor.p)) - math.log10(factor.q)
            yield from (own + size for size in inner)


def _sizes(expression, u):
    """log10 of c^(1/n) for every term c u^n in a formula and in the arguments of its functions."""
    for term in sp.Add.make_args(expression):
        factor, rest = term.as_independent(u, as_Add=False) if isinstance(term, sp.Expr) else (sp.S.One, term)
        base, power = rest.as_base_exp() if isinstance(rest, sp.Expr) else (rest, sp.S.One)
        if base == u:
            if factor.is_Rational and power.is_Rational and power > 0:
                yield (math.log10(abs(factor.p)) - math.log10(factor.q)) / float(power)
            continue
        for part in rest.args:
            if part.has(u):
                yield from _sizes(part, u)


def recounted(shape, parts, knots, v, unit, scale):
    """(shape, parts and knots of q) of p(u), from those of p(u / unit) / scale."""
    if (unit, scale) == (1, 1):
        return shape, parts, knots
    u, steep = shape.u, unit * scale
    pieces = tuple(
        _counted(piece, u, unit, scale)._replace(
            values=tuple(value * scale for value in piece.values),
            slopes=tuple(slope * steep for slope in piece.slopes),
        )
        for piece in shape.pieces
    )
    parts = [
        _counted(part, v, 1 / steep, scale)._replace(
            root=part.root and part.root.xreplace({v: v / steep}) / unit,
            inverse=part.inverse and _counted(part.inverse, u, unit, scale),
        )
        for part in parts
    ]
    knots = [knot._replace(place=knot.place * steep, value=knot.value * scale) for knot in knots]
    return shape._replace(pieces=pieces), parts, knots


def _counted(part, x, unit, scale):
    """Return the part, or the `Inverse`, in x instead of unit x, and its values times a scale."""
    expr = part.expr.xreplace({x: unit * x})
    if expr.is_Add:
        expr = sp.Add(*(scale * term for term in expr.args))
    else:
        expr = scale * expr
    return part._replace(low=part.low / unit, high=part.high / unit, expr=expr)
