"""Replacing a part of a problem, its digest, and weights on their way between the caller and the solver."""

import pickle

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
import sklearn.impute

import workbench as wb
from tests.helpers.cases import ENTROPIES, LOSSES, REGULARIZERS, problem, samples
from workbench import regularizers
from workbench._support.errors import InputError
from workbench.problems import Problem

X, LABELS, TARGETS = samples(n=6, d=4)
N, D = X.shape
# w+ - w- = w and a sum of A hold to a few roundings.
ROUNDING = 1e-14


def same(one, other):
    """True if two problems agree in everything that a solver or a certificate reads."""
    for name in ("y", "sign", "shift", "weight"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))
    for name in ("weights", "theta"):
        np.testing.assert_array_equal(getattr(one.transfer, name), getattr(other.transfer, name))
    assert (one.loss, one.regularizer, one.lam) == (other.loss, other.regularizer, other.lam)
    assert one.digest == other.digest
    assert one.zero_value == other.zero_value
    bounds = one.curvature_bound, other.curvature_bound
    assert (bounds[0] is None) == (bounds[1] is None)
    if bounds[0] is not None:
        np.testing.assert_array_equal(*bounds)


CHANGES = (
    {"loss": "logistic"},
    {"loss": "squared"},
    {"regularizer": "normalized-entropy"},
    {"lam": 0.7},
    {"loss": "epsilon-insensitive:p=2", "regularizer": "q-norm:q=1.3", "lam": 2},
    {},
)


@pytest.mark.parametrize("change", CHANGES, ids=str)
@pytest.mark.parametrize("used", [False, True])
def test_replace_equals_a_fresh_problem(change, used):
    options = {"bias": "constant", "embed": "balanced", "sample_weight": np.arange(1.0, N + 1)}
    base = Problem(X, LABELS, "hinge", "elastic-net", lam=0.1, **options)
    if used:
        # What was computed for the old problem must not reach the new one.
        wb.solve(base, max_epochs=1)
        assert base.digest
        assert base.curvature_bound is not None
    terms = {"loss": "hinge", "regularizer": "elastic-net", "lam": 0.1} | change
    same(base.replace(**change), Problem(X, LABELS, **terms, **options))
    same(base, Problem(X, LABELS, "hinge", "elastic-net", lam=0.1, **options))


def test_replace_refuses_what_a_problem_refuses():
    regression = Problem(X, TARGETS, "squared")
    with pytest.raises(InputError, match=r"y\[0\] is .*; the hinge loss needs labels"):
        regression.replace(loss="hinge")
    with pytest.raises(InputError, match="lam = -1 must be"):
        regression.replace(lam=-1)
    same(regression, Problem(X, TARGETS, "squared"))


# The digest


def variants():
    """Problems that differ from the first in one thing each."""
    wide = np.hstack([X, np.zeros((N, 1))])
    moved, other_y, weight = X.copy(), LABELS.copy(), np.ones(N)
    moved[0, 0] = np.nextafter(moved[0, 0], 9.0)
    other_y[2] *= -1.0
    weight[1] = 2.0
    yield Problem(X, LABELS)
    yield Problem(moved, LABELS)
    yield Problem(wide, LABELS)
    yield Problem(X[:, ::-1], LABELS)
    yield Problem(X, other_y)
    yield Problem(X, LABELS, sample_weight=weight)
    yield Problem(X, LABELS, bias="constant")
    yield Problem(X, LABELS, embed="balanced")
    yield Problem(np.hstack([X, -X]), LABELS)
    yield Problem(X, LABELS, lam=np.nextafter(1e-3, 1.0))
    for loss in (
        "squared-hinge",
        "logistic",
        "squared",
        "epsilon-insensitive",
        "epsilon-insensitive:epsilon=0.2",
    ):
        yield Problem(X, LABELS, loss)
    for regularizer in ("elastic-net", "elastic-net:epsilon=0.2", "entropy", "normalized-entropy", "q-norm"):
        yield Problem(X, LABELS, regularizer=regularizer)
    for regularizer in ("q-norm:q=3", "q-norm:power=3", "entropy:mu=0.2", "normalized-entropy:mu=0.2"):
        yield Problem(X, LABELS, regularizer=regularizer)
    yield Problem(X, LABELS, regularizer=regularizers.SquaredL2(K=(1, 1, 1, 2)))


