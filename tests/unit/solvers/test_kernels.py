"""Kernels against scikit-learn's, their matrix row by row, and what is refused."""

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.metrics.pairwise import linear_kernel, polynomial_kernel, rbf_kernel

import workbench as wb
from tests.helpers.cases import samples
from workbench._support.errors import InputError
from workbench.problems.design import Design
from workbench.problems.kernels import Expansion

ROUNDING = 1e-13
KERNELS = {
    "linear": lambda a, b: linear_kernel(a, b),
    "rbf:gamma=0.3": lambda a, b: rbf_kernel(a, b, gamma=0.3),
    "rbf": lambda a, b: rbf_kernel(a, b),
    "polynomial:degree=3,gamma=0.5,coef0=1": lambda a, b: polynomial_kernel(a, b, 3, 0.5, 1.0),
    "polynomial:degree=1": lambda a, b: polynomial_kernel(a, b, 1, coef0=0.0),
}


def kernel_problem(kernel, X=None, sparse=False, **options):
    rows, labels, _ = samples()
    X = rows if X is None else X
    return wb.Problem(sp.csr_array(X) if sparse else X, labels, "hinge", lam=0.1, kernel=kernel, **options)


@pytest.mark.parametrize("whole", [True, False])
@pytest.mark.parametrize("sparse", [True, False])
@pytest.mark.parametrize("kernel", KERNELS)
def test_products_and_expansions_agree_with_scikit_learn(kernel, sparse, whole):
    X, labels, _ = samples()
    expected = KERNELS[kernel](X, X)
    matrix = kernel_problem(kernel, sparse=sparse).kernel_matrix
    if whole:
        assert matrix.keep(10**6) < 10**6
        assert matrix.whole
    np.testing.assert_allclose(matrix.diagonal, np.diag(expected), rtol=ROUNDING)
    factors = labels * (np.arange(12) % 3 > 0)
    for _ in range(2):
        np.testing.assert_allclose(matrix.product(factors), expected @ factors, atol=1e2 * ROUNDING)
    new = np.random.default_rng(1).normal(size=(7, 5))
    new[2] = 0.0
    expansion = Expansion.of(matrix, factors)
    assert expansion.support.size == 8
    values = expansion(Design(sp.csr_array(new)))
    np.testing.assert_allclose(values, KERNELS[kernel](new, X) @ factors, atol=1e2 * ROUNDING)


def test_a_matrix_too_large_for_its_share_is_not_kept():
    matrix = kernel_problem("rbf").kernel_matrix
    assert matrix.keep(2 * 8 * 144 - 1) == 2 * 8 * 144 - 1
    assert not matrix.whole


def test_a_given_matrix_is_copied_unless_it_is_read_only():
    X, labels, _ = samples()
    K = rbf_kernel(X, gamma=0.3)
    p = wb.Problem(K, labels, "hinge", lam=0.1, kernel="precomputed")
    assert not np.shares_memory(p.gram, K)
    assert K.flags.writeable
    K.setflags(write=False)
    assert np.shares_memory(wb.Problem(K, labels, "hinge", kernel="precomputed").gram, K)
    np.testing.assert_allclose(p.kernel_matrix.product(labels), K @ labels, atol=1e2 * ROUNDING)
    assert p.digest != kernel_problem("rbf:gamma=0.3").digest


def test_a_matrix_with_the_same_entries_is_checked_once(monkeypatch):
    X, labels, _ = samples()
    K, checks = rbf_kernel(X, gamma=0.29), []
    monkeypatch.setattr("workbench.problems.kernels.refuse_indefinite", lambda K, eps: checks.append(eps))
    for matrix in (K, K.copy(), 2.0 * K, K.astype(np.float32).astype(float)):
        wb.Problem(matrix, labels, "hinge", kernel="precomputed")
    assert len(checks) == 3
    K[2, 3] = np.nan
    with pytest.raises(InputError, match=r"X\[2, 3\] is nan"):
        wb.Problem(K, labels, "hinge", kernel="precomputed")


def test_problems_that_share_their_data_share_their_rows():
    p = kernel_problem("rbf")
    assert p.replace(lam=0.2).kernel_matrix is p.kernel_matrix


@pytest.mark.parametrize(
    ("kernel", "text"),
    [
        ("rbf:gamma=0", "gamma = 0.0 must be"),
        ("polynomial:degree=1.5", "not a whole number"),
        ("polynomial:coef0=-1", "coef0 = -1.0 must be"),
        ("rbff", "did you mean 'rbf'"),
        (7, "neither a name nor a Kernel"),
    ],
)
def test_kernels_are_refused_by_name(kernel, text):
    with pytest.raises(InputError, match=text):
        kernel_problem(kernel)


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"regularizer": "elastic-net"}, "needs the regularizer squared-l2"),
        ({"embed": "balanced"}, "no meaning with a kernel"),
        ({"bias": "constant"}, "use True or False"),
        ({"loss": "multinomial"}, "needs one a class; leave the kernel out"),
    ],
)
def test_what_a_kernel_cannot_stand_for_is_refused(options, text):
    X, labels, _ = samples()
    with pytest.raises(InputError, match=text):
        wb.Problem(X, labels, **{"loss": "hinge", "kernel": "rbf", **options})


def broken(place, value):
    K = np.eye(12)
    K[place] = value
    return K


@pytest.mark.parametrize(
    ("matrix", "text"),
    [
        (broken((2, 3), np.nan), r"X\[2, 3\] is nan"),
        (broken((2, 3), 0.5), r"X\[2, 3\] is 0.5 and X\[3, 2\] is 0"),
        (broken((4, 4), -1.0), r"not positive semi-definite \(K\[4, 4\] = -1\)"),
        (np.ones((12, 5)), "needs a square matrix"),
        ([["a"]], "cannot be read as numbers"),
    ],
)
def test_a_matrix_that_is_no_kernels_is_refused(matrix, text):
    with pytest.raises(InputError, match=text):
        kernel_problem("precomputed", matrix)


def test_a_kernel_that_overflows_is_refused():
    with pytest.raises(InputError, match=r"K\(x, x\) overflows at sample 0"):
        kernel_problem("polynomial:degree=40", samples()[0] * 1e10)


def test_an_entry_that_is_not_finite_in_a_large_matrix_is_refused(monkeypatch):
    monkeypatch.setattr("workbench.problems.kernels.SMALL_MATRIX", 5)
    K = broken((2, 11), np.inf)
    K[11, 2] = np.inf
    with pytest.raises(InputError, match=r"X\[2, 11\] is inf"):
        kernel_problem("precomputed", K, bias=True)


def test_no_weights_with_a_kernel():
    p = kernel_problem("rbf")
    with pytest.raises(InputError, match="w is not available"):
        wb.certificate(p, w=np.zeros(5))


def test_weights_that_cancel_are_no_sign_of_an_indefinite_matrix():
    """If w is almost zero, the rest of alpha'K alpha is rounding, of either sign."""
    X, y = wb.data.examples.plane("Crossed")
    problem = wb.Problem(X, y, "hinge", "squared-l2", 1.0 / y.size, bias=True, kernel="linear")
    solver = wb.solvers.MaximalViolatingPair(tol=0.0, selection="second-order", shrinking=False)
    run = wb.Run(problem, solver)
    for _ in range(60):
        run.step()
        assert run.certificate().gap >= 0.0
