"""A closed convex function of one variable: smooth parts on consecutive intervals, and values at their ends.

Evaluation is the reference, not the fast road: every value is computed to 40 digits and rounded once.
"""

from typing import NamedTuple

import mpmath
import numpy as np
import sympy as sp

from workbench.conjugates.convex.evaluation import DIGITS, compiled, magnitude, number, value_at

# A float within two units in the last place of a closed end is that end.
ULPS = 2
# The brackets of a root may grow to the largest float.
DOUBLINGS = 1100
TRUSTED = mpmath.mpf(10) ** -18


class Part(NamedTuple):
    """One formula on the open interval (low, high).

    Of a function to be conjugated, `values` are its limits at both ends and `slopes` those of its derivative.
    Of a conjugate, `root` is the u where u v - p(u) is largest, in the part of p with that `piece_index`;
    without one, a place where parts of p meet or end. `inverse` computes the same by numbers alone: where
    `implicit` says that `expr` is not a formula, and at places where a formula is 0/0 or has lost its digits.
    """

    low: sp.Expr
    high: sp.Expr
    expr: sp.Expr
    inverse: "Inverse | None" = None
    implicit: bool = False
    root: sp.Expr | None = None
    piece_index: int | None = None
    values: tuple = ()
    slopes: tuple = ()


class Knot(NamedTuple):
    """A place where parts meet or the domain ends, and the value there."""

    place: sp.Expr
    value: sp.Expr


class Inverse(NamedTuple):
    """The conjugate of one smooth piece of p on (low, high), by solving p'(x) = v in numbers."""

    expr: sp.Expr
    variable: sp.Symbol
    low: sp.Expr
    high: sp.Expr

    def evaluator(self, numbers):
        """Return v -> sup of x v - p(x) over the piece, for v among its slopes."""
        low, high = value_at(self.low, numbers), value_at(self.high, numbers)
        slope = sp.diff(self.expr, self.variable)

        size = magnitude(self.expr, *numbers.values())

        def value(v, digits):
            p, rise = (compiled(e, self.variable, numbers=numbers, digits=digits) for e in (self.expr, slope))
            with mpmath.workdps(digits):
                x = _bisected(rise, v, low, high, digits)
                return x * v - p(x)

        def trusted(v):
            more = 2 * max(size, magnitude(v))
            before = value(v, DIGITS + more)
            # If u v and p(u) are large and cancel, twice the digits show it.
            for digits in (2 * DIGITS, 4 * DIGITS, 8 * DIGITS, 16 * DIGITS):
                after = value(v, digits + more)
                if _close(before, after, size):
                    return after
                before = after
            return before

        return trusted


