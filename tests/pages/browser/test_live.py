"""`wb.live` opens the Dual lab of the very problem, and names what the page has no control for."""

import contextlib
import http.client
import re
import subprocess
import sys
import urllib.parse

import numpy as np
import pytest

import workbench as wb
from tests.helpers.page_browser import PATIENCE_MS, chromium
from workbench._support.errors import InputError
from workbench.pages.dual_lab import model as dual_lab
from workbench.pages.server import live

X = np.random.default_rng(0).standard_normal((40, 5))
Y = np.where(X @ [1.0, -1.0, 0.5, 0.0, 0.0] > 0, 1.0, -1.0)


@pytest.mark.parametrize("bias", [False, "constant"])
@pytest.mark.parametrize(
    ("loss", "regularizer"),
    [
        ("hinge", "squared-l2"),
        ("logistic", "elastic-net:epsilon=0.25"),
        ("epsilon-insensitive:epsilon=0.5", "q-norm:q=1.5"),
    ],
)
def test_the_page_solves_this_very_problem(loss, regularizer, bias):
    problem = wb.Problem(X, Y, loss, regularizer, lam=0.05, bias=bias)
    shown = live.live(problem)
    source = re.search("source=(upload-[0-9a-f]+)", shown.url)[1]
    model = dual_lab.DualLab()
    model.offer(source)
    model.param.update(source=source, **live.settings_of(problem))
    assert dual_lab.problem(model.settings()).digest == problem.digest
    assert shown.url.split("?")[0] in shown._repr_html_()


BAD = {
    "kernel": ({"kernel": "rbf:gamma=1"}, "no control for a kernel"),
    "bias": ({"bias": True}, "no control for an unregularized bias"),
    "loss": ({"loss": "hinge:p=2.5"}, "has no loss hinge:p=2.5; it has hinge"),
    "regularizer": ({"regularizer": "l1", "loss": "logistic"}, "has no regularizer l1"),
    "lam": ({"lam": 5.0}, "lam = 5 is outside"),
    "weights": ({"sample_weight": np.linspace(1, 2, 40)}, "no control for sample weights"),
    "embed": ({"regularizer": "entropy:mu=0.1"}, "embed='balanced'; use that"),
}


@pytest.mark.parametrize(("options", "words"), BAD.values(), ids=BAD)
def test_settings_that_the_page_cannot_show_are_named(options, words):
    problem = wb.Problem(X, Y, **options)
    with pytest.raises(InputError, match=words):
        live.live(problem)


CODE = """
import sys, numpy as np, workbench as wb
X = np.random.default_rng(0).standard_normal((40, 5))
print(wb.live(wb.Problem(X, np.where(X[:, 0] > 0, 1.0, -1.0), "logistic", lam=0.05)).url, flush=True)
sys.stdin.read()
"""


STRANGERS = {
    "the list of the pages": ("/", {}, 404),
    "the page without its folder": ("/dual-lab", {}, 404),
    "a module to import": ("/components/antigravity/x/__bundle__/y", {}, 404),
    "what nothing reads": ("{folder}/dual-lab/metadata", {}, 404),
    "another host": ("{folder}/dual-lab", {"Host": "evil.example:80"}, 421),
    "another site's script": (
        "{folder}/dual-lab",
        {"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"},
        403,
    ),
    "the engine of its browser": ("{folder}/engine.json", {}, 200),
    "the notebook": ("{folder}/dual-lab", {}, 200),
}


@pytest.mark.parametrize(("path", "headers", "status"), STRANGERS.values(), ids=STRANGERS)
def test_the_door_is_that_of_served_pages(path, headers, status):
    url = urllib.parse.urlsplit(live.live(wb.Problem(X, Y, lam=0.05)).url)
    place = http.client.HTTPConnection(url.hostname, url.port, timeout=PATIENCE_MS / 1000)
    with contextlib.closing(place) as connection:
        connection.request("GET", path.format(folder=url.path.removesuffix("/dual-lab")), headers=headers)
        reply = connection.getresponse()
        reply.read()
    assert reply.status == status
    assert reply.headers["X-Content-Type-Options"] == "nosniff"
    assert "default-src 'none'" in reply.headers["Content-Security-Policy"]
    assert reply.headers["Access-Control-Allow-Origin"] is None
    assert "antigravity" not in sys.modules


@pytest.mark.browser
def test_the_page_answers_in_a_browser():
    """In a process of its own, as a kernel is; it ends although the server's thread still runs."""
    command = [sys.executable, "-c", CODE]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as kernel:
        url = kernel.stdout.readline().strip()
        with chromium() as browser:
            page = browser.new_page()
            page.set_default_timeout(PATIENCE_MS)
            page.goto(url)
            page.locator(".wb-status", has_text=re.compile("Reached|Stopped|Stalled")).wait_for()
            page.get_by_text("Computed by the server.").wait_for()
            assert "this problem" in page.get_by_role("combobox", name="Data").inner_text()
    assert kernel.returncode == 0
