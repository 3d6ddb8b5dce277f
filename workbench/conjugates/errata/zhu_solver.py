"""Zhu et al., Inverse time dependency in convex regularized learning (2009): the solver and its use."""

import math

from workbench.conjugates.errata.entry import Sheet
from workbench.conjugates.errata.search import dot, highest, lowest, norm, slope

SHEET = Sheet("Zhu et al. (2009)")

# Dual exponents, both exact in binary.
P, Q = 1.5, 3.0


def _regularizer(w):
    return norm(w, P) ** 2 / (2.0 * (P - 1.0))


def _conjugate(theta):
    """r*, Example 1."""
    return norm(theta, Q) ** 2 / (2.0 * (Q - 1.0))


def _transfer(theta):
    """Return the gradient of r*, by Corollary 3, for a vector without zeros."""
    scale = norm(theta, Q) ** (2.0 - Q) / (Q - 1.0)
    return [math.copysign(scale * abs(entry) ** (Q - 1.0), entry) for entry in theta]


def highest_on_ball(function, radius):
    """Return the supremum of a concave function over the p-norm ball's part in the positive quadrant."""

    def over_second(first):
        rest = max(radius**P - first**P, 0.0) ** (1.0 / P)
        return highest(lambda second: function((first, second)), 0.0, rest)

    return highest(over_second, 0.0, radius)


@SHEET.wrong(
    "Figure 2, line 3, and (10)",
    printed=r"w_t^{(i)} \leftarrow \frac{1}{q-1} \left( \sum_j \left| \frac{\lambda^{(j)}}{(t+1)\sigma} "
    r"\right|^q \right)^{\frac{2}{q} - 1} \left| \frac{\lambda^{(j)}}{(t+1)\sigma} \right|^{q-1} "
    r"\operatorname{sgn} \lambda^{(j)}",
    corrected=r"w_t^{(i)} \leftarrow \frac{1}{q-1} \left( \sum_j \left| \frac{\lambda^{(j)}}{(t+1)\sigma} "
    r"\right|^q \right)^{\frac{2}{q} - 1} \left| \frac{\lambda^{(i)}}{(t+1)\sigma} \right|^{q-1} "
    r"\operatorname{sgn} \lambda^{(i)}",
    says="For p = 1.5 and λ/((t+1)σ) = (1, 2), with j left at its last value, the first component is "
    "{printed}; with i it is {corrected}, and the slope of r* there is {truth}.",
    cause="misprint",
    reason="j is bound by the sum and stands outside of it, here and in (10)",
)
def component_index():
    theta = (1.0, 2.0)
    scale = norm(theta, Q) ** (2.0 - Q) / (Q - 1.0)
    truth = slope(lambda s: _conjugate((s, theta[1])), theta[0])
    return scale * theta[1] ** (Q - 1.0), _transfer(theta)[0], truth


@SHEET.wrong(
    "Figure 2, line 6",
    printed=r"w_t \leftarrow \frac{B}{\|w_t\|_q} w_t",
    corrected=r"w_t \leftarrow \frac{B}{\|w_t\|_p} w_t",
    says="For p = 1.5, B = 1 and λ/((t+1)σ) = θ = (3, 4) the objective ⟨w, θ⟩ - r(w) is {printed} at the "
    "printed point, which lies outside the ball, and {corrected} at the corrected one; its supremum over "
    "the ball is {truth}.",
    cause="misprint",
    reason="q for p, though a misread index cannot be excluded; the line's own condition has the p-norm",
)
def scaling_into_the_ball():
    theta, radius = (3.0, 4.0), 1.0
    w = _transfer(theta)

    def objective(point):
        return dot(point, theta) - _regularizer(point)

    values = [objective([entry * radius / norm(w, exponent) for entry in w]) for exponent in (Q, P)]
    return *values, highest_on_ball(objective, radius)


