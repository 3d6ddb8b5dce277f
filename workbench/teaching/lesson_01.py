"""Checkers of lesson 1, conjugates by hand and by machine."""

import numpy as np

from workbench.teaching.answers import expect_function
from workbench.teaching.checking import exercise

GRID = np.linspace(-4.0, 4.0, 801)
NUMBERS = [(-1.0,), (-0.75,), (-0.25,), (0.0,), (0.5,), (-1.5,)]
# Ends of the domain, where 0 ln 0 stands, come before a place outside.
YOUNG = [(0.3, 0.5), (-2.0, 0.1), (1.0, 0.0), (-1.0, 1.0), (0.5, 1.25), (0.5, -0.25)]
CHANGES = [(0.6, 2.0, -1.0, 0.5), (-0.4, 0.5, 2.0, -1.0), (1.0, 1.5, 1.0, 2.0)]


def square(u):
    """A function whose conjugate is v^2 / 4."""
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
            (lambda p, v, grid: np.max(p(grid) - v * grid), "Turn the difference round: u v minus p(u)."),
            (
                lambda p, v, grid: np.min(v * grid - p(grid)),
                "That is the smallest value; sup asks the largest.",
            ),
            (
                lambda p, v, grid: grid[np.argmax(v * grid - p(grid))],
                "That is the u at which the supremum is taken; the value there is asked for.",
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
            (lambda v: v, "The formula is right, its domain is missing: which slopes have a tangent?"),
            (lambda v: v if 0 <= v <= 1 else np.inf, "The domain is mirrored: the hinge falls, so v <= 0."),
            (lambda v: v if v <= 0 else np.inf, "One end is missing: no line steeper than -1 stays below p."),
            (lambda v: v if v >= -1 else np.inf, "One end is missing: no rising line stays below p."),
            (lambda v: -v if -1 <= v <= 0 else np.inf, "The sign: at the kink u = 1 and u v - p(u) is v."),
            (lambda v: 0.0 if -1 <= v <= 0 else np.inf, "The line touches at u = 1, not at 0; put u = 1 in."),
        ],
    )


@exercise("1.3", "the inequality of Fenchel and Young")
def young(answer):
    def entropy(v):
        return sum(x * np.log(x) if x > 0 else 0.0 for x in (v, 1 - v))

    def right(u, v):
        return np.logaddexp(0.0, u) + entropy(v) - u * v if 0 <= v <= 1 else np.inf

    expect_function(
        answer,
        YOUNG,
        right,
        [
            (lambda u, v: right(u, v) + 2 * u * v, "The sign of u v: the product is taken away."),
            (lambda u, v: right(u, v) + u * v, "The product u v is missing."),
            (
                lambda u, v: np.logaddexp(0.0, u) - entropy(v) - u * v if 0 <= v <= 1 else np.inf,
                "q enters with a plus; v ln v is below zero already.",
            ),
            (
                lambda u, v: right(u, v) if 0 < v < 1 else np.inf,
                "The ends 0 and 1 belong to the domain: 0 ln 0 is 0 there.",
            ),
        ],
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
            (lambda q, v, a, s, t: a * q(v / (a * s)) + t * v / s, "The sign of the shift: u = (u' - t)/s."),
            (lambda q, v, a, s, t: a * q(v / (a * s)) - t * v, "The shift is divided by s as well."),
            (lambda q, v, a, s, t: a * q(v / s) - t * v / s, "a also divides the argument of q."),
            (lambda q, v, a, s, t: q(v / (a * s)) - t * v / s, "The factor a before q is missing."),
            (lambda q, v, a, s, t: a * q(v / (a * s)), "The shift t is missing."),
            (
                lambda q, v, a, s, t: a * q(s * v + t),
                "The argument is put into p, not into q: substitute u'.",
            ),
        ],
    )
