"""Every loss and regularizer is proved to be a conjugate pair, with its parameters as symbols."""

import dataclasses

import pytest
import sympy as sp
from conjugate_proof import ProofError, piece, prove_pair, vanishes
from derived_terms import DERIVED_LOSSES, FIXED_POWER, LOSSES, REGULARIZERS

from workbench import terms
from workbench.convex.primitives import elementary
from workbench.terms import regularizers as reg
from workbench.terms.losses import EPSILON, LINEAR, QUADRATIC, START, U, V

LOSS = {term.name: term for term in LOSSES}
REGULARIZER = {term.name: term for term in REGULARIZERS}
SEPARABLE = [term for term in REGULARIZERS if term.structure == "separable"]
# The proof of `conjugate_proof` is that of functions finite on the whole line.
WHOLE_LINE = [term for term in FIXED_POWER if term.name != "negative-log"]
# The elastic net and the q-norm are stated for c = 1.
FIXED_WEIGHT = {"elastic-net": 1}
DELTA = sp.Symbol("delta", positive=True)
TAU = sp.Symbol("tau", nonnegative=True)
# q = 1 + R and power = 1 + R' are all exponents above 1.
R, R_POWER = sp.symbols("r r_power", positive=True)


@pytest.mark.parametrize("term", terms.LOSSES, ids=lambda term: term.name)
def test_the_derivation_of_every_loss_is_proved(term):
    assert DERIVED_LOSSES[term.name].pair.verify().status == "proved"


def prove(term):
    prove_pair(term.value, U, term.conjugate, V, term.lower, term.upper)


@pytest.mark.parametrize("term", WHOLE_LINE, ids=lambda term: term.name)
def test_the_conjugate_of_every_loss_is_proved(term):
    prove(term)


def test_the_conjugate_of_the_likelihood_is_proved():
    term = LOSS["negative-log"]
    u, slope = sp.Symbol("u", positive=True), sp.Symbol("s", positive=True)
    # u v - p(u) = ln u - s u for v = -s: concave, with its only maximum at 1 / s; without bound for v >= 0.
    objective = -slope * u - term.value.subs(U, u)
    assert sp.solve(objective.diff(u), u) == [1 / slope]
    assert objective.diff(u, 2).is_negative
    assert sp.simplify(objective.subs(u, 1 / slope) - term.conjugate.subs(V, -slope)) == 0
    assert sp.limit(-term.value.subs(U, u), u, sp.oo) == sp.oo
    assert (term.lower, term.upper) == (-sp.oo, 0)


WRONG = {
    "twice the conjugate": lambda t: {"conjugate": 2 * t.conjugate},
    "a linear term too much": lambda t: {"conjugate": t.conjugate + V},
    "a constant too much": lambda t: {"conjugate": t.conjugate + sp.Rational(1, 100)},
    "mirrored": lambda t: {"conjugate": t.conjugate.subs(V, -V) + V / 7},
    "too wide below": lambda t: {"lower": t.lower - 1 if t.lower.is_finite else -sp.Integer(9)},
    "too narrow above": lambda t: {"upper": t.upper - sp.S.Half if t.upper.is_finite else sp.Integer(9)},
    "p not convex": lambda t: {"value": -t.value, "conjugate": -t.conjugate},
    "p with a jump": lambda t: {"value": t.value + sp.Piecewise((0, U < 1), (1, True))},
    "p with a dent": lambda t: {"value": t.value - sp.Abs(U - 5)},
}


@pytest.mark.parametrize("change", WRONG.values(), ids=WRONG)
@pytest.mark.parametrize("term", WHOLE_LINE, ids=lambda term: term.name)
def test_a_wrong_pair_is_rejected(term, change):
    with pytest.raises(ProofError):
        prove(dataclasses.replace(term, **change(term)))


def test_a_conjugate_without_its_kink_is_rejected():
    for name in ("epsilon-insensitive-1", "epsilon-insensitive-2"):
        wrong = LOSS[name].conjugate.subs(sp.Abs(V), V)
        with pytest.raises(ProofError):
            prove(dataclasses.replace(LOSS[name], conjugate=wrong))


# The coordinate step: 0 belongs to the subdifferential of q(nu) - linear nu + quadratic (nu - start)^2 / 2


def stationarity(term, nu, side=1):
    """The derivative of the step's objective at nu, with the formula of q for that sign of nu."""
    conjugate = piece(elementary(term.conjugate), V, *((0, sp.oo) if side > 0 else (-sp.oo, 0)))
    return sp.simplify(sp.diff(conjugate, V).subs(V, nu) - LINEAR + QUADRATIC * (nu - START))


