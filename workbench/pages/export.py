"""Pages as files that need no server: which there are, and what may be chosen for each.

A hosted page is its own file: `--set` gives the settings that it opens with. The declaration of another one
names its `file`, a module that has

    def keys(): ...                    # what may be chosen, each an `address.Key` under its name
    def page(look, selection, say): ...   # the text of the file

where `selection` has the values that somebody asked for by `--set` or `--lam`, and `say` hears what is being
computed.
"""

import functools

from workbench._support.errors import InputError
from workbench.pages import address, export_file, preview, registry, theme
from workbench.pages.hosts import file

# Files that a server keeps for those who ask for the same, at most 2.5 MB each.
KEPT = 16
LIMIT_MB = 2.5


def export(page, path, look=theme.LIGHT, given=(), own=None, force=False, say=lambda text: None):
    """Write a page as one file.

    Parameters
    ----------
    page : str
        One of `registry.files()`.
    path : path
    look : theme.Look
    given : sequence of (str, str)
        Names and values as typed: a preset or regularizer of a live page, a setting of a page of runs; a
        name that comes several times has several values.
    own : dict, optional
        The settings of a typed function, for the page of conjugates.
    force : bool
        Whether a file that exists is replaced.
    say : callable
        Hears what is being computed.

    Returns
    -------
    int
        The size in bytes.

    Raises
    ------
    InputError
        The page, a name, a value or the place is refused, or a function cannot be derived; nothing is
        written then.
    """
    page = page.replace("_", "-")
    page = registry.of(page).name if page in registry.former() else page
    if page not in registry.files():
        raise InputError(f"{page!r} cannot be exported; the pages that can are {', '.join(registry.files())}")
    if own is not None and page != "conjugates":
        raise InputError(f"{page} takes no function; export conjugates for one")
    export_file.check(path, force)
    return export_file.write(path, text(page, look, given, own, say), force)


@functools.lru_cache(maxsize=KEPT)
def _cached_text(page, look):
    return text(page, look)


def download(page, look, query):
    """The text of the file of a page that opens at a state of its address.

    Parameters
    ----------
    page : str
        One of `registry.files()`.
    look : theme.Look
    query : str
        As the page's address has it; what the file has no setting for is left out by the file.
    """
    return export_file.opening_at(_cached_text(page, look), query)


def text(page, look=theme.LIGHT, given=(), own=None, say=lambda text: None):
    """The text of the file of a page of `registry.files()`."""
    declared = registry.of(page)
    if declared.hosted:
        return file.text_of(
            hosted_page(declared, given, own),
            query=query_of(look),
            head=preview.title(declared.title, declared.sentence),
        )
    return declared.written(look, read(declared.keys(), given), say)


def hosted_page(declared, given=(), own=None):
    """Return the page of a declaration with what its file offers."""
    page = declared.page_type(**(own or {}))
    page.carry(read(address.keys_of(page, page.names()), given))
    return page


def query_of(look):
    """Return what the address of a file says of its look."""
    return "&".join(
        text for is_on, text in ((look.dark, "theme=dark"), (look.projector, "projector=on")) if is_on
    )


def read(keys, given):
    """The values of each name, numbers rising, other values in the order in which they were typed."""
    result = {}
    for name, text in given:
        if name not in keys:
            raise InputError(f"{name[:60]!r} cannot be set here; the settings are {', '.join(keys)}")
        try:
            value = keys[name].read(text.strip())
        except (ValueError, OverflowError):
            raise InputError(
                f"{name} = {text[:60]!r} is refused: {name} takes {keys[name].allowed}"
            ) from None
        if value not in result.setdefault(name, []):
            result[name].append(value)
    return {name: values if isinstance(values[0], str) else sorted(values) for name, values in result.items()}
