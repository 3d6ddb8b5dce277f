"""Pairs of functions of several variables, and the rules that lead to them from pairs of one variable.

    separate sums     p(u) = sum_j base(u_j)        q(v) = sum_j base*(v_j)
    norms             p(u) = base(|u|)              q(v) = base*(|v|_dual), base nondecreasing on [0, oo)

A pair is proved for every dimension where its argument is: coordinate by coordinate through a proved pair
of one variable, by Hoelder's inequality, or by an identity of matrix symbols. What rests on a theorem
that is only cited is "checked", and its claim names the theorem.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
import sympy as sp

from workbench.conjugates.convex.conjugate import conjugate
from workbench.conjugates.convex.dual_norms import NORMS, dual_norm_claims, power_norm
from workbench.conjugates.convex.function import ConvexFunction
from workbench.conjugates.convex.proof import Claim, Step
from workbench.conjugates.convex.rules import RulePair, identity, increasing, joined
from workbench.conjugates.convex.rules import even as even_pair
from workbench.conjugates.convex.tidy import tidy


@dataclass(frozen=True)
class VectorFunction:
    """A function of vectors: a formula to read and numbers to compare.

    Called with an array whose last axis is the vector (whose last two are the matrix) and with the
    parameters by name; +inf off the domain.
    """

    formula: str
    function: Callable[..., np.ndarray]
    domain: str = ""

    @property
    def latex(self):
        return self.formula + (rf", \quad {self.domain}" if self.domain else "")

    def __call__(self, array, /, **parameters):
        return self.function(np.asarray(array, dtype=float), **parameters)


@dataclass(frozen=True)
class VectorPair(RulePair[VectorFunction]):
    """A `RulePair` whose p and q are `VectorFunction`; `gradient` is that of q, where it is known."""

    gradient: VectorFunction | None = None


# --- norms and their duals


def positive_half(function, symbol):
    """Return a ConvexFunction of one variable in a nonnegative symbol, and the upper end of its domain."""
    parts = [part for part in function.parts if not sp.sympify(part.high).is_nonpositive]
    forms = [part.expr.subs(function.variable, symbol) for part in parts]
    cases = [(form, symbol <= part.high) for form, part in zip(forms, parts, strict=True)]
    return forms[0] if len(forms) == 1 else sp.Piecewise(*cases[:-1], (forms[-1], True)), parts[-1].high


def formula(function, argument, names=None, dual=(), slope=False):
    """LaTeX of a base, or of its slope, at a nonnegative argument, and of the end of its domain.

    `names` has LaTeX for parameters; `dual` holds pairs (a, b): what is shown has b for a/(a - 1).
    """
    symbol = sp.Symbol("size", nonnegative=True)
    expression, high = positive_half(function, symbol)
    if slope:
        expression = sp.diff(expression, symbol)
    for name, other in dual:
        old, new = function.setting.parameters[name].symbol, sp.Symbol(other, positive=True)
        expression, high = (sp.sympify(e).subs(old, new / (new - 1)) for e in (expression, high))
    expression, high = tidy(sp.simplify(expression)), sp.simplify(high)
    symbols = {s: (names or {}).get(s.name, sp.latex(s)) for s in expression.free_symbols | high.free_symbols}
    symbols[symbol] = argument
    domain = "" if high == sp.oo else rf"{argument} \leq {sp.latex(high, symbol_names=symbols)}"
    return sp.latex(expression, symbol_names=symbols), domain


@dataclass(frozen=True)
class _OfNorm:
    """base(norm of the array), the parameters dealt out to whom they belong."""

    base: ConvexFunction
    norm: str

    def __call__(self, array, **parameters):
        norm = NORMS[self.norm]
        size = norm.size(array, **{name: parameters[name] for name in norm.parameters})
        return self.base(size, **{name: parameters[name] for name in self.base.setting.parameters})


@dataclass(frozen=True)
class _RadialMap:
    """base'(N) N^(1-q) |v_j|^(q-1) sgn v_j with N = |v|_q, q the exponent of the norm."""

    base: ConvexFunction
    norm: str

    def __call__(self, array, **parameters):
        q = {"l2": 2.0, "lp": parameters.get("p"), "lq": _dual_exponent(parameters.get("p"))}[self.norm]
        size = power_norm(array, q)[..., None]
        numbers = {name: parameters[name] for name in self.base.setting.parameters}
        unit = np.divide(np.abs(array), size, where=size > 0, out=np.zeros_like(array))
        return slope_at(self.base, size, numbers) * unit ** (q - 1) * np.sign(array)


