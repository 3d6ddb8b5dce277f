"""Shared by pages with points in the plane: points in the address, and sentences on edits."""

import param

from workbench.data.examples.plane import MAX_POINTS, SOURCES, read_points

FULL = "points: the square holds at most {most}; undo the stroke, or delete some points"
TOO_FEW = "points: {n} points of {classes} classes; keep 2 to {most}, of both classes"
MARKERS = {1.0: "circle", -1.0: "square"}


class Points(param.String):
    """The text of edited points; empty for those of the data set."""

    # Of an address; five characters a point.
    longest = 5 * MAX_POINTS

    def _validate(self, val):
        super()._validate(val)
        if val:
            read_points(val)


class HasPoints(param.Parameterized):
    """A model with points that are edited by hand."""

    points = Points("", doc="edited points in place of those of the source")
    adds = param.Selector(objects=["+1", "-1"], doc="class of a point that is clicked in")
    brush = param.Boolean(False, doc="whether a drag that begins between points paints a cloud of them")


def placed(points, source):
    """The points (n, 2) and labels (n,) of a text of edited ones, or where it is empty of a source."""
    return read_points(points) if points else SOURCES[source]()
