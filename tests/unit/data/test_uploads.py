"""Uploads: what is read, how each fault is told, and what the store keeps from whom."""

import gzip
import os
import pickle
import time

import pytest

from tests.helpers.amounts import amount
from tests.long import fuzz_uploads
from workbench._support.errors import InputError
from workbench.data import store
from workbench.data.tables import limits, reading, samples, uploads

FUZZED = amount(100, 1500)  # files
CSV = b"width,length,kind\n1,2.5,x\n-3,4,y\n5,6,x\n7,8,z\n"
LIBSVM = b"1 1:0.5 3:2\n-1 2:1 4:4\n1 1:1\n"
SMALL = limits.Limits(megabytes=2, rows=50, columns=20, sparse_columns=30, numbers=200)


@pytest.fixture
def shelf(tmp_path):
    return store.Store(tmp_path, megabytes=1, seconds=60)


def small():
    """A data set as the store keeps it."""
    return samples.dataset(reading.read_upload(CSV, "mine.csv"), "mine.csv", ("x",))


def sentence(content, name="mine.csv", **options):
    with pytest.raises(InputError) as refused:
        uploads.read(content, name, **options)
    return str(refused.value)


def uses(facts):
    return [(column["name"], column["use"]) for column in facts["columns"]]


def test_facts_of_a_table_with_texts_as_labels():
    facts = uploads.read(CSV, "mine.csv")
    assert uses(facts) == [("width", "used"), ("length", "used"), ("kind", "target")]
    assert facts["classes"] == {"x": 2, "y": 1, "z": 1}
    assert facts["task"] == "classification"
    cells = [column["cells"] for column in facts["columns"]]
    assert cells == [["1", "-3", "5"], ["2.5", "4", "6"], ["x", "y", "x"]]


def test_facts_of_a_column_name_its_fault_and_its_empty_cells():
    rows = "".join(f"{j},{j % 3 or ''},2024-01-{j + 1:02d},{j % 2}\n" for j in range(20))
    facts = uploads.read(f"id,dose,day,y\n{rows}".encode(), "mine.csv")
    decisions = {column["name"]: column["decision"] for column in facts["columns"]}
    assert decisions["id"].startswith("left out: ")
    assert decisions["day"].startswith("left out: ")
    assert decisions["dose"] == "number; 7 empty"
    assert facts["classes"] == {"0": 10, "1": 10}


def test_facts_of_libsvm_and_of_wide_tables():
    facts = uploads.read(LIBSVM, "mine.svm")
    assert facts["columns"][0]["cells"][0] == "1:0.5 3:2 …"
    assert facts["classes"] == {"-1": 1, "1": 2}
    wide = ",".join(f"x{j}" for j in range(200)) + "\n" + ",".join("1" for _ in range(200)) + "\n"
    facts = uploads.read(wide.encode(), "wide.csv")
    assert (len(facts["columns"]), facts["more"]) == (uploads.LISTED, 100)
    numbers = uploads.read(b"a,y\n" + b"".join(b"%d,%d.5\n" % (j, j) for j in range(20)), "numbers.csv")
    assert (numbers["task"], numbers["classes"]) == ("regression", {})


def test_a_label_column_is_found_by_its_name():
    assert uses(uploads.read(b"Label,a,b\n1,2,3\n0,4,5\n", "m.csv"))[0] == ("Label", "target")
    # Two such names: the last column.
    assert uses(uploads.read(b"label,y,b\n1,2,3\n0,4,5\n", "m.csv"))[2] == ("b", "target")
    assert uses(uploads.read(b"label,y,b\n1,2,3\n0,4,5\n", "m.csv", target=1))[1] == ("y", "target")


@pytest.mark.parametrize(
    ("content", "name", "fragment"),
    [
        (b"1 31:2\n", "mine.svm", "line 1: '31:2' does not fit `label index:value ...`"),
        (b",".join([b"1"] * 10**6), "mine.csv", "line 1: 1,000,000 columns, and at most 20 are allowed here"),
        (b"1,2\n" * 51, "mine.csv", "51 lines, and at most 50 are allowed here; take a part of the rows"),
        (b"1 1:2 2:3 3:4 4:5 5:6\n" * 45, "mine.svm", "225 numbers, and at most 200"),
        (b"1," * 1_200_000, "mine.csv", "mine.csv has more than 2 MB; take a part of its rows."),
        (gzip.compress(b"0" * 10**8), "mine.csv.gz", "mine.csv.gz unpacks to more than 2 MB"),
        (pickle.dumps(os.getcwd), "mine.csv", "mine.csv is a Python pickle, which is not opened"),
    ],
)
def test_what_is_beyond_the_limits_of_an_upload_is_told(content, name, fragment):
    assert fragment in sentence(content, name, caps=SMALL)


@pytest.mark.parametrize(
    ("name", "plain"),
    [
        ("../../etc/x.csv", "x.csv"),
        ("C:\\a\\b.svm", "b.svm"),
        ("", "upload"),
        ("..", "upload"),
        ("a\n\0.csv", "a.csv"),
        (None, "upload"),
    ],
)
def test_a_name_is_no_path(name, plain):
    assert reading.plain_name(name) == plain
    assert len(reading.plain_name("x" * 300 + ".csv.gz")) <= reading.LONGEST_NAME
    assert reading.plain_name("x" * 300 + ".csv.gz").endswith(".csv.gz")


