"""What the pieces of a loss say of it: its kinks, whether it bends at all, how strongly at most.

A fact that no argument settles is left open: the bound of the curvature is then infinite, and a solver
finds its steps by trying.
"""

import sympy as sp

from workbench.convex.limited import attempt


def kinks(pair, back):
    """(place, slope before, slope after) wherever the slope of p jumps, in the symbols of the term."""
    shape = pair.shape
    return tuple(
        tuple(pair.setting.leave(value).xreplace(back) for value in (piece.high, before[1], after[0]))
        for piece, before, after in zip(shape.pieces, shape.slopes, shape.slopes[1:], strict=False)
        if sp.simplify(before[1] - after[0]) != 0
    )


def is_straight(pair):
    """Whether p consists of straight pieces."""
    return all(sp.simplify(sp.diff(piece.expr, pair.shape.u, 2)) == 0 for piece in pair.shape.pieces)


def smoothness(pair, back):
    """The exponent with which p' is Hölder continuous around the places where p'' is infinite; 1 for none.

    Where p'' grows like |u - s|^(nu - 1), (u - s) p'''/p'' tends to nu - 1. In the symbols of the term.
    """
    u, found = pair.shape.u, [sp.S.One]
    for piece in pair.shape.pieces:
        second = sp.simplify(sp.diff(piece.expr, u, 2))
        for place, side in ((piece.low, "+"), (piece.high, "-")):
            if second != 0 and place.is_finite:
                ratio = (u - place) * sp.diff(second, u) / second
                growth = attempt(lambda r=ratio, s=place, d=side: sp.limit(sp.simplify(r), u, s, d))
                # At -1 and below the slope itself is infinite, at an end of the domain.
                if growth is not None and growth.is_finite and not (1 + growth).is_nonpositive:
                    found.append(pair.setting.leave(1 + growth).xreplace(back))
    return sp.Min(*found)


def curvature(pair):
    """An upper bound of p'' between the kinks, infinite where none was proved for all parameters."""
    return max(_of_piece(piece, pair.shape.u) for piece in pair.shape.pieces)


def modulus(pair, fixed):
    """A lower bound of p'', 0 where none was proved; `fixed` has numbers for parameters by name."""
    numbers = {
        parameter.symbol: fixed[name]
        for name, parameter in pair.setting.parameters.items()
        if name in fixed
    }
    pieces = (
        [pair.setting.leave(each).xreplace(numbers) for each in (piece.expr, piece.low, piece.high)]
        for piece in pair.shape.pieces
    )
    return min(_least(*piece, pair.shape.u) for piece in pieces)


def _least(expr, low, high, u):
    second = sp.simplify(sp.diff(expr, u, 2))
    if second.is_number:
        return float(second)
    if second.free_symbols != {u} or low.free_symbols or high.free_symbols:
        return 0.0
    from workbench.convex.enclosures import infimum

    found = infimum(second, u, low, high)
    return max(float(found.low), 0.0) if found.proved else 0.0


def _of_piece(piece, u):
    second = sp.simplify(sp.diff(piece.expr, u, 2))
    if second.is_number:
        return float(second)
    if second.free_symbols != {u} or piece.low.free_symbols or piece.high.free_symbols:
        return float("inf")
    from workbench.convex.enclosures import supremum

    found = supremum(second, u, piece.low, piece.high)
    return float(found.high) if found.proved else float("inf")
