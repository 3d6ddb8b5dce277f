"""Pages for those who use keys alone, hear the page, touch it, or want no motion; links and frames of a page."""

import html
import json
import re
from pathlib import Path

import pytest
from amounts import few
from page_browser import becomes, settle, visit
from page_checks import axe
from test_pictures import PHONE, rests

from workbench.pages import registry

pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.browser

PAGES = tuple(registry.pages())
MOST_TABS = 15
# The page has the focus, as when it has just been opened.
TOP = """() => {
  const main = (root) => [...root.querySelectorAll("*")].map(
    (e) => (e.matches(".main-content") ? e : e.shadowRoot && main(e.shadowRoot))).find(Boolean);
  document.activeElement?.blur();
  main(document).focus();
}"""
# A number for each element that ever has the focus, whether it is one that leads to a part, and its name.
FOCUS = """() => {
  let at = document.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  if (!at || at === document.body) return null;
  window.focused ??= [];
  if (!focused.includes(at)) focused.push(at);
  return [focused.indexOf(at), at.matches(".wb-skip"), at.ariaLabel || at.textContent.trim().slice(0, 30)];
}"""
# The pictures of figures with a name, and the tables of their numbers with so many rows.
READ = """() => {
  const all = (root, what) => [...root.querySelectorAll(what)].concat(
    ...[...root.querySelectorAll("*")].map((e) => (e.shadowRoot ? all(e.shadowRoot, what) : [])));
  const shown = Bokeh.documents.flatMap((each) => [...each._all_models.values()])
    .filter(({ type }) => type === "Figure").map((each) => Bokeh.index.find_one(each))
    .filter((view) => view?.el.checkVisibility());
  const pictures = all(document, "canvas[role=img]").map((each) => each.ariaLabel);
  const rows = all(document, "caption").filter(({ textContent }) => /^Numbers of/.test(textContent))
    .map((each) => each.parentElement.tBodies[0].rows.length);
  return { figures: [shown.length, pictures.filter(Boolean).length, rows.length], least: Math.min(...rows) };
}"""
# What moves by itself, or would when it changes.
MOVING = """() => {
  const all = (root) => [...root.querySelectorAll("*")].flatMap((e) => [e, ...(e.shadowRoot ? all(e.shadowRoot) : [])]);
  const moves = (style) => style.animationName !== "none" || style.transitionDuration.split(", ").some((each) => each !== "0s");
  return all(document).filter((e) => moves(getComputedStyle(e)) || moves(getComputedStyle(e, "::before")))
    .map((e) => e.outerHTML.slice(0, 80));
}"""


def opened(browser, address, name, query="", **size):
    return visit(browser, address.rsplit("/", 1)[0] + f"/{name}{query}", **size)


def tab(page, count=1):
    """What has the focus after each of so many presses."""
    found = []
    for _ in range(count):
        page.keyboard.press("Tab")
        found.append(page.evaluate(FOCUS))
    return found


def far(page):
    """The controls that more than 15 tabs lead to, with what leads to parts of the page."""
    page.evaluate(TOP)
    whole = {}
    while not (at := tab(page)[0]) or at[0] not in whole:
        if at:
            whole[at[0]] = at[2]
    page.evaluate(TOP)
    found = tab(page, MOST_TABS)
    near = {at[0] for at in found if at}
    for k, at in enumerate(found, 1):
        if at and at[1]:
            page.evaluate(TOP)
            tab(page, k)
            page.keyboard.press("Enter")
            assert becomes(lambda: (page.evaluate(FOCUS) or [0, True])[1], False) is False, at[2]
            near |= {each[0] for each in [page.evaluate(FOCUS), *tab(page, MOST_TABS - k)] if each}
    return {name for k, name in whole.items() if k not in near}, len(whole)


@pytest.mark.parametrize("name", few(PAGES, 4))
def test_few_tabs_lead_to_each_control_and_figures_have_their_numbers(browser, address, name):
    with opened(browser, address, name, width=1366, height=768) as page:
        page.emulate_media(reduced_motion="reduce")
        rests(page, name)
        assert becomes(lambda: page.evaluate(MOVING), []) == []
        unreached, count = far(page)
        assert unreached == set()
        assert count > 5
        if name != "home":
            assert becomes(lambda: len({*page.evaluate(READ)["figures"]}), 1) == 1, page.evaluate(READ)
            assert page.evaluate(READ)["least"] > 0


def hand(page, title):
    return page.get_by_role("slider", name=f"{title}: arrow keys move the point")


@pytest.mark.parametrize(("name", "title", "key"), [
    ("conjugates", "p and its tangent", "ArrowRight"), ("conjugates", "The conjugate q", "ArrowRight"),
    ("conjugates", "Fenchel-Young gap", "ArrowUp"), ("transfer", "v: level sets of h", "ArrowUp"),
    ("simplex", "The prediction p = ∇Ω*(θ)", "ArrowLeft"), ("svm-gaps", "The plane and its boundary", "ArrowUp"),
])  # fmt: skip
def test_arrow_keys_move_what_a_pointer_drags(browser, address, name, title, key):
    with opened(browser, address, name) as page:
        rests(page, name)
        moved = hand(page, title)
        moved.focus()
        before, said = moved.get_attribute("aria-valuetext"), page.locator(".wb-code").inner_text()
        for _ in range(3):
            page.keyboard.press(key)
        assert becomes(lambda: moved.get_attribute("aria-valuetext") != before, True)
        assert becomes(lambda: page.locator(".wb-code").inner_text() != said, True)
        # The page's own arrows are for what the page moves.
        assert page.evaluate(FOCUS)[2].startswith(title)
