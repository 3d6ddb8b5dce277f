"""Certificates: gaps as sums of Fenchel-Young terms, and the repairs that make a dual point feasible.

Two fifths of the lines enclose the gap with the rounding of everything, in floats, in Arb's balls and on
grids where sums are exact; a tenth is screening.
"""

from workbench.certificates.assembly import Certificate
from workbench.certificates.certifying import certificate, certify, check_bias

__all__ = ["Certificate", "certificate", "certify", "check_bias"]
