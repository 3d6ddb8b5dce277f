"""Data sets by name, and a learner's own files by path.

    load("reuters21578", category="acq")      one task, as a `Dataset`
    load("measurements.csv", target="price")  a file as X and y: a table of any format, or LIBSVM
    read("measurements.csv")                  the same file as a table: words, empty cells, what was found out
    available()                               every name, its options and where it lies
    examples.plane("Overlapping")             small examples that the pages show
    locate(name), fetch(name)                 the file of a data set that is not bundled

Files are looked for in the folder that the environment variable WORKBENCH_DATA names. `tables` reads a
person's file, prepares its columns and fits a model of it; read first `tables/reading.py`. This room does not
know pages.

>>> import workbench as wb
>>> wb.data.load("breast-cancer").X.shape
(455, 30)
"""

from __future__ import annotations

import difflib
import importlib
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeGuard

from workbench._support.errors import InputError
from workbench.data import places
from workbench.data.dataset import Dataset

__all__ = ["Dataset", "Entry", "available", "fetch", "load", "locate", "read"]


def __dir__():
    return __all__


@dataclass(frozen=True)
class Entry:
    """One data set of `available`.

    Attributes
    ----------
    name, description : str
    options : dict
        The options that `load` takes, each with its default.
    where : str
        "bundled", the path, "download" (load gets it from the network) or "not here".

    Examples
    --------
    >>> import workbench as wb
    >>> next(entry.where for entry in wb.data.available() if entry.name == "breast-cancer")
    'bundled'
    """

    name: str
    description: str
    options: dict[str, object] = field(default_factory=dict)
    where: str = "bundled"


REUTERS = "reuters21578"
# Name: module and function that load it, one line about it, its options. Modules are imported late,
# since scikit-learn and pandas take a second.
_SOURCES: dict[str, tuple[str, str, dict[str, object]]] = {
    "breast-cancer": ("bundled:breast_cancer", "569 cell nuclei, 30 measurements, +1 malignant", {}),
    "digits": (
        "bundled:digits",
        "1,797 handwritten digits, 64 pixels, the even ones against the odd",
        {"positive": (0, 2, 4, 6, 8)},
    ),
    "zhang-artificial": (
        "bundled:zhang_artificial",
        "random bits with a sparse target, Zhang (2002), section 6.1",
        {"d": 500, "n": 1000, "seed": 0},
    ),
    REUTERS: (
        "reuters:load",
        "12,902 news stories by their words, one topic against the rest",
        {"category": "acq"},
    ),
    "a9a": ("bundled:a9a", "32,561 adults, 123 binary features, +1 for a high income", {}),
    "w8a": ("bundled:w8a", "49,749 web pages, 300 binary keywords", {}),
    "news20": (
        "bundled:news20",
        "15,935 newsgroup messages, 62,061 words, ten groups against ten",
        {"positive": tuple(range(1, 11))},
    ),
}
_FILE_OPTIONS = (
    "positive",
    "n_features",
    "zero_based",
    "target",
    "test_size",
    "standardize",
    "missing",
    "leave_out",
    "encoding",
    "decimal",
    "thousands",
    "skip",
)


def load(name: str | os.PathLike, **options) -> Dataset:
    """Load a data set by its name, or a table or LIBSVM file by its path.

    Parameters
    ----------
    name : str or path
        A name that `available` lists, or a file; a name wins over a file of the same name.
    **options
        What the data set takes, see `available`; a file takes positive, n_features, zero_based, target,
        test_size, standardize, missing, leave_out, encoding, decimal, thousands and skip, see
        `workbench.data.tables.samples.load_file`.

    Returns
    -------
    Dataset

    Raises
    ------
    InputError
        An unknown name or option, or a source that is missing or damaged.

    Examples
    --------
    >>> import workbench as wb
    >>> wb.data.load("breast-cancer").X.shape
    (455, 30)
    """
    if not is_name(name):
        path = _as_path(name)
        _check_options(path.name, options, _FILE_OPTIONS)
        from workbench.data.tables import samples

        return samples.load_file(path, **options)
    loader, _, defaults = _SOURCES[name]
    _check_options(name, options, tuple(defaults))
    module, function = loader.split(":")
    return getattr(_module(module), function)(**options)