class ConvexFunction:
    """A closed convex function, +inf off its domain.

    Attributes
    ----------
    expr : sympy.Expr
        The formula on the domain, a Piecewise where it has several parts.
    variable : sympy.Symbol
        Its argument.
    domain : sympy.Set
        Where it is finite: an interval with open or closed ends, or one point.
    implicit : bool
        Some part lacks a closed form: `expr` then names the root u(v) of p'(u) = v, which a call computes.
    """

    def __init__(self, variable, parts, knots, setting):
        self.variable, self.parts, self.knots, self.setting = variable, tuple(parts), tuple(knots), setting
        self.implicit = any(part.implicit for part in parts)

    @property
    def domain(self):
        if not self.parts:
            return sp.FiniteSet(self.knots[0].place)
        low, high = self.parts[0].low, self.parts[-1].high
        return _interval(low, high, not self.closed_below, not self.closed_above)

    @property
    def closed_below(self):
        """True if the lower end belongs to the domain."""
        return any(knot.place == self.parts[0].low for knot in self.knots)

    @property
    def closed_above(self):
        """True if the upper end belongs to the domain."""
        return any(knot.place == self.parts[-1].high for knot in self.knots)

    @property
    def expr(self):
        if not self.parts:
            return self.knots[0].value
        if len(self.parts) == 1:
            return self.parts[0].expr
        *first, last = self.parts
        cases = [(part.expr, self.variable < part.high) for part in first]
        return sp.Piecewise(*cases, (last.expr, True))

    @property
    def latex(self):
        """The formula with its domain, in LaTeX."""
        domain = (
            ""
            if self.domain == sp.S.Reals
            else rf", \quad {sp.latex(self.variable)} \in {sp.latex(self.domain)}"
        )
        return sp.latex(self.expr) + domain

    def __repr__(self):
        return f"ConvexFunction({self.expr}, {self.variable} in {self.domain})"

    @mpmath.workdps(DIGITS)
    def __call__(self, array, /, **parameters):
        """Values at an array of floats, any shape; +inf off the domain.

        Raises
        ------
        InputError
            A parameter is missing, unknown or outside its range.
        """
        evaluate = self.evaluator(self.setting.values(parameters))
        points = np.asarray(array, dtype=float)
        values = np.array([float(evaluate(point)) for point in points.ravel()])
        return values.reshape(points.shape) if points.ndim else float(values[0])

    def evaluator(self, numbers):
        """Return a function from a float or mpf to an mpf, for the given numbers of the parameters."""
        knots = [(value_at(knot.place, numbers), value_at(knot.value, numbers)) for knot in self.knots]
        parts = [self._part_evaluator(part, numbers) for part in self.parts]

        def value(point):
            if np.isnan(float(point)):
                return mpmath.nan
            slack = ULPS * np.spacing(abs(float(point))) if isinstance(point, float) else mpmath.mpf(0)
            place = number(point)
            for knot, at_knot in knots:
                if abs(place - knot) <= slack:
                    return at_knot
            for low, high, function in parts:
                if low < place < high:
                    return function(place)
            return mpmath.inf

        return value

    def _part_evaluator(self, part, numbers):
        low, high = value_at(part.low, numbers), value_at(part.high, numbers)
        by_numbers = part.inverse.evaluator(numbers) if part.inverse else lambda v: mpmath.nan
        if part.implicit:
            return low, high, by_numbers
        formula = compiled(part.expr, self.variable, numbers=numbers)
        size = magnitude(part.expr, *numbers.values())

        def value(v):
            # A formula that cancels gives other digits at twice the precision.
            digits = 2 * DIGITS + 2 * max(size, magnitude(v))
            values = formula(v), formula(v, digits=digits)
            if not _close(*values, size):
                values = values[1], formula(v, digits=2 * digits)
            return values[1] if _close(*values, size) else by_numbers(v)

        return low, high, value


def _close(first, second, size):
    """Return whether two values agree, as numbers of a formula whose coefficients are from 10^-size on."""
    allowed = TRUSTED * (mpmath.mpf(10) ** -size + abs(second))
    return mpmath.isfinite(second) and abs(second - first) <= allowed


def _interval(low, high, left_open, right_open):
    if low == high:
        return sp.FiniteSet(low)
    if low == -sp.oo and high == sp.oo:
        return sp.S.Reals
    return sp.Interval(low, high, left_open, right_open)


def _bisected(slope, v, low, high, digits):
    """Return the root of an increasing slope(x) = v to `digits`, by bisection on a growing bracket."""
    left, right = _bracket(slope, v, low, high)
    for _ in range(4 * digits + 400):
        middle = (left + right) / 2
        if middle in (left, right):
            break
        above = slope(middle) > v
        left, right = (left, middle) if above else (middle, right)
        if abs(right - left) <= mpmath.mpf(10) ** (6 - digits) * abs(middle):
            break
    return (left + right) / 2


def _bracket(slope, v, low, high):
    """Two points of (low, high) between which the slope passes v; an end stands in where it is reached."""
    middle = _inside(low, high)
    left = right = middle
    step = mpmath.mpf(1)
    for _ in range(DOUBLINGS):
        value = slope(left)
        if not value > v:
            break
        left = left - step if mpmath.isinf(low) else low + (left - low) / 4
        step *= 2
    step = mpmath.mpf(1)
    for _ in range(DOUBLINGS):
        value = slope(right)
        if not value < v:
            break
        right = right + step if mpmath.isinf(high) else high - (high - right) / 4
        step *= 2
    return left, right


def _inside(low, high):
    if mpmath.isinf(low) and mpmath.isinf(high):
        return mpmath.mpf(0)
    if mpmath.isinf(low):
        return high - 1
    if mpmath.isinf(high):
        return low + 1
    return (low + high) / 2
