"""Checkers of lesson 16, screening and other roads to a small gap."""

import numpy as np

from workbench.teaching.answers import Wrong, expect_function, same
from workbench.teaching.checking import exercise
from workbench.teaching.student_solvers import expect_solver, within

_RNG = np.random.default_rng(16)
_X = np.round(_RNG.normal(size=(8, 40)) * _RNG.uniform(0.2, 2.0, 40), 3)
_ALPHA = np.round(_RNG.normal(size=8), 3)
POINTS = [(_X, _ALPHA, 0.9, 0.1), (_X, -_ALPHA, 1.2, 0.4), (2 * _X[:5], _ALPHA[:5], 1.4, 0.02)]
NEARLY = [(_X, _ALPHA, 0.9), (_X[:5], -2 * _ALPHA[:5], 1.1), (0.5 * _X, _ALPHA, 0.3)]
RATES = [
    (_X[:, :3], 0.1, 0.25, 0.7, 1e-3),
    (_X[:5, :4], 0.02, 2.0, 3.0, 1e-6),
    (2 * _X[:, :2], 1.5, 1.0, 0.1, 1e-2),
]
TOL = 1e-6


@exercise("16.1", "features that a ball discards")
def discarded(answer):
    def screened(X, alpha, lam, gap, square=4.0, length=None, limit=None, absolute=True, below=True):
        n = len(alpha)
        lengths = np.linalg.norm(X, axis=0) if length is None else length(X)
        pull = np.abs(X.T @ alpha) if absolute else X.T @ alpha
        most = pull + (1 if below else -1) * np.sqrt(square * n * gap) * lengths
        return most < (lam * n if limit is None else limit(lam, n))

    expect_function(
        answer,
        POINTS,
        lambda *point: screened(*point).astype(float),
        [
            (
                lambda *point: screened(*point, square=2.0),
                "The slope 2 (z - y) is 2-Lipschitz: L = 2, and the square of the radius is 4 n gap.",
            ),
            (
                lambda *point: screened(*point, square=1.0),
                "L = 2 here, so the square of the radius is 4 n gap.",
            ),
            (
                lambda X, alpha, lam, gap: screened(X, alpha, lam, gap / len(alpha)),
                "n is missing in the radius: n D grows like the squared distance, and n gap bounds it.",
            ),
            (
                lambda X, alpha, lam, gap: screened(X, alpha, lam, 4 * len(alpha) * gap**2),
                "The radius is the root of 2 n L gap.",
            ),
            (
                lambda *point: screened(*point, square=0.0),
                "That takes alpha for the optimum; the ball about it has a radius.",
            ),
            (
                lambda *point: screened(*point, length=lambda X: 1.0),
                "The length of the column is missing: |x_j.(alpha - alpha*)| is at most |x_j| r.",
            ),
            (
                lambda *point: screened(*point, length=lambda X: np.sum(X**2, axis=0)),
                "The length of the column enters once, not squared.",
            ),
            (
                lambda *point: screened(*point, absolute=False),
                "x_j.alpha may have either sign: take the absolute value first.",
            ),
            (lambda *point: screened(*point, limit=lambda lam, n: lam), "The limit is lambda n, not lambda."),
            (lambda *point: screened(*point, limit=lambda lam, n: n), "The limit is lambda n, not n."),
            (
                lambda *point: screened(*point, below=False),
                "You subtract the radius: the whole ball has to be below the limit, so add it.",
            ),
            (lambda *point: ~screened(*point), "True and False are exchanged: those features stay."),
        ],
        "discarded",
    )


