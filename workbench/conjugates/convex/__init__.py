"""Convex analysis in SymPy: conjugates that are derived, proved and explained; neither numba nor Panel."""
