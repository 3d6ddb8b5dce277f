"""The model of the page of transfer functions: the regularizers, their sliders, and a real v."""

import functools
from typing import NamedTuple

import numpy as np
import param

from workbench import data
from workbench.pages.wording import content
from workbench.problems import Problem
from workbench.solvers.solution import attempt

PLANE = (-3.0, 3.0)
LAM = (0.02, 4.0)
# Of a real v so many coordinates are drawn; the numbers below the figure count all.
DRAWN = 320


class Shape(NamedTuple):
    """A regularizer as the page shows it.

    `script` names it in `derivations.sketches`, "" for a norm; `weights` says what c_j is: "1", "K" or "mu".
    The balls are the levels of sum_j c_j inner(v_j) and sum_j primal(w_j) that are drawn thick.
    """

    kind: str
    parameters: dict
    says: str
    code: str
    script: str = ""
    weights: str = "1"
    w_window: tuple = PLANE
    v_ball: float | None = None
    w_ball: float | None = None
    v_text: str = ""
    w_text: str = ""


NORM_LATEX = (
    r"h(v) = 0 \;\text{ if }\; \lVert v \rVert_* \leq 1, \quad +\infty \;\text{ otherwise}",
    r"\lVert v \rVert_* = \max_{\lVert w \rVert \leq 1} v^\top w",
)
CONTENT = content("transfer")
SHAPES = {name: Shape(**entry) for name, entry in CONTENT["shapes"].items()}
NORMS = {"ℓ1 norm": "l1", "ℓ2 norm": "l2", "ℓ∞ norm": "linf"}
# On the page -> preset values of the model.
PRESETS = CONTENT["presets"]
# What to predict before the map is revealed, by the kind of regularizer.
QUESTIONS = CONTENT["questions"]
SOURCES = {
    "Breast cancer": ("breast-cancer", {}, 1e-3),
    "Reuters-21578 · acq": ("reuters21578", {"category": "acq"}, 1e-4),
}


class Transfer(param.Parameterized):
    """Choices of the page, with the bounds that its controls and its address share."""

    regularizer = param.Selector(objects=list(SHAPES))
    v1 = param.Number(1.6, bounds=PLANE, doc="first coordinate of v")
    v2 = param.Number(0.6, bounds=PLANE, doc="second coordinate of v")
    epsilon = param.Number(1.0, bounds=(0.0, 2.0), doc="sparsity of the elastic net")
    K = param.Number(1.0, bounds=(0.25, 4.0), doc="curvature in the first coordinate")
    q = param.Number(1.5, bounds=(1.05, 4.0), doc="exponent of the norm")
    power = param.Number(2.0, bounds=(1.2, 4.0), doc="power of the norm, q'")
    mu_1 = param.Number(0.5, bounds=(0.05, 2.0), doc="prior of the first weight")
    mu_2 = param.Number(0.5, bounds=(0.05, 2.0), doc="prior of the second weight")
    p = param.Number(1.5, bounds=(1.05, 2.0), doc="exponent of the norm on a ball")
    B = param.Number(1.0, bounds=(0.2, 3.0), doc="radius of the ball")
    lam = param.Number(1.0, bounds=LAM, doc="weight of the regularizer beside the quadratic loss")
    scale = param.Number(1.0, bounds=(0.1, 5.0), doc="factor of the real v")
    source = param.Selector(objects=list(SOURCES), doc="whose v is mapped")

    @property
    def shape(self):
        return SHAPES[self.regularizer]

    def numbers(self):
        """Of every parameter the slider's ends and its value."""
        return {
            name: (low, high, getattr(self, name)) for name, (low, high, _) in self.shape.parameters.items()
        }

    def python(self):
        """The lines that map v in a notebook; braces stand for what the sliders say."""
        shape = self.shape
        head = "import numpy as np\nimport workbench as wb\n"
        if shape.kind == "ball":
            head = "import numpy as np\nfrom workbench.conjugates.convex.catalogue import catalogue\n"
            return (
                f"{head}\nv = np.array([{{v1}}, {{v2}}])\n{shape.code}\n"
                "print(entry.pair.q(v, p={p}, B={B}))"
            )
        return f"{head}\nv = np.array([{{v1}}, {{v2}}])\nh, w = {shape.code}.at(2).map(v)\nprint(h, w)"


def sources():
    """The problems that can be solved here without a download."""
    reuters = data.locate("reuters21578") is not None
    return [name for name, (key, *_) in SOURCES.items() if reuters or key != "reuters21578"]


class RealV(NamedTuple):
    """v = X'alpha / (lam n) of a solved problem, over its largest magnitude, and which entries are drawn."""

    v: np.ndarray
    picks: np.ndarray
    text: str


@functools.lru_cache(maxsize=len(SOURCES))
def real_v(source):
    """The v of a certified solution of the hinge with the squared 2-norm, where w = v. Zhang (8), (12)."""
    name, options, lam = SOURCES[source]
    dataset = data.load(name, **options)
    problem = Problem(dataset.X, dataset.y, "hinge", "squared-l2", lam)
    solution = attempt(problem, tol=1e-2)
    largest = np.abs(solution.w).max()
    v = 2.5 * solution.w / largest
    # Half of them the largest, half spread over the ranks.
    ranks = np.argsort(v)
    ends = np.argsort(-np.abs(v))[: DRAWN // 2]
    spread = ranks[np.linspace(0, v.size - 1, min(v.size, DRAWN // 2)).astype(int)]
    picks = np.unique(np.concatenate([ends, spread]))
    text = f"v of {source}: {v.size:,} features, scaled so that its largest is 2.5."
    return RealV(v, picks, text)
