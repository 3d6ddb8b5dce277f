"""A page in the document of a server's visit, below the header that all pages of the server share."""

import functools
import html
from pathlib import Path

import jinja2

from workbench._support.errors import explained
from workbench.pages import address, registry, theme

FRAME = Path(__file__).parent / "frame.html"
KEYS = {
    "space": "run or pause",
    "→": "one step",
    "r": "reset",
    "?": "show these keys",
    "Tab": "to the next control",
}


def opener(declaration):
    """Return the function that puts a page of the registry into the document of the present session."""
    if not declaration.hosted:
        from workbench.pages import shell

        return shell.opener(declaration)
    return lambda: open_page(declaration)


def open_page(declaration):
    """Put a page and the header into the document of the present session."""
    import panel as pn

    from workbench.pages import browser
    from workbench.pages.hosts.panel import PanelHost

    document = pn.state.curdoc
    host = PanelHost(declaration.page_type(), owns_address=True)
    host.server_doc(document, f"{declaration.title} · Duality Workbench", location=False)
    look = address.look_of(pn.state.session_args)
    is_dark = look.get("theme") == [b"dark"]
    document.template = _frame()
    document.template_variables.update(
        theme="dark" if is_dark else "light",
        sheets={name: _sheet(name == "dark") for name in ("light", "dark")},
        header=header(declaration),
        script=browser.bundle("frame"),
    )


@functools.cache
def _frame():
    return jinja2.Template(FRAME.read_text(encoding="utf-8"))


@functools.cache
def _sheet(is_dark):
    look = theme.look(dark=is_dark)
    return look.sheet("header") + look.sheet("frame")


def header(declaration):
    """Return the HTML of the header: the pages of this server, the theme and the keys."""
    names = registry.served or registry.pages()
    links = "".join(
        f"<a href='{name}'{' aria-current=page' if name == declaration.name else ''}>{html.escape(title)}</a>"
        for name, title in registry.titles().items()
        if name in names
    )
    about = explained.of_page(declaration)
    door = f"<p><a href='{html.escape(about)}'>About this page</a></p>" if about else ""
    keys = "".join(f"<p><kbd>{key}</kbd> {text}</p>" for key, text in KEYS.items())
    title, switch = html.escape(declaration.title), "<button type=button data-do=theme></button>"
    return (
        f"<a class=skip href='#page'>To the page</a><h1>{title}</h1><b class=brand>Duality Workbench</b>"
        f"<nav aria-label=Pages>{links}</nav>"
        f"<details class=menu><summary>{title}</summary><div>{links}{switch}</div></details>"
        f"<span class=switches>{switch}</span>"
        "<details class=help><summary aria-label='Keys of this page'>?</summary>"
        f"<div>{keys}{door}</div></details>"
    )
