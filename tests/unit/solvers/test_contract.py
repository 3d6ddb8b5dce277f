"""The promises of every solver, on every problem of a fitting set: one table, one line a solver.

Single steps are one run bit for bit, so is a run from a copy of a state, dense data give what sparse
ones do, no lower bound lies above any value, and a solver that promises to descend or to converge does.
"""

from dataclasses import dataclass, field
from functools import partial

import numpy as np
import pytest
import scipy.sparse as sp

import workbench as wb
from tests.helpers.amounts import pairs, product
from tests.helpers.cases import ENTROPIES, LOSSES, REGULARIZERS, samples, terms_for
from workbench import solvers
from workbench.problems import Problem
from workbench.teaching.testing import solver_checks as checks

EPOCHS = 12
# A primal or dual value rounds by some units in the last place of the mean loss.
ROUNDING = 1e-12
X, LABELS, TARGETS = samples(n=24, d=5, seed=2)
CLASSES = np.arange(24) % 3
# Constraints that dual variables in the middle of every domain meet, for lam = 0.1.
TIED = (np.eye(5)[:2], np.eye(5)[:2] @ X.T @ (0.4 * LABELS) / 2.4)
MARGIN = tuple(loss for loss in LOSSES if "hinge" in loss or loss == "logistic")
KINKED = ("hinge", "epsilon-insensitive:epsilon=0.3")
SMOOTH = (*(loss for loss in LOSSES if loss not in KINKED), "multinomial")
SEPARABLE = ("squared-l2", "elastic-net:epsilon=0.2", "entropy:mu=0.3")
P_NORMS = ("p-norm:p=1.2,ball=0.7", "p-norm:p=1.5", "p-norm:p=1.8,ball=0.05", "p-norm:p=2")
Q_NORMS = ("q-norm:q=1.5", "q-norm:q=3,power=1.5")


@dataclass(frozen=True)
class Contract:
    """A solver, the problems that it takes, and what it promises on them.

    `descends` names the column of the history that never turns back; `gap` is the relative gap that the
    solver reaches within `epochs`, None where it promises none.
    """

    solver: object
    losses: tuple
    regularizers: tuple
    options: dict = field(default_factory=dict)
    descends: str = ""
    gap: float | None = None
    epochs: int = 3000


CONTRACTS = (
    Contract(solvers.GaussSeidel(), LOSSES, REGULARIZERS, {"bias": "constant"}, "dual", 1e-4),
    Contract(solvers.GaussSeidel(shrinking=True), LOSSES, ("squared-l2",), {}, "dual", 1e-8),
    Contract(solvers.GaussSeidel("newton"), LOSSES, REGULARIZERS, {"embed": "balanced"}, "dual", 1e-4),
    Contract(solvers.GaussSeidel("gradient", eta=0.005), MARGIN, REGULARIZERS),
    Contract(solvers.GaussSeidel(), LOSSES, ("squared-l2",), {"kernel": "rbf:gamma=0.3"}, "dual", 1e-8),
    *(
        Contract(solvers.GaussSeidel(update), MARGIN[:3], P_NORMS, {}, "dual", 1e-5)
        for update in ("exact", "bounded", "newton")
    ),
    Contract(solvers.GaussSeidel(), ("multinomial",), SEPARABLE, {"bias": "constant"}, "dual", 1e-8),
    Contract(solvers.GaussSeidel(), ("negative-log",), ENTROPIES, {}, "dual", 1e-6),
    Contract(solvers.MaximalViolatingPair(0.0), ("hinge",), ("squared-l2",), {"bias": True}, "dual", 1e-8),
    Contract(solvers.ConjugateGradient(), ("squared",), ("squared-l2",), {"bias": "constant"}, "dual", 1e-10),
    Contract(solvers.ConjugateGradient("none"), ("squared",), ("squared-l2",), {}, "dual", 1e-10),
    Contract(solvers.ProximalGradient(), SMOOTH, (*SEPARABLE[:2], "l1", "trace"), {"bias": True}, "", 1e-8),
    Contract(solvers.ProximalGradient(step="backtracking"), SMOOTH, ("group-l1linf:size=2",), {}, "", 1e-8),
    Contract(solvers.LBFGS(), SMOOTH, ("squared-l2", "q-norm:q=1.5"), {"bias": True}, "primal", 1e-8),
    Contract(solvers.Newton(), SMOOTH, ("squared-l2", *Q_NORMS), {"bias": True}, "primal", 1e-8),
    Contract(solvers.Newton(), ("squared", "multinomial"), ENTROPIES, {"bias": "constant"}, "", 1e-8),
    Contract(solvers.ProximalPoint(), LOSSES, ("squared-l2", *Q_NORMS), {"bias": True}, "", 1e-8),
    Contract(solvers.ProximalPoint(), KINKED, ENTROPIES, {"bias": "constant", "embed": "balanced"}, "", 1e-8),
    Contract(
        solvers.CoordinateDescent(),
        ("squared",),
        (*SEPARABLE[:2], "l1"),
        {"bias": "constant", "sample_weight": None},
        "primal",
        1e-8,
    ),
    Contract(
        solvers.CoordinateDescent("shuffled"),
        SMOOTH,
        ("l1", "elastic-net:epsilon=0.2", "group-l1l2:size=2"),
        {"bias": True},
        "primal",
        1e-8,
    ),
    Contract(
        solvers.CoordinateDescent(), SMOOTH[-2:], ("l1", "sparse-group:size=2,share=0.3"), {}, "primal", 1e-8
    ),
    Contract(solvers.AugmentedLagrangian(), LOSSES, SEPARABLE[:2], {"bias": True}, "", 1e-6, 20_000),
    Contract(solvers.ModifiedAugmentedLagrangian(), LOSSES, SEPARABLE[:2], {"bias": True}, "", 1e-6, 20_000),
    Contract(
        solvers.ModifiedAugmentedLagrangian(), MARGIN, Q_NORMS[:1], {"constraints": TIED}, "", 1e-6, 20_000
    ),
    Contract(
        solvers.FrankWolfe(),
        ("hinge", "logistic", "multinomial"),
        ("squared-l2", *ENTROPIES),
        {"bias": True},
        "dual",
        1e-3,
    ),
    Contract(solvers.FrankWolfe("open-loop"), ("logistic",), ("elastic-net:epsilon=0.2",), {}, "", 1e-3),
    Contract(
        solvers.PDHG(),
        (*KINKED, "logistic", "multinomial"),
        ("squared-l2", "entropy:mu=0.3", "l1"),
        {"bias": True},
        "",
        1e-6,
    ),
    Contract(solvers.Conic(), (*KINKED, "squared"), ("squared-l2", "l1", "l2"), {"bias": True}, "", 1e-6),
    Contract(solvers.PDHG(restart=False), ("squared",), SEPARABLE[:2], {}, "", 1e-6),
    Contract(solvers.SDCA(), ("hinge", "logistic"), SEPARABLE[:2], {"bias": "constant"}, "dual", 1e-6),
    Contract(solvers.CoCoA(3), LOSSES, SEPARABLE, {"bias": "constant"}, "dual", 1e-4, 20_000),
    Contract(solvers.CoCoA(4, 3), ("hinge",), ("squared-l2",), {}, "", 1e-6, 20_000),
    Contract(solvers.SDCA(), ("multinomial",), ("squared-l2",), {}, "dual", 1e-6),
    Contract(solvers.PrimalGradient(), LOSSES, ("squared-l2", "p-norm:p=1.5"), {"bias": "constant"}),
    Contract(solvers.PrimalGradient(batch=5, output="last"), MARGIN, ("p-norm:p=1.8,ball=0.5",)),
    Contract(solvers.Perceptron(), MARGIN, ("squared-l2",), {"bias": "constant"}),
    Contract(solvers.Perceptron(margin=1.0, order="shuffled"), MARGIN, ("squared-l2",)),
    Contract(solvers.Winnow(), MARGIN, ENTROPIES, {"embed": "balanced"}),
    Contract(solvers.PNorm(), MARGIN, Q_NORMS, {"bias": "constant"}),
)


