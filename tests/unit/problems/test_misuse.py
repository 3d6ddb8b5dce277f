"""Arguments that people pass by mistake: each is read right, or refused with the line to write."""

import inspect

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.svm import LinearSVC

import workbench as wb
from tests.helpers.cases import samples
from workbench.solvers import solution
from workbench.studies.distributed import solving

X, LABELS, _ = samples(n=12, d=3, seed=4)
PROBLEM = wb.Problem(X, LABELS, "hinge", lam=0.1)
TWICE = pd.DataFrame(X, columns=["a", "a", "b"])
MASKED = np.ma.masked_array(X, mask=np.arange(36).reshape(12, 3) == 5)


@pytest.mark.parametrize("form", [sp.lil_matrix, sp.lil_array, sp.dok_array, sp.bsr_array, sp.coo_array])
def test_a_sparse_matrix_with_an_empty_row_is_that_matrix(form):
    dense = np.where(np.arange(12)[:, None] == 3, 0.0, X)
    problem = wb.Problem(form(dense), LABELS, "hinge", lam=0.1)
    np.testing.assert_array_equal(problem.rows.toarray(), dense)


@pytest.mark.parametrize(
    ("parameter", "advice"),
    [
        ("C", r"lam=1 / \(C \* len\(y\)\)"),
        ("alpha", "the regularization weight is lam"),
        ("penalty", "write regularizer="),
        ("lamda", "did you mean lam"),
        ("lambda", "did you mean lam"),
        ("nothing", "expected X, y, loss, regularizer, lam"),
    ],
)
def test_an_unknown_parameter_names_the_one_to_write(parameter, advice):
    with pytest.raises(wb.InputError, match=f"unknown parameter '{parameter}'; .*{advice}"):
        wb.Problem(X, LABELS, **{parameter: 1})


@pytest.mark.parametrize(
    ("call", "line"),
    [
        (
            lambda: wb.solve(X, LABELS),
            r"type ndarray where a Problem .* wb\.solve\(wb\.Problem\(",
        ),
        (lambda: wb.Run(X), r"write wb\.Run\(wb\.Problem\("),
        (lambda: wb.live(X), r"write wb\.live\(wb\.Problem\("),
        (lambda: wb.path(X, [1.0]), r"write wb\.path\(wb\.Problem\("),
        (
            lambda: wb.certificate("abc", alpha=[1.0]),
            r"the first argument is a str: give a wb\.Problem",
        ),
        (lambda: wb.solve(LinearSVC()), r"LinearSVC .*wb\.certificate\(model, X, y\)"),
        (
            lambda: wb.solve(wb.DualClassifier()),
            r"DualClassifier .*wb\.certificate\(model, X, y\)",
        ),
        (lambda: wb.solve(wb.data.load("breast-cancer")), r"wb\.Problem\(data\.X, data\.y,"),
        (lambda: wb.solve(wb.solve(PROBLEM)), "warm_start=solution"),
    ],
)
def test_something_else_than_a_problem_is_refused_with_the_line_to_write(call, line):
    with pytest.raises(wb.InputError, match=line):
        call()


@pytest.mark.parametrize(
    ("option", "advice"),
    [
        ("max_iter", "unknown parameter 'max_iter'; write max_epochs="),
        ("tolerance", "unknown parameter 'tolerance'; expected solver, tol, "),
        ("warmstart", r"unknown parameter 'warmstart'; did you mean warm_start\?"),
        ("workers", "workers is for problems in parts"),
    ],
)
def test_an_unknown_option_of_solve_names_the_one_to_write(option, advice):
    with pytest.raises(wb.InputError, match=f"^solve: {advice}"):
        wb.solve(PROBLEM, **{option: 1})


def test_the_options_of_solve_are_those_of_its_signatures():
    own = set(inspect.signature(wb.solve).parameters) - {"problem", "cluster"}
    assert set(solution.OPTIONS) == own
    assert set(solution.OF_PARTS) == set(inspect.signature(solving.solve).parameters) - own - {"problem"}


@pytest.mark.parametrize("name", ["X", "y"])
@pytest.mark.parametrize(
    ("value", "advice"),
    [
        ("table.csv", r"is of type str; .*wb\.data\.read\(path\)"),
        ({"a": [1, 2]}, "is of type dict; pass an array"),
        ({1.0, -1.0}, "is of type set; pass an array"),
        ((row for row in X), "is of type generator; pass an array"),
    ],
)
def test_what_is_not_an_array_is_named_by_its_type(name, value, advice):
    with pytest.raises(wb.InputError, match=f"^{name} {advice}"):
        wb.Problem(**{"X": X, "y": LABELS, "lam": 0.1} | {name: value})


