"""The worker's messages about gaps of norms: rows and pictures against the library."""

import numpy as np
import pytest

import workbench as wb
from tests.helpers import node_engine
from workbench.certificates import loss_terms
from workbench.certificates.gaps.norm_gap import largest_lam, norm_gap
from workbench.pages.norms import model as norms
from workbench.pages.norms.declaration import Norms
from workbench.pages.wasm import bundle
from workbench.problems.regularizers.norm_transfers import INSIDE
from workbench.solvers import ProximalGradient
from workbench.solvers.run import Run

SETTINGS = {
    "groups": {},
    "lines": {"norm": "ℓ1", "intercept": False, "step": "backtracking", "restart": False},
    "largest": {"source": "Breast cancer", "norm": "Group ℓ1/ℓ∞", "loss": "Logistic", "best": True},
    "tree": {"source": "Breast cancer", "norm": "Tree", "loss": "Smoothed hinge", "first": 3, "second": 13},
    "sparse groups": {"source": "Digits · even or odd", "norm": "Sparse group", "loss": "Huber", "second": 9},
    "round": {"norm": "ℓ2"},
    "magnitude": {"norm": "ℓ∞"},
    "box": {"norm": "Elastic net"},
    "smooth box": {"source": "Breast cancer", "norm": "Elastic net", "loss": "Logistic"},
    "counts": {"source": "Sparse counts (made)", "norm": "Group ℓ1/ℓ2", "loss": "Squared hinge"},
}
STEPS = 11
# Of a certificate, in units of P(0), and of what is drawn: sums of the same terms in another order.
SAME, DRAWN = 1e-10, 1e-9
# Halvings of a segment of length 8 that find the edge of a section.
EDGE = 2.0 * 8.0 * 2.0**-16


@pytest.fixture(scope="module")
def node(tmp_path_factory):
    with node_engine.engine(tmp_path_factory.mktemp("engine"), "wasm/javascript/norm_gap.js") as engine:
        yield engine


class Asked:
    """The worker with a problem of the page after some steps, and the same run of the library."""

    def __init__(self, node, **values):
        values = {"ratio": 0.1} | values
        self.page, self.node = Norms(**values), node
        self.settings = norms.Norms(**values).param.values()
        problem = norms.problem(self.settings)
        labels = norms.takes_labels(self.settings)
        source, name = self.settings["source"], norms.PARAMETERS.get(self.settings["norm"])
        samples = norms.samples(source, self.settings["intercept"], labels)
        data = bundle.data(samples, spectrum=True)
        packed = bundle.compressed(node_engine.text({"data": data, "losses": {}, "regularizers": {}}))
        node.ask("data", packed=bundle.engine() | {"problem": packed})
        self.best = self.settings["intercept"] and self.settings["best"]
        value = {} if name is None else {"value": self.settings[name]}
        self.solver = ProximalGradient(step=self.settings["step"], restart=self.settings["restart"])
        self.begun = node.ask(
            "norm_problem",
            loss=self.page.answer_loss(source, self.settings["loss"]),
            regularizer=self.page.answer_regularizer(source, self.settings["norm"], **value),
            solver=bundle.solver_facts(self.solver),
            ratio=self.settings["ratio"],
            best=self.best,
        )
        self.problem = problem.replace(lam=self.settings["ratio"] * largest_lam(problem))

    def step(self, count=1):
        return self.node.ask("step", count=count)

    def picture(self, first=0, second=1):
        return self.node.ask("norm_picture", plane=[first, second])

    def gap(self, run):
        bias = None if self.best or not self.problem.free_bias else float(run.state.b)
        return norm_gap(run.centred, self.problem.split(run.state.w)[0], bias)


@pytest.mark.parametrize("name", SETTINGS)
def test_rows_have_the_gaps_of_the_library(name, node):
    asked = Asked(node, **SETTINGS[name])
    assert asked.begun["type"] == "frame", asked.begun
    run, size = Run(asked.problem, asked.solver), asked.problem.zero_value
    assert asked.begun["lam"] == pytest.approx(asked.problem.lam, rel=1e-12)
    assert asked.begun["lam"] == asked.settings["ratio"] * asked.begun["largest"]
    row = asked.begun
    for step in range(STEPS + 1):
        own = asked.gap(run)
        assert row["step"] == step
        for field in ("raw", "repaired", "better"):
            value = getattr(own, field)
            assert row[field] == value or abs(row[field] - value) <= SAME * size, field
        assert row["scaling"] == pytest.approx(own.scaling, rel=DRAWN)
        assert row["reasons"] == {"sum": "sums" in own.reason, "outside": "dual norm" in own.reason}
        row = asked.step()
        run.step(1)


