"""`workbench certify`: how far weights from anywhere are from the optimum, at most."""

from pathlib import Path
from typing import Annotated

from typer import Option

from workbench.cli.solve import LeaveOut, Missing, Positive, Source, Target, ZeroBased, _labels
from workbench.errors import InputError

ARRAY = "FILE.npy"
MODEL = "A model of `workbench solve` (.npz), or with --trust-joblib a fitted estimator that joblib wrote."
TRUST = "Open --model by joblib, which runs whatever code the file holds."
# Where nothing is said; a model says it.
DEFAULTS = {"loss": "hinge", "regularizer": "squared-l2", "lam": 1e-3}


def certify(
    source: Source,
    model: Annotated[Path | None, Option(metavar="FILE", help=MODEL)] = None,
    trust_joblib: Annotated[bool, Option("--trust-joblib", help=TRUST)] = False,
    coef: Annotated[
        Path | None, Option(metavar=ARRAY, help="The weights, as np.save wrote them: (d,), (1, d) or (d, r).")
    ] = None,
    intercept: Annotated[
        str | None, Option(metavar="B", help="The bias: a number or a .npy file; not regularized.")
    ] = None,
    alpha: Annotated[Path | None, Option(metavar=ARRAY, help="Dual variables, (n,) or (n, r).")] = None,
    loss: Annotated[
        str | None, Option(help="Such as logistic or epsilon-insensitive:epsilon=0.1,p=2; hinge by default.")
    ] = None,
    regularizer: Annotated[
        str | None, Option(help="Such as elastic-net:epsilon=0.1, or l1; squared-l2 by default.")
    ] = None,
    lam: Annotated[float | None, Option(help="The weight of the regularizer, 0.001 by default.")] = None,
    bias: Annotated[bool, Option(help="The intercept is a constant feature's regularized weight.")] = False,
    free_bias: Annotated[bool, Option("--free-bias", help="The best unregularized bias.")] = False,
    tol: Annotated[
        float | None, Option(help="Fail where the relative gap, rounding included, is larger.")
    ] = None,
    positive: Positive = None,
    target: Target = None,
    missing: Missing = None,
    leave_out: LeaveOut = None,
    category: Annotated[str | None, Option(help="The topic of reuters21578.")] = None,
    zero_based: ZeroBased = None,
    json: Annotated[bool, Option("--json", help="Print one JSON object and nothing else.")] = False,
):
    """Certify weights or a model: a bound of how far they are above the optimum, from any solver."""
    import typer

    from workbench import data, losses, regularizers
    from workbench.certificates import certificate
    from workbench.cli import report
    from workbench.cli.solve_file import check_labels
    from workbench.problem import Problem

    options = {"positive": _labels(positive), "target": target, "category": category,
               "zero_based": zero_based}  # fmt: skip
    given = {name: value for name, value in options.items() if value is not None}
    objective = {"loss": loss, "regularizer": regularizer, "lam": lam}
    if model is not None:
        from workbench.cli import certify_model

        _check_alone({
            **objective, "coef": coef, "intercept": intercept, "alpha": alpha, "bias": bias or None,
            "free-bias": free_bias or None, "missing": missing, "leave-out": leave_out or None,
        })  # fmt: skip
        text, reached = certify_model.certified(model, source, given, trust_joblib, tol, json)
        print(text)
        raise typer.Exit(0 if tol is None or reached <= tol else 1)
    if coef is None and alpha is None:
        raise InputError("certify: give --coef FILE.npy, --alpha FILE.npy or both, or --model FILE")
    given |= {"missing": missing} if missing else {}
    given |= {"leave_out": leave_out} if leave_out else {}
    loss, regularizer, lam = (DEFAULTS[name] if value is None else value for name, value in objective.items())
    loss, regularizer = losses.get(loss), regularizers.get(regularizer)
    w, duals = _array("--coef", coef), _array("--alpha", alpha)
    dataset = data.load(source, **given)
    check_labels(dataset, loss)
    kind = _kind_of_bias(bias, free_bias, intercept)
    problem = Problem(dataset.X, dataset.y, loss, regularizer, lam, bias=kind)
    point = {"w": _weights(w, problem), "b": _number_or_array(intercept, problem), "alpha": duals}
    certified = certificate(problem, **point)
    print(report.certificate_json(dataset, problem, certified) if json
          else report.certificate_table(dataset, problem, certified))  # fmt: skip
    share = certified.relative_interval
    reached = max(certified.relative_gap, share or 0.0)
    raise typer.Exit(0 if tol is None or reached <= tol else 1)


def _check_alone(options):
    """Refuse options whose values a model has itself."""
    for name in (name for name, value in options.items() if value is not None):
        raise InputError(f"--{name} does not go with --model, which says it; leave it out")


def _kind_of_bias(constant, free, intercept):
    if constant and free:
        raise InputError("--bias and --free-bias exclude each other; leave one out")
    return "constant" if constant else (free or intercept is not None)


def _array(option, path):
    """The array of a .npy file, or an `InputError` with the path."""
    import numpy as np

    if path is None:
        return None
    try:
        with open(path, "rb") as file:
            array = np.lib.format.read_array(file, allow_pickle=False)
    except FileNotFoundError:
        raise InputError(f"{option} {path}: there is no such file; check the path") from None
    except (ValueError, EOFError, TypeError, MemoryError) as error:
        raise InputError(
            f"{option} {path} is not an array that np.save wrote ({error}); save it again"
        ) from None
    if array.dtype.kind not in "fiub":
        raise InputError(f"{option} {path} holds {array.dtype} and no numbers; save floats")
    return array


def _weights(w, problem):
    """Weights in the shape of the problem; scikit-learn's (1, d) and (r, d) are taken as well."""
    wanted = (problem.n_features, *problem.columns)
    if w is None or w.shape == wanted:
        return w
    if w.shape in ((1, problem.n_features), (problem.n_features, 1)) and not problem.columns:
        return w.ravel()
    if w.shape == wanted[::-1]:
        return w.T
    raise InputError(f"--coef has shape {w.shape} where {wanted} is needed for this data and loss")


def _number_or_array(text, problem):
    if text is None:
        return None
    if text.endswith(".npy"):
        array = _array("--intercept", Path(text)).ravel()
        return array if problem.columns or array.size != 1 else float(array[0])
    try:
        return float(text)
    except ValueError:
        raise InputError(f"--intercept {text!r} is neither a number nor a .npy file") from None
