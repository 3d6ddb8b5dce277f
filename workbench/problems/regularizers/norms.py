"""Norms as regularizers, chosen by their parameters; `norm_transfers` evaluates them.

Where w is a matrix (d, r), as with the multinomial loss, every norm is
one of its entries, and a group of features takes their rows along; SPAMS sums a vector's norm over the
columns instead.

Source       docs/mathematics.md, section 3, section 6; Mairal, SPAMS documentation, appendix A

>>> import workbench as wb
>>> wb.regularizers.get("l1")
L1()
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Never

import numpy as np

from workbench._support.errors import InputError
from workbench._support.names import validate_integer, validate_number
from workbench.problems.regularizers import group_sets
from workbench.problems.regularizers.base import Regularizer
from workbench.problems.regularizers.norm_transfers import Crossing, Grouped, Nested, Singular

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench._support.annotations import Floats
    from workbench.problems.regularizers.base import RegularizerFacts, RegularizerRow
    from workbench.problems.regularizers.group_sets import Groups
    from workbench.problems.regularizers.norm_transfers import NormTransfer


__all__ = [
    "L1",
    "L2",
    "REGISTRY",
    "GroupL1L2",
    "GroupL1Linf",
    "GroupNorm",
    "Linf",
    "MatrixNorm",
    "Norm",
    "RowsL1L2",
    "RowsL1Linf",
    "SparseGroup",
    "Trace",
    "Tree",
]


def __dir__() -> list[str]:
    return __all__


@dataclass(frozen=True)
class Norm(Regularizer):
    """A norm with its parameters fixed, for any number of coordinates.

    >>> import workbench as wb
    >>> all(issubclass(norm, wb.norms.Norm) for norm in wb.norms.REGISTRY.values())
    True
    """

    inequality: ClassVar[str] = "Hölder's inequality"
    is_norm: ClassVar[bool] = True
    # Whether a group counts by its largest magnitude, and not by its length.
    largest: ClassVar[bool] = False

    @property
    def row(self) -> RegularizerRow:
        """The row that the table of formulas has of a smooth regularizer."""
        return {
            "parameters": {},
            "structure": "norm",
            "linear": False,
            "neutral_scale": 0.0,
            "steep": False,
        }

    def facts(self) -> RegularizerFacts:
        return {
            "lower": -np.inf,
            "upper": np.inf,
            "curvature": np.inf,
            "parts": (),
            "kinks": ((0.0, -1.0, 1.0),),
            "smoothness": 0.0,
        }

    @property
    def has_prox(self) -> bool:
        return True

    def function(self, part: str) -> Never:
        raise InputError(
            f"{self.name}: a norm has no smooth conjugate; solve it with solver='proximal-gradient'"
        )

    def halves(self, w: Floats) -> tuple[Floats, Floats]:
        # The first has less of a norm that weighs both halves alike, the second of one that does not.
        pairs = super().halves(w), (np.maximum(w, 0.0), np.maximum(-w, 0.0))
        transfer = self.at(2 * w.shape[0], *w.shape[1:])
        return min(pairs, key=lambda pair: transfer.value(np.concatenate(pair).ravel()))

    def fitted(self, features: int, columns: int) -> Groups:
        """Return the groups of the entries of w; one group of all entries unless a norm overrides this."""
        return group_sets.Groups([np.arange(features * columns)], [1.0])

    def at(self, size: int, columns: int = 1) -> NormTransfer:
        return Grouped(self, size * columns, self.fitted(size, columns), largest=self.largest)


@dataclass(frozen=True)
class L1(Norm):
    """sum_j |w_j|: the lasso.

    >>> import numpy as np
    >>> import workbench as wb
    >>> wb.norms.L1().at(2).prox(np.array([0.3, -2.0]), 0.5)
    array([ 0. , -1.5])
    """

    name: ClassVar[str] = "l1"

    @property
    def separable_parts(self) -> tuple[float, float]:
        return 1.0, 0.0

    def at(self, size: int, columns: int = 1) -> NormTransfer:
        return Grouped(self, size * columns, share=1.0)


@dataclass(frozen=True)
class L2(Norm):
    """The Euclidean length of w, not its square; of a matrix the Frobenius norm.

    >>> import numpy as np
    >>> import workbench as wb
    >>> wb.norms.L2().at(2).prox(np.array([3.0, 4.0]), 1.0)
    array([2.4, 3.2])
    """

    name: ClassVar[str] = "l2"
    formula_text: ClassVar[str] = "|w|_2, not squared"
    inequality: ClassVar[str] = "the Cauchy-Schwarz inequality"


@dataclass(frozen=True)
class Linf(Norm):
    """max_j |w_j|.

    >>> import numpy as np
    >>> import workbench as wb
    >>> wb.norms.Linf().at(3).prox(np.array([1.0, -3.0, 2.0]), 1.0)
    array([ 1., -2.,  2.])
    """

    name: ClassVar[str] = "linf"
    largest: ClassVar[bool] = True


@dataclass(frozen=True)
class GroupNorm(Norm):
    """A sum over disjoint groups of features that cover all of them.

    Parameters
    ----------
    groups : sequence of sequences of int, optional
        The features of each group.
    size : int, optional
        In place of groups: this many neighbours each; the last group may be smaller.
    weights : sequence of float, optional
        One above 0 a group, 1 where not given.

    Examples
    --------
    >>> import numpy as np
    >>> import workbench as wb
    >>> wb.norms.GroupL1L2(size=2).at(3).prox(np.array([3.0, 4.0, 0.5]), 1.0)  # the last group is smaller
    array([2.4, 3.2, 0. ])
    """

    groups: group_sets.Sets | None = None
    size: float | None = None
    weights: Sequence[float] | None = None

    def __post_init__(self) -> None:
        if self.size is not None:
            validate_integer(self, "size", 1, "a whole number of features")
        groups, weights = group_sets.read(self.name, self.groups, self.size, self.weights)
        object.__setattr__(self, "groups", groups)
        object.__setattr__(self, "weights", weights)
        shared = group_sets.overlap(groups)
        if shared is not None:
            raise InputError(
                f"{self.name}: feature {shared[0]} is in groups {shared[1]} and {shared[2]}; groups may not "
                "overlap here: use regularizer 'tree' where they are nested"
            )

    def fitted(self, features: int, columns: int) -> Groups:
        return group_sets.fitted(self.name, self.groups, self.size, self.weights, features, columns)


@dataclass(frozen=True)
class GroupL1L2(GroupNorm):
    """sum_g weight_g |w_g|_2: the group lasso.

    >>> import numpy as np
    >>> import workbench as wb
    >>> wb.norms.GroupL1L2(groups=[[0, 1], [2]]).at(3).prox(np.array([3.0, 4.0, 0.5]), 1.0)
    array([2.4, 3.2, 0. ])
    """

    name: ClassVar[str] = "group-l1l2"


@dataclass(frozen=True)
class GroupL1Linf(GroupNorm):
    """sum_g weight_g max_{j in g} |w_j|.

    >>> import numpy as np
    >>> import workbench as wb
    >>> wb.norms.GroupL1Linf(groups=[[0, 1], [2]]).at(3).prox(np.array([3.0, 4.0, 0.5]), 1.0)
    array([3., 3., 0.])
    """

    name: ClassVar[str] = "group-l1linf"
    largest: ClassVar[bool] = True


@dataclass(frozen=True)
class SparseGroup(GroupNorm):
    """share |w|_1 + sum_g weight_g |w_g|_2, share above 0.

    >>> import numpy as np
    >>> import workbench as wb
    >>> wb.norms.SparseGroup(groups=[[0, 1], [2]], share=0.5).at(3).prox(np.array([3.5, 4.5, 0.5]), 1.0)
    array([2.4, 3.2, 0. ])
    """

    share: float = 1.0
    name: ClassVar[str] = "sparse-group"

    def __post_init__(self) -> None:
        super().__post_init__()
        validate_number(self, "share", above=0.0)

    def at(self, size: int, columns: int = 1) -> NormTransfer:
        return Grouped(self, size * columns, self.fitted(size, columns), share=float(self.share))


@dataclass(frozen=True)
class MatrixNorm(Norm):
    """A norm of w as a matrix: (d, r) with the multinomial loss, else w in rows of `columns` entries.

    >>> import workbench as wb
    >>> wb.norms.RowsL1L2(columns=2).shape(6, 1)
    (3, 2)
    """

    columns: float | None = None

    def __post_init__(self) -> None:
        if self.columns is not None:
            validate_integer(self, "columns", 1)

    def shape(self, size: int, columns: int) -> tuple[int, int]:
        """Return the rows and columns of the matrix, for `size` features and `columns` outputs."""
        width = columns if self.columns is None else int(self.columns)
        if columns > 1 and width != columns:
            raise InputError(f"{self.name}: columns = {width} where w has {columns}; leave columns out")
        if (size * columns) % width:
            raise InputError(
                f"{self.name}: {size} features do not fill rows of {width}; choose columns that divide them"
            )
        return size * columns // width, width

    def fitted(self, features: int, columns: int) -> Groups:
        rows, wide = self.shape(features, columns)
        return group_sets.Groups(list(np.arange(rows * wide).reshape(rows, wide)), np.ones(rows))


@dataclass(frozen=True)
class RowsL1L2(MatrixNorm):
    """The sum of the lengths of the rows of w: multi-task selection of features.

    >>> import numpy as np
    >>> import workbench as wb
    >>> wb.norms.RowsL1L2(columns=2).at(4).prox(np.array([3.0, 4.0, 0.3, 0.4]), 1.0)
    array([2.4, 3.2, 0. , 0. ])
    """

    name: ClassVar[str] = "rows-l1l2"


@dataclass(frozen=True)
class RowsL1Linf(MatrixNorm):
    """The sum of the largest magnitudes of the rows of w.

    >>> import numpy as np
    >>> import workbench as wb
    >>> wb.norms.RowsL1Linf(columns=2).at(4).prox(np.array([3.0, 1.0, 0.3, 0.4]), 1.0)
    array([2., 1., 0., 0.])
    """

    name: ClassVar[str] = "rows-l1linf"
    largest: ClassVar[bool] = True


@dataclass(frozen=True)
class Trace(MatrixNorm):
    """The sum of the singular values of w.

    >>> import numpy as np
    >>> import workbench as wb
    >>> wb.norms.Trace(columns=2).at(4).prox(np.array([3.0, 0.0, 0.0, 0.5]), 1.0).round(12)
    array([2., 0., 0., 0.])
    """

    name: ClassVar[str] = "trace"
    inequality: ClassVar[str] = "von Neumann's trace inequality"

    def at(self, size: int, columns: int = 1) -> NormTransfer:
        return Singular(self, self.shape(size, columns))


@dataclass(frozen=True)
class Tree(Norm):
    """sum_g weight_g |w_g|_2 over groups of which any two are nested or disjoint.

    Groups that overlap otherwise are taken, since their norm has a value; what needs the dual norm or
    the proximal point then says that it is not available.

    >>> import numpy as np
    >>> import workbench as wb
    >>> wb.norms.Tree(groups=[[0], [1], [0, 1]]).at(2).prox(np.array([4.0, 0.5]), 1.0)
    array([2., 0.])
    """

    groups: group_sets.Sets | None = None
    weights: Sequence[float] | None = None
    name: ClassVar[str] = "tree"

    def __post_init__(self) -> None:
        if self.groups is None:
            raise InputError("tree: groups is missing; give nested groups such as groups=[[0], [1], [0, 1]]")
        groups, weights = group_sets.read(self.name, self.groups, None, self.weights)
        object.__setattr__(self, "groups", groups)
        object.__setattr__(self, "weights", weights)

    def at(self, size: int, columns: int = 1) -> NormTransfer:
        sets = self.groups or ()
        order, crossing = group_sets.leaves_first(sets)
        if crossing is not None:
            groups = group_sets.fitted(self.name, sets, None, self.weights, size, columns)
            return Crossing(self, size * columns, groups, crossing)
        sets = [sets[g] for g in order]
        weights = None if self.weights is None else tuple(self.weights[g] for g in order)
        groups = group_sets.fitted(self.name, sets, None, weights, size, columns)
        return Nested(self, size * columns, groups)


REGISTRY: dict[str, type[Norm]] = {
    cls.name: cls
    for cls in (L1, L2, Linf, GroupL1L2, GroupL1Linf, SparseGroup, RowsL1L2, RowsL1Linf, Trace, Tree)
}
