"""The budgets of a visit, each by what goes beyond it."""

import asyncio
import logging
import sys
import time
from collections import OrderedDict
from pathlib import Path

import psutil
import pytest

from tests.helpers import coroutines
from tests.helpers.stub_server import serving
from tests.helpers.wire import Wire, run, token_of
from tests.pages.engines.test_engines import DATA, PROBLEM, problem
from tests.pages.server.test_attacks_messages import components, event
from workbench._support.errors import InputError
from workbench.pages.bias.declaration import Bias
from workbench.pages.compare.declaration import Compare
from workbench.pages.dual_lab import typed_loss
from workbench.pages.hosts import blocks, engines
from workbench.pages.hosts.engines import Engines
from workbench.pages.inverse_time import curves
from workbench.pages.inverse_time.declaration import InverseTime
from workbench.pages.norms import screened
from workbench.pages.norms.declaration import SCREENED, Norms
from workbench.pages.server import budgets, logs, messages, turns

MEGABYTE = 2**20
# The server's memory above its rest, and the time in which a second visitor is answered.
MOST_MEMORY, MOST_SECONDS = 100, 5.0


def test_guide_has_the_table():
    guide = Path(__file__).parents[3] / "docs" / "serving.md"
    assert budgets.markdown() in guide.read_text(encoding="utf-8")


def sent(data, **more):
    values = {"type": "map", "entries": [["model", {"id": "p1"}], ["data", data]]}
    content = {"type": "event", "name": "data_event", "values": values} | more
    return {"kind": "MessageSent", "msg_type": "bokeh_event", "msg_data": content}


def fields(*entries):
    return {"type": "map", "entries": [["id", "a"], ["type", "ask"], *entries]}


BUFFER = ["block", {"type": "bytes", "data": {"id": "0"}}]
UNHEARD = {
    "a property": {"kind": "ModelChanged", "model": {"id": "p1"}, "attr": "settings", "new": "x" * 1000},
    "a root": {"kind": "RootAdded", "model": {"type": "object", "name": "Div", "id": "q"}},
    "a title": {"kind": "TitleChanged", "title": "x"},
    "columns": {"kind": "ColumnsStreamed", "column_source": {"id": "p1"}, "data": {}},
    "bytes in the text, perhaps packed": sent(fields(["block", {"type": "bytes", "data": "H4sI"}])),
    "a model in a message": sent(fields(["block", {"type": "object", "name": "Div", "id": "q"}])),
    "a model in place of a message": sent({"type": "object", "name": "Div", "id": "q"}),
    "a list in a message": sent(fields(["block", [["x"] * 1000]])),
    "another event": sent(fields(BUFFER), name="button_click"),
    "words for ready": {**sent({}), "msg_data": {"type": "event", "name": "document_ready", "values": "x"}},
    "another message": sent(fields(BUFFER)) | {"msg_type": "x"},
    "nothing": None,
}


@pytest.mark.parametrize("name", UNHEARD)
def test_document_hears_its_channel_alone(name):
    question = sent(fields(BUFFER))
    assert messages.page_events({"events": [UNHEARD[name], question]}) == [question]


@pytest.mark.parametrize("content", [None, [], {}, {"events": 3}, {"events": {"kind": "MessageSent"}}])
def test_content_of_any_kind_has_no_events(content):
    assert messages.page_events(content) == []


def test_ready_is_heard():
    ready = {"type": "event", "name": "document_ready", "values": {"type": "map"}}
    event = {"kind": "MessageSent", "msg_type": "bokeh_event", "msg_data": ready}
    assert messages.page_events({"events": [event]}) == [event]


def answers(*requests, **options):
    replies = []

    async def send(message):
        if "answer" in message:
            replies.append(message["answer"])

    async def talk():
        visit = Engines(problem, send, **options)
        for id, message in enumerate(requests):
            await visit.take("one", {"version": 1, "id": id, **message})

    coroutines.run(talk())
    return replies


def test_page_computes_with_its_own_solvers():
    names = Bias().solver_names()
    assert {"augmented-lagrangian"} < names
    assert "newton" not in names
    other = PROBLEM | {"solver": {"name": "newton"}}
    replies = answers(DATA, other, PROBLEM | {"solver": "newton"}, PROBLEM, solvers=names)
    assert [reply["type"] for reply in replies] == ["ready", "error", "error", "frame"]
    assert "'newton' is not one of this page" in replies[1]["text"]


