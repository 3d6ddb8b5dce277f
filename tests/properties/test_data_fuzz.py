"""Any bytes at all: a learner's file gives data or an error that says where, and nothing else."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

import workbench.data as data
from tests.helpers.amounts import amount
from workbench._support.errors import InputError
from workbench.data.tables import columns, libsvm, reading

EXAMPLES = amount(40, 150)  # for each property
PACK = {"": bytes, ".gz": gzip.compress, ".bz2": bz2.compress, ".xz": lzma.compress}

LIBSVM = b"1 1:0.5 3:2\n-1 2:1e-3 4:4 # a comment\n\n+1 qid:3 1:1\n"
CSV = b'width,"length, cm",kind\n1,2.5,0\n-3e2, 4 ,1\n\n"5",6,1\n'

TOKENS = (
    *b"nan inf - + : , ; # 0 99999999999 1e999 _ abc qid: 0:1 True 0x1 . e5 NA -0".split(),
    *(b"", b" ", b"\\", b"\t", b"\n", b"\r", b"\r\n", b'"', b"\0", b"\xff", b"\xc3\xa9", b"\x0b", b"\x1c"),
    *(b"\xe2\x80\xa8", b"\xd9\xa1"),
)


@st.composite
def mutated(draw, sources=(LIBSVM, CSV, b"1 1:1\n2 2:2\n", b"1,2\n3,4\n")):
    """A good file with a few insertions and deletions."""
    content = draw(st.sampled_from(sources))
    for _ in range(draw(st.integers(1, 4))):
        place = draw(st.integers(0, len(content)))
        gone = draw(st.integers(0, 3))
        content = content[:place] + draw(st.sampled_from(TOKENS)) + content[place + gone :]
    return content


contents = st.one_of(mutated(), st.binary(max_size=60))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("fuzz")


@settings(max_examples=EXAMPLES, deadline=None)
@given(
    content=contents,
    suffix=st.sampled_from([".csv", ".tsv", ".svm", ".txt", ""]),
    packing=st.sampled_from(list(PACK)),
    damage=st.none() | st.integers(0, 200),
    options=st.fixed_dictionaries(
        {},
        optional={
            "positive": st.sampled_from([1, "1", "abc", (1, 2)]),
            "n_features": st.integers(1, 5),
            "test_size": st.just(0.5),
        },
    ),
)
def test_any_bytes_give_data_or_an_input_error_that_names_the_file(
    folder, content, suffix, packing, damage, options
):
    packed = PACK[packing](content)
    if packing and damage is not None and damage < len(packed):
        packed = packed[:damage] + bytes([packed[damage] ^ 0x55]) + packed[damage + 1 :]
    path = folder / f"fuzzed{suffix}{packing}"
    path.write_bytes(packed)
    task, message = load_or_message(path, **options)
    if message is None:
        check_task(task)
    else:
        assert path.name in message
        assert message.endswith(".")


def load_or_message(path, **options):
    """Return the data set or the text of the InputError; any other exception fails the test."""
    try:
        return data.load(path, **options), None
    except InputError as error:
        return None, str(error)


def check_task(task):
    X = task.X.toarray() if sparse.issparse(task.X) and task.X.shape[1] < 10**6 else task.X
    assert task.X.shape == (len(task.y), len(task.feature_names))
    assert task.X.dtype == task.y.dtype == np.float64
    assert np.isfinite(X.data if sparse.issparse(X) else X).all()
    assert np.isfinite(task.y).all()
    assert task.summary


@settings(max_examples=EXAMPLES, deadline=None)
@given(content=mutated((LIBSVM,)))
def test_the_first_faulty_line_of_a_libsvm_file_is_named(folder, content):
    path = folder / "faulty.svm"
    path.write_bytes(content)
    lines = content.split(b"\n")
    faulty = [i for i, line in enumerate(lines, 1) if libsvm.strange_token(line, libsvm.MAX_FEATURES)]
    zeros = [i for i, line in enumerate(lines, 1) if b"\0" in line]
    task, message = load_or_message(path)
    if zeros or faulty:
        assert message.startswith(f"faulty.svm, line {(zeros or faulty)[0]}: ")
    else:
        assert task is not None or re.match(r"faulty.svm (is empty|has no sample|has labels but no)", message)


@settings(max_examples=EXAMPLES, deadline=None)
@given(st.data())
def test_a_written_libsvm_file_is_read_back(drawn):
    numbers = st.floats(-1e100, 1e100, allow_nan=False)
    n, d = drawn.draw(st.integers(1, 6)), drawn.draw(st.integers(1, 5))
    X = np.array(drawn.draw(st.lists(st.lists(numbers, min_size=d, max_size=d), min_size=n, max_size=n)))
    y = np.array(drawn.draw(st.lists(numbers, min_size=n, max_size=n)))
    rows = io.StringIO()
    for label, row in zip(y, X, strict=True):
        rows.write(
            " ".join([repr(float(label)), *(f"{j}:{float(v)!r}" for j, v in enumerate(row, 1))]) + "\n"
        )
    matrix, labels, first = libsvm.read(rows.getvalue().encode(), "mine")
    assert first == 1
    assert np.array_equal(matrix.toarray(), X)
    assert np.array_equal(labels, y)
    cells = "\n".join(
        ",".join(repr(float(v)) for v in [*row, label]) for label, row in zip(y, X, strict=True)
    )
    table = reading.read_upload(cells.encode(), "mine.csv")
    read = np.column_stack([columns.numbers_of(table.frame[name], "mine") for name in table.frame])
    assert np.array_equal(read, X)
    assert np.array_equal(columns.numbers_of(table.target, "mine"), y)
