"""A learner's own files: what is read, and that every fault is told with the file and the line."""

from __future__ import annotations

import bz2
import gzip
import lzma
import re

import numpy as np
import pytest
from scipy import sparse

import workbench.data as data
from workbench.errors import InputError
from workbench.tables import formats, limits

PACK = {"": bytes, ".gz": gzip.compress, ".bz2": bz2.compress, ".xz": lzma.compress}

LIBSVM = b"1 1:0.5 3:2\n-1 2:1e-3 4:4 # a comment\n\n+1 qid:3 1:1\n"
LIBSVM_DENSE = [[0.5, 0, 2, 0], [0, 1e-3, 0, 4], [1, 0, 0, 0]]
CSV = b'width,"length, cm",kind\n1,2.5,0\n-3e2, 4 ,1\n\n"5",6,1\n'
CSV_X = [[1, 2.5], [-300, 4], [5, 6]]


@pytest.fixture
def write(tmp_path):
    def write(name, content):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


# What is read


@pytest.mark.parametrize("packing", PACK)
@pytest.mark.parametrize("suffix", [*formats.LIBSVM_SUFFIXES, *formats.TEXT_SUFFIXES, "", ".foo"])
def test_libsvm_files(write, suffix, packing):
    task = data.load(write(f"mine{suffix}{packing}", PACK[packing](LIBSVM)))
    assert sparse.issparse(task.X)
    assert task.X.dtype == task.y.dtype == np.float64
    assert task.X.indices.dtype == np.int32
    assert task.X.toarray().tolist() == LIBSVM_DENSE
    assert task.y.tolist() == [1, -1, 1]
    assert task.X_test is None
    assert task.y_test is None
    assert list(task.feature_names) == [f"feature {j}" for j in (1, 2, 3, 4)]
    assert task.summary.endswith(": n = 3, d = 4, 5 non-zeros, 66.7 % positive")


@pytest.mark.parametrize("packing", PACK)
@pytest.mark.parametrize(
    ("suffix", "mark"), [(".csv", ","), (".csv", ";"), (".tsv", "\t"), ("", "\t"), ("", ",")]
)
def test_tables(write, suffix, mark, packing):
    content = CSV.replace(b"length, cm", b"length").replace(b",", mark.encode())
    task = data.load(str(write(f"mine{suffix}{packing}", PACK[packing](content))))
    assert task.X.tolist() == CSV_X
    assert task.X.flags.c_contiguous
    assert task.y.tolist() == [0, 1, 1]
    assert task.feature_names == ("width", "length")
    assert "2 classes" in task.summary


@pytest.mark.parametrize("ends", [b"\n", b"\r\n", b"\r"])
@pytest.mark.parametrize("start", [b"", b"\xef\xbb\xbf", b"\n\n"])
def test_line_ends_and_byte_order_marks_of_tables(write, ends, start):
    task = data.load(write("mine.csv", start + CSV.replace(b"\n", ends)))
    assert task.X.tolist() == CSV_X
    assert task.feature_names == ("width", "length, cm")


def test_libsvm_with_windows_line_ends(write):
    assert data.load(write("mine.svm", LIBSVM.replace(b"\n", b"\r\n"))).X.toarray().tolist() == LIBSVM_DENSE


def test_a_table_without_a_header(write):
    task = data.load(write("mine.csv", "1,2,3\n4,5,6.5\n"))
    assert task.X.tolist() == [[1, 2], [4, 5]]
    assert task.feature_names == ("column 0", "column 1")
    assert "target from 3 to 6.5" in task.summary


@pytest.mark.parametrize(
    ("target", "y"),
    [("kind", [0, 1, 1]), (-1, [0, 1, 1]), (0, [1, -300, 5]), ("0", [1, -300, 5]), (-2, [2.5, 4, 6])],
)
def test_the_target_by_name_or_place(write, target, y):
    task = data.load(write("mine.csv", CSV), target=target)
    assert task.y.tolist() == y
    assert task.X.shape == (3, 2)


@pytest.mark.parametrize("target", ["depth", 3, -4, 1.5, True, "--1", ""])
def test_a_target_that_is_no_column_is_refused(write, target):
    with pytest.raises(
        InputError, match=r"mine.csv has no column target=.*; its columns are width, length, cm, kind"
    ):
        data.load(write("mine.csv", CSV), target=target)


