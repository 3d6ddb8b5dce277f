"""Formulas as a textbook prints them: in lowest terms, and without a sign that a factor can take."""

import itertools

import sympy as sp

# The digits of a coefficient beside a power; larger ones are raised with its base.
MOST_DIGITS, LARGEST_PRIME = 12, 10_000


def tidy(expression):
    """Exponents and rational coefficients in lowest terms."""

    def lowest(node):
        exponent = sp.factor(sp.together(node.exp)) if node.exp.free_symbols else node.exp
        return sp.Pow(node.base, exponent) if exponent != node.exp else node

    expression = expression.replace(lambda node: node.is_Pow, lowest)
    if isinstance(expression, sp.Add):
        if len(expression.free_symbols) > 1:
            # Where parameters were counted from each other, they cancel.
            forms = [expression, sp.powsimp(sp.expand(expression))]
            if _powers_meet(expression):
                forms.append(sp.simplify(expression))
            expression = min(forms, key=sp.count_ops)
        expression = sp.Add(*(_factored(term) for term in sp.Add.make_args(expression)))
    else:
        expression = _factored(expression)
    return textbook(expression)


def _powers_meet(expression):
    """Return whether powers of one base meet whose exponents differ by an integer, as x^p and x^(p - 1)."""
    powers = [power for power in expression.atoms(sp.Pow) if power.exp.free_symbols]
    return any(
        one.base == other.base and (one.exp - other.exp).is_Integer
        for one, other in itertools.combinations(powers, 2)
    )


def textbook(expression):
    """Return the formula as in textbooks: v/(1 - v) for -v/(v - 1), 1/sqrt(1 - v^2) for its factored form."""
    expression = expression.replace(lambda node: node.is_Pow and not node.exp.is_Integer, _rooted)
    return expression.replace(lambda node: node.is_Mul, _signed)


def with_short_powers(expression):
    """Return the formula with (20 v/21)^21/20 for a v^21 whose coefficient has some thirty digits."""
    terms = [_short(term) for term in sp.Add.make_args(expression)]
    # Evaluated, the sum and the product would be multiplied out again.
    return sp.Add(*terms, evaluate=False) if len(terms) > 1 else terms[0]


def _short(term):
    coefficient, rest = term.as_coeff_Mul()
    powers = [factor for factor in sp.Mul.make_args(rest) if factor.is_Pow and factor.exp.is_Integer]
    if not (coefficient.is_Rational and powers and _digits(coefficient) > MOST_DIGITS):
        return term
    power = max(powers, key=lambda factor: abs(factor.exp))
    size, base = abs(coefficient), sp.S.One
    for prime, count in sp.factorrat(size, limit=LARGEST_PRIME).items():
        base *= sp.Integer(prime) ** round(sp.Rational(count, power.exp))
    factor = size / base**power.exp
    if max(_digits(factor), _digits(base)) > MOST_DIGITS:
        return term
    raised = sp.Pow(base * power.base, power.exp, evaluate=False)
    others = [part for part in (factor, rest / power) if part != 1]
    product = sp.Mul(*others, raised, evaluate=False) if others else raised
    # A sign by itself, since a printer would multiply it out with a coefficient.
    return product if coefficient > 0 else sp.Mul(-1, product, evaluate=False)


def _digits(number):
    return max(len(str(abs(number.p))), len(str(number.q)))


def _rooted(power):
    """Return the root of 1 - v^2 for that of (1 - v) (1 + v), and below the line for that of a reciprocal."""
    base, exponent = power.args
    above, below = sp.fraction(base)
    if below.has(sp.Add) and above in (1, -1):
        base, exponent = above * below, -exponent
    if base.is_Mul:
        base = min(base, sp.expand(base), key=sp.count_ops)
    return sp.Pow(base, exponent)


def _signed(product):
    """-v/(v - 1) as v/(1 - v): a difference with an odd power takes the sign of the product."""
    if product.as_coeff_Mul()[0].is_negative:
        for factor in product.args:
            base, power = factor.as_base_exp()
            if base.is_Add and power.is_Integer and power % 2 and not str(-base).startswith("-"):
                return sp.Mul(-1, product / factor, sp.Pow(-base, power))
    return product


def _factored(term):
    """Return a product whose factors without powers of symbols are brought together."""
    if not isinstance(term, sp.Mul):
        return term
    rational = [factor for factor in term.args if factor.is_rational_function() and factor.free_symbols]
    if not rational:
        return term
    rest = sp.Mul(*(factor for factor in term.args if factor not in rational))
    return sp.factor(sp.Mul(*rational)) * rest
