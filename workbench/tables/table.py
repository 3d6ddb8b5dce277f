"""A table as it was read: its columns, its target, and what was found out about it."""

from __future__ import annotations

import functools

from workbench.errors import InputError, shown
from workbench.faces import Carded
from workbench.tables import columns, features, targets
from workbench.tables.sentences import sentence

# Kinds of columns that a model cannot use.
UNREAD = (columns.DATE, columns.TEXT)


class Table(Carded):
    """Columns and a target, not yet numbers; `wb.data.read` makes it.

    Attributes
    ----------
    frame : DataFrame (n, columns) or None
        The feature columns; None for LIBSVM.
    matrix : csr_array (n, d) or None
        LIBSVM's samples.
    target : Series (n,)
    name, source : str
        The file's name and path.
    notes : list of str
        What was found out, one sentence each.
    asked : str, int or None
        The target as it was named to whoever read the table.
    place : int or None
        The target's place among the file's columns.
    weight : ndarray (n,) or None
        The weights of the samples, above 0.
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
        weight=None,
    ):
        self.weight = weight
        self.frame, self.target, self.matrix, self.first = frame, target, matrix, first
        self.key, self.place = key, place
        self.name, self.source, self.notes = name, source, list(notes)

    @classmethod
    def of_matrix(cls, X, y, first, name, source, notes):
        """The table of a LIBSVM file."""
        import pandas as pd

        return cls(None, pd.Series(y, name="label"), name, source, notes, X, first)

    @functools.cached_property
    def columns(self):
        """The kind of each feature column, a list of `Column`."""
        return [] if self.frame is None else columns.look(self.frame)

    @property
    def plain(self):
        """The frame with numbers in any notation as floats."""
        numbers = [column.name for column in self.columns if column.kind == columns.NUMBER]
        written = [name for name in numbers if self.frame[name].dtype.kind == "O"]
        floats = {name: columns.numbers_of(self.frame[name], self.name) for name in written}
        return self.frame.assign(**floats)

    @property
    def all_columns(self):
        """The names of all columns in the file's order, and the place of the target among them."""
        names = list(self.frame.columns)
        return (*names[: self.place], self.target.name, *names[self.place :]), self.place

    def __len__(self):
        return len(self.target)

    def rows(self, numbers) -> Table:
        """The table of some of its rows."""
        if len(numbers) == len(self):
            return self
        target, weight = self.target.iloc[numbers], None if self.weight is None else self.weight[numbers]
        if self.frame is None:
            matrix = self.matrix[numbers]
            return Table(None, target, self.name, self.source, self.notes, matrix, self.first, weight=weight)
        part = Table(self.frame.iloc[numbers], target, self.name, self.source, self.notes, weight=weight)
        # Kinds are those of the whole: in few rows a text may look like a category, or an empty one.
        part.columns = [
            column._replace(missing=int(part.frame[column.name].isna().sum())) for column in self.columns
        ]
        return part

    def task(self, loss=None, positive=None) -> targets.Task:
        """The problem that the target asks for, see `workbench.tables.targets.choose_task`."""
        return targets.choose_task(self.target, self.name, loss, positive)

    def weighted(self, sample_weight) -> Table:
        """The table with weights of its samples, without the rows whose weight is 0.

        Parameters
        ----------
        sample_weight : str or array_like (n,)
            The column that holds them, which is then no feature, or the weights, each 0 or more.
        """
        import numpy as np

        from workbench.problem.design import check_targets

        name, frame = "sample_weight", self.frame
        if isinstance(sample_weight, str):
            if frame is None or sample_weight not in frame.columns:
                names = "LIBSVM's, without names" if frame is None else columns.listing(frame.columns)
                raise InputError(
                    f"{self.name} has no column {sample_weight!r} of weights; its columns are {names}."
                )
            name, cells = sample_weight, frame[sample_weight]
            if cells.isna().any():
                holes = int(cells.isna().sum())
                raise InputError(
                    f"{self.name}: the weights in {name!r} are empty in {holes} rows; write 0 for a row that "
                    "does not count."
                )
            frame, sample_weight = frame.drop(columns=name), columns.numbers_of(cells, self.name)
        weight = check_targets(name, sample_weight, len(self))
        bad = np.flatnonzero(weight < 0.0)
        if bad.size:
            raise InputError(f"{name}[{bad[0]}] is {weight[bad[0]]:g}; weights are 0 or more.")
        if not weight.any():
            raise InputError(f"{name}: every weight is 0; give some rows one above 0.")
        notes = [*self.notes, f"samples weighted by {name}"]
        parts = frame, self.target, self.name, self.source, notes, self.matrix, self.first
        table = Table(*parts, self.key, self.place, weight)
        return table if weight.all() else table.rows(np.flatnonzero(weight))

    def usable(self, missing=None, leave_out=()) -> Table:
        """The table with the columns and rows that a model may use.

        Parameters
        ----------
        missing : {None, "mean", "median", "drop", "indicator"}
            What becomes of empty cells; rows without a target go unless it is None.
        leave_out : sequence of str
            Columns that are not used.

        Raises
        ------
        InputError
            Names the columns with empty cells, dates or free text, and the option that goes on.
        """
        missing = features.check_missing(missing)
        leave_out = (leave_out,) if isinstance(leave_out, str) else leave_out
        if self.frame is None:
            if leave_out:
                raise InputError(f"{self.name} is LIBSVM, whose features have no names to leave out.")
            return self
        unknown = [name for name in leave_out if name not in self.frame.columns]
        if unknown:
            raise InputError(
                f"{self.name} has no column {unknown[0]!r} to leave out; its columns are "
                f"{columns.listing(self.frame.columns)}."
            )
        frame, target, notes = self.frame.drop(columns=list(leave_out)), self.target, list(self.notes)
        if leave_out:
            notes.append(f"left out as asked: {columns.listing(leave_out)}")
        mask = self._filled_rows(frame, target, missing, notes)
        weight = self.weight
        if not mask.all():
            frame, target, weight = frame[mask], target[mask], None if weight is None else weight[mask]
        table = Table(frame, target, self.name, self.source, notes, weight=weight)
        table._refuse(missing)
        empty = [column.name for column in table.columns if column.kind == columns.EMPTY]
        if empty:
            table.frame = table.frame.drop(columns=empty)
            del table.columns
            notes.append(f"left out, since every cell is empty: {columns.listing(empty)}")
        notes += [f"column {each.name!r}: numbers, {each.note}" for each in table.columns if each.note]
        table.notes = notes
        if not table.frame.shape[1]:
            raise InputError(f"{self.name} has no column left to learn from; give one more feature.")
        return table

    def _filled_rows(self, frame, target, missing, notes):
        """The rows that stay, (n,): not those without a target, nor with an empty cell that drops them."""
        without = target.isna()
        if without.any():
            count = int(without.sum())
            if missing is None:
                name, n = repr(target.name), len(target)
                raise InputError(sentence("empty_target", where=self.name, target=name, count=count, n=n))
            notes.append(f"{count} rows without a target left out")
        mask = ~without
        if missing == "drop":
            # A column without any cell would take all rows with it.
            full = frame.dropna(axis=1, how="all").notna().all(axis=1)
            dropped = int((mask & ~full).sum())
            mask &= full
            if dropped:
                notes.append(f"{dropped} rows with empty cells left out")
        if not mask.any():
            raise InputError(
                f'{self.name}: no row has all its cells; give missing="mean", "median" or "indicator".'
            )
        return mask.to_numpy()

    def _refuse(self, missing):
        """Name what a model cannot use as it is, all of it at once."""
        mixed = [column for column in self.columns if column.kind == columns.MIXED]
        if mixed:
            more = f" (so is {columns.listing(repr(each.name) for each in mixed[1:])})" if mixed[1:] else ""
            raise InputError(
                f"{self.name}, {mixed[0].fault}{more}; write a number, leave the cell empty, or take the "
                f"column out: leave_out={_names(mixed[:1])}."
            )
        faults, fixes = [], []
        holes = [column for column in self.columns if column.missing]
        if holes and missing is None:
            counts = columns.listing(f"{column.name} ({column.missing})" for column in holes)
            faults.append(f"empty cells in {counts}")
            fixes.append('missing="mean", "median", "drop" or "indicator"')
        unread = [[column for column in self.columns if column.kind == kind] for kind in UNREAD]
        for kind, group in zip(UNREAD, unread, strict=True):
            if group:
                names = columns.listing(column.name for column in group)
                faults.append(f"{kind}{'s' * (kind == columns.DATE)} in {names}")
        if any(unread):
            fixes.append(f"leave_out={_names(each for group in unread for each in group[: columns.LISTED])}")
        if faults:
            raise InputError(
                f"{self.name}: {' and '.join(faults)}; go on with {' and '.join(fixes)}, or fix the file."
            )

    def features(self, missing=None, standardize=None) -> features.Features:
        """How the columns become numbers, learned from this table."""
        return features.Features.of(self, missing, standardize)

    @functools.cached_property
    def _encoded(self):
        """What a fit with the default choices learns from, and how it becomes numbers."""
        usable = self.usable()
        return usable, usable.features()

    @property
    def X(self):
        """The features as numbers with the default choices, ndarray or csr_array (n, D)."""
        table, encoder = self._encoded
        return encoder.transform(table, self.name)

    @property
    def y(self):
        """The target as the chosen loss takes it, (n,)."""
        return self.task().encode(self.target, self.name)

    @property
    def feature_names(self):
        """Names of the columns of X."""
        return self._encoded[1].names

    @property
    def summary(self) -> str:
        """One line: the sizes and the kinds of columns."""
        n = len(self)
        if self.frame is None:
            return f"{self.name}: {n} rows, {self.matrix.shape[1]} features"
        kinds = [column.kind for column in self.columns]
        plurals = {
            "number": "numbers",
            "boolean": "booleans",
            "category": "categories",
            "date": "dates",
            "mixed column": "mixed columns",
        }
        counts = {kind: kinds.count(kind) for kind in dict.fromkeys(kinds)}
        parts = [f"{k} {plurals.get(kind, kind) if k > 1 else kind}" for kind, k in counts.items()]
        holes = sum(column.missing for column in self.columns)
        if holes:
            parts.append("1 empty cell" if holes == 1 else f"{holes} empty cells")
        return f"{self.name}: {n} rows, {', '.join(parts)}"

    def __repr__(self):
        return f"Table({self.summary}; target {self.target.name!r})"


def _names(group):
    """The names of columns as a list in Python."""
    return shown([str(column.name) for column in group])
