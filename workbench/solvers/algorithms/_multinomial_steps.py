"""Compiled Gauss-Seidel steps for losses of r classes: one sample, all of its r dual variables at once.

With p = e_y - alpha_i / c in the simplex, the objective (*) of Algorithm 1 over c is

    F(p) = sum_j phi(p_j) + (lam n / c) sum_j h_j(v_j - c (p_j - p0_j) x_i / (lam n)),

where class j has its own column of v and the regularizer is a sum over the entries of w; phi(p) is p ln p for
the multinomial loss. With a parabola of curvature q_j in place of h_j the minimizer solves
phi'(p_j) + q_j p_j = z_j + q_j p0_j - m  for the multiplier m of sum p = 1, an equation in m alone.

Source: Zhang (2002), Algorithm 1 with r predictions a sample; Boehning (1992) bounds the same blocks.
"""

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numba import njit, types

from workbench._support.errors import InputError
from workbench.kernels import signatures
from workbench.kernels.compilation import VECTOR
from workbench.kernels.signatures import LABELS, READABLE_TABLE, TABLE
from workbench.kernels.simplex_loops import SHARES
from workbench.problems.regularizers import having
from workbench.solvers.algorithms import _arguments
from workbench.solvers.algorithms._coordinate import ARMIJO, HALVINGS, INLINE, SEARCH_LIMIT

# The search for p ends when no entry moves by more than this.
STILL = 1e-14


def check(solver, problem):
    """Refuse by name what blocks of r dual variables do not offer."""
    name = problem.regularizer.name
    if not problem.regularizer.is_separable:
        raise InputError(
            f"{solver.name}: with the {problem.loss.name} loss {name} ties all classes together; use a sum "
            f"over the coordinates: {' or '.join(having('is_separable'))}"
        )
    unbounded = problem.regularizer.curvature == np.inf
    if solver.update == "gradient" or (solver.update == "bounded" and unbounded):
        raise InputError(
            f"{solver.name}: update = {solver.update!r} is not available with the "
            f"{problem.loss.name} loss and {name}; use 'exact' or 'newton'"
        )
    if solver.scale > 1.0 or solver.order == "most-violating":
        raise InputError(
            f"{solver.name}: scale = {solver.scale:g} with order = {solver.order!r} is not available with "
            f"the {problem.loss.name} loss; use a scale of at most 1 and the orders cyclic or shuffled"
        )


def by_class(problem, values):
    """Numbers of the entries of w in row order as one row a class, (r, D)."""
    return np.ascontiguousarray(values.reshape(-1, *problem.columns).T)


def slopes(problem, v):
    """The mirror of v, one row a class, (r, D)."""
    found, weights = np.empty_like(v), by_class(problem, problem.transfer.weights)
    refresh = problem.regularizer.function("refresh")
    for j in range(v.shape[0]):
        refresh(weights[j], v[j], found[j], problem.transfer.theta.copy())
    return found


def runner(solver, problem, state):
    """The compiled steps as a function of how many and in which order."""
    regularizer, weights = problem.regularizer, by_class(problem, problem.transfer.weights)
    one_step = solver.update != "exact" or regularizer.is_quadratic
    bound = np.empty((0, weights.shape[0]))
    if solver.update == "bounded":
        bound = np.ascontiguousarray(problem.rows.power(2) @ weights.T / problem.lam_n)
        bound *= regularizer.curvature
    settings = np.array([problem.lam_n, problem.lam, float(solver.scale), 1 if one_step else SEARCH_LIMIT])
    # The parabola lies above F then, so that its minimizer needs no test.
    safe = regularizer.is_quadratic or solver.update == "bounded"
    parts = {"own": problem.loss.theta, "shares": problem.loss.scalar("shares"), "weights": weights}
    parts |= {"bound": bound, "settings": settings, "safe": safe}
    compiled = _arguments.bound(steps, 1, problem, state, problem.row_arrays, **parts)
    return lambda count, order: compiled(order)


class Fixed(NamedTuple):
    """What is the same at every visit."""

    conjugate: Callable
    conjugate_slope: Callable
    shares: Callable
    row_probe: Callable
    lam_n: float
    limit: int  # of parabolas
    safe: bool


class Block(NamedTuple):
    """A sample: its number, where its row begins and ends, its weight."""

    i: int
    lo: int
    hi: int
    c: float


@njit(**INLINE)
def measure(conjugate, p, own):
    """sum_j phi(p_j)."""
    total = 0.0
    for j in range(p.shape[0]):
        total += conjugate(p[j], own)
    return total


