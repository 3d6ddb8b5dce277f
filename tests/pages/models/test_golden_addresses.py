"""Each page makes of an address what was recorded: settings, switches, refusals, the new address."""

import json

import pytest

from tests.corpora.golden_addresses import FILE, PAGES, replayed

CORPUS = json.loads(FILE.read_text("utf-8"))


def test_there_is_a_corpus_of_every_page():
    assert set(CORPUS) == set(PAGES)
    assert all(len(page_record["cases"]) >= 36 for page_record in CORPUS.values())


@pytest.mark.parametrize("page", CORPUS)
def test_a_page_makes_of_its_addresses_what_was_recorded(page):
    expected = CORPUS[page]
    outcome = json.loads(json.dumps(replayed(page, [case["query"] for case in expected["cases"]])))
    assert outcome["state"] == expected["state"]
    for ours, theirs in zip(outcome["cases"], expected["cases"], strict=True):
        assert ours == theirs, f"{page}, address {theirs['query']!r}"
