"""The model of Home: which lesson is read, and how the curves of a page become a picture."""

import numpy as np
import param

from workbench._support.system import resources

WIDTH, HEIGHT, EDGE = 280, 120, 8
DASHES = {"solid": "", "dashed": "7 4", "dotted": "2 4"}


class Reading(param.Parameterized):
    """What Home shows: its cards, or the text of a lesson."""

    lesson = param.Selector(objects=["", *resources.lessons()], doc="the lesson that is read")


def svg(curves, colours, title):
    """Curves as a small picture in SVG, scaled to fill it.

    Parameters
    ----------
    curves : sequence of (x, y, stroke)
    colours : sequence of str
        One a curve.
    title : str
        What it shows, for those who hear the page.
    """
    head = f"<svg viewBox='0 0 {WIDTH} {HEIGHT}' role='img' aria-label='{title}'>"
    if not curves:
        return head + "</svg>"
    paths = "".join(
        f"<path d='M{'L'.join(f'{a:.1f} {b:.1f}' for a, b in path)}' fill='none' stroke='{colour}' "
        f"stroke-width='2.5' stroke-linejoin='round' stroke-dasharray='{DASHES[curve[2]]}'/>"
        for curve, path, colour in zip(curves, placed(curves, WIDTH, HEIGHT, EDGE), colours, strict=False)
    )
    return f"{head}{paths}</svg>"


def placed(curves, width, height, edge):
    """The points (n, 2) of curves, scaled to fill a picture up to an edge; down is positive."""
    ends = [np.concatenate([curve[axis] for curve in curves]) for axis in (0, 1)]

    def scaled(axis, curve, length):
        low, spread = ends[axis].min(), max(np.ptp(ends[axis]), 1e-12)
        return edge + (length - 2 * edge) * (curve[axis] - low) / spread

    return [np.column_stack([scaled(0, curve, width), height - scaled(1, curve, height)]) for curve in curves]
