"""Checks of losses and regularizers, driven by what they say of themselves."""

import functools
import pickle

import numpy as np

from workbench import solvers
from workbench.problems import Problem, losses
from workbench.solvers.run import Run

PLACES, COORDINATES, EPOCHS = 200, 6, 12
# A sum of formulas rounds by some units in the last place of its terms.
ROUNDING = 1e-12
# Numbers that a difference quotient loses digits of.
COARSE = 1e-7


def _at_most(small, large, what, rounding=ROUNDING, scale=1.0):
    """No entry of `small` lies above that of `large` by more than rounding."""
    small, large, scale = np.broadcast_arrays(small, large, scale)
    over = np.isnan(small + large) | (small > large + rounding * (scale + np.abs(small) + np.abs(large)))
    assert not over.any(), f"{what}: {small[over][0]} is above {large[over][0]}, or one is not a number"


def make_problem(loss="squared", regularizer="squared-l2", sparse=False, **options):
    """Return a problem of 24 samples with zeros, an empty row and a doubled column."""
    import scipy.sparse as sp

    rng = np.random.default_rng(2)
    X = rng.normal(size=(24, 5)) * (rng.random((24, 5)) < 0.7)
    X[1], X[:, -1] = 0.0, X[:, 0]
    score = X @ rng.normal(size=5) + 0.3 * rng.normal(size=24)
    loss = losses.get(loss)
    if np.isfinite(loss.finite_on[0]):  # as that of the logarithm
        X = np.exp(-(X**2))
    y = np.where(score > 0.0, 1.0, -1.0) if loss.kind == "margin" else score
    return Problem(sp.csr_array(X) if sparse else X, y, loss, regularizer, lam=0.1, **options)


# Losses


def _each(function, theta, places):
    values = [function(float(x), theta) for x in np.ravel(places)]
    return np.reshape(values, np.shape(places))


def _scalars(loss, *parts):
    theta = loss.theta
    return [functools.partial(_each, loss.scalar(part), theta) for part in parts]


def _random_places(loss):
    """Places where p is finite, kinks among them, of many sizes."""
    rng = np.random.default_rng(0)
    sizes = 10.0 ** rng.uniform(-3, 2, PLACES)
    low, high = loss.finite_on
    places = np.concatenate([sizes * rng.choice([-1.0, 1.0], PLACES), [0.0, 1.0, -1.0], loss.kinks[:, 0]])
    return np.unique(places[(places > low) & (places < high)])


def p_and_its_conjugate_keep_the_fenchel_young_inequality(loss):
    """p(u) + p*(v) is at least u v, and equal to it where v is a slope of p at u."""
    value, slope, conjugate = _scalars(loss, "value", "slope", "conjugate")
    u = _random_places(loss)
    v = slope(u)
    p, q = value(u), conjugate(v)
    scale = 1.0 + np.abs(p[:, None]) + np.abs(q)
    _at_most(u[:, None] * v, p[:, None] + q, "u v against p(u) + p*(v)", scale=scale)
    _at_most(p + q, u * v, "p(u) + p*(p'(u)) against u p'(u)", rounding=1e-10)


def p_and_its_conjugate_are_convex(loss):
    """Neither lies above a chord, and slopes are subgradients within the ends of the domain of p*."""
    value, slope, conjugate = _scalars(loss, "value", "slope", "conjugate")
    u = _random_places(loss)
    v, p = slope(u), value(u)
    _at_most(p[:, None] + v[:, None] * (u - u[:, None]), p, "a tangent against p", scale=np.abs(p[:, None]))
    lower, upper = loss.entry["lower"], loss.entry["upper"]
    assert ((v >= lower) & (v <= upper)).all(), f"a slope outside of [{lower}, {upper}]"
    for end, side in ((lower, -1.0), (upper, 1.0)):
        if np.isfinite(end):
            assert conjugate(end + side * (1e-3 + abs(end))) == np.inf, f"p* is finite beyond {end}"
    middle = (v[1:] + v[:-1]) / 2.0
    ends = (conjugate(v)[1:] + conjugate(v)[:-1]) / 2.0
    _at_most(conjugate(middle), ends, "p* between two places against its chord", scale=np.abs(v[1:]))


