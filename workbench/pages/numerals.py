"""Numbers in sentences as a book prints them; runtime/numerals.js does the same in the browser.

A sentence is built with Python's formats, so that it can be compared and tested; on its way to the page
2.1e-04 becomes 2.1·10⁻⁴, 1.82e+01 becomes 18.2, a hyphen before a digit a minus sign, and what no sum of
floats of order one can be told from zero by is said to be 0 to rounding. A single step, epoch or pass takes
the singular. None of these characters lets a line break. What somebody typed stands between quotes and stays
as it is.
"""

import re

POWER = re.compile(r"(?<![\w.'\"])([-−]?)(\d+(?:\.\d+)?)e([+-]?)0*(\d+)(?![\w.]*\w)")
MINUS = re.compile(r"(?<![\w.)\]'\"])-(?=\.?\d|∞|inf\b)")
ONE = re.compile(r"(?<![\w.,·])1 (outer )?(step|epoch|pass(?=es))(?:e?s)\b")
RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
# Below this a sum of terms of order one is rounding.
NOISE_EXPONENT = -17
NOISE = "0 to rounding"
# Powers of ten that are read more easily as digits.
PLAIN_EXPONENTS = range(-1, 3)


def numerals(text):
    """Text whose numbers are typeset."""
    return ONE.sub(r"1 \1\2", MINUS.sub("−", POWER.sub(_power, text)))


def _power(match):
    sign, mantissa, below, digits = match.groups()
    exponent = -int(digits) if below == "-" else int(digits)
    if float(mantissa) == 0.0:
        return "0"
    if exponent <= NOISE_EXPONENT:
        return NOISE
    minus = "−" if sign else ""
    if exponent in PLAIN_EXPONENTS:
        return minus + _shifted(mantissa, exponent)
    factor = "" if float(mantissa) == 1.0 else f"{mantissa}·"
    return f"{minus}{factor}10{str(exponent).translate(RAISED)}"


def _shifted(mantissa, places):
    """The digits of a mantissa with their point moved to the right by a number of places."""
    whole, _, part = mantissa.partition(".")
    digits, point = whole + part, len(whole) + places
    digits = digits.rjust(len(digits) + 1 - point, "0") if point < 1 else digits.ljust(point, "0")
    point = max(point, 1)
    return f"{digits[:point]}.{digits[point:]}" if digits[point:] else digits
