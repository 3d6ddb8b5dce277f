"""Certificates in words."""

import math


def certified(relative_gap):
    """What a relative gap promises of a linear model."""
    return f"no linear model with this loss and λ is better by more than {percent(relative_gap)}"


def basis(rests_on):
    """What it rests on that a gap bounds the error: "a proof", or numbers and for which term."""
    open_ones = [name for name, claims in rests_on.items() if claims["bound"] != "proved"]
    return f"numbers, not a proof, for {' and '.join(open_ones)}" if open_ones else "a proof"


def interval(ends, reason=""):
    """Where the optimum and the value lie, with rounding, or why that is not known."""
    if ends is None:
        return f"none: {reason}" if reason else "none"
    return f"[{ends[0]:.15g}, {ends[1]:.15g}], rounding included"


def percent(relative_gap):
    """A relative gap in percent, rounded up, so that a sentence about it stays true."""
    share = 100.0 * relative_gap
    if not math.isfinite(share):
        return "any amount: nothing is known yet"
    if share < 1e-9:
        return "rounding"
    digits = max(0, 1 - math.floor(math.log10(share)))
    return f"{math.ceil(share * 10**digits) / 10**digits:.{digits}f} %"
