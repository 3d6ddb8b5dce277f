"""The card "Leave a sample out": what a solve bounds without a refit, and what a refit gives.

The sample is the one whose dual variable is tapped, or the one that is typed. lam n is kept.
"""

import asyncio
import html
import time
from typing import NamedTuple

import numpy as np
import panel_material_ui as pmui

from workbench._support.errors import InputError
from workbench.certificates.certifying import certificate
from workbench.pages import parts
from workbench.pages.dual_lab import model as dual_lab
from workbench.problems import Problem
from workbench.solvers import GaussSeidel
from workbench.solvers.bounds.stability import stability
from workbench.solvers.run import Run

HINT = (
    "Click a dot of the dual variables, or type a sample’s number: what would change without that sample? "
    "Guess first for one with α = 0 and one with the largest |α|."
)
NOTE = (
    "λn is kept fixed. With a free bias the statement is false: for the squared loss and the points (0, 5), "
    "(1, 0), (2, 0) leaving out the first moves w, and its bound is 0. A constant feature with a penalty, as "
    "here, keeps it true."
)
# A refit ends at this relative gap, or after so many seconds with the gap that it has.
CLOSE, SECONDS = 1e-10, 3.0
EPOCHS = 5
# Above this the run's own gap is a part of the bound that can be seen.
OPEN = 1e-5


class Effect(NamedTuple):
    """What leaving one sample out changes; lengths in the solver's features."""

    sample: int
    alpha: float
    gap: float  # of the run, relative
    reduced_gap: float  # of the same point without the sample, in units of the old objective
    measure: str  # what `bound` and `truth` measure
    bound: float
    truth: float
    z: float  # the prediction for the sample by the present weights
    low: float
    high: float
    again: float  # by the weights of the refit
    refit_gap: float  # relative


def leave(settings, alpha, sample):
    """Bounds from a point, which is certified here, and a refit without the sample, from the point on.

    Parameters
    ----------
    settings : dict
        Of a `dual_lab.DualLab`.
    alpha : ndarray (n,)
    sample : int

    Raises
    ------
    InputError
        There is no such sample, or the statement is not made for this problem.
    """
    problem = dual_lab.problem(settings)
    result = stability(problem, alpha=alpha, samples=[sample])
    refit = _refit(settings, problem.n_samples, sample, result.certificate.alpha)
    w, new = result.certificate.w, refit.w
    x = problem.rows[[sample]].toarray().ravel()
    if np.isfinite(result.distance[0]):
        measure, bound, truth = "|w − w′|", result.distance[0], np.linalg.norm(w - new)
    else:
        # Dual variables without a sample, with a zero in its place: v is the same.
        v = problem.dual_vector(np.insert(refit.alpha, sample, 0.0))
        measure, bound = "D(w, w′)", result.divergence[0]
        truth = max(problem.transfer.bracket(w, v, problem.transfer.map(v)[0]).sum, 0.0)
    low, high = result.prediction[0]
    return Effect(
        sample,
        float(alpha[sample]),
        result.certificate.relative_gap,
        float(result.reduced_gap[0]),
        measure,
        float(bound),
        float(truth),
        float(result.z[0]),
        float(low),
        float(high),
        float(x @ new),
        refit.relative_gap,
    )


def _refit(settings, n, sample, alpha):
    """A certificate of the problem without the sample, from the other dual variables on."""
    loss, regularizer, _, options = dual_lab.specification(settings)
    dataset = dual_lab.dataset(settings)
    rows = np.flatnonzero(np.arange(n) != sample)
    reduced = Problem(
        dataset.X[rows], dataset.y[rows], loss, regularizer, lam=settings["lam"] * n / (n - 1), **options
    )
    run = Run(reduced, GaussSeidel(), warm_start=alpha[rows])
    ends = time.monotonic() + SECONDS
    while True:
        run.epoch(EPOCHS)
        result = certificate(reduced, alpha=run.state.alpha.copy())
        if result.relative_gap <= CLOSE or time.monotonic() > ends:
            return result


