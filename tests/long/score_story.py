"""A story on the projector, walked with keys alone: no frame without its pictures, no reload, a custom step.

    python tests/long/score_story.py [PAGE ...]

Chromium's frames are looked at as they come, and the last one again where none has come for 50 ms. A
frame is blank where a half of the projector shows less than a third of what the emptier of the steps before
and after shows. Prints for each page the steps, the frames, the blank ones, whether it was loaded anew, the
longest wait from a key to its caption, and whether a step added with `a` is told again from its link.
"""

import asyncio
import itertools
import sys
import time

from tests.helpers.page_browser import looped_chromium, served
from workbench.pages import lectures, registry

SIZE, SHOWN, SAMPLE, REST, PATIENCE_MS = (1920, 1080), 640, 0.05, 1.0, 60_000
LEAST, CONTRAST = 1 / 3, 40
PLACES = """() => Array.from(document.querySelectorAll("#wb-projector .half .place"), (each) => {
  const { left, top, width, height } = each.getBoundingClientRect();
  return [left, top, width, height].map((x) => x / innerWidth);
}).filter(([, , width]) => width)"""
RESTS = "Bokeh.documents.every((each) => each.is_idle)"
STANDS = f"document.querySelector('#wb-projector .place') && {RESTS}"
# How much each half of a frame shows: the share of its pixels that differ from the most of them.
SHARES = """async ([data, places, contrast]) => {
  const image = new Image();
  image.src = `data:image/jpeg;base64,${data}`;
  await image.decode();
  const canvas = new OffscreenCanvas(image.width, image.height), context = canvas.getContext("2d");
  context.drawImage(image, 0, 0);
  return places.map((place) => {
    const [left, top, wide, tall] = place.map((x) => Math.round(x * image.width));
    const { data: bytes } = context.getImageData(left + 2, top + 2, wide - 4, tall - 4);
    const sum = (k) => bytes[4 * k] + bytes[4 * k + 1] + bytes[4 * k + 2];
    const grey = Array.from({ length: bytes.length / 4 }, (_, k) => sum(k));
    const middle = [...grey].sort((a, b) => a - b)[grey.length >> 1];
    return grey.filter((each) => Math.abs(each - middle) > 3 * contrast).length / grey.length;
  });
}"""


class Film:
    """The frames of a page with their times; `shares` has how much each half of each of them shows."""

    def __init__(self, page, screen):
        self.page, self.screen, self.frames, self.times, self.shares = page, screen, [], [], []

    async def begin(self):
        self.places = await self.page.evaluate(PLACES)
        self.session = await self.page.context.new_cdp_session(self.page)
        self.session.on("Page.screencastFrame", self._came)
        options = {"format": "jpeg", "quality": 80, "maxWidth": SHOWN, "everyNthFrame": 1}
        await self.session.send("Page.startScreencast", options)
        self.sampling = asyncio.ensure_future(self._sample())

    def _came(self, frame):
        taken = self.session.send("Page.screencastFrameAck", {"sessionId": frame["sessionId"]})
        self.acknowledged = asyncio.ensure_future(taken)
        self._keep(frame["data"])

    def _keep(self, frame):
        self.frames.append(frame)
        self.times.append(time.perf_counter())

    async def _sample(self):
        """A frame that stays is what is seen."""
        while True:
            await asyncio.sleep(SAMPLE)
            if self.frames and time.perf_counter() - self.times[-1] > SAMPLE:
                self._keep(self.frames[-1])

    async def at_rest(self):
        """The number of frames once nothing moves."""
        await self.page.wait_for_function(RESTS)
        await asyncio.sleep(REST)
        return len(self.frames)

    async def end(self):
        self.sampling.cancel()
        await self.session.send("Page.stopScreencast")
        known = {}
        for frame in self.frames:
            if frame not in known:
                known[frame] = await self.screen.evaluate(SHARES, [frame, self.places, CONTRAST])
            self.shares.append(known[frame])

    def blank(self, before, after):
        """Count the frames that show less than those at rest, the last ones of these two numbers."""
        rests = zip(self.shares[before - 1], self.shares[after - 1], strict=True)
        least = [LEAST * min(pair) for pair in rests]
        shares = self.shares[before:after]
        return sum(any(a < b for a, b in zip(share, least, strict=True)) for share in shares)


async def walked(browser, home, name):
    """Walk a page's story and return its figures."""
    page = await browser.new_page(viewport=dict(zip(("width", "height"), SIZE, strict=True)))
    page.set_default_timeout(PATIENCE_MS)
    errors = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    steps = lectures.steps(name)
    await page.goto(home + name + steps[0]["search"])
    await page.wait_for_function(STANDS)
    film = Film(page, await browser.new_page())
    await film.begin()
    await page.evaluate("globalThis.is_same = true")
    waits, rests = [], [await film.at_rest()]
    for step in steps[1:]:
        asked = time.perf_counter()
        await page.keyboard.press("ArrowRight")
        await page.locator("#wb-projector .wb-story", has_text=step["caption"]).wait_for()
        waits.append(time.perf_counter() - asked)
        rests.append(await film.at_rest())
    await film.end()
    blank = sum(film.blank(a, b) for a, b in itertools.pairwise(rests))
    gaps = [b - a for a, b in itertools.pairwise(film.times)]
    page.on("dialog", lambda dialog: asyncio.ensure_future(dialog.accept("My own sentence.")))
    await page.keyboard.press("a")
    await page.locator("#wb-projector .wb-story", has_text="My own sentence.").wait_for()
    link = page.url
    again = await browser.new_page()
    again.set_default_timeout(PATIENCE_MS)
    await again.goto(link)
    await again.wait_for_function(STANDS)
    own = "My own sentence." in await again.locator("#wb-projector .wb-story").inner_text()
    is_same = await page.evaluate("globalThis.is_same === true")
    await again.close()
    await film.screen.close()
    await page.close()
    return {
        "steps": len(steps),
        "frames": len(film.frames),
        "longest": max(gaps),
        "blank": blank,
        "reloads": int(not is_same),
        "wait": max(waits),
        "own": own,
        "errors": errors,
    }


async def main(home, names):
    good = True
    async with looped_chromium() as browser:
        for name in names:
            try:
                film = await walked(browser, home, name)
            except Exception as error:
                print(f"{name:12} {type(error).__name__}: {str(error).splitlines()[0]}", flush=True)
                good = False
                continue
            good = good and not (film["blank"] or film["reloads"] or film["errors"]) and film["own"]
            print(
                f"{name:12} {film['steps']} steps, {film['frames']} frames (longest between two "
                f"{1000 * film['longest']:.0f} ms), {film['blank']} blank, {film['reloads']} reloads, key "
                f"to caption at most {film['wait']:.2f} s, own step {'told' if film['own'] else 'LOST'}",
                *film["errors"],
                flush=True,
            )
    return good


if __name__ == "__main__":
    asked = sys.argv[1:] or [name for name in registry.pages() if lectures.of(name)["story"]]
    with served() as url:
        done = asyncio.run(main(url.rsplit("/", 1)[0] + "/", asked))
    sys.exit(not done)
