"""Bounds of the rounding error of a printed formula, in units of the unit roundoff.

A first-order running error analysis (Higham 2002, chapter 3), written as a formula itself: an operation adds
its own rounding and passes on those of its arguments, multiplied by its derivatives. A sum passes on the
magnitudes of its terms, which tells of cancellation; a power x^e multiplies a relative error of x by e, and
one of e by ln x.
"""

import sympy as sp

from workbench.conjugates.codegen.printer import derivative, python_text
from workbench.conjugates.codegen.text import function

# The error of elementary functions and of the stable forms of the table, in units in the last place.
ELEMENTARY = 4
# Below this argument a power counts as being there: its relative error would be infinite at zero.
LEAST = sp.Float("1e-300")
# The nodes that SymPy writes for the size of a number that may be complex.
COMPLEX = sp.conjugate, sp.re, sp.im, sp.arg, sp.atan2


def rounding_functions(prefix, head, *formulas):
    """Yield, for each (name, expression, variable), the source of the function `name_rounding`."""
    for name, expression, variable in formulas:
        text = python_text(rounding(sp.sympify(expression)))
        yield function(f"{prefix}_{name}_rounding", f"{variable}, theta", head, text)


def rounding(node):
    """Return a bound of the rounding error of an expression as it is printed, over the unit roundoff."""
    if node.is_Symbol or node.is_Integer or node in (sp.nan, sp.oo, -sp.oo):
        return sp.S.Zero
    if node.is_number:
        dyadic = node.is_Rational and node.q & (node.q - 1) == 0
        return sp.S.Zero if dyadic else 2 * _size(node)
    if hasattr(node, "rounding"):
        return node.rounding()
    if isinstance(node, sp.Piecewise):
        return sp.Piecewise(*((rounding(expr), cond) for expr, cond in node.args))
    passed = [rounding(sp.sympify(argument)) for argument in node.args]
    if node.is_Add:
        return sp.Add(*passed, (len(node.args) - 1) * sp.Add(*map(_size, node.args)))
    if node.is_Mul:
        # A change of sign does not round.
        own = (len(node.args) - 1 - (node.args[0] == -1)) * _size(node)
        others = (sp.Mul(*map(_size, node.args[:k] + node.args[k + 1 :])) for k in range(len(passed)))
        return sp.Add(own, *(error * other for error, other in zip(passed, others, strict=True)))
    if node.is_Pow:
        return _power(node, *passed)
    if isinstance(node, (sp.Abs, sp.Max, sp.Min)):
        return sp.Add(*passed)
    if isinstance(node, (sp.sign, sp.Heaviside)):
        return sp.S.Zero
    slopes = (_slope(node, k) for k in range(len(node.args)))
    terms = (_size(slope) * error for slope, error in zip(slopes, passed, strict=True) if error != 0)
    return sp.Add(ELEMENTARY * _size(node), *terms)


def _power(node, of_base, of_exponent):
    base, exponent = node.as_base_exp()
    size = sp.Max(_size(base), LEAST)
    relative = sp.S(ELEMENTARY) if not exponent.is_Integer else _size(exponent)
    relative += _size(exponent) * of_base / size + of_exponent * _size(sp.log(size))
    return _size(node) * relative


def _slope(node, k):
    place = sp.Dummy("x", real=True)
    arguments = list(node.args)
    argument, arguments[k] = arguments[k], place
    return derivative(node.func(*arguments), place).xreplace({place: argument})


def _size(node):
    """|x| of a part of a formula, which is a real number wherever the formula is one.

    Where SymPy does not see that, as of a logarithm whose argument is positive for a reason, it would write
    the root of x times its complex conjugate, or an exponential of the real part of its argument.
    """
    size = sp.Abs(node)
    return sp.Abs(node, evaluate=False) if size.has(*COMPLEX) else size
