"""The regularizers of the page of transfer functions, and the v of a solved problem."""

import functools
from typing import NamedTuple

import numpy as np

from workbench import data
from workbench.pages.wording import content
from workbench.problems import Problem
from workbench.solvers.solution import attempt

PLANE = (-3.0, 3.0)
LAM = (0.02, 4.0)
# Coordinates of a real v that are drawn; the numbers below the figure count all.
DRAWN = 320


class Shape(NamedTuple):
    """A regularizer as the page shows it.

    `script` names it in `derivations.sketches`, "" for a norm, which has an exponent instead; `weights` says
    what c_j is: "1", "K" or "mu". The balls are the levels of sum_j c_j inner(v_j) and sum_j primal(w_j) that
    are drawn thick. `answer` is the place of the true option of the question about its kind.
    """

    kind: str
    parameters: dict
    says: str
    answer: int
    code: str
    map_text: str
    script: str = ""
    weights: str = "1"
    w_window: tuple = PLANE
    v_ball: float | None = None
    w_ball: float | None = None
    v_text: str = ""
    w_text: str = ""
    exponent: float = 0.0


NORM_SOURCE = "docs/mathematics.md, section 6"
NORM_LATEX = (
    r"h(v) = 0 \;\text{ if }\; \lVert v \rVert_* \leq 1, \quad +\infty \;\text{ otherwise}",
    r"\lVert v \rVert_* = \max_{\lVert w \rVert \leq 1} v^\top w",
)
CONTENT = content("transfer")
SHAPES = {
    name: Shape(**entry | {"exponent": float(entry.get("exponent", 0))})
    for name, entry in CONTENT["shapes"].items()
}
# On the page -> preset values of the model.
PRESETS = CONTENT["presets"]
# What to predict before the map is revealed, by the kind of regularizer.
QUESTIONS = CONTENT["questions"]
DENSITY = "A density, by 18 bells"
SOURCES = {
    "Breast cancer": ("breast-cancer", {}, 1e-3),
    "Reuters-21578 · acq": ("reuters21578", {"category": "acq"}, 1e-4),
    DENSITY: ("", {}, 0.1),
}


def python(shape):
    """Return the lines that map v in a notebook; braces stand for the settings."""
    if shape.kind == "ball":
        return (
            "import numpy as np\nfrom workbench.conjugates.convex.catalogue import catalogue\n\n"
            f"v = np.array([{{v1}}, {{v2}}])\n{shape.code}\nprint(entry.pair.q(v, p={{p}}, B={{B}}))"
        )
    head = "import numpy as np\nimport workbench as wb\n\nv = np.array([{v1}, {v2}])\n"
    return f"{head}h, w = {shape.code}.at(2).map(v)\nprint(h, w)"


def sources():
    """The problems that can be solved here without a download."""
    reuters = data.locate("reuters21578") is not None
    return [name for name, (key, *_) in SOURCES.items() if reuters or key != "reuters21578"]


class RealV(NamedTuple):
    """v = X'alpha / (lam n) of a solved problem, and which entries are drawn."""

    v: np.ndarray
    picks: np.ndarray
    text: str


def bells():
    """Return the densities of 400 draws from two normal ones under 18 others, (400, 18)."""
    random = np.random.default_rng(0)
    drawn = np.concatenate([random.normal(-2, 1, 120), random.normal(1.5, 0.5, 280)])[:, None]
    means, widths = np.tile(np.linspace(-4, 4, 9), 2), np.repeat([0.5, 1.0], 9)
    return np.exp(-0.5 * ((drawn - means) / widths) ** 2) / (np.sqrt(2 * np.pi) * widths)


@functools.lru_cache(maxsize=len(SOURCES))
def real_v(source):
    """The v of a certified solution of the hinge with the squared 2-norm, where w = v. Zhang (8), (12).

    Over its largest magnitude; of a density, the v of a mixture's likelihood as it is.
    """
    name, options, lam = SOURCES[source]
    if source == DENSITY:
        problem = Problem(bells(), None, "negative-log", f"normalized-entropy:mu={1 / 18}", lam)
        v = problem.dual_vector(attempt(problem, tol=1e-6).alpha)
        said = "v of a density: 18 bells, mixed by the loss −ln(w·x) for 400 draws. At the factor 1"
        text = f"{said} and a total of 1 the normalized entropy maps it to the mixture's weights."
        return RealV(v, np.arange(v.size), text)
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
