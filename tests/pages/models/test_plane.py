"""Points in the plane: the address, and what the Dual lab solves and draws of them."""

import numpy as np
import pytest

from tests.helpers import lab_runs
from tests.helpers.amounts import latin
from workbench._support.errors import InputError
from workbench.pages import datasets, terms
from workbench.pages.dual_lab import leave_out
from workbench.pages.dual_lab.declaration import DualLab
from workbench.pages.svm_gaps.declaration import SvmGaps


def model(**choices):
    return DualLab(**{"source": datasets.PLANE, "lam": 0.01, "regularizer": "Squared ℓ2"} | choices)


@pytest.mark.parametrize("text", ["paaaa", "pzzzzmaaaa", "nonsense", "p0000m0000" * 200])
def test_points_that_cannot_be_read_get_the_sentence_of_svm_gaps(text):
    said = set()
    for page in (DualLab(), SvmGaps()):
        with pytest.raises(InputError) as refusal:
            page.change({"points": text})
        said.add(str(refusal.value))
        assert page.points == ""
    assert len(said) == 1


# Beside the picture


@pytest.mark.parametrize(
    ("loss", "regularizer"),
    latin(terms.LOSSES, terms.REGULARIZERS),
)
def test_every_loss_and_regularizer_is_solved(loss, regularizer):
    run = lab_runs.solved(model(loss=loss, regularizer=regularizer).settings())
    assert run.status == "converged"


def test_a_sample_can_be_left_out():
    settings = model().settings()
    alpha = lab_runs.solved(settings, gap=1e-6).last.alpha
    left = leave_out.leave(settings, alpha, int(np.abs(alpha).argmax()))
    assert 0.0 < left.truth <= left.bound
