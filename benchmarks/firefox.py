"""Exported pages in Firefox and in Chromium, offline: python benchmarks/firefox.py [FOLDER].

Solves the same problems in both by the same presses of buttons, compares every number that the pages draw bit
for bit, and prints how many there were, how many differ and the largest difference as a share of the number:
what no kernel computes, as the cosine of a circle that is drawn, is the browser's own. With a folder it keeps
a picture of each page in Firefox. Needs Debian's packages firefox-esr and chromium.
"""

import asyncio
import base64
import itertools
import json
import math
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tornado.websocket import websocket_connect

from tests.helpers.page_browser import chromium, free_port
from tests.pages.hosts.carriers import view_of
from workbench.pages import export

PATIENCE = 120.0
# The relative difference allowed for a number that uses a browser's own mathematics.
AGREES = 1e-14
# As `view_of` opens Chromium.
SIZE = {"width": 1280, "height": 800}
# Presses of buttons, and the step after each.
PRESSES = ("reset", "step", "epoch", "epoch")
# All pages of runs; the last two are not modules yet.
PAGES = ("dual-lab", "bias", "svm-gaps", "norms", "inverse-time")
# The open page of a module, or undefined.
PAGE = "const page = await globalThis.workbenchPages?.[0];"
# Whatever a page draws, as text that keeps each bit of a number.
SOURCES = """(async () => {
  const isOne = (x) => x === null || ["string", "boolean"].includes(typeof x);
  const plain = (x) => typeof x === "number" ? String(x) : isOne(x) ? x : Array.from(x, plain);
  const columns = ({ data }) => Object.fromEntries(Object.entries(data).map(([key, x]) => [key, plain(x)]));
  PAGE
  const { document, ids } = page.figures;
  const sources = Object.entries(ids.sources).map(([name, id]) => [name, document.get_model_by_id(id)]);
  return JSON.stringify(Object.fromEntries(sources.map(([name, source]) => [name, columns(source)])));
})()""".replace("PAGE", PAGE)
# Waits for the end of the first run.
SHOWN = """(async () => {
  const rests = (status) => ["converged", "max_epochs", "paused"].includes(status);
  while (performance.now() < 60000) {
    PAGE
    await page?.settled();
    if (rests(page?.status ?? document.body.dataset.status)) return;
    await new Promise((done) => setTimeout(done, 50));
  }
  throw new Error("the first run has not ended within a minute");
})()""".replace("PAGE", PAGE)
# A press is over when the page says that it rests, and has drawn what it says.
PRESSED = """(async () => {
  PAGE
  if (page) {
    page.press("%s");
    await page.settled();
    return `${page.status} ${page.view.box.dataset.step}`;
  }
  const body = document.body.dataset, before = `${body.status} ${body.step}`;
  document.getElementById("x-do-%s").click();
  const until = performance.now() + 60000;
  const rests = () => body.status !== "running" && (%s || `${body.status} ${body.step}` !== before);
  const pause = (time) => new Promise((done) => setTimeout(done, time));
  while ((!rests() || body.cells === "some") && performance.now() < until) await pause(20);
  await pause(700);
  return `${body.status} ${body.step}`;
})()""".replace("PAGE", PAGE)
# A network that leads nowhere, and none of Firefox's own errands.
PREFERENCES = {
    "network.proxy.type": 1,
    "network.proxy.http": "127.0.0.1",
    "network.proxy.http_port": 9,
    "network.proxy.ssl": "127.0.0.1",
    "network.proxy.ssl_port": 9,
    "datareporting.policy.dataSubmissionEnabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "app.normandy.enabled": False,
}


