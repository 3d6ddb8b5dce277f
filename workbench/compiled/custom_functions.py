"""A custom function at run time: derived and printed once, then a module like the built-in ones.

The source lies in a cache folder of the derivation that printed it, so that a second process neither derives
it again nor loads SymPy, and numba keeps its machine code beside that of the other kernels.
"""

import functools
import hashlib
import importlib.util
import sys

from workbench.compiled import compilation
from workbench.system import sources, storage


@functools.cache
def module(what, text, *rest):
    """The generated module of a loss (text, kind, domain, values) or a regularizer (text, domain, values).

    Of a Fenchel-Young loss: (text, values).
    """
    digest = hashlib.sha256(repr((what, text, *rest)).encode()).hexdigest()[:16]
    path = _folder() / f"custom_{digest}.py"
    if not _is_whole(path):
        # The one place where run-time code derives: SymPy takes two seconds to load.
        from workbench.codegen import custom, fenchel_young

        *plain, values = rest
        room = fenchel_young if what == "fenchel_young" else custom
        source = getattr(room, f"{what}_source")(text, *plain, dict(values))
        path = _write(path, _signed(source))
    spec = importlib.util.spec_from_file_location(f"workbench_{path.stem}", path)
    found = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = found
    spec.loader.exec_module(found)
    return found


def _folder():
    """The folder of what today's derivation prints."""
    return _opened(storage.cache("custom", _digest()))


@functools.cache
def _opened(folder):
    storage.keep_newest(folder.parent, compilation.KEPT_FOLDERS, newest=folder)
    return folder


@functools.cache
def _digest():
    codegen = sources.PACKAGE / "codegen"
    roots = [(codegen / f"{name}.py", sources.WHOLE) for name in ("custom", "fenchel_young")]
    return sources.digest(*roots, without=(sources.PACKAGE / "faces",))


def _signed(source):
    """A source under the digest that shows whether it is whole."""
    return f"# {hashlib.sha256(source.encode()).hexdigest()}\n{source}"


def _is_whole(path):
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, ValueError):
        return False
    return text == _signed(text.partition("\n")[2])


def _write(path, text):
    """Write a source; where the cache takes no more, in a temporary one. Returns the path."""
    try:
        storage.make(path.parent)
        storage.write(path, text, sync=False)
    except OSError as error:
        storage.give_up_cache(error)
        path = _folder() / path.name
        storage.write(path, text, sync=False)
    return path


@functools.cache
def compiled(found, part, signature):
    """One of the module's functions, compiled for a signature; no kernel is compiled anew."""
    return compilation.jit(getattr(found, f"custom_{part}"), signature)
