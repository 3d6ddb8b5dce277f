"""`begin`, `live` and `lab_figure` without a notebook around them."""

import holoviews as hv
import panel as pn
import pytest

from workbench._support.errors import InputError
from workbench.teaching import begin, lab_figure, live

# Panel 1.9 prefers `label`, which Panel 1.8 does not know.
pytestmark = pytest.mark.filterwarnings("ignore:Widget.name:PendingDeprecationWarning")


def test_begin_outside_a_notebook_only_speaks(capsys):
    begin(0)
    assert "0.1" in capsys.readouterr().out


@pytest.mark.parametrize("lesson", [99, -1])
def test_begin_of_no_lesson(lesson):
    with pytest.raises(InputError, match="no exercises"):
        begin(lesson)


def test_live_draws_anew_when_a_control_moves():
    seen = []

    def draw(x, size, name):
        seen.append((x, size, name))
        return hv.Curve([0, x])

    hv.extension("bokeh", logo=False)
    view = live(draw, x=(0.0, 2.0, 1.0), size=[1.0, 2.0, 4.0], name=["a", "b"])
    view.get_root()
    x, size, name = view[:3]
    assert seen == [(1.0, 2.0, "a")]
    x.value, size.value, name.value = 0.5, 4.0, "b"
    assert seen[-1] == (0.5, 4.0, "b")


def test_live_shows_a_refusal_as_a_sentence():
    def draw(x):
        if x > 1:
            raise InputError("x = 2 is <too> large")
        return "fine"

    view = live(draw, x=[0.0, 1.0, 2.0])
    view.get_root()
    view[0].value = 2.0
    (shown,) = view[1].select(pn.pane.HTML)
    assert "x = 2 is &lt;too&gt; large" in shown.object


@pytest.mark.parametrize("which", ["gap", "objective", "weights", "duals"])
def test_lab_figure_is_the_one_of_the_page(which):
    figure, caption = lab_figure(which, epochs=2, loss="Hinge", regularizer="Squared ℓ2", lam=0.1)
    assert figure.object.name == which
    assert caption.object


def test_lab_figure_refuses_what_the_page_refuses():
    with pytest.raises(InputError, match="bound of the curvature"):
        lab_figure("duals", regularizer="Entropy", update="bounded")
