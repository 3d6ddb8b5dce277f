"""Visits of the pages without runs, as rows of `moves.Move`; numbers are of formulas or of the library."""

import math

import numpy as np

import workbench as wb
from tests.pages.hosts.moves import BACK, FIGURE, SETTINGS, Move
from workbench.data import examples
from workbench.pages.compare.model import ONE
from workbench.pages.simplex.model import OWN, TSALLIS

# v = (1.6, 0.6) and what the formulas of the sources make of it.
LENGTH = math.hypot(1.6, 0.6)
V = {"v1": 1.6, "v2": 0.6}


def maps_to(w1, w2):
    return {"sources.w_point.x.0": w1, "sources.w_point.y.0": w2}


TRANSFER = [
    Move(
        SETTINGS,
        V | {"regularizer": "Elastic net", "epsilon": 0.5},
        places=maps_to(1.1, 0.1) | {"says.slope": "slope"},
    ),
    Move(SETTINGS, {"epsilon": 0.0}, places={"sources.real_zero.v.length": 0}),
    Move("Regularizer", "q-norm", "regularizer", "q-norm"),
    Move(SETTINGS, {"q": 2.0, "power": 2.0}, places=maps_to(1.6, 0.6)),
    Move("Regularizer", "Squared ℓ2", "regularizer", "Squared ℓ2"),
    Move(SETTINGS, {"K": 2.0}, places=maps_to(0.8, 0.6)),
    Move("Regularizer", "Entropy", places={"sources.real_negative.v.length": 0}),
    Move(SETTINGS, {"mu_1": 0.5, "mu_2": 1.0}, places=maps_to(0.5 * math.exp(1.6), math.exp(0.6))),
    Move("Regularizer", "Half squared p-norm on a ball", places={"says.w_plane": "w_plane"}),
    Move(SETTINGS, {"p": 2.0, "B": 1.0}, places=maps_to(1.6 / LENGTH, 0.6 / LENGTH)),
    Move("Regularizer", "ℓ1 norm", places={"says.w_plane": "w_plane_none", "says.value": "value_outside"}),
    Move(None, "r", "regularizer", "ℓ1 norm", places={"settings.p": 1.5}),
    Move("Preset", "A softmax is bounded", "v1", 2.0, places={"says.real": "no_negative"}),
    Move("to positive weights of one sum", None, places={"answer": "Right"}),
    Move("anywhere", None, places={"answer": "Not so"}),
    Move(None, "ArrowRight", "regularizer", "Squared p-norm on a ball"),
    Move(SETTINGS, V, "v1", 1.6),
    Move("v₁", "ArrowRight", "v1", 1.72, times=2),
    Move(f"{FIGURE}v_plane", "ArrowUp", times=3, places={"settings.v2": "more"}),
    Move(f"{FIGURE}v_plane", ((0.6, 0.4), (0.3, 0.3)), places={"settings.v1": "less"}),
    Move(None, BACK, places={"settings.v1": "more"}),
]

Z = {"theta1": 0.9, "theta2": 0.1, "theta3": -0.6}
EXPONENTIALS = np.exp(list(Z.values()))
SOFT = EXPONENTIALS / EXPONENTIALS.sum()
# Of the shares in their plane: the class that is to the right is the second.
ACROSS, UPWARD = (-math.sqrt(0.5), math.sqrt(0.5), 0.0), tuple(e / math.sqrt(6) for e in (-1, -1, 2))


def predicts(*p):
    places = (
        (x, sum(share * e for share, e in zip(p, side, strict=True)))
        for x, side in zip("xy", (ACROSS, UPWARD), strict=True)
    )
    return {f"sources.prediction.{x}.0": place for x, place in places}


def loses(loss, score):
    return {"sources.gap_at.y.1": loss + score}


