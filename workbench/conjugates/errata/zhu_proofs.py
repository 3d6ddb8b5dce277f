"""Zhu et al., Inverse time dependency in convex regularized learning (2009): definitions and proofs."""

import math

from workbench.conjugates.errata.entry import Sheet
from workbench.conjugates.errata.search import lowest, slope

SHEET = Sheet("Zhu et al. (2009)")

# Two samples of least squares in one dimension, x = 1, drawn one at a time.
TARGETS = (1.0, -3.0)


def _temporal(w, y):
    """c_t for the sample y, with sigma = 1 and p = 2."""
    return w**2 / 2 + (w - y) ** 2


def _empirical(w):
    return sum(_temporal(w, y) for y in TARGETS) / len(TARGETS)


def _first_iterate(y):
    """w_1 of Figure 1 after the draw of y: w_0 = 0, lambda_1 = -2 y, w_1 = 2 y / (2 sigma)."""
    return 2.0 * y / 2.0


@SHEET.wrong(
    "Definition 2, (5)",
    printed=r"f(\alpha w_1 + (1-\alpha) w_2) \le \alpha f(w_1) + (1-\alpha) F(w_2) - \frac{\sigma}{2} "
    r"\alpha (1-\alpha) \|w_1 - w_2\|",
    corrected=r"f(\alpha w_1 + (1-\alpha) w_2) \le \alpha f(w_1) + (1-\alpha) f(w_2) - \frac{\sigma}{2} "
    r"\alpha (1-\alpha) \|w_1 - w_2\|^2",
    says="For f(w) = w²/2, which is 1-strongly convex, w₁ = 0, w₂ = 0.1 and α = ½ the right side is "
    "{printed} as printed and {corrected} with the square; the left side is {truth}.",
    cause="misprint",
    reason="without the square no smooth function qualifies; F stands for f",
)
def strong_convexity():
    left, right = 0.0, 0.1

    def f(w):
        return w**2 / 2

    chord = (f(left) + f(right)) / 2
    return chord - abs(left - right) / 8, chord - abs(left - right) ** 2 / 8, f((left + right) / 2)


@SHEET.wrong(
    "Proposition 1",
    printed=r"\|\lambda\|_q \le L \text{ for all } w \in S, \ \lambda \in \partial f(w)",
    corrected=r"\|\lambda\|_q \le L \text{ for all } w \in \operatorname{int} S, \ \lambda \in \partial "
    r"f(w); \text{ unbounded on the boundary of } S",
    says="For f(w) = w² on S = [-1, 1], where L = {printed}, Definition 5 lets through every λ ≥ 2 at w = "
    "1: the supremum of |λ| is {truth}.",
    cause="misprint",
    reason="the proof needs a w' in S in every direction; sub-gradients of the loss on all of space "
    "are bounded",
)
def bounded_sub_gradients():
    points = [k / 100.0 for k in range(-100, 101)]

    def passes(multiplier):
        return all(w**2 - 1.0 >= (w - 1.0) * multiplier for w in points)

    # By hand: on the boundary the normal cone of S is added, here every number >= 0.
    searched = math.inf if all(passes(10.0**power) for power in range(1, 13)) else 1e12
    return slope(lambda w: w**2, 1.0), math.inf, searched


@SHEET.wrong(
    "Theorem 1, the regularizer",
    printed=r"r(w) = \frac{\sigma}{2(p-1)} \|w\|_p^2",
    corrected=r"r(w) = \frac{1}{2(p-1)} \|w\|_p^2",
    says="For p = 2 and σ = 0.1 the curvature of σr is {printed} with the printed r and {corrected} with "
    "that of (3); (7) with a linear loss has {truth}.",
    cause="misprint",
    reason="σ stands in F = σr + l already",
)
def weight_of_the_regularizer():
    sigma = 0.1

    def curvature(function):
        return slope(lambda w: slope(function, w, 0.1), 0.0, 0.1)

    truth = curvature(lambda w: sigma / 2.0 * abs(w) ** 2 + 3.0 * w - 1.0)
    return curvature(lambda w: sigma * (sigma / 2.0 * w**2)), curvature(lambda w: sigma * (w**2 / 2.0)), truth


@SHEET.wrong(
    "Theorem 1, the temporal loss",
    printed=r"g_t(w) = \frac{1}{m} \sum_{i=1}^m l(\langle w, \phi(\theta_i) \rangle; \theta_i)",
    corrected=r"g_t(w) = \frac{1}{|A_t|} \sum_{\theta \in A_t} l(\langle w, \theta \rangle; \theta)",
    says="For least squares with x = 1, y in {{1, -3}}, p = 2, σ = 1 and A₁ the first sample, w₁ is "
    "{printed} with the printed loss and {corrected} with (8); the slope of the loss of A₁ at 0 leads to "
    "{truth}.",
    cause="misprint",
    reason="the average over all samples is the empirical loss; (8) and Figure 1 are right",
)
def temporal_loss():
    sigma = 1.0

    def step(sub_gradient):
        return -sub_gradient / (2.0 * sigma)

    average = sum(-2.0 * y for y in TARGETS) / len(TARGETS)
    return step(average), step(-2.0 * TARGETS[0]), step(slope(lambda w: (w - TARGETS[0]) ** 2, 0.0))


