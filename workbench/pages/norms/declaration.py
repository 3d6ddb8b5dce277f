"""The page of norms and screening for every host: its settings, figures, texts, and Python's answers."""

import inspect
import math
from typing import ClassVar

from workbench._support.errors import InputError
from workbench.pages.formulas import mixed
from workbench.pages.hosts.solved import PLAIN, SolvedPage
from workbench.pages.norms import dual_plane, screened
from workbench.pages.norms import model as norms
from workbench.pages.norms.figures import KINDS, POINTS, NormsFigures, colours
from workbench.pages.wasm import bundle
from workbench.solvers import ProximalGradient
from workbench.solvers.algorithms import proximal_gradient

REPAIR = (
    r"$\kappa = \nabla f(Xw + b)$, $\;v = -X^\top\kappa/\lambda$"
    "\n"
    r"$\textstyle\sum_i \kappa_i = 0$ for a free intercept"
    "\n"
    r"$\kappa \leftarrow \kappa \cdot \min\bigl(1,\, 1/\lVert v\rVert_*\bigr)$"
)
RULE = (
    r"$\textstyle\sum_i (\alpha_i - \alpha^\star_i)^2 \le r^2 = 2 n L \cdot \mathrm{gap}$"
    "\n"
    r"$|x_j^\top\alpha| + r\,\lVert x_j\rVert < \lambda n \;\Rightarrow\; w^\star_j = 0$"
)
# What the runs that screen depend on, and what their plane does besides.
SCREENED = ("source", "loss", "norm", "epsilon", "intercept", "ratio", "start")
PLANE = ("first", "second", "window")
STEPS = 2000
# The figures of the first view.
FIRST = ("ball", "marks", "norm_weights", "norm_gaps")
NO_ENGINE = "this browser has no WebAssembly, which the runs of this page need; open it in another browser"


