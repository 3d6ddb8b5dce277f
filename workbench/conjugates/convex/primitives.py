"""Numerically stable building blocks that SymPy can differentiate and rewrite.

SymPy likes to rewrite ln(1 + e^u) into forms that overflow, and evaluates u ln u at 0 as nan. A
formula built from these functions keeps its stable form until a printer of `codegen` turns it into
code; `elementary` gives back the textbook form for a proof.
"""

import sympy as sp


class Log1pExp(sp.Function):
    """ln(1 + e^u), finite for every u; its slope is `Expit`."""

    nargs = 1

    def fdiff(self, argindex=1):
        return Expit(self.args[0])

    def _eval_rewrite_as_exp(self, u, **hints):
        return sp.log(1 + sp.exp(u))


class Expit(sp.Function):
    """The logistic function 1/(1 + e^-u), the slope of `Log1pExp`."""

    nargs = 1

    def fdiff(self, argindex=1):
        # e^-|u| / (1 + e^-|u|)^2 keeps its relative precision in both tails, which s(1 - s) does not.
        decay = sp.exp(-sp.Abs(self.args[0]))
        return decay / (1 + decay) ** 2

    def _eval_rewrite_as_exp(self, u, **hints):
        return 1 / (1 + sp.exp(-u))


class BinaryEntropy(sp.Function):
    """b ln b + (1-b) ln(1-b) on [0, 1] with 0 ln 0 = 0: the conjugate of `Log1pExp`."""

    nargs = 1

    def fdiff(self, argindex=1):
        return Logit(self.args[0])

    def _eval_rewrite_as_exp(self, b, **hints):
        return b * sp.log(b) + (1 - b) * sp.log(1 - b)


class Logit(sp.Function):
    """ln(b / (1-b)), the inverse of `Expit`."""

    nargs = 1

    def fdiff(self, argindex=1):
        return 1 / (self.args[0] * (1 - self.args[0]))

    def _eval_rewrite_as_exp(self, b, **hints):
        return sp.log(b) - sp.log(1 - b)


class RelativeEntropy(sp.Function):
    """w ln(w/c) for w >= 0, c > 0 with 0 ln 0 = 0."""

    nargs = 2

    def fdiff(self, argindex=1):
        w, c = self.args
        return sp.log(w / c) + 1 if argindex == 1 else -w / c

    def _eval_rewrite_as_exp(self, w, c, **hints):
        return w * sp.log(w / c)


PRIMITIVES = (Log1pExp, Expit, BinaryEntropy, Logit, RelativeEntropy)


def elementary(expression):
    """Return the expression with textbook forms for all primitives, for proofs and not for numbers."""
    return expression.replace(lambda node: isinstance(node, PRIMITIVES), lambda node: node.rewrite(sp.exp))


def formula(expression):
    """Return a SymPy expression in the grammar of the checker."""
    return str(elementary(sp.sympify(expression)))
