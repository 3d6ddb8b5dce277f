"""The picture beside a live view: seen without scripts, drawn from the numbers of the figure."""

import base64
import io
import json
import re
import zlib

import holoviews as hv
import nbformat
import numpy as np
import panel as pn
import pytest
from bokeh.layouts import gridplot
from bokeh.plotting import figure
from matplotlib.image import imread
from nbclient import NotebookClient

from workbench.teaching import frames, live, pictures
from workbench.teaching.live_view import first_plot

# Panel 1.9 prefers `label`, which Panel 1.8 does not know.
pytestmark = pytest.mark.filterwarnings("ignore:Widget.name:PendingDeprecationWarning")
CELLS = (
    "import holoviews as hv\nimport panel as pn\nfrom workbench.teaching import begin, live\nbegin(1)",
    'live(lambda x: hv.Curve([0, x]).opts(title="a line"), x=[1.0, 2.0, 3.0])',
    "live(lambda x: pn.pane.Markdown(str(x)), x=[1.0, 2.0])",
    "hv.Curve([1, 2, 3])",
)
LIVE = "application/vnd.holoviews_exec.v0+json"


def pixels(picture):
    return imread(io.BytesIO(picture))


@pytest.fixture(scope="module")
def notebook():
    made = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in CELLS])
    NotebookClient(made, timeout=600, kernel_name="python3").execute()
    return made


def result(cell):
    (output,) = [output for output in cell.outputs if output.output_type == "execute_result"]
    return output


def test_an_executed_notebook_keeps_a_picture_beside_the_live_view(notebook):
    output = result(notebook.cells[1])
    assert output.data["image/png"]
    assert LIVE in output.data
    assert "image/png" not in result(notebook.cells[2]).data


def test_the_picture_is_in_the_html_too_until_a_style_sheet_hides_it(notebook):
    output = result(notebook.cells[1])
    _, style, still = output.data["text/html"].rpartition("<style>.wb-still{display:none}</style>")
    assert style
    assert still.startswith("<div class='wb-still'>")
    assert output.data["image/png"].replace("\n", "") in still
    assert "wb-still" not in result(notebook.cells[2]).data["text/html"]


def test_a_live_view_fetches_nothing(notebook):
    for cell in notebook.cells[1:]:
        shown = result(cell).data["text/html"]
        scripts = list(map(unpacked, re.findall(r'const text = "([^"]+)"', shown)))
        assert scripts
        for each in (shown, *scripts):
            # A comment in a style sheet names a page, which nothing fetches.
            assert set(re.findall(r"https?://[\w.]+", each)) <= {"https://jupyterlab.readthedocs.io"}


def test_a_figure_shown_by_itself_has_a_picture_too(notebook):
    output = result(notebook.cells[3])
    assert output.data["image/png"]
    assert LIVE in output.data


def test_the_scripts_are_there_once_and_packed(notebook):
    texts = [json.dumps(output.get("data", {})) for output in notebook.cells[0].outputs]
    (scripts,) = [
        output.data
        for output in notebook.cells[0].outputs
        if len(json.dumps(output.get("data", {}))) > 100_000
    ]
    assert list(scripts) == ["application/javascript"]
    (packed,) = re.findall(r'const text = "([^"]+)"', scripts["application/javascript"])
    script = unpacked(packed)
    for part in ("BEGIN bokeh.min.js", "BEGIN bokeh-widgets.min.js", "BEGIN panel.min.js", "no-tables"):
        assert part in script
    assert sum(map(len, texts)) < 900_000


def unpacked(text):
    return zlib.decompressobj(31).decompress(base64.b85decode(text)).decode()


