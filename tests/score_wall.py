"""The wall of every page at three sizes, light and dark: smallest type, thinnest line, what does not fit.

    python tests/score_wall.py [--axe] FOLDER [PAGE ...]

Prints for each page, theme and size the smallest type and the thinnest line, as on a wall of 1920 x 1080,
with what has them, and what is cut off; of the smallest size also with the question and with the controls
over the figures. The pictures of a page lie side by side in one PNG.
"""

import argparse
import contextlib
import io
import sys
from pathlib import Path

from page_browser import chromium, served
from page_checks import CUT, ON_WALL, axe
from PIL import Image
from playwright.sync_api import Error

from workbench.pages import registry

SIZES, THEMES = ((1280, 720), (1920, 1080), (3840, 2160)), ("light", "dark")
TYPE, LINE, ROUNDING, SHOWN, PATIENCE_MS, REST_MS = 28, 4, 0.1, (960, 540), 60_000, 1000
STANDS = """document.querySelector('#wb-wall .half option')
  && document.querySelector('#wb-wall .half select').value && Bokeh.documents.every((each) => each.is_idle)"""


def measured(page, name, theme, state, sheet, scans, sizes=SIZES):
    """What is wrong in this state at these sizes; a picture of each goes into the sheet."""
    wrong = 0
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_timeout(REST_MS)
        found, scale, cut = page.evaluate(ON_WALL), width / 1920, page.evaluate(CUT)
        (size, text), (line, drawn) = found["type"], found["line"]
        bad = size / scale < TYPE - ROUNDING or line / scale < LINE - ROUNDING or bool(cut)
        wrong += bad
        print(
            f"{name:12} {theme:5} {state:9} {width:4}: type {size / scale:5.1f} ({text!r}), line "
            f"{line / scale:.1f} ({drawn}), {len(found['halves'])} figures{' CUT ' + str(cut) if cut else ''}"
            f"{' <--' if bad else ''}",
            flush=True,
        )
        sheet.append(Image.open(io.BytesIO(page.screenshot())).convert("RGB").resize(SHOWN))
    if scans and (found := axe(page)):
        wrong += 1
        print(f"{name:12} {theme:5} {state:9} axe: {found}", flush=True)
    return wrong


def walked(browser, address, name, folder, scans):
    wrong, sheet = 0, []
    for theme in THEMES:
        with contextlib.closing(browser.new_page()) as page:
            page.set_viewport_size(dict(zip(("width", "height"), SIZES[1], strict=True)))
            page.set_default_timeout(PATIENCE_MS)
            page.goto(f"{address}/{name}?projector=on&theme={theme}")
            page.wait_for_function(STANDS)
            page.wait_for_timeout(2 * REST_MS)
            wrong += measured(page, name, theme, "figures", sheet, scans)
            for key, state in (("q", "question"), ("c", "controls")):
                page.keyboard.press(key)
                wrong += measured(page, name, theme, state, sheet, scans, SIZES[:1])
                page.keyboard.press(key)
    across, (wide, high) = len(sheet) // len(THEMES), SHOWN
    whole = Image.new("RGB", (across * wide, -(-len(sheet) // across) * high))
    for k, picture in enumerate(sheet):
        whole.paste(picture, (k % across * wide, k // across * high))
    whole.save(folder / f"wall-{name}.png")
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("pages", nargs="*")
    parser.add_argument("--axe", action="store_true", help="scan each state for the last size")
    given, wrong = parser.parse_args(), 0
    given.folder.mkdir(parents=True, exist_ok=True)
    with served() as home, chromium() as browser:
        for name in given.pages or [each for each in registry.pages() if each != "home"]:
            try:
                wrong += walked(browser, home.rsplit("/", 1)[0], name, given.folder, given.axe)
            except Error as error:
                wrong += 1
                print(f"{name:12} {str(error).splitlines()[0]}", flush=True)
    print(f"{wrong} states are wrong")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
