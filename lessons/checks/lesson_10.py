"""Checkers of lesson 10, a loss and a regularizer of one's own."""

import functools
import re

import numpy as np

import workbench as wb
from workbench._support.errors import InputError
from workbench.teaching.answers import Wrong, expect_function, same, typed
from workbench.teaching.checking import exercise
from workbench.teaching.student_solvers import expect_box, expect_progress, expect_solver

# From very near to far out, so that no formula agrees there that is another one.
SIZES = np.array([1e-4, 1e-2, 0.25, 1.0, 2.0, 3.0, 7.5, 30.0, 1e3, 1e5])
PLACES = np.concatenate([-SIZES[::-1], [0.0], SIZES, np.pi * SIZES])
# NumPy's names of functions that have other names in a formula.
NUMPY = {"maximum": "max", "minimum": "min", "absolute": "abs", "fabs": "abs"}
NUMBERS = [(-1.0,), (-0.6,), (0.0,), (0.28,), (0.8,), (1.0,), (1.5,), (-2.0,)]
SLOPES = [(-2.0,), (-0.5,), (0.0,), (0.75,), (3.0,)]


def values(text):
    """Return a typed formula at `PLACES`, less its value at zero."""
    text = typed(text)
    if not isinstance(text, str):
        raise Wrong("Write the formula as a string, with u for the variable, such as 'max(0, 1 - u)**2 / 2'.")
    text = re.sub(r"\b(?:np|numpy|math)\.(\w+)", lambda named: NUMPY.get(named[1], named[1]), text)
    try:
        heights = derived(text)
    except (InputError, TypeError, ValueError, ArithmeticError) as error:
        said = " ".join(str(error).split())
        if "undeclared" in said:
            raise Wrong("The formula has more than one variable: write it in u alone.") from None
        raise Wrong(f"The workbench refuses it: {said}") from None
    return heights - heights[PLACES == 0.0]


@functools.lru_cache(maxsize=32)
def derived(text):
    """Return the formula at `PLACES`; a second `check` need not wait for the derivation."""
    return np.array(wb.conjugate(text).p(PLACES), dtype=float)


def compare(text, right, mistakes):
    heights = values(text)
    if same(heights, right(PLACES)):
        return
    for mistake, sentence in mistakes:
        if same(heights, mistake(PLACES)):
            raise Wrong(sentence)
    apart = ~np.isclose(heights, right(PLACES))
    # The wrong place nearest to 1 is the easiest to work out by hand.
    worst = int(np.argmin(np.where(apart, np.abs(np.log(np.maximum(np.abs(PLACES), 1e-9))), np.inf)))
    raise Wrong(
        f"Your formula rises by {heights[worst]:.4g} from u = 0 to u = {PLACES[worst]:g}; "
        "work out by hand what it should do there."
    )


@exercise("10.1", "a lopsided loss")
def lopsided(answer):
    compare(
        answer,
        lambda u: np.maximum(u, -4 * u),
        [
            (
                lambda u: np.maximum(4 * u, -u),
                "The two sides are swapped: u = z - y is negative where the prediction is too small.",
            ),
            (np.abs, "Both sides cost the same; a missing loaf should cost four times as much."),
            (lambda u: 4 * np.abs(u), "Both sides cost four; a loaf that is left over costs one."),
            (
                lambda u: np.maximum(0, -4 * u),
                "A loaf that is left over costs nothing here: you would bake without end.",
            ),
            (
                lambda u: np.maximum(u, 4 * u),
                "This goes below zero for u < 0: the slope there must be negative.",
            ),
        ],
    )


@exercise("10.2", "a conjugate by hand")
def pseudo_huber_conjugate(answer):
    def root(v):
        return np.sqrt(max(0.0, 1 - v**2))

    expect_function(
        answer,
        NUMBERS,
        lambda v: 1 - root(v) if abs(v) <= 1 else np.inf,
        [
            (
                lambda v: -root(v) if abs(v) <= 1 else np.inf,
                "That is the conjugate without the -1 in p: a constant subtracted from p is added to q.",
            ),
            (
                lambda v: 1 - root(v) if abs(v) < 1 else np.inf,
                "The ends -1 and 1 belong to the domain: u v - p(u) stays below 1 there.",
            ),
            (
                lambda v: root(v) - 1 if abs(v) <= 1 else np.inf,
                "Mind the sign: at u = 0 the value of u v - p(u) is 0, so q is never negative here.",
            ),
            (
                lambda v: 1 - root(v),
                "Outside [-1, 1] the supremum is infinite: p is nowhere that steep.",
            ),
            (
                lambda v: np.sqrt(1 + v**2) - 1,
                "That is p itself; only u^2/2 is its own conjugate.",
            ),
        ],
        "pseudo_huber_conjugate",
    )


