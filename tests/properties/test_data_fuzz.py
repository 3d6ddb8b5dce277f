"""Faulty LIBSVM files name their first faulty line, and files that are written are read back."""

from __future__ import annotations

import io
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import workbench.data as data
from tests.helpers.amounts import amount
from workbench._support.errors import InputError
from workbench.data.tables import columns, libsvm, reading

EXAMPLES = amount(40, 150)  # for each property

LIBSVM = b"1 1:0.5 3:2\n-1 2:1e-3 4:4 # a comment\n\n+1 qid:3 1:1\n"

TOKENS = (
    *b"nan inf - + : , ; # 0 99999999999 1e999 _ abc qid: 0:1 True 0x1 . e5 NA -0".split(),
    *(b"", b" ", b"\\", b"\t", b"\n", b"\r", b"\r\n", b'"', b"\0", b"\xff", b"\xc3\xa9", b"\x0b", b"\x1c"),
    *(b"\xe2\x80\xa8", b"\xd9\xa1"),
)


@st.composite
def mutated(draw):
    """A good LIBSVM file with a few insertions and deletions."""
    content = LIBSVM
    for _ in range(draw(st.integers(1, 4))):
        place = draw(st.integers(0, len(content)))
        gone = draw(st.integers(0, 3))
        content = content[:place] + draw(st.sampled_from(TOKENS)) + content[place + gone :]
    return content


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("fuzz")


def load_or_message(path, **options):
    """Return the data set or the text of the InputError; any other exception fails the test."""
    try:
        return data.load(path, **options), None
    except InputError as error:
        return None, str(error)


@settings(max_examples=EXAMPLES, deadline=None)
@given(content=mutated())
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
