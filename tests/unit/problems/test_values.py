"""Numbers that callers give: one check for all functions, and messages that show plain values."""

import dataclasses
import decimal
import fractions
import re

import numpy as np
import pytest
import sympy as sp

import workbench as wb
from tests.helpers.cases import samples
from workbench._support.errors import shown
from workbench._support.names import check_number

X, LABELS, TARGETS = samples(n=12)
PROBLEM = wb.Problem(X, LABELS, "logistic", lam=0.1)
# Values that are not numbers, and their form in a message.
NONE = {
    True: "True",
    np.False_: "False",
    "0.1": "'0.1'",
    np.str_("1"): "'1'",
    None: "None",
    1j: "1j",
    np.complex128(2j): "2j",
    (0.1,): "(0.1,)",
}
# Every place where a number is asked for: what is called with it, and how the message begins.
DOORS = {
    "lam": (lambda x: wb.Problem(X, LABELS, lam=x), "problem: lam"),
    "solve tol": (lambda x: wb.solve(PROBLEM, tol=x), "solve: tol"),
    "solve max_epochs": (lambda x: wb.solve(PROBLEM, max_epochs=x), "solve: max_epochs"),
    "run gap": (lambda x: wb.Run(PROBLEM).until(x), "run: gap"),
    "path": (lambda x: wb.path(PROBLEM, [0.1], tol=x), "solve: tol"),
    "hinge": (lambda x: wb.losses.Hinge(x), "hinge: p"),
    "huber": (lambda x: wb.losses.Huber(x), "huber: delta"),
    "own": (lambda x: wb.losses.custom("a*u**2", "residual", a=x), "custom loss: a"),
    "elastic net": (lambda x: wb.regularizers.ElasticNet(x), "elastic-net: epsilon"),
    "q-norm": (lambda x: wb.regularizers.QNorm(x, 2.0), "q-norm: q"),
    "kernel": (lambda x: wb.kernels.Polynomial(x), "kernel polynomial: degree"),
    "solver": (lambda x: wb.solvers.GaussSeidel(scale=x), "gauss-seidel: scale"),
    "pairs": (lambda x: wb.solvers.MaximalViolatingPair(x), "maximal-violating-pair: tol"),
    "svm gap": (lambda x: wb.gaps.svm(X @ X.T, LABELS, x, np.zeros(12)), "svm: C"),
    "classifier lam": (lambda x: wb.DualClassifier(lam=x).fit(X, LABELS), "DualClassifier: lam"),
    "classifier tol": (lambda x: wb.DualClassifier(tol=x).fit(X, LABELS), "DualClassifier: tol"),
    "regressor": (lambda x: wb.DualRegressor(max_iter=x).fit(X, TARGETS), "DualRegressor: max_iter"),
    "kernel machine": (lambda x: wb.KernelSVC(lam=x).fit(X, LABELS), "KernelSVC: lam"),
    "table tol": (lambda x: wb.fit(X, LABELS, lam=0.1, tol=x), "fit: tol"),
    "table lam": (lambda x: wb.fit(X, LABELS, lam=x), "fit: lam"),
}
WHOLE = {
    "seed": (lambda x: wb.solve(PROBLEM, seed=x), "run: seed"),
    "table seed": (lambda x: wb.fit(X, LABELS, lam=0.1, seed=x), "run: seed"),
    "folds": (lambda x: wb.fit(X, LABELS, folds=x), "fit: folds"),
}
OUTSIDE = (np.nan, np.inf, np.float64(-1.0), np.float32(-2.0), np.int64(-3))
NOT_WHOLE = (True, np.True_, "1", 1.0, np.float64(2.5), np.nan, 1j, -1, np.int64(-1))


# Where None stands for a limit that is not given.
OPEN = ("solve max_epochs", "regressor")
REFUSED = [(value, door) for value in NONE for door in DOORS if not (value is None and door in OPEN)]


@pytest.mark.parametrize(("value", "door"), REFUSED, ids=repr)
def test_what_is_no_number_is_named_with_a_number_that_works(door, value):
    call, start = DOORS[door]
    said = rf"^{start} = {re.escape(NONE[value])} is not a number; write {start.split()[-1]}=[\d.e-]+$"
    with pytest.raises(wb.InputError, match=said) as caught:
        call(value)
    usual = float(str(caught.value).rpartition("=")[2])
    call(usual)  # what the message advises is taken


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("value", OUTSIDE, ids=repr)
def test_numbers_out_of_range_are_shown_as_plain_ones(door, value):
    if door == "own" and np.isfinite(value):
        pytest.skip("it takes every sign")
    call, start = DOORS[door]
    said = rf"^{start} = {re.escape(shown(value))} must be a finite"
    assert "np." not in said
    with pytest.raises(wb.InputError, match=said):
        call(value)


@pytest.mark.parametrize("door", WHOLE)
@pytest.mark.parametrize("value", NOT_WHOLE, ids=repr)
def test_whole_numbers(door, value):
    call, start = WHOLE[door]
    said = rf"^{start} = {re.escape(shown(value))} is not a whole number, .*; write"
    with pytest.raises(wb.InputError, match=said):
        call(value)


