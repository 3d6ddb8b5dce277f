"""Pages as files: what is refused, what a typed text may do in them, how large they are, what they hold."""

import base64
import gzip
import json
import math
import re
import subprocess
import sys
from html.parser import HTMLParser

import numpy as np
import pytest
from typer.testing import CliRunner

from tests.corpora import table
from workbench._support.errors import InputError
from workbench.cli import app
from workbench.pages import export_file, export_played, formulas, played, registry, theme

HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(1)>"
MOST_BYTES = 2.5e6
# A regularizer that needs no derivation.
QUICK = ("transfer", "--set", "regularizer=ℓ2 norm")
PATIENCE = 900


def invoke(*arguments):
    return CliRunner().invoke(app, ["export", *map(str, arguments)])


class Tags(HTMLParser):
    """Names and attributes of all tags; the texts of scripts and styles are not tags."""

    def __init__(self, text):
        super().__init__()
        self.found = []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.found.append((tag, dict(attributes)))

    def count(self, tag):
        return sum(name == tag for name, _ in self.found)


def unpacked(text):
    packed = re.search(r'\nload\("[^"]*", "([^"]*)"\);', text).group(1)
    return json.loads(gzip.decompress(base64.b64decode(packed)))


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


def test_a_conjugate_without_closed_form_follows_its_parameter(tmp_path):
    """The file solves p'(u) = v itself, for whatever value its slider has."""
    path = tmp_path / "out.html"
    result = invoke("conjugates", str(path), "--function", "exp(u) + a*u**4", "--parameter", "a > 0")
    assert result.exit_code == 0, result.stderr
    assert "par_a" in json.dumps(unpacked(path.read_text(encoding="utf-8")))


def test_a_function_that_is_not_convex_is_drawn_with_its_chord(tmp_path):
    path = tmp_path / "out.html"
    result = invoke("conjugates", str(path), "--function", "-u**2")
    assert result.exit_code == 0, result.stderr
    assert "not convex" in json.dumps(unpacked(path.read_text(encoding="utf-8")))


def test_a_failed_write_leaves_nothing(tmp_path, monkeypatch):
    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("workbench._support.system.storage.os.replace", fail)
    with pytest.raises(InputError, match="No space left"):
        export_file.write(tmp_path / "out.html", "text", force=False)
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
    assert theme.look(dark=True).ground in (tmp_path / "first.html").read_text()


def test_nothing_breaks_out_of_a_tag():
    plain = Tags(export_file.page("t", theme.LIGHT, "", "", "played", {"x": "y"})).found
    text = export_file.page(HOSTILE, theme.LIGHT, "", "", "played", {HOSTILE: [HOSTILE]})
    # Its title is what a link shows elsewhere.
    title = {"property": "og:title", "content": "t"}
    assert [
        (tag, title if "og:title" in attributes.values() else attributes)
        for tag, attributes in Tags(text).found
    ] == plain
    assert ("meta", title | {"content": HOSTILE}) in Tags(text).found
    assert unpacked(text) == {HOSTILE: [HOSTILE]}
    assert "</script" not in export_file.script("'</script>' // </SCRIPT").removesuffix("</script>\n")
    assert "<img" not in formulas.formula(HOSTILE) + export_file.card(HOSTILE, "")


def test_the_browser_itself_refuses_every_request():
    text = export_file.page("t", theme.LIGHT, "", "", "played", {})
    policy = next(attributes for tag, attributes in Tags(text).found if "http-equiv" in attributes)
    assert policy["content"].startswith("default-src 'none'")
    assert "http" not in policy["content"]
    # Licences of what the file carries come with it.
    assert "Khan Academy" in text
    assert "Anaconda" in text


# --- recorded runs


@pytest.mark.parametrize(
    ("value", "stored"),
    [
        (math.inf, None),
        (math.nan, None),
        (1 / 3, 0.333333),
        (np.float32(0.5), 0.5),
        (np.int64(3), 3),
        (True, True),
        ("text", "text"),
        (None, None),
        ([], []),
        ((1, 2), [1, 2]),
        (np.array([[1.0, np.nan], [2.0, 3.0]]), [[1.0, None], [2.0, 3.0]]),
        ({"a": [1 / 3]}, {"a": [0.333333]}),
    ],
)
def test_values_are_plain(value, stored):
    assert played.plain(value) == stored


@pytest.mark.parametrize(("count", "most"), [(1, 1), (2, 2), (13, 13), (2001, 70)])
def test_a_long_run_has_few_pictures(count, most):
    places = export_played.thin(count)
    assert places[: min(count, 12)] == list(range(min(count, 12)))
    assert places[-1] == count - 1
    assert places == sorted(set(places))
    assert len(places) <= most


def test_what_is_typed_is_no_tag():
    assert "</script" not in export_file.script("'</script>'").removesuffix("</script>\n")


def test_every_page_is_known_by_name():
    assert set(registry.files()) >= {"conjugates", "transfer", "dual-lab"}


def test_a_recorded_picture_is_small_json():
    values = {"on": np.True_, "x": np.array([1 / 3, np.inf]), "n": np.int64(3), "name": "a"}
    assert json.dumps(played.plain(values)) == '{"on": true, "x": [0.333333, null], "n": 3, "name": "a"}'