@pytest.mark.parametrize(("content", "name"), [(CSV, "mine.csv"), (LIBSVM, "mine.svm")])
def test_the_store_gives_back_what_it_got(shelf, content, name):
    table = reading.read_upload(content, name)
    dataset = samples.dataset(table, name, ("x",) if name == "mine.csv" else (1,), test_size=0.5)
    choices = {"name": name, "task": "classification", "options": {"positive": "x"}}
    token = shelf.put(dataset, content, choices)
    again = store.Store(shelf.folder).get(token)  # as another process would
    assert (again.content, again.choices) == (content, choices)
    for part in ("X", "y", "X_test", "y_test"):
        ours, theirs = (getattr(data_set, part) for data_set in (dataset, again.dataset))
        assert type(ours) is type(theirs)
        assert abs(ours - theirs).sum() == 0
    assert list(again.dataset.feature_names) == list(dataset.feature_names)
    assert [path.name for path in shelf.folder.iterdir()] == [f"{token}.npz"]


@pytest.mark.parametrize("token", ["", "../x", "a" * 31, "A" * 32, "a" * 32 + "\n", None, "g" * 32])
def test_a_token_is_thirty_two_hex_digits(shelf, token):
    with pytest.raises(InputError, match="not on this server"):
        shelf.get(token)


def test_the_store_forgets_and_fills(shelf):
    dataset, choices = small(), {"name": "mine.csv"}
    token = shelf.put(dataset, CSV, choices)
    path = shelf.folder / f"{token}.npz"
    os.utime(path, (0, 0))
    shelf._clean()
    with pytest.raises(InputError, match="no longer on the server"):
        shelf.get(token)
    with pytest.raises(InputError, match=r"This upload of .* has no room"):
        shelf.put(dataset, os.urandom(2**20), choices)
    path.write_bytes(pickle.dumps(os.getcwd))  # whatever lies there is not unpickled
    with pytest.raises(InputError, match="no longer on the server"):
        shelf.get(token)


def test_a_slice_of_the_fuzzer():
    outcomes, _, _ = fuzz_uploads.fuzz(FUZZED, seed=7)
    assert outcomes["problem"] > FUZZED // 20
    assert outcomes["sentence"] > FUZZED // 2
    # To trace every allocation takes its time.
    assert fuzz_uploads.fuzz(FUZZED // 20, seed=8, watch_memory=True)[2] <= fuzz_uploads.MEGABYTES


def test_what_is_for_everybody_is_kept_once(shelf):
    choices = {"name": "mine.csv", "options": {"positive": "x"}}
    tokens = {shelf.put(small(), CSV, choices, None) for _ in range(20)}
    assert len(tokens) == len(list(shelf.folder.iterdir())) == 1
    other = shelf.put(small(), CSV, choices | {"options": {"positive": "y"}}, None)
    assert other not in tokens
    assert shelf.get(other).choices["options"]["positive"] == "y"


def test_a_visitor_has_a_share(shelf):
    """The visitor's own oldest uploads make room, and nobody else's."""
    dataset = small()

    def give(visitor, when, size=100_000):
        token = shelf.put(dataset, os.urandom(size), {"name": "mine.csv"}, visitor)
        os.utime(shelf.folder / f"{token}.npz", (when, when))
        return token

    now = time.time()
    others = give("10.0.0.2", now - 50)
    mine = [give("10.0.0.1", now - 40 + age) for age in range(4)]
    share = store.SHARE * shelf.most
    stays = [(shelf.folder / f"{token}.npz").exists() for token in (others, *mine)]
    assert stays == [True, False, False, True, True]
    usage = sum(path.stat().st_size for path in shelf.folder.iterdir() if path.name[:8] == mine[0][:8])
    assert usage <= share
    assert others[:8] != mine[0][:8]
    with pytest.raises(InputError, match="has no room"):
        shelf.put(dataset, os.urandom(int(share)), {"name": "mine.csv"}, "10.0.0.1")
    # What is refused costs nothing.
    assert [(shelf.folder / f"{token}.npz").exists() for token in (others, *mine)] == stays


def test_the_store_outlives_its_folder_and_says_that_its_disk_is_full(tmp_path, monkeypatch):
    shelf = store.Store(tmp_path / "folder")
    dataset = small()
    assert shelf.get(shelf.put(dataset, CSV, {"name": "mine.csv"})).content == CSV

    def full(path, content, sync=True):
        raise OSError(28, "No space left on device", str(path))

    monkeypatch.setattr(store.storage, "write", full)
    with pytest.raises(InputError, match="could not keep the upload \\(No space left on device\\)"):
        shelf.put(dataset, CSV, {"name": "mine.csv"})


def test_the_store_of_a_process_opens_at_its_first_use():
    store.close_store()
    opened = store.store()
    assert store.store() is opened
    assert opened.folder.is_dir()
    store.close_store()
    assert not opened.folder.exists()
