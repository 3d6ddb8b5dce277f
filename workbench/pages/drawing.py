"""What the drawings of pages share: figures by name, with titles, and the models in them that a frame fills.

Without Panel, since notebooks draw these figures as well.
"""

from typing import ClassVar

import numpy as np
from bokeh.models import ColumnDataSource, DataRange1d, HoverTool, Range1d

from workbench.pages import theme
from workbench.pages.browser import plot

HEIGHTS = (230, 14, 300)


class Drawing:
    """Figures and their sources.

    A drawing sets `columns` (of every source) and perhaps `heights`, and has `_titles()` and a method `_name`
    for every title, which makes that figure.

    Attributes
    ----------
    figures : dict of str to figure
    titles : dict of str to (str, str)
        The title of each and its key.
    models : dict of str to dict of str to model
        What a frame fills, by kind and name: "sources", "figures", "axes" and "ranges", of these such as
        "gap_x" by figure and side, and what `_more()` gives.
    """

    columns: ClassVar[dict] = {}
    heights: ClassVar[tuple] = HEIGHTS

    def __init__(self, look=theme.LIGHT):
        self.look = look
        self.sources = {
            name: ColumnDataSource({column: [] for column in columns})
            for name, columns in self.columns.items()
        }
        self.titles = self._titles()
        self.figures = {name: getattr(self, f"_{name}")() for name in self.titles}
        sides = [(name, side) for name in self.figures for side in "xy"]
        ranges = {f"{name}_{side}": getattr(self.figures[name], f"{side}_range") for name, side in sides}
        self.models = {
            "sources": self.sources,
            "figures": dict(self.figures),
            # Bokeh finds the other ranges by itself.
            "ranges": {name: bounds for name, bounds in ranges.items() if isinstance(bounds, Range1d)},
            "axes": {f"{name}_{side}": getattr(self.figures[name], f"{side}axis")[0] for name, side in sides},
        } | self._more()

    def _more(self):
        return {}

    def ids(self):
        """The ids of the models, by kind and name."""
        return {
            kind: {name: model.id for name, model in named.items()} for kind, named in self.models.items()
        }

    def _blank(self, side):
        """Give the source `surface` an image for the browser to fill."""
        image = [np.zeros((side, side), dtype=np.float32)]
        self.sources["surface"].data = {"image": image, "x": [0.0], "y": [0.0], "dw": [1.0], "dh": [1.0]}

    def _plot(self, name, x_label, y_label, tooltips=None, heights=None, **options):
        drawn = plot(name, x_label, y_label, self.look, heights or self.heights, **options)
        if tooltips is not None:
            drawn.add_tools(HoverTool(tooltips=tooltips, mode="mouse", visible=False))
        return drawn

    def _square(self, name, x_label, y_label, tooltips=None, **options):
        """A figure in which a circle is one at any width of its card; it shows all of the source `window`."""
        ranges = {axis: DataRange1d(range_padding=0.0) for axis in ("x_range", "y_range")}
        drawn = self._plot(name, x_label, y_label, tooltips, match_aspect=True, **ranges, **options)
        self._look_at([-1.0, 1.0], [-1.0, 1.0])
        # The corners of the window alone decide what is seen.
        corners = drawn.scatter("x", "y", source=self.sources["window"], alpha=0.0, size=1)
        for bounds in ranges.values():
            bounds.renderers = [corners]
        return drawn

    def _look_at(self, x, y):
        """Show these two intervals, and more of the wider one's other axis."""
        window = {"x": [float(end) for end in x], "y": [float(end) for end in y]}
        if self.sources["window"].data != window:
            self.sources["window"].data = window
