"""Screening: without what is discarded the optimum is the same, and what is kept is not zero there.

Both optima are known to within certified gaps, so a wrong discard shows as a lower bound of the smaller
problem above a value of the whole one.
"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import workbench as wb
from tests.helpers.amounts import amount
from workbench._support.errors import InputError
from workbench.certificates import screening
from workbench.solvers import CoordinateDescent

EXAMPLES = amount(25, 1000)
# A value rounds by some units in the last place of the terms it sums.
ROUNDING = 1e-11
LOSSES = (
    "squared",
    "huber:delta=0.7",
    "logistic",
    "squared-hinge",
    "smoothed-hinge",
    "epsilon-insensitive:epsilon=0.2,p=2",
    "multinomial",
)
# How near the screened point is: passes of proximal gradient steps.
PASSES = (0, 3, 30, 300)


@st.composite
def problems(draw):
    """The parts of a problem whose features are duplicated, zero, shifted and badly scaled now and then."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n, d = draw(st.integers(1, 14)), draw(st.integers(1, 10))
    X = rng.normal(size=(n, d)) * 10.0 ** rng.uniform(-1, 1, d)
    if draw(st.booleans()):
        X[:, rng.integers(d)] = X[:, rng.integers(d)]
        X[:, rng.integers(d)] = 0.0
    X += draw(st.sampled_from([0.0, 0.0, 3.0]))
    loss = draw(st.sampled_from(LOSSES))
    y = X @ rng.normal(size=d) + rng.normal(size=n)
    margin = "hinge" in loss or loss == "logistic"
    if loss == "multinomial":
        # With a free bias every class has to be there.
        y = np.roll(np.arange(n) % 3, int(rng.integers(3))).astype(float)
    elif margin:
        y = np.where(y > 0.0, 1.0, -1.0)
        y[:2] = [1.0, -1.0][: min(n, 2)]
    bias = draw(st.booleans()) and n > 2
    weight = rng.uniform(0.3, 3.0, n) if draw(st.booleans()) else None
    kind = draw(st.sampled_from(["l1", "elastic-net", "group-l1l2", "sparse-group"]))
    loss = "multinomial:classes=3" if loss == "multinomial" else loss
    share = 10.0 ** draw(st.floats(-2.5, 0.0))
    return X, y, loss, kind, share, bias, weight, draw(st.sampled_from(PASSES))


def regularizer(kind, groups):
    """The regularizer on these groups of columns."""
    options = {"weights": None, "groups": tuple(map(tuple, groups))}
    if kind == "group-l1l2":
        return wb.norms.GroupL1L2(**options)
    if kind == "sparse-group":
        return wb.norms.SparseGroup(share=0.4, **options)
    return "elastic-net:epsilon=0.6" if kind == "elastic-net" else kind


def renumbered(groups, stays):
    """The groups on the columns that stay."""
    number = np.cumsum(stays) - 1
    parts = [[int(number[j]) for j in group if stays[j]] for group in groups]
    return [part for part in parts if part]


def at_unit_lambda(drawn):
    """The problem with lambda 1, and its groups of columns."""
    X, y, loss, kind, _, bias, weight, _ = drawn
    groups = [range(j, min(j + 3, X.shape[1])) for j in range(0, X.shape[1], 3)]
    return wb.Problem(X, y, loss, regularizer(kind, groups), 1.0, bias=bias, sample_weight=weight), groups


def check(drawn):
    """Screen a point, and solve the problem with and without what is discarded."""
    X, y, loss, kind, share, bias, weight, passes = drawn
    unit, groups = at_unit_lambda(drawn)
    steep = unit.dual_vector(screening_alpha(unit))
    highest = float(np.abs(steep).max())
    if not highest > 0.0:
        return
    problem = unit.replace(lam=share * highest)
    run = wb.Run(problem, "proximal-gradient")
    run.step(passes)
    screening = wb.screening(problem, **{k: v for k, v in point(problem, run).items() if v is not None})
    exact = CoordinateDescent(screening=False)
    whole = wb.solve(problem, exact, tol=1e-10, max_epochs=5000)
    # A column of the design goes where all its weights do.
    zero = screening.entries.reshape(X.shape[1], -1)
    stays = ~zero.all(axis=1)
    size = ROUNDING * max(problem.zero_value, whole.primal)
    remaining = np.flatnonzero(screening.status == "kept")
    assert np.abs(whole.w.reshape(-1)[remaining]).all() or whole.gap > size
    if not stays.any():
        at_zero = wb.certificate(problem, w=np.zeros((X.shape[1], *problem.columns)))
        assert at_zero.dual <= whole.primal + size
        assert abs(at_zero.primal - whole.primal) <= at_zero.gap + whole.gap + size
        return
    rest = wb.Problem(
        X[:, stays],
        y,
        loss,
        regularizer(kind, renumbered(groups, stays)),
        problem.lam,
        bias=bias,
        sample_weight=weight,
    )
    small = wb.solve(rest, exact, tol=1e-10, max_epochs=5000)
    assert small.dual <= whole.primal + size
    assert abs(small.primal - whole.primal) <= small.gap + whole.gap + size


