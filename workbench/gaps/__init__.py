"""Gaps of problems beyond `workbench.certificate`: quadratic programs, the SVM, norms, a fixed bias."""

from workbench.gaps.svm import SvmGap, svm, svm_from_predictions

__all__ = ["SvmGap", "svm", "svm_from_predictions"]
