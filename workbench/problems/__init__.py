"""The problem: data, loss, regularizer and lambda, checked once and never changed.

A fifth of the lines is the matrix by rows, by columns and dense, with the products that each is best for, and
a fifth is kernels, with the rows of them that are kept.
"""

from workbench.problems.problem import Problem

__all__ = ["Problem"]
