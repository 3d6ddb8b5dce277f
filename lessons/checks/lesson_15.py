"""Checkers of lesson 15, online learning, mistake bounds and stability."""

import numpy as np

from workbench.teaching.answers import Wrong, expect_function, function, same
from workbench.teaching.checking import exercise
from workbench.teaching.hidden import with_hidden
from workbench.teaching.student_solvers import returned

X = np.array([[1.0, 2.0, 0.5], [-0.5, 1.0, -2.0], [2.0, -1.0, 1.5], [0.25, -0.5, -1.0]])
Y, U = np.array([1.0, -1.0, 1.0, -1.0]), np.array([1.0, -0.5, 2.0])
STREAMS = [(X, Y, U), (3 * X[:3], Y[:3], 0.25 * U), (-X[1:], -Y[1:], 2 * U)]
SHARES = [
    (np.array([0.25, 0.0, 0.5, 0.25]), 0.3),
    (np.array([0.0, 1.0, 0.0]), 0.8),
    (np.array([0.1, 0.2, 0.3, 0.4, 0.0, 0.0]), 0.05),
]
_SEEN, _SIGNS = np.vstack([X, 0.5 - X[:3]]), np.array([1.0, 1.0, -1.0, 1.0, -1.0, 1.0, -1.0])
FLAGS = [
    (np.array([True, False, True, True, False, False, True]), _SEEN, _SIGNS),
    (np.array([True, True, False, False, True]), -_SEEN[2:], _SIGNS[2:]),
]
_RNG = np.random.default_rng(154)
_LABELS = np.where(_RNG.random(40) < 0.5, -1.0, 1.0)
_BETA, _SQUARES = np.round(_RNG.random(40) * (_RNG.random(40) < 0.7), 3), np.round(1 + 3 * _RNG.random(40), 3)
_Z = np.round(_LABELS * (_RNG.random(40) * 2 - 0.4), 3)
# Two predictions of exactly 0, with no dual variable, and two that the far end of the ball brings to 0.
_Z[:2], _BETA[:2] = 0.0, 0.0
_LABELS[:4] = [1.0, -1.0, 1.0, -1.0]
_SQUARES[2:4], _BETA[2:4], _Z[2:4] = 2.0, 0.5, [0.5, -0.5]
LEFT_OUT = [(_LABELS, _Z, _BETA * _LABELS, _SQUARES, 4.0), (-_LABELS, -_Z, -_BETA * _LABELS, _SQUARES, 2.5)]


def _with_margin(stream, rng):
    X, _, u = stream
    X = X * rng.uniform(0.5, 1.5, X.shape)
    return X, np.sign(X @ u), u


def _in_simplex(shares, rng):
    u = shares[0] * rng.uniform(0.5, 1.5, shares[0].shape)
    return u / u.sum(), float(rng.uniform(0.1, 0.9))


def _streams():
    """(X, y, rule, eta, epochs) for exercise 15.5, with the mistakes that its theorem allows."""
    rng = np.random.default_rng(155)
    u = np.array([3.0, -2.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0])
    A = rng.normal(size=(60, 8))
    A = A[np.abs(A @ u) > 0.5]
    y, gamma = np.sign(A @ u), np.abs(A @ u).min()
    noisy = np.where(rng.random(len(y)) < 0.15, -y, y)

    def root_bound(p):
        sizes = np.linalg.norm(A, p, axis=1).max() * np.linalg.norm(u, p / (p - 1))
        return (p - 1) * (sizes / gamma) ** 2

    B, share = np.clip(A / 2, -1, 1), np.array([0.5, 0.3, 0.2, 0.0, 0.0, 0.0, 0.0, 0.0])
    B = B[np.abs(B @ share) > 0.1]
    labels, least = np.sign(B @ share), np.abs(B @ share).min()
    entropy = np.sum(share[:3] * np.log(8 * share[:3]))
    eta = np.arctanh(least)
    tilted = np.clip(B + 0.5, -1, 1)
    return [
        ((A, y, 2, 0.5, 2), root_bound(2)),
        ((A, noisy, 3, 0.3, 2), np.inf),
        ((1e-45 * A, y, 8, 1.0, 1), root_bound(8)),
        ((B, labels, "winnow", eta, 3), entropy / (eta * least - np.log(np.cosh(eta)))),
        ((tilted, labels, "winnow", 4000.0, 1), np.inf),
    ]


