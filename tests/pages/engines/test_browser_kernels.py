"""The kernels in WebAssembly take the steps of the native ones, whose very code they are."""

import importlib.util
import json
import os
import subprocess
import sys

import mpmath
import numpy as np
import pytest

import workbench as wb
from tests.helpers import wasm_kernels
from tests.helpers.cases import problem, solver
from tests.pages.engines.test_browser_engine import TARGETS, made
from workbench._support.errors import InputError
from workbench.kernels import (
    bias_loops,
    compilation,
    kernel_rows,
    products,
    proximal,
    sample_loops,
    term_loops,
)
from workbench.pages.wasm import __main__ as command
from workbench.pages.wasm import build, layout, sources
from workbench.pages.wasm import printed as printing
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

MAKERS = (
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
    kernel_rows.product,
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
    proximal.point,
)
STEPS = (1, 9, 990)
# After a step and after ten, in the last places of the largest number: one or two for each call of the libm,
# and what a step makes of them.
ULPS = (16, 1000)
# Of the certificates where both runs have ended, in units of P(0).
SAME_END = 1e-10
CLOSE = 1e-11
LIBM_ULPS = 2.0
SOLVERS = wb.solvers


# Every kernel, and in it each of its ways, where nothing asks the libm.
EXACT = {
    "linear": lambda: (made("hinge"), solver("exact")),
    "linear bounded": lambda: (made("smoothed-hinge"), solver("bounded", order="cyclic")),
    "linear gradient": lambda: (made("epsilon-insensitive:epsilon=0.3", y=TARGETS), solver("gradient")),
    "linear shrinking": lambda: (made("hinge", lam=1e-3), SOLVERS.GaussSeidel(shrinking=True)),
    "linear sparse": lambda: (problem("squared-hinge", "squared-l2", sparse=True), solver("exact")),
    "general": lambda: (made("huber", "elastic-net:epsilon=0.2", y=TARGETS), solver("exact")),
    "general bounded": lambda: (made("squared", "elastic-net:epsilon=0.2", y=TARGETS), solver("bounded")),
    "general gradient": lambda: (made("hinge", "elastic-net:epsilon=0.1"), solver("gradient")),
    "general newton": lambda: (made("squared-hinge", "elastic-net:epsilon=0.1"), solver("newton")),
    "constraint": lambda: (made("hinge", bias=True), SOLVERS.AugmentedLagrangian()),
    "modified": lambda: (
        made("squared-hinge", "elastic-net:epsilon=0.1", bias=True),
        SOLVERS.ModifiedAugmentedLagrangian(),
    ),
    "thresholds": lambda: (made("squared", "l1", y=TARGETS), SOLVERS.ProximalGradient()),
    "groups": lambda: (
        made("squared", "group-l1l2:size=3", y=TARGETS, bias=True),
        SOLVERS.ProximalGradient(),
    ),
    "bias": lambda: (made("squared-hinge", bias=True), SOLVERS.ProximalGradient(step="backtracking")),
    "primal": lambda: (made("hinge"), SOLVERS.PrimalGradient()),
    "primal p-norm": lambda: (made("hinge", "p-norm:p=1.8"), SOLVERS.PrimalGradient(order="shuffled")),
    "primal general": lambda: (made("hinge", "elastic-net:epsilon=0.1"), SOLVERS.PrimalGradient(batch=2)),
    "polynomial": lambda: (made("squared-hinge", kernel="polynomial:degree=3"), SOLVERS.GaussSeidel()),
    "first pairs": lambda: (made("hinge", bias=True), pairs("first-order")),
}
# exp, log, log1p, expm1, pow, sinh, asinh.
CLOSELY = {
    "logistic": lambda: (made("logistic"), solver("exact")),
    "hinge, p = 3": lambda: (made("hinge:p=3"), solver("exact")),
    "entropy": lambda: (made("squared", "entropy:mu=0.3", y=TARGETS), solver("exact")),
    "normalized": lambda: (made("huber", "normalized-entropy:mu=0.3", y=TARGETS), solver("bounded")),
    "q-norm": lambda: (made("smoothed-hinge", "q-norm:q=1.5"), solver("newton")),
    "rbf": lambda: (made("hinge", kernel="rbf:gamma=0.5"), SOLVERS.GaussSeidel()),
    "pairs": lambda: (made("hinge", kernel="rbf:gamma=0.5", bias=True), pairs("second-order")),
    "proximal": lambda: (
        made("logistic", "elastic-net:epsilon=0.1"),
        SOLVERS.ProximalGradient(step="backtracking"),
    ),
}


def pairs(selection):
    return SOLVERS.MaximalViolatingPair(tol=1e-12, selection=selection)


def states(make):
    """The state after each of `STEPS`, and the certificate of the last."""
    run = wb.Run(*make(), seed=3)
    snapshots = []
    for count in STEPS:
        run.step(count)
        snapshots.append({name: array.copy() for name, array in run.state._asdict().items()})
    return snapshots, run.certificate()


@pytest.fixture
def printed(monkeypatch):
    """A function that has everything from now on done by the printed kernels."""

    def begin():
        orders.epoch.cache_clear()
        return wasm_kernels.swap(monkeypatch, *MAKERS)

    yield begin
    orders.epoch.cache_clear()


