"""What a file's script knows of the losses and regularizers that may be chosen in it."""

import math

from workbench.pages.dual_lab import explain
from workbench.pages.dual_lab import model as dual_lab
from workbench.problems import losses, regularizers

REGISTRIES = {"loss": losses, "regularizer": regularizers}


def is_margin(loss):
    return loss.kind == "margin"


def terms_of(options):
    """For each loss and regularizer its control, and by the value of that its text and its object's name."""
    terms = {}
    kinds = {
        "loss": (dual_lab.LOSSES, dual_lab.LOSS_CONTROLS),
        "regularizer": (dual_lab.REGULARIZERS, dual_lab.REGULARIZER_CONTROLS),
    }
    for kind, (names, controls) in kinds.items():
        registry = REGISTRIES[kind]
        for label in options[kind]:
            needed = dual_lab.needed(names[label], registry.REGISTRY, controls)
            control = next(iter(needed.values()), None)
            rows = []
            for value in options[control] if control else [None]:
                text = dual_lab.with_parameters(names[label], registry.REGISTRY, controls, {control: value})
                term = registry.get(text)
                row = {"text": text, "name": repr(term), "rests": explain.basis(term)}
                if kind == "loss":
                    row["closed"] = explain.closed_form(term)
                else:
                    # Other data have other facts, for which the curvature of a summand is needed.
                    bound = term.curvature if math.isfinite(term.curvature) else None
                    row |= {"signed": term.entry["lower"] == 0.0, "quadratic": term.is_quadratic}
                    row["bound"] = bound
                rows.append(row)
            terms.setdefault(kind, {})[label] = {"control": control, "rows": rows}
            if kind == "loss":
                terms[kind][label]["margin"] = is_margin(term)
    return terms


def objects_of(terms, kind):
    """The losses or the regularizers of a table of terms."""
    return [REGISTRIES[kind].get(row["text"]) for each in terms[kind].values() for row in each["rows"]]
