"""List, Hush, Scovel and Steinwart, Gaps in support vector optimization (2007)."""

import math

from workbench.conjugates.errata.entry import Sheet
from workbench.conjugates.errata.search import (
    highest,
    highest_at,
    lowest,
    lowest_at,
    lowest_on_square,
    root,
    slope,
)

SHEET = Sheet("List et al. (2007)")


def _hinge(margin):
    return max(0.0, 1.0 - margin)


def _primal(points, labels, w, b):
    """Return the objective of (1) at the best slacks, for C = 1 and the linear kernel in one dimension."""
    return w**2 / 2 + sum(_hinge(y * (w * x + b)) for x, y in zip(points, labels, strict=True))


def _gap_sum(gradient, labels, alpha, b):
    """Return the sum in (19) at b, for C = 1."""
    parts = zip(gradient, labels, alpha, strict=True)
    return sum(a * max(0.0, g - b * y) + (1.0 - a) * max(0.0, b * y - g) for g, y, a in parts)


@SHEET.wrong(
    "Section 2, after Lemma 3",
    printed=r"c(u) \ge 0 \text{ and } \lambda \ge 0",
    corrected=r"c(u) \le 0 \text{ and } \lambda \ge 0",
    says="For φ(u) = -u²/2 + 2u, c(u) = u - 1 and λ = 1.5 the one u in U_λ is feasible; with the printed "
    "sign of c(u) the gap -λ·c(u) would be {printed}, with the other {corrected}; ψ(λ) - φ(u) is {truth}.",
    cause="misprint",
    reason="the sign is turned; the definition of the feasibility region C and Lemma 1 have ≤",
)
def sign_of_the_constraint():
    lam = 1.5

    def phi(u):
        return -(u**2) / 2 + 2.0 * u

    def lagrangian(u):
        return phi(u) - lam * (u - 1.0)

    u = root(lambda s: -slope(lagrangian, s), -10.0, 10.0)
    size = abs(u - 1.0)
    return -lam * size, -lam * -size, highest(lagrangian, -10.0, 10.0) - phi(u)


@SHEET.wrong(
    "Lemma 5 and Theorem 3",
    printed=r"\text{for every } \lambda \ge 0 \text{ the minimum in (11) is finite and attained, and } "
    r"U_\lambda \text{ has a feasible } \hat u",
    corrected=r"\text{so for quadratic programs if } \partial\psi(\lambda) \cap (\mathbb{R}^+)^m \ne "
    r"\emptyset; \text{ otherwise } \overrightarrow{G}(\lambda) = \overleftarrow{G}(\lambda) = +\infty",
    says="For φ(u) = -u²/2 + 2u, c(u) = u and λ = 1 the one element of ∂ψ(λ) would make (11) {printed}, "
    "but it is negative and not admitted, and U_λ lacks a feasible point, too: both gaps are {truth}.",
    cause="misprint",
    reason="Theorem 27.3 of Rockafellar supposes a nonempty set; Lemma 7 has the condition",
)
def empty_gap():
    lam = 1.0

    def lagrangian(u):
        return -(u**2) / 2 + 2.0 * u - lam * u

    gradient = slope(lambda s: highest(lambda u: -(u**2) / 2 + (2.0 - s) * u, -10.0, 10.0), lam)
    best = highest_at(lagrangian, -10.0, 10.0)[0]
    backward = -lam * best if best <= 0.0 else math.inf  # over U_lambda, where c(u) = u must be <= 0
    return lam * gradient, lam * gradient if gradient >= 0.0 else math.inf, backward


def _two_points():
    """Return the problem max u over {0, 1} with u <= 1/2: a duality gap of 1/2, at lambda = 1."""

    def c(u):
        return u - 0.5

    def psi(lam):
        return max(u - lam * c(u) for u in (0.0, 1.0))

    return c, psi


@SHEET.wrong(
    "Section 2.2, the bound on the duality gap",
    printed=r"\psi^* - \varphi^* \le \overrightarrow{G}(\lambda)",
    corrected=r"\psi^* - \varphi^* \le \overleftarrow{G}(\lambda)",
    says="For φ(u) = u on U = {{0, 1}} with c(u) = u - ½ and λ = 1 the forward gap is {printed} and the "
    "backward gap {corrected}; ψ* - φ* is {truth}.",
    cause="transcription",
    reason="the sentence speaks of the backward gap, and arrows are misread in Section 3.2 too",
)
def arrow():
    c, psi = _two_points()
    lam = 1.0
    # The subdifferential of psi at 1 is spanned by its one-sided slopes -1/2 and 1/2.
    ends = [(psi(lam + step) - psi(lam)) / step for step in (-0.125, 0.125)]
    forward = lowest(lambda mu: mu * lam, max(ends[0], 0.0), ends[1])
    backward = min(-lam * c(u) for u in (0.0, 1.0) if c(u) <= 0.0 and u - lam * c(u) == psi(lam))
    gap = lowest(psi, 0.0, 10.0) - max(u for u in (0.0, 1.0) if c(u) <= 0.0)
    return forward, backward, gap


