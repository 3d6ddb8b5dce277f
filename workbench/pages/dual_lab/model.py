"""The model of the Dual lab: choices in, a run and its numbers out. It knows no widget."""

import dataclasses
import functools
import time
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import param
import scipy.sparse as sp

from workbench import data, losses, regularizers, solvers
from workbench.data import store
from workbench.pages import plane
from workbench.pages.dual_lab.predictions import QUESTIONS
from workbench.pages.kept_run import KeptRun
from workbench.problem import Problem

# Name on the page -> data set, its options, and whether a constant feature is to be added.
SOURCES = {
    "Reuters-21578 · acq": ("reuters21578", {"category": "acq"}, False),
    "Reuters-21578 · trade": ("reuters21578", {"category": "trade"}, False),
    "Breast cancer": ("breast-cancer", {}, "constant"),
    "Digits · even or odd": ("digits", {}, "constant"),
    "Zhang's artificial data": ("zhang-artificial", {"d": 500}, "constant"),
}
# The source whose samples one moves by hand.
PLANE = "Points in the plane"
LOSSES = {
    "Hinge": "hinge",
    "Hinge, p = 3": "hinge:p=3",
    "Squared hinge": "squared-hinge",
    "Smoothed hinge": "smoothed-hinge",
    "Logistic": "logistic",
    "Squared": "squared",
    "Huber": "huber",
    "ε-insensitive": "epsilon-insensitive",
    "ε-insensitive, p = 2": "epsilon-insensitive:p=2",
}
REGULARIZERS = {
    "Squared ℓ2": "squared-l2",
    "Elastic net": "elastic-net",
    "Entropy": "entropy",
    "Normalized entropy": "normalized-entropy",
    "q-norm": "q-norm",
}
# The control of each parameter that the page lets choose.
LOSS_CONTROLS = {"epsilon": "tube"}
REGULARIZER_CONTROLS = {"epsilon": "epsilon", "mu": "mu", "q": "q"}
UPDATES = ("exact", "bounded", "gradient", "newton")
# What the second configuration may have of its own; all else it shares with the first.
OWN = ("loss", "regularizer", "lam", "update", "scale")
# What a change of these parameters restarts.
DATA = ("source", "cloud", "points")
INPUTS = (
    *(*DATA, "loss", "regularizer", "lam", "epsilon", "tube", "mu", "q"),
    *("update", "order", "scale", "eta", "seed", "compare"),
    *(f"b_{name}" for name in OWN),
)
MOST_EPOCHS = 1000
# Up to so many epochs each is certified, up to twice as many every second one, and so on, as long as one
# goes by in a moment: a curve over many epochs has points enough, and a certificate takes time too.
EACH_EPOCH, MOMENT_NONZEROS = 30, 500_000


def entry(source):
    """The name, the options of `data.load` and the bias of a data set of the page or of an upload."""
    if source == PLANE:
        return "", {}, "constant"
    if not store.is_upload(source):
        return SOURCES[source]
    choices = store.kept(source).choices
    return choices["name"], choices["options"], choices.get("bias", "constant")


def sources():
    """The data sets that can be opened here without a download, real text first."""
    reuters = data.locate("reuters21578") is not None
    return [name for name, (key, _, _) in SOURCES.items() if reuters or key != "reuters21578"]


def load(source):
    """A data set of the page; sessions share it, since nothing writes to it."""
    return store.kept(source).dataset if store.is_upload(source) else _load(source)


def dataset(settings):
    """The data of these settings: a data set of the page, an upload, or the points in the plane."""
    if settings["source"] != PLANE:
        return load(settings["source"])
    X, y = plane.placed(settings["points"], settings["cloud"])
    return data.Dataset(PLANE, X, y, None, None, ("x₁", "x₂"), "points that were placed by hand")


def held_out(found):
    """The test samples of a data set by rows, and their targets; None where there are none."""
    if found.X_test is None:
        return None
    X = sp.csr_array(found.X_test)
    return {
        "offsets": X.indptr.astype(np.uint32), "indices": X.indices.astype(np.uint32), "values": X.data,
        "y": np.asarray(found.y_test, dtype=float),
    }  # fmt: skip


@functools.lru_cache(maxsize=8)
def _load(source):
    name, options, _ = SOURCES[source]
    return data.load(name, **options)


class TakesUploads:
    """A model whose `source` may also be an upload."""

    def offer(self, source):
        """Let the page take an upload, "upload-TOKEN".

        Raises
        ------
        InputError
            The upload is gone.
        """
        store.kept(source)
        self.param.source.objects = [*self.param.source.objects, source]