def its_facts_hold(loss):
    """Curvature, kinks, Lipschitz constant and direction are those of p."""
    value, slope, inverse = _scalars(loss, "value", "slope", "conjugate_slope")
    assert np.isfinite(inverse(loss.start)), f"the slope of p* where solvers start, {loss.start}"
    u = _random_places(loss)
    p, v = value(u), slope(u)
    _at_most(np.abs(v), loss.lipschitz, "a slope against the Lipschitz constant")
    if loss.monotone:
        _at_most(
            0.0, loss.monotone * np.diff(p), "p in the direction that it never leaves", scale=np.abs(p[1:])
        )
    jumps = sum(
        np.where((u[:-1] <= at) & (u[1:] >= at), after - before, 0.0) for at, before, after in loss.kinks
    )
    if np.isfinite(loss.curvature) and loss.smoothness == 1.0:
        bound = loss.curvature * np.diff(u) + jumps
        _at_most(np.diff(v), bound, "how far a slope rises against the curvature", rounding=1e-9)
    for function, kinks in ((slope, loss.kinks), (inverse, loss.conjugate_kinks)):
        for at, *exact in kinks:
            slopes = function(np.nextafter(at, [-np.inf, np.inf]))
            assert np.allclose(slopes, exact, atol=1e-4, rtol=1e-4), f"slopes at {at}: {slopes}, not {exact}"


def its_coordinate_step_is_a_minimum(loss):
    """Check that the step minimizes q(nu) - linear nu + quadratic (nu - start)^2 / 2 over its domain."""
    step, (conjugate,) = loss.scalar("coordinate"), _scalars(loss, "conjugate")
    away = np.concatenate([side * 10.0 ** np.arange(-4.0, 2.0) for side in (-1.0, 1.0)])
    for linear in (-30.0, -1.3, -0.2, 0.0, 1e-3, 0.7, 2.5):
        for quadratic in (1e-2, 0.7, 40.0):
            minimum = step(loss.start, linear, quadratic, loss.theta)
            nu = np.concatenate([loss.start + away, minimum + 1e-4 * away])
            nu = np.array([minimum, *nu[(nu > loss.entry["lower"]) & (nu < loss.entry["upper"])]])
            height = conjugate(nu) - linear * nu + 0.5 * quadratic * (nu - loss.start) ** 2
            _at_most(height[0], height, f"the step for {linear}, {quadratic} against another", rounding=1e-10)


def its_certificates_are_never_negative(loss):
    """Check that no gap on a small problem is negative, and that the gap of the optimum is small."""
    problem = make_problem(loss=loss)
    run = Run(problem, solvers.get("gauss-seidel"))
    run.record()
    for _ in range(EPOCHS):
        run.epoch()
        run.record()
    gaps = run.history["gap"]
    assert (gaps >= 0.0).all(), f"a gap of {gaps.min()}"
    assert run.until(1e-4, max_epochs=5000) == "converged", f"a relative gap of {run.present().relative_gap}"


def it_is_pickled(item):
    """Check that an object is the same after it was sent to another process."""
    assert pickle.loads(pickle.dumps(item)) == item


LOSS_CHECKS = (
    p_and_its_conjugate_keep_the_fenchel_young_inequality,
    p_and_its_conjugate_are_convex,
    its_facts_hold,
    its_coordinate_step_is_a_minimum,
    its_certificates_are_never_negative,
    it_is_pickled,
)

# Regularizers


def _random_vectors(transfer):
    """Vectors (12, d) at which h is finite, of many sizes."""
    rng = np.random.default_rng(1)
    vectors = rng.normal(size=(12, COORDINATES)) * 10.0 ** rng.uniform(-2, 0.5, (12, 1))
    return [v * min(1.0, 0.9 * transfer.reach(v)) for v in vectors]


