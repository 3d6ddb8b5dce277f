"""Checkers of lesson 11, the errata hunt."""

import numpy as np

from workbench.teaching.answers import Wrong, array, expect, expect_function, same
from workbench.teaching.checking import exercise

# The instance of exercise 11.1 but for S: p(u) = |u|^2 / 2, a = 2.
A, B, V = 2.0, np.array([1.0, -1.0]), np.array([1.0, 2.0])
# A matrix beyond this is singular as far as a counterexample is concerned.
CONDITION = 1e8
PROGRAMS = [(2.0, 2.0, 1.0), (0.5, -1.0, 0.25), (3.0, 0.0, 2.0), (1.0, 2.0, 0.5)]
LINES = "abcdefg"


def by_rule(S, v):
    """a q(S v / a) - b.S v with q = |.|^2 / 2."""
    moved = S @ v
    return moved @ moved / (2 * A) - B @ moved


@exercise("11.1", "a counterexample to the closing rule")
def counterexample(answer):
    S = array(answer, (2, 2), "S")
    if not np.isfinite(S).all() or np.linalg.cond(S) > CONDITION:
        raise Wrong("S has no inverse; both versions of the rule need one.")
    if same(S, S.T):
        raise Wrong("S is symmetric: the transpose makes no difference there, and both versions agree.")
    inverse = np.linalg.inv(S)
    printed, derived = by_rule(inverse.T, V), by_rule(inverse, V)
    if same(printed, derived):
        raise Wrong(
            f"S is not symmetric, and yet both versions give {derived:.6g} at v = (1, 2): a coincidence. "
            "Change one entry."
        )
    return f"The printed rule gives {printed:.6g}, the derived one {derived:.6g}."


@exercise("11.2", "what the slope leaves over")
def leftover(answer):
    expect_function(
        answer,
        PROGRAMS,
        lambda q, w, lam: (1 - q) * (w - lam),
        [
            (
                lambda q, w, lam: 0.0,
                "That is the slope at the maximizer; put the printed point u = w - lambda in.",
            ),
            (lambda q, w, lam: (q - 1) * (w - lam), "The sign: the slope is w - q u - lambda."),
            (lambda q, w, lam: w - q * (w - lam), "You left out the multiplier's term - lambda."),
            (
                lambda q, w, lam: w - lam,
                "That is the printed point itself; the slope of the Lagrangian there is asked for.",
            ),
            (
                lambda q, w, lam: (w - lam) * (1 - q / 2),
                "Differentiate q u^2 / 2: the 1/2 goes.",
            ),
        ],
        "leftover",
    )


@exercise("11.3", "the sign of the bias")
def bias(answer):
    expect(
        answer,
        -1.0,
        [
            (1.0, "That is the printed sign: with b = 1 the sample x = 0, y = -1 has the margin -1."),
            (0.0, "With b = 0 the samples have the margins 0 and 2: one slack of 1 is left."),
            (-2.0, "With b = -2 the sample x = 2 lies on the wrong side: f is 2 there."),
            (-0.5, "With b = -1/2 the sample x = 0 has the margin 1/2 only; move on."),
        ],
        "The bias",
    )


@exercise("11.4", "the hunt")
def hunt(answer):
    if not isinstance(answer, str):
        raise Wrong("Give the letters of the wrong lines as a text, such as 'ac'.")
    letters = set(answer.lower()) - set(" ,;")
    if not letters or letters - set(LINES):
        raise Wrong("Write letters from a to g only, such as 'ac'.")
    wrong = set("beg")
    accused, missed = letters - wrong, wrong - letters
    said = []
    if accused:
        stands = "which is right as it stands" if len(accused) == 1 else "which are right as they stand"
        said.append(f"You accuse {', '.join(sorted(accused))}, {stands}.")
    if missed:
        said.append(
            f"{len(missed)} wrong {'line is' if len(missed) == 1 else 'lines are'} still among those "
            "you let pass: compare the domains, their ends, and the signs."
        )
    if said:
        raise Wrong(" ".join(said))
    return "An end of a domain, a sign with a domain, a sign: the three kinds that survive proofreading."
