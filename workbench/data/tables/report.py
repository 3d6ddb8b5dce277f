"""One offline page about a fit: what was read and chosen, how certain it is, and what it says of the data."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from workbench._support.display import cards, html, svg, words
from workbench.data.tables.columns import as_text
from workbench.data.tables.in_memory import SOURCE

# Weights, and samples, that are listed.
WEIGHTS, SAMPLES = 20, 15


def page(model) -> str:
    """Return the page of a model as `wb.fit` returns it, with its table and its run, as HTML."""
    return html.page(f"{model.task.name} from {model.table.name}", *sections(model))


def sections(model):
    """Return the sections of that page, each a heading and its parts."""
    versions = ", ".join(f"{name} {version}" for name, version in model.versions.items())
    code = html.Safe(f"<code>{html.escaped(python_line(model))}</code>")
    return [
        ("What was read", html.paragraph(f"{model.table.summary}."), _list(model.notes)),
        ("How good it is", *_quality(model)),
        ("How certain that is", *_certificate(model)),
        ("What the model says", *_weights(model)),
        *([("λ", *_path(model))] if len(model.choice.path) > 1 else []),
        ("The samples that determine the solution", *_support(model)),
        ("How to repeat this", code, html.paragraph(f"Made with {versions}.")),
    ]


def python_line(model) -> str:
    """Return the line of Python that repeats the fit."""
    return f"import workbench as wb; model = wb.fit({', '.join(arguments(model))})"


def arguments(model) -> list[str]:
    """Return the arguments of `wb.fit` that repeat the fit, as Python writes them."""
    options = {name: value for name, value in model.arguments.items() if value not in (None, ())}
    if options.pop("lam", None) != "auto":
        options["lam"] = model.choice.lam
    source = SOURCE if model.source == SOURCE else repr(model.source)
    if model.spelling:
        spelling = "".join(f", {name}={value!r}" for name, value in model.spelling.items())
        source = f"wb.data.read({source}, {options.pop('target', None)!r}{spelling})"
    return [source, *(f"{name}={value!r}" for name, value in options.items())]


def _list(texts):
    return html.Safe("<ul>" + "".join(f"<li>{html.escaped(text)}</li>" for text in texts) + "</ul>")


class Score(NamedTuple):
    """A held-out score: its name, its text with one standard error, and the number of rows.

    Without rows of their own it is the mean over the held-out parts of cross-validation, and `rows` is 0.
    """

    name: str
    text: str
    rows: int


def held_out_score(model) -> Score | None:
    """Return the score on rows that were held out; None where there are none."""
    labels = bool(model.task.labels)
    name = "accuracy" if labels else "R²"

    def text(score, error):
        return f"{100 * score:.1f} % ± {100 * error:.1f}" if labels else f"{score:.3f} ± {error:.3f}"

    if model.held_out is not None:
        value = model.run.test.score_predictions(model.solution.decision_function(model.held_out[0]))
        count = len(model.held_out[1])
        error = np.sqrt(value * (1.0 - value) / count) if labels else _spread(model)
        return Score(name, text(value, error), count)
    if not model.choice.path:
        return None
    point = model.choice.path[model.choice.chosen]
    return Score(name, text(point.score, point.score_error), 0)


def score_sentence(model) -> str | None:
    """Return the held-out score with its uncertainty, in a sentence."""
    score = held_out_score(model)
    if score is None:
        return None
    if score.rows:
        return f"On {score.rows} rows that were held out: {score.name} {score.text} (one standard error)."
    return (
        f"{score.name[0].upper()}{score.name[1:]} {score.text} on the held-out parts of "
        f"{model.choice.folds}-fold cross-validation (one standard error over the folds). λ was chosen with "
        "the same parts, so new data may do slightly worse; test_size=0.2 holds rows out of that as well."
    )


def _spread(model, draws=200):
    """Return the standard error of R squared by the bootstrap over the held-out rows."""
    X, y = model.held_out
    residuals, rng = (y - model.solution.decision_function(X)) ** 2, np.random.default_rng(0)
    rows = rng.integers(len(y), size=(draws, len(y)))
    spread = ((y[rows] - y[rows].mean(axis=1, keepdims=True)) ** 2).sum(axis=1)
    return float(np.std(1.0 - residuals[rows].sum(axis=1) / np.where(spread > 0.0, spread, 1.0)))


def _quality(model):
    y, n = model.run.problem.y, len(model.run.problem.y)
    yield html.paragraph(
        score_sentence(model) or 'Nothing was held out; lam="auto" or test_size=0.2 does so.'
    )
    z = model.solution.decision_function(model.X)
    if not model.task.labels:
        r2 = 1.0 - np.sum((y - z) ** 2) / np.sum((y - y.mean()) ** 2)
        yield html.paragraph(f"R² on the {n} training rows: {r2:.3f}.")
        return
    right = (z.argmax(axis=1) if z.ndim == 2 else np.where(z >= 0.0, 1.0, -1.0)) == y
    most = np.unique(y, return_counts=True)[1].max()
    yield html.paragraph(
        f"On the {n} training rows {100 * right.mean():.1f} % are right; the most frequent label alone gives "
        f"{100 * most / n:.1f} %."
    )


def _certificate(model):
    solution, about = model.solution, model.solution.description
    yield html.paragraph(f"Certified: {words.of_solution(solution)}.")
    bias = {False: "no bias", True: "a bias that is not regularized", "constant": "a regularized bias"}
    yield html.paragraph(
        f"That is said of this problem: {model.task.loss} loss, {about['regularizer']}, "
        f"λ = {about['lam']:.6g}, {bias[about['bias']]}, {model.X.shape[0]} rows, {model.X.shape[1]} features"
        f"{', standardized' if model.features.is_scaled else ''}."
    )
    facts = {"primal": solution.primal, "dual bound": solution.dual, "gap": solution.gap}
    facts |= {"interval": words.interval(solution.interval), "relative gap": solution.relative_gap}
    facts |= {"status": solution.status, "solver": about["solver"], "seconds": f"{solution.seconds:.3f}"}
    yield html.facts(list(facts.items()))
    yield cards.gap_curve(solution.columns)


def _weights(model):
    if model.solution.w is None:
        yield html.paragraph("With a kernel there are no weights; the samples below carry the model.")
        return
    table = model.weights()
    scaled = table.filter(like="standardized")
    size = scaled.abs().max(axis=1)
    order = np.argsort(-size.to_numpy()[:-1], kind="stable")[:WEIGHTS]
    if scaled.shape[1] > 1:
        table = table.drop(columns=scaled.columns).assign(**{"largest standardized": size})
    heads = ["feature", *table.columns]
    rows = [(table.index[j], *map(float, table.iloc[j])) for j in [*order, len(table) - 1]]
    yield html.paragraph(
        f"The {len(order)} largest of {len(table) - 1} weights, by their standardized size: how much the "
        "score changes with one deviation of the column; “weight” is for one unit as the file has it."
    )
    yield html.table(heads, rows)


def _path(model):
    path, lams = model.choice.path, [point.lam for point in model.choice.path]
    for name, label in (
        ("loss", "held-out loss"),
        ("score", f"held-out {'accuracy' if model.task.labels else 'R²'}"),
        ("nonzeros", "non-zero weights"),
    ):
        errors = [getattr(point, f"{name}_error") for point in path] if name != "nonzeros" else None
        line = svg.Line(label, lams, [getattr(point, name) for point in path], errors, True)
        yield html.Safe(svg.chart([line], f"{label} along λ", "λ", label, x_log=True, mark=model.choice.lam))
    yield html.paragraph(
        f"Each point is the mean of {model.choice.folds} certified solutions, of relative gaps up to "
        f"{max(point.gap for point in path):.1e}; bars are one standard error over the folds, and the dashed "
        "line is the λ that was taken."
    )


def _support(model):
    alpha = np.atleast_2d(model.solution.alpha.T).T
    size = np.abs(alpha).max(axis=1)
    support = np.flatnonzero(size)
    order = support[np.argsort(-size[support], kind="stable")][:SAMPLES]
    target = model.table.target.iloc[model.rows]
    predictions = model._table_of(model.solution.decision_function(model.X))
    label = "label" if model.task.labels else "prediction"
    texts = [[as_text(series.iloc[i]) for i in order] for series in (target, predictions["label"])]
    scores = [float(predictions["score"].iloc[i]) for i in order]
    rows = list(zip(target.index[order], *texts, scores, map(float, size[order]), strict=True))
    yield html.paragraph(
        f"{len(support)} of {len(size)} samples have a dual variable that is not zero: the weights are a sum "
        "over these alone. The largest, by their rows:"
    )
    yield html.table(["row", model.task.name, label, "score", "|α|"], rows)
