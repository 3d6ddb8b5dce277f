"""Rules by which the browser reads a visitor's file as Python does: sentences, caps, tables."""

import dataclasses

from workbench.data import dataset
from workbench.data.tables import formats, libsvm, limits, reading, sentences, targets, text
from workbench.pages import terms
from workbench.pages.dual_lab import model as dual_lab

# The page stands still while the browser reads: less than a server takes.
CAPS = limits.Limits(megabytes=5)
# Sentences of the browser alone, and those of both readers after which no other door is worth a try.
OWN_SENTENCES = (
    *("packed", "encoding", "count_here", "cell_here", "unclear", "names_here", "uneven"),
    "elsewhere",
)
FINAL = (
    *("empty", "header_only", "one_sample", "one_class", "unreadable", "unscalable"),
    *("svm_no_sample", "svm_no_pair"),
)


def rules():
    """Return what `custom_file.js` and `custom_data.js` go by."""
    own = {name: dual_lab.TEXTS[f"custom_{name}"] for name in OWN_SENTENCES}
    return {
        "sentences": {
            name: sentences.TEXTS[name] for name in (*FINAL, "too_large", "many_classes", "svm_token")
        }
        | own,
        "final": FINAL,
        "caps": dataclasses.asdict(CAPS),
        "packings": [
            suffix
            for suffix in formats.SUFFIXES
            if suffix not in (*formats.TABLE_SUFFIXES, *formats.TEXT_SUFFIXES, *formats.LIBSVM_SUFFIXES)
        ],
        "suffixes": {"tables": formats.TABLE_SUFFIXES, "libsvm": formats.LIBSVM_SUFFIXES},
        "separators": list(text.SEPARATORS)[:4],
        "label_names": reading.LABEL_NAMES,
        "missing": text.MISSING,
        "largest": libsvm.LARGEST,
        "few": targets.FEW,
        "most_classes": dataset.MAX_CLASSES,
        "regression": next(name for name, term in terms.term_table("loss").items() if not term["is_margin"]),
    }
