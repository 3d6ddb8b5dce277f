"""A plane of dual points, spanned by what two blocks pull, and the ball that has the dual optimum in it.

The plane is spanned by the gradients of what two blocks pull. What is seen in it of the ball of radius r is
its shadow, a disc of radius r about the shadow of its centre; what two features pull is the same for all
points over a point of the plane, so that the disc misses the lines of a feature where the ball does.
"""

from typing import NamedTuple

import numpy as np
import scipy.sparse as sp

from workbench.pages.norms.model import BALL
from workbench.pages.norms.screened import certificates, view_at

# Corners of an ellipse among which its nearest point is found.
CORNERS = 240
# A direction that is shorter than this share of another has no direction of its own.
PARALLEL = 1e-9


class Plane(NamedTuple):
    """A plane of dual points, by two directions of length one."""

    basis: np.ndarray  # (2, n)
    blocks: tuple  # the two blocks
    columns: tuple  # of each block (n, k), centred where a bias is free


def views(lab, first, second, window, optimum):
    """Return what each certificate of a lab's run shows in the plane of two blocks.

    Parameters
    ----------
    lab : screened.Lab
    first, second : int
        The blocks, by their place in `lab.order`.
    window : str
        `LINES` or `BALL`.
    optimum : ndarray (n,) or None

    Returns
    -------
    dict
        `names` and `blocks`, places among those that are drawn; the centres of the `balls` of two runs
        (k, 2), with their `radii`; `optimum` (2,) or None; and for each place its `windows`, (x, y, half),
        and the `edges` of both blocks.
    """
    plane, run = plane_of(lab, first, second), lab.run
    limits = run.problem.transfer.blocks.limits(run.problem.lam_n)
    shown = {
        name: [view_at(run, k) for k in certificates(lab)]
        for name, run in lab.runs.items()
        if name != "unscreened"
    }
    balls = {name: np.array([plane.basis @ view.alpha for view in views]) for name, views in shown.items()}
    places, edges = [], []
    for k, view in enumerate(shown["both"]):
        both = [
            edge(columns, plane.basis, view.alpha, limits[j])
            for j, columns in zip(plane.blocks, plane.columns, strict=True)
        ]
        middle, half = _window(both, balls["both"][k], view.radius, window)
        places.append((*middle, half))
        edges.append([block and block.record(middle, balls["both"][k]) for block in both])
    order = lab.order.tolist()
    return {
        "names": [str(lab.names[j]) for j in plane.blocks],
        "blocks": [order.index(j) for j in plane.blocks],
        "balls": {name: centres.ravel() for name, centres in balls.items()},
        "radii": {name: np.array([view.radius for view in views]) for name, views in shown.items()},
        "optimum": None if optimum is None else plane.basis @ optimum,
        "windows": np.array(places).ravel(),
        "edges": edges,
    }


def _window(edges, at, radius, window):
    """Return the middle and the half side of what is seen."""
    if window == BALL:
        return at, 1.6 * radius or 1.0
    middle = np.zeros(2)
    distances = [block.distance(middle) for block in edges if block is not None]
    return middle, 1.25 * max(distances, default=radius) or 1.0


def plane_of(lab, first, second):
    """The plane of two blocks, which stays where it is while the run goes on."""
    size = len(lab.order)
    first, second = min(first, size - 1), min(second, size - 1)
    second = (first + 1) % size if second == first else second
    blocks = int(lab.order[first]), int(lab.order[second])
    columns = tuple(_columns(lab, j) for j in blocks)
    pulled = lab.at_largest.certificate.alpha
    directions = [block[:, 0] if block.shape[1] == 1 else block @ (block.T @ pulled) for block in columns]
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
    """The points where a block pulls just enough to leave zero: two lines, or an ellipse.

    Its points are `middle` + `vectors` @ (`lengths` * what lies on a unit circle); of a line the second
    length is infinite.
    """

    middle: np.ndarray  # (2,)
    vectors: np.ndarray  # (2, 2), in columns
    lengths: np.ndarray  # (2,)

    @property
    def is_line(self):
        return np.isinf(self.lengths[1])

    def record(self, middle, centre):
        """Return what draws it: the angle nearest to a middle, and its distance from a centre beside."""
        return {
            "middle": self.middle,
            "vectors": self.vectors.ravel(),
            "lengths": self.lengths,
            "nearest": 0.0 if self.is_line else float(self.nearest(middle)),
            "distance": self.distance(centre),
        }

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
        """Return the distance of a point from the edge."""
        if self.is_line:
            return float(abs(self.lengths[0] - abs(self.vectors[:, 0] @ (point - self.middle))))
        return float(np.linalg.norm(self.at(np.array([self.nearest(point)]))[0] - point))


def edge(columns, basis, center, limit):
    """Return the edge of a block in the plane through a dual point; None if there is none.

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
