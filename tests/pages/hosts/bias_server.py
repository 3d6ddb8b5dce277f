"""Bias in a column of Panel alone, as a script of `panel serve` has it."""

import sys

import panel as pn

from workbench.pages.bias.declaration import Bias


def column():
    page = Bias(tolerance=1e-2)
    return pn.Column(page, pn.bind(lambda lam: f"λ is {lam:g}", page.param.lam))


if __name__ == "__main__":
    pn.serve({"bias": column}, port=int(sys.argv[1]), show=False)
