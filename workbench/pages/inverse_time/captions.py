"""The sentences of the page of inverse time under its figures, of `texts.json`, which a file shares."""

import numpy as np

from workbench.pages.inverse_time.model import theorem_1_steps, theorem_2
from workbench.pages.inverse_time.sweep import summary
from workbench.pages.wording import Wording

WORDING = Wording("inverse_time")
said = WORDING.said
MILLI = 1e3


def run(present, theorem):
    """The sentences under the figures of the run, of its present numbers by the name of their curve."""
    told = {name: float(value) for name, value in present.items()} | {"theorem": float(theorem)}
    told["step"] = int(told["step"])
    return {name: said(name, **told) for name in ("pgs_objective", "pgs_gap")}


def sweep(cells, settings, constants, c, running):
    """The sentences under the figures of the sweep."""
    steps, time = summary(cells, "steps"), summary(cells, "seconds")
    reference = summary(cells, "reference_seconds")
    if not len(steps.m):
        return {"sweep_steps": said("first_set"), "sweep_time": said("no_time")}
    end = float(steps.m[-1])
    so_far = said("so_far") if running else ""
    missed = said("missed", missed=steps.missed, count=len(cells)) if steps.missed else ""
    told = {"m": end, "time": _milliseconds(time), "reference": _milliseconds(reference)}
    return {
        "sweep_steps": said(
            "sweep_steps", so_far=so_far, first_count=_count(steps.median[0]), first=float(steps.m[0]),
            last_count=_count(steps.median[-1]), last=end, missed=missed,
            theorem=_theorem(settings, constants, c, end),
        ),
        "sweep_time": said("sweep_time" if len(reference.m) else "sweep_time_alone", **told),
    }  # fmt: skip


def bound_of(settings, constants, c, m):
    """What the theorems ask for at these sizes: Theorem 2 of the test loss, Theorem 1 of the suboptimality.

    Of the accuracy and of the direction they do not speak.
    """
    epsilon = settings["target"]
    if settings["measure"] == "Test loss":
        return m, theorem_2(constants, settings["lam"], epsilon, c, m)
    if settings["measure"] == "Suboptimality":
        return m, np.full(m.size, theorem_1_steps(constants.L, settings["lam"], epsilon))
    return m, np.full(m.size, np.inf)


def _count(value):
    return said("count", count=value) if np.isfinite(value) else said("too_many")


def _milliseconds(found):
    finite = len(found.median) and np.isfinite(found.median[-1])
    return said("milliseconds", value=MILLI * found.median[-1]) if finite else said("too_long")


def _theorem(settings, constants, c, m):
    if settings["measure"] in ("Test accuracy", "Direction"):
        return said("silent")
    value = float(bound_of(settings, constants, c, np.array([m]))[1][0])
    known = {"L": constants.L, "G": constants.G, "c": c, "value": value}
    if settings["measure"] == "Suboptimality":
        return said("theorem_1", **known)
    return said("theorem_2" if np.isfinite(value) else "no_bound", **known)
