"""`workbench solve 'parts/*.libsvm' --workers N`: a problem in parts, solved by several processes."""

import dataclasses
import json as text
import sys

from workbench._support.display import words
from workbench._support.errors import InputError
from workbench._support.names import spelled
from workbench.cli import places
from workbench.cli import report as shown
from workbench.problems import intercept

SCORING = "keep a file out of the pattern, and compare its labels with `workbench predict`"
# The defaults.
DEFAULTS = {"loss": "hinge", "lam": 1e-3, "tol": 1e-4}


def is_distributed(source, cluster):
    """Return whether the source is a pattern of files, or an option of a cluster is given."""
    return any(sign in source for sign in "*?[") or any(value is not None for value in cluster.values())


def solve(source, options, arguments, cluster, others, out, json):
    """Solve the files of a pattern; returns the status.

    Parameters
    ----------
    source : str
    options : dict
        loss, regularizer, lam, fit_intercept, penalize_intercept, tol, max_epochs, seed.
    arguments : dict
        target, positive, zero_based.
    cluster : dict
        workers, scheduler, memory, warm_start.
    others : dict
        What is not for parts, by the name of its option: refused where it is given.
    """
    import workbench as wb

    for name, value in others.items():
        if value:
            raise InputError(f"--{name.replace('_', '-')} is not available for parts; leave it out")
    settings = options | {name: value for name, value in DEFAULTS.items() if options[name] is None}
    if settings["lam"] == "auto":
        raise InputError("--lam auto is not available for parts; give a number, such as --lam 0.001")
    terms = {name: settings[name] for name in ("loss", "regularizer", "lam")}
    terms["bias"] = intercept.bias_of("solve", options["fit_intercept"], options["penalize_intercept"], False)
    arguments = {name: value for name, value in arguments.items() if value is not None}
    problem = wb.DistributedProblem(source, **terms, **arguments)
    effort = {name: settings[name] for name in ("tol", "max_epochs", "seed")}
    # The warnings of `wb.solve` are printed at the end.
    solution = problem.solve(**effort, **cluster)
    if out is not None:
        solution.save(out)
    print(_as_json(problem, solution, settings["tol"], out) if json else _as_table(solution), flush=True)
    if solution.status != "converged":
        print(shown.ending(solution.notice, out), file=sys.stderr)
    elif out is not None and not json:
        print(f"saved to {places.name(out)}")
    return solution.status


def _counted(solution):
    description = solution.description
    totals = {name: sum(part[name] for part in description["parts"]) for name in ("rows", "nonzeros")}
    return {
        "parts": len(description["parts"]),
        **totals,
        "features": solution.n_features,
        "rounds": description["rounds"],
        "blocks": description["blocks"],
        "passes": description["passes"],
        "bytes": description["bytes"],
    }


def _as_table(solution):
    counts = _counted(solution)
    rows = [
        ("score", f"{shown.NOT_MEASURED}{SCORING}"),
        ("certified", words.of_solution(solution)),
        (
            "data",
            f"{counts['parts']} parts, {counts['rows']} rows, {counts['features']} features, "
            f"{counts['nonzeros']} non-zeros",
        ),
        ("status", solution.status),
        *shown.value_rows(solution),
        ("support", f"{solution.description['support']} of {counts['rows']}"),
        ("rounds", f"{counts['rounds']}, each of {counts['passes']} passes over {counts['blocks']} blocks"),
        ("sent", f"{counts['bytes'] / 1e6:.1f} MB"),
        ("memory", f"{solution.description['memory'] / 2**20:.0f} MiB a worker, mapped files left out"),
        ("seconds", f"{solution.seconds:.3f}"),
    ]
    return shown.lines(rows)


def _as_json(problem, solution, tol, out):
    values = {
        **solution.description,
        "score": None,
        "data": _counted(solution),
        "loss": spelled(problem.loss),
        "regularizer": spelled(problem.regularizer),
        "tol": tol,
        **{name: getattr(solution, name) for name in shown.NUMBERS},
        "model": None if out is None else places.name(out),
    }
    return text.dumps(values, allow_nan=False, default=_plain)


def _plain(value):
    is_record = dataclasses.is_dataclass(value) and not isinstance(value, type)
    return dataclasses.asdict(value) if is_record else value.item()
