"""Untidy tables give what a careful pipeline gives; what is no number as a whole stays text, and is named."""

import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegressionCV, RidgeCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

import workbench as wb
from tests.corpora import untidy_tables
from workbench.data.tables import reading

TABLES = untidy_tables.tables()
TRAIN, TEST = np.arange(untidy_tables.TRAIN), np.arange(untidy_tables.TRAIN, untidy_tables.ROWS)


def careful(table):
    """The score on the last rows of what a person makes of the clean samples by hand."""
    labels = table.target.dtype.kind == "U"
    columns = make_column_transformer(
        (
            make_pipeline(SimpleImputer(strategy=table.options.get("missing", "mean")), StandardScaler()),
            make_column_selector(dtype_include="number"),
        ),
        (OneHotEncoder(), make_column_selector(dtype_exclude="number")),
    )
    last = LogisticRegressionCV(max_iter=500, cv=5) if labels else RidgeCV(np.logspace(-4, 3, 15))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # scikit-learn's own, of what will change in it
        fitted = make_pipeline(columns, last).fit(table.clean.iloc[TRAIN], table.target[TRAIN])
    return fitted.score(table.clean.iloc[TEST], table.target[TEST])


# A column that says nothing of the target, and tables with numbers or labels to predict.
HARD = ("thousands.csv", "german.csv", "constant.csv", "large.csv", "ids.csv")


def files(table, folder):
    """The file of the first rows and that of the last."""
    paths = [folder / part / table.name for part in ("train", "test")]
    for path, rows in zip(paths, (TRAIN, TEST), strict=True):
        path.parent.mkdir()
        path.write_bytes(table.content(rows))
    return paths


@pytest.mark.parametrize("table", TABLES, ids=[table.name for table in TABLES])
def test_an_untidy_table_gives_what_its_clean_samples_give(table, tmp_path):
    paths, clean = files(table, tmp_path), table.clean.assign(outcome=table.target)
    model = wb.fit(wb.data.read(paths[0], "outcome", **table.spelling), lam=0.1, **table.options)
    other = wb.fit(clean.iloc[TRAIN].reset_index(drop=True), "outcome", lam=0.1, **table.options)
    numbers = [each.name for each in model.features.decisions if each.kind == "number"]
    assert set(numbers) >= {"dose", "length", "amount", "share"}
    if table.name in ("large.csv", "ids.csv"):  # these have a column more
        return
    rows = reading.open_file(paths[1], labelled=False, **table.spelling)
    found, expected = model.predict(rows), other.predict(clean.iloc[TEST].reset_index(drop=True))
    np.testing.assert_allclose(found["score"], expected["score"], rtol=1e-6, atol=1e-9)
    if model.task.labels:
        assert (found["label"].to_numpy() == expected["label"].to_numpy()).all()


@pytest.mark.parametrize("table", [table for table in TABLES if table.name in HARD], ids=HARD)
def test_an_untidy_table_gives_what_careful_hands_give(table, tmp_path):
    paths = files(table, tmp_path)
    model = wb.fit(wb.data.read(paths[0], "outcome", **table.spelling), **table.options)
    assert model.solution.relative_gap <= 1e-4
    rows = reading.open_file(paths[1], labelled=False, **table.spelling)
    found, truth = model.predict(rows), table.target[TEST]
    if model.task.labels:
        score = np.mean(found["label"].to_numpy() == truth)
    else:
        score = 1.0 - np.sum((found["score"] - truth) ** 2) / np.sum((truth - truth.mean()) ** 2)
    assert score >= careful(table) - 0.02


@pytest.mark.parametrize("name", untidy_tables.TEXTS)
def test_what_is_no_number_as_a_whole_stays_text_and_is_named(name, tmp_path):
    column, form = untidy_tables.TEXTS[name]
    clean, target = untidy_tables.made(5)
    (tmp_path / "a.csv").write_bytes(untidy_tables.spelled(column, form)(clean, target)(TRAIN))
    table = wb.data.read(tmp_path / "a.csv")
    assert table.frame[column].tolist() == [form(value) for value in clean[column].iloc[TRAIN]]
    others = table.frame.drop(columns=[column, "site"], errors="ignore")
    pd.testing.assert_frame_equal(others, clean[list(others)].iloc[TRAIN], check_dtype=False)
    assert [note for note in table.notes if note.startswith(f"column {column!r} is text")]


