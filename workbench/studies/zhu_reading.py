"""Reading the records of Zhu's figures: iterations to an accuracy, and how they grow with the samples."""

import numpy as np

from workbench.studies.results import Claim, grouped

# Cost may rise by this factor (7 %) for twice the samples and still count as constant.
GROWTH = 0.1


def by_group(records):
    """Return the records of the solver by data set, pair and m, ascending in m."""
    curves = sorted((record for record in records if "curve_seconds" in record), key=lambda r: r["m"])
    return grouped(curves, "data", "pair", "m")


def most_accurate(group):
    """Return the place of the lambda of best accuracy, by the median over seeds."""
    best = [[max((a for a in curve if a is not None), default=0.0) for curve in r["accuracy"]] for r in group]
    return int(np.argmax(np.median(best, axis=0)))


def soonest(group, target):
    """Return the place of the lambda with the fewest iterations to the target, by the median over seeds."""
    return int(
        np.argmin(np.median([[reached(r, k, target) for k in range(len(r["lams"]))] for r in group], axis=0))
    )


def reached(record, place, target, name="accuracy"):
    """Return the iterations until the target; twice the last where it is never reached."""
    good = (lambda value: value <= target) if name == "error" else (lambda value: value >= target)
    pairs = zip(record["checks"], record[name][place], strict=True)
    return next(
        (check for check, value in pairs if value is not None and good(value)), 2 * record["checks"][-1]
    )


def slope(rows):
    """Return the mean slope of log(value) on log(m) with its 95 % interval.

    Parameters
    ----------
    rows : list of (m, values)
        Values (k,) of the same k seeds at each m.

    Returns
    -------
    (mean, low, high)
        By Student's t over the seeds' own slopes; the ends are nan for one seed.
    """
    from scipy.stats import t

    x = np.log([m for m, _ in rows])
    slopes = np.polyfit(x, np.log(np.array([values for _, values in rows], dtype=float)), 1)[0]
    mean, count = float(slopes.mean()), slopes.size
    if count < 2:
        return mean, float("nan"), float("nan")
    half = float(t.ppf(0.975, count - 1) * slopes.std(ddof=1) / np.sqrt(count))
    return mean, mean - half, mean + half


def no_growth(text, rows):
    """Return whether the values do not grow with m: the interval of the slope ends below `GROWTH`."""
    mean, low, high = slope(rows)
    holds = True if high <= GROWTH else False if low > 0.0 else None
    return Claim(text, holds, f"{_interval(mean, low, high)}; {_medians(rows)}")


def growth(text, rows):
    """Return whether the values grow with m: the interval of the slope is above zero."""
    mean, low, high = slope(rows)
    holds = True if low > 0.0 else False if high <= GROWTH else None
    return Claim(text, holds, f"{_interval(mean, low, high)}; {_medians(rows)}")


def _interval(mean, low, high):
    return f"slope {mean:+.2f}, 95 % interval {low:+.2f} to {high:+.2f}"


def _medians(rows):
    return "medians " + ", ".join(f"{np.median(values):.3g} at m = {m:,}" for m, values in rows)


def iterations(groups, data, pair, target, rule):
    """(m, iterations of each seed) with the lambda of a rule at each m."""
    rows = []
    for (_, _, m), group in select_groups(groups, data, pair):
        place = most_accurate(group) if rule == "most accurate" else soonest(group, target)
        rows.append((m, [reached(record, place, target) for record in group]))
    return rows


def select_groups(groups, data, pair):
    """Return (key, records) of the groups of a data set and a pair of terms."""
    return [(key, group) for key, group in groups.items() if key[:2] == (data, pair)]


def largest_m(groups, data):
    """Return the largest number of samples of a data set."""
    return max(key[2] for key in groups if key[0] == data)
