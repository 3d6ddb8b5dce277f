"""The number of visits holds on every road into a server, over all of its processes."""

import os
import subprocess
import sys

import pytest
from tornado.httpclient import HTTPClientError

from tests.helpers.amounts import few
from tests.helpers.stub_server import ask, put_stubs, unshaken
from tests.helpers.wire import Wire, run, token_of
from workbench.pages.server.admission import Admission, ServerFull

MOST = 3
EMBEDDED = "/stub-page/autoload.js?bokeh-autoload-element=x"
FULL, LATER = 503, 1013
pytestmark = pytest.mark.serial
forks = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs a system that forks")


@pytest.fixture
def folder(tmp_path):
    put_stubs(tmp_path)
    return tmp_path


def roads(server):
    """Return the answers of a page, an embedded page and another page."""
    return [ask(server, road).status for road in ("/stub-page", EMBEDDED, "/other")]


# GET /PAGE/autoload.js, when all places are taken: was answered 12 of 12 times.
@pytest.mark.parametrize("road", few(["/stub-page", EMBEDDED], 1))
def test_every_road_fills_the_places_for_all(folder, road):
    with unshaken(folder, "--max-sessions", str(MOST)) as server:
        assert [ask(server, road).status for _ in range(MOST)] == [200] * MOST
        assert roads(server) == [FULL] * 3
        refused = ask(server, "/stub-page")
        assert b"<p>This server holds 3 visits at the same time. Close a page" in refused.body
        assert refused.headers["retry-after"] == "30"
        refused = ask(server, EMBEDDED)
        assert refused.headers["content-type"] == "application/javascript"
        assert b'note.textContent = "This server holds 3 visits' in refused.body
        assert ask(server, "/").status == 200  # other requests than visits are answered


# A websocket takes the place of its page; a second one with the same token takes another.
def test_websockets_take_places(folder):
    async def storm(server):
        token = await token_of(server.base, "stub-page")
        wires = [await Wire.open(server.base, "stub-page", token) for _ in range(4 * MOST)]
        for wire in wires[:MOST]:
            await wire.document()
        refused = [await wire.closed() for wire in wires[MOST:]]
        assert {code for code, _ in refused} == {LATER}
        assert all(reason.startswith("All places are taken: close a page") for _, reason in refused)
        assert roads(server) == [FULL] * 3
        wires[0].socket.close()
        await wires[0].closed()
        again = await Wire.open(server.base, "stub-page", token)
        await again.document()

    with unshaken(folder, "--max-sessions", str(MOST)) as server:
        run(storm(server))


# Pages and websockets in several processes, also where they are more than the places.
@forks
@pytest.mark.parametrize(("most", "workers"), [(3, 2), (1, 3)])
def test_processes_share_the_places(folder, most, workers):
    async def visits(server):
        answered = [await Wire.open(server.base, "stub-page") for _ in range(most)]
        for _ in range(12):
            with pytest.raises(HTTPClientError, match=str(FULL)):
                await Wire.open(server.base, "stub-page")
        # A page and its websocket, in whichever process, are one visit.
        for wire in answered:
            await wire.document()

    with unshaken(folder, "--max-sessions", str(most), "--workers", str(workers)) as server:
        run(visits(server))
        for _ in range(8):
            assert roads(server) == [FULL] * 3


# One address takes no more than its share; X-Forwarded-For of anybody is not believed.
def test_an_address_has_a_share(folder):
    with unshaken(folder, "--max-sessions", "5", "--max-per-address", "2") as server:
        headers = [f"X-Forwarded-For: 10.0.0.{k}" for k in range(4)]
        replies = [ask(server, "/stub-page", header) for header in headers]
        assert [reply.status for reply in replies] == [200, 200, FULL, FULL]
        assert b"holds 2 visits at the same time from one address" in replies[-1].body


# Behind a proxy that is trusted its visitors have shares of their own, and cannot choose their address.
def test_a_trusted_proxy_names_the_addresses(folder):
    options = ("--max-per-address", "1", "--trust-proxy", "127.0.0.1", "--trust-proxy", "10.9.9.9")
    with unshaken(folder, *options) as server:
        forwarded_addresses = {
            "10.0.0.1": 200,
            "10.0.0.2": 200,
            "1.2.3.4, 10.0.0.1": FULL,
            "1.2.3.5, 10.0.0.2, 10.9.9.9": FULL,
            "nonsense": 200,
            "10.0.0.3, nonsense": FULL,
        }
        for forwarded, status in forwarded_addresses.items():
            assert ask(server, "/stub-page", f"X-Forwarded-For: {forwarded}").status == status


def test_places_are_freed():
    places = Admission(2)
    places.begin(0)
    places.admit("a", "here")
    places.connect("a", "here")
    places.connect("a", "here")
    with pytest.raises(ServerFull, match="holds 2 visits"):
        places.admit("b", "here")
    places.leave("a")
    places.admit("b", "here")
    places.release_others(["a"])
    assert places._weights().sum() == 1
    places.release_others([])
    assert places._weights().sum() == 1  # its websocket
    places.leave("a")
    places.leave("a")
    assert places._weights().sum() == 0


def test_a_place_is_one_in_several_processes():
    places = Admission(2, share=1, processes=2)
    for process in (0, 1):
        places.begin(process)
        places.admit("a", "here")
    assert places._weights().sum() == 1
    with pytest.raises(ServerFull, match="from one address"):
        places.admit("b", "here")
    places.admit("c", "there")
    places.process = 0
    places.release_others([])
    assert places._weights().sum() == 2
    places.begin(1)  # as after a process was killed
    assert places._weights().sum() == 0


# Prints how many places four processes have had together, and how many are taken.
TOGETHER = """
import os
from workbench.pages.server.admission import Admission, ServerFull

places, children = Admission(40, processes=4), []
for process in range(4):
    children.append(os.fork())
    if not children[-1]:
        taken = 0
        places.begin(process)
        try:
            for visit in range(41):
                places.admit(f"{process} {visit}", "here")
                taken += 1
        except ServerFull:
            os._exit(taken)
print(sum(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children), places._weights().sum())
"""


@forks
def test_processes_count_together():
    counted = subprocess.run([sys.executable, "-c", TOGETHER], capture_output=True, text=True, check=True)
    assert counted.stdout.split() == ["40", "40"]
