"""Reuters from every kind of source and its download, on a collection of six stories."""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import http.server
import io
import re
import socket
import tarfile
import threading
from pathlib import Path

import numpy as np
import pytest

import workbench.data as data
from workbench._support.errors import InputError
from workbench.data import places, reuters


def story(split, topics, text, has_topics="YES", kind=""):
    """Return one document in the collection's form."""
    listed = "".join(f"<D>{topic}</D>" for topic in topics)
    return (
        f'<REUTERS TOPICS="{has_topics}" LEWISSPLIT="{split}" CGISPLIT="TRAINING-SET" OLDID="1" NEWID="1">\n'
        f"<DATE>26-FEB-1987</DATE>\n<TOPICS>{listed}</TOPICS>\n<PLACES><D>usa</D></PLACES>\n"
        f"<TEXT{kind}>&#2;\n{text}&#3;</TEXT>\n</REUTERS>\n"
    )


STORIES = {
    "reut2-000.sgm": '<!DOCTYPE lewis SYSTEM "lewis.dtd">\n'
    + story("TRAIN", ["acq"], "<TITLE>Alpha buys Beta</TITLE><BODY>Beta &lt;BTA> said \xe9t\xe9 1987</BODY>")
    + story("TRAIN", ["earn", "acq"], "<TITLE>Gamma</TITLE>", kind=' TYPE="BRIEF"')
    + story("NOT-USED", ["grain"], "<TITLE>unused</TITLE>"),
    "reut2-001.sgm": story("TRAIN", [], "DIVIDEND of Delta\n", kind=' TYPE="UNPROC"')
    + story("TEST", ["acq"], "<TITLE>Alpha</TITLE><DATELINE>PARIS</DATELINE><BODY>unseen &amp; beta</BODY>")
    + story("TEST", ["zinc"], "<TITLE>Zinc</TITLE><BODY>gamma</BODY>")
    + story("TRAIN", ["crude"], "<TITLE>nothing</TITLE>", has_topics="NO"),
}
STORY_WORDS = (
    "alpha",
    "beta",
    "bta",
    "buys",
    "delta",
    "dividend",
    "gamma",
    "of",
    "said",
    "t",
    "(constant)",
)


def write_sources(folder: Path, kind: str) -> Path:
    """Write the two files as an archive or a folder; return what `locate` should find."""
    folder.mkdir(parents=True, exist_ok=True)
    if kind in ("folder", "loose"):
        target = folder / "reuters21578" if kind == "folder" else folder
        target.mkdir(exist_ok=True)
        for name, text in STORIES.items():
            (target / name).write_bytes(text.encode("latin-1"))
        return target
    path = folder / f"reuters21578.tar.{kind}"
    with tarfile.open(path, f"w:{kind}") as archive:
        archive.addfile(directory_member("./"))
        # Against the order of the names, with a leading "./" and with members to pass over.
        for name, text in reversed(STORIES.items()):
            add_member(archive, f"./{name}", text.encode("latin-1"))
        add_member(archive, "./README.txt", b"read me")
        add_member(archive, "./._reut2-000.sgm", b"\0\1")
        link = tarfile.TarInfo("./reut2-009.sgm")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        archive.addfile(link)
    return path


def directory_member(name):
    member = tarfile.TarInfo(name)
    member.type = tarfile.DIRTYPE
    return member


def add_member(archive, name, content):
    member = tarfile.TarInfo(name)
    member.size = len(content)
    archive.addfile(member, io.BytesIO(content))


# Sources


@pytest.mark.parametrize("kind", ["xz", "gz", "folder", "loose"])
def test_every_kind_of_source_gives_the_same_corpus(places_of_test, tmp_path, kind):
    _, folder = places_of_test
    target = write_sources(folder, kind)
    assert data.locate("reuters21578") == data.fetch("reuters21578") == target
    result = reuters.corpus()
    assert result.feature_names == STORY_WORDS
    assert result.topics == ("acq", "earn", "zinc")
    expected = [{"alpha", "buys", "beta", "bta", "said", "t"}, {"gamma"}, {"dividend", "of", "delta"}]
    words = np.array(STORY_WORDS)
    assert [set(words[row > 0]) for row in result.X.toarray()] == [e | {"(constant)"} for e in expected]
    assert result.labels.tolist() == [[True, False, False], [True, True, False], [False, False, False]]
    assert [set(words[row > 0]) for row in result.X_test.toarray()] == [
        {"alpha", "beta", "(constant)"},
        {"gamma", "(constant)"},
    ]
    assert result.labels_test.tolist() == [[True, False, False], [False, False, True]]
    assert reuters.topics() == {"acq": 2, "earn": 1, "zinc": 0}
    assert not list(tmp_path.rglob("reut2-009.sgm"))  # nothing is unpacked


def test_another_rule_for_words_is_another_corpus(places_of_test):
    write_sources(places_of_test[1], "gz")
    assert set(reuters.corpus("joined").words) - set(STORY_WORDS) == {"1987"}
    assert reuters.corpus().feature_names == STORY_WORDS
    text = reuters.text_of("<TEXT><BODY>The U.S. 1,200.5 year-end's -a</BODY></TEXT>")
    assert re.findall(reuters.WORDS["joined"], text) == ["the", "u.s", "1,200.5", "year-end's", "a"]
    with pytest.raises(InputError, match="rule='stems' is not known; use words or joined"):
        reuters.corpus("stems")


