"""One offline page about a fit: what was read and chosen, how certain it is, and what it says of the data."""

from __future__ import annotations

import numpy as np

from workbench._support.display import cards, html, svg, words
from workbench.data.tables.columns import as_text
from workbench.data.tables.in_memory import SOURCE
from workbench.problems import intercept

# Weights, and samples, that are listed.
WEIGHTS, SAMPLES = 20, 15
NOT_MEASURED = 'Nothing was held out; lam="auto" or test_size=0.2 does so.'


def page(model) -> str:
    """Return the page of a model as `wb.fit` returns it, with its table and its run, as HTML."""
    return html.page(f"{model.task.name} from {model.table.name}", *sections(model))


def sections(model):
    """Return the sections of that page, each a heading and its parts."""
    versions = ", ".join(f"{name} {version}" for name, version in model.versions.items())
    code = html.Safe(f"<code>{html.escaped(python_line(model))}</code>")
    return [
        ("How good it is", *_quality(model)),
        ("How optimal it is", *_certificate(model)),
        ("What was read", html.paragraph(f"{model.table.summary}."), _list(model.notes)),
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


def _quality(model):
    y, n = model.run.problem.y, len(model.run.problem.y)
    yield html.paragraph(NOT_MEASURED if model.score is None else model.score.sentence)
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
    kind, (n, d) = intercept.NAMES[about["bias"]], model.X.shape
    yield html.paragraph(
        f"That is said of this problem: {model.task.loss} loss, {about['regularizer']}, "
        f"λ = {about['lam']:.6g}, intercept: {kind}, {n} rows, {d} features"
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
