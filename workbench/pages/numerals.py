"""Numbers in sentences as a book prints them; numerals.js does the same in the browser.

A sentence is built with Python's formats, so that it can be compared and tested; on its way to the page
2.1e-04 becomes 2.1·10⁻⁴, a hyphen before a digit a minus sign, and what no sum of floats of order one can be
told from zero by is said to be 0 to rounding. None of these characters lets a line break. What somebody typed
stands between quotes and stays as it is.
"""

import re

POWER = re.compile(r"(?<![\w.'\"])([-−]?)(\d+(?:\.\d+)?)e([+-]?)0*(\d+)(?![\w.]*\w)")
MINUS = re.compile(r"(?<![\w.)\]'\"])-(?=\.?\d|∞|inf\b)")
RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
# Below this a sum of terms of order one is rounding.
NOISE_EXPONENT = -17
NOISE = "0 to rounding"


def numerals(text):
    """Text whose numbers are typeset."""
    return MINUS.sub("−", POWER.sub(_power, text))


def _power(found):
    sign, mantissa, below, digits = found.groups()
    if below == "-" and -int(digits) <= NOISE_EXPONENT:
        return NOISE
    power = "10" + (below.replace("+", "") + digits).translate(RAISED)
    factor = "" if float(mantissa) == 1.0 else f"{mantissa}·"
    return f"{'−' if sign else ''}{factor}{power}" if int(digits) else f"{'−' if sign else ''}{mantissa}"
