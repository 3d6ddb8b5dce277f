"""The losses and regularizers that pages of runs offer, by label, and the controls of their parameters."""

import dataclasses

from workbench.problems import losses, regularizers

LOSSES = {
    "Hinge": "hinge",
    "Logistic": "logistic",
    "Squared": "squared",
    "Squared hinge": "squared-hinge",
    "Smoothed hinge": "smoothed-hinge",
    "Hinge, p = 3": "hinge:p=3",
    "Huber": "huber",
    "ε-insensitive": "epsilon-insensitive",
    "ε-insensitive, p = 2": "epsilon-insensitive:p=2",
}
REGULARIZERS = {
    "Squared ℓ2": "squared-l2",
    "Elastic net": "elastic-net",
    "Entropy": "entropy",
    "Normalized entropy": "normalized-entropy",
    "q-norm": "q-norm",
}
# The control of each parameter that the page lets choose.
LOSS_CONTROLS = {"epsilon": "tube"}
REGULARIZER_CONTROLS = {"epsilon": "epsilon", "mu": "mu", "q": "q"}


def needed(choice, registry, controls):
    """The controls, {parameter: control}, of the parameters that a loss or a regularizer has."""
    fields = [field.name for field in dataclasses.fields(registry[choice.partition(":")[0]])]
    return {name: control for name, control in controls.items() if name in fields}


def _used():
    """The choices that use the control of each parameter of a term."""
    uses = {}
    for kind, names, registry, controls in (
        ("loss", LOSSES, losses.REGISTRY, LOSS_CONTROLS),
        ("regularizer", REGULARIZERS, regularizers.REGISTRY, REGULARIZER_CONTROLS),
    ):
        for label, choice in names.items():
            for control in needed(choice, registry, controls).values():
                uses.setdefault(control, [{kind: []}])[0][kind].append(label)
    return uses


USED = _used()


# By kind the labels and texts of the terms, their registry, and the controls of their parameters.
TERMS = {
    "loss": (LOSSES, losses, LOSS_CONTROLS),
    "regularizer": (REGULARIZERS, regularizers, REGULARIZER_CONTROLS),
}


def term_table(kind, labels=None):
    """Return by its label the text of a term for a registry, the setting that its parameter is, and facts.

    Parameters
    ----------
    kind : str
        "loss" or "regularizer".
    labels : dict of str to str, optional
        The texts by label, those of this table where they are not given.
    """
    names, registry, controls = TERMS[kind]
    terms = {}
    for label, text in (labels or names).items():
        parameter, control = next(iter(needed(text, registry.REGISTRY, controls).items()), (None, None))
        separator = "," if ":" in text else ":"
        term = {"text": text, "parameter": parameter, "control": control, "separator": separator}
        one = registry.get(text)
        if kind == "loss":
            term["is_margin"] = one.kind == "margin"
        else:
            term["is_signed"] = one.entry["lower"] == 0.0
        terms[label] = term
    return terms


def term_names(terms, grids):
    """Yield each term of a table with the names that a registry takes at the values of its control's grid."""
    for term in terms.values():
        for value in grids[term["control"]] if term["control"] else [None]:
            number = str(value).removesuffix(".0")  # as JavaScript writes it
            parameter = f"{term['separator']}{term['parameter']}={number}" if term["control"] else ""
            yield term, term["text"] + parameter


def with_parameters(choice, registry, controls, settings):
    """A choice of the page as `get` of its registry takes it, with the values of its controls."""
    values = [f"{name}={settings[control]:g}" for name, control in needed(choice, registry, controls).items()]
    return f"{choice}{',' if ':' in choice else ':'}{','.join(values)}" if values else choice
