"""Limits of a file, which is counted before memory is taken for it, and its unpacking within them."""

from __future__ import annotations

import bz2
import contextlib
import functools
import gzip
import io
import lzma
import re
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from workbench._support.errors import InputError
from workbench._support.system import files
from workbench.data.tables.sentences import sentence

MEGABYTE = 2**20
ZIP = b"PK\x03\x04"
# Not the older format of xz: it has no check sum, and almost any bytes pass for it.
OPENERS: dict[str, Callable[[io.BytesIO], io.BufferedIOBase]] = {
    ".gz": gzip.open,
    ".bz2": bz2.open,
    ".xz": functools.partial(lzma.open, format=lzma.FORMAT_XZ),
}
PACKINGS = (*OPENERS, ".zip")
# What macOS and Windows put into an archive beside the files.
LITTER = re.compile(r"(^|/)(__MACOSX/|\._|\.DS_Store$|Thumbs\.db$|desktop\.ini$)", re.IGNORECASE)
ADDRESS = re.compile(r"(https?|ftp|s3|gs):/", re.IGNORECASE)
# Entries of a ZIP archive.
MEMBERS = 100
# Columns of a table: the rules look at each one, some milliseconds long.
WIDEST = 100_000
# Files that are not tables, by their first bytes; a packed table under another suffix is one of them.
FOREIGN = {
    "an image": (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF8"),
    "a PDF document": (b"%PDF",),
    "an SQLite database": (b"SQLite format 3\0",),
    "an HDF5 file": (b"\x89HDF\r\n\x1a\n",),
    "an old Excel or Word file": (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",),
    "a Stata file": (b"<stata_dta>",),
    "an SPSS file": (b"$FL2",),
    "an R file": (b"RDX",),
    "an archive": (b"7z\xbc\xaf\x27\x1c", b"Rar!", b"\x28\xb5\x2f\xfd"),
    "a file packed with gzip": (b"\x1f\x8b",),
    "a file packed with bzip2": (b"BZh",),
    "a file packed with xz": (b"\xfd7zXZ\0",),
}
WEB_PAGE = re.compile(rb"\s*<(!doctype html|html)\b", re.IGNORECASE)
# A pickle of a protocol from 2.
PICKLE = re.compile(rb"\x80[\x02-\x05][\x95\x8c\x63\x7d\x5d\x28\x58\x4b\x47\x4a\x43\x71]")


@dataclass(frozen=True)
class Limits:
    """The largest file that is read.

    Attributes
    ----------
    megabytes : float
        Of the file as it is, and of what it unpacks to.
    rows, columns, sparse_columns : int
        Samples; columns of a table; columns of a LIBSVM file.
    numbers : int
        Cells of a table, pairs of a LIBSVM file.
    """

    megabytes: float = 20
    rows: int = 200_000
    columns: int = 10_000
    sparse_columns: int = 100_000
    numbers: int = 1_000_000

    @property
    def bytes(self) -> int:
        """The most bytes."""
        return int(self.megabytes * MEGABYTE)

    def check(self, where: str, rows=0, columns=0, numbers=0) -> None:
        """Refuse by counts that were taken before anything is parsed; 0 where there is nothing to count."""
        for count, most, what, part in (
            (rows, self.rows, "lines", "rows"),
            (columns, self.columns, "columns", "columns"),
            (numbers, self.numbers, "numbers", "rows or columns"),
        ):
            if count > most:
                place = ", line 1" if what == "columns" else ""
                raise InputError(
                    sentence("count", where=where, place=place, count=count, what=what, most=most, part=part)
                )

    def check_bytes(self, where: str, count: int) -> None:
        """Refuse by the bytes that a file says it unpacks to."""
        if count > self.bytes:
            raise InputError(sentence("unpacks", where=where, megabytes=f"{self.megabytes:g}"))


# Of a visitor's file.
UPLOAD = Limits()


def own() -> Limits:
    """Return the limits of a file of one's own: what fits beside its matrix into the memory that is free."""
    import psutil

    free = psutil.virtual_memory().available
    # A cell takes up to 128 bytes until it is a number.
    return Limits(min(4096, free / 4 / MEGABYTE), 10**9, WIDEST, 10**8, max(free // 128, 10**6))


def read_bytes(file, where: str, limits: Limits) -> tuple[bytes, str]:
    """Return the bytes of a path, or of bytes, unpacked by the suffix of `where`, and the name within.

    An `InputError` says that it cannot be read, is larger than allowed, is not what its suffix says, or is
    not a table.
    """
    raw, name = file if isinstance(file, bytes) else _read(file, where, limits), where
    if len(raw) > limits.bytes:
        raise InputError(sentence("too_large", where=where, megabytes=f"{limits.megabytes:g}"))
    suffix = Path(where).suffix.lower()
    if suffix in PACKINGS:
        raw, name = _unpack(raw, where, suffix, limits)
    if not raw.strip():
        raise InputError(sentence("empty", where=where))
    _refuse_foreign(raw, where, suffix in PACKINGS)
    return raw, name


def refuse_address(path) -> None:
    """Refuse an address on the network, whose slashes a path may have joined."""
    if ADDRESS.match(str(path)):
        address = re.sub(":/+", "://", str(path), count=1)
        raise InputError(f"{address} is an address on the network; download the file and give its path.")


def _read(path, where, limits):
    refuse_address(path)
    try:
        if path.is_dir():
            raise InputError(f"{path} is a folder; give the path of a file in it.")
        if not path.is_file():
            raise InputError(f"{path} does not exist; check the path and the spelling.")
        if path.stat().st_size > limits.bytes:
            raise InputError(sentence("too_large", where=where, megabytes=f"{limits.megabytes:g}"))
        return path.read_bytes()
    except OSError as error:
        raise InputError(
            f"{where} cannot be read ({error.strerror or error}); check its permissions."
        ) from error


def _unpack(raw, where, suffix, limits):
    """Return the content of a packed file, of which one byte more than allowed is unpacked, and its name."""
    file: IO[bytes] | io.BufferedIOBase
    with decoded(where, f"is not a complete {suffix} file", "pack it anew, or correct its suffix"):
        if suffix == ".zip":
            archive, entry = _entry(raw, where)
            name, file = entry.filename, archive.open(entry)
        else:
            name, file = Path(where).stem, OPENERS[suffix](io.BytesIO(raw))
        with file:
            content = file.read(limits.bytes + 1)
    limits.check_bytes(where, len(content))
    return content, name


@contextlib.contextmanager
def decoded(where: str, fault: str, fix: str) -> Iterator[None]:
    """Refuse a file for whatever a library raises in the block, as for bytes that mean nothing."""
    try:
        yield
    except InputError:
        raise
    except Exception as error:
        raise InputError(f"{where} {fault} ({files.reason_of(error)}); {fix}.") from None


def archive_of(raw: bytes, where: str) -> zipfile.ZipFile:
    """Return a ZIP archive, whose entries are counted before they are listed."""
    count = raw.count(b"PK\x01\x02")
    if count > MEMBERS:
        raise InputError(f"{where} holds {count:,} files; pack one table alone.")
    return zipfile.ZipFile(io.BytesIO(raw))


def _entry(raw, where):
    """Return an archive and its one table, beside which a file manager may have put files of its own."""
    archive = archive_of(raw, where)
    inside = [
        entry for entry in archive.infolist() if not entry.is_dir() and not LITTER.search(entry.filename)
    ]
    if len(inside) != 1:
        names = ", ".join(entry.filename.partition("\n")[0] for entry in inside[:3])
        listing = f" ({names}{', ...' if len(inside) > 3 else ''})" if inside else ""
        raise InputError(f"{where} holds {len(inside)} files{listing}; pack one table alone.")
    return archive, inside[0]


def is_book(raw: bytes, where: str) -> bool:
    """Return True for an archive that is an Excel file."""
    return any(name.startswith("xl/") for name in _names(raw, where))


def _names(raw, where):
    """Return the names of an archive's entries; none of one that is damaged, which its reader refuses."""
    try:
        return archive_of(raw, where).namelist()
    except (zipfile.BadZipFile, ValueError, NotImplementedError):
        return []


def _refuse_foreign(raw, where, is_packed):
    """Refuse what is not a table by its first bytes, whatever the suffix says."""
    names = _names(raw, where) if raw.startswith(ZIP) else []
    arrays = any(name.endswith(".npy") for name in names)
    if names and not arrays and (is_packed or not is_book(raw, where)):
        what = "an Excel file in an archive" if is_book(raw, where) else "a ZIP archive"
        raise InputError(sentence("foreign", where=where, what=what))
    # A mark of letters may begin a text as well, which has no zero byte.
    is_binary = b"\0" in raw[:4096]
    for what, marks in FOREIGN.items():
        if any(raw.startswith(mark) and (is_binary or not mark.isalnum()) for mark in marks):
            raise InputError(sentence("foreign", where=where, what=what))
    if WEB_PAGE.match(raw[:4096]):
        raise InputError(sentence("foreign", where=where, what="a web page"))
    if PICKLE.match(raw):
        raise InputError(sentence("pickle", where=where))
