"""The seven algorithms of Zhang's tables: three online rules, their regularized relatives, and "Spars"."""

from workbench import solvers
from workbench.problems import Problem

ETA, MU, EPSILON = 0.01, 0.01, 0.1
ITERATIONS = 200
# The iterations after which a regularized run is certified: few, since a certificate costs some of them.
CHECKS = (5, 10, 25, 50, 100)
ONLINE = ("Perceptron", "UWin", "NWin")
REGULARIZED = ("LM-Perc", "LM-UWin", "LM-NWin", "Spars")
# The large-margin relative of each online rule.
RELATIVES = dict(zip(ONLINE, REGULARIZED, strict=False))
_REGULARIZERS = {
    "Perc": "squared-l2",
    "Perceptron": "squared-l2",
    "UWin": f"entropy:mu={MU}",
    "NWin": f"normalized-entropy:mu={MU}",
    "Spars": f"elastic-net:epsilon={EPSILON}",
}


def solver(algorithm):
    """Return the rule of an algorithm, over the samples in their order: (24), (25) or (23)."""
    if algorithm == "Perceptron":
        return solvers.Perceptron(eta=ETA)
    if algorithm in ONLINE:
        return solvers.Winnow(eta=ETA)
    update = "exact" if algorithm == "LM-Perc" else "gradient"
    return solvers.GaussSeidel(update=update, order="cyclic", eta=ETA)


def problem(algorithm, X, y, lam=1.0, bias="constant"):
    """Return the hinge loss with the algorithm's regularizer; Winnows are balanced."""
    kind = algorithm.removeprefix("LM-")
    return Problem(
        X, y, "hinge", _REGULARIZERS[kind], lam, bias, embed="balanced" if kind.endswith("Win") else None
    )


def iterate(run, iterations, tol):
    """Do a number of iterations, or fewer once they change little or nothing.

    A regularized run ends at a certified relative gap of `tol`; an online rule, which closes no gap, after an
    iteration without a mistake.
    """
    if run.solver.converges:
        for iteration in (*(check for check in CHECKS if check < iterations), iterations):
            run.epoch(iteration - round(run.epochs))
            if run.record().relative_gap <= tol:
                return
        return
    for _ in range(iterations):
        before = run.state.mistakes.sum()
        run.epoch()
        if run.state.mistakes.sum() == before:
            return
