"""Messages name arguments to a caller in Python, and options to a user of the command line."""

import numpy as np
import pandas as pd
import pytest

import workbench as wb
from tests.corpora import table
from tests.helpers.commands import invoke
from workbench._support.display.options import as_options
from workbench.pages.your_data.new_rows import for_the_page

OPTIONS = {
    "lam": "--lam",
    "missing": "--missing",
    "leave_out": "--leave-out",
    "target": "--target",
    "bias": {"True": "--fit-intercept", "constant": "--penalize-intercept"},
    "max_epochs": "max_iter=",
}
SENTENCES = table("misuse")["sentences"]


@pytest.mark.parametrize("sentence", SENTENCES)
def test_arguments_become_options(sentence):
    assert as_options(sentence, OPTIONS) == SENTENCES[sentence]
    assert as_options(sentence, {}) == sentence


X = np.random.default_rng(0).normal(size=(30, 2))
WHOLE = pd.DataFrame({"a b": X[:, 0], "c": X[:, 1], "kind": np.where(X[:, 0] > 0, "yes", "no")})
DAYS = [f"2024-01-{k + 1:02d}" for k in range(30)]
# A table, what is asked of it in Python and on the command line, and what each caller is told.
CALLS = {
    "empty cells": (
        WHOLE.assign(c=np.where(X[:, 1] > 1, np.nan, X[:, 1])),
        {},
        [],
        'missing="mean", "median", "drop" or "indicator"',
        "--missing mean, median, drop or indicator",
    ),
    "a target of dates": (WHOLE.assign(kind=DAYS), {}, [], 'target="NAME"', "--target NAME"),
    "three labels": (
        WHOLE.assign(kind=["x", "y", "z"] * 10),
        {"loss": "hinge"},
        ["--loss", "hinge"],
        "positive='z'",
        "--positive z",
    ),
    "no lambda": (WHOLE, {"lam": -1.0}, ["--lam", "-1"], "lam = -1.0 must be", "--lam -1.0 must be"),
    "a norm": (
        WHOLE,
        {"lam": 0.1, "regularizer": "l1", "solver": "gauss-seidel"},
        ["--lam", "0.1", "--regularizer", "l1", "--solver", "gauss-seidel"],
        "use solver='proximal-gradient'",
        "use --solver proximal-gradient",
    ),
    "no folds": (
        WHOLE,
        {"lam": 0.1, "max_epochs": -1},
        ["--lam", "0.1", "--max-epochs", "-1"],
        "max_epochs = -1 must be",
        "--max-epochs -1.0 must be",
    ),
}


@pytest.mark.parametrize("case", CALLS)
def test_messages_name_arguments_or_options_of_their_caller(case, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    frame, arguments, options, python, command = CALLS[case]
    frame.to_csv("mine.csv", index=False)
    for source in (frame, "mine.csv"):
        with pytest.raises(wb.InputError) as caught:
            wb.fit(source, "kind", **arguments)
        assert python in str(caught.value)
        assert "--" not in str(caught.value)
    result = invoke("solve", "mine.csv", "--target", "kind", *options)
    assert result.exit_code == 2
    assert command in result.stderr
    assert python not in result.stderr


def test_the_page_names_its_controls():
    with pytest.raises(wb.InputError) as caught:
        wb.fit(CALLS["empty cells"][0], "kind")
    said = for_the_page(str(caught.value))
    assert "go on with “Empty cells”: mean, median, drop or indicator" in said


def test_predict_names_the_option_of_the_training(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    wb.fit(WHOLE, "kind", lam=0.1).save("model.npz")
    CALLS["empty cells"][0].to_csv("holes.csv", index=False)
    result = invoke("predict", "model.npz", "holes.csv")
    assert "train with --missing mean, median or indicator" in result.stderr
