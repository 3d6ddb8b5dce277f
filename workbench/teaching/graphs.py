"""Drawn graphs of short problems: curves and marked points with computed positions, as SVG.

A kind of problem has a table `graph`: `x` and `y` are the ends of the axes, `curves` are expressions in x,
`marks` are points (expression of x, expression of y), and
`behind` are further curves, drawn gray. With `pick`, "curves" or "marks", these are three,
lettered in a drawn order, and `test` is true of the right one alone: of its x and y, or of its function f.
"""

import random
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from workbench._support.errors import InputError

# Width and height of the drawing, and the margin around the axes.
WIDTH, HEIGHT, MARGIN = 360, 240, 22
SAMPLES = 91
LETTERS = "ABC"
COLORS = ("#1f77b4", "#d95f02", "#1b9e77")


class Graph(NamedTuple):
    """Curves as functions, marks as points, and which of them are lettered."""

    x: tuple[float, float]
    y: tuple[float, float]
    curves: list[Callable[[Any], Any]]
    marks: list[tuple[float, float]]
    pick: str
    right: str
    behind: list[Callable[[Any], Any]]

    def svg(self):
        """Return the drawing as one element of SVG."""
        (left, end), (low, high) = self.x, self.y

        def at(x, y):
            across = MARGIN + (x - left) / (end - left) * (WIDTH - 2 * MARGIN)
            return f"{across:.1f},{HEIGHT - MARGIN - (y - low) / (high - low) * (HEIGHT - 2 * MARGIN):.1f}"

        def text(x, y, words):
            across, down = at(x, y).split(",")
            return f'<text x="{across}" y="{down}" dx="3" dy="-3" stroke="none">{words}</text>'

        def ticks(first, last):
            step = next(step for step in (0.25, 0.5, 1, 2, 5, 10, 20, 50) if (last - first) / step <= 10)
            return [k * step for k in range(int(np.ceil(first / step)), int(np.floor(last / step)) + 1)]

        parts = []
        for x in ticks(left, end):
            parts += [f'<path d="M{at(x, low)}L{at(x, high)}" class="grid"/>', text(x, low, f"{x:g}")]
        for y in ticks(low, high):
            parts += [f'<path d="M{at(left, y)}L{at(end, y)}" class="grid"/>', text(left, y, f"{y:g}")]
        parts += [f'<path d="M{at(*a)}L{at(*b)}"/>' for a, b in self._axes()]
        for number, curve in enumerate([*self.curves, *self.behind]):
            color = COLORS[number % 3] if number < len(self.curves) else "gray"
            pieces, last = [], None
            for x in np.linspace(left, end, SAMPLES):
                y = float(curve(x))
                if np.isfinite(y) and low <= y <= high:
                    pieces.append(f"{'ML'[last is not None]}{at(x, y)}")
                    last = x, y
                else:
                    last = None
            drawn = f'<path d="{"".join(pieces)}" stroke="{color}" stroke-width="2.5"/>'
            if self.pick == "curves" and number < len(self.curves):
                x, y = self._place_of_letter(number)
                drawn = _picked(number, drawn + text(x, y, LETTERS[number]))
            parts.append(drawn)
        for number, (x, y) in enumerate(self.marks):
            across, down = at(x, y).split(",")
            drawn = f'<circle cx="{across}" cy="{down}" r="5" fill="{COLORS[number % 3]}"/>'
            if self.pick == "marks":
                drawn = _picked(number, drawn + text(x, y, LETTERS[number]))
            parts.append(drawn)
        return (
            f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" role="img" aria-label="Graph" fill="none" '
            'stroke="currentColor" font-size="12"><style>.grid{opacity:.15} svg text{fill:currentColor} '
            f"[data-pick]{{cursor:pointer}}</style>{''.join(parts)}</svg>"
        )

    def _axes(self):
        (left, end), (low, high) = self.x, self.y
        if left <= 0 <= end:
            yield (0, low), (0, high)
        if low <= 0 <= high:
            yield (left, 0), (end, 0)

    def _place_of_letter(self, number):
        """Return a point of a curve far from the other curves."""
        (low, high), curve = self.y, self.curves[number]
        others = [other for other in self.curves if other is not curve]
        places = [(x, float(curve(x))) for x in np.linspace(*self.x, 31)[1:-2]]
        inside = [(x, y) for x, y in places if np.isfinite(y) and low <= y <= low + 0.92 * (high - low)]
        return max(inside, key=lambda place: min(abs(float(other(place[0])) - place[1]) for other in others))


def _picked(number, drawn):
    return f'<g data-pick="{LETTERS[number]}">{drawn}</g>'


def read_graph(name, entry, names, seed):
    """Return the graph of a problem, its lettered parts in an order drawn from the seed.

    Parameters
    ----------
    name : str
        How an error calls the problem.
    entry : dict
        The table `graph`.
    names : dict
        What the expressions may use.
    seed : str

    Raises
    ------
    InputError
        The test is true of none of the lettered parts, or of several.
    """

    def function(expression):
        return lambda x: _value(expression, names | {"x": x})

    curves = [function(expression) for expression in entry.get("curves", [])]
    marks = [(float(_value(x, names)), float(_value(y, names))) for x, y in entry.get("marks", [])]
    pick, right = entry.get("pick", ""), ""
    if pick:
        parts: list[Any] = {"curves": curves, "marks": marks}[pick]
        random.Random(f"{seed} {name[:-1]}").shuffle(parts)
        # From one draw of a kind to the next the right letter moves on.
        turn = ord(name[-1]) % len(parts)
        parts[:] = parts[turn:] + parts[:turn]
        fits = [_fits(entry["test"], names, pick, part) for part in parts]
        if len(parts) != len(LETTERS) or sum(fits) != 1:
            raise InputError(f"{name}: graph: the test must hold for one of three {pick}; it gives {fits}")
        right = LETTERS[fits.index(True)]
    behind = [function(expression) for expression in entry.get("behind", [])]
    return Graph(tuple(entry["x"]), tuple(entry["y"]), curves, marks, pick, right, behind)


def _fits(test, names, pick, part):
    known = {"f": part} if pick == "curves" else {"x": part[0], "y": part[1]}
    return bool(_value(test, names | known))


def _value(expression, names):
    with np.errstate(all="ignore"):
        return eval(str(expression), names)
