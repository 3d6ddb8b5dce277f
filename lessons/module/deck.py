"""The module of three lessons: its slides, written by hand in Markdown, and its quiz.

A deck is a file `lecture-N.md`. A line `---` begins a slide, with a heading, an argument, and one picture:

    ```{picture} what a reader without eyes is told     Python that draws on the axes `ax` with Matplotlib
    ```{live} conjugates                                 a live page of the site

What stands before the first `---` is Python in a block, too, which all pictures of the deck use.
"""

import base64
import html
import io
import re
import tomllib
from pathlib import Path
from typing import NamedTuple

import numpy as np

from workbench._support.errors import InputError
from workbench.teaching import pages, problems

FOLDER = Path(__file__).parent
LECTURES = tuple(sorted(path.stem for path in FOLDER.glob("lecture-*.md")))
LESSONS = ("01_conjugates", "02_the_dual", "06_certificates")
LIVE = ("conjugates", "dual-lab", "svm-gaps", "norms")
# The name of the quiz, and where the site puts links on the module's page.
QUIZ, DOORS = "module-quiz", "<!-- doors -->"
BLOCK = re.compile(r"^```\{(\w+)\} ?(.*?)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# Colours that are distinct for colour-blind readers.
COLOURS = {"blue": "#0072B2", "orange": "#D55E00", "green": "#009E73", "gray": "#888888", "purple": "#AA4499"}
# Letters are outlines, so that a picture is the same on every machine.
LOOK = {
    "svg.fonttype": "path",
    "svg.hashsalt": "module",
    "mathtext.fontset": "dejavusans",
    "font.size": 15,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "lines.linewidth": 2.2,
    "legend.frameon": False,
}
WIDTH, HEIGHT = 6.0, 4.8


class Slide(NamedTuple):
    """One slide: its heading, its text in Markdown, and the kind, the words and the code of its picture."""

    title: str
    text: str
    kind: str
    words: str
    code: str


def read(lecture):
    """Return the code that the pictures of a deck share, and its slides.

    Raises
    ------
    InputError
        A slide lacks its heading, or has not exactly one picture.
    """
    head, *parts = re.split(r"^---\n", (FOLDER / f"{lecture}.md").read_text("utf-8"), flags=re.MULTILINE)
    shared = "".join(code for _, _, code in BLOCK.findall(head))
    slides = []
    for number, part in enumerate(parts, 1):
        title, _, text = part.strip().partition("\n")
        blocks = BLOCK.findall(text)
        if not title.startswith("#") or len(blocks) != 1:
            raise InputError(f"{lecture}.md: slide {number} needs a heading, then one picture")
        slides.append(Slide(title, BLOCK.sub("", text).strip(), *blocks[0]))
    return shared, slides


def page(lecture, live=None):
    """Return the text of the file of a deck.

    Parameters
    ----------
    lecture : str
        One of LECTURES.
    live : str, optional
        The address of the folder of live pages; without it a slide names the command that serves one.
    """
    from nbformat.v4 import new_markdown_cell, new_notebook

    shared, slides = read(lecture)
    names = {"np": np, **COLOURS}
    exec(shared, names)
    cells: list = []
    for slide in slides:
        shown = framed(slide, live) if slide.kind == "live" else picture(slide, names)
        cells += map(new_markdown_cell, (slide.title, slide.text, shown))
        cells[-3].metadata["slide"] = len(cells) > 3
    return pages.page(new_notebook(cells=cells), slides=True)


def framed(slide, live):
    """Return a live page in a frame, or the command that serves it."""
    if live is None:
        return f"`workbench serve {slide.words}` shows it."
    return f'<iframe loading="lazy" title="{slide.words}" src="{live}/{slide.words}.html"></iframe>'


def picture(slide, names):
    """Return the picture of a slide, drawn by its code."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    with mpl.rc_context(LOOK):
        figure = Figure(figsize=(WIDTH, HEIGHT), layout="constrained")
        exec(slide.code, {**names, "ax": figure.add_subplot(), "figure": figure})
        file = io.BytesIO()
        figure.savefig(file, format="svg", metadata={"Date": None}, transparent=True)
    data = base64.b64encode(file.getvalue()).decode()
    return f'<img alt="{html.escape(slide.words, quote=True)}" src="data:image/svg+xml;base64,{data}">'


def quiz():
    """Return the questions of the quiz, as short problems."""
    kinds = tomllib.loads((FOLDER / "quiz.toml").read_text("utf-8"))["problem"]
    blank = {"example": "", "hints": []}
    return [problems._one(f"Q{number}", blank | kind, {}) for number, kind in enumerate(kinds, 1)]
