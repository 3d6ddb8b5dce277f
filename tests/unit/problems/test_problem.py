"""A problem refuses wrong data, leaves the caller's alone, and equal data make equal problems."""

import numpy as np
import pytest
import scipy.sparse as sp

import workbench as wb
from tests.helpers.cases import samples
from workbench import losses, regularizers, solvers
from workbench._support import names
from workbench._support.errors import InputError
from workbench.problems import Problem

X, LABELS, TARGETS = samples(n=6, d=4)
N, D = X.shape
NAN, INF = float("nan"), float("inf")


def with_entry(array, place, value):
    copy = np.array(array, dtype=float)
    copy[place] = value
    return copy


# Each argument that is wrong, and what the message must name.
BAD_ARGUMENTS = {
    "nan in dense X": ({"X": with_entry(X, (2, 3), NAN)}, r"X\[2, 3\] is nan"),
    "inf in dense X": ({"X": with_entry(X, (0, 1), INF)}, r"X\[0, 1\] is inf"),
    "nan in X by columns": ({"X": np.asfortranarray(with_entry(X, (2, 3), NAN))}, r"X\[2, 3\] is nan"),
    "nan in CSR X": ({"X": sp.csr_array(with_entry(X, (4, 0), NAN))}, r"X\[4, 0\] is nan"),
    "-inf in CSC X": ({"X": sp.csc_array(with_entry(X, (5, 2), -INF))}, r"X\[5, 2\] is -inf"),
    "text in X": ({"X": [["red", "1"], ["blue", "2"]]}, "X cannot be read as numbers .*red.* encode"),
    "ragged X": ({"X": [[1.0, 2.0], [3.0]]}, "X cannot be read as numbers"),
    "X of one dimension": ({"X": X[0]}, "X has 1 dimensions; give a matrix"),
    "X of three dimensions": ({"X": X[None]}, "X has 3 dimensions"),
    "no samples": ({"X": np.empty((0, 3)), "y": []}, r"X has shape \(0, 3\); at least one sample"),
    "no features": ({"X": np.empty((6, 0))}, r"X has shape \(6, 0\); at least one sample and one feature"),
    "y too short": ({"y": LABELS[:-1]}, r"y has shape \(5,\) where \(6,\) is needed"),
    "y as a column": ({"y": LABELS[:, None]}, r"y has shape \(6, 1\) where \(6,\) is needed"),
    "nan in y": ({"y": with_entry(LABELS, 3, NAN)}, r"y\[3\] is nan"),
    "inf in y": ({"y": with_entry(TARGETS, 1, INF), "loss": "squared"}, r"y\[1\] is inf"),
    "missing y": ({"y": [1, -1, None, 1, -1, 1]}, r"y\[2\] is nan"),
    "text in y": ({"y": ["yes", "no"] * 3}, "y cannot be read as numbers .*yes.* encode"),
    "three labels": ({"y": [1, -1, 0, 1, 0, 1]}, r"y\[2\] is 0; the hinge loss needs labels -1 and"),
    "one label 0": ({"y": [0] * N}, r"y\[0\] is 0; the hinge loss needs labels -1 and \+1"),
    "a label between": ({"y": [1, -1, 1, 1, 0.5, 1], "loss": "logistic"}, r"y\[4\] is 0.5; the logistic"),
    "lam zero": ({"lam": 0}, "lam = 0 must be a finite number above 0"),
    "lam negative": ({"lam": -1e-3}, "lam = -0.001 must be"),
    "lam nan": ({"lam": NAN}, "lam = nan must be"),
    "lam infinite": ({"lam": INF}, "lam = inf must be"),
    "lam text": ({"lam": "small"}, "lam = 'small' is not a number"),
    "lam missing": ({"lam": None}, "lam = None is not a number"),
    "bias unknown": ({"bias": "free"}, "bias = 'free' is not available; use False, True, or 'constant'"),
    "bias one": ({"bias": 1}, "bias = 1 is not available"),
    "free bias, one class": (
        {"y": np.ones(N), "bias": True},
        r"y holds only labels \+1; a bias that is not regularized needs both classes",
    ),
    "free bias, a class without samples": (
        {"y": [0, 2, 0, 2, 0, 2], "bias": True, "loss": "multinomial"},
        "y holds no label 1; .* samples of every class",
    ),
    "classes that are not integers": ({"loss": "multinomial", "y": TARGETS}, r"labels 0, 1, ..., r - 1"),
    "classes below zero": ({"loss": "multinomial"}, r"y\[\d\] is -1; the multinomial loss needs labels 0"),
    "more classes than told": (
        {"loss": "multinomial:classes=2", "y": [0, 1, 2, 0, 1, 2]},
        "label 2 where classes = 2; raise classes",
    ),
    "classes embedded": (
        {"loss": "multinomial", "y": [0, 1, 2, 0, 1, 2], "embed": "balanced"},
        "embed = 'balanced' does not go with the multinomial loss",
    ),
    "embed unknown": ({"embed": "signed"}, "embed = 'signed' is not known; use None or 'balanced'"),
    "weight zero": ({"sample_weight": with_entry(np.ones(N), 2, 0.0)}, r"sample_weight\[2\] is 0; leave out"),
    "weight negative": ({"sample_weight": with_entry(np.ones(N), 5, -2.0)}, r"sample_weight\[5\] is -2"),
    "weight nan": ({"sample_weight": with_entry(np.ones(N), 1, NAN)}, r"sample_weight\[1\] is nan"),
    "weights too many": ({"sample_weight": np.ones(N + 1)}, r"sample_weight has shape \(7,\) where \(6,\)"),
    "loss unknown": ({"loss": "hinj"}, "loss: 'hinj' is not known; .* 'hinge'.*known are .*squared"),
    "loss of another kind": ({"loss": 3}, "loss: 3 is neither a name nor a Loss"),
    "a regularizer as loss": ({"loss": regularizers.SquaredL2()}, "neither a name nor a Loss"),
    "regularizer unknown": ({"regularizer": "lassso"}, "regularizer: 'lassso' is not known; .*elastic-net"),
    "parameter unknown": ({"loss": "hinge:margin=2"}, "loss hinge: 'margin=2' is not a parameter; .*are: p"),
    "parameter where none": ({"loss": "logistic:p=2"}, "loss logistic: 'p=2' is not .*parameters .*none"),
    "parameter without value": ({"regularizer": "elastic-net:epsilon"}, "elastic-net: 'epsilon' is not"),
    "parameter as text": ({"regularizer": "q-norm:q=two"}, "q = 'two' is not a number; write q=0.5"),
    "parameter nan": ({"regularizer": "elastic-net:epsilon=nan"}, "elastic-net: epsilon = nan must be"),
    "power below 1": ({"loss": "hinge:p=0.5"}, "hinge: p = 0.5 must be a finite number, 1 or more"),
    "epsilon negative": ({"loss": "epsilon-insensitive:epsilon=-1"}, "epsilon = -1.0 must be .* 0 or more"),
    "q of one": ({"regularizer": "q-norm:q=1"}, "q-norm: q = 1.0 must be a finite number above 1"),
    "power of one": ({"regularizer": "q-norm:power=1"}, "q-norm: power = 1.0 must be .* above 1"),
    "mu zero": ({"regularizer": "entropy:mu=0"}, "entropy: mu = 0.0 must be a finite number above 0"),
    "mu with a zero": (lambda: {"regularizer": regularizers.Entropy(mu=(1, 0, 1, 1))}, r"mu\[1\].*above 0"),
    "K with nan": (lambda: {"regularizer": regularizers.SquaredL2(K=(1, 1, NAN, 1))}, r"K\[2\] = .*above 0"),
    "K a row": (lambda: {"regularizer": regularizers.SquaredL2(K=np.ones((1, 4)))}, r"K has shape \(1, 4\)"),
    "no targets": ({"y": None}, "y is None, and the hinge loss needs targets"),
    "K too short": ({"regularizer": regularizers.SquaredL2(K=(1, 2))}, "K has 2 entries for 4 coordinates"),
    "mu too short": (
        {"regularizer": regularizers.NormalizedEntropy(mu=(1, 2, 1, 1)), "embed": "balanced"},
        "mu has 4 entries for 8 coordinates; .*both halves",
    ),
}


