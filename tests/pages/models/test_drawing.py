"""Tables of figures: what a row draws, in which order, and what its key and its sources have."""

from typing import ClassVar

from bokeh.models import Range1d

from workbench.pages import theme
from workbench.pages.drawing import Drawing, dots, figure, line

TIME = {"x_range": ("time", 0, 2)}


class Two(Drawing):
    table: ClassVar = {
        "curves": figure(
            "Curves",
            "t",
            "value",
            line("run", "t", "upper", "blue", says="upper", z=1),
            line("run", "t", "lower", "green", "dashed", says=("lower", "a source")),
            note="<b>more</b>",
            y_range=(1, 3),
            **TIME,
        ),
        "places": figure(
            "Places",
            "t",
            "value",
            line("run", "t", "upper", "muted"),
            dots("here", "t", "value", 5, color="ink", tip=True, part="here"),
            tips=(("value", "@value"),),
            **TIME,
        ),
    }
    columns: ClassVar = {"run": ("epoch",)}


def test_a_table_is_drawn_with_its_key_its_sources_and_its_ranges():
    drawing, dark = Two(theme.LIGHT), Two(theme.look(dark=True))
    curves, places = drawing.figures.values()
    # Drawn by z, named in the order of the table.
    assert [renderer.glyph.y for renderer in curves.renderers] == ["lower", "upper"]
    title, key = drawing.titles["curves"]
    assert title == "Curves"
    assert 0 < key.index(">upper<") < key.index("a source") < key.index(">lower<") < key.index("<b>more</b>")
    assert [list(source.data) for source in drawing.sources.values()] == [
        ["t", "upper", "lower", "epoch"],
        ["t", "value"],
    ]
    assert curves.x_range is places.x_range
    assert (curves.y_range.start, curves.y_range.end) == (1, 3)
    assert places.hover[0].renderers == [drawing.parts["here"]]
    assert not curves.hover
    for picture in (drawing, dark):
        assert picture.figures["curves"].renderers[1].glyph.line_color == picture.look.blue
    # Another drawing of the table shares nothing with the first.
    assert isinstance(dark.figures["curves"].x_range, Range1d)
    assert dark.figures["curves"].x_range is not curves.x_range
