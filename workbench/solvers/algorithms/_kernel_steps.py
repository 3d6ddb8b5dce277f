"""Compiled Gauss-Seidel steps on a kernel: c_1 = K_ii / (lam n), c_2 = f_i with f = K alpha / (lam n).

Source: Zhang (2002), (15). A step costs a row of the kernel where alpha moves, and nothing but a look at
f_i where it stays.
"""

import math
from typing import NamedTuple

import numpy as np

from workbench.kernels.arrays import LossFunctions, Samples
from workbench.kernels.compilation import FLAG, FLOAT, INDICES, INTEGER, VECTOR, lazy_jit
from workbench.kernels.kernel_rows import KernelRows, add_row, compute, whole_row
from workbench.solvers.algorithms import _records
from workbench.solvers.algorithms._coordinate import GRADIENT, clip, free_target, gradient_target
from workbench.solvers.algorithms._dual_state import State


class Settings(NamedTuple):
    """The numbers of the steps."""

    lam_n: FLOAT
    lam: FLOAT
    eta: FLOAT  # the learning rate of the gradient rule
    scale: FLOAT  # of a step before it is clipped
    lower: FLOAT  # the ends of the domain of p*
    upper: FLOAT
    middle: FLOAT  # of the slopes of p* at zero, and how far they reach from it
    kink: FLOAT
    gradient: FLAG  # the gradient rule in place of the closed form


def runner(solver, problem, state):
    """Return the function of (count, order) that runs the compiled steps of a `GaussSeidel`."""
    loss, matrix = problem.loss, problem.kernel_matrix
    rule, _ = solver.rule(problem)
    numbers = problem.lam_n, problem.lam, solver.eta, solver.scale, *loss.interval, *loss.kink
    settings = Settings._make((*map(float, numbers), rule == GRADIENT))
    samples, functions = problem.samples, _records.loss_functions(loss)
    compiled, arguments = steps(), (matrix.arguments, samples, functions, matrix.diagonal, settings, state)
    return lambda count, order: compiled(order, *arguments)


def _steps(
    order: INDICES,
    rows: KernelRows,
    samples: Samples,
    loss: LossFunctions,
    diagonal: VECTOR,
    settings: Settings,
    state: State,
) -> INTEGER:
    """Visit the samples in this order; returns how many steps were done."""
    sign, shift, weight, loss_theta, _, _ = samples
    _, slope, conjugate, conjugate_slope, coordinate = loss
    lam_n, lam, eta, scale, lower, upper, middle, kink, gradient = settings
    alpha, f, _, _, _, _, event, _, _, _ = state
    fresh = np.empty(0 if rows.is_whole else f.shape[0])
    i, done = np.int64(0), 0
    s, t, c = 1.0, 0.0, 1.0
    nu = free = new = z = curvature = old = step = 0.0
    for visit in order:
        i = np.int64(visit)
        s, t, c = sign[i], shift[i], weight[i]
        old, z = alpha[i], f[i]
        nu = -old / (c * s)
        u = s * z + t
        if gradient:
            curvature, steep = math.nan, conjugate_slope(nu, loss_theta)
            free = gradient_target(nu, u, lam_n * eta / c, steep, kink, middle)
        else:
            curvature = c * diagonal[i] / lam_n
            free = free_target(nu, u, curvature, coordinate, slope, loss_theta)
        free = nu + scale * (free - nu) if scale != 1.0 else free
        new = clip(free, lower, upper)
        if not abs(new) < math.inf:
            return done
        # Subtracted from zero, so that no dual variable is -0.
        alpha[i] = 0.0 - (c * s) * new
        done += 1
        step = (alpha[i] - old) / lam_n
        if step != 0.0 and rows.is_whole:
            add_row(f, whole_row(rows, i), step)
        elif step != 0.0:
            compute(rows, i, rows.everyone, fresh)
            add_row(f, fresh, step)
    event[0], event[1], event[2], event[3] = i, old, 0.0 - (c * s) * free, alpha[i]
    event[4], event[5] = z, curvature
    # D = (1/n) sum k(-alpha) + alpha'f / (2 n), with k(-alpha) = c (p*(nu) - t nu).
    change = conjugate(new, loss_theta) - conjugate(nu, loss_theta) - t * (new - nu)
    event[6] = lam / lam_n * c * change + lam * step * (z + 0.5 * step * diagonal[i])
    return done


steps = lazy_jit(_steps)
