"""What pages with points in the plane share: points in the address, edits by hand, and their undoing."""

import numpy as np
import param
from bokeh.events import DoubleTap, Pan, PanEnd, PanStart, Tap
from bokeh.models import HoverTool, PointDrawTool

from workbench.data.examples.plane import (
    HALF_WIDTH,
    MOST_POINTS,
    SOURCES,
    read_points,
    snapped,
    write_points,
)
from workbench.errors import InputError

FULL = "points: the square holds at most {most}; undo the stroke, or delete some points"
TOO_FEW = "points: {n} points of {classes} classes; keep 2 to {most}, of both classes"
# What is pressed within this distance of a point, in the plane's units, means that point.
NEAR = 0.15
MOST_UNDONE = 200
# A brush leaves a point after each such piece of its path, scattered about it; the seed is every stroke's.
SPACING, SPREAD, SEED = 0.2, 0.25, 7
# Controls that change what a hand does, and nothing of the problem.
HANDS = {"adds", "brush"}
MARKERS = {1.0: "circle", -1.0: "square"}


class Points(param.String):
    """The text of edited points; empty for those of the data set."""

    # Of an address; five characters a point.
    longest = 5 * MOST_POINTS

    def _validate(self, val):
        super()._validate(val)
        if val:
            read_points(val)


class HasPoints(param.Parameterized):
    """A model with points that are edited by hand."""

    points = Points("", doc="edited points in place of those of the source")
    adds = param.Selector(objects=["+1", "-1"], doc="class of a point that is clicked in")
    brush = param.Boolean(False, doc="whether a drag that begins between points paints a cloud of them")
    moving = param.Boolean(False, doc="whether a point is being dragged")

    def edit(self, X, y):
        """Take edited points.

        Raises
        ------
        InputError
            Too many points, coordinates that are no numbers, or one class alone.
        """
        X = np.asarray(X, dtype=float)
        if not np.isfinite(X).all():
            raise InputError("points: a coordinate is not a finite number; move the point again")
        if not 2 <= len(y) <= MOST_POINTS or len(set(y)) < 2:
            raise InputError(TOO_FEW.format(n=len(y), classes=len(set(y)), most=MOST_POINTS))
        self.points = write_points(snapped(X), y)


def placed(points, source):
    """The points (n, 2) and labels (n,) of a text of edited ones, or where it is empty of a source."""
    return read_points(points) if points else SOURCES[source]()


def carried(old, new, values):
    """Values (n,) of old points for new ones: a moved point keeps its own, one that was added gets zero.

    Parameters
    ----------
    old, new : (X, y)
    """
    (X, y), (X_new, y_new) = old, new
    if np.array_equal(y, y_new):
        return np.array(values)
    kept = {}
    for point, label, value in zip(X.tolist(), y.tolist(), values, strict=True):
        kept.setdefault((*point, label), []).append(value)
    keys = [(*point, label) for point, label in zip(X_new.tolist(), y_new.tolist(), strict=True)]
    return np.array([kept[key].pop(0) if kept.get(key) else 0.0 for key in keys])


def take_drags(plot):
    """Have a figure take what is dragged on it: else a finger there would scroll the page."""
    tool = PointDrawTool(renderers=[], add=False, visible=False)
    plot.add_tools(tool)
    plot.toolbar.active_drag = tool