def _reordered(stream, rng):
    """Return the same stream in another order, which has the same bound."""
    (X, y, *rest), bound = stream
    order = rng.permutation(len(y))
    return (X[order], y[order], *rest), bound


@exercise("15.1", "the Perceptron's mistakes")
def perceptron_bound(answer):
    def bound(X, y, u, longest=np.max, least=np.min, length=None, size=None, power=2):
        length = np.linalg.norm(X, axis=1) if length is None else length(X)
        size = np.linalg.norm(u) if size is None else size(u)
        return (longest(length) * size / least(y * (X @ u))) ** power

    expect_function(
        answer,
        STREAMS,
        bound,
        [
            (lambda *stream: bound(*stream, power=1), "That is the root of the bound: square it."),
            (
                lambda X, y, u: bound(X, y, u) / (u @ u),
                "The length of u is missing: a longer u has a larger margin, too.",
            ),
            (
                lambda X, y, u: bound(X, y, u) / np.linalg.norm(u),
                "|u| is squared as well when you solve for M.",
            ),
            (lambda *stream: bound(*stream, longest=np.mean), "R is the length of the *longest* sample."),
            (lambda *stream: bound(*stream, least=np.mean), "The margin is the least y u.x, not their mean."),
            (lambda *stream: bound(*stream, least=np.max), "The margin is the least y u.x, not the largest."),
            (
                lambda X, y, u: bound(X, y, u) * np.min(y * (X @ u)),
                "The margin is squared as well when you solve for M.",
            ),
            (lambda X, y, u: bound(X, np.ones(len(y)), u), "The labels are missing in the margin."),
            (
                lambda *stream: bound(*stream, length=lambda X: np.abs(X).max(axis=1)),
                "You took the largest entry for the length: here the length of a sample is its 2-norm.",
            ),
            (
                lambda *stream: bound(*stream, size=lambda u: np.abs(u).sum()),
                "You measured u by the 1-norm; both norms are Euclidean.",
            ),
            (
                lambda X, y, u: bound(X, y, u) / np.linalg.norm(X, axis=1).max(),
                "R is squared: |v|^2 grows by at most eta^2 R^2 at a mistake.",
            ),
            (lambda X, y, u: len(y) * bound(X, y, u), "The bound does not depend on the number of samples."),
            (
                lambda X, y, u: bound(X, y, u) / 2,
                "The half in h cancels: |v|^2 itself grows by at most eta^2 R^2.",
            ),
        ],
        "perceptron_bound",
        redraw=_with_margin,
        # Mistakes are whole.
        also=[lambda *stream: np.floor(bound(*stream))],
    )


