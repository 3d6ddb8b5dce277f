"""Objects show themselves: cards without scripts, short texts, and figures that compose in both back ends."""

import subprocess
import sys

import holoviews as hv
import numpy as np
import pandas as pd
import pytest

import workbench as wb
from tests.unit.data.test_report import Texts
from workbench._support.display import cards, progress

X = np.random.default_rng(0).standard_normal((40, 5))
Y = np.where(X @ [1.0, -1.0, 0.5, 0.0, 0.0] > 0, 1.0, -1.0)
PROBLEM = wb.Problem(X, Y, "logistic", lam=0.1)


def objects():
    """One of each kind, by name."""
    run = wb.Run(PROBLEM, seed=0)
    run.until(1e-6)
    frame = pd.DataFrame(X, columns=list("abcde")).assign(kind=np.where(Y > 0, "<i>yes", "no"))
    classes = wb.fit(frame.assign(kind=np.arange(40) % 3), lam=0.1)
    return {
        "problem": PROBLEM,
        "solution": wb.solve(PROBLEM),
        "kernel": wb.solve(wb.Problem(X, Y, "hinge", lam=0.1, kernel="rbf:gamma=1")),
        "run": run,
        "fresh run": wb.Run(PROBLEM),
        "certificate": wb.certificate(PROBLEM, w=np.zeros(5)),
        "screening": wb.screening(wb.Problem(X, Y, "logistic", "l1", lam=0.1)),
        "verification": wb.conjugate("u**2 / 2").verify(),
        "erratum": wb.errata()[0],
        "dataset": wb.data.load("breast-cancer"),
        "path": wb.path(PROBLEM, [0.1, 1.0, 0.01]),
        "table": elements_table(frame),
        "model": wb.fit(frame, lam=0.1),
        "classes": classes,
        "chosen": wb.fit(frame),
    }


def elements_table(frame):
    from workbench.data.tables import reading

    return reading.of_frame(frame)


@pytest.fixture(scope="module")
def made():
    return objects()


def test_every_card_is_whole_without_scripts_and_its_text_short(made):
    for name, thing in made.items():
        card = Texts(thing._repr_html_())
        assert "script" not in card.names, name
        assert "i" not in card.names, name
        assert len(card.texts) > 2, name
        assert len(repr(thing)) < 250, (name, repr(thing))


def test_what_a_card_says_is_what_holds(made):
    text = " ".join(Texts(made["solution"]._repr_html_()).texts)
    assert f"{made['solution'].primal:.6g}" in text
    assert "No linear model with the logistic loss, the regularizer squared-l2 and this λ has" in text
    assert "not certified yet" in made["fresh run"]._repr_html_()
    assert cards.sentence("numbers standardized") == "Numbers standardized."
    assert cards.sentence("λ = 0.1 of 7") == "λ = 0.1 of 7."
    assert "0.0 digits" in cards.gauge(2.0)
    assert "4.0 digits" in cards.gauge(1e-4)
    assert "12.0 digits" in cards.gauge(0.0)


def test_a_pair_is_typeset_with_its_domain_and_its_proof():
    pair = wb.conjugate("u**2 / 2", domain="u >= 0")
    text = pair._repr_latex_()
    assert text.startswith("$")
    assert text.endswith("$")
    assert r"\in" in text
    assert "proved" in text
    assert pair.plot().keys()


@pytest.mark.parametrize("backend", ["bokeh", "matplotlib"])
def test_figures_are_drawn_by_both_back_ends_and_compose(made, backend):
    pair = wb.conjugate("u**2 / 2")
    drawn = ("solution", "run", "path", "model", "chosen", "screening")
    figures = [made[name].plot() for name in drawn]
    for figure in (*figures, pair.plot(), figures[0] * figures[1], figures[0] + figures[2]):
        assert hv.renderer(backend).get_plot(figure).state is not None
    curve = figures[0]
    np.testing.assert_array_equal(curve.dimension_values("epoch"), made["solution"].columns["epoch"])


def test_a_short_call_makes_no_bar(monkeypatch):
    """A notebook would keep the parts of one that was never seen."""
    made = []
    monkeypatch.setattr(progress, "_is_interactive", lambda: True)
    monkeypatch.setattr(progress, "_bar", made.append)
    monkeypatch.setattr(progress, "DELAY", 1e6)
    assert wb.solve(PROBLEM, "gauss-seidel", tol=1e-12).status == "converged"
    assert made == []


def test_a_long_call_shows_a_bar_with_the_gap(monkeypatch, capsys):
    monkeypatch.setattr(progress, "_is_interactive", lambda: True)
    monkeypatch.setattr(progress, "DELAY", 0.0)
    solution = wb.solve(PROBLEM, "gauss-seidel", tol=1e-12)
    shown = capsys.readouterr().err
    assert "gauss-seidel" in shown
    assert "relative gap" in shown
    assert solution.status == "converged"
    assert [progress.share(gap, 1e-4) for gap in (2.0, 1e-2, 1e-4, 0.0)] == [0.0, 0.5, 1.0, 1.0]


def test_nothing_heavy_is_imported_for_them():
    heavy = "{'holoviews', 'bokeh', 'panel', 'pandas'}"
    code = f"import workbench._support.display.cards, sys; print({heavy} & set(sys.modules))"
    process = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert process.stdout.strip() == "set()"
