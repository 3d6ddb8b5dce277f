"""Convex analysis in SymPy: conjugates that are derived, proved and explained; neither numba nor Panel.

A fifth of the lines is the checker, which decides what is proved and shares nothing with the search. A fifth
reads text and SymPy's expressions through an allow-list, and a sixth is the calculus of conjugates with the
pairs of Zhang (2002) and of the literature.
"""
