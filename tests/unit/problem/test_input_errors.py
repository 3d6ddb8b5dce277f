"""Data and arguments that are not what is asked for: right, or refused in one sentence with what to write."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

import workbench as wb
from workbench.errors import InputError

RNG = np.random.default_rng(0)
X = RNG.normal(size=(20, 3))
Y = np.where(X[:, 0] > 0, 1.0, -1.0)
FRAME = pd.DataFrame(X, columns=list("abc"))
MASKED = np.ma.masked_array(X, mask=np.arange(60).reshape(20, 3) == 7)
PROBLEM = wb.Problem(X, Y, lam=0.1)


@pytest.mark.parametrize("kind", [sp.lil_array, sp.lil_matrix])
def test_a_lil_matrix_with_an_empty_row_is_solved(kind):
    dense = X.copy()
    dense[3] = 0.0
    sparse = wb.solve(wb.Problem(kind(dense), Y, lam=0.1))
    np.testing.assert_allclose(sparse.w, wb.solve(wb.Problem(dense, Y, lam=0.1)).w, rtol=1e-12)


def test_rows_of_a_lil_matrix_that_hold_no_whole_numbers_are_refused():
    matrix = sp.lil_array(X)
    matrix.rows[0] = [0.5, 1.0, 2.0]
    with pytest.raises(InputError, match=r"X\.rows holds float64"):
        wb.Problem(matrix, Y)


TWICE = FRAME.set_axis(["a", "a", "b"], axis=1)
REFUSED = {
    "two columns of one name": (TWICE, Y, None, r"2 columns of the name 'a'.*X\.columns\.duplicated"),
    "a complex array": (X + 1j, Y, None, "X holds complex numbers"),
    "a complex column": (FRAME.astype({"b": complex}), Y, None, r"X\['b'\] holds complex numbers"),
    "a complex sparse matrix": (sp.csr_array(X + 1j), Y, None, "X holds complex numbers"),
    "a complex target": (X, Y + 1j, None, "y holds complex numbers"),
    "a masked array": (MASKED, Y, None, r"X is a masked array with 1 masked entries.*X\.filled"),
    "a masked target": (X, np.ma.masked_array(Y, 1.5 * Y.min() < Y), None, "y is a masked array"),
    "masked weights": (X, Y, np.ma.masked_array(np.ones(20), Y > 0), "sample_weight is a masked array"),
    "a column of dates": (
        FRAME.assign(t=pd.date_range("2020", periods=20)),
        Y,
        None,
        r"X\['t'\] holds dates",
    ),
    "time zones": (FRAME.assign(t=pd.date_range("2020", periods=20, tz="UTC")), Y, None, "holds dates"),
    "an array of time spans": (np.ones((20, 1), "m8[D]"), Y, None, "holds time spans"),
    "a class without weight": (X, Y, (Y > 0) * 1.0, r"class -1\.0 have the weight 0"),
}


@pytest.mark.parametrize(("features", "y", "weight", "fragment"), REFUSED.values(), ids=REFUSED)
def test_what_an_estimator_cannot_use(features, y, weight, fragment):
    with pytest.raises(InputError, match=fragment):
        wb.DualClassifier().fit(features, y, sample_weight=weight)


def test_a_class_without_weight_among_three():
    labels = np.arange(20) % 3
    with pytest.raises(InputError, match="class 2 have the weight 0"):
        wb.MultinomialClassifier().fit(X, labels, sample_weight=(labels < 2) * 1.0)


@pytest.mark.parametrize("features", [TWICE, MASKED, X + 1j])
def test_predictions_refuse_what_a_fit_refuses(features):
    model = wb.DualClassifier().fit(X, Y)
    with pytest.raises(InputError):
        model.predict(features)


def test_a_masked_array_without_a_mask_is_an_array():
    masked, plain = (wb.DualClassifier().fit(each, Y).coef_ for each in (np.ma.masked_array(X), X))
    np.testing.assert_array_equal(masked, plain)


def test_solutions_are_compared_by_identity():
    first, second = (wb.solve(PROBLEM) for _ in range(2))
    assert first == first
    assert first != second
    assert len({first, second}) == 2


NOT_PROBLEMS = {
    "arrays": (X, r"write wb\.Problem\(X, y\)"),
    "an estimator": (wb.DualClassifier(), r"write model\.fit\(X, y\)"),
    "a name": ("breast-cancer", r"wb\.data\.load\('breast-cancer'\)"),
    "a data set": (wb.data.load("breast-cancer"), r"write wb\.Problem\(data\.X, data\.y\)"),
    "nothing": (None, "NoneType is not a Problem"),
}


@pytest.mark.parametrize(("argument", "advice"), NOT_PROBLEMS.values(), ids=NOT_PROBLEMS)
@pytest.mark.parametrize(
    "call", [wb.solve, lambda value: wb.solve(value, Y), wb.Run, lambda value: wb.path(value, [1])]
)
def test_what_is_not_a_problem_is_refused_with_what_to_write(call, argument, advice):
    with pytest.raises(InputError, match=advice):
        call(argument)


@pytest.mark.parametrize(
    ("name", "advice"),
    [("C", r"lam=1 / \(C \* n\)"), ("fit_intercept", "bias=True"), ("lamda", "expected one of X, y, loss")],
)
def test_an_unknown_parameter_of_a_problem(name, advice):
    with pytest.raises(InputError, match=f"unknown parameter '{name}'.*{advice}"):
        wb.Problem(X, Y, **{name: 1})


@pytest.mark.parametrize(
    ("rows", "advice"),
    [
        ([[1.0, 2.0], [3.0]], "rows of one length"),
        (FRAME[:2].astype("Float64").mask(FRAME[:2] > 0), "missing values"),
    ],
)
def test_advice_fits_what_cannot_be_read(rows, advice):
    with pytest.raises(InputError, match=advice):
        wb.Problem(rows, [1.0, -1.0])