def its_map_is_the_gradient_of_h(regularizer):
    """Check that h lies above its tangents and that the map is as steep as the curvature allows."""
    transfer = regularizer.at(COORDINATES)
    vectors = _random_vectors(transfer)
    maps = [transfer.map(v) for v in vectors]
    for v, (h, w) in zip(vectors, maps, strict=True):
        for other, (higher, to) in zip(vectors, maps, strict=True):
            _at_most(h + w @ (other - v), higher, "a tangent against h", scale=abs(h) + abs(w) @ abs(v))
            away, apart = np.linalg.norm(to - w), np.linalg.norm(other - v)
            if np.isfinite(regularizer.curvature):
                _at_most(away, regularizer.curvature * apart, "a step of the map against the curvature")
    v = vectors[0]
    step = 1e-6 * np.eye(COORDINATES)
    slopes = [(transfer.map(v + move)[0] - transfer.map(v - move)[0]) / 2e-6 for move in step]
    assert np.allclose(slopes, maps[0][1], rtol=1e-5, atol=1e-6), f"h rises by {slopes}, w = {maps[0][1]}"


def g_and_h_meet_where_the_map_leads(regularizer):
    """g(w) + h(v) = w.v at w = grad h(v), and nowhere less."""
    transfer = regularizer.at(COORDINATES)
    vectors = _random_vectors(transfer)
    maps = [transfer.map(v) for v in vectors]
    for k, v in enumerate(vectors):
        for j, (_, w) in enumerate(maps):
            h, g = maps[k][0], transfer.bracket(w, v, maps[k][0]).value
            scale = abs(g) + abs(h) + abs(w) @ abs(v)
            _at_most(w @ v, g + h, "w.v against g(w) + h(v)", scale=scale)
            if j == k:
                _at_most(g + h, w @ v, "g(w) + h(v) against w.v at its image", scale=scale)


def its_bending_is_how_the_map_turns(regularizer):
    """Check the Hessian of h, which second-order steps take, against differences of the map."""
    transfer = regularizer.at(COORDINATES)
    for v in _random_vectors(transfer):
        curvatures, slopes, bent = transfer.bending(v)
        step = COARSE * np.abs(v).min()
        turns = [
            (transfer.map(v + e)[1] - transfer.map(v - e)[1]) / (2 * step) for e in step * np.eye(COORDINATES)
        ]
        hessian = np.diag(curvatures) + bent * np.outer(slopes, slopes)
        near = 1e-4 * np.abs(hessian).max()
        assert np.allclose(turns, hessian, rtol=0.0, atol=near), f"the map turns by {turns}, not {hessian}"


def its_gradient_inverts_the_map(regularizer):
    """Check that the map takes a gradient of g back to w, where g(w) + h(v) = w.v."""
    if not regularizer.has_gradient:
        return
    transfer = regularizer.at(COORDINATES)
    for w in _random_vectors(transfer):
        value, gradient = transfer.value_and_gradient(w)
        h, back = transfer.map(gradient)
        assert np.allclose(back, w, rtol=1e-8, atol=1e-10), f"the map gives {back}, not {w}"
        assert np.isclose(value + h, w @ gradient, rtol=1e-10, atol=1e-14), "g(w) + h(v) is not w.v"
        step = COARSE * np.eye(COORDINATES)
        slopes = [
            (transfer.value_and_gradient(w + e)[0] - transfer.value_and_gradient(w - e)[0]) / (2 * COARSE)
            for e in step
        ]
        assert np.allclose(slopes, gradient, rtol=1e-5, atol=1e-5 * (1 + abs(value))), (
            f"{slopes}, not {gradient}"
        )


def its_proximal_point_is_firmly_nonexpansive(regularizer):
    """Check |p - p'|^2 <= (p - p').(x - x') for proximal points of g, which tend to x with tau."""
    if not regularizer.has_prox:
        return
    transfer = regularizer.at(COORDINATES)
    vectors = np.array(_random_vectors(transfer))
    for tau in (1e-3, 1.0, 30.0):
        points = [transfer.prox(x, tau) for x in vectors]
        for x, p in zip(vectors, points, strict=True):
            for y, q in zip(vectors, points, strict=True):
                _at_most((p - q) @ (p - q), (p - q) @ (x - y), "the distance of two proximal points", 1e-9)


REGULARIZER_CHECKS = (
    its_map_is_the_gradient_of_h,
    g_and_h_meet_where_the_map_leads,
    its_bending_is_how_the_map_turns,
    its_gradient_inverts_the_map,
    its_proximal_point_is_firmly_nonexpansive,
    it_is_pickled,
)
