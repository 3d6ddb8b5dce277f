"""The model of Home: what the pages show in one line each, their pictures and lessons."""

import functools
from typing import NamedTuple

import numpy as np
import param

from workbench import bounds, gaps, losses, regularizers
from workbench.data import examples
from workbench.pages.bias import model as bias
from workbench.pages.dual_lab import model as dual_lab
from workbench.pages.inverse_time import model as inverse_time
from workbench.pages.norms import model as norms
from workbench.pages.roads import model as roads
from workbench.run import Run
from workbench.system import resources

WIDTH, HEIGHT, EDGE = 280, 120, 8
DASHES = {"solid": "", "dashed": "7 4", "dotted": "2 4"}


class Card(NamedTuple):
    """One page on Home."""

    page: str
    sentence: str
    lesson: str  # its stem; shown where it exists


CARDS = (
    Card(
        "conjugates",
        "Drag a tangent and read off its intercept: a closed convex function is the supremum of its "
        "tangents.",
        "01_conjugates",
    ),
    Card(
        "transfer",
        "The regularizer maps the dual vector v to the weights w = ∇h(v), and makes them sparse or positive.",
        "04_regularizers",
    ),
    Card(
        "simplex",
        "Three scores give a prediction in a triangle, from softmax to sparsemax; the loss is a gap.",
        "14_classes_and_norms",
    ),
    Card(
        "dual-lab",
        "Solve a real problem one dual variable at a time and watch the gap close, with a certificate.",
        "05_gauss_seidel",
    ),
    Card("bias", "An intercept without a penalty is the multiplier of a constraint on the dual.", "07_bias"),
    Card(
        "svm-gaps", "Three gaps of the support vector machine, and when each can be trusted.", "08_svm_gaps"
    ),
    Card(
        "inverse-time",
        "A primal solver with steps of size 1/(λt) and no learning rate to choose.",
        "09_pgs",
    ),
    Card("norms", "Norms that choose groups, rows and trees, with their dual balls.", "06_certificates"),
    Card(
        "screening",
        "A gap bounds a distance, and so discards features long before the solver ends.",
        "16_screening_and_roads",
    ),
    Card(
        "roads",
        "Dual, primal and primal-dual methods on one saddle, compared by one certificate.",
        "16_screening_and_roads",
    ),
    Card(
        "online",
        "Mistakes on a stream of points stay below a proven bound: Perceptron, p-norm, Winnow.",
        "15_online",
    ),
    Card("race", "Solvers side by side, measured by the same certificate.", "12_capstone"),
    Card("your-data", "Your own table, certified.", "12_capstone"),
)


class Stop(NamedTuple):
    """One stop of the way through the pages that a newcomer takes."""

    page: str
    minutes: int
    sentence: str


PATH = (
    Stop("conjugates", 10, "What a conjugate is: intercepts of tangents."),
    Stop("transfer", 10, "How a regularizer turns dual vectors into weights."),
    Stop("dual-lab", 15, "How a solver closes the gap, one sample at a time."),
    Stop("svm-gaps", 10, "What bounds the distance to the optimum, and how well."),
    Stop("your-data", 10, "Your own table, with a certificate."),
)


class Reading(param.Parameterized):
    """What Home shows: its cards, or the text of a lesson."""

    lesson = param.Selector(objects=["", *resources.lessons()], doc="the lesson that is read")


def cards(pages):
    """The cards of the pages that are served, each with the file of its lesson or None.

    Parameters
    ----------
    pages : collection of str
    """
    known = resources.lessons()
    return [(card, known.get(card.lesson)) for card in CARDS if card.page in pages]


def picture(page):
    """The curves of a page's picture: triples of x, y and the stroke; () where there is none yet."""
    return _PICTURES[page]() if page in _PICTURES else ()


def _conjugates():
    u = np.linspace(-3.0, 3.0, 61)
    tangent = 0.73 * u + 0.583
    return (u, np.logaddexp(0.0, u), "solid"), (u[18:], tangent[18:], "dashed")


def _transfer():
    v = np.linspace(-1.0, 1.0, 81)
    maps = [
        regularizers.get(name).at(v.size).map(v)[1] for name in ("elastic-net:epsilon=0.35", "squared-l2")
    ]
    return (v, maps[0], "solid"), (v, maps[1], "dotted")


def _simplex():
    """The share of one of two classes over the lead of its score, by softmax and by sparsemax."""
    lead = np.linspace(-4.0, 4.0, 81)
    scores = np.stack([lead, np.zeros_like(lead)], axis=1)
    return tuple(
        (lead, losses.fenchel_young(phi).predict(scores)[:, 0], stroke)
        for phi, stroke in (("softmax", "solid"), ("sparsemax", "dashed"))
    )


@functools.cache
def _dual_lab():
    settings, curves = dual_lab.DualLab(source="Breast cancer", lam=0.01).settings(), []
    for each, stroke in ((settings, "solid"), (settings | {"lam": 1e-3}, "dashed")):
        run = Run(dual_lab.problem(each), dual_lab.specification(each)[2])
        run.record()
        for _ in range(40):
            run.epoch()
            run.record()
        gaps = np.log10([max(row["gap"], 1e-12) for row in run.rows])
        curves.append((np.array([row["epoch"] for row in run.rows]), gaps, stroke))
    return tuple(curves)


