"""`workbench prove` and `workbench check`: a proof of a conjugate, and what a checker says of it."""

import json
import math
from pathlib import Path
from typing import Annotated

import typer
from typer import Argument, Option

from workbench._support.display.progress import waiting
from workbench._support.errors import InputError
from workbench.cli import derive, places

OUT = "Where to write the proof, as JSON."
LIMIT = "Seconds of processor time after which the check is stopped; three times as many by the clock."
CHECK_SECONDS, LARGEST_FILE = 60.0, 2_000_000
SMT = "Write what z3 was asked as SMT-LIB 2, for another solver; each answer has to be unsat."


def prove(
    expression: Annotated[str, Argument(metavar="EXPR", help=derive.EXPRESSION)],
    out: Annotated[Path | None, Option(help=OUT)] = None,
    smt2: Annotated[Path | None, Option(help=SMT)] = None,
    domain: Annotated[str | None, Option(help="'u > 0' or '[0, 1)'; by default where EXPR is real.")] = None,
    parameter: Annotated[list[str] | None, Option(metavar="TEXT", help=derive.PARAMETERS)] = None,
    variable: Annotated[str | None, Option(help="The variable, where EXPR does not show it.")] = None,
    timeout: Annotated[float, Option(help=derive.TIMEOUT)] = 20.0,
    force: Annotated[bool, Option("--force", help=places.FORCE)] = False,
    as_json: Annotated[bool, Option("--json", help="Print one JSON object and nothing else.")] = False,
):
    """Derive the conjugate of a convex function, and write a proof that a small program can check."""
    places.check(out, "--out", force)
    places.check(smt2, "--smt2", force)
    from workbench.conjugates.convex.report import proof

    result = derive.derived(proof, expression, domain, parameter, variable, timeout)
    if out is not None:
        _write(out, json.dumps(result, indent=1) + "\n")
    raise typer.Exit(_print_claims(result, smt2, as_json))


def check(
    file: Annotated[Path, Argument(metavar="FILE", help="A proof that workbench prove wrote.")],
    smt2: Annotated[Path | None, Option(help=SMT)] = None,
    timeout: Annotated[float, Option(help=LIMIT)] = CHECK_SECONDS,
    force: Annotated[bool, Option("--force", help=places.FORCE)] = False,
    as_json: Annotated[bool, Option("--json", help="Print one JSON object and nothing else.")] = False,
):
    """Print the theorem of a proof and check it, claim by claim; the exit code is 0 where all are shown."""
    places.check(smt2, "--smt2", force, [file])
    raise typer.Exit(_print_claims(_read(file), smt2, as_json, timeout))


def _read(file):
    """Return the data of a proof file."""
    try:
        if file.stat().st_size > LARGEST_FILE:
            raise InputError(
                f"{file} has more than {LARGEST_FILE} bytes, more than any proof; give a file that "
                "workbench prove wrote"
            )
        return json.loads(file.read_text(encoding="utf-8"), object_pairs_hook=_without_repetition)
    except (ValueError, RecursionError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(
            f"{file} is not a proof: {error}; write one with workbench prove EXPR --out FILE"
        ) from None


def _without_repetition(pairs):
    """Return an object whose keys differ; two readers may take different ones of equal keys."""
    names = [name for name, _ in pairs]
    if repeated := [name for name in names if names.count(name) > 1]:
        raise ValueError(f"the key {repeated[0]!r} stands twice in one object")
    return dict(pairs)


def _print_claims(proof, smt2, as_json, timeout=CHECK_SECONDS):
    """Return the exit code, after the theorem and the claims were printed."""
    from workbench.conjugates.convex.checker import theorem
    from workbench.conjugates.convex.worker import CheckRunner

    if not 0 < timeout < math.inf:
        raise InputError(f"--timeout {timeout:g} is not a number of seconds above 0, such as 60")
    try:
        with CheckRunner() as runner, waiting("checking"):
            result = runner.run(theorem.examine, proof, timeout=timeout)
    except theorem.reading.ProofError as error:
        raise InputError(f"the proof cannot be read: {error}; write one with workbench prove") from None
    queries = result.pop("queries")
    if smt2 is not None:
        _write(smt2, "(reset)\n".join(queries))
    if as_json:
        print(json.dumps({"function": proof["function"], **result}))
    else:
        _print_examination(result)
    return 0 if result["proved"] else 1


def _print_examination(result):
    from workbench.conjugates.convex.checker import theorem

    console = derive.console()
    console.print("Theorem, proved:" if result["proved"] else "Statement, not proved:")
    for line in theorem.lines(result["theorem"]):
        console.print(f"  {line}", soft_wrap=True)
    rows = [
        {
            "name": claim["name"],
            "status": "proved" if claim["shown"] else "failed",
            "detail": claim["detail"] if claim["shown"] else f"not shown: {claim['detail']}",
        }
        for claim in result["claims"]
    ]
    console.print()
    console.print(derive.claims(rows))
    if second := result["second_solver"]:
        counts = ", ".join(f"{count} {answer}" for answer, count in second.items() if answer != "name")
        console.print(f"\nsecond solver: cvc5 on all that z3 found unsat: {counts or 'no question'}")


def _write(path, text):
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror}; name another file") from None
