"""The engine in Python: it answers the messages of docs/browser.md with a `Run`."""

import dataclasses
import math
from typing import ClassVar

import numpy as np

from workbench import solvers
from workbench._support.errors import InputError
from workbench._support.names import check_number
from workbench.certificates import certify, constrained_certificate, loss_terms
from workbench.problems import feasibility
from workbench.solvers import stopping
from workbench.solvers.algorithms import augmented_lagrangian
from workbench.solvers.contract import Solver
from workbench.solvers.keyframes import Keyframes
from workbench.solvers.run import Run

VERSION = 1
MAX_EPOCHS = 1000
# What the answer "certificate" holds.
FIELDS = ("primal", "dual", "gap", "relative_gap", "sample_terms", "regularizer_term", "w", "b", "alpha", "z")
# The messages: whether one of them ends a run that is going on, what it takes, and perhaps that it may come
# before a run.
TYPES = {
    "problem": (True, ("loss", "regularizer", "lam", "solver", "seed", "alpha"), True),
    "step": (True, ("count",)),
    "epoch": (True, ("count",)),
    "run": (True, ("gap", "max_epochs", "every", "growth")),
    "pause": (True, ()),
    "cancel": (True, ()),
    "seek": (True, ("step",)),
    "frame": (False, ()),
    "certificate": (False, ()),
    "event": (False, ()),
    "terms": (False, ("samples", "step")),
    "section": (False, ("feature", "mirror", "sample", "weights", "duals", "predictions", "step")),
    "profile": (False, ("count", "beyond")),
}


