"""Gaps of problems beyond `workbench.certificate`: quadratic programs, the SVM, norms, a fixed bias."""

from workbench.gaps.fixed_bias import FixedBiasGap, fixed_bias
from workbench.gaps.norm_gap import NormGap, norm_gap
from workbench.gaps.quadratic import QuadraticGap, quadratic_program
from workbench.gaps.svm import SvmGap, svm, svm_from_predictions

__all__ = [
    "FixedBiasGap",
    "NormGap",
    "QuadraticGap",
    "SvmGap",
    "fixed_bias",
    "norm_gap",
    "quadratic_program",
    "svm",
    "svm_from_predictions",
]


def __dir__():
    return __all__
