"""Saved solutions: one .npz file, arrays and a JSON header, never a pickle."""

from __future__ import annotations

import contextlib
import json
import os
import zipfile
from pathlib import Path
from typing import IO, TYPE_CHECKING

import numpy as np

from workbench._support.errors import InputError
from workbench._support.system.storage import whole

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from numpy.typing import DTypeLike, NDArray

FORMAT = "duality-workbench/1"
FIX = "save it anew"
# A file that holds more bytes than this, and more than this many times its own size, is not read. Weights of
# zeros alone are packed a thousandfold.
MAX_BYTES, MAX_RATIO = 2**30, 200
NAMES = {np.ndarray: "an array", str: "text", dict: "an object", int: "a whole number", float: "a number"}


def save(
    path: os.PathLike[str] | str | IO[bytes], meta: Mapping[str, object], arrays: Mapping[str, NDArray[Any]]
) -> None:
    """Write a file whole or not at all; an open one is written to as it is."""
    header = np.array(json.dumps({"format": FORMAT, **meta}))
    with contextlib.nullcontext(path) if hasattr(path, "write") else whole(path) as file:
        entries: dict[str, Any] = {"header": header, **arrays}
        np.savez_compressed(file, **entries)


def load(path: os.PathLike[str] | str) -> tuple[Saved, Saved]:
    """Return the header and the arrays of a saved solution, each as a `Saved`."""
    try:
        arrays = unpacked(path)
        meta = dict(json.loads(str(arrays.pop("header"))))
    except FileNotFoundError:
        raise InputError(f"{path}: file not found; check the path") from None
    except Exception as error:  # whatever NumPy, zipfile, zlib and json raise for bytes that mean nothing
        raise InputError(
            f"{path} is not a file that the workbench saved ({reason_of(error)}); {FIX}"
        ) from None
    if meta.get("format") != FORMAT:
        raise InputError(
            f"{path} has the format {str(meta.get('format'))[:40]!r}, not {FORMAT!r}; open another file, or "
            f"{FIX}"
        )
    return Saved(path, meta), Saved(path, arrays)


def is_archive(path: os.PathLike[str] | str) -> bool:
    """Return whether a file begins as those of np.savez do."""
    with Path(path).open("rb") as file:
        return file.read(4) in (b"PK\x03\x04", b"PK\x05\x06")  # the second one of an empty archive


def unpacked(path):
    """Return the arrays of a file of np.savez by name, without pickles; their size is checked first."""
    # Opened here, since np.load leaves its own file open where the archive is broken.
    with Path(path).open("rb") as file:
        _check_size(file)
        with np.load(file, allow_pickle=False) as archive:
            return {name: archive[name] for name in archive.files}


def reason_of(error: BaseException) -> str:
    """Return why bytes mean nothing: the first line of an error, without NumPy's advice to allow pickles."""
    text = str(error).partition("\n")[0] or type(error).__name__
    return "it holds Python objects" if "allow_pickle" in text else text


def _check_size(file):
    """Count what the arrays take before any of them is unpacked."""
    with zipfile.ZipFile(file) as archive:
        size = sum(entry.file_size for entry in archive.infolist())
    if size > max(MAX_BYTES, MAX_RATIO * os.fstat(file.fileno()).st_size):
        raise ValueError(f"it unpacks to {size:,} bytes")
    file.seek(0)


class Saved:
    """Entries of a file by name; one that is missing, or not what it should be, is refused with the name.

    Parameters
    ----------
    path : path
    entries : dict
    prefix : str
        The beginning of the names in the file.
    """

    def __init__(self, path: object, entries: dict[str, Any], prefix: str = "") -> None:
        self.path, self.entries, self.prefix = path, entries, prefix

    def __contains__(self, name: str) -> bool:
        return name in self.entries

    def get(self, name: str, *types: type) -> Any:
        """Return an entry of one of the types; a bool is not a number."""
        if name not in self.entries:
            raise self.refusal(name, "is missing")
        value = self.entries[name]
        if not isinstance(value, types) or (isinstance(value, bool) and bool not in types):
            expected = " or ".join(NAMES.get(kind, kind.__name__) for kind in types)
            raise self.refusal(name, f"is {str(value)[:40]!r}, not {expected}")
        return value

    def number(self, name: str, least: float = -np.inf, whole: bool = False) -> float:
        """Return a number, nan included, from a least one on."""
        value = self.get(name, int) if whole else self.get(name, int, float)
        # JSON may hold a whole number beyond all floats.
        if value < least or (isinstance(value, int) and abs(value) > 2**63):
            raise self.refusal(name, f"is {str(value)[:40]}, not a number of {least:g} or more")
        return value

    def array(
        self, name: str, *shapes: tuple[int | None, ...], dtype: DTypeLike = np.float64
    ) -> NDArray[Any]:
        """Return a finite array of the type and of one of the shapes, in which None stands for any length."""
        array = self.get(name, np.ndarray)
        if array.dtype != dtype:
            raise self.refusal(name, f"holds {array.dtype} where {np.dtype(dtype)} is needed")
        if not any(_fits(array.shape, shape) for shape in shapes):
            expected = " or ".join(str(shape).replace("None", "any") for shape in shapes)
            raise self.refusal(name, f"has shape {array.shape} where {expected} is needed")
        if not np.isfinite(array).all():
            place = np.argwhere(~np.isfinite(array))[0].tolist()
            raise self.refusal(name, f"holds {array[tuple(place)]} at {place}, which is not finite")
        return array

    def beginning(self, prefix: str) -> Saved:
        """Return the entries whose name begins so, under the rest of their names."""
        entries = {name: value for name, value in self.entries.items() if name.startswith(prefix)}
        entries = {name.removeprefix(prefix): value for name, value in entries.items()}
        return Saved(self.path, entries, self.prefix + prefix)

    def columns(self) -> dict[str, NDArray[Any]]:
        """All entries, as columns of numbers of one length."""
        lengths = set()
        for name in self.entries:
            array = self.get(name, np.ndarray)
            if array.dtype.kind not in "iuf" or array.ndim != 1:
                fault = f"is not a column of numbers, but {array.dtype} of shape {array.shape}"
                raise self.refusal(name, fault)
            lengths.add(len(array))
        if len(lengths) > 1:
            raise self.refusal(", ".join(self.entries), "have different lengths")
        return self.entries

    def refusal(self, name: str, fault: str) -> InputError:
        """Return an `InputError` for an entry."""
        return InputError(f"{self.path}: {self.prefix}{name} {fault}; {FIX}")


def _fits(shape, expected):
    return len(shape) == len(expected) and all(
        need in (None, length) for length, need in zip(shape, expected, strict=True)
    )
