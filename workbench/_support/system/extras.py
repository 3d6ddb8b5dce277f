"""Optional packages: those of each extra, and the error for a missing one."""

import importlib.util
import sys

from workbench._support.errors import InputError

# Extra -> the packages that it brings to `import`, beyond what solving, certifying and deriving need.
EXTRAS = {
    "tables": ("charset_normalizer", "pandas", "skops"),
    "excel": ("openpyxl",),
    "pages": ("bokeh", "contourpy", "jinja2", "markdown_it", "panel", "param", "tornado"),
    "cluster": ("dask", "distributed"),
    "lessons": ("IPython", "anywidget", "bokeh", "holoviews", "jupyter_bokeh", "jupyterlab", "panel"),
    "grading": ("nbgrader", "traitlets"),
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
    InputError
        Which packages are missing, and what to install.
    """
    missing = [name for name in packages or EXTRAS[extra] if not _is_there(name)]
    if missing:
        verb, pronoun = ("is", "it") if len(missing) == 1 else ("are", "them")
        raise InputError(
            f"{what} needs {', '.join(missing)}, which {verb} not installed; to get {pronoun}: "
            f"pip install 'duality-workbench[{extra}]'"
        )


def _is_there(name):
    # A module that was imported without a finder lacks a spec.
    if name in sys.modules:
        return sys.modules[name] is not None
    return importlib.util.find_spec(name) is not None
