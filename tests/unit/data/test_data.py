"""Data sets by name: the bundled ones, the benchmark files, names, options and places."""

from __future__ import annotations

import gzip

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split

import workbench.data as data
from workbench._support.errors import InputError
from workbench.data import bundled, places
from workbench.data.split import one_against_rest, split_rows

# The first six weights of the target; the others are zero.
ZHANG_TARGET = np.array([1, 1, 1, 1, 1, -1])


# Bundled and generated data


@pytest.mark.parametrize(
    ("n", "classes", "share"), [(9, 1, 0.2), (57, 3, 0.37), (200, 11, 0.2), (40, 40, 0.5)]
)
def test_rows_are_split_as_by_scikit_learn(n, classes, share):
    y = np.random.default_rng(n).integers(0, classes, n)
    strata = y if classes < n else None
    expected = train_test_split(np.arange(n), test_size=share, random_state=0, stratify=strata)
    for part, rows in zip(split_rows(y, "test", share), expected, strict=True):
        np.testing.assert_array_equal(part, rows)


def test_the_columns_of_breast_cancer_are_named_as_by_scikit_learn():
    assert data.load("breast-cancer").feature_names == tuple(load_breast_cancer().feature_names)


def test_breast_cancer_is_standardized_by_its_training_part():
    task = data.load("breast-cancer")
    assert task.X.shape == (455, 30)
    assert task.X_test.shape == (114, 30)
    np.testing.assert_allclose(task.X.mean(axis=0), 0, atol=1e-12)
    np.testing.assert_allclose(task.X.std(axis=0), 1, rtol=1e-12)
    assert abs(task.X_test.mean(axis=0)).max() > 1e-3
    # 212 of the 569 are malignant.
    assert int((task.y == 1).sum() + (task.y_test == 1).sum()) == 212
    assert len(task.feature_names) == 30
    assert repr(task) == f"Dataset({task.summary})"


@pytest.mark.parametrize(
    ("options", "share"), [({}, 891), ({"positive": 3}, 183), ({"positive": (1, 7)}, 361)]
)
def test_digits(options, share):
    task = data.load("digits", **options)
    assert task.X.shape == (1437, 64)
    assert task.X.min() == 0
    assert task.X.max() == 1
    assert int((task.y == 1).sum() + (task.y_test == 1).sum()) == share


@pytest.mark.parametrize("positive", [(), 10, -1, tuple(range(10)), "3", 2.5, True, None])
def test_digits_that_are_none_are_refused(positive):
    with pytest.raises(InputError, match=r"digits: positive=.*write for example positive=\(3, 8\)"):
        data.load("digits", positive=positive)


@pytest.mark.parametrize("name", ["breast-cancer", "digits"])
def test_splits_are_stratified_and_the_same_each_time(name):
    task, again = data.load(name), data.load(name)
    assert np.array_equal(task.X, again.X)
    assert np.array_equal(task.y_test, again.y_test)
    assert abs(np.mean(task.y == 1) - np.mean(task.y_test == 1)) < 1 / len(task.y_test)


def test_a_split_without_repeated_labels_is_drawn_freely():
    y = np.linspace(0, 1, 50)
    train, test = split_rows(y, "here", 0.1)
    assert (len(train), len(test)) == (45, 5)
    assert sorted([*train, *test]) == list(range(50))
    with pytest.raises(InputError, match="1 rows cannot be split"):
        split_rows(y[:1], "here")


@pytest.mark.parametrize("d", [6, 500])
def test_zhang_margins_and_flips(d):
    task = data.load("zhang-artificial", d=d, n=1000, seed=3)
    assert task.X.shape == task.X_test.shape == (1000, d)
    for X, y in ((task.X, task.y), (task.X_test, task.y_test)):
        assert X.dtype == np.float64
        assert set(np.unique(X)) == {0.0, 1.0}
        margins = X[:, :6] @ ZHANG_TARGET - 2
        assert (np.abs(margins) >= 1).all()
        assert int((np.sign(margins) != y).sum()) == 50
    # A fair coin over the components that play no part: five standard deviations.
    free = task.X[:, 6:]
    assert d == 6 or abs(free.mean() - 0.5) < 5 * 0.5 / np.sqrt(free.size)


def test_zhang_is_the_same_for_the_same_seed():
    first, second, other = (data.load("zhang-artificial", d=20, n=50, seed=seed) for seed in (1, 1, 2))
    assert np.array_equal(first.X, second.X)
    assert np.array_equal(first.y_test, second.y_test)
    assert not np.array_equal(first.X, other.X)


@pytest.mark.parametrize("options", [{"d": 5}, {"n": 0}, {"n": 2.5}, {"seed": -1}, {"d": True}, {"d": "9"}])
def test_zhang_refuses_wrong_sizes(options):
    with pytest.raises(InputError, match=f"zhang-artificial: {next(iter(options))}=.*is not a whole number"):
        data.load("zhang-artificial", **options)


