"""The model of the Dual lab: its choices, and the problem that they stand for. It knows no widget."""

import functools

import numpy as np
import param

from workbench import data, solvers
from workbench._support.errors import InputError
from workbench._support.names import spelled
from workbench.pages import plane
from workbench.pages.datasets import PLANE, SOURCES, TakesUploads, available, entry, load
from workbench.pages.terms import (
    LOSS_CONTROLS,
    LOSSES,
    REGULARIZER_CONTROLS,
    REGULARIZERS,
    with_parameters,
)
from workbench.pages.wording import Wording, content
from workbench.problems import Problem, losses, regularizers

WORDING = Wording("dual_lab")
TEXTS, format_text = WORDING.texts, WORDING.format_text
# What one does not name keeps its default.
PRESETS, QUESTIONS = content("dual_lab")["presets"], content("dual_lab")["questions"]
# Those of the two features of points in the plane.
NAMES = ("x₁", "x₂")
# The loss that a visitor types, and what its variable may be.
TYPED, KINDS = "Your own loss", ("margin", "residual", "prediction")
LONGEST = 120
UPDATES = ("exact", "bounded", "gradient", "newton")
# What the second configuration may have of its own; all else it shares with the first.
OWN = ("loss", "regularizer", "lam", "update", "scale")


def dataset(settings):
    """The data of these settings: a data set of the page, an upload, or the points in the plane."""
    if settings["source"] != PLANE:
        return load(settings["source"])
    X, y = plane.placed(settings["points"], settings["cloud"])
    return data.Dataset(PLANE, X, y, None, None, NAMES, "points that were placed by hand")


class DualLab(TakesUploads, plane.HasPoints):
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
        offered = [*available(), PLANE]
        values.setdefault("source", offered[0])
        super().__init__(**values)
        self.param.source.objects = offered


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


def settings_of(problem):
    """Return the settings of the page that give the problem.

    Raises
    ------
    InputError
        It has a part that the page has no control for.
    """
    if problem.kernel is not None or problem.free_bias or problem.is_constrained:
        what = "a kernel" if problem.kernel is not None else "an unregularized bias or constraints"
        raise InputError(f"the Dual lab has no control for {what}; use bias='constant' and no kernel")
    if problem.tasks:
        raise InputError("the Dual lab has no control for several columns of y; give one of them")
    if np.ptp(problem.weight) or problem.weight[0] != 1.0:
        raise InputError("the Dual lab has no control for sample weights; leave them out")
    settings = {"lam": problem.lam}
    tables = {
        "loss": (losses, LOSSES, LOSS_CONTROLS),
        "regularizer": (regularizers, REGULARIZERS, REGULARIZER_CONTROLS),
    }
    for kind, table in tables.items():
        label, values = _page_name(kind, getattr(problem, kind), *table)
        settings |= {kind: label, **values}
    model = DualLab.param
    for name, value in settings.items():
        bounds = getattr(model[name], "bounds", None)
        if bounds is not None and not bounds[0] <= value <= bounds[1]:
            raise InputError(
                f"{name} = {value:g} is outside what the Dual lab draws; choose one from {bounds[0]:g} "
                f"to {bounds[1]:g}"
            )
    embed = "balanced" if problem.regularizer.entry["lower"] == 0.0 else None
    if problem.embed != embed:
        raise InputError(f"the Dual lab solves this regularizer with embed={embed!r}; use that")
    return settings


def _page_name(kind, term, module, names, controls):
    """The page's name of a loss or a regularizer, and the values of its controls."""
    for label, text in names.items():
        like = module.get(text)
        values = {parameter: control for parameter, control in controls.items() if hasattr(term, parameter)}
        if type(like) is type(term):
            candidate = module.get(text if not values else _with(text, term, values))
            if candidate == term:
                return label, {control: float(getattr(term, name)) for name, control in values.items()}
    raise InputError(
        f"the Dual lab has no {kind} {spelled(term)}; it has "
        f"{', '.join(dict.fromkeys(text.partition(':')[0] for text in names.values()))}"
    )


def _with(text, term, values):
    inside = ",".join(f"{parameter}={getattr(term, parameter)!r}" for parameter in values)
    return f"{text}{',' if ':' in text else ':'}{inside}"
