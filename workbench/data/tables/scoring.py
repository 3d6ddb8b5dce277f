"""The score of a model on rows that were held out, beside that of the most frequent label or of the mean."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

# Standard errors by which a score has to exceed its baseline.
CLEAR = 2.0


class Score(NamedTuple):
    """A held-out score.

    Attributes
    ----------
    name : str
        "accuracy" or "R²".
    value, error : float
        The score and its standard error; the mean over the folds where `rows` is 0.
    baseline : float
        The score of the training rows' most frequent label, or of their mean, as the only prediction.
    rows, folds : int
        Number of held-out rows, or of folds of the cross-validation; the other one is 0.
    """

    name: str
    value: float
    error: float
    baseline: float
    rows: int
    folds: int

    @property
    def is_accuracy(self) -> bool:
        return self.name == "accuracy"

    @property
    def is_clear(self) -> bool:
        """True if the score exceeds its baseline by two standard errors, at least."""
        return bool(self.value - self.baseline > CLEAR * self.error)

    @property
    def text(self) -> str:
        """The score with one standard error."""
        if self.is_accuracy:
            return f"{100 * self.value:.1f} % ± {100 * self.error:.1f}"
        return f"{self.value:.3f} ± {self.error:.3f}"

    @property
    def line(self) -> str:
        """The score beside its baseline."""
        of = f"{self.rows} held-out rows" if self.rows else f"the held-out parts of {self.folds} folds"
        usual = "the most frequent label" if self.is_accuracy else "the mean of the target"
        baseline = f"{100 * self.baseline:.1f} %" if self.is_accuracy else f"{self.baseline:.3f}"
        said = f"{self.name} {self.text} on {of}"
        if self.is_clear:
            return f"{said}; {usual} alone has {baseline}"
        return f"{said}, not clearly better than {usual} alone, which has {baseline}"

    @property
    def sentence(self) -> str:
        """The line, and what the standard error is of."""
        said = f"{self.line[0].upper()}{self.line[1:]} (± one standard error)."
        if self.rows:
            return said
        return (
            f"{said} λ was chosen with the same parts, so new data may do slightly worse; test_size=0.2 "
            "holds rows out of that as well."
        )


def of_model(model) -> Score | None:
    """Return the score of a model that was fitted in this process; None without held-out rows."""
    if model.held_out is not None:
        return of_run(model.run, model.solution)
    if not model.choice.path:
        return None
    point = model.choice.path[model.choice.chosen]
    name = "accuracy" if model.task.labels else "R²"
    return Score(name, point.score, point.score_error, model.choice.baseline, 0, model.choice.folds)


def of_run(run, solution) -> Score | None:
    """Return the score of a solution on the held-out rows of its run; None without such rows."""
    test = run.test
    if test is None:
        return None
    z = (test.X @ solution.w if solution.w is not None else solution.expansion(test.X)) + solution.b
    value = test.score_predictions(z)
    error = np.sqrt(value * (1.0 - value) / len(test.y)) if test.labels else _spread(test.y, z)
    name = "accuracy" if test.labels else "R²"
    return Score(name, value, float(error), test.baseline, len(test.y), 0)


def _spread(y, z, draws=200):
    """Return the standard error of R squared by the bootstrap over the held-out rows."""
    residuals, rng = (y - z) ** 2, np.random.default_rng(0)
    rows = rng.integers(len(y), size=(draws, len(y)))
    spread = ((y[rows] - y[rows].mean(axis=1, keepdims=True)) ** 2).sum(axis=1)
    return float(np.std(1.0 - residuals[rows].sum(axis=1) / np.where(spread > 0.0, spread, 1.0)))