@pytest.mark.parametrize(("change", "message"), BAD_ARGUMENTS.values(), ids=BAD_ARGUMENTS)
def test_bad_input_is_refused_by_name(change, message):
    with pytest.raises(InputError, match=message):
        Problem(**({"X": X, "y": LABELS} | (change() if callable(change) else change)))


BAD_CALLS = {
    "solver": (lambda p: wb.solve(p, solver="bfgs"), "solver: 'bfgs' is not known; .*gauss-seidel"),
    "update": (lambda p: solvers.GaussSeidel(update="best"), "update = 'best' is not known; use exact"),
    "order": (lambda p: solvers.GaussSeidel(order="random"), "order = 'random' is not known; use cyclic"),
    "scale": (lambda p: solvers.GaussSeidel(scale=0), "scale = 0 must be a finite number above 0"),
    "eta": (lambda p: solvers.GaussSeidel(eta=NAN), "eta = nan must be a finite number above 0"),
    "seed": (lambda p: wb.Run(p, seed=-1), "seed = -1 is not a whole number, from 0"),
    "seed of 64 bits": (lambda p: wb.Run(p, seed=2**63), "seed = .* is not a whole number, from 0"),
    "seed as a float": (lambda p: wb.Run(p, seed=0.5), "seed = 0.5 is not"),
    "tol": (lambda p: wb.solve(p, tol=NAN), "tol = nan must be a finite number, 0 or more"),
    "max_epochs": (lambda p: wb.solve(p, max_epochs=0), "max_epochs = 0 must be a finite number above 0"),
    "warm start": (lambda p: wb.Run(p, warm_start=[0.5]), r"warm_start has shape \(1,\) where \(6,\) is"),
    "warm start nan": (lambda p: wb.Run(p, warm_start=np.full(N, NAN)), r"warm_start\[0\] is nan"),
    "test columns": (lambda p: wb.Run(p, test=(X[:, :2], LABELS)), "X has 2 features.* the model .*4"),
    "test labels": (lambda p: wb.Run(p, test=(X, LABELS[:2])), r"y_test has shape \(2,\) where \(6,\)"),
    "nothing to certify": (lambda p: wb.certificate(p), "give w, alpha or both"),
    "w too long": (lambda p: wb.certificate(p, w=np.zeros(5)), r"w has shape \(5,\) where \(4,\)"),
    "w nan": (lambda p: wb.certificate(p, w=[0, 0, NAN, 0]), r"w\[2\] is nan"),
    "alpha too short": (lambda p: wb.certificate(p, alpha=[1]), r"alpha has shape \(1,\) where \(6,\)"),
    "alpha infinite": (lambda p: wb.certificate(p, alpha=np.full(N, INF)), r"alpha\[0\] is inf"),
    "b without bias": (lambda p: wb.certificate(p, w=np.zeros(4), b=1.0), "b = 1.0 needs a problem with"),
}


