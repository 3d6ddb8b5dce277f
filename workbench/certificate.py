"""Certificates: primal, dual and gap of any point, as a sum of Fenchel-Young terms.

    gap = (1/n) sum_i c_i [ p(u_i) + p*(nu_i) - u_i nu_i ] + lam [ g(w) + h(v) - w.v ]

Every bracket is zero exactly where map (10) or (9) holds and never negative, so the gap does not
cancel and shows which sample holds it open. It is computed from w and alpha alone: nothing that a
solver mirrors (v, S) enters.
"""

from dataclasses import dataclass, field

import numpy as np

from workbench import _loops
from workbench.errors import InputError
from workbench.fenchel_young import Bracket
from workbench.problem import check_targets

# Below this fraction of P(0) a primal or dual value counts as zero in the relative gap.
TINY = 1e-12


@dataclass(frozen=True)
class Certificate:
    """A guarantee: primal - inf P <= gap.

    Attributes
    ----------
    primal, dual, gap : float
        P(w), the lower bound -D(alpha) and their difference, which is 0 or more.
    relative_gap : float
        gap / max(|primal|, |dual|, 1e-12 P(0)).
    kkt : float
        The largest violation of the maps (9) and (10): of |w - grad h(v)| and of the distance from
        nu_i to the proximal point of nu_i + u_i.
    sample_terms : ndarray (n,)
        The share of each sample in the gap: their sum and `regularizer_term` make up the gap.
    regularizer_term : float
        lam [ g(w) + h(v) - w.v ].
    repairs : tuple of str
        How the dual point was made feasible; empty where it was.
    rounding_units : float
        How far below zero rounding carried the most negative term, in units in its last place.
    w, alpha : ndarray (D,), (n,)
        The point that was certified, w on the columns of the design; None with a kernel.
    b : float
        The unregularized bias; 0 where there is none.
    """

    primal: float
    dual: float
    gap: float
    relative_gap: float
    kkt: float
    sample_terms: np.ndarray = field(repr=False)
    regularizer_term: float
    repairs: tuple
    rounding_units: float
    w: np.ndarray = field(repr=False)
    alpha: np.ndarray = field(repr=False)
    z: np.ndarray = field(repr=False)
    b: float = 0.0


def certificate(problem, w=None, b=0.0, alpha=None):
    """Certify a point; where only one side is given, the maps (9) and (10) build the other.

    Parameters
    ----------
    problem : Problem
    w : array_like (d,), optional
        Weights in the caller's features, with the bias `b`.
    alpha : array_like (n,), optional
        Dual variables.

    Returns
    -------
    Certificate

    Raises
    ------
    InputError
        Neither side is given, or an entry is not finite or has the wrong shape.
    """
    if w is None and alpha is None:
        raise InputError("certificate: give w, alpha or both; without a point there is nothing to certify")
    weights = None if w is None else problem.join(w, b)
    duals = None if alpha is None else check_targets("alpha", alpha, problem.n_samples)
    return certify(problem, weights, duals)


@np.errstate(over="ignore", invalid="ignore")
def certify(problem, w=None, alpha=None):
    """`certificate` for weights on the columns of the design, without checks: the solvers' entrance."""
    if problem.kernel is not None:
        from workbench import kernel_certificate

        return kernel_certificate.certify(problem, alpha)
    repairs = ()
    z = None if w is None else problem.design @ w
    if alpha is None:
        nu = _slopes_at(problem, z)
        alpha = problem.alpha(nu)
    else:
        nu, repairs = _feasible(problem, problem.nu(alpha))
        alpha = problem.alpha(nu) if repairs else alpha.copy()
    v = problem.dual_vector(alpha)
    h, mapped = problem.transfer.map(v)
    if w is None:
        w, z = mapped, problem.design @ mapped if mapped.any() else np.zeros(problem.n_samples)
    losses, conjugate, violation = _loss_bracket(problem, z, nu)
    bracket = problem.transfer.bracket(w, v, h)
    return _assemble(problem, w, alpha, z, losses, conjugate, bracket, h, repairs,
                     kkt=max(violation, float(np.abs(w - mapped).max())))


def _assemble(problem, w, alpha, z, losses, conjugate, bracket, h, repairs, kkt, b=0.0):
    n = problem.n_samples
    primal = losses.value / n + problem.lam * bracket.value
    dual = 0.0 - (conjugate / n + problem.lam * h)
    terms = losses.terms / n
    regularizer_term = problem.lam * bracket.sum
    gap = float(terms.sum()) + regularizer_term
    if np.isnan(gap) or np.isnan(primal) or np.isnan(dual):
        # Overflow on both sides leaves no finite value; an infinite gap promises nothing, rightly.
        primal, dual, gap = np.inf, -np.inf, np.inf
    size = max(abs(primal), abs(dual), TINY * problem.zero_value)
    # All of these are zero where every target lies in the flat part of the loss, and then so is the gap.
    relative = (gap / size if size > 0.0 else 0.0) if np.isfinite(gap) else np.inf
    return Certificate(
        primal=float(primal), dual=float(dual), gap=gap, relative_gap=float(relative), kkt=kkt,
        sample_terms=terms, regularizer_term=regularizer_term, repairs=repairs,
        rounding_units=max(losses.units, bracket.units), w=w, alpha=alpha, z=z, b=b,
    )


def _loss_bracket(problem, z, nu):
    """The samples' Fenchel-Young terms, the sum of k(-alpha_i, y_i), and the largest violation of (10)."""
    loss = problem.loss
    u = problem.argument(z)
    parts = np.empty((4, problem.n_samples))
    lower, upper = loss.entry["lower"], loss.entry["upper"]
    _loops.sample_terms()(
        loss.scalar("value"), loss.scalar("conjugate"), loss.scalar("coordinate"),
        u, nu, loss.theta, lower, upper, parts,
    )
    c = problem.weight
    bracket = Bracket.of(c * parts[0], c * parts[1], -c * parts[2], value=float(c @ parts[0]))
    # k(-alpha) = c (p*(nu) - t nu), see workbench.terms.losses.
    conjugate = float(c @ (parts[1] - problem.shift * nu))
    return bracket, conjugate, float(np.abs(parts[3]).max())


def _slopes_at(problem, z):
    """The dual point of map (10): nu_i = p'(u_i)."""
    loss = problem.loss
    nu = np.empty(problem.n_samples)
    lower, upper = loss.entry["lower"], loss.entry["upper"]
    _loops.slopes()(loss.scalar("slope"), problem.argument(z), loss.theta, lower, upper, nu)
    return nu


def _feasible(problem, nu):
    """The nearest dual point where k is finite, and what was moved."""
    lower, upper = problem.loss.entry["lower"], problem.loss.entry["upper"]
    inside = np.clip(nu, lower, upper)
    moved = int(np.count_nonzero(inside != nu))
    if not moved:
        return nu, ()
    farthest = float(np.abs(inside - nu).max())
    text = f"{moved} of {nu.size} dual variables moved into the domain of the conjugate"
    return inside, (f"{text}, by at most {farthest:.3g}",)
