"""Each row of docs/coming-from.md: the peer's coefficients are those of the problem beside it."""

import re
import warnings
from pathlib import Path

import cvxpy
import numpy as np
import pytest
import sklearn.linear_model
import sklearn.svm

import workbench as wb

TEXT = (Path(__file__).parents[3] / "docs" / "coming-from.md").read_text("utf-8")
ROWS = re.findall(r"^\| `(.+?)` \| `(.+?)` \|$", TEXT, re.MULTILINE)
RNG = np.random.default_rng(0)
X = RNG.standard_normal((60, 4))
z = X @ [1.0, -2.0, 0.0, 0.5] + 0.3 + RNG.standard_normal(60)
NAMES = {
    **{name: getattr(sklearn.linear_model, name) for name in sklearn.linear_model.__all__},
    **{name: getattr(sklearn.svm, name) for name in sklearn.svm.__all__},
    "Problem": wb.Problem,
    "np": np,
    "cvxpy": cvxpy,
    "X": X,
    "z": z,
    "y": np.where(z > 0, 1.0, -1.0),
    "n": 60,
    "C": 0.7,
    "a": 0.05,
    "r": 0.3,
    "e": 0.2,
    "lam": 0.05,
}


@pytest.mark.parametrize(("peer", "ours"), ROWS, ids=[peer for peer, _ in ROWS])
def test_the_coefficients_are_the_peer_s(peer, ours):
    model = eval(peer, dict(NAMES))
    # liblinear draws an order of its own, and in one of a hundred orders it does not converge.
    sharper = {"tol": 1e-12, "max_iter": 10**6, "random_state": 0}
    sharper = {name: value for name, value in sharper.items() if name in model.get_params()}
    problem = eval(ours, dict(NAMES))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = model.set_params(**sharper).fit(X, NAMES["z" if ", z," in ours else "y"])
    solution = wb.solve(problem, tol=1e-13, max_epochs=10**5)
    np.testing.assert_allclose(solution.w, np.ravel(model.coef_), atol=2e-6)
    if problem.bias:
        np.testing.assert_allclose(solution.b, np.ravel(model.intercept_)[0], atol=2e-6)


def test_cvxpy_s_block_is_the_problem_beside_it():
    names = dict(NAMES)
    exec(re.search(r"```python\n(.+?)```", TEXT, re.DOTALL)[1], names)
    best = names["problem"].solve(solver="CLARABEL")
    problem = wb.Problem(X, names["y"], "hinge", "squared-l2", names["lam"])
    certificate = wb.certificate(problem, w=names["w"].value)
    assert certificate.primal == pytest.approx(best, abs=1e-8)
    assert 0.0 <= certificate.gap <= 1e-6
