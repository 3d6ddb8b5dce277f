"""The text of a lesson on a page: its words and formulas, and its code to be copied. A notebook runs it."""

import functools
import html
import re

import panel as pn

from workbench._support.system import lessons
from workbench.pages import parts

DISPLAYED = re.compile(r"\$\$(.+?)\$\$", re.DOTALL)
INLINE = re.compile(r"(?<![\\$])\$([^$\n]+?)\$")
FENCED = re.compile(r"(```.*?```|`[^`\n]*`)", re.DOTALL)


def cells(path):
    """The cells of a lesson in their order: pairs of kind, "markdown" or "code", and text."""
    notebook = lessons.copy_of(path)
    return [(cell["cell_type"], "".join(cell["source"])) for cell in notebook["cells"] if cell["source"]]


@functools.cache
def title(path):
    """The heading of a lesson: "Lesson 4. Regularizers and transfer functions"."""
    return next(text for kind, text in cells(path) if kind == "markdown").splitlines()[0].lstrip("# ")


def panes(path, look):
    """A lesson as panes, one below the other."""
    renderers = {"markdown": _words, "code": _code}
    command = "<code>workbench lessons</code>"
    where = f"In the notebook {path.name}, which the command {command} opens, the code runs "
    note = f"<div class='wb-note'>{where}and the exercises are checked.</div>"
    text = [renderers[kind](source, look) for kind, source in cells(path)]
    return [parts.pane(note, look, margin=(0, 14, 8, 14)), *text]


def typeset(source):
    """Markdown whose formulas are elements; code between backticks stays as it is."""
    return "".join(part if k % 2 else _formulas(part) for k, part in enumerate(FENCED.split(source)))


def _formulas(text):
    text = DISPLAYED.sub(lambda match: _element(" ".join(match[1].split()), ""), text)
    return INLINE.sub(lambda match: _element(match[1], " class='inline'"), text)


def _element(latex, style):
    """A formula in an attribute, where Markdown leaves backslashes and underscores alone."""
    return f"<wb-tex{style} tex='{html.escape(latex, quote=True)}'></wb-tex>"


def _words(source, look):
    return pn.pane.Markdown(
        typeset(source),
        sizing_mode="stretch_width",
        margin=(0, 14),
        stylesheets=[look.css, look.sheet("lesson")],
    )


def _code(source, look):
    return parts.pane(parts.code(source), look, margin=(4, 14, 12, 14), styles={"max-width": "46rem"})