class DualLab(TakesUploads, plane.HasPoints):
    """Choices of the page, with the bounds that its controls and its address share."""

    source = param.Selector(objects=[*SOURCES, PLANE], doc="the data")
    cloud = param.Selector(objects=list(plane.SOURCES), default="Overlapping", doc="the points to begin with")
    loss = param.Selector(objects=list(LOSSES), default="Hinge")
    regularizer = param.Selector(objects=list(REGULARIZERS), default="Elastic net")
    lam = param.Number(1e-3, bounds=(1e-6, 1.0), doc="weight of the regularizer")
    epsilon = param.Number(0.1, bounds=(0.0, 1.0), doc="sparsity of the elastic net")
    tube = param.Number(0.1, bounds=(0.0, 1.0), doc="half width of the insensitive tube")
    mu = param.Number(0.01, bounds=(1e-4, 10.0), doc="prior of every weight of an entropy")
    q = param.Number(1.5, bounds=(1.1, 4.0), doc="exponent of the q-norm")
    update = param.Selector(objects=list(UPDATES))
    order = param.Selector(objects=["shuffled", "cyclic"])
    scale = param.Number(1.0, bounds=(0.01, 10.0), doc="factor t of every step")
    eta = param.Number(0.01, bounds=(1e-4, 10.0), doc="learning rate of the gradient update")
    seed = param.Integer(0, bounds=(0, 9999))
    tolerance = param.Selector(objects=[1e-2, 1e-3, 1e-4, 1e-6], default=1e-4)
    compare = param.Boolean(False, doc="whether a second configuration runs on the same data")
    b_loss = param.Selector(objects=list(LOSSES), default="Hinge")
    b_regularizer = param.Selector(objects=list(REGULARIZERS), default="Elastic net")
    b_lam = param.Number(1e-3, bounds=(1e-6, 1.0))
    b_update = param.Selector(objects=list(UPDATES))
    b_scale = param.Number(1.0, bounds=(0.01, 10.0))
    question = param.Selector(objects=list(QUESTIONS), doc="what is to be predicted")

    def __init__(self, **values):
        available = [*sources(), PLANE]
        values.setdefault("source", available[0])
        super().__init__(**values)
        self.param.source.objects = available

    def settings(self):
        """The present choices, to build a run from elsewhere while the page goes on."""
        return {name: getattr(self, name) for name in INPUTS}


def needed(choice, registry, controls):
    """The controls, {parameter: control}, of the parameters that a loss or a regularizer has."""
    fields = [field.name for field in dataclasses.fields(registry[choice.partition(":")[0]])]
    return {name: control for name, control in controls.items() if name in fields}


def controls_of(loss, regularizer):
    """The controls of the parameters of two choices of the page."""
    return {
        *needed(LOSSES[loss], losses.REGISTRY, LOSS_CONTROLS).values(),
        *needed(REGULARIZERS[regularizer], regularizers.REGISTRY, REGULARIZER_CONTROLS).values(),
    }


def with_parameters(choice, registry, controls, settings):
    """A choice of the page as `get` of its registry takes it, with the values of its controls."""
    given = [f"{name}={settings[control]:g}" for name, control in needed(choice, registry, controls).items()]
    return f"{choice}{',' if ':' in choice else ':'}{','.join(given)}" if given else choice


def second(settings):
    """The settings of the second configuration."""
    return settings | {name: settings[f"b_{name}"] for name in OWN} | {"compare": False}


def specification(settings):
    """The loss, the regularizer, the solver and the problem's options that the settings stand for."""
    loss = with_parameters(LOSSES[settings["loss"]], losses.REGISTRY, LOSS_CONTROLS, settings)
    regularizer = with_parameters(
        REGULARIZERS[settings["regularizer"]], regularizers.REGISTRY, REGULARIZER_CONTROLS, settings
    )
    options = {"bias": entry(settings["source"])[2]}
    if regularizers.get(regularizer).entry["lower"] == 0.0:
        options["embed"] = "balanced"
    solver = solvers.GaussSeidel(
        update=settings["update"], order=settings["order"], scale=settings["scale"], eta=settings["eta"]
    )
    return loss, regularizer, solver, options


class Lab(NamedTuple):
    """A run with what the page needs beside it."""

    run: KeptRun
    settings: dict
    names: Sequence  # of the features
    other: object = None  # the Lab of the second configuration

    @property
    def pair(self):
        """This lab, and the second where there is one."""
        return (self,) if self.other is None else (self, self.other)