def read(
    path: str | os.PathLike,
    target: str | int | None = None,
    *,
    encoding: str | None = None,
    decimal: str | None = None,
    thousands: str | None = None,
    skip: int = 0,
):
    r"""Read a table as the command line does: CSV, TSV, Excel, Parquet, JSON lines, ARFF, LIBSVM, .npy, .npz.

    A column is one of numbers where all of its cells are, in the file's one notation. Others are text, and no
    mark is taken out of them: the notes name those that look like numbers, and what converts them.

    Parameters
    ----------
    path : path
    target : str or int, optional
        The column to predict, by its name or its place from 0; a column named "target", "label" or the
        like, else the last one.
    encoding : str, optional
        Of a text that is not UTF-8, such as cp1250 or shift_jis; found by its letters otherwise.
    decimal : {".", ","}, optional
        The decimal mark; found for the whole file otherwise.
    thousands : {".", ",", " ", "'", "_"}, optional
        The mark between thousands; never guessed.
    skip : int
        Lines before the table.

    Returns
    -------
    workbench.data.tables.table.Table
        `.frame` and `.target` as they stand in the file, `.X`, `.y` and `.feature_names` as numbers,
        `.task()` what the target asks for, `.notes` what was found out. `wb.fit` takes it.

    Raises
    ------
    InputError
        Names the file, the line or the column, and the fix.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import workbench as wb
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "flats.csv"
    ...     text = "rooms,town,price\n2,Delft,210\n3,Leiden,330\n4,Delft,400\n"
    ...     _ = file.write_text(text, encoding="utf-8")
    ...     table = wb.data.read(file, target="price")
    >>> table.feature_names
    ['rooms', 'town = Delft', 'town = Leiden']
    """
    from workbench.data.tables import reading

    spelling = {"encoding": encoding, "decimal": decimal, "thousands": thousands, "skip": skip}
    return reading.read(path, target, **spelling)


def available() -> list[Entry]:
    """Return every data set with its options and where it lies.

    >>> import workbench as wb
    >>> [entry.name for entry in wb.data.available() if entry.where == "bundled"]
    ['breast-cancer', 'digits', 'zhang-artificial']
    """
    return [
        Entry(name, description, dict(options), _where(name))
        for name, (_, description, options) in _SOURCES.items()
    ]


def locate(name: str | os.PathLike) -> Path | None:
    """Return the file or folder of a data set; None when it is bundled or not here.

    >>> import workbench as wb
    >>> wb.data.locate("breast-cancer") is None  # it is bundled
    True
    """
    if not is_name(name):
        return _as_path(name)
    module = _home(name)
    return None if module is None else module.locate() if name == REUTERS else module.locate(name)


def fetch(name: str | os.PathLike, progress: bool = False) -> Path:
    """Return the file or folder of a data set, after downloading it if need be.

    Parameters
    ----------
    name : str or path
    progress : bool
        Whether a download shows a bar on the error stream.

    Raises
    ------
    InputError
        A bundled data set, which has no file, or one that is neither here nor can be downloaded.

    Examples
    --------
    >>> import workbench as wb
    >>> wb.data.fetch(wb.__file__).name  # a path is given back
    '__init__.py'
    """
    if not is_name(name):
        return _as_path(name)
    module = _home(name)
    if module is None:
        raise InputError(f"{name} is bundled and has no file of its own; load it with load({name!r}).")
    return module.fetch(progress) if name == REUTERS else module.fetch(name)


def is_name(name) -> TypeGuard[str]:
    """Return True if a data set has this name, which wins over a file of the same."""
    return isinstance(name, str) and name in _SOURCES


def _module(name: str):
    return importlib.import_module(f"workbench.data.{name}")


def _home(name: str):
    """Return the module that knows the place of a data set's file; None for one without a file."""
    if name == REUTERS:
        return _module("reuters")
    bundled = _module("bundled")
    return bundled if name in bundled.SUFFIXES else None


def __getattr__(name: str):
    # `workbench.data.reuters.topics()` without an import statement of its own.
    if name in ("examples", "reuters"):
        return _module(name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def _where(name: str) -> str:
    """Return where a data set lies, in one word or as a path."""
    if _home(name) is None:
        return "bundled"
    try:
        path = locate(name)
    except InputError:  # WORKBENCH_DATA is not a folder: a list of names must not fail for that
        return "not here"
    return str(path) if path else ("download" if name == REUTERS else "not here")


def _as_path(name) -> Path:
    """Return the path of an existing file, or say what the name should have been."""
    names = ", ".join(_SOURCES)
    if not isinstance(name, str | os.PathLike) or not isinstance(os.fspath(name), str):
        raise InputError(f"{name!r} is neither the name of a data set nor a path; the names are {names}.")
    path = places.user_path(name)
    if places.is_file(path):
        return path
    if name and places.is_folder(path):
        raise InputError(f"{path} is a folder; give the path of a file in it.")
    from workbench.data.tables import limits

    limits.refuse_address(name)
    if not isinstance(name, str) or path.suffix or len(path.parts) > 1:
        raise InputError(f"{path} does not exist; check the path and the spelling.")
    near = difflib.get_close_matches(name.lower(), _SOURCES, n=1)
    hint = f", did you mean {near[0]!r}?" if near else ";"
    raise InputError(
        f"{name!r} is not a data set{hint} the names are {names}; the path of a file would work too."
    )


def _check_options(name: str, options: dict, allowed: tuple[str, ...]) -> None:
    """Refuse an option that the data set does not take."""
    for option in options:
        if option not in allowed:
            takes = f"it takes {', '.join(allowed)}" if allowed else "it takes none"
            raise InputError(f"{name} has no option {option!r}; {takes}.")
