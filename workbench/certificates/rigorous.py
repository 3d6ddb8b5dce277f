"""The sums of an interval in Arb's balls: nothing is assumed of libm, and rounding is what balls are about.

The printed formulas themselves are evaluated, with balls for all of their numbers. Parameters are the floats
that were declared; what is derived of them (q / (q - 1), mu / A) and printed quotients (1.0 / 3.0) are
computed in balls. Formulas are convex: where an argument is only known to lie in a ball, the larger of the
values at its two ends, which are exact, bounds them.
"""

from __future__ import annotations

import ast
import builtins
import functools
import inspect
import math
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from flint import arb, arb_mat, ctx

from workbench.certificates import interval
from workbench.kernels.interval_loops import UNIT, raised
from workbench.problems.regularizers.base import Transfer

if TYPE_CHECKING:
    from workbench._support.annotations import Bias, Floats, PenaltyArrays
    from workbench.certificates.assembly import Certificate
    from workbench.problems.problem import Problem
    from workbench.problems.regularizers.base import Transfer
    from workbench.problems.regularizers.norm_transfers import NormTransfer


# Bits: of the sums, and where a comparison of two numbers was left open or a bound infinite.
BITS = 128, 1024, 8192
# A printed number with a larger numerator or denominator may be one that was rounded, such as pi.
NUMERATOR, DENOMINATOR = 2**53, 2**30


class _Open(Exception):
    """More bits are needed; the message says what is left open without them."""


# What a ball is computed with, and a formula of balls.
Operand: TypeAlias = "_Ball | arb | float"
Formula: TypeAlias = Callable[..., "_Ball"]


class _Ball:
    """A ball as a printed formula takes it."""

    def __init__(self, value: Operand) -> None:
        self.ball: arb = value.ball if isinstance(value, _Ball) else arb(value)

    def _with(self, other: Operand, operation: Callable[[arb, arb], arb]) -> _Ball:
        return _Ball(operation(self.ball, _Ball(other).ball))

    def __add__(self, other: Operand) -> _Ball:
        return self._with(other, arb.__add__)

    def __mul__(self, other: Operand) -> _Ball:
        return self._with(other, arb.__mul__)

    def __sub__(self, other: Operand) -> _Ball:
        return self._with(other, arb.__sub__)

    def __truediv__(self, other: Operand) -> _Ball:
        return self._with(other, arb.__truediv__)

    def __rsub__(self, other: Operand) -> _Ball:
        return _Ball(other) - self

    def __rtruediv__(self, other: Operand) -> _Ball:
        return _Ball(other) / self

    __radd__, __rmul__ = __add__, __mul__

    def __neg__(self) -> _Ball:
        return _Ball(-self.ball)

    def __abs__(self) -> _Ball:
        return _Ball(abs(self.ball))

    def __pow__(self, exponent: Operand) -> _Ball:
        exponent = _Ball(exponent)
        if self.ball == 0 and exponent.ball > 0:
            return _Ball(0)
        return _Ball(self.ball**exponent.ball)

    def __rpow__(self, base: Operand) -> _Ball:
        return _Ball(base) ** self

    def __lt__(self, other: Operand) -> bool:
        other = _Ball(other)
        if self.ball < other.ball:
            return True
        if self.ball >= other.ball:
            return False
        raise _Open("a formula compares two numbers that are equal in all bits")

    def __gt__(self, other: Operand) -> bool:
        return _Ball(other) < self

    def __le__(self, other: Operand) -> bool:
        return not _Ball(other) < self

    def __ge__(self, other: Operand) -> bool:
        return not self < other

    def __eq__(self, other: Any) -> bool:
        return bool(self <= other <= self)

    __hash__ = None  # type: ignore[assignment]  # balls that are equal need not be the same number


class _Math:
    """The functions that formulas call, of balls."""

    inf, nan, pi = float("inf"), float("nan"), property(lambda self: _Ball(arb.pi()))

    def __getattr__(self, name: str) -> Callable[[Operand], _Ball]:
        function = getattr(arb, name)
        return lambda x: _Ball(function(_Ball(x).ball))

    @staticmethod
    def copysign(size: Operand, x: Operand) -> _Ball:
        return -_Ball(size) if _Ball(x) < 0 else _Ball(size)


def _largest(first: Operand, *rest: Operand) -> _Ball:
    return functools.reduce(lambda best, ball: ball if ball > best else best, map(_Ball, rest), _Ball(first))


def _smallest(first: Operand, *rest: Operand) -> _Ball:
    return functools.reduce(lambda best, ball: ball if ball < best else best, map(_Ball, rest), _Ball(first))


NAMES = {"math": _Math(), "abs": builtins.abs, "max": _largest, "min": _smallest, "range": builtins.range}


@np.errstate(over="ignore", invalid="ignore")
def of(certificate: Certificate) -> tuple[tuple[float, float] | None, str]:
    """((lower, upper), "") of a certificate, or (None, the reason)."""
    reason = ""
    for bits in BITS:
        try:
            with ctx.workprec(bits):
                return _of(certificate)
        except _Open as error:
            reason = str(error)
    return None, reason


