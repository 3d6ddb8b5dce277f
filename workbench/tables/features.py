"""Columns as numbers: categories one-hot, empty cells filled, scales taken out; learned once, applied again.

What is kept of it are plain numbers and texts, so that a saved model holds no code.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field

from workbench.data.dataset import NumberedNames
from workbench.errors import InputError
from workbench.tables import columns

MISSING = ("mean", "median", "drop", "indicator")
# What an empty cell of a category counts as where it is a category of its own.
EMPTY = "(empty)"
# Deviations of columns that differ by more than this factor, or means that lie further out, are scales apart.
APART = 2.0
# Numbers so many times as large as the range that they spread over are shifted before they are rounded.
CLOSE = 2**20
# A dense matrix of more bytes is made sparse where that helps.
DENSE_BYTES = 2**28
# The share of the free memory that the matrix may take: a solver has its copies of it.
MEMORY_SHARE = 0.25


@dataclass(frozen=True)
class Input:
    """One column of the table.

    Attributes
    ----------
    name, kind : str
    categories : tuple of str
    fill : float, str or None
        What an empty cell counts as; None where these are refused.
    flagged : bool
        Whether another column tells which cells were empty.
    offset : int or float
        Subtracted from numbers before they are rounded to floating point, so that those far from zero keep
        their differences: their least, or 0. The fill, the mean and the scale are of what remains.
    """

    name: str
    kind: str
    categories: tuple = ()
    fill: float | str | None = None
    flagged: bool = False
    offset: int | float = 0

    @property
    def names(self):
        """Of the columns of X that it becomes."""
        own = [f"{self.name} = {category}" for category in self.categories] or [self.name]
        return [*own, f"{self.name} is empty"] if self.flagged else own


@dataclass(frozen=True)
class Features:
    """How a table becomes X (n, D).

    Attributes
    ----------
    inputs : tuple of Input
        Empty for LIBSVM.
    missing : str or None
        How empty cells were filled.
    mean, scale : ndarray (D,)
        Subtracted, then divided by: 0 and 1 where a column is left as it is.
    first, count : int
        LIBSVM: the number of the first feature, and how many there are.
    sentence : str
        What was chosen, for the reader.
    """

    inputs: tuple
    missing: str | None
    mean: object = field(repr=False)
    scale: object = field(repr=False)
    sentence: str = ""
    first: int = 1
    count: int = 0

    @classmethod
    def of(cls, table, missing=None, standardize=None):
        """Learn from a table that `Table.usable` has passed.

        Parameters
        ----------
        table : Table
        missing : {None, "mean", "median", "drop", "indicator"}
        standardize : bool, optional
            None: where the table is dense and its columns have different scales.
        """
        import numpy as np

        missing = check_missing(missing)
        if table.frame is None:
            count, scale, sentence = table.matrix.shape[1], np.ones(table.matrix.shape[1]), ""
            if standardize:
                largest = abs(table.matrix).max(axis=0).toarray().ravel()
                scale = np.where(largest > 0.0, largest, 1.0)
                sentence = "every feature divided by its largest value"
            return cls((), missing, np.zeros(count), scale, sentence, table.first, count)
        table._refuse(missing)
        shift = standardize is not False
        inputs = tuple(_input(table.frame[c.name], c, missing, table.name, shift) for c in table.columns)
        count = sum(len(each.names) for each in inputs)
        features = cls(inputs, missing, np.zeros(count), np.ones(count))
        return features._scaled(features._raw(table.frame, table.name, "refuse"), standardize)

    def refitted(self, frame, where):
        """The same columns and categories, with fills and scales of these rows."""
        if not self.inputs:
            return self
        inputs = tuple(
            dataclasses.replace(
                each, fill=_fill(frame[each.name], each.kind, self.missing, where, each.offset)
            )
            if each.fill is not None and each.fill != EMPTY
            else each
            for each in self.inputs
        )
        features = dataclasses.replace(self, inputs=inputs)
        if not self.is_scaled:
            return features
        return features._scaled(features._raw(frame, where, "ignore"), True)

    def _scaled(self, X, standardize):
        """With the means and deviations of X where they are to be taken out: of columns of numbers alone."""
        import numpy as np
        from scipy import sparse

        numbers = self._of_first(lambda each: each.kind == columns.NUMBER).astype(bool)
        whole = not sparse.issparse(X)
        center, deviation = spread(X)
        varying = deviation > 0.0
        both, notes = varying & numbers, []
        low, high = (deviation[varying].min(), deviation[varying].max()) if varying.any() else (0.0, 0.0)
        far = (np.abs(center) > APART * deviation)[both].any() or self._shifts().any()
        apart = bool(high > APART * low or far)
        scale = np.ones(X.shape[1])
        if both.any() and (apart if standardize is None else standardize):
            scale = np.where(both, deviation, 1.0)
            sizes = f"(deviations from {deviation[both].min():.3g} to {deviation[both].max():.3g})"
            how = "standardized to mean 0 and deviation 1" if whole else "divided by their deviation"
            notes.append(f"columns of numbers {how} {sizes}")
        else:
            if both.any():
                notes.append("not standardized" + ("" if apart else ": the columns have one scale"))
            both = np.zeros_like(both)
        constant = [name for name, flag in zip(self.names, numbers & ~varying, strict=True) if flag]
        if constant:
            names = columns.listing(constant)
            notes.append(f"with one value in every row, so that they say nothing: {names}")
        # Centring would fill a sparse matrix; a model's bias makes that good.
        center = np.where(both & whole, center, 0.0)
        return dataclasses.replace(self, mean=center, scale=scale, sentence="; ".join(notes))

    def _of_first(self, value):
        """A value of each input for the first column of X that it becomes, 0 for its others, (D,)."""
        import numpy as np

        groups = ([value(each), *[0] * (len(each.names) - 1)] for each in self.inputs)
        return np.array([entry for group in groups for entry in group])

    def _shifts(self):
        """What was subtracted from each column of X before it was rounded, (D,)."""
        return self._of_first(lambda each: float(each.offset))

    @property
    def is_scaled(self):
        """Whether anything is subtracted or divided."""
        return bool(self.mean.any() or (self.scale != 1.0).any())

    @property
    def names(self):
        """Names of the columns of X."""
        if not self.inputs:
            return NumberedNames(self.count, self.first)
        return [name for each in self.inputs for name in each.names]

    @property
    def columns(self):
        """Names of the table's columns that are used."""
        return [each.name for each in self.inputs]

    def transform(self, data, where="the table", unknown="refuse"):
        """X (m, D) of a table or a DataFrame; columns are found by their names.

        Parameters
        ----------
        data : Table, DataFrame or csr_array
        where : str
            For errors.
        unknown : {"refuse", "ignore"}
            What a category is that training did not see; "ignore" makes it none of those known.

        Raises
        ------
        InputError
            Names the columns that are missing, the cells that are empty, the categories not known.
        """
        import numpy as np
        from scipy import sparse

        if not self.inputs:
            X = sparse.csr_array(getattr(data, "matrix", data))
            X.resize((X.shape[0], self.count))
            return sparse.csr_array(X @ sparse.diags_array(1.0 / self.scale)) if self.is_scaled else X
        frame = data.frame if hasattr(data, "frame") else data
        X = self._raw(frame, where, unknown)
        if sparse.issparse(X):
            return sparse.csr_array(X @ sparse.diags_array(1.0 / self.scale))
        return np.ascontiguousarray((X - self.mean) / self.scale)

    def _raw(self, frame, where, unknown):
        """X before scales are taken out: dense, or sparse where the categories are many."""
        import numpy as np
        from scipy import sparse

        self._check_columns(frame, where, unknown)
        _check_memory(len(frame), self.inputs, where)
        blocks = [_block(frame[each.name], each, where) for each in self.inputs]
        if sparse.issparse(blocks[0]) or any(map(sparse.issparse, blocks)):
            width = sum(block.shape[1] for block in blocks)
            stacked = sparse.hstack([sparse.csr_array(block) for block in blocks], format="csr")
            # Scales of a sparse matrix are taken without its means, which a model's bias makes good.
            return stacked if _is_large(len(frame), width) else stacked.toarray()
        return np.hstack(blocks)

    def _check_columns(self, frame, where, unknown):
        absent = [each.name for each in self.inputs if each.name not in frame.columns]
        if absent:
            raise InputError(
                f"{where} lacks {'the column' if len(absent) == 1 else f'{len(absent)} columns'} "
                f"{columns.listing(map(repr, absent))}; give every column that the model was trained on."
            )
        holes = {each.name: int(frame[each.name].isna().sum()) for each in self.inputs if each.fill is None}
        holes = {name: count for name, count in holes.items() if count}
        if holes:
            counts = columns.listing(f"{name} ({count})" for name, count in holes.items())
            raise InputError(
                f'{where}: empty cells in {counts}; fill them in, or train with missing="mean", '
                '"median" or "indicator".'
            )
        if unknown == "ignore":
            return
        faults = []
        for each in (each for each in self.inputs if each.categories):
            texts = dict.fromkeys(columns.texts_of(frame[each.name].drop_duplicates()))
            new = [repr(text[: columns.SHOWN]) for text in texts if text not in (None, *each.categories)]
            faults += [f"{columns.listing(new)} in {each.name!r}"] if new else []
        if faults:
            raise InputError(
                f"{where}: categories that training did not see, {'; '.join(faults)}; correct them, or give "
                'unknown="ignore" to count them as none of the known ones.'
            )

    def in_own_units(self, w, b):
        """Weights and bias for the columns as the file has them: w (D,) or (D, r), b a number or (r,)."""
        scale = self.scale if w.ndim == 1 else self.scale[:, None]
        own = w / scale
        return own, b - (self.mean + self._shifts() if self.inputs else self.mean) @ own

    def from_own_units(self, w, b):
        """Weights and bias on the columns as they are solved: the inverse of `in_own_units`."""
        scale = self.scale if w.ndim == 1 else self.scale[:, None]
        return w * scale, b + (self.mean + self._shifts() if self.inputs else self.mean) @ w

    def as_dict(self):
        """What JSON takes; the arrays apart."""
        return {
            "inputs": [dataclasses.asdict(each) for each in self.inputs],
            "missing": self.missing,
            "sentence": self.sentence,
            "first": self.first,
            "count": self.count,
        }


