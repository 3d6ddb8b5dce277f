"""Points in the plane in the exported Dual lab: drawn as Python draws them, and moved by hand."""

import numpy as np
import pytest
from live_file import (
    address,
    alone,
    at,
    columns,
    converged,
    drag,
    opened,
    points_of,
)
from page_browser import becomes

import workbench as wb
from workbench.data.examples.plane import SOURCES, write_points
from workbench.pages import export
from workbench.pages.dual_lab import model as dual_lab

pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.browser

PAGE = "dual-lab"
PLANE = {"source": dual_lab.PLANE, "lam": 0.01}


def opened_plane(browser, file, **settings):
    return opened(browser, file, address(PLANE | {"regularizer": "Squared ℓ2"} | settings))


@pytest.fixture(scope="module")
def plane(held):
    """The sources of the plane, as `columns` takes them."""
    return {"ids": held["plane"]["ids"]}


def test_a_drag_goes_on_from_the_dual_variables_that_there_were(browser, file, held, plane):
    X, y = SOURCES["Overlapping"]()
    sample = alone(X)
    with opened_plane(browser, file) as page:
        converged(page)
        before, place = columns(page, plane, ["points", "lines"]), X[sample] + [0.4, -0.4]
        drag(page, X[sample].tolist(), place.tolist(), "from the dual variables of the place before")
        assert columns(page, plane, ["lines"])["lines"] != before["lines"]
        moved, labels = points_of(page)
        np.testing.assert_allclose(moved[sample], place, atol=0.03)
        np.testing.assert_array_equal(np.delete(moved, sample, axis=0), np.delete(X, sample, axis=0))
        np.testing.assert_array_equal(labels, y)
        alpha = columns(page, plane, ["points"])["points"]["alpha"]
        curves = columns(page, held, ["curves"])["curves"]
    model = dual_lab.DualLab(**PLANE, regularizer="Squared ℓ2", points=write_points(moved, labels))
    found = wb.certificate(dual_lab.problem(model.settings()), alpha=np.array(alpha))
    assert found.relative_gap <= model.tolerance * (1 + 1e-6)
    assert curves["primal"][-1] == pytest.approx(found.primal, rel=1e-9)
    # At zero the gap is 1. A busy machine makes one of all moves of the mouse, so the place is not far.
    assert curves["gap"][0] < 0.1


def test_the_card_comes_and_goes_with_the_data(browser, file, plane):
    with opened(browser, file, "#tolerance=0.01") as page:
        converged(page)
        card = page.locator("section", has=page.locator("#x-figure-plane"))
        assert card.is_hidden()
        assert page.get_by_label("Points to begin with").is_hidden()
        page.get_by_label("Data", exact=True).select_option(dual_lab.PLANE)
        converged(page)
        page.locator("#x-line-plane", has_text="of 50 points").wait_for()
        assert page.locator("#x-figure-plane canvas").first.bounding_box()["width"] > 200
        assert page.get_by_label("Points to begin with").is_visible()
        page.get_by_label("Data", exact=True).select_option("Breast cancer")
        assert becomes(card.is_hidden, True)
        page.locator(".wb-stat", has_text="test accuracy").wait_for()


def test_a_point_under_the_pointer_is_lit_in_every_figure(browser, file, held):
    with opened_plane(browser, file) as page:
        converged(page)
        X, _ = SOURCES["Overlapping"]()
        sample = alone(X)
        page.mouse.move(*at(page, X[sample].tolist()))

        def lit():
            return columns(page, held, ["lit"])["lit"]

        assert becomes(lambda: lit()["sample"], [sample]) == [sample]
        found, duals = lit(), columns(page, held, ["duals"])["duals"]
        assert [found["x"][0], found["y"][0]] == X[sample].tolist()
        assert found["place"][0] == duals["place"][duals["sample"].index(sample)]
        page.locator("summary", has_text="Why is this certain?").click()
        row = page.locator("#x-certainty tr[data-sample]").first
        row.hover()
        other = int(row.get_attribute("data-sample"))
        assert becomes(lambda: lit()["sample"], [other]) == [other]
        assert [lit()["x"][0], lit()["y"][0]] == X[other].tolist()


def test_a_file_without_the_plane_offers_no_points(tmp_path):
    given = [("source", "Breast cancer"), ("loss", "Hinge"), ("regularizer", "Squared ℓ2")]
    export.export("dual-lab", tmp_path / "x.html", given=given)
    text = (tmp_path / "x.html").read_text("utf-8")
    assert "x-figure-plane'" not in text
    assert "Points to begin with" not in text
