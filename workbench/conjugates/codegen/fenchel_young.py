"""A Fenchel-Young loss, from the text of phi to the source of a module like `kernels.formulas`.

Omega(p) = sum_j phi(p_j) on the simplex, so that phi is needed on [0, 1] alone, and with phi* the conjugate
of this restriction Omega*(z) = min over m of m + sum_j phi*(z_j - m). The functions are those of a loss whose
conjugate is phi: `value` is phi*, `slope` the share that an argument asks for, `coordinate` the share under a
parabola. `shares` finds the multiplier m of sum p = 1.
"""

from typing import NamedTuple

import sympy as sp

from workbench._support.errors import InputError
from workbench.conjugates.codegen.coordinate import coordinate_body
from workbench.conjugates.codegen.custom import (
    HEADER,
    claims,
    explicit,
    in_pieces,
    read_formula,
    with_helpers,
    without_overflow,
)
from workbench.conjugates.codegen.losses import facts_function
from workbench.conjugates.codegen.printer import derivative, python_text
from workbench.conjugates.codegen.rounding import rounding_functions
from workbench.conjugates.codegen.text import end_text, function
from workbench.conjugates.convex.conjugate import conjugate
from workbench.conjugates.convex.limited import attempt
from workbench.conjugates.terms import facts
from workbench.conjugates.terms.derived import DerivedLoss, stable
from workbench.conjugates.terms.losses import LossTerm, U, V

UNIT = sp.Interval(0, 1)

# At the lower end some share is 1 or all are 1/r and more, at the upper one none is above 1/r: the sum of the
# shares falls from 1 or more to 1 or less. Newton's steps stay between, and halve where they do not shrink.
SHARES = """\
    r = p.shape[0]
    low, high, least = -math.inf, -math.inf, math.inf
    for j in range(r):
        even = linear[j] - q[j] / r
        high = max(high, even)
        least = min(least, even)
        low = max(low, linear[j] - q[j])
    middle = share_slope(1.0 / r, theta)
    low, high = max(low - ({steepest}), least - middle), high - middle
    multiplier, last = low, math.inf
    for _ in range(300):
        total = bent = 0.0
        for j in range(r):
            p[j] = share(0.0, linear[j] - multiplier, q[j], theta)
            s = share_bend(linear[j] - multiplier - q[j] * p[j], theta)
            total += p[j]
            bent += s / (1.0 + q[j] * s)
        miss = total - 1.0
        if abs(miss) <= 2e-16 * r:
            break
        if miss > 0.0:
            low = multiplier
        else:
            high = multiplier
        move = miss / bent if bent > 0.0 else math.inf
        if not (low < multiplier + move < high and abs(move) <= 0.5 * last):
            move = 0.5 * (low + high) - multiplier
        if multiplier + move == multiplier or not low < multiplier + move < high:
            break
        last = abs(move)
        multiplier += move
    for j in range(r):
        p[j] /= total
    return multiplier
"""


class Swapped(NamedTuple):
    """A pair whose function is the conjugate that was derived."""

    p: object
    q: object


def fenchel_young_source(text, values):
    """Return the module of a Fenchel-Young loss."""
    parsed, _ = read_formula(text, U, None, values)
    pair = conjugate(parsed, domain=UNIT)
    check(text, pair)
    phi = in_pieces(pair).xreplace({pair.p.variable: V})
    back = {pair.q.variable: U}
    value, helpers = explicit(pair, without_overflow(pair.q.expr.xreplace(back)), U)
    term = LossTerm("custom", "classes", value, source=text)
    dual = _facts(pair, stable(phi, V))
    ends = [_at(pair, place) for place in (0, 1)]
    slopes = pair.shape.slopes[0][0], pair.shape.slopes[-1][1]
    parts = [HEADER.format(text=text), _entry(text, pair, slopes), claims(text, pair), *helpers]
    parts += [f"\n{source}\n" for source in _functions(term, dual, ends, slopes)]
    return with_helpers(parts)


def check(text, pair):
    """Refuse what gives no loss, or predictions that are not unique."""
    domain = pair.p.domain
    if domain != UNIT:
        place = next((place for place in (0, 1) if place not in domain), None)
        where = f"outside {domain}" if place is None else f"at u = {place}"
        raise InputError(
            f"fenchel_young: phi = {text!r} is infinite {where}, and the loss asks for sum_j phi(p_j) at the "
            "corners of the simplex; use a function that is finite on all of [0, 1], such as u*log(u)"
        )
    for piece, (low, high) in zip(pair.shape.pieces, pair.shape.slopes, strict=True):
        if low == high:
            raise InputError(
                f"fenchel_young: phi = {text!r} is a straight line for u between {piece.low} and "
                f"{piece.high}, so that the prediction is not unique; add a strictly convex term such as "
                "u**2/2"
            )


