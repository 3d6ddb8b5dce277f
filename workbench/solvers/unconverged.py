"""Advice where a run ended before its gap, or crawls: never what it did already."""

import itertools
import math

from workbench.problems import attainable, scales
from workbench.solvers import auto

# Times the epochs that were not enough; a relative gap from which on a larger tolerance does not help.
MORE, ROUGH = 10, 0.1
# What may help where the gap is as large as the objective and nothing else is left.
LARGER = "a larger lam"


def sentence(run, solution) -> str:
    """Say how runs ended short of their gap, and what to try; the fixes are arguments of Python.

    Parameters
    ----------
    run : Run
        The last one, with a status other than "converged".
    solution : Solution
    """
    reached = f"at epoch {solution.epochs:.4g} with a relative gap of {solution.relative_gap:.1e}"
    if run.status == "interrupted":
        return f"interrupted {reached} where {run.stopping.gap:g} was asked for"
    if run.status == "infeasible":
        return run.reason
    return (
        f"not converged: stopped ({run.status}) {reached} where {run.stopping.gap:g} was asked for; "
        f"{_advice(run, solution.relative_gap, solution.epochs - run.epochs + run.stopping.max_epochs)}"
    )


def crawling(run) -> str:
    """Return why the steps of a run are small, and what helps; empty where nothing is seen."""
    seen = scales.seen(_scaled(run))
    other = seen and _rule(run)
    return seen and f"{seen}; standardize them" + (f", or use {other}" if other else "")


def _scaled(run):
    """Return the problem whose features a user may scale; those of a factored kernel are not known."""
    return run.problem if run.problem.has_factored_kernel else run.centred


def _advice(run, relative_gap, max_epochs):
    """Return what to try, the most helpful first."""
    if attainable.is_endless(run.problem, run.last):
        return run.reason
    tol, rounding = run.stopping.gap, _rounding(run)
    is_precise = run.status == "precision" or tol < rounding
    # A solver sees columns far from zero centred; what rounds is the bias in the caller's features.
    scaled = ["standardized features"] if scales.seen(run.problem if is_precise else _scaled(run)) else []
    if is_precise:
        larger = _rounded_up(max(relative_gap, 2.0 * rounding, 2.0 * tol))
        moved = scaled or ["centred features"]
        tried = [*scaled, f"tol={larger:g}"] if larger < ROUGH else [*moved, LARGER]
        said = f"rounding is what remains of the gap, and more epochs change nothing; try {_either(tried)}"
        return said + run.last.interval_advice if relative_gap <= tol else said
    tried = [choice] if (choice := _rule(run)) else []
    tried += scaled
    if run.status == "max_epochs" and run.solver.converges:
        tried.append(f"max_epochs={MORE * max_epochs:.10g}")
    elif not tried:
        tried += _other(run)
    if tol < relative_gap < ROUGH:
        tried.append(f"tol={_rounded_up(relative_gap):g}")
    if run.reason:
        return f"{run.reason}; or try {_either(tried)}" if tried else run.reason
    if run.status == "stalled":
        return f"no step changes the iterate any more; try {_either(tried)}"
    return f"try {_either(tried)}"


def _rounding(run):
    """Return what rounding leaves open of the relative gap; 0 where that is not known."""
    certificate = run.present()
    share = certificate.relative_interval
    return 0.0 if share is None else max(0.0, share - certificate.relative_gap)


def _rule(run):
    """Name the rule of `workbench.solvers.auto` as advice, if that would choose another solver."""
    choice = None if run.why else next(auto.taking(run.problem), None)
    if choice is None or choice.solver.name == run.solver.name:
        return ""
    return f"solver={auto.NAME!r} (here {choice.solver.name})"


def _other(run):
    """Another solver by its name that takes the problem, where there is one and the rule did not try it."""
    names = (choice.solver.name for choice in auto.taking(run.problem) if not run.why)
    return [f"solver={name!r}" for name in itertools.islice((n for n in names if n != run.solver.name), 1)]


def _either(tried):
    """Several things to try, the last of them after an "or"."""
    return " or ".join(filter(None, (", ".join(tried[:-1]), tried[-1]))) if tried else LARGER


def _rounded_up(number):
    """Return the next power of ten."""
    return 10.0 ** math.ceil(math.log10(number)) if 0.0 < number < math.inf else math.inf
