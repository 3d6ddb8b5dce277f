"""Typed losses of the Dual lab: what is refused, and that nothing is derived without the limits."""

import asyncio
import re
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from scipy.optimize import linprog, minimize

import workbench as wb
from workbench._support.errors import InputError
from workbench.kernels import custom_functions
from workbench.pages import derivations
from workbench.pages.datasets import PLANE
from workbench.pages.derivations import DerivationQueue
from workbench.pages.dual_lab import typed_loss
from workbench.pages.dual_lab.declaration import DualLab
from workbench.pages.dual_lab.model import TYPED
from workbench.pages.server import budgets
from workbench.pages.wasm.engine import Engine

SOURCE = "Breast cancer"


def in_thread(coroutine):
    """Return what a coroutine gives; this thread may have the loop of a browser."""
    with ThreadPoolExecutor(1) as threads:
        return threads.submit(asyncio.run, coroutine).result()


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ({"text": "exp(-u)"}, "expected text and kind"),
        ({"text": "exp(-u)", "kind": "class"}, "one of margin, residual, prediction"),
        ({"text": 3, "kind": "margin"}, "expected text and kind"),
        ({"text": "  ", "kind": "margin"}, "is empty; type a convex function"),
        ({"text": "u" * 121, "kind": "margin"}, "at most 120 characters"),
        ({"text": "exp(-u)\n", "kind": "margin"}, "all of which print"),
    ],
)
def test_message_that_names_no_loss_is_refused(name, words):
    with pytest.raises(InputError, match=words):
        DualLab().answer({"type": "loss", "source": SOURCE, "name": name})


@pytest.mark.parametrize("typed", ["u" * 121, "exp(-u)\n"])
def test_setting_that_is_too_long_or_does_not_print_is_refused(typed):
    with pytest.raises(InputError, match=r"typed = .* at most 120 characters"):
        DualLab().change({"typed": typed})


def test_engine_takes_only_what_was_derived(monkeypatch):
    monkeypatch.setattr(custom_functions, "module", lambda *_: pytest.fail("derived without the limits"))
    page = DualLab(loss=TYPED, typed="cosh(u)")
    problem = {"version": 1, "id": 1, "type": "problem", "loss": {"text": "cosh(u)", "kind": "residual"}}
    with pytest.raises(InputError, match="has not been derived"):
        page.answer({"type": "compute", "name": "A", "message": problem})
    with pytest.raises(InputError, match="has not been derived"):
        in_thread(page.answer_leave_out(page.settings(), np.zeros(455), 0))


def test_visit_compiles_a_limited_number_of_losses():
    losses = typed_loss.TypedLosses()
    losses.made = {(f"{k} * exp(-u)", "margin"): None for k in range(1, 1 + budgets.TYPED_LOSSES.most)}
    with pytest.raises(InputError, match=f"may type {budgets.TYPED_LOSSES.most} losses"):
        in_thread(losses.derive("exp(-u)", "margin"))


def test_loss_before_the_last_is_refused(monkeypatch):
    async def wait(*_):
        await asyncio.Event().wait()

    async def ask_twice():
        losses = typed_loss.TypedLosses()
        first = asyncio.ensure_future(losses.derive("exp(-u)", "margin"))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        losses.close()
        with pytest.raises(InputError, match="another one was typed"):
            await first

    monkeypatch.setattr(derivations, "lookup", lambda key: None)
    monkeypatch.setattr(DerivationQueue, "_derive", wait)
    in_thread(ask_twice())


def test_source_of_a_worker_is_solved_as_what_it_says():
    """The optimum of scipy's BFGS lies between both bounds."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(20, 3)), np.sign(rng.normal(size=20))
    loss = in_thread(typed_loss.TypedLosses().derive("exp(-u) + u**2 / 7", "margin"))
    solution = wb.solve(wb.Problem(X, y, loss, "squared-l2", lam=0.2), tol=1e-9)

    def primal(w):
        u = y * (X @ w)
        return np.mean(np.exp(-u) + u**2 / 7) + 0.1 * w @ w

    assert solution.dual <= minimize(primal, np.zeros(3)).fun * (1 + 1e-12)
    assert solution.primal - solution.dual <= 1e-8


def ended(cloud, text, kind="margin"):
    """Return the problem of points with a typed loss and the answers of a run of the page's engine."""
    loss = in_thread(typed_loss.TypedLosses().derive(text, kind))
    names = {"source": PLANE, "signed": False, "cloud": cloud, "points": ""}
    answers = []
    engine = Engine(DualLab(source=PLANE).problem(names), answers.append)
    terms = {"loss": loss, "regularizer": "squared-l2", "lam": 0.01}
    engine.take({"version": 1, "id": 1, "type": "problem", **terms})
    engine.take({"version": 1, "id": 2, "type": "run", "gap": 1e-7})
    while engine.proceed():
        pass
    return engine.problem, answers[-2]


@pytest.mark.parametrize("text", ["indicator(u >= 1)", "0 if u >= 1 else oo"])
def test_hard_margin_that_is_typed_is_solved(text):
    """The bounds enclose the largest margin, of scipy's SLSQP."""
    problem, frame = ended("Separable", text)
    rows = problem.y[:, None] * problem.rows.toarray()
    apart = {"type": "ineq", "fun": lambda w: rows @ w - 1.0, "jac": lambda w: rows}
    best = minimize(lambda w: 0.005 * w @ w, np.ones(3), constraints=[apart], options={"ftol": 1e-14}).fun
    assert frame["status"] == "converged"
    assert frame["dual"] <= best * (1 + 1e-6)
    assert frame["primal"] == pytest.approx(best, rel=1e-6)
    assert (rows @ frame["w"]).min() >= 1.0 - 1e-12


def test_points_that_no_line_separates_are_named():
    """Linear programs of scipy separate the samples named less any one of them, and not all of them."""
    problem, frame = ended("Overlapping", "indicator(u >= 1)")
    named = [int(place) for place in re.findall(r"for sample (\d+)", frame["reason"])]
    rows = -problem.y[named, None] * problem.rows.toarray()[named]

    def is_separable(chosen):
        answer = linprog(np.zeros(3), rows[chosen], -np.ones(len(chosen)), bounds=(None, None))
        return answer.status == 0

    assert (frame["status"], frame["primal"]) == ("infeasible", np.inf)
    every = np.arange(len(named))
    assert not is_separable(every)
    assert all(is_separable(every[every != k]) for k in every)
