"""The records of compiled steps: few arguments, typed where they are declared, two calls below `advance`."""

import numpy as np
import pytest

import workbench as wb
from tests.helpers.cases import problem
from workbench.kernels import compilation
from workbench.kernels.arrays import LossFunctions, Samples
from workbench.kernels.kernel_rows import KernelRows
from workbench.pages.wasm import layout
from workbench.solvers.algorithms import _records


def test_functions_of_another_type_are_refused():
    functions = _records.loss_functions(problem("hinge", "squared-l2").loss)
    with pytest.raises(TypeError, match="coordinate is a function of type"):
        compilation.checked(functions._replace(coordinate=functions.slope))


def test_a_state_of_another_type_is_refused():
    run = wb.Run(problem("hinge", "squared-l2"), wb.solvers.GaussSeidel())
    state = run.state._replace(alpha=run.state.alpha.astype(np.float32))
    with pytest.raises(TypeError, match="No matching definition"):
        run.solver.advance(run.problem, state, 1)


def test_the_table_of_the_webassembly_names_the_fields_of_records():
    assert layout.described(compilation.type_of(Samples)) == {
        **dict.fromkeys(("sign", "shift", "weight", "theta"), "f64[]"),
        "lower": "f64",
        "upper": "f64",
    }
    assert set(layout.described(compilation.type_of(LossFunctions)).values()) == {"function"}
    assert layout.described(compilation.type_of(KernelRows)) == {
        "kind": "i64",
        **dict.fromkeys(("parameters", "values", "squares", "dense", "source", "store"), "f64[]"),
        "offsets": "u64[]",
        **dict.fromkeys(("indices", "everyone"), "u32[]"),
        "known": "u8[]",
        "is_whole": "bool",
    }
