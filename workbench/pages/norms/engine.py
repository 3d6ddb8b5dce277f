"""The messages of the page of norms, answered in Python: those that `worker.js` answers in the browser.

They tell the gaps of each step of FISTA, with and without repairs, and what one picture shows: weights, dual
points, sections of the dual ball, the bisection for a tree's dual norm.
"""

import time
from typing import ClassVar, NamedTuple

import numpy as np

from workbench._support.errors import InputError
from workbench._support.names import check_number
from workbench.certificates import loss_terms
from workbench.certificates.gaps.norm_gap import largest_lam, norm_gap
from workbench.pages.wasm import engine
from workbench.pages.wasm.engine import whole
from workbench.problems.regularizers.norm_transfers import INSIDE, Nested

# Directions in which the edge of the ball is looked for at first, and halvings that find it.
DIRECTIONS, HALVINGS = 48, 16
# Where the edge bulges out of its polygon by more than this, a quarter of a pixel, another corner is found
# between, down to this angle: so the polygon has the corners that the ball has.
BULGE, LEAST_ANGLE = 2e-3, 1e-4
# Beyond this the section has no edge that anybody looks at.
FAR = 8.0
# How long steps go on before a picture, in seconds; and so many that are asked for are done at once.
PICTURE, MAX_STEPS = 0.05, 100
CERTIFIED = ("primal", "dual", "gap", "relative_gap")
LOOKS = ("best", "plane")


class NormsEngine(engine.Engine):
    """The engine with the messages of the page; its problem has the loss and the regularizer."""

    types: ClassVar = engine.TYPES | {
        "norm_problem": (True, ("loss", "regularizer", "solver", "ratio", *LOOKS), True),
        "norm_steps": (True, ("after", "count", "hurries", "tolerance", *LOOKS)),
        "norm_picture": (True, ("step", *LOOKS)),
    }
    places: ClassVar = engine.Engine.places | {"norm_steps": "after", "norm_picture": "step"}

    def _on_norm_problem(self, id, ratio, best, plane, **choices):
        """A problem at zero, with lambda as a share of the least one for which w = 0 is optimal."""
        check_number("norm_problem", "ratio", ratio, above=0.0)
        self.begin(lam=1.0, **choices)
        largest, lam, picture = largest_lam(self.run.problem), None, None
        if largest > 0.0:
            lam = ratio * largest
            self.begin(lam=lam)
            picture = self._picture(best, plane)
        is_norm = self.run.problem.regularizer.is_norm
        self._answer(id, "norm_problem", largest=largest, lam=lam, is_norm=is_norm, picture=picture)

    def _on_norm_steps(self, id, after, count, hurries, tolerance, best, plane):
        """Steps from one that was done, each with its gaps; of a run that hurries fewer where one ends it."""
        whole(count, "norm_steps", "count", 1, np.inf if hurries else MAX_STEPS)
        until = time.perf_counter() + (PICTURE if hurries else np.inf)
        rows, status = [], None
        self._go_to(after)
        while status is None and len(rows) < count and (not rows or time.perf_counter() < until):
            before = np.copy(self.run.state.w)
            steps = self.advance(1)
            rows.append(self._row(best))
            if rows[-1]["relative_gap"] <= tolerance:
                status = "converged"
            elif not steps or not np.isfinite(self.run.state.w).all():
                status = "diverged"
            elif hurries and np.array_equal(before, self.run.state.w):
                status = "stalled"
        picture = self._picture(best, plane)
        self._answer(id, "norm_steps", rows=rows, status=status, picture=picture)

    def _on_norm_picture(self, id, step, best, plane):
        self._go_to(step)
        self._answer(id, "norm_picture", picture=self._picture(best, plane))

    def _go_to(self, step):
        whole(step, "norm_picture", "step", 0)
        self.certified = None
        self.keyframes.seek(step)

    def _bias(self, best):
        """The bias at which kappa is taken: that of the iterate, or None for the best one."""
        return float(self.run.state.b) if self.run.problem.free_bias and not best else None

    def _row(self, best):
        """The certificate of the present iterate, and its gaps with and without repairs."""
        run, bias, certificate = self.run, self._bias(best), self._certified()
        result = norm_gap(run.centred, run.problem.split(run.state.w)[0], bias)
        points, is_norm = duals(run.centred, run.state.w, bias), run.problem.regularizer.is_norm
        return {
            **{name: getattr(certificate, name) for name in CERTIFIED},
            "step": run.steps,
            "epoch": run.epochs,
            "total": points.total,
            "raw": result.raw,
            "repaired": result.repaired,
            "better": result.better,
            "dual_norm": float(run.problem.transfer.dual_norm(points.centred)) if is_norm else np.nan,
            "scaling": result.scaling,
            "reasons": {"sum": "sums" in result.reason, "outside": "dual norm" in result.reason},
        }

    def _picture(self, best, plane):
        """What one picture shows of the present iterate; the section is through the two features `plane`."""
        run, problem = self.run, self.run.problem
        w, points = problem.split(run.state.w)[0], duals(run.centred, run.state.w, self._bias(best))
        if not isinstance(plane, list) or len(plane) != 2 or plane[0] == plane[1]:
            raise InputError(f"plane = {plane!r} is no pair of different features; use [0, 1], say")
        axes = [whole(each, "plane", "feature", 0, w.size - 1) for each in plane]
        return {
            "row": self._row(best),
            "w": w,
            "plane": axes,
            "points": [point[axes].tolist() for point in points[:3]],
            "edge": edges(problem, points.scaled, *axes),
            "bisection": [step._asdict() for step in bisection(problem.transfer, points.centred)],
        }