def check_missing(missing):
    """The choice, or an `InputError` with those there are."""
    if missing is not None and missing not in MISSING:
        raise InputError(f"missing: {missing!r} is not known; use one of {', '.join(MISSING)}.")
    return missing


def _offset(series):
    """What is subtracted from numbers that lie far from zero for their spread: the least of them, or 0."""
    import numpy as np

    exact = columns.exact_of(series)
    if exact.dtype == object:
        exact = [value for value in exact if not isinstance(value, (str, complex)) and abs(value) < np.inf]
    else:
        exact = exact[np.isfinite(exact)]
    if not len(exact):
        return 0
    ends = (min(exact), max(exact)) if isinstance(exact, list) else (exact.min().item(), exact.max().item())
    least, most = ends
    try:
        return least if CLOSE * (most - least) < max(abs(least), abs(most)) else 0
    except OverflowError:  # a whole number beyond floating point, which is refused by its row
        return 0


def _input(series, column, missing, where, shift):
    """What is learned of one column."""
    filled, category = missing not in (None, "drop"), column.kind == columns.CATEGORY
    categories, flagged, offset = (), False, 0
    if column.kind == columns.NUMBER and shift:
        offset = _offset(series)
    fill = _fill(series, column.kind, missing, where, offset) if filled else None
    if filled and missing == "indicator" and column.missing > 0:
        flagged = not category
    if category:
        categories = tuple(sorted({text for text in columns.texts_of(series) if text is not None}))
        if fill == EMPTY:
            categories = (*categories, EMPTY) if column.missing else categories
            fill = EMPTY if column.missing else categories[0]
    return Input(column.name, column.kind, categories, fill, flagged, offset)


