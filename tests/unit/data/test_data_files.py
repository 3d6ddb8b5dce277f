"""`wb.data.load` of a learner's own files, and the message for every fault, with the file and the line."""

from __future__ import annotations

import bz2
import gzip
import lzma

import numpy as np
import pytest
from scipy import sparse

import workbench.data as data
from workbench._support.errors import InputError
from workbench.data.tables import limits

PACK = {"": bytes, ".gz": gzip.compress, ".bz2": bz2.compress, ".xz": lzma.compress}

LIBSVM = b"1 1:0.5 3:2\n-1 2:1e-3 4:4 # a comment\n\n+1 qid:3 1:1\n"
LIBSVM_DENSE = [[0.5, 0, 2, 0], [0, 1e-3, 0, 4], [1, 0, 0, 0]]
CSV = b'width,"length, cm",kind\n1,2.5,0\n-3e2, 4 ,1\n\n"5",6,1\n'


@pytest.fixture
def write(tmp_path):
    def write(name, content):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


# What is read


@pytest.mark.parametrize(
    ("suffix", "packing"), [(".libsvm", ""), (".svm", ".gz"), (".txt", ".bz2"), ("", ".xz"), (".foo", "")]
)
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


@pytest.mark.parametrize(
    ("target", "y"),
    [("kind", [0, 1, 1]), (-1, [0, 1, 1]), (0, [1, -300, 5]), ("0", [1, -300, 5]), (-2, [2.5, 4, 6])],
)
def test_the_target_by_name_or_place(write, target, y):
    task = data.load(write("mine.csv", CSV), target=target)
    assert task.y.tolist() == y
    assert task.X.shape == (3, 2)


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
    with pytest.raises(InputError, match=r"line 2: '0:6' does not fit .* ascend from 1"):
        data.load(write("a.svm", "1 1:5\n-1 0:6\n"), zero_based=False)


@pytest.mark.parametrize(("text", "fits", "largest"), [("1 1:1\n1 5:1\n", 5, 5), ("1 0:1\n1 5:1\n", 6, 5)])
def test_n_features_pads_and_names_the_line_of_a_larger_index(write, text, fits, largest):
    path = write("a.svm", text)
    assert data.load(path, n_features=9).X.shape == (2, 9)
    assert data.load(path, n_features=fits).X.shape == (2, fits)
    with pytest.raises(InputError, match=rf"a.svm, line 2: '5:1' does not fit .* at most {largest - 1}\."):
        data.load(path, n_features=fits - 1)


def test_rows_without_features_need_n_features(write):
    path = write("a.svm", "1\n-1\n")
    assert data.load(path, n_features=3).X.toarray().tolist() == [[0, 0, 0], [0, 0, 0]]
    with pytest.raises(InputError, match="has labels but no index:value pair"):
        data.load(path)


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


def test_texts_as_labels_without_positive_are_told_apart_in_order(write):
    assert data.load(write("a.csv", "a,kind\n1,x\n2,v\n")).y.tolist() == [1, -1]
    assert data.load(write("a.csv", "a,kind\n1,x\n2,v\n3,w\n")).y.tolist() == [2, 0, 1]


def test_words_and_empty_cells_are_read_as_a_fit_reads_them(write):
    path = write("a.csv", "colour,size,kind\nred,1,0\nblue,,1\nred,3,1\n")
    task = data.load(path, missing="mean")
    assert task.feature_names == ("size", "colour = blue", "colour = red")
    assert task.X.tolist() == [[1, 0, 1], [2, 1, 0], [3, 0, 1]]
    assert data.load(path, leave_out=["size"]).X.tolist() == [[0, 1], [1, 0], [0, 1]]


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


@pytest.mark.parametrize("name", ["~nobody-of-this-name/table.csv", "a" * 5000 + ".csv"])
def test_paths_that_the_system_refuses_are_named(name):
    """A ~ of an unknown user and a name that is too long are paths without a file."""
    for read in (data.load, data.read):
        with pytest.raises(InputError, match=r"does not exist|cannot be read"):
            read(name)
