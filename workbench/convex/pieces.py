"""A function of one variable as smooth pieces on consecutive intervals.

Absolute values, maxima, signs and conditions are decided interval by interval, innermost first; then
every piece is cut down to where it is real and finite. What is left must be one interval.
"""

from itertools import pairwise
from typing import NamedTuple

import mpmath
import sympy as sp

from workbench.convex import invert
from workbench.convex.limits import attempt
from workbench.convex.setting import at, compiled
from workbench.errors import ConvexityError, ExpressionError

SWITCHES = (sp.Abs, sp.Max, sp.Min, sp.sign, sp.Heaviside, sp.Piecewise)
ZERO = mpmath.mpf(10) ** -22
SCAN = 120
SHARE = mpmath.mpf(37) / 89


class Piece(NamedTuple):
    """A smooth expression on the open interval (low, high)."""

    low: sp.Expr
    high: sp.Expr
    expr: sp.Expr


def pieces_of(expression, u, low, high, setting):
    """The pieces of the function on (low, high), in order and next to each other.

    Raises
    ------
    ExpressionError
        The function is nowhere finite, or the places where pieces meet cannot be found.
    ConvexityError
        The function is finite on several intervals with gaps between them.
    """
    found = [
        part
        for piece in _resolve(expression, u, low, high, setting)
        for part in _finite_parts(piece, u, setting)
    ]
    if not found:
        raise ExpressionError(
            f"{expression}: it is real and finite on no interval; mend the formula or the domain"
        )
    return found


def continues(left, right):
    """Whether the second piece goes on with the first one's formula."""
    return left.high == right.low and sp.expand(left.expr - right.expr) == 0


def place(low, high, draw, share=SHARE):
    """A number inside the interval for one set of sample values."""
    low, high = at(low, draw), at(high, draw)
    if mpmath.isinf(low) and mpmath.isinf(high):
        return mpmath.mpf(1) / 7 + share - mpmath.mpf(1) / 2
    if mpmath.isinf(low):
        return high - 2 * share
    if mpmath.isinf(high):
        return low + 2 * share
    return low + (high - low) * share


def places(low, high, draw, count=12):
    """Numbers spread over the interval, out to the far ends of a half line and close to finite ends."""
    a, b = at(low, draw), at(high, draw)
    with mpmath.workdps(50):
        steps = [mpmath.mpf(10) ** (mpmath.mpf(-3) + mpmath.mpf(k) * 5 / (count - 1)) for k in range(count)]
        if mpmath.isinf(a) and mpmath.isinf(b):
            half = steps[::2]
            return [-s for s in reversed(half)] + half
        if mpmath.isinf(a):
            return [b - s for s in reversed(steps)]
        if mpmath.isinf(b):
            return [a + s for s in steps]
        shares = [mpmath.mpf(2 * k + 1) / (2 * count) for k in range(count)]
        shares = [mpmath.mpf("1e-4"), *shares, 1 - mpmath.mpf("1e-4")]
        return [a + (b - a) * share for share in shares]


def _resolve(expression, u, low, high, setting):
    """Yield pieces without switches."""
    node = _innermost(expression, u)
    if node is None:
        yield Piece(low, high, expression)
        return
    cuts = _sorted_roots(_switch_functions(node, u), u, low, high, setting)
    ends = [low, *cuts, high]
    for left, right in pairwise(ends):
        decided = {_decide(node, u, left, right, draw) for draw in setting.draws}
        if len(decided) != 1:
            raise ExpressionError(
                f"{node}: which case holds between {left} and {right} depends on the parameters; "
                "narrow their ranges"
            )
        yield from _resolve(expression.xreplace({node: decided.pop()}), u, left, right, setting)


def _innermost(expression, u):
    for node in sp.postorder_traversal(expression):
        if isinstance(node, SWITCHES) and node.has(u):
            return node
    return None