def _fill(series, kind, missing, where, offset=0):
    """What an empty cell counts as: for categories and booleans the most frequent value."""
    import pandas as pd

    if kind == columns.CATEGORY:
        return EMPTY if missing == "indicator" else next(iter(pd.Series(columns.texts_of(series)).mode()), "")
    numbers = pd.Series(columns.numbers_of(series, where, offset)).dropna()
    if numbers.empty:
        return 0.0
    if kind == columns.BOOLEAN:
        return float(numbers.mode()[0])
    return float(numbers.median() if missing == "median" else numbers.to_numpy().mean())


def _block(series, feature, where):
    """The columns of X that one column of the table becomes, (n, k)."""
    import numpy as np
    import pandas as pd
    from scipy import sparse

    if feature.categories:
        texts = [feature.fill if text is None else text for text in columns.texts_of(series)]
        place = pd.Index(feature.categories).get_indexer(texts)  # -1 for one that training did not see
        rows = np.flatnonzero(place >= 0)
        shape = len(place), len(feature.categories)
        return sparse.csr_array((np.ones(len(rows)), (rows, place[rows])), shape=shape)
    numbers = columns.numbers_of(series, where, feature.offset)
    empty = np.isnan(numbers)
    if feature.fill is not None:
        numbers = np.where(empty, feature.fill, numbers)
    return np.column_stack([numbers, empty]) if feature.flagged else numbers[:, None]


