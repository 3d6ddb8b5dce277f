"""Visits of the pages without runs, as data: what a hand does, and the number or message that must come.

A row is (action, what comes). Actions: ("choose", label, option), ("keys", slider, key, count),
("press", button), ("key", key), ("type", label, text), ("hand", figure, key, count), which moves the point of
a figure by keys, ("drag", figure, from, to), shares of its frame, ("go", settings), ("back",). What comes is
a dict of places: "settings.NAME", "sources.NAME.COLUMN.ROW", "says.FIGURE" (a text's key, or HTML's part),
"code", "refusal", "status", "numbers", "page.PATH". An action that begins with "live" needs Python.
"""

import math

import numpy as np

import workbench as wb
from workbench.data import examples
from workbench.pages.compare.declaration import Compare
from workbench.pages.compare.model import ONE
from workbench.pages.conjugates.declaration import Conjugates
from workbench.pages.online.declaration import Online
from workbench.pages.simplex.declaration import Simplex
from workbench.pages.simplex.model import OWN, TSALLIS
from workbench.pages.transfer.declaration import Transfer

PAGES = {
    "transfer": Transfer,
    "simplex": Simplex,
    "online": Online,
    "conjugates": Conjugates,
    "compare": Compare,
}
# v = (1.6, 0.6) and what the formulas of the sources make of it.
LENGTH = math.hypot(1.6, 0.6)
V = {"v1": 1.6, "v2": 0.6}


def maps_to(w1, w2):
    return {"sources.w_point.x.0": w1, "sources.w_point.y.0": w2}


TRANSFER = [
    (("go", V | {"regularizer": "Elastic net", "epsilon": 0.5}), maps_to(1.1, 0.1) | {"says.slope": "slope"}),
    (("go", {"epsilon": 0.0}), {"sources.real_zero.v.length": 0}),
    (("choose", "Regularizer", "q-norm"), {"settings.regularizer": "q-norm"}),
    (("go", {"q": 2.0, "power": 2.0}), maps_to(1.6, 0.6)),
    (("choose", "Regularizer", "Squared ℓ2"), {"settings.regularizer": "Squared ℓ2"}),
    (("go", {"K": 2.0}), maps_to(0.8, 0.6)),
    (("choose", "Regularizer", "Entropy"), {"sources.real_negative.v.length": 0}),
    (("go", {"mu_1": 0.5, "mu_2": 1.0}), maps_to(0.5 * math.exp(1.6), math.exp(0.6))),
    (("choose", "Regularizer", "Half squared p-norm on a ball"), {"says.w_plane": "w_plane"}),
    (("go", {"p": 2.0, "B": 1.0}), maps_to(1.6 / LENGTH, 0.6 / LENGTH)),
    (("choose", "Regularizer", "ℓ1 norm"), {"says.w_plane": "w_plane_none", "says.value": "value_outside"}),
    (("key", "r"), {"settings.regularizer": "ℓ1 norm", "settings.p": 1.5}),
    (("choose", "Preset", "A softmax is bounded"), {"settings.v1": 2.0, "says.real": "no_negative"}),
    (("press", "to positive weights of one sum"), {"answer": "Right"}),
    (("press", "anywhere"), {"answer": "Not so"}),
    (("key", "ArrowRight"), {"settings.regularizer": "Squared p-norm on a ball"}),
    (("go", V), {"settings.v1": 1.6}),
    (("keys", "v₁", "ArrowRight", 2), {"settings.v1": 1.72}),
    (("hand", "v_plane", "ArrowUp", 3), {"settings.v2": "more"}),
    (("drag", "v_plane", (0.6, 0.4), (0.3, 0.3)), {"settings.v1": "less"}),
    (("back",), {"settings.v1": "more"}),
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
    (("go", Z | {"alpha": 1.0}), predicts(*SOFT) | {"says.triangle": "no_zero"}),
    (("go", {}), loses(math.log(EXPONENTIALS.sum()) - 0.1, 0.1)),
    (("go", {"alpha": 1.3, "true_class": 3}), {"says.gap": "loose", "sources.gap_at.y.0": -0.6}),
    # Sparsemax by hand: the third is out, and (0.9 - 0.1 + 1) / 2 is left for the first. Its loss of class 2
    # is half of how much farther, in squares, theta is from the corner than from the prediction.
    (("go", {"alpha": 2.0, "true_class": 2}), predicts(0.9, 0.1, 0.0) | {"says.triangle": "one_zero"}),
    (("go", {}), loses(0.5 * (0.9**2 + 0.9**2 + 0.6**2 - 0.6**2), 0.1)),
    (("keys", "θ₁, score of class 1", "ArrowLeft", 1), {"settings.theta1": "less"}),
    (("hand", "triangle", "ArrowLeft", 2), {"settings.theta2": "less"}),
    (("drag", "scores", (0.3, 0.7), (0.75, 0.75)), {"sources.prediction.x.0": "more"}),
    (("choose", "y, the true class", "1"), {"settings.true_class": 1}),
    (("go", {"theta1": 2.0, "theta2": 0.1, "theta3": -0.6}), predicts(1.0, 0.0, 0.0) | {"says.gap": "tight"}),
    (("choose", "Preset", "A prediction that sticks"), predicts(1 / 3, 1 / 3, 1 / 3)),
    (("press", "by 2"), {"answer": "Right"}),
    (("press", "by 1"), {"answer": "Not so"}),
    (("key", "ArrowRight"), {"settings.phi": TSALLIS}),
    (("live", "choose", "φ, which defines Ω", OWN), {"refusal": "φ(u) is empty"}),
    (("live", "type", "φ(u), typed", "u**2/2"), {"settings.formula": "u**2/2", "settings.phi": OWN}),
    (("live", "go", Z), predicts(0.9, 0.1, 0.0) | {"code": "wb.losses.fenchel_young('u**2/2')"}),
    (("live", "type", "φ(u), typed", "-log(u)"), {"refusal": "infinite at u = 0"} | predicts(0.9, 0.1, 0.0)),
    (("live", "type", "φ(u), typed", "-u**2"), {"refusal": "largest convex function below"}),
    (("live", "type", "φ(u), typed", "u +"), {"refusal": "formula"}),
    (("choose", "φ, which defines Ω", "A logistic function for each class"), {"says.scores": "never_free"}),
]

