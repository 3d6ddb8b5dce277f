"""`workbench race`."""

import json as text
import os
import sys
from pathlib import Path
from typing import Annotated

from typer import Option

from workbench._support.system import resources
from workbench.cli import places

DATA = "Such as reuters-acq, a9a-rbf, scales or lasso-500x2000; may be repeated. By default all."


def race(
    data: Annotated[list[str] | None, Option(help=DATA)] = None,
    repeats: Annotated[int, Option(min=1, help="Rounds of timing; the median counts.")] = 5,
    json: Annotated[bool, Option("--json", help="Print one JSON object and nothing else.")] = False,
    plot: Annotated[Path | None, Option(metavar="FILE", help="Write the ratios as a bar chart.")] = None,
    force: Annotated[bool, Option("--force", help=places.FORCE)] = False,
):
    """Race our solvers against others on the same data, to the same marks."""
    # Nothing before this command loads what reads them.
    os.environ.update(resources.ONE_THREAD)
    from workbench.studies import race as races

    def say(task):
        if not json:
            print(f"{task} ...", file=sys.stderr, flush=True)

    if plot:
        places.check(plot, "--plot", force)
        races.check_plot(plot)
    rows = []
    for row in races.run(data or races.NAMES, repeats, say):
        rows.append(row)
        if not json:
            times = ", ".join(f"{name} {1e3 * seconds:.1f} ms" for name, seconds in row.seconds.items())
            against = f"ratio {row.ratio:5.2f} against {row.against}"
            print(f"{row.task:<38}mark {row.mark:<7g}{against}: {times}", flush=True)
    if plot:
        races.plot(rows, plot)
    if json:
        print(text.dumps({"rules": races.RULES, "rows": [races.as_dict(row) for row in rows]}))