def _at(pair, place):
    """Return phi at an end of [0, 1]."""
    piece = pair.shape.pieces[0 if place == 0 else -1]
    limit = attempt(lambda: sp.limit(piece.expr, pair.shape.u, place, "+" if place == 0 else "-"))
    value = piece.expr.subs(pair.shape.u, place) if limit is None else limit
    return float(value)


def _facts(pair, phi):
    """Return the facts of the loss.

    Strict convexity of phi makes phi* differentiable; kinks of phi make phi* flat.
    """
    back = {pair.p.variable: V}
    least = facts.modulus(pair, {})
    curvature = 1.0 / least if least > 0.0 else float("inf")
    return DerivedLoss(
        Swapped(pair.q, pair.p),
        phi,
        sp.S.NegativeOne,
        sp.S.One,
        None,
        sp.S.Zero,
        _is_steep(pair),
        sp.S.Zero,
        (),
        (),
        facts.kinks(pair, back),
        sp.Float(curvature),
        _smoothness(pair, least),
        (),
        (),
    )


def _is_steep(pair):
    """Return whether the slope of phi is infinite at an end of [0, 1], so that no share is 0 or 1."""
    slopes = pair.shape.slopes
    return slopes[0][0] == -sp.oo or slopes[-1][1] == sp.oo


def _smoothness(pair, least):
    """Return the Hölder exponent of the slope of phi*: 1/(1 + m) where phi'' vanishes like a power m.

    0 where phi'' may vanish and the place is not found.
    """
    if least > 0.0:
        return sp.S.One
    u, candidates = pair.shape.u, [sp.S.One]
    for piece in pair.shape.pieces:
        second = sp.simplify(sp.diff(piece.expr, u, 2))
        zeros = attempt(lambda s=second: sp.solve(s, u))
        inside = [z for z in zeros or () if z.is_real and piece.low <= z <= piece.high]
        if not inside:
            return sp.S.Zero
        for place in inside:
            side = "+" if place < piece.high else "-"
            ratio = sp.simplify((u - place) * sp.diff(second, u) / second)
            growth = attempt(lambda r=ratio, z=place, d=side: sp.limit(r, u, z, d))
            if growth is None or not growth.is_finite:
                return sp.S.Zero
            candidates.append(1 / (1 + growth))
    return sp.Min(*candidates)


def _entry(text, pair, slopes):
    """Return the line of the table, with phi at the corners and its slopes at the ends of [0, 1]."""
    fields = {
        "kind": "classes",
        "parameters": {},
        "steep": _is_steep(pair),
        "start": 0.0,
        "likelihood": False,
        "source": text,
        "corners": (_at(pair, 0), _at(pair, 1)),
    }
    lines = "".join(f'    "{key}": {value!r},\n' for key, value in fields.items())
    ends = ", ".join(map(end_text, slopes))
    return f'ENTRY = {{\n{lines}    "domain": (-math.inf, math.inf),\n    "slopes": ({ends}),\n}}\n\n'


def _functions(term, dual, ends, slopes):
    """Yield the source text of each function."""
    value, slope, bend = (python_text(derivative(term.value, U, order)) for order in range(3))
    phi, phi_slope = (python_text(derivative(dual.conjugate, V, order)) for order in range(2))
    # At the ends themselves a formula may multiply zero by infinity.
    low, high, steep, steepest = (end_text(end) for end in (*ends, *slopes))
    inner = f"({phi}) if 0.0 < v < 1.0 else ({low} if v == 0.0 else ({high} if v == 1.0 else math.inf))"
    inner_slope = f"({phi_slope}) if 0.0 < v < 1.0 else ({steep} if v <= 0.0 else {steepest})"
    arguments = "start, linear, quadratic, theta"
    expression, body = coordinate_body(term, dual)
    yield function("custom_value", "u, theta", "", value)
    yield function("custom_slope", "u, theta", "", slope)
    yield function("custom_curvature", "u, theta", "", bend)
    yield function("custom_conjugate", "v, theta", "", inner)
    yield function("custom_conjugate_slope", "v, theta", "", inner_slope)
    yield function("custom_coordinate", arguments, "", expression, body)
    yield facts_function("custom", "", dual)
    yield from rounding_functions(
        "custom", "", ("value", term.value, "u"), ("conjugate", dual.conjugate, "v")
    )
    yield "@inline\n" + function("share", arguments, "", expression, body)
    yield "@inline\n" + function("share_bend", "u, theta", "", bend)
    yield "@inline\n" + function("share_slope", "v, theta", "", inner_slope)
    yield function("custom_shares", "linear, q, p, theta", "", body=SHARES.format(steepest=steepest))
