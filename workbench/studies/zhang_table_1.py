"""Zhang (2002), Table 1 and Figure 1: which regularizer suits a sparse target among many bits."""

import numpy as np

from workbench.studies.engine import Task
from workbench.studies.results import Curve, Experiment, Plot, Summary, Table, value_of
from workbench.studies.verdicts import better, orderings
from workbench.studies.zhang_artificial import accuracies
from workbench.studies.zhang_methods import ONLINE, REGULARIZED, RELATIVES

PUBLISHED = {
    500: {"Perceptron": 82.2, "LM-Perc": 87.1, "UWin": 82.4, "LM-UWin": 94.0, "NWin": 82.4, "LM-NWin": 94.3},
    5000: {"Perceptron": 67.9, "LM-Perc": 69.8, "UWin": 69.7, "LM-UWin": 87.4, "NWin": 69.7, "LM-NWin": 88.6},
}
ALGORITHMS = (*ONLINE, *REGULARIZED[:3])
# Around each optimum: the best lambda grows with the squared length of x for the Perceptron alone.
LAMS = {
    (500, "LM-Perc"): (0.01, 0.03, 0.1, 0.2, 0.5, 1.0),
    (500, "Win"): (0.001, 0.003, 0.01, 0.03, 0.06),
    (5000, "LM-Perc"): (0.1, 0.3, 1.0, 2.0, 3.0),
    (5000, "Win"): (0.02, 0.04, 0.08),
}
# The rest of the objective then moves the accuracy by less than another draw does.
TOL = 1e-2
# The orderings of the source, from the best to the worst.
CHAIN = ("LM-NWin", "LM-UWin", "LM-Perc", "NWin", "Perceptron")


def tasks(seeds):
    """One task a dimension, draw and algorithm; the longest come first."""
    return [
        Task(
            accuracies, {"d": d, "draw": draw, "algorithm": name, "lams": list(lams_of(d, name)), "tol": TOL}
        )
        for d in sorted(PUBLISHED, reverse=True)
        for draw in range(seeds)
        for name in reversed(ALGORITHMS)
    ]


def lams_of(d, algorithm):
    """Return the grid of an algorithm; an online rule knows no lambda."""
    if algorithm in ONLINE:
        return (1.0,)
    return LAMS[d, algorithm if algorithm == "LM-Perc" else "Win"]


def summarize(records):
    """Tables, the curves of Figure 1 and the orderings."""
    results = {
        (d, name): np.array([r["accuracy"] for r in records if (r["d"], r["algorithm"]) == (d, name)])
        for d in PUBLISHED
        for name in ALGORITHMS
    }
    draws = results[500, "Perceptron"].shape[0]
    return Summary(
        tables=tuple(_table(d, results) for d in PUBLISHED),
        plots=tuple(_plot(d, results) for d in PUBLISHED),
        claims=tuple(claim for d in PUBLISHED for claim in _claims(d, results)),
        notes=(
            f"Every number is a mean over {draws} draws of the data, with the standard deviation of one "
            "draw; the source has one draw.",
            "As in the source, the accuracy of a regularized algorithm is that of its best lambda on the "
            "test part, draw by draw; the last columns have one lambda for all draws.",
            "The grids of lambda were chosen after a look at the test accuracy of the first two draws.",
            f"A regularized run ends after 200 iterations or at a certified relative gap of {TOL:g}.",
            "Five percent of the test labels are wrong, so no rule can be expected above 95.0.",
        ),
    )


def _table(d, results):
    rows = []
    for name in ALGORITHMS:
        scores = results[d, name]
        place = int(np.argmax(scores.mean(axis=0)))
        common = scores[:, place]
        lam = None if name in ONLINE else f"{lams_of(d, name)[place]:g}"
        rows.append((name, PUBLISHED[d][name], value_of(scores.max(axis=1)), lam, value_of(common)))
    return Table(
        f"Test accuracy in percent, d = {d:,}",
        ("algorithm", "published", "ours", "one lambda", "ours at it"),
        tuple(rows),
    )


def _plot(d, results):
    curves = []
    for colour, name in enumerate(REGULARIZED[:3]):
        scores, x = results[d, name], lams_of(d, name)
        mean, spread = scores.mean(axis=0), scores.std(axis=0)
        curves.append(Curve(name, x, tuple(mean), tuple(mean - spread), tuple(mean + spread), colour=colour))
        ends = (x[0], x[-1])
        best = (PUBLISHED[d][name],) * 2
        curves.append(Curve(f"{name}, published best", ends, best, published=True, colour=colour))
    return Plot(
        f"Figure 1: accuracy by lambda, d = {d:,}",
        "lambda",
        "test accuracy in percent",
        tuple(curves),
        x_scale="log",
        note="Bands are one standard deviation over the draws. The source prints the best accuracy of each "
        "curve in Table 1; it stands here as a level.",
    )


def _claims(d, results):
    best = {name: results[d, name].max(axis=1) for name in ALGORITHMS}
    published = PUBLISHED[d]

    for text, one, other in orderings(RELATIVES, CHAIN):
        difference = published[one] - published[other]
        yield better(f"{text} (d = {d:,}): {one} above {other}", best[one], best[other], difference)


EXPERIMENT = Experiment(
    name="zhang-table-1",
    title="Accuracy on artificial data, and how it depends on lambda",
    source="Zhang (2002), section 6.1, Table 1 and Figure 1",
    tasks=tasks,
    summarize=summarize,
    seeds=10,
    minutes=4.0,
)
