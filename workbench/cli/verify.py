"""`workbench verify`: every pair that the workbench states, with what was proved of it, and the errata."""

import itertools
import sys
from typing import Annotated

import typer
from typer import Option

from workbench.cli.derive import STYLES, _dumped, claims, console
from workbench.faces.progress import counting

TITLES = {
    "appendix": "Appendix E of Zhang (2002), as printed and as derived",
    "losses": "The losses that solvers run",
    "regularizers": "The regularizers that solvers run",
    "catalogue": "Losses, regularizers, norms and objectives of the sources",
}
ERRATA = {
    "misprint": "Misprints in {}",
    "transcription": "Slips in our transcription of {}, not its authors'",
}


def verify(
    fresh: Annotated[bool, Option("--fresh", help="Derive everything again and keep the result.")] = False,
    json: Annotated[bool, Option("--json", help="Print one JSON object and nothing else.")] = False,
):
    """Derive and verify every conjugate pair, or show what was kept of the last time."""
    from workbench.derivations import verification

    found = _table(fresh)
    if json:
        print(_dumped(found))
    else:
        show(found)
    raise typer.Exit(1 if verification.failed(found) else 0)


def _table(fresh):
    """The table, with a bar on the way if a terminal shows it."""
    from workbench.derivations import verification

    if not sys.stderr.isatty():
        return verification.table(fresh)
    with counting("pairs", True) as move:
        return verification.table(fresh, move)


def show(found):
    """The table for a reader: the pairs by section, what is open or failed, the errata, the sum."""
    out = console()
    for section, title in TITLES.items():
        rows = [row for row in found["pairs"] if row["section"] == section]
        compared = any(row["agrees"] is not None for row in rows)
        third = "printed" if compared else "source"
        lines = [(row["name"], row["status"], _third(row)) for row in rows]
        _print(out, title, ("pair", "status", third), lines)
    _show_open(out, found["pairs"])
    sources = dict.fromkeys(erratum["source"] for erratum in found["errata"])
    for (cause, title), source in itertools.product(ERRATA.items(), sources):
        errata = [entry for entry in found["errata"] if (entry["cause"], entry["source"]) == (cause, source)]
        lines = [(erratum["where"], erratum["counterexample"]) for erratum in errata]
        _print(out, title.format(source), ("place", "counterexample"), lines)
    out.print(ending(found))


def _third(row):
    """What became of the line as printed, or where there is none to compare with, the source."""
    if row["agrees"] is None:
        return row["source"]
    return "agrees" if row["agrees"] else "our slip" if row["cause"] == "transcription" else "misprint"


def _print(out, title, heads, lines):
    """A titled table; a status is coloured."""
    from rich.table import Table
    from rich.text import Text

    if lines:
        made = Table(*heads, box=None, pad_edge=False, header_style="dim")
        for line in lines:
            made.add_row(*(Text(cell, style=STYLES.get(cell, "")) for cell in line))
        out.print(title, style="bold")
        out.print(made)
        out.print()


def _show_open(out, rows):
    for row in rows:
        weak = [claim for claim in row["claims"] if claim["status"] != "proved"]
        if weak:
            out.print(f"{row['name']}: {row['status']}, since", style=STYLES[row["status"]])
            out.print(claims(weak))
            out.print()


def ending(found):
    """The sums in one line, and whether they are of today."""
    states = [row["status"] for row in found["pairs"]]
    counts = ", ".join(f"{states.count(status)} {status}" for status in STYLES)
    made = f"kept since {found['date']}; --fresh derives anew" if found["cached"] else "derived now"
    causes = [erratum["cause"] for erratum in found["errata"]]
    errata = f"{causes.count('misprint')} misprints, {causes.count('transcription')} slips of transcription"
    return f"{len(states)} pairs: {counts}; {errata}; {made}; {found['seconds']:.2f} s"