def test_combinations_of_terms_are_limited(monkeypatch):
    monkeypatch.setattr(budgets, "COMBINATIONS", budgets.COMBINATIONS._replace(most=2))
    losses = ("hinge", "logistic", "squared-hinge", "hinge")
    replies = answers(DATA, *(PROBLEM | {"loss": loss} for loss in losses))
    assert [reply["type"] for reply in replies] == ["ready", "frame", "frame", "error", "frame"]


def test_combinations_of_all_visits_are_limited(monkeypatch):
    monkeypatch.setattr(engines, "COMBINATIONS", set())
    monkeypatch.setattr(budgets, "ALL_COMBINATIONS", budgets.ALL_COMBINATIONS._replace(most=2))
    unknown = [PROBLEM | {"loss": f"unknown-{k}"} for k in range(3)]
    replies = answers(DATA, *unknown, *(PROBLEM | {"loss": loss} for loss in ("hinge", "logistic")))
    assert [reply["type"] for reply in replies] == ["ready", *["error"] * 3, "frame", "frame"]
    known, other = (PROBLEM | {"loss": loss} for loss in ("logistic", "squared-hinge"))
    replies = answers(DATA, known, other)
    assert [reply["type"] for reply in replies] == ["ready", "frame", "error"]
    assert replies[-1]["text"] == engines.ALL_TERMS


def test_typed_losses_of_all_visits_are_limited(monkeypatch):
    monkeypatch.setattr(typed_loss, "COMPILED", {("exp(-u)", "margin")})
    monkeypatch.setattr(budgets, "ALL_TYPED_LOSSES", budgets.ALL_TYPED_LOSSES._replace(most=1))
    monkeypatch.setattr(typed_loss, "_made", lambda source, text, kind: text)

    class Queue:
        async def ask(self, *request):
            return request[1]

    visit = typed_loss.TypedLosses()
    visit.queue = Queue()
    with pytest.raises(InputError, match="the visitors of this server have typed"):
        coroutines.run(visit.derive("2 * exp(-u)", "margin"))
    assert coroutines.run(visit.derive("exp(-u)", "margin")) == "exp(-u)"


# Long answers


CURVE = {name: InverseTime.param[name].default for name in curves.NAMES} | {"lam": 0.02, "seeds": 3}
SCREENING = {name: Norms.param[name].default for name in SCREENED}
LONG = {
    "a curve that is not recorded": (InverseTime, {"type": "curve"} | CURVE),
    "runs that screen": (Norms, {"type": "screening", "digits": 6} | SCREENING),
    "a plane": (
        Norms,
        {"type": "plane", "digits": 6, "first": 0, "second": 1, "window": "the ball"} | SCREENING,
    ),
    "a path": (Norms, {"type": "path"} | SCREENING),
    "runs that are compared": (Compare, {"type": "runs"}),
}


@pytest.mark.parametrize(("page", "message"), LONG.values(), ids=LONG)
def test_long_answer_ends_at_its_budget(page, message, monkeypatch):
    monkeypatch.setattr(budgets, "WORK_SECONDS", budgets.WORK_SECONDS._replace(most=0.0))
    monkeypatch.setattr(turns, "PIECE_SECONDS", 1e-9)
    for store in (curves.COMPUTED, screened.LABS, screened.OPTIMA, screened.PATHS):
        monkeypatch.setattr(store, "values", OrderedDict())

    async def ask():
        return await page().reply(message)

    with pytest.raises(InputError, match="more than 0 s of computing"):
        coroutines.run(ask())


def pieces(name, done, most):
    for _ in range(most):
        done.append(name)
        yield


def test_long_answers_take_turns(monkeypatch):
    monkeypatch.setattr(turns, "turns", turns.Turns(1))
    monkeypatch.setattr(turns, "PIECE_SECONDS", 1e-9)
    done = []

    async def visits():
        one, other = (Bias().compute(pieces(name, done, 4)) for name in "ab")
        await asyncio.gather(one, other)

    coroutines.run(visits())
    assert "".join(done) in ("abababab", "babababa")


def test_visit_has_few_long_answers_at_once(monkeypatch):
    monkeypatch.setattr(turns, "PIECE_SECONDS", 1e-9)
    done = []

    async def visit():
        page = Bias()
        await asyncio.gather(*(page.compute(pieces(name, done, 3)) for name in "abcd"))

    coroutines.run(visit())
    assert set(done[:6]) == {"a", "b"}
    assert sorted(done) == sorted("abcd" * 3)


def test_long_answer_ends_with_its_visit(monkeypatch):
    monkeypatch.setattr(turns, "PIECE_SECONDS", 1e-9)
    done = []

    async def visit():
        task = asyncio.ensure_future(Bias().compute(pieces("a", done, 10**9)))
        while len(done) < 3:
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait({task})
        count = len(done)
        await asyncio.gather(*(asyncio.to_thread(len, ()) for _ in range(100)))
        assert len(done) <= count + 1

    coroutines.run(visit())


