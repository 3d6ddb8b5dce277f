"""Norms: value, dual norm, proximal point and terms of each against CVXPY and the definitions."""

import cvxpy as cp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import workbench as wb
from tests.helpers.amounts import amount
from workbench import regularizers
from workbench._support.errors import InputError
from workbench.problems.regularizers import norms

SIZE = 6
TREE = ((0,), (1, 2), (0, 1, 2), (3, 4, 5), (4,), (0, 1, 2, 3, 4, 5))
WEIGHTS = (0.5, 1.0, 2.0, 1.5, 0.3, 0.7)
NORMS = {
    "l1": norms.L1(),
    "l2": norms.L2(),
    "linf": norms.Linf(),
    "groups": norms.GroupL1L2(groups=[[0, 3], [1, 2, 4], [5]], weights=[1.0, 2.0, 0.5]),
    "neighbours": norms.GroupL1L2(size=4),
    "group linf": norms.GroupL1Linf(groups=[[0, 3], [1, 2, 4], [5]], weights=[1.0, 2.0, 0.5]),
    "sparse group": norms.SparseGroup(size=2, share=0.3),
    "rows": norms.RowsL1L2(columns=3),
    "rows linf": norms.RowsL1Linf(columns=3),
    "trace": norms.Trace(columns=3),
    "tree": norms.Tree(groups=TREE, weights=WEIGHTS),
    "nested chain": norms.Tree(groups=[[0], [0, 1], [0, 1, 2, 3, 4, 5]]),
}
COLUMNS = (1, 3)
CLARABEL = 1e-6
# Sums of a few products.
ROUNDING = 1e-13
ENTRIES = st.one_of(st.just(0.0), st.floats(-3.0, 3.0).filter(lambda x: abs(x) > 1e-3))
# Of each norm, for vectors and for matrices.
EXAMPLES = settings(max_examples=amount(12, 100))
SCALES = st.integers(-8, 8).map(lambda k: 10.0**k)


def transfer(name, columns=1):
    """With three columns the matrix norms are those of the whole w."""
    return NORMS[name].at(SIZE, columns)


def vectors(columns):
    return arrays(float, SIZE * columns, elements=ENTRIES)


