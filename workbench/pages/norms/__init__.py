"""The page of norms and screening."""

import functools

from workbench.pages.registry import Declaration


@functools.cache
def picture():
    """The gap of FISTA after the published repair, and with the best multiple of the dual point."""
    import numpy as np

    from workbench.certificates.gaps.norm_gap import largest_lam, norm_gap
    from workbench.pages.norms import model as norms
    from workbench.solvers import ProximalGradient
    from workbench.solvers.run import Run

    problem = norms.problem(norms.Norms().param.values())
    problem = problem.replace(lam=0.1 * largest_lam(problem))
    run, gaps, steps = Run(problem, ProximalGradient()), [], np.arange(61.0)
    for step in steps:
        run.step(int(step) - run.steps)
        result = norm_gap(problem, problem.split(run.state.w)[0], float(run.state.b))
        gaps.append((result.repaired, result.better))
    return tuple(
        (steps, np.log10(np.maximum(gap, 1e-12)), stroke)
        for gap, stroke in zip(np.transpose(gaps), ("solid", "dashed"), strict=True)
    )


PAGE = Declaration(
    "Norms and screening",
    "Norms that choose groups, rows and trees; their dual balls; and the features that a gap discards.",
    group="Solvers",
    place=8,
    lesson="06_certificates",
    picture=picture,
    hosted="declaration:Norms",
    former={
        "screening": {
            "source": "Correlated features (made)",
            "norm": "ℓ1",
            "ratio": "0.2",
            "second": "30",
            "question": "Before the solve",
        }
    },
)