def build(settings, previous=None):
    """A lab for these settings; data that a previous one has prepared are used again.

    Its runs begin at zero, after an edit of the points where those before it stood.

    Raises
    ------
    InputError
        The regularizer does not offer the update.
    """
    lab = _built(settings, previous, _start(settings, previous))
    if settings["compare"]:
        own = second(settings)
        lab = lab._replace(other=_built(own, lab, _start(own, previous and previous.other)))
    return lab


def _built(settings, previous, start):
    loss, regularizer, solver, options = specification(settings)
    found = dataset(settings)
    problem = None
    if previous is not None and specification(previous.settings)[3] == options:
        same = all(previous.settings[name] == settings[name] for name in DATA)
        problem = previous.run.problem if same else None
    if problem is None:
        problem = Problem(found.X, found.y, loss, regularizer, settings["lam"], **options)
    else:
        problem = problem.replace(loss, regularizer, settings["lam"])
    test = None if found.X_test is None else (found.X_test, found.y_test)
    run = KeptRun(problem, solver, seed=settings["seed"], test=test, warm_start=start)
    run.record()
    return Lab(run, settings, found.feature_names)


def _start(settings, previous):
    """The dual variables of the lab before where the points alone are others; None elsewhere."""
    if previous is None or settings["points"] == previous.settings["points"]:
        return None
    if any(settings[name] != previous.settings[name] for name in settings if name != "points"):
        return None
    alpha = previous.run.state.alpha
    if not np.isfinite(alpha).all():
        return None
    old, new = (dataset(each) for each in (previous.settings, settings))
    return plane.carried((old.X, old.y), (new.X, new.y), alpha)


def play(lab, seconds, tolerance, each_epoch=EACH_EPOCH):
    """Whole epochs, certified as they go, until the time is up or all runs have ended; whether these have.

    Two configurations go on epoch by epoch in turn, so that their curves grow side by side. Up to
    `each_epoch` epochs each of them is certified.
    """
    deadline = time.perf_counter() + seconds
    runs = [each.run for each in lab.pair]
    if all(run.status is not None for run in runs):
        for run in runs:  # asked to go on all the same
            run.status = None
    while True:
        for run in runs:
            if run.status is None:
                _play_on(run, tolerance, each_epoch)
        if all(run.status is not None for run in runs):
            return True
        if time.perf_counter() >= deadline:
            return False


def _play_on(run, tolerance, each_epoch):
    # A further press of "run" goes on for as many epochs again.
    limit = MOST_EPOCHS * (run.epochs // MOST_EPOCHS + 1)
    run.stopping.aim(tolerance, limit)
    done = int(run.epochs)
    moment = max(1, MOMENT_NONZEROS // max(1, run.problem.rows.nnz))
    run.epoch(min(1 + done // each_epoch, moment, int(limit) - done))
    run.record()
    run.judge()


def code(settings, tolerance):
    """The Python that gives the same run in a notebook."""
    loss, regularizer, solver, options = specification(settings)
    given, samples, test = _code_of_data(settings)
    extra = "".join(f",\n  {key}={value!r}" for key, value in options.items() if value)
    plain = solvers.GaussSeidel()
    solver_arguments = ",".join(
        f"\n  {key}={getattr(solver, key)!r}"
        for key in ("update", "order", "scale", "eta")
        if getattr(solver, key) != getattr(plain, key)
    )
    return (
        f"import workbench as wb\n\n{given}\n"
        f"p = wb.Problem(\n  {samples},\n  loss={loss!r},\n"
        f"  regularizer={regularizer!r},\n"
        f"  lam={settings['lam']!r}{extra})\n"
        f"gs = wb.solvers.GaussSeidel({solver_arguments})\n"
        f"s = wb.solve(\n  p, gs, tol={tolerance:g},\n  seed={settings['seed']}{test})\n"
        "print(s.primal, s.dual, s.gap)"
    )


def _code_of_data(settings):
    """The line that gives the data, what the samples and labels are called, and the test samples."""
    if settings["source"] == PLANE:
        examples, points = "X, y = wb.data.examples", settings["points"]
        if points:
            return f"{examples}.read_points(\n  {points!r})", "X, y", ""
        return f"{examples}.plane(\n  {settings['cloud']!r})", "X, y", ""
    name, options, _ = entry(settings["source"])
    arguments = "".join(f",\n  {key}={value!r}" for key, value in options.items())
    return f"d = wb.data.load({name!r}{arguments})", "d.X, d.y", ",\n  test=(d.X_test, d.y_test)"
