"""Functions drawn from a seed get the right answer, or none: by class, what is convex and what is not."""

import pytest

from tests.helpers.amounts import few
from tests.helpers.drawn_functions import CLASSES, check, is_witnessed, members

COUNT = 30
DRAWN = [(name, member) for name in CLASSES for member in members(name, COUNT)]


def named(drawn):
    name, member = drawn
    return f"{name}-{member.text.replace(' ', '')}"


@pytest.fixture(scope="module")
def deriver():
    from workbench.conjugates.convex.worker import Deriver

    with Deriver() as made:
        yield made


@pytest.mark.parametrize("name", CLASSES)
def test_functions_that_are_not_convex_have_a_witness(name):
    functions = members(name, COUNT)
    assert all(is_witnessed(member) for member in functions if not member.convex)
    assert any(not member.convex or member.outside for member in functions) == (name != "scales")


@pytest.mark.parametrize("drawn", few(DRAWN, len(CLASSES)), ids=named)
def test_every_answer_is_right(drawn, deriver):
    _, member = drawn
    verdict, detail = deriver.run(check, member)
    assert verdict in ("right", "undecided"), detail
    assert (verdict, detail) != ("right", "failed"), "accepted, and its own verification failed"
