"""`workbench certify`: how far weights from anywhere are from the optimum, at most."""

from pathlib import Path
from typing import Annotated

from typer import Option

from workbench._support.errors import InputError
from workbench._support.names import check_number
from workbench.cli.solve import (
    Decimal,
    Encoding,
    LeaveOut,
    Missing,
    PenalizeIntercept,
    Positive,
    Skip,
    Source,
    Target,
    Thousands,
    ZeroBased,
    _labels,
    spelling_of,
)

ARRAY = "FILE.npy"
FIT = "Fit an intercept: the best one where --intercept does not give it."
COEF = "The weights, (d,), (1, d) or (d, r), of np.save; or of np.savez coef, with intercept and alpha."
ARRAYS = ("coef", "intercept", "alpha")
MODEL = "A model of `workbench solve` (.npz), or with --trust-joblib a fitted estimator that joblib wrote."
TRUST = "Open --model by joblib, which runs whatever code the file holds."
# The defaults without a model, which has its own.
LOSS, REGULARIZER, LAM = "hinge", "squared-l2", 1e-3


def certify(
    source: Source,
    model: Annotated[Path | None, Option(metavar="FILE", help=MODEL)] = None,
    trust_joblib: Annotated[bool, Option("--trust-joblib", help=TRUST)] = False,
    coef: Annotated[Path | None, Option(metavar="FILE.npy|.npz", help=COEF)] = None,
    intercept: Annotated[
        str | None, Option(metavar="B", help="The intercept: a number or a .npy file.")
    ] = None,
    alpha: Annotated[Path | None, Option(metavar=ARRAY, help="Dual variables, (n,) or (n, r).")] = None,
    loss: Annotated[
        str | None, Option(help="Such as logistic or epsilon-insensitive:epsilon=0.1,p=2; hinge by default.")
    ] = None,
    regularizer: Annotated[
        str | None, Option(help="Such as elastic-net:epsilon=0.1, or l1; squared-l2 by default.")
    ] = None,
    lam: Annotated[float | None, Option(help="The weight of the regularizer, 0.001 by default.")] = None,
    fit_intercept: Annotated[bool | None, Option(help=FIT)] = None,
    penalize_intercept: PenalizeIntercept = None,
    tol: Annotated[
        float | None, Option(help="Fail where the relative gap, rounding included, is larger.")
    ] = None,
    positive: Positive = None,
    target: Target = None,
    missing: Missing = None,
    leave_out: LeaveOut = None,
    category: Annotated[str | None, Option(help="The topic of reuters21578.")] = None,
    zero_based: ZeroBased = None,
    encoding: Encoding = None,
    decimal: Decimal = None,
    thousands: Thousands = None,
    skip: Skip = None,
    json: Annotated[bool, Option("--json", help="Print one JSON object and nothing else.")] = False,
):
    """Certify weights or a model: a bound of how far they are above the optimum, from any solver."""
    import typer

    from workbench import data
    from workbench.certificates import certificate
    from workbench.cli import report
    from workbench.cli.solve_file import check_labels
    from workbench.problems import Problem, losses, regularizers
    from workbench.problems.intercept import bias_of

    if tol is not None:
        check_number("certify", "tol", tol, at_least=0.0, usual=1e-6)
    options = {
        "positive": _labels(positive),
        "target": target,
        "category": category,
        "zero_based": zero_based,
        **spelling_of(encoding, decimal, thousands, skip),
    }
    arguments = {name: value for name, value in options.items() if value is not None}
    objective = {"loss": loss, "regularizer": regularizer, "lam": lam}
    if model is not None:
        from workbench.cli import certify_model

        _check_alone(
            {
                **objective,
                "coef": coef,
                "intercept": intercept,
                "alpha": alpha,
                "fit-intercept": fit_intercept,
                "penalize-intercept": penalize_intercept,
                "missing": missing,
                "leave-out": leave_out or None,
            }
        )
        text, reached = certify_model.certified(model, source, arguments, trust_joblib, tol, json)
        print(text)
        raise typer.Exit(0 if tol is None or reached <= tol else 1)
    if coef is None and alpha is None:
        raise InputError("certify: give --coef FILE, --alpha FILE.npy or both, or --model FILE")
    arguments |= {"missing": missing} if missing else {}
    arguments |= {"leave_out": leave_out} if leave_out else {}
    chosen_loss = losses.get(LOSS if loss is None else loss)
    penalty = regularizers.get(REGULARIZER if regularizer is None else regularizer)
    w, duals, bias_given = _read_point(coef, alpha, intercept)
    dataset = data.load(source, **arguments)
    check_labels(dataset, chosen_loss)
    kind = bias_of("certify", fit_intercept, penalize_intercept, bias_given is not None)
    problem = Problem(dataset.X, dataset.y, chosen_loss, penalty, LAM if lam is None else lam, bias=kind)
    point = {"w": _weights(w, problem), "b": _bias(bias_given, problem), "alpha": duals}
    certified = certificate(problem, **point)
    print(
        report.certificate_json(dataset, problem, certified)
        if json
        else report.certificate_table(dataset, problem, certified)
    )
    share = certified.relative_interval
    reached = max(certified.relative_gap, share or 0.0)
    raise typer.Exit(0 if tol is None or reached <= tol else 1)