def assert_coordinate(term):
    if term.kink is None:
        assert stationarity(term, term.coordinate) == 0
        return
    # With x = linear + quadratic start, for x beyond the kink, for x before it, and for x between.
    for side in (1, -1):
        beyond = {LINEAR: side * (EPSILON + DELTA) - QUADRATIC * START}
        nu = sp.simplify(term.coordinate.subs(beyond))
        assert (side * nu).is_positive
        assert sp.simplify(stationarity(term, nu, side).subs(beyond)) == 0
        # epsilon = |x| + tau with tau of 0 or more
        between = {LINEAR: side * DELTA - QUADRATIC * START, EPSILON: DELTA + TAU}
        assert term.coordinate.subs(between, simultaneous=True) == 0
        slopes = [stationarity(term, sp.S.Zero, way).subs(between, simultaneous=True) for way in (-1, 1)]
        slopes = [sp.simplify(slope) for slope in slopes]
        assert slopes[0].is_nonpositive
        assert slopes[1].is_nonnegative


CLOSED = [term for term in LOSSES if term.coordinate is not None]


@pytest.mark.parametrize("term", CLOSED, ids=lambda term: term.name)
def test_the_coordinate_step_satisfies_its_optimality_condition(term):
    assert_coordinate(term)


@pytest.mark.parametrize("term", CLOSED, ids=lambda term: term.name)
def test_a_wrong_coordinate_step_is_rejected(term):
    for wrong in (term.coordinate + START, 2 * term.coordinate + 1, -term.coordinate):
        with pytest.raises(AssertionError):
            assert_coordinate(dataclasses.replace(term, coordinate=wrong))


def test_without_a_closed_step_newton_solves_the_right_equation():
    """nu = p'(y) with y = linear - quadratic (nu - start) is stationary since q'(p'(y)) = y."""
    for term in FIXED_POWER:
        if term.coordinate is None:
            slope = sp.diff(elementary(term.value), U)
            inverse = sp.diff(elementary(term.conjugate), V)
            assert vanishes(sp.expand_log(sp.simplify(inverse.subs(V, slope)), force=True) - U, U)
            # The residual y - linear + quadratic (p'(y) - start) has slope 1 or more.
            assert sp.simplify(sp.diff(slope, U)).is_positive


@pytest.mark.parametrize("term", FIXED_POWER, ids=lambda term: term.name)
def test_steep_kink_and_start_say_what_the_conjugate_does(term):
    q = elementary(term.conjugate)
    ends = [(end, way) for end, way in ((term.lower, "+"), (term.upper, "-")) if end.is_finite]
    slopes = [sp.limit(sp.diff(q, V), V, end, way) for end, way in ends]
    assert term.steep == any(slope.is_infinite for slope in slopes)
    if term.steep:
        assert term.lower < term.start < term.upper
        return
    assert term.start == 0
    left, right = (sp.diff(piece(q, V, *side), V).subs(V, 0) for side in ((-sp.oo, 0), (0, sp.oo)))
    assert sp.simplify(right - left) == (0 if term.kink is None else 2 * term.kink)


# Regularizers


@pytest.mark.parametrize("term", SEPARABLE, ids=lambda term: term.name)
def test_a_separable_regularizer_is_a_pair_in_every_coordinate(term):
    c = FIXED_WEIGHT.get(term.name, reg.C)
    assert term.outer == reg.S == term.primal_outer
    prove_pair(c * term.inner, reg.V, term.primal.subs(reg.C, c), reg.W, term.lower, sp.oo)


@pytest.mark.parametrize("term", SEPARABLE, ids=lambda term: term.name)
def test_a_wrong_separable_regularizer_is_rejected(term):
    c = FIXED_WEIGHT.get(term.name, reg.C)
    for wrong in (2 * term.primal, term.primal + reg.W):
        with pytest.raises(ProofError):
            prove_pair(c * term.inner, reg.V, wrong.subs(reg.C, c), reg.W, term.lower, sp.oo)


def dual(term, v, c):
    """h of a vector of symbols."""
    total = sum(weight * term.inner.subs(reg.V, entry) for weight, entry in zip(c, v, strict=True))
    return term.outer.subs(reg.S, total)


def entropy(term, size):
    """Of the normalized entropy: v, c with sum 1, A, h, w = grad h and g as a function of w."""
    v = sp.symbols(f"v1:{size + 1}", real=True)
    c = sp.symbols(f"c1:{size + 1}", positive=True)
    h = dual(term, v, c)
    w = [sp.simplify(sp.diff(h, entry)) for entry in v]

    def g(point):
        terms = zip(point, c, strict=True)
        return sum(elementary(term.primal).subs({reg.W: x, reg.C: weight}) for x, weight in terms)

    return v, c, h, w, g


