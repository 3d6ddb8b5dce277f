"""Compiled Gauss-Seidel steps for losses of r classes: one sample, all of its r dual variables at once.

With p = e_y - alpha_i / c in the simplex, the objective (*) of Algorithm 1 over c is

    F(p) = sum_j phi(p_j) + (lam n / c) sum_j h_j(v_j - c (p_j - p0_j) x_i / (lam n)),

where class j has its own column of v and the regularizer is a sum over the entries of w; phi(p) is p ln p for
the multinomial loss. With a parabola of curvature q_j in place of h_j the minimizer solves
phi'(p_j) + q_j p_j = z_j + q_j p0_j - m  for the multiplier m of sum p = 1, an equation in m alone.

Source: Zhang (2002), Algorithm 1 with r predictions a sample; Boehning (1992) bounds the same blocks.
"""

import math
from typing import NamedTuple

import numpy as np

from workbench._support.errors import InputError
from workbench.kernels.arrays import Compressed, RegularizerFunctions, frozen
from workbench.kernels.compilation import (
    FLAG,
    FLOAT,
    INDICES,
    INTEGER,
    LABELS,
    READABLE_TABLE,
    SCALAR_TYPE,
    TABLE,
    VECTOR,
    WRITABLE,
    checked,
    functions,
    inline,
    lazy_jit,
    overwrite,
)
from workbench.kernels.simplex_loops import SHARES_TYPE
from workbench.problems.regularizers import having
from workbench.solvers.algorithms import _records
from workbench.solvers.algorithms._coordinate import ARMIJO, HALVINGS, SEARCH_LIMIT

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
    """Compute the mirror of v, one row a class, (r, D)."""
    mirrored, weights = np.empty_like(v), by_class(problem, problem.transfer.weights)
    refresh = problem.regularizer.function("refresh")
    for j in range(v.shape[0]):
        refresh(weights[j], v[j], mirrored[j], problem.transfer.theta.copy())
    return mirrored


@functions
class ClassFunctions(NamedTuple):
    """The compiled functions of a loss of r classes."""

    conjugate: SCALAR_TYPE
    conjugate_slope: SCALAR_TYPE
    shares: SHARES_TYPE


class Settings(NamedTuple):
    """The numbers of the steps."""

    lam_n: FLOAT
    lam: FLOAT
    scale: FLOAT  # of a step
    limit: INTEGER  # of parabolas
    safe: FLAG  # whether the parabola lies above F, so that its minimizer needs no test


class Classes(NamedTuple):
    """The labels and weights of the samples, and bounds of the curvatures."""

    labels: LABELS  # (n,)
    weight: VECTOR  # (n,)
    theta: VECTOR  # the parameters of the loss
    bound: READABLE_TABLE  # (n, r) of the curvatures; empty where each step finds its own


class Iterate(NamedTuple):
    """The arrays of a state that a step changes."""

    alpha: TABLE
    v: TABLE
    slopes: TABLE
    theta: WRITABLE
    event: WRITABLE


def runner(solver, problem, state):
    """Return the function of (count, order) that runs the compiled steps."""
    loss, regularizer = problem.loss, problem.regularizer
    weights = by_class(problem, problem.transfer.weights)
    one_step = solver.update != "exact" or regularizer.is_quadratic
    bound = np.empty((0, weights.shape[0]))
    if solver.update == "bounded":
        bound = np.ascontiguousarray(problem.rows.power(2) @ weights.T / problem.lam_n)
        bound *= regularizer.curvature
    safe, limit = regularizer.is_quadratic or solver.update == "bounded", 1 if one_step else SEARCH_LIMIT
    numbers = float(problem.lam_n), float(problem.lam), float(solver.scale)
    arguments = (
        _records.compressed(problem.row_arrays),
        Classes(frozen(problem.labels), problem.weight, frozen(loss.theta), frozen(bound)),
        checked(ClassFunctions(*map(loss.scalar, ClassFunctions._fields))),
        _records.regularizer_functions(regularizer),
        weights,
        Settings(*numbers, limit, bool(safe)),
        Iterate(state.alpha, state.v, state.slopes, state.theta, state.event),
    )
    compiled = steps()
    return lambda count, order: compiled(order, *arguments)


class Block(NamedTuple):
    """A sample: its number, where its row begins and ends, its weight."""

    i: np.int64
    lo: int
    hi: int
    c: float


