"""Compiled loops over the generated scalars: Fenchel-Young terms, one a sample or a coordinate."""

import functools

from numba import types

from workbench import _compile
from workbench._compile import COORDINATE, FLOAT, PRIMAL, SCALAR, VECTOR

TABLE = types.Array(types.float64, 2, "C")


def _coordinate_terms(primal, inner, w, v, weights, theta, out):
    for j in range(w.shape[0]):
        out[0, j] = primal(w[j], weights[j], theta)
        out[1, j] = weights[j] * inner(v[j], theta)
        out[2, j] = w[j] * v[j]


def _sample_terms(value, conjugate, coordinate, u, nu, theta, lower, upper, out):
    for i in range(u.shape[0]):
        out[0, i] = value(u[i], theta)
        out[1, i] = conjugate(nu[i], theta)
        out[2, i] = u[i] * nu[i]
        # The distance to the proximal point is zero exactly where nu is a slope of p at u, Zhang (10).
        out[3, i] = min(max(coordinate(nu[i], u[i], 1.0, theta), lower), upper) - nu[i]


def _slopes(slope, u, theta, lower, upper, out):
    for i in range(u.shape[0]):
        out[i] = min(max(slope(u[i], theta), lower), upper)


@functools.cache
def coordinate_terms():
    """Rows of `out` (3, d): psi(w_j), c_j phi(v_j), w_j v_j."""
    function = types.FunctionType
    return _compile.jit(
        _coordinate_terms,
        types.void(function(PRIMAL), function(SCALAR), VECTOR, VECTOR, VECTOR, VECTOR, TABLE),
    )


@functools.cache
def sample_terms():
    """Rows of `out` (4, n): p(u_i), p*(nu_i), u_i nu_i, and how far nu_i is from (10)."""
    function = types.FunctionType
    scalar, coordinate = function(SCALAR), function(COORDINATE)
    return _compile.jit(
        _sample_terms,
        types.void(scalar, scalar, coordinate, VECTOR, VECTOR, VECTOR, FLOAT, FLOAT, TABLE),
    )


@functools.cache
def slopes():
    """nu_i = p'(u_i), kept within the ends: the dual point that map (10) gives."""
    return _compile.jit(
        _slopes,
        types.void(types.FunctionType(SCALAR), VECTOR, VECTOR, FLOAT, FLOAT, _compile.WRITABLE),
    )


def _squared_norms(offsets, data, out):
    for i in range(out.shape[0]):
        total = 0.0
        for k in range(offsets[i], offsets[i + 1]):
            total += data[k] * data[k]
        out[i] = total


@functools.cache
def squared_norms():
    """x_i.x_i of each row, (n,)."""
    return _compile.jit(_squared_norms, types.void(_compile.OFFSETS, VECTOR, _compile.WRITABLE))
