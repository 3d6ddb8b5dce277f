"""Certificates: gaps as sums of Fenchel-Young terms, and the repairs that make a dual point feasible.

A certificate is a function of (w, b, α) alone, never of a solver's state. `certifying` builds it, `assembly`
holds it, `interval` and `rigorous` enclose it with all rounding, `screening` discards features by it, and
`gaps` has the gaps of quadratic programs, the SVM and norms.

Read first: `certifying.py`. This room does not know which solver found a point.
"""

from workbench.certificates.assembly import Certificate
from workbench.certificates.certifying import certificate, certify, check_bias

__all__ = ["Certificate", "certificate", "certify", "check_bias"]
