"""Own losses and regularizers whose conjugates have no closed form: do bounds and intervals hold?

The oracle is mpmath with 50 digits on the text as it is typed: the supremum of u v - p(u) by golden sections,
and the optimum of a regression by Newton's method. Checked are, for slopes from 1e-9 to 1e9, that the printed
conjugate with its rounding is at least the supremum and near it; that the intervals of certificates,
quick and rigorous, hold the optimum; and that each regression is solved, or ends with a true status.
"""

import math
import re
from typing import NamedTuple

import mpmath as mp
import numpy as np

import workbench as wb
from tests.helpers.golden_section import least
from workbench.kernels.interval_loops import LOST, SAFE, UNIT

mp.mp.dps = 50
SLOPES = tuple(side * size for size in (0.0, 1e-9, 0.3, 1.0, 7.0, 42.0, 1e3, 1e6, 1e9) for side in (1, -1))
# What a bound may be above the supremum by, as a share of the parts it is made of, and where they cancel.
NEAR, CANCELLED = 1e-9, 1e-14
STATUSES = {"converged", "precision", "diverged", "stalled", "max_epochs"}
NAMES = ("exp", "log", "sqrt", "sinh", "cosh", "tanh", "atan", "asinh", "erf", "pi")
WORDS = {name: getattr(mp, name) for name in NAMES}
WORDS |= {"abs": abs, "max": max}

LOSSES = (
    "exp(u)+u**2",
    "exp(u**2)",
    "exp(u)+u**4",
    "u**2/2+exp(-u)",
    "cosh(u)+u**2",
    "cosh(u)+u**4/4",
    "exp(u)+exp(-2*u)+u**2",
    "u**2+u**4+u**6",
    "log(1+exp(u))+u**2",
    "log(1+exp(u))+sqrt(1+u**2)",
    "sqrt(1+u**2)+u**2/2",
    "u*atan(u)",
    "u*atan(u)+u**2",
    "log(cosh(u))+u**2/4",
    "abs(u)**1.5+u**2+exp(u)",
    "abs(u)**3+u**2+exp(u)",
    "u**2*exp(abs(u))",
    "exp(abs(u)**1.5)",
    "u**4/4+u**2/2+u",
    "exp(u)+max(0,u)**2",
    "max(0,u)**2+exp(-u)",
    "exp(sqrt(1+u**2))",
    "u*asinh(u)+u**2/10",
    "log(1+exp(u))+exp(u)/2+u**2/20",
    "u*erf(u)+exp(-u**2)/sqrt(pi)",
    "abs(u)**1.5+abs(u)**2.5",
)
REGULARIZERS = (
    "exp(u**2)-1",
    "cosh(u)+u**2",
    "u**2/2+u**4/4+abs(u)/10+u**6",
    "exp(u)+u**2",
    "u**2/2+exp(-u)",
    "abs(u)**1.5+u**2+u**4",
    "u**2*exp(abs(u))",
    "u*asinh(u)+u**2",
    "sqrt(1+u**2)+u**2/2",
    "log(cosh(u))+u**2/4",
    "exp(abs(u)**1.5)",
    "u**4/4+u**2/2+u",
    "abs(u)**1.5+abs(u)**2.5",
    "exp(sqrt(1+u**2))+u**2",
)


class Function(NamedTuple):
    """A function as it was typed, in 50 digits."""

    text: str

    def __call__(self, u):
        numbers = re.sub(r"(?<![\w.])\d+(\.\d+)?", r"mpf('\g<0>')", self.text)
        return eval(numbers, {**WORDS, "mpf": mp.mpf, "u": u})

    def supremum(self, v):
        """(sup of u v - p(u), the place), for a slope that p has."""
        return greatest(lambda u: u * v - self(u))

    def slope(self, u, order=1):
        return mp.diff(self, u, order)


def greatest(function):
    """(value, place) of the maximum of a concave function on the line."""
    value, place = least(lambda u: -function(u))
    return -value, place


def optimum(X, y, loss, regularizer, lam, start):
    """The least value of (1/n) sum p(x_i.w - y_i) + lam sum psi(w_j), by Newton's method in 50 digits."""
    X, n = mp.matrix(X.tolist()), X.shape[0]
    w = mp.matrix(start.tolist())

    def value(w):
        u = X * w
        return sum(loss(u[i] - y[i]) for i in range(n)) / n + lam * sum(map(regularizer, w))

    best = value(w)
    for _ in range(100):
        u = X * w
        slopes = [loss.slope(u[i] - mp.mpf(y[i])) for i in range(n)]
        bends = [loss.slope(u[i] - mp.mpf(y[i]), 2) for i in range(n)]
        gradient = X.T * mp.matrix(slopes) / n + lam * mp.matrix([regularizer.slope(x) for x in w])
        matrix = X.T * mp.diag(bends) * X / n + lam * mp.diag([regularizer.slope(x, 2) for x in w])
        move, share = mp.lu_solve(matrix, gradient), mp.mpf(1)
        promise = (gradient.T * move)[0]
        while share > 1e-12 and value(w - share * move) > best - share * promise / 4:
            share /= 2
        w = w - share * move
        best = min(best, value(w))
        if promise < mp.mpf(10) ** -30 * (1 + abs(best)):
            return best
    raise ArithmeticError("Newton's method of the oracle did not end")


