"""What of a page's figures a browser fills; without Panel, since notebooks draw these figures as well."""

import numpy as np


class Filled:
    """The models that a frame fills, here or in the browser.

    Parameters
    ----------
    models : dict of str to dict of str to model
        "sources", "ranges" and perhaps "axes" and others, each by name.
    figures : sequence of figure
        Those that show them, whose inner widths follow the labels of their axes.
    """

    def __init__(self, models, figures):
        self.models = models | {"figures": {plot.name: plot for plot in figures}}

    def ids(self):
        """The ids of the models, by kind and name."""
        return {
            kind: {name: model.id for name, model in named.items()} for kind, named in self.models.items()
        }

    def blank(self, side):
        """Give the source `surface` an image for the browser to fill, where it has none."""
        if not len(self.models["sources"]["surface"].data["image"]):
            image = [np.zeros((side, side), dtype=np.float32)]
            blank = {"image": image, "x": [0.0], "y": [0.0], "dw": [1.0], "dh": [1.0]}
            self.models["sources"]["surface"].data = blank
