"""Checkers of lesson 12, the capstone on texts."""

import numpy as np

import workbench as wb
from workbench import losses
from workbench.teaching.answers import Wrong, expect_function
from workbench.teaching.checking import exercise
from workbench.teaching.student_solvers import expect_solver

SIZES = [
    ("logistic", 1e-3, 2000),
    ("squared-hinge", 1e-3, 2000),
    ("hinge", 0.5, 10),
    ("squared-hinge", 2.0, 7),
]
LABELS = [
    (np.array([1, 1, 1, -1, -1, -1, -1, -1]), np.array([1, 1, -1, 1, -1, -1, -1, -1])),
    (np.array([1, 1, 1, 1, -1, -1, -1, -1, -1, -1]), np.array([1, -1, -1, -1, 1, -1, -1, -1, -1, -1])),
]
# The best primal and the best dual value belong to different programs.
BOUNDS = [
    (np.array([0.505, 0.51, 0.53]), np.array([0.40, 0.495, 0.499])),
    (np.array([1.3, 1.25]), np.array([1.2, 1.1])),
]
# Each factor that may be forgotten changes the count.
POINTS = [
    (
        np.array([0.27, -0.53, 2.65, -0.34, 0.03, 0.03, 0.07, -1.84]),
        np.array([5.0, 2.5, 5.0, 1.0, 4.0, 2.5, 2.5, 4.0]),
        *(2e-4, 5e-3),
    ),
    (
        np.array([-0.22, -0.83, -0.01, 0.08, -0.15, 0.25, 0.53, 1.04]),
        np.array([1.5, 4.0, 1.0, 1.5, 1.5, 4.5, 4.5, 5.5]),
        *(1e-4, 1e-2),
    ),
    # None of these, so that no count fits all.
    (np.array([0.02, -0.3, 0.1]), np.array([1.0, 4.0, 2.0]), *(5e-3, 1e-2)),
]


@exercise("12.1", "C for scikit-learn")
def C_of(answer):
    def right(loss, lam, n):
        return 1 / (lam * n * ours_over_theirs(loss))

    def ours_over_theirs(loss):
        # The conjugate of a square without 1/2 has the curvature 1/2.
        form = losses.get(loss).conjugate_form
        return 2 * form[0] if form and form[0] else 1

    expect_function(
        answer,
        SIZES,
        right,
        [
            (
                lambda loss, lam, n: 1 / (lam * n),
                "Right except for the squared hinge: ours carries a 1/2, LinearSVC's does not.",
            ),
            (
                lambda loss, lam, n: right(loss, lam, n) * ours_over_theirs(loss) ** 2,
                "The 1/2 of the squared hinge goes the other way: it makes C smaller.",
            ),
            (
                lambda loss, lam, n: 1 / (2 * lam * n),
                "The factor 2 belongs to the squared hinge alone.",
            ),
            (
                lambda loss, lam, n: right(loss, lam, n) * n,
                "n is missing: scikit-learn sums the losses, P takes their mean.",
            ),
            (
                lambda loss, lam, n: lam * n,
                "That is the inverse: C weighs the losses, lambda the regularizer.",
            ),
        ],
        "C_of",
    )


