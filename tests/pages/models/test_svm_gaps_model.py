"""The model of the page on SVM gaps: its points, and what a run of its problem promises, libsvm beside it."""

import os
import subprocess
from pathlib import Path

import numpy as np
import pytest
from sklearn.svm import SVC

from tests.helpers.node_engine import missing
from workbench import gaps
from workbench._support.errors import InputError
from workbench.data.examples.plane import HALF_WIDTH
from workbench.pages import bundling
from workbench.pages.hosts import blocks
from workbench.pages.svm_gaps import model as svm_gaps
from workbench.pages.svm_gaps.declaration import SvmGaps
from workbench.pages.svm_gaps.figures import SvmDrawing
from workbench.solvers import MaximalViolatingPair
from workbench.solvers.run import Run

# A gap is a difference of objectives of the size of a thousand; libsvm stops at 1e-8 in its violation.
ROUNDING = 1e-9
LIBSVM = 1e-6
REFERENCE = 1e-9
FRAMES = Path(__file__).parents[1] / "hosts" / "svm_gaps.test.mjs"


def played(steps, tolerance=0.0, **choices):
    """Return the gaps before and after each step, with the kernel matrix and the labels."""
    model = SvmGaps(**choices)
    problem = svm_gaps.problem(
        **{name: getattr(model, name) for name in ("source", "points", "kernel", "gamma", "degree")}
    )
    C, y = model.cost, problem.y
    K = np.column_stack([problem.kernel_matrix.product(unit) for unit in np.eye(y.size)])
    run = Run(problem.replace(lam=1.0 / (C * y.size)), MaximalViolatingPair(tol=tolerance, shrinking=False))
    gaps_by_step = []
    for count in (0, *steps):
        run.step(count)
        gaps_by_step.append(gaps.svm(K, y, C, np.clip(C * y * run.state.alpha, 0.0, C)))
    return gaps_by_step, K, y


@pytest.mark.parametrize("kernel", svm_gaps.KERNELS)
@pytest.mark.parametrize("source", list(svm_gaps.SOURCES))
def test_no_bound_lies_below_the_truth(source, kernel):
    (_, optimum), _, _ = played([200_000], REFERENCE, source=source, kernel=kernel)
    certificates, _, _ = played([1] * 120, source=source, kernel=kernel)
    slack = ROUNDING * max(1.0, optimum.primal)
    for certificate in certificates:
        assert certificate.primal - optimum.dual <= certificate.gap + slack
        assert optimum.primal - certificate.dual <= certificate.gap + slack
        assert certificate.gap <= certificate.remark_1 + slack
        assert certificate.remark_1 <= certificate.lemma_8 + slack


@pytest.mark.parametrize(
    "choices", [{}, {"kernel": "Gaussian", "source": "Crossed"}, {"kernel": "Polynomial", "degree": 2}]
)
def test_libsvm_finds_the_same_optimum(choices):
    (_, optimum), K, y = played([200_000], REFERENCE, **choices)
    peer = SVC(C=1.0, kernel="precomputed", tol=1e-8).fit(K, y)
    expansion = np.zeros(y.size)
    expansion[peer.support_] = peer.dual_coef_[0]
    dual = np.abs(expansion).sum() - 0.5 * expansion @ K @ expansion
    assert dual == pytest.approx(optimum.primal, rel=LIBSVM)


@pytest.mark.parametrize(
    "names", [{"points": "p0"}, {"points": "paaaapbbbb"}, {"kernel": "Gaussian", "gamma": -1.0}]
)
def test_invalid_problems_are_refused(names):
    """The browser says what it wants, and may say anything."""
    whole = {"source": "Crossed", "points": "", "kernel": "Linear", "gamma": 1.0, "degree": 2}
    with pytest.raises(ValueError, match=r"points|gamma"):
        svm_gaps.problem(**(whole | names))


def test_an_invalid_change_keeps_the_points():
    page = SvmGaps()
    for change in ({"points": "p0"}, {"points": 3}, {"points": None}, {"points": ["p"]}, {"cost": -1.0}):
        with pytest.raises(InputError, match=r"points|cost"):
            page.change(change)
        assert (page.points, page.cost) == ("", 1.0)
    page.change({"points": "paaaambbbb", "cost": 5})
    assert (page.points, page.cost) == ("paaaambbbb", 5.0)


@pytest.mark.parametrize(
    "text",
    ["p", "paaaa", "paaaamaaa", "pzzzzmaaaa", "p-1-1maaaa", "xaaaamaaaa", "pAAAAmaaaa", "p0000m0000" * 200],
)
def test_a_bad_text_of_points_is_refused_and_the_old_state_stays(text):
    page = SvmGaps()
    with pytest.raises(InputError, match="points"):
        page.change({"points": text})
    assert page.points == ""


def test_the_axes_of_the_plane_frame_its_picture():
    plot = SvmDrawing().figures["plane"]
    assert [tuple(axis.bounds) for axis in plot.axis] == [(-HALF_WIDTH, HALF_WIDTH)] * 2
    assert plot.yaxis[0].fixed_location == -HALF_WIDTH


def test_frames_hold_under_node(tmp_path):
    """The bounds of a step are those of `gaps.svm`; what else a frame shows is asserted there."""
    if bundling.node() is None:
        missing("there is no Node")
    page = SvmGaps()
    problem = svm_gaps.problem(page.points, page.source, kernel="Linear")
    C, y = page.cost, problem.y
    run = Run(problem.replace(lam=1.0 / (C * y.size)), MaximalViolatingPair(shrinking=False))
    run.step(40)
    a = np.clip(C * y * run.state.alpha, 0.0, C)
    last = gaps.svm(problem.rows @ problem.rows.T, y, C, a)
    facts = {name: fact for name, fact in page.answer({"type": "page"}).items() if name != "styles"}
    facts.pop("figures")
    names = ("gap", "bias", "t_hat", "b_hat", "lemma_8", "remark_1", "primal", "dual")
    values = {name: float(getattr(last, name)) for name in names}
    value = {
        "facts": facts,
        "answers": {"a": a, "certifying": list(last.rate_certifying_pair)},
        "recorded": values,
    }
    (tmp_path / "svm_gaps.block").write_bytes(blocks.packed(value))
    command = [bundling.node(), "--test", FRAMES]
    run = subprocess.run(command, env=os.environ | {"DRAWN": str(tmp_path)}, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout
