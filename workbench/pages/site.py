"""The dashboard as a folder of files: every page that needs no server, and an index with relative links."""

import html
from pathlib import Path

from workbench._support.errors import InputError
from workbench._support.system import files
from workbench.pages import export, export_file, preview, registry, theme
from workbench.pages.home import model as home

INDEX = "index.html"
SERVED = "These pages need the workbench itself, <code>workbench serve</code>: {names}."
SAYS = (
    "Each page is one file that needs no server and no network: its results are computed in the browser, or "
    "were stored when the file was written. Every gap is a certificate: the objective exceeds its optimum by "
    "at most that much."
)


def write(folder, look=theme.LIGHT, force=False, say=lambda text: None):
    """Write the index and every page that can be a file into a folder, which is made where it is missing.

    Parameters
    ----------
    folder : path
    look : theme.Look
    force : bool
        Whether files that exist are replaced.
    say : callable
        Hears what is being computed.

    Returns
    -------
    dict of str to int
        The size of each file in bytes.

    Raises
    ------
    InputError
        The folder cannot be made, or holds one of the files already; nothing is written then.
    """
    folder = Path(folder)
    pages = [name for name, page in registry.files().items() if page.sentence]
    paths = {page: folder / f"{page}.html" for page in pages} | {"": folder / INDEX}
    pictures = {page: folder / f"{page}.png" for page in pages}
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{folder} cannot be made ({error.strerror}); name another folder") from None
    for path in (*paths.values(), *pictures.values()):
        export_file.check(path, force)
    sizes = {}
    for page in pages:
        say(page)
        text = export.text(page, look, say=lambda run, page=page: say(f"{page}, {run}"))
        path, beside = paths[page], pictures[page]
        # Who shows a link to the page where it is shared.
        with files.whole(beside) as file:
            file.write(preview.png(page))
        sizes[beside.name] = beside.stat().st_size
        text = text.replace("</title>\n", f"</title>\n{preview.picture(beside.name)}", 1)
        others = [(paths[name].name, registry.of(name).title) for name in pages]
        sizes[path.name] = export_file.write(path, export_file.linked(text, INDEX, others), force)
    sizes[INDEX] = export_file.write(paths[""], index(pages, look), force)
    return sizes


def index(pages, look):
    """The text of the index of these pages."""
    entries = [page for page in registry.pages().values() if page.sentence]
    served = ", ".join(page.title for page in entries if page.name not in pages)
    cards = "".join(_card(page, look) for page in entries if page.name in pages)
    note = f"<p>{SERVED.format(names=html.escape(served))}</p>" if served else ""
    main = (
        f"<div class='wb-note'><p>{SAYS}</p></div><div class='x-cards'>{cards}</div>"
        f"<div class='wb-note'>{note}</div>"
    )
    return export_file.still("Home", look, main)


def _card(card, look):
    name = html.escape(card.title)
    curves = card.picture() if card.picture else ()
    picture = home.svg(curves, (look.blue, look.vermillion), f"Curves of the page {name}")
    return (
        f"<section class='x-card'><div class='x-inside'>{picture}"
        f"<h2><a href='{card.name}.html'>{name}</a></h2><p>{html.escape(card.sentence)}</p></div></section>"
    )
