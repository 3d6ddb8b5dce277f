"""Mairal, documentation of SPAMS, appendix A: duality gaps with Fenchel duality."""

import math

from workbench.conjugates.errata.entry import Sheet
from workbench.conjugates.errata.search import along_ray, dot, highest, lowest, root, slope

SHEET = Sheet("Mairal, SPAMS (appendix A)")


def _xlogx(u):
    return u * math.log(u) if u > 0.0 else 0.0


def _logistic_conjugate(kappa, labels):
    """Return the conjugate of the mean logistic loss, on its domain."""
    n = len(labels)
    betas = [-n * y * k for y, k in zip(labels, kappa, strict=True)]
    return sum(_xlogx(1.0 - beta) + _xlogx(beta) for beta in betas) / n


def _projected(target, boxes):
    """Return the projection onto a product of intervals and sum zero, by bisection on the shift."""

    def clipped(shift):
        return [min(max(t + shift, low), high) for t, (low, high) in zip(target, boxes, strict=True)]

    return clipped(root(lambda shift: sum(clipped(shift)), -10.0, 10.0))


@SHEET.wrong(
    "After (51), the optimality conditions (two places)",
    printed=r"-X \nabla f(X^\top w^\star) \in \partial\psi(w^\star)",
    corrected=r"-X \nabla f(X^\top w^\star) \in \lambda\, \partial\psi(w^\star)",
    says="For f(z) = ½(1 - z)², X = 1, ψ(w) = ½w² and λ = ½ at the optimum w*: -X∇f is {printed}, divided "
    "by λ {corrected}; the slope of ψ at w* is {truth}.",
    cause="misprint",
    reason="λ left out; (50) and (51) have -X∇f(Xᵀw)/λ as the argument of ψ*",
)
def optimality():
    lam = 0.5

    def objective(w):
        return (1.0 - w) ** 2 / 2 + lam * w**2 / 2

    best = root(lambda w: slope(objective, w), -5.0, 5.0)
    residual = 1.0 - best
    return residual, residual / lam, slope(lambda w: w**2 / 2, best)


@SHEET.wrong(
    "After (51), the gap that can be infinite",
    printed=r"\text{for } w \text{ different than } w^\star, \ \delta(w^\star, \kappa(w^\star)) \text{ can "
    r"be infinite}",
    corrected=r"\text{for } w \text{ different than } w^\star, \ \delta(w, \kappa(w)) \text{ can be "
    r"infinite}",
    says="For f(z) = ½(1 - z)², X = 1, ψ(w) = |w| and λ = ½, δ(w*, κ(w*)) is {printed}; at w = 0, δ(w, "
    "κ(w)) is {corrected}, and the supremum in ψ* for it {truth}.",
    cause="misprint",
    reason="stars put on both arguments; the sentence before says that this gap is 0",
)
def infinite_gap():
    lam = 0.5

    def gap(w):
        kappa = w - 1.0
        if abs(kappa) > lam:
            return math.inf
        return kappa**2 / 2 + lam * abs(w) + kappa**2 / 2 + kappa

    # By hand: the optimum shrinks the target 1 by lam.
    return gap(1.0 - lam), gap(0.0), along_ray(lambda t: 1.0 / lam * t - abs(t))


@SHEET.wrong(
    "Before A.0.1, the regularizer with an intercept",
    printed=r"\text{a regularization function } \psi \text{ that does regularize the last entry of } w",
    corrected=r"\text{a regularization function } \psi \text{ that does not regularize the last entry of } "
    r"w",
    says="For the square loss with targets 1 and 3, an intercept only and λ = 1, ψ = ½w² on the last entry "
    "gives the optimum {printed} and ψ without it {corrected}; half the variance of the targets is {truth}.",
    cause="misprint",
    reason="a word is missing; A.0.2 says that ψ does not depend on the last entry",
)
def free_intercept():
    targets = (1.0, 3.0)

    def loss(b):
        return sum((y - b) ** 2 for y in targets) / 4.0

    mean = sum(targets) / 2.0
    variance = sum(y**2 for y in targets) / 2.0 - mean**2
    return lowest(lambda b: loss(b) + b**2 / 2, -10.0, 10.0), lowest(loss, -10.0, 10.0), variance / 2.0