# A solver without a line of its own: one problem that it takes, and what every solver promises.
for _name in sorted({*solvers.REGISTRY} - {contract.solver.name for contract in CONTRACTS}):
    _loss, _regularizer, _bias = terms_for(_name)
    CONTRACTS += (Contract(solvers.get(_name), (_loss,), (_regularizer,), {"bias": _bias}),)


def label(contract, loss, regularizer):
    parameters = {k: v for k, v in vars(contract.solver).items() if v != getattr(type(contract.solver), k)}
    options = [contract.options["kernel"]] if "kernel" in contract.options else []
    return "-".join([contract.solver.name, *map(str, parameters.values()), *options, loss, regularizer])


CASES = {
    label(contract, loss, regularizer): (contract, loss, regularizer)
    for contract in CONTRACTS
    for loss in contract.losses
    for regularizer in contract.regularizers
}


def problem(case, sparse=False):
    contract, loss, regularizer = case
    y = CLASSES if loss == "multinomial" else LABELS if loss in MARGIN else TARGETS
    weight = np.linspace(0.5, 1.5, 24)
    data = np.exp(-(X**2)) if loss == "negative-log" else X
    options = {"sample_weight": weight} | contract.options
    return Problem(sp.csr_array(data) if sparse else data, y, loss, regularizer, lam=0.1, **options)


def run_of(case):
    return wb.Run(problem(case), case[0].solver, seed=3)


@pytest.mark.parametrize(
    "case",
    product(
        [pytest.param(case, id=name) for name, case in CASES.items()],
        lambda case: pairs(id(case[0]), *case[1:]),
    ),
)
def test_a_solver_keeps_its_promises(case):
    """Those of every solver; weak duality at every check; and what its line of the table says."""
    for check in (
        checks.single_steps_are_one_run_and_so_is_a_state_taken_up,
        checks.a_state_tells_its_steps_and_its_seed_and_an_event_its_fields,
        checks.dense_equals_sparse,
        checks.a_certificate_owns_its_numbers,
    ):
        check(case[0].solver, partial(problem, case))
    contract, run = case[0], run_of(case)
    run.record()
    for _ in range(EPOCHS):
        # Fewer where the optimum is reached to the last digit.
        if run.epoch() == 0:
            break
        run.record()
    history = run.history
    scale = run.problem.zero_value + abs(run.last.primal)
    assert (history["gap"] >= 0.0).all()
    assert history["dual"].max() <= history["primal"].min() + ROUNDING * scale
    if contract.descends:
        sign = {"dual": 1.0, "primal": -1.0}[contract.descends]
        assert (sign * np.diff(history[contract.descends]) >= -ROUNDING * scale).all()
    if contract.gap is not None:
        assert run.until(contract.gap, max_epochs=contract.epochs) == "converged"
        assert run.last.relative_gap <= contract.gap
        assert run.last.gap == pytest.approx(run.last.primal - run.last.dual, abs=ROUNDING * scale)
