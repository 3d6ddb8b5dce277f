"""A served page and a Chromium that visits it, for the tests of the pages."""

import atexit
import contextlib
import functools
import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

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
PLAIN = dict(zip("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789", strict=True))


@contextlib.contextmanager
def served(*names, options=(), programs=Path(sys.executable).parent):
    """A server of these pages, or of all, on a free port, as the address of the first.

    Its output holds no traceback.
    """
    need_chromium()
    port = free_port()
    command = [programs / "workbench", "serve", *names, "--port", str(port), "--no-show", *options]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    url = f"http://localhost:{port}/{names[0] if names else 'home'}"
    try:
        wait_for(url, server)
        yield url
    finally:
        server.terminate()
        output = server.communicate(timeout=PATIENCE_MS / 1000)[0]
    assert "Traceback" not in output, output


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
    """The Chromium of this process, which starts once; what was opened in it meanwhile is closed."""
    browser = _launched()
    before = set(browser.contexts)
    yield browser
    for context in set(browser.contexts) - before:
        context.close()


@contextlib.asynccontextmanager
async def looped_chromium():
    """A Chromium for scripts with an event loop of their own."""
    from playwright.async_api import async_playwright

    need_chromium()
    async with async_playwright() as driver:
        browser = await driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        try:
            yield browser
        finally:
            await browser.close()


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


# No control has the keys then.
GO = """(address) => {
  let focus = document.activeElement;
  while (focus?.shadowRoot?.activeElement) focus = focus.shadowRoot.activeElement;
  focus?.blur();
  history.pushState({}, "", address);
  dispatchEvent(new Event("popstate"));
}"""


def goes(page, address):
    """Bring an open page to the state of an address as Back does, without loading it anew."""
    page.evaluate(GO, address)
    page.locator(".main-content").evaluate("(e) => e.scrollTo(0, 0)")


def begins_anew(page, address, code, said):
    """Bring a page that runs solvers to an address and its code, and wait until that run has ended."""
    goes(page, address)
    assert becomes(page.locator(".wb-code").inner_text, code) == code
    if page.locator(".wb-status", has_text="Paused").count():
        page.get_by_role("button", name="run", exact=True).click()
    settle(page, said)


def settle(page, said):
    """Wait until a page says this and is drawn: what is pressed before is lost."""
    says(page, said)
    # The first sentence under a figure is written when the figure has its width.
    page.locator(".wb-line").first.wait_for()
    page.wait_for_function("Bokeh.documents.every((document) => document.is_idle)")


def becomes(read, wanted):
    """Read until that gives what is wanted; returns what was read last, for an assertion to show."""
    until = time.monotonic() + PATIENCE_MS / 1000
    while (found := read()) != wanted and time.monotonic() < until:
        time.sleep(0.1)
    return found


def read_number(text):
    """A number as pages print it: 2.1·10⁻⁴ with a true minus sign."""
    mantissa, _, power = text.strip().replace(",", "").replace("−", "-").partition("·10")
    if not power and mantissa.startswith("10") and mantissa[2:3] in PLAIN:
        mantissa, power = "1", mantissa[2:]
    return float(mantissa) * 10.0 ** int("".join(PLAIN[each] for each in power) or 0)


def leave_controls(page):
    """Click on a sentence, so that no control takes the next key."""
    page.locator(".wb-line").first.click()


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


def shows(page, pattern):
    """Wait for the code that is shown."""
    page.locator(".wb-code", has_text=pattern).wait_for()


def choose(page, label, option):
    """Pick an entry of a list."""
    page.get_by_role("combobox", name=label).click()
    page.get_by_role("menuitem", name=option, exact=True).click()


def unfold(page):
    """Show the figures that a page folds at first."""
    button = page.get_by_role("button", name="more figures")
    if button.get_attribute("aria-expanded") == "false":
        button.click()


def line(page, words):
    """The sentence under a figure that has these words."""
    return page.locator(".wb-line", has_text=words)


def fits(page, width):
    """Nothing scrolls sideways, once the page is laid out."""
    laid_out(page)
    page.wait_for_function("width => document.documentElement.scrollWidth <= width", arg=width)
