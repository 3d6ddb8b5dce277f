"""Every file of the table of cases has the values of a careful reading, or is refused in one sentence."""

import csv
import math

import numpy as np
import pytest

import workbench as wb
from tests.corpora import table_cases
from tests.helpers.commands import invoke
from tests.helpers.uploads import solved
from workbench._support.errors import InputError
from workbench.data.tables import limits, reading, text


def cells(series):
    return [None if isinstance(cell, float) and math.isnan(cell) else cell for cell in series.tolist()]


def written(folder, name, content):
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


@pytest.mark.parametrize("name", table_cases.READ)
def test_values_are_those_of_a_careful_reading(name, tmp_path):
    content, options, columns = table_cases.READ[name]
    frame = reading.open_file(written(tmp_path, name, content), labelled=False, **options).frame
    assert {column: cells(frame[column]) for column in frame} == columns
    for column, values in columns.items():
        is_text = any(isinstance(value, str) for value in values)
        assert (frame[column].dtype.kind not in "ifb") == is_text, column


@pytest.mark.parametrize("name", table_cases.LIBSVM)
def test_samples_of_libsvm_are_those_of_a_careful_reading(name):
    content, X, y = table_cases.LIBSVM[name]
    result = reading.open_upload(content, name)
    assert (result.matrix.toarray().tolist(), result.y.tolist()) == (X, y)


DOORS = {
    "read": lambda path: wb.data.read(path),
    "load": lambda path: wb.data.load(path),
    "fit": lambda path: wb.fit(path, lam=1.0),
    "upload": lambda path: solved(path.read_bytes(), path.name),
    "drop": lambda path: reading.read_upload(path.read_bytes(), path.name),
}
# A server takes less than a reader of one's own files.
SERVED = {"bomb.csv.gz", "bomb.zip", "far.svm", "beyond.svm"}


@pytest.mark.parametrize("name", table_cases.REFUSED)
def test_every_door_refuses_in_the_same_sentence(name, tmp_path):
    content, words = table_cases.REFUSED[name]
    path, sentences = written(tmp_path, name, content), set()
    for door, call in DOORS.items():
        if door in ("read", "load", "fit") and name in SERVED:
            continue
        with pytest.raises(InputError, match=words) as refusal:
            call(path)
        sentences.add(str(refusal.value).replace("100000000", "100000"))
    (sentence,) = sentences
    assert sentence.startswith(name)
    assert "\n" not in sentence


NOTES = {
    "sales.csv": [
        "'a' is text, such as '1.000,5' and '2,5'; thousands='.' decimal=','",
        "'d' is text, such as",
    ],
    "known-comma.csv": ["'1.002' and '999'; decimal='.' or thousands='.' decimal=','"],
    "comma-of-three.csv": [
        "'n' is text, such as '1,050' and '2,300'; decimal=',' or thousands=',' decimal='.' reads it"
    ],
    "comma-and-whole.tsv": ["'6,562' and '999'; decimal=',' or thousands=',' decimal='.'"],
    "point-of-three.csv": ["decimal in column 'n', such as '6.562' and '7.120'; thousands='.' reads"],
    "space.csv": ["'p' is text, such as '1 234,56' and '2,25'; thousands=' ' decimal=','"],
    "units.csv": ["'w' is text, such as '1,050 kg' and '2,300 kg'; write plain numbers"],
    "money.csv": ["'w' is text"],
    "per-cent.csv": ["'w' is text"],
    "versions.csv": ["'w' is text"],
    "addresses.csv": ["'w' is text"],
    "times.csv": ["'w' is text"],
    "post-codes.csv": ["'w' is text, such as '01067' and '80331', since numbers do not begin with a zero"],
    "word-among-numbers.csv": ["'w' is text, since 'none yet' stands among numbers such as '1'"],
    "long-whole-numbers.csv": ["does not hold all of their digits"],
    "polish.csv": ["read as cp1250"],
    "japanese.csv": ["read as cp932"],
    "ends-with-empty-cells.csv": ["lines left out at the end since they have empty cells only: 2"],
}


@pytest.mark.parametrize("name", NOTES)
def test_notes_name_the_column_two_cells_and_what_converts_it(name, tmp_path):
    notes = reading.open_file(written(tmp_path, name, table_cases.READ[name][0])).notes
    for words in NOTES[name]:
        assert any(words in note for note in notes), notes


CODES = "cabin,level,unit,y\nD23,L2,s0,0\nC94,L0,s1,1\nB5,L1,s2,0\n"


@pytest.mark.parametrize("content", [table_cases.SHORT.decode(), CODES])
def test_a_column_of_plain_numbers_or_of_codes_has_no_note(content, tmp_path):
    assert len(reading.open_file(written(tmp_path, "a.csv", content)).notes) == 1


def test_a_column_of_dates_is_said_to_hold_dates(tmp_path):
    notes = reading.open_file(written(tmp_path, "sales.csv", table_cases.SALES)).notes
    assert "column 'd' is text, such as '24.12.2024' and '01.01.2025', which are dates" in notes


