"""No term of the glossary is used before the course defines it."""

import importlib.util
import tomllib

import pytest
from made_lessons import FOLDER

SPEC = importlib.util.spec_from_file_location("lesson_terms", FOLDER / "terms.py")
lesson_terms = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(lesson_terms)
Paragraph = lesson_terms.Paragraph


def test_each_term_is_defined_where_it_first_stands():
    glossary = tomllib.loads((FOLDER / "glossary.toml").read_text(encoding="utf-8"))["terms"]
    found = lesson_terms.terms(lesson_terms.paragraphs(), glossary)
    assert len({each.name for each in found}) == len(found) >= 60
    assert [f"{each.name}: {each.used.place}" for each in found if each.early] == []


@pytest.mark.parametrize(
    ("early", "entry"),
    [
        ("Two gaps are left.", {"name": "gap"}),
        ("It is certified.", {"name": "gap", "forms": ["certified"]}),
        ("Gaps close.", {"name": "gap"}),
    ],
)
def test_an_early_use_is_found(early, entry):
    read = [Paragraph("01", 0, "`gap` and $gap$"), Paragraph("01", 1, early), Paragraph("02", 0, "A *gap* is this.")]
    (found,) = lesson_terms.terms(read, [entry | {"defined": "*gap* is"}])
    assert found.early
    assert found.used == read[1]


def test_a_definition_that_stands_nowhere_is_told():
    with pytest.raises(ValueError, match="kink: .* stands in 0 paragraphs"):
        lesson_terms.terms([Paragraph("01", 0, "A kink.")], [{"name": "kink", "defined": "*kink*"}])