def _dual_exponent(p):
    return None if p is None else p / (p - 1)


def slope_at(function, array, numbers):
    """Return the derivative of a ConvexFunction in floats."""
    symbols = {parameter.symbol: numbers[name] for name, parameter in function.setting.parameters.items()}
    slope = sp.lambdify(function.variable, sp.diff(function.expr, function.variable).subs(symbols), "numpy")
    return slope(array) * np.ones_like(array)


def _radial(pair, norm, names, dual):
    """Return the gradient of base*(|v|) for a norm of powers, with the claim that it is one."""
    q, x, rest = sp.symbols("q x R", positive=True)
    difference = sp.diff((x**q + rest) ** (1 / q), x) - x ** (q - 1) * (x**q + rest) ** (1 / q - 1)
    claim = identity("gradient of the norm", difference, "d|v|_q / d|v_j| = |v_j|^(q-1) |v|_q^(1-q)")
    size = NORMS[norm].latex.format("v")
    exponent = {"l2": "2", "lp": "p", "lq": "q"}[norm]
    factor, _ = formula(pair.q, size, names, dual, slope=True)
    direction = rf"\operatorname{{sgn}}(v_j) \left(|v_j| / {size}\right)^{{{exponent} - 1}}"
    text = rf"\nabla q(v)_j = \left({factor}\right) {direction}"
    return claim, VectorFunction(text, _RadialMap(pair.q, norm))


def of_norm(pair, norm, name, names=None, dual=()):
    """base(|u|) from the pair of a base on [0, oo) that never falls."""
    other = NORMS[norm].dual
    u, v = NORMS[norm].latex.format("u"), NORMS[other].latex.format("v")
    p, q = (
        VectorFunction(text, _OfNorm(function, kind), domain)
        for function, kind, (text, domain) in (
            (pair.p, norm, formula(pair.p, u, names)),
            (pair.q, other, formula(pair.q, v, names, dual)),
        )
    )
    steps = (
        *pair.steps,
        Step("The dual norm", rf"\sup_{{{u} = r}} u^\top v = r\,{v}", dual_norm_claims(norm)[-1].detail),
        Step(
            "A function of a norm",
            rf"q(v) = \sup_{{r \geq 0}} r\,{v} - base(r) = {q.latex}",
            "First over all u of one length, then over the length, which is one variable.",
        ),
    )
    argument = Claim(
        "function of a norm",
        "proved",
        "sup over u = sup over r >= 0 of sup over |u| = r; "
        "base(|u|) is convex since base is convex and never falls",
    )
    claims, gradient = [pair.verify(), increasing(pair), *dual_norm_claims(norm), argument], None
    if other in ("l2", "lp", "lq") and pair.q.domain.sup == sp.oo:
        claim, gradient = _radial(pair, other, names, dual)
        claims.append(claim)
    return VectorPair(name, p, q, steps, joined(*claims), gradient)


def _by_coordinate(function, array, parameters):
    """function(u_j) with the parameters of coordinate j, stacked along the last axis."""
    count = array.shape[-1]
    vectors = {key: np.broadcast_to(value, count) for key, value in parameters.items()}
    terms = [function(array[..., j], {key: value[j] for key, value in vectors.items()}) for j in range(count)]
    return np.stack(terms, axis=-1)


@dataclass(frozen=True)
class _Sum:
    """sum_j base(u_j); a parameter may have a value for every j."""

    base: ConvexFunction

    def __call__(self, array, **parameters):
        return _by_coordinate(lambda x, numbers: self.base(x, **numbers), array, parameters).sum(axis=-1)


