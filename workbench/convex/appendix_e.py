"""Zhang's Appendix E: ten pairs and a rule, as printed and as derived from their left sides alone.

`agrees` compares the printed right side with the derived one in numbers, inside the domain, at its ends
and outside. Nothing is derived before it is asked for.
"""

from dataclasses import dataclass
from functools import cache, cached_property
from typing import NamedTuple

import numpy as np

from workbench.convex import rules, vector
from workbench.convex.conjugate import conjugate

SAME = 1e-10
# Ends of the domains, places inside, places outside.
PLACES = np.array([-4.0, -1.5, -1.0, -0.75, -0.25, 0.0, 0.125, 0.5, 0.75, 1.0, 1.25, 2.0, 5.0])


class Case(NamedTuple):
    """One range of the parameters: a heading, the derived pair, numbers to compare at, the printed q."""

    when: str
    pair: object
    numbers: tuple
    printed: object
    text: str = ""

    @property
    def latex(self):
        return (self.text or rf"q(v) = {self.pair.q.latex}") + (rf" \quad ({self.when})" if self.when else "")

    @property
    def agrees(self):
        return all(self._agrees_at(numbers) for numbers in self.numbers)

    def _agrees_at(self, numbers):
        found, printed = self.pair.q(self.points(numbers), **numbers), self.printed(self.points(numbers), **numbers)
        return bool(np.allclose(found, printed, rtol=SAME, atol=SAME))

    def points(self, numbers):
        """Places on the line, or vectors of three entries made of them."""
        if not isinstance(self.pair, vector.VectorPair):
            return PLACES
        return np.random.default_rng(5).choice(PLACES, size=(20, 3))


@dataclass(frozen=True)
class Entry:
    """One line of the table.

    Attributes
    ----------
    number : int or str
        1 to 10, or "rule".
    printed : str
        The line as printed, in LaTeX.
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
    derive: object

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
    return 0.5 * np.einsum("...i,ij,...j->...", v, np.linalg.inv(K), v)


def printed_norm(v, p, r):
    return vector.power_norm(v, _dual(p)) ** _dual(r) / _dual(p)


def printed_unnormalized(v, mu):
    return np.sum(mu * np.exp(v), axis=-1)


def printed_normalized(v, mu):
    return np.sum(mu) * np.log(np.sum(mu / np.sum(mu) * np.exp(v), axis=-1))


def printed_logistic(v):
    inside = (v >= 0) & (v <= 1)
    return _on(inside, _xlogx(v) + _xlogx(1 - v))


def printed_logarithm(v):
    return _on(v < 0, -1 - np.log(np.where(v < 0, -v, 1.0)))


def printed_huber(v):
    return _on(np.abs(v) <= 1, v**2 / 2)


def printed_insensitive(v, epsilon, p=1.0):
    return epsilon * np.abs(v) + _power_over(np.abs(v), _dual(p))


def printed_half_huber(v):
    return _on((v >= 0) & (v <= 1), v**2 / 2)


def printed_half_power(v, p=1.0):
    return _on(v >= 0, _power_over(np.abs(v), _dual(p)))


def printed_change(base, matrix, shift, scale, v, **parameters):
    back = np.linalg.inv(matrix).T
    return scale * base(v @ back.T / scale, **parameters) - v @ back.T @ shift
