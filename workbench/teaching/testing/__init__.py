"""Checks that every loss, regularizer, solver and page has to pass, also for those of other authors.

    from workbench.teaching.testing import check_loss, parametrize_with_checks

    def test_my_loss():
        check_loss(wb.losses.custom("sqrt(1 + u**2) - 1", kind="residual"))

    @parametrize_with_checks([MyRegularizer(), MySolver()])  # under pytest, one test for each check
    def test_mine(check):
        check()

A check is driven by what the object says of itself, asks for nothing that it does not claim, and raises
`AssertionError` with the numbers that contradict it. All draws are the same in every run.
"""

import functools
from collections.abc import Callable

from workbench import solvers
from workbench._support.errors import InputError
from workbench.problems import losses, regularizers
from workbench.teaching.testing.page_checks import PAGE_CHECKS
from workbench.teaching.testing.solver_checks import SOLVER_CHECKS, first_problem
from workbench.teaching.testing.term_checks import LOSS_CHECKS, REGULARIZER_CHECKS

__all__ = [
    "check_loss",
    "check_page",
    "check_regularizer",
    "check_solver",
    "checks_of",
    "parametrize_with_checks",
]


def check_loss(loss):
    """Check a loss of one prediction a sample.

    Parameters
    ----------
    loss : losses.Loss or str

    Raises
    ------
    AssertionError
        p, p*, their slopes or the facts about them contradict each other, or a certificate of a small
        problem is wrong.
    """
    _all(losses.get(loss))


def check_regularizer(regularizer):
    """Check a regularizer: its map, and its gradient and its proximal point where it has them.

    Parameters
    ----------
    regularizer : regularizers.Regularizer or str

    Raises
    ------
    AssertionError
        The map (9) is not the gradient of the convex h, or what it claims to have is not there.
    """
    _all(regularizers.get(regularizer))


def check_solver(solver, problem=None):
    """Check that a solver keeps the contract of `workbench.solvers.contract`.

    Parameters
    ----------
    solver : solvers.Solver or str
    problem : callable, optional
        Makes a problem that the solver takes, the same at each call, of dense data or, with ``sparse=True``,
        of sparse; by default the first of a few that the solver does not refuse.

    Raises
    ------
    AssertionError
        A run depends on how its steps are divided, on whether it was saved, or on how data are stored; or
        a lower bound lies above a value.
    """
    solver = solvers.get(solver)
    for check in SOLVER_CHECKS:
        check(solver, problem or functools.partial(first_problem, solver))


def check_page(page):
    """Check the address of a page.

    Parameters
    ----------
    page : pages.registry.Declaration or str
        The page, or its name.

    Raises
    ------
    AssertionError
        An address does not restore what it was written for, takes what it must refuse, or is refused
        though the page's own story gives it.
    """
    from workbench.pages import registry

    _all(registry.of(page) if isinstance(page, str) else page)


def checks_of(item):
    """Return the checks that an object has to pass, callables without arguments that have a `__name__`."""
    from workbench.pages.registry import Declaration

    checks: list[Callable[..., None]]
    arguments: tuple[object, ...] = (item,)
    if isinstance(item, solvers.Solver):
        arguments, checks = (item, functools.partial(first_problem, item)), [*SOLVER_CHECKS]
    elif isinstance(item, Declaration):
        checks = [*PAGE_CHECKS]
    elif isinstance(item, losses.Loss) and not item.inequality:
        checks = [*LOSS_CHECKS]
    elif isinstance(item, regularizers.Regularizer):
        checks = [*REGULARIZER_CHECKS]
    else:
        raise InputError(
            f"{item!r} is not a loss of one prediction, regularizer, solver or page; give one of these"
        )
    return [functools.update_wrapper(functools.partial(check, *arguments), check) for check in checks]


def parametrize_with_checks(items):
    """Return a decorator that runs a test with the argument `check` for each check of each object."""
    import pytest

    cases = [
        pytest.param(check, id=f"{getattr(item, 'label', item.name)}-{check.__name__.removeprefix('_')}")
        for item in items
        for check in checks_of(item)
    ]
    return pytest.mark.parametrize("check", cases)


def _all(item):
    for check in checks_of(item):
        check()
