"""`workbench verify`: every pair that the workbench states, with what was proved of it, and the errata."""

import itertools
import sys
from typing import Annotated

import typer
from typer import Option

from workbench._support.display.progress import counting
from workbench.cli.derive import STYLES, _dumped, claims, console

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
    from workbench.conjugates.derivations import verification

    result = _table(fresh)
    if json:
        print(_dumped(result))
    else:
        show(result)
    raise typer.Exit(1 if verification.failed(result) else 0)


def _table(fresh):
    """Return the table, with a bar on the way if a terminal shows it."""
    from workbench.conjugates.derivations import verification

    if not sys.stderr.isatty():
        return verification.table(fresh)
    with counting("pairs", True) as move:
        return verification.table(fresh, move)


def show(result):
    """Print the table for a reader: the pairs by section, open and failed claims, the errata, the sum."""
    out = console()
    for section, title in TITLES.items():
        rows = [row for row in result["pairs"] if row["section"] == section]
        compared = any(row["agrees"] is not None for row in rows)
        third = "printed" if compared else "source"
        lines = [(row["name"], row["status"], _third(row)) for row in rows]
        _print(out, title, ("pair", "status", third), lines)
    _show_open(out, result["pairs"])
    sources = dict.fromkeys(erratum["source"] for erratum in result["errata"])
    for (cause, title), source in itertools.product(ERRATA.items(), sources):
        errata = [entry for entry in result["errata"] if (entry["cause"], entry["source"]) == (cause, source)]
        examples = [(erratum["where"], erratum["counterexample"]) for erratum in errata]
        _print(out, title.format(source), ("place", "counterexample"), examples)
    out.print(ending(result))


def _third(row):
    """Return the verdict on the line as printed, or the source without a printed line."""
    if row["agrees"] is None:
        return row["source"]
    return "agrees" if row["agrees"] else "misprint"


def _print(out, title, heads, lines):
    """Print a titled table; a status is coloured."""
    from rich.table import Table
    from rich.text import Text

    if lines:
        table = Table(*heads, box=None, pad_edge=False, header_style="dim")
        for line in lines:
            table.add_row(*(Text(cell, style=STYLES.get(cell, "")) for cell in line))
        out.print(title, style="bold")
        out.print(table)
        out.print()


def _show_open(out, rows):
    for row in rows:
        weak = [claim for claim in row["claims"] if claim["status"] != "proved"]
        if weak:
            out.print(f"{row['name']}: {row['status']}, since", style=STYLES[row["status"]])
            out.print(claims(weak))
            out.print()


def ending(result):
    """Return the sums in one line, and whether they are of today."""
    states = [row["status"] for row in result["pairs"]]
    counts = ", ".join(f"{states.count(status)} {status}" for status in STYLES)
    origin = f"kept since {result['date']}; --fresh derives anew" if result["cached"] else "derived now"
    causes = [erratum["cause"] for erratum in result["errata"]]
    errata = f"{causes.count('misprint')} misprints, {causes.count('transcription')} slips of transcription"
    return f"{len(states)} pairs: {counts}; {errata}; {origin}; {result['seconds']:.2f} s"
