"""`workbench prove` and `workbench check`: a proof of a conjugate, and what a checker says of it."""

import json
from pathlib import Path
from typing import Annotated

import typer
from typer import Argument, Option

from workbench.cli import derive, places
from workbench.errors import InputError

OUT = "Where to write the proof, as JSON."
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
    from workbench.convex.report import proof

    result = derive.derived(proof, expression, domain, parameter, variable, timeout)
    if out is not None:
        _write(out, json.dumps(result, indent=1) + "\n")
    raise typer.Exit(_print_claims(result, smt2, as_json))


def check(
    file: Annotated[Path, Argument(metavar="FILE", help="A proof that workbench prove wrote.")],
    smt2: Annotated[Path | None, Option(help=SMT)] = None,
    force: Annotated[bool, Option("--force", help=places.FORCE)] = False,
    as_json: Annotated[bool, Option("--json", help="Print one JSON object and nothing else.")] = False,
):
    """Check a proof, claim by claim; the exit code is 0 where every claim is shown."""
    places.check(smt2, "--smt2", force, [file])
    try:
        result = json.loads(file.read_text(encoding="utf-8"))
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
        raise InputError(
            f"{file} is not a proof: {error}; write one with workbench prove EXPR --out FILE"
        ) from None
    raise typer.Exit(_print_claims(result, smt2, as_json))


def _print_claims(proof, smt2, as_json):
    """The exit code, after the claims were printed."""
    from workbench.convex.checker import claims, forms

    try:
        with forms.recorded() as queries:
            results = claims.check(proof)
    except claims.ProofError as error:
        raise InputError(f"the proof cannot be read: {error}; write one with workbench prove") from None
    if smt2 is not None:
        _write(smt2, "(reset)\n".join(queries))
    if as_json:
        print(json.dumps({"function": proof["function"], "claims": [claim._asdict() for claim in results]}))
    else:
        rows = [
            {
                "name": each.name,
                "status": "proved" if each.shown else "failed",
                "detail": each.detail if each.shown else f"not shown: {each.detail}",
            }
            for each in results
        ]
        derive.console().print(derive.claims(rows))
    return 0 if all(claim.shown for claim in results) else 1


def _write(path, text):
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror}; name another file") from None