def conjugate_faults(own, function, part):
    """Yield what is wrong with the printed conjugate at slopes that p has."""
    pick = own.scalar if part == "conjugate" else own.function
    conjugate, rounding, theta = pick(part), pick(f"{part}_rounding"), np.zeros(1)
    low, high = (own.entry["lower"], own.entry["upper"]) if part == "conjugate" else (-math.inf, math.inf)
    for v in SLOPES:
        if not low < v < high:
            continue
        value = conjugate(v, theta)
        bound = value + SAFE * UNIT * (rounding(v, theta) + abs(value)) + LOST
        expected, place = function.supremum(mp.mpf(v))
        size = abs(place * v) + abs(function(place))
        if math.isnan(bound) or (math.isfinite(bound) and mp.mpf(bound) < expected):
            yield f"q({v:g}) <= {bound!r}, but it is {mp.nstr(expected, 17)}"
        elif not mp.mpf(bound) <= expected + NEAR * size + CANCELLED:
            yield f"q({v:g}) <= {bound!r} is far above {mp.nstr(expected, 17)}"


def interval_faults(problem, best, **point):
    """Yield where an interval, quick or rigorous, does not hold the optimum."""
    for rigorous in (False, True):
        certificate = wb.certificate(problem, rigorous=rigorous, **point)
        if certificate.interval is None:
            continue
        lower, upper = map(mp.mpf, certificate.interval)
        if not lower <= best <= upper:
            kind = "rigorous" if rigorous else "quick"
            yield f"the {kind} interval [{lower}, {upper}] does not hold {mp.nstr(best, 20)}"


def steep_faults(own, function, is_loss):
    """Yield faults of certificates at points whose slopes are up to 1e9, of one sample and one weight."""
    square = Function("u**2/2")
    low, high = (own.entry["lower"], own.entry["upper"]) if is_loss else (-math.inf, math.inf)
    for v in SLOPES:
        if not low < v < high:
            continue
        place = float(function.supremum(mp.mpf(v))[1])
        if is_loss:
            X, y, lam = np.array([[1.0]]), np.array([-place]), 0.5
            problem = wb.Problem(X, y, own, lam=lam)
            best = -greatest(lambda w, y=y[0]: -function(w - mp.mpf(y)) - w * w / 4)[0]
            w = np.array([0.0])
        else:
            X, y, lam = np.array([[1.0]]), np.array([v + place]), 1.0
            problem = wb.Problem(X, y, wb.losses.custom("u**2/2", "residual"), own, lam=lam)
            best = -greatest(lambda w, y=y[0]: -square(w - mp.mpf(y)) - function(w))[0]
            w = np.array([place])
        yield from interval_faults(problem, best, w=w)
        alpha = np.array([-v if is_loss else v])
        yield from interval_faults(problem, best, w=w, alpha=alpha)


def regression_faults(own, function, is_loss, k):
    """(status, faults) of regression k."""
    rng = np.random.default_rng(k)
    n, d = int(rng.integers(8, 30)), int(rng.integers(1, 5))
    X, scale, lam = rng.normal(size=(n, d)), float(rng.choice([0.3, 1.0, 3.0])), 10.0 ** rng.uniform(-3, 0)
    y = scale * (X @ rng.normal(size=d) + 0.3 * rng.normal(size=n))
    other = Function("u**2/2")
    loss, regularizer = (function, other) if is_loss else (other, function)
    arguments = (own,) if is_loss else (wb.losses.custom("u**2/2", "residual"), own)
    problem = wb.Problem(X, y, *arguments, lam=lam)
    solution = wb.solve(problem, tol=1e-6)
    faults = []
    if solution.status not in STATUSES:
        faults.append(f"status {solution.status}")
    if solution.status == "converged":
        best = optimum(X, y, loss, regularizer, mp.mpf(lam), solution.w)
        if solution.interval is not None and not solution.interval[0] <= best <= solution.interval[1]:
            faults.append(f"the interval {solution.interval} does not hold {mp.nstr(best, 20)}")
        if not solution.primal - best <= 1e-5 * max(abs(solution.primal), abs(best)):
            faults.append(f"{solution.primal!r} is far above {mp.nstr(best, 20)}, with no word")
        faults += interval_faults(problem, best, w=solution.w)
    return solution.status, faults


def judge(text, is_loss, count):
    """(number of regressions by status, faults) of one function."""
    function, counts, faults = Function(text), {}, []
    own = wb.losses.custom(text, "residual") if is_loss else wb.regularizers.custom(text)
    if not hasattr(own.module, "root"):
        faults.append("has a closed form")
    faults += conjugate_faults(own, function, "conjugate" if is_loss else "inner")
    faults += steep_faults(own, function, is_loss)
    for k in range(count):
        try:
            status, more = regression_faults(own, function, is_loss, k)
        except Exception as error:
            status, more = type(error).__name__, [f"{type(error).__name__}: {error}"]
        counts[status] = counts.get(status, 0) + 1
        faults += [f"regression {k}: {fault}" for fault in more]
    return counts, faults
