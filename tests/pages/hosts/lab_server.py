"""The Dual lab in a column of Panel alone, as a script of `panel serve` has it."""

import sys

import panel as pn

from workbench.pages.dual_lab.declaration import DualLab


def column():
    page = DualLab(source="Breast cancer")
    return pn.Column(page, pn.bind(lambda lam: f"λ is {lam:g}", page.param.lam))


if __name__ == "__main__":
    pn.serve({"lab": column}, port=int(sys.argv[1]), show=False)