def _is_large(n, width):
    return 8 * n * width > DENSE_BYTES


def _check_memory(n, inputs, where):
    """Refuse what does not fit, by the columns that take the most."""
    import psutil

    width = sum(len(each.names) for each in inputs)
    dense = width if not _is_large(n, width) else sum(not each.categories for each in inputs)
    bytes_needed = 8 * n * dense + 16 * n * len(inputs) + 8 * width
    free = psutil.virtual_memory().available
    if bytes_needed > MEMORY_SHARE * free:
        most = max(inputs, key=lambda each: len(each.names))
        what = f"; {most.name!r} alone has {len(most.categories):,} categories" if most.categories else ""
        raise InputError(
            f"{where}: {n:,} rows with {width:,} columns of numbers take {bytes_needed / 2**30:.1f} GB, more "
            f"than a quarter of the {free / 2**30:.1f} GB that are free{what}; leave columns out with "
            'leave_out=["NAME"], or take fewer rows.'
        )


def spread(X):
    """The mean and the deviation of each column, a deviation of 0 for one value alone and for nothing else.

    Parameters
    ----------
    X : ndarray or csr_array, shape (n, d)

    Returns
    -------
    mean, deviation : ndarray, shape (d,)
    """
    import numpy as np
    from scipy import sparse

    if sparse.issparse(X):
        low, high = (np.ravel(part.toarray()) for part in (X.min(axis=0), X.max(axis=0)))
        count = X.shape[0]
        mean = np.ravel(X.sum(axis=0)) / count
        size = np.maximum(np.abs(low), np.abs(high))
        scaled = X @ sparse.diags_array(1.0 / np.where(size > 0.0, size, 1.0))
        part = np.ravel(scaled.sum(axis=0)) / count
        square = np.ravel(scaled.multiply(scaled).sum(axis=0)) / count
        return mean, np.where(high > low, size * np.sqrt(np.maximum(square - part**2, 0.0)), 0.0)
    # Less their first row, columns far from zero keep their differences; in units of their largest entry, no
    # square overflows or vanishes.
    shifted = X - X[0]
    size = np.abs(shifted).max(axis=0)
    unit = np.where(size > 0.0, size, 1.0)
    deviation = np.where(size > 0.0, (shifted / unit).std(axis=0) * unit, 0.0)
    return X[0] + shifted.mean(axis=0), deviation
