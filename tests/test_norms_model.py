"""The model of the page of norms: gaps, dual points, sections and the bisection, against the library."""

import numpy as np
import pytest

import workbench as wb
from workbench.certificates import certify
from workbench.errors import InputError
from workbench.gaps import norm_gap
from workbench.pages.norms import frame as norms_frame
from workbench.pages.norms import model as norms
from workbench.pages.norms.figures import NormsDrawing
from workbench.pages.norms.page import PRESETS, QUESTIONS, TABLE
from workbench.pages.screening.figures import ScreeningDrawing
from workbench.pages.svm_gaps.figures import SvmDrawing

# The edge of a section is found by so many halvings of a segment of length FAR.
EDGE = 2.0 * norms_frame.FAR * 2.0**-norms_frame.HALVINGS
# One step of FISTA away from an optimum that is reached to a relative gap of 1e-9.
SOLVED = 1e-7
TAKEN = [name for name in norms.NORMS if name != "Crossing groups"]


def lab(steps=0, **values):
    found = norms.build(norms.Norms(**values).settings())
    for _ in range(steps):
        found.run.step()
        found.run.record()
    return found


@pytest.mark.parametrize("name", TAKEN)
def test_the_gaps_are_those_of_the_library(name):
    found = lab(12, norm=name)
    run = found.run
    w, _ = run.problem.split(run.state.w)
    own = norm_gap(run.problem, w, float(run.state.b))
    assert run.gaps[-1][:3] == (own.raw, own.repaired, own.better)
    assert len(run.gaps) == len(run.rows) == 13
    # The repaired dual point bounds what Gauss-Seidel's and FISTA's certificates bound as well.
    best = wb.solve(run.problem, "proximal-gradient", tol=1e-9, max_epochs=5000)
    assert run.rows[-1]["primal"] - own.better <= best.primal + SOLVED


@pytest.mark.parametrize("name", TAKEN)
@pytest.mark.parametrize("intercept", [True, False])
def test_lam_max_is_the_least_without_weights(name, intercept):
    for ratio, alive in ((1.001, False), (0.9, True)):
        found = lab(norm=name, intercept=intercept, ratio=ratio)
        while not norms.play(found, 1.0, 1e-9):
            pass
        assert found.run.status == "converged"
        assert bool(np.any(found.run.state.w)) == alive


def test_the_dual_points_are_centred_and_in_the_ball():
    found = lab(5, norm="Group ℓ1/ℓ2")
    run, points = found.run, norms.duals(found.run)
    kappa = norm_gap(run.problem, run.problem.split(run.state.w)[0], float(run.state.b)).kappa
    np.testing.assert_allclose(points.scaled, -found.found.X.T @ kappa / run.problem.lam, atol=1e-12)
    assert abs(points.total) > 1e-6
    assert abs(kappa.sum()) < 1e-12
    assert run.problem.transfer.dual_norm(points.scaled) <= 1.0 < run.problem.transfer.dual_norm(points.raw)
    at_best = lab(5, norm="Group ℓ1/ℓ2", best=True)
    assert abs(norms.duals(at_best.run).total) < 1e-9


@pytest.mark.parametrize("name", TAKEN)
def test_a_section_has_its_edge_on_the_ball(name):
    found = lab(3, norm=name)
    frame = norms_frame.frame(found, 0, 7)
    transfer, point = found.run.problem.transfer, norms.duals(found.run).scaled.copy()
    if name == "Elastic net":
        assert np.abs(frame["edge"]["zero"]).max() == found.run.problem.regularizer.epsilon
        return
    for place in frame["edge"]["through"][::7]:
        point[[0, 7]] = place
        assert transfer.dual_norm(point) == pytest.approx(1.0, abs=EDGE)
    point[:] = 0.0
    for place in frame["edge"]["zero"][::7]:
        point[[0, 7]] = place
        assert transfer.dual_norm(point) == pytest.approx(1.0, rel=1e-12)


def test_the_bisection_is_that_of_the_library():
    found = lab(4, norm="Tree", source="Breast cancer", loss="Logistic")
    transfer, v = found.run.problem.transfer, norms.duals(found.run).centred
    steps = norms_frame.bisection(transfer, v)
    assert steps[-1].high == transfer.dual_norm(v)
    assert 40 < len(steps) <= norms.MOST_HALVINGS + 1
    widths = [step.high - step.low for step in steps[:20]]
    np.testing.assert_allclose(widths[1:], 0.5 * np.array(widths[:-1]), rtol=1e-9)
    assert norms_frame.bisection(lab(norm="ℓ1").run.problem.transfer, v) == ()


