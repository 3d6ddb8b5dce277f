"""One rule for all solvers that a student writes: those of a library are refused, other functions are not."""

import numpy as np
import pytest
import scipy
import scipy.optimize
import scipy.sparse.linalg
from scipy.optimize import minimize
from scipy.sparse.linalg import cg
from scipy.special import xlogy

from tests.helpers.made_lessons import refusal
from tests.lessons.test_lesson_answers import answer_of
from workbench.teaching.student_solvers import library_solvers


def _matrix(X, lam):
    return X @ X.T / (lam * len(X)) + np.eye(len(X)) / 2


def by_name(X, y, lam, steps):
    return cg(_matrix(X, lam), y, maxiter=steps)[0]


def by_module(X, y, lam, steps):
    return scipy.sparse.linalg.cg(_matrix(X, lam), y, maxiter=steps)[0]


def imported_inside(X, y, lam, steps):
    from scipy.sparse.linalg import cg as conjugate

    return conjugate(_matrix(X, lam), y, maxiter=steps)[0]


def module_inside(X, y, lam, steps):
    import scipy.sparse.linalg as sla

    return sla.cg(_matrix(X, lam), y, maxiter=steps)[0]


def by_helper(X, y, lam, steps):
    return by_name(X, y, lam, steps)


@pytest.mark.parametrize("answer", [by_name, by_module, imported_inside, module_inside, by_helper])
def test_conjugate_gradients_of_scipy_are_refused(answer):
    assert "write the steps yourself" in refusal("2.5", answer)


def test_a_minimizer_of_scipy_is_refused():
    def entropy(X, y, mu, tol, max_steps):
        def dual(alpha):
            return np.log(np.sum(mu * np.exp(X.T @ alpha))) - alpha @ y

        return minimize(dual, np.zeros(len(y)), tol=tol).x

    assert "minimize" in refusal("4.5", entropy)


def test_other_functions_and_own_names_are_not_solvers():
    def own(X, y):
        minimize = np.linalg.norm
        return minimize(X) + xlogy(y, y).sum() + scipy.linalg.norm(X)

    assert library_solvers(own) == []
    assert library_solvers(answer_of("2.5")) == []