@inline
def measure(conjugate, p, own):
    """sum_j phi(p_j)."""
    total = 0.0
    for j in range(p.shape[0]):
        total += conjugate(p[j], own)
    return total


@inline
def look(row_probe, lam_n, block, row, p, start, mapped, z, q):
    """Return the change of (lam n / c) h from `start` to p; write the predictions and curvatures at p."""
    (indices, data), (weights, v, theta) = row, mapped
    lo, hi, c = block.lo, block.hi, block.c
    rise = 0.0
    for j in range(p.shape[0]):
        step = -c * (p[j] - start[j]) / lam_n
        change, product, curvature = row_probe(indices, data, lo, hi, step, weights[j], v[j], theta)
        z[j], q[j] = product, curvature * c / lam_n
        rise += change
    return rise * lam_n / c


@inline
def search(functions, row_probe, settings, block, classes, row, p, start, mapped, spaces):
    """Move p to the minimizer of F, a parabola at a time, halving moves after which F has not fallen."""
    (z, q, best), own, bound = spaces, classes.theta, classes.bound
    level = measure(functions.conjugate, p, own)
    linear = np.empty_like(p)
    for _ in range(settings.limit):
        for j in range(p.shape[0]):
            if bound.shape[0] > 0:
                q[j] = block.c * bound[block.i, j]
            linear[j] = z[j] + q[j] * p[j]
        functions.shares(linear, q, best, own)
        farthest = descent = 0.0
        for j in range(p.shape[0]):
            best[j] -= p[j]
            farthest = max(farthest, abs(best[j]))
            steep = functions.conjugate_slope(p[j], own)
            if abs(steep) < math.inf:
                descent += best[j] * (steep - z[j])
        if settings.safe:
            for j in range(p.shape[0]):
                p[j] += best[j]
            return
        base, fraction = p.copy(), 1.0
        for _ in range(HALVINGS):
            for j in range(p.shape[0]):
                p[j] = min(max(base[j] + fraction * best[j], 0.0), 1.0)
            rise = look(row_probe, settings.lam_n, block, row, p, start, mapped, z, q)
            here = measure(functions.conjugate, p, own) + rise
            slope = 0.0
            for j in range(p.shape[0]):
                if best[j] != 0.0:
                    slope += best[j] * (functions.conjugate_slope(p[j], own) - z[j])
            # Short of the minimizer along the move a convex F has fallen; no rounding can hide it.
            if slope <= 0.0 or here <= level + ARMIJO * fraction * min(descent, 0.0):
                level = here
                break
            fraction *= 0.5
        else:
            overwrite(p, base)
            return
        if farthest <= STILL:
            return


def _steps(
    order: INDICES,
    rows: Compressed,
    classes: Classes,
    functions: ClassFunctions,
    regularizer: RegularizerFunctions,
    weights: READABLE_TABLE,
    settings: Settings,
    state: Iterate,
) -> INTEGER:
    """Visit the samples in this order; returns how many steps were done."""
    indptr, indices, data = rows
    labels, weight, own, _ = classes
    conjugate, row_add, row_probe = functions.conjugate, regularizer.row_add, regularizer.row_probe
    lam_n, lam, scale, _, _ = settings
    alpha, v, slopes, theta, event = state
    r, i, done, y = alpha.shape[1], np.int64(0), 0, np.int64(0)
    start, p, best, z, q = np.empty(r), np.empty(r), np.empty(r), np.empty(r), np.empty(r)
    row, mapped, spaces = (indices, data), (weights, v, theta), (z, q, best)
    old = prediction = curvature = rise = c = 0.0
    for visit in order:
        i = np.int64(visit)
        lo, hi = indptr[i], indptr[i + 1]
        y, c = labels[i], weight[i]
        for j in range(r):
            start[j] = min(max((1.0 if j == y else 0.0) - alpha[i, j] / c, 0.0), 1.0)
        overwrite(p, start)
        block = Block(i, lo, hi, c)
        look(row_probe, lam_n, block, row, p, start, mapped, z, q)
        old, prediction, curvature = alpha[i, y], z[y], q[y]
        search(functions, row_probe, settings, block, classes, row, p, start, mapped, spaces)
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


steps = lazy_jit(_steps)