@SHEET.wrong(
    "(14) and Lemma 1, (15)",
    printed=r"\sum_{t=1}^T c_t(w_t) - \min_{w \in S} \sum_{t=1}^T c_t(w) \le \frac{1}{2} \sum_{t=1}^T "
    r"\frac{\|\lambda_t\|_q^2}{t\sigma}",
    corrected=r"\sum_{t=1}^T c_t(w_{t-1}) - \min_{w \in S} \sum_{t=1}^T c_t(w) \le \frac{1}{2} "
    r"\sum_{t=1}^T \frac{\|\lambda_t\|_q^2}{t\sigma}",
    says="For T = 1, p = 2, σ = 1 and g₁(w) = |w - δ| with δ = 0.01, 0.02, …, 1 the largest left side is "
    "{printed} as printed and {corrected} with w₀ for w₁; the right side is {truth}.",
    cause="misprint",
    reason="an online bound takes the point before c_t is shown, and Figure 1 computes w_t from c_t",
)
def regret():
    def sides(delta):
        def objective(w):
            return w**2 / 2 + abs(w - delta)

        sub_gradient = slope(objective, 0.0)
        least = lowest(objective, -10.0, 10.0)
        return objective(-sub_gradient / 2.0) - least, objective(0.0) - least, sub_gradient**2 / 2.0

    printed, corrected, bound = zip(*(sides(k / 100.0) for k in range(1, 101)), strict=True)
    return max(printed), max(corrected), max(bound)


@SHEET.wrong(
    "Corollary 1, with (11) and (17)",
    printed=r"\text{regret} \le \frac{C \log T}{\sigma}",
    corrected=r"\text{regret} \le \frac{L^2 (1 + \log T)}{2\sigma}",
    says="For T = 1, σ = 1, p = 2 and g₁(w) = w, so L = 1, the printed bound is {printed} for every C and "
    "the corrected one {corrected}; the regret of w₀ = 0 is {truth}.",
    cause="misprint",
    reason="Σ 1/t lies between log T and 1 + log T; it matters for T = 1 alone",
)
def logarithm():
    sigma, total, constant = 1.0, 1, 1.0
    regret_of_zero = -lowest(lambda w: sigma * w**2 / 2 + w, -10.0, 10.0)
    return constant * math.log(total) / sigma, (1.0 + math.log(total)) / (2.0 * sigma), regret_of_zero


@SHEET.wrong(
    "Section VI.A, after (16), first equation",
    printed=r"\mathbb{E}_{A_1, \dots, A_T} \mathbb{E}_{1 \le i \le T} [\hat F_\sigma(w_i)] = "
    r"\mathbb{E}_{A_1, \dots, A_T} \mathbb{E}_{1 \le i \le T} [c_i(w_i)]",
    corrected=r"\mathbb{E}_{A_1, \dots, A_T} \mathbb{E}_{1 \le i \le T} [\hat F_\sigma(w_{i-1})] = "
    r"\mathbb{E}_{A_1, \dots, A_T} \mathbb{E}_{1 \le i \le T} [c_i(w_{i-1})]",
    says="For least squares with x = 1, y drawn from {{1, -3}}, p = 2, σ = 1 the mean of c₁(w₁) is "
    "{printed} and that of c₂(w₁) {corrected}; the mean of F(w₁) over both draws is {truth}.",
    cause="misprint",
    reason="w_i depends on A_i, so the expectation may not be taken through; with w_(i-1) it may",
)
def expectation_of_the_iterate():
    same = sum(_temporal(_first_iterate(y), y) for y in TARGETS) / 2.0
    following = sum(_temporal(_first_iterate(y), later) for y in TARGETS for later in TARGETS) / 4.0
    return same, following, sum(_empirical(_first_iterate(y)) for y in TARGETS) / 2.0


@SHEET.wrong(
    "Section VI.A, after (16), second equation",
    printed=r"\hat F_\sigma(\hat w) = \mathbb{E}_{A_1, \dots, A_T} \left[ \frac{1}{T} \min_{w \in S} "
    r"\sum_{t=1}^T c_t(w) \right]",
    corrected=r"\hat F_\sigma(\hat w) = \min_{w \in S} \mathbb{E}_{A_1, \dots, A_T} \left[ \frac{1}{T} "
    r"\sum_{t=1}^T c_t(w) \right] \ge \mathbb{E}_{A_1, \dots, A_T} \left[ \frac{1}{T} \min_{w \in S} "
    r"\sum_{t=1}^T c_t(w) \right]",
    says="For T = 1 and least squares with x = 1, y drawn from {{1, -3}}, p = 2, σ = 1 the mean of the "
    "minima is {printed} and the minimum of the mean {corrected}; the empirical optimum is {truth}.",
    cause="misprint",
    reason="minimum and expectation do not commute; the inequality suffices for (17)",
)
def expectation_of_the_minimum():
    minima = sum(lowest(lambda w, y=y: _temporal(w, y), -10.0, 10.0) for y in TARGETS) / 2.0
    # The empirical objective is 3/2 w^2 + 2 w + 5, lowest at -2/3.
    return minima, lowest(_empirical, -10.0, 10.0), 5.0 - 2.0 / 3.0
