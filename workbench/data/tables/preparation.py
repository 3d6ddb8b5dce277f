"""Columns as numbers by transformers of scikit-learn, which follow the rules of `columns`."""

from __future__ import annotations

import dataclasses
import functools
import io
import json
import math
import warnings
import zipfile
from dataclasses import dataclass, field
from typing import Any

from workbench._support.errors import InputError
from workbench.data.dataset import NumberedNames
from workbench.data.tables.columns import (
    BOOLEAN,
    CATEGORY,
    NUMBER,
    REASONS,
    SHOWN,
    USED,
    Decision,
    listing,
    numbers_of,
    texts_of,
)
from workbench.data.tables.libsvm import LARGEST

MISSING = ("mean", "median", "drop", "indicator")
# Categories with a smaller share of the rows are one together.
RARE_SHARE = 0.01
RARE, NO_VALUE = "(rare)", "(empty)"
# A matrix with more entries is sparse where it has many zeros.
DENSE_ENTRIES = 2**25
# Columns that get a sentence of their own.
SENTENCES = 30
# The only types that the pipeline of a model file may hold, whatever the file asks for.
TRUSTED = {
    "ColumnTransformer": "sklearn.compose._column_transformer",
    "MissingIndicator": "sklearn.impute._base",
    "SimpleImputer": "sklearn.impute._base",
    "Pipeline": "sklearn.pipeline",
    "MaxAbsScaler": "sklearn.preprocessing._data",
    "StandardScaler": "sklearn.preprocessing._data",
    "OneHotEncoder": "sklearn.preprocessing._encoders",
    "dtype": "numpy",
    "ndarray": "numpy",
    "float64": "numpy",
    "int64": "numpy",
} | dict.fromkeys(("dict", "float", "int", "list", "slice", "str", "tuple"), "builtins")
LOADERS = tuple(
    f"{kind}Node" for kind in ("DType", "Dict", "Json", "List", "NdArray", "Object", "Slice", "Tuple", "Type")
)
LARGEST_DUMP = 2**28


def check_missing(missing):
    """Return the choice; an `InputError` names the choices."""
    if missing is not None and missing not in MISSING:
        raise InputError(f"missing: unknown choice {missing!r}; use one of {', '.join(MISSING)}.")
    return missing


