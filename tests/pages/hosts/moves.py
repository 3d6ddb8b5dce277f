"""The driver of the visits: moves one control after another, and reads what must follow."""

import functools
import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

import pytest

from tests.helpers.page_browser import becomes

READY = "() => globalThis.workbenchPages?.length > 0"
STATE = "async () => { const page = await workbenchPages[0]; await page.settled(); return %s; }"
# While a run goes on, which a page in motion does not settle for.
AT_ONCE = "async (argument) => { const page = await workbenchPages[0]; %s }"
KEYS = ("ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End", " ")
FIGURE, SETTINGS, BACK = "figure:", "settings", "back"
CLOSE = 1e-9


class Move(NamedTuple):
    """A control by its label, how it is moved, and what follows.

    A control takes a key, an option, a text after "=", "switch", or None for a button. The label None is the
    page: keys while no control has the focus, or `BACK`. A label that begins with `FIGURE` is a point of that
    figure: a key, or two places as shares of the figure between which it is dragged. `SETTINGS` takes a dict.

    What follows: a setting and its value, a status, words of the code, an expression in `page` that becomes
    true, and `places` by name: "settings.NAME", "sources.NAME.COLUMN.ROW", "says.FIGURE" (the key of its
    sentence), "answer", "refusal", "numbers", "line" (of the status), "page.PATH", which is read while a run
    goes on. A value may be a function that says whether it is right; "more" and "less" are than before the
    move.
    """

    label: str | None
    how: object
    setting: str = ""
    value: object = None
    status: str = ""
    code: str = ""
    script: str = ""
    in_file: bool = True
    places: Mapping = MappingProxyType({})
    times: int = 1


def above(least, most):
    return lambda value: least < value < most


# The frame of a figure in the window.
FRAME = """const plot = page.figures.of("figures", argument), view = Bokeh.index.find_one(plot);
    view.el.scrollIntoView({ block: "center" });
    const { left, top } = view.canvas_view.el.getBoundingClientRect(), { bbox } = view.frame;
    return [left + bbox.left, top + bbox.top, bbox.width, bbox.height];"""
TITLE = "return page.facts.figures.titles[argument];"
FOCUS = "page.view.box.tabIndex = -1; page.view.box.focus();"


def on_page(view, script, argument=None):
    """Run a script in the page, once it has settled."""
    return view.evaluate(AT_ONCE % f"await page.settled(); {script}", argument)


def at_once(view, script, argument=None):
    """Run a script in the page, which a run may keep from settling."""
    return view.evaluate(AT_ONCE % script, argument)


def move(view, label, how, times=1):
    """Move a control by its label, of which the beginning may be left out."""
    if label is None:
        if how == BACK:
            view.go_back()
            return
        at_once(view, FOCUS)
        view.keyboard.press(how)
    elif label == SETTINGS:
        on_page(view, "await page.change(argument);", how)
    elif label.startswith(FIGURE):
        _move_point(view, label.removeprefix(FIGURE), how, times)
    elif how is None:
        view.get_by_role("button", name=label, exact=True).click()
    else:
        exact = view.get_by_label(label, exact=True).and_(view.locator("input, select"))
        other = view.get_by_label(re.compile(re.escape(label))).and_(view.locator("input, select"))
        control = exact.first if exact.count() else other.first
        # A folded group opens first.
        control.evaluate("(input) => { (input.closest('details') ?? {}).open = true; }")
        if how == "switch":
            control.click()
        elif how in KEYS:
            for _ in range(times):
                control.press(how)
        elif how.startswith("="):
            control.fill(how[1:])
            control.press("Enter")
        else:
            control.select_option(how)


def _move_point(view, figure, how, times):
    if isinstance(how, str):
        title = on_page(view, TITLE, figure)
        view.get_by_role("slider", name=f"{title}: arrow keys move the point").focus()
        for _ in range(times):
            view.keyboard.press(how)
        return
    left, top, width, height = on_page(view, FRAME, figure)
    (x, y), (u, v) = how
    view.mouse.move(left + x * width, top + y * height)
    view.mouse.down()
    view.mouse.move(left + u * width, top + v * height, steps=6)
    view.mouse.up()


# Of a place: its value, and the texts that its sentence may be of.
PLACES = """return argument.map((place) => {
    const [kind, ...rest] = place.split(".");
    const path = { settings: [page, "settings"], page: [page], sources: [page.frame, "sources"] }[kind];
    if (path) return [...path.slice(1), ...rest].reduce((value, key) => value?.[key], path[0]);
    if (kind === "answer") return page.predict.answer.textContent;
    if (kind === "line") return page.view.parts.status.textContent;
    if (kind === "numbers") return page.view.parts.numbers.textContent;
    if (kind === "says") {
        const line = page.frame.sentences[rest[0]];
        return [line, ...Object.keys(page.facts.texts).filter((key) => {
            const parts = String(page.facts.texts[key]).split(/\\{[^}]*\\}/);
            const words = parts.map((part) => part.trim()).filter((part) => part.length > 3);
            return words.length && words.every((part) => line.includes(part));
        })];
    }
    return page[kind];
});"""


def places_of(view, row):
    """Return what stands at each place that a row names."""
    names = [f"settings.{row.setting}"] if row.setting else []
    names += ["status"] * bool(row.status) + ["code"] * bool(row.code) + [*row.places]
    is_moving = all(name.startswith("page.") for name in names) and not row.script
    read = at_once if is_moving and names else on_page
    values = dict(zip(names, read(view, PLACES, names), strict=True))
    if row.script:
        values["script"] = on_page(view, f"return !!({row.script});")
    return values


def follows(view, row, before):
    """Return True if what a row says follows, else what is wrong."""
    values, expected = places_of(view, row), dict(row.places)
    if row.setting and row.value is not None:
        expected[f"settings.{row.setting}"] = row.value
    if row.status:
        expected["status"] = row.status
    if row.script:
        expected["script"] = True
    wrong = {
        name: values[name]
        for name, value in expected.items()
        if not _is_right(name.partition(".")[0], values[name], value, before.get(name))
    }
    if row.code and not re.search(row.code, values["code"]):
        wrong["code"] = values["code"]
    return wrong or True


def _is_right(kind, value, expected, before):
    if callable(expected):
        return value is not None and expected(value)
    if expected in ("more", "less"):
        return value > before if expected == "more" else value < before
    if kind in ("says", "line", "numbers") or (kind == "refusal" and expected):
        return expected in value
    if kind == "answer":
        return value.startswith(expected)
    if isinstance(expected, bool | str | None) or value is None:
        return value == expected
    return value == pytest.approx(expected, rel=CLOSE, abs=CLOSE)


def walk(view, rows):
    """Move one control after another; what must follow does."""
    on_page(view, "")
    for row in rows:
        before = places_of(view, row) if {*map(str, row.places.values())} & {"more", "less"} else {}
        move(view, row.label, row.how, row.times)
        outcome = becomes(functools.partial(follows, view, row, before), True)
        assert outcome is True, (row.label, row.how, outcome)
