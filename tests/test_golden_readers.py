"""Every reader of tables says of every file of the corpus what was recorded: see `golden_readers`."""

import shutil

import golden_readers
import node_engine
import pytest

RECORDED = golden_readers.recorded()


@pytest.fixture(scope="module")
def readers(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("tables"))
        yield golden_readers.Readers()


@pytest.mark.parametrize(("reader", "name"), golden_readers.cases())
def test_a_reader_says_what_was_recorded(reader, name, readers):
    if reader == "browser" and shutil.which("node") is None:
        node_engine.missing("no node on this machine; install Debian's package nodejs")
    assert readers.outcome(reader, name) == RECORDED[name][reader]


def test_the_record_has_the_corpus_and_nothing_else():
    recorded = [(reader, name) for name, outcomes in RECORDED.items() for reader in outcomes]
    assert sorted(recorded) == sorted(golden_readers.cases())
