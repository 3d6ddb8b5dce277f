"""Formulas that several tests of conjugation share, each derived once in a process."""

import functools

import workbench as wb

IMPLICIT = ("exp(u) + u**4/4", "cosh(u) + abs(u)**3/3", "u**2/2 + log(1 + exp(u))", "exp(u) - log(u)")
CLOSED = ("exp(u)", "-log(u)", "log(1 + exp(u))", "abs(u)", "max(0, 1 - u)**2/2", "sqrt(1 + u**2)", "2*u - 1")


@functools.cache
def derived(text, domain=None, **parameters):
    return wb.conjugate(text, domain=domain, parameters=parameters)
