"""List et al. (2007): the bounds along runs of maximal violating pairs, against the true suboptimality."""

import numpy as np

from workbench.studies.engine import Task
from workbench.studies.list_tasks import bounds
from workbench.studies.results import Claim, Curve, Experiment, Plot, Summary, Table, grouped

KERNELS = {"a9a": "rbf:gamma=0.05", "w8a": "rbf:gamma=0.1", "news20": "linear"}
SAMPLES, C = 800, 1.0
SELECTIONS = ("first-order", "second-order")
CHECKS = [int(check) for check in np.unique(np.geomspace(1, 20_000, 24).round())]
# The accuracy of the optimum and of the linear programs, as a share of C n, the first primal value.
ROUNDING = 1e-8
NAMES = {
    "forward": "forward gap (19)",
    "backward": "backward gap",
    "sigma": "sigma-gap (17)",
    "remark_1": "Remark 1",
    "lemma_8": "Lemma 8",
    "primal_error": "true primal suboptimality",
    "dual_error": "true dual suboptimality",
}


def tasks(seeds):
    """Every data set with both selections."""
    return [
        Task(
            bounds,
            {
                "data": data,
                "kernel": kernel,
                "n": SAMPLES,
                "C": C,
                "selection": selection,
                "checks": CHECKS,
                "seed": seed,
            },
        )
        for seed in range(seeds)
        for data, kernel in KERNELS.items()
        for selection in SELECTIONS
    ]


def summarize(records):
    """Summarize the quality of each bound, and whether the theorems hold at every point."""
    groups = grouped(records, "data")
    return Summary(
        tables=(_table(groups),),
        plots=tuple(_plot(data, group) for data, group in groups.items()),
        claims=tuple(claim for data, group in groups.items() for claim in _claims(data, group)),
        notes=(
            "The source states theorems and prints no measurements, so no published numbers stand beside: a "
            "claim holds if it does at every point of every run.",
            f"{records[0]['n']} samples, C = {records[0]['C']:g}, units of 1/2 |f|^2 + C sum xi. The forward "
            "gap is that of the breakpoints of (19), backward and sigma-gap those of linear programs.",
            f"The optimum is known to {max(r['optimum_gap'] for r in records):.1g}. Suboptimality is that of "
            "the primal point of Corollary 3, at the best bias.",
        ),
    )


def _claims(data, group):
    unit = group[0]["C"] * group[0]["n"]
    yield _below(
        f"{data}: the true primal suboptimality is at most the gap (Corollary 3)",
        group,
        unit,
        "primal_error",
        "forward",
    )
    yield _below(
        f"{data}: the true dual suboptimality is at most the sigma-gap", group, unit, "dual_error", "sigma"
    )
    for other in ("backward", "sigma"):
        apart = max(float(np.abs(np.subtract(record["forward"], record[other])).max()) for record in group)
        text = (
            "forward and backward gap are equal (Theorem 3)"
            if other == "backward"
            else "the sigma-gap equals the gap (Lemma 7)"
        )
        yield Claim(f"{data}: {text}", apart <= ROUNDING * unit, f"apart by {apart / unit:.1g} C n at most")
    yield _below(f"{data}: the gap is at most the bound of Remark 1", group, unit, "forward", "remark_1")
    yield _below(f"{data}: Remark 1 improves Lemma 8", group, unit, "remark_1", "lemma_8")
    for name in ("lemma_8", "remark_1"):
        yield _below(
            f"{data}: every bias from b_hat to t_hat is as good as {NAMES[name]} says",
            group,
            unit,
            "worst_bias",
            name,
        )


def _below(text, group, unit, low, high):
    """One number is at most another at every point, but for rounding."""
    excess = max(float(np.subtract(record[low], record[high]).max()) for record in group)
    count = sum(len(record[low]) for record in group)
    ratio = np.median(np.concatenate([_ratios(record, high, low) for record in group]))
    evidence = f"largest excess {excess / unit:+.1g} C n over {count} points; {ratio:.3g} times as large"
    return Claim(text, excess <= ROUNDING * unit, f"{evidence} (median)")


def _ratios(record, high, low):
    """Quotients where the lower number is above what rounding leaves."""
    one, other = np.array(record[high]), np.array(record[low])
    mask = other > ROUNDING * record["C"] * record["n"]
    return one[mask] / other[mask]


def _table(groups):
    rows = []
    for data, group in groups.items():
        for selection in SELECTIONS:
            part = [record for record in group if record["selection"] == selection]
            if not part:
                continue
            cells = []
            for name in ("forward", "remark_1", "lemma_8"):
                ratios = np.concatenate([_ratios(record, name, "primal_error") for record in part])
                cells.append(f"{np.median(ratios):.3g} ({ratios.min():.3g} to {ratios.max():.3g})")
            rows.append((data, selection, part[0]["kernel"], *cells))
    return Table(
        "How many times as large as the true primal suboptimality each bound is",
        ("data", "selection", "kernel", "gap (19)", "Remark 1", "Lemma 8"),
        tuple(rows),
        "Median over all points of all runs, with the least and the largest.",
    )


def _plot(data, group):
    """Return the bounds of the first run with the pairs of the source."""
    record = next((record for record in group if record["selection"] == SELECTIONS[0]), group[0])
    curves = []
    for colour, name in enumerate(("lemma_8", "remark_1", "forward", "primal_error", "dual_error")):
        y = np.array(record[name])
        mask = y > ROUNDING
        x = np.array(record["steps"], dtype=float)[mask]
        curves.append(Curve(NAMES[name], tuple(x.tolist()), tuple(y[mask].tolist()), colour=colour))
    return Plot(
        f"Bounds along a run on {data}, {record['kernel']}, {record['selection']} pairs",
        "pair steps",
        "units of 1/2 |f|^2 + C sum xi",
        tuple(curves),
        x_scale="log",
        y_scale="log",
        note="The backward gap and the sigma-gap lie on the forward gap. The truth is below all.",
    )


def shared():
    """Return the data sets by name."""
    from dataclasses import replace

    from workbench.data import load

    return {"datasets": {name: replace(load(name), feature_names=()) for name in KERNELS}}


EXPERIMENT = Experiment(
    name="list-bounds",
    title="Bounds along runs of maximal violating pairs on three data sets",
    source="List et al. (2007), sections 3.1 to 3.3, (17), (19), Corollary 3, Lemmas 7 and 8, Remark 1",
    tasks=tasks,
    summarize=summarize,
    shared=shared,
    seeds=3,
    minutes=1.0,
)
