"""A served page and a Chromium that visits it, for the tests of the pages."""

import atexit
import contextlib
import functools
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import psutil
import pytest

# The same engine without windows takes little more than half the processor time.
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
CHROMIUM = next(filter(None, map(shutil.which, BROWSERS)), None)
# The closed network of a build machine must not turn Chromium's own chatter into console errors.
FLAGS = ["--no-sandbox", "--disable-background-networking", "--disable-component-update", "--disable-sync"]
# A state that has not come by then never will, also on a machine with other things to do.
PATIENCE_MS = 90_000
# A server that has to compile first takes longer.
START_SECONDS = 240
# Enough for the visits of all test files within a minute or two, which is how long a place stays taken; and
# so little for a file that a test has a larger one.
SHARED = ("--max-sessions", "1000", "--max-per-address", "1000", "--max-upload", "1")
LOG = "server.log"


@contextlib.contextmanager
def served(*names, options=(), programs=Path(sys.executable).parent):
    """A server of these pages, or of all, on a free port, as the address of the first.

    Its output holds no traceback.
    """
    server, url = _serving(names, options, programs, subprocess.PIPE)
    try:
        wait_for(url, server)
        yield url
    finally:
        server.terminate()
        output = server.communicate(timeout=PATIENCE_MS / 1000)[0]
    assert "Traceback" not in output, output


def start(path):
    """Start the server of all pages that the processes of the tests share, and write its address and number.

    It outlives this process; `end` ends it.
    """
    with path.with_name(LOG).open("w") as log:
        server, url = _serving((), SHARED, Path(sys.executable).parent, log)
    wait_for(url, server)
    server.returncode = 0  # else the end of this process would warn of a server that goes on
    path.write_text(json.dumps({"url": url, "pid": server.pid}))


def end(path):
    """End the server of `start`, whose output holds no traceback."""
    server = psutil.Process(json.loads(path.read_text())["pid"])
    server.terminate()
    server.wait(PATIENCE_MS / 1000)
    output = path.with_name(LOG).read_text()
    assert "Traceback" not in output, output


def _serving(names, options, programs, output):
    need_chromium()
    port = free_port()
    command = [programs / "workbench", "serve", *names, "--port", str(port), "--no-show", *options]
    server = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT, text=True)
    return server, f"http://localhost:{port}/{names[0] if names else 'home'}"


def need_chromium():
    """Skip where no Chromium is, or fail where tests of it must not be skipped."""
    if CHROMIUM is None:
        reason = "no Chromium on this machine; install Debian's package chromium"
        (pytest.fail if os.environ.get("CI") else pytest.skip)(reason)


def free_port():
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("localhost", 0))
        return probe.getsockname()[1]


def wait_for(url, server):
    """Wait until a server answers, or fail with what it said."""
    until = time.monotonic() + START_SECONDS
    while time.monotonic() < until:
        if server.poll() is not None:
            pytest.fail(f"the server ended: {server.stdout and server.stdout.read()}")
        try:
            with urllib.request.urlopen(url, timeout=30):
                return
        except OSError:
            time.sleep(0.5)
    pytest.fail(f"{url} did not answer")


@contextlib.contextmanager
def chromium():
    """Yield the Chromium of this process, which starts once, and close the contexts that were opened."""
    browser = _launched()
    before = set(browser.contexts)
    yield browser
    for context in set(browser.contexts) - before:
        context.close()


@functools.cache
def _launched():
    from playwright import sync_api as playwright

    need_chromium()
    driver = playwright.sync_playwright().start()
    atexit.register(driver.stop)
    return driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)


@contextlib.contextmanager
def visit(browser, address, said=None, width=1280, height=800):
    """A fresh visit that waits for a status; at its end nothing was logged or fetched from elsewhere."""
    origin = re.match(r"https?://[^/]+", address).group()
    view = browser.new_page(viewport={"width": width, "height": height})
    view.set_default_timeout(PATIENCE_MS)
    errors, outside = [], []
    view.on("console", lambda message: message.type == "error" and errors.append(message.text))
    view.on("pageerror", lambda error: errors.append(str(error)))
    view.on("request", lambda r: r.url.startswith((origin, "data:", "blob:")) or outside.append(r.url))
    view.goto(address)
    if said is not None:
        settle(view, said)
    yield view
    view.close()
    assert errors == [], errors
    assert outside == [], outside


def settle(page, said):
    """Wait until a page says this and is drawn: what is pressed before is lost."""
    says(page, said)
    # The first sentence under a figure is written when the figure has its width.
    page.locator(".wb-line").first.wait_for()
    page.wait_for_function("Bokeh.documents.every((document) => document.is_idle)")


def becomes(read, expected):
    """Read until that gives what is wanted; returns what was read last, for an assertion to show."""
    until = time.monotonic() + PATIENCE_MS / 1000
    while (value := read()) != expected and time.monotonic() < until:
        time.sleep(0.1)
    return value


def laid_out(page):
    """Wait until the browser has drawn what it was told."""
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def says(page, pattern):
    """Wait for a status."""
    from playwright.sync_api import TimeoutError

    try:
        page.locator(".wb-status", has_text=pattern).wait_for()
    except TimeoutError:
        stands = page.locator(".wb-status").all_inner_texts()
        raise AssertionError(f"waited for the status {pattern!r}, and it is {stands}") from None


def fits(page, width):
    """Nothing scrolls sideways, once the page is laid out."""
    laid_out(page)
    page.wait_for_function("width => document.documentElement.scrollWidth <= width", arg=width)