@dataclass(frozen=True)
class _SumSlope:
    """The vector of the slopes base'(v_j)."""

    base: ConvexFunction

    def __call__(self, array, **parameters):
        return _by_coordinate(partial(slope_at, self.base), array, parameters)


def separable(pair, name, names=None, dual=(), even=False):
    """sum_j base(u_j), or where `even` sum_j base(|u_j|) from a base on [0, oo) that never falls."""
    base = even_pair(pair) if even else pair
    texts = [
        _coordinate(source, letter, names, pairs, even)
        for source, letter, pairs in ((pair.p, "u", ()), (pair.q, "v", dual))
    ]
    p, q = (
        VectorFunction(rf"\sum_j {bracketed(text)}", _Sum(function), domain)
        for function, (text, domain) in zip((base.p, base.q), texts, strict=True)
    )
    step = Step(
        "Separate variables",
        rf"q(v) = \sum_j \sup_{{u_j}} u_j v_j - base(u_j) = {q.latex}",
        "The coordinates of u do not meet, so the supremum of the sum is the sum of the suprema.",
    )
    claim = Claim("separate sum", "proved", "sup of a sum is the sum of sups: each u_j is in one term")
    gradient = None
    if base.q.domain == sp.S.Reals and not base.q.implicit:
        text, _ = _coordinate(pair.q, "v", names, dual, even, slope=True)
        sign = r"\operatorname{sgn}(v_j) \; " if even else ""
        gradient = VectorFunction(rf"\nabla q(v)_j = {sign}{text}", _SumSlope(base.q))
    return VectorPair(name, p, q, (*base.steps, step), joined(base.verify(), claim), gradient)


def bracketed(text):
    """LaTeX in parentheses where it is a sum."""
    depth = np.cumsum([(letter in "{(") - (letter in "})") for letter in text])
    is_sum = any(letter in "+-" and level == 0 for letter, level in zip(text[1:], depth[1:], strict=True))
    return rf"\left({text}\right)" if is_sum else text


def _coordinate(function, letter, names, dual, even, slope=False):
    """LaTeX of one term of the sum and of its domain."""
    if even:
        return formula(function, rf"|{letter}_j|", names, dual, slope)
    x = function.variable
    expression = sp.diff(function.expr, x) if slope else function.expr
    tex = {s: (names or {}).get(s.name, sp.latex(s)) for s in expression.free_symbols} | {x: f"{letter}_j"}
    domain = "" if function.domain == sp.S.Reals else rf"{letter}_j \in {sp.latex(function.domain)}"
    return sp.latex(expression, symbol_names=tex), domain


# --- pairs that no rule gives


def quadratic():
    """u'Ku/2 and v'K^-1 v/2 for a symmetric positive definite K."""
    n = sp.Symbol("n", integer=True, positive=True)
    K, u, v = sp.MatrixSymbol("K", n, n), sp.MatrixSymbol("u", n, 1), sp.MatrixSymbol("v", n, 1)
    square = ((u - K.I * v).T * K * (u - K.I * v)).expand().doit().subs(K.T, K).doit()
    # v'u and u'v are one number.
    left = square.subs(v.T * u, u.T * v)
    general = left.doit() - (u.T * K * u - 2 * u.T * v + v.T * K.I * v)
    claims = [
        Claim(
            "completed square",
            "proved" if general.doit() == sp.ZeroMatrix(1, 1) else "checked",
            "u'v - u'Ku/2 = v'x/2 - (u - x)'K(u - x)/2, x = K^-1 v, in matrix symbols of any size",
        )
    ]
    claims += [_square_in(size) for size in (2, 3)]
    claims.append(Claim("maximum", "proved", "(u - x)'K(u - x) >= 0 as K is positive definite, 0 at u = x"))
    steps = (
        Step("Stationarity", r"v = \nabla p(u) = K u \;\Rightarrow\; u = K^{-1} v", "u'v - p(u) is concave."),
        Step(
            "The square completed",
            r"u^\top v - \tfrac12 u^\top K u = \tfrac12 v^\top K^{-1} v"
            r" - \tfrac12 (u - K^{-1}v)^\top K (u - K^{-1}v)",
            "The last term vanishes at u = K^-1 v.",
        ),
    )
    p = VectorFunction(r"\tfrac12 u^\top K u", _quadratic_form)
    q = VectorFunction(r"\tfrac12 v^\top K^{-1} v", _inverse_form)
    gradient = VectorFunction(r"\nabla q(v) = K^{-1} v", _solved)
    return VectorPair("quadratic form", p, q, steps, joined(*claims), gradient)


