"""Zhang's Appendix E: ten pairs and a rule, as printed and as derived from their left sides alone.

`agrees` compares the printed right side with the derived one in numbers, inside the domain, at its ends
and outside. Nothing is derived before it is asked for.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property, partial
from typing import Any, NamedTuple

import numpy as np

from workbench.conjugates.convex import rules, vector
from workbench.conjugates.convex.conjugate import conjugate
from workbench.conjugates.convex.pair import AnyPair
from workbench.conjugates.errata import errata

SAME = 1e-10
# Ends of the domains, places inside, places outside.
PLACES = np.array([-4.0, -1.5, -1.0, -0.75, -0.25, 0.0, 0.125, 0.5, 0.75, 1.0, 1.25, 2.0, 5.0])


class AppendixCase(NamedTuple):
    """One range of the parameters: a heading, the derived pair, numbers to compare at, the printed q."""

    when: str
    pair: AnyPair | rules.RulePair
    numbers: tuple
    printed: Callable[..., np.ndarray]
    text: str = ""

    @property
    def latex(self):
        when = rf" \quad \text{{({self.when})}}" if self.when else ""
        return (self.text or rf"q(v) = {self.pair.q.latex}") + when

    @property
    def agrees(self):
        return all(self._agrees_at(numbers) for numbers in self.numbers)

    def _agrees_at(self, numbers):
        on_the_line = not isinstance(self.pair, vector.VectorPair)
        points = PLACES if on_the_line else np.random.default_rng(5).choice(PLACES, size=(20, 3))
        values, printed = self.pair.q(points, **numbers), self.printed(points, **numbers)
        return bool(np.allclose(values, printed, rtol=SAME, atol=SAME))


@dataclass(frozen=True)
class Entry:
    """One line of the table.

    Attributes
    ----------
    number : int or str
        1 to 10, or "rule".
    printed : str
        The line as printed, in LaTeX; the rule's new functions, p' and q' in print, have a tilde.
    derived : str
        What was derived from its left side, in LaTeX.
    agrees : bool
        Whether the printed right side has the values of the derived one.
    pair : Pair, RulePair or VectorPair
        The derived pair, that of general parameters where there are several cases.
    """

    number: int | str
    title: str
    printed: str
    derive: Callable[[], Any]

    @cached_property
    def cases(self):
        return self.derive()

    @property
    def pair(self):
        return self.cases[0].pair

    @property
    def derived(self):
        return r" \\ ".join(case.latex for case in self.cases)

    @cached_property
    def verification(self):
        return rules.joined(*(case.pair.verify() for case in self.cases))

    @property
    def steps(self):
        return tuple(step for case in self.cases for step in case.pair.steps)

    @cached_property
    def agrees(self):
        return all(case.agrees for case in self.cases)

    @property
    def errata(self):
        """Those of `wb.errata()` that stand in this line."""
        words = "the closing rule" if self.number == "rule" else f"pair {self.number}"
        return tuple(erratum for erratum in errata() if erratum.where == f"Appendix E, {words}")


# --- the printed right sides; where none is printed, the domain is where the formula is real


def _on(inside, values):
    return np.where(inside, values, np.inf)


def _xlogx(x):
    return np.where(x > 0, x * np.log(np.where(x > 0, x, 1.0)), 0.0)


def _dual(p):
    return p / (p - 1) if p > 1 else np.inf


def _power_over(size, q):
    """size^q/q, for q = oo its limit."""
    return np.where(size > 1, np.inf, 0.0) if np.isinf(q) else size**q / q


def printed_quadratic(v, K):
    """Return v'K^-1 v/2."""
    return 0.5 * np.einsum("...i,ij,...j->...", v, np.linalg.inv(K), v)


def printed_norm(v, p, r):
    """Return |v|_q^c/c, q dual to p and c dual to r."""
    return vector.power_norm(v, _dual(p)) ** _dual(r) / _dual(r)


def printed_unnormalized(v, mu):
    """Return sum_j mu_j exp(v_j)."""
    return np.sum(mu * np.exp(v), axis=-1)


def printed_normalized(v, mu):
    """Return A ln sum_j (mu_j/A) exp(v_j)."""
    return np.sum(mu) * np.log(np.sum(mu / np.sum(mu) * np.exp(v), axis=-1))