@SHEET.wrong(
    "A.0.1, conjugate of the logistic loss",
    printed=r"f^*(\kappa) = \sum_{i=1}^n (1 + y_i \kappa_i) \log(1 + y_i \kappa_i) - y_i \kappa_i "
    r"\log(-y_i \kappa_i), \quad y_i \kappa_i \in [-1, 0]",
    corrected=r"f^*(\kappa) = \frac{1}{n} \sum_{i=1}^n (1 + n y_i \kappa_i) \log(1 + n y_i \kappa_i) - n "
    r"y_i \kappa_i \log(-n y_i \kappa_i), \quad y_i \kappa_i \in [-\tfrac{1}{n}, 0]",
    says="For n = 2, y = (1, -1) and κ = (-0.2, 0.1) the printed conjugate is {printed}, the corrected one "
    "{corrected}; the supremum is {truth}.",
    cause="misprint",
    reason="this is the conjugate of the sum of the losses, f is their mean; the square loss is "
    "scaled rightly",
)
def logistic_conjugate():
    labels, kappa = (1.0, -1.0), (-0.2, 0.1)
    products = [y * k for y, k in zip(labels, kappa, strict=True)]
    as_printed = sum((1.0 + s) * math.log(1.0 + s) - s * math.log(-s) for s in products)
    truth = sum(
        highest(lambda z, y=y, k=k: k * z - math.log1p(math.exp(-y * z)) / 2.0, -30.0, 30.0)
        for y, k in zip(labels, kappa, strict=True)
    )
    return as_printed, _logistic_conjugate(kappa, labels), truth


@SHEET.wrong(
    "A.0.1, first remark after the conjugates",
    printed=r"\text{the choice (49) ensures that } f(\kappa) \text{ is not infinite}",
    corrected=r"\text{the choice (49) ensures that } f^*(\kappa) \text{ is not infinite}",
    says="For f(z) = max(0, 1 - z), which is finite everywhere, and κ = -2, f(κ) is {printed}, though f* is "
    "{corrected} there; the supremum of κz - f(z) on |z| ≤ 1e9 is {truth}.",
    cause="misprint",
    reason="the star is left out; four sentences later the text has f*(κ) ≠ +∞",
)
def finite_conjugate():
    kappa = -2.0

    def f(z):
        return max(0.0, 1.0 - z)

    # f* is κ on [-1, 0], the slopes of f, and infinite elsewhere.
    conjugate = kappa if -1.0 <= kappa <= 0.0 else math.inf
    reached = max(kappa * z - f(z) for z in (-1e9, 0.0, 1.0, 1e9))
    return f(kappa), conjugate, math.inf if reached > 1e8 else reached


@SHEET.wrong(
    "A.0.1, conjugate of the multi-class logistic loss: the factor",
    printed=r"f^*(K) = \sum_{i=1}^n \left[ \sum_{j \ne y_i} K_{ij} \log K_{ij} + (1 + K_{i y_i}) \log(1 + "
    r"K_{i y_i}) \right]",
    corrected=r"f^*(K) = \frac{1}{n} \sum_{i=1}^n \left[ \sum_{j \ne y_i} n K_{ij} \log (n K_{ij}) + (1 + "
    r"n K_{i y_i}) \log(1 + n K_{i y_i}) \right]",
    says="For n = r = 2, y = (1, 2) and K = [[-0.2, 0.2], [0.1, -0.1]] the printed conjugate is {printed}, "
    "the corrected one {corrected}; the supremum is {truth}.",
    cause="misprint",
    reason="as for the logistic loss, the conjugate of the sum of the losses instead of their mean",
)
def multinomial_conjugate():
    shifts = (0.2, 0.1)  # of each row, from its own class to the other
    as_printed = sum(_xlogx(k) + _xlogx(1.0 - k) for k in shifts)
    corrected = sum(_xlogx(2.0 * k) + _xlogx(1.0 - 2.0 * k) for k in shifts) / 2.0
    # Only the difference z of the two scores of a row enters where the row of K sums to zero.
    truth = sum(highest(lambda z, k=k: k * z - math.log1p(math.exp(z)) / 2.0, -30.0, 30.0) for k in shifts)
    return as_printed, corrected, truth


