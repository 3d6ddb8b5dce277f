"""Every other conjugate of the workbench, derived: losses, regularizers, norms, with their sources.

A loss is f(a, y) = p(s a + t) with a p of one variable: s = y, t = 0 for a margin (y is -1 or 1), s = 1,
t = -y for a residual, s = 1, t = 0 for a prediction. What the dual problem needs is k(-alpha, y), k the
conjugate of f in a: that is the conjugate of x -> p(-s x + t) at alpha, so the affine rule gives it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property, partial
from typing import NamedTuple

import sympy as sp

from workbench.conjugates.convex import rules, vector
from workbench.conjugates.convex.conjugate import conjugate
from workbench.conjugates.convex.proof import Claim, Step
from workbench.conjugates.convex.tidy import tidy

ZHANG_LOSSES, ZHANG_REGULARIZERS = "Zhang (2002), 5.2", "Zhang (2002), 5.1"
POWER, EPSILON = {"p": "p > 1"}, {"epsilon": "positive"}
NORM_POWER = {"p": "1 < p <= 2"}
Y = sp.Symbol("y", real=True)


class Derivation(NamedTuple):
    """The derivation of one entry; `latex` shows the conjugate of `pair`."""

    latex: str
    pair: object
    steps: tuple
    verification: object


@dataclass(frozen=True)
class CatalogueEntry:
    """A pair that the workbench uses; nothing is derived before it is asked for.

    Attributes
    ----------
    kind : str
        "loss", "regularizer", "norm" or "objective".
    printed : str
        LaTeX of what the source prints, "" where it prints nothing.
    derived : str
        LaTeX of what was derived; of a loss k(-alpha, y), of a regularizer h and its gradient.
    pair : RulePair or VectorPair
        Of a loss with a margin, q is k as a function of beta = alpha y; of other losses, of alpha.
    """

    name: str
    kind: str
    source: str
    derive: Callable[[], Derivation]
    printed: str = ""

    @cached_property
    def _derivation(self):
        return self.derive()

    @property
    def derived(self):
        return self._derivation.latex

    @property
    def pair(self):
        return self._derivation.pair

    @property
    def steps(self):
        return self._derivation.steps

    @property
    def verification(self):
        return self._derivation.verification


# --- losses


def _margin(base):
    """k(-alpha, y) = p*(-alpha y), since 1/y = y."""
    pair = rules.affine(base(), slope=-1)
    claim = Claim("labels", "proved", "1/y = y for y = -1 and y = 1, so p*(-alpha/y) = p*(-alpha y)")
    return _loss(pair, r"\beta", claim, r", \quad \beta = \alpha y")


def _residual(base):
    return _loss(rules.affine(base(), slope=-1, shift=-Y, parameters={"y": "real"}), r"\alpha")


def _prediction(base):
    return _loss(rules.affine(base(), slope=-1), r"\alpha")


def _loss(pair, letter, *claims):
    *others, tail = claims if claims else ("",)
    text = rf"k(-\alpha, y) = {_at(pair.q, letter)}{tail}"
    step = Step("The loss in the dual", text, "k(-alpha, y) is the conjugate of x -> f(-x, y) at alpha.")
    return Derivation(text, pair, (*pair.steps, step), rules.joined(pair.verification, *others))


def _at(function, letter, target="y"):
    """LaTeX of a function of one variable in another letter, with its domain, p/(p - 1) written as q."""
    parameters, q = function.setting.parameters, sp.Symbol("q", positive=True)
    expression = function.expr
    if "p" in parameters:
        terms = sp.Add.make_args(expression.subs(parameters["p"].symbol, q / (q - 1)))
        expression = tidy(sp.Add(*(sp.simplify(term) for term in terms)))
    names = {symbol: target for symbol in expression.free_symbols if symbol.name == "y"}
    text = sp.latex(expression, symbol_names=names | {function.variable: letter})
    domain = "" if function.domain == sp.S.Reals else rf", \quad {letter} \in {sp.latex(function.domain)}"
    return (vector.bracketed(text) if target != "y" else text) + domain


def _even(text, parameters=None):
    return rules.even(conjugate(text, "u >= 0", parameters))


def _smoothed():
    """1 - m is put into pair 9 of the appendix."""
    pair = conjugate("piecewise((0, u < 0), (u**2/2, u <= 1), (u - 1/2, True))")
    return rules.affine(pair, slope=-1, shift=1)


def _multinomial():
    pair = vector.log_sum_exp()
    claim = Claim("label", "proved", "f(z) = lse(z) - z_y has f*(v) = lse*(v + e_y), shifted")
    text = r"k(-\alpha, y) = \sum_j p_j \ln p_j, \quad p = e_y - \alpha, \; p_j \geq 0, \; \sum_j p_j = 1"
    step = Step("The label", text, "The term -z_y is linear.")
    return Derivation(text, pair, (*pair.steps, step), rules.joined(pair.verification, claim))


# --- regularizers and norms


def _regularizer(make):
    pair = make()
    text = rf"h(v) = {pair.q.latex}"
    if pair.gradient is not None:
        text += r" \\ " + pair.gradient.latex.replace(r"\nabla q", r"\nabla h")
    return Derivation(text, pair, pair.steps, pair.verification)


def _separable(text, domain, parameters, name, **options):
    return vector.separable(conjugate(text, domain, parameters), name, **options)


def _of_norm(text, domain, parameters, norm, name, *options):
    return vector.of_norm(conjugate(text, domain, parameters), norm, name, *options)


def _norm(norm):
    return _of_norm("t", "t >= 0", None, norm, norm)


def _pgs(domain, text="t**2/(2*(p - 1))", parameters=NORM_POWER):
    return _of_norm(text, domain, parameters, "lp", "squared p-norm", {}, (("p", "q"),))


# --- objectives of the duality gaps: sums over the samples, divided by n


def _mean(base, slope, shift, name):
    """(1/n) sum_i p(slope z_i + shift), from the pair of one sample."""
    symbols = {"n": "n > 0", "y": "real"}
    one = rules.affine(base(), 1 / sp.Symbol("n"), slope, shift, symbols)
    pair = vector.separable(one, name, {"y": "y_i"})
    text = r"f^*(\kappa) = \sum_i " + _at(one.q, r"\kappa_i", "y_i")
    return Derivation(text, pair, pair.steps, pair.verification)


def _logistic_mean():
    pair = _mean(partial(conjugate, "log(1 + exp(-u))"), 1, 0, "logistic")
    claim = Claim("labels", "proved", "1/y = y for y = -1 and y = 1, so kappa_i stands for y_i kappa_i")
    text = pair.latex.replace(r"\kappa_i", r"y_i \kappa_i")
    return pair._replace(latex=text, verification=rules.joined(pair.verification, claim))


def _multinomial_mean():
    pair = _multinomial()
    claim = Claim("mean", "proved", "sum_i f_i(Z_i)/n has the conjugate sum_i f_i*(n K_i)/n: separate rows")
    text = (
        r"f^*(K) = \frac1n \sum_i \sum_j P_{ij} \ln P_{ij}, \quad P_i = e_{y_i} + n K_i, "
        r"\; P_{ij} \geq 0, \; \sum_j P_{ij} = 1"
    )
    return pair._replace(latex=text, verification=rules.joined(pair.verification, claim))


@cache
def catalogue() -> tuple[CatalogueEntry, ...]:
    """Every entry, losses first."""
    return (*LOSSES, *REGULARIZERS, *GAPS)


def _zone(power):
    return partial(_even, f"max(u - epsilon, 0){power}", EPSILON | (POWER if "p" in power else {}))


LOSSES = (
    CatalogueEntry("squared", "loss", ZHANG_LOSSES, partial(_residual, partial(conjugate, "u**2"))),
    CatalogueEntry(
        "epsilon-insensitive, p = 1",
        "loss",
        ZHANG_LOSSES,
        partial(_residual, _zone("")),
        r"k(-\alpha_i, y_i) = \epsilon|\alpha_i| - y_i\alpha_i, \quad \alpha_i \in [-1, 1]",
    ),
    CatalogueEntry("epsilon-insensitive, p = 2", "loss", ZHANG_LOSSES, partial(_residual, _zone("**2/2"))),
    CatalogueEntry(
        "epsilon-insensitive, p > 1",
        "loss",
        ZHANG_LOSSES,
        partial(_residual, _zone("**p/p")),
        r"k(-\alpha_i, y_i) = \epsilon|\alpha_i| + \frac1q|\alpha_i|^q - y_i\alpha_i",
    ),
    CatalogueEntry(
        "Huber",
        "loss",
        "Zhang (2002), Appendix E, 7",
        partial(_residual, partial(conjugate, "piecewise((u**2/2, abs(u) <= 1), (abs(u) - 1/2, True))")),
    ),
    CatalogueEntry(
        "hinge, p = 1",
        "loss",
        ZHANG_LOSSES,
        partial(_margin, partial(conjugate, "max(0, 1 - u)")),
        r"k(-\alpha_i, y_i) = -\alpha_i y_i \quad (\alpha_i y_i \in [0, 1])",
    ),
    CatalogueEntry(
        "hinge, p = 2", "loss", ZHANG_LOSSES, partial(_margin, partial(conjugate, "max(0, 1 - u)**2/2"))
    ),
    CatalogueEntry(
        "hinge, p > 1",
        "loss",
        ZHANG_LOSSES,
        partial(_margin, partial(conjugate, "max(0, 1 - u)**p/p", None, POWER)),
        r"k(-\alpha_i, y_i) = \frac1q|\alpha_i|^q - \alpha_i y_i \quad (\alpha_i y_i \geq 0)",
    ),
    CatalogueEntry("smoothed hinge", "loss", "Zhang (2002), Appendix E, 9", partial(_margin, _smoothed)),
    CatalogueEntry(
        "logistic",
        "loss",
        ZHANG_LOSSES,
        partial(_margin, partial(conjugate, "log(1 + exp(-u))")),
        r"k(-\alpha_i, y_i) = \alpha_i y_i \ln(\alpha_i y_i) + (1 - \alpha_i y_i) \ln(1 - \alpha_i y_i)"
        r" \quad \text{s.t. } \alpha_i y_i \in [0, 1]",
    ),
    CatalogueEntry(
        "negative logarithm",
        "loss",
        "Zhang (2002), Appendix E, 6",
        partial(_prediction, partial(conjugate, "-log(u)", "u > 0")),
    ),
    CatalogueEntry("multinomial logistic", "loss", "SPAMS, appendix A", _multinomial),
)
REGULARIZERS = (
    CatalogueEntry(
        "squared l2",
        "regularizer",
        ZHANG_REGULARIZERS,
        partial(_regularizer, vector.quadratic),
        r"h(v) = \tfrac12 v^\top K^{-1} v",
    ),
    CatalogueEntry(
        "l1",
        "regularizer",
        ZHANG_REGULARIZERS,
        partial(_regularizer, partial(_norm, "l1")),
        r"h(v) = 0, \quad \max_j |v_j| \leq 1",
    ),
    CatalogueEntry(
        "elastic net",
        "regularizer",
        ZHANG_REGULARIZERS,
        partial(
            _regularizer,
            partial(_separable, "epsilon*t + t**2/2", "t >= 0", EPSILON, "elastic net", even=True),
        ),
        r"h_j(v_j) = 0 \text{ if } |v_j| \leq \epsilon, \; \tfrac12 (|v_j| - \epsilon)^2 \text{ otherwise}",
    ),
    CatalogueEntry(
        "bounded weights",
        "regularizer",
        "Zhang (2002), section 4.4",
        partial(
            _regularizer,
            partial(_separable, "t**2/2", "0 <= t <= r", {"r": "r > 0"}, "bounded weights", even=True),
        ),
    ),
    CatalogueEntry(
        "normalized entropy",
        "regularizer",
        ZHANG_REGULARIZERS,
        partial(_regularizer, vector.normalized_entropy),
        r"h(v) = A \ln \sum_{j=1}^d \frac{\mu_j}{A} e^{v_j}",
    ),
    CatalogueEntry(
        "unnormalized entropy",
        "regularizer",
        ZHANG_REGULARIZERS,
        partial(
            _regularizer,
            partial(
                _separable,
                "u*log(u/(exp(1)*mu))",
                "u >= 0",
                {"mu": "mu > 0"},
                "entropy",
                names={"mu": r"\mu_j"},
            ),
        ),
        r"h(v) = \sum_{j=1}^d \mu_j \exp(v_j)",
    ),
    CatalogueEntry(
        "q-norm",
        "regularizer",
        ZHANG_REGULARIZERS,
        partial(
            _regularizer,
            partial(
                _of_norm,
                "t**r/r",
                "t >= 0",
                {"r": "r > 1"},
                "lq",
                "q-norm",
                {"r": "q'", "c": "p'"},
                (("r", "c"),),
            ),
        ),
        r"h(v) = \frac{1}{p'} \lVert v \rVert_p^{p'}, \quad \nabla h(v)_j = \mathrm{sgn}(v_j)|v_j|^{p-1}"
        r"\lVert v \rVert_p^{p'-p}",
    ),
    CatalogueEntry(
        "squared p-norm",
        "regularizer",
        "Zhu et al. (2009), Example 1 and Corollary 3",
        partial(_regularizer, partial(_pgs, "t >= 0")),
        r"f^*(\theta) = \frac{1}{2(q-1)}\lVert\theta\rVert_q^2, \quad (\nabla f^*(\theta))_i = "
        r"\frac{1}{q-1}\lVert\theta\rVert_q^{1-q/p}\,\theta_i^{q/p}",
    ),
    CatalogueEntry(
        "half squared p-norm on a ball",
        "regularizer",
        "Zhu et al. (2009), Theorem 3",
        partial(_regularizer, partial(_pgs, "0 <= t <= B", "t**2/2", {"p": "p > 1", "B": "B > 0"})),
        r"f^*(\theta) = \tfrac12\lVert\theta\rVert_q^2 \text{ if } \lVert\theta\rVert_q \leq B, \; "
        r"\tfrac12\lVert\theta\rVert_q^2 - \tfrac12(B - \lVert\theta\rVert_q)^2 \text{ otherwise}",
    ),
    CatalogueEntry(
        "squared p-norm on a ball",
        "regularizer",
        "Zhu et al. (2009), Corollary 2",
        partial(_regularizer, partial(_pgs, "0 <= t <= B", parameters=NORM_POWER | {"B": "B > 0"})),
    ),
    *(
        CatalogueEntry(norm, "norm", "SPAMS, appendix A", partial(_regularizer, partial(_norm, norm)))
        for norm in ("l2", "linf", "l1/l2", "l1/linf", "trace")
    ),
)
GAPS = (
    CatalogueEntry(
        "mean square",
        "objective",
        "SPAMS, appendix A",
        partial(_mean, partial(conjugate, "u**2/2"), 1, -Y, "mean square"),
        r"f^*(\kappa) = \frac n2 \lVert\kappa\rVert_2^2 + \kappa^\top y",
    ),
    CatalogueEntry(
        "mean logistic",
        "objective",
        "SPAMS, appendix A",
        _logistic_mean,
        r"f^*(\kappa) = \sum_i (1 + y_i\kappa_i)\log(1 + y_i\kappa_i) - y_i\kappa_i\log(-y_i\kappa_i), \quad "
        r"y_i\kappa_i \in [-1, 0]",
    ),
    CatalogueEntry(
        "mean multinomial logistic",
        "objective",
        "SPAMS, appendix A",
        _multinomial_mean,
        r"f^*(K) = \sum_i \Big[ \sum_{j \neq y_i} K_{ij}\log K_{ij} + (1 + K_{iy_i})\log(1 + K_{iy_i}) \Big]",
    ),
)
