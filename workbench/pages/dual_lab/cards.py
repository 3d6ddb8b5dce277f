"""The small texts of the Dual lab in HTML: the row of numbers, the figures' keys, the badge of a step."""

import html

import numpy as np

from workbench.pages.dual_lab.captions import said
from workbench.pages.numerals import numerals
from workbench.pages.theme import stroke

# Below this relative gap a certificate gets its tick.
WORTH_A_TICK = 0.01
MOST_PERCENT = 9999.0
TITLES = {
    "gap": "Duality gap",
    "objective": "Primal and dual",
    "weights": "Weights w = ∇h(v)",
    "duals": "Dual variables",
    "terms": "Contributions to the gap",
    "saddle": "The saddle R(w, α)",
}


def keys(look, compared=False):
    """The key beside each figure's title; the second configuration has an entry where it is drawn."""
    second = stroke("dashed", look.vermillion, "B") if compared else ""
    kinds = (
        stroke("solid", look.purple, "at the bound")
        + stroke("dotted", look.green, "free")
        + stroke("solid", look.muted, "zero")
    )
    return {
        "gap": stroke("solid", look.blue, "A") + second if compared else "",
        "objective": stroke("solid", look.blue, "primal") + stroke("dotted", look.green, "dual bound"),
        "weights": stroke("solid", look.blue, "A") + second if compared else "",
        "duals": kinds + second,
        "terms": "",
        "saddle": stroke("solid", look.ink, "best w") + stroke("dashed", look.ink, "best α"),
    }


def statistics(frame):
    """The row of cards with the certificate's numbers, the second configuration's below; dots before."""
    row, other, d, n = None, None, 0, 0
    if frame is not None:
        row, d, n = frame["row"], frame["d"], frame["n"]
        other = frame["other"] and frame["other"]["row"]
    entries = (
        ("primal", lambda row: f"{row['primal']:.5g}", ""),
        ("dual bound", lambda row: f"{row['dual']:.5g}", ""),
        ("duality gap", lambda row: f"{row['gap']:.2e}", row and f"<em>{promise(row['relative_gap'])}</em>"),
        ("non-zeros", lambda row: f"{row['nonzeros']:,}", f"<span>of {d:,}</span>"),
        ("support", lambda row: f"{row['support']:,}", f"<span>of {n:,}</span>"),
        ("test accuracy", _score, ""),
    )
    return numbers(entries, row, other)


def numbers(entries, row, other=None, mark="B"):
    """A row of cards, each with a name, a number and a note.

    Parameters
    ----------
    entries : sequence of (name, function of a row, HTML of the note)
    row, other : dict or None
        Of the first run and of the second, whose numbers stand below; dots where there is none yet.
    mark : str
        Stands before the second's.
    """
    cards = "".join(
        f"<div class='wb-stat'><span>{name}</span><b>{'…' if row is None else numerals(value(row))}</b>"
        f"{'' if row is None else numerals(note)}"
        f"{'' if other is None else f'<span class=b>{mark} {numerals(value(other))}</span>'}</div>"
        for name, value, note in entries
    )
    return f"<div class='wb-stats'>{cards}</div>"


def _score(row):
    score = row["test_score"]
    return "none" if np.isnan(score) else f"{100.0 * score:.2f} %"


def promise(relative_gap):
    """What the certificate guarantees, in words; a tick where that is worth something."""
    if not np.isfinite(relative_gap):
        return said("no_bound")
    percent = min(100.0 * relative_gap, MOST_PERCENT)
    return said("wide" if relative_gap > WORTH_A_TICK else "tick", percent=percent)


def badge(step):
    """Whether the step was clipped, what it did to the dual, and where its formula stands."""
    style = "clip" if step.clipped else "free"
    return (
        f"<span class='wb-badge {style}'>{html.escape(numerals(step.badge))}</span> "
        f"<span class='wb-source'>{html.escape(numerals(step.dual))}</span>"
        f"<div class='wb-source'>{html.escape(step.source)}</div>"
    )
