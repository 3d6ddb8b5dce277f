"""Runs that screen: counts, the plane and the path, against the library."""

import functools

import numpy as np
import pytest

import workbench as wb
from workbench._support.errors import InputError
from workbench.data.examples.correlated import CANCER, SOURCES, load
from workbench.pages.norms import dual_plane, screened
from workbench.pages.norms import model as norms
from workbench.pages.norms.declaration import SCREENED
from workbench.pages.server.turns import result_of

CORRELATED, _, COUNTS, WIDE = SOURCES
CASES = (
    {},
    {"norm": "Elastic net", "intercept": False},
    {"norm": "Group ℓ1/ℓ2", "loss": "Logistic", "ratio": 0.5},
    {"source": CANCER, "loss": "Squared hinge", "start": norms.BEFORE},
    {"source": COUNTS, "norm": "Group ℓ1/ℓ2", "intercept": False, "ratio": 0.5},
)


def settings(**values):
    defaults = {"source": CORRELATED, "norm": "ℓ1", "ratio": 0.2}
    chosen = norms.Norms(**defaults | values).param.values()
    return {name: chosen[name] for name in (*SCREENED, "share", "decay")}


def lab(**values):
    return screened.build(settings(**values))


@functools.cache
def solved(tolerance=1e-6, **values):
    return result_of(screened.solved(tolerance, **settings(**values)))


@pytest.mark.parametrize("case", CASES)
def test_the_counts_are_those_of_the_library_and_hold_for_good(case):
    model = solved(**case)
    run = model.run
    assert run.status == "converged"
    c = run.tightest.certificate
    w, b = run.problem.split(c.w, c.b)
    own = wb.screening(run.problem, w=w, b=b if run.problem.free_bias else None, alpha=c.alpha)
    assert set(np.flatnonzero(own.status == "discarded")) <= set(np.flatnonzero(~np.isnan(run.since)))
    # The root of a gap near rounding, which was summed in another order.
    assert own.radius == pytest.approx(run.tightest.radius, rel=1e-4)
    exact = wb.solve(run.problem, wb.solvers.CoordinateDescent(screening=False), tol=1e-11, max_epochs=5000)
    optimum = result_of(screened.optimum(**model.settings))
    alive = run.problem.transfer.blocks.nonzero(np.asarray(exact.w).reshape(-1))
    for one_run in model.runs.values():
        assert one_run.counts == sorted(one_run.counts)
        assert one_run.counts[-1] > 0
        assert all(after <= before for before, after in zip(one_run.gaps, one_run.gaps[1:], strict=False))
        # A ball of the run holds the dual optimum; what it discards is zero.
        distance = np.linalg.norm(one_run.tightest.certificate.alpha - optimum)
        assert distance <= one_run.tightest.radius * (1.0 + 1e-3) + 1e-3
        assert not alive[~np.isnan(one_run.since)].any()


@pytest.mark.parametrize("case", CASES)
def test_the_plane_shows_what_the_bound_says(case):
    model = lab(**case)
    screened.move(model, 40)
    run, limits = model.run, model.run.problem.transfer.blocks.limits(model.run.problem.lam_n)
    center, radius = run.tightest.certificate.alpha, run.tightest.radius
    for first, second in ((0, 1), (3, 8)):
        plane = dual_plane.plane_of(model, first, second)
        np.testing.assert_allclose(plane.basis @ plane.basis.T, np.eye(2), atol=1e-12)
        if run.problem.free_bias:
            np.testing.assert_allclose(plane.basis.sum(axis=1), 0.0, atol=1e-9)
        at = plane.basis @ center
        for block, columns in zip(plane.blocks, plane.columns, strict=True):
            edge = dual_plane.edge(columns, plane.basis, center, limits[block])
            # On the edge the block pulls as much as its limit, in all the dimensions there are.
            away, along = edge.vectors.T
            places = (
                [edge.middle + sign * edge.lengths[0] * away + 3.0 * along for sign in (1.0, -1.0)]
                if edge.is_line
                else edge.at(np.linspace(-3.0, 3.0, 7))
            )
            for place in places:
                there = center + plane.basis.T @ (place - at)
                assert np.linalg.norm(columns.T @ there) == pytest.approx(limits[block], rel=1e-6)
            if columns.shape[1] == 1:
                inside = np.abs(columns[:, 0] @ center) < limits[block]
                gone = inside and edge.distance(at) > radius
                assert gone == (run.tightest.status[block] == "discarded")
            elif run.tightest.status[block] == "discarded":
                assert edge.distance(at) > radius