@SHEET.wrong(
    "Section IV, the ball for least squares",
    printed=r"r(w^*) \le F_\sigma(w^*) \le F_\sigma(0) \le (\max |y|)^2",
    corrected=r"\sigma r(w^*) \le F_\sigma(w^*) \le F_\sigma(0) \le (\max |y|)^2",
    says="For p = 2, σ = 0.001 and the one sample x = 0.1, y = 1 the least objective over the ball that "
    "the printed bound gives is {printed}, over that of the corrected bound {corrected}; without a ball it "
    "is {truth}.",
    cause="misprint",
    reason="σ left out; σ r(w) is the term of F",
)
def ball_of_least_squares():
    sigma = 0.001

    def objective(w):
        return sigma * w**2 / 2 + (0.1 * w - 1.0) ** 2

    bound = objective(0.0)
    printed, corrected = math.sqrt(2.0 * bound), math.sqrt(2.0 * bound / sigma)
    return (
        lowest(objective, -printed, printed),
        lowest(objective, -corrected, corrected),
        lowest(objective, -1e4, 1e4),
    )


@SHEET.wrong(
    "Section IV, sub-gradient of the hinge loss",
    printed=r"\lambda_t = \frac{1}{|A_t|} \sum_{(x, y) \in A_t,\, y \langle x, w_t \rangle < 1} y \cdot x",
    corrected=r"\lambda_t = \frac{1}{|A_t|} \sum_{(x, y) \in A_t,\, y \langle x, w_{t-1} \rangle < 1} -y "
    r"\cdot x",
    says="For x = 2, y = 1 and w = 0 the printed λ_t is {printed}, the corrected one {corrected}; the "
    "slope of the loss is {truth}.",
    cause="misprint",
    reason="the sign; the logistic loss has it, and line 7 of Figure 1 subtracts λ_t",
)
def sign_of_the_hinge():
    x, y = 2.0, 1.0
    return y * x, -y * x, slope(lambda w: max(0.0, 1.0 - y * w * x), 0.0)


@SHEET.wrong(
    "Section IV, the point of the three sub-gradients",
    printed=r"\lambda_t \text{ written with } w_t, \text{ and for least squares with } w \text{ and } y_i",
    corrected=r"\lambda_t \text{ written with } w_{t-1}, \text{ and for least squares with } w_{t-1} "
    r"\text{ and } y",
    says="For the logistic loss with p = 2, σ = 0.1, x = y = 1 and w₀ = 0 the printed formula at the next "
    "point w₁ gives {printed}, at w₀ {corrected}; the slope of the temporal loss at w₀ is {truth}.",
    cause="misprint",
    reason="line 6 of Figure 1 has w_(t-1), and w_t is known only after line 8",
)
def point_of_the_sub_gradient():
    sigma = 0.1

    def formula(w):
        return -math.exp(-w) / (1.0 + math.exp(-w))

    first = -formula(0.0) / (2.0 * sigma)
    return formula(first), formula(0.0), slope(lambda w: math.log1p(math.exp(-w)), 0.0)


@SHEET.wrong(
    "Section VII, Why p-norm",
    printed=r"r(w) = \sum_{i=1}^n |w_i| \log |w_i| \text{ is strongly convex}",
    corrected=r"r(w) = \sum_{i=1}^n w_i \log w_i \text{ is 1-strongly convex w.r.t. } \|\cdot\|_1 \text{ "
    r"on } w \ge 0, \ \sum_i w_i = 1",
    says="A closed convex function is its own biconjugate. At w = (0.2, 0.8) the biconjugate of the "
    "printed r is {printed}, that of the corrected one {corrected}; r(w) is {truth}.",
    cause="misprint",
    reason="the absolute values; w log w falls at 0, so its even extension has a peak there",
)
def signed_entropy():
    w = (0.2, 0.8)

    def conjugate(theta):
        # r* is even, and for theta >= 0 its supremum lies at u >= 0, where r is convex.
        return highest(lambda u: abs(theta) * u - (u * math.log(u) if u else 0.0), 0.0, 50.0)

    def conjugate_on_simplex(theta):
        # The first component is u, the second 1 - u, and theta the difference of the two slopes.
        def gain(u):
            return theta * u - u * math.log(u) - (1.0 - u) * math.log(1.0 - u)

        return highest(gain, 1e-12, 1.0 - 1e-12)

    everywhere = sum(highest(lambda s, u=u: s * u - conjugate(s), -4.0, 4.0) for u in w)
    on_simplex = highest(lambda s: s * w[0] - conjugate_on_simplex(s), -10.0, 10.0)
    return everywhere, on_simplex, sum(u * math.log(u) for u in w)