def _square_in(n):
    """Return the claim with K = LL' for a triangular L of symbols, a form that every such K has."""
    L = sp.Matrix(
        n,
        n,
        lambda i, j: (
            sp.Symbol(f"l{i}{j}", positive=True)
            if i == j
            else (sp.Symbol(f"l{i}{j}", real=True) if i > j else 0)
        ),
    )
    u, v = (sp.Matrix(sp.symbols(f"{name}:{n}", real=True)) for name in "uv")
    K = L * L.T
    best = L.T.inv() * (L.inv() * v)
    left = u.dot(v) - (u.T * K * u)[0] / 2
    right = v.dot(best) / 2 - ((u - best).T * K * (u - best))[0] / 2
    difference = sp.cancel(sp.together(left - right))
    return identity(f"completed square, {n} dimensions", difference, "K = LL' with symbols in L")


def _quadratic_form(u, K):
    return 0.5 * np.einsum("...i,ij,...j->...", u, np.asarray(K, dtype=float), u)


def _solved(v, K):
    return np.linalg.solve(np.asarray(K, dtype=float), v[..., None])[..., 0]


def _inverse_form(v, K):
    return 0.5 * np.sum(v * _solved(v, K), axis=-1)


def normalized_entropy():
    """sum_j u_j ln(u_j/mu_j) on u >= 0, sum u = A = sum mu, and A ln sum_j (mu_j/A) e^v_j."""
    base = conjugate("u*log(u/mu)", "u >= 0", {"mu": "mu > 0"})
    A, S, mu = sp.symbols("A S mu", positive=True)
    v, theta = sp.symbols("v theta", real=True)
    # The conjugate of one term at v - theta, from the derived pair; its factor e^v_j sums to S.
    (inner,) = [symbol for symbol in base.q.expr.free_symbols if symbol.name == "mu"]
    term = base.q.expr.subs({inner: mu, base.q.variable: v - theta})
    total = sp.simplify(term / (mu * sp.exp(v))) * S
    (best,) = sp.solve(sp.diff(A * theta + total, theta), theta)
    value = A * sp.log(S / A)
    u = A * mu * sp.exp(v) / S
    claims = (
        Claim(
            "upper bound",
            base.verify().status,
            "u'v - p(u) <= A theta + sum_j mu_j e^(v_j - theta - 1) for every theta and every u with "
            "sum u = A, each term by the pair of u ln(u/mu)",
        ),
        identity(
            "multiplier",
            sp.expand_log((A * theta + total).subs(theta, best) - value, force=True),
            "the bound is least at theta = ln(S/A) - 1 with S = sum mu_j e^v_j, where it is A ln(S/A)",
        ),
        identity(
            "attained",
            sp.expand_log(u * v - u * sp.log(u / mu) - u * sp.log(S / A), force=True),
            "at u_j = A mu_j e^v_j/S each term is u_j ln(S/A), and sum u = A, so the sum is A ln(S/A)",
        ),
    )
    coordinate = sp.latex(term, symbol_names={mu: r"\mu_j", v: "v_j"})
    steps = (
        Step(
            "The Lagrangian",
            r"A\theta + \sup_{u \geq 0} \sum_j u_j (v_j - \theta) - u_j \ln\frac{u_j}{\mu_j}",
            "theta is the multiplier of sum u = A.",
        ),
        Step("One coordinate", rf"\sup_{{u_j}} = {coordinate}", "The pair of u ln(u/mu)."),
        Step(
            "The multiplier",
            rf"\theta = {sp.latex(best)}, \quad S = \sum_j \mu_j e^{{v_j}}",
            "The derivative in theta vanishes.",
        ),
        Step("The conjugate", r"q(v) = A \ln (S/A), \quad u_j = A\mu_j e^{v_j}/S", "Put in."),
    )
    p = VectorFunction(r"\sum_j u_j \ln\frac{u_j}{\mu_j}", _entropy, r"u_j \geq 0, \; \sum_j u_j = A")
    q = VectorFunction(r"A \ln \sum_j \frac{\mu_j}{A} e^{v_j}", _log_mean)
    return VectorPair(
        "normalized entropy",
        p,
        q,
        steps,
        joined(base.verify(), *claims),
        VectorFunction(r"\nabla q(v)_j = A \mu_j e^{v_j} / \sum_k \mu_k e^{v_k}", _softmax),
    )