def _of(certificate: Certificate) -> tuple[tuple[float, float] | None, str]:
    problem = certificate._problem
    reason = interval.missing(certificate)
    if not interval.has_balls(problem):
        reason = reason or "in balls there are neither kernels nor singular values; leave out rigorous=True"
    if reason or certificate.w is None:
        return None, reason
    w = certificate.w
    X = arb_mat(*problem.design.shape, problem.design.toarray().ravel().tolist())
    scaled = X.transpose() / (problem.n_samples * arb(problem.lam))
    alpha, _ = interval.feasible(problem, certificate.alpha, lambda problem, alpha: _stored(scaled, alpha))
    if alpha is None:
        return None, interval.INFEASIBLE
    try:
        return _bounds(certificate, w, X, alpha, scaled * _matrix(alpha)), ""
    except NameError as error:
        return None, f"a formula calls {error.name}, which is not available in balls"
    except OSError as error:
        return None, f"the source of a formula cannot be read ({error})"


def _stored(scaled: arb_mat, alpha: Floats) -> interval.Stored:
    """Round v to floats, and enclose what the rounding changed."""
    entries = (scaled * _matrix(alpha)).entries()
    at, radius = np.array([[float(x.mid()), float(x.rad())] for x in entries]).T
    return interval.Stored(at, raised(radius + 2.0 * UNIT * np.abs(at)))


def _bounds(
    certificate: Certificate, w: Floats, X: arb_mat, alpha: Floats, v: arb_mat
) -> tuple[float, float]:
    problem = certificate._problem
    n, lam, transfer = problem.n_samples, arb(problem.lam), problem.transfer
    numbers = _Numbers(transfer) if isinstance(transfer, Transfer) else None
    scale = _onto(transfer, numbers, w)
    z = X * _matrix(w) * scale
    b = _bias(problem, certificate.b, w, scale)
    sums = _columns if problem.tasks else _classes if problem.columns else _samples
    losses, conjugates = sums(problem, z, b, alpha)
    weights = [scale * x for x in w.ravel().tolist()]
    if numbers is not None:
        g, h = numbers.value(weights), numbers.conjugate(v.entries())
    else:
        g, h = _norm(transfer.penalty, weights), arb(0)
    upper, lower = (losses / n + lam * g).upper(), (-(conjugates / n) - lam * h).lower()
    ends = float(np.nextafter(float(lower), -np.inf)), float(np.nextafter(float(upper), np.inf))
    if not np.isfinite(ends).all():
        raise _Open("the bounds overflow")
    return ends


def _bias(problem: Problem, stated: Bias, w: Floats, scale: arb) -> list[Any]:
    """Compute the bias of each class, or of the one prediction, on the design's columns at scale * w."""
    b: list[Any] = np.broadcast_to(stated, problem.columns or 1).tolist()
    if problem.origin is None:
        return b
    moves = _matrix(problem.origin).transpose() * _matrix(w)
    return [scale * move + start for move, start in zip(moves.entries(), b, strict=True)]


def _samples(problem: Problem, z: arb_mat, b: Sequence[Any], alpha: Floats) -> tuple[arb, arb]:
    """Upper bounds of the sums of f(z_i) and of k(-alpha_i)."""
    loss, theta = problem.loss, [_Ball(x) for x in problem.loss.theta.tolist()]
    value, conjugate = (formula(loss.formula(part)) for part in ("value", "conjugate"))
    ends = float(loss.entry["lower"]), float(loss.entry["upper"])
    losses = conjugates = arb(0)
    columns = (column.tolist() for column in (problem.sign, problem.shift, problem.weight, alpha))
    samples = zip(*columns, strict=True)
    for i, (s, t, c, a) in enumerate(samples):
        losses += c * _highest(value, s * (z[i, 0] + b[0]) + t, theta)
        conjugates += c * _highest(conjugate, -arb(a) / (arb(c) * s), theta, *ends) + arb(s * t) * a
    return losses, conjugates


def _columns(problem: Problem, z: arb_mat, b: Sequence[Any], alpha: Floats) -> tuple[arb, arb]:
    """Sum the losses and their conjugates over the columns of y."""
    losses = conjugates = arb(0)
    for k, task in enumerate(problem.tasks):
        column = arb_mat(problem.n_samples, 1, [z[i, k] for i in range(problem.n_samples)])
        parts = _samples(task, column, b[k : k + 1], alpha[:, k])
        losses, conjugates = losses + parts[0], conjugates + parts[1]
    return losses, conjugates


def _classes(problem: Problem, z: arb_mat, b: Sequence[Any], alpha: Floats) -> tuple[arb, arb]:
    """Sum the multinomial losses ln sum_j e^(z_j) - z_y and their conjugates sum_j p_j ln p_j as balls."""
    losses = conjugates = arb(0)
    for i, (label, c) in enumerate(zip(problem.labels.tolist(), problem.weight.tolist(), strict=True)):
        own = z[i, label] + b[label]
        losses += c * sum((z[i, j] + b[j] - own).exp() for j in range(len(b))).log()
        for j, a in enumerate(alpha[i].tolist()):
            p = (j == label) - arb(a) / c
            conjugates += c * p * p.log() if p > 0 else 0
    return losses, conjugates


