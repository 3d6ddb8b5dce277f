"""A question on a page stays unanswered until the answer is requested; a reset removes verdicts."""

import html
import re

import panel as pn
import pytest
from bokeh.document import Document
from panel.io.state import set_curdoc

from workbench.pages.conjugates import model as conjugates
from workbench.pages.conjugates.page import ConjugatesPage
from workbench.pages.inverse_time import model as inverse_time
from workbench.pages.inverse_time.page import QUESTION, InverseTimePage
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


def test_inverse_time_asks_and_answers_on_request(document):
    model = inverse_time.InverseTime()
    page = InverseTimePage(model, Visit(model, query=""))
    question, answer = QUESTION[0].partition("?")[0], QUESTION[1]
    assert question in visible_text(page.aside())
    assert answer not in visible_text(page.aside())
    page.predict.turn()
    assert answer in visible_text(page.aside())
    page.hear({"rests": {"reset": True}})
    assert answer not in visible_text(page.aside())


@pytest.mark.parametrize("hidden", [True, False])
def test_q_is_hidden_while_it_is_asked_for(document, hidden):
    model = conjugates.Conjugates(predict=hidden)
    page = ConjugatesPage(model, Visit(model, query=""))
    assert set(page.answers) == {"pair", "verification", "derivation"}
    assert all(card.visible is not hidden for card in page.answers.values())
    model.predict = not hidden
    assert all(card.visible is hidden for card in page.answers.values())