def screening_alpha(problem):
    """The dual point of map (10) at w = 0, not scaled."""
    from workbench.certificates import loss_terms

    side, z = loss_terms.loss_side(problem), np.zeros((problem.n_samples, *problem.columns))
    return side.alpha_at(z, side.best_bias(z) if problem.free_bias else 0.0)


def point(problem, run):
    """The weights of a run, and their best bias."""
    made = run.certificate()
    w, b = problem.split(made.w, made.b)
    return {"w": w, "b": b if problem.free_bias else None}


# Shifted features are told of, which is right.
@pytest.mark.filterwarnings("ignore::workbench._support.errors.WorkbenchWarning")
@settings(max_examples=EXAMPLES)
@given(problems())
def test_dropping_discarded_weights_keeps_the_optimum(drawn):
    check(drawn)


def tall(reg="l1", loss="squared", bias=False):
    rng = np.random.default_rng(4)
    X = rng.normal(size=(40, 60)) + 2.0 * bias
    y = X[:, :3] @ [1.0, -2.0, 1.5] + 0.1 * rng.normal(size=40)
    return wb.Problem(X, y, loss, reg, 0.3, bias=bias)


@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("reg", ["l1", "elastic-net:epsilon=0.5", "group-l1l2:size=5"])
def test_the_bound_is_that_of_the_ball_written_out(reg, bias):
    p = tall(reg, bias=bias)
    screening = wb.screening(p)
    c = screening.certificate
    X = p.rows.toarray()
    lengths = np.linalg.norm(X - X.mean(axis=0) if bias else X, axis=0)
    radius = np.sqrt(2 * p.n_samples * 2.0 * c.gap)
    pulls, limit = np.abs(X.T @ c.alpha), p.lam_n * (0.5 if reg.startswith("el") else 1.0)
    if reg.startswith("group"):
        pulls, lengths = (np.sqrt((values.reshape(-1, 5) ** 2).sum(axis=1)) for values in (pulls, lengths))
    np.testing.assert_allclose(screening.radius, radius, rtol=1e-6)
    np.testing.assert_allclose(screening.bound, (pulls + radius * lengths) / limit, rtol=1e-6)


@pytest.mark.parametrize("reg", ["l1", "elastic-net:epsilon=0.5", "sparse-group:size=5,share=0.5"])
def test_a_small_gap_decides_what_a_large_one_leaves_open(reg):
    p = tall(reg)
    counts = [wb.screening(p).count("discarded")]
    for tol in (1e-2, 1e-5, 1e-10):
        screening = wb.screening(p, w=wb.solve(p, "coordinate-descent", tol=tol).w)
        counts.append(screening.count("discarded"))
    exact = wb.solve(p, CoordinateDescent(screening=False), tol=1e-12).w
    assert counts == sorted(counts)
    assert not exact[screening.entries].any()
    assert screening.count("undecided") <= (0 if reg.startswith("el") else 4)


def test_status_bound_and_groups_belong_together():
    screening = wb.screening(tall("group-l1l2:size=7"))
    assert len(screening.status) == len(screening.bound) == len(screening.groups) == 9
    assert screening.groups[-1] == (56, 57, 58, 59)
    np.testing.assert_array_equal(screening.status == "discarded", screening.bound < 1.0)


def test_problems_that_cannot_be_screened_are_refused_by_name():
    X, y = np.eye(3), np.array([1.0, -1.0, 1.0])
    refused = {
        "the loss hinge has no bounded curvature": wb.Problem(X, y, "hinge"),
        "the loss epsilon-insensitive has no": wb.Problem(X, y, "epsilon-insensitive:epsilon=0.1"),
        "the loss negative-log has no": wb.Problem(X, y, "negative-log"),
        "the regularizer linf is not a sum": wb.Problem(X, y, "squared", "linf"),
        "a kernel's weights are not available": wb.Problem(X, y, "squared", kernel="rbf"),
    }
    for text, p in refused.items():
        with pytest.raises(InputError, match=text):
            wb.screening(p)


@pytest.mark.parametrize("loss", ["squared", "logistic", "multinomial:classes=2"])
def test_a_run_discards_only_what_its_gap_allows(loss):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(30, 300))
    y = np.sign(X[:, 0] + X[:, 1])
    p = wb.Problem(X, np.maximum(y, 0.0) if "multi" in loss else y, loss, "l1", 0.05, bias=True)
    run = wb.Run(p, CoordinateDescent())
    run.until(1e-10)
    plain = wb.solve(p, CoordinateDescent(screening=False), tol=1e-10)
    assert run.status == plain.status == "converged"
    assert run.last_event.discarded > 200
    assert not plain.w.reshape(-1)[~run.state.candidates].any()
    # The same numbers from outside.
    best = wb.screening(p, w=run.last.w, b=run.last.b)
    assert best.count(screening.DISCARDED) >= run.last_event.discarded - 5