def test_targets_of_another_form_name_the_line_that_mends_them():
    with pytest.raises(wb.InputError, match=r"^y is a sparse matrix; pass y\.toarray\(\)\.ravel\(\)$"):
        wb.Problem(X, sp.csr_array(LABELS[:, None]), lam=0.1)
    with pytest.raises(wb.InputError, match=r"is needed; pass y\.ravel\(\)$"):
        wb.Problem(X, LABELS[:, None], lam=0.1)
    with pytest.raises(wb.InputError, match=r"is needed; give one value a sample"):
        wb.Problem(X, LABELS[1:], lam=0.1)


@pytest.mark.parametrize("digits", [400, 5000])
def test_a_huge_number_takes_one_line_of_a_message(digits):
    with pytest.raises(wb.InputError, match=r"^problem: lam = .* must be a finite number above 0$") as caught:
        wb.Problem(X, LABELS, lam=10**digits)
    assert len(str(caught.value)) < 200


@pytest.mark.filterwarnings("ignore::workbench.ConvergenceWarning")
def test_features_near_the_largest_float_end_without_a_warning_of_numpy():
    assert wb.solve(wb.Problem(X * 1e300, LABELS, lam=0.1)).status != "converged"


def test_solutions_and_certificates_compare_by_identity():
    solution, other = wb.solve(PROBLEM), wb.solve(PROBLEM)
    assert solution == solution
    assert solution != other
    certificate = wb.certificate(PROBLEM, w=solution.w)
    assert certificate in [certificate]
    assert len({solution, other, certificate}) == 3


@pytest.mark.parametrize("estimator", [wb.DualClassifier(), wb.MultinomialClassifier()])
def test_estimators_refuse_what_scikit_learn_misreads(estimator):
    for data in (TWICE, pd.DataFrame(X, columns=["a", "b", "a"])):
        with pytest.raises(wb.InputError, match="2 columns named 'a'; rename them"):
            estimator.fit(data, LABELS)
    with pytest.raises(wb.InputError, match="X is a masked array with 1 masked"):
        estimator.fit(MASKED, LABELS)
    with pytest.raises(wb.InputError, match="y is a masked array with 1 masked"):
        estimator.fit(X, np.ma.masked_array(LABELS, mask=np.arange(12) == 1))
    with pytest.raises(wb.InputError, match="sample_weight is 0 for all samples of class -1"):
        estimator.fit(X, LABELS, sample_weight=np.where(LABELS > 0, 1.0, 0.0))
    fitted = estimator.fit(pd.DataFrame(X, columns=list("abc")), LABELS)
    with pytest.raises(wb.InputError, match="2 columns named 'a'; rename them"):
        fitted.predict(TWICE)
    assert fitted.predict(pd.DataFrame(X, columns=list("abc"))).shape == (12,)


def test_missing_values_of_nullable_columns_are_named():
    frame = pd.DataFrame({"a": pd.array([1, 2, None, 4], dtype="Int64"), "b": [1.0, 2.0, 3.0, 4.0]})
    with pytest.raises(wb.InputError, match=r"a lack values: write X = X\.fillna"):
        wb.Problem(frame, [1, -1, 1, -1], lam=0.1)


def test_a_number_beyond_floats_and_rows_of_two_lengths_are_refused():
    with pytest.raises(wb.InputError, match=r"X cannot be read as numbers .* scale it"):
        wb.Problem([[10**400], [1]], [1, -1], lam=0.1)
    with pytest.raises(wb.InputError, match=r"X cannot be read as numbers .* give rows of one length"):
        wb.Problem([[1.0, 2.0], [3.0]], [1, -1], lam=0.1)


ESTIMATORS = (wb.DualClassifier, wb.DualRegressor, wb.MultinomialClassifier, wb.KernelSVC)


@pytest.mark.parametrize("kind", [*ESTIMATORS, wb.PrimalGradientClassifier])
@pytest.mark.parametrize(
    ("parameter", "advice"),
    [
        ("C", r"lam=1 / \(C \* len\(y\)\)"),
        ("alpha", "the regularization weight is lam"),
        ("penalty", "write regularizer="),
        ("max_epochs", "expected .*max_iter"),
        ("lamda", "did you mean lam"),
        ("nothing", "expected .*lam"),
    ],
)
def test_an_estimator_names_the_parameter_to_write(kind, parameter, advice):
    words = f"^{kind.__name__}: unknown parameter '{parameter}'; .*{advice}"
    with pytest.raises(wb.InputError, match=words):
        kind(**{parameter: 1})