def _check_alone(options):
    """Refuse options whose values a model has itself."""
    for name in (name for name, value in options.items() if value is not None):
        raise InputError(f"--{name} cannot be combined with --model, which already has it; leave it out")


def _read_point(coef, alpha, intercept):
    """Weights, dual variables and bias: each from its own option, or from the archive that --coef names."""
    from workbench._support.system import files

    packed = _archive(coef) if coef is not None and coef.is_file() and files.is_archive(coef) else None
    if packed is None:
        return _array("--coef", coef), _array("--alpha", alpha), _read_intercept(intercept)
    for name, value in (("alpha", alpha), ("intercept", intercept)):
        if value is not None and name in packed:
            raise InputError(f"--{name} is given, and --coef {coef} holds {name} as well; leave one out")
    return (
        packed["coef"],
        packed.get("alpha", _array("--alpha", alpha)),
        packed.get("intercept", _read_intercept(intercept)),
    )


def _archive(path):
    """Return the arrays coef, intercept and alpha of a file of np.savez, of which coef has to be there."""
    from workbench._support.system import files

    option, save = "--coef", "np.savez(FILE, coef=..., intercept=...)"
    try:
        arrays = files.unpacked(path)
    except Exception as error:  # whatever NumPy and zipfile raise for bytes that mean nothing
        raise InputError(
            f"{option} {path} holds no arrays that can be read ({files.reason_of(error)}); "
            f"write it with {save}"
        ) from None
    if "header" in arrays:
        raise InputError(f"{option} {path} is a model saved by the workbench; use --model {path}")
    if "coef" not in arrays:
        names = ", ".join(arrays) or "nothing"
        raise InputError(f"{option} {path} lacks the array 'coef', it holds {names}; write it with {save}")
    return {name: _numbers(f"{option} {path}: {name}", arrays[name]) for name in ARRAYS if name in arrays}


def _array(option, path):
    """Return the array of a .npy file, or an `InputError` with the path."""
    import numpy as np

    from workbench._support.system import files

    if path is None:
        return None
    try:
        with Path(path).open("rb") as file:
            array = np.lib.format.read_array(file, allow_pickle=False)
    except FileNotFoundError:
        raise InputError(f"{option} {path}: file not found; check the path") from None
    except (ValueError, EOFError, TypeError, MemoryError) as error:
        raise InputError(
            f"{option} {path} is not an array saved by np.save ({files.reason_of(error)}); save it again"
        ) from None
    return _numbers(f"{option} {path}", array)


def _numbers(where, array):
    if array.dtype.kind not in "fiub":
        raise InputError(f"{where} holds {array.dtype} and no numbers; save floats")
    return array


def _weights(w, problem):
    """Weights in the shape of the problem; scikit-learn's (1, d) and (r, d) are taken as well."""
    shape = (problem.n_features, *problem.columns)
    if w is None or w.shape == shape:
        return w
    if w.shape in ((1, problem.n_features), (problem.n_features, 1)) and not problem.columns:
        return w.ravel()
    if w.shape == shape[::-1]:
        return w.T
    raise InputError(
        f"--coef has shape {w.shape} where {shape} is needed for this data and loss; save the weights of "
        "the model that was fitted to these columns"
    )


def _read_intercept(text):
    """Return the number or the array that --intercept names; None where nothing is given."""
    if text is None:
        return None
    if text.endswith(".npy"):
        return _array("--intercept", Path(text))
    try:
        return float(text)
    except ValueError:
        raise InputError(f"--intercept {text!r} is neither a number nor a .npy file") from None


def _bias(bias, problem):
    """Return the bias in the shape of the problem: a number, or (r,) with r classes."""
    import numpy as np

    if bias is None or isinstance(bias, float):
        return bias
    shape = problem.columns or (1,)
    if np.ravel(bias).shape != shape:
        text = f"shape {shape}" if problem.columns else "one number"
        raise InputError(
            f"intercept has shape {np.shape(bias)} where {text} is needed for this data and loss; save the "
            "intercept of the same model"
        )
    return np.ravel(bias) if problem.columns else float(np.ravel(bias)[0])
