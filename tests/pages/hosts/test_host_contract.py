"""Both ends of a host's channel, settings of a page, and the pure functions of its modules under Node."""

import asyncio
import json
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest

from tests.helpers import coroutines
from tests.helpers.node_engine import missing
from tests.pages.hosts.probe import Probe
from workbench._support.errors import InputError
from workbench.pages import bundling
from workbench.pages.bias.declaration import Bias
from workbench.pages.dual_lab.declaration import DualLab
from workbench.pages.hosts import blocks
from workbench.pages.hosts.channel import Channel
from workbench.pages.wasm import bundle

HERE = Path(__file__).parent
VALUE = {
    "text": "λ ≤ ∞",
    "list": [1, None, True, float("inf"), float("-inf")],
    "floats": np.array([1.0, -2.5, 1e300]),
    "table": np.arange(6, dtype=np.int32).reshape(2, 3),
    "nothing": np.zeros(0),
}


def sent(messages, type_):
    return [entry for entry in messages if entry[0]["type"] == type_]


def channel(page):
    """A channel of a page, and the envelopes and blocks that it sends."""
    messages = []
    return Channel(page.answer, lambda envelope, block: messages.append((envelope, block))), messages


def test_block_holds_a_value_and_its_arrays():
    value = blocks.opened(blocks.packed(VALUE))
    assert {name: part for name, part in value.items() if isinstance(part, str | list)} == {
        name: VALUE[name] for name in ("text", "list")
    }
    for name in ("floats", "table", "nothing"):
        np.testing.assert_array_equal(value[name], VALUE[name])
        assert value[name].dtype == VALUE[name].dtype
    np.testing.assert_array_equal(blocks.opened(blocks.packed(b"abc")), np.frombuffer(b"abc", dtype=np.uint8))


@pytest.mark.parametrize(
    "block", [b"", b"\xff\xff\xff\x7f{}", b"\x02\x00\x00\x00{]", blocks.packed(VALUE)[:-40]]
)
def test_damaged_block_is_refused_in_a_sentence(block):
    with pytest.raises(InputError, match="not a value that a page sends"):
        blocks.opened(block)


def test_array_of_objects_is_refused():
    with pytest.raises(InputError, match="array of object cannot be sent; use numbers"):
        blocks.packed({"x": np.array([None])})
    with pytest.raises(InputError, match="not a value that a page sends"):
        blocks.opened(blocks.packed({"$array": ["|O", [1], 0]}))


def test_settings_are_set_at_once_and_refused_by_name():
    page = Probe()
    with pytest.raises(InputError, match=r"lam = 7.*refused.*unknown setting 'rat'; expected one of"):
        page.change({"lam": 7, "seed": 3, "epsilon": 1, "rat": 1})
    assert page.settings() == {"lam": 0.5, "epsilon": 1.0, "seed": 3, "loss": "hinge", "is_slow": False}
    assert page.batches == [2]
    with pytest.raises(InputError, match=r"seed = 1\.5"):
        page.change({"seed": 1.5})


def test_messages_are_answered_by_their_methods():
    page = Probe()
    assert page.answer({"type": "facts"})["text"] == "λ ≤ ∞"
    for message in ({"type": "open_address"}, {"type": None}, [], {"type": "__init__"}):
        with pytest.raises(InputError, match="expected one of bokeh, change, double, facts"):
            page.answer(message)
    with pytest.raises(InputError, match="message double: missing a required argument: 'array'"):
        page.answer({"type": "double"})


def test_channel_answers_and_cancels():
    async def talk():
        page = Probe()
        line, messages = channel(page)
        for garbage in (None, 3, {}, {"id": 3}, {"id": "a", "type": "ask"}, {"id": "a", "type": "cancel"}):
            line.receive(garbage, None)
        assert messages == []
        line.receive({"id": "a", "type": "ask"}, blocks.packed({"type": "facts"}))
        line.receive({"id": "b", "type": "ask"}, b"nothing")
        line.receive({"id": "c", "type": "ask"}, blocks.packed({"type": "wait"}))
        await asyncio.sleep(0)
        line.receive({"id": "c", "type": "cancel"}, None)
        await asyncio.gather(*line.tasks.values(), return_exceptions=True)
        await asyncio.sleep(0)
        assert page.cancelled == 1
        assert line.tasks == {}
        return messages

    messages = coroutines.run(talk())
    assert blocks.opened(sent(messages, "answer")[0][1])["infinite"] == float("inf")
    assert [envelope["id"] for envelope, _ in sent(messages, "error")] == ["b"]
    assert len(messages) == 2


def test_fault_is_told_without_its_text(caplog):
    line, messages = channel(Probe())
    line.receive({"id": "a", "type": "ask"}, blocks.packed({"type": "fault"}))
    assert "secret" not in messages[0][0]["text"]
    assert "a secret" in caplog.text


def test_page_of_two_hosts_emits_to_both():
    page = Probe()
    lines = [channel(page) for _ in range(2)]
    page.channels += [line for line, _ in lines]
    page.emit({"x": 1})
    assert [blocks.opened(messages[0][1]) for _, messages in lines] == [{"x": 1}] * 2


def test_bias_refuses_sources_and_constraints_that_are_not_its_own():
    page = Bias()
    with pytest.raises(InputError, match="unknown source 'nowhere'; expected one of"):
        page.answer({"type": "data", "source": "nowhere"})
    with pytest.raises(InputError, match="unknown constraint None; expected one of"):
        page.problem({"source": "Breast cancer"})


def test_link_of_a_page_in_a_notebook_is_that_of_its_publication():
    class Published(Bias):
        published = "https://example.org/{name}"

    assert Published().answer({"type": "page"})["published"] == "https://example.org/bias"
    assert Bias().answer({"type": "page"})["published"] == ""


@pytest.fixture(scope="module")
def facts(tmp_path_factory):
    """Return by the names of variables the files with what the pages go by."""
    folder, paths = tmp_path_factory.mktemp("facts"), {}
    for name, page in {"FACTS": Bias(), "LAB": DualLab()}.items():
        paths[name] = folder / f"{name}.json"
        paths[name].write_text(json.dumps(bundle.plain(page.answer({"type": "page"}))), encoding="utf-8")
    return paths


@pytest.mark.parametrize("name", ["blocks", "settings", "synced", "visits", "bias", "lab"])
def test_pure_functions_hold_under_node(name, facts):
    if bundling.node() is None:
        missing("there is no Node")
    command = [bundling.node(), "--test", HERE / f"{name}.test.mjs"]
    env = os.environ | {name: str(path) for name, path in facts.items()}
    run = subprocess.run(command, env=env, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout


def test_block_of_python_is_that_of_javascript():
    if bundling.node() is None:
        missing("there is no Node")
    script = """
        import { readFileSync, writeSync } from "node:fs";
        const { opened, packed } = await import(process.argv[1]);
        const value = opened(readFileSync(0));
        writeSync(1, Buffer.from(packed({ ...value, sum: value.floats.reduce((a, b) => a + b) })));
    """
    module = bundling.PACKAGE / bundling.PAGES / "runtime" / "hosts" / "blocks.js"
    command = [bundling.node(), "--input-type=module", "-e", script, module.as_uri()]
    run = subprocess.run(command, input=blocks.packed(VALUE), capture_output=True, check=True)
    value = blocks.opened(run.stdout)
    assert value["sum"] == VALUE["floats"].sum()
    assert value["list"] == VALUE["list"]
    np.testing.assert_array_equal(value["table"], VALUE["table"].ravel())
