"""Fifty things a lecturer wants to show, each in a fresh visit with at most three clicks from its page.

    python tests/long/score_tasks.py [--only 4,8] [FOLDER]

Prints done, part or not for each, with the clicks and what was missing, and writes a picture of each into the
folder. A task is done where all of its sentences stand on the page, in part where some do; where no
page can do a thing, a sentence is asked for that would stand there.
"""

import argparse
import re
import sys
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Error

from tests.corpora import table
from tests.helpers.page_browser import chromium, served

MOST_CLICKS, WAIT_MS = 3, 60_000
SETTLED = """async () => {
  const page = globalThis.wb_page ?? (await globalThis.workbenchPages?.[0]);
  await page?.settled();
}"""


def preset(name, label="Preset"):
    """Choose from a list: two clicks."""

    def do(page):
        box = page.get_by_role("combobox", name=label).first
        if box.evaluate("(box) => box.tagName") == "SELECT":  # of a page module
            box.select_option(name)
            return
        box.click()
        page.get_by_role("menuitem", name=name, exact=True).click()

    return 2, do


def typed(formula):
    """Type a function, which Enter derives: one click, into the field."""

    def do(page):
        page.get_by_role("textbox", name="p(u)").fill(formula)
        page.keyboard.press("Enter")

    return 1, do


def pressed(name, role="button"):
    """One click."""
    return 1, lambda page: page.get_by_role(role, name=re.compile(name)).first.click()


def pinned(title):
    """Point at the dots of a figure and press Pin: one click."""

    def do(page):
        page.get_by_label(f"Save or pin {title}", exact=True).hover()
        page.get_by_role("button", name=f"Pin the curves of {title}", exact=True).click()

    return 1, do


def clicked(text):
    """One click on a text."""
    return 1, lambda page: page.get_by_text(text).first.click()


def keyed(*names, on=None):
    """Keys, of the page or of a slider, to which one tabs."""

    def do(page):
        if on:
            page.get_by_role("slider", name=re.compile(on)).first.focus()
        else:
            ended()[1](page)
        for name in names:  # as fast as a hand that looks at the page
            page.keyboard.press(name)
            page.evaluate(SETTLED)

    return len(names), do


def ended():
    """Wait for the end of a run: no click."""
    status = re.compile("reached|stopped|diverged", re.IGNORECASE)
    return 0, lambda page: page.locator(".wb-status", has_text=status).first.wait_for(timeout=2 * WAIT_MS)


def field(name, text):
    """Type into a field, and Enter."""

    def do(page):
        box = page.get_by_role("textbox", name=name)
        box.fill(text)
        box.press("Enter")

    return 1, do


def dragged(figure):
    """A drag in a figure, which is one click."""

    def do(page):
        page.wait_for_function(CURVED, arg=figure)
        box = page.locator(".wb-hand").first
        box.scroll_into_view_if_needed()
        place = box.bounding_box()
        page.mouse.move(place["x"] + 12, place["y"] + 12)
        page.mouse.down()
        page.mouse.move(place["x"] + 60, place["y"] + 40, steps=6)
        page.mouse.up()

    return 1, do


class Axis(NamedTuple):
    """A figure in view and what the label of its horizontal axis says."""

    figure: str
    axis: str


# Whether a figure has something that can be dragged.
PLOT = """Bokeh.documents.flatMap((each) => [...each._all_models.values()])
  .find((plot) => plot.type === "Figure" && plot.name === name)"""
CURVED = f"""(name) => {PLOT}?.renderers
  .some(({{ glyph, data_source }}) => glyph?.tags.includes("handle") && data_source.length)"""
LABELLED = f"""([name, pattern]) => {{
  const plot = {PLOT};
  return plot?.inner_width > 0 && new RegExp(pattern).test(plot.below[0].axis_label);
}}"""
DEEDS = {
    task.__name__: task for task in (preset, typed, pressed, pinned, clicked, keyed, ended, field, dragged)
}


def done(deed, *arguments):
    """The clicks of a deed of the table, and what does it."""
    *arguments, options = arguments if arguments and isinstance(arguments[-1], dict) else (*arguments, {})
    return DEEDS[deed](*arguments, **options)


# Number, what is to be seen, page, what is done, and what then stands there.
TASKS = [
    (
        number,
        task["seen"],
        task["page"],
        [done(*deed) for deed in task.get("does", ())],
        [Axis(**sentence) if isinstance(sentence, dict) else sentence for sentence in task["stands"]],
    )
    for number, task in enumerate(table("tasks")["task"], 1)
]


def seen(page, pattern):
    """Return True if a sentence stands on the page, or comes within a while."""
    try:
        if isinstance(pattern, Axis):
            page.wait_for_function(LABELLED, arg=list(pattern), timeout=WAIT_MS)
        else:
            page.get_by_text(re.compile(pattern)).filter(visible=True).first.wait_for(timeout=WAIT_MS)
    except Error:
        return False
    return True


def score(browser, address, task, folder):
    """done, part or not, with the number of clicks and what is missing."""
    number, _, name, steps, sentences = task
    page = browser.new_page(viewport={"width": 1440, "height": 1200})
    page.set_default_timeout(WAIT_MS)
    try:
        page.goto(f"{address}/{name}")
        page.locator(".wb-status, .wb-line").first.wait_for(state="attached")
        for _, do in steps:
            do(page)
        missing = [sentence for sentence in sentences if not seen(page, sentence)]
        page.screenshot(path=folder / f"task-{number:02}.png", full_page=True)
    except Error as error:
        missing = [*sentences, str(error).splitlines()[0]]
    finally:
        page.close()
    clicks = sum(count for count, _ in steps)
    n_shown = len(sentences) - len(missing)
    verdict = "not" if n_shown <= 0 or clicks > MOST_CLICKS else "part" if missing else "done"
    return verdict, clicks, missing


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", nargs="?", type=Path, default=Path("build/tasks"))
    parser.add_argument("--only", default="", help="numbers of tasks, by commas")
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    only = {int(number) for number in arguments.only.split(",") if number}
    counts = {"done": 0, "part": 0, "not": 0}
    with served() as home, chromium() as browser:
        address = home.rsplit("/", 1)[0]
        for task in TASKS:
            if only and task[0] not in only:
                continue
            verdict, clicks, missing = score(browser, address, task, arguments.folder)
            counts[verdict] += 1
            print(
                f"{task[0]:2} {verdict:4} {clicks} {task[1]}",
                *(f"[missing: {sentence}]" for sentence in missing),
            )
    print(", ".join(f"{count} {verdict}" for verdict, count in counts.items()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
