"""Hosted pages as files: what `workbench export` and `workbench site` write and refuse, without a browser."""

import base64
import gzip
import json
import re

import pytest
from typer.testing import CliRunner

import workbench as wb
from workbench._support.errors import InputError
from workbench.cli import app
from workbench.pages import export, registry
from workbench.pages.bias import model as bias
from workbench.pages.bias.declaration import Bias
from workbench.pages.hosts import blocks

BIAS = registry.of("bias")
DIGITS = "Digits · even or odd"


def opened(text):
    """The settings of a file and its answers, by their keys."""
    facts = json.loads(re.search(r"const facts = (.*);\n", text).group(1).replace("<\\/", "</"))
    answers = {
        key: blocks.opened(gzip.decompress(base64.b64decode(packed)))
        for key, packed in facts["answers"].items()
        if json.loads(key)["type"] == "page"
    }
    return facts["settings"], [json.loads(key) for key in facts["answers"]], answers['{"type":"page"}']


def names(messages, kind):
    return [message["name"] for message in messages if message["type"] == kind]


def test_class_of_a_page_stands_at_the_top():
    assert wb.pages.Bias is Bias
    assert wb.pages.Bias(lam=0.02).settings()["lam"] == 0.02
    assert "Bias" in dir(wb.pages)
    with pytest.raises(AttributeError, match="no attribute 'Nothing'"):
        wb.pages.Nothing  # noqa: B018


def test_file_carries_the_present_values_among_its_grids():
    page = Bias(epsilon=0.2, tube=0.7, source=DIGITS)
    settings, messages, facts = opened(page.html())
    assert settings == page.settings()
    assert "elastic-net:epsilon=0.2" in names(messages, "regularizer")
    assert "epsilon-insensitive:epsilon=0.7" in names(messages, "loss")
    assert {message.get("source", DIGITS) for message in messages} == {DIGITS}
    rows = {row["name"]: row for group in facts["controls"] for row in group["rows"]}
    assert rows["epsilon"]["grid"] == [0.0, 0.03, 0.1, 0.2, 0.3, 1.0]
    assert "grid" not in rows["lam"]


def test_file_names_what_it_lacks():
    _, _, facts = opened(export.text("bias"))
    assert facts["elsewhere"]["constraint"] == [bias.SUM, bias.ZERO]
    assert DIGITS in facts["elsewhere"]["source"]
    assert "Breast cancer" not in facts["elsewhere"]["source"]
    presets = bias.PRESETS
    lacking = {
        name
        for name, state in presets.items()
        if state.get("constraint") in (bias.SUM, bias.ZERO)
        or state.get("source", "Breast cancer") != "Breast cancer"
    }
    assert lacking
    assert set(facts["presets"]) == set(presets) - lacking


def test_several_data_sets_and_values_of_a_grid_are_offered():
    values = [("source", DIGITS), ("source", "Breast cancer"), ("q", "2"), ("q", "1.3"), ("lam", "0.1")]
    settings, messages, facts = opened(export.text("bias", choices=values))
    assert settings["lam"] == 0.1
    assert settings["source"] == "Breast cancer"
    assert settings["q"] == 1.3
    regularizers = {name for name in names(messages, "regularizer") if name.startswith("q-norm")}
    assert regularizers == {"q-norm:q=1.3", "q-norm:q=2"}
    assert sum(message["type"] == "data" for message in messages) == 2
    assert not {DIGITS, "Breast cancer"} & set(facts["elsewhere"]["source"])


@pytest.mark.parametrize(
    ("name", "values", "words"),
    [
        ("constraint", [bias.SUM], r"needs Python, .* 'workbench serve bias'"),
        ("source", ["nothing"], "source takes one of"),
        ("lam", ["0.1", "0.2"], "lam has 2 values; give one"),
        ("lam", ["7"], "lam takes a number from"),
        ("rat", ["1"], "'rat' cannot be set here"),
    ],
)
def test_what_a_file_cannot_have_is_refused(name, values, words, tmp_path):
    with pytest.raises(InputError, match=words):
        export.export("bias", tmp_path / "x.html", choices=[(name, value) for value in values])
    assert list(tmp_path.iterdir()) == []


def test_look_of_a_file_is_its_address_where_that_says_nothing(tmp_path):
    path = tmp_path / "bias.html"
    result = CliRunner().invoke(app, ["export", "bias", str(path), "--theme", "dark", "--projector"])
    assert result.exit_code == 0, result.stderr
    text = path.read_text(encoding="utf-8")
    assert 'location.search + "#theme=dark&projector=on"' in text
    assert f'property="og:title" content="{BIAS.title.replace("&", "&amp;")}"' in text
    assert len(text) < 1e6 * export.LIMIT_MB
