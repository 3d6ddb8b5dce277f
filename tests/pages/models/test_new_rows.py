"""Predictions for new rows on Your data: the numbers of `workbench predict`, and what is said of them."""

import contextlib
import io
import shlex
import sys

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

import workbench as wb
from tests.helpers.uploads import solved
from workbench._support.errors import InputError
from workbench.cli import app
from workbench.data.tables import limits, reading, report
from workbench.pages.your_data import model as your_data
from workbench.pages.your_data import new_rows

PEOPLE = "colour,dose,age,outcome\n" + "".join(
    f"{'red' if j % 3 else 'blue'},{'' if j % 11 == 7 else j % 7},{j % 5},{'ill' if j % 7 > 3 else 'well'}\n"
    for j in range(60)
)
NEW = "age,shoe,dose,colour\n1,40,6,red\n2,41,,blue\n4,39,0,\n"
HEIGHTS = "width;height;target\n" + "".join(
    f"{j % 13},5;{(5 * j) % 17};{3 * (j % 13) - 2 * ((5 * j) % 17) + j % 2}\n" for j in range(50)
)
# Indices from 0; the new rows have no feature 0, which alone would tell.
SPARSE = "".join(f"{1 if j % 4 > 1 else -1} 0:{j % 4} 1:{j % 7} 3:{(3 * j) % 5}\n" for j in range(40))


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def fitted(content, name, missing=None):
    """The page's model of a file."""
    return solved(content.encode(), name, missing)


@pytest.fixture(scope="module")
def people():
    return fitted(PEOPLE, "people.csv", "indicator")


def by_command(model, name, content, *options):
    """Return what `workbench predict` prints for a model and a file in the present folder."""
    model.save("model.npz")
    with open(name, "wb") as file:
        file.write(content)
    result = CliRunner().invoke(app, ["predict", "model.npz", name, *options])
    assert result.exit_code == 0, result.output
    return result.stdout


def same_as_command(model, name, content):
    prediction = new_rows.predicted(model, content, name)
    text = io.StringIO(by_command(model, name, content))
    printed = pd.read_csv(text, index_col="index")
    printed_columns = prediction.table[prediction.new_columns]
    assert printed_columns.shape[1] == (printed.shape[1] if model.task.labels else 1)
    for made, column in zip(prediction.new_columns, printed.columns, strict=False):
        expected = printed[column]
        assert printed_columns[made].isna().tolist() == expected.isna().tolist()
        assert printed_columns[made].dropna().tolist() == expected.dropna().tolist()
    return prediction


@pytest.mark.parametrize("missing", ["mean", "indicator", "drop"])
def test_words_and_missing_cells_as_on_the_command_line(folder, missing):
    prediction = same_as_command(fitted(PEOPLE, "people.csv", missing), "new.csv", NEW.encode())
    assert prediction.new_columns == ["predicted outcome", "predicted score", "predicted probability well"]
    assert prediction.heads == ["prediction", "score", "P(well)"]
    assert prediction.table.columns.tolist()[:4] == ["age", "shoe", "dose", "colour"]
    without = prediction.table[prediction.new_columns].isna().any(axis=1).tolist()
    assert without == ([False, True, True] if missing == "drop" else [False] * 3)
    assert ("that have no prediction, as in training: 2." in prediction.sentences[0]) == (missing == "drop")


def test_several_classes_as_on_the_command_line(folder):
    name, content = your_data.example("A table with texts as labels")
    prediction = same_as_command(solved(content, name), "again.csv", content)
    labels = prediction.table["predicted label"]
    counts = labels.value_counts()
    assert (
        prediction.sentences[0]
        == "again.csv: 150 rows predicted; "
        + ", ".join(f"{label}: {count}" for label, count in counts.items())
        + "."
    )
    right = int((labels == prediction.table["label"]).sum())
    assert right > 140
    assert (
        f"with the column label: {right} of 150 are right, an accuracy of {right / 1.5:.1f} %."
        in (prediction.sentences[1])
    )
    name, content = your_data.example("LIBSVM, ten classes")
    digits = new_rows.predicted(solved(content, name), content, name)
    assert all(
        f"{digit}: {count}" in digits.sentences[0]
        for digit, count in digits.table["predicted label"].value_counts().items()
    )
    shares = [name for name in prediction.new_columns if name.startswith("predicted probability ")]
    np.testing.assert_allclose(prediction.table[shares].sum(axis=1), 1.0)


