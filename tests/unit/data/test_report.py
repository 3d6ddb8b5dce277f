"""The report of a fit: one page that fetches nothing, says what holds, and escapes what the file holds."""

import html.parser

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

import workbench as wb
from workbench._support.display import cards, svg, words
from workbench.cli import app
from workbench.data.tables import report


class Texts(html.parser.HTMLParser):
    """The texts of a page and its elements' names, after a check that every element is closed."""

    VOID = frozenset({"meta", "br", "path", "circle"})

    def __init__(self, page):
        super().__init__()
        self.open, self.names, self.texts = [], [], []
        self.feed(page)
        assert not self.open

    def handle_starttag(self, tag, attributes):
        self.names.append(tag)
        assert not {"src", "href"} & {name for name, _ in attributes}
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.names.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append(data)


def frame():
    draw = np.random.default_rng(0)
    x = draw.standard_normal((80, 2))
    labels = np.where(x @ [1.0, -2.0] + draw.standard_normal(80) > 0, "<b>good</b>", "bad")
    return pd.DataFrame({"<script>alert(1)</script>": x[:, 0], "b": 1000.0 * x[:, 1], "y": labels})


@pytest.mark.parametrize(
    "options", [{}, {"test_size": 0.25}, {"lam": 0.1}, {"kernel": "rbf:gamma=0.5", "lam": 0.01}]
)
def test_a_page_is_whole_offline_and_escaped(options, tmp_path):
    frame().to_csv(tmp_path / "a.csv", index=False)
    model = wb.fit(tmp_path / "a.csv", **options)
    page = report.page(model)
    parser = Texts(page)
    text = " ".join(parser.texts)
    assert "script" not in parser.names
    assert "b" not in parser.names
    assert "<b>good</b>" in text
    assert words.of_solution(model.solution) in text
    assert "λ = " in text
    assert ("svg" in parser.names) == (len(model.solution.columns["epoch"]) > 0)
    assert report.python_line(model) in text


def test_the_line_of_python_repeats_the_fit(tmp_path):
    frame().to_csv(tmp_path / "a.csv", index=False)
    for options in (
        {"loss": "hinge", "lam": 0.05, "leave_out": ["b"]},
        {"one_se": True, "max_epochs": 7, "test_size": 0.25, "standardize": False, "regularizer": "l1"},
    ):
        first = wb.fit(tmp_path / "a.csv", **options)
        line, scope = report.python_line(first), {}
        assert all(f"{name}=" in line for name in options)
        exec(line, scope)
        np.testing.assert_array_equal(scope["model"].solution.w, first.solution.w)


def test_the_notation_of_the_file_is_repeated_and_is_that_of_files_to_predict(tmp_path):
    old, new = tmp_path / "old.csv", tmp_path / "new.csv"
    old.write_text("p;n;y\n" + "".join(f"{k}.{100 + k},5;{k};{k % 2}\n" for k in range(1, 9)))
    new.write_text("p;n\n1.500;1\n2.250;2\n")
    table = wb.data.read(old, "y", thousands=".")
    model = wb.fit(table, lam=0.1)
    assert model.spelling == {"thousands": "."}
    scope = {}
    exec(report.python_line(model), scope)
    np.testing.assert_array_equal(scope["model"].solution.w, model.solution.w)
    model.save(tmp_path / "m.npz")
    expected = model.predict(pd.DataFrame({"p": [1500.0, 2250.0], "n": [1, 2]}))["score"]
    assert wb.Model.load(tmp_path / "m.npz").predict(new)["score"].tolist() == expected.tolist()
    command = ["predict", str(tmp_path / "m.npz"), str(new)]
    lines = CliRunner().invoke(app, command).stdout.splitlines()
    assert [float(line.split(",")[2]) for line in lines[1:]] == expected.tolist()
    point = CliRunner().invoke(app, [*command, "--decimal", "."]).stdout.splitlines()
    assert float(point[1].split(",")[2]) != expected[0]


def test_the_held_out_score_is_that_of_rows_nobody_saw(tmp_path):
    whole = frame()
    model = wb.fit(whole, test_size=0.25, seed=0)
    X, y = model.held_out
    right = np.mean(np.where(model.solution.decision_function(X) >= 0, 1.0, -1.0) == y)
    error = np.sqrt(right * (1 - right) / 20)
    assert model.score == ("accuracy", right, pytest.approx(error), model.score.baseline, 20, 0)
    assert model.score.text == f"{100 * right:.1f} % ± {100 * error:.1f}"


@pytest.mark.parametrize("test_size", [None, 0.25])
@pytest.mark.parametrize("is_labelled", [True, False])
def test_noise_does_not_read_as_a_success(is_labelled, test_size):
    rng = np.random.default_rng(5)
    X, noise = rng.normal(size=(200, 3)), rng.normal(size=200)
    for strength, is_clear in ((0.0, False), (3.0, True)):
        y = strength * X[:, 0] + noise
        model = wb.fit(X, np.where(y > 0.3, "yes", "no") if is_labelled else y, test_size=test_size)
        score = model.score
        assert score.is_clear is is_clear
        assert ("not clearly better than" in score.line) is not is_clear
        for text in (cards.model(model), report.page(model)):
            assert text.index(score.text) < text.index("has an objective lower by more than")
            assert ("not clearly better than" in text) is not is_clear
        trained = model.run.problem.y
        held_out, within = (trained, 0.05) if test_size is None else (model.held_out[1], 1e-12)
        usual = np.sign(trained.sum()) if is_labelled else trained.mean()
        wrong = held_out - usual
        expected = np.mean(wrong == 0.0) if is_labelled else 1.0 - np.mean(wrong**2) / np.var(held_out)
        assert score.baseline == pytest.approx(expected, abs=within)


def test_folds_in_threads_give_the_same_path():
    whole = frame()
    alone, several = (wb.fit(whole, n_jobs=n_jobs) for n_jobs in (None, 2))
    assert several.choice.path == alone.choice.path
    assert (several.solution.w == alone.solution.w).all()
    with pytest.raises(wb.InputError, match="fit: n_jobs = 0 is not a whole number"):
        wb.fit(whole, n_jobs=0)


def test_a_model_without_held_out_rows_says_so():
    model = wb.fit(frame(), lam=0.1)
    assert model.score is None
    assert "was not measured" in cards.model(model)
    assert report.NOT_MEASURED.split(";")[0] in report.page(model)


@pytest.mark.parametrize(
    ("gap", "text"), [(1e-4, "0.010 %"), (9.91e-5, "0.0100 %"), (1.234e-6, "0.00013 %"), (0.0, "rounding")]
)
def test_a_gap_in_percent_is_rounded_up(gap, text):
    assert words.percent(gap) == text


def test_a_chart_leaves_out_what_cannot_be_drawn():
    line = svg.Line("a", [1.0, 10.0, 100.0, -1.0], [1.0, np.nan, 3.0, 4.0], dots=True)
    drawn = svg.chart([line], "title", "x", "y", x_log=True)
    assert drawn.count("<circle") == 2
    assert "nan" not in drawn
    assert "nothing to draw" in svg.chart([svg.Line("a", [0.0], [1.0])], "t", "x", "y", x_log=True)