@exercise("16.2", "the gap that discards all it can")
def gap_enough(answer):
    def radii(X, alpha, lam, n=None):
        room = lam * (len(alpha) if n is None else n) - np.abs(X.T @ alpha)
        return room[room > 0] / np.linalg.norm(X, axis=0)[room > 0]

    def enough(X, alpha, lam, which=np.min, divisor=4.0):
        return which(radii(X, alpha, lam)) ** 2 / (divisor * len(alpha))

    def every(X, alpha, lam):
        return np.min((lam * len(alpha) - np.abs(X.T @ alpha)) / np.linalg.norm(X, axis=0)) ** 2 / (
            4 * len(alpha)
        )

    expect_function(
        answer,
        NEARLY,
        enough,
        [
            (lambda *point: enough(*point, which=np.max), "The smallest radius decides, not the largest."),
            (lambda *point: enough(*point, which=np.mean), "The smallest radius decides, not the mean."),
            (lambda *point: np.min(radii(*point)), "That is the radius; the gap is its square over 4 n."),
            (lambda *point: np.min(radii(*point)) ** 2, "That is the square of the radius: divide by 4 n."),
            (lambda *point: enough(*point, divisor=2.0), "L = 2: the square of the radius is 4 n gap."),
            (lambda *point: enough(*point, divisor=1.0), "L = 2: the square of the radius is 4 n gap."),
            (
                lambda X, alpha, lam: len(alpha) * enough(X, alpha, lam),
                "n is missing: the square of the radius is 4 n gap.",
            ),
            (
                lambda X, alpha, lam: np.min(radii(X, alpha, lam)) / (4 * len(alpha)),
                "The radius is the root of 4 n gap: square it.",
            ),
            (every, "Features with |x_j.alpha| of lambda n or more are never discarded: leave them out."),
            (
                lambda X, alpha, lam: (
                    np.min((r := lam * len(alpha) - np.abs(X.T @ alpha))[r > 0]) ** 2 / (4 * len(alpha))
                ),
                "The length of the column is missing: divide lambda n - |x_j.alpha| by |x_j|.",
            ),
            (
                lambda X, alpha, lam: (
                    np.min(radii(X, alpha, lam, 1)) ** 2 / (4 * len(alpha))
                    if radii(X, alpha, lam, 1).size
                    else np.inf
                ),
                "The limit for |x_j.alpha| is lambda n.",
            ),
        ],
        "gap_enough",
    )


@exercise("16.3", "steps that are enough for SDCA")
def steps_enough(answer):
    def share(X, lam, L, largest=np.max, weight=None):
        squares = np.sum(X**2, axis=1)
        return 1 / (1 + L * largest(squares) / (lam * len(X) if weight is None else weight(lam, len(X))))

    def steps(X, lam, L, start, tol, dual=False, per=True, log=np.log, **how):
        s = share(X, lam, L, **how)
        rate = s / len(X) if per else s
        return log(start / (tol if dual else rate * tol)) / -log(1 - rate)

    def simpler(X, lam, L, start, tol):
        rate = share(X, lam, L) / len(X)
        return np.log(start / (rate * tol)) / rate

    expect_function(
        answer,
        RATES,
        steps,
        [
            (
                lambda *args: steps(*args, dual=True),
                "That is for D_t - D*; the gap may be n/s times as large.",
            ),
            (
                lambda *args: steps(*args, per=False),
                "The factor of a step is 1 - s/n: a step visits one sample of n.",
            ),
            (
                lambda X, lam, L, start, tol: steps(X, lam, L, start, tol) / len(X),
                "Those are epochs; steps are asked for.",
            ),
            (
                lambda X, lam, L, start, tol: steps(X, lam, L, start, tol) * len(X),
                "A step visits one sample already: do not multiply by n.",
            ),
            (
                lambda *args: steps(*args, largest=np.min),
                "s is the minimum over the samples, so the longest sample decides.",
            ),
            (lambda *args: steps(*args, largest=np.mean), "The longest sample decides, not the mean."),
            (
                lambda *args: steps(*args, weight=lambda lam, n: lam),
                "n is missing below |x_i|^2: s = 1 / (1 + L |x_i|^2 / (lambda n)).",
            ),
            (
                lambda *args: steps(*args, weight=lambda lam, n: n),
                "lambda is missing below |x_i|^2: s = 1 / (1 + L |x_i|^2 / (lambda n)).",
            ),
            (lambda X, lam, L, *rest: steps(X, lam, 1.0, *rest), "L is missing in s."),
            (
                lambda X, lam, L, start, tol: steps(X, lam, L, 1.0, tol),
                "start is missing: that is where the distance falls from.",
            ),
            (lambda *args: -steps(*args), "Mind the sign: ln(1 - s/n) is negative."),
            (
                lambda X, lam, L, start, tol: np.log(tol * share(X, lam, L) / len(X) / start),
                "That is the logarithm of the factor that is needed; divide by that of one step.",
            ),
        ],
        "steps_enough",
        # Steps are whole, and 1 - x <= e^(-x) gives a bound that is as valid.
        also=[
            lambda *args: np.ceil(steps(*args)),
            simpler,
            lambda *args: np.ceil(simpler(*args)),
        ],
    )


def _entropy(beta):
    inside = np.clip(beta, 1e-300, 1.0)
    return inside * np.log(inside)


def dual_gap(X, y, lam, alpha):
    """Return the gap of logistic regression at w = v, as a mean of Fenchel-Young terms."""
    z, beta = X @ (X.T @ alpha) / (lam * len(y)), alpha * y
    return float(np.mean(np.logaddexp(0, -y * z) + _entropy(beta) + _entropy(1 - beta) + alpha * z))


