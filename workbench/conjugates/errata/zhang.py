"""Zhang, On the dual formulation of regularized linear systems with convex risks (2002)."""

import math

from workbench.conjugates.errata.entry import Sheet
from workbench.conjugates.errata.search import dot, highest_on_square, lowest, norm, root, slope

SHEET = Sheet("Zhang (2002)")


@SHEET.wrong(
    "Sections 3.2 and 7, Appendix B: strong duality",
    printed=r"\inf_w \sup_\alpha R(w, \alpha) = \sup_\alpha \inf_w R(w, \alpha) \text{ whenever (2) has a "
    r"solution}",
    corrected=r"\text{the same, if some } w \in \operatorname{ri} \operatorname{dom} g \text{ has } w^T "
    r"x_i \in \operatorname{ri} \operatorname{dom} f(\cdot, y_i) \text{ for all } i; \text{ without it "
    r"only } \ge",
    says="With n = λ = 1, x = (1, 0), f(a) = 0 at a = 0 and +∞ elsewhere, and g(w) = exp(-√(w₁w₂)) on w ≥ "
    "0, the primal optimum is {printed} and so should the dual one be; it is {truth}.",
    cause="misprint",
    reason="the theorems that the proof cites (Rockafellar 23.8 and 23.9) ask for it; a loss that is "
    "finite everywhere always passes",
)
def strong_duality():
    def g(w1, w2):
        return math.exp(-math.sqrt(w1 * w2))

    primal = min(g(0.0, 10.0**power) for power in range(-3, 7))  # f leaves w1 = 0 alone
    small = [10.0**power for power in range(-12, 10)]
    large = [10.0**power for power in range(19)]
    slopes = (-1.0, -0.5, 0.0, 0.5, 1.0)
    dual = max(min(g(w1, w2) - alpha * w1 for w1 in small for w2 in large) for alpha in slopes)
    # By hand: k = 0, and h(alpha, 0) is 0 for alpha <= 0 (w1 -> 0 with w1 w2 -> oo) and +oo above.
    return primal, 0.0, dual


@SHEET.wrong(
    "Section 5.1, before (15)",
    printed=r"v^T x = \sum_{i=1}^n \frac{1}{\lambda n} \alpha_i x_i^T K^{-1} x",
    corrected=r"w^T x = \sum_{i=1}^n \frac{1}{\lambda n} \alpha_i x_i^T K^{-1} x",
    says="With K = [[2, 1], [1, 3]], x₁ = (1, 0), x₂ = (0, 1), α = (1, -2), λn = 1 and x = (1, 2) the sum "
    "is {truth}; vᵀx is {printed} and wᵀx is {corrected}.",
    cause="misprint",
    reason="a wrong letter, harmless for K = I; c₂ in (14) and (15) is right",
)
def kernel_expansion():
    # The inverse of K, by hand: [[3, -1], [-1, 2]] / 5.
    x, alpha, inverse = (1.0, 2.0), (1.0, -2.0), ((0.6, -0.2), (-0.2, 0.4))
    v = alpha  # the rows are the unit vectors and lam n = 1
    # w = grad h(v), and h(v) is the sup of w.v - g(w); its slope is taken by differences.

    def h(v1, v2):
        return highest_on_square(
            lambda w1, w2: w1 * v1 + w2 * v2 - (w1 * w1 + w1 * w2 + 1.5 * w2 * w2), -5.0, 5.0
        )

    w = (slope(lambda s: h(s, v[1]), v[0]), slope(lambda s: h(v[0], s), v[1]))
    total = sum(alpha[i] * dot(inverse[i], x) for i in range(2))
    return dot(v, x), dot(w, x), total


@SHEET.wrong(
    "Section 5.2, Regression, on the robustness of p = 1",
    printed=r"\alpha_i \in [0, 1]",
    corrected=r"\alpha_i \in [-1, 1]",
    says="With one sample x = 1, y = -2, ε = 0.1 and λ = 1 the best dual value over [0, 1] is {printed}, "
    "over [-1, 1] {corrected}; the primal optimum is {truth}.",
    cause="misprint",
    reason="carried over from the classification losses; (20) has the right interval",
)
def robust_regression():
    def dual(alpha):
        return 0.1 * abs(alpha) + 2.0 * alpha + alpha**2 / 2

    primal = lowest(lambda w: max(abs(w + 2.0) - 0.1, 0.0) + w**2 / 2, -10.0, 10.0)
    return -lowest(dual, 0.0, 1.0), -lowest(dual, -1.0, 1.0), primal


@SHEET.wrong(
    "Section 5.2, Binary classification, before (25)",
    printed=r"\text{compare (22) and (23) to the update rules (20) and (20) for regression with } \epsilon "
    r"= 0",
    corrected=r"\text{compare (22) and (23) to the update rules (19) and (20) for regression with } "
    r"\epsilon = 0",
    says="For p = 2, ε = 0, α = 0.5, y = 1, wᵀx = 0.2 and η = 1, rule (20) moves by {printed} and (19) by "
    "{corrected}; the negative slope of (*) for the squared hinge, which (22) follows, is {truth}.",
    cause="misprint",
    reason="a wrong number in the reference",
)
def matching_rules():
    alpha, y, z = 0.5, 1.0, 0.2

    def objective(step):
        return (alpha + step) ** 2 / 2 - (alpha + step) * y + (z + step) ** 2 / 2  # lam n = x = 1, v = 0.2

    # The slope of the regularizer's part at 0 is w x = 0.2.
    return -(z - y), -(alpha + z - y), -slope(objective, 0.0)