@pytest.mark.parametrize("size", [2, 3])
def test_the_normalized_entropy_by_lagrange_multipliers(size):
    term = REGULARIZER["normalized-entropy"]
    v, _, h, star, g = entropy(term, size)
    assert sp.simplify(sp.diff(h, reg.SCALE)) == 0
    assert sp.simplify(sum(star) - reg.TOTAL) == 0
    # sup over sum w = A of w.v - g(w): concave, and its gradient at w* is a multiple of (1, ..., 1).
    w = sp.symbols(f"w1:{size + 1}", positive=True)
    gradient = [entry - sp.diff(g(w), x) for entry, x in zip(v, w, strict=True)]
    at_star = [part.subs(dict(zip(w, star, strict=True))) for part in gradient]
    for part in at_star[1:]:
        assert sp.simplify(sp.expand_log(part - at_star[0], force=True)) == 0
    hessian = sp.hessian(g(w), w)
    assert hessian == sp.diag(*(hessian[j, j] for j in range(size)))
    assert all(hessian[j, j].is_positive for j in range(size))
    supremum = sum(x * entry for x, entry in zip(star, v, strict=True)) - g(star)
    assert sp.simplify(sp.expand_log(sp.simplify(h - supremum), force=True)) == 0


@pytest.mark.parametrize("size", [2, 3])
def test_the_entropy_bracket_is_the_relative_entropy(size):
    """g(w) + h(v) - w.v = sum w ln(w / w*) - w + w* for every w > 0 with sum A."""
    v, _, h, star, g = entropy(REGULARIZER["normalized-entropy"], size)
    w = list(sp.symbols(f"w1:{size + 1}", positive=True))
    bracket = g(w) + h - sum(x * entry for x, entry in zip(w, v, strict=True))
    relative = sum(x * sp.log(x / y) - x + y for x, y in zip(w, star, strict=True))
    difference = sp.expand_log(sp.expand(bracket - relative), force=True).subs(reg.TOTAL, sum(w))
    assert sp.simplify(sp.expand(sp.expand_log(difference, force=True))) == 0


def test_young_s_pair_of_powers():
    """|t|^q / q and |s|^p / p with 1/p + 1/q = 1 are conjugate, q = 1 + r for every r > 0."""
    q, p = 1 + R, (1 + R) / R
    prove_pair(sp.Abs(U) ** q / q, U, sp.Abs(V) ** p / p, V, -sp.oo, sp.oo)
    with pytest.raises(ProofError):
        prove_pair(sp.Abs(U) ** q / q, U, sp.Abs(V) ** q / q, V, -sp.oo, sp.oo)


def test_the_q_norm_in_two_dimensions():
    """h = |v|_p^p' / p' at every scale; at w = grad h Young's and Hoelder's inequalities are equalities."""
    term = REGULARIZER["q-norm"]
    q, power = 1 + R, 1 + R_POWER
    p, dual_power = (1 + R) / R, (1 + R_POWER) / R_POWER
    exponents = {reg.Q: q, reg.POWER: power}
    x = sp.symbols("x1:3", positive=True)
    # P stands for |v|_p^p = x1^p + x2^p; with it everything below is a product of powers.
    total = sp.Symbol("P", positive=True)
    closed = total ** (dual_power / p) / dual_power
    h = dual(term, x, (1, 1)).subs(exponents).subs(reg.DIVISOR, 1)
    assert same_power(h.subs(x[0] ** p + x[1] ** p, total), closed)
    # At any other scale the sum is P over scale^p.
    inner = term.inner.subs(exponents).subs(reg.V, x[0])
    assert same_power(inner, x[0] ** p / reg.DIVISOR**p)
    assert same_power(term.outer.subs(exponents).subs(reg.S, total / reg.DIVISOR**p), closed)
    # w_j = dh/dv_j = P^e x_j^(p-1) with e = p'/p - 1
    e = dual_power / p - 1
    for entry in x:
        assert same_power(sp.diff(closed, total) * sp.diff(entry**p, entry), total**e * entry ** (p - 1))
        # so that |w_j|^q = P^(eq) x_j^p, and with both coordinates |w|_q = P^(e + 1/q) and w.v = P^e P.
        assert same_power((total**e * entry ** (p - 1)) ** q, total ** (e * q) * entry**p)
    norm, product = total ** (e + 1 / q), total ** (e + 1)
    assert same_power(norm * total ** (1 / p), product)
    g = term.primal_outer.subs(exponents).subs(reg.S, norm**q)
    # Young's inequality is an equality: g = w.v / q', h = w.v / p', and these shares make up one.
    assert same_power(g, product / power)
    assert same_power(closed, product / dual_power)
    assert sp.simplify(1 / power + 1 / dual_power) == 1


def same_power(left, right):
    """Whether two products of powers of positive symbols agree."""
    difference = sp.expand_log(sp.log(left) - sp.log(right), force=True)
    return sp.simplify(sp.expand(difference)) == 0


def test_young_s_sum_near_equality():
    """`young_parts`: a^p/p + b^q/q - a b = b^q [(e^(pL) - 1)/p - (e^L - 1)], a = b^(q-1) e^L."""
    b, length = sp.Symbol("b", positive=True), sp.Symbol("L", real=True)
    p, q = 1 + R, (1 + R) / R
    a = b ** (q - 1) * sp.exp(length)
    plain = a**p / p + b**q / q - a * b
    near = b**q * ((sp.exp(p * length) - 1) / p - (sp.exp(length) - 1))
    assert sp.simplify(sp.powsimp(sp.powdenest(sp.expand(plain - near), force=True))) == 0
