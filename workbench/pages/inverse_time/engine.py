"""The messages of the page of inverse time, answered in Python: `worker.js` answers them in the browser.

A run of PGS with the certificates of both its outputs, and the cells of a sweep, here with L-BFGS beside PGS.
"""

import time
from typing import ClassVar

import numpy as np

from workbench._support.names import check_number
from workbench.certificates import certify
from workbench.pages.inverse_time import model as inverse_time
from workbench.pages.inverse_time.sweep import cell
from workbench.pages.wasm import engine
from workbench.pages.wasm.engine import whole
from workbench.solvers import PrimalGradient

# A run is certified when it has gone on by this share.
GROWTH = 16
# How long steps go on before a picture, and at most, in milliseconds; steps that are asked for at once.
PICTURE_MS, LONGEST_MS, MAX_STEPS = 50, 1000, 10**5
CERTIFIED = ("primal", "dual", "gap", "relative_gap")


class InverseTimeEngine(engine.Engine):
    """The engine with the messages of the page; the message `people` names the source."""

    types: ClassVar = engine.TYPES | {
        "people": (True, ("people",), True),
        "constants": (False, ("m", "seed", "p"), True),
        "paced_problem": (True, ("m", "seed", "p", "loss", "regularizer", "lam", "solver"), True),
        "paced_steps": (True, ("after", "limit", "tolerance", "count", "budget")),
        "cell": (False, ("m", "seed", "choices", "looks", "goal"), True),
    }
    places: ClassVar = engine.Engine.places | {"paced_steps": "after"}

    def _on_people(self, id, people):
        self.source = inverse_time.InverseTime(source=people["source"]).source
        self._answer(id, "people")

    def _settings(self, m, seed, **settings):
        """The page's settings with these, each within its bounds."""
        model = inverse_time.InverseTime(source=self.source, samples=m, seed=seed, **settings)
        return model.settings()

    def _on_paced_problem(self, id, m, seed, p, lam, solver, **terms):
        """A problem at zero on one training set; the terms are those that `p` says."""
        settings = self._settings(m, seed, p=p, lam=lam)
        self.problem = inverse_time.make_problem(settings, m, seed)
        batch = min(solver["batch"], self.problem.n_samples)
        self.begin(solver=solver | {"batch": batch}, seed=seed)
        self.last_output = PrimalGradient(batch=batch, order=solver["order"], output="last")
        n, constants = self.problem.n_samples, self._constants(settings)
        self._answer(id, "paced_problem", n=n, row=self._row(), **constants._asdict())

    def _constants(self, settings):
        problem = inverse_time.make_problem(settings, settings["samples"], settings["seed"])
        return inverse_time.constants(problem, inverse_time.population(self.source).reference)

    def _on_constants(self, id, m, seed, p):
        self._answer(id, "constants", **self._constants(self._settings(m, seed, p=p))._asdict())

    def _on_paced_steps(self, id, after, limit, tolerance, count, budget=PICTURE_MS):
        """Steps on: so many, or certified when they have grown by a share, until the time or the run ends."""
        whole(after, "paced_steps", "after", 0)
        most = None if limit is None else whole(limit, "paced_steps", "limit", after + 1)
        if count is not None:
            whole(count, "paced_steps", "count", 1, MAX_STEPS)
        until = time.perf_counter() + min(check_number("paced_steps", "budget", budget), LONGEST_MS) / 1e3
        rows, status = [], None
        self.certified = None
        self.keyframes.seek(after)
        while not rows or (status is None and count is None and time.perf_counter() < until):
            steps = self.run.steps
            size = max(1, steps // GROWTH) if count is None else count
            self.advance(size if most is None else min(size, most - steps))
            rows.append(self._row())
            if rows[-1]["relative_gap"] <= tolerance:
                status = "converged"
            elif most is not None and self.run.steps >= most:
                status = "max_epochs"
        self._answer(id, "paced_steps", rows=rows, status=status)

    def _row(self):
        """The certificates of the averaged and of the last iterate."""
        run, certificate = self.run, self._certified()
        last = certify(run.centred, **self.last_output.point(run.state))
        return {
            **{name: getattr(certificate, name) for name in CERTIFIED},
            "step": run.steps,
            "epoch": run.epochs,
            "last": last.primal,
            "last_gap": last.gap,
            "score": self._score(certificate.w, certificate.b),
        }

    def _score(self, w, b):
        people, (w, b) = inverse_time.population(self.source), self.run.problem.split(w, b)
        return float(np.mean(np.where(people.X_test @ w + b >= 0.0, 1.0, -1.0) == people.y_test))

    def _on_cell(self, id, m, seed, choices, goal, looks):
        """The steps and the time to the goal on one training set, of PGS and of L-BFGS."""
        solver = choices["solver"]
        settings = self._settings(
            m,
            seed,
            p=choices["p"],
            lam=choices["lam"],
            batch=solver["batch"],
            order=solver["order"],
            measure=goal["measure"],
            target=goal["target"],
        )
        self._answer(id, "cell", cell=cell(settings, m, seed)._asdict())
