"""Checks of the parts of a problem beside a kernel or constraints."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench._support.errors import InputError

if TYPE_CHECKING:
    from workbench.problems.problem import Problem


def check_kernel(problem: Problem) -> None:
    """Refuse losses, regularizers and biases that a kernel is not available with."""
    if problem.loss.kind == "classes":
        raise InputError(
            f"kernel: {problem.kernel!r} gives one prediction a sample, and the {problem.loss.name} loss "
            "needs one a class; leave the kernel out, or solve one class against the others with "
            "loss='hinge'"
        )
    if not problem.regularizer.is_identity:
        raise InputError(
            f"kernel: {problem.kernel!r} needs the regularizer squared-l2 (|w|_2^2 / 2), not "
            f"{problem.regularizer.label}"
        )
    if any(problem.loss.jumps):
        raise InputError(
            f"kernel: the {problem.loss.name} loss is infinite at some predictions, and the weights of a "
            "kernel cannot be moved to where it is finite; leave the kernel out, or use another loss"
        )
    if problem.embed is not None:
        raise InputError(f"kernel: embed = {problem.embed!r} has no meaning with a kernel; use None")
    if problem.bias is True and not problem.has_boxes:
        raise InputError(
            "bias = True with a kernel needs a loss of margins that is s max(0, b - u), b > 0, such as the "
            f"hinge loss with p = 1, not {problem.loss!r}; use bias=False"
        )


def check_constrained(problem: Problem) -> None:
    """Refuse parts that constraints are not available with, and constraints that no dual point meets."""
    others = {
        "bias = True": problem.free_bias,
        "kernel": problem.kernel is not None,
        f"the norm {problem.regularizer.label}": problem.regularizer.is_norm,
        f"the {problem.loss.name} loss": bool(problem.columns),
    }
    for name, present in others.items():
        if present:
            raise InputError(f"constraints do not go with {name}; leave one of the two out")
    if problem.constraints is not None:
        problem.constraints.check(problem, problem.dual_ends)
