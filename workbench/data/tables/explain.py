"""The reasons for a prediction: its terms, the samples that carry it, and what would flip it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from workbench._support.display import html
from workbench._support.errors import InputError
from workbench.data.tables.columns import as_text

# Lines of each table.
MAX_TERMS = 10


class Explanation(NamedTuple):
    """One prediction taken apart.

    Attributes
    ----------
    label : str
        What is predicted; with several labels the score is that of this label.
    score, bias : float
        score = bias + the sum of the terms.
    terms : list of (feature, value, weight, term)
        The value and the weight as they were solved, largest term first.
    samples : list of (row, target, share)
        score = bias + the sum of the shares alpha_i x_i.x / (lam n), largest first; empty where the
        regularizer is not the squared l2-norm, with which alone the weights are such a sum.
    changes : list of (column, value, value that would flip the label)
        Columns of numbers, in the file's own units, nearest first; for two labels alone.
    """

    label: str
    score: float
    bias: float
    terms: list
    samples: list
    changes: list


def explain(model, place) -> Explanation:
    """Take the prediction for one training row apart; the model is one that `wb.fit` returns, with its table.

    A row that is not there, and a model with a kernel, which has no weights, are refused.
    """
    if model.X is None or model.solution.w is None:
        raise InputError("explain: this needs a model with weights and its table, as wb.fit returns it")
    if not 0 <= place < model.X.shape[0]:
        raise InputError(f"explain: there is no row {place}; the rows go from 0 to {model.X.shape[0] - 1}")
    x = model.X[[place]]
    x = np.ravel(x.toarray() if hasattr(x, "toarray") else x)
    w, b, alpha = model.solution.w, model.solution.b, model.solution.alpha
    k = int(np.argmax(x @ w + b)) if w.ndim == 2 else 0
    if w.ndim == 2:
        w, b, alpha = w[:, k], float(np.asarray(b)[k]), alpha[:, k]
    prediction = model._table_of(model.solution.decision_function(model.X[[place]]))
    order = np.argsort(-np.abs(w * x), kind="stable")[:MAX_TERMS]
    names = model.features.names
    terms = [(names[j], float(x[j]), float(w[j]), float(w[j] * x[j])) for j in order if w[j] * x[j]]
    return Explanation(
        as_text(prediction["label"].iloc[0]),
        float(x @ w + b),
        float(b),
        terms,
        _samples(model, x, w, alpha),
        _changes(model, x, w, b),
    )


def _samples(model, x, w, alpha):
    """Return the samples whose dual variables carry the score."""
    shares = alpha * np.ravel(model.X @ x) / model.run.problem.lam_n
    scale = np.abs(shares).sum() + np.abs(x @ w)
    # Where the weights are the sum over the samples, so is the score.
    if not np.isclose(shares.sum(), x @ w, rtol=0.0, atol=1e-2 * scale):
        return []
    target = model.table.target.iloc[model.rows]
    order = [i for i in np.argsort(-np.abs(shares), kind="stable")[:MAX_TERMS] if shares[i]]
    return [(target.index[i], as_text(target.iloc[i]), float(shares[i])) for i in order]


def _changes(model, x, w, b):
    """Return how far each column of numbers would have to go for the other label."""
    if len(model.task.labels) != 2 or model.solution.w.ndim > 1:
        return []
    (mean, scale), score, changes = model.features.scales, float(x @ w + b), []
    for name, j in model.features.numbers.items():
        if w[j] != 0.0:
            away = -score / w[j]
            there, here = ((x[j] + step) * scale[j] + mean[j] for step in (away, 0.0))
            changes.append((abs(away), (name, float(here), float(there))))
    return [entry for _, entry in sorted(changes, key=lambda pair: pair[0])[:MAX_TERMS]]


def card(model, place) -> str:
    """Return the explanation as HTML."""
    row = explain(model, place)
    index = model.table.target.index[model.rows[place]]
    parts = [
        html.paragraph(f"Score {row.score:.4g} = bias {row.bias:.4g} + the sum of w_j x_j; the largest:"),
        html.table(["feature", "x_j as solved", "w_j", "w_j x_j"], row.terms),
    ]
    if row.samples:
        parts += [
            html.paragraph("The score is a sum over the samples, weighted by their α; the largest:"),
            html.table(["row", model.task.name, "share of the score"], row.samples),
        ]
    if row.changes:
        parts += [
            html.paragraph("What would change this prediction? One column alone would have to change:"),
            html.table(["column", "from", "to"], row.changes),
        ]
    return html.card(f"Row {index}: {row.label}", *parts)