def test_numbers_as_on_the_command_line(folder):
    model = fitted(HEIGHTS, "heights.csv")
    new = b"height;width\n3;1,5\n16;12,5\n"
    prediction = same_as_command(model, "new.csv", new)
    assert prediction.new_columns == ["predicted target"]
    assert prediction.sentences[0].startswith("new.csv: 2 rows predicted, from ")
    assert len(prediction.sentences) == 1
    judged = new_rows.predicted(model, HEIGHTS.encode(), "heights.csv")
    residual = judged.table["target"] - judged.table["predicted target"]
    error, r2 = np.sqrt((residual**2).mean()), 1 - residual.var(ddof=0) / judged.table["target"].var(ddof=0)
    assert f"root mean square error {error:.4g}, R² {r2:.3f} on 50 rows." in judged.sentences[1]


@pytest.mark.parametrize("new", [b"1 1:2 3:1\n-1 3:4\n", b"1 0:1\n-1\n"])
def test_libsvm_counts_its_features_as_in_training(folder, new):
    model = fitted(SPARSE, "train.libsvm")
    prediction = new_rows.predicted(model, new, "new.libsvm")
    assert (
        by_command(model, "new.libsvm", new).split()
        == prediction.table["predicted label"].astype(str).tolist()
    )
    X = np.zeros((2, 4))
    for i, line in enumerate(new.decode().splitlines()):
        for j, value in (pair.split(":") for pair in line.split()[1:]):
            X[i, int(j)] = float(value)
    np.testing.assert_allclose(prediction.table["predicted score"], X @ model.solution.w + model.solution.b)
    pairs = [" ".join(line.split()[1:]) for line in new.decode().splitlines()]
    assert prediction.table["features"].tolist() == pairs


def test_the_download_is_one_tidy_table(people):
    content = "dose,colour,age,index,predicted outcome\n1,red,2,7,ill\n3,blue,1,8,well\n"
    prediction = new_rows.predicted(people, content.encode(), "new.csv")
    table = pd.read_csv(io.StringIO(prediction.csv()))
    assert table.columns.tolist() == [
        "index 2",
        "dose",
        "colour",
        "age",
        "index",
        "predicted outcome",
        "predicted outcome 2",
        "predicted score",
        "predicted probability well",
    ]
    assert table["index"].tolist() == [7, 8]
    np.testing.assert_array_equal(table["predicted score"], prediction.table["predicted score"])


def test_labels_that_are_there_are_compared(people):
    content = "dose,colour,age,outcome\n6,red,1,ill\n0,red,2,ill\n6,blue,2,\n1,red,3,dead\n"
    said = " ".join(new_rows.predicted(people, content.encode(), "new.csv").sentences)
    assert "with the column outcome: 1 of 2 are right, an accuracy of 50.0 %." in said
    assert "empty or not one of the model's: 2." in said
    assert "ill where" not in said
    assert "well where it is at least 0, else ill." in said
    words = HEIGHTS.replace("width;height;target\n", "width;height;target\n1;2;tall\n", 1).encode()
    said = new_rows.predicted(fitted(HEIGHTS, "heights.csv"), words, "new.csv").sentences
    assert said[1].startswith("Not compared with its labels: new.csv, row 1, column 'target': 'tall' is not")


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("new.csv", b"dose,age\n1,2\n", "new.csv lacks the column 'colour'; give every column"),
        (
            "new.csv",
            b"dose,age,colour\n1,2,green\n",
            "'green' in 'colour'; correct them, or switch on “Accept unknown categories” to count",
        ),
        ("new.csv", b"dose,age,colour\nmuch,2,red\n", "row 1, column 'dose': 'much' is not a finite number"),
        ("new.libsvm", b"1 1:2\n", "does not hold the named columns that the model was trained on"),
        (
            "new.jsonl",
            b'{"colour": "red", "age": 2, "dose": 1' + b"0" * 400 + b"}",
            "row 1, column 'dose': '10000000",
        ),
        ("new.csv", b"1\n" * 300_000, "new.csv: 300,000 lines, and at most 200,000"),
        ("new.csv", b"0" * (limits.UPLOAD.megabytes * limits.MEGABYTE + 1), "new.csv has more than 20 MB"),
    ],
)
def test_a_bad_file_is_refused_with_the_field_and_the_fix(people, name, content, words):
    with pytest.raises(InputError) as refusal:
        new_rows.predicted(people, content, name)
    sentence = new_rows.for_the_page(str(refusal.value))
    assert words in sentence
    assert "--" not in sentence


def test_empty_cells_are_refused_where_training_had_none():
    model = fitted(HEIGHTS, "heights.csv")
    with pytest.raises(InputError) as refusal:
        new_rows.predicted(model, b"width;height\n;3\n", "new.csv")
    assert new_rows.for_the_page(str(refusal.value)) == (
        "new.csv: empty cells in width (1); fill them in, or train with “Empty cells”: mean, median or "
        "indicator."
    )


def test_the_target_is_the_one_that_is_named():
    model = solved(PEOPLE.encode(), "people.csv", "mean", "colour")
    assert model.task.labels == ("blue", "red")
    prediction = new_rows.predicted(model, b"dose,age,outcome\n1,2,ill\n", "new.csv")
    assert prediction.new_columns[0] == "predicted colour"
    assert "target='colour'" in report.python_line(model)
    with pytest.raises(InputError, match="'size'"):
        solved(PEOPLE.encode(), "people.csv", "mean", "size")