def test_zhang_refuses_what_fills_the_memory():
    with pytest.raises(InputError, match="keep 2 n d at"):
        data.load("zhang-artificial", d=10**6, n=10**6)


# The benchmark files


def test_benchmark_files_in_every_compression(places_of_test):
    _, folder = places_of_test
    text = "".join(f"{1 if i % 4 == 0 else -1} {i % 5 + 1}:1 9:{i}\n" for i in range(40))
    (folder / "a9a").write_text(text)
    plain = data.load("a9a")
    assert data.locate("a9a") == data.fetch("a9a") == folder / "a9a"
    (folder / "a9a").unlink()
    (folder / "a9a.gz").write_bytes(gzip.compress(text.encode()))
    packed = data.load("a9a")
    assert np.array_equal(plain.X.toarray(), packed.X.toarray())
    assert plain.summary == "a9a: n = 32, d = 9, 64 non-zeros, 25.0 % positive, 8 test rows"
    assert plain.feature_names[0] == "feature 1"
    assert plain.feature_names[-2:] == ("feature 8", "feature 9")


def test_news20_takes_the_positive_classes(places_of_test):
    _, folder = places_of_test
    (folder / "news20").write_text("".join(f"{i % 20 + 1} {i % 7 + 1}:2\n" for i in range(200)))
    task = data.load("news20")
    assert np.mean(task.y) == np.mean(task.y_test) == 0
    assert np.mean(data.load("news20", positive=3).y == 1) == 1 / 20
    with pytest.raises(
        InputError, match=r"news20: no sample has the label positive=21; the labels are 1, 2, "
    ):
        data.load("news20", positive=(1, 21))


@pytest.mark.parametrize("name", list(bundled.SUFFIXES))
def test_a_missing_benchmark_file_says_where_to_get_it(places_of_test, name):
    assert data.locate(name) is None
    for call in (data.load, data.fetch):
        with pytest.raises(InputError, match=rf"{name} is not here: get it from https://.*WORKBENCH_DATA"):
            call(name)


# Names, options and places


def test_available_lists_every_name_and_where_it_lies(places_of_test):
    _, folder = places_of_test
    (folder / "w8a.bz2").write_bytes(b"")
    entries = {entry.name: entry for entry in data.available()}
    where = {name: entry.where for name, entry in entries.items()}
    assert where == {
        "breast-cancer": "bundled",
        "digits": "bundled",
        "zhang-artificial": "bundled",
        "reuters21578": "download",
        "a9a": "not here",
        "w8a": str(folder / "w8a.bz2"),
        "news20": "not here",
    }
    assert entries["zhang-artificial"].options == {"d": 500, "n": 1000, "seed": 0}
    assert all(entry.description for entry in entries.values())


def test_a_variable_that_names_no_folder_is_told(places_of_test, monkeypatch):
    monkeypatch.setenv(places.VARIABLE, "/no/such/folder")
    with pytest.raises(InputError, match="WORKBENCH_DATA names '/no/such/folder', which is not a folder"):
        data.load("reuters21578")
    assert {entry.where for entry in data.available()} == {"bundled", "not here"}


def test_an_unknown_name_lists_the_known_ones():
    with pytest.raises(
        InputError, match=r"'reuters' is not a data set, did you mean 'reuters21578'\?.*path of a file"
    ):
        data.load("reuters")
    for call in (data.load, data.locate, data.fetch):
        with pytest.raises(InputError, match="breast-cancer, digits, zhang-artificial"):
            call("nothing like it")


@pytest.mark.parametrize("name", [None, 3, b"a9a", ("a9a",), "", "\0", "x" * 5000])
def test_what_is_no_name_is_refused(name):
    with pytest.raises(InputError, match="a9a, w8a, news20"):
        data.load(name)


def test_an_unknown_option_lists_what_there_is():
    with pytest.raises(InputError, match="zhang-artificial has no option 'rows'; it takes d, n, seed"):
        data.load("zhang-artificial", rows=3)
    with pytest.raises(InputError, match="breast-cancer has no option 'seed'; it takes none"):
        data.load("breast-cancer", seed=3)


def test_bundled_data_have_no_file():
    assert data.locate("digits") is None
    with pytest.raises(InputError, match="digits is bundled"):
        data.fetch("digits")


def test_one_against_rest_compares_numbers_as_numbers_and_texts_as_texts():
    assert one_against_rest(np.array([3.0, 1.0]), "3", "here").tolist() == [1, -1]
    assert one_against_rest(np.array(["3", "a"]), ("a",), "here").tolist() == [-1, 1]
    with pytest.raises(InputError, match="positive is empty"):
        one_against_rest(np.array([3.0]), (), "here")
    with pytest.raises(InputError, match="'a' is not a number"):
        one_against_rest(np.array([3.0]), "a", "here")
