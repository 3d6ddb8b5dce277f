"""`DistributedProblem`: what is solved, and where its rows come from."""

from __future__ import annotations

import glob
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp

from workbench import losses, regularizers
from workbench.distributed import parts as worker
from workbench.errors import InputError, shown
from workbench.names import Public, check_number, check_whole
from workbench.problem.problem import Problem

if TYPE_CHECKING:
    from workbench.losses.base import Loss
    from workbench.regularizers.base import Regularizer
    from workbench.solution import Solution


@dataclass(frozen=True)
class Source:
    """How one part comes to its worker: a call that is a task."""

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
        self.target, self.zero_based, self.n_features = target, zero_based, n_features
        scalar = positive is None or isinstance(positive, str) or not np.iterable(positive)
        self.positive = None if positive is None else ((positive,) if scalar else tuple(positive))
        if isinstance(parts, tuple) and len(parts) == 2 and isinstance(parts[0], Problem):
            whole = parts[0]
            count = check_whole("DistributedProblem", "parts", parts[1], 1, whole.n_samples, usual=8)
            self.loss, self.regularizer, self.lam, self.bias = (
                whole.loss, whole.regularizer, whole.lam, whole.bias
            )  # fmt: skip
            refuse(whole)
            self.sources = _cut(whole, count)
            return
        self.loss, self.regularizer = losses.get(loss), regularizers.get(regularizer)
        self.lam = check_number("DistributedProblem", "lam", lam, above=0.0, usual=1e-2)
        self.bias = bias
        refuse_bias(bias)
        # A problem of nothing has the same faults as the whole in all but its data.
        refuse(framed(1, self.loss, self.regularizer, self.lam, bias))
        self.sources = self._sources(parts)

    @property
    def names(self) -> list[str]:
        """What the parts are called in messages."""
        return [source.name for source in self.sources]

    def __len__(self):
        return len(self.sources)

    def __repr__(self):
        return (
            f"DistributedProblem({len(self)} parts, loss={self.loss!r}, regularizer={self.regularizer!r}, "
            f"lam={self.lam:g}, bias={self.bias!r})"
        )

    def solve(self, **options: object) -> Solution:
        """`wb.solve(problem, client=client, tol=...)`; see `workbench.distributed.solving.solve`."""
        from workbench.distributed import solving

        return solving.solve(self, **options)

    def _sources(self, given):
        if hasattr(given, "to_delayed"):
            return self._of_frame(given)
        if isinstance(given, tuple) and len(given) == 2 and hasattr(given[0], "to_delayed"):
            return _of_arrays(*given)
        paths = _paths(given)
        options = self.target, self.positive, self.zero_based, self.n_features
        return [
            Source(
                _called(k, len(paths), path), worker.read_file, (_called(k, len(paths), path), path, *options)
            )
            for k, path in enumerate(paths)
        ]

    def _of_frame(self, frame):
        found = frame.to_delayed()
        names = [_called(k, len(found), "partition") for k in range(len(found))]
        return [
            Source(name, _framed_block, (name, self.target, self.positive), (block,))
            for name, block in zip(names, found, strict=True)
        ]

    def checked(self, looks: list[worker.Look]) -> tuple[Problem, int]:
        """The problem's frame and the first feature's number, from what all parts tell.

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
        known = looks[0]
        for look in looks[1:]:
            if look.names != known.names:
                here, there = set(look.names or ()), set(known.names or ())
                lacks, more = sorted(there - here)[:3], sorted(here - there)[:3]
                what = [f"lacks {', '.join(lacks)}"] * bool(lacks) + [
                    f"has {', '.join(more)} besides"
                ] * bool(more)
                raise InputError(
                    f"{look.name} has other columns than {known.name}: it "
                    f"{' and '.join(what) or 'orders them otherwise'}"
                    "; give all parts the same columns, and categories as numbers"
                )
            if look.features != features and not self._may_grow():
                raise InputError(
                    f"{look.name} has {look.features} columns where {features} are in others; give all "
                    f"parts the "
                    "same columns"
                )

    def _may_grow(self):
        """Whether a part may have fewer columns than there are: LIBSVM writes what is not zero alone."""
        return all(source.function is worker.read_file for source in self.sources)

    def _check_labels(self, looks):
        labels = set()
        for look in looks:
            bad = (
                ["many different ones"]
                if look.labels is None
                else [x for x in look.labels if x not in (-1.0, 1.0)]
            )
            if bad:
                raise InputError(
                    f"{look.name}: the {self.loss.name} loss needs labels -1 and +1, and here is "
                    f"{shown(bad[0])}; pass "
                    "positive=... with the label that counts as +1"
                )
            labels |= set(look.labels)
        if len(labels) < 2:
            raise InputError(
                f"all {len(looks)} parts have the label {labels.pop():+g} alone; give samples of both classes"
            )


def framed(features, loss, regularizer, lam, bias):
    """The problem of one row without entries, with this objective: what the client knows of the whole."""
    return Problem(sp.csr_array((1, features)), np.ones(1), loss, regularizer, lam, bias)


def _called(k, count, what):
    return f"part {k} of {count}, {what}"


def _paths(given):
    """The paths that a pattern or a list stands for."""
    if isinstance(given, str | os.PathLike):
        found = sorted(path for path in glob.glob(os.path.expanduser(str(given))) if os.path.isfile(path))
        if not found:
            raise InputError(
                f"parts: no file is called {str(given)!r} here; give a pattern such as 'parts/*.libsvm', or "
                "paths that this process and every worker see"
            )
    elif isinstance(given, list | tuple) and given and all(isinstance(x, str | os.PathLike) for x in given):
        found = [os.path.expanduser(str(path)) for path in given]
    else:
        raise InputError(
            f"parts: {type(given).__name__} is no such thing; give a pattern of files, a list of paths, "
            f"dask arrays "
            "(X, y), a dask dataframe, or (Problem, K)"
        )
    return [str(Path(path).absolute()) for path in found]


def _of_arrays(X, y):
    """One source for each block of rows of two dask arrays."""
    if X.ndim != 2 or y.ndim != 1:
        raise InputError(f"parts: X and y have {X.ndim} and {y.ndim} dimensions where 2 and 1 are needed")
    if X.shape[0] != y.shape[0] and not np.isnan(X.shape[0] + y.shape[0]):
        raise InputError(f"parts: X has {X.shape[0]} rows and y {y.shape[0]}; give one target a row")
    X = X.rechunk({1: -1})
    if X.chunks[0] != y.chunks[0]:
        y = y.rechunk({0: X.chunks[0]})
    blocks = zip(X.to_delayed().ravel(), y.to_delayed().ravel(), strict=True)
    count = X.numblocks[0]
    return [
        Source(name, _array_block, (name,), pair)
        for name, pair in ((_called(k, count, "block"), pair) for k, pair in enumerate(blocks))
    ]


def _array_block(X, y, name):
    return worker.of_arrays(name, X, y)


def _framed_block(frame, name, target, positive):
    return worker.of_frame(name, frame, target, positive)


def _cut(whole, count):
    """One source for each range of rows of a problem; the constant feature comes again on the worker."""
    n, found = whole.n_samples, []
    data = whole.data
    for k in range(count):
        first, last = n * k // count, n * (k + 1) // count
        name = _called(k, count, f"rows {first} to {last - 1}")
        rows = data.design.rows[first:last]
        if whole.bias == "constant":
            rows = rows[:, :-1]
        raw = worker.Raw(name, rows, data.y[first:last].copy(), None, 0, None, data.weight[first:last].copy())
        found.append(Source(name, _given, (raw,)))
    return found


def _given(raw):
    return raw


def refuse_bias(bias):
    """Refuse a bias that ties all parts."""
    if bias is True:
        raise InputError(
            "distributed: bias = True asks for sum alpha = 0 over all parts, which none keeps alone; use "
            "bias = 'constant', a regularized one; or solve it in one process with Problem(...)"
        )


def refuse(problem):
    """Refuse by name what cannot be solved in parts."""
    instead = "; or solve it in one process with Problem(...)"
    if problem.columns:
        raise InputError(
            f"distributed: the {problem.loss.name} loss has several predictions a sample; take one "
            f"class against "
            f"the rest with logistic, class by class{instead}"
        )
    refuse_bias(problem.bias)
    for name in ("kernel", "constraints", "embed"):
        if getattr(problem, name) is not None:
            raise InputError(f"distributed: a problem with {name} is not cut; leave it out{instead}")
    if problem.regularizer.is_norm or not problem.regularizer.curvature < np.inf:
        lacks = (
            "smooth conjugate" if problem.regularizer.is_norm else "bound of the curvature of its conjugate"
        )
        raise InputError(
            f"distributed: {problem.regularizer.label} has no {lacks}, so that parts cannot move at "
            f"once; use "
            f"squared-l2 or elastic-net{instead}"
        )
