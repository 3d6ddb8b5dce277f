"""Gaps of problems beyond `workbench.certificate`: quadratic programs, the SVM, norms, a fixed bias."""

from workbench.gaps.quadratic import QuadraticGap, quadratic_program
from workbench.gaps.svm import SvmGap, svm, svm_from_predictions

__all__ = ["QuadraticGap", "SvmGap", "quadratic_program", "svm", "svm_from_predictions"]
