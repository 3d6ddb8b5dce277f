"""The parts of a page for the engine in the browser: its script, the kernels, the data and tables of facts.

All of it is text, so that one file of HTML holds it: gzip and base64, and JSON in which an array is
{"f64": ...} or {"u32": ...} and a number that JSON lacks {"number": "Infinity"}.
"""

import base64
import dataclasses
import functools
import gzip
import json
import math
import typing

import numpy as np

from workbench._support.errors import InputError
from workbench.pages.wasm.build import MODULE, TABLE
from workbench.pages.wasm.sources import HERE
from workbench.solvers.algorithms.gradients import largest_singular_value
from workbench.solvers.stopping import DIVERGENCE

SCRIPTS = HERE / "bundles"
ARRAYS = {"f": ("f64", np.float64), "i": ("u32", np.uint32), "u": ("u32", np.uint32)}


def script():
    """Return the page's module: the class `WorkbenchEngine`, and what opens packed data."""
    return (SCRIPTS / "page.js").read_text(encoding="utf-8")


def source():
    """Return the worker's script; that of a page with messages of its own is a bundle of the page."""
    return (SCRIPTS / "worker.js").read_text(encoding="utf-8")


def packed(problem, losses=(), regularizers=(), spectrum=False):
    """Return the argument of `WorkbenchEngine.start`, as a dict that JSON can hold: `engine` and `facts`."""
    return engine() | {"problem": facts(problem, losses, regularizers, spectrum)}


def engine():
    """The engine alone: the text of the worker, the kernels and the table of their functions."""
    return {"source": source(), "kernels": _kernels(), "functions": functions()}


@functools.cache
def _kernels():
    return compressed(MODULE.read_bytes())


def functions():
    """Return the table of the kernels' functions."""
    return json.loads(TABLE.read_text(encoding="utf-8"))["functions"]


def facts(problem, losses=(), regularizers=(), spectrum=False):
    """The contents of the message "data" as short text.

    Parameters
    ----------
    problem : Problem
        Whose data the page has; its loss and its regularizer are among the choices.
    losses : sequence of Loss
        What else the page lets choose; a message names it by its `repr`.
    regularizers : sequence of Regularizer
    spectrum : bool
        Whether the largest singular value of the data comes along, from which proximal gradient steps begin.

    Raises
    ------
    InputError
        A function of one's own, constraints, or a loss of several predictions a sample.
    """
    regularizers = (problem.regularizer, *regularizers)
    entries = {
        "data": data(problem, spectrum),
        "losses": {repr(one): loss_facts(one) for one in (problem.loss, *losses)},
        "regularizers": {repr(one): regularizer_facts(one, problem) for one in regularizers},
    }
    return compressed(json.dumps(plain(entries)).encode())


def data(problem, spectrum=False):
    """The samples, by rows."""
    if problem.columns or problem.is_constrained:
        what = f"the {problem.loss.name} loss" if problem.columns else "constraints"
        raise InputError(f"browser: {what} does not run in the browser; use the served page")
    offsets, indices, values = problem.design.step_arrays
    n, d = problem.design.shape
    return {
        "n": n,
        "d": d,
        "offsets": offsets,
        "indices": indices,
        "values": values,
        "y": problem.y,
        "weight": problem.weight,
        "free_bias": problem.free_bias,
        "kernel": _kernel(problem),
        "spectrum": _spectrum(problem) if spectrum else None,
    }


def _spectrum(problem):
    columns = float(np.max(problem.weighted.squares[1], initial=0.0))
    return {"largest": float(largest_singular_value(problem)), "columns": columns}


def _kernel(problem):
    if problem.kernel is None:
        return None
    matrix = problem.kernel_matrix
    return {
        "code": matrix.kernel.code,
        "parameters": matrix.parameters,
        "diagonal": matrix.diagonal,
        "squares": matrix.squares,
        "given": None if matrix.stored is None else matrix.stored.ravel(),
    }


def loss_facts(loss):
    """Return the facts of a loss with its parameters for the engine."""
    functions = getattr(loss, "key", loss.name).replace("-", "_")
    _check_printed(loss, f"{functions}_coordinate")
    return unprinted_loss_facts(loss) | {"functions": functions}


