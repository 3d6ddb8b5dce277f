"""A lesson as one file: a live view keeps its sliders without a kernel, and nothing is fetched."""

import nbformat
import pytest

from tests.helpers.page_browser import chromium
from workbench.teaching import pages

CELLS = (
    "import holoviews as hv\nfrom workbench.teaching import begin, formula, live\nbegin(1)",
    "def draw(x, name):\n    return hv.Curve([0, x]).opts(title=f'{name} {x:.2f}')",
    "live(draw, x=(0.0, 1.2, 0.33), name=['a', 'b'])",
    "hv.Curve([1, 2, 3])",
    "formula(r'\\tfrac{1}{2} \\le x')",
)
LIVE = "application/vnd.holoviews_exec.v0+json"
TITLES = (
    "() => Bokeh.documents.flatMap((each) => [...each._all_models.values()]).filter((each) => "
    "each.type === 'Title' && each.text).map((each) => each.text)"
)


@pytest.fixture(scope="module")
def ran(tmp_path_factory):
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in CELLS])
    return pages.run(notebook, tmp_path_factory.mktemp("ran"), seconds=600)


def test_figures_and_views_are_live(ran):
    for cell in ran.cells[2:]:
        (output,) = [output for output in cell.outputs if output.output_type == "execute_result"]
        assert LIVE in output.data


@pytest.mark.browser
def test_a_page_moves_with_its_slider_and_fetches_nothing(ran, tmp_path):
    file = tmp_path / "page.html"
    file.write_text(pages.page(ran), encoding="utf-8")
    asked, wrong = [], []
    with chromium() as browser:
        page = browser.new_page()
        page.on("request", lambda request: asked.append(request.url))
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.goto(file.as_uri())
        handle = page.locator(".noUi-handle")
        handle.wait_for()
        # Thirteen values, of which the start stands for the nearest.
        assert page.evaluate(TITLES) == ["a 0.33"]
        # The newest model is the last; Bokeh drops those of the figure before after half a minute.
        handle.press("ArrowRight")
        page.wait_for_function(f"({TITLES})().at(-1) === 'a 0.40'")
        page.locator("select").select_option("b")
        page.wait_for_function(f"({TITLES})().at(-1) === 'b 0.40'")
    assert wrong == []
    assert [url for url in asked if not url.startswith(("file:", "data:", "blob:"))] == []


def test_a_widget_leaves_no_text_in_the_file():
    data = {"text/plain": "NotebookHost(settings={})", pages.WIDGET: {"model_id": "1"}}
    cells = [
        nbformat.v4.new_code_cell("page", outputs=[nbformat.v4.new_output("execute_result", data)]),
        nbformat.v4.new_code_cell(
            "2", outputs=[nbformat.v4.new_output("execute_result", {"text/plain": "two"})]
        ),
    ]
    text = pages.page(nbformat.v4.new_notebook(cells=cells))
    assert "NotebookHost" not in text
    assert "two" in text