@pytest.mark.parametrize(("call", "message"), BAD_CALLS.values(), ids=BAD_CALLS)
def test_a_bad_call_is_refused_by_name(call, message):
    with pytest.raises(InputError, match=message):
        call(Problem(X, LABELS))


@pytest.mark.parametrize("b", [NAN, INF, "one"])
def test_a_bias_that_is_no_number_is_refused(b):
    with pytest.raises(InputError, match="certificate: b = "):
        wb.certificate(Problem(X, LABELS, bias="constant"), w=np.zeros(D), b=b)


def test_a_name_is_spelled_as_it_is_read():
    for item in (losses.EpsilonInsensitive(epsilon=0.1234567891, p=2), losses.Hinge(), losses.Huber()):
        assert losses.get(names.spelled(item)) == item
    assert names.spelled(regularizers.ElasticNet(epsilon=0.25)) == "elastic-net:epsilon=0.25"


# The caller's arrays


def flags(*arrays):
    return [array.flags.writeable for array in arrays]


def test_the_caller_s_arrays_stay_as_they_are():
    matrix, y, weight = sp.csr_array(X), LABELS.copy(), np.full(N, 2.0)
    mine = (matrix.data, matrix.indices, matrix.indptr, y, weight)
    before, writable = [array.copy() for array in mine], flags(*mine)
    for bias, embed in ((False, None), ("constant", "balanced")):
        p = Problem(matrix, y, bias=bias, embed=embed, sample_weight=weight)
        wb.solve(p, max_epochs=2)
        wb.certificate(p, w=np.ones(D))
    assert flags(*mine) == writable == [True] * 5
    for now, then in zip(mine, before, strict=True):
        np.testing.assert_array_equal(now, then)
    dense = X.copy()
    Problem(dense, y)
    assert dense.flags.writeable