@pytest.mark.parametrize("name", EXACT)
def test_states_are_those_of_the_native_kernel_bit_for_bit(name, printed):
    native, certificate = states(EXACT[name])
    printed()
    ours, ours_certified = states(EXACT[name])
    for before, after in zip(native, ours, strict=True):
        assert {field: array.tobytes() for field, array in before.items()} == {
            field: array.tobytes() for field, array in after.items()
        }
    assert (certificate.primal, certificate.dual) == (ours_certified.primal, ours_certified.dual)


@pytest.mark.parametrize("name", CLOSELY)
def test_states_are_close_where_the_libm_is_asked(name, printed):
    native, _ = states(CLOSELY[name])
    printed()
    ours, _ = states(CLOSELY[name])
    for before, after, ulps in zip(native, ours, ULPS, strict=False):
        for field in ("alpha", "v", "w", "g"):
            if field in before:
                far = np.abs(before[field] - after[field]).max()
                assert far <= ulps * np.spacing(np.abs(before[field]).max()), field


@pytest.mark.parametrize("name", CLOSELY)
def test_certificates_agree_where_runs_end(name, printed):
    def end():
        run = wb.Run(*CLOSELY[name](), seed=3)
        run.until(gap=CLOSE, max_epochs=3000)
        return run

    native = end()
    printed()
    ours, scale = end(), native.problem.zero_value
    assert native.last.relative_gap <= CLOSE
    assert abs(native.last.primal - ours.last.primal) <= SAME_END * scale
    assert abs(native.last.dual - ours.last.dual) <= SAME_END * scale


def ulps(got, exact):
    return abs(mpmath.mpf(got) - exact) / mpmath.mpf(float(np.spacing(abs(float(exact)))))


def test_the_libm_is_within_two_units_in_the_last_place():
    kernels, rng = wasm_kernels.Kernels(), np.random.default_rng(0)
    small = [1e-300, 1e-20, 1e-9, 1e-5]
    wide = [*rng.uniform(-700.0, 700.0, 60), *rng.normal(size=60), *small, *(-x for x in small), -745.0]
    positive = [*np.exp(rng.uniform(-700.0, 700.0, 60)), *(1.0 + rng.normal(size=30) * 1e-3), 5e-324, *small]
    inputs = {
        "exp": wide,
        "expm1": wide,
        "sinh": wide,
        "asinh": wide,
        "log": positive,
        "log1p": [*positive, *(-rng.random(40)), *(-x for x in small)],
    }
    with mpmath.workdps(60):
        for name, values in inputs.items():
            call, exact = kernels.exports[name], getattr(mpmath, name)
            worst = max(ulps(call(kernels.store, float(x)), exact(mpmath.mpf(float(x)))) for x in values)
            assert worst <= LIBM_ULPS, name
        for x in positive:
            for y in (0.5, 1.5, -2.3, 1.0 / 3.0):
                exact = mpmath.power(mpmath.mpf(float(x)), mpmath.mpf(y))
                if mpmath.mpf("1e-300") < exact < mpmath.mpf("1e300"):
                    assert ulps(kernels.exports["pow"](kernels.store, float(x), y), exact) <= LIBM_ULPS


def test_what_kernels_allocate_is_given_back(printed):
    kernels = printed()
    run = wb.Run(made("hinge", kernel="rbf:gamma=0.5", bias=True), pairs("second-order"))
    run.step(5)
    before = kernels.memory.size(kernels.store)
    for _ in range(50):
        run.step(5)
    assert kernels.memory.size(kernels.store) == before


def test_the_module_imports_nothing():
    _, module = wasm_kernels._compiled()
    assert module.imports == []


def test_a_change_of_a_source_makes_the_module_stale(monkeypatch, tmp_path, capsys):
    assert command.main(["--check"]) == 0
    formulas = json.loads(build.TABLE.read_text())["formulas"]
    paths = {str(path) for path in sources.files()}
    assert str(sources.HERE / "runtime.c") in paths
    assert {compilation.__file__, _linear.__file__, products.__file__} <= paths
    stale = tmp_path / "kernels.json"
    stale.write_text(build.TABLE.read_text().replace(sources.digest(formulas)[:8], "00000000"))
    monkeypatch.setattr(build, "TABLE", stale)
    assert command.main(["--check"]) == 1
    assert "python -m workbench.pages.wasm" in capsys.readouterr().err


def test_the_table_says_how_each_printed_function_is_called():
    table = json.loads(build.TABLE.read_text())["functions"]
    compilation.formula.cache_clear()  # what another test has compiled is printed, too
    called = {one.export: layout.signature(one) for one in printing.everything()}
    assert table == {name: called[name] for name in table}


COMPILE = """
import sys
from workbench.pages.wasm import objects, printed
one = next(one for one in printed.everything() if one.export == sys.argv[1])
sys.stdout.buffer.write(objects.compiled(one, objects.machine()))
"""


@pytest.mark.parametrize("name", ["hinge_1_value", "products_predictions"])
def test_a_printed_function_becomes_an_object_for_webassembly(name):
    environment = {**os.environ, "NUMBA_OPT": "0"}
    process = subprocess.run([sys.executable, "-c", COMPILE, name], env=environment, capture_output=True)
    assert process.returncode == 0, process.stderr.decode()
    assert process.stdout.startswith(b"\0asm")
    assert name.encode() in process.stdout


def test_a_build_without_its_linker_says_what_is_missing(monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(InputError, match="ziglang is not installed"):
        build.built()
