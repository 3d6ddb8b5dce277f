"""Arithmetic on SymPy expressions that measures before it builds and checks what came out.

SymPy simplifies while it builds: it adds exponents, evaluates constants, and asks what is positive or
always the larger. The first two are capped by `Sizes`. The questions are quick for small arguments and
can take forever for large ones, so what is large is built as it stands, which means the same.
"""

import sympy as sp

from workbench.conjugates.convex.syntax.needs import needs_of
from workbench.conjugates.convex.syntax.sizes import INFINITE, NO_PLACE, Sizes, Unfit, largest

PARTS = 36  # of the operands that SymPy may ask questions about
STEEP = 3  # parts that a degree counts for
DEGREE = 1000  # of powers within powers, which multiply
OPEN = "the pieces do not cover every case; end with a pair such as (0, True)"
RELATIONS = {"<": sp.Lt, "<=": sp.Le, ">": sp.Gt, ">=": sp.Ge, "==": sp.Eq, "!=": sp.Ne}


class Builder:
    """Makes the expressions of one formula; each method gives an expression or raises `Unfit`.

    `needs` lists what the parts of the formula need to be real, as they stand before they are simplified.
    """

    def __init__(self):
        self.sizes, self.needs = Sizes(), []
        self._extents = {}

    def refuse(self, sentence):
        """Raise `Unfit`."""
        raise Unfit(sentence)

    def checked(self, expression):
        """Return an expression from elsewhere, or of a constructor that evaluates nothing."""
        self.sizes.check(expression)
        if self._extent(expression)[-1] > DEGREE:
            raise Unfit(f"powers of powers go beyond {DEGREE}; use smaller exponents")
        return expression

    def _note(self, function, *arguments):
        """Add the needs of a function of arguments, unless they are plainly fulfilled."""
        for need in needs_of(function, *arguments):
            small = self.small(need.function)
            if need.function.free_symbols and not (small and need.is_plain) and need not in self.needs:
                self.needs.append(need)

    def _operands(self, *operands):
        result = [sp.Integer(operand) if isinstance(operand, int) else operand for operand in operands]
        if any(operand in INFINITE for operand in result):
            raise Unfit(NO_PLACE)
        return result

    def add(self, *terms):
        parts = [part for term in self._operands(*terms) for part in sp.Add.make_args(term)]
        small = [part for part in parts if self.small(part)]
        total = self.checked(sp.Add(*small))
        large = [part for part in parts if not self.small(part)]
        if not large:
            return total
        return self.checked(_joined(sp.Add, [*sp.Add.make_args(total), *large]))

    def multiply(self, *factors):
        factors = self._operands(*factors)
        product = factors[0]
        # One by one: exponents add up in a product, and are checked before the next is added.
        for factor in factors[1:]:
            product = self._product(product, factor)
        return product

    def _product(self, x, y):
        if 0 in (x, y):
            return sp.S.Zero
        if self.small(x, y):
            return self.checked(sp.Mul(x, y))
        parts = [*sp.Mul.make_args(x), *sp.Mul.make_args(y)]
        plain = sp.Mul(*filter(_is_plain, parts))
        others = [part for part in parts if not _is_plain(part)]
        return self.checked(_joined(sp.Mul, [*sp.Mul.make_args(plain), *others]))

    def negative(self, x):
        return -x if x in INFINITE else self.multiply(-1, x)

    def inverse(self, x):
        (x,) = self._operands(x)
        if x == 0:
            raise Unfit("there is a division by zero here; leave it out")
        return self.power(x, sp.S.NegativeOne)

    def divide(self, numerator, denominator):
        inverse = self.inverse(*self._operands(denominator))
        return self.multiply(numerator, inverse)

    def power(self, base, exponent):
        base, exponent = self._operands(base, exponent)
        self.sizes.check_power(base, exponent)
        self._note(sp.Pow, base, exponent)
        if exponent == 1:
            return base
        return self.checked(sp.Pow(base, exponent, evaluate=self.small(base, exponent)))

    def exponential(self, x):
        (x,) = self._operands(x)
        self.sizes.check_power(sp.E, x)
        return self.checked(sp.exp(x, evaluate=self.small(x)))

    def call(self, function, *args):
        """Return a SymPy function that is neither a power nor compares anything."""
        args = self._operands(*args)
        self._note(function, *args)
        if function is sp.log and len(args) == 2:
            self._note(sp.Pow, self.call(sp.log, args[1]), sp.S.NegativeOne)
            if not self.small(*args):
                return self.divide(self.call(sp.log, args[0]), self.call(sp.log, args[1]))
            return self.checked(sp.log(*args))
        return self.checked(function(*args, evaluate=self.small(*args)))

    def small(self, *args):
        """Return whether SymPy may simplify what is built of these."""
        parts, degrees = zip(*map(self._extent, args), strict=True)
        # SymPy looks for the roots of polynomials, which takes longer the higher their degree.
        return sum(parts) + STEEP * max(degrees) <= PARTS

    def _extent(self, node):
        """Return the number of parts and the degree of a polynomial, which goes through functions.

        The square of abs(u**50) has the degree 100.
        """
        if node not in self._extents:
            below = [self._extent(part) for part in node.args] or [(0, 1)]
            parts, degrees = zip(*below, strict=True)
            degree = sum(degrees) if node.is_Mul else max(degrees)
            if node.is_Pow:
                degree = max(1, largest(node.exp)) * degrees[0]
            self._extents[node] = 1 + sum(parts), degree
        return self._extents[node]

    def _sign_of(self, constant):
        value = self.sizes.value(constant)
        return (value > 0) - (value < 0)

    def absolute(self, x):
        (x,) = self._operands(x)
        if self.sizes.constant(x):
            return x if self._sign_of(x) >= 0 else self.negative(x)
        return self.checked(sp.Abs(x, evaluate=self.small(x)))

    def sign(self, x):
        (x,) = self._operands(x)
        if self.sizes.constant(x):
            return sp.Integer(self._sign_of(x))
        return self.checked(sp.sign(x, evaluate=self.small(x)))

    def extreme(self, kind, *args):
        """`sp.Max` or `sp.Min`; constants are compared here, others by SymPy where that is quick."""
        flat: list[sp.Expr] = []
        for arg in self._operands(*args):
            flat += arg.args if isinstance(arg, kind) else [arg]
        arguments = {arg: None for arg in flat if not self.sizes.constant(arg)}
        constants = [arg for arg in flat if self.sizes.constant(arg)]
        if constants:
            best = constants[0]
            for other in constants[1:]:
                if self.difference_sign(other, best) * (1 if kind is sp.Max else -1) > 0:
                    best = other
            arguments[best] = None
        if len(arguments) == 1:
            return next(iter(arguments))
        try:
            return self.checked(kind(*arguments, evaluate=self.small(*arguments)))
        except ValueError:  # SymPy's word for arguments that are not real
            raise Unfit("what is compared here is not a real number; compare real numbers") from None

    def difference_sign(self, x, y):
        if x == y:
            return 0
        return self._sign_of(self.add(x, self.negative(y)))

    def compare(self, left, relation, right):
        """Return a condition: a SymPy relational, or true or false where both sides are constants."""
        for infinite, other, sign in ((left, right, 1), (right, left, -1)):
            if infinite in INFINITE:
                if other in INFINITE:
                    raise Unfit("oo is compared with oo here; leave that out")
                side = sign if infinite is sp.oo else -sign
                return sp.true if _holds(side, relation) else sp.false
        if self.sizes.constant(left) and self.sizes.constant(right):
            return sp.true if _holds(self.difference_sign(left, right), relation) else sp.false
        if left.has(sp.Piecewise) or right.has(sp.Piecewise):
            raise Unfit("a condition cannot hold pieces; write the comparison of each piece by itself")
        try:
            result = RELATIONS[relation](left, right, evaluate=self.small(left, right))
        except TypeError:  # SymPy's word for sides that are not real
            raise Unfit("what is compared here is not a real number; compare real numbers") from None
        self.sizes.constant(result)
        return result

    def combine(self, kind, *conditions):
        """`sp.And`, `sp.Or` or `sp.Not` of conditions."""
        if not all(self.small(condition) for condition in conditions):
            raise Unfit("a comparison here is too large to be joined with others; simplify it")
        return kind(*conditions)

    def pieces(self, pairs):
        """Return a `Piecewise` of (value, condition), of which the last condition must be true."""
        branches = []
        for value, condition in pairs:
            if condition == sp.false:
                continue
            branches.append((value, condition))
            if condition == sp.true:
                break
        if not branches or branches[-1][1] != sp.true:
            raise Unfit(OPEN)
        if len(branches) == 1:
            return branches[0][0]
        tame = self.small(*(part for pair in branches for part in pair if part not in INFINITE))
        result = sp.Piecewise(*branches, evaluate=tame)
        return result if result in INFINITE else self.checked(result)


def _is_plain(part):
    """Return whether SymPy multiplies a factor without a question: 2, u and u**3."""
    base, exponent = part.args if part.is_Pow else (part, sp.S.One)
    return part.is_Rational or (base.is_Symbol and exponent.is_Rational)


def _joined(kind, parts):
    """Return a sum or product as it stands, without its neutral element."""
    parts = [part for part in parts if part != kind.identity]
    return kind(*parts, evaluate=False) if len(parts) > 1 else parts[0]


def _holds(sign, relation):
    """Return whether `x relation y` where sign is that of x - y."""
    strict = {"<": sign < 0, ">": sign > 0, "==": sign == 0}
    loose = {"<=": sign <= 0, ">=": sign >= 0, "!=": sign != 0}
    return (strict | loose)[relation]
