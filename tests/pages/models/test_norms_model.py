"""The model and the engine of the page of norms: gaps, sections and the bisection, against the library."""

import numpy as np
import pytest

import workbench as wb
from workbench._support.errors import InputError
from workbench.certificates.gaps import norm_gap
from workbench.pages.norms import engine as norms_engine
from workbench.pages.norms import model as norms
from workbench.pages.norms.figures import NormsFigures
from workbench.pages.norms.page import PRESETS, QUESTIONS, TABLE
from workbench.pages.screening.figures import ScreeningDrawing
from workbench.pages.svm_gaps.figures import SvmDrawing

# Halvings of a segment of length FAR that find the edge of a section.
EDGE = 2.0 * norms_engine.FAR * 2.0**-norms_engine.HALVINGS
# One step of FISTA away from an optimum that is reached to a relative gap of 1e-9.
SOLVED = 1e-7
TAKEN = [name for name in norms.NORMS if name != "Crossing groups"]


class Asked:
    """The engine with a problem of the page after some steps, and the rows that it told of."""

    def __init__(self, steps=0, plane=(0, 1), **values):
        settings = norms.Norms(**values).settings()
        self.looks = {"best": settings["intercept"] and settings["best"], "plane": list(plane)}
        self.answers = []
        self.engine = norms_engine.NormsEngine(norms.problem(settings), self.answers.append)
        solver = {"name": "proximal-gradient", "step": settings["step"], "restart": settings["restart"]}
        self.begun = self.ask("norm_problem", solver=solver, ratio=settings["ratio"])
        self.rows = [self.begun["picture"]["row"]]
        if steps:
            self.go(steps)

    @property
    def run(self):
        return self.engine.run

    def ask(self, type, **contents):
        self.engine.take({"version": 1, "id": 0, "type": type, **contents, **self.looks})
        answer = self.answers[-1]
        if answer["type"] == "error":
            raise InputError(answer["text"])
        return answer

    def go(self, count, tolerance=-1.0, hurries=False):
        """Steps, each with its gaps; the status that ends them."""
        status, after = None, self.rows[-1]["step"]
        while status is None and self.rows[-1]["step"] < after + count:
            at = self.rows[-1]["step"]
            answer = self.ask(
                "norm_steps", after=at, count=after + count - at, hurries=hurries, tolerance=tolerance
            )
            self.rows += answer["rows"]
            status = answer["status"]
        return status

    def duals(self):
        bias = None if self.looks["best"] else float(self.run.state.b)
        return norms_engine.duals(self.run.problem, self.run.state.w, bias)

    def picture(self):
        return self.ask("norm_picture", step=self.run.steps)["picture"]


@pytest.mark.parametrize("name", TAKEN)
def test_the_gaps_are_those_of_the_library(name):
    asked = Asked(12, norm=name)
    run, row = asked.run, asked.rows[-1]
    own = norm_gap(run.problem, run.problem.split(run.state.w)[0], float(run.state.b))
    assert (row["raw"], row["repaired"], row["better"]) == (own.raw, own.repaired, own.better)
    assert [row["step"] for row in asked.rows] == list(range(13))
    # The repaired dual point bounds what Gauss-Seidel's and FISTA's certificates bound as well.
    best = wb.solve(run.problem, "proximal-gradient", tol=1e-9, max_epochs=5000)
    assert row["primal"] - own.better <= best.primal + SOLVED


@pytest.mark.parametrize("name", TAKEN)
@pytest.mark.parametrize("intercept", [True, False])
def test_lam_max_is_the_least_without_weights(name, intercept):
    for ratio, alive in ((1.001, False), (0.9, True)):
        asked = Asked(norm=name, intercept=intercept, ratio=ratio)
        assert asked.go(5000, 1e-9, hurries=True) == "converged"
        assert bool(np.any(asked.run.state.w)) == alive
        assert asked.begun["lam"] == ratio * asked.begun["largest"]


