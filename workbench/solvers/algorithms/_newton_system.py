"""Newton's equations of P(w, b), w = grad h(v), in whichever of v's coordinates they are well conditioned.

With alpha and z those of (w, b), W the curvature of the losses at z and H = grad^2 h(v) = B B', a step solves

    lam dv + X' W dz / n = X' alpha / n - lam v,    1' W dz / n = 1' alpha / n,    dz = X dw + db,  dw = H dv

in y with dw = B y: the matrix lam + B' X' W X B / n is symmetric and never below lam, however steep g is at
the edge of its domain. The new v is X' (alpha - W dz) / (lam n), the image of the dual variables as they
change to first order.
"""

import functools
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import scipy.sparse.linalg
from scipy.linalg import lapack

from workbench.kernels import newton_loops
from workbench.problems.losses import simplex

# Up to these unknowns the matrix is factored at once; above, conjugate gradients are tried for a quarter as
# many iterations, and only beyond the second number are they left to go on instead of factoring. A matrix of
# fewer samples than that with p'' > 0 is factored in their place: it takes up to 0.3 GB.
SMALL, FACTORED, TRIED, MOST_ITERATIONS, SAMPLES = 200, 2000, 0.25, 500, 6000
# With this many features a class X'X costs as much as few iterations of conjugate gradients, and saves more.
FEW = 30
# The residual that conjugate gradients leave, at most, as a share of the first.
SHARE = 0.1
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
    others: tuple = ()  # other sums over the samples that a solver asks for

    @property
    def curved(self):
        """The number of samples that have a curvature, which alone make up W."""
        return int(np.count_nonzero(self.bent))

    def times(self, dz):
        """W dz."""
        return self.bent * dz

    def gram(self, problem):
        """X' W X, extended by the column of an unregularized bias."""
        rows = gram(problem.design, self.bent)
        if not problem.free_bias:
            return rows
        matrix = np.empty((rows.shape[0] + 1, rows.shape[1] + 1))
        matrix[:-1, :-1] = rows
        matrix[:-1, -1] = matrix[-1, :-1] = problem.design.transposed(self.bent)
        matrix[-1, -1] = self.bent.sum()
        return matrix

    def diagonal(self, problem):
        """Return the diagonal of `gram`, (D,), without the bias."""
        return _weighted_squares(problem.design, self.bent)

    def mass(self):
        """Return the diagonal of `gram` for the bias."""
        return self.bent.sum()


@dataclass(frozen=True, eq=False)
class Classes:
    """The losses of r classes at a point; W has the blocks c (diag(s) - s s' / sum s) of `losses.simplex`."""

    value: float
    alpha: np.ndarray  # (n, r)
    bend: np.ndarray  # (n, r) s
    weight: np.ndarray  # (n,)

    @property
    def curved(self):
        """The size of W, whose blocks of classes are factored for all samples."""
        return self.bend.size

    def times(self, dz):
        """W dz."""
        moved = self.masses * dz
        # A product with ones takes a sixth of the time of a sum over a short axis.
        return moved - self.shared * (moved @ np.ones((moved.shape[1], 1)))

    @functools.cached_property
    def masses(self):
        """Products c s, (n, r)."""
        return self.weight[:, None] * self.bend

    @functools.cached_property
    def shared(self):
        """Shares s / sum s, (n, r)."""
        return simplex.shared(self.bend)

    def gram(self, problem):
        """X' W X in row order of (D, r), extended by the columns of unregularized biases."""
        X, r, shared = problem.design, self.bend.shape[1], self.shared
        if problem.free_bias:
            X = X.extended(True, False)
        size = X.shape[1]
        matrix = np.empty((size, r, size, r))
        for a in range(r):
            for b in range(a, r):
                scale = self.masses[:, a] * ((a == b) - shared[:, b])
                matrix[:, a, :, b] = gram(X, scale)
                matrix[:, b, :, a] = matrix[:, a, :, b].T
        matrix = matrix.reshape(size * r, size * r)
        if problem.free_bias:
            matrix[-r:, -r:] += LIFT * self.weight.sum() / r**2
        return matrix

    def diagonal(self, problem):
        """Return the diagonal of `gram`, (D r,), without the biases."""
        return _weighted_squares(problem.design, self._variances()).ravel()

    def mass(self):
        """Return the diagonal of `gram` for the biases, (r,)."""
        return self._variances().sum(axis=0)

    def total(self):
        """Sum the blocks of W, (r, r)."""
        return np.diag(self.masses.sum(axis=0)) - self.masses.T @ self.shared

    def _variances(self):
        return self.masses * (1.0 - self.shared)


class Bending(NamedTuple):
    """H = grad^2 h(v) = B B' with B = diag(root) (1 + factor t t'); a root of None stands for B = 1."""

    root: np.ndarray | None = None
    t: np.ndarray | None = None
    factor: float = 0.0

    @classmethod
    def of(cls, problem, v):
        """Factor the Hessian of the problem's h at v (D,)."""
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
    iterations: int  # of conjugate gradients; 0 where the matrix was factored at once


