"""The model of Your data: a file and what its columns mean, then a problem that the Dual lab's player runs.

The file is an example of the page or an upload; "use it" keeps the task in the server's store, under a token
that other pages take as source=upload-TOKEN.
"""

import asyncio
import csv
import functools
import io

import param

from workbench._support.errors import InputError
from workbench.data import store
from workbench.data.dataset import count_nonzeros
from workbench.data.tables import child, limits, reading, uploads
from workbench.pages.dual_lab import model as dual_lab

# Of those that suit the labels; the first one is the default.
LOSSES = {
    "classification": ("Hinge", "Logistic", "Squared hinge", "Smoothed hinge", "Hinge, p = 3"),
    "regression": ("Squared", "Huber", "ε-insensitive", "ε-insensitive, p = 2"),
}
TEST_SIZE = 0.25
# Fewer rows are all needed for the training.
LEAST_FOR_TEST = 20
DIGITS = 500


def _table(loader):
    """One of scikit-learn's data sets as somebody would have it in a file."""
    from sklearn import datasets

    source = getattr(datasets, loader)()
    names = getattr(source, "target_names", None)
    rows = io.StringIO()
    writer = csv.writer(rows, lineterminator="\n")
    writer.writerow([*source.feature_names, "label" if names is not None else "target"])
    for row, label in zip(source.data.tolist(), source.target.tolist(), strict=True):
        writer.writerow([*(f"{entry:.6g}" for entry in row), names[label] if names is not None else label])
    return rows.getvalue().encode()


def _libsvm():
    from sklearn.datasets import dump_svmlight_file, load_digits

    source = load_digits()
    content = io.BytesIO()
    dump_svmlight_file(source.data[:DIGITS], source.target[:DIGITS], content, zero_based=False)
    return content.getvalue()


def _broken():
    lines = _table("load_iris").split(b"\n")
    lines[6] = lines[6].replace(b".", b",", 1)
    return b"\n".join(lines)


# Name on the page -> the file's name, and what makes its content.
EXAMPLES = {
    "A table with texts as labels": ("iris.csv", lambda: _table("load_iris")),
    "A table for regression": ("diabetes.csv", lambda: _table("load_diabetes")),
    "LIBSVM, ten classes": ("digits.libsvm", _libsvm),
    "A table with a mistake": ("mistake.csv", _broken),
}


@functools.cache
def example(name):
    """The file's name and the content of an example."""
    file, content = EXAMPLES[name]
    return file, content()


def example_of(upload):
    """The example that an upload is, or None."""
    same = (name for name in EXAMPLES if example(name) == (upload.name, upload.content))
    return next(same, None)


class YourData(dual_lab.DualLab):
    """Choices of the page; those of the problem are the Dual lab's."""

    example = param.Selector(objects=list(EXAMPLES))
    data = param.String("", doc="token of the visitor's own file; the example counts where it is empty")
    target = param.Integer(-1, bounds=(-1, limits.UPLOAD.columns), doc="the label column; -1 to guess")
    task = param.Selector(objects=["guess", *uploads.TASKS])
    positive = param.String("", doc="the class that becomes +1; the last one where empty")
    holdout = param.Boolean(True, doc="whether a quarter of the rows is set aside for testing")
    standardize = param.Boolean(True, doc="whether columns are scaled")
    lam = param.Number(1e-2, bounds=(1e-6, 1.0), doc="weight of the regularizer")
    epsilon = param.Number(0.1, bounds=(0.0, 1.0), doc="sparsity of the elastic net")


def opened(model):
    """The name and the content of the file that the model's choices name, and the options it was used with.

    Raises
    ------
    InputError
        The upload is gone.
    """
    if not model.data:
        return *example(model.example), {}
    entry = store.store().get(model.data)
    return entry.choices["name"], entry.content, entry.choices["options"]


async def read(content, name, target=-1, missing=None, leave_out=(), visitor=None):
    """An upload within the server's caps; a place of -1 leaves the label column to the reader.

    A visitor's file is read in a process with limits; the parameters are those of `uploads.read`.
    """
    request = content, name, None if target == -1 else target, store.store().caps, missing, leave_out
    if (name, content) in map(example, EXAMPLES):
        return await asyncio.to_thread(uploads.read, *request)
    return await child.run(uploads.read, *request, visitor=visitor, **child.READING)


def choices(upload, task, positive, holdout, standardize):
    """What the store keeps beside a task: the file's name, and the options with which `data.load` gives it.

    Raises
    ------
    InputError
        The class is not one of the file's.
    """
    task = upload.suggested if task == "guess" else task
    options = {}
    if task == "classification" and upload.classes:
        classes = list(upload.classes)
        if positive and positive not in classes:
            raise InputError(f"{upload.name} has no class {positive[:60]!r}; it has {', '.join(classes)}.")
        options["positive"] = uploads.value(upload, positive or classes[-1])
    if upload.target is not None and upload.target != reading.guess_target(upload.columns)[0]:
        options["target"] = upload.target
    options |= upload.options
    if holdout and len(upload.y) >= LEAST_FOR_TEST:
        options["test_size"] = TEST_SIZE
    if standardize:
        options["standardize"] = True
    return {"name": upload.name, "task": task, "options": options}


def use(upload, selection, token="", visitor=""):
    """Make the task and keep it; returns its token, which is the former one where nothing has changed.

    An example is kept once for everybody, a file in the visitor's share of the store.

    Raises
    ------
    InputError
        The choices do not make a task of this file, or the server has no room for it.
    """
    if token and store.store().get(token, content=False).choices == selection:
        return token
    options = {
        name: entry
        for name, entry in selection["options"].items()
        if name != "target" and name not in upload.options
    }
    if "positive" in options:
        options["positive"] = uploads.as_text(options["positive"])
    dataset = uploads.task(upload, selection["task"], **options)
    return store.store().put(dataset, upload.content, selection, None if example_of(upload) else visitor)


def facts(upload):
    """What there is to say of a file before it is used: pairs of a name and a value."""
    n, d = upload.X.shape
    count = count_nonzeros(upload.X)
    few = len(upload.classes) if upload.suggested == "classification" else 0
    labels = f"{few} classes" if few else "numbers"
    return (
        ("samples", f"{n:,}"),
        ("features", f"{d:,}"),
        ("not zero", f"{100.0 * count / max(n * d, 1):.3g} %"),
        ("label", upload.columns[upload.target] if upload.columns else "first in each line"),
        ("labels are", labels),
    )