def expression(name, w, columns):
    """The norm of a CVXPY vector w, as docs/mathematics.md states it: w as (features, columns)."""
    norm, matrix = NORMS[name], cp.reshape(w, (SIZE, columns), order="C")
    wide = cp.reshape(w, (SIZE * columns // 3, 3), order="C")

    def parts(groups, weights, p):
        terms = [cp.norm(cp.vec(matrix[list(g), :], order="C"), p) for g in groups]
        return sum(weight * term for weight, term in zip(weights, terms, strict=True))

    def groups_of(item, size):
        return item.groups or [range(j, min(j + size, SIZE)) for j in range(0, SIZE, size)]

    return {
        "l1": lambda: cp.norm(w, 1),
        "l2": lambda: cp.norm(w, 2),
        "linf": lambda: cp.norm(w, "inf"),
        "groups": lambda: parts(norm.groups, norm.weights, 2),
        "neighbours": lambda: parts(groups_of(norm, 4), (1, 1), 2),
        "group linf": lambda: parts(norm.groups, norm.weights, "inf"),
        "sparse group": lambda: 0.3 * cp.norm(w, 1) + parts(groups_of(norm, 2), (1, 1, 1), 2),
        "rows": lambda: cp.sum(cp.norm(wide, 2, axis=1)),
        "rows linf": lambda: cp.sum(cp.norm(wide, "inf", axis=1)),
        "trace": lambda: cp.normNuc(wide),
        "tree": lambda: parts(TREE, WEIGHTS, 2),
        "nested chain": lambda: parts(norm.groups, (1, 1, 1), 2),
    }[name]()


def solved(objective, *constraints):
    model = cp.Problem(objective, list(constraints))
    model.solve(solver=cp.CLARABEL, tol_gap_abs=1e-8, tol_gap_rel=1e-8, tol_feas=1e-8)
    return model.value


@pytest.mark.parametrize("columns", COLUMNS)
@pytest.mark.parametrize("name", NORMS)
def test_value_dual_norm_and_proximal_point_against_cvxpy(name, columns):
    rng = np.random.default_rng(7)
    t = transfer(name, columns)
    for _ in range(2):
        x = rng.normal(size=SIZE * columns) * (rng.random(SIZE * columns) < 0.8)
        w = cp.Variable(SIZE * columns)
        value = expression(name, cp.Constant(x), columns).value
        assert t.value(x) == pytest.approx(value, rel=1e-12)
        dual = solved(cp.Maximize(x @ w), expression(name, w, columns) <= 1.0)
        assert t.dual_norm(x) == pytest.approx(dual, rel=CLARABEL)
        for tau in (0.2, 0.9):
            solved(cp.Minimize(0.5 * cp.sum_squares(w - x) + tau * expression(name, w, columns)))
            np.testing.assert_allclose(t.prox(x, tau), w.value, atol=1e-4)


@pytest.mark.parametrize("columns", COLUMNS)
@pytest.mark.parametrize("name", NORMS)
@EXAMPLES
@given(data=st.data())
def test_terms_make_up_the_gap_and_none_is_negative(name, columns, data):
    t = transfer(name, columns)
    w = data.draw(SCALES) * data.draw(vectors(columns))
    v = data.draw(vectors(columns))
    v = v * min(t.reach(v), 1e3) * data.draw(st.sampled_from([0.0, 0.3, 1.0]))
    bracket = t.bracket(w, v, 0.0)
    assert (bracket.terms >= 0.0).all()
    size = t.value(w) + np.abs(w) @ np.abs(v)
    assert bracket.sum == pytest.approx(t.value(w) - w @ v, abs=ROUNDING * size)
    assert bracket.value == t.value(w)


@pytest.mark.parametrize("columns", COLUMNS)
@pytest.mark.parametrize("name", NORMS)
@EXAMPLES
@given(data=st.data())
def test_the_proximal_point_splits_a_vector(name, columns, data):
    """Moreau: x = prox + a point of the ball of radius tau that has the norm as its product with prox."""
    t = transfer(name, columns)
    scale = data.draw(SCALES)
    x, tau = scale * data.draw(vectors(columns)), scale * data.draw(st.floats(0.01, 3.0))
    w = t.prox(x, tau)
    rest = x - w
    size = np.abs(x).max() + 1e-300
    assert t.dual_norm(rest) <= tau + 1e-11 * size
    assert tau * t.value(w) - w @ rest <= 1e-10 * size**2
    assert t.violation(w, rest / tau) <= 1e-10 * max(size, size / tau)
    # Zero exactly where the dual norm is at most tau.
    dual = t.dual_norm(x)
    np.testing.assert_array_equal(t.prox(x, dual * (1.0 + 1e-9)), np.zeros_like(x))
    if dual > 0.0:
        assert np.any(t.prox(x, dual * (1.0 - 1e-6)))


@pytest.mark.parametrize("columns", COLUMNS)
@pytest.mark.parametrize("name", NORMS)
@EXAMPLES
@given(data=st.data())
def test_hoelder_s_inequality_and_the_scale(name, columns, data):
    t = transfer(name, columns)
    w, v, scale = data.draw(vectors(columns)), data.draw(vectors(columns)), data.draw(SCALES)
    assert w @ v <= t.value(w) * t.dual_norm(v) * (1.0 + ROUNDING) + 1e-300
    assert t.value(scale * w) == pytest.approx(scale * t.value(w), rel=1e-12)
    assert t.dual_norm(scale * v) == pytest.approx(scale * t.dual_norm(v), rel=1e-12)
    reach = t.reach(v)
    if np.isfinite(reach):
        # The scaled point is inside for certain.
        assert t.dual_norm(reach * v) <= 1.0
        assert t.map(reach * v)[0] == 0.0
        assert t.map(1.1 * reach * v)[0] == np.inf
        assert t.bracket(w, 1.1 * reach * v, np.inf).sum == np.inf
    else:
        assert not np.any(v)


def test_the_tree_s_dual_norm_keeps_the_upper_end():
    t = transfer("tree")
    rng = np.random.default_rng(0)
    for _ in range(50):
        v = rng.normal(size=SIZE) * 10.0 ** rng.uniform(-3, 3)
        tau = t.dual_norm(v)
        assert not np.any(t.prox(v, tau))
        assert np.any(t.prox(v, tau * (1.0 - 1e-14)))


def test_a_tree_of_leaves_is_the_l1_norm_and_a_root_alone_the_l2_norm():
    x = np.array([0.3, -2.0, 0.7, 0.0, 1.0, -0.2])
    leaves, root = norms.Tree(groups=[[j] for j in range(6)]), norms.Tree(groups=[range(6)])
    for tree, name in ((leaves, "l1"), (root, "l2")):
        for function in ("value", "dual_norm"):
            value, expected = (getattr(t, function)(x) for t in (tree.at(6), transfer(name)))
            assert value == pytest.approx(expected, rel=1e-14)
        np.testing.assert_allclose(tree.at(6).prox(x, 0.4), transfer(name).prox(x, 0.4), rtol=1e-14)


def test_groups_that_form_no_tree_have_a_value_and_a_reason():
    t = norms.Tree(groups=[[0, 1], [1, 2], [2, 3, 4, 5]]).at(6)
    assert t.value(np.ones(6)) == pytest.approx(2 * np.sqrt(2.0) + 2.0)
    assert t.reason == (
        "not available: groups 0 and 1 overlap and neither holds the other, so they form no tree"
    )
    for call in (t.dual_norm, lambda x: t.prox(x, 1.0)):
        with pytest.raises(InputError, match="groups 0 and 1 overlap"):
            call(np.ones(6))
    problem = wb.Problem(np.eye(6), np.ones(6), "squared", t.regularizer, lam=0.1)
    for solver in ("auto", "conic", "proximal-gradient"):
        with pytest.raises(InputError, match=r"no solver takes it, .* groups 0 and 1 overlap.*; nest or sep"):
            wb.solve(problem, solver)


@pytest.mark.parametrize("name", ["l1", "l2", "linf", "group-l1l2:size=2"])
def test_the_weights_of_a_balanced_embedding_are_certified_as_well_as_its_own(name):
    X, y = drawn_labels()
    problem = wb.Problem(X, y, "logistic", name, lam=0.05, embed="balanced")
    solution = wb.solve(problem, tol=1e-9)
    assert wb.certificate(problem, w=solution.w, alpha=solution.alpha).relative_gap <= 1e-8


def drawn_labels():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 6))
    return X, np.sign(X[:, 0] + 0.3 * rng.normal(size=40))


