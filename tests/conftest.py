"""Fixtures and hooks of all tests: Hypothesis's profiles, and the pages that a file of tests visits."""

import contextlib
import fcntl
import functools
import gc
import json
import os
import subprocess
import sys
from pathlib import Path
from urllib.parse import urljoin

import pytest
from hypothesis import HealthCheck, settings

from tests.helpers.amounts import amount

# Notebooks have no addresses, for whose check jsonschema compiles grammars, a second in each process.
sys.modules.setdefault("rfc3987_syntax", None)
# What the pages' tests share asserts too, and should say what it found.
pytest.register_assert_rewrite("tests.helpers.page_browser", "tests.helpers.stub_server")
# A compiled kernel's first call is slow and its next is fast, so no example has a deadline. Under CI
# the examples are the same in every run.
DRAWN = {
    "deadline": None,
    "max_examples": amount(30, 100),
    "suppress_health_check": [HealthCheck.too_slow, HealthCheck.data_too_large],
}
settings.register_profile("local", **DRAWN)
settings.register_profile("ci", **DRAWN, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "local")

SERVER = "server.json"
FOLDER = Path(__file__).parent
CORPORA = FOLDER / "corpora"
# What a file's tests took when `make timings` wrote it down; a file that is not there takes long.
SECONDS = json.loads((CORPORA / "timings.json").read_text(encoding="utf-8"))
# Cases of which `make timings` saw that they take long; others of the same tests do not.
COSTLY = {*(CORPORA / "costly.txt").read_text(encoding="utf-8").splitlines()}
# The quick files are those that take least, as many as four processes on two cores do within a minute.
QUICK_SECONDS = 30.0


def pytest_addoption(parser):
    parser.addoption("--quick", action="store_true", help="the files that take least, for a minute")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config):
    """More processes than cores, since half of the time a test waits for a browser or another process."""
    return 2 * os.cpu_count()


@pytest.hookimpl(trylast=True)
def pytest_sessionstart(session):
    """Before processes for the tests start, one process compiles what all of them need."""
    if session.config.getoption("dist", "no") != "no" and not hasattr(session.config, "workerinput"):
        subprocess.run([sys.executable, FOLDER / "helpers/compile_kernels.py"], check=True)


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """Freeze what all test files import, so that the garbage collector does not visit it."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_ignore_collect(collection_path, config):
    if config.getoption("--quick") and collection_path.stem.startswith("test_"):
        return collection_path.name not in quick_files() or None
    return None


def pytest_report_header(config):
    if config.getoption("--quick"):
        left_out = {path.name for path in FOLDER.rglob("test_*.py")} - quick_files()
        return f"quick: {len(left_out)} files are left out; `make test` runs them"
    return None


@functools.cache
def quick_files():
    """The names of the files that take least."""
    total, files = 0.0, set()
    for name, seconds in sorted(SECONDS.items(), key=lambda item: item[1]):
        total += seconds
        if total > QUICK_SECONDS:
            break
        files.add(name)
    return files


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Begin with the files that take longest, mark costly cases as long, and say what a test is about."""
    items.sort(key=lambda item: -SECONDS.get(item.path.name, float("inf")))
    for item in items:
        if f"{item.path.name}::{item.name}" in COSTLY:
            item.add_marker(pytest.mark.long)
        item.user_properties.append(("kind", kind(item)))


def pytest_runtest_makereport(item, call):
    """Record the seconds of the test itself, without those of its fixtures."""
    if call.when == "call":
        item.user_properties.append(("own", call.duration))


def kind(item):
    """Return the kind of a test: its folder, or a mark that counts for more."""
    for mark in ("long", "serial", "browser"):
        if item.get_closest_marker(mark):
            return mark
    return item.path.parent.relative_to(FOLDER).as_posix()


@pytest.fixture(scope="module")
def address(request, once):
    """The address of the first of the test file's `PAGES`, on the server that all processes share."""
    from tests.helpers.page_browser import start

    url = json.loads(once(SERVER, start).read_text(encoding="utf-8"))["url"]
    return urljoin(url, request.module.PAGES[0])


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session):
    """The server that processes of the tests have shared ends when all of them are done."""
    if hasattr(session.config, "workerinput"):
        return
    if (path := session.config._tmp_path_factory.getbasetemp() / SERVER).exists():
        from tests.helpers.page_browser import end

        end(path)


@pytest.fixture(scope="module")
def browser(request):
    """A Chromium for the test file, requested after a server, which gives the reason where it is missing."""
    from tests.helpers.page_browser import chromium

    if hasattr(request.module, "PAGES"):
        request.getfixturevalue("address")
    with chromium() as chromium_browser:
        yield chromium_browser


@pytest.fixture(scope="module")
def one_worker():
    """One process derives and one checks, for the commands of a file: to start one takes longer."""
    from workbench.conjugates.convex import worker

    with contextlib.ExitStack() as stack:
        patch = stack.enter_context(pytest.MonkeyPatch.context())
        for name in ("Deriver", "CheckRunner"):
            made = getattr(worker, name)
            runner = stack.enter_context(made())
            patch.setattr(
                worker,
                name,
                lambda made=made, runner=runner, **more: (
                    made(**more) if more else contextlib.nullcontext(runner)
                ),
            )
        yield


@pytest.fixture
def places_of_test(tmp_path, monkeypatch):
    """An empty cache folder and an empty WORKBENCH_DATA; returns both."""
    from workbench.data import places

    cache, folder = tmp_path / "cache", tmp_path / "data"
    folder.mkdir()
    monkeypatch.setattr(places, "cache_folder", lambda: cache)
    monkeypatch.setenv(places.VARIABLE, str(folder))
    return cache, folder


@pytest.fixture(scope="session")
def once(tmp_path_factory, request):
    """Gives the file that a function writes; one process of the tests makes it for all of them."""
    folder = tmp_path_factory.getbasetemp()
    if hasattr(request.config, "workerinput"):
        folder = folder.parent

    @functools.cache
    def made(name, write):
        path = folder / name
        with (folder / f"{name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not path.exists():
                write(folder / f"new-{name}")
                (folder / f"new-{name}").rename(path)
        return path

    return made


@pytest.fixture(scope="module")
def javascript():
    """Runs printed JavaScript: (source, calls) -> numbers."""
    from tests.helpers.javascript_engine import engine

    with engine() as run:
        yield run