SIMPLEX = [
    Move(SETTINGS, Z | {"alpha": 1.0}, places=predicts(*SOFT) | {"says.triangle": "no_zero"}),
    Move(SETTINGS, {}, places=loses(math.log(EXPONENTIALS.sum()) - 0.1, 0.1)),
    Move(SETTINGS, {"alpha": 1.3, "true_class": 3}, places={"says.gap": "loose", "sources.gap_at.y.0": -0.6}),
    # Sparsemax by hand: the third is out, and (0.9 - 0.1 + 1) / 2 is left for the first. Its loss of class 2
    # is half of how much farther, in squares, theta is from the corner than from the prediction.
    Move(
        SETTINGS,
        {"alpha": 2.0, "true_class": 2},
        places=predicts(0.9, 0.1, 0.0) | {"says.triangle": "one_zero"},
    ),
    Move(SETTINGS, {}, places=loses(0.5 * (0.9**2 + 0.9**2 + 0.6**2 - 0.6**2), 0.1)),
    Move("θ₁, score of class 1", "ArrowLeft", places={"settings.theta1": "less"}),
    Move(f"{FIGURE}triangle", "ArrowLeft", times=2, places={"settings.theta2": "less"}),
    Move(f"{FIGURE}scores", ((0.3, 0.7), (0.75, 0.75)), places={"sources.prediction.x.0": "more"}),
    Move("y, the true class", "1", "true_class", 1),
    Move(
        SETTINGS,
        {"theta1": 2.0, "theta2": 0.1, "theta3": -0.6},
        places=predicts(1.0, 0.0, 0.0) | {"says.gap": "tight"},
    ),
    Move("Preset", "A prediction that sticks", places=predicts(1 / 3, 1 / 3, 1 / 3)),
    Move("by 2", None, places={"answer": "Right"}),
    Move("by 1", None, places={"answer": "Not so"}),
    Move(None, "ArrowRight", "phi", TSALLIS),
    Move("φ, which defines Ω", OWN, in_file=False, places={"refusal": "φ(u) is empty"}),
    Move("φ(u), typed", "=u**2/2", "formula", "u**2/2", in_file=False, places={"settings.phi": OWN}),
    Move(
        SETTINGS,
        Z,
        in_file=False,
        code="wb\\.losses\\.fenchel_young\\('u\\*\\*2/2'\\)",
        places=predicts(0.9, 0.1, 0.0),
    ),
    Move(
        "φ(u), typed",
        "=-log(u)",
        in_file=False,
        places=predicts(0.9, 0.1, 0.0) | {"refusal": "infinite at u = 0"},
    ),
    Move("φ(u), typed", "=-u**2", in_file=False, places={"refusal": "largest convex function below"}),
    Move("φ(u), typed", "=u +", in_file=False, places={"refusal": "formula"}),
    Move("φ, which defines Ω", "A logistic function for each class", places={"says.scores": "never_free"}),
]

# A stream of the library, with the mistakes and the bound that it counts.
STREAM = {"dimension": 5, "margin": 0.05, "gamma": 0.05, "seed": 3}
PERCEPTRON = wb.bounds.perceptron(*examples.stream(5, 1, 0.05, 0.0, 3), margin=0.05)
ONLINE = [
    Move(SETTINGS, STREAM | {"seen": 200}, places={"sources.now.low.0": PERCEPTRON.mistakes}),
    Move(SETTINGS, {}, places={"sources.now.high.0": PERCEPTRON.bound, "says.mistakes": "bound"}),
    Move(None, "r", "seen", 1),
    Move(None, "ArrowRight", "seen", 2, places={"sources.potential.x.1": 1}),
    Move(None, "ArrowLeft", "seen", 1),
    Move("next mistake", None, places={"settings.seen": "more", "line": "a mistake: v moves"}),
    Move("step", None, places={"settings.seen": "more"}),
    Move(None, " ", places={"page.buttons.run.textContent": "pause"}),
    Move(None, " ", places={"page.buttons.run.textContent": "run"}),
    Move("reset", None, "seen", 1, places={"page.bar.value": "1"}),
    Move("Rule", "p-norm rule", "rule", "p-norm rule", code="wb\\.bounds\\.p_norm"),
    Move("p, norm of v", "ArrowRight", places={"settings.p": "more"}),
    Move("they shrink", None, places={"answer": "Right"}),
    Move("Preset", "Winnow too fast: no bound", code="wb\\.Run\\(", places={"says.mistakes": "no_bound"}),
    Move("Preset", "Wrong labels: a shortfall", places={"says.mistakes": "no_margin"}),
    Move("Preset", "Orthonormal: the bound is met", places={"sources.now.low.0": 20}),
    Move(SETTINGS, {}, places={"sources.now.high.0": 20.0, "says.potential": "falls"}),
    Move("Weights that predict", "the average of w", places={"says.points": "rings_average"}),
]