def test_turn_is_given_to_another_loop():
    """A file is made in a loop of its own, while visitors compute."""
    places, done = turns.Turns(1), []

    async def file():
        async with places.take():
            done.append("file")

    async def visitor():
        async with places.take():
            thread = asyncio.ensure_future(asyncio.to_thread(asyncio.run, file()))
            while not places.waiting:
                await asyncio.sleep(0)
        await asyncio.wait_for(thread, 60)

    coroutines.run(visitor())
    assert done == ["file"]
    assert places.free == 1


def test_turn_is_as_long_as_its_steps_are_quick(monkeypatch):
    monkeypatch.setattr(budgets, "TURN_SECONDS", budgets.TURN_SECONDS._replace(most=1e-9))
    taken, real = [], engines.turns.take
    monkeypatch.setattr(engines.turns, "take", lambda *hurried: taken.append(hurried) or real(*hurried))
    size, before = answers(DATA, PROBLEM, {"type": "epoch", "count": 1})[-1]["step"], len(taken)
    replies = answers(DATA, PROBLEM, {"type": "step", "count": 3 * size + 1})
    assert replies[-1]["step"] == 3 * size + 1
    assert len(taken) == 2 * before + 3


def test_slices_of_a_run_are_cut():
    replies = answers(DATA, PROBLEM, {"type": "run", "gap": 0.0, "max_epochs": 300, "every": 10**6})
    assert replies[-1]["type"] == "error"
    assert f"above {engines.AHEAD}" in replies[-1]["text"]


def test_line_of_the_log_is_one_line():
    text = logs.line("a\nb\x1b[31m\u202e" + "x" * 10_000)
    assert text.startswith("a\\nb\\x1b[31m\\u202e")
    assert len(text) == budgets.LINE_CHARACTERS.most + 1


def test_records_are_bounded_with_their_tracebacks(monkeypatch, caplog):
    before = logging.getLogRecordFactory()
    try:
        logs.bound()
        log = logging.getLogger("test")
        try:
            raise ValueError("y\x1b" * 50_000)
        except ValueError:
            log.exception("from %s", "x\r\n" * 10_000)
    finally:
        logging.setLogRecordFactory(before)
        logging.getLogger(logs.REQUESTS).filters.clear()
    (record,) = [record for record in caplog.records if record.name == "test"]
    text = logging.Formatter().format(record)
    assert len(text) < budgets.LINE_CHARACTERS.most + 3 * budgets.TRACEBACK_CHARACTERS.most
    assert "\x1b" not in text
    assert "\r" not in text
    assert "x\\r\\n" in text


def test_lines_about_requests_are_few():
    rate = logs.Rate(3)
    assert [rate.filter(None) for _ in range(5)] == [True] * 3 + [False] * 2


# Behind a proxy all visitors had one address, and so one share of the room for uploads.
def test_session_knows_its_visitor_behind_a_proxy():
    import types

    from workbench.pages.server import admission, gate

    seen = []

    class Context:
        sessions = ()

        async def create_session_if_needed(self, session_id, request=None, token=None):
            seen.append(request.remote_ip)

    context, visits = Context(), admission.Admission(9)
    visits.begin(0)
    application = types.SimpleNamespace(_applications={"/": context}, websocket_origins=())
    gate.Gate(application, visits, proxies=("10.0.0.2",))

    async def visit():
        for forwarded in ("1.2.3.4", "1.2.3.5, 10.0.0.2"):
            request = types.SimpleNamespace(remote_ip="10.0.0.2", headers={"X-Forwarded-For": forwarded})
            await context.create_session_if_needed(forwarded, request)

    coroutines.run(visit())
    assert seen == ["1.2.3.4", "1.2.3.5"]


# The attacks of all that a visit may use, at once, beside a visitor who only wants a page.


def problem_message(contents):
    message = {"version": 1, "id": 1} | contents
    return blocks.packed({"type": "compute", "name": "one", "message": message})


async def attack_property(wire, model, data, k):
    new = {"type": "map", "entries": [["lam", "x" * 4 * MEGABYTE]]}
    change = {"kind": "ModelChanged", "model": {"id": data}, "attr": "settings", "new": new}
    wire.send("PATCH-DOC", {"events": [change]})


async def attack_roots(wire, model, data, k):
    root = {"type": "object", "name": "Div", "id": f"r{k}", "attributes": {"text": "x" * 4 * MEGABYTE}}
    wire.send("PATCH-DOC", {"events": [{"kind": "RootAdded", "model": root}]})


