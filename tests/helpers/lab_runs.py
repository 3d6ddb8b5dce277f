"""Runs of what the Dual lab's settings stand for, by Python, which draws nothing of them."""

from workbench.pages.dual_lab import model as dual_lab
from workbench.solvers.run import Run

SMALL = "Breast cancer"


def settings(**choices):
    return dual_lab.DualLab(**{"source": SMALL} | choices).param.values()


def run_of(chosen, **options):
    """A certified run at zero."""
    solver = dual_lab.specification(chosen)[2]
    run = Run(dual_lab.problem(chosen), solver, seed=chosen["seed"], **options)
    run.record()
    return run


def solved(chosen, gap=1e-4, epochs=1000):
    """A run at its end."""
    run = run_of(chosen)
    run.until(gap=gap, max_epochs=epochs)
    return run
