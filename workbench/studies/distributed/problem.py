"""`DistributedProblem`: what is solved, and where its rows come from."""

from __future__ import annotations

import glob
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp

from workbench._support.errors import InputError, shown
from workbench._support.names import Public, check_whole
from workbench.data.split import as_values
from workbench.problems.problem import Problem
from workbench.studies.distributed import parts as worker

if TYPE_CHECKING:
    from workbench.problems.losses.base import Loss
    from workbench.problems.regularizers.base import Regularizer
    from workbench.solvers.solution import Solution


@dataclass(frozen=True)
class Source:
    """Source of one part on its worker: a call that is a task."""

    name: str
    function: object
    arguments: tuple = ()
    blocks: tuple = ()  # delayed objects of Dask that go before the other arguments


class DistributedProblem(Public):
    """min over w of (1/n) sum_i f(w.x_i, y_i) + lam g(w), its samples in parts that stay on workers.

    Parameters
    ----------
    parts : str, list of paths, (X, y), DataFrame or (Problem, K)
        A pattern such as `"parts/*.libsvm"`, or paths, of files that every worker sees: LIBSVM, CSV, Parquet,
        npz and whatever else `wb.data.read` takes, one part a file, converted once into a folder beside them.
        Or dask arrays X (n, d) and y (n,) with one part a block of rows, or a dask dataframe. Or a problem
        that fits into this process and into how many parts to cut it, which has its own loss and the rest.
    loss : str or Loss
        As for `Problem`, with one prediction a sample.
    regularizer : str or Regularizer
        As for `Problem`; h needs a bounded curvature, as squared-l2 and elastic-net have it.
    lam : float
    bias : False or "constant"
    target : str or int, optional
        Of tables and dataframes: the column to predict, as for `wb.data.read`.
    positive : value or iterable of values, optional
        Of files and dataframes: these labels become +1 and the others -1.
    zero_based, n_features
        Of LIBSVM files: as for `wb.data.read`; by default all parts together decide.

    Raises
    ------
    InputError
        Names the part and the line, the loss, the regularizer or the bias that does not work, and what would.
        What is wrong inside a part is found when a solve reads it.

    Examples
    --------
    >>> import workbench as wb
    >>> problem = wb.Problem([[1.0], [-1.0], [2.0]], [1, -1, 1], lam=0.1)
    >>> wb.DistributedProblem((problem, 3))
    DistributedProblem(3 parts, loss=Hinge(p=1), regularizer=SquaredL2(K=None), lam=0.1, bias=False)
    """

    def __init__(
        self,
        parts: object,
        loss: str | Loss = "hinge",
        regularizer: str | Regularizer = "squared-l2",
        lam: float = 1e-3,
        bias: bool | str = False,
        *,
        target: str | int | None = None,
        positive: object = None,
        zero_based: bool | str = "auto",
        n_features: int | None = None,
    ) -> None:
        self.reading = target, None if positive is None else as_values(positive), zero_based, n_features
        if isinstance(parts, tuple) and len(parts) == 2 and isinstance(parts[0], Problem):
            whole, count = parts
            check_whole("DistributedProblem", "parts", count, 1, whole.n_samples, usual=8)
            refuse(whole)
            self.sources = _cut(whole, count)
        else:
            refuse_bias(bias)
            # A problem of nothing has the same faults as the whole in all but its data.
            whole = framed(1, loss, regularizer, lam, bias)
            refuse(whole)
            self.sources = self._sources(parts)
        self.loss, self.regularizer, self.lam, self.bias = (
            whole.loss,
            whole.regularizer,
            whole.lam,
            whole.bias,
        )

    def __len__(self):
        return len(self.sources)

    def __repr__(self):
        return (
            f"DistributedProblem({len(self)} parts, loss={self.loss!r}, regularizer={self.regularizer!r}, "
            f"lam={self.lam:g}, bias={self.bias!r})"
        )

    def solve(self, **options: object) -> Solution:
        """`wb.solve(problem, client=client, tol=...)`; see `workbench.studies.distributed.solving.solve`."""
        from workbench.studies.distributed import solving

        return solving.solve(self, **options)

    def _sources(self, source):
        if hasattr(source, "to_delayed"):
            return _blocks("partition", worker.of_frame, [[x] for x in source.to_delayed()], self.reading[:2])
        if isinstance(source, tuple) and len(source) == 2 and hasattr(source[0], "to_delayed"):
            return _blocks("block", worker.of_arrays, _rows_of(*source))
        paths = _paths(source)
        names = [_called(k, len(paths), path) for k, path in enumerate(paths)]
        return [
            Source(name, worker.of_file, (name, path, *self.reading))
            for name, path in zip(names, paths, strict=True)
        ]

    def checked(self, looks: list[worker.Look]) -> tuple[Problem, int]:
        """Return the problem's frame and the first feature's number, from what all parts tell.

        Raises
        ------
        InputError
            Names the part whose columns are others, the labels where no loss takes them.
        """
        first = min(look.first for look in looks)
        features = max(look.features + look.first - first for look in looks)
        self._check_columns(looks, features)
        if self.loss.kind == "margin":
            self._check_labels(looks)
        return framed(features, self.loss, self.regularizer, self.lam, self.bias), first

    def _check_columns(self, looks, features):
        first, fix = looks[0], "; give all parts the same columns"
        for look in looks[1:]:
            if look.names != first.names:
                here, there = set(look.names), set(first.names)
                lacks, more = (", ".join(sorted(names)[:3]) for names in (there - here, here - there))
                what = [f"lacks {lacks}"] * bool(lacks) + [f"has {more} besides"] * bool(more)
                raise InputError(
                    f"{look.name} has other columns than {first.name}: it "
                    f"{' and '.join(what) or 'orders them otherwise'}{fix}, and categories as numbers"
                )
            # LIBSVM writes what is not zero alone, so that a file may have fewer columns than there are.
            if look.features != features and self.sources[0].function is not worker.of_file:
                raise InputError(
                    f"{look.name} has {look.features} columns where {features} are in others{fix}"
                )

    def _check_labels(self, looks):
        for look in looks:
            for label in ["many different ones"] if look.labels is None else look.labels:
                if label not in (-1.0, 1.0):
                    raise InputError(
                        f"{look.name}: the {self.loss.name} loss needs labels -1 and +1, and here is "
                        f"{shown(label)}; pass positive=... with the label that counts as +1"
                    )
        labels = {label for look in looks for label in look.labels}
        if len(labels) < 2:
            raise InputError(
                f"all {len(looks)} parts have the label {labels.pop():+g} alone; give samples of both classes"
            )


