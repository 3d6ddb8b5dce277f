"""Sphinx's settings for the site of docs/, built without a network: `make docs` writes it to build/docs."""

import hashlib
import sys
import tempfile
import uuid
from pathlib import Path

from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient
from numpydoc import xref
from traitlets import default

import workbench

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))
import made  # noqa: E402 - an extension beside this file

project = "Duality Workbench"
author = "The Duality Workbench developers"
copyright = "The Duality Workbench developers"
version = release = workbench.__version__

extensions = [
    "made",
    "myst_nb",
    "numpydoc",
    "set_formulas",
    "sphinx.ext.autodoc",
    "sphinx.ext.intersphinx",
    "sphinx_copybutton",
    "sphinx_design",
]
exclude_patterns = ["static", "made/functions.md"]
suppress_warnings = ["mystnb.unknown_mime_type"]

# --- text
myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3

# --- notebooks: run once, and again only where one has changed, or the code, or which data sets are here
FOLDERS = Path(workbench.__path__[0]), HERE.parent / "lessons" / "checks"
CODE = sorted(path for folder in FOLDERS for path in folder.rglob("*.py"))
DATA = [(entry.name, entry.where) for entry in workbench.data.available()]
DECIDES = hashlib.sha256(str(DATA).encode() + b"".join(path.read_bytes() for path in CODE))
nb_execution_mode = "cache"
nb_execution_cache_path = str(HERE.parent / "build" / "docs-notebooks" / DECIDES.hexdigest()[:12])
nb_execution_timeout = 600
nb_execution_raise_on_error = True
nb_merge_streams = True
# Scripts of widgets come from another host, and the site is read without a network.
nb_ipywidgets_js = {}


class LocalKernels(AsyncKernelManager):
    """Kernels that are reached by files, since a build without a network may lack localhost too."""

    folder = tempfile.TemporaryDirectory()

    @default("transport")
    def _without_network(self):
        return "ipc"

    @default("ip")
    def _file(self):
        # Jupyter's own choice is relative to a folder, and a kernel has another one.
        return f"{self.folder.name}/{uuid.uuid4().hex}"


NotebookClient.kernel_manager_class = LocalKernels

# --- reference
autodoc_typehints = "none"
autodoc_member_order = "bysource"
numpydoc_show_class_members = False
numpydoc_validation_checks = {"GL08", "PR02", "SS01"}
# It documents two signatures.
numpydoc_validation_exclude = {r"workbench\.certificate$"}

# Types of parameters that are links: our own, and those of others by inventories that are kept here.
OTHERS = {
    "array_like": "numpy.typing.ArrayLike",
    "csr_array": "scipy.sparse.csr_array",
    "DataFrame": "pandas.DataFrame",
    "ndarray": "numpy.ndarray",
}
OURS = {name: f"workbench.{name}" for name in workbench.__all__ if name[0].isupper()}
xref.DEFAULT_LINKS.clear()
numpydoc_xref_param_type = True
numpydoc_xref_ignore = "all"
numpydoc_xref_aliases = OTHERS | OURS
intersphinx_mapping = {
    "numpy": ("https://numpy.org/doc/stable/", "inventories/numpy.inv"),
    "pandas": ("https://pandas.pydata.org/docs/", "inventories/pandas.inv"),
    "scipy": ("https://docs.scipy.org/doc/scipy/", "inventories/scipy.inv"),
}

html_math_renderer = "katex"

# --- looks
html_theme = "pydata_sphinx_theme"
html_title = "Duality Workbench"
html_static_path = ["static", "made_static", "dual-lab.png"]
html_extra_path = ["made_extra"]
html_css_files = ["katex.css", "site.css"]
html_show_sourcelink = False
# A browser reads no other page for a summary where the site is a folder of files.
html_show_search_summary = False
# No menu of a section where a page is the whole of it.
html_sidebars = {name: [] for name in ("tour", "installing", "gallery", "made/gallery")}
html_js_files = [("site.js", {"defer": "defer"})]
html_context = {"default_mode": "auto"}
html_theme_options = {
    "header_links_before_dropdown": 8,
    "collapse_navigation": True,
    "footer_start": ["copyright"],
    "footer_end": [],
    "secondary_sidebar_items": ["page-toc"],
}


def setup(app):
    """|w| is a norm in docstrings, and no substitution; a link that leads nowhere ends the build."""

    def norms(_app, _what, _name, _thing, _options, lines):
        lines[:] = [line if "``" in line else line.replace("|", r"\|") for line in lines]

    # After numpydoc, which makes lines with substitutions of its own.
    app.connect("autodoc-process-docstring", norms, priority=400)
    # Last, since others copy their style sheets then.
    app.connect("build-finished", made.check_links, priority=900)
