"""Optional packages: those of each extra, and the error for a missing one."""

import importlib.metadata
import importlib.util
import json
import sys
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

from workbench._support.errors import MissingExtraError
from workbench._support.system import resources

# Extra -> the packages that it brings to `import`, beyond what solving and certifying need.
EXTRAS = {
    "cli": ("rich", "typer"),
    "proofs": ("flint", "mpmath", "pebble", "psutil", "sympy", "z3"),
    "tables": ("charset_normalizer", "pandas", "psutil", "skops"),
    "excel": ("openpyxl",),
    "pages": ("bokeh", "contourpy", "jinja2", "markdown_it", "panel", "param", "tornado"),
    "cluster": ("dask", "distributed"),
    "lessons": ("IPython", "anywidget", "bokeh", "holoviews", "jupyter_bokeh", "jupyterlab", "panel"),
    "grading": ("cvxpy", "nbgrader", "traitlets"),
    "parquet": ("pyarrow",),
    "cones": ("clarabel",),
    "race": ("benchopt", "celer", "clarabel", "skglm"),
}


def need(extra, what, *packages):
    """Go on where an extra is installed.

    Parameters
    ----------
    extra : str
    what : str
        What the user asked for, as the subject of the sentence.
    *packages : str
        Those that matter; by default all of the extra.

    Raises
    ------
    MissingExtraError
        Which packages are missing, and the command that installs them.
    """
    missing = [name for name in packages or EXTRAS[extra] if not _is_there(name)]
    if missing:
        verb, pronoun = ("is", "it") if len(missing) == 1 else ("are", "them")
        raise MissingExtraError(
            f"{what} needs {', '.join(missing)}, which {verb} not installed; to get {pronoun}: "
            f"{installation(extra)}",
            extra,
        )


def installation(extra):
    """Return the command that adds an extra to this installation.

    It names the folder of a clone, the wheel that was installed, or the project where it came from an index.
    """
    if resources.is_clone(resources.PACKAGE.parent):
        return _in_folder(resources.PACKAGE.parent, extra)
    try:
        origin = importlib.metadata.distribution(resources.PROJECT)
    except importlib.metadata.PackageNotFoundError:
        return f'pip install "{_wheel()}[{extra}]"'
    # Written by installers for what came from a file or a folder, and not from an index.
    text = origin.read_text("direct_url.json")
    if text is None:
        return f'pip install "{resources.PROJECT}[{extra}]"'
    address = urlsplit(json.loads(text).get("url", ""))
    place = Path(url2pathname(address.path))
    if address.scheme == "file" and resources.is_clone(place):
        return _in_folder(place, extra)
    is_here = address.scheme == "file" and place.is_file()
    return f'pip install "{place if is_here else _wheel()}[{extra}]"'


def _in_folder(place, extra):
    move = "" if Path.cwd() == place else f'cd "{place}" && '
    return f'{move}pip install ".[{extra}]"'


def _wheel():
    from workbench import __version__

    return f"{resources.PROJECT.replace('-', '_')}-{__version__}-py3-none-any.whl"


def _is_there(name):
    # A module that was imported without a finder lacks a spec.
    if name in sys.modules:
        return sys.modules[name] is not None
    return importlib.util.find_spec(name) is not None
