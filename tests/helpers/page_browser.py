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
from urllib.parse import unquote_plus

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
PLAIN = dict(zip("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789", strict=True))


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


# The settings by which the runs of a page go; null where the page has none.
SETTINGS = "() => window.wb_page?.settings ?? null"


def begins_anew(page, address, code, settings, said):
    """Bring a page that runs solvers to an address and its code, and wait until that run has ended.

    The settings are those of the first visit, so that no answer of the server starts a run later.
    """
    goes(page, address)
    assert becomes(page.locator(".wb-code").inner_text, code) == code
    assert becomes(lambda: page.evaluate(SETTINGS), settings) == settings
    if page.locator(".wb-status", has_text="Paused").count():
        page.get_by_role("button", name="run", exact=True).click()
    settle(page, said)


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


def cards(page):
    """Texts of the cards of numbers by name, read at one moment; empty while they are drawn."""
    page.locator(".wb-stat").first.wait_for()
    texts = page.locator(".wb-stat").evaluate_all(
        "(all) => all.map((card) => ['span', 'b'].map((part) => card.querySelector(part).innerText))"
    )
    return dict(texts) or cards(page)


def read_number(text):
    """A number as pages print it: 2.1·10⁻⁴ with a true minus sign."""
    mantissa, _, power = text.strip().replace(",", "").replace("−", "-").partition("·10")
    if not power and mantissa.startswith("10") and mantissa[2:3] in PLAIN:
        mantissa, power = "1", mantissa[2:]
    return float(mantissa) * 10.0 ** int("".join(PLAIN[number] for number in power) or 0)


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


class Gone(str):
    """Words that a page says no more."""


# What a slider answers.
KEYS = ("ArrowLeft", "ArrowRight", "Home", "End")


def move(page, name, how=None):
    """Move a control: click it, press a key of it, pick an entry, or type what stands after "="."""
    if name is None:
        leave_controls(page)
        page.keyboard.press(how)
    elif how is None:
        button = page.get_by_role("button", name=name, exact=True)
        button.or_(page.get_by_role("switch", name=name)).first.click()
    elif how in KEYS:
        page.get_by_role("slider", name=name).press(how)
    elif how.startswith("="):
        page.get_by_label(name).fill(how[1:])
        page.get_by_label(name).press("Enter")
    else:
        choose(page, name, how)


def _in_address(words):
    """Tells whether an address has what stands after a "?"; None for what the page says."""
    pattern = words.pattern if isinstance(words, re.Pattern) else re.escape(words)
    return (lambda url: bool(re.search(pattern[2:], unquote_plus(url)))) if pattern[:2] == r"\?" else None


def walk(page, *steps):
    """Move one control after another; after each the page says what it did not say before.

    Parameters
    ----------
    page : Page
    steps : (name, how, words)
        The name of a control, or None for the page's own keys; how it is moved, as `move` takes it; what the
        page says then, a str or pattern, or its address after a "?".
    """
    for name, how, words in steps:
        in_address = _in_address(words)
        sentence = page.get_by_text(words).and_(page.locator(":visible"))
        before = in_address(page.url) if in_address else sentence.count() > 0
        assert before is isinstance(words, Gone), f"whether {words!r} is said before {name!r}: {before}"
        try:
            move(page, name, how)
            if in_address:
                page.wait_for_url(in_address)
            else:
                sentence.first.wait_for(state="detached" if before else "visible")
        except Exception as error:
            stands = page.locator(".wb-status, .wb-line").all_inner_texts()
            raise AssertionError(f"{name!r}, moved by {how!r}, brought no {words!r}: {stands}") from error


def arrows_move(page, title, key):
    """Arrow keys move what a pointer drags in a figure; the page's own arrows are for what the page moves."""
    moved, code = (
        page.get_by_role("slider", name=f"{title}: arrow keys move the point"),
        page.locator(".wb-code"),
    )
    moved.focus()
    before, said = moved.get_attribute("aria-valuetext"), code.inner_text()
    for _ in range(3):
        page.keyboard.press(key)
    assert becomes(lambda: moved.get_attribute("aria-valuetext") != before, True), title
    assert becomes(lambda: code.inner_text() != said, True), title
    assert moved.evaluate("(each) => each === each.getRootNode().activeElement"), title


# Of each figure: how many renderers stand out while others fade.
STANDS_OUT = """() => Object.fromEntries(Bokeh.documents.flatMap((each) => [...each._all_models.values()])
  .filter(({ type, renderers }) => type === "Figure" && renderers.some(({ muted }) => muted))
  .map(({ name, renderers }) => [name, renderers.filter(({ muted }) => !muted).length]))"""


def lights(page, symbol, *figures):
    """A symbol of a formula lights what it names in these figures, under the pointer and by the keyboard."""
    mark = page.locator(f".katex-html [data-curve={symbol}]").first
    mark.scroll_into_view_if_needed()
    assert page.evaluate(STANDS_OUT) == {}
    expected = dict.fromkeys(figures, 1)
    assert becomes(lambda: (mark.hover(), page.evaluate(STANDS_OUT))[1], expected) == expected
    page.mouse.move(2, 2)
    assert becomes(lambda: page.evaluate(STANDS_OUT), {}) == {}
    # By the keyboard a formula lights all that it names.
    page.locator("wb-tex[data-curve]", has=page.locator(f"[data-curve={symbol}]")).first.focus()
    assert becomes(lambda: {*figures} <= {*page.evaluate(STANDS_OUT)}, True)
    leave_controls(page)


def unfold(page):
    """Show the figures that a page folds at first."""
    button = page.get_by_role("button", name="more figures")
    if button.get_attribute("aria-expanded") == "false":
        button.click()


def line(page, words):
    """The sentence under a figure that has these words."""
    return page.locator(".wb-line", has_text=words)


# Of each figure, whether it is dimmed.
DIMMED = """() => Bokeh.documents.flatMap((document) => [...document._all_models.values()])
  .filter((model) => model.type === "Figure").map((plot) => (plot.styles.opacity ?? "1") !== "1")"""


def fits(page, width):
    """Nothing scrolls sideways, once the page is laid out."""
    laid_out(page)
    page.wait_for_function("width => document.documentElement.scrollWidth <= width", arg=width)
