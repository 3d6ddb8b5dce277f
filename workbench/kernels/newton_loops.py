"""Compiled loops of Newton's method: slopes and curvatures of the samples, Hessians from sparse rows."""

import math

from workbench.kernels.arrays import Samples
from workbench.kernels.compilation import (
    COORDINATE_TYPE,
    FLOAT,
    INDICES,
    OFFSETS,
    SCALAR_TYPE,
    TABLE,
    VECTOR,
    WRITABLE,
    inline,
    lazy_jit,
)
from workbench.kernels.sample_loops import alpha_of
from workbench.kernels.term_loops import CHUNK


def _local(
    value: SCALAR_TYPE,
    slope: SCALAR_TYPE,
    curvature: SCALAR_TYPE,
    samples: Samples,
    z: VECTOR,
    b: FLOAT,
    alpha: WRITABLE,
    bent: WRITABLE,
) -> FLOAT:
    """Fill in alpha_i of map (10) at z_i + b and c_i p''(u_i); returns the sum of the losses."""
    sign, shift, weight, theta, lower, upper = samples
    total = 0.0
    for lo in range(0, z.shape[0], CHUNK):
        part = 0.0
        for i in range(lo, min(lo + CHUNK, z.shape[0])):
            s, c = sign[i], weight[i]
            u = s * (z[i] + b) + shift[i]
            part += c * value(u, theta)
            alpha[i] = alpha_of(min(max(slope(u, theta), lower), upper), s, c, lower, upper)
            bent[i] = c * curvature(u, theta)
        total += part
    return total


@inline
def _bend(curvature, y, nu, proximity, theta, kinks):
    """Return d prox / du = p'' / (1 + proximity p'') at y, where p'' is infinite at a kink."""
    for k in range(kinks.shape[0]):
        if kinks[k, 1] < nu < kinks[k, 2]:
            return 1.0 / proximity
    bent = curvature(y, theta)
    return bent / (1.0 + proximity * bent) if bent < math.inf else 1.0 / proximity


def _proximal(
    value: SCALAR_TYPE,
    curvature: SCALAR_TYPE,
    coordinate: COORDINATE_TYPE,
    samples: Samples,
    z: VECTOR,
    center: VECTOR,
    proximity: FLOAT,
    lower: FLOAT,
    upper: FLOAT,
    kinks: TABLE,
    alpha: WRITABLE,
    bent: WRITABLE,
) -> tuple[FLOAT, FLOAT, FLOAT]:
    """Sum the losses smoothed about their dual coordinates `center`, see `solvers.proximal_point`.

    Returns the sum of the smoothed losses, that of the losses, and that of the Fenchel-Young terms there.
    """
    sign, shift, weight, theta, least, most = samples
    smoothed = total = gap = 0.0
    for i in range(z.shape[0]):
        u = sign[i] * z[i] + shift[i]
        dual = min(max(coordinate(center[i], u, proximity, theta), lower), upper)
        move = proximity * (dual - center[i])
        y = u - move
        # p*(nu) = y nu - p(y) at the slope nu of y.
        there, here = value(y, theta), value(u, theta)
        smoothed += weight[i] * (move * (dual - 0.5 * (dual - center[i])) + there)
        total += weight[i] * here
        gap += weight[i] * (here - there - move * dual)
        alpha[i] = alpha_of(dual, sign[i], weight[i], least, most)
        bent[i] = weight[i] * _bend(curvature, y, dual, proximity, theta, kinks)
    return smoothed, total, gap


def _proximal_value(
    value: SCALAR_TYPE,
    coordinate: COORDINATE_TYPE,
    samples: Samples,
    z: VECTOR,
    center: VECTOR,
    proximity: FLOAT,
    lower: FLOAT,
    upper: FLOAT,
) -> FLOAT:
    """Return the sum of the smoothed losses alone."""
    sign, shift, weight, theta, _, _ = samples
    total = 0.0
    for i in range(z.shape[0]):
        u = sign[i] * z[i] + shift[i]
        dual = min(max(coordinate(center[i], u, proximity, theta), lower), upper)
        move = proximity * (dual - center[i])
        total += weight[i] * (move * (dual - 0.5 * (dual - center[i])) + value(u - move, theta))
    return total


def _gram(indptr: OFFSETS, indices: INDICES, data: VECTOR, scale: VECTOR, out: TABLE) -> None:
    """Add scale_i x_i x_i' to the upper triangle of `out`, for each row x_i; its indices are in order."""
    for i in range(scale.shape[0]):
        s = scale[i]
        if s == 0.0:
            continue
        for k in range(indptr[i], indptr[i + 1]):
            row, x = indices[k], s * data[k]
            for m in range(k, indptr[i + 1]):
                out[row, indices[m]] += x * data[m]


local, proximal, proximal_value, gram = map(lazy_jit, (_local, _proximal, _proximal_value, _gram))
