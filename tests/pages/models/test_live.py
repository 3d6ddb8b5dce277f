"""`wb.live` gives the Dual lab of the very problem, and names what the page has no control for."""

import numpy as np
import pytest

import workbench as wb
from workbench._support.errors import InputError
from workbench.pages.dual_lab import live
from workbench.pages.dual_lab import model as dual_lab

X = np.random.default_rng(0).standard_normal((40, 5))
Y = np.where(X @ [1.0, -1.0, 0.5, 0.0, 0.0] > 0, 1.0, -1.0)


@pytest.mark.parametrize("bias", [False, "constant"])
@pytest.mark.parametrize(
    ("loss", "regularizer"),
    [
        ("hinge", "squared-l2"),
        ("logistic", "elastic-net:epsilon=0.25"),
        ("epsilon-insensitive:epsilon=0.5", "q-norm:q=1.5"),
    ],
)
def test_the_page_solves_this_very_problem(loss, regularizer, bias):
    problem = wb.Problem(X, Y, loss, regularizer, lam=0.05, bias=bias)
    page = live.live(problem)
    assert dual_lab.problem(page.settings()).digest == problem.digest
    facts = page.answer({"type": "page"})
    assert facts["controls"][0]["rows"][0]["labels"] == {page.source: "Your data: this problem"}
    samples = page.answer({"type": "data", "source": page.source, "signed": False})
    assert (samples["n"], len(samples["names"])) == X.shape
    page.lam = 0.1
    assert page.settings()["lam"] == 0.1


BAD = {
    "kernel": ({"kernel": "rbf:gamma=1"}, "no control for a kernel"),
    "bias": ({"bias": True}, "no control for an unregularized bias"),
    "loss": ({"loss": "hinge:p=2.5"}, "has no loss hinge:p=2.5; it has hinge"),
    "regularizer": ({"regularizer": "l1", "loss": "logistic"}, "has no regularizer l1"),
    "lam": ({"lam": 5.0}, "lam = 5 is outside"),
    "weights": ({"sample_weight": np.linspace(1, 2, 40)}, "no control for sample weights"),
    "embed": ({"regularizer": "entropy:mu=0.1"}, "embed='balanced'; use that"),
}


@pytest.mark.parametrize(("options", "words"), BAD.values(), ids=BAD)
def test_settings_that_the_page_cannot_show_are_named(options, words):
    problem = wb.Problem(X, Y, **options)
    with pytest.raises(InputError, match=words):
        live.live(problem)
