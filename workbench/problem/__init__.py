"""The problem: data, loss, regularizer and lambda."""

from workbench.problem.problem import Problem

__all__ = ["Problem"]