def test_a_target_name_that_stands_twice_is_refused(write):
    with pytest.raises(InputError, match="columns 1, 2 are all named 'a'"):
        data.load(write("mine.csv", "a,a,b\n1,2,3\n"), target="a")


@pytest.mark.parametrize("header", ["", "a,b,kind\n"])
def test_text_labels_with_positive(write, header):
    path = write("iris.csv", header + "1,2, setosa\n3,4,other\n5,6,third\n")
    assert data.load(path, positive="setosa").y.tolist() == [1, -1, -1]
    assert data.load(path, positive=("setosa", "third")).y.tolist() == [1, -1, 1]
    with pytest.raises(
        InputError, match=r"no sample has the label positive='x'; the labels are 'other', 'setosa'"
    ):
        data.load(path, positive="x")


def test_numbers_as_positive_labels(write):
    assert data.load(write("a.csv", CSV), positive=1).y.tolist() == [-1, 1, 1]
    assert data.load(write("a.csv", CSV), positive="0").y.tolist() == [1, -1, -1]
    task = data.load(write("a.svm", "1 1:1\n2 1:1\n3 1:1\n"), positive=(1, 3))
    assert task.y.tolist() == [1, -1, 1]
    assert task.name == "a.svm (1, 3 against the rest)"


def test_a_test_part_is_drawn_when_asked_for(write):
    text = "".join(f"{'1' if i % 5 == 0 else '-1'} 1:{i}\n" for i in range(100))
    task = data.load(write("a.svm", text), test_size=0.2)
    assert (task.X.shape, task.X_test.shape) == ((80, 1), (20, 1))
    assert (task.y == 1).sum() == 16
    assert (task.y_test == 1).sum() == 4
    everything = np.concatenate([task.X.toarray(), task.X_test.toarray()])[:, 0]
    assert sorted(everything) == list(range(100))


@pytest.mark.parametrize("test_size", [0, 1, 1.5, -0.2, "a", True, float("nan")])
def test_a_test_size_that_is_no_share_is_refused(write, test_size):
    with pytest.raises(InputError, match=r"test_size=.*write a number between 0 and 1"):
        data.load(write("a.svm", LIBSVM), test_size=test_size)


def test_indices_start_at_1_unless_a_0_occurs(write):
    task = data.load(write("a.svm", "1 1:5\n-1 3:6\n"))
    assert task.X.toarray().tolist() == [[5, 0, 0], [0, 0, 6]]
    task = data.load(write("a.svm", "1 1:5\n-1 0:6\n"))
    assert task.X.toarray().tolist() == [[0, 5], [6, 0]]
    assert list(task.feature_names) == ["feature 0", "feature 1"]
    task = data.load(write("a.svm", "1 1:5\n"), zero_based=True)
    assert task.X.toarray().tolist() == [[0, 5]]
    with pytest.raises(InputError, match=r"line 2: the pair '0:6' has the index 0"):
        data.load(write("a.svm", "1 1:5\n-1 0:6\n"), zero_based=False)


@pytest.mark.parametrize(("text", "fits", "largest"), [("1 1:1\n1 5:1\n", 5, 5), ("1 0:1\n1 5:1\n", 6, 5)])
def test_n_features_pads_and_names_the_line_of_a_larger_index(write, text, fits, largest):
    path = write("a.svm", text)
    assert data.load(path, n_features=9).X.shape == (2, 9)
    assert data.load(path, n_features=fits).X.shape == (2, fits)
    with pytest.raises(InputError, match=rf"a.svm, line 2: the pair '5:1' has an index above {largest - 1}"):
        data.load(path, n_features=fits - 1)


def test_rows_without_features_need_n_features(write):
    path = write("a.svm", "1\n-1\n")
    assert data.load(path, n_features=3).X.toarray().tolist() == [[0, 0, 0], [0, 0, 0]]
    with pytest.raises(InputError, match="has labels but no index:value pair"):
        data.load(path)


def test_written_zeros_are_no_non_zeros(write):
    assert data.load(write("a.svm", "1 1:0 2:3\n")).X.nnz == 1


@pytest.mark.parametrize("n_features", [0, -1, 2.5, "3", True])
def test_n_features_that_is_no_count_is_refused(write, n_features):
    with pytest.raises(InputError, match=r"n_features=.*is not a whole number above 0"):
        data.load(write("a.svm", LIBSVM), n_features=n_features)


