"""Checkers of lesson 11, the errata hunt."""

import numpy as np

from workbench.teaching.answers import Wrong, array, expect, expect_function, letters, same
from workbench.teaching.checking import exercise
from workbench.teaching.student_solvers import expect_solver

# The instance of exercise 11.1 but for S: p(u) = |u|^2 / 2, a = 2.
A, B, V = 2.0, np.array([1.0, -1.0]), np.array([1.0, 2.0])
# A matrix beyond this is singular as far as a counterexample is concerned.
CONDITION = 1e8
PROGRAMS = [(2.0, 2.0, 1.0), (0.5, -1.0, 0.25), (3.0, 0.0, 2.0), (1.0, 2.0, 0.5)]
LINES = "abcdefg"


def by_rule(S, v):
    """Return a q(S v / a) - b.S v with q = |.|^2 / 2."""
    moved = S @ v
    return moved @ moved / (2 * A) - B @ moved


@exercise("11.1", "a counterexample to the closing rule")
def counterexample(answer):
    S = array(answer, (2, 2), "S")
    if not np.isfinite(S).all() or np.linalg.cond(S) > CONDITION:
        raise Wrong("S is not invertible; both versions of the rule need its inverse.")
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
                "That is the slope at the maximizer; substitute the printed point u = w - lambda.",
            ),
            (lambda q, w, lam: (q - 1) * (w - lam), "Mind the sign: the slope is w - q u - lambda."),
            (lambda q, w, lam: w - q * (w - lam), "You left out the term of the multiplier, - lambda."),
            (
                lambda q, w, lam: w - lam,
                "That is the printed point itself; the slope of the Lagrangian there is asked for.",
            ),
            (
                lambda q, w, lam: (w - lam) * (1 - q / 2),
                "Differentiate q u^2 / 2: the 1/2 cancels.",
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
            (1.0, "That is the printed sign: with b = 1 the sample with x = 0 and y = -1 has the margin -1."),
            (0.0, "With b = 0 the samples have the margins 0 and 2: one slack of 1 is left."),
            (-2.0, "With b = -2 the sample x = 2 lies on the wrong side: f is 2 there."),
            (-0.5, "With b = -1/2 the sample x = 0 has the margin 1/2 only; move further."),
        ],
        "The bias",
    )


@exercise("11.4", "the hunt")
def hunt(answer):
    named, wrong = set(letters(answer, "ac")), set("beg")
    if not named or named - set(LINES):
        raise Wrong("Write letters from a to g only, such as 'ac'.")
    accused, missed = named - wrong, wrong - named
    said = []
    if accused:
        stands = "which is right as it stands" if len(accused) == 1 else "which are right as they stand"
        said.append(f"You call {', '.join(sorted(accused))} wrong, {stands}.")
    if missed:
        said.append(
            f"{len(missed)} wrong {'line is' if len(missed) == 1 else 'lines are'} still among those "
            "you let pass: compare the domains, their ends, and the signs."
        )
    if said:
        raise Wrong(" ".join(said))
    return "An end of a domain, a sign with a domain, a sign: the three kinds that survive proofreading."


def _half(v):
    return v**2 / 2.0


PAIRS = [
    (lambda u: u**2 / 2.0, _half, "p = u^2/2, q = v^2/2"),
    (lambda u: u**2 / 2.0, lambda v: v**2 / 2.0 + 0.1, "p = u^2/2, q = v^2/2 + 0.1"),
    (lambda u: u**2 / 2.0, lambda v: v**2 / 2.0 - 0.1, "p = u^2/2, q = v^2/2 - 0.1"),
    (np.abs, lambda v: 0.0 if abs(v) <= 1 else np.inf, "p = |u|, q = 0 on [-1, 1]"),
    (np.abs, lambda v: 0.0, "p = |u|, q = 0 everywhere"),
    (lambda u: u**2, lambda v: v**2 / 4.0 if v >= 0 else np.inf, "p = u^2, q = v^2/4 for v >= 0 alone"),
    (lambda u: 1e3 * u**2, lambda v: v**2 / 4e3, "p = 1000 u^2, q = v^2/4000"),
    (lambda u: u**2 / 2.0 - 2e3, lambda v: v**2 / 2.0 + 2000.5, "p = u^2/2 - 2000, q = v^2/2 + 2000.5"),
]


@exercise("11.5", "a referee for conjugate pairs")
def referee(answer):
    us, vs = np.linspace(-8.0, 8.0, 3201), np.array([-2.25, -0.75, 0.0, 0.5, 1.5])

    def compared(p, q, us, vs):
        heights = [us * v - p(us) for v in vs]
        claimed = np.array([q(v) for v in vs])
        true = np.array([np.max(h) if 0 < np.argmax(h) < us.size - 1 else np.inf for h in heights])
        both = np.isfinite(true) & np.isfinite(claimed)
        off = np.abs(true - claimed) > 1e-3 * (1.0 + np.abs(claimed))
        return np.where(both, off, np.isfinite(true) != np.isfinite(claimed)), true, claimed

    def judge(p, q, us, vs, flags):
        due, true, claimed = compared(p, q, us, vs)
        if np.array_equal(flags, due):
            return
        (text,) = (text for other, claim, text in PAIRS if (other, claim) == (p, q))
        place = int(np.argmax(flags != due))
        verdict = "is refuted" if flags[place] else "is accepted"
        raise Wrong(
            f"The claim {text} {verdict} at v = {vs[place]:g}, where q is claimed to be {claimed[place]:.6g} "
            f"and the supremum is {true[place]:.6g}."
        )

    def signed(*claim):
        due, true, claimed = compared(*claim)
        return np.where(np.isfinite(true) & np.isfinite(claimed), due & (true > claimed), due)

    expect_solver(
        answer,
        [(p, q, us, vs) for p, q, _ in PAIRS],
        lambda p, q, us, vs: vs.shape,
        judge,
        [
            (
                lambda *claim: ~compared(*claim)[0],
                "True and False are exchanged: True means that the claim differs.",
            ),
            (lambda *claim: np.zeros(vs.size), "Every claim is accepted, and some are false."),
            (lambda *claim: np.ones(vs.size), "Every claim is refuted, and some are right."),
            (signed, "A claim that is too large is accepted: take the absolute value of the difference."),
        ],
    )