def test_estimators_of_others_take_parameters_of_their_own():
    class Other(wb.DualClassifier):
        def __init__(self, C=2.0):
            super().__init__(lam=1 / (C * len(LABELS)))
            self.C = C

    assert Other(C=1.0).fit(X, LABELS).C == 1.0


@pytest.mark.parametrize("kind", ESTIMATORS)
@pytest.mark.parametrize(
    ("weights", "words"),
    [
        (["a", "b"] * 6, "cannot be read as numbers .*'a'.*give a number of 0 or more"),
        ("balanced", "is of type str; pass an array"),
        ([-1.0] * 12, r"\[0\] is -1; give weights of 0 or more"),
        ([1.0] * 11 + [-2.5], r"\[11\] is -2\.5; give weights of 0 or more"),
        ([1.0, np.nan] * 6, r"\[1\] is nan; remove"),
        ([1.0, None] * 6, r"\[1\] is nan; remove"),
        ([np.inf] * 12, r"\[0\] is inf; remove"),
        ([10**400] * 12, "scale it to numbers below 1e308"),
        ([1.0] * 5, r"has shape \(5,\) where \(12,\) is needed"),
        ([[1.0]] * 12, r"has shape \(12, 1\) where \(12,\) is needed"),
        ([1j] * 12, r"complex numbers; pass the real parts, such as np\.real\(sample_weight\)"),
    ],
)
def test_weights_that_are_not_numbers_of_zero_or_more_are_refused(kind, weights, words):
    with pytest.raises(wb.InputError, match=f"^sample_weight.*{words}"):
        kind().fit(X, LABELS, sample_weight=weights)
    with pytest.raises(wb.InputError, match=f"^sample_weight.*{words}"):
        wb.Problem(X, LABELS, lam=0.1, sample_weight=weights)


@pytest.mark.parametrize("kind", ESTIMATORS)
def test_column_names_of_several_types_are_refused(kind):
    mixed = pd.DataFrame(X, columns=["a", 1, 2])
    words = r"names of several types, such as 'a' and 2; .*X\.columns = X\.columns\.astype\(str\)"
    with pytest.raises(wb.InputError, match=words):
        kind().fit(mixed, LABELS)
    with pytest.raises(wb.InputError, match=words):
        kind().fit(X, LABELS).predict(mixed)
    mixed.columns = mixed.columns.astype(str)
    assert kind().fit(mixed, LABELS).predict(mixed).shape == (12,)


@pytest.mark.parametrize("kind", ESTIMATORS)
@pytest.mark.parametrize(
    ("targets", "words"),
    [
        (LABELS + 0j, r"y holds complex numbers; pass the real parts, such as np\.real\(y\)"),
        ([None, *LABELS[1:]], r"y\[0\] is None; leave out"),
        (np.array([*LABELS[1:], None], dtype=object), r"y\[11\] is None; leave out"),
        (["a", None] * 6, r"y\[1\] is None; leave out"),
        (pd.Series(["a", pd.NA] * 6, dtype=object), r"y\[1\] is <NA>; leave out"),
    ],
)
def test_targets_that_are_complex_or_missing_are_refused(kind, targets, words):
    with pytest.raises(wb.InputError, match=words):
        kind().fit(X, targets)


@pytest.mark.parametrize("kind", ESTIMATORS)
def test_objects_that_are_numbers_are_these_numbers(kind):
    weights = np.linspace(1.0, 2.0, 12)
    model = kind().fit(X, LABELS, sample_weight=weights)
    other = kind().fit(X.astype(object), LABELS.astype(object), sample_weight=weights.astype(object))
    np.testing.assert_array_equal(model.predict(X), other.predict(X))
    if kind is not wb.DualRegressor:
        assert other.classes_.dtype == float


def test_a_regressor_refuses_texts_and_dates():
    for targets, words in ((["a", "b"] * 6, "'a'.*give a number"), (LABELS.astype("M8[s]"), "y holds dates")):
        with pytest.raises(wb.InputError, match=words):
            wb.DualRegressor().fit(X, targets)
    with pytest.raises(wb.InputError, match="X holds complex numbers"):
        wb.DualRegressor().fit(X + 0j, LABELS)
