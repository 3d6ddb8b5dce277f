"""`workbench reproduce`, its report and the readings of records; the tables themselves take minutes."""

import errno
import json
from html.parser import HTMLParser

import numpy as np
import pytest
from typer.testing import CliRunner

from tests.helpers.amounts import few
from workbench import studies as experiments
from workbench.cli import app
from workbench.pages import reproductions
from workbench.studies import cache, engine, results, scores, verdicts, zhang_table_1

HOSTILE = '<script>alert("x")</script>'


class Addresses(HTMLParser):
    """Addresses that the tags of a page point to or fetch."""

    def __init__(self):
        super().__init__()
        self.found = []

    def handle_starttag(self, tag, attrs):
        self.found += [value for name, value in attrs if name in ("src", "href")]


# Wider than the 80 columns of a file or a pipe.
LONG = "a kernel with a long name: " + ", ".join(f"parameter {k} = {k / 3:.4f}" for k in range(6))


def square(draw):
    """The toy experiment's task."""
    return {"square": draw * draw, "seconds": 0.1}


def toy_summary(records):
    values = [record["square"] for record in records]
    return results.Summary(
        tables=(results.Table("Squares", ("name", "ours"), ((LONG, results.Value(2.5, 0.5)),)),),
        plots=(
            results.Plot(
                HOSTILE,
                "draw",
                "square",
                (
                    results.Curve("ours", (1.0, 2.0), (1.0, 4.0), low=(0.5, 3.0), high=(1.5, 5.0)),
                    results.Curve(HOSTILE, (1.0, 2.0), (0.0, float("nan")), published=True),
                ),
                y_scale="log",
            ),
        ),
        claims=(
            results.Claim("squares grow", values[-1] > values[0], f"{values}"),
            results.Claim("squares shrink", False, HOSTILE),
            results.Claim("squares are primes", None, "no"),
        ),
        notes=("a note",),
    )


TOY = results.Experiment(
    name="toy",
    title="Squares",
    source="nobody (2002)",
    tasks=lambda seeds: [engine.Task(square, {"draw": draw}) for draw in range(seeds)],
    follow=lambda records: [engine.Task(square, {"draw": len(records) + 1})],
    summarize=toy_summary,
    seeds=3,
)


@pytest.fixture
def toy(monkeypatch, tmp_path):
    monkeypatch.setattr(experiments, "get", lambda name: TOY)
    monkeypatch.setattr(experiments, "NAMES", ("toy",))
    monkeypatch.setattr(cache, "default_folder", lambda: tmp_path / "kept")
    return tmp_path


def invoke(*arguments):
    return CliRunner().invoke(app, ["reproduce", *arguments, "--scheduler", "synchronous"])


@pytest.mark.parametrize("name", few(["all", "toy"], 1))
def test_prints_tables_verdicts_and_notes(toy, name):
    said = invoke(name)
    assert said.exit_code == 0, said.output
    for text in (
        "2.5 ± 0.5",
        LONG,
        "holds: squares grow; [0, 1, 4, 16]",
        "not decided: squares are primes",
        "a note",
    ):
        assert text in said.stdout
    assert len(list((toy / "kept").iterdir())) == 4


def test_json_is_one_object_with_seeds_versions_and_command(toy):
    said = invoke("toy", "--json", "--seeds", "2")
    report = json.loads(said.stdout)
    chapter = report["experiments"]["toy"]
    assert (chapter["seeds"], chapter["command"]) == (2, "workbench reproduce toy --seeds 2")
    assert [claim["verdict"] for claim in chapter["claims"]] == ["holds", "does not hold", "not decided"]
    assert "NaN" not in said.stdout
    assert {"workbench", "Python", "numpy", "scipy", "numba"} <= set(report["versions"])


