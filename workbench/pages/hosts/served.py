"""A page in the document of a server's visit, below the links to the other pages of the server."""

import functools
import threading
from pathlib import Path

import jinja2

from workbench.pages import address, registry
from workbench.pages.hosts import links

FRAME = Path(__file__).parent / "frame.html"


def opener(declaration):
    """Return the function that puts a page of the registry into the document of the present session."""
    return lambda: open_page(declaration)


def open_page(declaration):
    """Put a page and the links into the document of the present session."""
    import panel as pn

    from workbench.pages.hosts.panel import PanelHost

    document = pn.state.curdoc
    names = registry.served or registry.pages()
    page = declaration.page_type()
    page.others = {name: name for name in registry.pages() if name in names}
    page.open_address(pn.state.session_args)
    host = PanelHost(page, owns_address=True)
    # The browser loads scripts for longer than this takes.
    threading.Thread(target=page.prepare, daemon=True).start()
    host.server_doc(document, f"{declaration.title} · Duality Workbench", location=False)
    theme = address.look_of(pn.state.session_args).get("theme")
    document.template = _frame()
    document.template_variables.update(
        sheets=links.sheets(is_dark=theme == [b"dark"]),
        header=links.header(declaration, page.others),
        footer=links.footer(declaration, page.others, "home?lesson=" if "home" in names else ""),
        script=links.script(),
    )


@functools.cache
def _frame():
    return jinja2.Template(FRAME.read_text(encoding="utf-8"))