def _switch_functions(node, u):
    if isinstance(node, (sp.Max, sp.Min)):
        args = node.args
        return [a - b for k, a in enumerate(args) for b in args[k + 1 :]]
    if isinstance(node, sp.Piecewise):
        atoms = set().union(*(sp.sympify(cond).atoms(sp.core.relational.Relational) for _, cond in node.args))
        return [atom.lhs - atom.rhs for atom in sorted(atoms, key=str) if atom.has(u)]
    return [node.args[0]]


def _decide(node, u, low, high, draw):
    """The expression that stands for the node at a place inside the interval."""
    values = {**draw, u: place(low, high, draw)}
    if isinstance(node, sp.Piecewise):
        for expression, condition in node.args:
            if _holds(condition, values):
                return expression
        return sp.nan
    if isinstance(node, (sp.Max, sp.Min)):
        ranked = sorted(node.args, key=lambda arg: _number(arg, values))
        return ranked[-1] if isinstance(node, sp.Max) else ranked[0]
    positive = _number(node.args[0], values) > 0
    if isinstance(node, sp.Abs):
        return node.args[0] if positive else -node.args[0]
    if isinstance(node, sp.Heaviside):
        return sp.S.One if positive else sp.S.Zero
    return sp.S.One if positive else sp.S.NegativeOne


def _holds(condition, values):
    if condition in (True, False, sp.true, sp.false):
        return bool(condition)
    truth = {
        atom: bool(atom.func(sp.Float(str(_number(atom.lhs - atom.rhs, values)), 30), 0))
        for atom in condition.atoms(sp.core.relational.Relational)
    }
    return bool(condition.xreplace({atom: sp.sympify(value) for atom, value in truth.items()}))


def _number(expression, values):
    value = at(sp.sympify(expression), values)
    if mpmath.isnan(value):
        return mpmath.mpf("-inf")
    return value


# Roots


def _sorted_roots(functions, u, low, high, setting):
    """The places inside (low, high) where one of the functions vanishes, in order."""
    roots = []
    for function in functions:
        for root in real_roots(function, u, low, high, setting):
            if not any(_same(root, other, setting) for other in roots):
                roots.append(root)
    orders = {tuple(sorted(range(len(roots)), key=lambda k: at(roots[k], draw))) for draw in setting.draws}
    if len(orders) > 1:
        raise ExpressionError(
            f"the order of {', '.join(str(setting.leave(root)) for root in roots)} depends on the "
            "parameters; narrow their ranges"
        )
    return [roots[k] for k in orders.pop()]


def _same(a, b, setting):
    return all(abs(at((a - b), draw)) < ZERO for draw in setting.draws)


def real_roots(function, u, low, high, setting):
    """Every root of the function inside (low, high), as expressions in the parameters."""
    function = sp.numer(sp.together(function))
    if not function.has(u):
        return []
    candidates = [root for root in _root_candidates(function, u) if not root.has(u)]
    kept = []
    for root in candidates:
        inside = {_is_root(function, u, root, low, high, draw) for draw in setting.draws}
        if inside == {True} and not any(_same(root, other, setting) for other in kept):
            kept.append(root)
        elif len(inside) > 1:
            raise ExpressionError(
                f"whether {setting.leave(root)} lies inside the domain depends on the parameters; "
                "narrow their ranges"
            )
    for draw in setting.draws:
        _all_found(function, u, kept, low, high, draw)
    return kept


def _root_candidates(function, u):
    polynomial = attempt(sp.Poly, function, u) if function.is_polynomial(u) else None
    if polynomial is not None and not polynomial.free_symbols_in_domain:
        return list(dict.fromkeys(attempt(sp.real_roots, polynomial, default=[])))
    if polynomial is not None:
        return [
            sp.simplify(root)
            for factor, _ in sp.factor_list(polynomial)[1]
            for root in invert._polynomial_roots(factor.as_expr(), u)
        ]
    factors = [
        part.base if part.is_Pow else part for part in sp.Mul.make_args(sp.factor(function)) if part.has(u)
    ]
    return [root for part in factors for root in invert.solve(part, u, sp.S.Zero)]


