"""The records of compiled steps: few arguments, typed where they are declared, two calls below `advance`."""

import ast
import inspect
from collections.abc import Callable

import numpy as np
import pytest
from numba import types

import workbench as wb
from tests.helpers.cases import problem
from workbench._support.system.sources import PACKAGE
from workbench.kernels import compilation
from workbench.kernels.arrays import LossFunctions, Samples
from workbench.kernels.compilation import FLOAT, INTEGER
from workbench.kernels.kernel_rows import KernelRows
from workbench.pages.wasm import layout
from workbench.solvers.algorithms import _general, _kernel_steps, _linear, _multinomial_steps, _records

MOST = 12
GENERATED = "formulas.py"
LOOPS = sorted((*PACKAGE.glob("kernels/*.py"), *PACKAGE.glob("solvers/algorithms/*.py")))
BACK_ENDS = {
    _linear: lambda: problem("hinge", "squared-l2"),
    _general: lambda: problem("hinge", "elastic-net:epsilon=0.2"),
    _kernel_steps: lambda: problem("hinge", "squared-l2", kernel="rbf:gamma=0.5"),
    _multinomial_steps: lambda: wb.Problem(np.eye(6), np.arange(6) % 3, "multinomial", lam=0.1),
}


def test_no_function_beside_a_loop_takes_more_than_twelve_arguments():
    counts = {
        f"{path.name}: {node.name}": len(node.args.args)
        for path in LOOPS
        if path.name != GENERATED
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef)
    }
    assert len(counts) > 300
    assert {name: count for name, count in counts.items() if count > MOST} == {}


@pytest.mark.parametrize("module", BACK_ENDS, ids=lambda module: module.__name__.rpartition(".")[2])
def test_a_step_is_two_calls_below_advance(module, monkeypatch):
    run, stacks, compiled = wb.Run(BACK_ENDS[module](), wb.solvers.GaussSeidel()), [], module.steps()

    def noted(*arguments):
        stacks.append([frame.function for frame in inspect.stack()[1:]])
        return compiled(*arguments)

    monkeypatch.setattr(module, "steps", lambda: noted)
    run.step(3)
    assert stacks
    assert all(stack.index("advance") == 1 for stack in stacks)


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


def test_annotations_of_tuples_and_functions_are_types_of_numba():
    two = types.Tuple((types.float64, types.int64))
    assert compilation.type_of(tuple[FLOAT, INTEGER]) == two
    assert compilation.type_of(Callable[[FLOAT], tuple[FLOAT, INTEGER]]) == types.FunctionType(
        two(types.float64)
    )
    assert compilation.type_of(Callable[[INTEGER], None]) == types.FunctionType(types.void(types.int64))