# The logistic pair, the hinge, and functions that are typed; their conjugates by hand.
ZONE = "8 · Insensitive zone"
LOGISTIC = {"v": 0.8, "u": -1.2}
ENTROPY = 0.8 * math.log(0.8) + 0.2 * math.log(0.2)
LONG = "log(1 + exp(u)) + cosh(u)**2 + u**6 + exp(u**2) + exp(u**4) / 3"
CONJUGATES = [
    Move(SETTINGS, LOGISTIC, places={"sources.point.q.0": ENTROPY, "says.primal": "primal"}),
    Move(SETTINGS, {}, places={"sources.touch.u.0": math.log(4.0), "sources.intercept.y.1": -ENTROPY}),
    Move(SETTINGS, {}, places={"sources.probe.y.1": math.log1p(math.exp(-1.2)), "says.gap": "unmatched"}),
    Move("v, slope of the tangent", "ArrowLeft", places={"settings.v": "less"}),
    Move(f"{FIGURE}dual", "ArrowRight", times=2, places={"settings.v": "more"}),
    Move(f"{FIGURE}primal", "ArrowRight", places={"settings.v": "more"}),
    Move(f"{FIGURE}gap", ((0.5, 0.5), (0.2, 0.8)), places={"settings.u": "less"}),
    Move(None, " ", "predict", True, places={"says.dual": "trail", "says.pair": "hidden"}),
    Move("v, slope of the tangent", "ArrowRight", times=4, places={"sources.visited.v.length": "more"}),
    Move(f"{FIGURE}dual", ((0.3, 0.6), (0.7, 0.6)), places={"sources.hand.v.length": "more"}),
    Move(None, " ", "predict", False, places={"says.dual": "verdict"}),
    Move("where the tangent touches at u < 0", None, places={"answer": "Right"}),
    Move("always", None, places={"answer": "Not so"}),
    Move("Pair", "Insensitive zone", "preset", ZONE, code="epsilon=0\\.5,\\ r=2"),
    Move(SETTINGS, {"u": 0.0, "v": 1.0}, places={"sources.point.q.0": 1.0}),
    Move("epsilon", "ArrowRight", "values", "epsilon=0.51,r=2"),
    Move(SETTINGS, {}, "v", 1.0, places={"sources.point.q.0": 1.01, "settings.u": 0.0}),
    Move("Preset", "A kink of p has many slopes", "preset", "Hinge", places={"settings.v": -0.3}),
    Move(SETTINGS, {}, places={"sources.point.q.0": -0.3, "sources.touch.u.0": 1.0}),
    Move("Pair", "No closed form", places={"settings.v": None, "says.tangents": "equal"}),
    Move("Pair", "No Slater point", places={"numbers": "the gap of 1 stays", "says.tangents": "but"}),
    Move("Pair", "Not convex: two wells", code="not convex", places={"says.tangents": "envelope"}),
    Move(None, "r", "preset", "Not convex: two wells"),
    Move(None, "ArrowRight", "preset", "No Slater point"),
    Move(SETTINGS, {"preset": "5 · Logistic", "v": None}, places={"settings.v": None, "line": "Derived in"}),
    # An address may give a function alone.
    Move(SETTINGS, {"formula": "u**2"}, "preset", "Your own function", in_file=False),
    Move("Pair", "Hinge", "formula", "", in_file=False, places={"line": "Derived in"}),
    Move("p(u)", f"={LONG}", in_file=False, places={"page.cancelButton.hidden": False}),
    Move(
        "Cancel",
        None,
        in_file=False,
        places={"page.cancelButton.hidden": True, "page.settings.preset": "Hinge"},
    ),
    Move(SETTINGS, {}, in_file=False, places={"line": "Cancelled", "sources.point.q.length": 1}),
    Move("p(u)", "=u**", in_file=False, places={"refusal": "formula"}),
    Move("p(u)", "=__import__('os')", in_file=False, places={"refusal": "formula"}),
    Move("p(u)", "=cosh(u) - 1", in_file=False, code="cosh\\(u\\)\\ \\-\\ 1", places={"page.refusal": ""}),
    Move(SETTINGS, {"v": 0.75}, in_file=False, places={"sources.touch.u.0": math.asinh(0.75)}),
    Move(
        "p(u)",
        "=cos(u)",
        in_file=False,
        places={"numbers": "p, 1 there, lies above it", "says.tangents": "envelope"},
    ),
    Move(
        "p(u)", "=-u**2", in_file=False, places={"numbers": "No line lies below p", "says.dual": "none_below"}
    ),
    # A letter of which nothing was said has a slider.
    Move("p(u)", "=abs(u) + b*u", in_file=False, code="'b': 'real'"),
    Move("b", "ArrowRight", "values", "b=1.01", in_file=False),
    Move("p(u)", "=u**2/2 + (5 - c)*abs(u)", in_file=False, places={"numbers": "within"}),
    Move("c", "End", in_file=False, places={"numbers": "is outside c ≤ 5", "sources.dual.v.length": 0}),
    Move("c", "Home", in_file=False, places={"numbers": "within", "sources.dual.v.length": "more"}),
]