def test_the_report_stands_alone_and_escapes_what_it_shows(toy):
    said = invoke("toy", "--report", str(toy / "new" / "folder"))
    assert said.exit_code == 0, said.output
    page = (toy / "new" / "folder" / "report.html").read_text(encoding="utf-8")
    body = page[page.index("<body>") :]
    addresses = Addresses()
    addresses.feed(page)
    assert set(addresses.found) == {"#toy"}
    assert HOSTILE not in body
    assert str(toy) not in page
    for text in ("nobody (2002)", "2.5 ± 0.5", "does not hold", "workbench reproduce toy", "seeds 0 to 2"):
        assert text in body


def test_misuse_is_a_sentence(toy, monkeypatch):
    (toy / "file").touch()
    said = invoke("toy", "--report", str(toy / "file"))
    assert (said.exit_code, "is a file; name a folder" in said.stderr) == (2, True)
    monkeypatch.setattr(engine, "run", lambda *_, **__: (_ for _ in ()).throw(KeyboardInterrupt))
    said = invoke("toy")
    assert (said.exit_code, "finished tasks are kept" in said.stderr) == (130, True)


def test_a_full_disk_for_the_report_is_a_sentence(toy, monkeypatch):
    assert invoke("toy", "--report", str(toy / "report")).exit_code == 0
    before = (toy / "report" / "report.html").read_bytes()

    def full(_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    said = invoke("toy", "--report", str(toy / "report"))
    assert (said.exit_code, "No space left on device" in said.stderr) == (2, True)
    assert "report.html" in said.stderr
    assert [path.name for path in (toy / "report").iterdir()] == ["report.html"]
    assert (toy / "report" / "report.html").read_bytes() == before


def test_break_even_points_are_where_precision_is_recall():
    labels, values = [1, 0, 1, 1, 0, 0], [0.9, 0.8, 0.7, 0.2, 0.1, 0.0]
    assert scores.break_even(labels, values) == pytest.approx(200 / 3)
    assert scores.break_even(labels, [3, 0, 3, 3, 0, 0]) == 100.0
    assert np.isnan(scores.break_even([0, 0], [0.1, 0.2]))
    assert scores.micro_average([100.0, 50.0, np.nan], [1, 3, 0]) == 62.5


def test_a_claim_is_decided_by_two_standard_errors():
    assert verdicts.better("", [3.0, 3.1, 2.9], [1.0, 1.0, 1.0]).holds is True
    assert verdicts.better("", [1.0, 1.1, 0.9], [3.0, 3.0, 3.0]).holds is False
    assert verdicts.better("", [1.0, 3.0, 2.0], [2.0, 2.0, 2.1]).holds is None
    assert "from +1.90 to +2.10" in verdicts.better("", [3.0, 3.1, 2.9], [1.0, 1.0, 1.0]).evidence
    assert verdicts.within("", 84.1, 85.7, 1.5).holds is False
    assert verdicts.within("", 84.3, 85.7, 1.5).holds is True


def test_one_draw_decides_nothing():
    claim = verdicts.better("", [3.0], [1.0])
    assert claim.holds is None
    assert claim.evidence == "+2.00 points in one of the draws, too few for a verdict"


def test_table_1_reads_the_best_lambda_of_each_draw():
    records = [
        {**t.parameters, "accuracy": [50.0] * (len(t.parameters["lams"]) - 1)} for t in zhang_table_1.tasks(2)
    ]
    best = {"Perceptron": 60.0, "UWin": 61.0, "NWin": 61.0, "LM-Perc": 70.0, "LM-UWin": 80.0, "LM-NWin": 90.0}
    for record in records:
        record["accuracy"].insert(
            record["draw"] % len(record["lams"]), best[record["algorithm"]] + record["draw"]
        )
    summary = zhang_table_1.summarize(records)
    assert [row[2].mean for row in summary.tables[0].rows] == [
        best[name] + 0.5 for name in zhang_table_1.ALGORITHMS
    ]
    assert all(claim.holds for claim in summary.claims)
    assert reproductions.page([], {"numpy": "2"}).count("<section") == 1