def unprinted_loss_facts(loss):
    """Return what pages ask of a loss that only Python solves."""
    return graph_facts(loss) | {
        "functions": None,
        "kind": loss.kind,
        "theta": loss.theta,
        "interval": loss.interval,
        "start": loss.start,
        "kink": loss.kink,
        "form": loss.conjugate_form,
        "straight": loss.is_straight,
        "corner": loss.hinge,
        "curvature": loss.curvature,
        "parabola": loss.parabola,
    }


def regularizer_facts(regularizer, problem):
    """Return the facts of a regularizer on a problem's columns; `curvature` is to be divided by lam n."""
    functions, outer = regularizer.formula_names
    transfer, design, entry = regularizer.at(problem.design.shape[1]), problem.design, regularizer.entry
    if not (regularizer.is_norm and transfer.penalty is not None):
        _check_printed(regularizer, f"{functions}_refresh")
    if regularizer.is_identity:
        curvature = design.squares[0]
    else:
        curvature = regularizer.curvature_bound(problem.rows, 1.0)
    return {
        "functions": functions,
        "outer": outer,
        "structure": entry["structure"],
        "flats": _flats(entry.get("kinks", ())),
        "ends": [entry["lower"], entry["upper"]],
        "linear": entry["linear"],
        "identity": regularizer.is_identity,
        "quadratic": regularizer.is_quadratic,
        "theta": transfer.theta,
        "weights": transfer.weights,
        "curvature": curvature,
        "norm": regularizer.is_norm,
        "penalty": None if transfer.penalty is None else transfer.penalty._asdict(),
        "squared_norm": regularizer.squared_norm,
    }


def graph_facts(loss):
    """Return the kinks, bends, flat pieces and ends of the graph of the subdifferential of p."""
    entry = loss.entry
    ends = {end for low, high, *_ in entry["parabolas"] for end in (low, high)}
    return {
        "kinks": entry["kinks"],
        "bends": sorted(end for end in ends if math.isfinite(end)),
        "flats": _flats(entry["conjugate_kinks"]),
        "domain": entry["domain"],
        "lower": entry["lower"],
        "upper": entry["upper"],
    }


def _flats(kinks):
    """Return the intervals of constant slope, (start, end, slope), from the kinks of the conjugate."""
    return [[before, after, place] for place, before, after in kinks]


def solver_facts(solver):
    """A solver as the message "problem" takes it: name, parameters, advice and the fields of its events.

    `divergence`: a dual objective that falls by this multiple of P(0) shows it; None if not the iterate's.
    """
    kinds = {name: kind.__name__ for name, kind in typing.get_type_hints(solver.event_type).items()}
    divergence = DIVERGENCE if solver.holds_dual else None
    return {
        "name": solver.name,
        **dataclasses.asdict(solver),
        "advice": solver.advice,
        "fields": kinds,
        "divergence": divergence,
    }


def _check_printed(term, function):
    if function not in _functions():
        raise InputError(f"browser: {term!r} has no printed functions; use the served page")


@functools.cache
def _functions():
    return frozenset(json.loads(TABLE.read_text(encoding="utf-8"))["functions"])


def size(arrays):
    """The bytes of the arrays in a dict."""
    return sum(value.nbytes for value in arrays.values() if isinstance(value, np.ndarray))


def plain(value):
    """The value as JSON can hold it."""
    if isinstance(value, np.ndarray):
        kind, dtype = ARRAYS[value.dtype.kind]
        return {kind: base64.b64encode(np.ascontiguousarray(value, dtype=dtype).tobytes()).decode()}
    if isinstance(value, dict):
        return {name: plain(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [plain(part) for part in value]
    if isinstance(value, float) and not math.isfinite(value):
        return {"number": repr(value).replace("inf", "Infinity").replace("nan", "NaN")}
    return value.item() if isinstance(value, np.generic) else value


def binary(value):
    """The value as Bokeh sends it, arrays as bytes of the types that JavaScript has."""
    if isinstance(value, np.ndarray):
        # An empty array has no buffer.
        return np.ascontiguousarray(value, dtype=ARRAYS[value.dtype.kind][1]) if value.size else []
    if isinstance(value, dict):
        return {name: binary(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [binary(part) for part in value]
    return value.item() if isinstance(value, np.generic) else value


def compressed(content):
    """Bytes as short text, the same for the same bytes."""
    return base64.b64encode(gzip.compress(content, 9, mtime=0)).decode()
