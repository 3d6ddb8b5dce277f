"""The rows and columns of a table that a model learns from, with their weights."""

from __future__ import annotations

import copy

from workbench._support.errors import InputError
from workbench.data.tables import columns
from workbench.data.tables.columns import listing
from workbench.data.tables.preparation import Preparation, check_missing
from workbench.data.tables.sentences import sentence


def with_attributes(table, **attributes):
    """Return a copy of a table with other attributes."""
    result = copy.copy(table)
    vars(result).update(attributes)
    return result


def rows(table, places):
    """Return the table of some of its rows."""
    return with_attributes(
        table,
        frame=None if table.frame is None else table.frame.iloc[places],
        matrix=None if table.matrix is None else table.matrix[places],
        target=table.target.iloc[places],
        weight=None if table.weight is None else table.weight[places],
    )


def features(table, places=slice(None)):
    """Return the columns, or the matrix, of the rows, or of some of them."""
    return table.matrix[places] if table.frame is None else table.frame.iloc[places]


def of_model(table, prepared):
    """Return the table with the rows that a model can be certified on, by its own columns alone."""
    if table.frame is None:
        return table
    names = [name for name in prepared.columns if name in table.frame.columns]
    return rows(table, complete_rows(table.target, table.frame[names], table.name, prepared.missing)[0])


def with_weights(table, sample_weight):
    """Return the table with weights of its samples, without the rows whose weight is 0.

    They are in a column, which is then not a feature, or an array, each 0 or more.
    """
    import numpy as np

    from workbench.problems.design import check_targets

    name, frame = "sample_weight", table.frame
    if isinstance(sample_weight, str):
        if frame is None or sample_weight not in frame.columns:
            names = "LIBSVM's, without names" if frame is None else listing(frame.columns)
            raise InputError(
                f"{table.name} has no column {sample_weight!r} of weights; its columns are {names}."
            )
        name, cells = sample_weight, frame[sample_weight]
        if cells.isna().any():
            raise InputError(
                f"{table.name}: the weights in {name!r} are empty in {int(cells.isna().sum())} rows; write 0 "
                "for a row that does not count."
            )
        frame, sample_weight = frame.drop(columns=name), columns.numbers_of(cells, table.name)
    weight = check_targets(name, sample_weight, len(table.target))
    bad = np.flatnonzero(weight < 0.0)
    if bad.size:
        raise InputError(f"{name}[{bad[0]}] is {weight[bad[0]]:g}; weights are 0 or more.")
    if not weight.any():
        raise InputError(f"{name}: every weight is 0; give some rows one above 0.")
    notes = [*table.notes, f"samples weighted by {name}"]
    return rows(with_attributes(table, frame=frame, weight=weight, notes=notes), np.flatnonzero(weight))


def usable(table, missing=None, leave_out=(), keep=(), whole=False):
    """Return the table with the rows and columns that a model may use.

    The options are those of `wb.fit` and `columns.decide`. The attribute `decisions` of the result has those
    on the columns, by all rows of the table, whether or not they stay here, or train.
    """
    missing, where = check_missing(missing), table.name
    leave_out = [leave_out] if isinstance(leave_out, str) else list(leave_out)
    if table.frame is None:
        for option, names in (("leave_out", leave_out), ("keep", keep)):
            if names:
                raise InputError(
                    f"{where} is a matrix, whose features have no names; leave {option}={list(names)} out."
                )
        return table
    unknown = [name for name in leave_out if name not in table.frame.columns]
    if table.target.name in unknown:
        raise InputError(
            f"{where}: leave_out names the target {table.target.name!r}; take it off that list, or name "
            "another target."
        )
    if unknown:
        raise InputError(
            f"{where} has no column {unknown[0]!r} to leave out; its columns are "
            f"{listing(table.frame.columns)}."
        )
    frame = table.frame.drop(columns=leave_out)
    decisions = columns.decide(frame, keep, whole or table.is_array, where)
    used = [decision.name for decision in decisions if decision.is_used]
    complete, notes = complete_rows(table.target, frame[used], where, missing)
    notes = [*table.notes, *([f"left out as asked: {listing(leave_out)}"] if leave_out else []), *notes]
    result = rows(with_attributes(table, frame=frame, notes=notes, decisions=decisions), complete)
    target = result.target
    if table.target.isna().any() and target.dtype.kind == "f" and (target % 1 == 0).all():
        # Floats for the sake of the empty cells alone.
        return with_attributes(result, target=target.astype("int64"))
    return result


def prepare(table, places=slice(None), missing=None, standardize=True):
    """Return the `Preparation` that the rows, or some of them, of a usable table give."""
    data = features(table, places)
    if table.frame is None:
        return Preparation.of_matrix(data, table.first, standardize)
    return Preparation(table.decisions, missing, standardize).fit(data, table.name)


def complete_rows(target, frame, where, missing):
    """Return the places of the rows that stay, and sentences on those that go.

    Rows without a target go, unless `missing` is None, and with "drop" those with an empty cell.
    """
    import numpy as np

    without, notes = target.isna().to_numpy(), []
    if without.any():
        if missing is None:
            counts = {"count": int(without.sum()), "n": len(target)}
            raise InputError(sentence("empty_target", where=where, target=repr(target.name), **counts))
        notes.append(f"{without.sum()} rows without a target left out")
    mask = ~without
    if missing == "drop":
        empty = mask & frame.isna().any(axis=1).to_numpy()
        notes += [f"{empty.sum()} rows with empty cells left out"] if empty.any() else []
        mask &= ~empty
    if not mask.any():
        raise InputError(f'{where}: no row has all its cells; give missing="mean", "median" or "indicator".')
    return np.flatnonzero(mask), notes