class Engine:
    """Messages in, answers out.

    Parameters
    ----------
    problem : Problem
        The data; the message "problem" chooses the loss, the regularizer, lambda and the solver.
    post : callable
        Takes each answer, a dict.

    A run goes on in slices: call `proceed` as long as it returns true.

    A page with messages of its own adds them to `types` of a subclass, with a method `_on_TYPE` for each, and
    to `places` the field that names a step to go to.
    """

    types: ClassVar[dict] = TYPES
    places: ClassVar[dict] = {"seek": "step"}

    def __init__(self, problem, post):
        self.problem, self.post = problem, post
        self.run, self.running, self.status, self.reason = None, None, None, None
        self.choices, self.passed = {"solver": None, "seed": 0}, []

    def size(self):
        """Return the sizes that answer the message "data"."""
        return {"n": self.problem.n_samples, "d": self.problem.design.shape[1]}

    def take(self, message):
        """Answer one message, a dict with "version", "id", "type" and what the type takes."""
        try:
            self._take(**message)
        except InputError as error:
            self._answer(message.get("id"), "error", text=str(error))

    def _take(self, version=None, id=None, type=None, **contents):
        if version != VERSION:
            raise InputError(f"message: version {version!r} is not known; use {VERSION}")
        if type not in self.types:
            raise InputError(f"message: type = {type!r} is not known; use {', '.join(self.types)}")
        ends, fields, *begins = self.types[type]
        if not begins and self.run is None:
            raise InputError(f"{type}: there is no run yet; send 'problem' first")
        for unknown in set(contents) - set(fields):
            raise InputError(f"{type}: {unknown} is not known; use {', '.join(fields) or 'no fields'}")
        if ends:
            self._stop("paused")
        getattr(self, f"_on_{type}")(id, **contents)

    def _answer(self, id, type, **contents):
        self.post({"version": VERSION, "id": id, "type": type, **contents})

    def _on_problem(self, id, **choices):
        self.begin(**choices)
        self._frame(id)

    def begin(self, alpha=None, **choices):
        """Begin a run at the dual variables `alpha`, else at zero; choices that are left out stay."""
        terms = {name: choices.pop(name) for name in ("loss", "regularizer", "lam") if name in choices}
        problem, choices = self.problem.replace(**terms), self.choices | choices
        self.run = Run(problem, _solver(choices["solver"]), seed=choices["seed"], warm_start=alpha)
        self.problem, self.choices = problem, choices
        self.status, self.reason, self.certified, self.latest = None, None, None, None
        self.keyframes, self.passed = Keyframes(self.run), []
        self.first = self._certified().dual

    def _on_step(self, id, count=1):
        self.advance(whole(count, "step", "count", 1))
        self._frame(id)

    def _on_epoch(self, id, count=1):
        self._on_step(id, whole(count, "epoch", "count", 1) * self.run.epoch_steps)

    def _on_run(self, id, gap=1e-6, max_epochs=MAX_EPOCHS, every=1, growth=None):
        """Run to a relative gap, with a certificate every few epochs, or as steps grow by 1/`growth`."""
        self.passed = []
        whole(every, "run", "every", 1)
        if growth is not None:
            whole(growth, "run", "growth", 1)
        check_number("run", "gap", gap, at_least=0.0)
        check_number("run", "max_epochs", max_epochs, above=0.0)
        self.status = self.reason = None
        most = math.ceil(max_epochs * self.run.epoch_steps)
        self.running = {"id": id, "gap": gap, "most": most, "every": every, "growth": growth}

    def proceed(self):
        """A slice of the run that goes on, and its frame; whether it goes on further."""
        if self.running is None:
            return False
        try:
            self._slice(self.running)
        except InputError as error:
            self._answer(self.running["id"], "error", text=str(error))
            self.running = None
        return self.running is not None

    def _slice(self, running):
        done, growth = self.run.steps, running["growth"]
        count = max(1, done // growth) if growth else running["every"] * self.run.epoch_steps
        limit = min(count, running["most"] - done)
        steps, solver = self.advance(limit) if limit > 0 else 0, self.run.solver
        if self._certified().relative_gap <= running["gap"]:
            self.status = "converged"
        elif self._certified().primal == np.inf and (ray := self.run.ray) is not None:
            self.status, self.reason = "infeasible", feasibility.sentence(self.run.problem, ray)
        elif (reason := solver.trouble(self.run.state)) is not None:
            self.status, self.reason = "diverged", reason
        elif stopping.is_growing(self.run, self.first, self._certified()):
            self.status, self.reason = "diverged", stopping.growing(solver)
        elif self.run.steps >= running["most"]:
            self.status = "max_epochs"
        elif steps < limit:
            self.status, self.reason = "stalled", solver.ending(self.run.state)
        self.passed.append(self._place())
        self._frame(running["id"])
        if self.status is not None:
            self._stop(self.status)

    def advance(self, count):
        """Go a number of steps, or as many as there are; nothing is answered."""
        self.certified = None
        return self.keyframes.advance(count)

    def _on_pause(self, id):
        self._frame(id)

    def _on_cancel(self, id):
        """A run that is cancelled says nothing more; the state stays."""

    def _on_seek(self, id, step):
        whole(step, "seek", "step", 0)
        if step < self.run.steps:
            self.status = self.reason = None
        self.certified = None
        self.keyframes.seek(step)
        self._frame(id)

    def _on_certificate(self, id):
        self.latest = self.run.steps, self._certified()
        fields = {name: getattr(self._certified(), name) for name in FIELDS}
        fields["b"] = _free(self._certified())
        linear = fields["w"] is not None
        fields["v"] = self.run.problem.dual_vector(fields["alpha"]) if linear else None
        self._answer(id, "certificate", step=self.run.steps, **fields)

    def _certified_at(self, step):
        """The present step and certificate, or those of `step` where it was the last one sent.

        A run may have gone on since.
        """
        if self.latest is not None and self.latest[0] == step:
            return self.latest
        return self.run.steps, self._certified()

    def _on_terms(self, id, samples, step=None):
        """f(z_i) and k(-alpha_i) of some samples."""
        (at, certificate), problem = self._certified_at(step), self.run.problem
        for sample in samples:
            whole(sample, "terms", "sample", 0, problem.n_samples - 1)
        rows = np.asarray(samples, dtype=int)
        value, conjugate = loss_terms.loss_side(problem).parts(certificate.z, certificate.alpha, rows)
        self._answer(id, "terms", step=at, value=value, conjugate=conjugate)

    def _on_event(self, id):
        self._answer(id, "event", step=self.run.steps, event=self._event())

    def _on_frame(self, id):
        self._frame(id)

    def _frame(self, id):
        certificate, problem = self._certified(), self.run.problem
        nu, entry = problem.nu(certificate.alpha), problem.loss.entry
        lower, upper = entry["lower"], entry["upper"]
        at_lower, at_upper = int((nu <= lower).sum()), int((nu >= upper).sum())
        passed, self.passed = self.passed, []
        self._answer(
            id,
            "frame",
            **self._place(),
            w=certificate.w,
            passed=passed,
            nonzeros=0 if certificate.w is None else int(np.count_nonzero(certificate.w)),
            event=self._event(),
            alpha={
                "support": int(np.count_nonzero(certificate.alpha)),
                "at_lower": at_lower,
                "at_upper": at_upper,
                "inside": certificate.alpha.size - at_lower - at_upper,
            },
            status=self.status,
            reason=self.reason,
        )

    def _place(self):
        """Return the step of the run and the numbers of its certificate."""
        point = self._certified()
        numbers = {name: getattr(point, name) for name in ("primal", "dual", "gap", "relative_gap")}
        numbers["b"] = _free(point)
        if self.last is not None:
            numbers |= {"last": self.last.primal, "last_gap": self.last.gap}
        return {"step": self.run.steps, "epoch": self.run.epochs, **numbers, "multipliers": self.multipliers}

    def _on_section(self, id, feature, sample, weights, duals, predictions, mirror=None, step=None):
        """Answer with the terms along one weight and one dual variable, with all others fixed."""
        (at, certificate), problem = self._certified_at(step), self.run.problem
        if certificate.w is None:
            raise InputError("section: the weights of a kernel are not available; use a problem without one")
        d, n = problem.design.shape[1], problem.n_samples
        for name, place in (("feature", feature), ("mirror", mirror)):
            if place is not None:
                whole(place, "section", name, 0, d - 1)
        whole(sample, "section", "sample", 0, n - 1)
        v, trial, g = problem.dual_vector(certificate.alpha), certificate.w.copy(), []
        h = 0.0 if problem.regularizer.is_norm else problem.transfer.map(v)[0]
        for value in weights:
            trial[feature] = value
            if mirror is not None:
                trial[mirror] = max(0.0, certificate.w[feature] + certificate.w[mirror] - value)
            part = problem.regularized(trial, certificate.multipliers)
            g.append(problem.transfer.bracket(part, v, h).value)
        loss, weight = problem.loss, problem.weight[sample]
        sign, shift, ends = problem.sign[sample], problem.shift[sample], loss.interval
        value, slope = loss.scalar("conjugate"), loss.scalar("slope")
        nu = np.clip(-np.asarray(duals, dtype=float) / (weight * sign), *ends)
        conjugate = [weight * (value(float(at_nu), loss.theta) - shift * at_nu) for at_nu in nu]
        slopes = [slope(float(sign * z + shift), loss.theta) for z in predictions]
        best = 0.0 - weight * sign * np.clip(slopes, *ends)
        here = [v[feature], v[feature if mirror is None else mirror]]
        self._answer(id, "section", step=at, v=here, g=g, conjugate=conjugate, best=best)

    def _on_profile(self, id, count=41, beyond=0.6):
        """The primal over the multiplier, at the weights of the run's own state."""
        run, result = self.run, self._place()["multipliers"]
        many = 0 if result is None else len(result["s"])
        whole(count, "profile", "count", 2)
        check_number("profile", "beyond", beyond, at_least=0.0)
        if many != 1:
            raise InputError(
                f"profile: the run of {run.solver.name} has {many} multipliers, and a profile is over one; "
                "use augmented-lagrangian or modified-augmented-lagrangian for an unregularized bias"
            )
        result = augmented_lagrangian.profile(run.centred, run.state, count, beyond)
        self._answer(id, "profile", step=run.steps, **result)

    def _event(self):
        event = self.run.last_event
        return None if event is None else event._asdict()

    def _certified(self):
        if self.certified is None:
            run = self.run
            self.certified, self.multipliers = run.certificate(), None
            point = run.solver.last_point(run.state)
            self.last = None if point is None else certify(run.centred, **point)
            if run.solver.takes_constraints:
                self.multipliers = run.solver.multipliers(run.centred, run.state)._asdict()
        return self.certified

    def _stop(self, status):
        if self.running is not None:
            self._answer(self.running["id"], "ended", step=self.run.steps, status=status)
        self.running = None


def whole(value, type, name, least, most=np.inf):
    """Return a whole number of a message, as an int.

    Raises
    ------
    InputError
        The value is not a whole number from `least` to `most`.
    """
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or not least <= value <= most:
        end = f" and at most {most}" if most < np.inf else ""
        raise InputError(f"{type}: {name} = {value!r} is not a whole number of at least {least}{end}")
    return int(value)


def _solver(choice):
    """A solver of its own name and parameters, or an object as it is."""
    if choice is None or isinstance(choice, str | Solver):
        return choice
    choice = {name: value for name, value in choice.items() if name not in ("fields", "advice", "divergence")}
    name = choice.pop("name", None)
    if name not in solvers.REGISTRY:
        raise InputError(f"solver = {name!r} is not known; use {', '.join(solvers.REGISTRY)}")
    names = {field.name for field in dataclasses.fields(solvers.REGISTRY[name])}
    for unknown in set(choice) - names:
        raise InputError(f"{name}: unknown parameter {unknown!r}; expected one of {', '.join(sorted(names))}")
    return solvers.REGISTRY[name](**choice)


def _free(certificate):
    """Return the best bias or multiplier at the certificate's w_0."""
    problem, s = certificate._problem, certificate.multipliers
    if s is None or problem.free_bias:
        return certificate.b
    is_single = problem.constraints is not None and len(s) == 1
    return constrained_certificate.best_multiplier(certificate) if is_single else s
