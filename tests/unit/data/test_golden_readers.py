"""Every reader of tables says of every file of the corpus what was recorded: see `golden_readers`."""

import re

import pytest

from tests.corpora import golden_readers
from tests.helpers import node_engine
from workbench._support.display.options import as_options
from workbench.pages import bundling

RECORDED = golden_readers.recorded()


@pytest.fixture(scope="module")
def readers(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("tables"))
        yield golden_readers.Readers()


@pytest.mark.parametrize("name", RECORDED)
def test_every_reader_says_what_was_recorded(name, readers):
    if bundling.node() is None:
        node_engine.missing("no node on this machine; run: make venv")
    assert {reader: readers.outcome(reader, name) for reader in RECORDED[name]} == RECORDED[name]


# Doors that read a file, whatever each of them does with it afterwards.
DOORS = ("read", "load", "fit", "solve", "certify", "upload", "drop")
CONTROLS = golden_readers.new_rows.WORDING.texts["controls"]
# How each door names its options, and how it begins a refusal.
SPELLED = (
    (r"^exit \d: error: ", ""),
    *((re.escape(option), control) for option, control in CONTROLS.items()),
    (r"target='(-?\d+)'", r"target=\1"),
)
# What a door asks of data that another takes as they are: `load` takes samples that no model fits, a
# task has so many classes, a server so many features and bytes, and a name may be that of a data set.
BEYOND = {
    "one-row.csv": "one sample",
    "constant-number.csv": "",
    "free-text.csv": "no column left",
    "nan.csv": "no column left",
    "words.csv": "no column left",
    "constant-word.csv": "",
    "one-class.svm": "",
    "index-as-target.csv": "nearly an index",
    "many-words-as-target.csv": "",
    "far.svm": "at most 100000",
    "beyond.svm": "at most 100000",
    "bomb.csv.gz": "",
    "bomb.zip": "",
    "missing": "",
}


def _told(outcome):
    """The refusal of an outcome in one spelling, None where the file was read."""
    last = outcome.split(" | ")[-1]
    if re.search(r"\d+ x \d+", outcome) or "--coef has shape" in last:
        return None
    last = as_options(last, golden_readers.new_rows.ASKED)
    for pattern, other in SPELLED:
        last = re.sub(pattern, other, last)
    return last


@pytest.mark.parametrize("name", [name for name in RECORDED if name not in BEYOND])
def test_all_doors_read_a_file_or_refuse_it_in_the_same_words(name):
    told = {door: _told(RECORDED[name][door]) for door in DOORS if door in RECORDED[name]}
    # A server has a smaller limit of features.
    told = {
        door: text and re.sub(r"at most 10{5,8}\.", "at most LIMIT.", text) for door, text in told.items()
    }
    assert len(set(told.values())) == 1, told


@pytest.mark.parametrize("name", BEYOND)
def test_what_differs_between_doors_is_what_they_ask_for_beyond_reading(name):
    told = {_told(RECORDED[name][door]) for door in DOORS if door in RECORDED[name]}
    assert 1 < len(told) <= 4
    assert any(BEYOND[name] in sentence for sentence in told if sentence)


def test_no_reader_crashes():
    outcomes = [outcome for each in RECORDED.values() for outcome in each.values()]
    assert not [outcome for outcome in outcomes if "crash" in outcome or "internal error" in outcome]


def test_the_record_has_the_corpus_and_nothing_else():
    recorded = [(reader, name) for name, outcomes in RECORDED.items() for reader in outcomes]
    assert sorted(recorded) == sorted(golden_readers.cases())
