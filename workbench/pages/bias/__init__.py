"""The page on biases and multipliers."""

import functools

from workbench.pages.registry import Declaration


@functools.cache
def picture():
    """The multipliers of Algorithms 2 and 3 on their way to the bias."""
    import numpy as np

    from workbench.pages.bias import model as bias
    from workbench.solvers.run import Run

    problem = bias.problem("Breast cancer", bias.BIAS).replace("smoothed-hinge", "squared-l2", 0.01)
    settings, strokes = bias.BiasLab(eta=0.5).param.values(), []
    for algorithm, stroke in zip(bias.PARTS, ("solid", "dashed"), strict=True):
        run, multipliers = Run(problem, bias.solver(settings, algorithm)), [0.0]
        for _ in range(28):
            run.epoch()
            multipliers.append(run.state.s[0])
        strokes.append((np.arange(29.0), np.array(multipliers), stroke))
    return tuple(strokes)


PAGE = Declaration(
    "Bias & multipliers",
    "An intercept without a penalty is the multiplier of a constraint on the dual.",
    group="Solvers",
    place=6,
    lesson="07_bias",
    picture=picture,
    hosted="declaration:Bias",
)
