"""A table asks for a problem by its target, and faults of its columns are named with the fix."""

import sys

import numpy as np
import pandas as pd
import pytest

import workbench as wb
from workbench._support.errors import InputError

ROWS = [
    (1.5, -2.0, "red", "yes"),
    (2.25, 0.5, "green", "no"),
    (-3.0, 1e-3, "red", "yes"),
    (0.5, 4.0, "blue", "no"),
]
FRAME = pd.DataFrame(ROWS * 4, columns=["width", "length", "colour", "kind"])


def test_parquet_without_its_package_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    (tmp_path / "a.parquet").write_bytes(b"PAR1")
    with pytest.raises(InputError, match=r"needs pyarrow.*\[parquet\]"):
        wb.data.read(tmp_path / "a.parquet")


@pytest.mark.parametrize(
    ("values", "kind", "loss", "words"),
    [
        (["no", "yes"], "margin", "logistic", "yes is +1"),
        ([0, 1], "margin", "logistic", "1 is +1"),
        ([2.5, 3.5], "margin", "logistic", "3.5 is +1"),
        ([True, False], "margin", "logistic", "True is +1"),
        (["a", "b", "c"], "classes", "multinomial", "3 labels"),
        ([1, 2, 3], "classes", "multinomial", "3 labels"),
        ([0.5, 2.0, 3.25], "residual", "squared", "numbers from 0.5 to 3.25"),
    ],
)
def test_what_is_not_given_is_chosen_from_the_target_and_said(values, kind, loss, words):
    frame = pd.DataFrame({"x": np.arange(12) % 5, "y": (values * 12)[:12]})
    task = wb.fit(frame, lam=0.1).task
    assert (task.kind, task.loss) == (kind, loss)
    assert words in task.sentence
    if len(values) == 2:
        other = wb.fit(frame, lam=0.1, positive=values[0], loss="hinge").task
        assert other.labels == (task.labels[::-1] if task.labels[1] != values[0] else task.labels)
        assert other.loss == "hinge"


N = 30
PLAIN = {"x": np.linspace(0.0, 1.0, N) ** 2, "y": ["a", "b"] * (N // 2)}
BAD = {
    "one label": ({"y": ["a"] * N}, {}, r"'y' has one label only, 'a' in all 30 rows; name another column"),
    "constant": ({"y": [2.5] * N}, {}, r"'y' has one number only, '2.5' in all 30 rows"),
    "index": ({"y": range(N)}, {}, r"'y' is nearly an index, with 30 different values in 30 rows; name the"),
    "names": ({"y": [f"n{k}" for k in range(N)]}, {}, r"'y' is nearly an index"),
    "empty": ({"x": [None, *np.arange(N - 1) % 7]}, {}, r"empty cells in x \(1\); go on with missing=.mean."),
    "no target": ({"y": [None] + ["a", "b"] * 14 + ["a"]}, {}, r"'y' is empty in 1 of 30 rows"),
    "date": ({"x": [f"2024-01-{k + 1:02d}" for k in range(N)]}, {}, "no column left .*: 'x', it holds dates"),
    "text": ({"x": [f"it was number {k}" for k in range(N)]}, {}, "'x', nearly every row has a text of its"),
    "infinite": ({"z": [1e400, *range(N - 1)]}, {}, r"row 1, column 'z': 'inf' is infinite or above 1.8e308"),
    "huge": ({"z": [1e300, *range(N - 1)]}, {}, r"column 'z': '1e\+300' is above .* too large to be squared"),
    "three labels": ({"y": ["a", "b", "c"] * 10}, {"loss": "hinge"}, r"takes two; give .*positive='c'"),
    "words": ({}, {"loss": "squared"}, r"holds a, b and no numbers, which the loss squared needs"),
    "positive": ({}, {"positive": "q"}, r"no sample has the label positive='q'; the labels of 'y' are a, b"),
    "target": ({}, {"target": "q"}, r"target='q' is not a column; its columns are x, y, or 0 to 1 by number"),
    "leave out": ({}, {"leave_out": ["q"]}, r"no column 'q' to leave out; its columns are x"),
    "missing": ({}, {"missing": "zero"}, r"missing: unknown choice 'zero'; use one of mean, median, drop"),
}


@pytest.mark.parametrize(("columns", "options", "words"), BAD.values(), ids=BAD)
def test_bad_input_is_named_with_the_fix(columns, options, words, tmp_path):
    frame = pd.DataFrame(PLAIN | columns)
    frame = frame[[*frame.columns.drop("y"), "y"]]
    for source in (frame, tmp_path / "bad.csv"):
        frame.to_csv(tmp_path / "bad.csv", index=False)
        with pytest.raises(InputError, match=words):
            wb.fit(source, lam=0.1, **options)


def test_unknown_categories_and_missing_columns_are_named():
    model = wb.fit(FRAME, lam=0.1)
    with pytest.raises(InputError, match=r"lacks 2 columns 'length', 'colour'"):
        model.predict(FRAME[["width"]])
    new = FRAME.assign(colour="mauve")
    with pytest.raises(
        InputError, match=r"did not see, 'mauve' in 'colour'; correct them, or give unknown=.ignore."
    ):
        model.predict(new)
    assert model.predict(new, unknown="ignore").shape == (16, 3)
    with pytest.raises(InputError, match=r"empty cells in width \(1\)"):
        model.predict(FRAME.assign(width=[np.nan, *FRAME["width"][1:]]))


def test_a_damaged_model_is_refused_by_name(tmp_path):
    from workbench._support.system import files

    model = wb.fit(FRAME, lam=0.1)
    path = tmp_path / "model.npz"
    model.save(path)
    meta, arrays = files.load(path)
    for change, words in (
        ({"task": {}}, r"model.entries are not those of a model"),
        ({"features": None}, r"model.features is 'None', not an object"),
    ):
        files.save(path, {**meta.entries, "model": meta.entries["model"] | change}, arrays.entries)
        with pytest.raises(InputError, match=words):
            wb.Model.load(path)
    model.save(path)
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2])
    with pytest.raises(InputError, match="is not a file that the workbench saved"):
        wb.Model.load(path)
