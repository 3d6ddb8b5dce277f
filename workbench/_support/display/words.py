"""Certificates in words."""

import math


def certified(relative_gap, proof_status, kernel=False):
    """Return the guarantee of a relative gap for a model, and its proof status, in words.

    Parameters
    ----------
    relative_gap : float
    proof_status : dict
        The claims of the loss and of the regularizer by their names, in this order.
    kernel : bool
        Whether the model is one of a kernel.
    """
    model = "model of this kernel" if kernel else "linear model"
    terms = "this loss, this regularizer"
    if len(proof_status) == 2:
        loss, regularizer = proof_status
        terms = f"the {loss} loss, the regularizer {regularizer}"
    rest = f"; that rests on {basis(proof_status)}" if proof_status else ""
    share = percent(relative_gap)
    return f"no {model} with {terms} and this λ has an objective lower by more than {share}{rest}"


def of_solution(solution):
    """Return the guarantee of the gap of a `Solution`."""
    return certified(solution.relative_gap, solution.proof_status, solution.expansion is not None)


def basis(proof_status):
    """Return the basis of a gap as a bound of the error: "a proof", or numbers and for which term."""
    open_ones = [name for name, claims in proof_status.items() if claims["bound"] != "proved"]
    return f"numbers, not a proof, for {' and '.join(open_ones)}" if open_ones else "a proof"


def interval(ends, reason=""):
    """Return the interval that encloses the optimum and the value, with rounding, or why it is unknown."""
    if ends is None:
        return f"none: {reason}" if reason else "none"
    return f"[{ends[0]:.15g}, {ends[1]:.15g}], rounding included"


def percent(relative_gap):
    """Return a relative gap in percent, rounded up, so that a sentence about it stays true."""
    share = 100.0 * relative_gap
    if not math.isfinite(share):
        return "any amount: nothing is known yet"
    if share < 1e-9:
        return "rounding"
    digits = max(0, 1 - math.floor(math.log10(share)))
    return f"{math.ceil(share * 10**digits) / 10**digits:.{digits}f} %"
