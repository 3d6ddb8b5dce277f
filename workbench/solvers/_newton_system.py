"""Newton's equations of P(w, b), w = grad h(v), in whichever of v's coordinates they are well conditioned.

With alpha and z those of (w, b), W the curvature of the losses at z and H = grad^2 h(v) = B B', a step solves

    lam dv + X' W dz / n = X' alpha / n - lam v,    1' W dz / n = 1' alpha / n,    dz = X dw + db,  dw = H dv

in y with dw = B y: the matrix lam + B' X' W X B / n is symmetric and never below lam, however steep g is at
the edge of its domain. The new v is X' (alpha - W dz) / (lam n), the image of the dual variables as they
change to first order.
"""

from typing import NamedTuple

import numpy as np
import scipy.linalg
import scipy.sparse as sp
import scipy.sparse.linalg

from workbench.compiled import newton_loops

# Up to so many unknowns the matrix is factored; above, conjugate gradients go on to a share of the residual.
FACTORED, SHARE, MOST_ITERATIONS = 2000, 0.1, 500
# Rows of a dense matrix that are multiplied at once, so that their scaled copy stays in the cache.
BLOCK = 4096
# What makes a matrix positive definite that rounding left indefinite, as a share of its diagonal.
RIDGES = (0.0, 1e-15, 1e-13, 1e-11, 1e-9)
# The biases of r classes are determined but for a number that all share; this share of their mass fixes it.
LIFT = 1.0


class Samples(NamedTuple):
    """The losses of one prediction a sample at a point."""

    value: float  # the sum of the losses
    alpha: np.ndarray  # (n,) the dual variables of map (10)
    bent: np.ndarray  # (n,) c_i p''(u_i)

    def times(self, dz):
        """W dz."""
        return self.bent * dz

    def gram(self, problem):
        """X' W X, extended by the column of an unregularized bias."""
        rows, border = gram(problem.design, self.bent), None
        if not problem.free_bias:
            return rows
        border = problem.design.transposed(self.bent)[:, None]
        return np.block([[rows, border], [border.T, np.array([[self.bent.sum()]])]])

    def diagonal(self, problem):
        """The diagonal of `gram`, without the bias."""
        return _squares(problem.design).T @ self.bent


class Classes(NamedTuple):
    """The multinomial losses at a point."""

    value: float
    alpha: np.ndarray  # (n, r)
    p: np.ndarray  # (n, r) the probabilities
    weight: np.ndarray  # (n,)

    def times(self, dz):
        """W dz, with the blocks c (diag(p) - p p')."""
        moved = self.p * dz
        return self.weight[:, None] * (moved - self.p * moved.sum(axis=1, keepdims=True))

    def gram(self, problem):
        """X' W X in row order of (D, r), extended by the columns of unregularized biases."""
        X, r = problem.design, self.p.shape[1]
        if problem.free_bias:
            X = X.extended(True, False)
        size = X.shape[1]
        found = np.empty((size, r, size, r))
        for a in range(r):
            for b in range(a, r):
                scale = self.weight * self.p[:, a] * ((a == b) - self.p[:, b])
                found[:, a, :, b] = gram(X, scale)
                found[:, b, :, a] = found[:, a, :, b].T
        found = found.reshape(size * r, size * r)
        if problem.free_bias:
            found[-r:, -r:] += LIFT * self.weight.sum() / r**2
        return found

    def diagonal(self, problem):
        """The diagonal of `gram`, without biases."""
        return (_squares(problem.design).T @ (self.weight[:, None] * self.p * (1.0 - self.p))).ravel()


class Bending(NamedTuple):
    """H = grad^2 h(v) = B B' with B = diag(root) (1 + factor t t'); a root of None stands for B = 1."""

    root: np.ndarray | None = None
    t: np.ndarray | None = None
    factor: float = 0.0

    @classmethod
    def of(cls, problem, v):
        """That of the problem's regularizer at v (D,)."""
        if problem.transfer.is_identity:
            return cls()
        diagonal, vector, outer = problem.transfer.bending(v)
        root = np.sqrt(diagonal)
        if outer == 0.0:
            return cls(root)
        t = np.divide(vector, root, out=np.zeros_like(root), where=root > 0.0)
        square = float(t @ t)
        if square == 0.0:
            return cls(root)
        return cls(root, t, (np.sqrt(max(0.0, 1.0 + outer * square)) - 1.0) / square)

    def times(self, y):
        """B y."""
        if self.root is None:
            return y
        return self.root * (y if self.t is None else y + self.factor * (self.t @ y) * self.t)

    def transposed(self, x):
        """B' x, for each column of x."""
        if self.root is None:
            return x
        x = self.root * x if x.ndim == 1 else self.root[:, None] * x
        if self.t is None:
            return x
        return x + self.factor * (self.t * (self.t @ x) if x.ndim == 1 else np.outer(self.t, self.t @ x))

    def conjugated(self, matrix):
        """B' M B of a symmetric matrix."""
        return matrix if self.root is None else self.transposed(self.transposed(matrix).T)


