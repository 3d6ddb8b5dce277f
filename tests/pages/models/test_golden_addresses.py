"""Each page makes of an address what was recorded: settings, switches, refusals, the new address."""

import json
import subprocess
from pathlib import Path
from unittest import mock

import pytest

from workbench._support.errors import InputError
from workbench.pages import bundling, registry
from workbench.pages.dual_lab import model as dual_lab

# Of each page without an address its state, and of addresses that pages wrote, of a teacher and hostile ones
# what is other than there; recorded before the pages were modules. Home had lessons as its settings then.
FILE = Path(__file__).parents[2] / "corpora" / "golden" / "addresses.json"
CORPUS = json.loads(FILE.read_text("utf-8"))
PAGES = sorted(set(registry.pages()) - {"home"})
# Pages that others replace: what they made of their addresses is not recorded again.
FORMER = sorted(registry.former().keys() & CORPUS.keys())
SCRIPT = Path(__file__).parents[1] / "hosts" / "addresses.mjs"
MODULE = bundling.PACKAGE / bundling.PAGES / "runtime" / "hosts" / "settings.js"
USUAL = {"theme": "light", "projector": False, "hide": "", "story": 0, "figure": ""}
PARTS = ("nav", "sidebar", "aside")
# Allowed since then: longer stories, and any names of figures.
WIDER = ("story=10", "figure=")


def model_of(page):
    """The page of a name with its defaults."""
    return registry.of(page).page_type()


def state(page):
    """The settings of a page without an address."""
    return model_of(page).settings()


def test_there_is_a_corpus_of_every_page():
    assert set(CORPUS) == {*PAGES, *FORMER}
    assert all(len(page_record["cases"]) >= 36 for page_record in CORPUS.values())


def read_by_page(page, queries):
    """Read queries by the page itself, which owns the address."""
    facts = page.answer({"type": "page"})
    rows = [row for group in facts["controls"] for row in group["rows"]]
    rows = [{name: value for name, value in row.items() if name != "grid"} for row in rows]
    names = page.names()
    request = {
        "rows": [*rows, *facts.get("uncontrolled", ())],
        "names": [*PARTS, *names],
        "usual": USUAL | page.settings(),
        "queries": queries,
    }
    command = [bundling.node(), SCRIPT, MODULE.as_uri()]
    run = subprocess.run(command, input=json.dumps(request), capture_output=True, text=True, check=True)
    return json.loads(run.stdout)


def is_refused(model, settings):
    """True if Python does not take the settings, as it says by the page's channel."""
    try:
        model.change(settings)
    except InputError:
        return True
    return False


@pytest.mark.parametrize("page", PAGES)
def test_page_reads_the_addresses_that_were_written(page):
    """An address that was not refused has the recorded settings; of others no number is out of bounds."""
    if bundling.node() is None:
        pytest.skip("there is no Node")
    cases = CORPUS[page]["cases"]
    with mock.patch.object(dual_lab.data, "locate", return_value=None):
        # Settings that are newer than the record have their defaults in its addresses.
        usual = state(page)
        assert usual == usual | CORPUS[page]["state"]
        model = model_of(page)
        outcomes = read_by_page(model, [case["query"] for case in cases])
        # Without the Reuters archive a page may offer fewer data sets than were recorded.
        groups = model.answer({"type": "page"})["controls"]
        offered = {
            row["name"]: row["options"] for group in groups for row in group["rows"] if "options" in row
        }
    for case, outcome in zip(cases, outcomes, strict=True):
        query = case["query"]
        assert all(len(sentence) < 1000 for sentence in outcome["refusals"]), query
        assert outcome["isSameAgain"], query
        if "refused" in case and not query.startswith(WIDER):
            assert outcome["refusals"] or is_refused(model, outcome["settings"]), query
            for name, value in outcome["settings"].items():
                low, high = getattr(model.param[name], "bounds", None) or (value, value)
                assert low <= value <= high, query
        elif not all(value in offered.get(name, [value]) for name, value in case.get("settings", {}).items()):
            assert outcome["refusals"], query
        elif "refused" not in case:
            assert not outcome["refusals"], query
            changed = {k: v for k, v in outcome["settings"].items() if v != usual[k]}
            assert changed == case.get("settings", {}), query
            switches = {k: v for k, v in outcome["switches"].items() if v != USUAL[k]}
            hidden = {*switches.pop("hide", "").split(",")}
            recorded = dict(case.get("switches", {}))
            assert hidden == {*recorded.pop("hide", "").split(",")}, query
            assert switches == recorded, query


@pytest.mark.parametrize("page", FORMER)
def test_addresses_of_a_former_page_mean_the_same_settings(page):
    """The page that an old address leads to has the settings that the address had."""
    if bundling.node() is None:
        pytest.skip("there is no Node")
    present, before = registry.of(page), CORPUS[page]["state"]
    cases = [case for case in CORPUS[page]["cases"] if "refused" not in case]
    queries = [present.query_of(page, case["query"]) for case in cases]
    assert len(queries) > 20
    for case, outcome in zip(cases, read_by_page(model_of(present.name), queries), strict=True):
        assert not outcome["refusals"], case["query"]
        expected, settings = before | case.get("settings", {}), state(present.name) | outcome["settings"]
        assert {name: settings[name] for name in expected} == expected, case["query"]
