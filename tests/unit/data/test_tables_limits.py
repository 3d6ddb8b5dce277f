"""Files that are larger within than without are refused in a sentence, within 300 MB and 5 s of processor."""

import bz2
import contextlib
import gzip
import io
import json
import lzma
import zipfile

import numpy as np
import pytest

from tests.helpers import coroutines
from tests.helpers.limited_jobs import allocate, crash, spin
from workbench._support.errors import InputError
from workbench.data.tables import child, reading, uploads

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")
# Above what the process takes before it sees the file; beyond them another sentence comes.
LIMITS = {"memory": 300, "seconds": 5}
MB = 2**20
ZEROS = bytes(300 * MB)


def array_header(shape, dtype="<f8"):
    file = io.BytesIO()
    described = {"descr": dtype, "fortran_order": False, "shape": shape}
    np.lib.format.write_array_header_1_0(file, described)
    return file.getvalue()


def zipped(**files):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return file.getvalue()


def parquet(table, **options):
    file = io.BytesIO()
    pq.write_table(pa.table(table), file, **options)
    return file.getvalue()


def book(cells):
    import openpyxl

    file, made = io.BytesIO(), openpyxl.Workbook()
    for place, value in cells.items():
        made.active[place] = value
    made.save(file)
    return file.getvalue()


def many_entries(count):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for k in range(count):
            archive.writestr(f"{k}.csv", "")
    return file.getvalue()


def long_header():
    """An array whose header says of itself that it takes three hundred megabytes."""
    return b"\x93NUMPY\x02\x00" + (len(ZEROS) - 12).to_bytes(4, "little") + ZEROS[12:]


def different_keys(count):
    return "".join(f'{{"k{k}": 1}}\n' for k in range(count)).encode()


ATTACKS = {
    # a few bytes that stand for many cells
    "keys.jsonl": (lambda: different_keys(9000), "numbers, and at most 1,000,000 are allowed here"),
    "keys.json": (lambda: json.dumps([{f"k{k}": k} for k in range(12_000)]).encode(), "at most 1"),
    "objects.json": (lambda: b"[" + b"{}," * 6_000_000 + b"{}]", "6,000,001 lines"),
    "lists.json": (lambda: b'[{"a": [' + b"[]," * 6_000_000 + b"[]]}]", "numbers, and at most"),
    "numbers.json": (lambda: b"[" + b"1," * 9_000_000 + b"1]", "numbers, and at most"),
    "deep.json": (lambda: b"[" * 10_000_000, "numbers, and at most"),
    # archives of arrays
    "zeros.npz": (lambda: zipped(**{"X.npy": array_header((3 * 10**7, 1)) + ZEROS[: 24 * 10**7]}), "unpacks"),
    "claim.npy": (lambda: array_header((10**6, 10**6)), "no plain arrays"),
    "claim.npz": (lambda: zipped(**{"X.npy": array_header((10**5, 10**7))}), "no plain arrays"),
    "too-many.npz": (
        lambda: zipped(**{f"{name}.npy": array_header((2, 1)) + bytes(16) for name in ("X", "z")}),
        "and no other arrays",
    ),
    "extra.npz": (
        lambda: zipped(**{"X.npy": array_header((2, 1)) + bytes(16), "z.npy": ZEROS}),
        "unpacks to more",
    ),
    "header.npz": (lambda: zipped(**{"X.npy": long_header()}), "unpacks to more than 20 MB"),
    "texts.npy": (lambda: array_header((2, 2), "<U9999999") + bytes(99), "no plain arrays"),
    "short.npy": (lambda: array_header((1000, 2)) + bytes(99), "no plain arrays"),
    "entries.npz": (lambda: many_entries(20_000), "holds 20,000 files"),
    # columns
    "rows.parquet": (lambda: parquet({"a": np.zeros(5 * 10**7), "y": np.zeros(5 * 10**7)}), "lines, and at"),
    "wide.parquet": (lambda: parquet({f"c{k}": [1.0] for k in range(10_001)}), "10,001 columns"),
    "repeated.parquet": (
        lambda: parquet(
            {"a": pa.DictionaryArray.from_arrays(np.zeros(100_000, int), ["x" * 50_000]), "y": range(100_000)}
        ),
        "takes more than 300 MB of memory",
    ),
    "lists.parquet": (lambda: parquet({"a": [[0.0] * 10**6] * 20, "y": range(20)}), "holds lists or records"),
    "text.csv": (lambda: parquet({"a": np.zeros(10**7), "y": np.zeros(10**7)}), "lines, and at most"),
    # books
    "zeros.xlsx": (lambda: zipped(**{"xl/worksheets/sheet1.xml": ZEROS}), "unpacks to more than 20 MB"),
    "wide.xlsx": (
        lambda: book({"A1": 1, "XFD1": 2} | {f"A{k}": 3 for k in range(2, 100)}),
        "numbers, and at most",
    ),
    "names.arff": (
        lambda: b"@relation r\n" + b"@attribute a numeric\n" * 10_001 + b"@data\n1\n",
        "10,001 columns",
    ),
    # packed texts
    "zeros.csv.gz": (lambda: gzip.compress(ZEROS), "unpacks to more than 20 MB"),
    "zeros.csv.bz2": (lambda: bz2.compress(ZEROS), "unpacks to more than 20 MB"),
    "zeros.csv.xz": (lambda: lzma.compress(ZEROS), "unpacks to more than 20 MB"),
    "zeros.zip": (lambda: zipped(**{"a.csv": ZEROS}), "unpacks to more than 20 MB"),
    "wide.csv.xz": (
        lambda: lzma.compress(b"a,y\n1,2\n", filters=[{"id": lzma.FILTER_LZMA2, "dict_size": 2**30}]),
        "not a complete .xz file",
    ),
    "entries.zip": (lambda: many_entries(20_000), "holds 20,000 files"),
    # texts
    "commas.csv": (lambda: b"," * 19_000_000, "columns, and at most"),
    "lines.csv": (lambda: b"1,2\n" * 4_900_000, "lines, and at most"),
    "cells.csv": (lambda: (b"1," * 999 + b"1\n") * 5000, "numbers, and at most"),
    "letters.csv": (lambda: b"a,y\n" + ("\U0001f600" * 9 + ",1\n").encode() * 200_001, "lines, and"),
    "quote.csv": (lambda: b'a,y\n1,"' + b"2\n3," * 90_000, "quotation mark that is not closed"),
    "pairs.svm": (lambda: b"1 1:1 2:1 3:1 4:1 5:1 6:1\n" * 190_000, "numbers, and at most"),
    "far.svm": (lambda: b"1 99999999:1\n", "at most 100000"),
}


