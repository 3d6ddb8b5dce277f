"""What is printed: the compiled functions that the runs of pages need, with their native signatures.

Nothing is listed twice: the functions that compile for this machine are called, and what they ask of
`compilation.jit` is noted in place of being compiled.
"""

import contextlib
from typing import NamedTuple

from workbench.kernels import (
    bias_loops,
    compilation,
    formulas,
    group_loops,
    kernel_rows,
    norm_loops,
    products,
    proximal,
    sample_loops,
    term_loops,
)
from workbench.problems.losses import base as losses
from workbench.problems.regularizers import base as regularizers
from workbench.problems.regularizers import p_norm
from workbench.solvers.algorithms import (
    _general,
    _kernel_steps,
    _linear,
    _multipliers,
    _pairs,
    _primal_general,
    _primal_steps,
    _proximal_steps,
    orders,
)

STEPS = (
    _linear.steps,
    _general.steps,
    _kernel_steps.steps,
    _pairs.steps,
    _proximal_steps.steps,
    _primal_steps.steps,
    _primal_general.steps,
    _multipliers.renew,
    _multipliers.move,
    _multipliers.settle,
    orders.shuffled,
)
LOOPS = (
    products.predictions,
    products.transposed,
    sample_loops.dual_points,
    sample_loops.value_sum,
    sample_loops.sample_terms,
    sample_loops.feasible,
    sample_loops.room,
    term_loops.separable_sum,
    term_loops.simplex_sum,
    term_loops.norm_sum,
    term_loops.ball_sum,
    bias_loops.newton,
    bias_loops.straight,
    bias_loops.subgradients,
    bias_loops.balanced,
    bias_loops.knapsack,
    proximal.point,
    kernel_rows.product,
    norm_loops.dual_norm,
    norm_loops.terms,
    norm_loops.best_multiple,
    group_loops.tree_dual,
)
# What a loss and a regularizer are asked for, as far as their row of the table has it.
LOSS_PARTS = ("value", "slope", "curvature", "conjugate", "conjugate_slope", "coordinate")
REGULARIZER_PARTS = (
    "outer",
    "outer_slope",
    "outer_curvature",
    "inner",
    "inner_slope",
    "inner_curvature",
    "primal",
    "primal_slope",
    "row_add",
    "row_probe",
    "refresh",
)


class Printed(NamedTuple):
    """A function of the package, as it is compiled."""

    function: object
    signature: object

    @property
    def export(self):
        """Its name in the module: that of a formula, else "linear_steps" for `_linear._steps`."""
        module, name = self.function.__module__.rpartition(".")[2], self.function.__name__.strip("_")
        return name if self.is_formula else f"{module.strip('_')}_{name}"

    @property
    def is_formula(self):
        """Whether it is one of the generated ones."""
        return self.function.__module__ == formulas.__name__


def everything():
    """Each `Printed` function, in an order that is always the same."""
    with _noted() as functions:
        for compiled in (*STEPS, *LOOPS):
            compiled.__wrapped__()
        for key in formulas.LOSSES:
            name = key.replace("-", "_")
            for part in LOSS_PARTS:
                losses._scalar.__wrapped__(name, part)
        for key in formulas.REGULARIZERS:
            name = key.replace("-", "_")
            for part in REGULARIZER_PARTS:
                if hasattr(formulas, f"{name}_{part}"):
                    regularizers._function.__wrapped__(name, part)
        for part in p_norm.OUTER:
            p_norm._compiled.__wrapped__(part)
    return functions


@contextlib.contextmanager
def _noted():
    """A list of what `compilation.jit` is asked for meanwhile, of which nothing is compiled."""
    functions, jit = [], compilation.jit

    def note(function, signature):
        functions.append(Printed(function, signature))

    compilation.jit = note
    try:
        yield functions
    finally:
        compilation.jit = jit
        compilation.formula.cache_clear()
