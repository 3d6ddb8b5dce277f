"""From paired numbers to a claim with its verdict and its evidence."""

import itertools

import numpy as np

from workbench.studies.results import Claim

# Standard errors that a mean difference must lie from zero to decide.
DECISIVE = 2.0


def better(text, one, other, published=None, unit="points", over="draws"):
    """Return whether one lies above the other: by the mean of the paired differences and its standard error.

    Parameters
    ----------
    text : str
        The claim.
    one, other : array_like (k,)
        Numbers of the same k draws.
    published : float, optional
        The published difference.

    Returns
    -------
    Claim
        Decided where the mean difference is more than two standard errors away from zero; one draw decides
        nothing.
    """
    differences = np.subtract(one, other)
    count, mean = differences.size, float(differences.mean())
    if count < 2:
        return Claim(text, None, f"{mean:+.2f} {unit} in one of the {over}, too few for a verdict")
    error = float(differences.std(ddof=1) / np.sqrt(count))
    holds = None if abs(mean) <= DECISIVE * error else mean > 0.0
    ends = f"from {differences.min():+.2f} to {differences.max():+.2f}"
    evidence = f"{mean:+.2f} ± {error:.2f} {unit} (mean and its standard error over {count} {over}, {ends})"
    if published is not None:
        evidence += f"; published {published:+.1f}"
    return Claim(text, holds, evidence)


def orderings(relatives, chain):
    """Yield the orderings that a table claims, as (text, above, below).

    Parameters
    ----------
    relatives : dict of str to str
        The regularized relative of each online rule.
    chain : sequence of str
        The algorithms from the best to the worst, as published.
    """
    for online, regularized in relatives.items():
        yield "Regularization beats the online rule", regularized, online
    for above, below in itertools.pairwise(chain):
        yield "Ordering of the table", above, below


def within(text, ours, published, tolerance, unit="points"):
    """Return whether our number lies within a tolerance of the published one."""
    difference = ours - published
    return Claim(
        text,
        bool(abs(difference) <= tolerance),
        f"{ours:.1f} against {published:.1f}, {difference:+.1f} {unit}",
    )
