"""Predictions for rows that a model has not seen: what `workbench predict` gives, counted and compared.

The rows stay in the visit's memory; nothing of them is kept in the server's store.
"""

import re
import shlex
from typing import NamedTuple

import numpy as np

from workbench._support.display import html
from workbench._support.display.options import as_options, options_of
from workbench._support.errors import InputError
from workbench.data.tables import limits, reading
from workbench.data.tables.columns import as_text, listing, numbers_of, texts_of
from workbench.pages.wording import Wording

WORDING = Wording("your_data")
format_text = WORDING.format_text
# Labels whose rows are counted, the most frequent first; rows, columns and letters of a cell that are shown.
MAX_COUNTED = 20
MAX_ROWS, MAX_COLUMNS, LONGEST = 5, 8, 24
# An option of the reader that the page has no control for.
SKIP = re.compile(r", or leave out the lines before the table, such as skip=\d+")
REFUSE, IGNORE = "refuse", "ignore"
# Arguments of `wb.fit` and `Model.predict` for which the page has controls.
ASKED = options_of("missing", "leave_out", "target", "loss", "unknown")


class Predicted(NamedTuple):
    """New rows with their predictions.

    Attributes
    ----------
    name : str
        The file's.
    table : DataFrame
        The columns of the file as they were read, then `made`; one row for each row of the file.
    made : list of str
        Names of the columns of predictions: the label or the number; for labels also the score, and the
        probabilities where the loss gives them.
    heads : list of str
        Shorter names for a preview of the first columns of predictions.
    sentences : list of str
        What was predicted how often, and how it compares with the labels that the file has.
    """

    name: str
    table: object
    new_columns: list
    heads: list
    sentences: list

    def csv(self):
        """Return one tidy table."""
        label = _free("index", list(self.table.columns))
        return self.table.to_csv(index_label=label, lineterminator="\n")


def predicted(model, content, file, unknown=REFUSE, caps=limits.UPLOAD) -> Predicted:
    """Predict the rows of a visitor's file.

    Parameters
    ----------
    model : Model
    content : bytes
    file : str
        Its name on the visitor's machine.
    unknown : {"refuse", "ignore"}
        As for `Model.predict`.
    caps : Limits

    Raises
    ------
    InputError
        Names the file, the line or the column, and the fix.
    """
    rows = reading.open_upload(content, file, caps, model.zero_based, labelled=False)
    predictions = model.predict(rows, unknown)
    data = _libsvm_rows(rows) if rows.frame is None else rows.frame
    labels = model.task.labels
    if not labels:
        predictions = predictions[["label"]]
    elif len(labels) == 2:  # of two it is that of the second, whatever is predicted
        predictions = predictions.rename(columns={"probability": f"probability {labels[1]}"})
    table, names = data.copy(), []
    for what, column in zip((model.task.name, *predictions.columns[1:]), predictions.columns, strict=True):
        names.append(_free(format_text("predicted", column=what), list(table.columns)))
        table[names[-1]] = predictions[column].to_numpy()
    label = table[names[0]]
    sentences = [_counted(model, rows.name, label), *_compared(model, data, label, rows.name)]
    if len(labels) == 2:
        sentences.append(format_text("score", positive=labels[1], negative=labels[0]))
    share = (
        format_text("made_share", label=labels[1]) if len(labels) == 2 else format_text("made_probability")
    )
    heads = [format_text("made_label"), format_text("made_score"), share][: len(names)]
    return Predicted(rows.name, table, names, heads, sentences)


def first_rows(result):
    """Return the first rows of a `Predicted` as HTML, the predictions first."""
    made = result.new_columns[: len(result.heads)]
    inputs = [name for name in result.table.columns if name not in result.new_columns][:MAX_COLUMNS]
    first = result.table.head(MAX_ROWS)
    rows = [[_cell(place), *map(_cell, row)] for place, *row in first[[*made, *inputs]].itertuples(name=None)]
    return html.table([format_text("place"), *result.heads, *map(_cell, inputs)], rows)


