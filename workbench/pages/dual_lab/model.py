"""The model of the Dual lab: its choices, and the problem that they stand for. It knows no widget."""

import contextlib
import dataclasses
import functools

import numpy as np
import param
import scipy.sparse as sp

from workbench import data, solvers
from workbench._support.errors import InputError
from workbench.data import store
from workbench.pages import plane
from workbench.pages.wording import Wording, content
from workbench.problems import Problem, losses, regularizers

WORDING = Wording("dual_lab")
TEXTS, format_text = WORDING.texts, WORDING.format_text
# What one does not name keeps its default.
PRESETS, QUESTIONS = content("dual_lab")["presets"], content("dual_lab")["questions"]
# Name on the page -> data set, its options, and whether a constant feature is to be added.
SOURCES = {
    "Breast cancer": ("breast-cancer", {}, "constant"),
    "Reuters-21578 · acq": ("reuters21578", {"category": "acq"}, False),
    "Reuters-21578 · trade": ("reuters21578", {"category": "trade"}, False),
    "Digits · even or odd": ("digits", {}, "constant"),
    "Zhang's artificial data": ("zhang-artificial", {"d": 500}, "constant"),
}
# The source whose samples one moves by hand.
PLANE, NAMES = "Points in the plane", ("x₁", "x₂")
# Larger data are solved on the server: they would keep the network busy for longer than a visitor waits.
MAX_BYTES = 8e6
LOSSES = {
    "Hinge": "hinge",
    "Logistic": "logistic",
    "Squared": "squared",
    "Squared hinge": "squared-hinge",
    "Smoothed hinge": "smoothed-hinge",
    "Hinge, p = 3": "hinge:p=3",
    "Huber": "huber",
    "ε-insensitive": "epsilon-insensitive",
    "ε-insensitive, p = 2": "epsilon-insensitive:p=2",
}
# The loss that a visitor types, and what its variable may be.
TYPED, KINDS = "Your own loss", ("margin", "residual", "prediction")
LONGEST = 120
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
INPUTS = (
    *(
        "source",
        "cloud",
        "points",
        "loss",
        "regularizer",
        "lam",
        "epsilon",
        "tube",
        "mu",
        "q",
    ),
    *("update", "order", "scale", "eta", "seed", "compare"),
    *(f"b_{name}" for name in OWN),
)
MAX_EPOCHS = 1000


def entry(source):
    """The name, the options of `data.load` and the bias of a data set of the page or of an upload."""
    if source == PLANE:
        return "", {}, "constant"
    if not store.is_upload(source):
        return SOURCES[source]
    choices = store.upload_of(source).choices
    return choices["name"], choices["options"], choices.get("bias", "constant")


def sources():
    """The data sets that can be opened here without a download."""
    reuters = data.locate("reuters21578") is not None
    return [name for name, (key, _, _) in SOURCES.items() if reuters or key != "reuters21578"]


def load(source):
    """A data set of the page; sessions share it, since nothing writes to it."""
    return store.upload_of(source).dataset if store.is_upload(source) else _load(source)


def dataset(settings):
    """The data of these settings: a data set of the page, an upload, or the points in the plane."""
    if settings["source"] != PLANE:
        return load(settings["source"])
    X, y = plane.placed(settings["points"], settings["cloud"])
    return data.Dataset(PLANE, X, y, None, None, NAMES, "points that were placed by hand")


def held_out(table):
    """The test samples of a data set by rows, and their targets; None where there are none."""
    if table.X_test is None:
        return None
    X = sp.csr_array(table.X_test)
    return {
        "offsets": X.indptr.astype(np.uint32),
        "indices": X.indices.astype(np.uint32),
        "values": X.data,
        "y": np.asarray(table.y_test, dtype=float),
    }


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
        store.upload_of(source)
        self.param.source.objects = [*self.param.source.objects, source]

    def open_address(self, arguments):
        """Offer the upload that an address names; one that is gone is refused with the other settings."""
        source = arguments.get("source", [b""])[0].decode("utf-8", "replace")
        with contextlib.suppress(InputError):
            if store.is_upload(source):
                self.offer(source)


