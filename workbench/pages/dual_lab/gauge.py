"""The gauge: the interval that holds the optimum, on the axis of the run's start and under a lens."""

import math
from typing import NamedTuple

import numpy as np

from workbench.pages.dual_lab.captions import said
from workbench.pages.numerals import numerals

# The gap fills no more of the lens than this, and so no less than a tenth of it.
MOST_FILLED = 0.9
# The lens stands still while the interval moves by less than this share of it.
NOTCH = 0.1
# Beyond this the ends are told apart by rounding alone.
MOST_POWER = 12
# Of the axis: what lies beyond it by less does so by rounding.
SLACK = 1e-9


class Gauge(NamedTuple):
    """Where the optimum lies, and between which numbers that is drawn.

    Attributes
    ----------
    dual, primal, gap : float
        The bounds -D(alpha) and P(w) of the certificate shown, maybe infinite, and its gap.
    low, width : float
        The axis: it begins at the dual bound of the start and ends at the primal there.
    power : int
        The lens magnifies the axis 10**power times.
    left : float
        Where the lens begins.
    """

    dual: float
    primal: float
    gap: float
    low: float
    width: float
    power: int
    left: float

    def axis(self):
        """The places of dual bound and primal on the axis, 0 at its beginning and 1 at its end."""
        return _places(self.dual, self.primal, self.gap, self.low, self.width)

    def lens(self):
        """Their places in the lens."""
        return _places(self.dual, self.primal, self.gap, self.left, self.width * 10.0**-self.power)

    def window(self):
        """The places on the axis where the lens begins and ends."""
        start = (self.left - self.low) / self.width
        return start, start + 10.0**-self.power


def _places(dual, primal, gap, low, width):
    start = (dual - low) / width
    # The gap is a sum that does not cancel, unlike the difference of its ends.
    return start, start + gap / width if math.isfinite(gap) else (primal - low) / width


def measure(curves):
    """The gauge of a run's certificates.

    Parameters
    ----------
    curves : dict of str to ndarray (k,)
        "primal", "dual" and "gap" of a run's certificates so far, that of the start first.
    """
    primal, dual, gap = (curves[name] for name in ("primal", "dual", "gap"))
    bounded = np.flatnonzero(np.isfinite(primal) & np.isfinite(dual))
    low, high = (float(dual[bounded[0]]), float(primal[bounded[0]])) if bounded.size else (0.0, 1.0)
    width = high - low
    if not width > 0.0:  # solved at the start
        width = abs(high) or 1.0
        low -= 0.5 * width
    now = float(dual[-1]), float(primal[-1]), float(gap[-1])
    power = _power(now[2], width)
    left = low
    if power:
        notch = NOTCH * width * 10.0**-power
        middle = (now[0] - low + 0.5 * now[2]) / notch
        left = low + notch * (round(middle) - 0.5 / NOTCH)
    return Gauge(*now, low, width, power, left)


def _power(gap, width):
    """The largest power of ten that leaves the gap within the lens."""
    if not (math.isfinite(gap) and gap > 0.0):
        return 0
    return min(max(math.floor(math.log10(MOST_FILLED * width / gap)), 0), MOST_POWER)


def shown(gauge):
    """What the browser puts into the gauge: places in percent of a track, and texts.

    "open" says on which sides the interval goes on beyond the axis.
    """
    digits = _decimals(gauge.gap)
    return {
        "axis": _percent(gauge.axis()), "lens": _percent(gauge.lens()), "window": _percent(gauge.window()),
        "open": _beyond(gauge),
        "low": numerals(f"{gauge.low:.4g}"), "high": numerals(f"{gauge.low + gauge.width:.4g}"),
        "dual": said("dual_end", bound=_bound(gauge.dual, digits)),
        "primal": said("primal_end", bound=_bound(gauge.primal, digits)),
        "axis_label": numerals(_axis_label(gauge)),
        "lens_label": numerals(said("lens" if gauge.power else "no_lens", times=10**gauge.power)),
        "sentence": sentence(gauge), "why": said("why_certain"),
    }  # fmt: skip


def sentence(gauge):
    """What the gauge says, as it stands."""
    ends = math.isfinite(gauge.dual), math.isfinite(gauge.primal)
    if not all(ends):
        return said({(False, True): "no_floor", (True, False): "no_ceiling"}.get(ends, "no_ends"))
    return said("between") + (said("beyond") if any(_beyond(gauge)) else "")


def _axis_label(gauge):
    if not math.isfinite(gauge.gap) or any(_beyond(gauge)):
        return said("no_axis")
    return said("axis", share=100.0 * gauge.gap / gauge.width)


def _beyond(gauge):
    """Whether the interval goes on to the left of the axis, and to its right."""
    dual, primal = gauge.axis()
    return [dual < -SLACK, primal > 1.0 + SLACK]


def _percent(places):
    """Places of a track in percent of it, at its ends where they lie outside."""
    return [100.0 * min(max(place, 0.0), 1.0) for place in places]


def _decimals(gap):
    """So many decimals that the ends of the gap differ in two of them."""
    return min(max(1 - math.floor(math.log10(gap)), 3), MOST_POWER) if 0.0 < gap < math.inf else 4


def _bound(value, decimals):
    if not math.isfinite(value):
        return "∞" if value > 0.0 else "−∞"
    return numerals(f"{value:.{decimals}f}" if abs(value) < 1e6 else f"{value:.4g}")
