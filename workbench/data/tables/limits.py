"""How much a file may hold, counted before memory is taken for it, and how it is unpacked within that."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import re
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path

from workbench._support.errors import InputError
from workbench.data.tables.sentences import sentence

MEGABYTE = 2**20
PACKINGS = (".gz", ".bz2", ".xz", ".zip")
ZIP = b"PK\x03\x04"
# What macOS and Windows put into an archive beside the files.
LITTER = re.compile(r"(^|/)(__MACOSX/|\._|\.DS_Store$|Thumbs\.db$|desktop\.ini$)", re.IGNORECASE)
ADDRESS = re.compile(r"(https?|ftp|s3|gs):/", re.IGNORECASE)
CHUNK = 2**20
# xz asks for as much memory as its header says, up to gigabytes.
XZ_MEMORY = 2**27
# Entries of a ZIP archive.
MEMBERS = 100
# Columns of a table: the rules look at each one, some milliseconds long.
WIDEST = 100_000
# Files that are no tables, by their first bytes; a packed table under another suffix is one of them.
FOREIGN = (
    (b"\x89PNG\r\n\x1a\n", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF8", "a GIF image"),
    (b"BM", "a BMP image"),
    (b"RIFF", "a WebP image or a sound"),
    (b"II*\0", "a TIFF image"),
    (b"MM\0*", "a TIFF image"),
    (b"%PDF", "a PDF document"),
    (b"SQLite format 3\0", "an SQLite database"),
    (b"\x89HDF\r\n\x1a\n", "an HDF5 file"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Excel or Word file"),
    (b"ARROW1\0\0", "an Arrow file"),
    (b"FEA1", "a Feather file"),
    (b"ORC", "an ORC file"),
    (b"MATLAB 5.0", "a MATLAB file"),
    (b"<stata_dta>", "a Stata file"),
    (b"$FL2", "an SPSS file"),
    (b"{\\rtf", "a text of a word processor"),
    (b"RDX", "an R file"),
    (b"\x7fELF", "a program"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (b"Rar!", "a RAR archive"),
    (b"\x28\xb5\x2f\xfd", "a file packed with Zstandard"),
    (b"\x1f\x8b", "a file packed with gzip"),
    (b"BZh", "a file packed with bzip2"),
    (b"\xfd7zXZ\0", "a file packed with xz"),
)
# A pickle of a protocol from 2.
PICKLE = re.compile(rb"\x80[\x02-\x05][\x95\x8c\x63\x7d\x5d\x28\x58\x4b\x47\x4a\x43\x71]")


@dataclass(frozen=True)
class Limits:
    """What a file may be at most.

    Attributes
    ----------
    megabytes : float
        Of the file as given, and of what it unpacks to.
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
    """Of a file of one's own: what fits beside its matrix into the memory that is free."""
    import psutil

    free = psutil.virtual_memory().available
    # Text takes twice its size while it is read, and a cell up to 32 bytes until it is a number.
    return Limits(min(4096, free / 4 / MEGABYTE), 10**9, WIDEST, 10**8, max(free // 32, 10**6))


def opened(file, where: str, limits: Limits) -> tuple[bytes, str]:
    """Return the bytes of a file, unpacked by its suffix, and a name whose suffix is that of its content.

    Parameters
    ----------
    file : Path or bytes
    where : str
        The file's name, whose suffix counts.
    limits : Limits

    Raises
    ------
    InputError
        It cannot be read, is larger than allowed, is not what its suffix says, or is no table at all.
    """
    raw, name = file if isinstance(file, bytes) else _read(file, where, limits), where
    if len(raw) > limits.bytes:
        raise InputError(sentence("too_large", where=where, megabytes=f"{limits.megabytes:g}"))
    suffix = Path(where).suffix.lower()
    if suffix in PACKINGS:
        name = _entry(raw, where)[1].filename if suffix == ".zip" else Path(where).stem
        raw = _unpacked(raw, where, suffix, limits)
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


def _unpacked(raw, where, suffix, limits):
    """The content of a packed file, in pieces up to the limit."""
    pieces, size = [], 0
    try:
        for piece in _xz(raw) if suffix == ".xz" else _pieces(raw, where, suffix):
            size += len(piece)
            limits.check_bytes(where, size)
            pieces.append(piece)
    except InputError:
        raise
    except (
        EOFError,
        OSError,
        zlib.error,
        lzma.LZMAError,
        zipfile.BadZipFile,
        NotImplementedError,
        RuntimeError,
        ValueError,
    ) as error:
        raise InputError(
            f"{where} is not a complete {suffix} file ({reason(error)}); pack it anew, or correct its suffix."
        ) from error
    return b"".join(pieces)


def reason(error) -> str:
    """What a library says of bytes that mean nothing to it: the first line, or the kind of its error."""
    return str(error).splitlines()[0] if str(error) else type(error).__name__


def _pieces(raw, where, suffix):
    if suffix == ".zip":
        archive, entry = _entry(raw, where)
        file = archive.open(entry)
    else:
        file = (gzip.open if suffix == ".gz" else bz2.open)(io.BytesIO(raw))
    with file:
        while piece := file.read(CHUNK):
            yield piece


def _xz(raw):
    while raw:
        # Not the older format that lzma reads as well: it has no check sum, and almost any bytes pass for it.
        unpacker = lzma.LZMADecompressor(lzma.FORMAT_XZ, XZ_MEMORY)
        while not unpacker.eof:
            piece = unpacker.decompress(raw, CHUNK)
            raw = b""
            if not piece and unpacker.needs_input:
                raise EOFError("it ends too early")
            yield piece
        raw = unpacker.unused_data.lstrip(b"\0")


def archive_of(raw: bytes, where: str) -> zipfile.ZipFile:
    """Return a ZIP archive, whose entries are counted before they are listed."""
    count = raw.count(b"PK\x01\x02")
    if count > MEMBERS:
        raise InputError(f"{where} holds {count:,} files; pack one table alone.")
    return zipfile.ZipFile(io.BytesIO(raw))


def _entry(raw, where):
    """Return an archive and its one table, beside which a file manager may have put files of its own."""
    try:
        archive = archive_of(raw, where)
    except (zipfile.BadZipFile, ValueError, NotImplementedError) as error:
        raise InputError(
            f"{where} is not a complete .zip file ({reason(error)}); pack it anew, or correct its suffix."
        ) from error
    inside = [
        entry for entry in archive.infolist() if not entry.is_dir() and not LITTER.search(entry.filename)
    ]
    if len(inside) != 1:
        names = ", ".join(reason(entry.filename) for entry in inside[:3])
        listing = f" ({names}{', ...' if len(inside) > 3 else ''})" if inside else ""
        raise InputError(f"{where} holds {len(inside)} files{listing}; pack one table alone.")
    return archive, inside[0]


def is_book(raw: bytes, where: str) -> bool:
    """Return True for an archive that is an Excel file."""
    try:
        return any(name.startswith("xl/") for name in archive_of(raw, where).namelist())
    except (zipfile.BadZipFile, ValueError, NotImplementedError):
        return False  # whoever opens it says so


def _refuse_foreign(raw, where, is_packed):
    """Refuse what its first bytes tell to be no table, whatever the suffix says."""
    if raw.startswith(ZIP):
        try:
            names = archive_of(raw, where).namelist()
        except (zipfile.BadZipFile, ValueError, NotImplementedError):
            return  # whoever opens it says so
        arrays = any(name.endswith(".npy") for name in names) or (
            not names and where.lower().endswith(".npz")
        )
        if not arrays and (is_packed or not is_book(raw, where)):
            what = "an Excel file in an archive" if is_book(raw, where) else "a ZIP archive"
            raise InputError(sentence("foreign", where=where, what=what))
        return
    # A mark of letters may begin a text as well, which has no zero byte.
    binary = b"\0" in raw[:4096]
    for mark, what in FOREIGN:
        if raw.startswith(mark) and (binary or not mark.isalnum()):
            raise InputError(sentence("foreign", where=where, what=what))
    if re.match(rb"\s*<(!doctype html|html)\b", raw[:4096], re.IGNORECASE):
        raise InputError(sentence("foreign", where=where, what="a web page"))
    if PICKLE.match(raw):
        raise InputError(sentence("pickle", where=where))
