"""Tables as people keep them, each with a known truth, and what a careful person would make of it.

Each has the text of a file, and the same samples as clean numbers and categories: from these a pipeline of
scikit-learn is made by hand. What is untidy is in the writing alone.
"""

import io
from typing import NamedTuple

import numpy as np
import pandas as pd

ROWS, TRAIN = 400, 300


class Untidy(NamedTuple):
    """One table.

    Attributes
    ----------
    name : str
        The file's.
    content : callable
        The rows' numbers to the bytes of a file of them.
    clean : DataFrame
        The features as a careful person has them: floats, and texts for categories.
    target : ndarray
    options : dict
        What `wb.fit` is told besides.
    spelling : dict
        What `wb.data.read` is told.
    """

    name: str
    content: object
    clean: pd.DataFrame
    target: np.ndarray
    options: dict
    spelling: dict


def made(seed, labels=True):
    """Features with their truth: two numbers, a positive amount, a share, a category, and the target."""
    draw = np.random.default_rng(seed)
    clean = pd.DataFrame(
        {
            "dose": draw.normal(size=ROWS).round(3),
            "length": (50 + 9 * draw.normal(size=ROWS)).round(2),
            "amount": np.exp(7 + draw.normal(size=ROWS)).round(2),
            "share": draw.uniform(0, 100, ROWS).round(1),
            "site": draw.choice(["north", "south", "east"], ROWS),
        }
    )
    z = 1.5 * clean["dose"] - 0.12 * (clean["length"] - 50) + 0.03 * (clean["share"] - 50)
    z = z + np.log(clean["amount"]) - 7 + (clean["site"] == "north") + 0.5 * draw.normal(size=ROWS)
    target = np.where(z > z.median(), "ill", "well") if labels else z.to_numpy().round(3)
    return clean, target


def csv(frame, **options):
    return frame.to_csv(index=False, **options).encode()


def written(change=lambda frame, rows: frame, encode=csv):
    """A writer of a table's rows, its columns changed first."""
    return lambda clean, target: (
        lambda rows: encode(change(clean.assign(outcome=target).iloc[rows].reset_index(drop=True), rows))
    )


def spelled(column, form):
    return written(lambda frame, rows: frame.assign(**{column: [form(value) for value in frame[column]]}))


def with_column(make):
    """A column that says nothing of the target."""
    return written(lambda frame, rows: pd.concat([pd.Series(make(rows), name="extra"), frame], axis=1))


def holes(mark):
    def change(frame, rows):
        return frame.assign(length=frame["length"].astype(object).where(~GONE[rows], mark))

    return written(change)


def german(frame):
    return frame.to_csv(index=False, sep=";", decimal=",").encode()


def json_lines(frame):
    return frame.to_json(orient="records", lines=True).encode()


def parquet(frame, **options):
    file = io.BytesIO()
    frame.to_parquet(file, **options)
    return file.getvalue()


def thousands(value):
    return f"{value:,.2f}"


GONE = np.random.default_rng(9).random(ROWS) < 0.05
IDS = 2**60 + np.arange(ROWS)
LARGE = 1e16 + 2.0 * (np.arange(ROWS) % 2)
PLAIN = {}
KINDS = {
    "thousands.csv": (spelled("amount", thousands), PLAIN, {"thousands": ","}),
    "apostrophes.csv": (
        spelled("amount", lambda v: thousands(v).replace(",", "'")),
        PLAIN,
        {"thousands": "'"},
    ),
    "spaces.csv": (
        spelled("amount", lambda v: thousands(v).replace(",", "\u00a0")),
        PLAIN,
        {"thousands": " "},
    ),
    "underscores.csv": (
        spelled("amount", lambda v: thousands(v).replace(",", "_")),
        PLAIN,
        {"thousands": "_"},
    ),
    "german.csv": (written(encode=german), PLAIN),
    "tabs.tsv": (written(encode=lambda frame: csv(frame, sep="\t")), PLAIN),
    "bars.txt": (written(encode=lambda frame: csv(frame, sep="|")), PLAIN),
    "windows.csv": (spelled("site", lambda v: f"größe {v}"), PLAIN),
    "utf16.csv": (written(encode=lambda frame: csv(frame).decode().encode("utf-16")), PLAIN),
    "old-mac.csv": (written(encode=lambda frame: csv(frame, lineterminator="\r")), PLAIN),
    "all-quoted.csv": (written(encode=lambda frame: csv(frame, quoting=1)), PLAIN),
    "excel.csv": (written(encode=lambda frame: b"sep=;\n" + csv(frame, sep=";")), PLAIN),
    "lines.jsonl": (written(encode=json_lines), PLAIN),
    "frame.parquet": (written(encode=parquet), PLAIN),
    "indexed.parquet": (written(encode=lambda frame: parquet(frame.set_index("dose"))), PLAIN),
    "index.csv": (written(encode=lambda frame: frame.to_csv().encode()), PLAIN),
    "na.csv": (holes("NA"), {"missing": "mean"}),
    "question.csv": (holes("?"), {"missing": "median"}),
    "constant.csv": (with_column(lambda rows: np.full(len(rows), 1e25)), PLAIN),
    "large.csv": (with_column(lambda rows: [f"{LARGE[k]:.0f}" for k in rows]), PLAIN),
    "ids.csv": (with_column(lambda rows: IDS[rows]), PLAIN),
}


def tables():
    """All of them; every third has numbers to predict."""
    tables = []
    for seed, (name, (write, options, *spelling)) in enumerate(KINDS.items()):
        spelling = spelling[0] if spelling else {}
        clean, target = made(seed, labels=seed % 3 != 2)
        encode = write(clean, target)
        if "missing" in options:
            clean = clean.assign(length=clean["length"].where(~GONE))
        if name == "windows.csv":
            tables.append(
                Untidy(
                    name,
                    lambda rows, encode=encode: encode(rows).decode().encode("cp1252"),
                    clean,
                    target,
                    options,
                    spelling,
                )
            )
        else:
            tables.append(Untidy(name, encode, clean, target, options, spelling))
    return tables


# Columns with cells that are not numbers, or not in the notation of the file: texts, letter by letter.
TEXTS = {
    "per cent": ("share", lambda v: f"{v}%"),
    "per cent with a space": ("share", lambda v: f"{v} %"),
    "dollars": ("amount", lambda v: f"${thousands(v)}"),
    "euros": ("amount", lambda v: f"{v:.2f} €"),
    "codes": ("amount", lambda v: f"USD {v:.2f}"),
    "marks between thousands": ("amount", thousands),
    "brackets": ("dose", lambda v: f"({-v})" if v < 0 else f"{v}"),
    "a minus of its own": ("dose", lambda v: str(v).replace("-", "\u2212")),
    "units": ("length", lambda v: f"{v} cm"),
    "quoted commas": ("length", lambda v: str(v).replace(".", ",")),
    "one word among numbers": ("length", lambda v: "unknown" if v < 40 else f"{v}"),
    "two currencies": ("amount", lambda v: f"{'$' if v < 999 else '€'}{v}"),
    "per cent and shares": ("share", lambda v: f"{v}%" if v > 50 else f"{v / 100}"),
    "bounds": ("length", lambda v: "<40" if v < 40 else f"{v}"),
    "two notations": ("amount", lambda v: thousands(v) if v < 2000 else f"{v}"),
    "complex numbers": ("dose", lambda v: f"{v}+1j"),
    "dates": ("dose", lambda v: f"2024-01-{1 + int(abs(v) * 9) % 28:02d}"),
}