# The settings come first, since one of them has the name of an attribute of pages, `first`.
class Norms(norms.Norms, SolvedPage):
    """Norms that choose features, their dual balls, and the features that a gap discards.

    Examples
    --------
    >>> import workbench as wb
    >>> wb.pages.Norms().title
    'Norms and screening'
    """

    title, room, drawing = "Norms and screening", "norms", NormsFigures
    homes: ClassVar = {
        "norm_bounds": ("norm_gaps", "Bounds"),
        "bisection": ("norm_weights", "The tree's norm by halving"),
        "sphere": ("ball", "Ball of the dual optimum"),
        "reach": ("marks", "A bound for each feature"),
        "left": ("norm_weights", "Left in the solver"),
        "epochs": ("norm_gaps", "Gap of the solver that screens"),
        "path": ("norm_weights", "Along the path of λ"),
    }
    square = ("sphere",)
    timed = ("norm_gaps", "norm_bounds", "epochs", "left")
    ghosts: ClassVar = {"norm_gaps": "step"}
    cards: ClassVar = {"repair": "Repair and rule", "predict": "Predict first", "code": "Take it with you"}
    looked_at = ("tolerance", "question", *PLANE, "halving")
    folded = ("FISTA", "Planes")
    used: ClassVar = {name: [{"norm": [norm]}] for norm, name in norms.PARAMETERS.items()} | {
        "halving": [{"norm": [norms.TREE]}],
        "best": [{"intercept": [True]}],
    }
    grids: ClassVar = {
        "source": ["Correlated features (made)"],  # of the last steps of the story
        "epsilon": [0.1, 0.2, 0.5, 1.0, 2.0],
        "share": [0.1, 0.2, 0.5, 1.0, 2.0, 5.0],
        "decay": [0.1, 0.2, 0.5, 1.0, 2.0],
    }

    def facts(self):
        return {
            "first": FIRST,
            "has_formulas": True,
            "elsewhere": {},
            "epochs": STEPS,
            "solver": bundle.solver_facts(ProximalGradient()),
            "spelled": {name: norms.template(name) for name in norms.NORMS},
            "losses": norms.LOSSES,
            "of_labels": [name for name in norms.LOSSES if norms.takes_labels({"loss": name})],
            "parameters": norms.PARAMETERS,
            "made": list(norms.GROUPED),
            "colours_by_name": colours(),
            "kinds": {name: says for name, (*_, says) in KINDS.items()},
            "points": list(POINTS),
            "formulas": mixed(f"{REPAIR}\n{RULE}"),
        }

    # What the module asks for

    def answer_data(self, source, labels):
        """Return the samples of a source with the names and groups of its features."""
        self.check_source(source)
        samples = norms.load(source, labels is True)
        return bundle.binary(bundle.data(norms.samples(source, True, labels is True), spectrum=True)) | {
            "names": [str(name) for name in samples.names],
            "groups": [list(map(int, group)) for group in samples.groups],
            "group_names": [str(name) for name in samples.group_names],
        }

    def answer_loss(self, source, loss):
        """Return the facts of a loss on the targets of a source, or its refusal."""
        return self._term(source, loss=loss)

    def answer_regularizer(self, source, norm, value=None):
        """Return the facts of a regularizer, of one with a parameter at its value, or its refusal."""
        name = norms.PARAMETERS.get(norm) if isinstance(norm, str) else None
        return self._term(source, norm=norm, **({} if name is None else {name: value}))

    def _term(self, source, **choice):
        try:
            problem = norms.problem(self._chosen(source=source, **{"loss": "Squared", "norm": "ℓ1"} | choice))
            proximal_gradient.check(problem)
            if "loss" in choice:
                return bundle.binary(bundle.loss_facts(problem.loss))
            # Proximal gradient steps ask for no bound of the curvature.
            return bundle.binary(bundle.regularizer_facts(problem.regularizer, problem)) | {"curvature": None}
        except InputError as error:
            return {"refusal": str(error)}

    @staticmethod
    def _chosen(**values):
        """Return the settings of a run, of which these were sent."""
        try:
            return norms.Norms(**values).param.values()
        except (ValueError, TypeError) as error:
            raise InputError(str(error)) from None

    async def answer_screening(self, digits, **sent):
        """Return what the certificates of runs of coordinate descent discard, to a gap of `digits`."""
        lab = await self.compute(screened.solved(_tolerance(digits), **self._screened(sent)))
        return bundle.binary(screened.record(lab))

    async def answer_plane(self, digits, first, second, window, **sent):
        """Return what these runs show in the plane of two features, with the dual optimum."""
        settings, view = self._screened(sent), {"first": first, "second": second, "window": window}
        self._chosen(**view)
        tolerance = _tolerance(digits)

        def work():
            lab = yield from screened.solved(tolerance, **settings)
            optimum = yield from screened.optimum(**settings)
            return dual_plane.views(lab, first, second, window, optimum)

        return await self.compute(work())

    async def answer_path(self, **sent):
        """Return how many features are discarded at each lambda from the largest down."""
        return await self.compute(screened.path(**self._screened(sent)))

    def _screened(self, sent):
        if set(sent) != set(SCREENED):
            raise InputError(f"screening: expected {', '.join(SCREENED)}")
        if isinstance(sent["ratio"], int | float) and sent["ratio"] < screened.LEAST:
            raise InputError(f"Screening is shown for λ/λ_max of at least {screened.LEAST:g}; raise it.")
        chosen = self._chosen(**{name: _number(value) for name, value in sent.items()})
        return {name: chosen[name] for name in (*SCREENED, "share", "decay")}

    def problem(self, names):
        raise InputError(NO_ENGINE)

    # A file

    def packed_messages(self):
        """Return the messages whose answers a file of the page carries."""
        carried, messages = self.carried(), [*PLAIN, {"type": "formulas"}]
        for source in carried["source"]:
            made = source in norms.GROUPED
            messages += [
                {"type": "data", "source": source, "labels": labels}
                for labels in ((False,) if made else (False, True))
            ]
            messages += [{"type": "loss", "source": source, "loss": loss} for loss in norms.LOSSES]
            for norm in norms.NORMS:
                values = carried.get(norms.PARAMETERS.get(norm), [None])
                messages += [regularizer_message(source, norm, value) for value in values]
        for settings in self._shown(carried["source"]):
            message = {name: settings[name] for name in SCREENED} | {"digits": _digits(settings)}
            messages.append({"type": "screening", **message})
        first = messages[-1]
        plane = {name: self.settings()[name] for name in PLANE}
        path = {name: value for name, value in first.items() if name not in ("digits", "type")}
        return [*messages, first | plane | {"type": "plane"}, {"type": "path", **path}]

    async def packed_answer(self, message):
        try:
            answer = super().packed_answer(message)
            return await answer if inspect.isawaitable(answer) else answer
        except InputError as error:
            return {"refusal": str(error)}

    def _shown(self, sources):
        """Return the settings of the presets that the file has data for, last those that it opens with."""
        defaults, own = {name: self.param[name].default for name in self.names()}, self.settings()
        presets = [defaults | preset for preset in self.answer_page()["presets"].values()]
        shown = [
            preset for preset in presets if preset["source"] in sources and preset["ratio"] >= screened.LEAST
        ]
        unique = {tuple(row[name] for name in (*SCREENED, "tolerance")): row for row in (*shown, own)}
        return [*(row for row in unique.values() if row is not own), own]


def regularizer_message(source, norm, value=None):
    """Return the message that asks for a regularizer."""
    message = {"type": "regularizer", "source": source, "norm": norm}
    return message if value is None else message | {"value": value}


def _digits(settings):
    return round(-math.log10(settings["tolerance"]))


def _tolerance(digits):
    """Return the relative gap with this number of digits, which the page offers."""
    offered = {round(-math.log10(gap)): gap for gap in norms.Norms.param.tolerance.objects}
    if not isinstance(digits, int) or digits not in offered:
        raise InputError(f"screening: digits must be one of {', '.join(map(str, offered))}")
    return offered[digits]


def _number(value):
    """Return a number as the settings have it."""
    return float(value) if isinstance(value, int) and not isinstance(value, bool) else value