@njit(**INLINE)
def look(fixed, block, indices, data, p, start, weights, v, theta, z, q):
    """The change of (lam n / c) h from the start to p; fills the predictions and curvatures there."""
    lo, hi, c, lam_n = block.lo, block.hi, block.c, fixed.lam_n
    rise = 0.0
    for j in range(p.shape[0]):
        step = -c * (p[j] - start[j]) / lam_n
        change, product, curvature = fixed.row_probe(indices, data, lo, hi, step, weights[j], v[j], theta)
        z[j], q[j] = product, curvature * c / lam_n
        rise += change
    return rise * lam_n / c


@njit(**INLINE)
def search(fixed, block, own, indices, data, p, start, best, bound, weights, v, theta, z, q):
    """Move p to the minimizer of F, a parabola at a time, halving moves after which F has not fallen."""
    level = measure(fixed.conjugate, p, own)
    linear = np.empty_like(p)
    for _ in range(fixed.limit):
        for j in range(p.shape[0]):
            if bound.shape[0] > 0:
                q[j] = block.c * bound[block.i, j]
            linear[j] = z[j] + q[j] * p[j]
        fixed.shares(linear, q, best, own)
        farthest = descent = 0.0
        for j in range(p.shape[0]):
            best[j] -= p[j]
            farthest = max(farthest, abs(best[j]))
            steep = fixed.conjugate_slope(p[j], own)
            if abs(steep) < math.inf:
                descent += best[j] * (steep - z[j])
        if fixed.safe:
            for j in range(p.shape[0]):
                p[j] += best[j]
            return
        base, fraction = p.copy(), 1.0
        for _ in range(HALVINGS):
            for j in range(p.shape[0]):
                p[j] = min(max(base[j] + fraction * best[j], 0.0), 1.0)
            rise = look(fixed, block, indices, data, p, start, weights, v, theta, z, q)
            here = measure(fixed.conjugate, p, own) + rise
            slope = 0.0
            for j in range(p.shape[0]):
                if best[j] != 0.0:
                    slope += best[j] * (fixed.conjugate_slope(p[j], own) - z[j])
            # Short of the minimizer along the move a convex F has fallen; no rounding can hide it.
            if slope <= 0.0 or here <= level + ARMIJO * fraction * min(descent, 0.0):
                level = here
                break
            fraction *= 0.5
        else:
            p[:] = base
            return
        if farthest <= STILL:
            return


def _steps(
    order,
    conjugate,
    conjugate_slope,
    shares: types.FunctionType(SHARES),
    own: VECTOR,
    indptr,
    indices,
    data,
    labels: LABELS,
    weight,
    bound: READABLE_TABLE,
    settings,
    safe,
    row_add,
    row_probe,
    weights: READABLE_TABLE,
    theta: VECTOR,
    alpha: TABLE,
    v: TABLE,
    slopes: TABLE,
    event,
):
    """Visit the samples in this order; returns how many steps were done."""
    lam_n, lam, scale, limit = settings
    fixed = Fixed(conjugate, conjugate_slope, shares, row_probe, lam_n, np.int64(limit), safe)
    r, i, done, y = alpha.shape[1], np.int64(0), 0, np.int64(0)
    start, p, best, z, q = np.empty(r), np.empty(r), np.empty(r), np.empty(r), np.empty(r)
    old = prediction = curvature = rise = c = 0.0
    for visit in order:
        i = np.int64(visit)
        lo, hi = indptr[i], indptr[i + 1]
        y, c = labels[i], weight[i]
        for j in range(r):
            start[j] = min(max((1.0 if j == y else 0.0) - alpha[i, j] / c, 0.0), 1.0)
        p[:] = start
        block = Block(i, lo, hi, c)
        look(fixed, block, indices, data, p, start, weights, v, theta, z, q)
        old, prediction, curvature = alpha[i, y], z[y], q[y]
        search(fixed, block, own, indices, data, p, start, best, bound, weights, v, theta, z, q)
        # The other classes' masses first: near p_y = 1 the own one would cancel.
        others = rise = 0.0
        for j in range(r):
            p[j] = start[j] + scale * (p[j] - start[j]) if scale != 1.0 else p[j]
            others += p[j] if j != y else 0.0
        if not others < math.inf:
            return done
        for j in range(r):
            new = c * others if j == y else 0.0 - c * p[j]
            if new != alpha[i, j]:
                step = (new - alpha[i, j]) / lam_n
                alpha[i, j] = new
                rise += row_add(indices, data, lo, hi, step, weights[j], v[j], slopes[j], theta)
        done += 1
    measured = measure(conjugate, p, own) - measure(conjugate, start, own)
    event[0], event[1], event[2], event[3] = i, old, alpha[i, y], alpha[i, y]
    event[4], event[5] = prediction, curvature
    event[6] = lam / lam_n * c * measured + lam * rise
    return done


steps = signatures.late(_steps)
