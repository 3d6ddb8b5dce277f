"""Pages as files that need no server; `--set` gives the settings that a file opens with."""

import tempfile
from pathlib import Path

from workbench._support.errors import InputError
from workbench._support.system import files
from workbench.pages import address, preview, registry, theme
from workbench.pages.hosts import file

LIMIT_MB = 2.5


def export(page, path, look=theme.LIGHT, choices=(), own=None, force=False):
    """Write a page as one file.

    Parameters
    ----------
    page : str
        One of `registry.pages()`, or a former name.
    path : path
    look : theme.Look
    choices : sequence of (str, str)
        Names of settings and values as typed; a name that comes several times has several values.
    own : dict, optional
        The settings of a typed function, for the page of conjugates.
    force : bool
        Whether a file that exists is replaced.

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
    page = registry.of(page).name
    if own is not None and page != "conjugates":
        raise InputError(f"{page} takes no function; export conjugates for one")
    check(path, force)
    return write(path, text(page, look, choices, own), force)


def text(page, look=theme.LIGHT, choices=(), own=None):
    """The text of the file of a page."""
    declared = registry.of(page)
    return file.text_of(
        page_of(declared, choices, own),
        query=query_of(look),
        head=preview.title(declared.title, declared.sentence),
    )


def page_of(declared, choices=(), own=None):
    """Return the page of a declaration with what its file offers."""
    page = declared.page_type(**(own or {}))
    page.carry(read(address.keys_of(page, page.names()), choices))
    return page


def query_of(look):
    """Return what the address of a file says of its look."""
    return "&".join(
        text for is_on, text in ((look.dark, "theme=dark"), (look.projector, "projector=on")) if is_on
    )


def read(keys, choices):
    """The values of each name, numbers rising, other values in the order in which they were typed."""
    result = {}
    for name, text in choices:
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


def check(path, force):
    """Refuse a place that cannot be written, before anything is computed."""
    path = Path(path)
    if path.is_dir():
        raise InputError(f"{path} is a folder; name a file such as {path / 'page.html'}")
    if not path.parent.is_dir():
        raise InputError(f"{path}: there is no folder {path.parent}; create it first")
    if path.exists() and not force:
        raise InputError(f"{path} already exists; name another file, or give --force to replace it")
    try:
        with tempfile.TemporaryFile(dir=path.parent):
            pass
    except OSError as error:
        raise _unwritable(path, error) from None


def write(path, text, force):
    """Write the file whole or not at all; returns its size in bytes."""
    check(path, force)
    content = text.encode()
    try:
        with files.whole(path) as whole:
            whole.write(content)
    except OSError as error:
        raise _unwritable(path, error) from None
    return len(content)


def _unwritable(path, error):
    return InputError(f"{path} cannot be written ({error.strerror}); name another place")