@pytest.mark.parametrize(
    "value",
    [
        1,
        0.5,
        np.float32(0.5),
        np.int8(1),
        np.array(0.5),
        fractions.Fraction(1, 2),
        decimal.Decimal("0.5"),
        sp.Rational(1, 2),
        sp.Float(0.5),
    ],
    ids=repr,
)
def test_real_numbers_of_every_kind_are_taken(value):
    assert check_number("here", "lam", value, above=0.0) == float(value)


def test_a_number_beyond_all_floats_is_too_large():
    with pytest.raises(wb.InputError, match="must be a finite number"):
        check_number("here", "lam", 10**400, above=0.0)


def test_parameters_are_kept_as_plain_numbers():
    values = {
        "p": np.float64(1.5),
        "q": np.float64(1.5),
        "power": np.int64(2),
        "epsilon": np.float32(0.5),
        "size": np.int64(2),
        "columns": np.int8(3),
        "classes": np.int64(3),
        "batch": np.int32(4),
    }
    for registry in (wb.losses.REGISTRY, wb.regularizers.REGISTRY, wb.solvers.REGISTRY, wb.kernels.REGISTRY):
        for cls in registry.values():
            names = {field.name for field in dataclasses.fields(cls)} & {*values}
            chosen = {name: values[name] for name in names}
            if cls.name == "tree":  # which needs its groups
                continue
            made = cls(**chosen)
            assert "np." not in repr(made)
            for name, value in chosen.items():
                assert type(getattr(made, name)) is type(value.item()), (cls, name)
    solution = wb.solve(PROBLEM.replace(regularizer=wb.regularizers.ElasticNet(np.float64(0.1))))
    assert solution.problem(X, LABELS).regularizer == wb.regularizers.ElasticNet(0.1)


def test_shown_is_pythons_own_way_of_writing():
    values = {
        "0.1": np.float64(0.1),
        "3": np.int32(3),
        "True": np.bool_(True),
        "'a'": np.str_("a"),
        "[1, (0.5,)]": [np.int64(1), (np.float64(0.5),)],
        "{'a': 2.0}": {np.str_("a"): np.longdouble(2)},
        "array([1.])": np.array([1.0]),
        "Hinge(p=1)": wb.losses.Hinge(),
    }
    assert {text: shown(value) for text, value in values.items()} == {text: text for text in values}


SEEN = {
    "wb": wb,
    "losses": wb.losses,
    "regularizers": wb.regularizers,
    "norms": wb.norms,
    "solvers": wb.solvers,
    "data": wb.data,
    "gaps": wb.gaps,
    "bounds": wb.bounds,
    "kernels": wb.kernels,
    "iteration": wb.iteration,
}


@pytest.mark.parametrize("name", SEEN)
def test_tab_shows_the_public_names_of_modules(name):
    module = SEEN[name]
    assert sorted(dir(module)) == sorted(module.__all__)
    assert all(hasattr(module, name) for name in dir(module))


def test_tab_shows_the_public_names_of_objects():
    solution = wb.solve(PROBLEM)
    objects = [
        solution,
        PROBLEM,
        wb.certificate(PROBLEM, w=solution.w),
        wb.Run(PROBLEM),
        PROBLEM.loss,
        PROBLEM.regularizer,
        wb.kernels.RBF(),
        wb.solvers.GaussSeidel(),
        wb.fit(X, LABELS, lam=0.1),
        wb.conjugate("u**2"),
        wb.DualRegressor(),
        wb.DualClassifier(),
        wb.KernelSVC(),
    ]
    for item in objects:
        names = dir(item)
        assert names, item
        assert [name for name in names if name.startswith("_")] == [], type(item)
    assert {"w", "gap", "predict", "save"} <= set(dir(solution))
    assert {"X", "y"} & set(dir(PROBLEM)) == {"y"}
    assert {"fit", "predict", "get_params"} <= set(dir(wb.DualClassifier()))


@pytest.mark.parametrize("name", ["L2", "ridged", "l2-squared", "half_l2"])
def test_the_norm_and_half_its_square_are_told_apart_where_a_name_is_not_known(name):
    with pytest.raises(wb.InputError, match=r"l2 \(\|w\|_2, not squared\).*squared-l2 \(\|w\|_2\^2 / 2\)"):
        wb.Problem(X, LABELS, regularizer=name)


def test_the_norm_and_half_its_square_are_told_apart_in_reprs_and_refusals():
    norm = PROBLEM.replace(regularizer="l2")
    assert "[|w|_2, not squared]" in repr(norm)
    assert "[|w|_2^2 / 2]" in repr(PROBLEM)
    assert "not squared" in norm._repr_html_()
    for solver in ("gauss-seidel", "frank-wolfe", "lbfgs", "primal-gradient", "newton"):
        with pytest.raises(wb.InputError, match=re.escape("l2 (|w|_2, not squared)")):
            wb.solve(norm, solver)
    # What the texts say is what the regularizers are.
    w = np.array([3.0, 4.0, 0.0])
    assert wb.certificate(wb.Problem(X[:, :3], LABELS, regularizer="l2"), w=w).primal == pytest.approx(
        wb.certificate(wb.Problem(X[:, :3], LABELS), w=w).primal - 1e-3 * (12.5 - 5.0)
    )