# A stream of the library, with the mistakes and the bound that it counts.
STREAM = {"dimension": 5, "margin": 0.05, "gamma": 0.05, "seed": 3}
PERCEPTRON = wb.bounds.perceptron(*examples.stream(5, 1, 0.05, 0.0, 3), margin=0.05)
ONLINE = [
    (("go", STREAM | {"seen": 200}), {"sources.now.low.0": PERCEPTRON.mistakes}),
    (("go", {}), {"sources.now.high.0": PERCEPTRON.bound, "says.mistakes": "bound"}),
    (("key", "r"), {"settings.seen": 1}),
    (("key", "ArrowRight"), {"settings.seen": 2, "sources.potential.x.1": 1}),
    (("key", "ArrowLeft"), {"settings.seen": 1}),
    (("press", "next mistake"), {"settings.seen": "more", "status": "a mistake: v moves"}),
    (("press", "step"), {"settings.seen": "more"}),
    (("key", " "), {"page.buttons.run.textContent": "pause"}),
    (("key", " "), {"page.buttons.run.textContent": "run"}),
    (("press", "reset"), {"settings.seen": 1, "page.bar.value": "1"}),
    (("choose", "Rule", "p-norm rule"), {"settings.rule": "p-norm rule", "code": "wb.bounds.p_norm"}),
    (("keys", "p, norm of v", "ArrowRight", 1), {"settings.p": "more"}),
    (("press", "they shrink"), {"answer": "Right"}),
    (("choose", "Preset", "Winnow too fast: no bound"), {"says.mistakes": "no_bound", "code": "wb.Run("}),
    (("choose", "Preset", "Wrong labels: no margin, a shortfall"), {"says.mistakes": "no_margin"}),
    (("choose", "Preset", "Orthonormal points: the bound is met"), {"sources.now.low.0": 20}),
    (("go", {}), {"sources.now.high.0": 20.0, "says.potential": "falls"}),
    (("choose", "Weights that predict", "the average of w"), {"says.points": "rings_average"}),
]

