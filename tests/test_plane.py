"""Points in the plane: edits by hand, undo, the address, and what the Dual lab solves and draws of them."""

from types import SimpleNamespace

import lab_runs
import numpy as np
import pytest
from amounts import latin
from bokeh.core.serialization import Deserializer
from bokeh.plotting import figure

from workbench.errors import InputError
from workbench.pages import plane as editing
from workbench.pages.dual_lab import export, leave_out, plane
from workbench.pages.dual_lab import model as dual_lab
from workbench.pages.dual_lab.controls import visible
from workbench.pages.dual_lab.page import DualLabPage
from workbench.pages.shell import Visit
from workbench.pages.svm_gaps import model as svm_gaps

TOLERANCE = 1e-4
# Panel's own widgets are made with both names of their label.
BUILT = pytest.mark.filterwarnings("ignore::PendingDeprecationWarning")


def model(**choices):
    return dual_lab.DualLab(**{"source": dual_lab.PLANE, "lam": 0.01, "regularizer": "Squared ℓ2"} | choices)


def placed(made):
    return editing.placed(made.points, made.cloud)


class Hand:
    """An editor of a model in a figure, and what it asked for."""

    def __init__(self, made):
        self.changes, self.refusals, self.released = 0, [], 0
        self.editor = editing.Editor(
            figure(), made, lambda: placed(made), self._changed, self.refusals.append, self._released
        )

    def _changed(self):
        self.changes += 1

    def _released(self):
        self.released += 1

    def tap(self, x, y):
        self.editor._tapped(SimpleNamespace(x=x, y=y))

    def tap_twice(self, x, y):
        self.editor._tapped_twice(SimpleNamespace(x=x, y=y))

    def drag(self, *places):
        first, *rest = (SimpleNamespace(x=x, y=y, modifiers=None) for x, y in places)
        self.editor._taken(first)
        for place in rest:
            self.editor._dragged(place)
        self.editor._let_go(rest[-1] if rest else first)


# Edits


def test_a_point_is_added_moved_and_deleted_and_each_is_undone():
    made = model(adds="-1")
    hand = Hand(made)
    X, y = placed(made)
    hand.tap(-2.5, 2.5)
    hand.drag((-2.48, 2.52), (0.0, 0.0), (1.02, 2.02))
    moved, labels = placed(made)
    assert labels[-1] == -1.0
    assert moved[-1] == pytest.approx([1.0, 2.0])  # what was pressed beside its centre stays beside it
    np.testing.assert_array_equal(moved[:-1], X)
    hand.tap_twice(1.0, 2.0)
    assert len(placed(made)[1]) == len(y)
    assert (hand.changes, hand.released) == (4, 1)
    found = []
    for _ in range(4):
        hand.editor.undo()
        found.append(placed(made)[0][-1].round(2).tolist())
    # A drag is one change however many places it went through; beyond the first there is nothing.
    assert found == [[1.0, 2.0], [-2.5, 2.5], X[-1].round(2).tolist(), X[-1].round(2).tolist()]
    assert made.points == ""


def test_a_stroke_paints_a_cloud_and_is_undone_at_once():
    made = model(brush=True, adds="-1")
    hand, (X, y) = Hand(made), placed(model())
    hand.drag((-2.5, 2.5), (-1.45, 2.5), (-1.5, 2.95))
    X_new, y_new = placed(made)
    np.testing.assert_array_equal(X_new[: len(y)], X)
    cloud = X_new[len(y) :]
    assert (y_new[len(y) :] == -1.0).all()
    assert len(cloud) == 1 + 5 + 2  # where the stroke begins, and after each piece of its path
    assert np.unique(cloud, axis=0).shape == cloud.shape
    assert (np.abs(cloud - (-1.9, 2.6)) < 0.7 + 4.0 * editing.SPREAD).all()
    assert (made.moving, hand.released, hand.refusals) == (False, 1, [])
    first = made.points
    hand.editor.undo()
    assert made.points == ""
    hand.drag((-2.5, 2.5), (-1.45, 2.5), (-1.5, 2.95))
    assert made.points == first


def test_without_brush_or_shift_a_drag_between_points_does_nothing():
    made = model()
    hand = Hand(made)
    hand.drag((-2.5, 2.5), (-1.5, 2.5))
    assert (made.points, hand.changes, hand.editor.past) == ("", 0, [])
    shift = SimpleNamespace(x=-2.5, y=2.5, modifiers={"shift": True})
    hand.editor._taken(shift)
    hand.editor._let_go(shift)
    assert len(placed(made)[1]) == len(placed(model())[1]) + 1


def test_a_stroke_ends_where_the_square_is_full_and_a_sentence_says_so():
    made = model(brush=True)
    hand = Hand(made)
    for _ in range(12):
        hand.drag((-2.9, 2.9), (2.9, 2.9), (-2.9, 2.5))
    assert len(placed(made)[1]) == editing.MOST_POINTS
    assert "at most 200" in hand.refusals[0]
    assert not made.moving
    kept = len(hand.editor.past)
    hand.drag((-2.9, -2.9), (-2.0, -2.9))
    assert len(hand.editor.past) == kept


def test_what_changes_nothing_cannot_be_undone():
    made = model()
    hand = Hand(made)
    x, y = placed(made)[0][0]
    hand.tap(x, y)  # onto a point
    hand.tap(-3.4, 0.0)  # onto an axis
    hand.tap_twice(-2.9, 2.9)
    hand.drag((x, y))
    hand.drag((-2.9, 2.9), (0.0, 0.0))
    assert (hand.changes, hand.editor.past, made.points) == (0, [], "")