class Direction(NamedTuple):
    """A step to first order."""

    w: np.ndarray  # dw, in the shape of w
    b: object  # db, 0 where no bias is free
    z: np.ndarray  # dz
    v: np.ndarray  # the new v
    decrement: float  # minus the slope of P along the step, 0 or more
    iterations: int  # of conjugate gradients; 0 where the matrix was factored


def solve(problem, here, v, share=SHARE):
    """The direction of Newton's method at a point with those losses and that v, in the shape of w."""
    n, lam, shape = problem.n_samples, problem.lam, v.shape
    bending = Bending.of(problem, v.ravel())
    residual = problem.lam * (problem.dual_vector(here.alpha) - v)
    right = bending.transposed(residual.ravel())
    size = right.shape[0]
    if problem.free_bias:
        right = np.append(right, here.alpha.sum(axis=0) / n)
    if right.shape[0] <= FACTORED:
        matrix = here.gram(problem) / n
        if bending.root is not None:
            matrix[:size, :size] = bending.conjugated(matrix[:size, :size])
            matrix[:size, size:] = bending.transposed(matrix[:size, size:])
            matrix[size:, :size] = matrix[:size, size:].T
        matrix[np.arange(size), np.arange(size)] += lam
        found, iterations = _factored(matrix, right), 0
    else:
        found, iterations = _iterated(problem, here, bending, right, size, share)
    dw = bending.times(found[:size]).reshape(shape)
    db = found[size:].reshape(problem.columns) if problem.free_bias else 0.0
    dz = problem.design @ dw + db
    if problem.regularizer.is_quadratic:
        # w is a multiple of v in each coordinate, which spares a pass over the data.
        following = v + (dw if bending.root is None else (dw.ravel() / bending.root**2).reshape(shape))
    else:
        following = problem.dual_vector(here.alpha - here.times(dz))
    return Direction(dw, db, dz, following, float(right @ found), iterations)


def _factored(matrix, right):
    """The solution of a positive definite system, scaled to a unit diagonal."""
    diagonal = matrix.diagonal().copy()
    scale = 1.0 / np.sqrt(np.where(diagonal > 0.0, diagonal, 1.0))
    matrix *= scale[:, None] * scale
    for ridge in RIDGES:
        try:
            factor = scipy.linalg.cho_factor(matrix + ridge * np.eye(right.shape[0]), overwrite_a=True)
        except np.linalg.LinAlgError:
            continue
        return scale * scipy.linalg.cho_solve(factor, scale * right)
    return scale * scale * right


def _iterated(problem, here, bending, right, size, share):
    """Truncated conjugate gradients, preconditioned by the diagonal."""
    n, lam = problem.n_samples, problem.lam
    free = right.shape[0] > size
    mass = here.times(np.ones_like(here.alpha)) if not problem.columns else here.weight[:, None] * here.p

    def product(x):
        dw = bending.times(x[:size]).reshape(-1, *problem.columns)
        dz = problem.design @ dw + (x[size:].reshape(problem.columns) if free else 0.0)
        bent = here.times(dz)
        out = lam * x[:size] + bending.transposed(problem.design.transposed(bent).ravel()) / n
        if not free:
            return out
        last = bent.sum(axis=0) / n
        if problem.columns:
            last = last + LIFT * problem.weight.sum() / (n * problem.columns[0] ** 2) * x[size:].sum()
        return np.append(out, last)

    diagonal = here.diagonal(problem) / n
    if bending.root is not None:
        diagonal = diagonal * bending.root**2
    diagonal = lam + diagonal
    if free:
        diagonal = np.append(diagonal, np.maximum(mass.sum(axis=0) / n, np.finfo(float).tiny))
    shape = (right.shape[0], right.shape[0])
    operator = scipy.sparse.linalg.LinearOperator(shape, matvec=product, dtype=float)
    inverse = scipy.sparse.linalg.LinearOperator(shape, matvec=lambda x: x / diagonal, dtype=float)
    iterations = 0

    def count(x):
        nonlocal iterations
        iterations += 1

    found, _ = scipy.sparse.linalg.cg(
        operator, right, rtol=share, maxiter=MOST_ITERATIONS, M=inverse, callback=count
    )
    return found, iterations


def gram(design, scale):
    """X' diag(scale) X of a design (n, D), with a scale of any sign."""
    size = design.shape[1]
    total = np.zeros((size, size))
    if design.dense is None:
        newton_loops.gram()(*design.row_arrays, np.ascontiguousarray(scale), total)
        return np.triu(total) + np.triu(total, 1).T
    kept = np.flatnonzero(scale)
    whole = kept.shape[0] == scale.shape[0]
    for start in range(0, kept.shape[0], BLOCK):
        chosen = slice(start, start + BLOCK) if whole else kept[start : start + BLOCK]
        block, factors = design.dense[chosen], scale[chosen]
        if factors.min() > 0.0:
            rooted = np.sqrt(factors)[:, None] * block
            total += rooted.T @ rooted
        else:
            total += (factors[:, None] * block).T @ block
    return total


def _squares(design):
    """The squared entries of a design."""
    return design.rows.power(2) if design.dense is None else sp.csr_array(design.dense**2)
