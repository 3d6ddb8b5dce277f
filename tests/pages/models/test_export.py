"""Pages as files: what is refused, what a typed text may do in them, how large they are, what they hold."""

import json
import re
import subprocess
import sys
from html.parser import HTMLParser

import pytest
from typer.testing import CliRunner

from tests.corpora import table
from workbench._support.errors import InputError
from workbench.cli import app
from workbench.pages import export, formulas, registry
from workbench.pages.hosts import file

HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(1)>"
MOST_BYTES = 2.5e6
# A regularizer that needs no derivation.
QUICK = ("transfer", "--set", "regularizer=ℓ2 norm")
PATIENCE = 900


def invoke(*arguments):
    return CliRunner().invoke(app, ["export", *map(str, arguments)])


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        *table("misuse")["export"],
        (("conjugates", "out.html", "--function", "u" * 200), "at most 120"),
    ],
)
def test_misuse_ends_in_a_sentence_and_leaves_nothing(arguments, words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "there.html").write_text("mine")
    result = invoke(*arguments)
    assert result.exit_code == 2
    assert result.stderr.startswith("error: ")
    assert result.stderr.count("\n") == 1
    assert words in result.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["there.html"]
    assert (tmp_path / "there.html").read_text() == "mine"


@pytest.mark.parametrize(
    ("arguments", "formula"),
    [
        (("--function", "exp(u) + a*u**4", "--parameter", "a > 0"), "exp(u) + a*u**4"),
        (("--function", "-u**2"), "-u**2"),
    ],
)
def test_a_file_opens_with_the_function_that_was_typed(arguments, formula, tmp_path):
    path = tmp_path / "out.html"
    result = invoke("conjugates", str(path), *arguments)
    assert result.exit_code == 0, result.stderr
    facts = re.search(r"^const facts = (.*);$", path.read_text(encoding="utf-8"), re.MULTILINE).group(1)
    assert json.loads(facts)["settings"]["formula"] == formula


def test_a_failed_write_leaves_nothing(tmp_path, monkeypatch):
    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("workbench._support.system.storage.os.replace", fail)
    with pytest.raises(InputError, match="No space left"):
        export.write(tmp_path / "out.html", "text", force=False)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.long
def test_the_same_command_writes_the_same_file(tmp_path):
    for name in ("first.html", "second.html"):
        command = [sys.executable, "-m", "workbench", "export", QUICK[0], tmp_path / name, *QUICK[1:]]
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=True)
        assert re.search(r"(second|first)\.html: 0\.\d MB$", done.stdout.splitlines()[-1])
    first, second = ((tmp_path / name).read_bytes() for name in ("first.html", "second.html"))
    assert first == second
    assert len(first) < MOST_BYTES
    again = invoke(QUICK[0], tmp_path / "first.html", "--force", "--theme", "dark", "--projector", *QUICK[1:])
    assert again.exit_code == 0
    dark = (tmp_path / "first.html").read_bytes().splitlines()
    (look,) = [line for line in dark if b"theme=dark" in line]
    assert b'"#theme=dark&projector=on"' in look
    assert [line for line in dark if line != look] == first.splitlines()


def tags(text):
    """Return the names and attributes of all tags; the texts of scripts and styles have none."""
    starts, parser = [], HTMLParser()
    parser.handle_starttag = lambda tag, attributes: starts.append((tag, attributes))
    parser.feed(text)
    return starts


def test_nothing_breaks_out_of_a_tag(monkeypatch):
    page = registry.of("transfer").page_type()
    plain = file.text_of(page, [{"type": "page"}])
    monkeypatch.setattr(type(page), "title", HOSTILE)
    monkeypatch.setattr(type(page), "settings", lambda page: {"regularizer": HOSTILE})
    text = file.text_of(page, [{"type": "page"}])
    assert tags(text) == tags(plain)
    assert "<img" not in formulas.formula(HOSTILE)


def test_the_browser_itself_refuses_every_request():
    text = file.text_of(registry.of("transfer").page_type(), [{"type": "page"}])
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', text).group(1)
    assert policy.startswith("default-src 'none'")
    assert "http" not in policy


def test_every_page_is_known_by_name():
    assert set(registry.pages()) >= {"conjugates", "transfer", "dual-lab"}
