"""Norms, their dual norms, and why these are the dual ones."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial

import numpy as np
import sympy as sp

from workbench.conjugates.convex.conjugate import conjugate
from workbench.conjugates.convex.proof import Claim
from workbench.conjugates.convex.rules import identity


@dataclass(frozen=True)
class Norm:
    """A norm: its LaTeX with {} for the argument, its value over the last axis or the last two, its dual."""

    latex: str
    size: Callable[..., np.ndarray | np.floating]
    dual: str
    parameters: tuple[str, ...] = ()


def power_norm(array, p):
    """Return the p-norm over the last axis."""
    # Divided by the largest entry, no power overflows or vanishes altogether.
    top = np.max(np.abs(array), axis=-1, keepdims=True)
    unit = np.abs(array) / np.where(top > 0, top, 1.0)
    return top[..., 0] * np.sum(unit**p, axis=-1) ** (1.0 / p)


def _dual_power_norm(array, p):
    return power_norm(array, p / (p - 1))


def _nested(inner, outer, matrix):
    return np.linalg.norm(np.linalg.norm(matrix, inner, axis=-1), outer, axis=-1)


def _singular(order, matrix):
    return np.linalg.norm(np.linalg.svd(matrix, compute_uv=False), order, axis=-1)


# Rows of a matrix are the groups; "a/b" is the norm a of the norms b of the rows.
NORMS = {
    "l1": Norm(r"\lVert {} \rVert_1", partial(np.linalg.norm, ord=1, axis=-1), "linf"),
    "l2": Norm(r"\lVert {} \rVert_2", partial(np.linalg.norm, ord=2, axis=-1), "l2"),
    "linf": Norm(r"\lVert {} \rVert_\infty", partial(np.linalg.norm, ord=np.inf, axis=-1), "l1"),
    "lp": Norm(r"\lVert {} \rVert_p", power_norm, "lq", ("p",)),
    "lq": Norm(r"\lVert {} \rVert_q", _dual_power_norm, "lp", ("p",)),
    "l1/l2": Norm(r"\lVert {} \rVert_{{1,2}}", partial(_nested, 2, 1), "linf/l2"),
    "linf/l2": Norm(r"\lVert {} \rVert_{{\infty,2}}", partial(_nested, 2, np.inf), "l1/l2"),
    "l1/linf": Norm(r"\lVert {} \rVert_{{1,\infty}}", partial(_nested, np.inf, 1), "linf/l1"),
    "linf/l1": Norm(r"\lVert {} \rVert_{{\infty,1}}", partial(_nested, 1, np.inf), "l1/linf"),
    "trace": Norm(r"\lVert {} \rVert_*", partial(_singular, 1), "spectral"),
    "spectral": Norm(r"\sigma_{{\max}}({})", partial(_singular, np.inf), "trace"),
}


@cache
def dual_norm_claims(name):
    """Return the claims that the supremum of u'v over the unit ball of the norm is its dual norm of v."""
    if "/" in name:
        outer, inner = name.split("/")
        detail = (
            "sum_g u_g'v_g <= sum_g |u_g||v_g|_dual <= |u||v|_dual by the inner, then the outer norm; "
            "equal where every u_g is best for v_g, the sizes |u_g| for the sizes |v_g|_dual"
        )
        return (*dual_norm_claims(inner), *dual_norm_claims(outer), Claim("norm of norms", "proved", detail))
    if name in ("trace", "spectral"):
        return (_trace_claim(),)
    return _extreme_claims() if name in ("l1", "linf") else _hoelder_claims()


@cache
def _hoelder_claims():
    """Hoelder's inequality from Young's, with the vector that attains it."""
    q, x = sp.Symbol("q", positive=True), sp.Symbol("x", positive=True)
    p = q / (q - 1)
    young = conjugate("abs(w)**q/q", parameters={"q": "q > 1"}).verify()
    return (
        Claim("Young", young.status, "w v <= |w|^q/q + |v|^p/p, which are conjugate in one variable"),
        identity(
            "Hoelder",
            1 / q + 1 / p - 1,
            "at |w|_q = |v|_p = 1 Young's inequality sums to w'v <= 1/q + 1/p = 1; norms scale",
        ),
        identity(
            "Hoelder attained",
            sp.powdenest(x ** ((p - 1) * q), force=True) - x**p,
            "w_j = sgn(v_j)|v_j|^(p-1) has w_j v_j = |w_j|^q = |v_j|^p, so w'v = |w|_q |v|_p",
        ),
    )


def _extreme_claims():
    detail = (
        "u'v <= sum |u_j||v_j| <= |u|_1 |v|_inf, since no |v_j| is above the largest; equal for "
        "u = sgn(v_k) e_k at the largest |v_k|, and for v = sgn(u)"
    )
    return (Claim("l1 and linf", "proved", detail),)


def _trace_claim():
    generator = np.random.default_rng(0)
    u, v = generator.normal(size=(2, 200, 3, 4))
    holds = np.all(np.abs(np.sum(u * v, axis=(-2, -1))) <= _singular(1, u) * _singular(np.inf, v))
    return Claim(
        "von Neumann",
        "checked" if holds else "failed",
        "<U, V> <= sum_i s_i(U) s_i(V) <= |U|_trace s_max(V), equal at U = ab', a and b the first "
        "singular vectors of V; missing step: the first inequality is von Neumann's, cited and "
        "checked at 200 matrices",
    )


# --- two rules