async def attack_questions(wire, model, data, k):
    wire.send("PATCH-DOC", event(model, {"id": f"q{k}", "type": "ask", "block": bytes(4 * MEGABYTE)}))


async def attack_steps(wire, model, data, k):
    names = {"source": "Digits · even or odd", "constraint": Bias.param.constraint.default}
    contents = (
        {"type": "data"} | names,
        {"type": "problem", "solver": ("pdhg", "newton", "augmented-lagrangian")[k % 3]},
        {"type": "step", "count": 10**6},
        {"type": "run", "gap": 0.0, "max_epochs": 32_000, "every": 100},
    )
    for place, content in enumerate(contents):
        block = problem_message(content)
        wire.send("PATCH-DOC", event(model, {"id": f"s{k}-{place}", "type": "ask", "block": block}))


async def attack_curves(wire, model, data, k):
    """Ask for curves that are not recorded, each of which takes up to a minute."""
    for place in range(8):
        block = blocks.packed({"type": "curve"} | CURVE | {"lam": 0.02 + 1e-6 * (8 * k + place), "seeds": 20})
        wire.send("PATCH-DOC", event(model, {"id": f"c{k}-{place}", "type": "ask", "block": block}))


async def attack_screening(wire, model, data, k):
    for place, type in enumerate(("screening", "plane", "path") * 3):
        ratio = {"ratio": 0.01 + 1e-6 * (9 * k + place)}
        more = {"digits": 6} if type != "path" else {}
        more |= {"first": 0, "second": 1, "window": "the ball"} if type == "plane" else {}
        block = blocks.packed({"type": type} | more | SCREENING | ratio)
        wire.send("PATCH-DOC", event(model, {"id": f"n{k}-{place}", "type": "ask", "block": block}))


async def attack_typing(wire, model, data, k):
    """Type losses, each of which is compiled."""
    name = {"text": f"log(1 + exp(-u)) + u**2 / {k + 2}", "kind": "margin"}
    block = blocks.packed({"type": "loss", "source": "Breast cancer", "name": name})
    wire.send("PATCH-DOC", event(model, {"id": f"t{k}", "type": "ask", "block": block}))
    await asyncio.sleep(1.0)


async def attack_reading(wire, model, data, k):
    """Ask for what is large, and read none of it."""
    for place in range(8):
        block = blocks.packed({"type": "bokeh"})
        wire.send("PATCH-DOC", event(model, {"id": f"b{k}-{place}", "type": "ask", "block": block}))


ATTACKS = {
    attack_property: "bias",
    attack_roots: "bias",
    attack_questions: "bias",
    attack_steps: "bias",
    attack_reading: "bias",
    attack_curves: "inverse-time",
    attack_screening: "norms",
    attack_typing: "dual-lab",
}


@pytest.mark.long
@pytest.mark.parametrize(
    ("attack", "page"), ATTACKS.items(), ids=lambda value: getattr(value, "__name__", "")
)
def test_server_stays_small_and_answers_others(attack, page):
    async def visit(server, process):
        # Data sets and kernels are the same for all visits and stay.
        honest = await Wire.open(server.base, page)
        [(model, _)] = components(await honest.document())
        await (attack_steps if page == "bias" else attack)(honest, model, None, 2)
        await asyncio.sleep(10.0)
        honest.socket.close()
        rest, most, slowest = process.memory_info().rss, 0, 0.0
        wire = await Wire.open(server.base, page)
        [(model, attributes)] = components(await wire.document())
        data = attributes["data"]["id"]
        for k in range(30):
            if wire.socket.close_code is None:
                try:
                    await attack(wire, model, data, k)
                except Exception:  # the server has closed it
                    wire = await Wire.open(server.base, page)
            begin = time.monotonic()
            await token_of(server.base, page)
            slowest = max(slowest, time.monotonic() - begin)
            most = max(most, process.memory_info().rss - rest)
        wire.socket.close()
        return most / MEGABYTE, slowest

    with serving(None, page) as server:
        process = psutil.Process(server.process.pid)
        memory, seconds = run(visit(server, process))
        cpu = [process.cpu_times().user]
        for _ in range(2):
            time.sleep(3.0)
            cpu.append(process.cpu_times().user)
    print(
        f"{attack.__name__}: {memory:.0f} MB, {seconds:.2f} s, afterwards {cpu[2] - cpu[1]:.2f} s",
        file=sys.stderr,
    )
    assert memory < MOST_MEMORY
    assert seconds < MOST_SECONDS
    assert cpu[2] - cpu[1] < 1.0, "something goes on for a visitor who left"
