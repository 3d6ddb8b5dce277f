"""The whole solver in the docstring of the contract, as the text of a module."""

import textwrap

from workbench.solvers import contract

TEXT = textwrap.dedent(contract.__doc__.partition("ridge regression:\n\n")[2].partition("\n`wb.solve")[0])