def printed_logistic(v):
    """Return v ln v + (1 - v) ln(1 - v) on [0, 1]."""
    inside = (v >= 0) & (v <= 1)
    return _on(inside, _xlogx(v) + _xlogx(1 - v))


def printed_logarithm(v):
    """Return -1 - ln(-v)."""
    return _on(v < 0, -1 - np.log(np.where(v < 0, -v, 1.0)))


def printed_huber(v):
    """Return v^2/2 on [-1, 1]."""
    return _on(np.abs(v) <= 1, v**2 / 2)


def printed_insensitive(v, epsilon, p=1.0):
    """Return epsilon |v| + |v|^q/q."""
    return epsilon * np.abs(v) + _power_over(np.abs(v), _dual(p))


def printed_half_huber(v):
    """Return v^2/2 on [0, 1]."""
    return _on((v >= 0) & (v <= 1), v**2 / 2)


def printed_half_power(v, p=1.0):
    """Return v^q/q on v >= 0."""
    return _on(v >= 0, _power_over(np.abs(v), _dual(p)))


def printed_change(base, matrix, shift, scale, v, **parameters):
    """Return a q(S^-1 v/a) - b'S^-1 v."""
    back = np.linalg.inv(matrix).T
    return scale * base(v @ back.T / scale, **parameters) - v @ back.T @ shift


# --- the derivations, from the left sides

MORE_THAN_ONE = {"p": "p > 1"}
POWERS = ({"p": 1.5}, {"p": 2.0}, {"p": 3.25})
PRIORS = ({"mu": np.array([0.5, 2.0, 1.25])}, {"mu": np.array([0.1, 0.3, 0.6])})
SQUARE_MATRIX = np.array([[2.0, 0.5, 0.0], [0.5, 1.0, -0.25], [0.0, -0.25, 1.5]])
CHANGE = np.array([[1.0, 0.5, 0.0], [-0.25, 2.0, 1.0], [0.0, 0.0, 0.5]])
SHIFT, SCALE = np.array([0.5, -1.0, 0.25]), 0.5


def _of(text, domain, printed, parameters=None, numbers=({},), when=""):
    return AppendixCase(when, conjugate(text, domain, parameters), numbers, printed)


def _quadratic():
    return (AppendixCase("", vector.quadratic(), ({"K": SQUARE_MATRIX},), printed_quadratic),)


def _norm():
    base = conjugate("t**r/r", "t >= 0", {"r": "r > 1"})
    pair = vector.of_norm(base, "lp", "power of a norm", {"r": "p'", "c": "q'"}, (("r", "c"),))
    numbers = ({"r": 1.5, "p": 2.5}, {"r": 3.0, "p": 1.25})
    return (AppendixCase("", pair, numbers, printed_norm, r"q(v) = \frac{1}{q'} \lVert v \rVert_q^{q'}"),)


def _unnormalized():
    base = conjugate("u*log(u/(exp(1)*mu))", "u >= 0", {"mu": "mu > 0"})
    pair = vector.separable(base, "unnormalized entropy", {"mu": r"\mu_j"})
    return (AppendixCase("", pair, PRIORS, printed_unnormalized),)


def _normalized():
    return (AppendixCase("", vector.normalized_entropy(), PRIORS, printed_normalized),)


def _logistic():
    return (_of("log(1 + exp(u))", None, printed_logistic),)


def _logarithm():
    return (_of("-log(u)", "u > 0", printed_logarithm),)


def _huber():
    return (_of("piecewise((u**2/2, abs(u) <= 1), (abs(u) - 1/2, True))", None, printed_huber),)


def _insensitive():
    epsilon = {"epsilon": "positive"}
    general = conjugate("max(u - epsilon, 0)**p/p", "u >= 0", epsilon | MORE_THAN_ONE)
    line = conjugate("max(u - epsilon, 0)", "u >= 0", epsilon)
    return (
        AppendixCase(
            "p > 1",
            rules.even(general),
            tuple({"epsilon": 0.25} | power for power in POWERS),
            printed_insensitive,
        ),
        AppendixCase("p = 1", rules.even(line), ({"epsilon": 0.25}, {"epsilon": 2.0}), printed_insensitive),
    )


def _half_huber():
    return (_of("piecewise((0, u < 0), (u**2/2, u <= 1), (u - 1/2, True))", None, printed_half_huber),)


