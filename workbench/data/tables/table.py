"""A table as it was read: its columns, its target, and notes on both."""

from __future__ import annotations

import functools

from workbench._support.display import Carded
from workbench.data.tables import columns, targets, training


class Table(Carded):
    """Columns and a target, not yet numbers; `wb.data.read` makes it.

    Attributes
    ----------
    frame : DataFrame (n, columns) or None
        The feature columns; None for LIBSVM.
    target : Series (n,)
    name, source : str
        The name and the path of the file.
    notes : list of str
        One sentence on each finding.
    matrix : csr_array (n, d) or None
        The samples of LIBSVM, whose first feature has the number `first`.
    key : str, int or None
        The target as the reader's caller named it.
    place : int or None
        The place of the target among the columns of the file.
    is_array : bool
        True if the columns have no names of their own.
    weight : ndarray (n,) or None
        The weights of the samples, above 0.
    spelling : dict
        The notation that the reader's caller gave, as arguments of `wb.data.read`.
    """

    _card = "table"

    def __init__(
        self,
        frame,
        target,
        name,
        source="",
        notes=(),
        matrix=None,
        first=1,
        key=None,
        place=None,
        is_array=False,
    ):
        self.frame, self.target, self.matrix, self.first = frame, target, matrix, first
        self.key, self.place, self.is_array, self.weight = key, place, is_array, None
        self.spelling = {}
        self.name, self.source, self.notes = name, source, list(notes)

    @classmethod
    def of_matrix(cls, X, y, first, name, source, notes):
        """Return the table of a LIBSVM file."""
        import pandas as pd

        target = pd.Series(y, name="label")
        if (target % 1 == 0).all():
            target = target.astype("int64")
        return cls(None, target, name, source, notes, X, first)

    @functools.cached_property
    def columns(self):
        """The kind of each feature column by the rules."""
        return [] if self.frame is None else [columns.kind_of(self.frame[name]) for name in self.frame]

    @property
    def all_columns(self):
        """The names of all columns in the order of the file, and the place of the target among them."""
        names = list(self.frame.columns)
        return (*names[: self.place], self.target.name, *names[self.place :]), self.place

    def __len__(self):
        return len(self.target)

    def task(self, loss=None, positive=None) -> targets.Task:
        """Return the problem that the target asks for, see `workbench.data.tables.targets.choose_task`."""
        return targets.choose_task(self.target, self.name, loss, positive)

    @functools.cached_property
    def _prepared(self):
        """The rows of a fit with the default choices, and their preparation."""
        table = training.usable(self, whole=True)
        return table, training.prepare(table, standardize=False)

    @property
    def X(self):
        """The features as numbers with the default choices, ndarray or csr_array (n, D)."""
        table, prepared = self._prepared
        return prepared.transform(training.features(table), self.name)

    @property
    def y(self):
        """The target as the chosen loss takes it, (n,)."""
        return self.task().encode(self.target, self.name)

    @property
    def feature_names(self):
        """Names of the columns of X."""
        return self._prepared[1].names

    @property
    def summary(self) -> str:
        """One line: the sizes and the kinds of columns."""
        n = len(self)
        if self.frame is None:
            return f"{self.name}: {n} rows, {self.matrix.shape[1]} features"
        counts = {kind: self.columns.count(kind) for kind in dict.fromkeys(self.columns)}
        plurals = {columns.CATEGORY: "categories"}
        parts = [f"{k} {plurals.get(kind, f'{kind}s') if k > 1 else kind}" for kind, k in counts.items()]
        holes = int(self.frame.isna().sum().sum())
        if holes:
            parts.append("1 empty cell" if holes == 1 else f"{holes} empty cells")
        return f"{self.name}: {n} rows, {', '.join(parts)}"

    def __repr__(self):
        return f"Table({self.summary}; target {self.target.name!r})"
