"""Checkers of lesson 1, conjugates by hand and by machine."""

import numpy as np

from workbench.teaching.answers import Wrong, call, expect_function, number, require_answer
from workbench.teaching.checking import exercise
from workbench.teaching.hidden import with_hidden
from workbench.teaching.student_solvers import expect_proof

GRID = np.linspace(-4.0, 4.0, 801)
NUMBERS = [(-1.0,), (-0.75,), (-0.25,), (0.0,), (0.5,), (-1.5,)]
CHANGES = [(0.6, 2.0, -1.0, 0.5), (-0.4, 0.5, 2.0, -1.0), (1.0, 1.5, 1.0, 2.0)]


def square(u):
    """Return a function whose conjugate is v^2 / 4."""
    return u**2


def tilted(u):
    return np.abs(u) + u**2 / 2


@exercise("1.1", "the conjugate on a grid")
def conjugate_on(answer):
    expect_function(
        answer,
        [(square, 1.5, GRID), (tilted, -2.5, GRID), (square, 0.0, GRID + 5.0)],
        lambda p, v, grid: np.max(v * grid - p(grid)),
        [
            (lambda p, v, grid: np.max(p(grid) - v * grid), "The order is reversed: it is u v minus p(u)."),
            (
                lambda p, v, grid: np.min(v * grid - p(grid)),
                "That is the smallest value; sup asks for the largest.",
            ),
            (
                lambda p, v, grid: grid[np.argmax(v * grid - p(grid))],
                "That is the u at which the supremum is attained; return the value there.",
            ),
            (
                lambda p, v, grid: np.max(np.abs(v * grid - p(grid))),
                "Omit the absolute value: u v - p(u) may be negative.",
            ),
        ],
    )


@exercise("1.2", "the conjugate of the hinge")
def hinge_conjugate(answer):
    expect_function(
        answer,
        NUMBERS,
        lambda v: v if -1 <= v <= 0 else np.inf,
        [
            (lambda v: v, "The formula is right, but its domain is missing: which slopes have a tangent?"),
            (lambda v: v if 0 <= v <= 1 else np.inf, "Mirror the domain: the hinge decreases, so v <= 0."),
            (lambda v: v if v <= 0 else np.inf, "One end is missing: no line steeper than -1 stays below p."),
            (lambda v: v if v >= -1 else np.inf, "One end is missing: no rising line stays below p."),
            (lambda v: -v if -1 <= v <= 0 else np.inf, "The sign: at the kink u = 1, u v - p(u) is v."),
            (lambda v: 0.0 if -1 <= v <= 0 else np.inf, "The line touches p at u = 1, not at u = 0."),
        ],
    )


@exercise("1.3", "the proof of the Fenchel-Young inequality")
def young(answer):
    expect_proof(
        answer,
        {
            "d": "What does the definition of q say about a single u?",
            "g": "The inequality itself is still missing.",
            "a": "When is a supremum equal to one of its values?",
            "c": "What does that say about the graph of p and the line of slope v?",
            "f": "The line below the graph has to be recognized for what it is.",
        },
        {"g": "d", "c": "a", "f": "c"},
        {
            "b": "For p(u) = e^u and v = 0 no u attains the supremum, which is 0.",
            "e": "A derivative does not exist at a kink; the proof does not need one.",
            "h": "q(0) = -inf p may be below zero, and convex functions may be, too.",
        },
    )


@exercise("1.4", "the linear change of variable")
def changed(answer):
    def q(v):
        return np.exp(v) + v**2

    expect_function(
        answer,
        [(q, *change) for change in CHANGES],
        lambda q, v, a, s, t: a * q(v / (a * s)) - t * v / s,
        [
            (lambda q, v, a, s, t: a * q(v / (a * s)) + t * v / s, "The sign of the shift: u = (r - t)/s."),
            (lambda q, v, a, s, t: a * q(v / (a * s)) - t * v, "The shift is divided by s as well."),
            (lambda q, v, a, s, t: a * q(v / s) - t * v / s, "a also divides the argument of q."),
            (lambda q, v, a, s, t: q(v / (a * s)) - t * v / s, "The factor a before q is missing."),
            (lambda q, v, a, s, t: a * q(v / (a * s)), "The shift t is missing."),
            (
                lambda q, v, a, s, t: a * q(s * v + t),
                "s u + t is the argument of p, not of q: substitute r = s u + t.",
            ),
        ],
    )


# The tolerance for the numbers of a conjugate, and places at which the inequality is tried.
CLOSE = 1e-6
FAR = np.geomspace(5.0, 1e6, 60)
PLACES = np.concatenate([np.linspace(-5.0, 5.0, 201), FAR, -FAR])


FUNCTIONS = {
    "max(-u, u/2) + 3": lambda u: max(-u, u / 2) + 3.0,
    "|u - 1000|": lambda u: abs(u - 1000.0),
    "u^2 / 20000": lambda u: u * u / 2e4,
    "(u + 2)^2 - 1": lambda u: (u + 2.0) ** 2 - 1.0,
    "ln(1 + e^u)": lambda u: np.logaddexp(0.0, u),
}
# Slopes with a tangent, and slopes without.
INSIDE = ((0.25, -0.75), (0.5,), (1.0, -3.0), (0.0, -2.0), (0.25, 0.999))
OUTSIDE = ((0.75, -1.25), (1.5, -2.0), (), (), (1.5, -0.5))


@exercise("1.5", "a conjugate computed numerically")
def conjugate(answer):
    slopes = [(text, v, True) for text, inside in zip(FUNCTIONS, INSIDE, strict=True) for v in inside]
    slopes += [(text, v, False) for text, outside in zip(FUNCTIONS, OUTSIDE, strict=True) for v in outside]
    for text, v, bounded in with_hidden(slopes):
        p, at = FUNCTIONS[text], f"p(u) = {text}, v = {v:g}"
        q, u = _pair(answer, p, v, at)
        if np.isfinite(q) and not bounded:
            raise Wrong(f"At {at} the value is {q:.4g}, but u v - p(u) grows without bound: q is infinite.")
        if not np.isfinite(q) and bounded:
            raise Wrong(f"At {at} the value is infinite, but u v - p(u) is bounded: move out until it falls.")
        if not bounded:
            continue
        heights = PLACES * v - np.array([p(place) for place in PLACES])
        best = int(np.argmax(heights))
        if q < heights[best] - CLOSE * (1.0 + abs(q)):
            raise Wrong(
                f"At {at} your q is {q:.6g}; p(u) + q - u v is {q - heights[best]:.3g}, below zero, "
                f"at u = {PLACES[best]:.4g}."
            )
        rest = p(u) + q - u * v
        if abs(rest) > CLOSE * (1.0 + abs(q)):
            raise Wrong(
                f"At {at} you give q = {q:.6g} and u = {u:.6g}; there p(u) + q - u v is {rest:.3g} and not 0."
            )


def _pair(answer, p, v, at):
    values = []

    def kept_back(p, v):
        values.append(answer(p, v))
        return None if values[-1] is None else 0.0

    call(kept_back, (p, v), 0.0, "Your function")
    require_answer(values[0])
    if not isinstance(values[0], tuple | list) or len(values[0]) != 2:
        raise Wrong("Return two values, q(v) and the u at which the supremum is attained: return q, u.")
    return number(values[0][0], f"q at {at}"), number(values[0][1], f"u at {at}")
