"""Visits of the pages without runs, as data: what a hand does, and the number or message that must come.

A row is (action, what comes). Actions: ("choose", label, option), ("keys", slider, key, count),
("press", button), ("key", key), ("type", label, text), ("hand", figure, key, count), which moves the point of
a figure by keys, ("drag", figure, from, to), shares of its frame, ("go", settings), ("back",). What comes is
a dict of places: "settings.NAME", "sources.NAME.COLUMN.ROW", "says.FIGURE" (a text's key, or HTML's part),
"code", "refusal", "formula".
"""

import math

from workbench.pages.transfer.declaration import Transfer

PAGES = {"transfer": Transfer}
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
VISITS = {"transfer": TRANSFER}
