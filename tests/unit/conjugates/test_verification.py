"""The table of pairs: the file that keeps it, what makes that file useless, and rows that fail."""

import json
from concurrent.futures import Future

import pytest

from workbench._support.errors import DerivationTimeout
from workbench.conjugates.convex import report
from workbench.conjugates.convex.proof import Claim, Verification
from workbench.conjugates.derivations import outcomes, verification

PROVED = Verification((Claim("identity", "proved", "u v - p(u)"),))


def made_row(verification=PROVED, name="hinge-1", section="losses"):
    return report.row(section, name, "Zhang (2002)", lambda: (verification, None, "", "q(v) = v"))


@pytest.fixture
def quick(tmp_path, monkeypatch):
    """An empty folder for the cache, and a table of one row that takes no time."""
    monkeypatch.setenv("WORKBENCH_CACHE", str(tmp_path))
    monkeypatch.setattr(verification, "pairs", lambda progress=None: [made_row()])


def verify():
    return verification.table()


# The file


def test_table_is_derived_once(quick):
    first, second = verify(), verify()
    assert (first["cached"], second["cached"]) == (False, True)
    assert [second[name] for name in ("pairs", "errata", "date")] == [
        json.loads(json.dumps(first[name])) for name in ("pairs", "errata", "date")
    ]
    assert not verification.table(fresh=True)["cached"]


def test_another_version_of_sympy_computes_again(quick, monkeypatch):
    verify()
    version = outcomes.metadata.version
    changed = {"sympy": "0.0"}
    monkeypatch.setattr(outcomes.metadata, "version", lambda name: changed.get(name) or version(name))
    assert verify()["cached"] is False


# Rows that fail


def test_a_derivation_that_raises_is_a_row_that_failed(monkeypatch):
    def refuse(term):
        raise ValueError(f"{term.name} is too hard")

    monkeypatch.setattr(verification, "_loss", refuse)
    row = verification.row("losses", 0)
    assert (row["name"], row["status"]) == ("squared", "failed")
    assert row["claims"] == [
        {"name": "derivation", "status": "failed", "detail": "ValueError: squared is too hard"}
    ]


@pytest.mark.parametrize("job", [("appendix", 1), ("losses", 0), ("catalogue", 3)])
def test_a_process_that_ends_is_a_row_that_failed(job):
    future = Future()
    future.set_exception(DerivationTimeout("the derivation took longer than 60 s"))
    row = verification._outcome(job, future)
    assert (row["section"], row["status"]) == (job[0], "failed")
    assert set(row) == set(report.ROW)
    assert row["name"]
    assert "took longer than 60 s" in row["claims"][0]["detail"]
