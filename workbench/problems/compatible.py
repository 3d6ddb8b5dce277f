"""Checks of the parts of a problem beside a kernel, constraints or several columns of targets."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from workbench._support.errors import InputError
from workbench.problems import feasibility, kernels

if TYPE_CHECKING:
    from workbench.problems.problem import Problem


def check_kernel(problem: Problem) -> None:
    """Refuse losses, regularizers and numbers of samples that a kernel is not available with."""
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
    if problem.has_factored_kernel and problem.n_samples > kernels.MOST_FACTORED:
        raise InputError(
            f"bias = True with a kernel and the {problem.loss.name} loss factors the matrix of K, which is "
            f"for at most {kernels.MOST_FACTORED:,} samples and not {problem.n_samples:,}; use bias=False, "
            "or the hinge loss with p = 1"
        )


def check_columns(problem: Problem) -> None:
    """Refuse losses, kernels and embeddings that several columns of y are not available with."""
    classes = problem.loss.kind == "classes"
    others = {
        f"the {problem.loss.name} loss, which takes one label a sample": classes,
        "a loss that is infinite at some predictions": not classes and any(problem.loss.jumps),
        "a kernel": problem.kernel is not None,
        "constraints": problem.is_constrained,
        f"embed = {problem.embed!r}": problem.embed is not None,
    }
    for name, present in others.items():
        if present:
            raise InputError(
                f"y has shape {problem.y.shape}, and several columns do not go with {name}; give one column"
            )


def check_constrained(problem: Problem) -> None:
    """Refuse parts that constraints are not available with, and constraints that no dual point meets."""
    own = problem.weight_constraints is not None
    others = {
        "bias = True": problem.free_bias and not own,
        "kernel": problem.kernel is not None,
        f"the norm {problem.regularizer.label}": problem.regularizer.is_norm,
        f"the {problem.loss.name} loss": bool(problem.columns)
        or (own and problem.prediction_ends is not None),
        "a ball of weights": own and (problem.regularizer.squared_norm or (np.inf,))[-1] < np.inf,
        "constraints on the dual": own and problem.constraints is not None,
    }
    for name, present in others.items():
        if present:
            part = "weight_constraints" if own else "constraints"
            raise InputError(f"{part} do not go with {name}; leave one of the two out")
    if problem.constraints is not None:
        problem.constraints.check(problem, problem.dual_ends())
    if problem.weight_constraints is not None:
        feasibility.check_weights(problem, problem.weight_constraints)
