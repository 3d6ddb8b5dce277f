"""Convex analysis in SymPy: conjugates that are derived, proved and explained; neither numba nor Panel."""

from workbench._support.system import extras

extras.need("proofs", "deriving and proving")
