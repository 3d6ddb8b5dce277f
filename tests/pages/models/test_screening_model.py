"""The model of the page of screening: counts, the plane, the path and the code, against the library."""

import functools

import numpy as np
import pytest

import workbench as wb
from workbench._support.errors import InputError
from workbench.data.examples.correlated import CANCER, SOURCES, load
from workbench.pages.screening import frame as screening_frame
from workbench.pages.screening import model as screening
from workbench.pages.screening.engine import statistics
from workbench.pages.screening.figures import KINDS, ScreeningDrawing, picture
from workbench.pages.screening.page import PRESETS, TABLE
from workbench.pages.screening.questions import ALL, FEW, MANY, NONE, QUESTIONS, came, outcome, question_text

COUNTS, WIDE = SOURCES[2:]
CASES = (
    {},
    {"norm": "Elastic net", "intercept": False},
    {"norm": "Group ℓ1/ℓ2", "loss": "Logistic", "ratio": 0.5},
    {"source": CANCER, "loss": "Squared hinge", "start": screening.BEFORE},
    {"source": COUNTS, "norm": "Group ℓ1/ℓ2", "intercept": False, "ratio": 0.5},
)


def lab(**values):
    return screening.build(screening.ScreeningModel(**values).settings())


@functools.cache
def played(tolerance=1e-6, **values):
    model = lab(**values)
    while not screening.play(model, 10.0, tolerance):
        pass
    return model


@pytest.mark.parametrize("case", CASES)
def test_the_counts_are_those_of_the_library_and_hold_for_good(case):
    model = played(**case)
    run = model.run
    assert run.status == "converged"
    c = run.tightest.certificate
    w, b = run.problem.split(c.w, c.b)
    own = wb.screening(run.problem, w=w, b=b if run.problem.free_bias else None, alpha=c.alpha)
    assert set(np.flatnonzero(own.status == "discarded")) <= set(np.flatnonzero(~np.isnan(run.since)))
    assert own.radius == pytest.approx(run.tightest.radius)
    exact = wb.solve(run.problem, wb.solvers.CoordinateDescent(screening=False), tol=1e-11, max_epochs=5000)
    alive = run.problem.transfer.blocks.nonzero(np.asarray(exact.w).reshape(-1))
    for one_run in model.runs.values():
        assert one_run.counts == sorted(one_run.counts)
        assert one_run.counts[-1] > 0
        assert all(after <= before for before, after in zip(one_run.gaps, one_run.gaps[1:], strict=False))
        # A ball of the run holds the dual optimum; what it discards is zero.
        distance = np.linalg.norm(one_run.tightest.certificate.alpha - model.optimum[0])
        assert distance <= one_run.tightest.radius * (1.0 + 1e-3) + 1e-3
        assert not alive[~np.isnan(one_run.since)].any()


@pytest.mark.parametrize("case", CASES)
def test_the_plane_shows_what_the_bound_says(case):
    model = lab(**case)
    screening.move(model, 40)
    run, limits = model.run, model.run.problem.transfer.blocks.limits(model.run.problem.lam_n)
    center, radius = run.tightest.certificate.alpha, run.tightest.radius
    for first, second in ((0, 1), (3, 8)):
        plane = screening_frame.plane_of(model, first, second)
        np.testing.assert_allclose(plane.basis @ plane.basis.T, np.eye(2), atol=1e-12)
        if run.problem.free_bias:
            np.testing.assert_allclose(plane.basis.sum(axis=1), 0.0, atol=1e-9)
        at = plane.basis @ center
        for block, columns in zip(plane.blocks, plane.columns, strict=True):
            edge = screening_frame.edge(columns, plane.basis, center, limits[block])
            # On the edge the block pulls as much as its limit, in all the dimensions there are.
            for place in edge.segments(at, 1.0)[:: 97 if not edge.is_line else 1]:
                if np.isfinite(place).all():
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
    edge = screening_frame.Edge(np.array([1.0, 2.0]), turn, np.array([0.5, 40.0]))
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
        plane = screening_frame.plane_of(model._replace(data=samples), where[first], where[second])
        np.testing.assert_allclose(plane.basis @ plane.basis.T, np.eye(2), atol=1e-9)
    assert screening_frame.edge(np.zeros((60, 1)), plane.basis, np.zeros(60), 1.0) is None


def test_the_path_goes_down_to_the_present_lambda():
    model = played(ratio=0.32)
    path = screening_frame.frame(model, 0, 1, screening.LINES)["path"]
    np.testing.assert_allclose(path["ratio"], [1.0, 0.79, 0.63, 0.5, 0.4, 0.32])
    total = model.order.size
    assert path["solved"][0] >= total - 1
    assert (path["before"] >= path["zero"]).all()
    assert (path["solved"] + path["nonzero"] <= total).all()
    # What is known of the path stays with the problem.
    lower = screening.build(model.settings | {"ratio": 0.25}, model)
    assert lower.solved is model.solved
    assert screening.build(model.settings | {"norm": "Elastic net"}, model).solved == {}


