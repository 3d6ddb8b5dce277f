"""A question on a page stays unanswered until the answer is requested; a reset removes verdicts."""

import html
import re

import panel as pn
import pytest
from bokeh.document import Document
from panel.io.state import set_curdoc

from workbench.pages.norms import model as norms
from workbench.pages.norms.figures import HIDES
from workbench.pages.norms.page import QUESTIONS, NormsPage
from workbench.pages.screening import model as screening
from workbench.pages.screening.page import ScreeningPage
from workbench.pages.shell import Visit

# Panel's own widgets give each other names that it is about to drop.
pytestmark = pytest.mark.filterwarnings("ignore::PendingDeprecationWarning")


@pytest.fixture
def document():
    """The document that a page belongs to; nothing serves it."""
    with set_curdoc(Document()):
        yield


def visible_text(panes):
    """The HTML of all panes that are shown, without tags."""
    texts = []
    for pane in panes:
        if not pane.visible:
            continue
        inside = list(pane) if isinstance(pane, pn.layout.base.ListLike) else []
        texts.append(visible_text(inside) if inside else str(getattr(pane, "object", "")))
    return html.unescape(re.sub(r"<[^>]*>", " ", " ".join(texts)))


@pytest.mark.parametrize("name", [name for name, asked in QUESTIONS.items() if HIDES in asked])
def test_the_shape_that_is_asked_for_is_not_drawn(document, name):
    model = norms.Norms(norm=name)
    page = NormsPage(model, Visit(model, query=""))
    section = [renderer.id for renderer in page.figures.section]
    assert page.stage.hidden == section
    assert HIDES in page.boxes["ball"][0].object
    page.predict.turn()
    assert page.stage.hidden == []
    assert HIDES not in page.boxes["ball"][0].object
    page.hear({"rests": {"reset": True}})
    assert page.stage.hidden == section


def test_a_run_that_is_left_answers_no_question(document):
    model = screening.ScreeningModel()
    page = ScreeningPage(model, Visit(model, query=""))
    outcomes = {model.question: ["none", "none, 0 of 120"]}
    left = {"settings": model.settings(), "outcomes": outcomes}
    page.hear({"rests": {"came": left}})
    page._guessed("all")
    assert "You said" not in page.predict.answer.object
    page.hear({"rests": {"came": left}})
    assert "You said" not in page.predict.answer.object
    page.hear({"rests": {"came": {"settings": model.settings(), "outcomes": outcomes}}})
    assert "You said “all”: none, 0 of 120" in page.predict.answer.object
    for bad in ({}, {"settings": 1}, {"settings": model.settings(), "outcomes": {model.question: [1, 2]}}):
        page.hear({"rests": {"came": bad, "began": {"listed": [1] * 999}}})


def test_a_question_with_the_same_answers_keeps_their_buttons(document):
    model = screening.ScreeningModel()
    page = ScreeningPage(model, Visit(model, query=""))
    before = list(page.predict.row)
    page.question.value = next(option for option in page.question.options if option != page.question.value)
    assert list(page.predict.row) == before
    page.predict.ask("Another?", ("yes", "no"), "Guess.")
    assert [button.name for button in page.predict.row] == ["yes", "no"]