@functools.cache
def _bias():
    """The multipliers of Algorithms 2 and 3 on their way to the bias."""
    problem = bias.problem("Breast cancer", bias.BIAS).replace("smoothed-hinge", "squared-l2", 0.01)
    settings, found = bias.BiasLab(eta=0.5).settings(), []
    for algorithm, stroke in zip(bias.PARTS, ("solid", "dashed"), strict=True):
        run, multipliers = Run(problem, bias.solver(settings, algorithm)), [0.0]
        for _ in range(28):
            run.epoch()
            multipliers.append(run.state.s[0])
        found.append((np.arange(29.0), np.array(multipliers), stroke))
    return tuple(found)


@functools.cache
def _norms():
    """The gap of FISTA after the published repair, and with the best multiple of the dual point."""
    lab = norms.build(norms.Norms().settings())
    for _ in range(60):
        lab.run.step()
        lab.run.record()
    steps = np.array([row["step"] for row in lab.run.rows], dtype=float)
    gaps = np.array([(each.repaired, each.better) for each in lab.run.gaps])
    return tuple(
        (steps, np.log10(np.maximum(gap, 1e-12)), stroke)
        for gap, stroke in zip(gaps.T, ("solid", "dashed"), strict=True)
    )


@functools.cache
def _inverse_time():
    """The gap of PGS, whose steps shrink like 1/t, as logarithms of both."""
    lab = inverse_time.build(inverse_time.InverseTime().settings())
    for _ in range(24):
        for _ in range(max(1, lab.run.steps // 4)):
            lab.run.step()
        lab.run.record()
    rows = [row for row in lab.run.rows if row["step"] > 0 and np.isfinite(row["gap"])]
    return ((*(np.log10([row[name] for row in rows]) for name in ("step", "gap")), "solid"),)


@functools.cache
def _svm_gaps():
    """G over the bias before the first step: convex and piecewise linear, with its least value between."""
    X, y = examples.plane("Overlapping")
    b = np.linspace(-2.0, 2.0, 101)
    return ((b, gaps.svm(X @ X.T, y, 1.0, np.zeros(y.size)).at(b), "solid"),)


@functools.cache
def _roads():
    """PDHG's way around the saddle point, and that of Gauss-Seidel, in the plane of w and alpha."""
    lab = roads.build(roads.RoadsModel(source=roads.APART, lam=0.01).settings())
    while not roads.play(lab, 1.0, 1e-6):
        pass
    ways = (np.array(lab.roads[name].path) for name in ("PDHG", "Gauss-Seidel"))
    return tuple((*way.T, stroke) for way, stroke in zip(ways, ("solid", "dashed"), strict=True))


def _online():
    """The mistakes of the Perceptron on a stream, and their bound, as logarithms."""
    X, y, u = examples.stream(dimension=20, relevant=3)
    seen = np.arange(1, y.size + 1, 10)
    found = [bounds.perceptron(X, y, u, order=np.arange(count), margin=0.2) for count in seen]
    return tuple(
        (seen.astype(float), np.log10([max(getattr(each, name), 1.0) for each in found]), stroke)
        for name, stroke in (("mistakes", "solid"), ("bound", "dashed"))
    )


_PICTURES = {
    "conjugates": _conjugates, "transfer": _transfer, "simplex": _simplex, "dual-lab": _dual_lab,
    "bias": _bias, "norms": _norms, "inverse-time": _inverse_time, "svm-gaps": _svm_gaps,
    "roads": _roads, "online": _online,
}  # fmt: skip


def svg(curves, colours, title):
    """Curves as a small picture in SVG, scaled to fill it.

    Parameters
    ----------
    curves : sequence of (x, y, stroke)
    colours : sequence of str
        One a curve.
    title : str
        What it shows, for those who hear the page.
    """
    head = f"<svg viewBox='0 0 {WIDTH} {HEIGHT}' role='img' aria-label='{title}'>"
    if not curves:
        return head + "</svg>"
    x, y = (np.concatenate([curve[axis] for curve in curves]) for axis in (0, 1))
    paths = "".join(
        f"<path d='{_path(curve, x, y)}' fill='none' stroke='{colour}' stroke-width='2.5' "
        f"stroke-linejoin='round' stroke-dasharray='{DASHES[curve[2]]}'/>"
        for curve, colour in zip(curves, colours, strict=False)
    )
    return f"{head}{paths}</svg>"


def _path(curve, x, y):
    across = EDGE + (WIDTH - 2 * EDGE) * (curve[0] - x.min()) / max(np.ptp(x), 1e-12)
    down = HEIGHT - EDGE - (HEIGHT - 2 * EDGE) * (curve[1] - y.min()) / max(np.ptp(y), 1e-12)
    return "M" + "L".join(f"{a:.1f} {b:.1f}" for a, b in zip(across, down, strict=True))
