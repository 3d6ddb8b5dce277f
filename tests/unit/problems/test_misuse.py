"""Arguments that people pass by mistake: each is read right, or refused with the line to write."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.svm import LinearSVC

import workbench as wb
from tests.helpers.cases import samples

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
        (lambda: wb.path(X, [1.0]), r"write wb\.path\(wb\.Problem\("),
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
