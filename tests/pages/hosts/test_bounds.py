"""Messages of a visitor's page are bounded, and end when the visitor leaves."""

import asyncio
import json
import types

import numpy as np
import pytest
from bokeh.document import Document

from tests.helpers import coroutines
from tests.pages.hosts.probe import Probe
from workbench._support.errors import InputError
from workbench.pages import registry
from workbench.pages.bias import model as bias
from workbench.pages.bias.declaration import Bias
from workbench.pages.hosts import blocks, channel, served
from workbench.pages.hosts.channel import Channel
from workbench.pages.hosts.panel import PanelHost

# A message as the engine takes it.
MESSAGE = {"version": 1, "id": 1}
NAMES = {"source": "Breast cancer", "constraint": bias.SUM}
PROBLEM = {"loss": "hinge", "regularizer": "squared-l2", "lam": 0.01, "solver": "augmented-lagrangian"}


def block(header, body=b""):
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    text += b" " * (-(len(text) + 4) % blocks.ALIGNMENT)
    return len(text).to_bytes(4, "little") + text + body


ZEROS = bytes(800)
HOSTILE = {
    "deep": b"[" * 100_000,
    "no number": {"$number": 3},
    "no entry": {"$array": 3},
    "objects": {"$array": ["|O", [1], 0]},
    "records": {"$array": ["<f8,<f8", [1], 0]},
    "a dtype that is a list": {"$array": [["x", "<f8"], [1], 0]},
    "to the end": {"$array": ["<f8", [-1], 0]},
    "beyond": {"$array": ["<f8", [101], 0]},
    "huge": {"$array": ["<f8", [2**70], 0]},
    "before": {"$array": ["<f8", [1], -8]},
    "half": {"$array": ["<f8", [0.5], 0]},
    "the same bytes again and again": [{"$array": ["<f8", [100], 0]}] * 100,
    "a long header": {"x": "y" * blocks.MOST_HEADER},
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_block_is_refused_in_one_sentence(name):
    with pytest.raises(InputError, match="not a value that a page sends") as refusal:
        blocks.opened(block(HOSTILE[name], ZEROS))
    assert len(str(refusal.value)) < 300


def test_arrays_of_a_block_may_fill_it():
    entry = {"$array": ["<f8", [50], 0]}, {"$array": ["<f8", [50], 400]}
    assert [array.size for array in blocks.opened(block(entry, ZEROS))] == [50, 50]


def test_settings_of_any_kind_are_refused_in_a_short_sentence():
    page = Probe()
    before = page.settings()
    values = (None, [], {"a": 1}, True, 10**400, float("nan"), "x" * 10_000, np.zeros(3), b"x")
    for value in values:
        with pytest.raises(InputError) as refusal:
            page.change({"lam": value, "x" * 10_000: value, "loss": value})
        assert len(str(refusal.value)) < 2000
    with pytest.raises(InputError) as refusal:
        page.change({f"k{k}": 1 for k in range(10_000)})
    assert len(str(refusal.value)) < 2000
    assert page.settings() == before


def talk(page, *questions):
    """The envelopes that a channel sends when these questions were taken."""
    envelopes = []
    line = Channel(page.reply, lambda envelope, block: envelopes.append(envelope))
    for id, question in questions:
        line.receive({"id": id, "type": "ask"}, blocks.packed(question))
    return line, envelopes


def test_questions_under_way_are_few_and_end_with_the_channel():
    async def flood():
        page = Probe()
        many = [(f"q{k}", {"type": "wait"}) for k in range(channel.MOST_QUESTIONS + 5)]
        line, envelopes = talk(page, *many, ("q0", {"type": "wait"}), ("x" * 101, {"type": "wait"}))
        assert len(line.tasks) == channel.MOST_QUESTIONS
        assert [envelope["text"] for envelope in envelopes] == [channel.TOO_MANY] * 5
        await asyncio.sleep(0)
        tasks = list(line.tasks.values())
        line.close()
        await asyncio.gather(*tasks, return_exceptions=True)
        line.receive({"id": "late", "type": "ask"}, blocks.packed({"type": "facts"}))
        return page.cancelled, line, envelopes

    cancelled, line, envelopes = coroutines.run(flood())
    assert cancelled == channel.MOST_QUESTIONS
    assert line.tasks == line.sizes == {}
    assert len(envelopes) == 5


def test_questions_under_way_hold_few_bytes():
    async def flood():
        page = Probe()
        page.answer_hold = lambda array: page.answer_wait()
        large = {"type": "hold", "array": np.zeros(channel.MOST_BYTES // 8 - 1000)}
        line, envelopes = talk(page, ("a", large), ("b", large))
        assert list(line.tasks) == ["a"]
        tasks = list(line.tasks.values())
        line.close()
        await asyncio.gather(*tasks, return_exceptions=True)
        return envelopes

    assert coroutines.run(flood()) == [{"id": "b", "type": "error", "text": channel.TOO_MANY}]


def test_answers_that_nobody_reads_are_bounded(monkeypatch):
    monkeypatch.setattr(channel, "MOST_SENT", 1000)
    _, envelopes = talk(Probe(), *[(f"q{k}", {"type": "facts"}) for k in range(50)])
    answers = [envelope for envelope in envelopes if envelope["type"] == "answer"]
    assert 1 <= len(answers) < 50
    assert {e["text"] for e in envelopes if e["type"] == "error"} == {channel.TOO_MUCH}


def test_one_file_of_a_page_is_written_at_a_time(monkeypatch):
    async def ask():
        page = Probe()
        monkeypatch.setattr(Probe, "html", lambda page: "text")
        line, envelopes = talk(page, *[(f"q{k}", {"type": "file"}) for k in range(3)])
        await asyncio.gather(*line.tasks.values(), return_exceptions=True)
        await asyncio.sleep(0)
        assert (await page.answer_file())["text"] == "text"
        return envelopes

    envelopes = coroutines.run(ask())
    assert sorted(envelope["type"] for envelope in envelopes) == ["answer", "error", "error"]
    assert {envelope.get("text", "") for envelope in envelopes} == {
        "",
        "file: this page is being written; wait until it is",
    }


def test_bias_gives_facts_of_its_own_terms_alone():
    page = Bias()
    tubes = [f"epsilon-insensitive:epsilon={value}" for value in ("7", "x", "nan", "")]
    for name in ("hinge:p=4", *tubes, "nothing", [], "hinge" * 1000):
        with pytest.raises(InputError, match="unknown loss; expected one of hinge"):
            page.answer({"type": "loss", "name": name})
    with pytest.raises(InputError, match="unknown regularizer"):
        page.answer({"type": "regularizer", "source": "Breast cancer", "name": "q-norm:q=5"})
    with pytest.raises(InputError, match="expected the name of an engine"):
        page.answer({"type": "compute", "name": [], "message": {}})


def test_engines_of_a_visitor_end_when_the_visitor_leaves():
    async def visit():
        document, events, host = Document(), [], None
        page = Bias()
        host = PanelHost(page)
        host.server_doc(document, location=False)
        page.emit = lambda value: events.append(value.get("answer", {}).get("type"))
        for contents in (
            {"type": "data"} | NAMES,
            {"type": "problem"} | PROBLEM,
            {"type": "run", "gap": 0.0, "max_epochs": 32_000},
        ):
            host._handle_msg({"id": "a", "type": "ask", "block": compute(contents)})
        while "frame" not in events:
            await asyncio.sleep(0.01)
        tasks, engines = list(page.tasks), page.engines
        leave(document)
        await asyncio.gather(*tasks, return_exceptions=True)
        return page, host, engines, len(events), events

    page, host, engines, count, events = coroutines.run(visit())
    assert engines.closed
    assert page.engines is None
    assert page.channels == []
    assert not host.channel.is_open
    assert len(events) == count
    assert "ended" not in events


def leave(document):
    """End the session of a document as the server does."""
    context = types.SimpleNamespace(_document=document, id="x")
    for callback in list(document.session_destroyed_callbacks):
        callback(context)


def compute(contents):
    return blocks.packed({"type": "compute", "name": "one", "message": MESSAGE | contents})


def test_page_of_the_registry_opens_in_a_document_and_leaves_it():
    from panel.io.state import set_curdoc

    document = Document()
    # Of a session, as served documents are: others get the look of widgets that another page may have set.
    session = types.SimpleNamespace(id="x", request=types.SimpleNamespace(arguments={}))
    document._session_context = lambda: session
    with set_curdoc(document):
        served.opener(registry.of("bias"))()
    (root,) = [root for root in document.roots if hasattr(getattr(root, "data", None), "owns_address")]
    assert root.data.owns_address is True
    assert root.data.settings["lam"] == 0.01
    header = document.template_variables["header"]
    assert "<a data-page href='bias' aria-current=page>Bias &amp; multipliers</a>" in header
    assert "<a data-page href='dual-lab'>Dual lab</a>" in header
    leave(document)