def test_names_and_parameters_choose_norms():
    assert regularizers.get("l1") == norms.L1()
    assert regularizers.get("group-l1l2:size=2") == norms.GroupL1L2(size=2)
    assert regularizers.get("trace:columns=2") == norms.Trace(columns=2)
    assert regularizers.get("sparse-group:size=3,share=0.5") == norms.SparseGroup(size=3, share=0.5)
    names = "l1 l2 linf group-l1l2 group-l1linf sparse-group rows-l1l2 rows-l1linf trace tree"
    assert set(norms.REGISTRY) == set(names.split())


def at(norm, size=SIZE, columns=1):
    return lambda: norm().at(size, columns)


BAD = {
    "overlap": (lambda: norms.GroupL1L2(groups=[[0, 1], [1, 2]]), "feature 1 is in groups 0 and 1; .*'tree'"),
    "overlap, linf": (lambda: norms.GroupL1Linf(groups=[[0], [0]]), "feature 0 is in groups 0 and 1"),
    "overlap, sparse": (lambda: norms.SparseGroup(groups=[[0, 1], [1]]), "feature 1 is in groups 0 and 1"),
    "no groups": (norms.GroupL1L2, r"give either groups=\[\[0, 1\], \[2, 3\]\] or size=2"),
    "both": (lambda: norms.GroupL1L2(groups=[[0]], size=1), "give either groups"),
    "empty": (lambda: norms.GroupL1L2(groups=[]), "groups is empty"),
    "an empty group": (lambda: norms.GroupL1L2(groups=[[0], []]), r"groups\[1\] is empty; leave it out"),
    "a negative feature": (
        lambda: norms.GroupL1L2(groups=[[-1]]),
        r"groups\[0\] holds -1, which is not the index of a feature",
    ),
    "half a feature": (lambda: norms.GroupL1L2(groups=[[0.5]]), r"groups\[0\] holds 0.5"),
    "twice": (lambda: norms.GroupL1L2(groups=[[1, 1]]), r"groups\[0\] names a feature twice"),
    "half a size": (lambda: norms.GroupL1L2(size=1.5), "size = 1.5 is not a whole number"),
    "size zero": (lambda: norms.GroupL1L2(size=0), "size = 0 is not a whole number"),
    "weight zero": (lambda: norms.GroupL1L2(size=2, weights=[1, 0]), r"weights\[1\] = 0 must be .* above 0"),
    "weights too few": (lambda: norms.GroupL1L2(groups=[[0], [1]], weights=[1]), "has 1 entries for 2"),
    "weights too many": (at(lambda: norms.GroupL1L2(size=3, weights=[1] * 3)), "weights has 3 entries for 2"),
    "not covered": (at(lambda: norms.GroupL1L2(groups=[[0, 1]])), "feature 2 is in no group, so nothing"),
    "beyond": (at(lambda: norms.GroupL1L2(groups=[range(7)])), "names feature 6 of 6; count from 0"),
    "share zero": (lambda: norms.SparseGroup(size=1, share=0), "sparse-group: share = 0 must be .* above 0"),
    "no tree": (norms.Tree, "tree: groups is missing; give nested groups"),
    "half a column": (lambda: norms.Trace(columns=1.5), "trace: columns = 1.5 is not a whole number"),
    "columns that do not divide": (at(lambda: norms.Trace(columns=4)), "6 features do not fill rows of 4"),
    "other columns": (at(lambda: norms.RowsL1L2(columns=2), 6, 3), "columns = 2 where w has 3; leave"),
}


@pytest.mark.parametrize(("make", "message"), BAD.values(), ids=BAD)
def test_bad_input_is_refused_by_name(make, message):
    with pytest.raises(InputError, match=message):
        make()