def test_a_problem_s_arrays_are_read_only():
    p = Problem(X, LABELS, bias="constant", embed="balanced", sample_weight=np.ones(N))
    design = (p.rows.data, p.rows.indices, p.rows.indptr)
    arrays = (p.y, p.weight, p.sign, p.shift, p.transfer.weights, p.transfer.theta, *design)
    assert flags(*arrays) == [False] * len(arrays)
    with pytest.raises(ValueError, match="read-only"):
        p.y[0] = 5.0


# Equal data, equal problems


def scrambled():
    """X with every entry split into two and the columns of each row in falling order."""
    rows, columns = np.nonzero(X)
    order = np.lexsort((-columns, rows))
    rows, columns = np.repeat(rows[order], 2), np.repeat(columns[order], 2)
    data = 0.5 * X[rows, columns]
    offsets = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=N))])
    return sp.csr_array((data, columns, offsets), shape=X.shape)


FORMS = {
    "csr array": lambda: sp.csr_array(X),
    "csr matrix": lambda: sp.csr_matrix(X),
    "csc": lambda: sp.csc_array(X),
    "coo": lambda: sp.coo_array(X),
    "64-bit indices": lambda: with_long_indices(sp.csr_array(X)),
    "duplicated and unsorted": scrambled,
    "lists": lambda: X.tolist(),
    "by columns": lambda: np.asfortranarray(X),
    "read-only": lambda: with_flag(X),
}


def with_long_indices(matrix):
    indices, offsets = matrix.indices.astype(np.int64), matrix.indptr.astype(np.int64)
    return sp.csr_array((matrix.data, indices, offsets), shape=matrix.shape)


def with_flag(array):
    copy = array.copy()
    copy.setflags(write=False)
    return copy


def test_labels_of_two_spellings_make_the_same_problem():
    signs = np.where(np.arange(N) % 2, 1.0, -1.0)
    plain = Problem(X, signs)
    for labels in (signs > 0, (signs > 0).astype(int), (signs > 0).astype(float), (signs > 0).tolist()):
        assert Problem(X, labels).digest == plain.digest


@pytest.mark.parametrize(
    ("alias", "name"),
    [
        ({"loss": "log_loss"}, {"loss": "logistic"}),
        ({"loss": "squared_hinge"}, {"loss": "squared-hinge"}),
        ({"loss": "squared_error"}, {"loss": "squared"}),
        ({"regularizer": "ridge"}, {"regularizer": "squared-l2"}),
        ({"regularizer": "lasso"}, {"regularizer": "l1"}),
        ({"regularizer": "elastic_net:epsilon=0.2"}, {"regularizer": "elastic-net:epsilon=0.2"}),
    ],
)
def test_names_that_other_packages_taught(alias, name):
    assert Problem(X, LABELS, **alias).digest == Problem(X, LABELS, **name).digest


def test_densities_need_no_targets():
    densities = np.abs(X) + 0.1
    arguments = ("negative-log", "normalized-entropy:mu=0.25", 0.1)
    without, ones = Problem(densities, None, *arguments), Problem(densities, np.ones(N), *arguments)
    assert without.digest == ones.digest


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_every_form_of_the_data_makes_the_same_problem(form):
    samples = form()
    plain, other = Problem(X, LABELS), Problem(samples, LABELS)
    assert other.digest == plain.digest
    assert other.rows.has_canonical_format
    np.testing.assert_array_equal(other.rows.toarray(), X)
    ours, theirs = wb.solve(other, "gauss-seidel"), wb.solve(plain, "gauss-seidel")
    np.testing.assert_array_equal(ours.alpha, theirs.alpha)
    # A dense product sums in another order than a sparse one.
    np.testing.assert_allclose(ours.w, theirs.w, rtol=1e-13, atol=1e-15)