def test_extrapolation_and_screening_change_the_way_and_not_the_end():
    model = played(ratio=0.1)
    ends = {name: run.tightest.certificate for name, run in model.runs.items()}
    best = max(end.dual for end in ends.values())
    assert all(end.primal - end.gap <= best + 1e-12 <= end.primal + 1e-9 for end in ends.values())
    assert model.runs["both"].steps < model.runs["plain"].steps


@pytest.mark.parametrize("case", CASES)
def test_what_the_solver_reads_falls_with_screening_and_stays_without(case):
    model = played(**case)
    total = model.order.size
    for name, run in model.runs.items():
        # The dual point of the λ before leaves some out at once.
        assert run.undecided[0] == total or case.get("start") == screening.BEFORE
        assert (np.diff(run.undecided) <= 0).all()
        assert run.undecided[-1] == (total if name == "unscreened" else int(run.state.candidates.sum()))
    # A run that is over soon may end before its solver leaves out anything.
    assert model.run.undecided[-1] < total or case
    frame = screening_frame.frame(model, 0, 1, screening.LINES)
    made = picture(frame)
    assert f"reads {model.run.undecided[-1]:,} of {total:,} " in made.captions["left"]
    assert made.models["sources"]["both"]["data"]["left"][-1] == model.run.undecided[-1]


@pytest.mark.parametrize("case", [*CASES, {"source": WIDE, "ratio": 0.5}])
def test_a_frame_fills_the_figures(case):
    model = lab(**case)
    made = picture(screening_frame.frame(model, 0, 1, screening.LINES))
    assert "Computed when the runs have ended" in made.captions["path"]
    while not screening.play(model, 10.0, 1e-4):
        pass
    frame = screening_frame.frame(model, 0, 59, screening.BALL)
    made = picture(frame)
    sources, said = {name: source["data"] for name, source in made.models["sources"].items()}, made.captions
    filled = {name: set(columns) for name, columns in sources.items()}
    assert filled == {name: set(columns) for name, columns in ScreeningDrawing.columns.items()}
    kinds = sources["marks"]["kind"]
    assert len(kinds) == min(model.order.size, screening.DRAWN)
    assert set(kinds) <= set(KINDS)
    assert f"{model.run.counts[-1]:,} of {model.order.size:,}" in said["marks"]
    assert f"{model.run.counts[-1]:,}" in statistics(frame)
    disc = np.array([sources["disc"][axis] for axis in "xy"])
    at, radius = frame["plane"]["balls"]["both"]
    np.testing.assert_allclose(np.linalg.norm(disc - at[:, None], axis=0), radius)
    # A window that follows the ball is a square around all of it.
    window = np.array([sources["window"][axis] for axis in "xy"])
    assert (np.ptp(window, axis=1) > 2.0 * radius).all()
    assert (frame["marks"]["kept"] > 0) == (case.get("norm") == "Elastic net")


def test_the_hinge_is_refused_in_words():
    with pytest.raises(InputError, match="the loss hinge has no bounded curvature"):
        lab(loss="Hinge", source=CANCER)


@pytest.mark.parametrize("case", CASES)
def test_the_code_gives_the_same_numbers(case, capsys):
    model = played(**case)
    text = screening.code(model, 1e-6)
    assert ("bias=True" in text) == model.settings["intercept"]
    exec(text, {})
    before, after, gap = capsys.readouterr().out.split()
    assert int(before) == model.run.counts[0]
    assert abs(int(after) - model.run.counts[-1]) <= 3
    assert float(gap) <= 1e-5 * model.run.tightest.certificate.primal


def test_questions_are_answered_by_the_run_and_ask_about_what_is_not_shown():
    assert [outcome(count, 10) for count in (0, 1, 4, 5, 9, 10)] == [NONE, FEW, FEW, MANY, MANY, ALL]
    for question, entry in QUESTIONS.items():
        text, target = question_text(question, 0.2)
        assert target == 0.1
        assert "λ = 0.1 λ_max" in text
        fresh = lab(ratio=target, **entry.change)
        assert came(question, fresh) is None
        while not screening.play(fresh, 10.0, 1e-6):
            pass
        option, said = came(question, fresh)
        assert option == outcome(fresh.run.count_at(entry.epochs), 120)
        assert said.startswith(f"{option}, {fresh.run.count_at(entry.epochs)} of 120")
    assert question_text("After 10 epochs", 0.01)[1] == 0.01


def test_every_choice_has_a_control_and_presets_keep_the_bounds():
    names = {name for entries in TABLE.values() for name in entries}
    assert names == {*screening.INPUTS, *screening.VIEWS, "tolerance"}
    for values in PRESETS.values():
        screening.ScreeningModel(**values)
    assert set(screening.ScreeningModel.param.question.objects) == set(QUESTIONS)
