"""The types of the arguments of compiled steps: an argument of one name is the same thing in all of them.

What is another thing somewhere, or has a type of its own, is annotated there.
"""

import inspect

from numba import types

from workbench.kernels import compilation
from workbench.kernels.compilation import (
    COORDINATE_TYPE,
    FLAG,
    FLOAT,
    INDICES,
    INTEGER,
    INTEGERS,
    OFFSETS,
    QUEUE,
    REFRESH,
    ROW_ADD,
    ROW_PROBE,
    SCALAR_TYPE,
    VECTOR,
    WRITABLE,
)

TABLE, READABLE_TABLE = (types.Array(FLOAT, 2, "C", readonly=readonly) for readonly in (False, True))
LABELS = types.Array(INTEGER, 1, "C", readonly=True)
NAMES = {
    VECTOR: "data sign shift weight weights bound settings loss_theta diagonal kernel_diagonal y box u "
    "center du means threshold ridge share",
    WRITABLE: "alpha v slopes sums event theta duals batch chosen numbers f g w progress trial residual nu "
    "bent pull mirror before extrapolated b z direction ahead tried values parts parameters vector solved",
    SCALAR_TYPE: "value slope conjugate conjugate_slope outer outer_slope outer_curvature prox_slope "
    "prox_curvature",
    COORDINATE_TYPE: "coordinate",
    types.FunctionType(ROW_ADD): "row_add",
    types.FunctionType(ROW_PROBE): "row_probe",
    types.FunctionType(REFRESH): "refresh",
    OFFSETS: "indptr",
    INDICES: "order indices local",
    QUEUE: "queue places pool",
    INTEGERS: "counters queue_counters sizes mistakes survived",
    TABLE: "averaged history small gram",
    FLOAT: "lam lam_n eta lower upper margin proximity damping top",
    INTEGER: "n_steps seed rule",
    FLAG: "shuffled shrinking averages linear gradient free restart extrapolates lazy safe second_order",
}
TYPES = {name: kind for kind, names in NAMES.items() for name in names.split()}


def late(function, returns=INTEGER):
    """As `compilation.late`, by the function's arguments, whose names are the attribute `names`."""
    parameters = inspect.signature(function).parameters
    kinds = (TYPES[n] if each.annotation is each.empty else each.annotation for n, each in parameters.items())
    made = compilation.late(function, returns(*kinds))
    made.names = tuple(parameters)
    return made
