"""Scikit-learn's faces of the solvers, and certificates of models that others fitted."""