@exercise("15.2", "Winnow's bound at its best rate")
def winnow_bound(answer):
    def divergence(u, size=None, log=np.log):
        inside = u[u > 0]
        return np.sum(inside * log(inside * (len(u) if size is None else size)))

    def gain(gamma, eta=np.arctanh):
        return eta(gamma) * gamma - np.log(np.cosh(eta(gamma)))

    def bound(u, gamma, eta=np.arctanh, **more):
        return divergence(u, **more) / gain(gamma, eta)

    def everywhere(u, gamma):
        return np.sum(u * np.log(u * len(u))) / gain(gamma)

    expect_function(
        answer,
        SHARES,
        bound,
        [
            (
                lambda u, gamma: bound(u, gamma, eta=lambda g: g),
                "That is the bound at eta = gamma, which is near the best rate for small margins only: "
                "set the derivative of eta gamma - ln cosh eta to zero.",
            ),
            (lambda u, gamma: bound(u, gamma, eta=lambda g: 1.0), "You took eta = 1; choose the best rate."),
            (
                lambda u, gamma: bound(u, gamma, eta=np.tanh),
                "The derivative of ln cosh is tanh, so tanh eta = gamma: use the inverse of tanh.",
            ),
            (
                lambda u, gamma: bound(u, gamma, size=1),
                "The start pi_j = 1/d is missing in the relative entropy: that is minus the entropy of u.",
            ),
            (
                lambda u, gamma: -bound(u, gamma, size=1),
                "That is the entropy of u; the relative entropy to pi_j = 1/d is ln d minus it.",
            ),
            (
                lambda u, gamma: bound(u, gamma, size=1 / len(u)),
                "u_j is divided by pi_j = 1/d, so it is multiplied by d.",
            ),
            (lambda u, gamma: bound(u, gamma, log=np.log2), "Use natural logarithms."),
            (
                lambda u, gamma: divergence(u) / (np.arctanh(gamma) * gamma),
                "What a mistake adds to h is missing: subtract ln cosh eta from eta gamma.",
            ),
            (
                lambda u, gamma: np.arctanh(gamma) * divergence(u) / gain(gamma),
                "The relative entropy stands without eta.",
            ),
            (
                lambda u, gamma: np.log(len(u)) / gain(gamma),
                "You bounded the relative entropy by ln d, which holds for every u; use that of this u.",
            ),
            (
                lambda u, gamma: 2 * divergence(u) / gamma**2,
                "That is the bound for small margins, where ln cosh eta is nearly eta^2 / 2; keep ln cosh.",
            ),
            (
                lambda u, gamma: divergence(u[u > 0]) / gain(gamma),
                "d counts all features, also those with u_j = 0.",
            ),
            (lambda u, gamma: 1 / bound(u, gamma), "The fraction is upside down."),
            (everywhere, "0 ln 0 is 0 in a relative entropy: sum over the positive entries of u."),
        ],
        "winnow_bound",
        redraw=_in_simplex,
        also=[lambda u, gamma: np.floor(bound(u, gamma))],
    )


@exercise("15.3", "the average from the mistakes")
def average(answer):
    def mean(mistakes, X, y, ahead=1, divisor=None, labels=True):
        T = len(y)
        steps = mistakes * (y if labels else 1.0) * (T - ahead - np.arange(T))
        return X.T @ steps / (T if divisor is None else divisor(T, mistakes))

    def behind(mistakes, X, y):
        return X.T @ (mistakes * y * np.arange(len(y))) / len(y)

    expect_function(
        answer,
        FLAGS,
        mean,
        [
            (
                lambda *flags: mean(*flags, ahead=0),
                "That averages the weights after each step; sample t was predicted by those before it.",
            ),
            (
                lambda mistakes, X, y: X.T @ (mistakes * y),
                "Those are the last weights. Each step counts as often as it took part in a prediction.",
            ),
            (
                lambda mistakes, X, y: X.T @ (mistakes * y) / len(y),
                "Those are the last weights over T. A step counts as often as it took part in a prediction.",
            ),
            (
                lambda mistakes, X, y: X.T @ (mistakes * y) / mistakes.sum(),
                "That is the mean of the steps. Average the weights: a step stays in all the later ones.",
            ),
            (
                lambda *flags: mean(*flags, divisor=lambda T, mistakes: mistakes.sum()),
                "Divide by T, not by the number of mistakes.",
            ),
            (lambda *flags: len(flags[2]) * mean(*flags), "That is the sum of the weights: divide by T."),
            (
                lambda *flags: mean(*flags, divisor=lambda T, mistakes: T - 1),
                "There are T predictions, the first one by w = 0: divide by T.",
            ),
            (lambda *flags: mean(*flags, labels=False), "The labels are missing: a step is y x."),
            (
                lambda mistakes, X, y: mean(np.ones(len(y)), X, y),
                "Only mistakes move the weights: the flags are missing.",
            ),
            (
                lambda mistakes, X, y: mean(1.0 - mistakes, X, y),
                "True and False are exchanged: a step is taken where a mistake is made.",
            ),
            (behind, "A step counts in the predictions after it, not in those before it."),
            (lambda *flags: -mean(*flags), "Mind the sign: a mistake adds y x to the weights."),
        ],
        "average",
    )


