"""Which problem a target asks for: two labels, several, or numbers; and the y that a loss then takes."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

from workbench._support.errors import InputError
from workbench.data.dataset import MAX_CLASSES
from workbench.data.tables import remarks
from workbench.data.tables.preparation import (
    DATE,
    NUMBER,
    SHOWN,
    as_text,
    counts_rows,
    listing,
    numbers_of,
    texts_of,
    type_of,
)
from workbench.data.tables.sentences import sentence
from workbench.problems import losses

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
    labels : tuple of str, int, float or bool
        As the target holds them, in the order of the classes; for two the one that is -1 first. Empty for
        numbers.
    loss : str
        As `workbench.losses.get` reads it.
    sentence : str
        What was chosen, for the reader.
    positive : tuple of str
        The labels that count as +1, where they were given.
    """

    name: str
    kind: str
    labels: tuple[str | int | float | bool, ...]
    loss: str
    sentence: str
    positive: tuple[str, ...] = ()

    @property
    def texts(self):
        """The labels as texts, by which they are told apart."""
        return tuple(map(as_text, self.labels))

    def made_loss(self):
        """The loss as an object, which knows how many classes there are."""
        loss = losses.get(self.loss)
        return dataclasses.replace(loss, classes=len(self.labels)) if self.kind == "classes" else loss

    def encode(self, series, where: str):
        """The target as y (n,): -1 and +1, 0 to r - 1, or numbers."""
        import numpy as np

        if not self.labels:
            return numbers_of(series, where)
        texts = texts_of(series)
        if self.positive:
            return np.array([1.0 if text in self.positive else -1.0 for text in texts])
        place = {label: k for k, label in enumerate(self.texts)}
        unknown = set(texts) - place.keys()
        if unknown:
            raise InputError(
                f"{where}: the label {min(unknown)} is not one of the model's, which are "
                f"{listing(self.texts)}; give rows with these labels."
            )
        y = np.array([place[text] for text in texts], dtype=float)
        return 2.0 * y - 1.0 if self.kind == "margin" else y

    def decode(self, y):
        """Labels of the type that the target has, or numbers, of predictions as a loss gives them."""
        import numpy as np

        if not self.labels:
            return y
        labels = np.array(self.labels)
        if labels.dtype.kind == "U" or len({type(label) for label in self.labels}) > 1:
            labels = np.array(self.labels, dtype=object)
        return labels[((y > 0.0) if self.kind == "margin" else y).astype(int)]


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
    name = series.name
    if len(series) < 2:
        raise InputError(sentence("one_sample", where=where))
    kind = check(series, where)
    values = _distinct(series, kind, where)
    _check_spread(series, kind, values, where, loss)
    needs = None if loss is None else losses.get(loss).kind
    labels, texts = values, tuple(map(as_text, values))
    if positive is not None:
        needs = needs or "margin"
        if needs != "margin":
            raise InputError(
                f"{where}: a positive label goes with two labels and a loss for these; "
                f"leave it out for the loss {loss}."
            )
        labels, positive = _one_against(values, positive, name, where)
        texts = tuple(map(as_text, labels))
    if needs is None:
        needs = _kind_of(values, kind, len(series))
    _check_kind(needs, kind, texts, series, where, loss)
    loss = LOSSES[needs] if loss is None else loss
    if needs in ("residual", "prediction"):
        labels = ()
    return Task(name, needs, tuple(labels), loss, _sentence(name, needs, texts, values, loss), positive or ())


def _kind_of(values, kind, n):
    """What labels look like where nobody says."""
    if len(values) == 2:
        return "margin"
    if kind == NUMBER:
        whole = all(value == round(value) for value in values[: FEW + 1])
        return "classes" if len(values) <= min(FEW, MAX_SHARE * n) and whole else "residual"
    return "classes"


def _distinct(series, kind, where):
    """The distinct values in order, as Python has them: numbers by their value, others by their texts."""
    import numpy as np

    if kind == NUMBER:
        numbers = numbers_of(series, where)  # refuses what is not finite
        plain = isinstance(series.dtype, np.dtype) and series.dtype.kind in "iuf"
        return np.unique(series.to_numpy() if plain else numbers).tolist()
    values = {}
    for value in series.drop_duplicates():
        values.setdefault(as_text(value), value.item() if hasattr(value, "item") else value)
    return [_plain(values[text]) for text in sorted(values)]