class Editor:
    """Edits by hand in a figure: a click adds a point, a drag moves one, a double click deletes one.

    A drag that begins between points paints a cloud of them, where the brush is chosen or Shift is held.

    Parameters
    ----------
    plot : figure
    model : HasPoints
    present : callable
        Gives the points and labels that the model stands for.
    changed : callable
        Called after every edit.
    refuse : callable
        Takes the sentence of an edit that is refused; the points stay as they are.
    released : callable, optional
        Called when a point that was dragged is let go.
    """

    def __init__(self, plot, model, present, changed, refuse, released=lambda: None):
        self.model, self.present, self.changed, self.refuse = model, present, changed, refuse
        self.released = released
        self.past = []  # texts of points, the last edit's at the end
        self.held = None  # the sample that is dragged, and where it was taken hold of
        self.stroke = None  # of a brush: its random generator, and the place of its last point
        take_drags(plot)
        self.hovers = [(each, each.renderers) for each in plot.tools if isinstance(each, HoverTool)]
        answers = {
            Tap: self._tapped, DoubleTap: self._tapped_twice, PanStart: self._taken, Pan: self._dragged,
            PanEnd: self._let_go,
        }  # fmt: skip
        for event, answer in answers.items():
            plot.on_event(event, answer)

    def forget(self):
        """Other points: what was done to the former ones cannot be undone."""
        self.past.clear()
        self.held = self.stroke = None

    def take(self, text):
        """Take points that were edited elsewhere, as a text."""
        try:
            X, y = read_points(text)
        except ValueError as error:
            self.refuse(f"{error}; move the point again")
            return
        self._take(X, y)

    def undo(self):
        """Take the last edit back."""
        if self.past:
            self.held = self.stroke = None
            self.model.points = self.past.pop()
            self.changed()

    def nearest(self, x, y):
        """The sample that is meant by a place in the plane, or None."""
        away = np.hypot(*(self.present()[0] - (x, y)).T)
        return int(away.argmin()) if away.min() <= NEAR else None

    def _tapped(self, event):
        if not _in_square(event) or self.nearest(event.x, event.y) is not None:
            return
        X, y = self.present()
        self._take(np.vstack([X, [[event.x, event.y]]]), np.append(y, float(self.model.adds)))

    def _tapped_twice(self, event):
        sample = self.nearest(event.x, event.y)
        if sample is not None:
            X, y = self.present()
            self._take(np.delete(X, sample, axis=0), np.delete(y, sample))

    def _taken(self, event):
        sample = self.nearest(event.x, event.y)
        if sample is not None:
            self.held = sample, self.present()[0][sample] - np.array([event.x, event.y])
            self._remember(self.model.points)
        elif _in_square(event) and (self.model.brush or (event.modifiers or {}).get("shift")):
            place = np.array([event.x, event.y])
            self.stroke = np.random.default_rng(SEED), place
            self._remember(self.model.points)
            self._move(True)
            self._add(place[None])

    def _dragged(self, event):
        if self.stroke is not None:
            self._paint(np.array([event.x, event.y]))
            return
        X, y = self.present()
        if self.held is None or self.held[0] >= len(y):
            return
        sample, offset = self.held
        X[sample] = np.array([event.x, event.y]) + offset
        self._move(True)
        self._take(X, y, remember=False)

    def _paint(self, end):
        """Go on with a stroke up to a place."""
        rng, start = self.stroke
        length = float(np.hypot(*(end - start)))
        count = int(length / SPACING)
        if count:
            places = start + np.arange(1, count + 1)[:, None] * (SPACING / length) * (end - start)
            self.stroke = rng, places[-1]
            self._add(places + rng.normal(0.0, SPREAD, places.shape))

    def _add(self, places):
        """Add points of the chosen class, as many as there is room for."""
        X, y = self.present()
        fitting = places[: max(MOST_POINTS - len(y), 0)]
        if len(fitting):
            labels = np.append(y, np.full(len(fitting), float(self.model.adds)))
            self._take(np.vstack([X, fitting]), labels, remember=False)
        if len(fitting) < len(places):
            self.stroke = None
            self.refuse(FULL.format(most=MOST_POINTS))

    def _let_go(self, event):
        if self.past and self.past[-1] == self.model.points:
            self.past.pop()  # nothing has changed
        self.held = self.stroke = None
        if self.model.moving:
            self._move(False)
            self.released()

    def _move(self, moving):
        """Say that a point is dragged; its tooltip would cover what is to be seen."""
        if self.model.moving != moving:
            self.model.moving = moving
            for tool, renderers in self.hovers:
                tool.renderers = [] if moving else renderers

    def _take(self, X, y, remember=True):
        before = self.model.points
        try:
            self.model.edit(X, y)
        except InputError as error:
            self.refuse(str(error))
            return
        if self.model.points != before:
            if remember:
                self._remember(before)
            self.changed()

    def _remember(self, points):
        self.past = [*self.past, points][-MOST_UNDONE:]


def _in_square(event):
    """Whether an event is in the square; beside it are the axes."""
    return max(abs(event.x), abs(event.y)) <= HALF_WIDTH