@dataclass(frozen=True, eq=False)
class Preparation:
    """The way from the columns of a table, or the features of a matrix, to X (n, D).

    Attributes
    ----------
    decisions : tuple of Decision
        One for each column, used or not; empty for a matrix.
    missing : str or None
        The filling of empty cells.
    standardize : bool
        True if columns of numbers are scaled.
    transformer : ColumnTransformer, MaxAbsScaler or None
        Fitted to the training rows by scikit-learn; None for a matrix that is used as it is.
    first, count : int
        Of a matrix: the number of its first feature, and the number of its features.
    """

    decisions: tuple[Decision, ...]
    missing: str | None
    standardize: bool
    transformer: Any = field(default=None, repr=False)
    first: int = 0
    count: int = 0

    @classmethod
    def of_matrix(cls, X, first=0, standardize=False):
        """Take the features of a sparse matrix, each divided by its largest absolute value if asked for."""
        from sklearn.preprocessing import MaxAbsScaler

        scaler = MaxAbsScaler().fit(X) if standardize else None
        return cls((), None, bool(standardize), scaler, first, X.shape[1])

    def fit(self, frame, where="the table"):
        """Return the same rules with fills, categories and scales of these rows."""
        from sklearn.base import clone

        if self.is_matrix:
            return self if self.transformer is None else self.of_matrix(frame, self.first, True)
        self._check(frame, where)
        plain = self._plain(frame, where)
        transformer = clone(self.transformer) if self.transformer is not None else self._blocks(plain)
        return dataclasses.replace(self, transformer=transformer.fit(plain))

    def _blocks(self, plain):
        """Return the `ColumnTransformer` that follows the rules."""
        from sklearn.compose import ColumnTransformer
        from sklearn.impute import SimpleImputer
        from sklearn.pipeline import Pipeline
        from sklearn.preprocessing import OneHotEncoder, StandardScaler

        is_filled, flags = self.missing not in (None, "drop"), self.missing == "indicator"

        def pipeline(strategy, *steps, **options):
            fill = SimpleImputer(strategy=strategy, keep_empty_features=True, **options)
            return Pipeline([("fill", fill if is_filled else "passthrough"), *steps])

        # Means are taken out first: deviations of columns far from zero are then those of their samples.
        scaling = [("center", StandardScaler(with_std=False)), ("scale", StandardScaler())]
        encode = "encode", OneHotEncoder(handle_unknown="infrequent_if_exist", min_frequency=RARE_SHARE)
        average = "median" if self.missing == "median" else "mean"
        blocks = {
            NUMBER: pipeline(average, *(scaling if self.standardize else []), add_indicator=flags),
            BOOLEAN: pipeline("most_frequent", add_indicator=flags),
            CATEGORY: pipeline("constant", encode, fill_value=NO_VALUE)
            if flags
            else pipeline("most_frequent", encode),
        }
        names = {kind: self._names_of(kind) for kind in USED}
        width = len(names[NUMBER] + names[BOOLEAN])
        width += sum(min(plain[name].nunique(), 1 / RARE_SHARE) for name in names[CATEGORY])
        return ColumnTransformer(
            [(kind, blocks[kind], names[kind]) for kind in USED if names[kind]],
            sparse_threshold=0.3 if len(plain) * width > DENSE_ENTRIES else 0.0,
        )

    @property
    def is_matrix(self):
        """True for the features of a matrix, which have no names."""
        return not self.decisions

    @property
    def columns(self):
        """Names of the table's columns that are used, in the order of the table."""
        return [decision.name for decision in self.decisions if decision.is_used]

    def transform(self, data, where="the table", unknown="refuse"):
        """Return X (m, D) of a DataFrame, whose columns are found by their names, or of a matrix.

        A category that training did not see is refused, or with unknown="ignore" counted as a rare one, or as
        none of those known where none was rare. Missing columns and empty cells are refused by their names.
        """
        import numpy as np
        from scipy import sparse

        if self.is_matrix:
            X = sparse.csr_array(data, dtype=float)
            X.resize((X.shape[0], self.count))
            return X if self.transformer is None else sparse.csr_array(self.transformer.transform(X))
        self._check(data, where)
        plain = self._plain(data, where)
        if unknown == "refuse":
            self._check_categories(plain, where)
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Found unknown categories", UserWarning)
            X = self.transformer.transform(plain)
        return sparse.csr_array(X) if sparse.issparse(X) else np.ascontiguousarray(X, dtype=float)

    def _plain(self, frame, where):
        """Return the used columns as floats, and as texts with nan for an empty cell."""
        import numpy as np
        import pandas as pd

        names = self._names_of(NUMBER) + self._names_of(BOOLEAN)
        block = frame[names].set_axis(pd.RangeIndex(len(frame)))
        is_numeric = all(isinstance(dtype, np.dtype) and dtype.kind in "iufb" for dtype in block.dtypes)
        if not is_numeric or not (block.fillna(0.0).abs() <= LARGEST).to_numpy().all():
            block = pd.DataFrame({name: numbers_of(block[name], where) for name in names})
        texts = {
            name: np.array([np.nan if text is None else text for text in texts_of(frame[name])], dtype=object)
            for name in self._names_of(CATEGORY)
        }
        return pd.concat([block.astype(float), pd.DataFrame(texts, index=block.index)], axis=1)

    def _check(self, frame, where):
        absent = [name for name in self.columns if name not in frame.columns]
        if absent:
            raise InputError(
                f"{where} lacks {'the column' if len(absent) == 1 else f'{len(absent)} columns'} "
                f"{listing(map(repr, absent))}; give every column that the model was trained on."
            )
        if self.missing not in (None, "drop"):
            return
        holes = frame[self.columns].isna().sum()
        holes = holes[holes > 0]
        if len(holes):
            counts = listing(f"{name} ({count})" for name, count in holes.items())
            fix = 'go on with missing="mean", "median", "drop" or "indicator"'
            if self.transformer is not None:
                fix = 'fill them in, or train with missing="mean", "median" or "indicator"'
            raise InputError(f"{where}: empty cells in {counts}; {fix}.")

    def _check_categories(self, plain, where):
        faults = []
        for name, known in self._categories().items():
            new = [repr(text[:SHOWN]) for text in plain[name].dropna().unique() if text not in set(known)]
            faults += [f"{listing(new)} in {name!r}"] if new else []
        if faults:
            raise InputError(
                f"{where}: categories that training did not see, {'; '.join(faults)}; correct them, or give "
                'unknown="ignore" to count them as rare ones.'
            )

    # The columns of X

    def _names_of(self, kind):
        return [decision.name for decision in self.decisions if decision.kind == kind]

    def _step(self, kind, name):
        """Return a fitted step of the columns of a kind, or None."""
        pipeline = self.transformer.named_transformers_.get(kind)
        step = None if pipeline is None else pipeline.named_steps.get(name)
        return None if isinstance(step, str) else step

    def _categories(self):
        """Return the categories that training saw, by column."""
        encoder = self._step(CATEGORY, "encode")
        return dict(zip(self._names_of(CATEGORY), encoder.categories_, strict=True)) if encoder else {}

    def _flagged(self, kind):
        """Return the places of the columns of a kind whose empty cells a column flags."""
        imputer = self._step(kind, "fill") if kind != CATEGORY else None
        return [] if imputer is None or imputer.indicator_ is None else imputer.indicator_.features_.tolist()

    @functools.cached_property
    def names(self):
        """Names of the columns of X."""
        if self.is_matrix:
            return NumberedNames(self.count, self.first)
        names = []
        for kind in (NUMBER, BOOLEAN):
            own = self._names_of(kind)
            names += [*own, *(f"{own[j]} is empty" for j in self._flagged(kind))]
        categories = self._categories()
        rare = self._step(CATEGORY, "encode").infrequent_categories_ if categories else []
        for (name, values), few in zip(categories.items(), rare, strict=True):
            few = [] if few is None else list(few)
            names += [f"{name} = {value}" for value in values if value not in few]
            names += [f"{name} = {RARE}"] * bool(few)
        return names

    @functools.cached_property
    def scales(self):
        """(mean, scale) of each column of X (D,): what was subtracted, and then divided by."""
        import numpy as np

        mean, scale = np.zeros(len(self.names)), np.ones(len(self.names))
        if self.is_matrix:
            return mean, scale if self.transformer is None else self.transformer.scale_
        scaler = self._step(NUMBER, "scale")
        if scaler is not None:
            center = self._step(NUMBER, "center").mean_
            mean[: len(center)], scale[: len(center)] = center + scaler.mean_, scaler.scale_
        return mean, scale

    @property
    def is_scaled(self):
        """True if anything is subtracted or divided."""
        mean, scale = self.scales
        return bool(mean.any() or (scale != 1.0).any())

    @property
    def numbers(self):
        """{name: place in X} of the columns of numbers."""
        return {name: place for place, name in enumerate(self._names_of(NUMBER))}

    def in_own_units(self, w, b):
        """Return weights (D,) or (D, r) and bias for the columns as the file has them."""
        mean, scale = self.scales
        own = (w.T / scale).T
        return own, b - mean @ own

    def from_own_units(self, w, b):
        """Return weights and bias on the columns of X: the inverse of `in_own_units`."""
        mean, scale = self.scales
        return (w.T * scale).T, b + mean @ w

    # The list of decisions

    def describe(self):
        """Return what was decided, one sentence a column: {name: sentence}."""
        return {decision.name: self._sentence(decision) for decision in self.decisions}

    def _sentence(self, decision):
        name, kind, empty = decision
        if not decision.is_used:
            return f"left out: {REASONS[kind]}"
        place = self._names_of(kind).index(name)
        filled = self._fill_sentence(kind, place, empty)
        if kind == BOOLEAN:
            return f"true is 1, false is 0{filled}"
        if kind == CATEGORY:
            own = [text.removeprefix(f"{name} = ") for text in self.names if text.startswith(f"{name} = ")]
            few = len(self._categories()[name]) - len(own) + 1
            rare = f"; {RARE} stands for {few} with fewer than 1 % of the rows" if RARE in own else ""
            return f"category, a column each for {listing(own)}{rare}{filled}"
        scaler, (mean, scale) = self._step(NUMBER, "scale"), self.scales
        if scaler is None:
            return f"number{filled}"
        if math.isclose(scale[place] ** 2, scaler.var_[place], rel_tol=1e-6):
            how = f"mean {mean[place]:.4g} and deviation {scale[place]:.4g} become 0 and 1"
        else:  # scikit-learn takes it for rounding, and does not divide by it
            how = f"mean {mean[place]:.4g} becomes 0, the deviation is left as it is"
        return f"number{filled}; {how}"

    def _fill_sentence(self, kind, place, empty):
        imputer = self._step(kind, "fill")
        if imputer is None or not empty:
            return ""
        value = imputer.statistics_[place]
        value = value if isinstance(value, str) else f"{value:.4g}"
        cells = "1 empty cell becomes" if empty == 1 else f"{empty} empty cells become"
        flag = ", with a column that flags them" if place in self._flagged(kind) else ""
        return f"; {cells} {value}{flag}"

    @property
    def sentences(self):
        """The decisions for the reader: a sentence a column, or a kind where there are many columns."""
        if self.is_matrix:
            return ["every feature divided by its largest absolute value"] if self.standardize else []
        if len(self.decisions) <= SENTENCES:
            return [f"column {name!r}: {text}" for name, text in self.describe().items()]
        how = ", standardized to mean 0 and deviation 1" if self.standardize else ""
        labels = {NUMBER: f"numbers{how}", BOOLEAN: "true and false as 1 and 0", CATEGORY: "categories"}
        labels |= {kind: f"left out, {reason}" for kind, reason in REASONS.items()}
        names = {kind: self._names_of(kind) for kind in labels}
        return [
            f"{len(names[kind]):,} column{'s' * (len(names[kind]) > 1)}: {label} ({listing(names[kind])})"
            for kind, label in labels.items()
            if names[kind]
        ]

    # The file

    def saved(self):
        """Return what a model file holds of it: an object for JSON, and the transformer as bytes of skops."""
        import skops.io

        fields = ("missing", "standardize", "first", "count")
        meta = {"decisions": [list(decision) for decision in self.decisions]}
        meta |= {name: getattr(self, name) for name in fields}
        return meta, skops.io.dumps(self.transformer) if self.transformer is not None else b""

    @classmethod
    def of_saved(cls, meta, dump: bytes):
        """Return what `saved` gave; ValueError says what is wrong with it."""
        decisions = tuple(Decision(*fields) for fields in meta["decisions"])
        names = [decision.name for decision in decisions]
        sizes = [meta[name] for name in ("first", "count")]
        if len(set(names)) != len(names) or not all(isinstance(name, str) for name in names):
            raise ValueError("the names of the columns are not different texts")
        if not {decision.kind for decision in decisions} <= {*USED, *REASONS}:
            raise ValueError("a column has an unknown kind")
        if not all(isinstance(size, int) and 0 <= size < 2**63 for size in sizes):
            raise ValueError("the sizes are not numbers")
        transformer = load_transformer(dump) if dump else None
        missing, standardize = check_missing(meta["missing"]), bool(meta["standardize"])
        result = cls(decisions, missing, standardize, transformer, *sizes)
        result._check_transformer()
        return result

    def _check_transformer(self):
        """Transform a row, so that a pipeline that does not fit the columns is refused when it is read."""
        import pandas as pd
        from sklearn.compose import ColumnTransformer

        if self.is_matrix:
            if self.transformer is not None and self.transformer.scale_.shape != (self.count,):
                raise ValueError("the scales do not fit the features")
            return
        if not isinstance(self.transformer, ColumnTransformer) or self.transformer.n_jobs is not None:
            raise ValueError("the pipeline is not the one of the columns")
        row = pd.DataFrame(
            {name: ["a" if kind == CATEGORY else 0.0] for name, kind, _ in self.decisions if kind in USED}
        )
        try:
            width = self.transform(row, unknown="ignore").shape[1]
            if width != len(self.names) or not (self.scales[1] > 0.0).all():
                raise ValueError
            self.describe()
        except Exception:  # whatever scikit-learn raises for parts that do not belong together
            raise ValueError("the pipeline does not fit the columns") from None