class Duals(NamedTuple):
    """v = -X'kappa / lam of an iterate: of kappa as it is, of kappa with sum zero, and in the ball."""

    raw: np.ndarray
    centred: np.ndarray
    scaled: np.ndarray
    total: float  # the sum of kappa


def duals(problem, w, bias):
    """The dual points of weights on the columns of the design, by SPAMS, appendix A.

    Parameters
    ----------
    problem : Problem
    w : ndarray (D,)
    bias : float or None
        Of a free bias; the best one for w where it is None.
    """
    side, z = loss_terms.loss_side(problem), problem.design @ w
    if problem.free_bias:
        z = z + (side.best_bias(z) if bias is None else bias)
    alpha = side.alpha_at(z, 0.0)
    balanced = side.balance(alpha)[0] if problem.free_bias else alpha
    raw, centred = problem.dual_vector(alpha), problem.dual_vector(balanced)
    scale = min(1.0, problem.transfer.reach(centred)) if problem.regularizer.is_norm else 1.0
    return Duals(raw, centred, scale * centred, -float(alpha.sum()) / problem.n_samples)


def edges(problem, scaled, first, second):
    """The section of the dual ball through the repaired point, and that through zero; for a norm alone.

    The elastic net has no ball: its box, inside which a weight is zero, is returned for both. Each is a list
    of corners.
    """
    if not problem.regularizer.is_norm:
        corners = np.array([[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0], [1.0, 1.0]])
        box = (problem.regularizer.epsilon * corners).tolist()
        return {"through": box, "zero": box}
    transfer, direction = problem.transfer, np.zeros(scaled.size)
    norm, inside, centre = transfer.dual_norm, _inside(transfer), scaled[[first, second]]

    def from_zero(step):
        direction[[first, second]] = step
        return step / max(norm(direction), 1.0 / FAR)

    def from_point(step):
        direction[[first, second]] = step
        return centre + step * _reach(inside, scaled, direction)

    return {"through": _polygon(from_point), "zero": _polygon(from_zero)}


def _polygon(edge):
    """The corners of a closed polygon in a convex edge, which `edge` finds in every direction."""

    def at(angle):
        return angle, edge(np.array([np.cos(angle), np.sin(angle)]))

    waiting = [at(angle) for angle in np.linspace(2.0 * np.pi, 0.0, DIRECTIONS + 1)]
    corners = [waiting.pop()]
    while waiting:
        (before, start), (after, end) = corners[-1], waiting[-1]
        middle, point = at(0.5 * (before + after))
        side = end - start
        bulge = abs(side[0] * (point - start)[1] - side[1] * (point - start)[0])
        if after - before > LEAST_ANGLE and bulge > BULGE * np.hypot(*side):
            waiting.append((middle, point))
        else:
            corners.append(waiting.pop())
    return [corner.tolist() for _, corner in corners]


def _inside(transfer):
    """Whether a point is in the dual ball: for a tree one pass says so, without a bisection."""
    if isinstance(transfer, Nested):
        return lambda v: not np.any(transfer.prox(v, 1.0))
    return lambda v: transfer.dual_norm(v) <= 1.0


def _reach(inside, point, direction):
    """How far from a point inside the ball its edge lies in a direction, from below, by bisection."""
    low, high = 0.0, FAR
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        if inside(point + middle * direction):
            low = middle
        else:
            high = middle
    return low


class Halving(NamedTuple):
    """One step of the bisection: the bracket before it, the middle, and what the prox there leaves."""

    low: float
    high: float
    middle: float
    left: int  # entries of prox_{middle g}(v) that are not zero


def bisection(transfer, v):
    """Every step of the bisection for a tree's dual norm, as `group_loops` does it; [] for another norm.

    The dual norm is at most tau exactly where prox_{tau g}(v) = 0, so a middle that leaves nothing is the
    new upper end. docs/mathematics.md, section 6.
    """
    if not isinstance(transfer, Nested) or not np.abs(v).max(initial=0.0) > 0.0:
        return []
    low, high, steps = 0.0, float(np.abs(v).max()), []
    while np.any(transfer.prox(v, high)):
        low, high = high, 2.0 * high
    while high - low > (1.0 - INSIDE) * high / 4.0:
        middle = 0.5 * (low + high)
        if middle in (low, high):
            break
        count = int(np.count_nonzero(transfer.prox(v, middle)))
        steps.append(Halving(low, high, middle, count))
        low, high = (middle, high) if count else (low, middle)
    steps.append(Halving(low, high, high, 0))
    return steps
