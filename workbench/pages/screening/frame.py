"""What one frame of the page of screening shows, as plain arrays: marks, the ball in a plane, gaps, the path.

The plane is spanned by the gradients of what two blocks pull. What is seen in it of the ball of radius r is
its shadow, a disc of radius r about the shadow of its centre; what two features pull is the same for all
points over a point of the plane, so that the disc misses the lines of a feature where the ball does.
"""

from typing import NamedTuple

import numpy as np
import scipy.sparse as sp

from workbench.pages.screening.model import BALL, DRAWN, KINDS, LISTED, marks

# Corners of an ellipse, and how many windows long a line is drawn.
CORNERS, BEYOND = 240, 40.0
# A direction that is shorter than this share of another has no direction of its own.
PARALLEL = 1e-9


class Plane(NamedTuple):
    """A plane of dual points, by two directions of length one."""

    basis: np.ndarray  # (2, n)
    blocks: tuple  # the two blocks
    columns: tuple  # of each block (n, k), centred where a bias is free


def frame(lab, first, second, window, place=None):
    """Numbers, curves and points of a lab.

    Parameters
    ----------
    lab : Lab
    first, second : int
        The blocks of the plane, by their place in `lab.order`.
    window : str
        `LINES` or `BALL`.
    place : int, optional
        Of the longest run; its last one where not given.
    """
    run, place = lab.run, len(lab.longest.rows) - 1 if place is None else place
    return {
        "gap": run.gaps[run.at(place)],
        "relative_gap": run.views[run.at(place)].relative_gap,
        "ratio": lab.settings["ratio"],
        "lam": run.problem.lam,
        "largest": lab.largest,
        "free": run.problem.free_bias,
        "grouped": run.tightest.groups is not None,
        "ridge": bool(np.any(run.problem.transfer.blocks.ridge)),
        "marks": _marks(lab, place),
        "plane": _plane(lab, first, second, window, place),
        "curves": {name: _curves(each, place) for name, each in lab.runs.items()},
        "path": _path(lab),
    }


def selectable(lab):
    """The blocks that can span the plane: their names by their place in the order."""
    return {lab.names[j]: place for place, j in enumerate(lab.order[:LISTED])}


def _marks(lab, place):
    """The blocks in the order of their pull at the largest lambda, with what is known of each."""
    run, blocks = lab.run, lab.order[:DRAWN]
    at = run.at(place)
    view, since = run.views[at], run.since[blocks]
    mask = since <= run.rows[at]["epoch"]
    return {
        "place": np.arange(blocks.size),
        "name": [lab.names[j] for j in blocks],
        "bound": view.bound,
        "kind": [KINDS[kind] for kind in view.kinds],
        "since": [f"at epoch {each:.3g}" if so else "" for each, so in zip(since, mask, strict=True)],
        "total": int(run.since.size),
        "discarded": run.counts[at],
        "first": run.counts[0],
        "kept": view.kept,
        "nonzero": view.nonzero,
    }


def _curves(run, place):
    return {
        "epoch": np.array([row["epoch"] for row in run.rows]),
        "left": np.array(run.undecided),
        "gap": np.array(run.gaps),
        "at": run.at(place),
    }


def _path(lab):
    points = [lab.solved[each][0] for each in marks(lab.settings["ratio"]) if each in lab.solved]
    if not points:
        return None
    return {name: np.array([getattr(mark, name) for mark in points]) for name in points[0]._fields}


# The plane


def _plane(lab, first, second, window, place):
    plane, run = plane_of(lab, first, second), lab.run
    limits = run.problem.transfer.blocks.limits(run.problem.lam_n)
    views = {name: each.views[each.at(place)] for name, each in lab.runs.items() if name != "unscreened"}
    balls = {name: (plane.basis @ view.alpha, view.radius) for name, view in views.items()}
    center, kinds = views["both"].alpha, dict(zip(lab.order, views["both"].kinds, strict=False))
    edges = [
        edge(columns, plane.basis, center, limits[j])
        for j, columns in zip(plane.blocks, plane.columns, strict=True)
    ]
    at, radius = balls["both"]
    distances = [np.inf if each is None else each.distance(at) for each in edges]
    if window == BALL:
        middle, half = at, 1.6 * radius
    else:
        middle = np.zeros(2)
        half = 1.25 * max([each.distance(middle) for each in edges if each is not None], default=radius)
    return {
        "names": [lab.names[j] for j in plane.blocks],
        "kinds": [KINDS[kinds[j]] for j in plane.blocks],
        "edges": [np.empty((0, 2)) if each is None else each.segments(middle, half) for each in edges],
        "distances": distances,
        "balls": balls,
        "optimum": plane.basis @ lab.optimum[0] if lab.optimum else None,
        "window": (middle, half or 1.0),
    }


