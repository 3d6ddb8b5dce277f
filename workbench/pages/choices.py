"""Choices that the models of pages share, without widgets."""

from typing import ClassVar

import param


class Choices(param.Parameterized):
    """Choices of a page, with the bounds that its controls and its address share.

    `inputs` are those whose change begins anew; the others choose what is looked at.
    """

    inputs: ClassVar[tuple] = ()

    def settings(self):
        """The present inputs, to build a run from elsewhere while the page goes on."""
        return {name: getattr(self, name) for name in self.inputs}