@exercise("15.4", "samples that may be classified wrongly")
def may_be_wrong(answer):
    def lower(y, z, alpha, squares, lam_n, share=2.0):
        return y * (z - share * alpha * squares / lam_n)

    def may_err(*args, **more):
        return lower(*args, **more) <= 0

    expect_function(
        answer,
        LEFT_OUT,
        lambda *args: may_err(*args).astype(float),
        [
            (
                lambda *args: may_err(*args, share=1.0),
                "That is the centre of the ball; the lower end is as far below it as the centre is below z.",
            ),
            (
                lambda *args: may_err(*args, share=0.0),
                "Those are wrong under the weights that did see them; the ball reaches further.",
            ),
            (lambda *args: lower(*args) < 0, "A prediction of 0 counts as wrong: use <= 0."),
            (
                lambda y, z, *rest: (y * z <= 0) & may_err(y, z, *rest),
                "That asks for a wrong sign at both ends, which is surely wrong; one end is enough.",
            ),
            (
                lambda *args: ~may_err(*args),
                "True and False are exchanged: those are surely classified rightly.",
            ),
            (lambda *args: may_err(*args, share=-2.0), "Mind the sign: the sample's own pull is gone."),
            (
                lambda y, z, alpha, squares, lam_n: y * z - 2 * alpha * squares / lam_n <= 0,
                "alpha has the sign of its label: multiply it by y as well.",
            ),
            (
                lambda y, z, alpha, squares, lam_n: may_err(y, z, alpha, np.sqrt(squares), lam_n),
                "The radius is |alpha| |x| / (lambda n), and x.w' changes by up to |x| times that: |x|^2.",
            ),
            (
                lambda y, z, alpha, squares, lam_n: may_err(y, z, alpha, squares, 1.0),
                "lambda n is missing: v moves by alpha x / (lambda n).",
            ),
            (lambda y, z, alpha, squares, lam_n: may_err(y, z, alpha, 1.0, lam_n), "|x|^2 is missing."),
            (
                lambda y, z, alpha, squares, lam_n: lower(1.0, z, alpha, squares, lam_n) <= 0,
                "Multiply by the label: a negative prediction is right where y = -1.",
            ),
            (lambda *args: lower(*args) <= 1, "Wrong means y z <= 0; a margin below 1 is not yet wrong."),
            (lambda *args: lower(*args), "Those are the lower ends; say where they are 0 or less."),
        ],
        "may_be_wrong",
    )


def _reference():
    """(X, y, rule, eta, epochs, ...) -> (flags, average), with a mistake of one's choice."""

    def weights(v, rule, normless=False, identity=False, dual=False):
        if identity:
            return v
        if rule == "winnow":
            shifted = np.exp(v - v.max())
            return shifted / shifted.sum()
        largest = np.abs(v).max()
        if largest == 0:
            return np.zeros(len(v))
        p = rule / (rule - 1) if dual else rule
        sizes = np.abs(v) / largest
        slope = np.sign(v) * sizes ** (p - 1)
        return slope * largest ** (p - 1) if normless else slope * largest * np.sum(sizes**p) ** (2 / p - 1)

    def descend(
        X,
        y,
        rule,
        eta,
        epochs,
        missed=lambda m: m <= 0,
        step=lambda label: label,
        before=True,
        last=False,
        counts=lambda flag: True,
        again=False,
        rate=True,
        divide=True,
        **how,
    ):
        n, d = X.shape
        v, total, count, flags = np.zeros(d), np.zeros(d), 0, []
        for t in range(epochs * n):
            if again and t % n == 0:
                v = np.zeros(d)
            x, label, w = X[t % n], y[t % n], weights(v, rule, **how)
            flags.append(missed(label * (w @ x)))
            if flags[-1]:
                v = v + (eta if rate else 1.0) * step(label) * x
            if counts(flags[-1]):
                total += w if before else weights(v, rule, **how)
                count += 1
        final = weights(v, rule, **how)
        return np.array(flags, dtype=float), final if last else total / (max(count, 1) if divide else 1)

    return descend