def test_the_better_source_comes_first(places_of_test):
    cache, folder = places_of_test
    cached = write_sources(cache, "gz")
    assert data.locate("reuters21578") == cached
    for kind in ("loose", "folder", "gz", "xz"):
        assert data.locate("reuters21578") != (result := write_sources(folder, kind))
        assert data.locate("reuters21578") == result


def test_what_was_parsed_is_parsed_once_and_is_nobody_elses(places_of_test, monkeypatch):
    write_sources(places_of_test[1], "gz")
    task = data.load("reuters21578", category="earn")
    task.X.data[:] = 0.0
    monkeypatch.setattr(reuters, "parse", lambda *args: pytest.fail("it was parsed before"))
    again = data.load("reuters21578", category="earn")
    assert again.y.tolist() == [-1, 1, -1]
    assert again.summary == "reuters21578 (earn): n = 3, d = 11, 13 non-zeros, 33.3 % positive, 2 test rows"


def test_a_changed_source_is_parsed_anew(places_of_test):
    _, folder = places_of_test
    target = write_sources(folder, "loose")
    reuters.corpus()
    more = story("TRAIN", ["tin"], "<TITLE>tin</TITLE>").encode()
    (target / "reut2-002.sgm").write_bytes(more)
    assert "tin" in reuters.topics()


@pytest.mark.parametrize(
    "content",
    [b"", b"no archive at all", gzip.compress(b"no archive", mtime=0), "cut", "no stories"],
    ids=["empty", "text", "no tar", "cut", "no stories"],
)
def test_a_damaged_archive_is_named(places_of_test, content):
    _, folder = places_of_test
    path = write_sources(folder, "gz")
    if content == "cut":
        content = path.read_bytes()[:-60]
    elif content == "no stories":
        with tarfile.open(path, "w:gz") as archive:
            add_member(archive, "reut2-000.sgm", b"<REUTERS>")
        content = path.read_bytes()
    path.write_bytes(content)
    with pytest.raises(InputError, match=r"reuters21578\.tar\.gz (cannot be read|has 0 training)"):
        reuters.corpus()


def test_an_archive_of_huge_members_is_refused(places_of_test, monkeypatch):
    _, folder = places_of_test
    write_sources(folder, "xz")
    monkeypatch.setattr(reuters, "MAX_FILE_BYTES", 100)
    with pytest.raises(InputError, match="too large"):
        reuters.corpus()


# The download


class Archive(http.server.BaseHTTPRequestHandler):
    content = b""
    status = 200

    def do_GET(self):
        self.send_response(self.status)
        self.send_header("Content-Length", str(len(self.content)))
        self.end_headers()
        self.wfile.write(self.content)

    def log_message(self, *args):
        pass


@pytest.fixture
def server(tmp_path, monkeypatch):
    """A server of the tiny archive that the download is directed to."""
    content = write_sources(tmp_path / "served", "gz").read_bytes()
    handler = type("Handler", (Archive,), {"content": content})
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as running:
        thread = threading.Thread(target=running.serve_forever, args=(0.01,))
        thread.start()
        for variable in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
            monkeypatch.delenv(variable, raising=False)
        monkeypatch.setattr(reuters, "URL", f"http://127.0.0.1:{running.server_port}/reuters21578.tar.gz")
        monkeypatch.setattr(reuters, "SHA256", hashlib.sha256(content).hexdigest())
        yield handler
        running.shutdown()
        thread.join()


@pytest.mark.parametrize("progress", [False, True])
def test_the_collection_is_downloaded_into_the_cache(places_of_test, server, capfd, progress):
    cache, _ = places_of_test
    assert data.locate("reuters21578") is None
    path = data.fetch("reuters21578", progress=progress)
    assert path == cache / "reuters21578.tar.gz" == data.locate("reuters21578")
    output = capfd.readouterr()
    assert output.out == ""
    assert bool(output.err) == progress
    server.status = 500  # and it is not fetched again
    assert data.load("reuters21578").X.shape == (3, 11)


def test_without_workbench_data_the_download_works_too(places_of_test, server, monkeypatch):
    monkeypatch.delenv(places.VARIABLE)
    assert data.load("reuters21578").y.tolist() == [1, 1, -1]


def test_a_file_with_another_digest_is_thrown_away(places_of_test, server, monkeypatch):
    cache, _ = places_of_test
    monkeypatch.setattr(reuters, "SHA256", "0" * 64)
    with pytest.raises(InputError, match=r"SHA-256 is not the expected one.*WORKBENCH_DATA"):
        data.load("reuters21578")
    assert list(cache.iterdir()) == []


def test_a_refusal_by_the_server_is_told(places_of_test, server):
    cache, _ = places_of_test
    server.status = 404
    with pytest.raises(InputError, match=r"the server answered 404.*WORKBENCH_DATA"):
        data.fetch("reuters21578")
    assert list(cache.iterdir()) == []


def test_without_a_network_the_error_says_where_to_put_the_file(places_of_test, server, monkeypatch):
    with contextlib.closing(socket.socket()) as unused:
        unused.bind(("127.0.0.1", 0))
        monkeypatch.setattr(reuters, "URL", f"http://127.0.0.1:{unused.getsockname()[1]}/reuters21578.tar.gz")
        with pytest.raises(InputError, match=r"no connection.*put it into a folder and set .*WORKBENCH_DATA"):
            data.load("reuters21578")
