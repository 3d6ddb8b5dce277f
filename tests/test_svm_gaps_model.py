"""The model of the page on SVM gaps: its points, its bounds, libsvm beside it."""

import numpy as np
import pytest
from sklearn.svm import SVC

from workbench.errors import InputError
from workbench.pages.shell import Visit
from workbench.pages.svm_gaps import model as svm_gaps
from workbench.pages.svm_gaps.figures import SvmDrawing
from workbench.pages.svm_gaps.model import SvmGaps

# A gap is a difference of objectives of the size of a thousand; libsvm stops at 1e-8 in its violation.
ROUNDING = 1e-9
LIBSVM = 1e-6


def played(steps=400, tolerance=0.0, **choices):
    lab = svm_gaps.build(SvmGaps(**choices).settings())
    for _ in range(steps):
        if lab.rows[-1].violation <= tolerance or svm_gaps.step(lab):
            break
    return lab


@pytest.mark.parametrize("kernel", svm_gaps.KERNELS)
@pytest.mark.parametrize("source", list(svm_gaps.SOURCES))
def test_no_bound_lies_below_the_truth(source, kernel):
    lab = played(120, source=source, kernel=kernel)
    for distances in svm_gaps.distances(lab):
        row = svm_gaps.Row(*distances)
        slack = ROUNDING * max(1.0, lab.optimum.primal)
        assert row.primal <= row.gap + slack
        assert row.dual <= row.gap + slack
        assert row.gap <= row.remark_1 + slack
        assert row.remark_1 <= row.lemma_8 + slack


@pytest.mark.parametrize(
    "choices", [{}, {"kernel": "Gaussian", "source": "Crossed"}, {"kernel": "Polynomial", "degree": 2}]
)
def test_libsvm_finds_the_same_optimum(choices):
    lab = played(0, **choices)
    peer = SVC(C=lab.settings["cost"], kernel="precomputed", tol=1e-8).fit(lab.K, lab.y)
    expansion = np.zeros(lab.y.size)
    expansion[peer.support_] = peer.dual_coef_[0]
    dual = np.abs(expansion).sum() - 0.5 * expansion @ lab.K @ expansion
    assert dual == pytest.approx(lab.optimum.primal, rel=LIBSVM)


def test_a_picture_holds_the_present_state():
    lab = played(30)
    frame = svm_gaps.frame(lab)
    margins = lab.y * (lab.K @ (lab.y * frame["a"]) + frame["found"].bias)
    assert np.allclose(frame["slack"], np.maximum(0.0, 1.0 - margins))
    assert set(frame["kind"]) == {"zero", "free", "bound"}
    assert frame["bias"]["value"].min() == pytest.approx(frame["found"].gap, rel=0.2)
    step = svm_gaps.explain(lab)
    assert step["clipped"] == (step["badge"] == "stopped at a bound of its box")
    assert svm_gaps.explain(played(0)) is None


def test_the_code_gives_the_same_number_of_steps(capsys):
    lab = played(tolerance=1e-3)
    exec(svm_gaps.code(lab, 1e-3), {})
    assert int(capsys.readouterr().out.split()[0]) == lab.run.steps


def test_points_go_into_an_address_and_back():
    model = SvmGaps()
    first = Visit(model, svm_gaps.INPUTS, "")
    X, y = model.data()
    model.edit(np.vstack([X, [[0.123, -2.999]]]), np.append(y, -1.0))
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


def test_bad_edits_are_refused_in_words():
    model = SvmGaps()
    X, y = model.data()
    with pytest.raises(InputError, match="both classes"):
        model.edit(X[y > 0], y[y > 0])
    with pytest.raises(InputError, match="201 points"):
        model.edit(np.zeros((201, 2)), np.resize([1.0, -1.0], 201))
    with pytest.raises(InputError, match="finite"):
        model.edit([[np.nan, 0.0], [0.0, 1.0]], [1.0, -1.0])
    assert model.points == ""


def test_the_axes_of_the_plane_frame_its_picture():
    drawing = SvmDrawing()
    drawing.show(svm_gaps.frame(played(steps=3)))
    plot, image = drawing.figures["plane"], drawing.sources["surface"].data
    low, high = image["x"][0], image["x"][0] + image["dw"][0]
    assert (low, high) == (image["y"][0], image["y"][0] + image["dh"][0])
    assert [tuple(axis.bounds) for axis in plot.axis] == [(low, high)] * 2
    assert plot.yaxis[0].fixed_location == low
