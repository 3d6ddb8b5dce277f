"""Messages of strangers to a served page: values of other types, and changes of missing models."""

from tests.helpers.stub_server import put_stubs, serving
from tests.helpers.wire import Wire, run
from workbench.pages.server import sockets

PAGE = "dual-lab"
STRANGE = ([], ["x"], {"a": [1]}, None, True, -1, 1e308, 10**400, "x" * 1000)
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
KINDS = ("data", "problem", "step", "run", "seek", "terms", "section", "profile")
NAMES = ("source", "signed", "cloud", "points", "sample", "loss", "regularizer", "constraint")


def encoded(value):
    """A value as Bokeh sends it: a dict is a list of its entries."""
    if isinstance(value, dict):
        return {"type": "map", "entries": [[key, encoded(entry)] for key, entry in value.items()]}
    return [encoded(entry) for entry in value] if isinstance(value, list) else value


def messages(value):
    """Messages of each kind with a value where a name, a number or a dict is asked."""
    yield value
    yield from ({key: value} for key in KEYS)
    names = dict.fromkeys(NAMES, value)
    for need in ("data", "terms", "row"):
        yield {"need": need, "id": 1, "key": names}
    for kind in KINDS:
        yield {"engine": "one", "message": {"version": 1, "id": 1, "type": kind} | names}
        yield {
            "engine": "one",
            "message": {"version": 1, "id": 1, "type": kind, "count": value, "step": value},
        }
    yield {"engine": "one", "message": {"version": 1, "id": 1, "type": value}}
    yield {"rests": {"came": value, "reset": True}}
    yield {"rests": {"came": dict.fromkeys("AB", value)}}
    yield {"change": names}
    yield {"walk": "?lam=x", "still": value}


def components(document):
    """The ids of the page's own components, by their scripts' entries."""
    if isinstance(document, dict):
        if document.get("name") == "panel.models.esm.ReactiveESM":
            yield document["id"]
        document = list(document.values())
    for part in document if isinstance(document, list) else ():
        yield from components(part)


def event(model, data):
    values = {"model": {"id": model}, "data": encoded(data)}
    content = {"type": "event", "name": "data_event", "values": values}
    return {"events": [{"kind": "MessageSent", "msg_type": "bokeh_event", "msg_data": content}]}


# {"key": []}: a list where a name is asked left a traceback in the log.
def test_values_of_other_types():
    async def visit(base):
        wire = await Wire.open(base, PAGE)
        ids = list(components(await wire.document()))
        assert len(ids) >= 3
        for value in STRANGE:
            for model in ids:
                for message in messages(value):
                    wire.send("PATCH-DOC", event(model, message))
        wire.send("SERVER-INFO-REQ", {})
        await wire.answer("SERVER-INFO-REPLY")

    with serving(None, PAGE) as server:
        run(visit(server.base))
        code, _, log = server.stop()
    assert code == 0
    assert log == ""


# A change of a model that there is not, again and again: each one wrote a line.
def test_changes_of_models_that_there_are_not(tmp_path):
    async def visit(base):
        wire = await Wire.open(base, "stub-page")
        await wire.document()
        change = {"kind": "ModelChanged", "model": {"id": "x"}, "attr": "value", "new": 1}
        for _ in range(2 * sockets.MOST_REFUSED):
            wire.send("PATCH-DOC", {"events": [change]})
        return await wire.closed()

    put_stubs(tmp_path)
    with serving(tmp_path, "stub-page") as server:
        closed = run(visit(server.base))
        log = server.stop()[2]
    assert closed == (sockets.REFUSED, f"{sockets.MOST_REFUSED} messages could not be used")
    assert log.count("\n") == 2, log
