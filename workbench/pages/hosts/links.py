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


def footer(declaration, addresses):
    """Return the HTML of the link to the next page of the menu; "" after the last one."""
    page = registry.following(declaration.name, addresses)
    if page is None:
        return ""
    return (
        f"<footer class=next><a data-page href='{html.escape(addresses[page.name])}'>"
        f"Next: <b>{html.escape(page.title)}</b> →</a></footer>"
    )


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