def _plain(value):
    """A label that JSON keeps: text, unless it is a number."""
    return value if isinstance(value, int | float) else as_text(value)


def check(series, where):
    """Return the type of a target; one that holds dates or empty cells is refused.

    Parameters
    ----------
    series : Series (n,)
    where : str
    """
    count = int(series.isna().sum())
    if count:
        target = repr(series.name)
        raise InputError(sentence("empty_target", where=where, target=target, count=count, n=len(series)))
    kind = type_of(series)
    if kind == DATE:
        raise InputError(
            f"{where}: the target {series.name!r} holds dates; name the column to predict, such as "
            'target="NAME".'
        )
    return kind


def _check_spread(series, kind, values, where, loss):
    name, n = series.name, len(series)
    if len(values) == 1:
        what = "number" if kind == NUMBER else "label"
        raise InputError(
            f"{where}: the target {name!r} has one {what} only, "
            f"{as_text(values[0])[:SHOWN]!r}"
            f' in all {n} rows; name another column, such as target="NAME", or add samples.'
        )
    if kind == NUMBER:
        index = loss is None and counts_rows(numbers_of(series, where))
    else:
        index = len(values) > max(FEW, MAX_SHARE * n)
    if index:
        raise InputError(
            f"{where}: the target {name!r} is nearly an index, with {len(values):,} different values in "
            f'{n:,} rows; name the column to predict, such as target="NAME"'
            f"{MEASURED if kind == NUMBER else _like_numbers(series)}."
        )


def _one_against(values, positive, name, where):
    """The two labels where some are +1, and the texts of those."""
    from workbench.data.split import as_values

    labels = dict(zip(map(as_text, values), values, strict=True))
    positives = tuple(dict.fromkeys(as_text(value) for value in as_values(positive)))
    unknown = [label for label in positives if label not in labels]
    if unknown or not positives:
        raise InputError(
            f"{where}: no sample has the label positive={unknown[0] if unknown else ''!r}; the labels of "
            f"{name!r} are {listing(labels)}."
        )
    others = [label for label in labels if label not in positives]
    if not others:
        raise InputError(f"{where}: every sample of {name!r} has a positive label; name fewer of them.")
    rest = labels[others[0]] if len(others) == 1 else REST
    one = labels[positives[0]] if len(positives) == 1 else " or ".join(positives)
    return (rest, one), positives


def _like_numbers(series):
    """Return what converts a target of texts that look like numbers, as the end of a sentence."""
    return "".join(f"; {remark}" for remark in remarks.remarks(series.to_frame()))


def _check_kind(loss_kind, kind, labels, series, where, loss):
    name = series.name
    if loss_kind == "margin" and len(labels) > 2:
        raise InputError(
            f"{where}: the target {name!r} has {len(labels)} labels, {listing(labels)}, and the loss "
            f"{loss} takes two; give the one that counts as +1, such as "
            f"positive={labels[-1]!r}, or leave the loss out for all of them."
        )
    if loss_kind == "classes" and len(labels) > MAX_CLASSES * 10:
        raise InputError(
            f"{where}: the target {name!r} has {len(labels):,} labels, and at most {MAX_CLASSES * 10} are "
            f"taken; name another column as target{MEASURED}."
        )
    if loss_kind in ("residual", "prediction") and kind != NUMBER:
        raise InputError(
            f"{where}: the target {name!r} holds {listing(labels)} and no numbers, which the loss "
            f"{loss} needs; leave the loss out, or name another column as target{_like_numbers(series)}."
        )


def _sentence(name, kind, labels, values, loss):
    if kind == "margin":
        return f"target {name!r}: two labels, {labels[1]} is +1 and {labels[0]} is -1, {loss} loss"
    if kind == "classes":
        return f"target {name!r}: {len(labels)} labels ({listing(labels)}), {loss} loss"
    return f"target {name!r}: numbers from {values[0]:g} to {values[-1]:g}, {loss} loss"
