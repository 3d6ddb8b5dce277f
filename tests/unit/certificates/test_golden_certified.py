"""Problems on the bundled data have the optimum, and the outcome, that `golden_certified` recorded."""

import re

import numpy as np
import pytest

import workbench as wb
from tests.corpora import golden_certified
from workbench._support.errors import InputError

RECORDED = golden_certified.recorded()
REFUSED = [line for line, was in RECORDED.items() if isinstance(was, str)]
# The most that predictions within the tolerance of a gap may differ in their correlation with the targets.
ALIKE = 0.05


@pytest.mark.parametrize("line", [line for line in RECORDED if line not in REFUSED])
def test_an_optimum_lies_where_it_lay(line):
    was = RECORDED[line]
    X, y, problem, tol, solution = golden_certified.solved(line)
    rounding = golden_certified.ROUNDING * max(1.0, abs(solution.primal), abs(solution.dual))
    # Both intervals hold the optimum.
    assert was["dual"] <= solution.primal + rounding
    assert solution.dual <= was["primal"] + rounding
    assert (solution.status, solution.solver) == (was["status"], was["solver"])
    assert golden_certified.shapes(solution) == was["shapes"]
    assert np.isfinite(solution.alpha).all()
    # The caller's weights and bias are those that were certified.
    assert primal(X, problem, solution) <= solution.primal + rounding
    if solution.status == "converged":
        assert solution.relative_gap <= tol
        assert abs(golden_certified.agreement(X, y, solution) - was["agreement"]) <= ALIKE
    counts = {name: count for name, count in golden_certified.counts(solution).items() if count is not None}
    assert counts | {name: was[name] for name in counts if name in was} == counts


def primal(X, problem, solution):
    """The objective at what the caller is given."""
    z = solution.decision_function(X)
    if solution.w is not None:
        np.testing.assert_allclose(z, X @ solution.w + solution.b, rtol=1e-12, atol=1e-12)
        return wb.certificate(problem, w=solution.w, b=solution.b).primal
    return (problem.loss_sum(z) + 0.5 * solution.alpha @ (z - solution.b)) / problem.n_samples


@pytest.mark.parametrize("line", REFUSED)
def test_a_refusal_is_the_same_sentence(line):
    with pytest.raises(InputError, match=f"^{re.escape(RECORDED[line])}$"):
        golden_certified.solved(line)


# Since the record was made; `test_oracles` compares them with other libraries.
NEWER = {"bounded", "quantile"}


def test_every_part_has_its_turn():
    lines = " ".join(set(RECORDED) - set(REFUSED)).replace(":", " ").split()
    for registry in (wb.losses.REGISTRY, wb.regularizers.REGISTRY, wb.solvers.REGISTRY):
        assert set(registry) - NEWER <= set(lines)