def test_the_dual_points_are_centred_and_in_the_ball():
    asked = Asked(5, norm="Group ℓ1/ℓ2")
    run, points, X = asked.run, asked.duals(), norms.load(norms.Norms().source).X
    kappa = norm_gap(run.problem, run.problem.split(run.state.w)[0], float(run.state.b)).kappa
    np.testing.assert_allclose(points.scaled, -X.T @ kappa / run.problem.lam, atol=1e-12)
    assert abs(points.total) > 1e-6
    assert abs(kappa.sum()) < 1e-12
    assert run.problem.transfer.dual_norm(points.scaled) <= 1.0 < run.problem.transfer.dual_norm(points.raw)
    assert abs(Asked(5, norm="Group ℓ1/ℓ2", best=True).duals().total) < 1e-9


@pytest.mark.parametrize("name", TAKEN)
def test_a_section_has_its_edge_on_the_ball(name):
    asked = Asked(3, (0, 7), norm=name)
    edge, problem = asked.picture()["edge"], asked.run.problem
    transfer, point = problem.transfer, asked.duals().scaled.copy()
    if name == "Elastic net":
        assert np.abs(edge["zero"]).max() == problem.regularizer.epsilon
        return
    for place in edge["through"][::7]:
        point[[0, 7]] = place
        assert transfer.dual_norm(point) == pytest.approx(1.0, abs=EDGE)
    point[:] = 0.0
    for place in edge["zero"][::7]:
        point[[0, 7]] = place
        assert transfer.dual_norm(point) == pytest.approx(1.0, rel=1e-12)


def test_the_bisection_is_that_of_the_library():
    asked = Asked(4, norm="Tree", source="Breast cancer", loss="Logistic")
    transfer, v = asked.run.problem.transfer, asked.duals().centred
    steps = norms_engine.bisection(transfer, v)
    assert steps[-1].high == transfer.dual_norm(v)
    assert 40 < len(steps) <= norms.MAX_HALVINGS + 1
    widths = [step.high - step.low for step in steps[:20]]
    np.testing.assert_allclose(widths[1:], 0.5 * np.array(widths[:-1]), rtol=1e-9)
    assert norms_engine.bisection(Asked(norm="ℓ1").run.problem.transfer, v) == []


def test_the_section_of_a_box_has_the_corners_of_the_box():
    """The dual ball of the 1-norm is |v_j| <= 1 in each coordinate, wherever the section is taken from."""
    for polygon in map(np.array, Asked(3, (0, 7), norm="ℓ1").picture()["edge"].values()):
        assert np.abs(polygon).max() <= 1.0 + 1e-12
        for corner in ((1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)):
            # Half a pixel, where 2.2 units take 250.
            assert np.hypot(*(polygon - corner).T).min() < 4e-3


def test_a_circle_of_the_plane_is_one_on_the_screen():
    """Figures that show shapes have units of one length on both axes."""
    shapes = NormsFigures().figures["ball"], SvmDrawing().figures["plane"], ScreeningDrawing().figures["ball"]
    assert all(figure.match_aspect for figure in shapes)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"norm": "Crossing groups"}, "overlap and neither holds the other"),
        ({"loss": "Hinge", "source": "Breast cancer"}, "has no gradient at its kinks"),
        ({"loss": "Logistic"}, "label"),
    ],
)
def test_problems_without_a_step_are_refused_in_words(values, message):
    with pytest.raises(InputError, match=message):
        Asked(**values)


def test_every_choice_has_a_control_a_question_and_presets_within_bounds():
    names = {name for specs in TABLE.values() for name in specs}
    assert names == {*norms.INPUTS, *norms.VIEWS, "tolerance"}
    assert set(QUESTIONS) == set(norms.NORMS)
    for values in PRESETS.values():
        norms.Norms(**values)


def test_samples_are_prepared_once():
    first, second = (norms.problem(norms.Norms(norm=name).settings()) for name in ("ℓ1", "ℓ2"))
    assert first.rows is second.rows


def test_a_run_that_hurries_ends_where_no_weight_changes():
    assert Asked(ratio=1.2).go(1000, hurries=True) == "stalled"
