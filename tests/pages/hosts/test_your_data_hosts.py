"""Your data in Chromium: a file goes up, is refused, fitted, predicts rows, and is taken to the Dual lab."""

import re

import pandas as pd
import pytest

import workbench as wb
from tests.helpers import page_checks
from tests.helpers.page_browser import becomes, fits, visit
from tests.pages.hosts import carriers
from tests.pages.hosts.moves import READY, STATE, move

pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.browser

PAGES = ("your-data",)
# With words and an empty cell.
PEOPLE = "colour,dose,age,outcome\n" + "".join(
    f"{'red' if j % 3 else 'blue'},{'' if j == 7 else j % 7},{j % 5},{'ill' if j % 7 > 3 else 'well'}\n"
    for j in range(60)
)
ROWS = b"age,note,dose,colour,outcome\n1,<b>x</b>,6,red,ill\n2,,,blue,well\n3,y,2,red,ill\n"
LARGE = b"1,2\n" * 300_000
# Files that are not tables, and those without new rows of the people, by the sentence that says so.
BAD = (
    ("empty.csv", b"", "empty.csv is empty"),
    ("large.csv", LARGE, "large.csv has more than 1 MB"),
    ("picture.csv", b"\x89PNG\r\n\x1a\n", "picture.csv is an image, not a table"),
    ("<b>bold</b>.csv", b"a,b\n1,2\n3\n", "b>.csv, line 3: 1 cell where most rows have 2"),
)
BAD_ROWS = (
    ("lacks.csv", b"age,dose\n1,2\n", "lacks.csv lacks the column 'colour'"),
    ("deep.json", b"[" * 100_000, "deep.json, line 1: not JSON"),
    ("green.csv", b"age,dose,colour\n1,2,green\n", "switch on “Accept unknown categories”"),
)
TABLE, NEW = "Drop a table here", "Drop a file of new rows here"
MODEL = "page.answers.model"


def drop(view, place, name, content):
    view.get_by_label(place).set_input_files({"name": name, "mimeType": "", "buffer": content})


def on_page(view, script):
    return view.evaluate(STATE % script)


def says(view, words):
    """Wait for a sentence on the page."""
    view.locator("[role=status]", has_text=words).first.wait_for()


def downloaded(view, name):
    with view.expect_download() as waiting:
        view.get_by_role("button", name=name, exact=True).click()
    return waiting.value.path()


def test_file_goes_up_is_fitted_and_taken_along(browser, address, tmp_path):
    with visit(browser, address, width=1440, height=900) as view:
        view.wait_for_function(READY)
        before = on_page(view, f"[location.search, {MODEL}.certificate]")
        for name, content, words in BAD:
            drop(view, TABLE, name, content)
            says(view, words)
            assert on_page(view, f"[location.search, {MODEL}.certificate]") == before
        drop(view, TABLE, "people.csv", PEOPLE.encode())
        says(view, "empty cells in dose (1); go on with “Empty cells”: mean")
        move(view, "Empty cells", "mean")
        facts = f"[{MODEL}.refusal, {MODEL}.loss, {MODEL}.score.rows, page.settings.data.length]"
        assert becomes(lambda: on_page(view, facts), ["", "Logistic", 15, 32]) == ["", "Logistic", 15, 32]
        assert re.search("data=[0-9a-f]{32}", view.url)
        model = wb.Model.load(downloaded(view, "Model"))
        assert model.task.labels == ("ill", "well")
        assert "people.csv" in downloaded(view, "Report").read_text()
        assert len(pd.read_csv(downloaded(view, "Predictions as CSV"))) == 60
        view.get_by_text("What would change this prediction?").wait_for()
        # New rows, which the table shows without the HTML that they hold.
        drop(view, NEW, "new.csv", ROWS)
        says(view, "new.csv: 3 rows predicted; ")
        assert view.get_by_role("region", name="Predict new rows").locator("tr").count() == 4
        assert view.get_by_role("region", name="Predict new rows").locator("b").count() == 0
        rows = pd.read_csv(downloaded(view, "Rows with predictions as CSV"), index_col="index")
        (tmp_path / "new.csv").write_bytes(ROWS)
        assert rows["predicted outcome"].tolist() == model.predict(tmp_path / "new.csv")["label"].tolist()
        assert rows["note"].tolist()[0] == "<b>x</b>"
        for name, content, words in BAD_ROWS:
            drop(view, NEW, name, content)
            says(view, words)
        view.get_by_label("accept unknown categories").click()
        says(view, "green.csv: 1 row predicted; ")
        assert becomes(lambda: page_checks.axe(view), []) == []
        # A column goes, another is predicted; Back takes both back.
        view.get_by_role("row", name="age").get_by_role("button", name="leave out").click()
        assert becomes(lambda: on_page(view, "page.settings.leave_out"), "age") == "age"
        view.get_by_role("row", name="colour").get_by_role("button", name="predict this").click()
        assert becomes(lambda: on_page(view, f"{MODEL}.labels"), ["blue", "red"]) == ["blue", "red"]
        view.go_back()
        view.go_back()
        assert becomes(lambda: on_page(view, f"{MODEL}.labels"), ["ill", "well"]) == ["ill", "well"]
        # The Dual lab has lambda up to 1.
        move(view, "λ by cross-validation", "switch")
        assert becomes(lambda: on_page(view, f"{MODEL}.lam"), 0.01) == 0.01
        own = view.url
        view.get_by_role("button", name="Open in the Dual lab").click()
        view.wait_for_url(re.compile("dual-lab"))
        view.wait_for_function(READY)
        assert becomes(lambda: on_page(view, "page.status"), "converged") == "converged"
        assert on_page(view, "[page.settings.lam, page.settings.loss]") == [0.01, "Logistic"]
        assert "Your data: people.csv" in view.get_by_label("Data", exact=True).evaluate(
            "(list) => list.selectedOptions[0].textContent"
        )
        view.goto(own)
        view.wait_for_function(READY)
        assert becomes(lambda: on_page(view, f"{MODEL}.file.name"), "people.csv") == "people.csv"
        view.goto(f"{own.split('?')[0]}?data={'0' * 32}")
        view.wait_for_function(READY)
        says(view, "no longer on the server")
        fits(view, 1440)


def test_file_of_the_page_says_what_it_cannot_do(browser, tmp_path):
    text = wb.pages.YourData().html()
    with carriers.file(browser, tmp_path, text, READY) as view:
        assert "no Python" in view.locator(".said").first.inner_text()
        assert view.get_by_label(TABLE).is_disabled()
        assert view.get_by_role("button", name="Model", exact=True).count() == 0
        move(view, "Loss", "Logistic")
        assert becomes(lambda: "needs Python" in on_page(view, "page.refusal"), True) is True
        move(view, "Loss", "Hinge")
        assert becomes(lambda: on_page(view, f"[page.refusal, {MODEL}.score.rows]"), ["", 38]) == ["", 38]
        opacity = "getComputedStyle(Bokeh.index.find_one(page.figures.of('figures', 'gap')).el).opacity"
        assert becomes(lambda: on_page(view, opacity), "1") == "1"