COMPARE = [
    Move(
        SETTINGS,
        {},
        places={"line": "Stopped after 300 passes", "says.gaps": "gaps", "says.race": "race_recorded"},
    ),
    Move(None, "r", places={"page.place": 0, "page.reached": 0, "line": "Paused after 0 passes"}),
    Move(None, "ArrowRight", places={"page.place": 1, "sources.Gauss-Seidel.passes.length": 2}),
    Move("10 passes", None, places={"page.place": 11}),
    Move(None, "ArrowLeft", places={"page.place": 10, "page.reached": 11}),
    Move("reset", None, places={"page.place": 0}),
    Move(None, " ", places={"page.transport.buttons.run.textContent": "pause"}),
    Move(None, " ", places={"page.transport.buttons.run.textContent": "run"}),
    Move("Magnification", "10", "zoom", 10, places={"sources.hand.weight.0": "more"}),
    Move(f"{FIGURE}saddle", ((0.4, 0.4), (0.7, 0.5)), places={"sources.hand.weight.0": "more"}),
    Move(f"{FIGURE}saddle", "ArrowUp", times=2, places={"sources.hand.dual.0": "more"}),
    Move("Primal error", None, places={"page.view.cards.gaps.hidden": True, "says.above": "above"}),
    Move("Dual error", None, places={"page.view.cards.above.hidden": True, "says.below": "below"}),
    Move("Dual error", None, places={"page.view.cards.gaps.hidden": False}),
    Move("dual ones, which keep α", None, "lam", 0.01, places={"answer": "Right"}),
    Move(None, BACK, "lam", 0.1),
    Move("λ weight of the regularizer", "ArrowRight", places={"settings.lam": "more"}),
    Move("Question", "By seconds", "question", "By seconds"),
    Move(SETTINGS, {"lam": 0.1}, "lam", 0.1),
    Move("race", None, in_file=False, places={"page.raceButton.textContent": "cancel the race"}),
    Move("cancel the race", None, in_file=False, places={"page.raceButton.textContent": "race"}),
    Move("Loss", "Logistic", in_file=False, code="loss='logistic'"),
    Move("Regularizer", "ℓ1", in_file=False, code="wb\\.norms\\.L1\\(\\)"),
    Move("Data", "Overlapping", in_file=False, code="plane\\(", places={"refusal": ""}),
    Move(SETTINGS, {"intercept": True}, in_file=False, code="bias=True"),
    Move(
        SETTINGS, {"source": ONE, "intercept": True}, in_file=False, places={"refusal": "holds only labels"}
    ),
    Move("Preset", "Breast cancer, in 1 to 32 parts", in_file=False, places={"line": "Reached: all 6 runs"}),
    Move("Question", "In parts", "question", "In parts", in_file=False),
    Move("yes", None, in_file=False, places={"answer": "Right"}),
    Move(
        SETTINGS,
        {"passes": 5},
        in_file=False,
        code="CoCoA\\(parts=2,\\ passes=5\\)",
        places={"line": "rounds"},
    ),
    Move(SETTINGS, {"intercept": True}, in_file=False, places={"refusal": "cocoa: bias = True asks"}),
]
VISITS = {
    "transfer": TRANSFER,
    "simplex": SIMPLEX,
    "online": ONLINE,
    "conjugates": CONJUGATES,
    "compare": COMPARE,
}