def plane_of(lab, first, second):
    """The plane of two blocks, which stays where it is while the run goes on."""
    size = len(lab.order)
    first, second = min(first, size - 1), min(second, size - 1)
    second = (first + 1) % size if second == first else second
    blocks = int(lab.order[first]), int(lab.order[second])
    columns = tuple(_columns(lab, j) for j in blocks)
    pulled = lab.at_largest.certificate.alpha
    directions = [each[:, 0] if each.shape[1] == 1 else each @ (each.T @ pulled) for each in columns]
    # Where two features are parallel, or one is constant, any other direction will do.
    n = pulled.size
    spare = np.eye(n)[: min(n, 4)]
    if lab.run.problem.free_bias:
        spare = spare - 1.0 / n
    basis = []
    for direction in (*directions, *spare):
        length = np.linalg.norm(direction)
        rest = direction - sum((b * (b @ direction) for b in basis), np.zeros(n))
        rest = rest - sum((b * (b @ rest) for b in basis), np.zeros(n))
        if np.linalg.norm(rest) > PARALLEL * length:
            basis.append(rest / np.linalg.norm(rest))
        if len(basis) == 2:
            break
    basis += [np.zeros(n)] * (2 - len(basis))
    return Plane(np.array(basis), blocks, columns)


def _columns(lab, block):
    """The columns of a block (n, k); alpha sums to zero with a free bias, so that centred ones pull alike."""
    groups = lab.at_largest.groups
    columns = [block] if groups is None else list(groups[block])
    X = lab.data.X[:, columns]
    X = X.toarray() if sp.issparse(X) else X
    return X - X.mean(axis=0) if lab.run.problem.free_bias else X


class Edge(NamedTuple):
    """Where a block pulls as much as it takes to leave zero: two lines, or an ellipse.

    Its points are `middle` + `vectors` @ (`lengths` * what lies on a unit circle); of a line the second
    length is infinite.
    """

    middle: np.ndarray  # (2,)
    vectors: np.ndarray  # (2, 2), in columns
    lengths: np.ndarray  # (2,)

    @property
    def is_line(self):
        return np.isinf(self.lengths[1])

    def at(self, angles):
        """Points of the ellipse (m, 2)."""
        return self.middle + (self.vectors @ (self.lengths[:, None] * [np.cos(angles), np.sin(angles)])).T

    def nearest(self, point):
        """The angle at which an ellipse comes nearest to a point."""
        angles = np.linspace(-np.pi, np.pi, CORNERS + 1)
        while True:
            k = int(np.argmin(((self.at(angles) - point) ** 2).sum(axis=1)))
            width = angles[1] - angles[0]
            if width < 1e-12:
                return angles[k]
            angles = np.linspace(angles[k] - width, angles[k] + width, CORNERS + 1)

    def distance(self, point):
        """How far a point is from it."""
        if self.is_line:
            return float(abs(self.lengths[0] - abs(self.vectors[:, 0] @ (point - self.middle))))
        return float(np.linalg.norm(self.at(np.array([self.nearest(point)]))[0] - point))

    def segments(self, point, half):
        """Its points as one line (m, 2), exact near a point; two lines have a gap between."""
        if not self.is_line:
            near = np.geomspace(1e-12, np.pi / 2.0, CORNERS)
            near = self.nearest(point) + np.concatenate([-near, near])
            return self.at(np.sort(np.concatenate([np.linspace(-np.pi, np.pi, CORNERS + 1), near])))
        away, along = self.vectors.T
        middle = self.middle + along * (along @ (point - self.middle))
        ends = [middle + s * self.lengths[0] * away for s in (1.0, -1.0)]
        gap = np.full((1, 2), np.nan)
        reach = BEYOND * half * along
        return np.vstack([ends[0] - reach, ends[0] + reach, gap, ends[1] - reach, ends[1] + reach])


def edge(columns, basis, center, limit):
    """The edge of a block in the plane through a dual point; None where the block never pulls so much there.

    Parameters
    ----------
    columns : ndarray (n, k)
    basis : ndarray (2, n)
    center : ndarray (n,)
    limit : float
        What it takes to leave zero, in units of what the block pulls.
    """
    # At p of the plane it pulls with the length of start + across p.
    across = columns.T @ basis.T
    start = columns.T @ center - across @ (basis @ center)
    values, vectors = np.linalg.eigh(across.T @ across)
    values, vectors = values[::-1], vectors[:, ::-1]
    if not values[0] > 0.0:
        return None
    used = vectors if values[1] > PARALLEL * values[0] else vectors[:, :1]
    middle = -used @ np.linalg.lstsq(across @ used, start, rcond=None)[0]
    rest = limit**2 - float(np.sum((start + across @ middle) ** 2))
    if rest < 0.0:
        return None
    lengths = np.sqrt(rest / values) if used.shape[1] == 2 else np.array([np.sqrt(rest / values[0]), np.inf])
    return Edge(middle, vectors, lengths)
