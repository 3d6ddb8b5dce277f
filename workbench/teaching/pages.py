"""A lesson as one file of HTML that fetches nothing: a page to read, or slides.

nbconvert writes it by the template in `page`; Panel embeds what a live view shows for each choice, and the
formulas are set in the browser by the KaTeX that Panel brings, with the fonts of the pages. The slides of the
module are written by hand; `deck` in `lessons/module` reads them.
"""

import base64
import copy
import importlib.util
import os
import re
from pathlib import Path

WIDGET = "application/vnd.jupyter.widget-view+json"
# Style sheets that Panel names by an address where it embeds a view.
SHEET = re.compile(r"https://cdn\.holoviz\.org/panel/[\d.]+/dist/([\w/]+\.css)(\?v=[\d.]+)?")


def run(notebook, folder, seconds=3600):
    """Return a lesson after a run from a clean kernel, its live views with all that they show.

    Parameters
    ----------
    notebook : nbformat.NotebookNode
    folder : Path
        Where its cells run.
    seconds : float
        For one cell.
    """
    from nbclient import NotebookClient

    ran = copy.deepcopy(notebook)
    resources = {"metadata": {"path": str(folder)}}
    NotebookClient(ran, timeout=seconds, kernel_name="python3", resources=resources).execute(
        env=os.environ | {"PANEL_EMBED": "1"}
    )
    return ran


def page(notebook, slides=False):
    """Return the text of the file.

    Parameters
    ----------
    notebook : nbformat.NotebookNode
        With outputs, as `run` returns it.
    slides : bool
        True if it is for a projector: a cell whose metadata have `slide` begins a new slide.
    """
    from nbconvert import HTMLExporter
    from nbformat.v4 import new_notebook
    from pygments.formatters import HtmlFormatter

    from workbench.pages import formulas

    exporter = HTMLExporter(
        extra_template_basedirs=[str(Path(__file__).parent)],
        template_name="page",
        exclude_input_prompt=True,
        exclude_output_prompt=True,
    )
    resources = {
        "title": title(notebook),
        "slides": slides,
        "colours": HtmlFormatter(style="friendly").get_style_defs(".highlight"),
        "formulas": f"{formulas.faces()}\n{formulas.sheet()}",
        "katex": list(_katex()),
    }
    shown = new_notebook(cells=list(map(_shown, notebook.cells)))
    text, _ = exporter.from_notebook_node(shown, resources)
    return SHEET.sub(lambda match: _inline(_panel(match[1])), text)


def title(notebook):
    """Return the first heading of a lesson, or what stands for it."""
    match = re.search(r"^# (.+)$", "\n".join(cell.source for cell in notebook.cells), re.MULTILINE)
    return match[1] if match else "Lesson"


def text_page(markdown):
    """Return a page of text alone, in Markdown with formulas."""
    from nbformat.v4 import new_markdown_cell, new_notebook

    return page(new_notebook(cells=[new_markdown_cell(markdown)]))


def _shown(cell):
    """Return a cell without empty outputs, and without widgets, which need a kernel."""
    cell = copy.deepcopy(cell)
    if cell.cell_type == "code":
        cell.outputs = [
            output for output in cell.outputs if (data := output.get("data", True)) and not _is_widget(data)
        ]
    return cell


def _is_widget(data):
    return data is not True and WIDGET in data and "text/html" not in data


def _inline(sheet):
    return f"data:text/css;base64,{base64.b64encode(sheet.read_bytes()).decode()}"


def _panel(path):
    """Return a file that Panel brings; the last one where there are several versions."""
    spec = importlib.util.find_spec("panel")
    assert spec is not None
    assert spec.origin is not None
    dist = Path(spec.origin).parent / "dist"
    return sorted(dist.glob(path))[-1]


def _katex():
    """KaTeX and its search for formulas in a text."""
    from workbench.pages.formulas import katex

    yield katex()
    yield _panel("bundled/katex/katex@*/dist/contrib/auto-render.min.js").read_text("utf-8")
