"""`workbench derive`: the conjugate of a formula, step by step, with what was proved of it."""

import json
import math
import re
import sys
from typing import Annotated

import typer
from typer import Argument, Option

from workbench._support.display.progress import waiting
from workbench._support.errors import InputError

EXPRESSION = "A convex function of one variable, such as 'log(1 + exp(u))' or 'max(0, 1 - u)**p / p'."
PARAMETERS = "'p > 1', 'b > a' or 'epsilon: positive'; may be repeated."
TIMEOUT = "Seconds of processor time after which the derivation is stopped; three times as many by the clock."
STYLES = {"proved": "green", "checked": "yellow", "failed": "bold red"}
# In LaTeX's text mode; two characters come before one.
ESCAPES = {
    ">=": r"$\geq$",
    "<=": r"$\leq$",
    "+∞": r"$+\infty$",
    "->": r"$\to$",
    "∞": r"$\infty$",
    "<": r"$<$",
    ">": r"$>$",
    "|": r"$|$",
    "\\": r"\textbackslash{}",
    "^": r"\^{}",
    "~": r"\~{}",
    '"': "''",
    **{letter: "\\" + letter for letter in "{}$&#%_"},
}
SPECIAL = re.compile("|".join(map(re.escape, sorted(ESCAPES, key=len, reverse=True))))


def derive(
    expression: Annotated[str, Argument(metavar="EXPR", help=EXPRESSION)],
    domain: Annotated[str | None, Option(help="'u > 0' or '[0, 1)'; by default where EXPR is real.")] = None,
    parameter: Annotated[list[str] | None, Option(metavar="TEXT", help=PARAMETERS)] = None,
    variable: Annotated[str | None, Option(help="The variable, where EXPR does not show it.")] = None,
    timeout: Annotated[float, Option(help=TIMEOUT)] = 20.0,
    latex: Annotated[bool, Option("--latex", help="Print the steps as a fragment of LaTeX.")] = False,
    json: Annotated[bool, Option("--json", help="Print one JSON object and nothing else.")] = False,
):
    """Derive the conjugate of a convex function, step by step, and verify it."""
    if latex and json:
        raise InputError("--latex and --json cannot be combined; leave one out")
    from workbench.conjugates.convex.report import derivation

    result = derived(derivation, expression, domain, parameter, variable, timeout)
    if json:
        print(_dumped(result))
    elif latex:
        print(as_latex(result))
    else:
        show(result)
    raise typer.Exit(1 if result["status"] == "failed" else 0)


def derived(make, expression, domain, parameters, variable, timeout):
    """Return the result of `make` for a formula as plain data, from a process that is killed at its limit."""
    from workbench.conjugates.convex.worker import Deriver

    if not 0 < timeout < math.inf:
        raise InputError(f"--timeout {timeout:g} is not a number of seconds above 0, such as 20")
    try:
        with Deriver() as deriver, waiting("deriving"):
            return deriver.run(make, expression, domain, parameters or [], variable, timeout=timeout)
    except InputError as error:
        raise type(error)(_as_options(str(error))) from None


def _as_options(sentence):
    """Return a fix for Python as one for the command line."""

    def options(match):
        texts = re.findall(r'"[^"]*": ("[^"]*")', match[0])
        return " ".join(f"--parameter {text}" for text in texts)

    sentence = re.sub(r"parameters=\{[^}]*\}", options, sentence)
    return re.sub(r'\bvariable="', '--variable "', sentence)


def _dumped(values):
    return json.dumps(values, allow_nan=False)


def console():
    """Return a console that prints text without markup; a terminal shows ? for a missing character."""
    from rich.console import Console

    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="replace")
    return Console(markup=False, highlight=False, emoji=False)


def show(result):
    """Print the derivation for a reader: p, the steps, of which the last is q, and the claims."""
    from rich.padding import Padding
    from rich.text import Text

    out = console()
    _show_conditions(out, result)
    for number, step in enumerate(result["steps"], 1):
        out.print(f"\n{number}. {step['title']}", style="bold")
        out.print(Padding(Text(step["reason"], style="dim"), (0, 0, 1, 3), expand=False))
        for line in step["text"].split("\n"):
            out.print(f"      {line}".rstrip(), soft_wrap=True)
    out.print()
    out.print(claims(result["claims"]))
    out.print(f"\nstatus: {result['status']}, {result['seconds']:.2f} s", style=STYLES[result["status"]])


def _show_conditions(out, result):
    """p, for which parameters there is a conjugate, and the regions with a formula of their own."""
    out.print(result["p_text"], soft_wrap=True)
    if result["conditions_text"]:
        out.print(f"\nThe conjugate exists for {result['conditions_text']} only:", style="bold")
        for region in result["excluded"]:
            out.print(f"   for {region['condition_text']}, {region['reason']}", soft_wrap=True)
    if len(result["cases"]) > 1:
        out.print("\nThe formula of the conjugate depends on the parameters:", style="bold")
        for line in result["q_text"].split("\n"):
            out.print(f"      {line}".rstrip(), soft_wrap=True)


def claims(rows):
    """Return a table of claims with their status."""
    from rich.table import Table
    from rich.text import Text

    table = Table("claim", "status", "detail", box=None, pad_edge=False, header_style="bold")
    for row in rows:
        status = Text(row["status"], style=STYLES[row["status"]])
        table.add_row(Text(row["name"]), status, Text(row["detail"]))
    return table


def as_latex(result):
    """Return the steps as an enumeration, to be put into a document that loads amsmath."""
    lines = [r"\begin{enumerate}"]
    for step in result["steps"]:
        lines += [
            rf"  \item \textbf{{{_escaped(step['title'])}.}} {_escaped(step['reason'])}",
            rf"    \[ {step['latex']} \]",
        ]
    return "\n".join([*lines, r"\end{enumerate}"])


def _escaped(text):
    return SPECIAL.sub(lambda match: ESCAPES[match[0]], text)
