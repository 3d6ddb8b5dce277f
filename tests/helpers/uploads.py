"""The model that the page Your data makes of a file, and the data set that its labels look like."""

import numpy as np

from workbench._support.errors import InputError
from workbench.data.dataset import MAX_CLASSES
from workbench.data.tables import limits, reading, samples, uploads
from workbench.data.tables.columns import as_text
from workbench.data.tables.sentences import sentence
from workbench.pages.your_data import model as your_data


def solved(content, name, missing=None, target=None, **options):
    """Return the model with the usual loss of the labels; what is refused raises."""
    facts = uploads.read(content, name, target)
    loss = your_data.LOSSES[your_data.usual_loss(facts)]
    choice = {
        "target": target,
        "task": None,
        "losses": dict.fromkeys(uploads.TASKS, loss),
        "positive": "",
        "is_balanced": False,
        "is_tested": False,
        "options": {"missing": missing, **options},
    }
    _, model, refusal = uploads.solve(content, name, choice)
    if model is None:
        raise InputError(refusal)
    return model


def dataset(content, name, caps=limits.UPLOAD):
    """Return the data set of a file with its last class as +1, or of its numbers, standardized."""
    table = reading.read_upload(content, name, None, caps)
    y, positive = samples.target_of(table), None
    if len(y) < 2:
        raise InputError(sentence("one_sample", where=table.name))
    if uploads.facts(table)["task"] == uploads.CLASSIFICATION:
        values = np.unique(y)
        if len(values) < 2:
            raise InputError(sentence("one_class", where=table.name, label=repr(as_text(values[0].item()))))
        if len(values) > MAX_CLASSES:
            raise InputError(sentence("many_classes", where=table.name, count=len(values), most=MAX_CLASSES))
        positive = (values[-1].item(),)
    return samples.dataset(table, table.name, positive, standardize=True)