@pytest.mark.parametrize("shift", [True, False])
def test_shift_paints_as_the_brush_does(shift):
    held, plot = model(), figure()
    editing.Editor(plot, held, lambda: placed(held), lambda: None, print)
    keys = {"type": "map", "entries": [("shift", shift), ("ctrl", False), ("alt", False)]}
    moves = {"delta_x": 0.0, "delta_y": 0.0, "direction": 1}
    for name, x, more in (("panstart", -2.5, {}), ("pan", -1.45, moves), ("panend", -1.45, {})):
        values = {"model": plot.ref, "sx": 0, "sy": 0, "x": x, "y": 2.5, "modifiers": keys} | more
        sent = {"type": "event", "name": name, "values": {"type": "map", "entries": [*values.items()]}}
        # As Bokeh reads what a browser sends.
        plot._trigger_event(Deserializer([plot]).deserialize(sent))
    brushed = model(brush=True)
    Hand(brushed).drag((-2.5, 2.5), (-1.45, 2.5))
    assert held.points == (brushed.points if shift else "")


def test_points_stay_in_the_square_when_dragged_out_of_it():
    made = model()
    Hand(made).drag(tuple(placed(made)[0][0]), (7.0, -9.0))
    assert placed(made)[0][0].tolist() == [3.0, -3.0]


def test_tooltips_go_while_a_point_is_dragged():
    made, drawing = model(), plane.PlaneFigure()
    plot = drawing.figures["plane"]
    editor = editing.Editor(plot, made, lambda: placed(made), lambda: None, print)
    (hover,) = (tool for tool, _ in editor.hovers)
    x, y = placed(made)[0][0]
    editor._taken(SimpleNamespace(x=x, y=y, modifiers=None))
    editor._dragged(SimpleNamespace(x=0.0, y=0.0))
    assert (made.moving, hover.renderers) == (True, [])
    editor._let_go(SimpleNamespace(x=0.0, y=0.0))
    assert (made.moving, len(hover.renderers)) == (False, 1)


def test_the_last_point_of_a_class_stays_and_a_sentence_says_why():
    made = model()
    made.edit([[1.0, 1.0], [-1.0, -1.0], [0.0, 2.0]], [1.0, -1.0, 1.0])
    hand, before = Hand(made), made.points
    hand.tap_twice(-1.0, -1.0)
    assert hand.refusals == ["points: 2 points of 1 classes; keep 2 to 200, of both classes"]
    assert (made.points, hand.changes, hand.editor.past) == (before, 0, [])
    X = np.random.default_rng(0).uniform(-3.0, 3.0, (editing.MOST_POINTS, 2))
    made.edit(X, np.resize([1.0, -1.0], len(X)))
    away = next(
        place for place in np.random.default_rng(1).uniform(-3.0, 3.0, (4000, 2))
        if hand.editor.nearest(*place) is None
    )  # fmt: skip
    hand.tap(*away)
    assert "201 points of 2 classes" in hand.refusals[-1]


def test_points_go_into_the_address_and_back():
    made = model()
    first = Visit(made, DualLabPage.names, "")
    hand = Hand(made)
    hand.tap(-2.5, 2.5)
    again = dual_lab.DualLab()
    visit = Visit(again, DualLabPage.names, f"source={dual_lab.PLANE}&{first.query()[1:]}")
    assert visit.refusals == []
    for mine, theirs in zip(placed(again), placed(made), strict=True):
        np.testing.assert_array_equal(mine, theirs)


@pytest.mark.parametrize("text", ["paaaa", "pzzzzmaaaa", "nonsense", "p0000m0000" * 200])
def test_points_that_cannot_be_read_get_the_sentence_of_svm_gaps(text):
    made, other = dual_lab.DualLab(), svm_gaps.SvmGaps()
    told = Visit(made, DualLabPage.names, f"points={text}").refusals
    assert told == Visit(other, ("points",), f"points={text}").refusals
    assert len(told) == 1
    assert made.points == ""


# Beside the picture


@pytest.mark.parametrize(
    ("loss", "regularizer"),
    latin(dual_lab.LOSSES, dual_lab.REGULARIZERS),
)
def test_every_loss_and_regularizer_is_solved(loss, regularizer):
    run = lab_runs.solved(model(loss=loss, regularizer=regularizer).settings())
    assert run.status == "converged"


def test_a_sample_can_be_left_out():
    settings = model().settings()
    alpha = lab_runs.solved(settings, gap=1e-6).last.alpha
    left = leave_out.leave(settings, alpha, int(np.abs(alpha).argmax()))
    assert 0.0 < left.truth <= left.bound


def test_the_controls_of_the_plane_are_shown_where_the_samples_are_its_points():
    assert [visible(model())[name] for name in ("cloud", "adds")] == [True, True]
    assert not visible(dual_lab.DualLab(source="Breast cancer"))["cloud"]


def test_a_file_takes_the_source_and_edited_points():
    keys, points = export.keys(), "pa0a0mb0b0"
    assert keys["source"].read(dual_lab.PLANE) == dual_lab.PLANE
    assert dual_lab.DualLab(points=keys["points"].read(points)).points == points


def test_values_are_carried_by_place_where_points_come_and_go():
    X, y = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 0.0]]), np.array([1.0, -1.0, -1.0])
    old, values = (X, y), [0.1, 0.2, 0.3]
    assert editing.carried(old, (X[1:], y[1:]), values).tolist() == [0.2, 0.3]
    assert editing.carried(old, (X + 1.0, y), values).tolist() == values
    more = np.vstack([X, [[2.0, 2.0]]]), np.append(y, 1.0)
    assert editing.carried(old, more, values).tolist() == [*values, 0.0]


def test_an_edit_of_no_numbers_is_refused():
    with pytest.raises(InputError, match="finite"):
        model().edit([[np.nan, 0.0], [0.0, 1.0]], [1.0, -1.0])