@exercise("15.5", "mirror descent on a stream")
def mirror_descent(answer):
    function(answer)
    cases, descend, runs = with_hidden(_streams(), _reordered), _reference(), []
    for (X, y, rule, eta, epochs), _ in cases:
        shapes, parts = [(epochs * len(y),), (X.shape[1],)], ["the flags of the mistakes", "the average"]
        runs.append(returned(answer, (X, y, rule, eta, epochs), shapes, "mirror_descent", parts))

    def agrees(how):
        due = (descend(*stream, **how) for stream, _ in cases)
        return all(same(a, b) and _alike(c, d) for (a, c), (b, d) in zip(runs, due, strict=True))

    if agrees({}):
        made, bound = runs[0][0].sum(), cases[0][1]
        return f"On the first stream it makes {made:.0f} mistakes, and the theorem allows {bound:.0f}."
    for how, sentence in DESCENTS:
        if agrees(how):
            raise Wrong(sentence)
    for (flags, _), ((_, _, rule, *_), bound) in zip(runs, cases, strict=True):
        if flags.sum() > bound:
            raise Wrong(
                f"With rule = {rule!r} it makes {flags.sum():.0f} mistakes on a stream for which the theorem "
                f"allows {bound:.0f}: this is not the rule of the theorem. Look at the step and at the map."
            )
    for (flags, _), (stream, _) in zip(runs, cases, strict=True):
        due, _ = descend(*stream)
        bad = np.flatnonzero(flags != due)
        if bad.size:
            raise Wrong(
                f"With rule = {stream[2]!r} the flag of step {bad[0]} is {flags[bad[0]]:g}, and it should be "
                f"{due[bad[0]]:g}; look at the weights just before it."
            )
    raise Wrong(
        f"The mistakes are right and the average is not: on the first stream it begins with "
        f"{runs[0][1][0]:.4g}. Count for how many samples each weight vector has predicted."
    )


def _alike(mine, right):
    """Return whether two averages agree, on the scale of the larger one."""
    scale = np.abs(right).max()
    return bool(np.all(np.abs(mine - right) <= 1e-6 * scale))


DESCENTS = [
    (
        {"missed": lambda margin: margin < 0},
        "A prediction of 0 counts as a mistake: from v = 0 the p-norm rules would never begin.",
    ),
    ({"missed": lambda margin: margin < 1}, "A margin below 1 is the hinge's rule; a mistake is y w.x <= 0."),
    ({"missed": lambda margin: True}, "v moves at mistakes only; yours moves at every sample."),
    ({"missed": lambda margin: margin >= 0}, "v moves where the prediction is right: reverse the test."),
    ({"step": lambda label: 1.0}, "The label is missing in the step: v moves by eta y x."),
    ({"step": lambda label: -label}, "Mind the sign: a mistake adds eta y x to v."),
    ({"rate": False}, "The rate eta is missing; Winnow's mistakes depend on it."),
    ({"identity": True}, "You predict with v; the weights are grad h(v)."),
    ({"dual": True}, "You took the dual exponent q: the gradient of |v|_p^2 / 2 has p itself."),
    (
        {"normless": True},
        "The factor |v|_p^(2 - p) is missing. The signs of predictions do not need it, so the mistakes are "
        "right, but the average depends on it.",
    ),
    ({"before": False}, "The average is of the weights that predicted, those before the step."),
    ({"last": True}, "Those are the last weights; return the average of those that predicted."),
    ({"counts": lambda flag: flag}, "You averaged over the mistakes; every sample seen counts once."),
    ({"counts": lambda flag: not flag}, "You left out the samples with a mistake; every sample counts once."),
    ({"again": True}, "Your v starts anew in every epoch; let it go on from where it is."),
    ({"divide": False}, "That is the sum of the weights: divide it by the number of samples seen."),
]
