"""What all tests share: how Hypothesis draws its examples, and the pages that a file of tests visits."""

import contextlib
import functools
import os
from pathlib import Path
from urllib.parse import urljoin

import pytest
from hypothesis import HealthCheck, settings

# What the pages' tests share asserts too, and should say what it found.
pytest.register_assert_rewrite("page_browser", "stub_server")
# A compiled kernel's first call is slow and its next is fast, so no example has a deadline. Under CI
# the examples are the same in every run.
SLOW_DATA = [HealthCheck.too_slow, HealthCheck.data_too_large]
settings.register_profile("local", deadline=None, suppress_health_check=SLOW_DATA)
settings.register_profile("ci", deadline=None, suppress_health_check=SLOW_DATA, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "local")

# Files that take more than some seconds: pages in a browser, many derivations, servers, every solver. What
# else there is takes a minute, `make quick`.
SLOW = """
appendix_e attacks attacks_places attacks_sockets augmented_lagrangian bias bias_model browser_engine
browser_kernels certificate_truth cli cli_derive cli_serve cli_verify code_cards combinations conditions
conjugate conjugate_claims conjugate_plq conjugate_refusals conjugates_model contract custom data_fuzz
data_real derivations_of_pages dual_lab_model enclosures estimators experiments export export_browser
extras fenchel_young_losses first_picture formulas gaps_quadratic gauss_seidel home honesty javascript
javascript_trees lessons lessons_browser lessons_capstone live_bias live_dual_lab live_gauge
live_inverse_time live_norms live_own_files live_plane live_story live_svm_gaps multinomial_gauss_seidel
norm_gap norms online online_model oracles outcomes page page_bias page_conjugates page_frames
page_inverse_time page_light page_norms page_online page_plane page_race page_roads page_screening
page_scrubbing page_shell page_simplex page_svm_gaps page_transfer page_your_data parameters parse_fuzz plane
primal_gradient primal_gradient_theory proximal_gradient published_pairs race_model resources roads rules
scrubbing served_bias served_engine served_inverse_time served_norms served_reports served_svm shrinking
signals simplex_model stability teaching_notebook terms transfer_model uploads vector_pairs verification
worker worker_life worker_schedule
""".split()  # noqa: SIM905
# Enough for the visits of many test files within a minute or two, which is how long a place stays taken.
PLACES = ("--max-sessions", "1000", "--max-per-address", "1000")


def pytest_addoption(parser):
    parser.addoption("--quick", action="store_true", help="leave out the files that take long")


def pytest_ignore_collect(collection_path, config):
    if config.getoption("--quick") and collection_path.stem.removeprefix("test_") in SLOW:
        return True
    return None


def pytest_report_header(config):
    if config.getoption("--quick"):
        there = {path.stem.removeprefix("test_") for path in Path(__file__).parent.glob("test_*.py")}
        assert set(SLOW) <= there, "conftest.SLOW names files that are not there"
        return f"quick: {len(SLOW)} files are left out; `make test` runs them"
    return None


@pytest.fixture(scope="session")
def servers():
    """Gives the address of the page "home" on a server of all pages with these options, started once."""
    from page_browser import served

    with contextlib.ExitStack() as running:
        yield functools.cache(lambda *options: running.enter_context(served(options=options)))


@pytest.fixture(scope="module")
def address(request, servers):
    """The address of the first of the test file's `PAGES`, on a server with its `OPTIONS`."""
    options = getattr(request.module, "OPTIONS", ())
    return urljoin(servers(*PLACES, *options), request.module.PAGES[0])


@pytest.fixture(scope="module")
def browser(request):
    """A Chromium for the test file; asked for after a server, which says why there is none."""
    from page_browser import chromium

    if hasattr(request.module, "PAGES"):
        request.getfixturevalue("address")
    with chromium() as found:
        yield found


@pytest.fixture(scope="session")
def exported(tmp_path_factory):
    """Gives the exported file of a page, written once."""
    from workbench.pages import export

    folder = tmp_path_factory.mktemp("live")

    @functools.cache
    def written(page):
        path = folder / f"{page}.html"
        assert export.export(page, path) < 3e6
        return path

    return written


@pytest.fixture(scope="module")
def file(request, exported):
    """The page that the test file names as `PAGE`, exported."""
    return exported(request.module.PAGE)


@pytest.fixture(scope="module")
def held(file):
    """The data that the exported page carries."""
    import live_file

    return live_file.held(file)


@pytest.fixture(scope="module")
def javascript():
    """Runs printed JavaScript: (source, calls) -> numbers."""
    from javascript_engine import engine

    with engine() as run:
        yield run