WIDE = {
    "ids": 2**60 + np.arange(40),
    "large": 1e16 + 2.0 * (np.arange(40) % 2),
    "constant": np.full(40, 1e25),
    "tenth": np.full(40, 0.1),
    "tiny": 1e-300 * np.arange(40),
    "huge": 1e90 * np.arange(40),
    "plain": np.arange(40) % 7,
    "years": 2000 + np.arange(40) % 9,
}
LEFT_OUT = {"ids", "constant", "tenth"}


@pytest.mark.parametrize("by_file", [False, True])
def test_what_is_said_of_standardization_is_true_of_every_column(by_file, tmp_path):
    frame = pd.DataFrame(WIDE | {"y": ["a", "b"] * 20})
    if by_file:
        frame.to_csv(tmp_path / "a.csv", index=False)
    table = wb.data.read(tmp_path / "a.csv") if by_file else frame
    features = wb.fit(table, lam=0.1).features
    X = features.transform(table.frame if by_file else frame)
    assert {each.name for each in features.decisions if not each.is_used} == LEFT_OUT
    said = features.describe()
    for name, column in zip(features.names, X.T, strict=True):
        if "become 0 and 1" not in said[name]:
            assert name == "tiny"
            continue
        exact = WIDE[name].tolist()
        shifted = np.array([float(value - exact[0]) for value in exact])
        unit = np.abs(shifted).max()
        expected = (shifted / unit - np.mean(shifted / unit)) / np.std(shifted / unit)
        np.testing.assert_allclose(column, expected, rtol=0, atol=1e-9, err_msg=name)


def test_columns_far_from_zero_are_used_after_a_model_was_saved(tmp_path):
    signal = np.arange(60) % 2
    frame = pd.DataFrame({"id": 2**60 + np.arange(60), "far": 1e16 + 2.0 * signal, "c": 1e25})
    frame["y"] = np.where(signal == 1, "yes", "no")
    model = wb.fit(frame, lam=1e-3)
    model.save(tmp_path / "model.npz")
    found = wb.Model.load(tmp_path / "model.npz").predict(frame)
    assert (found["label"] == frame["y"]).all()
    np.testing.assert_array_equal(found["score"], model.predict(frame)["score"])


@pytest.mark.parametrize("form", ["a.csv", "a.jsonl", "a.parquet"])
def test_whole_numbers_beside_empty_cells_keep_their_digits(form, tmp_path):
    ids = [2**60 + k for k in range(40)]
    frame = pd.DataFrame({"id": pd.array([*ids[:-1], None], dtype="Int64"), "y": ["a", "b"] * 20})
    path = tmp_path / form
    {
        "a.csv": lambda: frame.to_csv(path, index=False),
        "a.parquet": lambda: frame.to_parquet(path),
        "a.jsonl": lambda: frame.to_json(path, orient="records", lines=True),
    }[form]()
    table = wb.data.read(path)
    assert table.frame["id"].tolist() == [*map(str, ids[:-1]), None]
    assert any("does not hold all of their digits" in note for note in table.notes)


def test_decimals_are_numbers_and_dates_are_dates():
    from datetime import date
    from decimal import Decimal

    frame = pd.DataFrame({"price": [Decimal("1.25"), Decimal(3)] * 10, "y": ["a", "b"] * 10})
    assert wb.fit(frame, lam=0.1).features.decisions[0].kind == "number"
    model = wb.fit(
        frame.assign(day=[date(2024, 1, 1 + k) for k in range(20)])[["day", "price", "y"]], lam=0.1
    )
    assert "column 'day': left out: it holds dates" in model.notes