@SHEET.wrong(
    "A.0.1, conjugate of the multi-class logistic loss: the domain",
    printed=r"f^*(K) = +\infty \text{ if } \exists i: \{K_{ij} < 0 \text{ and } j \ne y_i\} \text{ or } "
    r"K_{i y_i} < -1",
    corrected=r"f^*(K) = +\infty \text{ if } \exists i: \sum_{j=1}^r K_{ij} \ne 0, \text{ or } \{K_{ij} < "
    r"0 \text{ and } j \ne y_i\}, \text{ or } K_{i y_i} < -\tfrac{1}{n}",
    says="For n = 1, r = 2, y = 1 and K = (-0.5, 0.2) the printed conjugate is {printed}; the supremum "
    "over the multiples of (-1, -1) alone is {truth}.",
    cause="misprint",
    reason="the loss does not change when a constant is added to a row, so every row of K must sum to 0",
)
def rows_of_the_dual():
    kappa = (-0.5, 0.2)

    def gain(t):
        return -t * sum(kappa) - math.log(2.0)  # Z = (-t, -t), where the loss is log 2

    corrected = math.inf if abs(sum(kappa)) > 1e-12 else _xlogx(kappa[1]) + _xlogx(1.0 + kappa[0])
    return _xlogx(kappa[1]) + _xlogx(1.0 + kappa[0]), corrected, along_ray(gain)


@SHEET.wrong(
    "A.0.2, the constraint of the intercept (three places)",
    printed=r"\sum_{i=1}^{p+1} \kappa_i = 0",
    corrected=r"\sum_{i=1}^{n} \kappa_i = 0",
    says="For n = 3, p = 1 and κ = (1, -1, 5) the printed sum is {printed}, the sum over the samples "
    "{corrected}; the last entry of Xκ, the slope of κᵀXᵀw in the intercept, is {truth}.",
    cause="misprint",
    reason="p + 1 is the number of features, κ has one entry a sample",
)
def sum_of_the_dual():
    kappa, features = (1.0, -1.0, 5.0), (0.3, 0.1, -0.2)

    def linear(intercept):
        return sum(k * (x + intercept) for k, x in zip(kappa, features, strict=True))

    return sum(kappa[:2]), sum(kappa), slope(linear, 0.0)


@SHEET.wrong(
    "A.0.2, the dual variable of the square loss",
    printed=r"\kappa'' = \kappa' - \frac{1}{n} \mathbf{1}_{p+1}^\top \kappa' \mathbf{1}_{p+1}",
    corrected=r"\kappa'' = \kappa' - \frac{1}{n} \mathbf{1}_n^\top \kappa' \mathbf{1}_n",
    says="For n = 3, p = 1 and κ' = (1, 2, 6), with ones in the first p + 1 places, κ'' sums to {printed}, "
    "with n ones to {corrected}; at the best intercept ∇f sums to {truth}.",
    cause="misprint",
    reason="as in the constraint, the number of features for that of samples",
)
def centred_dual():
    kappa = (1.0, 2.0, 6.0)

    def summed(ones):
        mean = sum(kappa[:ones]) / 3.0
        return sum(k - mean * (i < ones) for i, k in enumerate(kappa))

    def loss(b):
        return sum((k + b) ** 2 for k in kappa) / 2.0

    best = root(lambda b: slope(loss, b), -20.0, 20.0)
    return summed(2), summed(3), sum(k + best for k in kappa)


@SHEET.wrong(
    "A.0.2, the dual variable of the logistic loss",
    printed=r"\sum_{i=1}^n \kappa_i = 0 \text{ and } \forall i, \ \kappa_i \in [-1, 0]",
    corrected=r"\sum_{i=1}^n \kappa_i = 0 \text{ and } \forall i, \ y_i \kappa_i \in [-\tfrac{1}{n}, 0]",
    says="For x = (1, -1), y = (1, -1), ψ(w) = ½w² and λ = 0.1 the printed set holds κ = 0 alone, and the "
    "gap at the optimum is {printed}; with the corrected set it is {corrected}; g(w*) less the least value "
    "of g is {truth}.",
    cause="misprint",
    reason="yᵢ left out, and 1/n as in the conjugate",
)
def projection_of_the_logistic():
    x, labels, lam = (1.0, -1.0), (1.0, -1.0), 0.1

    def objective(w):
        return math.log1p(math.exp(-w)) + lam * w**2 / 2  # both samples have the margin w

    best = root(lambda w: lam * w - 1.0 / (1.0 + math.exp(w)), 0.0, 10.0)
    gradient = [-y / (2.0 * (1.0 + math.exp(best))) for y in labels]

    def gap(boxes):
        kappa = _projected(gradient, boxes)
        return objective(best) + _logistic_conjugate(kappa, labels) + dot(x, kappa) ** 2 / (2.0 * lam)

    right = gap([(-0.5, 0.0), (0.0, 0.5)])
    return gap([(-1.0, 0.0)] * 2), right, objective(best) - lowest(objective, -20.0, 20.0)