@pytest.mark.parametrize("door", [wb.data.read, wb.data.load, wb.fit, reading.read])
def test_an_address_is_refused_by_name(door):
    with pytest.raises(InputError, match=r"^https://example\.org/a\.csv is an address .* download the file"):
        door("https://example.org/a.csv")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"decimal": ";"}, r"decimal=';' is not known; use one of '.', ','"),
        ({"thousands": "x"}, "thousands='x' is not known"),
        ({"thousands": ",", "decimal": ","}, "both ','; give two different marks"),
        ({"skip": -1}, "skip=-1 is not a number of lines"),
        ({"encoding": "utf-9"}, "encoding='utf-9' is not known"),
        ({"encoding": "ascii"}, "is not in the encoding ascii"),
    ],
)
def test_arguments_that_do_not_fit_are_refused(options, words, tmp_path):
    with pytest.raises(InputError, match=words):
        wb.data.read(written(tmp_path, "a.csv", "größe,y\n1,0\n2,1\n"), **options)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("".join(["a;y\n", *(f"1.{100 + k},5;{k % 2}\n" for k in range(20))]), "thousands='.' decimal=','"),
        (
            "".join(["a;y\n", *(f"{k},5;1.{100 + k},5 €\n" for k in range(30))]),
            "write plain numbers to use it",
        ),
    ],
)
def test_a_refusal_says_which_texts_look_like_numbers(text, words, tmp_path):
    path = written(tmp_path, "a.csv", text)
    with pytest.raises(InputError, match=r"column '[ay]' is text, such as") as refusal:
        wb.fit(path, lam=1.0)
    assert words in str(refusal.value)


# 200,000 columns took 16 s before anything was said of them.
def test_too_many_columns_are_refused_before_they_are_parsed(tmp_path, monkeypatch):
    monkeypatch.setattr(text, "_parse", lambda *args, **options: pytest.fail("cells were parsed"))
    path = written(tmp_path, "a.csv", "a" + ",a" * limits.WIDEST + "\n")
    with pytest.raises(InputError, match=r"a\.csv, line 1: 100,001 columns, and at most 100,000"):
        wb.data.read(path)


def test_commands_take_how_a_text_is_written(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    written(tmp_path, "a.csv", table_cases.SALES)
    common = ["--thousands", ".", "--decimal", ","]
    solved = invoke("solve", "a.csv", *common, "--leave-out", "d", "--lam", "1", "--force")
    assert solved.exit_code == 0, solved.output
    assert "--decimal . reads it as numbers" in solved.output
    predicted = invoke("predict", "a.model.npz", "a.csv", *common)
    assert predicted.exit_code == 0, predicted.output
    refused = invoke("solve", "a.csv", "--skip", "-1")
    assert refused.exit_code == 2
    assert "--skip -1 is not a number of lines" in refused.output


def spelled(number, decimal, thousands):
    """A number as people write it; an independent writer, digit by digit."""
    whole, _, rest = f"{number:.{5}f}".partition(".")
    sign, digits = ("-", whole[1:]) if whole.startswith("-") else ("", whole)
    groups = []
    while len(digits) > 3:
        digits, last = digits[:-3], digits[-3:]
        groups.insert(0, last)
    rest = rest.rstrip("0")
    return sign + thousands.join([digits, *groups]) + (decimal + rest if rest else "")


def drawn_column(draw, decimal, rows):
    """Cells, the number that each stands for, and the mark between thousands with which it was written."""
    thousands = ["", "", {".": ",", ",": "."}[decimal], " ", "'"][draw.integers(5)]
    digits, size = draw.integers(0, 5), 10.0 ** draw.integers(0, 7)
    numbers = (draw.normal(size=rows) * size).round(digits) + 0.0
    return [spelled(number, decimal, thousands) for number in numbers], numbers


@pytest.mark.parametrize("separator", [";", "\t", "|", ","])
@pytest.mark.parametrize("decimal", [".", ","])
def test_a_column_has_its_values_or_is_text(separator, decimal, tmp_path):
    draw, numeric = np.random.default_rng(60), 0
    for _ in range(30):
        columns = [drawn_column(draw, decimal, 12) for _ in range(draw.integers(2, 5))]
        with (tmp_path / "a.csv").open("w", newline="", encoding="utf-8") as file:
            rows = zip(*(cells for cells, _ in columns), strict=True)
            csv.writer(file, delimiter=separator).writerows([[f"c{j}" for j in range(len(columns))], *rows])
        frame = reading.open_file(tmp_path / "a.csv").frame
        for j, (cells, numbers) in enumerate(columns):
            column = frame[f"c{j}"]
            if column.dtype.kind in "if":
                np.testing.assert_array_equal(column, numbers, err_msg=f"{cells}")
                numeric += 1
            else:
                assert column.tolist() == cells
    assert numeric > 20


def test_a_cell_beyond_the_limit_of_csv_is_named():
    before = csv.field_size_limit(100)
    try:
        with pytest.raises(InputError, match=r"long\.csv, line 3: a cell has more than 100 letters"):
            reading.open_upload(b"a,y\n1,0\n" + b"x" * 140 + b",1\n", "long.csv")
    finally:
        csv.field_size_limit(before)
