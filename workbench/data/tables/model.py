"""A model: a certified solution with the columns, the labels and the scales that it needs to predict."""

from __future__ import annotations

import copy
import dataclasses
import os
import platform
from importlib import metadata
from typing import TYPE_CHECKING, Any, Self

import numpy as np

import workbench
from workbench._support.display import Carded
from workbench._support.errors import InputError
from workbench._support.system import extras, files
from workbench.data import places
from workbench.data.tables import choice, formats, in_memory, reading, scoring
from workbench.data.tables.preparation import Preparation
from workbench.data.tables.targets import Task
from workbench.data.tables.text import Spelling
from workbench.problems import losses
from workbench.problems.losses.simplex import SimplexLoss
from workbench.solvers.solution import Solution

if TYPE_CHECKING:
    import pandas as pd

    from workbench.data.tables.table import Table
    from workbench.problems.losses.base import Loss
    from workbench.solvers.run import Run


class Model(Carded):
    """The result of `wb.fit`, and the content of a model file.

    Attributes
    ----------
    task : Task
        The target, its labels and the loss.
    features : Preparation
        The way from columns to numbers.
    solution : Solution
        Weights on the features as they were solved, with the certificate.
    choice : Choice
        The choice of lambda.
    notes : list of str
        What was read and chosen, one sentence each.
    versions : dict
        Of the packages with which it was made.
    source : str
        The file that it was made from.
    spelling : dict
        The notation of this file where it was given; its marks of numbers are those of files to predict.
    table, run, rows, X
        The training table, the run, the rows that were trained on and these as numbers; None in a model from
        a file.

    Examples
    --------
    >>> import numpy as np
    >>> import workbench as wb
    >>> X = np.array([[2.0, 1.0], [1.0, -1.0], [-1.0, 0.5], [-2.0, -1.0]])
    >>> y = np.array([1, 1, -1, -1])
    >>> model = wb.fit(X, y, loss="hinge", lam=0.1)
    >>> model.predict([[3.0, 1.0]])["label"].tolist()
    [1]
    >>> bool(model.solution.relative_gap <= 1e-4)
    True
    """

    _card = "model"

    def __init__(
        self,
        task: Task,
        features: Preparation,
        solution: Solution,
        selection: Any,
        table: Table | None = None,
        tol: float = 1e-4,
        run: Run | None = None,
        rows: np.ndarray | None = None,
        arguments: dict[str, object] | None = None,
        held_out: Any = None,
        notes: list[str] | None = None,
        X: Any = None,
    ) -> None:
        self.task, self.features, self.solution, self.choice = task, features, solution, selection
        self.X = X
        self.table, self.tol, self.run, self.rows = table, tol, run, rows
        self.arguments, self.held_out = arguments, held_out
        if notes is None:
            from_table = [] if table is None else table.notes
            notes = [*from_table, task.sentence, *features.sentences, selection.sentence]
        self.notes = notes
        self.versions = _versions()
        self.source = "" if table is None else table.source or table.name
        self.spelling = {} if table is None else table.spelling

    def __getstate__(self):
        """Return what another process takes: the run has its problem and its rows but does not go on."""
        state = dict(vars(self))
        if self.run is not None:
            state["run"] = copy.copy(self.run)
            state["run"].stopping = None
        return state

    # What it says

    @property
    def loss(self) -> Loss:
        """The loss as an object."""
        return self.task.made_loss()

    @property
    def score(self) -> scoring.Score | None:
        """The score on held-out rows beside its baseline; None without such rows or from a file."""
        return scoring.of_model(self)

    @property
    def own_units(self) -> tuple[np.ndarray, np.ndarray]:
        """Weights and bias for the columns as the file has them."""
        return self.features.in_own_units(self.solution.w, self.solution.b)

    def columns(self) -> pd.DataFrame:
        """Describe each column of the table, its kind and what was decided about it, as a DataFrame."""
        import pandas as pd

        decisions = self.features.describe()
        kinds = [decision.kind for decision in self.features.decisions]
        index = pd.Index(decisions, name="column")
        return pd.DataFrame({"kind": kinds, "decision": list(decisions.values())}, index=index)

    def weights(self) -> pd.DataFrame:
        """List each feature's weight, in the file's own units and in standardized ones, as a DataFrame."""
        import pandas as pd

        if self.solution.w is None:
            raise InputError("a model with a kernel has no weights; its solution.alpha weighs the samples.")
        table: dict[str, Any] = {}
        solved = (self.solution.w, self.solution.b)
        for kind, (w, b) in (("weight", self.own_units), ("standardized", solved)):
            names = [f"{kind} {label}" for label in self.task.texts] if w.ndim > 1 else [kind]
            table |= dict(zip(names, np.vstack([np.atleast_2d(w.T).T, b]).T, strict=True))
        return pd.DataFrame(table, index=pd.Index([*self.features.names, "(bias)"], name="feature"))

    # What it predicts

    def predict(self, data: object, unknown: str = "refuse") -> pd.DataFrame:
        """Return predictions, one row for each row of the data, under its index.

        Parameters
        ----------
        data : path, frame, array, Table or Content
            Columns in any order; others, and the target, are not looked at.
        unknown : {"refuse", "ignore"}
            For a category that training did not see.

        Returns
        -------
        DataFrame
            label, score and, where the loss gives one, probability; with several labels those of the label,
            and the probability of each. For numbers label and score are the prediction. Rows with empty
            cells are empty where the model was trained with missing="drop".

        Raises
        ------
        InputError
            Names the columns that are missing and the categories that are not known.
        """
        import pandas as pd

        if unknown not in ("refuse", "ignore"):
            raise InputError(f"unknown: {unknown!r} is not known; use refuse or ignore.")
        frame, where = self._opened(data)
        index, features = getattr(frame, "index", None), self.features
        complete = np.ones(frame.shape[0], dtype=bool)
        if features.missing == "drop" and not features.is_matrix:
            present = [name for name in features.columns if name in frame.columns]
            complete = frame[present].notna().all(axis=1).to_numpy()
        if not complete.any():
            return pd.DataFrame({"label": [None] * len(complete), "score": np.nan}, index=index)
        if not complete.all():
            frame = frame[complete]
        predictions = self._table_of(
            self.solution.decision_function(features.transform(frame, where, unknown))
        )
        if not complete.all():  # by places, since an index may repeat itself
            predictions["label"] = predictions["label"].astype(object)
            predictions = predictions.set_axis(np.flatnonzero(complete)).reindex(range(len(complete)))
        return predictions if index is None else predictions.set_axis(index)

    def _opened(self, data):
        """Return the columns of a file, a DataFrame or a table, or LIBSVM's matrix; and a name for errors."""
        if isinstance(data, str) or hasattr(data, "__fspath__"):
            path = places.user_path(data)
            data = reading.open_file(path, self.zero_based, labelled=False, **self.notation())
        if isinstance(data, formats.Content):
            self._check_kind(data)
        if hasattr(data, "matrix"):
            return (data.matrix if data.frame is None else data.frame), data.name
        if hasattr(data, "tocsr"):
            return data, "the table"
        frame = in_memory.as_frame(data)
        return frame.to_numpy(dtype=float) if self.features.is_matrix else frame, "the table"

    def notation(self, **spelling: object) -> dict[str, object]:
        """Return the spelling of a file, by default with the marks that the training table was read with."""
        marks = {name: self.spelling[name] for name in ("decimal", "thousands") if name in self.spelling}
        return spelling if spelling.keys() & {"decimal", "thousands"} else marks | spelling

    @property
    def zero_based(self) -> bool | str:
        """True if LIBSVM's indices start at 0: as in training, since new rows may lack the first feature."""
        return self.features.first == 0 if self.features.is_matrix else "auto"

    def _check_kind(self, content):
        """Refuse a file that does not hold the features that the model was trained on."""
        if self.features.is_matrix != (content.frame is None):
            kind = "LIBSVM features" if self.features.is_matrix else "named columns"
            raise InputError(f"{content.name} does not hold the {kind} that the model was trained on.")
        if content.frame is None and content.matrix.shape[1] > self.features.count:
            raise InputError(
                f"{content.name} has {content.matrix.shape[1]} features where the model has "
                f"{self.features.count}; give the features that it was trained on."
            )

    def _table_of(self, z):
        import pandas as pd

        loss, task = self.loss, self.task
        if isinstance(loss, SimplexLoss):
            place, shares = z.argmax(axis=1), loss.probabilities(z)
            rows = np.arange(len(z))
            data = {"label": task.decode(place), "score": z[rows, place], "probability": shares[rows, place]}
            data |= {f"probability {label}": shares[:, k] for k, label in enumerate(task.texts)}
            return pd.DataFrame(data)
        data = {"label": task.decode(np.where(z >= 0.0, 1.0, -1.0) if task.labels else z), "score": z}
        if task.labels and loss.is_likelihood:
            data["probability"] = np.exp(loss.log_probabilities(z)[:, 1])
        return pd.DataFrame(data)

    # The file

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model to one .npz file: arrays, JSON and the pipeline by skops, without a pickle.

        `Solution.load` reads it as well.
        """
        meta, arrays = self.solution.saved()
        prepared, pipeline = self.features.saved()
        described = {name: getattr(self, name) for name in ("versions", "notes", "source", "tol", "spelling")}
        described |= {
            "task": dataclasses.asdict(self.task),
            "features": prepared,
            "choice": self.choice._replace(start=None, solver=None)._asdict(),
        }
        pipeline = np.frombuffer(pipeline, dtype=np.uint8)
        files.save(path, {**meta, "model": described}, arrays | {"pipeline": pipeline})

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Read what `save` wrote.

        Raises
        ------
        InputError
            The file is not a model, or an entry is missing or not valid.
        """
        extras.need("tables", "a model of a table")
        meta, arrays = files.load(path)
        solution = Solution.load(path)
        if "model" not in meta:
            raise InputError(f"{path} holds a solution without names and labels; solve the table again.")
        model = files.Saved(path, meta.get("model", dict), "model.")
        try:
            task = _task(model.get("task", dict))
            pipeline = arrays.array("pipeline", (None,), dtype=np.uint8)
            features = Preparation.of_saved(model.get("features", dict), pipeline.tobytes())
            fields = model.get("choice", dict)
            points = tuple(choice.Point(*point) for point in fields["path"])
            selection = choice.Choice(**{**fields, "path": points})
            Spelling(**model.get("spelling", dict)).validate()
        except InputError:
            raise
        except (TypeError, KeyError, ValueError) as error:
            raise model.refusal("entries", f"are not those of a model ({str(error)[:160]})") from None
        if solution.w is not None and len(features.names) != solution.n_features:
            raise model.refusal(
                "features", f"are {len(features.names)} where the weights are {solution.n_features}"
            )
        own = {"tol": model.get("tol", int, float), "notes": model.get("notes", list)}
        result = cls(task, features, solution, selection, **own)
        result.versions, result.source = model.get("versions", dict), model.get("source", str)
        result.spelling = model.get("spelling", dict)
        return result

    def plot(self) -> object:
        """Return the held-out loss along lambda, of HoloViews; for a fixed lambda the way to the solution."""
        from workbench._support.display import elements

        if self.choice.path:
            return elements.choice(self.choice.path, self.choice.lam)
        return elements.solution(self.solution)

    def __repr__(self):
        gap = f"{self.solution.relative_gap:.1e}"
        what = f"{len(self.task.labels)} labels" if self.task.labels else "numbers"
        return f"Model({self.task.name!r}: {what}, {self.task.loss} loss, relative gap {gap})"


def is_model(path) -> bool:
    """Return True if a file holds a model with names, rather than a solution alone."""
    return "model" in files.load(path)[0]


def _task(entries):
    fields: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in entries.items()
    }
    task = Task(**fields)
    plain = all(isinstance(label, str | int | float) for label in task.labels)
    two = task.kind != "margin" or len(task.labels) == 2
    if losses.get(task.loss).kind != task.kind or not plain or not two:
        raise ValueError("the loss and the labels do not belong together")
    return task


def _versions():
    packages = ("numpy", "scipy", "pandas", "scikit-learn")
    versions = {"workbench": workbench.__version__, "python": platform.python_version()}
    return versions | {name: metadata.version(name) for name in packages}
