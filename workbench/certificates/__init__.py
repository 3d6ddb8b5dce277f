"""Certificates: gaps as sums of Fenchel-Young terms, and the repairs that make a dual point feasible."""

from workbench.certificates.assembly import Certificate
from workbench.certificates.certifying import certificate, certify, check_bias

__all__ = ["Certificate", "certificate", "certify", "check_bias"]