@SHEET.wrong(
    "A.0.2, the dual variable of the multi-class logistic loss: what is minimized",
    printed=r"K''^j = \arg\min_{\kappa \in \mathbb{R}^n} \|K'^j - \kappa'(w)\|_2^2",
    corrected=r"K''^j = \arg\min_{\kappa \in \mathbb{R}^n} \|\kappa - K'^j\|_2^2",
    says="The printed distance does not contain κ, so κ = 0 is a minimizer: for two samples x = ±1 of two "
    "classes, Tikhonov regularization and λ = 0.1 the gap at the optimum is {printed} with it and "
    "{corrected} with the projection; g(W*) less the least value of g is {truth}.",
    cause="misprint",
    reason="κ'(w) for κ",
)
def distance_of_the_multinomial():
    lam = 0.1

    def objective(a):
        return math.log1p(math.exp(-2.0 * a)) + lam * a**2  # W = (a, -a)

    best = root(lambda a: 2.0 * lam * a - 2.0 / (1.0 + math.exp(2.0 * a)), 0.0, 10.0)

    def gap(shift):
        # K = [[-moved, moved], [moved, -moved]], so X K = (-2 moved, 2 moved).
        conjugate = _xlogx(2.0 * shift) + _xlogx(1.0 - 2.0 * shift)
        return objective(best) + conjugate + 2.0 * (2.0 * shift) ** 2 / (2.0 * lam)

    gradient = 0.5 / (1.0 + math.exp(2.0 * best))
    return gap(0.0), gap(gradient), objective(best) - lowest(objective, -20.0, 20.0)


@SHEET.wrong(
    "A.0.2, the dual variable of the multi-class logistic loss: column by column",
    printed=r"\text{for every column } K^j \text{ on its own: } \sum_{i=1}^n \kappa_i = 0, \ \kappa_i \ge "
    r"0 \text{ if } j \ne y_i, \ \kappa_i \ge -1 \text{ if } y_i = j",
    corrected=r"\text{for all columns together: } \sum_{i=1}^n K_{ij} = 0, \ \sum_{j=1}^r K_{ij} = 0, \ "
    r"K_{ij} \ge 0 \text{ if } j \ne y_i, \ K_{i y_i} \ge -\tfrac{1}{n}",
    says="For n = 3, r = 2, y = (1, 1, 2) and probabilities 0.99, 0.01, 0.5 of class 1 the first row of "
    "the printed K'' sums to {printed}, so that f* is infinite; K' at the best biases has {corrected}, and "
    "the loss changes along that row's constants at the rate {truth}.",
    cause="misprint",
    reason="the row sums are missing from the domain of f*, and -1/n is written as -1",
)
def columns_of_the_multinomial():
    first, own = (0.99, 0.01, 0.5), (1.0, 1.0, 0.0)
    column = [(p - o) / 3.0 for p, o in zip(first, own, strict=True)]
    left = _projected(column, [(-1.0, 9.0), (-1.0, 9.0), (0.0, 9.0)])
    right = _projected([-k for k in column], [(0.0, 9.0), (0.0, 9.0), (-1.0, 9.0)])
    scores = [math.log(p / (1.0 - p)) for p in first]

    def at_bias(b):
        return [1.0 / (1.0 + math.exp(-z - b)) - o for z, o in zip(scores, own, strict=True)]

    best = at_bias(root(lambda b: sum(at_bias(b)), -20.0, 20.0))
    corrected = best[0] / 3.0 + (1.0 - (best[0] + 1.0)) / 3.0

    def loss(t):
        return (math.log(math.exp(scores[0] + t) + math.exp(t)) - scores[0] - t) / 3.0

    return left[0] + right[0], corrected, slope(loss, 0.0)
