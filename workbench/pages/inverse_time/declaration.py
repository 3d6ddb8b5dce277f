"""The page of inverse time for every host: its settings, figures, texts, and Python's answers."""

import contextlib
import itertools
from typing import ClassVar

import numpy as np
import scipy.sparse as sp

from workbench._support.errors import InputError, shown
from workbench.pages import datasets, terms
from workbench.pages.hosts.file import key_of
from workbench.pages.hosts.solved import PLAIN, SolvedPage
from workbench.pages.inverse_time import curves
from workbench.pages.inverse_time import model as inverse_time
from workbench.pages.inverse_time.figures import InverseTimeFigures
from workbench.pages.wasm import bundle
from workbench.problems import losses
from workbench.problems.regularizers import PNorm
from workbench.solvers import PrimalGradient

LOSSES = terms.term_table("loss", inverse_time.LOSSES)


class InverseTime(SolvedPage, inverse_time.InverseTime):
    """Steps to a target over the number of training samples, and one live run of PGS.

    Examples
    --------
    >>> import workbench as wb
    >>> wb.pages.InverseTime().title
    'Inverse time'
    """

    title, room, drawing = "Inverse time", "inverse_time", InverseTimeFigures
    first = ("sweep_steps", "course", "pgs_objective", "pgs_gap")
    homes: ClassVar = {"sweep_work": ("course", "Samples visited, beside L-BFGS")}
    timed = ("pgs_objective", "pgs_gap")
    ghosts: ClassVar = {"pgs_gap": "step"}
    cards: ClassVar = {"predict": "Predict first", "code": "Take it with you"}
    looked_at = ("question",)
    folded = ("Training sets and Theorem 2", "Live run")
    slow = ("data", "test", "length")
    grids: ClassVar = {
        "source": [],
        "p": [1.5, 2.0],
        "samples": [200, 1600],
        "seed": [0, 1],
    }

    def facts(self):
        return {
            "texts": self.sentences(),
            "elsewhere": {},
            "epochs": 2,
            "most_steps": inverse_time.MAX_STEPS,
            "solver": bundle.solver_facts(PrimalGradient()),
            "losses": {name: _loss(text) for name, text in inverse_time.LOSSES.items()},
            "recorded": [key_of(_curve_message(settings)) for settings in curves.preset_settings()],
            "bias": {name: repr(inverse_time.bias_of(name)) for name in self.param.source.objects},
            "least_seeds": self.param.seeds.default,
            "iterations": curves.MAX_ITERATIONS,
        }

    @classmethod
    def sentences(cls):
        """Return the texts of the page and those of runs."""
        from workbench.pages.time_marks import WORDING

        return WORDING.texts | inverse_time.TEXTS

    # What the module asks for

    def answer_data(self, source, samples, seed):
        """Return a training set by rows; of a large one that it is."""
        problem = self._problem(source=source, samples=samples, seed=seed)
        contents = bundle.data(problem)
        is_large = bundle.size(contents) > datasets.MAX_BYTES
        size = {name: contents[name] for name in ("n", "d")}
        return size | {"is_large": True} if is_large else bundle.binary(contents)

    def answer_length(self, source, samples, seed, p):
        """Return the largest dual norm of a sample of a training set."""
        return inverse_time.length(
            self._problem(source=source, samples=samples, seed=seed, p=_number("p", p))
        )

    def answer_test(self, source):
        """Return the test samples of a source, by rows."""
        self.check_source(source)
        X, y, _ = inverse_time.population(source, self.param.loss.default)
        X = X.toarray() if sp.issparse(X) else np.asarray(X)
        return {"values": X.astype(np.float32).ravel(), "d": X.shape[1], "y": y}

    def answer_loss(self, name):
        """Return the facts of a loss, as a registry names it."""
        return bundle.binary(bundle.loss_facts(losses.get(self.check_term("loss", LOSSES, name))))

    def answer_regularizer(self, source, p):
        """Return the facts of the p-norm on the columns of a source."""
        problem = self._problem(source=source, samples=inverse_time.FEW[0], p=_number("p", p))
        facts = bundle.regularizer_facts(PNorm(problem.regularizer.p), problem)
        # Steps of PGS ask for no bound of the curvature.
        return bundle.binary(facts | {"curvature": None})

    async def answer_curve(self, lam, p, **names):
        """Return the distances to the goal as PGS goes on, over sizes of the training set."""
        settings = self._checked(lam=_number("lam", lam), p=_number("p", p), **names)
        record = await self.compute(curves.known(settings))
        return {
            name: value.ravel() if isinstance(value, np.ndarray) else value for name, value in record.items()
        }

    def problem(self, names):
        return self._problem(**{name: names.get(name) for name in ("source", "samples", "seed")})

    def _problem(self, **names):
        settings = self._checked(**names)
        return inverse_time.make_problem(settings, settings["samples"], settings["seed"])

    def _checked(self, **names):
        """Return the usual settings with these, each within its bounds."""
        model = type(self)()
        model.change(names)
        return model.settings()

    # A file

    def packed_messages(self):
        """Return the messages whose answers a file carries: training sets, and the curves of the presets."""
        grids, present = self.carried(), self.settings()
        names = dict.fromkeys(map(_text, grids["p"]))
        sets = [
            {"source": source, "samples": m, "seed": seed}
            for source, m, seed in itertools.product(*(grids[name] for name in ("source", "samples", "seed")))
        ]
        recorded = [
            settings
            for settings in [{name: present[name] for name in curves.NAMES}, *curves.preset_settings()]
            if settings["source"] in grids["source"] and settings["p"] in grids["p"]
        ]
        messages = [
            *PLAIN,
            *({"type": "loss", "name": text} for text in inverse_time.LOSSES.values()),
            *({"type": "test", "source": source} for source in grids["source"]),
            *({"type": "data"} | one for one in sets),
            *({"type": "length", "p": p} | one for one in sets for p in names),
            *({"type": "regularizer", "source": source, "p": p} for source in grids["source"] for p in names),
            *map(_curve_message, recorded),
        ]
        return list({key_of(message): message for message in messages}.values())


def _curve_message(settings):
    """Return the message that asks for a curve; those of fewer training sets are part of the usual one."""
    least = inverse_time.InverseTime.param["seeds"].default
    numbers = {name: _text(settings[name]) for name in ("lam", "p")}
    return {"type": "curve"} | settings | numbers | {"seeds": max(settings["seeds"], least)}


def _text(value):
    """Return a number as JavaScript writes it."""
    return np.format_float_positional(value, trim="-")


def _number(name, text):
    with contextlib.suppress(TypeError, ValueError, OverflowError):
        return float(text)
    raise InputError(f"{name} = {shown(text)} is not a number; use 2, say")


def _loss(text):
    """Return how steep a loss is: a bound of its slope, its slope at a prediction of zero, its curvature."""
    problem = inverse_time.Problem(np.ones((1, 1)), [1.0], text)
    slope = problem.loss.scalar("slope")(float(problem.shift[0]), problem.loss.theta)
    return {
        "text": text,
        "lipschitz": problem.loss.lipschitz,
        "at_zero": abs(slope),
        "curvature": problem.loss.curvature,
        "zero_value": problem.zero_value,
    }
