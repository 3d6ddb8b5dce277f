"""Pictures of optima as balances: a ball at rest against walls, two discs, an SVM with its support vectors.

HoloViews is imported inside the functions, since checkers run without it.
"""

from itertools import combinations

import numpy as np

from workbench.teaching.pictures import BLUE, ORANGE, PLANE, TURN, margin_lines, samples

TOUCHING = 1e-9
ROOM = {"width": 460, "height": 420, "data_aspect": 1, "show_legend": False}


def at_rest(A, b, c):
    """Return where |w - c| is least in the room Aw <= b of the plane, and the multipliers of the walls.

    Parameters
    ----------
    A : ndarray (m, 2)
    b : ndarray (m,)
    c : ndarray (2,)

    Returns
    -------
    w : ndarray (2,)
    nu : ndarray (m,)
    """
    for count in range(3):
        for walls in map(list, combinations(range(len(b)), count)):
            nu = np.zeros(len(b))
            nu[walls] = np.linalg.pinv(A[walls] @ A[walls].T) @ (A[walls] @ c - b[walls])
            w = c - A.T @ nu
            if np.min(nu) >= 0 and np.max(A @ w - b) <= TOUCHING:
                return w, nu
    raise ValueError("the room is empty")


def _arrow(start, step, colour):
    import holoviews as hv

    end = np.add(start, step)
    angle, size = np.arctan2(step[1], step[0]), np.hypot(*step)
    wings = [
        end + size * 0.2 * np.array([np.cos(angle + turn), np.sin(angle + turn)]) for turn in (2.7, -2.7)
    ]
    return hv.Path(
        [[tuple(start), tuple(end)], [tuple(wings[0]), tuple(end), tuple(wings[1])]], ["w1", "w2"]
    ).opts(color=colour, line_width=2)


def walls(A, b, c):
    """Return the ball at rest, the pull of the target (orange) and the pushes of the walls (blue).

    Parameters
    ----------
    A, b, c
        As `at_rest` takes them.

    Returns
    -------
    holoviews.Overlay
    """
    import holoviews as hv

    w, nu = at_rest(A, b, np.asarray(c, dtype=float))
    parts = []
    for normal, limit in zip(A, b, strict=True):
        foot, along = normal * limit / (normal @ normal), np.array([-normal[1], normal[0]])
        parts.append(hv.Curve(np.array([foot - 9 * along, foot + 9 * along]), "w1", "w2").opts(color="gray"))
    circle = (c[0] + np.hypot(*(w - c)) * np.cos(TURN), c[1] + np.hypot(*(w - c)) * np.sin(TURN))
    parts.append(hv.Curve(circle, "w1", "w2").opts(color="gray", line_dash="dotted"))
    parts.append(hv.Scatter([tuple(c)], "w1", "w2").opts(color=ORANGE, size=9, fill_alpha=0.0))
    parts.append(hv.Scatter([tuple(w)], "w1", "w2").opts(color="black", size=9))
    for step, colour in (
        (c - w, ORANGE),
        *((-push * normal, BLUE) for push, normal in zip(nu, A, strict=True)),
    ):
        if np.any(step):
            parts.append(_arrow(w, step, colour))
    shown = ", ".join(f"{push:.3g}" for push in nu)
    title = f"at rest at ({w[0]:.3g}, {w[1]:.3g}), multipliers {shown}"
    return hv.Overlay(parts).opts(title=title, xlim=(-1.2, 4.8), ylim=(-1.5, 4), **ROOM)


def discs(radius):
    """Return two discs around (0, 1) and (0, -1), the leftmost point of both, and the forces there.

    Parameters
    ----------
    radius : float
        At least 1.

    Returns
    -------
    holoviews.Overlay
    """
    import holoviews as hv

    reach = np.sqrt(radius**2 - 1)
    tip = np.array([-reach, 0.0])
    parts = [
        hv.Curve((radius * np.cos(TURN), height + radius * np.sin(TURN)), "w1", "w2").opts(color="gray")
        for height in (1.0, -1.0)
    ]
    parts += [
        _arrow(tip, (-1.0, 0.0), ORANGE),
        hv.Scatter([tuple(tip)], "w1", "w2").opts(color="black", size=9),
    ]
    parts += [_arrow(tip, (2 * reach / 3, side * 2 / 3), BLUE) for side in (1.0, -1.0)]
    pushes = f"both multipliers {1 / (4 * reach):.3g}" if reach else "no multipliers"
    title = f"optimum {tip[0] + 0.0:.3g}, {pushes}"
    return hv.Overlay(parts).opts(title=title, xlim=(-2, 2), ylim=(-1.8, 1.8), **ROOM)


def margins(X, y, w, beta):
    """Return samples in the plane with the margin: hollow at beta = 0, pale between, full at beta = 1.

    Parameters
    ----------
    X : ndarray (n, 2)
    y : ndarray (n,)
    w : ndarray (2,)
    beta : ndarray (n,)
        The dual variables times the labels, each in [0, 1].

    Returns
    -------
    holoviews.Overlay
    """
    import holoviews as hv

    sides = sides_of(beta)
    levels = (0.0, 0.35, 1.0)
    parts = [*margin_lines(w), *samples(X, y > 0, np.array(levels)[sides], levels)]
    count = np.bincount(sides, minlength=3)
    title = f"{count[0]} at 0, {count[1]} between, {count[2]} at 1"
    return hv.Overlay(parts).opts(title=title, **PLANE)


def sides_of(beta):
    """Return 0 where beta is 0, 2 where it is 1, and 1 between, up to rounding."""
    return np.where(beta <= TOUCHING, 0, np.where(beta >= 1 - TOUCHING, 2, 1))