def test_the_digest_tells_every_difference():
    digests = [p.digest for p in variants()]
    assert len(set(digests)) == len(digests)


def test_the_digest_is_the_same_however_the_same_is_said():
    for one, other in (
        (Problem(X, LABELS, "hinge:p=1"), Problem(X, LABELS, "hinge")),
        (Problem(X, LABELS, "hinge:p=2"), Problem(X, LABELS, "squared-hinge")),
        (Problem(X, LABELS, lam=1), Problem(X, LABELS, lam=1.0)),
        (Problem(X, LABELS), Problem(X, LABELS, sample_weight=np.ones(N))),
        (Problem(X, LABELS.astype(int)), Problem(X, LABELS)),
    ):
        assert one.digest == other.digest


# Weights between the caller's features and the solver's columns


@pytest.mark.parametrize("bias", [False, "constant"])
@pytest.mark.parametrize("embed", [None, "balanced"])
@pytest.mark.parametrize("regularizer", REGULARIZERS)
def test_split_undoes_join(regularizer, embed, bias):
    p = Problem(X, LABELS, regularizer=regularizer, embed=embed, bias=bias)
    w, b = np.array([0.3, -0.2, 0.0, 1e-9]), 0.25 if bias else 0.0
    joined = p.join(w, b)
    assert joined.shape == (p.rows.shape[1],)
    found_w, found_b = p.split(joined)
    np.testing.assert_allclose(found_w, w, atol=ROUNDING)
    assert found_b == pytest.approx(b, abs=ROUNDING)
    np.testing.assert_allclose(p.rows @ joined, X @ w + b, atol=10 * ROUNDING)


def test_the_design_holds_the_constant_and_the_mirrored_features():
    p = Problem(sp.csr_array(X), LABELS, bias="constant", embed="balanced")
    with_constant = np.hstack([X, np.ones((N, 1))])
    np.testing.assert_array_equal(p.rows.toarray(), np.hstack([with_constant, -with_constant]))


BALANCED = (*REGULARIZERS, "diagonal", "prior")
SPECIAL = {
    "diagonal": regularizers.SquaredL2(K=(1, 2, 3, 4, 5, 6, 7, 8)),
    "prior": regularizers.Entropy(mu=(0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8)),
}


@pytest.mark.parametrize("regularizer", BALANCED)
def test_a_balanced_join_has_the_least_regularizer(regularizer):
    """No other w+ - w- = w (with the same sum, where that is fixed) has a smaller g."""
    p = Problem(X, LABELS, regularizer=SPECIAL.get(regularizer, regularizer), embed="balanced")
    w = np.array([0.3, -0.2, 0.0, 0.1])
    joined = p.join(w)
    h, _ = p.transfer.map(np.zeros(2 * D))

    def g(point):
        return p.transfer.bracket(point, np.zeros(2 * D), h).value

    rng = np.random.default_rng(0)
    for size in (1e-3, 1e-2, 0.05):
        for _ in range(20):
            move = rng.normal(size=D)
            if regularizer == "normalized-entropy:mu=0.3":
                move -= move.mean()
            other = joined + size * np.tile(move, 2)
            if regularizer in (*ENTROPIES, "prior") and (other < 0.0).any():
                continue
            assert g(other) > g(joined)


def test_the_normalized_join_keeps_the_sum():
    for size in (0.0, 1e-12, 0.1, 0.4, 0.59999, 0.6 - 1e-15):
        p = Problem(X, LABELS, regularizer="normalized-entropy:mu=0.3", embed="balanced")
        # A = 8 mu = 2.4, all of which |w| = 4 size may take.
        joined = p.join(size * np.array([1.0, -1.0, 1.0, -1.0]))
        assert joined.sum() == pytest.approx(2.4, rel=ROUNDING)
        assert (joined >= 0.0).all()
        np.testing.assert_allclose(p.split(joined)[0], size * np.array([1.0, -1.0, 1.0, -1.0]), atol=1e-14)


@pytest.mark.parametrize("loss", LOSSES)
def test_alpha_and_nu_are_the_same_point(loss):
    p = problem(loss, "squared-l2", sample_weight=np.linspace(0.1, 3.0, 12))
    nu = np.linspace(-1.0, 0.0, 12)
    np.testing.assert_allclose(p.nu(p.alpha(nu)), nu, rtol=1e-15)
    np.testing.assert_allclose(p.alpha(nu), -p.weight * p.sign * nu, rtol=1e-15)
    # At z = y the margin is 1 and the residual 0.
    np.testing.assert_array_equal(p.argument(p.y), 1.0 if p.loss.kind == "margin" else 0.0)