def _onto(transfer: Transfer | NormTransfer, numbers: _Numbers | None, w: Floats) -> arb:
    """Compute the multiple of w at which g is finite; it is 1 but for rounding."""
    if numbers is None:
        return arb(1)
    if transfer.regularizer.entry["structure"] == "simplex":
        onto: arb = numbers.theta[1].ball / sum(map(arb, w.ravel().tolist()))
        return onto
    return 1 - arb(2 * transfer.value_above(w.ravel())[1])


def _norm(penalty: PenaltyArrays | None, w: Sequence[arb]) -> arb:
    """Evaluate a norm of balls."""
    if penalty is None:
        raise ValueError("singular values are not available in balls")
    total = penalty.threshold * sum(map(abs, w), arb(0)) if penalty.threshold else arb(0)
    for g, weight in enumerate(penalty.group_weights.tolist()):
        part = [w[j] for j in penalty.order[penalty.starts[g] : penalty.starts[g + 1]].tolist()]
        size = functools.reduce(arb.max, map(abs, part)) if penalty.largest else _length(part)
        total += weight * size
    return total


def _length(values: Iterable[arb]) -> arb:
    return sum((x * x for x in values), arb(0)).sqrt()


class _Numbers:
    """g and h of a regularizer with a smooth conjugate, from its declared parameters."""

    def __init__(self, transfer: Transfer) -> None:
        self.regularizer, size = transfer.regularizer, transfer.weights.size
        self.weights = list(self.regularizer.coefficients(size, _Ball))
        scale = self.regularizer.entry["neutral_scale"]
        self.theta = [_Ball(scale), *self.regularizer.parameters(size, _Ball)]

    def value(self, w: Sequence[arb]) -> arb:
        """Enclose g at balls w."""
        primal, outer = (formula(self.regularizer.formula(part)) for part in ("primal", "primal_outer"))
        parts = zip(w, self.weights, strict=True)
        return outer(sum((primal(_Ball(x), c, self.theta) for x, c in parts), _Ball(0)), self.theta).ball

    def conjugate(self, v: Sequence[arb]) -> arb:
        """Bound h from above: take each summand at the worse end of the interval that holds v_j."""
        inner, outer = (formula(self.regularizer.formula(part)) for part in ("inner", "outer"))
        parts = zip(v, self.weights, strict=True)
        total = sum((c * _highest(inner, x, self.theta) for x, c in parts), _Ball(0))
        return outer(total, self.theta).ball


def _highest(
    function: Formula, ball: arb, theta: Sequence[_Ball], lower: float = -np.inf, upper: float = np.inf
) -> arb:
    """Return the larger value of a convex function at the two ends of a ball, clipped to [lower, upper]."""
    values = []
    for end in {ball.lower(), ball.upper()} if ball.rad() > 0 else {ball}:
        within = arb(lower) if end < lower else arb(upper) if end > upper else end
        values.append(_Ball(function(_Ball(within), theta)).ball)
    largest: arb = functools.reduce(arb.max, values)
    return largest


@functools.cache
def formula(function: Callable[..., Any]) -> Formula:
    """Return a printed formula that takes balls, with its own numbers and what it calls as balls."""
    tree = _Literals().visit(ast.parse(inspect.getsource(function)))
    tree.body[0].decorator_list = []
    names: dict[str, Any] = {**NAMES, **_called(function), "number": _printed, "__builtins__": {}}
    exec(compile(ast.fix_missing_locations(tree), function.__name__, "exec"), names)
    balls: Formula = names[function.__name__]
    return balls


class _Literals(ast.NodeTransformer):
    """Wrap each printed float in a call of `number`; Python would divide 1.0 / 3.0 when it compiles."""

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        if not isinstance(node.value, float):
            return node
        return ast.Call(ast.Name("number", ast.Load()), [node], [])


def _printed(x: float) -> _Ball:
    """Enclose a printed number: within half a unit in its last place if it may have been rounded."""
    numerator, denominator = x.as_integer_ratio()
    if abs(numerator) <= NUMERATOR and denominator <= DENOMINATOR:
        return _Ball(x)
    return _Ball(arb(x, 0.5 * math.ulp(x)))


def _called(function: Any) -> dict[str, Formula]:
    """Return the functions of its module that a printed formula calls, on balls.

    Where p' is v is found in floats: the formulas around it hold for any such place.
    """
    called = {}
    for name in function.__code__.co_names:
        helper = function.__globals__.get(name)
        if name == "root":
            called[name] = lambda v, helper=helper: _Ball(helper(float(v.ball)))
        elif hasattr(helper, "py_func"):
            called[name] = formula(helper.py_func)
    return called


def _matrix(values: Floats) -> arb_mat:
    """Convert a matrix, or a vector as a column, to an exact `arb_mat`."""
    return arb_mat(values.shape[0], values.size // values.shape[0], values.ravel().tolist())