@SHEET.wrong(
    "Theorem 2",
    printed=r"\text{there exist } s \le m + 1 \text{ feasible primal points } u_1, \dots, u_s \in U_\lambda",
    corrected=r"\text{there exist } s \le m + 1 \text{ points } u_1, \dots, u_s \in U_\lambda, \text{ "
    r"feasible or not}",
    says="For φ(u) = u on U = {{0, 1}} with c(u) = u - ½ and λ = 1, |λ Σ α_r c(u_r)| can be brought down "
    "to {printed} with the feasible u = 0 and to {corrected} with all of U_λ; λ is optimal, ψ(λ) - ψ* "
    "being {truth}.",
    cause="misprint",
    reason="feasibility of each point would make the condition Σ α_r c(u_r) ≤ 0 superfluous",
)
def points_of_the_filling():
    c, psi = _two_points()
    lam = 1.0
    feasible = min(abs(lam * c(u)) for u in (0.0, 1.0) if c(u) <= 0.0)
    every = lowest(lambda share: abs(lam * ((1.0 - share) * c(0.0) + share * c(1.0))), 0.0, 1.0)
    return feasible, every, psi(lam) - lowest(psi, 0.0, 10.0)


@SHEET.wrong(
    "Section 3.1, before (17)",
    printed=r"\sigma(\lambda) := \sup\{ \partial\psi(\lambda) \cdot (\lambda - \lambda) \mid \lambda \in "
    r"\operatorname{dom} \psi, \lambda \ge 0 \}",
    corrected=r"\sigma(\lambda) := \sup\{ \partial\psi(\lambda) \cdot (\lambda - \mu) \mid \mu \in "
    r"\operatorname{dom} \psi, \mu \ge 0 \}",
    says="For φ(u) = -u²/2 + 2u, c(u) = u - 1 and λ = 1.5 the supremum as transcribed is {printed}, with μ "
    "it is {corrected}; the gap ψ(λ) - φ(u) that it equals by Lemma 7 is {truth}.",
    cause="transcription",
    reason="an accent on the second λ is lost; (17) has μ",
)
def sigma_gap():
    lam = 1.5

    def phi(u):
        return -(u**2) / 2 + 2.0 * u

    def psi(multiplier):
        return highest(lambda u: phi(u) - multiplier * (u - 1.0), -20.0, 20.0)

    gradient = slope(psi, lam)
    gap = psi(lam) - phi(root(lambda u: -slope(phi, u) + lam, -10.0, 10.0))
    return gradient * (lam - lam), highest(lambda mu: gradient * (lam - mu), 0.0, 10.0), gap


@SHEET.wrong(
    "Lemma 7, in the proof",
    printed=r"P : \mathbb{R}^m \to A \ker Q \text{ the orthogonal projection onto } A \ker Q",
    corrected=r"P : \mathbb{R}^m \to (A \ker Q)^\perp \text{ the orthogonal projection onto } (A \ker "
    r"Q)^\perp",
    says="With Q = diag(1, 0), A = [[1, 1], [0, -1]], w = (3, 1), d = (2, 1) and λ = (2, 1) the second "
    "line of the proof gives {printed} with the printed P and {corrected} with the other; the least ψ(λ) - "
    "φ(u) over the feasible u in U_λ is {truth}.",
    cause="misprint",
    reason="Pη = 0 and λ - μ = Pν both ask for the complement",
)
def projection():
    # A ker Q is spanned by (1, -1); P eta = 0 leaves its complement, or with the right P, itself. By hand
    # A*lambda = (2, 1), so grad psi(lambda) = A Q^-1 (A*lambda - w) + d = (1, 1).
    complement = highest(lambda t: 2.0 * t + t, -50.0, 1.0)  # eta = t (1, 1) <= (1, 1)
    itself = highest(lambda t: 2.0 * t - t, -1.0, 1.0)  # eta = t (1, -1) <= (1, 1)

    # Directly: U_lambda is u1 = 1 with any u2, feasible for u2 in [-1, 1]; the term in u2 drops out of the
    # Lagrangian, and lambda . d = 5.
    psi = highest(lambda u1: -(u1**2) / 2 + 3.0 * u1 - 2.0 * u1 + 5.0, -10.0, 10.0)
    direct = psi - highest(lambda u2: -0.5 + 3.0 + u2, -1.0, 1.0)
    return 3.0 - complement, 3.0 - itself, direct


@SHEET.wrong(
    "Corollary 2",
    printed=r"\hat u := w - A^* \lambda + \hat z",
    corrected=r"\hat u := Q^{-1} (w - A^* \lambda) + \hat z",
    says="For φ(u) = -u² + 2u (Q = 2, w = 2), c(u) = u - 0.75 and λ = 1 the Lagrangian is {printed} at the "
    "printed û and {corrected} at the corrected one; a point of U_λ must reach ψ(λ) = {truth}.",
    cause="misprint",
    reason="Q⁻¹ is left out, which goes unnoticed where Q is a projection, as for the SVM",
)
def certified_point():
    def lagrangian(u):
        return -(u**2) + 2.0 * u - 1.0 * (u - 0.75)

    return lagrangian(2.0 - 1.0), lagrangian((2.0 - 1.0) / 2.0), highest(lagrangian, -10.0, 10.0)


