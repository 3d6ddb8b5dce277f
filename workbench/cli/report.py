"""Output of `workbench solve` and `certify`: a progress bar, then a table or a JSON object."""

import json
import math
import signal
from typing import Any

from workbench._support.display import words
from workbench._support.display.options import as_options, options_of
from workbench._support.display.progress import watched
from workbench._support.names import spelled
from workbench.cli import places
from workbench.data.dataset import count_nonzeros
from workbench.problems import intercept
from workbench.solvers import solution as solutions
from workbench.solvers.iteration import throttle

# Seconds between two changes of the progress bar.
PACE = 0.1
NUMBERS = ("status", "primal", "dual", "gap", "relative_gap", "epochs", "steps", "seconds")
NOT_MEASURED = "not measured, since no rows were held out; "
# The options that the advice names as arguments of Python.
OPTIONS = options_of("tol", "max_epochs", "solver", "eta", "scale")


def reach(show, *arguments, **options: Any):
    """Return the run of `solvers.solution.reach`, which Ctrl-C or SIGTERM ends at the next check."""

    def watch(certificates, run, tol):
        return watched(throttle(certificates, PACE), run, tol) if show else certificates

    options |= {"watch": watch, "signals": (signal.SIGTERM,)}
    return solutions.reach(*arguments, **options)


def as_table(run, solution, score):
    """Return the solution in lines of a name and a value: how good it is, how optimal, and the rest."""
    rows = [
        ("score", f"{NOT_MEASURED}give --test-size 0.2" if score is None else score.line),
        ("certified", words.of_solution(solution)),
        *_problem(run.problem),
        ("solver", f"{solution.solver}{solution.why and f': {solution.why}'}"),
        ("status", solution.status),
        *value_rows(solution),
        ("support", f"{_support(solution)} of {solution.alpha.shape[0]}"),
        ("epochs", f"{solution.epochs:.6g}"),
        ("seconds", f"{solution.seconds:.3f}"),
    ]
    if solution.w is not None:
        support = next(k for k, (name, _) in enumerate(rows) if name == "support")
        rows.insert(support, ("non-zeros", f"{count_nonzeros(solution.w)} of {solution.w.size}"))
    return lines(rows)


def value_rows(point, reason=""):
    """Return the guarantees of a solution or a certificate, in pairs of a name and a text."""
    return [
        ("primal", f"{point.primal:.10g}"),
        ("dual bound", f"{point.dual:.10g}"),
        ("gap", f"{point.gap:.3e}"),
        ("relative gap", f"{point.relative_gap:.3e}"),
        ("interval", words.interval(point.interval, reason)),
        ("rests on", words.basis(point.proof_status)),
    ]


def lines(rows):
    """Rows of a name and a text as the lines of a table."""
    return "\n".join(f"{name:<16}{value}" for name, value in rows)


def _problem(problem):
    """Return the problem, in lines of a name and a value."""
    kernel = [] if problem.kernel is None else [("kernel", repr(problem.kernel))]
    return [
        ("loss", spelled(problem.loss)),
        ("regularizer", spelled(problem.regularizer)),
        ("lambda", f"{problem.lam:g}"),
        ("intercept", intercept.NAMES[problem.bias]),
        *kernel,
    ]


def as_json(dataset, run, solution, score, tol, out, model=None):
    """Return the solution and the choices for a file as one JSON object; infinite values become null."""
    n, d = dataset.X.shape
    values = {
        "data": {"name": dataset.name, "n": n, "d": d, "nonzeros": count_nonzeros(dataset.X)},
        **solution.description,
        "loss": spelled(run.problem.loss),
        "regularizer": spelled(run.problem.regularizer),
        "tol": tol,
        **{name: getattr(solution, name) for name in NUMBERS},
        "nonzeros": None if solution.w is None else count_nonzeros(solution.w),
        "support": _support(solution),
        "score": None if score is None else {**score._asdict(), "is_clear": score.is_clear},
        "model": None if out is None else str(out),
    }
    if model is not None:
        values |= {
            "choices": model.notes,
            "target": model.task.name,
            "labels": list(model.task.labels),
            "path": [
                {name: value if _is_finite(value) else None for name, value in point._asdict().items()}
                for point in model.choice.path
            ],
        }
    return _dumped(values)


def _support(solution):
    """Return the number of samples whose dual variable is not zero."""
    alpha = solution.alpha
    return count_nonzeros(alpha if alpha.ndim == 1 else abs(alpha).sum(axis=1))


def _dumped(values):
    finite = {name: value if _is_finite(value) else None for name, value in values.items()}
    return json.dumps(finite, allow_nan=False)


def certificate_table(dataset, problem, certificate):
    """Return a certificate in lines of a name and a value, then what was repaired."""
    rows = [
        ("data", dataset.summary),
        *(row for row in _problem(problem) if row[0] != "intercept"),
        *value_rows(certificate, certificate.interval_reason),
        ("intercept", _spelled_bias(problem, certificate)),
        *(("repaired", text) for text in certificate.repairs),
    ]
    return lines(rows)


def certificate_json(dataset, problem, certificate):
    """Return a certificate as one JSON object; a number that is not finite becomes null."""
    n, d = dataset.X.shape
    w, b = _weights_and_bias(problem, certificate)
    numbers = ("primal", "dual", "gap", "relative_gap", "kkt", "regularizer_term")
    return _dumped(
        {
            "data": {"name": dataset.name, "n": n, "d": d, "nonzeros": count_nonzeros(dataset.X)},
            "loss": spelled(problem.loss),
            "regularizer": spelled(problem.regularizer),
            "lam": problem.lam,
            "bias": problem.bias,
            **{name: float(getattr(certificate, name)) for name in numbers},
            "b": b if isinstance(b, float) else b.tolist(),
            "nonzeros": None if w is None else count_nonzeros(w),
            "interval": certificate.interval,
            "interval_reason": certificate.interval_reason,
            "repairs": list(certificate.repairs),
            "proof_status": certificate.proof_status,
        }
    )


def model_json(result):
    """Return the certificate of an estimator as one JSON object; a number that is not finite becomes null."""
    names = (
        "estimator",
        "minimizes",
        "objective",
        "lower_bound",
        "gap",
        "relative_gap",
        "at_least",
        "tol",
        "verdict",
        "advice",
        "proof_status",
    )
    return _dumped({name: getattr(result, name) for name in names} | {"problems": len(result.parts)})


def _weights_and_bias(problem, certificate):
    """In the caller's features; a kernel has dual variables only."""
    if problem.kernel is not None:
        return None, certificate.b
    return problem.split(certificate.w, certificate.b)


def _spelled_bias(problem, certificate):
    _, b = _weights_and_bias(problem, certificate)
    values = [b] if isinstance(b, float) else b.tolist()
    kind = intercept.NAMES[problem.bias]
    return kind if problem.bias is False else f"{', '.join(f'{value:.6g}' for value in values)} ({kind})"


def _is_finite(value):
    return not isinstance(value, float) or math.isfinite(value)


def ending(sentence, out):
    """Return the message for a run that did not reach its gap, in options, and its status."""
    place = f"saved to {places.name(out)}" if out else "nothing was saved, since --out was not given"
    return f"{as_options(sentence, OPTIONS)}; {place}"
