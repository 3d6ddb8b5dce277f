"""Each term of the glossary, where the course defines it, and where it first uses it.

    python lessons/terms.py

`glossary.toml` has each term's `name`, the words of the lessons with which it is `defined`, and its other
`forms`. A term used in a paragraph before that of its definition is told, and the script fails. Titles,
goals, prerequisites and further reading name what a reader need not know yet, and formulas have no words:
none of these count. Of a cell of code its strings and comments count: labels, titles, what is printed.
"""

import io
import re
import sys
import tokenize
import tomllib
from pathlib import Path
from typing import NamedTuple

from workbench._support.system import lessons

HERE = Path(__file__).resolve().parent
ANNOUNCES = re.compile(r"\*\*(Goals|Prerequisites|Further reading)\.")
WORDLESS = re.compile(r"\$\$.*?\$\$|\$[^$]*\$|`[^`]*`|(?<=\])\([^)]*\)")


class Paragraph(NamedTuple):
    """A paragraph of a lesson, on one line, with its lesson and the number of its cell."""

    lesson: str
    cell: int
    text: str

    @property
    def place(self):
        return f"{self.lesson}, cell {self.cell}"


class Term(NamedTuple):
    """A term, and the paragraphs that define it and that use it first."""

    name: str
    defined: Paragraph
    used: Paragraph
    early: bool


def texts(folder=HERE):
    """Yield the cells of the students' copies, as (lesson, cell, text), as read: lesson 0 is last."""
    notebooks = lessons.notebooks(folder, lessons.student)
    for name, notebook in sorted(notebooks, key=lambda pair: (pair[0].startswith("00"), pair[0])):
        for place, cell in enumerate(notebook["cells"]):
            text = "".join(cell["source"])
            yield Path(name).stem, place, text if cell["cell_type"] == "markdown" else words_of(text)


def words_of(code):
    """Return the strings and comments of a cell of code; hyphens join the words of a name."""
    tokens = tokenize.generate_tokens(io.StringIO(code).readline)
    kinds = tokenize.STRING, tokenize.COMMENT
    return " ".join(token.string.strip("#").replace("-", " ") for token in tokens if token.type in kinds)


def paragraphs(folder=HERE):
    """Return the counted paragraphs of `texts`."""
    parts = []
    for lesson, cell, text in texts(folder):
        blocks = re.split(r"\n\s*\n", re.sub(r"(?m)^#.*$", "\n", text))
        texts_of_cell = (" ".join(block.split()) for block in blocks if not ANNOUNCES.match(block.strip()))
        parts += [Paragraph(lesson, cell, block) for block in texts_of_cell if block]
    return parts


def terms(read, glossary):
    """Return the terms of a glossary in the paragraphs `read`.

    Raises
    ------
    ValueError
        A definition stands nowhere, or more than once.
    """
    entries = []
    words = [WORDLESS.sub(" ", paragraph.text) for paragraph in read]
    for entry in glossary:
        name, text = entry["name"], entry["defined"]
        defined = [place for place, paragraph in enumerate(read) if text in paragraph.text]
        if len(defined) != 1:
            raise ValueError(f"{name}: its definition, {text!r}, stands in {len(defined)} paragraphs")
        forms = "|".join(map(re.escape, [name, *entry.get("forms", [])]))
        form = re.compile(rf"(?<![\w-])({forms})(s|'s)?(?![\w-])", re.IGNORECASE)
        used = next((place for place, sentence in enumerate(words) if form.search(sentence)), defined[0])
        entries.append(Term(name, read[defined[0]], read[used], used < defined[0]))
    return entries


def main():
    """Print the terms of the glossary; return whether one is used before its definition."""
    glossary = tomllib.loads((HERE / "glossary.toml").read_text(encoding="utf-8"))["terms"]
    entries = terms(paragraphs(), glossary)
    for term in entries:
        print(f"{term.name:22} defined {term.defined.place:34} first used {term.used.place}")
    early = [term for term in entries if term.early]
    print(f"{len(entries)} terms, {len(early)} used before the paragraph that defines them")
    for term in early:
        print(f"  {term.name}: {term.used.text}")
    return bool(early)


if __name__ == "__main__":
    sys.exit(main())
