"""A function of one variable as smooth pieces on consecutive intervals.

Absolute values, maxima, signs and conditions are decided interval by interval, innermost first; then
every piece is cut down to where it is real and finite.
"""

from itertools import pairwise

import mpmath
import sympy as sp

from workbench.convex.evaluation import at
from workbench.convex.function import Part
from workbench.convex.roots import sorted_roots
from workbench.convex.samples import place
from workbench.errors import ExpressionError

SWITCHES = (sp.Abs, sp.Max, sp.Min, sp.sign, sp.Heaviside, sp.Piecewise)


class NowhereFiniteError(ExpressionError):
    """The function is finite on no interval for any values of a region of the parameters.

    At `places`, where cases change, it may be finite nevertheless.
    """

    places = ()


def pieces_of(expression, u, low, high, setting, natural=()):
    """The pieces of the function on (low, high), in order.

    `natural` holds further conditions, as `natural_conditions` finds them, that the function is real.

    Raises
    ------
    ExpressionError
        The function is nowhere finite, or the places where pieces meet cannot be found.
    """
    expression = without_switches_of_parameters(expression, u, setting)
    _refuse_unreal(expression, u, setting)
    resolved = list(_resolve(expression, u, low, high, setting))
    parts = [part for piece in resolved for part in _finite_parts(piece, u, setting, natural)]
    if not parts:
        error = NowhereFiniteError(
            f"{expression}: it is real and finite on no interval; fix the formula or the domain"
        )
        error.places = {end for piece in resolved for end in (piece.low, piece.high)} - {-sp.oo, sp.oo}
        raise error
    return parts


def without_switches_of_parameters(expression, u, setting):
    """The expression with every absolute value, maximum and condition decided that holds no variable."""
    while True:
        for node in sp.postorder_traversal(expression):
            if isinstance(node, sp.Piecewise):
                decided = _decided_conditions(node, u, setting)
            elif isinstance(node, SWITCHES) and node.free_symbols and not node.has(u):
                decided = _of_parameters(node, setting)
            else:
                continue
            if decided != node:
                expression = expression.xreplace({node: decided})
                break
        else:
            return expression


def _of_parameters(node, setting):
    if isinstance(node, (sp.Max, sp.Min)):
        best, *rest = node.args
        for other in rest:
            larger = setting.order(best, other) > 0
            best = other if larger == isinstance(node, sp.Max) else best
        return best
    sign = setting.sign(node.args[0])
    if isinstance(node, sp.Abs):
        return sign * node.args[0]
    return sp.Integer(sign) if isinstance(node, sp.sign) else sp.Rational(1 + sign, 2)


def _decided_conditions(node, u, setting):
    """A Piecewise whose comparisons of parameters alone are decided."""
    atoms = set().union(*(sp.sympify(cond).atoms(sp.core.relational.Relational) for _, cond in node.args))
    truths = {}
    for atom in sorted(atoms, key=str):
        if not atom.has(u):
            truths[atom] = sp.sympify(bool(atom.func(setting.order(atom.rhs, atom.lhs), 0)))
    cases = [(form, sp.sympify(cond).xreplace(truths)) for form, cond in node.args]
    return sp.Piecewise(*cases) if truths else node


def _refuse_unreal(expression, u, setting):
    """Refuse values of the parameters for which a part without the variable is not real."""
    for node in expression.atoms(sp.log, sp.Pow):
        inner = node.args[0]
        if node.has(u) or not inner.free_symbols:
            continue
        root = isinstance(node, sp.Pow) and node.exp.is_integer is not True
        if isinstance(node, sp.log) or root or (node.exp.is_negative if isinstance(node, sp.Pow) else False):
            sign = setting.sign(inner)
            zero_fits = root and node.exp.is_positive
            if (sign < 0 and (root or isinstance(node, sp.log))) or (sign == 0 and not zero_fits):
                names = ", ".join(sorted(map(str, setting.leave(inner).free_symbols)))
                raise NowhereFiniteError(
                    f"{setting.leave(node)} is not real and finite; narrow the range of {names}"
                )


def _resolve(expression, u, low, high, setting):
    """Yield pieces without switches."""
    node = _innermost(expression, u)
    if node is None:
        yield Part(low, high, expression)
        return
    # Which case holds is asked only where all of them are real; a Piecewise has cases that are real in turn.
    domain = [Part(low, high, node)]
    if not isinstance(node, sp.Piecewise):
        domain = _finite_parts(domain[0], u, setting, ())
    for part in domain:
        cuts = sorted_roots(_switch_functions(node, u), u, part.low, part.high, setting)
        for left, right in pairwise([part.low, *cuts, part.high]):
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


# Where a piece is real and finite


def natural_conditions(expression, u, setting):
    """Where a formula is real, before values of the parameters make a part of it vanish, as 0*log(u).

    What stands in the cases of a Piecewise counts only where its case holds, and is left out.
    """
    if not any(isinstance(condition, sp.Equality) for condition in setting.conditions):
        return ()
    plain = expression.replace(lambda node: isinstance(node, sp.Piecewise), lambda node: sp.S.One)
    entered = [(setting.enter(function), strict) for function, strict in _conditions(plain, u)]
    return tuple((function, strict) for function, strict in entered if function.has(u))


def _finite_parts(piece, u, setting, natural):
    """The parts of a piece where every logarithm, root and quotient is real and finite."""
    if piece.expr.has(sp.oo, -sp.oo, sp.zoo, sp.nan):
        return []
    conditions = [*_conditions(piece.expr, u), *natural]
    cuts = sorted_roots([function for function, _ in conditions], u, piece.low, piece.high, setting)
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
            parts.append(Part(low, high, piece.expr))
    return parts


def _allowed(conditions, u, low, high, draw):
    values = {**draw, u: place(low, high, draw)}
    for function, strict in conditions:
        value = at(function, values)
        if mpmath.isnan(value) or (value < 0 if strict is None else value <= 0 if strict else value == 0):
            return False
    return True


def _conditions(expression, u):
    """Yield (f, strict), for the expression to be real: f > 0 where strict, f >= 0 for None, else f != 0."""
    for node in sp.preorder_traversal(expression):
        if not (isinstance(node, sp.Expr) and node.has(u)) or not node.args:
            continue
        argument = node.args[0]
        if isinstance(node, sp.log) and argument.has(u):
            yield argument, True
        elif isinstance(node, sp.Pow) and not isinstance(node, sp.exp) and node.base.has(u):
            if node.exp.is_integer is not True:
                yield node.base, None if node.exp.is_positive else True
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
