"""The sentences of the page of norms under its figures: templates from `texts.json`, which a file shares."""

import numpy as np

from workbench.pages.wording import Wording

WORDING = Wording("norms")
said = WORDING.said
# A number so close to one is told by its distance from it.
CLOSE = 1e-3


def gaps(frame):
    """The raw gap, why it is infinite where it is, and the repaired ones."""
    found, curves = frame["gaps"], frame["curves"]
    raw = said("raw_valid", raw=found.raw)
    if np.isinf(found.raw):
        reasons = {}
        if "sums" in found.reason:
            reasons["sum"] = said("sum_not_zero", total=frame["total"])
        if "dual norm" in found.reason:
            reasons["ball"] = said("outside_the_ball")
        reason = said("both", **reasons) if len(reasons) == 2 else "".join(reasons.values())
        raw = said("raw_infinite", reason=reason)
    so_far = curves["raw"][: frame["at"] + 1]
    count, size = int(np.isinf(so_far).sum()), so_far.size
    return said(
        "norm_gaps", said=raw, repaired=found.repaired, better=found.better, count=count, size=size,
        vanished=said("vanished") if np.any(curves["repaired"] <= 0.0) else "",
    )  # fmt: skip


def bounds(frame):
    """Where the optimum lies."""
    primal, found = frame["row"]["primal"], frame["gaps"]
    lower, repaired = primal - found.better, primal - found.repaired
    return said("norm_bounds", lower=lower, primal=primal, repaired=repaired)


def weights(shown):
    """How many weights and groups are alive."""
    nonzeros = int(np.count_nonzero(shown["weight"]))
    if not nonzeros:
        return said("norm_no_weights", count=len(shown["name"]), groups=shown["groups"])
    return said(
        "norm_weights", nonzeros=nonzeros, count=len(shown["name"]), alive=shown["alive"],
        groups=shown["groups"],
    )  # fmt: skip


def ball(frame):
    """Where v lies, and what the repair did."""
    found, (first, second) = frame["gaps"], frame["names"]
    centred = said("centred", total=frame["total"]) if frame["free"] else ""
    if not frame["is_norm"]:
        return said("box", centred=centred)
    is_scaled, scaling = found.scaling < 1.0, _digits(found.scaling, 5)
    return said(
        "ball", centred=centred, size=_digits(found.dual_norm, 6), first=first, second=second,
        place=said("outside" if found.dual_norm > 1.0 else "inside"),
        multiple=said("multiplied", scaling=scaling) if is_scaled else said("unchanged"),
    )  # fmt: skip


def beside_one(number):
    """How far a number close to one is from it; nothing of others."""
    distance = number - 1.0
    if not 0.0 < abs(distance) < CLOSE:
        return ""
    return said("away", sign="+" if distance > 0.0 else "−", distance=abs(distance))


def _digits(number, count):
    """So many digits, or the distance from one where they would say 1."""
    return beside_one(number) or f"{number:.{count}g}"


def halving(steps, at):
    """One step of a tree's bisection; without steps, why there are none."""
    if not steps:
        return said("no_bisection")
    step = steps[at]
    if at == len(steps) - 1:
        return said("bisected", at=at, high=step.high)
    return said("halving", at=at, side=said("above" if step.left else "below"), **step._asdict())