@exercise("10.3", "a transfer function")
def transfer(answer):
    expect_function(
        answer,
        SLOPES,
        np.arcsinh,
        [
            (np.sinh, "That is psi', which leads from w to v; map (9) leads from v to w."),
            (np.cosh, "Differentiate cosh, then invert the derivative."),
            (np.tanh, "tanh is bounded; cosh - 1 is finite everywhere, so it does not bound w."),
            (np.arctan, "arctan is bounded; cosh - 1 is finite everywhere, so it does not bound w."),
            (
                lambda v: v * np.arcsinh(v) - np.sqrt(1 + v**2) + 1,
                "That is h itself; the map is its slope.",
            ),
        ],
        "transfer",
    )


@exercise("10.4", "a regularizer from its transfer function")
def from_transfer(answer):
    compare(
        answer,
        lambda u: np.abs(u) / 2 + u**2 / 2,
        [
            (
                lambda u: np.abs(u) + u**2 / 2,
                "Here w is zero for |v| <= 1: the slope of the kink is the threshold.",
            ),
            (
                lambda u: np.abs(u) / 2 + u**2,
                "The threshold is right, but beyond it w has slope 1/2: the slope of w is 1 / psi''.",
            ),
            (lambda u: u**2 / 2, "This gives w = v: without a kink at zero no weight is exactly zero."),
            (
                lambda u: np.abs(u) / 2,
                "This g lacks slopes beyond 1/2, so nothing there can be inverted: w would jump to infinity.",
            ),
            (
                lambda u: np.maximum(np.abs(u) - 0.5, 0) ** 2 / 2,
                "That is h, the conjugate; the regularizer g is asked for.",
            ),
        ],
    )


@exercise("10.5", "coordinate descent for a loss of one's own")
def descend_own(answer):
    def terms(X, y, lam, alpha):
        """Return the Fenchel-Young terms of the samples at w = v, whose mean is the gap."""
        residual = X @ (X.T @ alpha) / (lam * len(y)) - y
        return np.sqrt(1.0 + residual**2) - np.sqrt(1.0 - alpha**2) + alpha * residual

    def judge(X, y, lam, passes, alpha):
        expect_box(alpha, -1.0, 1.0, "alpha", "the slopes of the loss lie between -1 and 1")
        gaps = terms(X, y, lam, np.clip(alpha, -1.0, 1.0))
        if passes < MANY:
            return
        worst = int(np.argmax(gaps))
        if np.mean(gaps) > 1e-8:
            residual = (X[worst] @ (X.T @ alpha)) / (lam * len(y)) - y[worst]
            due = -residual / np.sqrt(1.0 + residual**2)
            raise Wrong(
                f"After {passes} passes the gap is {np.mean(gaps):.2g}, most of it at sample {worst}: at "
                f"its residual {residual:.4g}, minus the slope is {due:.4g}, but alpha is {alpha[worst]:.4g}."
            )

    rng = np.random.default_rng(10)
    X1, X2 = rng.normal(size=(9, 3)), rng.normal(size=(6, 2))
    results = expect_solver(
        answer,
        [
            (X1, 3.0 * rng.normal(size=9), 0.2, 1),
            (X1, 3.0 * rng.normal(size=9), 0.2, MANY),
            (X2, rng.normal(size=6), 0.05, MANY),
        ],
        lambda X, y, *rest: y.shape,
        judge,
        redraw=_rescaled,
    )
    expect_progress(results[0][0], results[1][0], "passes")


def _rescaled(case, rng):
    """Other targets at another scale; a smaller lambda would need more than MANY passes."""
    X, y, lam, passes = case
    return X * rng.uniform(0.8, 1.2), y * rng.uniform(0.7, 1.3, y.shape), lam * rng.uniform(1.0, 1.5), passes


# Passes that suffice for the instances above.
MANY = 60
