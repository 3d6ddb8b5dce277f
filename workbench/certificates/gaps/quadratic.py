"""Forward, backward and sigma-gap of a convex quadratic program, linear programs included.

    primal   sup { -1/2 <Qu, u> + <w, u> : Au <= d }
    dual     psi(lam) = 1/2 <r, Q+ r> + lam.d,   r = w - A'lam,   finite where r is orthogonal to ker Q

With the gradient g = d - A Q+ r of psi and a basis N of ker Q the three gaps are

    forward  = min { lam.mu        : mu >= 0, mu - g in the range of AN }    a subgradient of psi
    backward = min { lam.(g - ANt) : g - ANt >= 0 }                         a primal point of U_lam
    sigma    = max { g.(lam - mu)  : mu >= 0, N'A'mu = N'A'lam }            a step of the dual

equal by linear programming duality, and computed apart. The paper's Corollary 2 prints u_hat without
the pseudo-inverse; it is u_hat = Q+ r + z_hat.

Source       List et al. (2007), (11), (16), (17), Lemma 7 and Corollaries 1 and 2
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import scipy.linalg
import scipy.optimize
from numpy.typing import ArrayLike

from workbench._support.errors import InputError
from workbench._support.names import Public
from workbench.problems.design import as_numbers

if TYPE_CHECKING:
    from workbench._support.annotations import Floats


# An eigenvalue of Q below this share of the largest one belongs to the kernel; one that far below zero
# makes Q indefinite.
RANK = 1e-11
# A dual point this far from the domain, relative to |w| + |A'lam|, is in it but for rounding.
DOMAIN = 1e-9
# How far a constraint may be missed by rounding, relative to the largest sum of magnitudes of its terms.
FEASIBLE = 1e-8
# HiGHS's own tolerances, for data scaled to one; its default of 1e-7 is too coarse for gaps.
TOLERANCE = 1e-10
INFEASIBLE, UNBOUNDED = 2, 3


@dataclass(frozen=True, eq=False)
class QuadraticGap(Public):
    """The gaps of a dual point of a quadratic program.

    Attributes
    ----------
    forward, backward, sigma : float
        The three gaps, equal in exact arithmetic; +inf where no primal point of U_lam is feasible or
        where lam lies outside the domain of psi.
    u_hat : ndarray (k,) or None
        Corollary 2's primal point Q+ (w - A'lam) + z_hat; None where the gap is infinite.
    primal_suboptimality_bound : float
        sup P - P(u_hat) is at most this: the backward gap, which u_hat attains.
    dual_value : float
        psi(lam), an upper bound of the primal; +inf outside the domain.
    in_domain : bool
        Whether w - A'lam is orthogonal to ker Q.
    reason : str
        Why the gap is infinite; empty where it is not.

    Examples
    --------
    >>> import numpy as np
    >>> import workbench as wb
    >>> result = wb.gaps.quadratic_program(np.eye(1), [2.0], [[1.0]], [1.0], multipliers=[1.0])
    >>> result.u_hat, result.dual_value
    (array([1.]), 1.5)
    """

    forward: float
    backward: float
    sigma: float
    u_hat: Floats | None = field(repr=False)
    primal_suboptimality_bound: float
    dual_value: float
    in_domain: bool
    reason: str


def quadratic_program(
    Q: ArrayLike, w: ArrayLike, A: ArrayLike, d: ArrayLike, multipliers: ArrayLike
) -> QuadraticGap:
    """Compute the gaps of multipliers lam >= 0 for sup { -1/2 <Qu, u> + <w, u> : Au <= d }.

    Parameters
    ----------
    Q : array_like (k, k)
        Symmetric and positive semidefinite; all zero for a linear program.
    w : array_like (k,)
    A : array_like (m, k)
    d : array_like (m,)
    multipliers : array_like (m,)
        The dual point, 0 or more.

    Returns
    -------
    QuadraticGap

    Raises
    ------
    InputError
        Shapes that do not fit, an entry that is not finite, a negative multiplier, a Q that is not
        symmetric or not positive semidefinite.

    Examples
    --------
    >>> import numpy as np
    >>> import workbench as wb
    >>> result = wb.gaps.quadratic_program(np.eye(1), [2.0], [[1.0]], [1.0], multipliers=[1.0])
    >>> result.forward, result.backward
    (0.0, 0.0)
    """
    Q, w, A, d, multipliers = _checked(Q, w, A, d, multipliers)
    kernel, pseudo_inverse = _split(Q)
    residual = w - A.T @ multipliers
    outside = np.linalg.norm(kernel.T @ residual)
    scale = np.linalg.norm(w) + np.linalg.norm(A.T @ multipliers)
    if outside > DOMAIN * scale:
        return _infinite(
            "the multipliers lie outside the domain of the dual: the slope of the Lagrangian at u = 0 has a "
            f"part of length {outside:.3g} in the kernel of Q, so psi is +inf",
            dual_value=np.inf,
            in_domain=False,
        )
    point = pseudo_inverse @ residual
    dual_value = float(0.5 * residual @ point + multipliers @ d)
    gradient = d - A @ point
    # Where rounding has one program miss a constraint that another one meets, all of them get the same room.
    for room in (0.0, FEASIBLE * float((np.abs(d) + np.abs(A) @ np.abs(point)).max())):
        backward, shift = _backward(multipliers, gradient, A @ kernel, room)
        forward = _forward(multipliers, gradient, A @ kernel, room)
        sigma = _sigma(multipliers, gradient, A @ kernel, room)
        if np.isfinite(forward) == np.isfinite(backward) == np.isfinite(sigma):
            break
    if shift is None:
        return _infinite(
            "no maximizer of the Lagrangian satisfies the constraints at these multipliers",
            dual_value,
            True,
            forward=forward,
            sigma=sigma,
        )
    return QuadraticGap(forward, backward, sigma, point + kernel @ shift, backward, dual_value, True, "")


def _infinite(
    reason: str, dual_value: float, in_domain: bool, forward: float = np.inf, sigma: float = np.inf
) -> QuadraticGap:
    return QuadraticGap(forward, np.inf, sigma, None, np.inf, dual_value, in_domain, reason)


def _backward(multipliers: Floats, gradient: Floats, AN: Floats, room: float) -> tuple[float, Floats | None]:
    """Minimize lam.(g - ANt) over g - ANt >= 0; return the minimum and its t, or None if infeasible."""
    if AN.shape[1] == 0 or not np.any(AN):
        # Without a direction to move in, the one point of U_lam is feasible or it is not.
        if np.any(gradient < -max(room, DOMAIN * max(1.0, np.abs(gradient).max(initial=0.0)))):
            return np.inf, None
        return float(multipliers @ np.maximum(gradient, 0.0)), np.zeros(AN.shape[1])
    size, matrix = np.abs(gradient).max(initial=0.0) or 1.0, np.abs(AN).max()
    cost = AN.T @ (multipliers / (multipliers.max(initial=0.0) or 1.0))
    optimum = _linear_program(-cost / matrix, None, A_ub=AN / matrix, b_ub=(gradient + room) / size)
    if optimum is None:
        return np.inf, None
    shift = optimum * (size / matrix)
    # Each slack is 0 or more but for the room and the tolerance of the linear program.
    return float(multipliers @ np.maximum(gradient - AN @ shift, 0.0)), shift


def _forward(multipliers: Floats, gradient: Floats, AN: Floats, room: float) -> float:
    """Minimize lam.mu over the subgradients mu >= 0 of psi."""
    size = np.abs(gradient).max(initial=0.0) or 1.0
    complement = scipy.linalg.null_space(AN.T, rcond=RANK) if np.any(AN) else np.eye(AN.shape[0])
    weights = multipliers / (multipliers.max(initial=0.0) or 1.0)
    target = complement.T @ ((gradient + room) / size)
    optimum = _linear_program(weights, (0.0, None), A_eq=complement.T, b_eq=target)
    return np.inf if optimum is None else float(multipliers @ np.maximum(optimum * size - room, 0.0))


def _sigma(multipliers: Floats, gradient: Floats, AN: Floats, room: float) -> float:
    """Maximize g.(lam - mu) over the dual points mu."""
    largest = multipliers.max(initial=0.0) or 1.0
    size, matrix = np.abs(gradient).max(initial=0.0) or 1.0, np.abs(AN).max(initial=0.0) or 1.0
    base = multipliers / largest
    raised = (gradient + room) / size
    optimum = _linear_program(raised, (0.0, None), A_eq=AN.T / matrix, b_eq=AN.T @ base / matrix)
    if optimum is None:
        return np.inf
    # mu = lam is a dual point itself, so nothing below zero is a supremum.
    return max(0.0, float(gradient @ (base - optimum)) * largest)


def _linear_program(
    cost: Floats, bounds: tuple[float | None, float | None] | None, **constraints: Floats
) -> Floats | None:
    """Solve a linear program; None if it is infeasible or unbounded."""
    bounds = (None, None) if bounds is None else bounds
    options = {"primal_feasibility_tolerance": TOLERANCE, "dual_feasibility_tolerance": TOLERANCE}
    for presolve in (True, False):
        # Presolve may only tell "infeasible or unbounded", which does not decide yet.
        result = scipy.optimize.linprog(
            cost, bounds=bounds, method="highs", options={**options, "presolve": presolve}, **constraints
        )
        if result.status == 0:
            linear_program: Floats | None = result.x
            return linear_program
        if result.status in (INFEASIBLE, UNBOUNDED):
            return None
    raise ArithmeticError(f"HiGHS could not decide the linear program of the gap: {result.message}")


def _split(Q: Floats) -> tuple[Floats, Floats]:
    """Compute an orthonormal basis (k, j) of ker Q, and the pseudo-inverse of Q."""
    values, vectors = np.linalg.eigh(Q)
    largest = np.abs(values).max(initial=0.0)
    if values.min(initial=0.0) < -RANK * largest:
        raise InputError(
            f"quadratic_program: Q has the eigenvalue {values.min():.3g}; it must be positive semidefinite"
        )
    regular = values > RANK * largest
    part = vectors[:, regular]
    return vectors[:, ~regular], (part / values[regular]) @ part.T


def _checked(
    Q: ArrayLike, w: ArrayLike, A: ArrayLike, d: ArrayLike, multipliers: ArrayLike
) -> tuple[Floats, Floats, Floats, Floats, Floats]:
    w = _array("w", w, 1)
    d = _array("d", d, 1)
    Q, A, multipliers = _array("Q", Q, 2), _array("A", A, 2), _array("multipliers", multipliers, 1)
    k, m = w.shape[0], d.shape[0]
    for name, array, shape in (("Q", Q, (k, k)), ("A", A, (m, k)), ("multipliers", multipliers, (m,))):
        if array.shape != shape:
            raise InputError(
                f"quadratic_program: {name} has shape {array.shape} where {shape} is needed, since w has "
                f"{k} and d {m} entries"
            )
    if np.abs(Q - Q.T).max(initial=0.0) > RANK * np.abs(Q).max(initial=0.0):
        raise InputError("quadratic_program: Q is not symmetric; pass (Q + Q.T) / 2")
    bad = np.flatnonzero(multipliers < 0.0)
    if bad.size:
        raise InputError(
            f"quadratic_program: multipliers[{bad[0]}] is {multipliers[bad[0]]:g}; multipliers of Au <= d "
            "are 0 or more"
        )
    return Q, w, A, d, multipliers


def _array(name: str, values: ArrayLike, dimensions: int) -> Floats:
    array = as_numbers(f"quadratic_program: {name}", values, "give numbers").copy()
    if array.ndim != dimensions or 0 in array.shape:
        kind = "vector" if dimensions == 1 else "matrix"
        raise InputError(f"quadratic_program: {name} has shape {array.shape}; give a {kind}, not empty")
    if not np.isfinite(array).all():
        place = tuple(int(i) for i in np.argwhere(~np.isfinite(array))[0])
        raise InputError(f"quadratic_program: {name}{list(place)} is {array[place]}; give finite numbers")
    return array
