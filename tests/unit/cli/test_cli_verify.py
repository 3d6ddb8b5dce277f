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
