"""`workbench verify`: the table, its JSON, and its exit codes."""

import json
import os
import subprocess
import sys

import pytest

from tests.unit.cli.test_cli import COMMAND, invoke
from tests.unit.conjugates.test_verification import made_row
from workbench._support.system import storage
from workbench.conjugates import terms
from workbench.conjugates.convex import report
from workbench.conjugates.convex.appendix_e import appendix_e
from workbench.conjugates.convex.catalogue import catalogue
from workbench.conjugates.convex.proof import STATUSES, Claim, Verification
from workbench.conjugates.derivations import verification
from workbench.conjugates.errata import errata

# Seconds for the whole table on a machine that has other things to do.
PATIENCE = 1800
REFUTED = Verification((Claim("numbers", "failed", "q(1) = 2, not 3"),))


def run(folder, *options):
    environment = {**os.environ, "WORKBENCH_CACHE": str(folder)}
    command = [*COMMAND, "verify", *options]
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, env=environment)


@pytest.fixture(scope="module")
def whole():
    """The folder of the cache and the whole table, which only the first run after a change derives anew."""
    folder = storage.cache("derivations").parent
    result = run(folder, "--json")
    assert result.returncode == 0, result.stderr
    assert result.stderr == ""
    assert result.stdout.count("\n") == 1
    return folder, json.loads(result.stdout, parse_constant=pytest.fail)


@pytest.fixture
def quick(tmp_path, monkeypatch):
    """An empty folder for the cache, and a table of one row that takes no time."""
    monkeypatch.setenv("WORKBENCH_CACHE", str(tmp_path))
    monkeypatch.setattr(verification, "pairs", lambda progress=None: [made_row()])


def verify(*options):
    result = invoke("verify", "--json", *options)
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


# The whole table


@pytest.mark.long
def test_the_table_has_every_pair_and_every_erratum(whole):
    _, answer = whole
    assert set(answer) == {"pairs", "errata", "date", "cached", "seconds"}
    rows = {
        section: [row for row in answer["pairs"] if row["section"] == section]
        for section in verification.SECTIONS
    }
    assert sum(map(len, rows.values())) == len(answer["pairs"])
    assert len(rows["appendix"]) == len(appendix_e()) == 11
    assert [row["name"] for row in rows["losses"]] == [term.name for term in terms.LOSSES]
    assert [row["name"] for row in rows["regularizers"]] == [term.name for term in terms.REGULARIZERS]
    assert len(rows["catalogue"]) == len(catalogue())
    assert [row["where"] for row in answer["errata"]] == [erratum.where for erratum in errata()]


@pytest.mark.long
def test_a_row_says_what_is_proved(whole):
    _, answer = whole
    for row in answer["pairs"]:
        assert set(row) == set(report.ROW)
        assert all(set(claim) == set(report.CLAIM) for claim in row["claims"])
        states = [claim["status"] for claim in row["claims"]]
        assert row["status"] == min(states, key=STATUSES.index)
        assert row["derived"]
        assert row["seconds"] >= 0
    open_rows = {row["name"] for row in answer["pairs"] if row["status"] != "proved"}
    assert open_rows <= {"trace (norm)"}


@pytest.mark.long
def test_the_appendix_is_compared_with_what_is_printed(whole):
    _, answer = whole
    appendix = [row for row in answer["pairs"] if row["section"] == "appendix"]
    assert all(row["printed"] for row in appendix)
    wrong = [row["name"] for row in appendix if not row["agrees"]]
    assert wrong == ["2. Power of a norm", "Linear change of variables"]
    places = [row["where"] for row in answer["errata"] if row["where"].startswith("Appendix E")]
    assert len(places) == len(wrong)
    assert [row["cause"] for row in appendix if not row["agrees"]] == ["transcription", "misprint"]
    assert not any(row["cause"] for row in answer["pairs"] if row["agrees"] is not False)


@pytest.mark.long
def test_reading_it_again_loads_no_sympy(whole):
    folder, _ = whole
    code = (
        "import atexit, sys\n"
        "atexit.register(lambda: print('loaded', sorted({'sympy', 'numpy', 'numba'} & set(sys.modules))))\n"
        "sys.argv = ['workbench', 'verify']\n"
        "from workbench.cli import main\n"
        "main()\n"
    )
    environment = {**os.environ, "WORKBENCH_CACHE": str(folder)}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment, timeout=PATIENCE
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith("loaded []\n")


@pytest.mark.long
def test_text_shows_pairs_errata_and_the_date(whole):
    folder, answer = whole
    result = run(folder)
    assert result.returncode == 0
    assert result.stderr == ""
    lines = [" ".join(line.split()) for line in result.stdout.split("\n")]
    assert "1. Quadratic form proved agrees" in lines
    assert "2. Power of a norm proved our slip" in lines
    assert "Linear change of variables proved misprint" in lines
    assert any(line.startswith("logistic proved Zhang (2002)") for line in lines)
    assert "trace (norm): checked, since" in lines
    slips = "Slips in our transcription of Zhang (2002), not its authors'"
    for cause, title in (("misprint", "Misprints in Zhang (2002)"), ("transcription", slips)):
        first = lines.index(title)
        for erratum in errata(cause):
            if erratum.source == "Zhang (2002)":
                shown = erratum.where[:30]
                assert any(line.startswith(shown) for line in lines[first : lines.index("", first)])
    assert f"{len(errata('misprint'))} misprints, {len(errata('transcription'))} slips" in result.stdout
    count = len(answer["pairs"])
    assert f"{count} pairs: {count - 1} proved, 1 checked, 0 failed; " in result.stdout
    assert f"kept since {answer['date']}; --fresh derives anew; " in " ".join(result.stdout.split())


# Again


def test_fresh_computes_again(quick):
    assert [verify()["cached"], verify()["cached"], verify("--fresh")["cached"]] == [False, True, False]


# What fails


@pytest.fixture
def failing(quick, monkeypatch):
    rows = [made_row(), made_row(REFUTED, "broken")]
    monkeypatch.setattr(verification, "pairs", lambda progress=None: rows)


def test_one_failure_is_exit_code_one_and_is_not_kept(failing):
    result = invoke("verify", "--json")
    assert result.exit_code == 1
    answer = json.loads(result.stdout)
    assert [row["status"] for row in answer["pairs"]] == ["proved", "failed"]
    assert json.loads(invoke("verify", "--json").stdout)["cached"] is False


def test_one_failure_is_shown(failing):
    result = invoke("verify")
    assert result.exit_code == 1
    assert "broken: failed, since" in result.stdout
    assert "q(1) = 2, not 3" in result.stdout
    assert "2 pairs: 1 proved, 0 checked, 1 failed; " in result.stdout
