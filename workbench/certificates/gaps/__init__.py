"""Gaps of problems beyond `workbench.certificate`: quadratic programs, the SVM, norms, a fixed bias.

>>> import numpy as np
>>> import workbench as wb
>>> gap = wb.gaps.svm(np.eye(2), np.array([1.0, -1.0]), C=1.0, a=np.array([0.5, 0.5]))
>>> bool(gap.gap >= 0)
True
"""

from __future__ import annotations

from workbench.certificates.gaps.fixed_bias import FixedBiasGap, fixed_bias
from workbench.certificates.gaps.forward import ForwardGap, forward_gap
from workbench.certificates.gaps.norm_gap import NormGap, norm_gap
from workbench.certificates.gaps.quadratic import QuadraticGap, quadratic_program
from workbench.certificates.gaps.svm import SvmGap, svm, svm_from_predictions

__all__ = [
    "FixedBiasGap",
    "ForwardGap",
    "NormGap",
    "QuadraticGap",
    "SvmGap",
    "fixed_bias",
    "forward_gap",
    "norm_gap",
    "quadratic_program",
    "svm",
    "svm_from_predictions",
]


def __dir__() -> list[str]:
    return __all__
