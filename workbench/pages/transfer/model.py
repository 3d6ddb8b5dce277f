"""The model of the page of transfer functions: the regularizers, their sliders, and a real v."""

import functools
from typing import NamedTuple

import numpy as np
import param

from workbench import data
from workbench.problem import Problem
from workbench.solution import attempt

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


MU = {"mu_1": (0.05, 2.0, 0.5), "mu_2": (0.05, 2.0, 0.5)}
BALL = {"p": (1.05, 2.0, 1.5), "B": (0.2, 3.0, 1.0)}
NORM_SAYS = (
    "w = 0 alone. On the line itself v belongs to a whole ray of w or more, so v alone does not determine w; "
    "outside it h is +∞. Adding a squared term gives a map: see the elastic net."
)
NORM_LATEX = (
    r"h(v) = 0 \;\text{ if }\; \lVert v \rVert_* \leq 1, \quad +\infty \;\text{ otherwise}",
    r"\lVert v \rVert_* = \max_{\lVert w \rVert \leq 1} v^\top w",
)
SHAPES = {
    "Elastic net": Shape(
        "separable",
        {"epsilon": (0.0, 2.0, 1.0)},
        "Soft thresholding: every |v| up to ε gives w = 0 exactly, so dual methods yield sparse weights.",
        "wb.regularizers.ElasticNet(epsilon={epsilon})",
        "elastic-net",
        v_ball=0.0,
        w_ball=1.0,
        v_text="Thick: the box |v| ≤ ε, where w = 0.",
        w_text="Thick: g = 1.",
    ),
    "Squared ℓ2": Shape(
        "separable",
        {"K": (0.25, 4.0, 1.0)},
        "v = 0 alone: the map is linear, w₁ = v₁/K. Nor are the weights bounded.",
        "wb.regularizers.SquaredL2(K=({K}, 1.0))",
        "squared-l2",
        "K",
        v_ball=0.5,
        w_ball=0.5,
        v_text="Thick: h = ½.",
        w_text="Thick: g = ½.",
    ),
    "q-norm": Shape(
        "power",
        {"q": (1.05, 4.0, 1.5), "power": (1.2, 4.0, 2.0)},
        "Near q = 1 the largest coordinate of v takes almost all of w; q = 2 with power 2 is the identity.",
        "wb.regularizers.QNorm(q={q}, power={power})",
        "q-norm",
        v_ball=1.0,
        w_ball=1.0,
        v_text="Thick: the unit ball of the dual norm.",
        w_text="Thick: the unit ball |w|_q ≤ 1.",
    ),
    "Entropy": Shape(
        "separable",
        MU,
        "None: w = μ exp(v), so every weight is positive, and a large v gives a very large one.",
        "wb.regularizers.Entropy(mu=({mu_1}, {mu_2}))",
        "entropy",
        "mu",
        w_window=(-0.4, 4.6),
        w_text="w lies in the positive quadrant, whatever v is.",
    ),
    "Normalized entropy": Shape(
        "simplex",
        MU,
        "A softmax: the weights are positive and sum to A = μ₁ + μ₂, so they are bounded.",
        "wb.regularizers.NormalizedEntropy(mu=({mu_1}, {mu_2}))",
        "normalized-entropy",
        "mu",
        w_window=(-0.4, 4.2),
        w_text="w lies on the segment w₁ + w₂ = A.",
    ),
    "Squared p-norm on a ball": Shape(
        "ball",
        BALL,
        "At the edge of the ball: until then the map is that of the squared norm; beyond, |w|_p stays B.",
        "entry = next(e for e in catalogue() if e.name == 'squared p-norm on a ball')",
        "squared p-norm on a ball",
        v_ball=1.0,
        w_ball=1.0,
        v_text="Thick: the unit ball of the dual norm.",
        w_text="Dashed: the ball |w|_p ≤ B, which w never leaves.",
    ),
    "Half squared p-norm on a ball": Shape(
        "ball",
        BALL,
        "At the edge of the ball, |w|_p = B, as with the squared p-norm; the factor is ½ in place of "
        "1/(2(p − 1)).",
        "entry = next(e for e in catalogue() if e.name == 'half squared p-norm on a ball')",
        "half squared p-norm on a ball",
        v_ball=1.0,
        w_ball=1.0,
        v_text="Thick: the unit ball of the dual norm.",
        w_text="Dashed: the ball |w|_p ≤ B, which w never leaves.",
    ),
    "ℓ1 norm": Shape(
        "norm",
        {},
        NORM_SAYS,
        "wb.norms.L1()",
        "",
        v_ball=1.0,
        w_ball=1.0,
        v_text="Thick: the dual ball, max |v_j| ≤ 1.",
        w_text="Thick: the unit ball of ℓ1.",
    ),
    "ℓ2 norm": Shape(
        "norm",
        {},
        NORM_SAYS,
        "wb.norms.L2()",
        "",
        v_ball=1.0,
        w_ball=1.0,
        v_text="Thick: the dual ball, which is its own.",
        w_text="Thick: the unit ball of ℓ2.",
    ),
    "ℓ∞ norm": Shape(
        "norm",
        {},
        NORM_SAYS,
        "wb.norms.Linf()",
        "",
        v_ball=1.0,
        w_ball=1.0,
        v_text="Thick: the dual ball, that of ℓ1.",
        w_text="Thick: the unit ball of ℓ∞.",
    ),
}
NORMS = {"ℓ1 norm": "l1", "ℓ2 norm": "l2", "ℓ∞ norm": "linf"}
# On the page -> preset values of the model.
PRESETS = {
    "Why the elastic net is sparse": {"regularizer": "Elastic net", "epsilon": 1.0, "v1": 1.6, "v2": 0.6},
    "A softmax is bounded": {
        "regularizer": "Normalized entropy",
        "mu_1": 0.5,
        "mu_2": 0.5,
        "v1": 2.0,
        "v2": -0.5,
    },
    "Almost ℓ1: the largest takes all": {
        "regularizer": "q-norm",
        "q": 1.05,
        "power": 2.0,
        "v1": 1.5,
        "v2": 1.2,
    },
    "A ball that w never leaves": {
        "regularizer": "Squared p-norm on a ball",
        "p": 1.5,
        "B": 1.0,
        "v1": 2.5,
        "v2": 1.5,
    },
    "Why a corner is where contours touch": {"regularizer": "ℓ1 norm", "lam": 1.8, "v1": 0.6, "v2": 0.4},
    "Stopping early is a regularizer": {"regularizer": "Squared ℓ2", "K": 1.0, "lam": 1.0},
    "A norm decides nothing": {"regularizer": "ℓ1 norm", "v1": 0.6, "v2": 0.4},
}
# What to predict before the map is revealed, by the kind of regularizer.
QUESTIONS = {
    "separable": "Which v give a weight of exactly zero? all of |v| up to a threshold; v = 0 alone; none",
    "simplex": "Pull v as far away as you like. Where can w go? anywhere; to positive weights of any size; "
    "to positive weights of one sum",
    "power": "Let the exponent fall towards 1. Which coordinate of w remains? "
    "that of the largest |v|; that of the smallest |v|; both, equally",
    "ball": "Pull v outwards. Where does w stop? nowhere; at the edge of the ball of w; in the dual ball",
    "norm": "Which w correspond to a v inside the thick line? w = 0 alone; one that is not 0; all of them",
}
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
            head = "import numpy as np\nfrom workbench.convex.catalogue import catalogue\n"
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