# Cells that a careless pattern would take the square of their length for.
LONG_CELLS = {
    "digits.csv": lambda: b"a,y\n1,2\n" + (b"9" * 130_000 + b"x,3\n") * 100,
    "signs.csv": lambda: b"a,y\n1,2\n" + (b"9" * 65_000 + b"+" + b"9" * 65_000 + b"x,3\n") * 100,
    "points.csv": lambda: b"a;y\n1;2\n" + (b"999." * 30_000 + b"x;3\n") * 100,
    "spaces.csv": lambda: b"a,y\n1,2\n" + (b"9" + b" " * 130_000 + b"x,3\n") * 100,
    "dates.csv": lambda: b"a,y\n1,2\n" + (b"2024-01-01 " + b"1:11" * 30_000 + b"x,3\n") * 100,
}


@pytest.mark.parametrize("name", ATTACKS)
def test_what_is_larger_within_is_refused_before_it_takes_memory(name):
    make, words = ATTACKS[name]
    job = child.start(uploads.read, make(), name, **LIMITS)
    with pytest.raises(InputError, match=words):
        job.result()


@pytest.mark.parametrize("name", LONG_CELLS)
def test_long_cells_are_read_as_text_within_the_limits(name):
    table = child.start(reading.read_upload, LONG_CELLS[name](), name, **LIMITS).result()
    first = table.frame.iloc[:, 0]
    assert (first.iloc[0], first.dtype.kind in "if", len(first)) == ("1", False, 101)


@pytest.mark.parametrize(
    ("function", "arguments", "words"),
    [
        (allocate, (2000,), "takes more than 300 MB of memory"),
        (spin, (), "takes more than 1 s here"),
        (crash, (), "ended the process that read it"),
    ],
)
def test_a_process_is_held_to_its_limits(function, arguments, words):
    with pytest.raises(InputError, match=words):
        child.start(function, *arguments, memory=300, seconds=1).result()
    assert child.start(allocate, 10, memory=300, seconds=5).result() == 10 * MB


def test_who_leaves_or_asks_anew_ends_the_job():
    import asyncio

    import psutil

    def used():
        times = {}
        for process in psutil.Process().children(recursive=True):
            with contextlib.suppress(psutil.NoSuchProcess):
                times[process.pid] = process.cpu_times().user
        return times

    async def leave():
        await child.run(allocate, 1, memory=300, seconds=5)
        before = used()
        first = asyncio.ensure_future(child.run(spin, visitor="a", memory=300, seconds=60))
        while not (spinning := {pid for pid, time in used().items() if time > before.get(pid, 0.0) + 0.5}):
            await asyncio.sleep(0.05)
        first.cancel()
        with pytest.raises(asyncio.CancelledError):
            await first
        assert await child.run(allocate, 1, visitor="a", memory=300, seconds=5) == MB
        while spinning & used().keys():  # the pool looks for cancelled jobs ten times a second
            await asyncio.sleep(0.01)
        return True

    assert coroutines.run(leave())