# A problem does not change


MADE = {
    "dense": lambda: Problem(X, LABELS, "logistic", "elastic-net:epsilon=0.1", bias="constant"),
    "sparse": lambda: Problem(sp.csr_array(np.where(X > 1.5, X, 0.0)), LABELS, embed="balanced"),
    "weighted": lambda: Problem(X, TARGETS, "squared", sample_weight=np.linspace(0.5, 2.0, N)),
    "kernel": lambda: Problem(X, LABELS, "hinge", bias=True, kernel="rbf:gamma=0.5"),
    "precomputed": lambda: Problem(X @ X.T, LABELS, "hinge", kernel="precomputed"),
    "constrained": lambda: Problem(X, LABELS, "hinge", constraints=(np.eye(D)[:2], np.zeros(2))),
    "classes": lambda: Problem(X, np.arange(N) % 3, "multinomial"),
}
made = pytest.mark.parametrize("make", MADE.values(), ids=MADE)


def arrays_of(p):
    shared = (p.y, p.weight, p.sign, p.shift, *p.row_arrays[1:], p.design.toarray(), p.transfer.weights)
    tied = () if p.constraints is None else (p.constraints.C, p.constraints.b, p.constraints.ties)
    return (*shared, *tied, *(() if p.gram is None else (p.gram,)))


@made
def test_a_pickled_problem_is_the_same_and_as_frozen(make):
    p = make()
    other = pickle.loads(pickle.dumps(p))
    assert other.digest == p.digest
    for mine, theirs in zip(arrays_of(p), arrays_of(other), strict=True):
        np.testing.assert_array_equal(mine, theirs)
    written = (p.y, p.weight, p.sign, p.shift, p.rows.data) + ((p.constraints.ties,) if p.constraints else ())
    again = (other.y, other.weight, other.sign, other.shift, other.rows.data)
    again += (other.constraints.ties,) if other.constraints else ()
    assert not any(array.flags.writeable for array in (*written, *again))


@made
def test_no_attribute_of_a_problem_can_be_set_or_deleted(make):
    p = make()
    digest = p.digest
    names = [name for name in dir(p) if not name.startswith("_") and name != "features"]
    for name in names:
        with pytest.raises(AttributeError, match=rf"a Problem does not change, so {name} cannot be set"):
            setattr(p, name, 2.0)
        with pytest.raises(AttributeError, match=f"{name} cannot be deleted"):
            delattr(p, name)
    with pytest.raises(AttributeError, match="lamb cannot be set"):
        p.lamb = 2.0
    assert p.digest == p.replace().digest == digest


def test_a_problem_without_its_constraint_has_none_whatever_was_read_before():
    for p in (Problem(X, LABELS, "logistic", bias=True), MADE["constrained"]()):
        assert p.dual_constraints.b.size
        assert p.dual_ends() is not None
        assert not p.unconstrained.dual_constraints.b.size
        assert not p.unconstrained.free_bias
        assert p.unconstrained.design is p.design
        assert p.unconstrained.digest != p.digest


def test_a_refusal_shows_the_line_that_mends_it():
    frame = pd.DataFrame({"size": [1.0, 2.0, 3.0, 4.0], "colour": ["red", "blue", "red", "blue"]})
    y = pd.Series(["no", "yes", "no", "yes"])
    with pytest.raises(InputError) as refused:
        Problem(frame, [1, -1, 1, -1])
    X = eval(str(refused.value).partition("X = ")[2], {"pd": pd, "X": frame})
    with pytest.raises(InputError) as refused:
        Problem(X, y)
    labels = eval(str(refused.value).partition("pass ")[2].partition(", or")[0], {"np": np, "y": y})
    assert Problem(X, labels).n_features == 3
    holes = X.mask(X > 3.5)
    with pytest.raises(InputError) as refused:
        Problem(holes, labels)
    filled = eval(str(refused.value).partition("X = ")[2], {"sklearn": sklearn, "X": holes})
    assert Problem(filled, labels).n_samples == 4