def _is_root(function, u, root, low, high, draw):
    value = at(root, draw)
    if mpmath.isnan(value) or mpmath.isinf(value):
        return False
    ends = [at(end, draw) for end in (low, high)]
    if not ends[0] + ZERO < value < ends[1] - ZERO:
        return False
    residual = compiled(function, u, given=draw)(value)
    return not mpmath.isnan(residual) and abs(residual) < ZERO * max(1, abs(value))


def _all_found(function, u, roots, low, high, draw):
    """As many changes of sign as the roots allow; else some root has no closed form."""
    evaluate = compiled(function, u, given=draw)
    values = sorted(at(root, draw) for root in roots)
    points = places(low, high, draw, SCAN)
    cells = [sum(point > value for value in values) for point in points]
    signs = [evaluate(point) for point in points]
    for k in range(1, len(points)):
        if mpmath.isnan(signs[k]) or mpmath.isnan(signs[k - 1]) or cells[k] != cells[k - 1]:
            continue
        if signs[k] * signs[k - 1] < 0:
            raise ExpressionError(
                f"{function} changes sign near {u} = {mpmath.nstr(points[k], 5)}, where no closed form is "
                "known; name a domain or write the pieces out"
            )


# Where a piece is real and finite


def _finite_parts(piece, u, setting):
    """The parts of a piece where every logarithm, root and quotient is real and finite."""
    if piece.expr.has(sp.oo, -sp.oo, sp.zoo, sp.nan):
        return []
    conditions = [*_conditions(piece.expr, u)]
    cuts = _sorted_roots([function for function, _ in conditions], u, piece.low, piece.high, setting)
    ends = [piece.low, *cuts, piece.high]
    parts = []
    for low, high in pairwise(ends):
        allowed = {_allowed(conditions, u, low, high, draw) for draw in setting.draws}
        if len(allowed) > 1:
            raise ExpressionError(
                f"{setting.leave(piece.expr)}: where it is real depends on the parameters; "
                "narrow their ranges"
            )
        if allowed == {True}:
            parts.append(Piece(low, high, piece.expr))
    return parts


def _allowed(conditions, u, low, high, draw):
    values = {**draw, u: place(low, high, draw)}
    for function, strict in conditions:
        value = at(function, values)
        if mpmath.isnan(value) or (value <= 0 if strict else value == 0):
            return False
    return True


def _conditions(expression, u):
    """Yield (f, strict): f > 0 where strict, else f != 0, for the expression to be real and finite."""
    for node in sp.preorder_traversal(expression):
        if not (isinstance(node, sp.Expr) and node.has(u)) or not node.args:
            continue
        argument = node.args[0]
        if isinstance(node, sp.log) and argument.has(u):
            yield argument, True
        elif isinstance(node, sp.Pow) and not isinstance(node, sp.exp) and node.base.has(u):
            if node.exp.is_integer is not True:
                yield node.base, True
            elif node.exp.is_negative:
                yield node.base, False
        elif isinstance(node, (sp.asin, sp.acos, sp.atanh)):
            yield 1 - argument, True
            yield 1 + argument, True
        elif isinstance(node, sp.acosh):
            yield argument - 1, True
        elif isinstance(node, (sp.tan, sp.sec)):
            yield sp.cos(argument), False
        elif isinstance(node, (sp.cot, sp.csc)):
            yield sp.sin(argument), False
        elif isinstance(node, (sp.coth, sp.csch)):
            yield argument, False
        elif isinstance(node, sp.LambertW):
            yield argument + sp.exp(-1), True


def check_connected(pieces, gap):
    """Refuse a function that is finite on several intervals; `gap(left, right)` says whether they touch."""
    for left, right in pairwise(pieces):
        if gap(left, right):
            parts = f"({left.low}, {left.high}) and ({right.low}, {right.high})"
            raise ConvexityError(
                f"the function is finite on {parts} but not between them, so it is not convex; "
                "name one of them as the domain"
            )
