"""The engine in Python: it answers the messages of docs/browser.md with a `Run`."""

import dataclasses

import numpy as np

from workbench import solvers
from workbench.errors import InputError
from workbench.run import Run
from workbench.solvers.contract import Solver

VERSION = 1
KEYFRAMES, KEYFRAME_BYTES = 64, 2**26
MOST_EPOCHS = 1000
# What the answer "certificate" holds.
FIELDS = ("primal", "dual", "gap", "relative_gap", "sample_terms", "regularizer_term", "w", "b", "alpha", "z")
# Whether a message ends a run that is going on.
TYPES = {
    "problem": True, "step": True, "epoch": True, "run": True, "pause": True, "seek": True, "cancel": True,
    "frame": False, "certificate": False, "event": False,
}  # fmt: skip


class Engine:
    """Messages in, answers out.

    Parameters
    ----------
    problem : Problem
        The data; the message "problem" chooses the loss, the regularizer, lambda and the solver.
    post : callable
        Takes each answer, a dict.

    A run goes on in slices: whoever owns the engine calls `proceed` as long as it returns true.
    """

    def __init__(self, problem, post):
        self.given, self.post = problem, post
        self.run, self.running, self.status = None, None, None
        self.choices = {"solver": None, "seed": 0}

    def take(self, message):
        """Answer one message, a dict with "version", "id", "type" and what the type takes."""
        try:
            self._take(**message)
        except InputError as error:
            self._answer(message.get("id"), "error", text=str(error))

    def _take(self, version=None, id=None, type=None, **contents):
        if version != VERSION:
            raise InputError(f"message: version {version!r} is not known; use {VERSION}")
        if type not in TYPES:
            raise InputError(f"message: type = {type!r} is not known; use {', '.join(TYPES)}")
        if type != "problem" and self.run is None:
            raise InputError(f"{type}: there is no run yet; send 'problem' first")
        if TYPES[type]:
            self._stop("paused")
        getattr(self, f"_on_{type}")(id, **contents)

    def _answer(self, id, type, **contents):
        self.post({"version": VERSION, "id": id, "type": type, **contents})

    def _on_problem(self, id, **choices):
        """What is not given stays as it was."""
        terms = {name: choices.pop(name) for name in ("loss", "regularizer", "lam") if name in choices}
        self.given = self.given.replace(**terms)
        self.choices |= choices
        self.run = Run(self.given, _solver(self.choices["solver"]), seed=self.choices["seed"])
        self.status, self.certified, self.keyframes, self.spacing = None, None, [], self.run.epoch_steps
        self._keep()
        self._frame(id)

    def _on_step(self, id, count=1):
        self._advance(count)
        self._frame(id)

    def _on_epoch(self, id, count=1):
        self._on_step(id, count * self.run.epoch_steps)

    def _on_run(self, id, gap=1e-6, max_epochs=MOST_EPOCHS, every=1):
        self.status = None
        self.running = {"id": id, "gap": gap, "most": int(max_epochs * self.run.epoch_steps), "every": every}

    def proceed(self):
        """A slice of the run that goes on, and its frame; whether it goes on further."""
        running = self.running
        if running is None:
            return False
        asked = min(running["every"] * self.run.epoch_steps, running["most"] - self.run.steps)
        done = self._advance(asked) if asked > 0 else 0
        if self._certified().relative_gap <= running["gap"]:
            self.status = "converged"
        elif self.run.steps >= running["most"]:
            self.status = "max_epochs"
        elif self.run.solver.satisfied(self.run.state):
            self.status = "converged"
        elif done < asked:
            finite = np.isfinite(self.run.solver.iterate(self.run.state)).all()
            self.status = "stalled" if finite else "diverged"
        self._frame(running["id"])
        if self.status is not None:
            self._stop(self.status)
        return self.running is not None

    def _on_pause(self, id):
        self._frame(id)

    def _on_cancel(self, id):
        """A run that is cancelled says nothing more; the state stays."""

    def _on_seek(self, id, step):
        if not step >= 0:
            raise InputError(f"seek: step = {step} is below 0; use 0 or more")
        start, state = [frame for frame in self.keyframes if frame[0] <= step][-1]
        if not start <= self.run.steps <= step:
            self._restore(state)
        self._advance(step - self.run.steps)
        self._frame(id)

    def _on_certificate(self, id):
        found = {name: getattr(self._certified(), name) for name in FIELDS}
        self._answer(id, "certificate", step=self.run.steps, **found)

    def _on_event(self, id):
        self._answer(id, "event", step=self.run.steps, event=self._event())

    def _on_frame(self, id):
        self._frame(id)

    def _frame(self, id):
        found, problem = self._certified(), self.run.problem
        nu, entry = problem.nu(found.alpha), problem.loss.entry
        lower, upper = entry["lower"], entry["upper"]
        at_lower, at_upper = int((nu <= lower).sum()), int((nu >= upper).sum())
        self._answer(
            id, "frame", step=self.run.steps, epoch=self.run.epochs, primal=found.primal, dual=found.dual,
            gap=found.gap, relative_gap=found.relative_gap, w=found.w, b=found.b,
            nonzeros=0 if found.w is None else int(np.count_nonzero(found.w)), event=self._event(),
            alpha={
                "support": int(np.count_nonzero(found.alpha)), "at_lower": at_lower, "at_upper": at_upper,
                "inside": found.alpha.size - at_lower - at_upper,
            },
            status=self.status,
        )  # fmt: skip

    def _event(self):
        event = self.run.last_event
        return None if event is None else event._asdict()

    def _certified(self):
        if self.certified is None:
            self.certified = self.run.certificate()
        return self.certified

    def _advance(self, count):
        """Steps, with a state kept after each `spacing`."""
        start, run, self.certified = self.run.steps, self.run, None
        while run.steps < start + count:
            following = (run.steps // self.spacing + 1) * self.spacing
            asked = min(start + count, following) - run.steps
            if run.step(asked) < asked:
                break
            if run.steps == following > self.keyframes[-1][0]:
                self._keep()
        return run.steps - start

    def _keep(self):
        state = {name: array.copy() for name, array in self.run.state._asdict().items()}
        self.keyframes.append((self.run.steps, state))
        size = sum(array.nbytes for array in state.values())
        if len(self.keyframes) > max(2, min(KEYFRAMES, KEYFRAME_BYTES / size)):
            self.spacing *= 2
            self.keyframes = [frame for frame in self.keyframes if frame[0] % self.spacing == 0]

    def _restore(self, kept):
        """A state of its own: what a solver keeps beside one, as rows of a kernel, goes with it."""
        state = self.run.state
        # Two fields may be one array.
        fresh = {id(array): kept[name].copy() for name, array in state._asdict().items()}
        self.run.state = type(state)(*(fresh[id(array)] for array in state))
        self.status, self.certified = None, None

    def _stop(self, status):
        if self.running is not None:
            self._answer(self.running["id"], "ended", step=self.run.steps, status=status)
        self.running = None


def _solver(choice):
    """A solver of its own name and parameters, or an object as it is."""
    if choice is None or isinstance(choice, str | Solver):
        return choice
    choice = {name: value for name, value in choice.items() if name != "fields"}
    name = choice.pop("name", None)
    if name not in solvers.REGISTRY:
        raise InputError(f"solver = {name!r} is not known; use {', '.join(solvers.REGISTRY)}")
    known = {field.name for field in dataclasses.fields(solvers.REGISTRY[name])}
    for unknown in set(choice) - known:
        raise InputError(f"{name}: {unknown} is no parameter; use {', '.join(sorted(known))}")
    return solvers.REGISTRY[name](**choice)
