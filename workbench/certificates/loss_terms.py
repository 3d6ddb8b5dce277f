"""The samples' side of a certificate: dual points, their repairs and Fenchel-Young terms.

Three kinds of loss answer the same questions: those of one prediction a sample, a univariate convex
function each; a sum of these over the columns of y; and those of r classes. `loss_side(problem)` gives the
right one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from workbench.certificates import bias
from workbench.kernels import sample_loops
from workbench.kernels.fenchel_young import BALANCED, ROUNDING_UNITS, Bracket
from workbench.kernels.sample_loops import each_piece
from workbench.problems.losses import simplex

if TYPE_CHECKING:
    from workbench._support.annotations import Bias, Floats, Integers, Repairs
    from workbench.problems.problem import Problem


# A loss's argument meets an end of its domain but for this share of the prediction and the target.
ON_THE_END = 2.0**-50


def loss_side(problem: Problem) -> Side:
    """Return the samples' side of a problem."""
    loss = problem.loss
    if problem.tasks:
        return Columns(problem)
    return Classes(problem, loss) if isinstance(loss, simplex.SimplexLoss) else Univariate(problem)


class Univariate:
    """Sample i has f(z) = c_i p(s_i z + t_i) with one univariate p."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem

    def best_bias(self, z: Floats, start: Bias | None = None) -> float:
        """Compute the unregularized bias that minimizes the primal for predictions z (n,)."""
        return bias.best(self.problem, z, 0.0 if start is None else float(start))

    def alpha_at(self, z: Floats, b: Bias) -> Floats:
        """Compute the dual point (n,) of map (10) at predictions z + b; at the best b it sums to zero."""
        problem = self.problem
        if problem.free_bias and problem.loss.is_straight and not problem.jumps:
            return bias.subgradients_at(problem, z, float(b))
        alpha, z = np.empty(problem.n_samples), _floats(z)
        slope, kernel, samples = problem.loss.scalar("slope"), sample_loops.dual_points(), problem.samples
        each_piece(z.shape[0], lambda *piece: kernel(slope, samples, z, float(b), *piece, alpha))
        return alpha

    def feasible(self, alpha: Floats) -> tuple[Floats, Repairs]:
        """Move alpha to the nearest dual point where every k(-alpha_i) is finite, and describe the move."""
        kernel, samples, duals = sample_loops.feasible(), self.problem.samples, _floats(alpha)
        inside = np.empty(duals.shape[0])
        moves = each_piece(duals.shape[0], lambda *piece: kernel(samples, duals, *piece, inside))
        moved = int(sum(count for count, _ in moves))
        if not moved:
            return alpha, ()
        farthest = max(distance for _, distance in moves)
        text = f"{moved} of {duals.size} dual variables moved into the domain of the conjugate"
        return inside, (f"{text}, by at most {farthest:.3g}",)

    def balance(self, alpha: Floats) -> tuple[Floats, Repairs]:
        """Move alpha to the nearest dual point with sum zero, for an unregularized bias, and describe it."""
        return bias.balance(self.problem, alpha)

    def bracket(self, z: Floats, alpha: Floats, b: Bias = 0.0) -> tuple[Bracket, float]:
        """Compute the Fenchel-Young terms of all samples, and the sum of k(-alpha_i) + alpha_i b.

        Where alpha is balanced, b adds nothing but for rounding: with it, that of large targets cancels, and
        a sum of alpha that is tiny but not zero counts as it does in the terms at z, which holds b.
        """
        problem, loss, samples = self.problem, self.problem.loss, self.problem.samples
        z, alpha, offset = _floats(z), _floats(alpha), np.atleast_1d(_floats(b))
        if problem.jumps:
            # At u itself, which the rounding of s z + t may have carried over an end.
            u, (low, high) = problem.argument(z), loss.finite_on
            off = ON_THE_END * (np.abs(z) + np.abs(problem.shift))
            at_end = np.clip(u, low, high)
            offset, alpha = problem.shift + problem.sign * offset, problem.sign * alpha
            z = np.where(np.abs(at_end - u) <= off, at_end, u)
            ones, zeros = _frozen(np.ones_like(z)), _frozen(np.zeros_like(z))
            samples = samples._replace(sign=ones, shift=zeros)
        terms, kernel = np.empty(problem.n_samples), sample_loops.sample_terms()
        scalars = loss.scalar("value"), loss.scalar("conjugate")

        def part(first: int, last: int) -> tuple[float, float, float]:
            sums: tuple[float, float, float] = kernel(*scalars, samples, z, alpha, offset, first, last, terms)
            return sums

        values, conjugates, units = zip(*each_piece(z.shape[0], part), strict=True)
        most = float(max(units))
        if most > ROUNDING_UNITS:
            most = loss.rounding(problem.argument(z), problem.nu(alpha))
        return Bracket.checked(terms, sum(values), most), float(sum(conjugates))

    def loss(self, z: Floats) -> float:
        """Return the sum of the losses at predictions z (n,)."""
        return self.problem.loss_sum(z)

    def conjugate(self, alpha: Floats, scale: float = 1.0) -> float:
        """Return the sum of k(-scale alpha_i)."""
        conjugate, kernel = self.problem.loss.scalar("conjugate"), sample_loops.conjugate_sum()
        samples, alpha = self.problem.samples, _floats(alpha)

        def part(first: int, last: int) -> float:
            return float(kernel(conjugate, samples, alpha, scale, first, last))

        return float(sum(each_piece(alpha.shape[0], part)))

    def conjugate_slope(self, alpha: Floats, direction: Floats) -> float:
        """Return the slope, possibly infinite, of the sum of k(-alpha_i) along a direction."""
        problem, kernel = self.problem, sample_loops.conjugate_slope()
        scalar, arguments = problem.loss.scalar("conjugate_slope"), (_floats(alpha), _floats(direction))

        def part(first: int, last: int) -> float:
            return float(kernel(scalar, problem.samples, *arguments, first, last))

        return float(sum(each_piece(alpha.shape[0], part)))

    def parts(self, z: Floats, alpha: Floats, chosen: Integers) -> tuple[Floats, Floats]:
        """f(z_i) and k(-alpha_i) of some samples."""
        problem, loss = self.problem, self.problem.loss
        u, nu = problem.argument(z[chosen], chosen), problem.nu(alpha[chosen], chosen)
        value, conjugate = (
            np.array([loss.scalar(part)(at, loss.theta) for at in places], dtype=float)
            for part, places in (("value", u), ("conjugate", nu))
        )
        weight, shift = problem.weight[chosen], problem.shift[chosen]
        return weight * value, weight * (conjugate - nu * shift)

    def conjugate_at(self, alpha: Floats, chosen: Integers) -> float:
        """Return the sum of k(-alpha_i) over the chosen samples."""
        samples: Any = self.problem.samples
        sign, shift, weight = (
            _frozen(part[chosen]) for part in (samples.sign, samples.shift, samples.weight)
        )
        theirs = samples._replace(sign=sign, shift=shift, weight=weight)
        conjugate, kernel = self.problem.loss.scalar("conjugate"), sample_loops.conjugate_sum()
        return float(kernel(conjugate, theirs, alpha[chosen], 1.0, 0, chosen.shape[0]))

    def max_feasible_scale(self, alpha: Floats) -> float:
        """Return the largest s for which s alpha stays in the domain of the conjugate."""
        kernel, samples, alpha = sample_loops.room(), self.problem.samples, _floats(alpha)
        return float(min(each_piece(alpha.shape[0], lambda *piece: kernel(samples, alpha, *piece))))

    def best_multiple(self, alpha: Floats, farthest: float, precision: float) -> float:
        """Find the multiple s <= farthest that minimizes the sum of k(-s alpha_i)."""
        from workbench.kernels import norm_loops

        conjugate, alpha = self.problem.loss.scalar("conjugate"), _floats(alpha)
        return float(norm_loops.best_multiple()(conjugate, self.problem.samples, alpha, farthest, precision))

    def violation(self, z: Floats, alpha: Floats) -> float:
        """Return the largest of the `distances`, which is zero where (10) holds."""
        return float(np.max(self.distances(z, alpha)))

    def distances(self, z: Floats, alpha: Floats) -> Floats:
        """Return the distance of each nu_i from the proximal point of nu_i + u_i, (n,)."""
        kernel, distances = sample_loops.distances(), np.empty(z.shape[0])
        arguments = self.problem.loss.scalar("coordinate"), self.problem.samples, _floats(z), _floats(alpha)
        each_piece(z.shape[0], lambda *piece: kernel(*arguments, *piece, distances))
        return distances


def _frozen(array: Floats) -> Floats:
    array.setflags(write=False)
    return array


def _floats(values: Bias) -> Floats:
    return np.ascontiguousarray(values, dtype=float)


class Classes:
    """A loss of r classes: z and alpha are (n, r)."""

    def __init__(self, problem: Problem, loss: simplex.SimplexLoss) -> None:
        self.problem, self.classes_loss = problem, loss
        self.data = problem.labels, problem.weight

    def best_bias(self, z: Floats, start: Bias | None = None) -> Floats:
        return self.classes_loss.best_bias(z, *self.data, start)

    def alpha_at(self, z: Floats, b: Bias) -> Floats:
        return self.classes_loss.alpha_at(z + b, *self.data)

    def feasible(self, alpha: Floats) -> tuple[Floats, Repairs]:
        return simplex.feasible(alpha, *self.data)

    def balance(self, alpha: Floats) -> tuple[Floats, Repairs]:
        if np.abs(alpha.sum(axis=0)).max() <= BALANCED * np.abs(alpha).sum():
            return alpha, ()
        return simplex.balance(alpha, *self.data)

    def bracket(self, z: Floats, alpha: Floats, b: Bias = 0.0) -> tuple[Bracket, float]:
        labels, weight = self.data
        p = simplex.probabilities(alpha, labels, weight)
        terms, units = self.classes_loss.young(z, np.maximum(p, 0.0))
        conjugate = self.conjugate(alpha) + float(np.sum(alpha * b))
        return Bracket.checked(weight * terms, self.loss(z), units), conjugate

    def loss(self, z: Floats) -> float:
        labels, weight = self.data
        return float(weight @ self.classes_loss.values(z, labels))

    def conjugate(self, alpha: Floats, scale: float = 1.0) -> float:
        labels, weight = self.data
        alpha = scale * alpha
        p = np.maximum(simplex.probabilities(alpha, labels, weight), 0.0)
        return float(weight @ self.classes_loss.entropies(p))

    def conjugate_slope(self, alpha: Floats, direction: Floats) -> float:
        p = simplex.probabilities(alpha, *self.data)
        return -float(np.vdot(self.classes_loss.slopes(np.clip(p, 0.0, 1.0), direction), direction))

    def max_feasible_scale(self, alpha: Floats) -> float:
        labels, weight = self.data
        own = alpha[np.arange(labels.shape[0]), labels] / weight
        return float(1.0 / own.max()) if own.max() > 0.0 else np.inf

    def violation(self, z: Floats, alpha: Floats) -> float:
        labels, weight = self.data
        image = self.classes_loss.alpha_at(z, labels, weight)
        return float((np.abs(alpha - image) / weight[:, None]).max())


class Columns:
    """One prediction for each column of y: z and alpha are (n, r), and each column a `Univariate`."""

    def __init__(self, problem: Problem) -> None:
        self.sides = [Univariate(task) for task in problem.tasks]

    def _each(self, name: str, *arrays: Bias, **options: Any) -> list[Any]:
        """Return the answers of the columns, for arrays (n, r), (r,) or one number."""
        r = len(self.sides)
        columns = [_floats(np.broadcast_to(array, (*np.shape(array)[:-1], r)).T) for array in arrays]
        return [getattr(self.sides[k], name)(*(part[k] for part in columns), **options) for k in range(r)]

    def best_bias(self, z: Floats, start: Bias | None = None) -> Floats:
        return np.array(self._each("best_bias", z, 0.0 if start is None else start))

    def alpha_at(self, z: Floats, b: Bias) -> Floats:
        return np.stack(self._each("alpha_at", z, b), axis=1)

    def feasible(self, alpha: Floats) -> tuple[Floats, Repairs]:
        return _joined(self._each("feasible", alpha))

    def balance(self, alpha: Floats) -> tuple[Floats, Repairs]:
        return _joined(self._each("balance", alpha))

    def bracket(self, z: Floats, alpha: Floats, b: Bias = 0.0) -> tuple[Bracket, float]:
        brackets, conjugates = zip(*self._each("bracket", z, alpha, b), strict=True)
        terms, values, units = zip(*((part.terms, part.value, part.units) for part in brackets), strict=True)
        return Bracket(np.sum(terms, axis=0), sum(values), max(units)), sum(conjugates)

    def loss(self, z: Floats) -> float:
        return float(sum(self._each("loss", z)))

    def conjugate(self, alpha: Floats, scale: float = 1.0) -> float:
        return float(sum(self._each("conjugate", alpha, scale=scale)))

    def conjugate_slope(self, alpha: Floats, direction: Floats) -> float:
        return float(sum(self._each("conjugate_slope", alpha, direction)))

    def max_feasible_scale(self, alpha: Floats) -> float:
        return float(min(self._each("max_feasible_scale", alpha)))

    def violation(self, z: Floats, alpha: Floats) -> float:
        return float(max(self._each("violation", z, alpha)))


def _joined(columns: list[tuple[Floats, Repairs]]) -> tuple[Floats, Repairs]:
    texts = [f"column {k} of y: {text}" for k, (_, repairs) in enumerate(columns) for text in repairs]
    return np.stack([part for part, _ in columns], axis=1), tuple(texts)


Side: TypeAlias = Univariate | Classes | Columns