# The logistic pair, the hinge, and functions that are typed; their conjugates by hand.
ZONE = "8 · Insensitive zone"
LOGISTIC = {"v": 0.8, "u": -1.2}
ENTROPY = 0.8 * math.log(0.8) + 0.2 * math.log(0.2)
LONG = "log(1 + exp(u)) + cosh(u)**2 + u**6 + exp(u**2) + exp(u**4) / 3"
CONJUGATES = [
    (("go", LOGISTIC), {"sources.point.q.0": ENTROPY, "says.primal": "primal"}),
    (("go", {}), {"sources.touch.u.0": math.log(4.0), "sources.intercept.y.1": -ENTROPY}),
    (("go", {}), {"sources.probe.y.1": math.log1p(math.exp(-1.2)), "says.gap": "unmatched"}),
    (("keys", "v, slope of the tangent", "ArrowLeft", 1), {"settings.v": "less"}),
    (("hand", "dual", "ArrowRight", 2), {"settings.v": "more"}),
    (("hand", "primal", "ArrowRight", 1), {"settings.v": "more"}),
    (("drag", "gap", (0.5, 0.5), (0.2, 0.8)), {"settings.u": "less"}),
    (("key", " "), {"settings.predict": True, "says.dual": "trail", "says.pair": "hidden"}),
    (("keys", "v, slope of the tangent", "ArrowRight", 4), {"sources.visited.v.length": "more"}),
    (("drag", "dual", (0.3, 0.6), (0.7, 0.6)), {"sources.hand.v.length": "more"}),
    (("key", " "), {"settings.predict": False, "says.dual": "verdict"}),
    (("press", "where the tangent touches at u < 0"), {"answer": "Right"}),
    (("press", "always"), {"answer": "Not so"}),
    (("choose", "Pair", "Insensitive zone"), {"settings.preset": ZONE, "code": "epsilon=0.5, r=2"}),
    (("go", {"u": 0.0, "v": 1.0}), {"sources.point.q.0": 1.0}),
    (("keys", "epsilon", "ArrowRight", 1), {"settings.values": "epsilon=0.51,r=2"}),
    (("go", {}), {"sources.point.q.0": 1.01, "settings.v": 1.0, "settings.u": 0.0}),
    (("choose", "Preset", "A kink of p has many slopes"), {"settings.preset": "Hinge", "settings.v": -0.3}),
    (("go", {}), {"sources.point.q.0": -0.3, "sources.touch.u.0": 1.0}),
    (("choose", "Pair", "No closed form"), {"settings.v": None, "says.tangents": "equal"}),
    (("choose", "Pair", "No Slater point"), {"numbers": "the gap of 1 stays", "says.tangents": "but"}),
    (("choose", "Pair", "Not convex: two wells"), {"says.tangents": "envelope", "code": "not convex"}),
    (("key", "r"), {"settings.preset": "Not convex: two wells"}),
    (("key", "ArrowRight"), {"settings.preset": "No Slater point"}),
    (("go", {"preset": "5 · Logistic", "v": None}), {"settings.v": None, "status": "Derived in"}),
    # An address may give a function alone.
    (("live", "go", {"formula": "u**2"}), {"settings.preset": "Your own function"}),
    (("live", "choose", "Pair", "Hinge"), {"settings.formula": "", "status": "Derived in"}),
    (("live", "type", "p(u)", LONG), {"page.cancelButton.hidden": False}),
    (("live", "press", "Cancel"), {"page.cancelButton.hidden": True, "page.settings.preset": "Hinge"}),
    (("live", "go", {}), {"status": "Cancelled", "sources.point.q.length": 1}),
    (("live", "type", "p(u)", "u**"), {"refusal": "formula"}),
    (("live", "type", "p(u)", "__import__('os')"), {"refusal": "formula"}),
    (("live", "type", "p(u)", "cosh(u) - 1"), {"page.refusal": "", "code": "cosh(u) - 1"}),
    (("live", "go", {"v": 0.75}), {"sources.touch.u.0": math.asinh(0.75)}),
    (
        ("live", "type", "p(u)", "cos(u)"),
        {"numbers": "p, 1 there, lies above it", "says.tangents": "envelope"},
    ),
    (("live", "type", "p(u)", "-u**2"), {"numbers": "No line lies below p", "says.dual": "none_below"}),
    # A letter of which nothing was said has a slider.
    (("live", "type", "p(u)", "abs(u) + b*u"), {"code": "'b': 'real'"}),
    (("live", "keys", "b", "ArrowRight", 1), {"settings.values": "b=1.01"}),
    (("live", "type", "p(u)", "u**2/2 + (5 - c)*abs(u)"), {"numbers": "within"}),
    (("live", "keys", "c", "End", 1), {"numbers": "is outside c ≤ 5", "sources.dual.v.length": 0}),
    (("live", "keys", "c", "Home", 1), {"numbers": "within", "sources.dual.v.length": "more"}),
]

