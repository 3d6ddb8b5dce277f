"""A line chart as SVG: no script, no font of its own, the text in the colour of its surroundings."""

import html
import math
from typing import NamedTuple

WIDTH, HEIGHT = 460, 220
LEFT, RIGHT, TOP, BOTTOM = 62, 12, 14, 40
# Distinct for colour-blind readers, on white as on black.
COLOURS = ("#1f8fd6", "#d9730d", "#2a9d6f", "#b35cc4")
# The approximate number of ticks on an axis, and the largest number of points of a line.
TICKS, MAX_POINTS = 5, 400
# The difference of two values that are drawn is a float, too.
FARTHEST = 1e300
STYLE = "max-width:100%;height:auto;font:11px system-ui,sans-serif;color:inherit"


class Line(NamedTuple):
    """One series: values that are not finite, or not above 0 on a logarithmic axis, are left out."""

    name: str
    x: list
    y: list
    error: list | None = None  # half the height of a bar at each point
    dots: bool = False


def chart(lines, title, x_label, y_label, x_log=False, y_log=False, mark=None):
    """Return the chart as one <svg> element.

    Parameters
    ----------
    lines : sequence of Line
    title : str
        What a reader without eyes is told.
    x_label, y_label : str
    x_log, y_log : bool
    mark : float, optional
        Where a dashed line stands on the x axis.
    """
    curves = [(line, _points(line, x_log, y_log)) for line in lines]
    xs = [x for _, points in curves for x, _, _ in points]
    ys = [
        end for _, points in curves for _, y, e in points for end in ((y - e, y + e) if not y_log else (y,))
    ]
    if not xs:
        return f"<p>{html.escape(title)}: nothing to draw.</p>"
    across, up = _Axis(xs, x_log, LEFT, WIDTH - RIGHT), _Axis(ys, y_log, HEIGHT - BOTTOM, TOP)
    parts = [*_frame(across, up, x_label, y_label)]
    if mark is not None and (mark > 0.0 or not x_log):
        x = across(mark)
        style = "stroke='currentColor' stroke-dasharray='3 3' opacity='.6'"
        parts.append(f"<path d='M{x:.1f} {TOP}V{HEIGHT - BOTTOM}' {style}/>")
    for k, (line, points) in enumerate(curves):
        parts.extend(_series(line, points, COLOURS[k % len(COLOURS)], across, up))
    if len(lines) > 1:
        parts.extend(_legend([line.name for line in lines]))
    return (
        f"<svg viewBox='0 0 {WIDTH} {HEIGHT}' width='{WIDTH}' role='img' "
        f"aria-label='{html.escape(title, True)}' "
        f"style='{STYLE}' xmlns='http://www.w3.org/2000/svg'>{''.join(parts)}</svg>"
    )


def _points(line, x_log, y_log):
    """Return the points that can be drawn, thinned, each with its error."""
    errors = line.error if line.error is not None else [0.0] * len(line.x)
    points = [
        (float(x), float(y), float(e))
        for x, y, e in zip(line.x, line.y, errors, strict=True)
        if abs(x) <= FARTHEST and abs(y) <= FARTHEST and (x > 0.0 or not x_log) and (y > 0.0 or not y_log)
    ]
    step = math.ceil(len(points) / MAX_POINTS)
    return points[::step] + (points[-1:] if step > 1 else []) if points else []


class _Axis:
    """From values to places between two ends of the drawing."""

    def __init__(self, values, log, first, last):
        self.log = log
        low, high = (self._of(value) for value in (min(values), max(values)))
        room = 0.03 * (high - low) or max(abs(low) * 0.05, 0.5)
        self.low, self.high, self.first, self.last = low - room, high + room, first, last

    def _of(self, value):
        return math.log10(value) if self.log else value

    def __call__(self, value):
        share = (self._of(value) - self.low) / (self.high - self.low)
        return self.first + share * (self.last - self.first)

    def ticks(self):
        """Values and their texts."""
        span = self.high - self.low
        if self.log:
            step = max(1, math.ceil(span / TICKS))
            # No float lies beyond these powers.
            exponents = range(max(math.ceil(self.low), -323), min(math.floor(self.high), 308) + 1, step)
            return [(10.0**k, f"{10.0**k:g}" if -4 < k < 5 else f"1e{k}") for k in exponents]
        step = 10.0 ** math.floor(math.log10(span / TICKS))
        step *= next(f for f in (1, 2, 5, 10) if span / (f * step) <= TICKS)
        first = math.ceil(self.low / step)
        values = [k * step for k in range(first, math.floor(self.high / step) + 1)]
        return [(value, f"{value:.6g}") for value in values]


def _frame(across, up, x_label, y_label):
    bottom = HEIGHT - BOTTOM
    line = "stroke='currentColor' stroke-width='1' fill='none'"
    yield f"<path d='M{LEFT} {TOP}V{bottom}H{WIDTH - RIGHT}' {line} opacity='.7'/>"
    for value, text in across.ticks():
        x = across(value)
        yield f"<path d='M{x:.1f} {bottom}v4' {line}/><text x='{x:.1f}' y='{bottom + 15}' text-anchor='middle' fill='currentColor'>{text}</text>"  # noqa: E501
    for value, text in up.ticks():
        y = up(value)
        yield f"<path d='M{LEFT} {y:.1f}H{WIDTH - RIGHT}' {line} opacity='.15'/><text x='{LEFT - 6}' y='{y + 4:.1f}' text-anchor='end' fill='currentColor'>{text}</text>"  # noqa: E501
    middle = (LEFT + WIDTH - RIGHT) / 2
    label = html.escape(x_label)
    yield f"<text x='{middle}' y='{HEIGHT - 6}' text-anchor='middle' fill='currentColor'>{label}</text>"
    y = (TOP + bottom) / 2
    yield f"<text transform='translate(13 {y}) rotate(-90)' text-anchor='middle' fill='currentColor'>{html.escape(y_label)}</text>"  # noqa: E501


def _series(line, points, colour, across, up):
    places = [(across(x), up(y)) for x, y, _ in points]
    path = "L".join(f"{x:.1f} {y:.1f}" for x, y in places)
    if len(places) > 1:
        yield f"<path d='M{path}' fill='none' stroke='{colour}' stroke-width='1.8'/>"
    for (x, y), (_, value, error) in zip(places, points, strict=True):
        if error > 0.0 and not up.log:
            yield f"<path d='M{x:.1f} {up(value - error):.1f}V{up(value + error):.1f}' stroke='{colour}'/>"
        if line.dots or len(places) == 1:
            yield f"<circle cx='{x:.1f}' cy='{y:.1f}' r='2.6' fill='{colour}'/>"


def _legend(names):
    for k, name in enumerate(names):
        y, right = TOP + 10 + 14 * k, WIDTH - RIGHT
        text = html.escape(name)
        yield f"<path d='M{right - 18} {y - 4}h16' stroke='{COLOURS[k % len(COLOURS)]}' stroke-width='2'/>"
        yield f"<text x='{right - 22}' y='{y}' text-anchor='end' fill='currentColor'>{text}</text>"