@SHEET.wrong(
    "Section 5.2, Un-regularized bias term, after (31)",
    printed=r"\text{the extra bias given by } \sum_{i=1}^n \alpha_i",
    corrected=r"\text{the extra bias given by } \frac{1}{\mu} \sum_{i=1}^n \alpha_i",
    says="With x = (0, 2, 3), y = (-1, +1, +1), hinge loss, λ = 0.05, μ = 10 and s = 0, at the minimizer "
    "of (27) the sum is {printed}, divided by μ {corrected}; the bias that puts the sample with 0 < αy < 1 "
    "on its margin is {truth}.",
    cause="misprint",
    reason="1/μ left out; (29) and (31) have it, and in the experiments μ is 1",
)
def extra_bias():
    x, y, lam, mu = (0.0, 2.0, 3.0), (-1.0, 1.0, 1.0), 0.05, 10.0
    alpha = [0.0, 0.0, 0.0]
    weight = 1.0 / (lam * len(x))
    for sweep in range(3000):
        i = sweep % len(x)
        # (30) with s = 0, K = I
        pull = weight * dot(alpha, x) * x[i] + sum(alpha) / mu - y[i]
        step = pull / (weight * x[i] ** 2 + 1.0 / mu)
        alpha[i] = y[i] * max(min(alpha[i] * y[i] - step * y[i], 1.0), 0.0)
    free = next(i for i in range(len(x)) if 0.0 < alpha[i] * y[i] < 1.0)
    return sum(alpha), sum(alpha) / mu, y[free] - weight * dot(alpha, x) * x[free]


@SHEET.wrong(
    "Section 6.2, Convergence curve",
    printed=r"\text{the constraint } \alpha_i \in [0, 1] \text{ for each } \alpha_i",
    corrected=r"\text{the constraint } \alpha_i y_i \in [0, 1] \text{ for each } \alpha_i",
    says="With one sample x = 2, y = -1, hinge loss and λ = 1 the best dual value over α in [0, 1] is "
    "{printed}, over αy in [0, 1] {corrected}; the primal optimum is {truth}.",
    cause="misprint",
    reason="true of α times y only; (23) has it right",
)
def box_of_the_hinge():
    def dual(alpha):
        return alpha + (2.0 * alpha) ** 2 / 2

    primal = lowest(lambda w: max(0.0, 1.0 + 2.0 * w) + w**2 / 2, -10.0, 10.0)
    return -lowest(dual, 0.0, 1.0), -lowest(dual, -1.0, 0.0), primal


@SHEET.wrong(
    "Section 6.3, the feasibility condition",
    printed=r"\left| \sum_{i=1}^n \frac{\alpha_i}{\lambda_i} \right|",
    corrected=r"\left| \sum_{i=1}^n \frac{\alpha_i}{\lambda n} \right|",
    says="There is one λ only. With α = (1, -0.5, 0.75) and λ = 0.1, reading every λᵢ as λ gives "
    "{printed}; the component v_b that must vanish is {truth}.",
    cause="transcription",
    reason="λn in a small denominator read as λ with an index",
)
def feasibility():
    alpha, lam = (1.0, -0.5, 0.75), 0.1
    # v_b = -(1/lam) dR/db, from the saddle function with w.x + b in place of w.x.
    from_saddle = -slope(lambda b: -sum(a * b for a in alpha) / len(alpha), 0.0) / lam
    return sum(a / lam for a in alpha), sum(a / (lam * len(alpha)) for a in alpha), from_saddle


@SHEET.wrong(
    "Appendix D, after Algorithm 2",
    printed=r"(C(v_{new} - b))^2 = (C(v_{old} - b))^2 + 2 \Delta s^T C \Delta v + O(\Delta v^2)",
    corrected=r"(C v_{new} - b)^2 = (C v_{old} - b)^2 + 2 \Delta s^T C \Delta v + O(\Delta v^2)",
    says="With C = [[1, 2], [0, 1]], b = (1, 1), v = (1, 2), in the direction (1, -1), the square as "
    "printed changes at the rate {printed}; 2ΔsᵀCΔv is {corrected}, and ‖Cv - b‖² changes at the rate "
    "{truth}.",
    cause="misprint",
    reason="the parentheses stand wrong on both sides, and C is in general not square",
)
def change_of_the_constraint():
    b, v, way = (1.0, 1.0), (1.0, 2.0), (1.0, -1.0)

    def times(u):
        return (u[0] + 2.0 * u[1], u[1])

    def perturbed(t):
        return [entry + t * part for entry, part in zip(v, way, strict=True)]

    def minus_b(u):
        return [entry - part for entry, part in zip(u, b, strict=True)]

    as_printed = slope(lambda t: norm(times(minus_b(perturbed(t))), 2) ** 2, 0.0)
    truth = slope(lambda t: norm(minus_b(times(perturbed(t))), 2) ** 2, 0.0)
    return as_printed, 2.0 * dot(minus_b(times(v)), times(way)), truth