def _cell(value):
    """Return a cell as a text that is not long, nothing where it is empty."""
    if value is None or value != value:
        return ""
    text = f"{value:.5g}" if isinstance(value, float) else as_text(value)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def code(model, name, unknown=REFUSE):
    """Return code that repeats the predictions in Python and on the command line, from the model's file."""
    ignored = unknown == IGNORE
    python = format_text("code", file=name, option=f", unknown={unknown!r}" if ignored else "")
    option = f" --unknown {unknown}" if ignored and not model.features.is_matrix else ""
    return python, format_text("command", file=shlex.quote(name), option=option)


def for_the_page(sentence):
    """A refusal whose arguments are those of Python, for the page's controls."""
    sentence = SKIP.sub("", as_options(sentence, ASKED))
    for option, control in WORDING.texts["controls"].items():
        sentence = sentence.replace(option, control)
    return sentence


def about(model):
    """Whose model it is that predicts."""
    kind = "ready_libsvm" if model.features.is_matrix else "ready"
    return format_text(kind, source=model.source, loss=model.task.loss, lam=model.choice.lam)


def _libsvm_rows(rows):
    """The samples of a LIBSVM file as a table of two columns, its labels and its pairs."""
    import pandas as pd

    X, places = rows.matrix, range(rows.matrix.shape[0])
    pairs = [f"{j + rows.first}:{value:.17g}" for j, value in zip(X.indices.tolist(), X.data, strict=True)]
    texts = [" ".join(pairs[X.indptr[i] : X.indptr[i + 1]]) for i in places]
    return pd.DataFrame({"label": rows.y, "features": texts})


def _counted(model, name, label):
    """Return the number of rows of each label, or the range of the numbers."""
    labels = label.dropna()
    without = format_text("empty", count=len(label) - len(labels)) if len(labels) < len(label) else ""
    if not len(labels):
        return f"{format_text('none', file=name)} {without}".strip()
    rows = format_text("row" if len(labels) == 1 else "rows", file=name, count=len(labels))
    if model.task.labels:
        counts = [f"{text}: {count:,}" for text, count in labels.value_counts().items()]
        counts = listing(counts, MAX_COUNTED)
        sentence = format_text("labels", rows=rows, counts=counts)
    else:
        numbers = labels.astype(float)
        sentence = format_text(
            "numbers", rows=rows, least=numbers.min(), most=numbers.max(), mean=numbers.mean()
        )
    return f"{sentence} {without}".strip()


def _compared(model, data, label, name):
    """Sentences on the labels that the file has itself."""
    target = model.task.name
    if target not in data.columns:
        return []
    try:
        true = _labels(model, data[target], name)
    except InputError as error:
        return [format_text("no_label", reason=error)]
    mask = np.array([a is not None and not missing for a, missing in zip(true, label.isna(), strict=True)])
    count = int(mask.sum())
    note = [format_text("uncompared", count=len(mask) - count)] if count < len(mask) else []
    if not count:
        return note
    true, label = [a for a, k in zip(true, mask, strict=True) if k], label[mask].tolist()
    if model.task.labels:
        right = sum(a == as_text(b) for a, b in zip(true, label, strict=True))
        share = 100.0 * right / count
        return [format_text("accuracy", target=target, right=right, count=count, share=share), *note]
    y = np.array(true)
    square, spread = np.sum((y - np.array(label, dtype=float)) ** 2), np.sum((y - y.mean()) ** 2)
    r2 = format_text("r2", r2=1.0 - square / spread) if spread > 0.0 else ""
    return [format_text("error", target=target, error=np.sqrt(square / count), r2=r2, count=count), *note]


def _labels(model, series, name):
    """The labels or the numbers of a column, None where a cell is empty or no label of the model."""
    if model.task.labels:
        return [text if text in model.task.texts else None for text in texts_of(series)]
    return [None if np.isnan(number) else number for number in numbers_of(series, name)]


def _free(name, names):
    """The name, or with a number behind it where the file has a column of that name."""
    k = 1
    while (text := name if k == 1 else f"{name} {k}") in names:
        k += 1
    return text
