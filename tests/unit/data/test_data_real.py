"""The real collections: their counts, which the literature and the files' readers agree on."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse

import workbench.data as data
from workbench._support.errors import InputError
from workbench.data import places, reuters

# Counted once in the complete collection; the Mod-Apte split is defined by its documents.
REUTERS_TRAIN, REUTERS_TEST, REUTERS_TOPICS = 9603, 3299, 118
# The features that the rule gives, the constant included.
REUTERS_FEATURES, REUTERS_NONZEROS = 27376, 693773
REUTERS_POSITIVES = {"acq": 1650, "trade": 369}


def need(name: str, title: str) -> None:
    """Skip without the data, but fail where the data belong."""
    result = data.locate(name) if os.environ.get(places.VARIABLE) else None
    folder = Path(os.environ.get(places.VARIABLE, ""))
    if result is None or folder not in (result, *result.parents):
        text = f"{title} is not in WORKBENCH_DATA"
        if os.environ.get("CI"):
            pytest.fail(text)
        pytest.skip(text)


@pytest.fixture(scope="session")
def real_cache(tmp_path_factory):
    """One cache folder for all tests on the real collection, so that it is parsed once."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def real_reuters(real_cache, monkeypatch):
    need("reuters21578", "Reuters-21578")
    monkeypatch.setattr(places, "cache_folder", lambda: real_cache)
    return real_cache


@pytest.mark.reuters
@pytest.mark.parametrize(("category", "positives"), REUTERS_POSITIVES.items())
def test_reuters_has_the_counts_of_the_mod_apte_split(real_reuters, category, positives):
    task = data.load("reuters21578", category=category)
    assert task.X.shape[0] == len(task.y) == REUTERS_TRAIN
    assert task.X_test.shape[0] == len(task.y_test) == REUTERS_TEST
    assert task.X.shape[1] == task.X_test.shape[1] == len(task.feature_names)
    assert int((task.y == 1).sum()) == positives
    assert set(np.unique(task.y)) == set(np.unique(task.y_test)) == {-1.0, 1.0}


@pytest.mark.reuters
def test_reuters_features_are_binary_with_the_constant_last(real_reuters):
    task = data.load("reuters21578")
    for X in (task.X, task.X_test):
        assert sparse.issparse(X)
        assert X.dtype == np.float64
        assert X.indices.dtype == np.int32
        assert X.has_canonical_format
        assert (X.data == 1).all()
        assert (X[:, [-1]].toarray() == 1).all()
    assert (task.X.shape[1], task.X.nnz) == (REUTERS_FEATURES, REUTERS_NONZEROS)
    assert task.feature_names[-1] == "(constant)"
    assert list(task.feature_names[:-1]) == sorted(set(task.feature_names[:-1]))
    assert (np.bincount(task.X.indices, minlength=task.X.shape[1]) > 0).all()
    assert task.summary.startswith("reuters21578 (acq): n = 9603, d = ")
    assert task.summary.endswith(" non-zeros, 17.2 % positive, 3299 test rows")


@pytest.mark.reuters
def test_reuters_topics_are_118_sorted_and_three_have_no_training_document(real_reuters):
    counts = reuters.topics()
    assert len(counts) == REUTERS_TOPICS
    assert list(counts) == sorted(counts)
    assert {name: counts[name] for name in REUTERS_POSITIVES} == REUTERS_POSITIVES
    assert [name for name, count in counts.items() if count == 0] == ["cottonseed", "f-cattle", "sfr"]


@pytest.mark.reuters
def test_an_unknown_category_names_the_nearest(real_reuters):
    with pytest.raises(InputError, match=r"'crud' is not one of the 118 categories; the nearest are crude"):
        data.load("reuters21578", category="crud")


@pytest.mark.parametrize(
    ("name", "n", "d", "positives"),
    [("a9a", 32561, 123, 7841), ("w8a", 49749, 300, 1479), ("news20", 15935, 62061, None)],
)
def test_the_benchmark_files_have_their_sizes(name, n, d, positives):
    need(name, name)
    task = data.load(name)
    assert task.X.shape[1] == task.X_test.shape[1] == d
    assert len(task.y) + len(task.y_test) == n
    assert len(task.y_test) == int(np.ceil(0.2 * n))
    assert set(np.unique(task.y)) == {-1.0, 1.0}
    assert positives in (None, int((task.y == 1).sum() + (task.y_test == 1).sum()))
    assert abs(np.mean(task.y == 1) - np.mean(task.y_test == 1)) < 1 / len(task.y_test)
