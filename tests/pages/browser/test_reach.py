"""Pages for those who use keys alone, hear a page, touch it or want no motion."""

import pytest

from tests.helpers.amounts import few
from tests.helpers.page_browser import becomes, visit
from tests.pages.browser.test_pictures import rests
from workbench.pages import registry

pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.browser

PAGES = tuple(registry.pages())
MOST_TABS = 15
# Where one begins in a page that has just been opened: at what scrolls, or at the link to the page.
TOP = """() => {
  const main = (root) => [...root.querySelectorAll("*")].map(
    (e) => (e.matches(".main-content") ? e : e.shadowRoot && main(e.shadowRoot))).find(Boolean);
  document.activeElement?.blur();
  const skip = document.querySelector("a.skip");
  (main(document) ?? skip).focus();
  if (document.activeElement !== skip) return;
  const first = document.createElement("button");
  document.body.prepend(first);
  first.focus();
  first.remove();
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
# The pictures of figures with a name, and the tables of their numbers with their rows.
READ = """() => {
  const all = (root, what) => [...root.querySelectorAll(what)].concat(
    ...[...root.querySelectorAll("*")].map((e) => (e.shadowRoot ? all(e.shadowRoot, what) : [])));
  const shown = Bokeh.documents.flatMap((each) => [...each._all_models.values()])
    .filter(({ type }) => type === "Figure").map((each) => Bokeh.index.find_one(each))
    .filter((view) => view?.el.checkVisibility());
  const seen = (what) => all(document, what).filter((each) => each.checkVisibility());
  const pictures = seen("canvas[role=img]").map((each) => each.ariaLabel);
  const rows = seen("caption").filter(({ textContent }) => /^Numbers of/.test(textContent))
    .map((each) => each.parentElement.tBodies[0].rows.length);
  return { figures: [shown.length, pictures.filter(Boolean).length, rows.length], least: Math.min(...rows) };
}"""
# What moves by itself, or would when it changes.
MOVING = """() => {
  const inside = (e) => (e.shadowRoot ? all(e.shadowRoot) : []);
  const all = (root) => [...root.querySelectorAll("*")].flatMap((e) => [e, ...inside(e)]);
  const moves = ({ animationName, transitionDuration }) => (
    animationName !== "none" || transitionDuration.split(", ").some((each) => each !== "0s"));
  return all(document).filter((e) => moves(getComputedStyle(e)) || moves(getComputedStyle(e, "::before")))
    .map((e) => e.outerHTML.slice(0, 80));
}"""


def tab(page, count=1):
    """Return what has the focus after each of `count` presses."""
    stops = []
    for _ in range(count):
        page.keyboard.press("Tab")
        stops.append(page.evaluate(FOCUS))
    return stops


def follow(page, path):
    """Go to a part of the page: numbers of tabs to what leads there, each of which is pressed."""
    page.evaluate(TOP)
    for count in path:
        tab(page, count)
        page.keyboard.press("Enter")
        assert becomes(lambda: (page.evaluate(FOCUS) or [0, True])[1], False) is False, path


def far(page):
    """The controls that more than 15 tabs lead to, with what leads to parts of the page."""
    page.evaluate(TOP)
    whole = {}
    while not (at := tab(page)[0]) or at[0] not in whole:
        if at:
            whole[at[0]] = at[2]
    # A figure that is drawn anew keeps its name.
    near, paths, followed = set(), [((), None)], set()
    while paths:
        # The fewest tabs first: what leads to a part may stand in several places.
        shortest = min(paths, key=lambda path: sum(path[0]))
        paths.remove(shortest)
        path, place = shortest
        if place in followed:
            continue
        followed.add(place)
        follow(page, path)
        reached = [page.evaluate(FOCUS), *tab(page, MOST_TABS - sum(path))]
        near |= {part for at in reached if at for part in (at[0], at[2])}
        for k, at in enumerate(reached[1:], 1):
            if at and at[1] and at[0] not in followed:
                paths.append(((*path, k), at[0]))
    # The next page is in the menu, too.
    unreached = {name for k, name in whole.items() if not {k, name} & near}
    return {name for name in unreached if not name.startswith("Next: ")}, len(whole)


def tabs_lead_to_all(page, name, least):
    page.emulate_media(reduced_motion="reduce")
    rests(page, name)
    assert becomes(lambda: page.evaluate(MOVING), []) == []
    unreached, count = far(page)
    assert unreached == set()
    assert count > least
    if name != "home":
        assert becomes(lambda: len({*page.evaluate(READ)["figures"]}), 1) == 1, page.evaluate(READ)
        assert becomes(lambda: page.evaluate(READ)["least"] > 0, True) is True


@pytest.mark.parametrize("name", few(PAGES, 1))
def test_few_tabs_lead_to_each_control_and_figures_have_their_numbers(browser, address, name):
    with visit(browser, address.replace(PAGES[0], name), width=1366, height=768) as page:
        tabs_lead_to_all(page, name, 20)