def _problems():
    rng = np.random.default_rng(164)
    X = rng.normal(size=(40, 5))
    y = np.where(rng.random(40) < 1 / (1 + np.exp(-2 * X[:, 0] + X[:, 1])), 1.0, -1.0)
    return [(X, y, 0.1, TOL), (2 * X[:25] + 0.3, -y[:25], 0.5, TOL), (X[:30, :2], y[:30], 3.0, TOL)]


def _rescaled(problem, rng):
    X, y, lam, tol = problem
    return X * rng.uniform(0.7, 1.2), -y, lam * rng.uniform(0.8, 1.5), tol


@exercise("16.4", "generalized Frank-Wolfe")
def frank_wolfe(answer):
    counts = []

    def judge(X, y, lam, tol, alpha, gaps):
        _check_box(alpha, y)
        gap = dual_gap(X, y, lam, alpha)
        otherwise = (
            f"alpha is feasible, and its gap is {gap:.3g} where {tol:g} is asked for. Check the target s, "
            "the fraction gamma of the way, and the stopping rule."
        )
        within(gap, tol * (1 + 1e-6), _other_problems(X, y, lam, alpha), otherwise)
        _check_gaps(X, y, lam, gap, gaps)
        counts.append(gaps.size)

    expect_solver(
        answer,
        _problems(),
        lambda X, y, *rest: [y.shape, None],
        judge,
        parts=["the array alpha", "the array of gaps"],
        redraw=_rescaled,
    )
    return f"It recorded {', '.join(map(str, counts))} gaps."


def _check_box(alpha, y):
    beta = alpha * y
    if same(beta, np.full(beta.size, 0.5)):
        raise Wrong("alpha is where it began, at beta = 1/2: no step has been taken.")
    if alpha.min() >= 0 and beta.min() < 0:
        raise Wrong("That is beta = alpha y, which lies between 0 and 1; alpha has the sign of its label.")
    if beta.max() <= 0:
        raise Wrong("Every sign is reversed: alpha has the sign of its label.")
    if beta.min() < -1e-12 or beta.max() > 1 + 1e-12:
        raise Wrong(
            f"alpha y lies between {beta.min():.4g} and {beta.max():.4g}, and its box is [0, 1]. With gamma "
            "in [0, 1] a step between two points of the box stays inside."
        )


def _other_problems(X, y, lam, alpha):
    n = len(y)
    known = (
        (lam / n, "lambda/n: v = X'alpha / (lambda n), with n"),
        (1.0, "lambda = 1: v = X'alpha / (lambda n), with lambda"),
        (1.0 / n, "lambda n = 1: v = X'alpha / (lambda n)"),
        (2 * lam, "2 lambda: there is a factor 2 too many in the slope"),
        (lam / 2, "lambda/2: a factor 2 is missing in the slope"),
    )
    asked = same(alpha, y / (1 + np.exp(y * (X @ (X.T @ alpha)) / (lam * n))))
    return [
        *(
            (lambda other=other: dual_gap(X, y, other, alpha), f"This alpha is optimal for {text}.")
            for other, text in known
        ),
        (lambda: 0.0 if asked else np.inf, "You return s in place of alpha."),
        (
            lambda: dual_gap(X, y, lam, alpha) / 1e4,
            f"It stops too early: the gap is {dual_gap(X, y, lam, alpha):.2g} where {TOL:g} is asked for.",
        ),
    ]


def _check_gaps(X, y, lam, gap, gaps):
    first = dual_gap(X, y, lam, y / 2)
    if gaps.size < 2:
        amount = "only one gap" if gaps.size else "no gap"
        raise Wrong(f"alpha is right, but you recorded {amount}. Record one before each step.")
    if np.abs(gaps[0] - first * len(y)) < 1e-6 * first * len(y):
        raise Wrong("alpha is right, but the recorded gaps are sums over the samples; take means.")
    if not np.isclose(gaps[0], first, rtol=1e-6):
        raise Wrong(
            f"alpha is right, but the first recorded gap is {gaps[0]:.6g}, and that at beta = 1/2 differs. "
            "Record the gap before the first step, too, and look at the Fenchel-Young terms."
        )
    if not abs(gaps[-1] - gap) <= 1e-9 + 1e-3 * gap:
        raise Wrong(
            f"alpha is right, but the last recorded gap is {gaps[-1]:.3g}, and that of alpha is {gap:.3g}: "
            "return the alpha that belongs to it."
        )
