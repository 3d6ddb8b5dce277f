"""What the page says with its present numbers: one table of sentences, which the browser reads too."""

import html

from workbench.pages.bias import model as bias
from workbench.pages.bias.wording import TEXTS, said
from workbench.pages.dual_lab import captions as dual_captions
from workbench.pages.dual_lab import cards
from workbench.pages.dual_lab.captions import elapsed
from workbench.pages.numerals import numerals

# The sentences that the browser says, some of which are the Dual lab's.
SPOKEN = TEXTS | {name: dual_captions.TEXTS[name] for name in ("steps", "epochs", "no_bound", "wide", "tick")}
# The ways a run ends, from bad to good.
ENDED = ("diverged", "max_epochs", "stalled", "converged")


def captions(frame):
    """The sentence under each figure."""
    runs = frame["runs"]
    rows = {algorithm: run["row"] for algorithm, run in runs.items()}
    sentences = {
        part: _gaps(runs[algorithm]) if algorithm in runs else said("not_running", algorithm=algorithm)
        for algorithm, part in bias.PARTS.items()
    }
    for name in ("multiplier", "spiral"):
        sentences[name] = " ".join(said(name, algorithm=algorithm, **row) for algorithm, row in rows.items())
    sentences["spiral"] += " " + said("rest")
    sentences["profile"] = " ".join(_depth(algorithm, run["profile"]) for algorithm, run in runs.items())
    return sentences


def _gaps(run):
    return said("gaps_diverged" if run["reason"] else "gaps", reason=run["reason"], **run["row"])


def _depth(algorithm, profile):
    if profile["at"].size < 2:
        return said("no_best", algorithm=algorithm)
    return said("depth", algorithm=algorithm, depth=max(0.0, profile["height"][0] - profile["height"][1]))


def statistics(frame):
    """The cards with the numbers of Algorithm 2, or of the only one, those of Algorithm 3 below."""
    rows = [] if frame is None else [run["row"] for run in frame["runs"].values()]
    row, other = rows[0] if rows else None, rows[1] if len(rows) > 1 else None
    noted = {} if row is None else row | {"promise": cards.promise(row["relative_gap"])}
    entries = [
        (name, lambda row, value=value: value.format(**row), note.format(**noted) if noted else "")
        for name, value, note in TEXTS["numbers"]
    ]
    return cards.numbers(entries, row, other, "3:")


def steps(lab, frame):
    """HTML on the last step of each multiplier with its numbers."""
    lines = [f"<p>{html.escape(said('residual'))}</p>"]
    for each in lab.pair:
        run = frame["runs"][each.algorithm]
        eta = 1.0 if each.algorithm == bias.FULL else each.settings["eta"]
        text = said("last_step", moved=run["moved"], eta=eta, **run["row"])
        lines.append(f"<p><b>{each.algorithm}</b>: {html.escape(numerals(text))}</p>")
    return f"<div class='wb-note'>{''.join(lines)}</div>"


def ending(lab, tolerance):
    """The sentence on how far one algorithm came."""
    run = lab.run
    reached = said("reached", algorithm=lab.algorithm, elapsed=elapsed(run.rows[-1]))
    status = run.status if run.status in ENDED else "paused"
    return said(status, reached=reached, tolerance=tolerance, reason=bias.reason(run))
