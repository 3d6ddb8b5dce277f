"""The model of the page on SVM gaps: its points, and what a run of its problem promises, libsvm beside it."""

import numpy as np
import pytest
from sklearn.svm import SVC

from workbench import gaps
from workbench.data.examples.plane import HALF_WIDTH, write_points
from workbench.pages.shell import Visit
from workbench.pages.svm_gaps import model as svm_gaps
from workbench.pages.svm_gaps.figures import SvmDrawing
from workbench.pages.svm_gaps.model import SvmGaps
from workbench.pages.svm_gaps.page import SvmGapsPage
from workbench.solvers import MaximalViolatingPair
from workbench.solvers.run import Run

# A gap is a difference of objectives of the size of a thousand; libsvm stops at 1e-8 in its violation.
ROUNDING = 1e-9
LIBSVM = 1e-6
REFERENCE = 1e-9


def played(steps, tolerance=0.0, **choices):
    """Return the gaps before and after each step, with the kernel matrix and the labels."""
    model = SvmGaps(**choices)
    problem = svm_gaps.problem(**{name: getattr(model, name) for name in SvmGapsPage.data_names})
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


@pytest.mark.filterwarnings("ignore::PendingDeprecationWarning")
def test_an_invalid_change_keeps_the_points():
    model = SvmGaps()
    page = SvmGapsPage(model, Visit(model, ()))
    for change in ({"points": "p0"}, {"points": 3}, {"cost": 5.0}, {"points": None}, {"points": ["p"]}):
        page.hear({"change": change})
        assert (model.points, model.cost) == ("", 1.0)
    page.hear({"change": {"points": "paaaambbbb"}})
    assert model.points == page.stage.settings["points"] == "paaaambbbb"


@pytest.mark.filterwarnings("ignore::PendingDeprecationWarning")
def test_a_tap_without_a_place_is_ignored(monkeypatch):
    model, heard = SvmGaps(), []
    page = SvmGapsPage(model, Visit(model, ()))
    monkeypatch.setattr(page, "tapped", heard.append)
    for place in (float("nan"), float("inf"), -float("inf"), None, "3", [3.0]):
        page.hear({"tap": place})
    assert heard == []
    page.hear({"tap": 2.5})
    assert heard == [2.5]


def test_points_go_into_an_address_and_back():
    model = SvmGaps()
    first = Visit(model, svm_gaps.INPUTS, "")
    X, y = model.data()
    model.points = write_points(np.vstack([X, [[0.12, -3.0]]]), np.append(y, -1.0))
    again = SvmGaps()
    visit = Visit(again, svm_gaps.INPUTS, first.query())
    assert not visit.refusals
    moved, labels = again.data()
    assert np.array_equal(moved, model.data()[0])
    assert moved[-1] == pytest.approx([0.12, -3.0], abs=0.011)
    assert labels[-1] == -1.0


@pytest.mark.parametrize(
    "text",
    ["p", "paaaa", "paaaamaaa", "pzzzzmaaaa", "p-1-1maaaa", "xaaaamaaaa", "pAAAAmaaaa", "p0000m0000" * 200],
)
def test_a_bad_text_of_points_is_refused_and_the_old_state_stays(text):
    model = SvmGaps()
    visit = Visit(model, svm_gaps.INPUTS, f"?points={text}")
    assert len(visit.refusals) == 1
    assert model.points == ""


def test_the_axes_of_the_plane_frame_its_picture():
    plot = SvmDrawing().figures["plane"]
    assert [tuple(axis.bounds) for axis in plot.axis] == [(-HALF_WIDTH, HALF_WIDTH)] * 2
    assert plot.yaxis[0].fixed_location == -HALF_WIDTH
