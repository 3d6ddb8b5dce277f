"""`workbench reproduce`."""

import json as text
import shlex
import sys
import time
from pathlib import Path
from typing import Annotated

import typer
from typer import Argument, Option

from workbench._support.errors import InputError
from workbench._support.system import extras, signals, storage

NAME = "zhang-table-1 and the like, or all; an unknown name lists them."
SCHEDULER = "Of a Dask cluster, such as tcp://host:8786, or synchronous; local processes by default."
EVERYTHING = "all"
# Characters of a line in a file or a pipe.
WIDTH = 1000


def reproduce(
    name: Annotated[str, Argument(metavar="NAME|all", help=NAME)],
    scheduler: Annotated[str | None, Option(metavar="ADDRESS", help=SCHEDULER)] = None,
    workers: Annotated[int | None, Option(min=1, help="Local processes; one a core by default.")] = None,
    report: Annotated[Path | None, Option(metavar="DIR", help="Write report.html into this folder.")] = None,
    seeds: Annotated[int | None, Option(min=1, help="Number of seeds, where data are drawn.")] = None,
    json: Annotated[bool, Option("--json", help="Print one JSON object and nothing else.")] = False,
):
    """Reproduce tables and figures of the papers beside the published values.

    Finished tasks are kept: after an interruption the same command takes them up.
    """
    from workbench import studies as experiments
    from workbench.pages import reproductions
    from workbench.studies import cache, engine, results

    selection = list(map(experiments.get, experiments.NAMES if name == EVERYTHING else (name,)))
    if seeds is not None and name != EVERYTHING and not selection[0].seeds:
        raise InputError(f"--seeds {seeds}: {name} uses no random numbers; leave the option out")
    if scheduler not in (None, engine.SYNCHRONOUS):
        extras.need("cluster", "reproduce --scheduler")
    if report is not None:
        extras.need("pages", "reproduce --report")
        if report.exists() and not report.is_dir():
            raise InputError(f"--report {report} is a file; name a folder")
        report.mkdir(parents=True, exist_ok=True)
    chapters = []
    for experiment in selection:
        chapters.append(_chapter(experiment, scheduler, workers, seeds, json))
        if not json:
            _print(chapters[-1])
    if report is not None:
        written = report / "report.html"
        storage.write(written, reproductions.page(chapters, cache.versions()))
        if not json:
            print(f"report written to {written}")
    if json:
        outputs = {
            chapter.name: {"source": chapter.source, "seeds": chapter.seeds, "command": chapter.command}
            | results.as_json(chapter.summary)
            for chapter in chapters
        }
        print(text.dumps({"versions": cache.versions(), "experiments": outputs}))


def _chapter(experiment, scheduler, workers, seeds, json):
    """Run one experiment; Ctrl-C says that what is finished is kept."""
    from workbench.pages.reproductions import Chapter
    from workbench.studies import engine

    draws = experiment.seeds if seeds is None or not experiment.seeds else seeds
    if not json:
        about = f"about {experiment.minutes:g} minutes on two cores if no results are kept"
        print(f"{experiment.name}: {experiment.title} ({about}) ...", file=sys.stderr, flush=True)
    start = time.perf_counter()
    try:
        records = engine.reproduce(
            experiment,
            draws,
            scheduler=scheduler,
            workers=workers,
            progress=not json and sys.stderr.isatty(),
        )
    except KeyboardInterrupt as error:
        sentence = "interrupted; finished tasks are kept, and the same command continues from them"
        print(sentence, file=sys.stderr)
        raise typer.Exit(signals.exit_code(error)) from None
    command = ["workbench", "reproduce", experiment.name]
    if draws != experiment.seeds:
        command += ["--seeds", str(draws)]
    return Chapter(
        experiment.name,
        experiment.title,
        experiment.source,
        shlex.join(command),
        draws,
        time.perf_counter() - start,
        experiment.summarize(records),
    )


def _print(chapter):
    from rich.console import Console
    from rich.table import Table

    # Without a terminal nothing wraps at a width that nobody chose, and nothing is cut.
    console = Console(highlight=False, width=None if sys.stdout.isatty() else WIDTH)
    console.print(f"\n[bold]{chapter.title}[/bold]\n{chapter.source}")
    for table in chapter.summary.tables:
        grid = Table(title=table.title, title_justify="left", title_style="bold", caption=table.note or None)
        grid.caption_justify = "left"
        for place, column in enumerate(table.columns):
            grid.add_column(column, justify="left" if place == 0 else "right", overflow="fold")
        for row in table.texts():
            grid.add_row(*row)
        console.print(grid)
    for claim in chapter.summary.claims:
        console.print(f"{claim.verdict}: {claim.text}; {claim.evidence}", markup=False, soft_wrap=True)
    for note in chapter.summary.notes:
        console.print(note, style="dim", markup=False, soft_wrap=True)
