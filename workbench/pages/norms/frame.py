"""What one frame of the page of norms shows, as plain arrays: gaps, weights, the dual ball, a bisection."""

from typing import NamedTuple

import numpy as np

from workbench.pages.norms.model import duals
from workbench.regularizers.norm_transfers import INSIDE, Nested

# Directions in which the edge of the ball is looked for at first, and halvings that find it.
DIRECTIONS, HALVINGS = 48, 16
# Where the edge bulges out of its polygon by more than this, a quarter of a pixel, another corner is found
# between, down to this angle: so the polygon has the corners that the ball has.
BULGE, LEAST_ANGLE = 2e-3, 1e-4
# Beyond this the section has no edge that anybody looks at.
FAR = 8.0


def frame(lab, first, second, with_ball=True):
    """Numbers, curves and points of the present state of a lab.

    Parameters
    ----------
    lab : Lab
    first, second : int
        The features of the section; held within those there are.
    with_ball : bool
        Whether the edge of the section is computed, which takes the most time.
    """
    run, found = lab.run, duals(lab.run)
    first, second = plane(found.raw.size, first, second)
    shown = {
        "row": run.rows[-1],
        "gaps": run.gaps[-1],
        "at": run.at,
        "lam": run.problem.lam,
        "largest": lab.largest,
        "curves": _curves(run),
        "weights": _weights(lab),
        "total": found.total,
        "plane": (first, second),
        "names": (lab.found.names[first], lab.found.names[second]),
        "points": np.array([point[[first, second]] for point in found[:3]]),
        "is_norm": run.problem.regularizer.is_norm,
        "free": run.problem.free_bias,
        "edge": None,
        "bisection": bisection(run.problem.transfer, found.centred),
    }
    if with_ball:
        shown["edge"] = _edges(run.problem, found.scaled, first, second)
    return shown


def plane(size, first, second):
    """Two different features of so many."""
    first, second = min(first, size - 1), min(second, size - 1)
    return first, (first + 1) % size if second == first else second


def _curves(run):
    curves = {name: np.array([row[name] for row in run.along()], dtype=float) for name in ("step", "primal")}
    for name in ("raw", "repaired", "better"):
        curves[name] = np.array([getattr(gaps, name) for gaps in run.along("gaps")], dtype=float)
    return curves


def _weights(lab):
    """The weights in the order of their groups, with the group of each."""
    groups = lab.found.groups
    order = np.concatenate([np.array(group) for group in groups])
    group = np.repeat(np.arange(len(groups)), [len(members) for members in groups])
    w, _ = lab.run.problem.split(lab.run.state.w)
    alive = [bool(np.any(w[list(members)])) for members in groups]
    return {
        "place": np.arange(order.size, dtype=float),
        "weight": w[order],
        "name": [lab.found.names[j] for j in order],
        "group": [lab.found.group_names[g] for g in group],
        "odd": group % 2,
        "alive": sum(alive),
        "groups": len(groups),
    }


def _edges(problem, scaled, first, second):
    """The section of the dual ball through the repaired point, and that through zero; for a norm alone.

    The elastic net has no ball: its box, inside which a weight is zero, is returned for both.
    """
    if not problem.regularizer.is_norm:
        corners = np.array([[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0], [1.0, 1.0]])
        box = problem.regularizer.epsilon * corners
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
        middle, found = at(0.5 * (before + after))
        side = end - start
        bulge = abs(side[0] * (found - start)[1] - side[1] * (found - start)[0])
        if after - before > LEAST_ANGLE and bulge > BULGE * np.hypot(*side):
            waiting.append((middle, found))
        else:
            corners.append(waiting.pop())
    return np.array([corner for _, corner in corners])


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
    """Every step of the bisection for a tree's dual norm, as `group_loops` does it; () for another norm.

    The dual norm is at most tau exactly where prox_{tau g}(v) = 0, so a middle that leaves nothing is the
    new upper end. docs/mathematics.md, section 6.
    """
    if not isinstance(transfer, Nested) or not np.abs(v).max(initial=0.0) > 0.0:
        return ()
    low, high, steps = 0.0, float(np.abs(v).max()), []
    while np.any(transfer.prox(v, high)):
        low, high = high, 2.0 * high
    while high - low > (1.0 - INSIDE) * high / 4.0:
        middle = 0.5 * (low + high)
        if middle in (low, high):
            break
        left = int(np.count_nonzero(transfer.prox(v, middle)))
        steps.append(Halving(low, high, middle, left))
        low, high = (middle, high) if left else (low, middle)
    steps.append(Halving(low, high, high, 0))
    return tuple(steps)