def test_options_of_the_other_format_are_refused(write):
    with pytest.raises(InputError, match=r"a\.svm is read as LIBSVM; leave out target"):
        data.load(write("a.svm", LIBSVM), target=0)
    with pytest.raises(InputError, match=r"a\.csv is read as a table; leave out zero_based"):
        data.load(write("a.csv", CSV), zero_based=True)
    with pytest.raises(InputError, match=r"a\.csv has features in 2 columns where n_features=3"):
        data.load(write("a.csv", CSV), n_features=3)
    with pytest.raises(InputError, match=r"a\.svm has no option 'sep'; it takes positive, n_features"):
        data.load(write("a.svm", LIBSVM), sep=",")
    with pytest.raises(InputError, match="zero_based=2 is neither"):
        data.load(write("a.svm", LIBSVM), zero_based=2)


# Faults


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("1 1:1\n\n1 3:abc\n", "line 3: the pair '3:abc' has no number after the colon; write index:value"),
        ("1 1:1\n1 3:\n", "line 2: the pair '3:' has no number after the colon"),
        ("1 1:1\n1 3: 4\n", "line 2: the pair '3:' has no number after the colon"),
        ("1 1:1\n1 3:4:5\n", "line 2: the pair '3:4:5' has no number after the colon"),
        ("1 1:1\n1 a:1\n", "line 2: the pair 'a:1' has no whole number before the colon"),
        ("1 1:1\n1 1.5:1\n", "line 2: the pair '1.5:1' has no whole number before the colon"),
        ("1 1:1\n1 7\n", "line 2: '7' is not a pair"),
        ("1 1:1\n1:2 3:4\n", "line 2: it starts with '1:2' where the label should stand"),
        ("1 1:1\nspam 1:1\n", "line 2: the label 'spam' is not a number"),
        ("1 1:1\nnan 1:1\n", "line 2: the label 'nan' is not finite"),
        ("1 1:1\n1 1:1e-_3\n", "line 2: the pair '1:1e-_3' has no number after the colon"),
        ("1 1:1 # a_b\n1 1_0:1\n", "line 2: the pair '1_0:1' has no whole number before the colon"),
        ("1 1:1\n1 1:nan\n", "line 2: the pair '1:nan' has a value that is not finite"),
        ("1 1:1\n1 1:-inf\n", "line 2: the pair '1:-inf' has a value that is not finite"),
        ("1 1:1\n1 1:1e999\n", "line 2: the pair '1:1e999' has a value that is not finite"),
        ("1 1:1\n1 0:1 0:1\n", "line 2: the pair '0:1' repeats the index 0"),
        ("1 1:1\n1 -2:1\n", "line 2: the pair '-2:1' has a negative index"),
        ("1 1:1\n1 3:1 2:1\n", "line 2: the pair '2:1' comes after the index 3"),
        ("1 1:1\n1 3:1 3:2\n", "line 2: the pair '3:2' repeats the index 3"),
        ("1 1:1\n1 100000001:1\n", "line 2: the pair '100000001:1' has an index above 100000000"),
        ("1 1:1\n1 99999999999999999999:1\n", "line 2: the pair '99999999999999999999:1' has an index above"),
        ("1 1:1\n" + "x" * 5000, "line 2: the label '" + "x" * 40 + "...' is not a number"),
        (
            "1,2,3\n",
            "line 1: the label '1,2,3' is not a number; write `label index:value ...`, a table as .csv",
        ),
        ("# only\n\n", "has no sample"),
        ("1 1:1\n\x00\n", "line 2: a zero byte"),
        ("", "is empty"),
        (" \n\n", "is empty"),
    ],
)
def test_faults_of_libsvm_files(write, text, reason):
    with pytest.raises(InputError, match=re.escape("mine.svm") + ".*" + re.escape(reason)):
        data.load(write("mine.svm", text))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("a,b\n1,2\n3\n", "line 3: 1 cell where the first row has 2"),
        ("a,b\n1,2\n\n3,4,5\n", "line 4: 3 cells where the first row has 2"),
        ("1,2\n3,4,5\n", "line 2: 3 cells where the first row has 2"),
        ("a,b\n1,2,3\n4,5,6\n", "line 2: 3 cells where the first row has 2"),
        ("a,b\n1,2\nx,3\n", "row 2, column 'a': 'x' among numbers; write a number"),
        ("a,b\n1,\n", "the target 'b' is empty in 1 of 1 rows"),
        ("1,,2\n", "empty cells in column 1 (1); go on with"),
        ("a,b\n1,2\n1,NA\n", "the target 'b' is empty in 1 of 2 rows"),
        ("a,b\n1,2\nnan,1\n", "empty cells in a (1)"),
        ("a,b\n1,2\n1,inf\n", "row 2, column 'b': 'inf' is not a finite number"),
        ("a,b\n1,2\n1,1e999\n", "row 2, column 'b': '1e999' is not a finite number"),
        ("a,b\n1,2\n" + "9" * 400 + ",3\n", "row 2, column 'a': '99999"),
        ("a,b\n5%,2\n0.5,3\n", "row 1, column 'a': '5%' is in another unit than others"),
        ('a,b\n"1,234",2\n5678,3\n', "row 2, column 'a': '5678' is in another notation than others"),
        ("a,b\n1+2j,2\n3,3\n", "row 1, column 'a': '1+2j' is a complex number"),
        ("a,b\n", "has a header but no rows"),
        ("a\n1\n2\n", "has one column only"),
        (",\n", "the target 'column 1' is empty in 1 of 1 rows"),
        ('a,b\n1,"2\n' + "x" * 200_000, "line 3: a cell of more than 131,072 letters"),
        ('a,b\n1,"2\n3,4\n', "line 2: a quotation mark that is not closed"),
        (b"\xff\xfea\x00,", "begins as UTF-16 and is not"),
        ("a,b\n1,\x002\n", "line 2: a zero byte"),
        ("", "is empty"),
    ],
)
def test_faults_of_tables(write, text, reason):
    with pytest.raises(InputError, match=re.escape("mine.csv") + ".*" + re.escape(reason)):
        data.load(write("mine.csv", text))


