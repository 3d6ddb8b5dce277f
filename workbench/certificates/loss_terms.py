"""The samples' side of a certificate: dual points, their repairs and Fenchel-Young terms.

Two kinds of loss answer the same questions: those of one prediction a sample, a univariate convex
function each, and the multinomial one of r predictions. `of(problem)` gives the right one.
"""

import numpy as np

from workbench.certificates import bias
from workbench.compiled import term_loops
from workbench.compiled.fenchel_young import ROUNDING_UNITS, Bracket
from workbench.losses import multinomial


def of(problem):
    """What answers for the problem's loss."""
    return Classes(problem) if problem.loss.kind == "classes" else Univariate(problem)


class Univariate:
    """Sample i has f(z) = c_i p(s_i z + t_i) with one univariate p."""

    def __init__(self, problem):
        self.problem = problem

    def best_bias(self, z, start=None):
        """The unregularized bias that minimizes the primal for these predictions."""
        return bias.best(self.problem, z, 0.0 if start is None else float(start))

    def alpha_at(self, z, b):
        """The dual point of map (10) at z + b; at the best b it sums to zero."""
        problem = self.problem
        if problem.free_bias and problem.loss.is_straight:
            return problem.alpha(bias.subgradients_at(problem, z, b))
        return problem.alpha(self.slopes(z + b))

    def slopes(self, z):
        """nu_i = p'(u_i), kept within the domain of the conjugate."""
        problem, loss = self.problem, self.problem.loss
        nu = np.empty(problem.n_samples)
        lower, upper = loss.entry["lower"], loss.entry["upper"]
        term_loops.slopes()(loss.scalar("slope"), problem.argument(z), loss.theta, lower, upper, nu)
        return nu

    def feasible(self, alpha):
        """The nearest dual point where every k(-alpha_i) is finite, and what was moved."""
        nu = self.problem.nu(alpha)
        lower, upper = self.problem.loss.entry["lower"], self.problem.loss.entry["upper"]
        inside = np.clip(nu, lower, upper)
        moved = int(np.count_nonzero(inside != nu))
        if not moved:
            return alpha, ()
        farthest = float(np.abs(inside - nu).max())
        text = f"{moved} of {nu.size} dual variables moved into the domain of the conjugate"
        return self.problem.alpha(inside), (f"{text}, by at most {farthest:.3g}",)

    def balance(self, alpha):
        """The nearest dual point with sum zero, as an unregularized bias needs, and what was moved."""
        return bias.balance(self.problem, alpha)

    def bracket(self, z, alpha, b=0.0):
        """The Fenchel-Young terms of all samples and the sum of k(-alpha_i) + alpha_i b.

        Where alpha is balanced, b adds nothing but for rounding: with it, that of large targets cancels, and
        a sum of alpha that is tiny but not zero counts as it does in the terms at z, which holds b.
        """
        problem, loss = self.problem, self.problem.loss
        parts = np.empty((3, problem.n_samples))
        nu = problem.nu(alpha)
        units = term_loops.sample_terms()(
            loss.scalar("value"), loss.scalar("conjugate"), problem.argument(z), nu, problem.weight,
            problem.shift + problem.sign * b, loss.theta, parts,
        )  # fmt: skip
        if units > ROUNDING_UNITS:
            units = loss.rounding(problem.argument(z), nu)
        return Bracket.checked(parts[0], parts[1].sum(), units), float(parts[2].sum())

    def loss(self, z):
        """The sum of the losses at predictions z."""
        problem, loss = self.problem, self.problem.loss
        total = term_loops.value_sum()
        return total(loss.scalar("value"), problem.argument(z), problem.weight, loss.theta)

    def conjugate(self, alpha):
        """The sum of k(-alpha_i)."""
        problem, loss = self.problem, self.problem.loss
        conjugates = term_loops.conjugate_sum()
        return conjugates(
            loss.scalar("conjugate"), problem.nu(alpha), problem.weight, problem.shift, loss.theta
        )

    def room(self, alpha):
        """The largest s for which s alpha stays in the domain of the conjugate."""
        nu = self.problem.nu(alpha)
        entry = self.problem.loss.entry
        rooms = [np.inf]
        for end, side in ((entry["lower"], nu < 0.0), (entry["upper"], nu > 0.0)):
            if np.isfinite(end) and side.any():
                rooms.append(float(end / (nu[side].min() if end < 0.0 else nu[side].max())))
        return min(rooms)

    def violation(self, z, alpha):
        """The largest distance of a nu_i from the proximal point of nu_i + u_i: zero where (10) holds."""
        problem, loss = self.problem, self.problem.loss
        lower, upper = loss.entry["lower"], loss.entry["upper"]
        return term_loops.violation()(
            loss.scalar("coordinate"), problem.argument(z), problem.nu(alpha), loss.theta, lower, upper
        )


class Classes:
    """The multinomial logistic loss: z and alpha are (n, r)."""

    def __init__(self, problem):
        self.problem = problem
        self.data = problem.labels, problem.weight

    def best_bias(self, z, start=None):
        return multinomial.best_bias(z, *self.data, start)

    def alpha_at(self, z, b):
        return multinomial.alpha_at(z + b, *self.data)

    def feasible(self, alpha):
        return multinomial.feasible(alpha, *self.data)

    def balance(self, alpha):
        if np.abs(alpha.sum(axis=0)).max() <= bias.BALANCED * np.abs(alpha).sum():
            return alpha, ()
        return multinomial.balance(alpha, *self.data)

    def bracket(self, z, alpha, b=0.0):
        labels, weight = self.data
        p = multinomial.probabilities(alpha, labels, weight)
        terms = weight * multinomial.young(z, np.maximum(p, 0.0))
        conjugate = self.conjugate(alpha) + float(np.sum(alpha * b))
        return Bracket(terms, float(weight @ multinomial.values(z, labels))), conjugate

    def loss(self, z):
        labels, weight = self.data
        return float(weight @ multinomial.values(z, labels))

    def conjugate(self, alpha):
        labels, weight = self.data
        p = np.maximum(multinomial.probabilities(alpha, labels, weight), 0.0)
        return float(weight @ multinomial.entropies(p))

    def room(self, alpha):
        labels, weight = self.data
        own = alpha[np.arange(labels.shape[0]), labels] / weight
        return float(1.0 / own.max()) if own.max() > 0.0 else np.inf

    def violation(self, z, alpha):
        labels, weight = self.data
        wanted = multinomial.alpha_at(z, labels, weight)
        return float((np.abs(alpha - wanted) / weight[:, None]).max())

