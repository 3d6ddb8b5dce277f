"""Visits of the pages without runs, as rows of `moves.Move`; numbers are of formulas or of the library."""

import math

import numpy as np

import workbench as wb
from tests.pages.hosts.moves import BACK, FIGURE, SETTINGS, Move
from workbench.data import examples
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
    Move("Preset", "Wrong labels: no margin, a shortfall", places={"says.mistakes": "no_margin"}),
    Move("Preset", "Orthonormal points: the bound is met", places={"sources.now.low.0": 20}),
    Move(SETTINGS, {}, places={"sources.now.high.0": 20.0, "says.potential": "falls"}),
    Move("Weights that predict", "the average of w", places={"says.points": "rings_average"}),
]
VISITS = {"transfer": TRANSFER, "simplex": SIMPLEX, "online": ONLINE}
