"""The choices of Your data as what `wb.fit` takes, and a model as what the page shows of it."""

import csv
import functools
import io

import numpy as np

from workbench._support.display import html, words
from workbench.data.tables import report, uploads
from workbench.data.tables.columns import CATEGORY
from workbench.data.tables.targets import LOSSES as USUAL
from workbench.pages import terms
from workbench.problems import losses, regularizers

# By their names on the page; of each task the first one is the default.
LOSSES = terms.LOSSES | {"Multinomial": "multinomial", "Quantile": "quantile"}
CONTROLS = terms.LOSS_CONTROLS | {"tau": "tau"}
KINDS = {label: losses.get(text).kind for label, text in LOSSES.items()}
OF_LABELS = ("margin", "classes")
OF_TASK = {
    uploads.CLASSIFICATION: [label for label, kind in KINDS.items() if kind in OF_LABELS],
    uploads.REGRESSION: [label for label, kind in KINDS.items() if kind not in OF_LABELS],
}
REFUSE = "refuse"
GUESS, EQUAL, BALANCED = "guess", "equal", "balanced"
# Rows and weights that are drawn.
MOST_POINTS, MOST_WEIGHTS = 1000, 15
DIGITS = 500


def _table(loader):
    """Return one of scikit-learn's data sets as somebody would have it in a file."""
    from sklearn import datasets

    source = getattr(datasets, loader)()
    names = getattr(source, "target_names", None)
    rows = io.StringIO()
    writer = csv.writer(rows, lineterminator="\n")
    writer.writerow([*source.feature_names, "label" if names is not None else "target"])
    for row, label in zip(source.data.tolist(), source.target.tolist(), strict=True):
        writer.writerow([*(f"{entry:.6g}" for entry in row), names[label] if names is not None else label])
    return rows.getvalue().encode()


def _libsvm():
    from sklearn.datasets import dump_svmlight_file, load_digits

    source = load_digits()
    content = io.BytesIO()
    dump_svmlight_file(source.data[:DIGITS], source.target[:DIGITS], content, zero_based=False)
    return content.getvalue()


def _broken():
    lines = _table("load_iris").split(b"\n")
    lines[6] = lines[6].replace(b".", b",", 1)
    return b"\n".join(lines)


# Name on the page -> the file's name, and what makes its content.
EXAMPLES = {
    "A table with texts as labels": ("iris.csv", lambda: _table("load_iris")),
    "A table for regression": ("diabetes.csv", lambda: _table("load_diabetes")),
    "LIBSVM, ten classes": ("digits.libsvm", _libsvm),
    "A table with a mistake": ("mistake.csv", _broken),
}


@functools.cache
def example(name):
    """Return the name of the file of an example, and its content."""
    file, content = EXAMPLES[name]
    return file, content()


def used():
    """Return for each control that not all losses use the labels of those that do."""
    uses = {control: [] for control in CONTROLS.values()}
    for label, text in LOSSES.items():
        for control in terms.needed(text, losses.REGISTRY, CONTROLS).values():
            uses[control].append(label)
    return uses | {"class_weight": OF_TASK[uploads.CLASSIFICATION]}


def usual_loss(facts):
    """Return the loss that labels usually get, as `wb.fit` chooses it."""
    kind = "residual" if facts["task"] == uploads.REGRESSION else "classes"
    text = USUAL["margin" if len(facts["classes"]) == 2 else kind]
    return next(label for label, other in LOSSES.items() if other == text)


def loss_of(settings, task):
    """Return the chosen loss where it suits the task, else the first one that does."""
    return settings["loss"] if settings["loss"] in OF_TASK[task] else OF_TASK[task][0]


def choice(settings):
    """Return the settings as `uploads.solve` takes them."""

    def text(task):
        label = LOSSES[loss_of(settings, task)]
        return terms.with_parameters(label, losses.REGISTRY, CONTROLS, settings)

    regularizer = terms.with_parameters(
        terms.REGULARIZERS[settings["regularizer"]],
        regularizers.REGISTRY,
        terms.REGULARIZER_CONTROLS,
        settings,
    )
    is_signed = regularizers.get(regularizer).entry["lower"] == 0.0
    left_out = [text.strip() for text in settings["leave_out"].split(",")]
    options = {
        "regularizer": regularizer,
        "lam": "auto" if settings["chooses_lam"] else settings["lam"],
        "one_se": settings["chooses_lam"] and settings["one_se"],
        "missing": None if settings["missing"] == REFUSE else settings["missing"],
        "standardize": settings["standardize"],
        "leave_out": tuple(filter(None, left_out)),
        # The Dual lab takes the same problem.
        "penalize_intercept": True,
        "embed": "balanced" if is_signed else None,
        "tol": settings["tolerance"],
        "seed": settings["seed"],
    }
    return {
        "target": None if settings["target"] == -1 else settings["target"],
        "task": None if settings["task"] == GUESS else settings["task"],
        "losses": {task: text(task) for task in uploads.TASKS},
        "positive": settings["positive"],
        "is_balanced": settings["class_weight"] == BALANCED,
        "is_tested": settings["holdout"],
        "options": options,
    }


# What is shown of a model


def shown(model):
    """Return the score, the certificate, the figures and the report of a model, as the module takes them."""
    solution = model.solution
    score, facts = model.score, ("name", "text", "rows", "line", "is_clear")
    weights = np.abs(np.atleast_2d(solution.w.T)).max(axis=0)
    columns = solution.columns
    return {
        "labels": list(model.task.texts),
        "score": None if score is None else {name: getattr(score, name) for name in facts},
        "fold_count": model.choice.folds,
        "within": words.percent(solution.relative_gap),
        "certificate": words.of_solution(solution),
        "status": solution.status,
        "nonzeros": [int(np.count_nonzero(weights)), len(weights)],
        "lam": model.choice.lam,
        "tests": _tests(model),
        "weights": _weights(model, weights),
        "gap": {"epoch": list(columns["epoch"]), "gap": list(columns["relative_gap"])},
        "path": [point._asdict() for point in model.choice.path],
        "arguments": report.arguments(model),
        "report": html.joined(report.sections(model)),
        "last_row": model.X.shape[0] - 1,
        "has_categories": any(decision.kind == CATEGORY for decision in model.features.decisions),
    }


def _tests(model):
    """Return true values with predictions, or with margins, of the held-out rows; else of the others."""
    is_held_out = model.held_out is not None
    X, y = model.held_out if is_held_out else (model.X, model.run.problem.y)
    z = model.solution.decision_function(X)
    if not model.task.labels:
        facts = {"below": float(np.mean(y < z))}
        true, value = y, z
    else:
        rows = np.arange(len(y))
        true = ((y > 0.0) if z.ndim == 1 else y).astype(int)
        if z.ndim == 1:
            value = y * z
        else:
            value, others = z[rows, true], z.copy()
            others[rows, true] = -np.inf
            value = value - others.max(axis=1)
        facts = {"most_frequent": float(np.bincount(true).max() / len(true)), "wrong": int(np.sum(value < 0))}
    places = np.unique(np.linspace(0, len(y) - 1, min(len(y), MOST_POINTS)).astype(int))
    points = {"true": true[places].astype(float), "value": value[places]}
    return facts | points | {"is_held_out": is_held_out, "count": len(y)}


def _weights(model, size):
    """Return the largest weights with their features, a row for each label that has its own."""
    w = np.atleast_2d(model.solution.w.T)
    order = np.argsort(-size, kind="stable")[:MOST_WEIGHTS]
    return {"names": [str(model.features.names[j]) for j in order], "values": w[:, order].tolist()}
