"""No term of the glossary is used before its definition."""

import importlib.util
import tomllib

import pytest

from tests.helpers.made_lessons import FOLDER


def script(name):
    """A script that lies beside the lessons, as a module."""
    spec = importlib.util.spec_from_file_location(f"lesson_{name}", FOLDER / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


lesson_terms = script("terms")
Paragraph = lesson_terms.Paragraph


def test_each_term_is_defined_where_it_first_stands():
    glossary = tomllib.loads((FOLDER / "glossary.toml").read_text(encoding="utf-8"))["terms"]
    terms = lesson_terms.terms(lesson_terms.paragraphs(), glossary)
    assert len({term.name for term in terms}) == len(terms) >= 60
    assert [f"{term.name}: {term.used.place}" for term in terms if term.early] == []


@pytest.mark.parametrize(
    ("early", "entry"),
    [
        ("Two gaps are left.", {"name": "gap"}),
        ("It is certified.", {"name": "gap", "forms": ["certified"]}),
        ("Gaps close.", {"name": "gap"}),
    ],
)
def test_an_early_use_is_found(early, entry):
    texts = ("`gap` and $gap$", early, "A *gap* is this.")
    read = [Paragraph("01", cell, text) for cell, text in enumerate(texts)]
    (term,) = lesson_terms.terms(read, [entry | {"defined": "*gap* is"}])
    assert term.early
    assert term.used == read[1]


def test_a_definition_that_stands_nowhere_is_told():
    with pytest.raises(ValueError, match=r"kink: .* stands in 0 paragraphs"):
        lesson_terms.terms([Paragraph("01", 0, "A kink.")], [{"name": "kink", "defined": "*kink*"}])
