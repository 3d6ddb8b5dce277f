"""Messages of strangers to the served pages: values of other types, and changes of missing models."""

import inspect

import pytest

from tests.helpers.stub_server import put_stubs, serving
from tests.helpers.wire import Wire, run
from workbench.pages import registry
from workbench.pages.hosts import blocks, channel
from workbench.pages.server import sockets
from workbench.pages.wasm.engine import Engine

# A value as Bokeh sends one that JSON has not.
NAN = {"type": "number", "value": "nan"}
NESTED = {"a": [[[[{"b": [None, {"c": -1}]}]]]]}
STRANGE = ([], ["x"], {"a": [1]}, NESTED, None, True, -1, 1e308, 10**400, "x" * 1000, NAN)
# What the components of a page listen to, and what they ask an engine for.
KEYS = (
    "need",
    "engine",
    "rests",
    "given",
    "tap",
    "change",
    "key",
    "restore",
    "walk",
    "file",
    "begin",
)
NAMES = ("source", "signed", "cloud", "points", "sample", "loss", "regularizer", "constraint")


def encoded(value):
    """A value as Bokeh sends it: a dict is a list of its entries."""
    if isinstance(value, dict) and value is not NAN:
        return {"type": "map", "entries": [[key, encoded(entry)] for key, entry in value.items()]}
    return [encoded(entry) for entry in value] if isinstance(value, list) else value


def messages(value, types):
    """Messages of each kind with a value where a name, a number or a dict is asked."""
    yield value
    yield from ({key: value} for key in KEYS)
    names = dict.fromkeys(NAMES, value)
    for need in ("data", "terms", "row"):
        yield {"need": need, "id": value, "key": names}
    yield {"rests": {"came": value, "reset": True}}
    yield {"rests": {"came": dict.fromkeys("AB", value)}}
    yield {"change": names}
    yield {"walk": "?lam=x", "still": value}
    for contents in ({"type": value}, {"type": "data"} | names, {"type": "step", "unknown": value}):
        yield {"engine": "one", "message": {"version": 1, "id": 1} | contents}
    for kind, (_, fields, *_) in types.items():
        message = {"version": 1, "id": 1, "type": kind}
        yield {"engine": "one", "message": message | {"id": value}}
        yield {"engine": "one", "message": message | dict.fromkeys(fields, value)}
        yield from ({"engine": "one", "message": message | {field: value}} for field in fields)


def envelopes(value, page_type):
    """Yield messages to a page: envelopes, and questions with a value in each place."""
    yield value
    yield from ({"id": value, "type": kind} for kind in ("ask", "cancel", value))
    yield {"id": "a", "type": "ask", "block": value}
    plain = [value, {"type": value}, {"$array": value}, {"$number": value}]
    for kind in page_type.messages():
        names = list(inspect.signature(getattr(page_type, f"answer_{kind}")).parameters)[1:]
        plain += [{"type": kind, "unknown": value}, {"type": kind} | dict.fromkeys(names, value)]
    plain += [
        {"type": "compute", "name": "one", "message": message["message"]}
        for message in messages(value, Engine.types)
        if isinstance(message, dict) and message.get("engine") == "one"
    ]
    yield from ({"id": "a", "type": "ask", "block": blocks.packed(question)} for question in plain)
    yield from ({"id": "a", "type": "ask", "block": block} for block in (b"", b"xxxx", b"\xff" * 20))


def components(document):
    """The ids and attributes of the page's own components, by their scripts' entries."""
    if isinstance(document, dict):
        if document.get("name") == "panel.models.esm.ReactiveESM":
            yield document["id"], document["attributes"]
        document = list(document.values())
    for part in document if isinstance(document, list) else ():
        yield from components(part)


def settings_of(attributes):
    """Return the message of a stage on the page's settings, without those of other components."""
    data = attributes.get("data", {}).get("attributes", {})
    return decoded(data.get("settings", {}))


def decoded(value):
    """A value as it was before Bokeh encoded it."""
    if isinstance(value, dict):
        return {key: decoded(entry) for key, entry in value.get("entries", [])}
    return [decoded(entry) for entry in value] if isinstance(value, list) else value


def event(model, data):
    values = {"type": "map", "entries": [["model", {"id": model}], ["data", encoded(data)]]}
    return sent({"type": "event", "name": "data_event", "values": values})


def sent(content):
    return {"events": [{"kind": "MessageSent", "msg_type": "bokeh_event", "msg_data": content}]}


# A page answers from here on.
READY = sent({"type": "event", "name": "document_ready", "values": {"type": "map"}})


async def visit_page(base, name, page, strange):
    """Visit a page; its settings are what they were, and it still answers."""
    wire = await Wire.open(base, name)
    [(model, attributes)] = components(await wire.document())
    wire.send("PATCH-DOC", READY)
    data, before = attributes["data"]["id"], settings_of(attributes)
    for value in strange:
        for settings in ({"lam": value, "rat": value}, {"x" * 10_000: value}):
            change = {"kind": "ModelChanged", "model": {"id": data}, "attr": "settings"}
            wire.send("PATCH-DOC", {"events": [change | {"new": encoded(settings)}]})
        for envelope in envelopes(value, page.page_type):
            wire.send("PATCH-DOC", event(model, envelope))
    question = {"id": "last", "type": "ask", "block": blocks.packed({"type": "page"})}
    wire.send("PATCH-DOC", event(model, question))
    envelope = {}
    while envelope.get("id") != "last":
        _, content = await wire.message()
        for part in content.get("events", ()):
            envelope = decoded(part.get("msg_data", {}).get("values", {})).get("data", {})
            assert len(envelope.get("text", "")) <= channel.LONGEST_TEXT
    assert envelope["type"] == "answer"
    wire.send("PULL-DOC-REQ", {})
    [(_, attributes)] = components((await wire.answer("PULL-DOC-REPLY"))["doc"])
    assert settings_of(attributes) == before
    wire.send("SERVER-INFO-REQ", {})
    await wire.answer("SERVER-INFO-REPLY")


# {"key": []}: a list where a name is asked left a traceback in the log.
@pytest.mark.parametrize(
    "strange", [(*STRANGE[1:9:3], 10**400), pytest.param(STRANGE, marks=pytest.mark.long)]
)
def test_values_of_other_types_leave_nothing_in_the_log(strange):
    pages = registry.pages()
    with serving(None) as server:
        for name, page in pages.items():
            run(visit_page(server.base, name, page, strange))
        code, _, log = server.stop()
    assert code == 0
    # A worker that begins while the server ends leaves semaphores, which Python's tracker removes.
    tracked = ("/multiprocessing/resource_tracker.py", "  warnings.warn('resource_tracker:")
    assert [line for line in log.splitlines() if not any(words in line for words in tracked)] == []


# A message to a model that there is not, again and again: each one wrote a line.
def test_messages_to_unknown_models_are_refused(tmp_path):
    async def visit(base):
        wire = await Wire.open(base, "stub-page")
        await wire.document()
        for _ in range(2 * sockets.MOST_REFUSED):
            wire.send("PATCH-DOC", event("x", {"id": "a", "type": "ask"}))
        return await wire.closed()

    put_stubs(tmp_path)
    with serving(tmp_path, "stub-page") as server:
        closed = run(visit(server.base))
        log = server.stop()[2]
    assert closed == (sockets.REFUSED, f"{sockets.MOST_REFUSED} messages could not be used")
    assert log.count("\n") == 2, log
