"""The small texts of the Dual lab in HTML: the row of numbers, the figures' keys, the badge of a step."""

import html

import numpy as np

from workbench.views import theme

# Below this relative gap a certificate gets its tick.
WORTH_A_TICK = 0.01


def _key(stroke, colour, text):
    """An entry of a figure's key: a stroke as it is drawn, and what it means."""
    return f"<i style='border-top: 3px {stroke} {colour}'></i>{text}"


FIGURE_TITLES = {
    "objective": (
        "Primal, dual and gap",
        _key("solid", theme.BLUE, "primal")
        + _key("dotted", theme.GREEN, "dual bound")
        + _key("dashed", theme.VERMILLION, "gap, right"),
    ),
    "weights": ("Weights w = ∇h(v)", ""),
    "duals": (
        "Dual variables",
        _key("solid", theme.PURPLE, "at the bound")
        + _key("dotted", theme.GREEN, "free")
        + _key("solid", theme.MUTED, "zero"),
    ),
    "accuracy": ("Test accuracy", ""),
}


def statistics(frame):
    """The row of cards with the certificate's numbers; dots before the first."""
    if frame is None:
        row, d, n = None, 0, 0
    else:
        row, d, n = frame["row"], frame["d"], frame["n"]
    entries = (
        ("primal", lambda: f"{row['primal']:.5g}", lambda: ""),
        ("dual bound", lambda: f"{row['dual']:.5g}", lambda: ""),
        ("duality gap", lambda: f"{row['gap']:.2e}", lambda: f"<em>{_promise(row['relative_gap'])}</em>"),
        ("non-zeros", lambda: f"{row['nonzeros']:,}", lambda: f"<span>of {d:,}</span>"),
        ("support", lambda: f"{row['support']:,}", lambda: f"<span>of {n:,}</span>"),
        ("test accuracy", lambda: f"{100.0 * row['test_score']:.2f} %", lambda: ""),
    )
    cards = "".join(
        f"<div class='wb-stat'><span>{name}</span><b>{'…' if row is None else value()}</b>"
        f"{'' if row is None else note()}</div>"
        for name, value, note in entries
    )
    return f"<div class='wb-stats'>{cards}</div>"


def _promise(relative_gap):
    """What the certificate guarantees, in words; a tick where that is worth something."""
    if not np.isfinite(relative_gap):
        return "no guarantee yet"
    if relative_gap > WORTH_A_TICK:
        return f"within {100.0 * relative_gap:.0f} %"
    return f"✓ within {100.0 * relative_gap:.2g} %"


def badge(step):
    """Whether the step was clipped, what it did to the dual, and where its formula stands."""
    style = "clip" if step.clipped else "free"
    return (
        f"<span class='wb-badge {style}'>{html.escape(step.badge)}</span> "
        f"<span class='wb-source'>{html.escape(step.dual)}</span>"
        f"<div class='wb-source'>{html.escape(step.source)}</div>"
    )
