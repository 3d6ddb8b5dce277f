"""The links to other pages above a page that fills its document, on a server and on a site."""

import html

from workbench._support.errors import explained
from workbench.pages import browser, registry, theme

CURRENT = " aria-current=page"
SHEET = "<style id='sheet-{name}' media='{media}'>{text}</style>"


def header(declaration, addresses):
    """Return the HTML of the links, in the groups of the menu.

    Parameters
    ----------
    declaration : registry.Declaration
        The page that is open.
    addresses : dict of str to str
        The addresses of the pages that are here, by name.
    """
    members = [registry.of(name) for name in addresses]
    entries = "".join(
        _group(group, pages, declaration, addresses) for group, pages in registry.grouped(members)
    )
    home = addresses.get("home")
    brand = f"<a class=brand data-page href='{home}'><b>Duality Workbench</b></a>" if home else ""
    about = explained.of_page(declaration)
    door = f"<a class=about href='{html.escape(about)}'>About this page</a>" if about else ""
    title = html.escape(declaration.title)
    return (
        f"<header class=bar><a class='skip wb-skip' href='#page'>To the page</a>{brand}"
        f"<nav aria-label=Pages>{entries}{door}</nav>"
        f"<details class=menu><summary>{title}</summary><div>{entries}{door}</div></details></header>"
    )


def _group(group, pages, declaration, addresses):
    """Return the links of a group; one of several pages has its name before them."""
    links = "".join(
        f"<a data-page href='{html.escape(addresses[page.name])}'"
        f"{CURRENT if page.name == declaration.name else ''}>{html.escape(page.title)}</a>"
        for page in pages
    )
    if len(pages) == 1 or not group:
        return links
    return f"<span role=group aria-label='{html.escape(group)}'><b>{html.escape(group)}</b>{links}</span>"


def footer(declaration, addresses, lessons=""):
    """Return the HTML of the links to the page's lesson and to the next page of the menu; "" without both.

    Parameters
    ----------
    declaration : registry.Declaration
    addresses : dict of str to str
        The addresses of the pages that are here, by name.
    lessons : str
        The address of a lesson up to its name, where lessons can be read here.
    """
    page, lesson, links = registry.following(declaration.name, addresses), declaration.lesson, ""
    if lessons and lesson:
        number = int(lesson.partition("_")[0])
        links = f"<a data-page href='{html.escape(lessons + lesson)}'>The lesson of this page: {number}</a>"
    if page is not None:
        address, title = html.escape(addresses[page.name]), html.escape(page.title)
        links += f"<a data-page href='{address}'>Next: <b>{title}</b> →</a>"
    return links and f"<footer class=next>{links}</footer>"


def sheets(is_dark=False):
    """Return the style elements of the header, of which one counts."""
    texts = {name: theme.look(dark=name == "dark") for name in ("light", "dark")}
    return "".join(
        SHEET.format(
            name=name,
            media="all" if is_dark == look.dark else "not all",
            text=look.sheet("header") + look.sheet("frame"),
        )
        for name, look in texts.items()
    )


def script():
    """Return the module that keeps the header in the theme of the page."""
    return browser.bundle("frame")