def test_frames_show_every_choice():
    hv.extension("bokeh", logo=False)
    seen = []

    def draw(name, x):
        seen.append((name, x))
        return hv.Curve([0, x]).opts(title=f"{name}{x:g}")

    view = live(draw, name=["a", "b"], x=[1.0, 2.0, 4.0])
    shown = frames.frames(view)
    assert shown.count("<div class='frame'") == 6
    assert shown.count(" hidden>") == 5
    assert shown.count("data:image/png;base64,") == 6
    assert set(seen) == {(name, x) for name in "ab" for x in (1.0, 2.0, 4.0)}
    # The one that is shown stands where the script looks for it: the second of the first three.
    assert re.findall(r"<div class='frame'( hidden)?>", shown) == [" hidden", "", *[" hidden"] * 4]
    assert [widget.value for widget in view[:2]] == ["a", 2.0]


def test_a_continuous_slider_has_frames_enough_and_not_too_many():
    alone = live(lambda x: "text", x=(0.0, 1.0, 0.3))
    (values,) = frames.values_of(alone[:1])
    assert len(values) == frames.FINE
    assert 0.3 in values
    many = live(lambda x, y, z: "text", x=(0.0, 1.0), y=(0.0, 1.0), z=["<a>", "b"])
    assert [len(values) for values in frames.values_of(many[:3])] == [frames.COARSE, frames.COARSE, 2]
    assert "&lt;a&gt;" in frames.frames(many)


def test_the_picture_is_that_of_the_value_shown():
    hv.extension("bokeh", logo=False)
    view = live(lambda x: hv.Curve([0, x]).opts(ylim=(0, 4)), x=[1.0, 2.0, 3.0])

    def picture():
        return pictures.figure(first_plot(view[-1]))

    first = picture()
    assert picture() == first
    view[0].value = 3.0
    assert not np.array_equal(pixels(picture()), pixels(first))


def coloured(picture, colour):
    """How many pixels have a colour."""
    return int(np.sum(np.all(np.abs(pixels(picture)[:, :, :3] - colour) < 0.02, axis=2)))


@pytest.mark.parametrize(
    "draw",
    [
        lambda plot: plot.line([0, 1], [0, 1], color="red", line_width=5),
        lambda plot: plot.scatter([0, 1], [0, 1], color="red", size=12),
        lambda plot: plot.vbar([0, 1], top=[1, 2], width=0.5, color="red"),
        lambda plot: plot.varea([0, 1], [0, 0], [1, 2], color="red"),
        lambda plot: plot.segment([0], [0], [1], [1], color="red", line_width=5),
        lambda plot: plot.step([0, 1, 2], [0, 1, 0], color="red", line_width=5),
        lambda plot: plot.vspan([0.5], color="red", line_width=5),
        lambda plot: plot.hspan([0.5], color="red", line_width=5),
    ],
)
def test_every_kind_is_drawn(draw):
    plot, hidden = figure(width=300, height=200), figure(width=300, height=200)
    draw(plot)
    draw(hidden).visible = False
    assert coloured(pictures.figure(plot), (1, 0, 0)) > 50
    assert coloured(pictures.figure(hidden), (1, 0, 0)) == 0


def test_a_grid_is_drawn_side_by_side():
    one, two = (figure(width=300, height=200) for _ in range(2))
    one.line([0, 1], [0, 1], color="red", line_width=5)
    two.line([0, 1], [0, 1], color="blue", line_width=5)
    picture = pictures.figure(gridplot([[one, two]]))
    columns = [
        np.nonzero(np.all(np.abs(pixels(picture)[:, :, :3] - each) < 0.02, axis=2))[1]
        for each in ((1, 0, 0), (0, 0, 1))
    ]
    assert min(map(len, columns)) > 50
    assert columns[0].max() < columns[1].min()


def test_what_cannot_be_drawn_leaves_the_live_view_alone(monkeypatch):
    monkeypatch.setattr(pn.Column, "_repr_mimebundle_", lambda *given: ({"text/html": "live"}, {}))
    plot = figure(width=300, height=200)
    plot.text([0], [0], ["a"])
    with pytest.raises(NotImplementedError, match="Text"):
        pictures.figure(plot)
    bundle = live(lambda x: pn.pane.Bokeh(plot), x=[1.0, 2.0])._repr_mimebundle_()
    assert bundle == ({"text/html": "live"}, {})