class DualLab(TakesUploads, plane.HasPoints):
    inputs = INPUTS
    source = param.Selector(objects=[*SOURCES, PLANE], doc="the data")
    cloud = param.Selector(objects=list(plane.SOURCES), default="Overlapping", doc="the points to begin with")
    loss = param.Selector(objects=list(LOSSES), default="Hinge")
    regularizer = param.Selector(objects=list(REGULARIZERS), default="Elastic net")
    lam = param.Number(0.05, bounds=(1e-6, 1.0), doc="weight of the regularizer")
    epsilon = param.Number(0.6, bounds=(0.0, 1.0), doc="sparsity of the elastic net")
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
    b_lam = param.Number(0.05, bounds=(1e-6, 1.0))
    b_update = param.Selector(objects=list(UPDATES))
    b_scale = param.Number(1.0, bounds=(0.01, 10.0))
    question = param.Selector(objects=list(QUESTIONS), doc="what is to be predicted")

    def __init__(self, **values):
        available = [*sources(), PLANE]
        values.setdefault("source", available[0])
        super().__init__(**values)
        self.param.source.objects = available


def needed(choice, registry, controls):
    """The controls, {parameter: control}, of the parameters that a loss or a regularizer has."""
    fields = [field.name for field in dataclasses.fields(registry[choice.partition(":")[0]])]
    return {name: control for name, control in controls.items() if name in fields}


def _used():
    """The choices that use the control of each parameter of a term."""
    uses = {}
    for kind, names, registry, controls in (
        ("loss", LOSSES, losses.REGISTRY, LOSS_CONTROLS),
        ("regularizer", REGULARIZERS, regularizers.REGISTRY, REGULARIZER_CONTROLS),
    ):
        for label, choice in names.items():
            for control in needed(choice, registry, controls).values():
                uses.setdefault(control, [{kind: []}])[0][kind].append(label)
    return uses


USED = _used()


# By kind the labels and texts of the terms, their registry, and the controls of their parameters.
TERMS = {
    "loss": (LOSSES, losses, LOSS_CONTROLS),
    "regularizer": (REGULARIZERS, regularizers, REGULARIZER_CONTROLS),
}


def term_table(kind, labels=None):
    """Return by its label the text of a term for a registry, the setting that its parameter is, and facts.

    Parameters
    ----------
    kind : str
        "loss" or "regularizer".
    labels : dict of str to str, optional
        The texts by label, those of the Dual lab where they are not given.
    """
    names, registry, controls = TERMS[kind]
    terms = {}
    for label, text in (labels or names).items():
        parameter, control = next(iter(needed(text, registry.REGISTRY, controls).items()), (None, None))
        separator = "," if ":" in text else ":"
        term = {"text": text, "parameter": parameter, "control": control, "separator": separator}
        one = registry.get(text)
        if kind == "loss":
            term["is_margin"] = one.kind == "margin"
        else:
            term["is_signed"] = one.entry["lower"] == 0.0
        terms[label] = term
    return terms


def term_names(terms, grids):
    """Yield each term of a table with the names that a registry takes at the values of its control's grid."""
    for term in terms.values():
        for value in grids[term["control"]] if term["control"] else [None]:
            number = str(value).removesuffix(".0")  # as JavaScript writes it
            parameter = f"{term['separator']}{term['parameter']}={number}" if term["control"] else ""
            yield term, term["text"] + parameter


def with_parameters(choice, registry, controls, settings):
    """A choice of the page as `get` of its registry takes it, with the values of its controls."""
    values = [f"{name}={settings[control]:g}" for name, control in needed(choice, registry, controls).items()]
    return f"{choice}{',' if ':' in choice else ':'}{','.join(values)}" if values else choice


def second(settings):
    """The settings of the second configuration."""
    return settings | {name: settings[f"b_{name}"] for name in OWN} | {"compare": False}


def specification(settings):
    """The loss, the regularizer, the solver and the problem's options that the settings stand for."""
    if settings["loss"] == TYPED:
        loss = losses.custom(settings["typed"], settings["typed_kind"])
    else:
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


def samples(source, signed, cloud="", points=""):
    """A problem on data of the page, whose terms and lambda are to be replaced; sessions share the page's.

    Parameters
    ----------
    source, cloud, points : str
    signed : bool
        Whether its regularizers take weights that are not negative.
    """
    return (_prepared if source in SOURCES else _prepared.__wrapped__)(source, signed, cloud, points)


@functools.lru_cache(maxsize=8)
def _prepared(source, signed, cloud, points):
    table = dataset({"source": source, "cloud": cloud, "points": points})
    regularizer, embed = ("normalized-entropy:mu=1", "balanced") if signed else ("squared-l2", None)
    return Problem(table.X, table.y, "squared", regularizer, 1.0, bias=entry(source)[2], embed=embed)


def problem(settings):
    """The problem that the settings stand for.

    Raises
    ------
    InputError
        The loss does not take the labels.
    """
    loss, regularizer, _, options = specification(settings)
    place = (settings[name] for name in ("cloud", "points"))
    table = samples(settings["source"], "embed" in options, *place)
    return table.replace(loss, regularizer, settings["lam"])