@pytest.mark.parametrize("last", [["2", "2"], map(str, range(40)), ["2020-01-01", "2021-01-01"]])
def test_refusals_of_a_fit_name_the_controls_of_the_page(last):
    content = "a,b\n" + "".join(f"{k % 7},{cell}\n" for k, cell in enumerate(last))
    with pytest.raises(InputError) as refusal:
        solved(content.encode(), "new.csv")
    sentence = new_rows.for_the_page(str(refusal.value))
    assert "“predict this”" in sentence
    assert "--" not in sentence


def test_unknown_categories_are_accepted_when_asked(people, folder):
    content = b"dose,age,colour\n1,2,green\n"
    prediction = new_rows.predicted(people, content, "new.csv", new_rows.IGNORE)
    printed = by_command(people, "new.csv", content, "--unknown", "ignore")
    assert float(printed.splitlines()[1].split(",")[2]) == prediction.table["predicted score"][0]


@pytest.mark.parametrize("unknown", [new_rows.REFUSE, new_rows.IGNORE])
def test_the_code_that_is_shown_gives_the_numbers_that_are_shown(people, folder, unknown):
    name = "the new 'rows'.csv"
    prediction = new_rows.predicted(people, NEW.encode(), name, unknown)
    (folder / name).write_text(NEW)
    people.save("model.npz")
    python, command = new_rows.code(people, name, unknown)
    space, printed = {}, io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(python.replace("print(", "shown = (", 1) + "\nprint(shown)", space)
    assert "outcome" not in printed.getvalue()
    assert len(printed.getvalue().splitlines()) == 4
    shown = space["shown"]
    assert shown["label"].tolist() == prediction.table["predicted outcome"].tolist()
    np.testing.assert_array_equal(shown["score"], prediction.table["predicted score"])
    program, *arguments = shlex.split(command)
    assert program == "workbench"
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0, result.output
    np.testing.assert_array_equal(
        pd.read_csv("predictions.csv")["score"], prediction.table["predicted score"]
    )


def test_the_preview_escapes_the_file(people):
    content = "dose,age,colour,<i>note</i>\n1,2,red,<script>alert(1)</script>\n"
    prediction = new_rows.predicted(people, content.encode(), "new.csv")
    text = new_rows.first_rows(prediction)
    assert "<i>" not in text
    assert "<script>" not in text
    assert "&lt;script&gt;" in text


def test_rows_whose_index_repeats_itself_keep_their_order():
    model = fitted(PEOPLE, "people.csv", "drop")
    frame = pd.DataFrame(
        {"colour": ["red", "red", "blue"], "dose": [1.0, 6.0, None], "age": 1.0}, index=["a", "a", "b"]
    )
    predictions = model.predict(frame)
    assert predictions.index.tolist() == ["a", "a", "b"]
    assert predictions["score"].iloc[0] == model.predict(frame.iloc[:1])["score"].iloc[0]
    assert predictions["label"].isna().tolist() == [False, False, True]


@pytest.mark.parametrize("suffix", ["csv", "jsonl", "npy"])
def test_new_rows_of_one_column_need_no_label(suffix):
    train = "".join(f"{j % 9},{2 * (j % 9) + j % 2}\n" for j in range(40))
    model = fitted("column 0,column 1\n" + train, "train.csv")
    file = io.BytesIO()
    np.save(file, np.array([[3.0]]))
    content = {"csv": b"column 0\n3\n", "jsonl": b'{"column 0": 3}\n', "npy": file.getvalue()}[suffix]
    prediction = new_rows.predicted(model, content, f"new.{suffix}")
    w, b = model.own_units
    np.testing.assert_allclose(prediction.table[prediction.new_columns[0]], [3.0 * w[0] + b])


def test_new_rows_are_not_kept(people, monkeypatch, tmp_path):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    opened = []
    sys.addaudithook(
        lambda event, arguments: opened is not None and event == "open" and opened.append(arguments)
    )
    new_rows.predicted(people, NEW.encode(), "new.csv").csv()
    writes = [path for path, mode, _ in opened if isinstance(mode, str) and set(mode) & set("wax+")]
    opened = None
    assert writes == []
    assert list(tmp_path.iterdir()) == []


def test_an_upload_reads_as_the_file_does(folder):
    (folder / "new.csv").write_text(NEW)
    one, other = reading.open_file(folder / "new.csv"), reading.open_upload(NEW.encode(), "new.csv")
    assert one.name == other.name == "new.csv"
    pd.testing.assert_frame_equal(one.frame, other.frame)
    assert wb.data.read("new.csv").frame.shape == (3, 3)