def _resampled(labels, rng):
    """Return some of the documents a second time."""
    n = len(labels[0])
    rows = np.concatenate([np.arange(n), rng.integers(n, size=n // 2)])
    return tuple(column[rows] for column in labels)


@exercise("12.2", "the F1 score")
def f1(answer):
    def counts(y, predicted):
        hits = np.sum((y > 0) & (predicted > 0))
        return hits, np.sum(predicted > 0), np.sum(y > 0)

    def score(y, predicted):
        hits, claimed, there = counts(y, predicted)
        return float(2 * hits / (claimed + there))

    expect_function(
        answer,
        LABELS,
        score,
        [
            (
                lambda y, predicted: np.mean(y == predicted),
                "That is the accuracy. Where few texts are positive, always saying no scores well on it.",
            ),
            (
                lambda y, predicted: counts(y, predicted)[0] / counts(y, predicted)[1],
                "That is the precision; F1 asks for the recall as well.",
            ),
            (
                lambda y, predicted: counts(y, predicted)[0] / counts(y, predicted)[2],
                "That is the recall; F1 asks for the precision as well.",
            ),
            (
                lambda y, predicted: np.mean(
                    [counts(y, predicted)[0] / counts(y, predicted)[k] for k in (1, 2)]
                ),
                "You took the arithmetic mean of precision and recall; F1 is the harmonic one.",
            ),
            (
                lambda y, predicted: score(y, predicted) / 2,
                "The factor 2 is missing: a perfect prediction should score 1.",
            ),
        ],
        "f1",
        redraw=_resampled,
    )


@exercise("12.3", "bounds that are shared")
def distances(answer):
    expect_function(
        answer,
        BOUNDS,
        lambda primals, duals: primals - duals.max(),
        [
            (
                lambda primals, duals: primals - duals,
                "Those are the programs' own gaps. All of them solve one problem, so any lower bound holds "
                "for all.",
            ),
            (
                lambda primals, duals: primals - primals.min(),
                "That assumes that the best of them has reached the optimum, and nothing proves it.",
            ),
            (
                lambda primals, duals: primals - duals.min(),
                "Every dual value is a lower bound; the best of them is the highest.",
            ),
            (
                lambda primals, duals: primals.min() - duals,
                "Here the best primal value is shared by all; bound the distance of each primal value.",
            ),
        ],
        "distances",
    )


@exercise("12.4", "labels that are certain")
def certain(answer):
    def count(z, norms, gap, lam, radius=lambda gap, lam: np.sqrt(2 * gap / lam), per_row=True):
        return float(np.sum(np.abs(z) > (norms if per_row else 1.0) * radius(gap, lam)))

    expect_function(
        answer,
        POINTS,
        count,
        [
            (
                lambda z, norms, gap, lam: count(z, norms, gap, lam, lambda gap, lam: 2 * gap / lam),
                "The root is missing: the gap bounds the square of |w - w*|.",
            ),
            (
                lambda z, norms, gap, lam: count(z, norms, gap, lam, lambda gap, lam: np.sqrt(gap / lam)),
                "The 2 is missing: lambda/2 |w - w*|^2 is what the gap bounds.",
            ),
            (
                lambda z, norms, gap, lam: count(z, norms, gap, lam, lambda gap, lam: np.sqrt(2 * gap)),
                "lambda is missing: P has at least the curvature lambda.",
            ),
            (
                lambda z, norms, gap, lam: count(z, norms, gap, lam, per_row=False),
                "The text's own norm is missing: a long text moves its prediction more.",
            ),
            (
                lambda z, norms, gap, lam: float(np.sum(z > norms * np.sqrt(2 * gap / lam))),
                "You counted the positive ones only: a prediction far below zero is certain too.",
            ),
            (
                lambda z, norms, gap, lam: count(z, norms, gap, lam) / len(z),
                "That is the share; the number is asked for.",
            ),
            (
                lambda z, norms, gap, lam: len(z) - count(z, norms, gap, lam),
                "You counted the uncertain ones.",
            ),
        ],
        "certain",
    )


@exercise("12.5", "train until the labels are certain")
def certain_signs(answer):
    def judge(X, y, lam, X_new, share, max_passes, signs):
        if not np.all(np.isin(signs, (-1.0, 0.0, 1.0))):
            raise Wrong("Every sign must be -1, 0 or 1, with 0 where it is not certain.")
        z = X_new @ wb.solve(wb.Problem(X, y, "hinge", lam=lam), tol=1e-12, max_epochs=20_000).w
        certain = signs != 0
        if np.any(certain & (X_new == 0).all(axis=1)):
            raise Wrong("A sample of zeros has the prediction 0 for every w: no sign of it is certain.")
        if max_passes <= FEW and np.mean(certain) > 0.9:
            raise Wrong(
                f"After {max_passes} passes you call {np.mean(certain):.0%} of the signs certain; the gap is "
                "still too large for that. A prediction is off by up to |x| sqrt(2 gap / lambda)."
            )
        false = certain & (signs * z <= 0)
        if np.any(false):
            place = int(np.argmax(false))
            raise Wrong(
                f"{np.sum(false)} of {np.sum(certain)} signs are wrong: that of sample {place} is "
                f"{signs[place]:g}, where the exact optimum predicts {z[place]:.4g}. What is called certain "
                "must follow from the gap."
            )
        if max_passes > FEW and np.mean(certain) < share:
            raise Wrong(
                f"After {max_passes} passes {np.mean(certain):.1%} are certain, and {share:.0%} were asked "
                "for: the gap falls further if each pass starts from the last alpha."
            )

    rng = np.random.default_rng(12)
    X, X_new = rng.normal(size=(14, 3)), rng.normal(size=(60, 3))
    y = np.where(X[:, 0] + 0.8 * rng.normal(size=14) > 0, 1.0, -1.0)
    X_new[5] = 0.0
    expect_solver(
        answer,
        [
            (X, y, 0.2, X_new, 0.95, 500),
            (X, y, 0.2, X_new, 0.95, FEW),
            (-X, y, 0.1, 3.0 * X_new, 0.5, 500),
        ],
        lambda X, y, lam, X_new, *rest: X_new.shape[:1],
        judge,
    )


# Passes after which little can be certain in the instances above.
FEW = 1