# Rounding of a sum of a few numbers of size A.
ON_THE_SIMPLEX = 1e-12


def _entropy(u, mu):
    mu = np.broadcast_to(np.asarray(mu, dtype=float), u.shape[-1:])
    inside = (u >= 0).all(axis=-1) & (np.abs(u.sum(axis=-1) - mu.sum()) <= ON_THE_SIMPLEX * mu.sum())
    positive = np.where(u > 0, u, mu)
    return np.where(inside, np.sum(positive * np.log(positive / mu), axis=-1), np.inf)


def _log_mean(v, mu):
    mu = np.broadcast_to(np.asarray(mu, dtype=float), v.shape[-1:])
    top = v.max(axis=-1, keepdims=True)
    return mu.sum() * (top[..., 0] + np.log(np.sum(mu / mu.sum() * np.exp(v - top), axis=-1)))


def _softmax(v, mu):
    mu = np.broadcast_to(np.asarray(mu, dtype=float), v.shape[-1:])
    weights = mu * np.exp(v - v.max(axis=-1, keepdims=True))
    return mu.sum() * weights / weights.sum(axis=-1, keepdims=True)


def log_sum_exp():
    """Return ln sum_j e^u_j and its conjugate sum_j v_j ln v_j on the simplex, the normalized entropy."""
    entropy = normalized_entropy()
    w, r, S = sp.symbols("w r S", positive=True)
    claims = (
        identity(
            "equal priors",
            sp.expand_log(w * sp.log(w * r) - w * sp.log(r) - w * sp.log(w)),
            "at mu = 1/r, A = 1 and sum w = 1: sum w ln(w/mu) - ln r = sum w ln w",
        ),
        identity(
            "constant",
            sp.expand_log(sp.log(S / r) + sp.log(r) - sp.log(S)),
            "so its conjugate is ln(sum e^u/r) + ln r = ln sum e^u",
        ),
        Claim(
            "Fenchel and Moreau",
            "proved",
            "sum w ln w is convex and continuous on the closed simplex, so its biconjugate is itself",
        ),
    )
    p = VectorFunction(r"\ln \sum_j e^{u_j}", _log_sum_exp)
    q = VectorFunction(r"\sum_j v_j \ln v_j", _negative_entropy, r"v_j \geq 0, \; \sum_j v_j = 1")
    step = Step(
        "Read backwards",
        rf"p(u) = {p.latex} \;\Rightarrow\; q(v) = {q.latex}",
        "The normalized entropy at mu = 1/r, A = 1 is q plus ln r, its conjugate p minus ln r.",
    )
    return VectorPair("log-sum-exp", p, q, (*entropy.steps, step), joined(entropy.verification, *claims))


def _log_sum_exp(u):
    return _log_mean(u, 1.0 / u.shape[-1]) + np.log(u.shape[-1])


def _negative_entropy(v):
    return _entropy(v, 1.0 / v.shape[-1]) - np.log(v.shape[-1])
