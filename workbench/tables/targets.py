"""Which problem a target asks for: two labels, several, or numbers; and the y that a loss then takes."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

from workbench import losses
from workbench.data.dataset import MAX_CLASSES
from workbench.errors import InputError
from workbench.tables import columns
from workbench.tables.sentences import sentence

# The loss for what a target holds; a loss says of itself what it needs.
LOSSES = {"margin": "logistic", "classes": "multinomial", "residual": "squared"}
# Whole numbers are labels up to this many of them; more are taken for measurements.
FEW = 10
# A target of texts with more labels than this share of its samples says little of any of them.
MAX_SHARE = 0.5
REST = "the others"
MEASURED = ', or give loss="squared" if these are measurements'


@dataclass(frozen=True)
class Task:
    """What is predicted.

    Attributes
    ----------
    name : str
        The target's column.
    kind : {"margin", "classes", "residual", "prediction"}
        What the loss needs: labels -1 and +1, classes from 0, or numbers.
    labels : tuple of str
        In the order of the classes; for two the one that is -1 first. Empty for numbers.
    loss : str
        As `workbench.losses.get` reads it.
    sentence : str
        What was chosen, for the reader.
    positive : tuple of str
        The file's labels that count as +1, where they were given.
    """

    name: str
    kind: str
    labels: tuple[str, ...]
    loss: str
    sentence: str
    positive: tuple[str, ...] = ()

    def made_loss(self):
        """The loss as an object, which knows how many classes there are."""
        loss = losses.get(self.loss)
        return dataclasses.replace(loss, classes=len(self.labels)) if self.kind == "classes" else loss

    def encode(self, series, where: str):
        """The target as y (n,): -1 and +1, 0 to r - 1, or numbers."""
        import numpy as np

        if not self.labels:
            return columns.numbers_of(series, where)
        texts = columns.labels_of(series, where)
        if self.positive:
            return np.array([1.0 if text in self.positive else -1.0 for text in texts])
        place = {label: k for k, label in enumerate(self.labels)}
        y = np.array([place[text] for text in texts], dtype=float)
        return 2.0 * y - 1.0 if self.kind == "margin" else y

    def decode(self, y):
        """Labels, or numbers, of predictions as a loss gives them."""
        import numpy as np

        if not self.labels:
            return y
        return np.array(self.labels, dtype=object)[((y > 0.0) if self.kind == "margin" else y).astype(int)]


def choose_task(series, where: str, loss=None, positive=None) -> Task:
    """The task of a target without empty cells.

    Parameters
    ----------
    series : Series
    where : str
        The file's name, for errors.
    loss : str, optional
        Chosen from the target where it is not given.
    positive : label or tuple of labels, optional
        Those that become +1; of two labels the last one in order by default.

    Raises
    ------
    InputError
        One label only, a constant, nearly an index, or a loss that the target does not go with.
    """
    name, column = series.name, columns.inspect_column(series, labels=True)
    kind = column.kind
    if len(series) < 2:
        raise InputError(sentence("one_sample", where=where))
    check(column, where, len(series))
    values = _distinct(series, kind, where)
    _check_spread(series, kind, values, where, loss)
    needs = None if loss is None else losses.get(loss).kind
    labels = tuple(map(columns.as_text, values))
    if positive is not None:
        needs = needs or "margin"
        if needs != "margin":
            raise InputError(
                f"{where}: a positive label goes with two labels and a loss for these; "
                f"leave it out for the loss {loss}."
            )
        labels, positive = _one_against(labels, positive, name, where)
    if needs is None:
        needs = _kind_of(values, kind, len(series))
    _check_kind(needs, kind, labels, name, where, loss)
    loss = LOSSES[needs] if loss is None else loss
    if needs in ("residual", "prediction"):
        labels = ()
    return Task(name, needs, labels, loss, _sentence(name, needs, labels, values, loss), positive or ())


def _kind_of(values, kind, n):
    """What labels look like where nobody says."""
    if len(values) == 2:
        return "margin"
    if kind == columns.NUMBER:
        whole = all(value == round(value) for value in values[: FEW + 1])
        return "classes" if len(values) <= min(FEW, MAX_SHARE * n) and whole else "residual"
    return "classes"


def _distinct(series, kind, where):
    """The distinct values in order."""
    import numpy as np

    if kind == columns.NUMBER:
        return np.unique(columns.numbers_of(series, where)).tolist()
    return sorted(set(columns.labels_of(series, where)))


def check(column, where, n):
    """Refuse a target that holds dates, empty cells, or numbers with something else among them.

    Parameters
    ----------
    column : Column
    where : str
    n : int
        How many rows there are.
    """
    if column.missing:
        target, count = repr(column.name), column.missing
        raise InputError(sentence("empty_target", where=where, target=target, count=count, n=n))
    if column.kind == columns.DATE:
        raise InputError(
            f"{where}: the target {column.name!r} holds dates; name the column to predict, such as "
            'target="NAME".'
        )
    if column.kind == columns.MIXED:
        raise InputError(
            f"{where}, {column.fault}; write a number in each row, or name another column, such as "
            'target="NAME".'
        )


def _check_spread(series, kind, values, where, loss):
    name, n = series.name, len(series)
    if len(values) == 1:
        what = "number" if kind == columns.NUMBER else "label"
        raise InputError(
            f"{where}: the target {name!r} has one {what} only, "
            f"{columns.as_text(values[0])[: columns.SHOWN]!r}"
            f' in all {n} rows; name another column, such as target="NAME", or add samples.'
        )
    if kind == columns.NUMBER:
        index = loss is None and columns.counts_rows(columns.numbers_of(series, where))
    else:
        index = len(values) > max(FEW, MAX_SHARE * n)
    if index:
        raise InputError(
            f"{where}: the target {name!r} is nearly an index, with {len(values):,} different values in "
            f'{n:,} rows; name the column to predict, such as target="NAME"'
            f"{MEASURED if kind == columns.NUMBER else ''}."
        )


def _one_against(labels, positive, name, where):
    """The two labels where some are +1, and those."""
    from workbench.data.split import as_values

    positives = tuple(dict.fromkeys(columns.as_text(value) for value in as_values(positive)))
    unknown = [label for label in positives if label not in labels]
    if unknown or not positives:
        raise InputError(
            f"{where}: no sample has the label positive={unknown[0] if unknown else ''!r}; the labels of "
            f"{name!r} are {columns.listing(labels)}."
        )
    others = [label for label in labels if label not in positives]
    if not others:
        raise InputError(f"{where}: every sample of {name!r} has a positive label; name fewer of them.")
    return (others[0] if len(others) == 1 else REST, " or ".join(positives)), positives


def _check_kind(loss_kind, kind, labels, name, where, loss):
    if loss_kind == "margin" and len(labels) > 2:
        raise InputError(
            f"{where}: the target {name!r} has {len(labels)} labels, {columns.listing(labels)}, and the loss "
            f"{loss} takes two; give the one that counts as +1, such as "
            f"positive={labels[-1]!r}, or leave the loss out for all of them."
        )
    if loss_kind == "classes" and len(labels) > MAX_CLASSES * 10:
        raise InputError(
            f"{where}: the target {name!r} has {len(labels):,} labels, and at most {MAX_CLASSES * 10} are "
            f"taken; name another column as target{MEASURED}."
        )
    if loss_kind in ("residual", "prediction") and kind != columns.NUMBER:
        raise InputError(
            f"{where}: the target {name!r} holds {columns.listing(labels)} and no numbers, which the loss "
            f"{loss} needs; leave the loss out, or name another column as target."
        )


def _sentence(name, kind, labels, values, loss):
    if kind == "margin":
        return f"target {name!r}: two labels, {labels[1]} is +1 and {labels[0]} is -1, {loss} loss"
    if kind == "classes":
        return f"target {name!r}: {len(labels)} labels ({columns.listing(labels)}), {loss} loss"
    return f"target {name!r}: numbers from {values[0]:g} to {values[-1]:g}, {loss} loss"
