"""The page of inverse time dependency."""

import functools

from workbench.pages.registry import Declaration


@functools.cache
def picture():
    """The gap of PGS, whose steps shrink like 1/t, as logarithms of both."""
    import numpy as np

    from workbench.pages.inverse_time import model as inverse_time
    from workbench.solvers.run import Run

    settings = inverse_time.InverseTime().settings()
    problem = inverse_time.make_problem(settings, settings["samples"], settings["seed"])
    run = Run(problem, inverse_time.make_solver(settings, problem.n_samples), seed=settings["seed"])
    for _ in range(24):
        run.step(max(1, run.steps // 4))
        run.record()
    rows = [row for row in run.rows if row["step"] > 0 and np.isfinite(row["gap"])]
    return ((*(np.log10([row[name] for row in rows]) for name in ("step", "gap")), "solid"),)


PAGE = Declaration(
    "Inverse time",
    "A primal solver with steps of size 1/(λt) and no learning rate to choose.",
    group="Solvers",
    place=11,
    lesson="09_pgs",
    picture=picture,
    model="model:InverseTime",
    page="page:InverseTimePage",
    file="page:InverseTimeFile",
)
