"""A model: a certified solution with the columns, the labels and the scales that it needs to predict."""

from __future__ import annotations

import copy
import dataclasses
import os
import platform
from pathlib import Path
from typing import TYPE_CHECKING, Self

import numpy as np

import workbench
from workbench._support.display import Carded
from workbench._support.errors import InputError
from workbench._support.system import extras, files
from workbench.data.tables import choice, formats, given, reading
from workbench.data.tables.preparation import Preparation
from workbench.data.tables.targets import Task
from workbench.problems import losses
from workbench.solvers.solution import Solution

if TYPE_CHECKING:
    import pandas as pd

    from workbench.data.tables.table import Table
    from workbench.problems.losses.base import Loss
    from workbench.solvers.run import Run


class Model(Carded):
    """What `wb.fit` makes, and what a model file holds.

    Attributes
    ----------
    task : Task
        The target, its labels and the loss.
    features : Preparation
        How columns become numbers.
    solution : Solution
        Weights on the features as they were solved, with the certificate.
    choice : Choice
        How lambda was found.
    notes : list of str
        What was read and chosen, one sentence each.
    versions : dict
        Of the packages with which it was made.
    source : str
        The file that it was made from.
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
        selection: object,
        table: Table | None = None,
        tol: float = 1e-4,
        run: Run | None = None,
        rows: np.ndarray | None = None,
        arguments: dict[str, object] | None = None,
        held_out: object = None,
        notes: list[str] | None = None,
        versions: dict[str, str] | None = None,
        source: str = "",
        X: object = None,
    ) -> None:
        self.task, self.features, self.solution, self.choice = task, features, solution, selection
        self.X = X
        self.table, self.tol, self.run, self.rows = table, tol, run, rows
        self.arguments, self.held_out = arguments, held_out
        if notes is None:
            notes = [*table.notes, task.sentence, *features.sentences, selection.sentence]
        self.notes = notes
        self.versions = _versions() if versions is None else versions
        self.source = source if table is None else table.source or table.name

    def __getstate__(self):
        """For another process, in which the run tells of its problem and its rows but does not go on."""
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
    def own_units(self) -> tuple[np.ndarray, np.ndarray]:
        """Weights and bias for the columns as the file has them."""
        return self.features.in_own_units(self.solution.w, self.solution.b)

    def columns(self) -> pd.DataFrame:
        """A DataFrame: one row a column of the table, its kind and what was decided about it."""
        import pandas as pd

        decisions = self.features.describe()
        kinds = [decision.kind for decision in self.features.decisions]
        index = pd.Index(decisions, name="column")
        return pd.DataFrame({"kind": kinds, "decision": list(decisions.values())}, index=index)

    def weights(self) -> pd.DataFrame:
        """A DataFrame: one row a feature, weights in the file's own units and in standardized ones."""
        import pandas as pd

        if self.solution.w is None:
            raise InputError("a model with a kernel has no weights; its solution.alpha weighs the samples.")
        table = {}
        solved = self.solution.w, self.solution.b
        for kind, (w, b) in (("weight", self.own_units), ("standardized", solved)):
            whole = np.vstack([np.atleast_2d(w.T).T, np.atleast_1d(b)])
            names = [f"{kind} {label}" for label in self.task.texts] if w.ndim > 1 else [kind]
            table |= dict(zip(names, whole.T, strict=True))
        return pd.DataFrame(table, index=pd.Index([*self.features.names, "(bias)"], name="feature"))

    # What it predicts

    def predict(self, data: object, unknown: str = "refuse") -> pd.DataFrame:
        """Predictions, one row for each row of the data, under its index.

        Parameters
        ----------
        data : path, frame, array, Table or Content
            Columns in any order; others, and the target, are not looked at.
        unknown : {"refuse", "ignore"}
            What a category is that training did not see.

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
        index = getattr(frame, "index", None)
        complete = None
        if self.features.missing == "drop" and not self.features.is_matrix:
            present = [name for name in self.features.columns if name in frame.columns]
            complete = frame[present].notna().all(axis=1).to_numpy()
            frame = frame[complete]
        if not frame.shape[0]:
            return pd.DataFrame({"label": [None] * len(index), "score": np.nan}, index=index)
        X = self.features.transform(frame, where, unknown)
        predictions = self._table_of(self.solution.decision_function(X))
        if complete is not None and not complete.all():  # by places, since an index may repeat itself
            predictions["label"] = predictions["label"].astype(object)
            predictions.index = np.flatnonzero(complete)
            predictions = predictions.reindex(range(len(complete)))
        if index is not None:
            predictions.index = index
        return predictions

    def _opened(self, data):
        """The columns of a file, a DataFrame or a table, or LIBSVM's matrix; and a name for errors."""
        if isinstance(data, formats.Content):
            return self._of_this_kind(data)
        if hasattr(data, "matrix"):
            return (data.matrix if data.frame is None else data.frame), data.name
        if hasattr(data, "tocsr"):
            return data, "the table"
        if not isinstance(data, str) and not hasattr(data, "__fspath__"):
            frame = given.framed(data)
            return frame.to_numpy(dtype=float) if self.features.is_matrix else frame, "the table"
        path = Path(os.path.expanduser(data))
        return self._of_this_kind(reading.open_file(path, self.zero_based, labelled=False))

    @property
    def zero_based(self) -> bool | str:
        """Whether LIBSVM's indices start at 0: as in training, since new rows may lack the first feature."""
        return self.features.first == 0 if self.features.is_matrix else "auto"

    def _of_this_kind(self, content):
        """What a file holds and its name, where the model was trained on such features."""
        if self.features.is_matrix != (content.frame is None):
            kind = "LIBSVM features" if self.features.is_matrix else "named columns"
            raise InputError(f"{content.name} does not hold the {kind} that the model was trained on.")
        if content.frame is not None:
            return content.frame, content.name
        if content.matrix.shape[1] > self.features.count:
            raise InputError(
                f"{content.name} has {content.matrix.shape[1]} features where the model has "
                f"{self.features.count}; give the features that it was trained on."
            )
        return content.matrix, content.name

    def _table_of(self, z):
        import pandas as pd

        loss = self.loss
        labels = self.task.decode(
            z.argmax(axis=1) if z.ndim == 2 else np.where(z >= 0.0, 1.0, -1.0) if self.task.labels else z
        )
        data = {"label": labels}
        if z.ndim == 2:
            place = z.argmax(axis=1)
            rows = np.arange(len(z))
            shares = loss.probabilities(z)
            data |= {"score": z[rows, place], "probability": shares[rows, place]}
            data |= {f"probability {label}": shares[:, k] for k, label in enumerate(self.task.texts)}
        else:
            data["score"] = z
            if self.task.labels and loss.is_likelihood:
                data["probability"] = np.exp(loss.log_probabilities(z)[:, 1])
        return pd.DataFrame(data)

    # The file

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model to one .npz file: arrays, JSON and the pipeline by skops, without a pickle.

        `Solution.load` reads it as well.
        """
        meta, arrays = self.solution.saved()
        prepared, pipeline = self.features.saved()
        described = {
            "versions": self.versions,
            "notes": self.notes,
            "source": self.source,
            "tol": self.tol,
            "task": dataclasses.asdict(self.task),
            "features": prepared,
            "choice": {
                **self.choice._asdict(),
                "path": [list(point) for point in self.choice.path],
                "start": None,
                "solver": None,
            },
        }
        pipeline = np.frombuffer(pipeline, dtype=np.uint8)
        files.save(path, {**meta, "model": described}, arrays | {"pipeline": pipeline})

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Read what `save` wrote.

        Raises
        ------
        InputError
            The file is none, or an entry is missing or not what it should be.
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
            path = tuple(choice.Point(*each) for each in fields["path"])
            selection = choice.Choice(**{**fields, "path": path})
        except InputError:
            raise
        except (TypeError, KeyError, ValueError) as error:
            raise model.refusal("entries", f"are not those of a model ({str(error)[:160]})") from None
        if solution.w is not None and len(features.names) != solution.n_features:
            raise model.refusal(
                "features", f"are {len(features.names)} where the weights are {solution.n_features}"
            )
        return cls(
            task,
            features,
            solution,
            selection,
            tol=model.get("tol", int, float),
            notes=model.get("notes", list),
            versions=model.get("versions", dict),
            source=model.get("source", str),
        )

    def plot(self) -> object:
        """The held-out loss along lambda, of HoloViews; the way to the solution where lambda was given."""
        from workbench._support.display import elements

        if self.choice.path:
            return elements.choice(self.choice.path, self.choice.lam)
        return elements.solution(self.solution)

    def __repr__(self):
        gap = f"{self.solution.relative_gap:.1e}"
        what = f"{len(self.task.labels)} labels" if self.task.labels else "numbers"
        return f"Model({self.task.name!r}: {what}, {self.task.loss} loss, relative gap {gap})"


def is_model(path) -> bool:
    """Whether a file holds a model with names, rather than a solution alone."""
    return "model" in files.load(path)[0]


def _task(entries):
    task = Task(
        **{name: tuple(value) if isinstance(value, list) else value for name, value in entries.items()}
    )
    loss = losses.get(task.loss)
    plain = all(isinstance(label, str | int | float) for label in task.labels)
    if loss.kind != task.kind or not plain or (task.kind == "margin" and len(task.labels) != 2):
        raise ValueError("the loss and the labels do not belong together")
    return task


def _versions():
    import numpy
    import pandas
    import scipy
    import sklearn

    return {
        "workbench": workbench.__version__,
        "python": platform.python_version(),
        "numpy": numpy.__version__,
        "scipy": scipy.__version__,
        "pandas": pandas.__version__,
        "scikit-learn": sklearn.__version__,
    }
