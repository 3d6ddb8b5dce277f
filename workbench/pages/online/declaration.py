"""The page of online rules for every host: its settings, and the formulas that its `frame.js` evaluates."""

from typing import ClassVar

import param

from workbench.conjugates.derivations import outcomes
from workbench.conjugates.derivations.sketches import TRANSFER_FUNCTIONS
from workbench.pages.hosts.figured import FigurePage
from workbench.pages.online import model as online
from workbench.pages.online.figures import OnlineDrawing

ENTROPIC = [name for name, rule in online.RULES.items() if rule.entropic]
FREE_NORM = [name for name, rule in online.RULES.items() if rule.norm is None and not rule.entropic]


class Online(FigurePage):
    """Points come one at a time; mistakes move the weights, and are bounded.

    Examples
    --------
    >>> import workbench as wb
    >>> wb.pages.Online().title
    'Online'
    """

    title, room, drawing = "Online", "online", OnlineDrawing
    first = ("points", "mistakes", "w", "potential")
    homes: ClassVar = {
        "v": ("w", "v, the sum of the mistakes"),
        "twin": ("potential", "the SVM with the same regularizer"),
    }
    folded = ("Stream", "Bound and SVM")
    square = ("points",)
    curves: ClassVar = {r"\gamma": ("margin", "ink"), "M": ("mistakes", "vermillion"), "u": ("u", "ink")}
    cards: ClassVar = {"predict": "Predict first", "formulas": "The formulas", "code": "Take it with you"}
    choice = "rule"
    used: ClassVar = {
        "p": [{"rule": FREE_NORM}],
        "eta": [{"rule": ENTROPIC}],
        "margin": [{"shape": ["uniform"]}],
        "relevant": [{"shape": ["uniform"]}],
    }

    rule = param.Selector(objects=list(online.RULES))
    output = param.Selector(objects=list(online.OUTPUTS), doc="which weights predict")
    seen = param.Integer(60, bounds=(1, online.VISITS), doc="how many points have come")
    speed = param.Integer(20, bounds=(1, 200), doc="points a second while it runs")
    p = param.Number(4.0, bounds=(2.0, 12.0), doc="norm of v")
    eta = param.Number(0.2, bounds=(0.02, 1.0), doc="learning rate of Winnow")
    shape = param.Selector(objects=list(online.SHAPES), doc="where the points lie")
    dimension = param.Integer(2, bounds=online.FEATURES, doc="features")
    relevant = param.Integer(1, bounds=(1, 10), doc="of which u is the mean")
    margin = param.Number(0.1, bounds=(0.0, 0.6), doc="least y u.x without wrong labels")
    noise = param.Number(0.0, bounds=(0.0, 0.3), doc="share of wrong labels")
    seed = param.Integer(2, bounds=(0, 99), doc="of the stream")
    gamma = param.Number(0.1, bounds=(0.01, 0.8), doc="margin of the bound")
    power = param.Number(-2.0, bounds=(-2.0, 0.0), doc="logarithm of the SVM's lambda")

    def facts(self):
        rules = online.RULES
        return {
            "rules": {
                name: {
                    "entropic": rule.entropic,
                    "latex": self.lit([rule.latex])[0],
                    "python": {"run": online.python(rule, False), "bound": online.python(rule, True)},
                }
                for name, rule in rules.items()
            },
            "questions": {
                name: {**rule.question, "change": {}, "measure": name, "why": rule.says}
                for name, rule in rules.items()
            },
            "answers": {name: rule.answer for name, rule in rules.items()},
            "latex": {
                "first": self.lit(online.LATEX[:1]),
                "rest": self.lit(online.LATEX[1:]),
                "source": online.SOURCE,
            },
        }

    def answer_rules(self):
        """Return for each rule the printed formulas of its regularizer, which the package brings."""
        return {
            name: outcomes.shipped()[outcomes.key("transfer", rule.regularizer)]
            | {"functions": TRANSFER_FUNCTIONS, "norm": rule.norm, "entropic": rule.entropic}
            for name, rule in online.RULES.items()
        }

    def _row(self, name, kind, label):
        labels = {"shape": online.SHAPES, "output": online.OUTPUTS}
        row = super()._row(name, kind, label)
        return row | ({"labels": labels[name]} if name in labels else {})

    def packed_messages(self):
        return [{"type": type} for type in ("page", "bokeh", "formulas", "rules")]