class LeaveOut:
    """The card, of one session.

    Parameters
    ----------
    look : theme.Look
    page : DualLabPage
        Its `point` is what the picture is of.
    """

    def __init__(self, look, page):
        self.page, self.task, self.sample = page, None, ""
        self.text = parts.pane(_note(HINT), look, margin=(4, 14))
        # No spinner: its buttons have no names for those who hear the page.
        self.field = pmui.TextInput(
            name="Sample", value="", size="small", margin=(6, 14), sizing_mode="stretch_width"
        )
        self.field.param.watch(self._typed, "value")
        about = parts.pane(f"<div class='wb-source'>{NOTE}</div>", look, margin=(0, 14, 10, 14))
        self.card = parts.card("Leave a sample out", self.text, self.field, about, look=look)

    def forget(self):
        """Forget what was said of another problem."""
        self.end()
        parts.put(self.text, _note(HINT))

    def end(self):
        """Leave nothing running."""
        if self.task is not None:
            self.task.cancel()

    def at(self, place):
        """Leave out the sample at a place of the figure of the dual variables, which has them sorted."""
        self._begin(lambda problem, alpha: self._at(place, problem, alpha))

    def _at(self, place, problem, alpha):
        order = np.argsort(-(alpha * problem.y if problem.loss.kind == "margin" else alpha), kind="stable")
        return int(order[min(max(round(place), 0), order.size - 1)])

    def _typed(self, event):
        text = event.new.strip()
        if not text:
            self.forget()
        elif text != self.sample:
            self._begin(lambda problem, alpha: _number(text, problem.n_samples - 1))

    def _begin(self, choose):
        """Leave out the sample that is chosen of the present point; the last one asked for counts."""
        self.end()
        self.task = asyncio.ensure_future(self._answer(choose))

    async def _answer(self, choose):
        settings = self.page.model.settings()
        try:
            problem = await asyncio.to_thread(dual_lab.problem, settings)
            alpha = await self.page.point(problem)
            sample = choose(problem, alpha)
            await self._say(_note(f"Refitting without sample {sample} …"), str(sample))
            text = as_html(await asyncio.to_thread(leave, settings, alpha, sample))
        except InputError as error:
            text = _refusal(str(error))
        await self._say(text)

    async def _say(self, text, sample=None):
        await self.page.locked(lambda: self._show(text, sample))

    def _show(self, text, sample):
        parts.put(self.text, text)
        if sample is not None:
            self.sample = self.field.value = sample


def _number(text, last):
    if text.isdecimal() and len(text) < 10 and int(text) <= last:
        return int(text)
    raise InputError(f"sample = {text[:60]!r} is refused; type a whole number from 0 to {last}.")


def _note(text):
    return f"<div class='wb-note'>{text}</div>"


def _refusal(sentence):
    return f"<div class='wb-status bad' role='status'>{html.escape(sentence)}</div>"


def as_html(case):
    """The answer as HTML: a table of bound and truth, and what the dual variable has to do with it."""
    rows = (
        (case.measure, f"≤ {case.bound:.3g}", f"{case.truth:.3g}"),
        (f"w·x ({case.z:.3g} now)", f"{case.low:.3g} to {case.high:.3g}", f"{case.again:.3g}"),
    )
    body = "".join(f"<tr><th scope='row'>{a}</th><td>{b}</td><td>{c}</td></tr>" for a, b, c in rows)
    head = "".join(f"<th scope='col'>{name}</th>" for name in ("quantity", "bound", "refit"))
    table = f"<table class='wb-table'><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    first = f"<b>Sample {case.sample}</b>, α = {case.alpha:.4g}."
    if case.alpha == 0.0:
        first += (
            " It contributes nothing to v, so w does not change: the certificate without this sample still "
            f"holds, with a gap of {case.reduced_gap:.2e}."
        )
    elif case.bound > 0.0:
        first += f" The refit changes by {case.truth / case.bound:.0%} of the bound."
    last = f"Refit to a relative gap of {case.refit_gap:.0e}."
    if case.gap > OPEN:
        last += f" The run's own gap, {case.gap:.0e}, is part of the bound; it tightens as the run continues."
    return f"{_note(first)}{_note(table)}{_note(last)}"
