"""Presets of the Dual lab, each named for what it shows; what one does not name keeps its default."""

PRESETS = {
    "Text, solved to a promise": {},
    "Why the exact update stutters": {"lam": 1e-4, "question": "A shorter step"},
    "Sparsity from a kink: ε = 0.5": {"epsilon": 0.5, "question": "No sparsity"},
    "A smooth loss keeps every sample": {"regularizer": "Squared ℓ2", "question": "A smooth loss"},
    "Points that you move": {"source": "Points in the plane", "regularizer": "Squared ℓ2", "lam": 0.01},
    "Too long a step diverges": {
        "source": "Breast cancer",
        "regularizer": "Squared ℓ2",
        "loss": "Squared",
        "update": "gradient",
        "eta": 0.03,
    },
    "Multiplicative: an entropy": {"source": "Breast cancer", "regularizer": "Entropy", "lam": 0.01},
    "Regression of 0 and 1, insensitive": {
        "source": "Digits · even or odd",
        "loss": "ε-insensitive",
        "regularizer": "Squared ℓ2",
        "lam": 0.01,
    },
}


def apply(model, preset):
    """Set a model to a preset, everything else to its default; the data and the defaults stay allowed."""
    values = {
        name: model.param[name].default for name in model.param if name not in ("name", "source", "tolerance")
    }
    values |= {"source": model.param.source.objects[0]} | PRESETS[preset]
    model.param.update(**{name: value for name, value in values.items() if getattr(model, name) != value})
