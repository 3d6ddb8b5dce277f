"""`begin`, `live` and `lab_figure` without a notebook around them."""

import holoviews as hv
import panel as pn
import pytest
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

from workbench._support.errors import InputError
from workbench.teaching import begin, lab_figure, live, notebook
from workbench.teaching.undefined import why_undefined

# Panel 1.9 prefers `label`, which Panel 1.8 does not know.
pytestmark = pytest.mark.filterwarnings("ignore:Widget.name:PendingDeprecationWarning")


def test_begin_outside_a_notebook_only_speaks(capsys):
    begin(0)
    assert "0.1" in capsys.readouterr().out


@pytest.mark.parametrize("lesson", [99, -1])
def test_begin_of_no_lesson(lesson):
    with pytest.raises(InputError, match="no exercises"):
        begin(lesson)


RIGHT = "def hinge_conjugate(v):\n    return v if -1 <= v <= 0 else float('inf')"
ASK = 'from workbench.teaching import check\n\ncheck("1.2", hinge_conjugate)'
CALL = "The cell that defines 'hinge_conjugate' stops with"


@pytest.fixture
def shell(monkeypatch):
    """A shell as `begin` leaves it, and the sentences that it shows in place of tracebacks."""
    shell = InteractiveShell(config=Config(HistoryManager={"enabled": False}))
    shell.said = []
    monkeypatch.setattr(shell, "_showtraceback", lambda kind, error, lines: shell.said.append(lines))
    monkeypatch.setattr(notebook, "_shell", lambda: shell)
    monkeypatch.setattr(notebook, "_load_figures", lambda: None)
    monkeypatch.setattr(notebook, "CELLS", {})
    begin(1)
    return shell


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        (
            "def hinge_conjugate(v:\n    return v",
            f"{CALL} SyntaxError: '(' was never closed, line 1. Mend it",
        ),
        (f"import nowhere\n\n{RIGHT}", f"{CALL} ModuleNotFoundError: No module named 'nowhere'. Mend it"),
        (RIGHT.replace("conjugate", "conj"), "the cell above defines 'hinge_conj'. The check needs the name"),
        ("x == 1", "'hinge_conjugate' does not exist in this kernel."),
    ],
)
@pytest.mark.parametrize("earlier", ["", RIGHT])
def test_a_check_says_why_its_answer_does_not_exist(shell, source, sentence, earlier, capsys):
    """Nor does it judge an answer of an earlier run where the cell with the next one fails."""
    shell.run_cell(earlier, store_history=True)
    shell.run_cell(source, store_history=True)
    shell.run_cell(ASK, store_history=True)
    if earlier and source.startswith(("def hinge_conj(", "x")):
        assert "right." in capsys.readouterr().out
    else:
        assert len(shell.said[-1]) == 1
        assert sentence in shell.said[-1][0]
    shell.run_cell(RIGHT, store_history=True)
    shell.run_cell(ASK, store_history=True)
    assert "right." in capsys.readouterr().out


def test_a_mended_cell_that_renames_its_answer_is_told_as_such(shell):
    for source in ("def hinge_conjugate(v:\n    return v", "def hinge_conj(v):\n    return v"):
        shell.run_cell(source, store_history=True, cell_id="answer")
    shell.run_cell(ASK, store_history=True)
    assert "the cell above defines 'hinge_conj'" in shell.said[-1][0]


@pytest.mark.parametrize(
    ("error", "message", "said"),
    [
        ("SyntaxError", "invalid syntax (1234.py, line 3)", "SyntaxError: invalid syntax, line 3. Mend"),
        (
            "ImportError",
            "cannot import name 'a' from 'b' (/c/d.py)",
            "ImportError: cannot import name 'a' from 'b'. M",
        ),
        ("ValueError", "no product of shapes (3,) (4,)", "ValueError: no product of shapes (3,) (4,). Mend"),
        ("CellTimeoutError", "", "CellTimeoutError. Mend"),
    ],
)
def test_a_failed_cell_is_told_by_its_error(error, message, said):
    assert said in why_undefined("f", [("def f(x):", error, message)])


def test_live_draws_anew_when_a_control_moves():
    seen = []

    def draw(x, size, name):
        seen.append((x, size, name))
        return hv.Curve([0, x])

    hv.extension("bokeh", logo=False)
    view = live(draw, x=(0.0, 2.0, 1.0), size=[1.0, 2.0, 4.0], name=["a", "b"])
    view.get_root()
    x, size, name = view[:3]
    assert seen == [(1.0, 2.0, "a")]
    x.value, size.value, name.value = 0.5, 4.0, "b"
    assert seen[-1] == (0.5, 4.0, "b")


def test_live_shows_a_refusal_as_a_sentence():
    def draw(x):
        if x > 1:
            raise InputError("x = 2 is <too> large")
        return "fine"

    view = live(draw, x=[0.0, 1.0, 2.0])
    view.get_root()
    view[0].value = 2.0
    (shown,) = view[1].select(pn.pane.HTML)
    assert "x = 2 is &lt;too&gt; large" in shown.object


@pytest.mark.parametrize("which", ["gap", "objective", "weights", "duals"])
def test_lab_figure_is_the_one_of_the_page(which):
    figure, caption = lab_figure(which, epochs=2, loss="Hinge", regularizer="Squared ℓ2", lam=0.1)
    assert figure.object.name == which
    assert caption.object


def test_lab_figure_refuses_what_the_page_refuses():
    with pytest.raises(InputError, match="bound of the curvature"):
        lab_figure("duals", regularizer="Entropy", update="bounded")