class Firefox:
    """A Firefox without a window, by the WebDriver BiDi protocol."""

    def __init__(self, profile):
        lines = [f"user_pref({json.dumps(preference)[1:-1]});\n" for preference in PREFERENCES.items()]
        (Path(profile) / "user.js").write_text("".join(lines), encoding="utf-8")
        self.port = free_port()
        command = (
            "firefox-esr",
            "--headless",
            "--profile",
            profile,
            "--remote-debugging-port",
            str(self.port),
        )
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.count = itertools.count(1)

    async def begin(self):
        until = time.monotonic() + PATIENCE
        while True:
            try:
                self.socket = await websocket_connect(
                    f"ws://127.0.0.1:{self.port}/session", max_message_size=2**28
                )
                break
            except OSError:
                if time.monotonic() > until:
                    raise
                await asyncio.sleep(0.2)
        self.version = (await self.request("session.new", capabilities={}))["capabilities"]["browserVersion"]
        tree = await self.request("browsingContext.getTree")
        self.context = tree["contexts"][0]["context"]
        await self.request("browsingContext.setViewport", context=self.context, viewport=SIZE)

    async def request(self, method, **params):
        """Return the result of a command."""
        number = next(self.count)
        self.socket.write_message(json.dumps({"id": number, "method": method, "params": params}))
        while True:
            answer = json.loads(await asyncio.wait_for(self.socket.read_message(), PATIENCE))
            if answer.get("id") == number:
                if answer["type"] == "error":
                    raise RuntimeError(f"{method}: {answer['message']}")
                return answer["result"]

    async def visit(self, url):
        # A change behind the # alone would load nothing.
        await self.request(
            "browsingContext.navigate", context=self.context, url="about:blank", wait="complete"
        )
        await self.request("browsingContext.navigate", context=self.context, url=url, wait="complete")

    async def evaluate(self, expression):
        answer = await self.request(
            "script.evaluate", expression=expression, target={"context": self.context}, awaitPromise=True
        )
        if answer["type"] != "success":
            raise RuntimeError(answer["exceptionDetails"]["text"])
        return answer["result"].get("value")

    async def picture(self, path):
        shown = await self.request("browsingContext.captureScreenshot", context=self.context)
        path.write_bytes(base64.b64decode(shown["data"]))


def scripts():
    """Return the expressions of the presses; the reset may leave the page as it stands."""
    return [PRESSED % (name, name, "true" if name == PRESSES[0] else "false") for name in PRESSES]


async def in_firefox(firefox, file):
    await firefox.visit(file.as_uri())
    await firefox.evaluate(SHOWN)
    said = [await firefox.evaluate(script) for script in scripts()]
    return said, json.loads(await firefox.evaluate(SOURCES))


def in_chromium(file):
    with chromium() as browser, view_of(browser, file.as_uri(), offline=True) as (page, address):
        page.goto(address)
        page.evaluate(SHOWN)
        said = [page.evaluate(script) for script in scripts()]
        return said, json.loads(page.evaluate(SOURCES))


def difference(one, other):
    """Return the distance of two texts of numbers, as a share of the larger; infinite for other texts."""
    try:
        a, b = float(one), float(other)
    except ValueError:
        return math.inf
    return abs(a - b) / max(abs(a), abs(b))


def numbers(value):
    """All numbers of a source, as texts."""
    if isinstance(value, list):
        return [number for part in value for number in numbers(part)]
    return [value]


async def firefoxs(cases, profile, folder):
    """Return the version of Firefox, and its texts and drawings in each case."""
    firefox = Firefox(profile)
    try:
        await firefox.begin()
        outcomes = []
        for case in cases:
            outcomes.append(await in_firefox(firefox, case))
            if folder:
                await firefox.picture(folder / f"firefox-{case.stem}.png")
        return firefox.version, outcomes
    finally:
        firefox.process.terminate()
        firefox.process.wait()


def main(folder=None):
    if shutil.which("firefox-esr") is None:
        sys.exit("firefox-esr is not installed; install Debian's package firefox-esr")
    if folder:
        folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place:
        cases = []
        for page in PAGES:
            file = Path(place) / f"{page}.html"
            export.export(page, file)
            cases.append(file)
        profile = Path(place) / "profile"
        profile.mkdir()
        version, theirs = asyncio.run(firefoxs(cases, str(profile), folder))
        print(f"Firefox {version}")
        good = True
        for case, (texts, drawn) in zip(cases, theirs, strict=True):
            said, expected = in_chromium(case)
            pairs = []
            for source, columns in expected.items():
                for column, values in columns.items():
                    if "seconds" not in (source, column):  # by each browser's own clock
                        pairs += zip(numbers(values), numbers(drawn[source][column]), strict=True)
            far = [difference(*pair) for pair in pairs if pair[0] != pair[1]]
            text = f"{len(pairs):>6} values, {len(far)} differ by at most {max(far, default=0):.1g}"
            print(f"{case.stem:<14}{texts[-1]:<16}{text}", flush=True)
            good = good and texts == said and max(far, default=0) <= AGREES
    return good


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else None
    sys.exit(0 if main(target) else 1)
