"""The model of Home: which lesson is read, and how the curves of a page become a picture."""

import numpy as np
import param

from workbench.system import resources

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
    x, y = (np.concatenate([curve[axis] for curve in curves]) for axis in (0, 1))
    paths = "".join(
        f"<path d='{_path(curve, x, y)}' fill='none' stroke='{colour}' stroke-width='2.5' "
        f"stroke-linejoin='round' stroke-dasharray='{DASHES[curve[2]]}'/>"
        for curve, colour in zip(curves, colours, strict=False)
    )
    return f"{head}{paths}</svg>"


def _path(curve, x, y):
    across = EDGE + (WIDTH - 2 * EDGE) * (curve[0] - x.min()) / max(np.ptp(x), 1e-12)
    down = HEIGHT - EDGE - (HEIGHT - 2 * EDGE) * (curve[1] - y.min()) / max(np.ptp(y), 1e-12)
    return "M" + "L".join(f"{a:.1f} {b:.1f}" for a, b in zip(across, down, strict=True))