@SHEET.wrong(
    "Section VII, the biased term in the loss",
    printed=r"\log(1 + e^{-y \langle w, \phi(x) \rangle + b})",
    corrected=r"\log(1 + e^{-y (\langle w, \phi(x) \rangle + b)})",
    says="For y = 1, ⟨w, x⟩ = 1 and b = 0.5 the printed loss is {printed} and the corrected one "
    "{corrected}; the logistic loss of the prediction ⟨w, x⟩ + b is {truth}.",
    cause="misprint",
    reason="parentheses left out; as it stands b raises or lowers the loss of both classes alike",
)
def biased_loss():
    y, z, b = 1.0, 1.0, 0.5

    def conjugate(beta):
        return beta * math.log(beta) + (1.0 - beta) * math.log(1.0 - beta)

    # The loss as the supremum over its dual variable, at the prediction z + b.
    truth = highest(lambda beta: -beta * y * (z + b) - conjugate(beta), 1e-9, 1.0 - 1e-9)
    return math.log1p(math.exp(-y * z + b)), math.log1p(math.exp(-y * (z + b))), truth


@SHEET.wrong(
    "Section VII, the regularizer with a biased term",
    printed=r"\frac{1}{2(p-1)} (\|w\|_p^p + b^p)^{1/p}",
    corrected=r"\frac{1}{2(p-1)} (\|w\|_p^p + |b|^p)^{2/p}",
    says="For p = 1.5, w = (1, 2) and b = 0.5 the printed value is {printed}, the corrected one "
    "{corrected}; (3) on the vector (1, 2, 0.5) gives {truth}.",
    cause="misprint",
    reason="exponent 1/p for 2/p; a norm without its square is not strongly convex",
)
def biased_regularizer():
    w, b = (1.0, 2.0), 0.5
    powers = norm(w, P) ** P + abs(b) ** P
    factor = 1.0 / (2.0 * (P - 1.0))
    return factor * powers ** (1.0 / P), factor * powers ** (2.0 / P), _regularizer((*w, b))


@SHEET.wrong(
    "Theorem 3, end of the proof",
    printed=r"\nabla f^*(\theta) = \arg\min_{w \in S} (\|w\|_p - \|\theta\|_q)^2 = w^*",
    corrected=r"\nabla f^*(\theta) = \arg\max_{w \in S} \left( \langle w, \theta \rangle - \tfrac{1}{2} "
    r"\|w\|_p^2 \right) = w^*",
    says="For p = 2, B = 10 and θ = (3, 4) the point (5, 0) attains the printed minimum 0 and would make "
    "the first component of the gradient {printed}; w* has {corrected}, and the slope of f* is {truth}.",
    cause="misprint",
    reason="every w of that norm is a minimizer; Hölder's equality is needed as well",
)
def minimizers_of_the_proof():
    theta = (3.0, 4.0)
    other = (norm(theta, 2), 0.0)  # its norm is that of theta, so the printed minimum 0 is attained

    def conjugate(first):
        # f is rotation invariant for p = 2: the sup over the directions is the sup over the radius.
        length = norm((first, theta[1]), 2)
        return highest(lambda radius: radius * length - radius**2 / 2, 0.0, 10.0)

    return other[0], min(10.0, norm(theta, 2)) / norm(theta, 2) * theta[0], slope(conjugate, theta[0])


@SHEET.wrong(
    "Corollary 2, (27)",
    printed=r"f^*(\theta) = \frac{1}{2(q-1)} \|\theta\|_q^2 - \dots \text{ if } \|(p-1)\theta\|_q > B "
    r"\text{ (what is subtracted is missing)}",
    corrected=r"f^*(\theta) = \frac{1}{2(q-1)} \|\theta\|_q^2 - \frac{q-1}{2} (B - \|(p-1)\theta\|_q)^2 "
    r"\text{ if } \|(p-1)\theta\|_q > B",
    says="For p = 1.5, B = 1 and θ = (2, 4) what our text has gives {printed} and the whole formula "
    "{corrected}; the supremum over the ball is {truth}.",
    cause="transcription",
    reason="the end of the second case is lost and the first is repeated; (23) and (28) are whole",
)
def conjugate_on_the_ball():
    theta, radius = (2.0, 4.0), 1.0
    missing = (Q - 1.0) / 2.0 * (radius - (P - 1.0) * norm(theta, Q)) ** 2
    truth = highest_on_ball(lambda w: dot(w, theta) - _regularizer(w), radius)
    return _conjugate(theta), _conjugate(theta) - missing, truth