def framed(features, loss, regularizer, lam, bias):
    """Return the problem of one row without entries, with this objective, as the client sees it."""
    return Problem(sp.csr_array((1, features)), np.ones(1), loss, regularizer, lam, bias)


def _called(k, count, what):
    return f"part {k} of {count}, {what}"


def _paths(parts):
    """Return the paths that a pattern or a list stands for."""
    if isinstance(parts, str | os.PathLike):
        pattern = str(Path(parts).expanduser())
        paths = sorted(path for path in glob.glob(pattern) if Path(path).is_file())  # noqa: PTH207, any folder
        if not paths:
            raise InputError(
                f"parts: no file is called {str(parts)!r} here; give a pattern such as 'parts/*.libsvm', or "
                "paths that this process and every worker can read"
            )
    elif isinstance(parts, list | tuple) and parts and all(isinstance(x, str | os.PathLike) for x in parts):
        paths = [str(Path(path).expanduser()) for path in parts]
    else:
        raise InputError(
            f"parts: {type(parts).__name__} is not supported; give a pattern of files, a list of paths, "
            "dask arrays (X, y), a dask dataframe, or (Problem, K)"
        )
    return [str(Path(path).absolute()) for path in paths]


def _rows_of(X, y):
    """Return the blocks of rows of two dask arrays, in pairs."""
    if X.ndim != 2 or y.ndim != 1:
        raise InputError(f"parts: X and y have {X.ndim} and {y.ndim} dimensions where 2 and 1 are needed")
    if X.shape[0] != y.shape[0] and not np.isnan(X.shape[0] + y.shape[0]):
        raise InputError(f"parts: X has {X.shape[0]} rows and y {y.shape[0]}; give one target per row")
    X = X.rechunk({1: -1})
    if X.chunks[0] != y.chunks[0]:
        y = y.rechunk({0: X.chunks[0]})
    return [*zip(X.to_delayed().ravel(), y.to_delayed().ravel(), strict=True)]


def _blocks(what, function, blocks, options=()):
    """One source for each block of a collection of Dask."""
    names = [_called(k, len(blocks), what) for k in range(len(blocks))]
    return [
        Source(name, function, (name, *options), tuple(block))
        for name, block in zip(names, blocks, strict=True)
    ]


def _cut(whole, count):
    """One source for each range of rows of a problem; the constant feature comes again on the worker."""
    n, data, sources = whole.n_samples, whole.data, []
    for k in range(count):
        first, last = n * k // count, n * (k + 1) // count
        name = _called(k, count, f"rows {first} to {last - 1}")
        X = data.design.rows[first:last, : whole.n_features]
        weight = data.weight[first:last].copy()
        raw = worker.of_arrays(X, data.y[first:last].copy(), name, weight=weight)
        sources.append(Source(name, worker.as_given, (raw,)))
    return sources


def refuse_bias(bias):
    """Refuse a bias that ties all parts."""
    if bias is True:
        raise InputError(
            "distributed: bias = True needs sum alpha = 0 over all parts, which no part can keep alone; use "
            "bias = 'constant', a regularized one; or solve it in one process with Problem(...)"
        )


def refuse(problem):
    """Refuse by name what cannot be solved in parts."""
    instead = "; or solve it in one process with Problem(...)"
    if problem.tasks:
        raise InputError(f"distributed: y has {problem.y.shape[1]} columns; give one of them{instead}")
    if problem.columns:
        raise InputError(
            f"distributed: the {problem.loss.name} loss has several predictions per sample; take one class "
            f"against the rest with logistic, class by class{instead}"
        )
    refuse_bias(problem.bias)
    for name in ("kernel", "constraints", "weight_constraints", "embed"):
        if getattr(problem, name) is not None:
            raise InputError(f"distributed: a problem with {name} cannot be divided; leave it out{instead}")
    regularizer = problem.regularizer
    if regularizer.is_norm or not regularizer.curvature < np.inf:
        lacks = "smooth conjugate" if regularizer.is_norm else "bound of the curvature of its conjugate"
        raise InputError(
            f"distributed: {regularizer.label} has no {lacks}, so that parts cannot be updated at once; use "
            f"squared-l2 or elastic-net{instead}"
        )
