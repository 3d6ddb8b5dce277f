"""Several processes at one address: a visit's document is made once, and its page stands in a browser."""

import os
import re

import pytest

from tests.helpers.page_browser import becomes, chromium, served, visit
from tests.helpers.stub_server import ask, put_page, unshaken
from tests.helpers.wire import Wire, run, token_of
from workbench.pages.address import look_of

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs a system that forks")

# Notes each document that it makes, and what was asked for.
NOTING = """
import panel as pn
with open({place!r}, "a") as file:
    file.write(repr(sorted(pn.state.session_args)) + "\\n")
return pn.widgets.TextInput(name="note", value=repr(pn.state.session_args))
"""
VISITS = 6
# While its document is made, modules come and go, as those that another thread imports.
PASSING = """
import sys
import panel as pn
NAMES = [f"passing_{k}" for k in range(8)]
class Module:
    @property
    def __spec__(self):
        for name in NAMES:
            sys.modules.pop(name, None)
sys.modules.update({name: Module() for name in NAMES})
return pn.widgets.TextInput(name="note")
"""


def made(place):
    return place.read_text(encoding="utf-8").splitlines()


def test_a_document_is_made_once_for_each_visit(tmp_path):
    place, folder = tmp_path / "made", tmp_path / "pages"
    put_page(folder, "page", NOTING.format(place=str(place)))

    async def visits(server):
        for _ in range(VISITS):
            wire = await Wire.open(server.base, "page?lam=1", await token_of(server.base, "page?lam=1"))
            assert "'lam': [b'1']" in str(await wire.document())

    with unshaken(folder, "--workers", "2") as server:
        run(visits(server))
    # Besides, at most one in each process for the text of the page, to which no address gets.
    assert made(place).count("['lam']") == VISITS
    assert 1 <= made(place).count("[]") <= 2


def test_the_text_of_a_page_is_free_of_its_visit(tmp_path):
    folder = tmp_path / "pages"
    put_page(folder, "page", NOTING.format(place=str(tmp_path / "made")))
    with unshaken(folder, "--workers", "2") as server:
        texts = [ask(server, f"/page?{query}").body.decode() for query in ("", "lam=marked", "theme=marked")]
    tokens = {re.search(r'"token":"([^"]+)"', text)[1] for text in texts}
    assert len(tokens) == 3
    assert not any("marked" in text for text in texts)


def test_a_page_opens_while_another_thread_imports(tmp_path):
    folder = tmp_path / "pages"
    put_page(folder, "page", PASSING)
    with unshaken(folder) as server:
        assert ask(server, "/page").status == 200


@pytest.mark.parametrize(
    ("arguments", "look"),
    [
        ({}, {}),
        ({"theme": [b"dark"], "lam": [b"1"]}, {"theme": [b"dark"]}),
        ({"theme": [b"<script>"], "projector": [b"on"]}, {"projector": [b"on"]}),
        ({"theme": [b"\xff"]}, {}),
    ],
)
def test_a_look_is_what_pages_know(arguments, look):
    assert look_of(arguments) == look


@pytest.mark.browser
def test_pages_of_two_processes_are_drawn(tmp_path):
    pytest.importorskip("playwright.sync_api")
    with served("transfer", "home", options=("--workers", "2")) as address, chromium() as browser:
        for _ in range(4):
            with visit(browser, f"{address}?theme=dark&regularizer=entropy") as page:
                # Dark from its first moment, which the text says, not the document.
                assert re.search("id='sheet-dark' media='all'", page.content().replace('"', "'"))
                assert becomes(lambda: page.locator(".wb-line").count() > 0, True)