def test_texts_as_labels_without_positive_are_told_apart_in_order(write):
    assert data.load(write("a.csv", "a,kind\n1,x\n2,v\n")).y.tolist() == [1, -1]
    assert data.load(write("a.csv", "a,kind\n1,x\n2,v\n3,w\n")).y.tolist() == [2, 0, 1]


def test_words_and_empty_cells_are_read_as_a_fit_reads_them(write):
    path = write("a.csv", "colour,size,kind\nred,1,0\nblue,,1\nred,3,1\n")
    task = data.load(path, missing="mean")
    assert task.feature_names == ("colour = blue", "colour = red", "size")
    assert task.X.tolist() == [[0, 1, 1], [1, 0, 2], [0, 1, 3]]
    assert data.load(path, leave_out=["size"]).X.tolist() == [[0, 1], [1, 0], [0, 1]]


@pytest.mark.parametrize("packing", [".gz", ".bz2", ".xz"])
def test_a_damaged_compression_is_told(write, packing):
    whole = PACK[packing](CSV * 50)
    for content in (b"plain text", whole[: len(whole) // 2]):
        with pytest.raises(InputError, match=r"mine\.csv.*(pack it anew|correct)"):
            data.load(write(f"mine.csv{packing}", content))


def test_what_is_no_file_is_told(tmp_path):
    for missing in (tmp_path / "gone", "gone.csv", f"{tmp_path}/gone"):
        with pytest.raises(InputError, match=r"gone.* does not exist; check the path"):
            data.load(missing)
    with pytest.raises(InputError, match="is a folder"):
        data.load(tmp_path)
    for path, words in ((tmp_path, "is a folder"), (tmp_path / "gone", "does not exist")):
        with pytest.raises(InputError, match=words):
            data.read(path)


def test_a_file_that_may_not_be_read_is_told(write, monkeypatch):
    def refuse(*args):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(limits.Path, "read_bytes", refuse)
    with pytest.raises(InputError, match=r"mine\.csv cannot be read \(Permission denied\); check its perm"):
        data.load(write("mine.csv", CSV))


def test_a_file_that_is_too_large_is_told(write, monkeypatch):
    monkeypatch.setattr(limits, "own", lambda: limits.Limits(megabytes=20 / limits.MEGABYTE))
    with pytest.raises(InputError, match=r"has more than .* MB; take a part of its rows"):
        data.load(write("mine.csv", CSV))
    monkeypatch.setattr(limits, "own", lambda: limits.Limits(megabytes=1))
    with pytest.raises(InputError, match="unpacks to more than"):
        data.load(write("mine.csv.gz", gzip.compress(b"1,2\n" * 10**6)))


def test_locate_and_fetch_take_paths(write):
    path = write("mine.csv", CSV)
    assert data.locate(path) == data.fetch(str(path)) == path