@SHEET.wrong(
    "Section 4, on the experiments, and the summary of Section 7 (two places)",
    printed=r"\text{experiments in Section 5}; \quad \text{In Section 5, we examine various aspects}",
    corrected=r"\text{experiments in Section 6}; \quad \text{In Section 6, we examine various aspects}",
    says="The text sends to Section {printed} for the experiments, the correction to Section {corrected}; "
    "among the sections as the introduction lists them, they are number {truth}.",
    cause="misprint",
    reason="Section 5 has the examples, and the sentence before the second place speaks of these",
)
def section_of_the_experiments():
    sections = ("introduction", "model", "dual", "relaxation", "examples", "experiments", "summary")
    return 5.0, 6.0, 1.0 + sections.index("experiments")


@SHEET.wrong(
    "Appendix C, the first assumption",
    printed=r"\bar{h} = h \text{ in } D_p",
    corrected=r"\bar{h} = h \text{ in } D_h",
    says="For p(u) = max(0, u), so that D_p is the line, and h(v) = ½v² on |v| ≤ 1, no differentiable one "
    "equals h on D_p, where h(2) is {printed}; on D_h, ½v² does, with the slope {corrected} at its end 1, "
    "and from within the slope of h there is {truth}.",
    cause="misprint",
    reason="p is the loss; the sentences before and after speak of D_h",
)
def domain_of_the_extension():
    def h(v):
        return v**2 / 2 if abs(v) <= 1.0 else math.inf

    step = 1e-6
    return h(2.0), 1.0, (3.0 * h(1.0) - 4.0 * h(1.0 - step) + h(1.0 - 2.0 * step)) / (2.0 * step)


@SHEET.wrong(
    "Appendix D, on the step μ = μ/4 of Algorithm 2",
    printed=r"\text{with exact inner solutions the step } \mu = \mu/4 \text{ is executed finitely often}",
    corrected=r"\text{not in general: for } p > 2 \text{ in (18) it can be executed infinitely often}",
    says="For n = 1, no features, a free bias and (18) with p = 4, ε = 0.1 and y = 0.9, a step with μ = 1 "
    "kept leaves after 200 steps {truth} of the violation ({corrected} by Cardano's formula for that "
    "step), and any other μ comes to the same; for μ to rest it must leave {printed} at most.",
    cause="misprint",
    reason="true where the optimum grows quadratically in the bias, as for p at most 2",
)
def reductions_of_the_penalty():
    mu, y, epsilon, s = 1.0, 0.9, 0.1, 0.0
    closed = y - epsilon  # t = alpha^(1/3) solves t + t^3/mu = y - epsilon - s, and t is the next right side
    violations, roots = [], []
    for _ in range(201):
        # Stationarity of (27) in alpha > 0, for k(-alpha) = epsilon alpha + 3/4 alpha^(4/3) - y alpha.
        alpha = root(lambda a, s=s: epsilon + a ** (1 / 3) - y + s + a / mu, 0.0, 1.0)
        violations.append(alpha)
        s += alpha / mu
        half, spread = mu * closed / 2, math.sqrt((mu * closed / 2) ** 2 + mu**3 / 27)
        closed = (spread + half) ** (1 / 3) - (spread - half) ** (1 / 3)
        roots.append(closed)
    return 0.5, (roots[-1] / roots[-2]) ** 3, violations[-1] / violations[-2]


@SHEET.wrong(
    "Appendix E, the closing rule",
    printed=r"\tilde p(u) = a p(S^T u + b): \quad "
    r"\tilde q(v) = a q\left(\tfrac{1}{a} S^{-T} v\right) - b^T S^{-T} v",
    corrected=r"\tilde p(u) = a p(S^T u + b), \ a > 0: \quad "
    r"\tilde q(v) = a q\left(\tfrac{1}{a} S^{-1} v\right) - b^T S^{-1} v",
    says="With p(u) = ½‖u‖², a = 2, S = [[2, 1], [0, 1]], b = (1, -1) and v = (1, 2) the printed rule "
    "gives {printed}, the corrected one {corrected}; the supremum is {truth}.",
    cause="misprint",
    reason="the transpose stands twice in the result, where u = S⁻ᵀ(w - b) turns it into S⁻¹",
)
def affine_rule():
    a, b, v = 2.0, (1.0, -1.0), (1.0, 2.0)

    def rule(solved):
        return a * norm([entry / a for entry in solved], 2) ** 2 / 2 - dot(b, solved)

    def gain(s, t):
        return s * v[0] + t * v[1] - a * norm((2.0 * s + b[0], s + t + b[1]), 2) ** 2 / 2

    # By hand: S^T z = v gives z = (1/2, 3/2), and S z = v gives z = (-1/2, 2).
    return rule((0.5, 1.5)), rule((-0.5, 2.0)), highest_on_square(gain, -20.0, 20.0)
