"""Bias in a column of Panel alone, as a script of `panel serve` has it, and as a page of its own."""

import sys

import panel as pn

from workbench.pages.bias.declaration import Bias
from workbench.pages.hosts.panel import PanelHost


def column():
    page = Bias(tolerance=1e-2)
    return pn.Column(page, pn.bind(lambda lam: f"λ is {lam:g}", page.param.lam))


def filled():
    """Bias as the only content of its document, whose address is its own."""
    return PanelHost(Bias(tolerance=1e-2), owns_address=True)


if __name__ == "__main__":
    pn.serve({"bias": column, "filled": filled}, port=int(sys.argv[1]), show=False)
