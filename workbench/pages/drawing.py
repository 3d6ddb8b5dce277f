"""What the drawings of played pages share: sources that a frame fills, figures by name with titles."""

from typing import ClassVar

from bokeh.models import ColumnDataSource, DataRange1d, HoverTool

from workbench.pages import theme
from workbench.pages.browser import plot

HEIGHTS = (230, 14, 300)


class Drawing:
    """Figures, their sources and, from `show`, the sentence under each.

    A drawing sets `columns` (of every source) and perhaps `heights`, and has `_titles()` and a method `_name`
    for every title.

    Parameters
    ----------
    look : theme.Look

    Attributes
    ----------
    figures : dict of str to figure
    titles : dict of str to (str, str)
        The title of each and its key.
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
