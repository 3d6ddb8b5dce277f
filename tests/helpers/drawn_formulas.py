"""Formulas in v drawn from a seed, with the interval that v lies in, and what they are in 50 digits."""

import mpmath

DIGITS, PLACES = 50, 40
FUNCTIONS = ("sin", "cos", "asin", "acos", "atan", "exp", "log", "sqrt", "lambertw")
INTERVALS = (
    ("0", "1"),
    ("-1", "1"),
    ("0", "pi/2"),
    ("-pi/2", "pi/2"),
    ("0", "pi"),
    ("1", "4"),
    ("-1/4", "2"),
)
WRAPPED = (
    "sin({})",
    "cos({})",
    "asin({})",
    "acos({})",
    "atan({})",
    "lambertw({})",
    "exp({})",
    "log({})",
    "sqrt({})",
    "({})**2",
    "1/({})",
    "-({})",
    "({}) + pi/2",
    "({}) - pi",
    "({})/2",
)
JOINED = ("({}) + ({})", "({}) - ({})", "({})*({})", "({})/({})")


def real(function):
    """The function with nan for values that are not real."""

    def evaluated(x):
        value = mpmath.mpmathify(function(x))
        return value if isinstance(value, mpmath.mpf) else value.real if value.imag == 0 else mpmath.nan

    return evaluated


NAMES = {name: real(getattr(mpmath, name)) for name in FUNCTIONS}
NAMES |= {"pi": +mpmath.pi, "mpf": mpmath.mpf}


def formula(chance, depth=3):
    """A formula, of which parts may have no value on the interval."""
    if depth == 0 or chance.random() < 0.15:
        return chance.choice(("v", "v", "v", "1", "2", "1/2", "pi"))
    if chance.random() < 0.7:
        return chance.choice(WRAPPED).format(formula(chance, depth - 1))
    return chance.choice(JOINED).format(formula(chance, depth - 1), formula(chance, depth - 1))


def values(text, ends, count=PLACES):
    """Its values inside the interval; nan where it is not real."""
    code = compile(_exactly(text), text, "eval")
    with mpmath.workdps(DIGITS):
        names = {**NAMES, "pi": +mpmath.pi}
        low, high = (eval(_exactly(end), names) for end in ends)
        numbers = []
        for k in range(count):
            v = low + (high - low) * mpmath.mpf(2 * k + 1) / (2 * count)
            try:
                numbers.append(mpmath.mpf(eval(code, {**names, "v": v})))
            except (ZeroDivisionError, ValueError):
                numbers.append(mpmath.nan)
        return numbers


def _exactly(text):
    """Numbers as mpf, so that 1/3 is exact."""
    return "".join(
        f"mpf({char})" if char.isdigit() and not before.isalnum() and before != "*" else char
        for before, char in zip(" " + text, text, strict=False)
    )
