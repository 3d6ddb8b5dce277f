"""Formulas as a book sets them: KaTeX with its own fonts, in the element <wb-tex> of pages and files.

KaTeX and its style sheet are those that Panel brings, found without importing Panel, which takes a second.
Panel leaves the fonts out, so these stand in the folder katex, as data of the page: an exported file asks for
nothing. The element is defined in runtime/formulas.js; MathML stands beside the picture for those who hear
the page. A symbol that names a drawn curve lights it, see `lit` and light.js.
"""

import base64
import functools
import html
import importlib.util
import re
from pathlib import Path

from workbench._support.errors import InputError

FOLDER = Path(__file__).parent
FONTS = FOLDER / "katex"
FACE = re.compile(r"@font-face\{[^}]*\}")
DOLLARS = re.compile(r"(\$\$?)(.+?)\1", re.DOTALL)


def formula(latex):
    """A formula on lines of its own."""
    return f"<wb-tex>{html.escape(latex)}</wb-tex>"


def mixed_part(latex):
    """A formula within a line."""
    return f"<wb-tex class='inline'>{html.escape(latex)}</wb-tex>"


def lit(latex, curves):
    """The LaTeX with symbols that light what is drawn.

    Parameters
    ----------
    latex : str
    curves : dict of str to str
        The LaTeX of a symbol to the name, or a tag, of the renderers that draw it.
    """
    if not curves:
        return latex
    symbols = "|".join(re.escape(symbol) for symbol in sorted(curves, key=len, reverse=True))
    return re.sub(
        rf"(?<![A-Za-z\\])(?:{symbols})(?![A-Za-z])",
        lambda match: rf"\htmlData{{curve={curves[match[0]]}}}{{{match[0]}}}",
        latex,
    )


def mixed(text):
    """HTML of lines of text with formulas between dollars, single ones within a line."""

    def line(words):
        parts = DOLLARS.split(words)
        pieces = []
        for before, dollars, latex in zip(parts[::3], (*parts[1::3], ""), (*parts[2::3], ""), strict=True):
            pieces.append(html.escape(before))
            if latex:
                pieces.append(formula(latex) if dollars == "$$" else mixed_part(latex))
        return f"<div class='wb-tex-line'>{''.join(pieces)}</div>"

    return "".join(line(words) for words in text.split("\n")) if text else ""


@functools.cache
def faces():
    """The rules that give a document the fonts; a shadow root takes none."""
    rules = []
    for file in sorted(FONTS.glob("*.woff2")):
        family, style = file.stem.rsplit("-", 1)
        data = base64.b64encode(file.read_bytes()).decode()
        rules.append(
            f"@font-face{{font-family:{family};font-style:{'italic' if style == 'Italic' else 'normal'};"
            f"font-display:block;src:url(data:font/woff2;base64,{data}) format('woff2')}}"
        )
    return "\n".join(rules)


@functools.cache
def sheet():
    """Return KaTeX's style sheet without its fonts."""
    return FACE.sub("", _file("katex.min.css").read_text("utf-8"))


def katex():
    """KaTeX as Panel brings it, below its licence.

    Raises
    ------
    InputError
        Panel came without it.
    """
    licence = (FONTS / "LICENSE").read_text("utf-8")
    return f"/*! KaTeX {_version()}\n{licence}*/\n{_file('katex.min.js').read_text('utf-8')}"


def _version():
    return _file("katex.min.js").parents[1].name.removeprefix("katex@")


@functools.cache
def _file(name):
    place = Path(importlib.util.find_spec("panel").origin).parent / "dist" / "bundled" / "katex"
    files = sorted(place.glob(f"katex@*/dist/{name}"))
    if not files:
        raise InputError(f"{place} has no {name}, which formulas need; install panel anew")
    return files[-1]