class Equations:
    """Newton's equations at a point with those losses and that v; their matrix is made once."""

    def __init__(self, problem, here, v):
        self.problem, self.here, self.v = problem, here, v
        self.bending = Bending.of(problem, v.ravel())
        residual = problem.lam * (problem.dual_vector(here.alpha) - v)
        self.right = self.bending.transposed(residual.ravel())
        self.size = self.right.shape[0]
        if problem.free_bias:
            self.right = np.append(self.right, here.alpha.sum(axis=0) / problem.n_samples)

    def solve(self, share=SHARE, damping=0.0):
        """Solve for the `Direction`; conjugate gradients leave at most `share` of the residual.

        A damping, added to lam, is the weight of a Bregman proximal term of g, which keeps the step short; an
        unregularized bias is held by the same share of its own curvature.
        """
        problem, here, right = self.problem, self.here, self.right
        step, iterations, unknowns = None, 0, right.shape[0]
        if unknowns > SMALL and here.curved < min(unknowns, SAMPLES):
            step = self._of_few_samples(damping)
        elif unknowns > SMALL:
            most = MOST_ITERATIONS if unknowns > FACTORED else int(TRIED * unknowns)
            step, iterations, is_near = self._iterated(share, damping, most)
            step = step if is_near or unknowns > FACTORED else None
        if step is None:
            matrix = self._matrix.copy()
            matrix.reshape(-1)[:: unknowns + 1] += self._proximal_weights(damping)
            step = factored(matrix, right)
        dw = self.bending.times(step[: self.size]).reshape(self.v.shape)
        db = step[self.size :].reshape(problem.columns) if problem.free_bias else 0.0
        dz = problem.design @ dw + db
        if problem.regularizer.is_quadratic:
            # w is a multiple of v in each coordinate, which spares a pass over the data.
            root = self.bending.root
            following = self.v + (dw if root is None else (dw.ravel() / root**2).reshape(dw.shape))
        else:
            whole = problem.dual_vector(here.alpha - here.times(dz))
            following = self.v + problem.lam / (problem.lam + damping) * (whole - self.v)
        return Direction(dw, db, dz, following, float(right @ step), iterations)

    def _proximal_weights(self, damping):
        """Return the addition to the diagonal: lam and the damping, and for the bias a damping alone."""
        problem, here = self.problem, self.here
        diagonal = np.full(self.right.shape[0], problem.lam + damping)
        if problem.free_bias and here.curved:
            diagonal[self.size :] = damping / problem.lam * here.mass() / problem.n_samples
        elif problem.free_bias:
            # Nothing tells how far the bias should go: as if every sample had the curvature 1.
            diagonal[self.size :] = (1.0 + damping / problem.lam) * problem.weight.mean()
        return diagonal

    def _of_few_samples(self, damping):
        """Solve with a matrix of the samples with p'' > 0, if these are fewer than the unknowns.

        With A = W^(1/2) X B / n^(1/2) and F = lam + A A' the inverse of lam + A'A is (1 - A' F^(-1) A) / lam.
        """
        problem, bending, lam = self.problem, self.bending, self.problem.lam + damping
        diagonal = self._proximal_weights(damping)
        rows, roots = self._few
        matrix = self._products.copy()
        matrix.reshape(-1)[:: matrix.shape[0] + 1] += lam
        solved = _cholesky(matrix)
        second = solved(roots) if problem.free_bias else None
        solution, residual = 0.0, self.right
        # The difference that is divided by a small lam rounds; a second solution fixes that.
        for _ in range(2):
            right, beyond = residual[: self.size], residual[self.size :]
            first = solved(roots * (rows @ bending.times(right)))
            step = (right - bending.transposed(rows.T @ (roots * first))) / lam
            if problem.free_bias:
                bias = (beyond - roots @ first) / (lam * float(roots @ second) + diagonal[self.size])
                step = np.append(step - bias * bending.transposed(rows.T @ (roots * second)), bias)
            solution = solution + step
            residual = self.right - self._product(solution, diagonal)
        return solution

    @functools.cached_property
    def _few(self):
        """The samples with p'' > 0 and the roots of their share in the matrix."""
        support = np.flatnonzero(self.here.bent)
        design = self.problem.design
        rows = (design.rows if design.dense is None else design.dense)[support]
        return rows, np.sqrt(self.here.bent[support] / self.problem.n_samples)

    @functools.cached_property
    def _products(self):
        """A A' of `_of_few_samples`."""
        (rows, roots), bending = self._few, self.bending
        scaled = rows if bending.root is None else rows * bending.root
        products = scaled @ scaled.T
        products = products if isinstance(products, np.ndarray) else products.toarray()
        if bending.t is not None:
            image = scaled @ bending.t
            factor = bending.factor * (2.0 + bending.factor * float(bending.t @ bending.t))
            products += factor * np.outer(image, image)
        return roots[:, None] * products * roots

    @functools.cached_property
    def _matrix(self):
        """B' X' W X B / n, extended by an unregularized bias."""
        matrix, bending, size = self.here.gram(self.problem) / self.problem.n_samples, self.bending, self.size
        if bending.root is not None:
            matrix[:size, :size] = bending.conjugated(matrix[:size, :size])
            matrix[:size, size:] = bending.transposed(matrix[:size, size:])
            matrix[size:, :size] = matrix[:size, size:].T
        return matrix

    def _product(self, x, diagonal):
        """Multiply x by the matrix of the equations, with `diagonal` added."""
        problem, size, n = self.problem, self.size, self.problem.n_samples
        dw = self.bending.times(x[:size]).reshape(-1, *problem.columns)
        dz = problem.design @ dw + (x[size:].reshape(problem.columns) if problem.free_bias else 0.0)
        bent = self.here.times(dz)
        out = (
            diagonal[:size] * x[:size] + self.bending.transposed(problem.design.transposed(bent).ravel()) / n
        )
        if not problem.free_bias:
            return out
        lift = LIFT * problem.weight.sum() / (n * problem.columns[0] ** 2) if problem.columns else 0.0
        return np.append(out, diagonal[size:] * x[size:] + bent.sum(axis=0) / n + lift * x[size:].sum())

    def _iterated(self, share, damping, most):
        """Preconditioned conjugate gradients: the point, the iterations, whether it is near."""
        diagonal = self._proximal_weights(damping)
        shape = (self.right.shape[0], self.right.shape[0])
        operator = scipy.sparse.linalg.LinearOperator(
            shape, matvec=lambda x: self._product(x, diagonal), dtype=float
        )
        inverse = scipy.sparse.linalg.LinearOperator(shape, matvec=self._nearly_solved(diagonal), dtype=float)
        iterations = 0

        def count(_x):
            nonlocal iterations
            iterations += 1

        solution, missed = scipy.sparse.linalg.cg(
            operator, self.right, rtol=share, maxiter=most, M=inverse, callback=count
        )
        return solution, iterations, missed == 0

    def _nearly_solved(self, weights):
        """Return a rough solver: by the diagonal, or for few features by X'X times the sum of W's blocks."""
        problem, here, bending, n = self.problem, self.here, self.bending, self.problem.n_samples
        biases = weights[self.size :]
        if problem.free_bias:
            biases = biases + np.maximum(here.mass() / n, np.finfo(float).tiny)
        if not problem.columns or bending.root is not None or len(self.v) > FEW * problem.columns[0]:
            diagonal = here.diagonal(problem) / n
            if bending.root is not None:
                diagonal = diagonal * bending.root**2
            diagonal = np.append(weights[: self.size] + diagonal, biases)
            return lambda x: x / diagonal
        squares, axes = problem.design.spectrum
        curvatures, turn = np.linalg.eigh(here.total())
        scale = 1.0 / (weights[0] + np.outer(squares, np.maximum(curvatures, 0.0)) / n**2)

        def solved(x):
            turned = scale * (axes.T @ x[: self.size].reshape(self.v.shape) @ turn)
            return np.append(axes @ turned @ turn.T, x[self.size :] / biases)

        return solved