def test_the_nearest_point_of_an_ellipse():
    turn = np.array([[0.6, -0.8], [0.8, 0.6]])
    edge = dual_plane.Edge(np.array([1.0, 2.0]), turn, np.array([0.5, 40.0]))
    for t in (0.3, 2.0, -1.2):
        on = edge.at(np.array([t]))[0]
        normal = turn @ (np.array([np.cos(t), np.sin(t)]) / edge.lengths)
        inside = on - 0.01 * normal / np.linalg.norm(normal)
        assert edge.distance(inside) == pytest.approx(0.01, rel=1e-6)


def test_parallel_and_constant_features_still_span_a_plane():
    X = load(SOURCES[0]).X.copy()
    X[:, 1], X[:, 2] = -2.0 * X[:, 0], 3.0
    model = lab(ratio=0.5)
    samples = model.data._replace(X=X)
    where = {int(j): k for k, j in enumerate(model.order)}
    for first, second in ((0, 1), (0, 2), (2, 0)):
        plane = dual_plane.plane_of(model._replace(data=samples), where[first], where[second])
        np.testing.assert_allclose(plane.basis @ plane.basis.T, np.eye(2), atol=1e-9)
    assert dual_plane.edge(np.zeros((60, 1)), plane.basis, np.zeros(60), 1.0) is None


def test_the_path_goes_down_to_the_present_lambda():
    path = result_of(screened.path(**settings(ratio=0.32)))
    np.testing.assert_allclose(path["ratio"], [1.0, 0.79, 0.63, 0.5, 0.4, 0.32])
    total = lab(ratio=0.32).order.size
    assert path["solved"][0] >= total - 1
    assert (path["before"] >= path["zero"]).all()
    assert (path["solved"] + path["nonzero"] <= total).all()


def test_extrapolation_and_screening_change_the_way_and_not_the_end():
    model = solved(ratio=0.1)
    ends = {name: run.tightest.certificate for name, run in model.runs.items()}
    best = max(end.dual for end in ends.values())
    assert all(end.primal - end.gap <= best + 1e-12 <= end.primal + 1e-9 for end in ends.values())
    assert model.runs["both"].steps < model.runs["plain"].steps


@pytest.mark.parametrize("case", CASES)
def test_what_the_solver_reads_falls_with_screening_and_stays_without(case):
    model = solved(**case)
    total = model.order.size
    for name, run in model.runs.items():
        # The dual point of the λ before leaves some out at once.
        assert run.undecided[0] == total or case.get("start") == norms.BEFORE
        assert (np.diff(run.undecided) <= 0).all()
        assert run.undecided[-1] == (total if name == "unscreened" else int(run.state.candidates.sum()))
    # A run that is over soon may end before its solver leaves out anything.
    assert model.run.undecided[-1] < total or case


def test_what_is_sent_has_the_certificates_of_the_runs():
    model = solved(source=WIDE, ratio=0.5, tolerance=1e-4)
    record, places = screened.record(model), screened.certificates(model)
    count = len(record["names"])
    assert count == screened.DRAWN < record["total"] == model.order.size
    assert record["discarded"] == [model.run.counts[min(k, len(model.run.rows) - 1)] for k in places]
    assert places[-1] == len(model.longest.rows) - 1
    assert len(places) <= screened.MOST_SENT
    kinds = record["kinds"].reshape(len(places), count)
    gone = record["since"][None] <= record["epoch"][:, None]
    np.testing.assert_array_equal(kinds == 0, gone)
    for name, run in model.runs.items():
        assert record["runs"][name]["gap"][-1] == run.gaps[-1]
    plane = dual_plane.views(model, 0, 59, norms.BALL, result_of(screened.optimum(**model.settings)))
    windows = plane["windows"].reshape(-1, 3)
    # A window that follows the ball is a square around all of it.
    np.testing.assert_allclose(windows[:, 2], 1.6 * record["radius"])
    np.testing.assert_allclose(windows[:, :2].ravel(), plane["balls"]["both"])
    assert np.linalg.norm(plane["optimum"] - windows[-1, :2]) <= record["radius"][-1]


def test_the_hinge_is_refused_in_words():
    with pytest.raises(InputError, match="the loss hinge has no bounded curvature"):
        lab(loss="Hinge", source=CANCER)
