"""The problem that a target asks for: two labels, several, or numbers; and the y that a loss then takes."""

from __future__ import annotations

from dataclasses import dataclass

from workbench._support.errors import InputError
from workbench.data.dataset import MAX_CLASSES
from workbench.data.split import as_values
from workbench.data.tables import text as delimited
from workbench.data.tables.columns import (
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
from workbench.problems.losses.simplex import SimplexLoss

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
    """The target of a prediction.

    Attributes
    ----------
    name : str
        The target's column.
    kind : {"margin", "classes", "residual", "prediction"}
        The need of the loss: labels -1 and +1, classes from 0, or numbers.
    labels : tuple of str, int, float or bool
        As the target holds them, in the order of the classes; for two the one that is -1 first. Empty for
        numbers.
    loss : str
        As `workbench.losses.get` reads it.
    sentence : str
        The choice, for the reader.
    positive : tuple of str
        The labels that count as +1, where they were asked for.
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
        """Return the loss as an object, which knows the number of classes."""
        loss = losses.get(self.loss)
        return loss.with_classes(len(self.labels)) if isinstance(loss, SimplexLoss) else loss

    def encode(self, series, where: str):
        """Return the target as y (n,): -1 and +1, 0 to r - 1, or numbers."""
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
        """Return labels of the type that the target has, or numbers, of predictions as a loss gives them."""
        import numpy as np

        if not self.labels:
            return y
        labels = np.array(self.labels)
        if labels.dtype.kind == "U" or len({type(label) for label in self.labels}) > 1:
            labels = np.array(self.labels, dtype=object)
        return labels[((y > 0.0) if self.kind == "margin" else y).astype(int)]


def choose_task(series, where: str, loss=None, positive=None) -> Task:
    """Return the task of a target without empty cells.

    The loss is chosen from the target by default. The `positive` labels become +1; of two labels the last one
    in order by default. One label only, a constant, what is nearly an index, and a loss that the target does
    not go with are refused.
    """
    if len(series) < 2:
        raise InputError(sentence("one_sample", where=where))
    kind = check(series, where)
    labels, name = _distinct(series, kind, where), series.name
    _check_spread(series, kind, labels, where, loss)
    needs, positives = None if loss is None else losses.get(loss).kind, ()
    if positive is not None:
        if needs not in (None, "margin"):
            raise InputError(
                f"{where}: a positive label goes with two labels and a loss for these; "
                f"leave it out for the loss {loss}."
            )
        needs, (labels, positives) = "margin", _one_against(labels, positive, name, where)
    needs = needs or _need_of(labels, kind, len(series))
    _check_kind(needs, kind, labels, series, where, loss)
    loss, texts = loss or LOSSES[needs], tuple(map(as_text, labels))
    if needs == "margin":
        text = f"two labels, {texts[1]} is +1 and {texts[0]} is -1"
    elif needs == "classes":
        text = f"{len(texts)} labels ({listing(texts)})"
    else:
        text, labels = f"numbers from {labels[0]:g} to {labels[-1]:g}", ()
    return Task(name, needs, tuple(labels), loss, f"target {name!r}: {text}, {loss} loss", positives)


def _need_of(labels, kind, n):
    """Return what labels look like where no loss is asked for."""
    if len(labels) == 2:
        return "margin"
    if kind != NUMBER:
        return "classes"
    is_whole = all(label == round(label) for label in labels[: FEW + 1])
    return "classes" if len(labels) <= min(FEW, MAX_SHARE * n) and is_whole else "residual"


def _distinct(series, kind, where):
    """Return the distinct values in order, as Python has them: numbers by value, others by their texts."""
    import numpy as np

    if kind == NUMBER:
        values = numbers_of(series, where)  # refuses what is not finite
        is_plain = isinstance(series.dtype, np.dtype) and series.dtype.kind in "iuf"
        return np.unique(series.to_numpy() if is_plain else values).tolist()
    values = {}
    for value in series.drop_duplicates():
        value = value.item() if hasattr(value, "item") else value
        values.setdefault(as_text(value), value if isinstance(value, int | float) else as_text(value))
    return [values[text] for text in sorted(values)]


def check(series, where):
    """Return the type of a target (n,); one that holds dates or empty cells is refused."""
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


def _check_spread(series, kind, labels, where, loss):
    name, n = series.name, len(series)
    if len(labels) == 1:
        what = "number" if kind == NUMBER else "label"
        raise InputError(
            f"{where}: the target {name!r} has one {what} only, {as_text(labels[0])[:SHOWN]!r}"
            f' in all {n} rows; name another column, such as target="NAME", or add samples.'
        )
    is_index = len(labels) > max(FEW, MAX_SHARE * n)
    if kind == NUMBER:
        is_index = loss is None and counts_rows(series)
    if is_index:
        raise InputError(
            f"{where}: the target {name!r} is nearly an index, with {len(labels):,} different values in "
            f'{n:,} rows; name the column to predict, such as target="NAME"'
            f"{MEASURED if kind == NUMBER else _like_numbers(series)}."
        )


def _one_against(labels, positive, name, where):
    """Return the two labels where some are +1, and the texts of those."""
    by_text = dict(zip(map(as_text, labels), labels, strict=True))
    positives = tuple(dict.fromkeys(map(as_text, as_values(positive))))
    unknown = [text for text in positives if text not in by_text]
    if unknown or not positives:
        raise InputError(
            f"{where}: no sample has the label positive={unknown[0] if unknown else ''!r}; the labels of "
            f"{name!r} are {listing(by_text)}."
        )
    others = [text for text in by_text if text not in positives]
    if not others:
        raise InputError(f"{where}: every sample of {name!r} has a positive label; name fewer of them.")
    rest = by_text[others[0]] if len(others) == 1 else REST
    one = by_text[positives[0]] if len(positives) == 1 else " or ".join(positives)
    return (rest, one), positives


def _like_numbers(series):
    """Return what converts a target of texts that look like numbers, as the end of a sentence."""
    return "".join(f"; {remark}" for remark in delimited.remarks(series.to_frame()))


def _check_kind(needs, kind, labels, series, where, loss):
    name, texts = series.name, tuple(map(as_text, labels))
    if needs == "margin" and len(texts) > 2:
        raise InputError(
            f"{where}: the target {name!r} has {len(texts)} labels, {listing(texts)}, and the loss "
            f"{loss} takes two; give the one that counts as +1, such as "
            f"positive={texts[-1]!r}, or leave the loss out for all of them."
        )
    if needs == "classes" and len(texts) > MAX_CLASSES * 10:
        raise InputError(
            f"{where}: the target {name!r} has {len(texts):,} labels, and at most {MAX_CLASSES * 10} are "
            f"taken; name another column as target{MEASURED}."
        )
    if needs in ("residual", "prediction") and kind != NUMBER:
        raise InputError(
            f"{where}: the target {name!r} holds {listing(texts)} and no numbers, which the loss "
            f"{loss} needs; leave the loss out, or name another column as target{_like_numbers(series)}."
        )