def _half_power():
    return (
        _of("max(u, 0)**p/p", None, printed_half_power, MORE_THAN_ONE, POWERS, "p > 1"),
        _of("max(u, 0)", None, printed_half_power, when="p = 1"),
    )


def _rule():
    base = vector.separable(conjugate("u**4/4", "u >= 0"), "power", even=True)
    pair = rules.linear_change(base, CHANGE, SHIFT, SCALE)
    numbers = {"a": 0.5, "s": 2.0, "t": 0.75}
    symbols = {"a": "a > 0", "s": "s > 0", "t": "real"}
    line = conjugate("log(1 + exp(u))")
    return (
        AppendixCase(
            "S invertible",
            pair,
            ({},),
            partial(printed_change, base.q, CHANGE, SHIFT, SCALE),
            r"\tilde q(v) = a\,q\left(\tfrac{1}{a} S^{-1} v\right) - b^\top S^{-1} v",
        ),
        AppendixCase(
            "in one variable, for the logistic pair",
            rules.affine(line, "a", "s", "t", symbols),
            (numbers,),
            partial(_printed_on_the_line, line.q),
        ),
    )


def _printed_on_the_line(base, v, a, s, t):
    return a * base(v / (a * s)) - t * v / s


@cache
def appendix_e() -> tuple[Entry, ...]:
    """Return the eleven entries of Appendix E."""
    return tuple(Entry(*line) for line in LINES)


LINES = (
    (1, "Quadratic form", r"p(u) = \tfrac12 u^\top K u; \quad q(v) = \tfrac12 v^\top K^{-1} v", _quadratic),
    (
        2,
        "Power of a norm",
        r"p(u) = \frac{1}{p'} \lVert u \rVert_p^{p'}; \quad q(v) = \frac{1}{q'} \lVert v \rVert_q^{q'}",
        _norm,
    ),
    (
        3,
        "Unnormalized entropy",
        r"p(u) = \sum_j u_j \ln \frac{u_j}{e\mu_j} \; (u_j \geq 0); \quad "
        r"q(v) = \sum_j \mu_j \exp(v_j)",
        _unnormalized,
    ),
    (
        4,
        "Normalized entropy",
        r"p(u) = \sum_j u_j \ln \frac{u_j}{\mu_j} \; (u_j \geq 0, \sum_j u_j = A); \quad "
        r"q(v) = A \ln \left( \sum_j \frac{\mu_j}{A} \exp(v_j) \right)",
        _normalized,
    ),
    (
        5,
        "Logistic",
        r"p(u) = \ln(1 + \exp(u)); \quad q(v) = v \ln v + (1 - v) \ln(1 - v) \; (0 \leq v \leq 1)",
        _logistic,
    ),
    (6, "Negative logarithm", r"p(u) = -\ln u; \quad q(v) = -1 - \ln(-v)", _logarithm),
    (
        7,
        "Huber",
        r"p(u) = \tfrac12 u^2 \text{ if } |u| \leq 1, \; |u| - \tfrac12 \text{ otherwise}; \quad "
        r"q(v) = \tfrac12 v^2 \; (|v| \leq 1)",
        _huber,
    ),
    (
        8,
        "Insensitive zone",
        r"p(u) = 0 \text{ if } |u| \leq \epsilon, \; \tfrac1p (|u| - \epsilon)^p \text{ otherwise}; "
        r"\quad q(u) = \epsilon |v| + \tfrac1q |v|^q",
        _insensitive,
    ),
    (
        9,
        "One-sided Huber",
        r"p(u) = \tfrac12 u^2 \text{ if } 0 \leq u \leq 1, \; u - \tfrac12 \text{ if } u > 1, \; "
        r"0 \text{ if } u < 0; \quad q(v) = \tfrac12 v^2 \; (0 \leq v \leq 1)",
        _half_huber,
    ),
    (
        10,
        "One-sided power",
        r"p(u) = \tfrac1p u^p \text{ if } u \geq 0, \; 0 \text{ otherwise}; \quad "
        r"q(v) = \tfrac1q v^q \; (v \geq 0)",
        _half_power,
    ),
    (
        "rule",
        "Linear change of variables",
        r"\tilde p(u) = a\,p(S^\top u + b); \quad "
        r"\tilde q(v) = a\,q\left(\tfrac1a S^{-\top} v\right) - b^\top S^{-\top} v",
        _rule,
    ),
)
