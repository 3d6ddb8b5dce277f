"""Judge symbolic conjugation of functions with parameters and with narrow places by a numeric supremum.

proved      right for every value of the table, and the verification says "proved"
checked     right for every value, and the verification claims no more than numbers
refuted     refused as not convex, and it is not (for some declared values at least)
undecided   refused without a verdict, or values refused for which p is convex
wrong       a value that differs from the supremum, an answer where p is not convex, a convex function called
            not convex, or any other error; "proved" in the detail marks a false proof
"""

import numpy as np

from tests.corpora.parameter_pairs import Narrow
from tests.helpers.supremum import MP, Function, errors, evaluated, exact

TOLERANCE = 1e-9
OUTCOMES = ("proved", "checked", "refuted", "undecided", "wrong")
EVERYWHERE = (-75.5, -6.5, -2.5, -1.0, -0.625, 0.0, 0.25, 0.5, 1.0, 1.75, 9.5, 80.0)
# Slopes found by differences are rounded to these steps, so that a float is the number itself.
GRAIN = 2**30


def slopes(function, texts, values):
    """Floats where q is compared: spread out, around the slopes given as texts, and slopes that p takes."""
    places = set(EVERYWHERE)
    for text in texts:
        spot = MP.convert(evaluated(text, exact(values)))
        places |= {float(spot)} if MP.mpf(float(spot)) == spot else set()
        places |= {float(spot + sign * MP.mpf(2) ** -k) for sign in (1, -1) for k in (1, 9)}
    centres = [function.inner, *exact(values).values(), *(-x for x in exact(values).values())]
    steps = [MP.mpf(step) for step in (-8, -2, -0.5, -0.03125, 0.03125, 0.5, 2, 8)]
    for place in (centre + step for centre in centres for step in steps):
        left, right = function(place - MP.mpf(2) ** -12), function(place + MP.mpf(2) ** -12)
        if MP.isfinite(left) and MP.isfinite(right) and abs(right - left) < 10**6:
            places.add(float(MP.nint((right - left) * 2**11 * GRAIN) / GRAIN))
    return sorted(places)


def differs(q, function, points, values):
    """Describe where q differs from the supremum; None where it does not."""
    got = np.asarray(q(np.array(points), **values), dtype=float)
    for v, value in zip(points, got.tolist(), strict=True):
        want = float(function.supremum(MP.mpf(v)))
        if value != want and not abs(value - want) <= TOLERANCE * max(1.0, abs(want)):
            return f"q({v!r}) = {value!r}, not {want!r}, at {values}"
    return None


def judged(entry):
    """(outcome, detail) of a row of either table."""
    import workbench

    narrow = isinstance(entry, Narrow)
    bent = [entry.values] * bool(entry.witness) if narrow else [values for values, _ in entry.nonconvex]
    convex = [entry.values] * (not entry.witness) if narrow else entry.values
    _, *unanswered = errors()
    try:
        pair = workbench.conjugate(entry.p, domain=entry.domain, parameters=entry.parameters or None)
        status = pair.verify().status
        outcome, detail = answered(pair, entry, convex, bent)
        if outcome == "wrong":
            return outcome, f"{detail} [{status}]"
        return (outcome or (status if status in OUTCOMES else "undecided")), detail
    except workbench.ConvexityError as error:
        return ("refuted" if bent else "wrong"), f"ConvexityError: {error}"
    except tuple(unanswered) as error:
        return "undecided", f"{type(error).__name__}: {error}"
    except Exception as error:
        return "wrong", f"{type(error).__name__}: {error}"


def answered(pair, entry, convex, bent):
    """("wrong" | "undecided" | None, detail) of an answer, value by value."""
    import workbench

    refused = []
    for values in bent:
        try:
            value = pair.q(0.0, **values)
            return "wrong", f"q(0) = {value!r} at {values}, where p is not convex"
        except workbench.InputError:
            pass
    for values in convex:
        function = Function(entry, values)
        points = slopes(function, getattr(entry, "slopes", ()), values)
        try:
            fault = differs(pair.q, function, points, values)
        except workbench.InputError as error:
            refused.append(f"{values}: {error}")
            continue
        if fault:
            return "wrong", fault
    return ("undecided", "; ".join(refused)) if refused else (None, str(pair.q.expr))