def test_the_section_of_a_box_has_the_corners_of_the_box():
    """The dual ball of the 1-norm is |v_j| <= 1 in each coordinate, wherever the section is taken from."""
    edge = norms_frame.frame(lab(3, norm="ℓ1"), 0, 7)["edge"]
    for polygon in edge.values():
        assert np.abs(polygon).max() <= 1.0 + 1e-12
        for corner in ((1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)):
            # Half a pixel, where 2.2 units take 250.
            assert np.hypot(*(polygon - corner).T).min() < 4e-3


def test_a_circle_of_the_plane_is_one_on_the_screen():
    """Figures that show shapes have units of one length on both axes."""
    shapes = NormsDrawing().figures["ball"], SvmDrawing().figures["plane"], ScreeningDrawing().figures["ball"]
    assert all(figure.match_aspect for figure in shapes)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"norm": "Crossing groups"}, "overlap and neither holds the other"),
        ({"loss": "Hinge", "source": "Breast cancer"}, "has no gradient at its kinks"),
        ({"loss": "Logistic"}, "label"),
    ],
)
def test_what_has_no_step_is_refused_in_words(values, message):
    with pytest.raises(InputError, match=message):
        lab(**values)


def test_the_code_gives_the_same_numbers(capsys):
    for preset in ({}, {"norm": "Tree", "source": "Breast cancer", "loss": "Logistic", "ratio": 0.3}):
        found = lab(**preset)
        while not norms.play(found, 1.0, 1e-4):
            pass
        exec(norms.code(found, 1e-4), {})
        primal, dual, gap = map(float, capsys.readouterr().out.split()[:3])
        # Not every step of the code's run is certified, so it may end one step later.
        assert primal - gap <= found.run.rows[-1]["primal"]
        assert found.run.rows[-1]["dual"] <= primal
        assert dual <= primal <= found.run.rows[-1]["primal"]


def test_a_frame_fills_the_figures_and_says_what_is_infinite():
    drawing = NormsDrawing()
    said = drawing.show(norms_frame.frame(lab(3), 0, 1) | {"halving": 3})
    assert "raw gap is infinite" in said["norm_gaps"]
    assert len(drawing.sources["infinite"].data["step"]) == 4
    said = drawing.show(norms_frame.frame(lab(3, norm="Elastic net", best=True), 0, 1) | {"halving": 3})
    assert "valid" in said["norm_gaps"]
    assert "no ball" in said["ball"]
    frame = norms_frame.frame(lab(3, norm="Tree"), 0, 0)
    assert frame["plane"] == (0, 1)
    said = drawing.show(frame | {"halving": 2})
    assert said["bisection"].startswith("Halving 2: [")
    assert len(drawing.sources["bracket"].data["low"]) == 3


def test_a_gap_of_zero_is_drawn_and_weights_of_zero_are_said():
    drawing = NormsDrawing()
    said = drawing.show(norms_frame.frame(lab(1, ratio=1.2), 0, 1) | {"halving": 0})
    drawn, heights = drawing.sources["curves"].data, drawing.figures["norm_gaps"].y_range
    assert np.isfinite(drawn["repaired"]).all()
    assert drawing.sources["vanished"].data["step"].tolist() == [1]
    assert heights.start < drawn["repaired"][-1] < drawn["repaired"][0] < heights.end
    assert said["norm_gaps"].endswith("▼ at the lower edge: the gap is zero.")
    assert said["norm_weights"] == "All 24 weights are zero, in all 6 groups."
    # Well inside the ball the number itself says so; close to its edge the distance does.
    assert "The dual norm of v is 0.833333, inside the ball" in said["ball"]
    near = drawing.show(norms_frame.frame(lab(30), 0, 1) | {"halving": 0})
    assert "The dual norm of v is 1 + " in near["ball"]
    assert "κ is multiplied by 1 − " in near["ball"]


def test_every_choice_has_a_control_a_question_and_presets_within_bounds():
    names = {name for specs in TABLE.values() for name in specs}
    assert names == {*norms.INPUTS, *norms.VIEWS, "tolerance"}
    assert set(QUESTIONS) == set(norms.NORMS)
    for values in PRESETS.values():
        norms.Norms(**values)


def test_a_run_goes_on_after_its_limit_and_data_are_reused():
    first = lab()
    model = norms.Norms(ratio=0.2)
    second = norms.build(model.settings(), first)
    assert second.run.problem.rows is first.run.problem.rows
    assert second.run.problem.lam == pytest.approx(0.2 * first.largest)
    assert certify(second.run.problem, w=second.run.state.w).gap > 0.0