def _cholesky(matrix):
    """Return a solver of a matrix, which is overwritten; a FloatingPointError if an entry overflowed."""
    if not np.isfinite(matrix).all():
        raise FloatingPointError("Newton's equations overflowed")
    if not matrix.size:
        return lambda right: right
    factor, fault = lapack.dpotrf(matrix.T, overwrite_a=True, clean=False)
    if fault:
        raise np.linalg.LinAlgError("not positive definite")
    return lambda right: lapack.dpotrs(factor, right)[0]


def factored(matrix, right):
    """Solve a positive definite system, scaled to a unit diagonal; nan if it overflows."""
    diagonal = matrix.diagonal().copy()
    scale = 1.0 / np.sqrt(np.where(diagonal > 0.0, diagonal, 1.0))
    matrix *= scale[:, None] * scale
    if not np.isfinite(matrix).all():
        return np.full_like(right, np.nan)
    for ridge in RIDGES:
        try:
            solved = _cholesky(matrix + ridge * np.eye(right.shape[0]) if ridge else matrix.copy())
        except np.linalg.LinAlgError:
            continue
        return scale * solved(scale * right)
    return scale * scale * right


def gram(design, scale):
    """X' diag(scale) X of a design (n, D), with a scale of any sign."""
    size = design.shape[1]
    total = np.zeros((size, size))
    if design.dense is None:
        newton_loops.gram()(*design.row_arrays, np.ascontiguousarray(scale), total)
        return np.triu(total) + np.triu(total, 1).T
    support = np.flatnonzero(scale)
    whole = support.shape[0] == scale.shape[0]
    for start in range(0, support.shape[0], BLOCK):
        chosen = slice(start, start + BLOCK) if whole else support[start : start + BLOCK]
        block, factors = design.dense[chosen], scale[chosen]
        if factors.min() > 0.0:
            rooted = np.sqrt(factors)[:, None] * block
            total += rooted.T @ rooted
        else:
            total += (factors[:, None] * block).T @ block
    return total


def _weighted_squares(design, weight):
    """sum_i weight_i x_ij^2, (D,) or (D, r) for a weight (n,) or (n, r)."""
    squares = design.rows.power(2) if design.dense is None else design.dense**2
    return squares.T @ weight