COMPARE = [
    (("go", {}), {"status": "Stopped after 300 passes", "says.gaps": "gaps", "says.race": "race_recorded"}),
    (("key", "r"), {"page.place": 0, "page.reached": 0, "status": "Paused after 0 passes"}),
    (("key", "ArrowRight"), {"page.place": 1, "sources.Gauss-Seidel.passes.length": 2}),
    (("press", "10 passes"), {"page.place": 11}),
    (("key", "ArrowLeft"), {"page.place": 10, "page.reached": 11}),
    (("press", "reset"), {"page.place": 0}),
    (("key", " "), {"page.transport.buttons.run.textContent": "pause"}),
    (("key", " "), {"page.transport.buttons.run.textContent": "run"}),
    (("choose", "Magnification", "10"), {"settings.zoom": 10, "sources.hand.weight.0": "more"}),
    (("drag", "saddle", (0.4, 0.4), (0.7, 0.5)), {"sources.hand.weight.0": "more"}),
    (("hand", "saddle", "ArrowUp", 2), {"sources.hand.dual.0": "more"}),
    (("press", "Primal error"), {"page.view.cards.gaps.hidden": True, "says.above": "above"}),
    (("press", "Dual error"), {"page.view.cards.above.hidden": True, "says.below": "below"}),
    (("press", "Dual error"), {"page.view.cards.gaps.hidden": False}),
    (("press", "dual ones, which keep α"), {"answer": "Right", "settings.lam": 0.01}),
    (("back",), {"settings.lam": 0.1}),
    (("keys", "λ weight of the regularizer", "ArrowRight", 1), {"settings.lam": "more"}),
    (("choose", "Question", "By seconds"), {"settings.question": "By seconds"}),
    (("go", {"lam": 0.1}), {"settings.lam": 0.1}),
    (("live", "press", "race"), {"page.raceButton.textContent": "cancel the race"}),
    (("live", "press", "cancel the race"), {"page.raceButton.textContent": "race"}),
    (("live", "choose", "Loss", "Logistic"), {"code": "loss='logistic'"}),
    (("live", "choose", "Regularizer", "ℓ1"), {"code": "wb.norms.L1()"}),
    (("live", "choose", "Data", "Overlapping"), {"code": "plane(", "refusal": ""}),
    (("live", "go", {"intercept": True}), {"code": "bias=True"}),
    (("live", "go", {"source": ONE, "intercept": True}), {"refusal": "holds only labels"}),
    (("live", "choose", "Preset", "Breast cancer, in 1 to 32 parts"), {"status": "Reached: all 6 runs"}),
    (("live", "choose", "Question", "In parts"), {"settings.question": "In parts"}),
    (("live", "press", "yes"), {"answer": "Right"}),
    (("live", "go", {"passes": 5}), {"code": "CoCoA(parts=2, passes=5)", "status": "rounds"}),
    (("live", "go", {"intercept": True}), {"refusal": "cocoa: bias = True asks"}),
]
VISITS = {
    "transfer": TRANSFER,
    "simplex": SIMPLEX,
    "online": ONLINE,
    "conjugates": CONJUGATES,
    "compare": COMPARE,
}
