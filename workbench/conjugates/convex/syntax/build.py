"""Arithmetic on SymPy expressions that checks what SymPy makes of each part.

SymPy evaluates while it builds, so that a power is checked before it is built, and every result after; the
readers of `parse` limit the time of all of it.
"""

import sympy as sp

from workbench.conjugates.convex.syntax.needs import needs_of
from workbench.conjugates.convex.syntax.sizes import INFINITE, NO_PLACE, Sizes, Unfit

OPEN = "the pieces do not cover every case; end with a pair such as (0, True)"
NOT_COMPARED = "what is compared here is not a real number; compare real numbers"
RELATIONS = {"<": sp.Lt, "<=": sp.Le, ">": sp.Gt, ">=": sp.Ge, "==": sp.Eq, "!=": sp.Ne}


class Builder:
    """Makes the expressions of one formula; each method gives an expression or raises `Unfit`.

    `needs` lists what the parts of the formula need to be real, as they stand before they are simplified.
    """

    def __init__(self):
        self.sizes, self.needs = Sizes(), []

    def call(self, function, *args):
        """Return a SymPy function of arguments, or a sum, a product or a power."""
        operands = [sp.Integer(arg) if isinstance(arg, int) else arg for arg in args]
        if any(operand in INFINITE for operand in operands):
            raise Unfit(NO_PLACE)
        if function in (sp.Pow, sp.exp):
            self.sizes.check_power(*operands if function is sp.Pow else (sp.E, *operands))
        for need in needs_of(function, *operands):
            if need.function.free_symbols and not need.is_plain and need not in self.needs:
                self.needs.append(need)
        try:
            return self.sizes.check(function(*operands))
        except (TypeError, ValueError):  # SymPy's words for arguments that are not real
            raise Unfit(NOT_COMPARED) from None

    def add(self, *terms):
        return self.call(sp.Add, *terms)

    def multiply(self, *factors):
        return self.call(sp.Mul, *factors)

    def power(self, base, exponent):
        return self.call(sp.Pow, base, exponent)

    def negative(self, x):
        return -x if x in INFINITE else self.multiply(-1, x)

    def inverse(self, x):
        if x == 0:
            raise Unfit("there is a division by zero here; leave it out")
        return self.power(x, -1)

    def divide(self, numerator, denominator):
        return self.multiply(numerator, self.inverse(denominator))

    def logarithm(self, x, base):
        """Return the logarithm to a base, whose own logarithm is not zero."""
        if base == 1:
            raise Unfit("a logarithm to base 1 does not exist")
        self.inverse(self.call(sp.log, base))
        return self.call(sp.log, x, base)

    def compare(self, left, relation, right):
        """Return a condition: a SymPy relational, or true or false."""
        if left in INFINITE and right in INFINITE:
            raise Unfit("oo is compared with oo here; leave that out")
        if left in INFINITE or right in INFINITE:  # every number lies on the same side of it as 0
            left, right = (side if side in INFINITE else sp.S.Zero for side in (left, right))
            return RELATIONS[relation](left, right)
        if left.has(sp.Piecewise) or right.has(sp.Piecewise):
            raise Unfit("a condition cannot hold pieces; write the comparison of each piece by itself")
        return self.call(RELATIONS[relation], left, right)

    def pieces(self, pairs):
        """Return a `Piecewise` of (value, condition), of which the last condition must be true."""
        if not any(condition == sp.true for _, condition in pairs):
            raise Unfit(OPEN)
        result = sp.Piecewise(*pairs)
        return result if result in INFINITE else self.sizes.check(result)