@SHEET.wrong(
    "Section 3.2, ∇ψ(λ), first row",
    printed=r"\sum_{i=1}^\ell \alpha_i y_i y_i k(x_i, x_1) - 1",
    corrected=r"\sum_{i=1}^\ell \alpha_i y_1 y_i k(x_i, x_1) - 1",
    says="With x = (1, 2), y = (-1, +1), the linear kernel and α = (½, ½) the row as transcribed is "
    "{printed}, the corrected one {corrected}; the derivative of W is {truth}.",
    cause="transcription",
    reason="an index 1 read as i; the middle and the last row are right",
)
def first_row():
    x, y, alpha = (1.0, 2.0), (-1.0, 1.0), (0.5, 0.5)

    def dual(first):
        f = y[0] * first * x[0] + y[1] * alpha[1] * x[1]
        return f**2 / 2 - first - alpha[1]

    as_printed = sum(alpha[i] * y[i] * y[i] * x[i] * x[0] for i in range(2)) - 1.0
    corrected = sum(alpha[i] * y[0] * y[i] * x[i] * x[0] for i in range(2)) - 1.0
    return as_printed, corrected, slope(dual, alpha[0])


@SHEET.wrong(
    "(19) and Corollary 3, the sign of the bias",
    printed=r"(\hat f, \hat b, \hat\xi) \text{ with } \hat b \text{ optimal in (19)}, \ \hat\xi_i = [\hat "
    r"b y_i - \nabla W(\alpha)_i]^+",
    corrected=r"(\hat f, -\hat b, \hat\xi) \text{ with } \hat b \text{ optimal in (19)}, \ \hat\xi_i = "
    r"[\hat b y_i - \nabla W(\alpha)_i]^+",
    says="With x = (0, 2), y = (-1, +1), C = 1 and the optimal α = (½, ½) the minimizer of (19), the "
    "printed bias, is {printed} and its negative {corrected}; the bias that minimizes (1) is {truth}.",
    cause="misprint",
    reason="b changes its sign on the way to (19), as the infimum over -b says, and is not changed back",
)
def bias_of_corollary_3():
    x, y, alpha = (0.0, 2.0), (-1.0, 1.0), (0.5, 0.5)
    w = sum(a * label * point for a, label, point in zip(alpha, y, x, strict=True))
    gradient = [label * w * point - 1.0 for label, point in zip(y, x, strict=True)]
    b_hat = lowest_at(lambda b: _gap_sum(gradient, y, alpha, b), -10.0, 10.0)
    truth = lowest_at(lambda b: lowest(lambda u: _primal(x, y, u, b), -10.0, 10.0), -10.0, 10.0)
    return b_hat, -b_hat, truth


@SHEET.wrong(
    "Lemma 8, the primal solution",
    printed=r"\hat f := \sum_{i=1}^\ell \hat\alpha_i \Phi(x_i)",
    corrected=r"\hat f := \sum_{i=1}^\ell y_i \hat\alpha_i \Phi(x_i)",
    says="With x = (-1, 1), y = (-1, +1), C = 1 and the optimal α = (½, ½), where ε = 0, the objective of "
    "(1) is {printed} at the printed f and {corrected} at the corrected one; the optimum is {truth}.",
    cause="misprint",
    reason="y is left out; Corollary 3 has it",
)
def function_of_lemma_8():
    x, y, alpha = (-1.0, 1.0), (-1.0, 1.0), (0.5, 0.5)
    without = sum(a * point for a, point in zip(alpha, x, strict=True))
    with_labels = sum(a * label * point for a, label, point in zip(alpha, y, x, strict=True))
    truth = lowest_on_square(lambda w, b: _primal(x, y, w, b), -10.0, 10.0)
    return _primal(x, y, without, 0.0), _primal(x, y, with_labels, 0.0), truth


@SHEET.wrong(
    "Lemma 8, the sign of the bias",
    printed=r"(\hat f, b, \xi(b)) \text{ for any } b \in [\hat b, \hat t]",
    corrected=r"(\hat f, -b, \xi(b)) \text{ for any } b \in [\hat b, \hat t]",
    says="With x = (0, 2), y = (-1, +1), C = 1 and the optimal α = (½, ½), where ε = 0, the objective of "
    "(1) at f and the one bias b in the interval is {printed}, at bias -b {corrected}; the optimum is "
    "{truth}.",
    cause="misprint",
    reason="the sign of (19), as in Corollary 3",
)
def bias_of_lemma_8():
    x, y, alpha = (0.0, 2.0), (-1.0, 1.0), (0.5, 0.5)
    w = sum(a * label * point for a, label, point in zip(alpha, y, x, strict=True))
    # Both samples are in the top and in the bottom set, and y times the gradient is 1 for both.
    values = [label * (label * w * point - 1.0) for label, point in zip(y, x, strict=True)]
    b = (max(values) + min(values)) / 2
    truth = lowest_on_square(lambda s, t: _primal(x, y, s, t), -10.0, 10.0)
    return _primal(x, y, w, b), _primal(x, y, w, -b), truth
