"""A user's program whose types `make lint` checks with mypy: the public API says what it takes and gives."""

from collections.abc import Iterator
from typing import assert_type

import numpy as np

import workbench as wb
from workbench.certificates import Certificate
from workbench.conjugates.convex.pair import Pair
from workbench.estimators.external import ModelCertificate
from workbench.solvers.stopping import Status

X, y = np.eye(4), np.array([1.0, -1.0, 1.0, -1.0])
elastic = wb.regularizers.ElasticNet(epsilon=0.1)
problem = wb.Problem(X, y, loss="hinge", regularizer=elastic, lam=1e-2, bias=False)
assert_type(problem.n_samples, int)
assert_type(problem.lam, float)
assert_type(problem.replace(lam=1e-3), wb.Problem)

solution = wb.solve(problem, wb.solvers.GaussSeidel(update="exact"), tol=1e-6, test=(X, y))
assert_type(solution, wb.Solution)
assert_type(solution.gap, float)
assert_type(wb.solve(problem, "gauss-seidel", warm_start=solution).status, Status | None)
assert_type(list(wb.path(problem, [1.0, 0.1])), list[wb.Solution])

run = wb.Run(problem, "gauss-seidel", seed=3)
assert_type(run.step(5), int)
assert_type(run.until(gap=1e-3, stop=lambda: False), Status | None)
assert_type(run.certificates(), Iterator[Certificate])

certificate = wb.certificate(problem, w=np.zeros(4))
assert_type(certificate, Certificate)
assert_type(certificate.relative_gap, float)
assert_type(wb.certificate(object(), X, y).relative_gap, float)
assert_type(wb.certificate(object(), X, y), ModelCertificate)

pair = wb.conjugate("log(1 + exp(u))", parameters={"p": "p > 1"})
assert_type(pair, Pair)
own = wb.losses.custom("max(0, 1 - u)**3 / 3", kind="margin")
wb.Problem(X, y, loss=own, regularizer=wb.regularizers.custom("cosh(u) - 1"))
wb.gaps.svm(X, y, 1.0, np.zeros(4))
wb.sweep(problem, {"lam": [1.0, 0.1]}, workers=1)
wb.maximum_entropy(X, np.full(4, 0.25))
