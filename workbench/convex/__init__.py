"""Convex analysis in SymPy: imports neither numba nor Panel."""