def load_transformer(dump: bytes):
    """Return the estimator of a skops dump that holds no type but those of `TRUSTED`; ValueError else."""
    import skops.io

    try:
        with zipfile.ZipFile(io.BytesIO(dump)) as archive:
            if sum(entry.file_size for entry in archive.infolist()) > LARGEST_DUMP:
                raise ValueError("the pipeline is too large")
            json.loads(archive.read("schema.json"), object_hook=_check_type)
        # Of our list all but NumPy's dtype are trusted by skops already; it asks for that by name.
        return skops.io.loads(dump, trusted=["numpy.dtype"])
    except ValueError:
        raise
    except Exception as error:  # whatever skops, zipfile and NumPy raise for bytes that mean nothing
        raise ValueError(f"the pipeline is damaged ({type(error).__name__})") from None


def _check_type(node):
    """Refuse an object of the schema with a type, or a way to load one, that is not listed."""
    if node.keys() & {"__class__", "__module__", "__loader__"}:
        name, module, loader = (node.get(f"__{key}__") for key in ("class", "module", "loader"))
        if TRUSTED.get(name if isinstance(name, str) else "") != module or loader not in LOADERS:
            raise ValueError(
                f"the pipeline holds the type {str(module)[:60]}.{str(name)[:60]}, which is not trusted"
            )
    return node
