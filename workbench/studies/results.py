"""Results of an experiment: tables with the published values beside ours, plot data, claims with verdicts.

Nothing here draws or prints; the command line and the report show these records.
"""

import dataclasses
import math
import operator
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

SCALES = ("linear", "log")


@dataclass(frozen=True)
class Value:
    """A measured number of a table.

    Attributes
    ----------
    mean : float
    spread : float or None
        The standard deviation over the seeds; None where there is one run only.
    digits : int
        Shown behind the decimal point.
    """

    mean: float
    spread: float | None = None
    digits: int = 1

    def __str__(self):
        text = f"{self.mean:.{self.digits}f}"
        return text if self.spread is None else f"{text} ± {self.spread:.{self.digits}f}"


@dataclass(frozen=True)
class Table:
    """Rows of cells: text, whole numbers, `Value`s, or None for a cell that does not apply.

    Attributes
    ----------
    title : str
    columns : tuple of str
        The published values have a column of their own.
    rows : tuple of tuples of cells, as many each as there are columns
    note : str
        What a reader of the table must know.
    """

    title: str
    columns: tuple
    rows: tuple
    note: str = ""

    def __post_init__(self):
        if any(len(row) != len(self.columns) for row in self.rows):
            raise ValueError(f"table {self.title!r}: a row has not {len(self.columns)} cells")

    def texts(self):
        """Return the rows as text, a dash where a cell does not apply."""
        return [["–" if cell is None else str(cell) for cell in row] for row in self.rows]


@dataclass(frozen=True)
class Curve:
    """One series of a plot.

    Attributes
    ----------
    name : str
        Of the legend.
    x, y : tuple of float
    low, high : tuple of float
        A band around y, such as the spread over seeds; empty for none.
    published : bool
        Whether these are the source's values: drawn as markers alone, under ours.
    colour : int
        Series of one colour belong together, such as the published values and ours.
    """

    name: str
    x: tuple
    y: tuple
    low: tuple = ()
    high: tuple = ()
    published: bool = False
    colour: int = 0


@dataclass(frozen=True)
class Plot:
    """A figure as data: its curves, axes and the line of text under it.

    Attributes
    ----------
    title, x_label, y_label : str
    curves : tuple of Curve
    x_scale, y_scale : {"linear", "log"}
    note : str
        What to see in it.
    """

    title: str
    x_label: str
    y_label: str
    curves: tuple
    x_scale: str = "linear"
    y_scale: str = "linear"
    note: str = ""

    def __post_init__(self):
        if self.x_scale not in SCALES or self.y_scale not in SCALES:
            raise ValueError(f"plot {self.title!r}: a scale is one of {', '.join(SCALES)}")


@dataclass(frozen=True)
class Claim:
    """A sentence of the source, and whether our records bear it out.

    Attributes
    ----------
    text : str
        "Regularized Winnow beats the large-margin Perceptron at d = 5,000".
    holds : bool or None
        None where the records cannot tell.
    evidence : str
        The numbers: "+18.8 ± 0.9 points over 10 draws".
    """

    text: str
    holds: bool | None
    evidence: str

    @property
    def verdict(self):
        """One or two words."""
        return {True: "holds", False: "does not hold", None: "not decided"}[self.holds]


@dataclass(frozen=True)
class Summary:
    """Summary of the records of an experiment."""

    tables: tuple = ()
    plots: tuple = ()
    claims: tuple = ()
    notes: tuple = ()  # sentences: what was done otherwise than in the source, and what it changes


@dataclass(frozen=True)
class Experiment:
    """A table or a group of figures of a paper.

    Attributes
    ----------
    name : str
        Of the command line: "zhang-table-1".
    title, source : str
        "Accuracy on artificial data" and "Zhang (2002), section 6.1, Table 1 and Figure 1".
    tasks : callable
        tasks(seeds) gives the list of `engine.Task`; seeds is how many draws, a whole number.
    follow : callable or None
        follow(records) gives the tasks that depend on what the first ones found, such as a chosen lambda;
        their records come behind the first.
    summarize : callable
        summarize(records) gives the `Summary` of the records in the order of the tasks.
    shared : callable
        shared() gives the objects that every task takes by name, such as a corpus; loaded once.
    seeds : int
        How many draws where nothing else is asked for; 0 where an experiment draws nothing, and then
        another number is refused.
    minutes : float
        What it takes on two cores, about.
    """

    name: str
    title: str
    source: str
    tasks: Callable
    summarize: Callable
    shared: Callable = dict
    follow: Callable | None = None
    seeds: int = 0
    minutes: float = field(default=1.0)


def grouped(records, *names):
    """Return lists of records by their entries of these names, as a tuple or the one, in their order."""
    groups: dict[Any, list[dict[str, Any]]] = {}
    entries = operator.itemgetter(*names)
    for record in records:
        groups.setdefault(entries(record), []).append(record)
    return groups


def value_of(values, digits=1):
    """Return the mean of the values with their standard deviation, if there are several."""
    spread = float(np.std(values, ddof=1)) if len(values) > 1 else None
    return Value(float(np.mean(values)), spread, digits)


def as_json(summary):
    """Return a summary as plain lists, dictionaries, numbers and text; infinite numbers become None."""
    plain = _finite(dataclasses.asdict(summary))
    for claim, item in zip(plain["claims"], summary.claims, strict=True):
        claim["verdict"] = item.verdict
    return plain


def _finite(value):
    if isinstance(value, dict):
        return {name: _finite(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
