"""Compiled loops of Newton's method: slopes and curvatures of the samples, Hessians from sparse rows."""

import math

from numba import njit, types

from workbench.compiled import compilation
from workbench.compiled.compilation import (
    COORDINATE,
    FLOAT,
    INDICES,
    OFFSETS,
    SCALAR,
    VECTOR,
    WRITABLE,
)
from workbench.compiled.term_loops import CHUNK

KINKS = types.Array(types.float64, 2, "C")
MATRIX = types.Array(types.float64, 2, "C")
FUNCTION = types.FunctionType


def _local(value, slope, curvature, u, weight, theta, lower, upper, nu, bent):
    """Fill in nu_i = p'(u_i) and c_i p''(u_i); returns the sum of the losses."""
    total = 0.0
    for lo in range(0, u.shape[0], CHUNK):
        part = 0.0
        for i in range(lo, min(lo + CHUNK, u.shape[0])):
            part += weight[i] * value(u[i], theta)
            nu[i] = min(max(slope(u[i], theta), lower), upper)
            bent[i] = weight[i] * curvature(u[i], theta)
        total += part
    return total


@njit(error_model="numpy", nogil=True)
def _bend(curvature, y, nu, proximity, theta, kinks):
    """The derivative of nu = prox(u): p'' / (1 + proximity p'') at y, with an infinite p'' at a kink."""
    for k in range(kinks.shape[0]):
        if kinks[k, 1] < nu < kinks[k, 2]:
            return 1.0 / proximity
    bent = curvature(y, theta)
    return bent / (1.0 + proximity * bent) if bent < math.inf else 1.0 / proximity


def _proximal(
    value, curvature, coordinate, u, center, proximity, weight, theta, lower, upper, kinks, nu, bent
):
    """The same of the loss smoothed about its dual coordinates `center`, see `solvers.proximal_point`.

    Returns the sum of the smoothed losses, that of the losses, and that of the Fenchel-Young terms at nu.
    """
    smoothed = total = gap = 0.0
    for i in range(u.shape[0]):
        found = min(max(coordinate(center[i], u[i], proximity, theta), lower), upper)
        move = proximity * (found - center[i])
        y = u[i] - move
        # p*(nu) = y nu - p(y) at the slope nu of y.
        there, here = value(y, theta), value(u[i], theta)
        smoothed += weight[i] * (move * (found - 0.5 * (found - center[i])) + there)
        total += weight[i] * here
        gap += weight[i] * (here - there - move * found)
        nu[i] = found
        bent[i] = weight[i] * _bend(curvature, y, found, proximity, theta, kinks)
    return smoothed, total, gap


def _proximal_value(value, coordinate, u, center, proximity, weight, theta, lower, upper):
    """The sum of the smoothed losses alone."""
    total = 0.0
    for i in range(u.shape[0]):
        found = min(max(coordinate(center[i], u[i], proximity, theta), lower), upper)
        move = proximity * (found - center[i])
        total += weight[i] * (move * (found - 0.5 * (found - center[i])) + value(u[i] - move, theta))
    return total


def _gram(offsets, indices, data, scale, out):
    """Add scale_i x_i x_i' to the upper triangle of `out`, for each row x_i; its indices are in order."""
    for i in range(scale.shape[0]):
        s = scale[i]
        if s == 0.0:
            continue
        for k in range(offsets[i], offsets[i + 1]):
            row, x = indices[k], s * data[k]
            for m in range(k, offsets[i + 1]):
                out[row, indices[m]] += x * data[m]


local = compilation.late(
    _local,
    FLOAT(
        FUNCTION(SCALAR),
        FUNCTION(SCALAR),
        FUNCTION(SCALAR),
        VECTOR,
        VECTOR,
        VECTOR,
        FLOAT,
        FLOAT,
        WRITABLE,
        WRITABLE,
    ),
)
proximal = compilation.late(
    _proximal,
    types.UniTuple(FLOAT, 3)(
        FUNCTION(SCALAR),
        FUNCTION(SCALAR),
        FUNCTION(COORDINATE),
        VECTOR,
        VECTOR,
        FLOAT,
        VECTOR,
        VECTOR,
        FLOAT,
        FLOAT,
        KINKS,
        WRITABLE,
        WRITABLE,
    ),
)
proximal_value = compilation.late(
    _proximal_value,
    FLOAT(FUNCTION(SCALAR), FUNCTION(COORDINATE), VECTOR, VECTOR, FLOAT, VECTOR, VECTOR, FLOAT, FLOAT),
)
gram = compilation.late(_gram, types.void(OFFSETS, INDICES, VECTOR, VECTOR, MATRIX))
