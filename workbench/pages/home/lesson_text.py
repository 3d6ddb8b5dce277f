"""The text of a lesson on Home: words and formulas as HTML, and code to copy; a notebook runs it."""

import functools
import html
import re

from workbench._support.system import lessons

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


@functools.cache
def rendered(path):
    """Return the cells of a lesson: pairs of kind and text, HTML where the kind is "markdown"."""
    from markdown_it import MarkdownIt

    words = MarkdownIt("commonmark").enable("table")
    return [(kind, words.render(typeset(text)) if kind == "markdown" else text) for kind, text in cells(path)]


def typeset(source):
    """Markdown whose formulas are elements; code between backticks stays as it is."""
    return "".join(part if k % 2 else _formulas(part) for k, part in enumerate(FENCED.split(source)))


def _formulas(text):
    text = DISPLAYED.sub(lambda match: _element(" ".join(match[1].split()), ""), text)
    return INLINE.sub(lambda match: _element(match[1], " class='inline'"), text)


def _element(latex, style):
    """A formula in an attribute, where Markdown leaves backslashes and underscores alone."""
    return f"<wb-tex{style} tex='{html.escape(latex, quote=True)}'></wb-tex>"
