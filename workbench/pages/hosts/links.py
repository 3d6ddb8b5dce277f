"""The links to other pages above a page that fills its document, on a server and on a site."""

import html

from workbench._support.errors import explained
from workbench.pages import browser, theme

CURRENT = " aria-current=page"
SHEET = "<style id='sheet-{name}' media='{media}'>{text}</style>"


def header(declaration, pages, home=""):
    """Return the HTML of the links.

    Parameters
    ----------
    declaration : registry.Declaration
        The page that is open.
    pages : dict of str to str
        The titles by their addresses.
    home : str
        The address behind the name of the workbench.
    """
    entries = "".join(
        f"<a data-page href='{html.escape(address)}'{CURRENT if title == declaration.title else ''}>"
        f"{html.escape(title)}</a>"
        for address, title in pages.items()
    )
    brand = f"<a class=brand data-page href='{home}'><b>Duality Workbench</b></a>" if home else ""
    about = explained.of_page(declaration)
    door = f"<a class=about href='{html.escape(about)}'>About this page</a>" if about else ""
    title = html.escape(declaration.title)
    return (
        f"<header class=bar><a class='skip wb-skip' href='#page'>To the page</a>{brand}"
        f"<nav aria-label=Pages>{entries}{door}</nav>"
        f"<details class=menu><summary>{title}</summary><div>{entries}{door}</div></details></header>"
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
