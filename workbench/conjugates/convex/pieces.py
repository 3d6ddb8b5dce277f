"""A function of one variable as smooth pieces on consecutive intervals.

Absolute values, maxima, signs and conditions are decided interval by interval, innermost first; then
every piece is cut down to where it is real and finite.
"""

from collections.abc import Collection
from itertools import pairwise

import mpmath
import sympy as sp

from workbench._support.errors import ConvexityError, ExpressionError, UndecidedError
from workbench.conjugates.convex.checker.grammar import compare_with_zero
from workbench.conjugates.convex.evaluation import value_at
from workbench.conjugates.convex.function import Part
from workbench.conjugates.convex.limited import attempt
from workbench.conjugates.convex.roots import sorted_roots
from workbench.conjugates.convex.samples import place
from workbench.conjugates.convex.syntax.needs import all_needs

SWITCHES = (sp.Abs, sp.Max, sp.Min, sp.sign, sp.Heaviside, sp.Piecewise)


class NowhereFiniteError(ExpressionError):
    """The function is finite on no interval for any values of a region of the parameters.

    At `places`, where cases change, it may be finite nevertheless.
    """

    places: Collection[sp.Expr] = ()


def pieces_of(expression, u, low, high, setting, needs=()):
    """Return the pieces of the function on (low, high), in order.

    `needs` are those of the formula as it was typed, which may be more than those of the expression.

    Raises
    ------
    ExpressionError
        The function is nowhere finite.
    UndecidedError
        The places where pieces meet, or which case holds between them, cannot be found.
    """
    expression = without_switches_of_parameters(_respelled(expression, u), u, setting)
    _refuse_unreal(expression, u, setting)
    functions = [without_switches_of_parameters(need.function, u, setting) for need in needs]
    resolved = list(_resolve(sp.Tuple(expression, *functions), u, low, high, setting))
    parts = []
    for left, right, (form, *decided) in resolved:
        needed = [need._replace(function=function) for need, function in zip(needs, decided, strict=True)]
        parts += _finite_parts(Part(left, right, form), u, setting, needed)
    if not parts:
        error = NowhereFiniteError(
            f"{expression}: it is real and finite on no interval; fix the formula or the domain"
        )
        error.places = {end for low, high, _ in resolved for end in (low, high)} - {-sp.oo, sp.oo}
        raise error
    return parts


def _respelled(expression, u):
    """Return the expression with |u - 1| for sqrt(u^2 - 2 u + 1) and exponentials for tanh in a logarithm."""

    def is_root(node):
        return node.is_Pow and node.base.is_Add and node.base.is_polynomial(u) and not node.exp.is_integer

    def absolute(node):
        power = attempt(lambda: sp.factor(node.base) ** node.exp, limit=1.0, default=node)
        return power if power.has(sp.Abs) else node

    def in_exponentials(node):
        above, below = sp.fraction(sp.together(node.args[0].rewrite(sp.exp)))
        if not below.is_positive:
            return node
        return sp.expand_log(sp.log(sp.expand(above))) - sp.log(below)

    expression = expression.replace(is_root, absolute)
    return expression.replace(lambda node: isinstance(node, sp.log) and node.has(sp.tanh), in_exponentials)


def without_switches_of_parameters(expression, u, setting):
    """Return the expression with absolute values, maxima and conditions of parameters alone decided."""
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
    """Return a Piecewise whose comparisons of parameters alone are decided."""
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


def _resolve(forms, u, low, high, setting):
    """Yield (low, high, forms) without switches, for a tuple of expressions."""
    node = _innermost(forms, u)
    if node is None:
        yield low, high, forms
        return
    # Which case holds is asked only where all of them are real; a Piecewise has cases that are real in turn.
    domain = [Part(low, high, node)]
    if not isinstance(node, sp.Piecewise):
        domain = _finite_parts(domain[0], u, setting)
    for part in domain:
        cuts = sorted_roots(_switch_functions(node, u), u, part.low, part.high, setting)
        for left, right in pairwise([part.low, *cuts, part.high]):
            decided = {_decide(node, u, left, right, draw) for draw in setting.draws}
            if len(decided) != 1:
                raise UndecidedError(
                    f"{node}: which case holds between {left} and {right} depends on the parameters; "
                    "narrow their ranges"
                )
            yield from _resolve(forms.xreplace({node: decided.pop()}), u, left, right, setting)


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
    """Return the expression that stands for the node at a place inside the interval."""
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
    value = value_at(sp.sympify(expression), values)
    if mpmath.isnan(value):
        return mpmath.mpf("-inf")
    return value


# --- the part of a piece that is real and finite


def _finite_parts(piece, u, setting, needs=()):
    """Return the parts of a piece where every logarithm, root and quotient is real and finite."""
    if piece.expr.has(sp.oo, -sp.oo, sp.zoo, sp.nan):
        return []
    relations = dict.fromkeys(
        (need.function, _relation(need, setting)) for need in (*all_needs(piece.expr), *needs)
    )
    if not all(_holds_for_parameters(*relation, setting) for relation in relations if not relation[0].has(u)):
        return []
    conditions = [relation for relation in relations if relation[0].has(u)]
    cuts = sorted_roots([function for function, _ in conditions], u, piece.low, piece.high, setting)
    ends = [piece.low, *cuts, piece.high]
    parts = []
    for low, high in pairwise(ends):
        allowed = {_allowed(conditions, u, low, high, draw) for draw in setting.draws}
        if len(allowed) > 1:
            raise UndecidedError(
                f"{setting.leave(piece.expr)}: where it is real depends on the parameters; "
                "narrow their ranges"
            )
        if allowed == {True}:
            parts.append(Part(low, high, piece.expr))
    _refuse_isolated(parts, cuts, conditions, u, setting)
    return parts


def _relation(need, setting):
    """Return the relation of a need's function to 0, which the exponent of a power settles."""
    if need.exponent is None or need.exponent.is_positive:
        return need.relation
    if need.exponent.free_symbols - set(setting.inner):
        return ">"
    return ">=" if setting.sign(need.exponent) > 0 else ">"


def _holds_for_parameters(function, relation, setting):
    return compare_with_zero(setting.sign(function), relation)


def _allowed(conditions, u, low, high, draw):
    values = {**draw, u: place(low, high, draw)}
    for function, relation in conditions:
        value = value_at(function, values)
        if mpmath.isnan(value) or not compare_with_zero(value, relation):
            return False
    return True


def is_real_at(needs, u, a, setting):
    """Return whether the needs of a formula are fulfilled at one place."""
    for need in needs:
        value = attempt(need.function.subs, u, a)
        if value is None or not compare_with_zero(setting.sign(value), _relation(need, setting)):
            return False
    return True


def _refuse_isolated(parts, cuts, conditions, u, setting):
    """Refuse a formula that is real at a place by itself, beside an interval on which it is real."""
    beside = {end for part in parts for end in (part.low, part.high)}
    for cut in cuts:
        if parts and cut not in beside and not cut.free_symbols:
            values = (attempt(function.subs, u, cut) for function, _ in conditions)
            signs = [None if value is None else setting.peek(value) for value in values]
            if all(
                sign is not None and compare_with_zero(sign, relation)
                for sign, (_, relation) in zip(signs, conditions, strict=True)
            ):
                low, high = parts[0].low, parts[-1].high
                raise ConvexityError(
                    f"the function is finite at {u} = {setting.leave(cut)} and between "
                    f"{setting.leave(low)} and {setting.leave(high)}, but not between them, so it is not "
                    "convex; name one of them as the domain"
                )
