"""Live views in a real JupyterLab: a slider moves the figure."""

import contextlib
import itertools
import re
import shutil
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

from tests.helpers.made_lessons import LESSONS
from tests.helpers.page_browser import chromium, free_port

Late = pytest.importorskip("playwright.sync_api").TimeoutError

pytestmark = [pytest.mark.browser, pytest.mark.long]

LESSON = LESSONS[0]
# Seconds for JupyterLab to start, for a kernel to run a lesson and for a figure to move, on a busy machine.
PATIENCE = 600
RUN = 1200
SLOW = 10
PRESSES = 60
CAPTION = re.compile("samples are support vectors")
# What the last cell of a lesson prints.
DONE = ".jp-OutputArea-output:has-text('certified:')"


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """A JupyterLab of this interpreter over a folder with two notebooks, which asks for no password.

    It knows nothing of the user's settings and of the notebooks that were open before.
    """
    place, own = tmp_path_factory.mktemp("course"), tmp_path_factory.mktemp("own")
    shutil.copy(LESSON, place)
    port = free_port()
    command = [
        sys.executable,
        "-m",
        "jupyterlab",
        "--no-browser",
        f"--port={port}",
        "--IdentityProvider.token=",
        "--ServerApp.allow_root=True",
        f"--ServerApp.root_dir={place}",
        # What it would ask for over the network.
        "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
        "--LabApp.news_url=None",
        f"--LabApp.user_settings_dir={own / 'settings'}",
        f"--LabApp.workspaces_dir={own / 'workspaces'}",
    ]
    with (place / "log").open("w", encoding="utf-8") as log:
        server = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT)
    url = f"http://localhost:{port}"
    try:
        deadline = time.monotonic() + PATIENCE
        while True:
            with contextlib.suppress(OSError):
                urllib.request.urlopen(f"{url}/api", timeout=PATIENCE).close()
                break
            assert server.poll() is None, (place / "log").read_text(encoding="utf-8")
            assert time.monotonic() < deadline, "JupyterLab does not answer"
            time.sleep(0.2)
        yield url
    finally:
        server.terminate()
        server.wait(PATIENCE)


@contextlib.contextmanager
def opened(address, name):
    with chromium() as browser:
        view = browser.new_page(viewport={"width": 1300, "height": 1000})
        view.set_default_timeout(PATIENCE * 1000)
        # The network is off but for the server itself.
        view.route(lambda url: not url.startswith(address), lambda route: route.abort())
        # A workspace of its own: in a shared one, notebooks open before come back, and their kernels are idle
        # while this one's does not answer yet. What is run before it answers is lost.
        view.goto(f"{address}/lab/workspaces/{Path(name).stem}/tree/{name}")
        view.get_by_text("Python 3 (ipykernel) | Idle").wait_for()
        yield view


@pytest.fixture
def page(address):
    with opened(address, LESSON.name) as view:
        yield view


def choose(page, menu, item):
    page.click(f".lm-MenuBar-itemLabel:text-is('{menu}')")
    page.click(f".lm-Menu-itemLabel:text-is('{item}')")


def moved_slider(page):
    """The caption under the figure as it was, and those that its slider led to: a step away and back."""
    caption, handle = page.get_by_text(CAPTION), page.locator(".noUi-handle").first
    handle.scroll_into_view_if_needed()
    before, seen = caption.inner_text(), []
    # A press is lost until the kernel listens, which nothing on the page tells.
    for key in itertools.islice(itertools.cycle(("ArrowRight", "ArrowLeft")), PRESSES):
        handle.press(key)
        with contextlib.suppress(Late):
            caption.filter(has_not_text=seen[-1] if seen else before).wait_for(timeout=SLOW * 1000)
            seen.append(caption.inner_text())
        if len(seen) > 1:
            return before, set(seen)
    raise AssertionError(f"the figure did not follow {PRESSES} presses; it says {seen or before!r}")


def test_a_live_view_follows_its_slider_and_survives_a_restart(page):
    choose(page, "Run", "Run All Cells")
    page.wait_for_selector(DONE, state="attached", timeout=RUN * 1000)
    before, seen = moved_slider(page)
    assert (before in seen, len(seen)) == (True, 2)
    choose(page, "Kernel", "Restart Kernel and Run All Cells…")
    page.click(".jp-Dialog button:has-text('Restart')")
    page.wait_for_selector(DONE, state="detached")
    page.wait_for_selector(DONE, state="attached", timeout=RUN * 1000)
    again, seen = moved_slider(page)
    assert (again, before in seen, len(seen)) == (before, True, 2)