@pytest.mark.parametrize("name", SETTINGS)
def test_picture_has_the_ball_of_the_library(name, node):
    asked = Asked(node, **SETTINGS[name])
    asked.step(3)
    run = Run(asked.problem, asked.solver)
    run.step(3)
    plane = [SETTINGS[name].get("first", 0), SETTINGS[name].get("second", 7)]
    picture = asked.picture(*plane)
    np.testing.assert_allclose(
        picture["w"], asked.problem.split(run.state.w)[0].ravel(), rtol=DRAWN, atol=DRAWN
    )
    # The repaired point is that of the library's kappa; it lies in the ball, and has no sum.
    own, transfer = asked.gap(run), asked.problem.transfer
    scaled = run.centred.dual_vector(-asked.problem.n_samples * own.kappa)
    np.testing.assert_allclose(picture["points"][2], scaled[plane], rtol=1e-7, atol=1e-8)
    if not asked.problem.regularizer.is_norm:
        assert np.abs(picture["edge"]["zero"]).max() == asked.problem.regularizer.epsilon
        assert picture["bisection"] == []
        return
    assert transfer.dual_norm(scaled) <= 1.0
    probe = scaled.copy()
    for corner in picture["edge"]["through"][::7]:
        probe[plane] = corner
        assert transfer.dual_norm(probe) == pytest.approx(1.0, abs=EDGE)
    probe[:] = 0.0
    for corner in picture["edge"]["zero"][::7]:
        probe[plane] = corner
        assert transfer.dual_norm(probe) == pytest.approx(1.0, rel=1e-9)
    steps, is_tree = picture["bisection"], asked.settings["norm"] == norms.TREE
    assert (40 < len(steps) <= norms.MAX_HALVINGS + 1) == is_tree
    if is_tree:
        widths = np.array([step["high"] - step["low"] for step in steps[:20]])
        np.testing.assert_allclose(widths[1:], 0.5 * widths[:-1], rtol=1e-9)
        centred = _centred(run, asked.best)
        assert steps[-1]["high"] == pytest.approx(
            transfer.dual_norm(centred), rel=2.0 * (1.0 - INSIDE) + 1e-12
        )


def _centred(run, best):
    """Return v = -X'kappa / lam of the iterate, with kappa of sum zero."""
    problem = run.centred
    side, z = loss_terms.loss_side(problem), problem.design @ run.state.w
    z = z + (side.best_bias(z) if best else float(run.state.b))
    return problem.dual_vector(side.balance(side.alpha_at(z, 0.0))[0])


@pytest.mark.parametrize("name", ["ℓ1", "ℓ2", "Group ℓ1/ℓ2", "Tree"])
def test_lam_max_is_the_least_without_weights(name, node):
    for ratio, is_alive in ((1.001, False), (0.9, True)):
        asked = Asked(node, norm=name, ratio=ratio)
        ended = node.ask("run", gap=1e-9, max_epochs=3000)
        assert ended["status"] == "converged"
        assert bool(np.any(ended["w"])) == is_alive
    best = wb.solve(asked.problem, "proximal-gradient", tol=1e-9, max_epochs=5000)
    assert ended["primal"] - ended["better"] <= best.primal + 1e-7


def test_section_of_a_box_has_the_corners_of_the_box(node):
    """The dual ball of the 1-norm is |v_j| <= 1 in each coordinate, wherever the section is taken from."""
    asked = Asked(node, norm="ℓ1")
    asked.step(3)
    for polygon in map(np.array, asked.picture(0, 7)["edge"].values()):
        assert np.abs(polygon).max() <= 1.0 + 1e-12
        for corner in ((1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)):
            # Half a pixel, where 2.2 units take 250.
            assert np.hypot(*(polygon - corner).T).min() < 4e-3


def test_row_that_is_sought_is_the_one_that_was_there(node):
    asked = Asked(node)
    rows = [asked.step() for _ in range(6)]
    for row in rows[::-2]:
        again = node.ask("seek", step=row["step"])
        assert {name: again[name] for name in ("step", "raw", "repaired", "better", "lam")} == {
            name: row[name] for name in ("step", "raw", "repaired", "better", "lam")
        }
    # Another problem has rows of its own kind.
    assert "raw" not in node.ask("problem", lam=1.0)


@pytest.fixture(scope="module")
def usual(node):
    return Asked(node)


@pytest.mark.parametrize(
    ("type", "contents", "said"),
    [
        ("norm_problem", {"ratio": 0.0}, "above 0"),
        ("norm_problem", {"ratio": None}, "above 0"),
        ("norm_problem", {"more": 1}, "more is not known"),
        ("norm_picture", {"plane": [0, 0]}, "different features"),
        ("norm_picture", {"plane": [0, 24]}, "at most 23"),
        ("norm_picture", {"plane": None}, "different"),
        ("norm_picture", {"plane": [0, 0.5]}, "whole number"),
    ],
)
def test_message_that_cannot_be_answered_is_refused(node, usual, type, contents, said):
    answer = node.ask(type, **contents)
    assert answer["type"] == "error"
    assert said in answer["text"]
    assert usual.picture()["type"] == "norm_picture"
