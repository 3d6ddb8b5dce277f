"""Scikit-learn's faces of the solvers, and certificates of models that other packages fitted.

`models` has the estimators, `external` reads what estimators of scikit-learn, celer and skglm hold, states
the objective that they minimize, and certifies them.

Read first: `models.py`. This room does not know tables, files or pages.
"""
