"""A lesson as one file of HTML that fetches nothing: a page to read, or slides.

nbconvert writes the cells; the formulas are set in the browser by the KaTeX that Panel brings.
"""

import copy
import html
import importlib.util
import os
import re
from pathlib import Path

from workbench.teaching import frames

POLICY = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; "
    "form-action 'none'; base-uri 'none'"
)
# What a notebook keeps beside a picture for scripts that these pages do not have.
SCRIPTED = re.compile(r"application/(javascript|vnd\.)")
HEADING = re.compile(r"^(?=#{1,3} |\*\*Predict|\*\*Explain)", re.MULTILINE)
TYPESET = """
renderMathInElement(document.body, {
  delimiters: [
    {left: "$$", right: "$$", display: true}, {left: "$", right: "$", display: false},
    {left: "\\\\(", right: "\\\\)", display: false}, {left: "\\\\[", right: "\\\\]", display: true},
  ],
  output: "mathml", throwOnError: false,
});
"""
STYLE = """
body { font: 17px/1.55 "Source Serif 4", Charter, Georgia, serif; color: #1b1b1b; margin: 0 auto;
  padding: 1em; max-width: 46em; }
h1, h2, h3, label, .frames { font-family: system-ui, sans-serif; }
pre, code { font: 14px/1.45 ui-monospace, Menlo, Consolas, monospace; }
.jp-CodeMirrorEditor pre { background: #f6f6f3; border-left: 3px solid #0072b2; padding: .6em .8em;
  overflow-x: auto; }
.jp-OutputArea-output pre { padding: 0 .8em; margin: .4em 0; overflow-x: auto; white-space: pre-wrap; }
.jp-InputPrompt, .jp-OutputPrompt, .anchor-link { display: none; }
img { max-width: 100%; }
.frames label { display: inline-block; margin: 0 1.5em .5em 0; }
table { border-collapse: collapse; } td, th { padding: .2em .6em; border-bottom: 1px solid #ccc; }
math { font-size: 1.05em; } math[display="block"] { margin: .6em 0; }
"""
SLIDES = """
html { scroll-snap-type: y mandatory; }
body { max-width: none; padding: 0; font-size: 24px; }
section { box-sizing: border-box; min-height: 100vh; scroll-snap-align: start; padding: 6vh 9vw; }
section + section { border-top: 1px solid #ccc; }
pre, code { font-size: 18px; }
@media print { section { break-after: page; border: 0; } }
"""
KEYS = """
const slides = [...document.querySelectorAll("section")];
addEventListener("keydown", (event) => {
  const step = {ArrowRight: 1, PageDown: 1, " ": 1, ArrowLeft: -1, PageUp: -1}[event.key];
  if (!step || event.target.closest("input, select")) return;
  const here = slides.findIndex((slide) => slide.getBoundingClientRect().bottom > innerHeight / 2);
  slides[Math.min(Math.max(here + step, 0), slides.length - 1)].scrollIntoView();
  event.preventDefault();
});
"""


def run(notebook, folder, seconds=3600):
    """A lesson after a run from a clean kernel, its live views drawn as frames.

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
        env=os.environ | {frames.ASKED: "1"}
    )
    return ran


def page(notebook, slides=False):
    """The text of the file.

    Parameters
    ----------
    notebook : nbformat.NotebookNode
        With outputs, as `run` returns it.
    slides : bool
        Whether it is one to show on a projector, a section for each thought.
    """
    views = [_static(cell) for cell in notebook.cells]
    if slides:
        body = "\n".join(f"<section>{_body(cells)}</section>" for cells in sections(views))
    else:
        body = _body(views)
    return _file(title(notebook), body, slides)


def title(notebook):
    """The first heading of a lesson, or what stands for it."""
    match = re.search(r"^# (.+)$", "\n".join(cell.source for cell in notebook.cells), re.MULTILINE)
    return match[1] if match else "Lesson"


def text_page(name, markdown):
    """A page of text alone, in Markdown with formulas."""
    from nbformat.v4 import new_markdown_cell

    return _file(name, _body([new_markdown_cell(markdown)]), False)


def sections(cells):
    """The cells of each slide: a heading, a prediction or an explanation begins a new one."""
    from nbformat.v4 import new_markdown_cell

    groups = [[]]
    for cell in cells:
        if cell.metadata.get("nbgrader", {}).get("grade"):
            continue
        if cell.cell_type != "markdown":
            groups[-1].append(cell)
            continue
        for part in filter(str.strip, HEADING.split(cell.source)):
            alone = re.fullmatch(r"#{1,3} .*\s*", "".join(each.source for each in groups[-1]))
            if HEADING.match(part) and groups[-1] and not alone:
                groups.append([])
            groups[-1].append(new_markdown_cell(part))
    return [cells for cells in groups if cells]


def _static(cell):
    """A cell with those outputs that a page without scripts of its own can show."""
    cell = copy.deepcopy(cell)
    outputs = []
    for output in cell.get("outputs", []):
        data = output.get("data")
        if data is not None:
            if "image/png" in data:
                data.pop("text/html", None)
            elif any(map(SCRIPTED.match, data)):
                continue
            output.data = {kind: each for kind, each in data.items() if not SCRIPTED.match(kind)}
            if not output.data or "esms-options" in output.data.get("text/html", ""):
                continue
        if output.output_type == "error":
            output.traceback = [output.evalue]
        outputs.append(output)
    if cell.cell_type == "code":
        cell.outputs = outputs
    return cell


def _body(cells):
    from nbconvert import HTMLExporter
    from nbformat.v4 import new_notebook

    exporter = HTMLExporter(template_name="basic", exclude_input_prompt=True, exclude_output_prompt=True)
    body, _ = exporter.from_notebook_node(new_notebook(cells=cells))
    return body


def _file(name, body, slides):
    from pygments.formatters import HtmlFormatter

    colours = HtmlFormatter(style="friendly").get_style_defs(".highlight")
    scripts = [*_katex(), TYPESET, frames.SCRIPT, *([KEYS] if slides else [])]
    return "\n".join(
        [
            "<!DOCTYPE html>",
            "<html lang='en'><head><meta charset='utf-8'>",
            f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">',
            "<meta name='viewport' content='width=device-width, initial-scale=1'>",
            f"<title>{html.escape(name)}</title>",
            f"<style>{colours}{STYLE}{SLIDES if slides else ''}</style>",
            f"</head><body>{body}",
            *(f"<script>{script}</script>" for script in scripts),
            "</body></html>",
        ]
    )


def _katex():
    """KaTeX and its search for formulas in a text."""
    from workbench.pages.formulas import katex

    place = Path(importlib.util.find_spec("panel").origin).parent / "dist" / "bundled" / "katex"
    yield katex()
    yield sorted(place.glob("katex@*/dist/contrib/auto-render.min.js"))[-1].read_text("utf-8")
